// The screen of a puzzle beside the map: one sentence, one large number, and a line on which it
// runs towards par; under these what is in one's hand, and what goes on.

import { Asking } from "../asking.js";
import { make, pressable, put, renew } from "../dom.js";
import { nodesOf } from "./words.js";

/** @import { Word } from "../../modes/types.d.ts" */

/**
 * A place on the race line.
 * @typedef {{ words: string, value: number }} RaceMark
 */

/**
 * What is seen of a puzzle. `ask` stands under the question where that is a friend's; `state` says
 * what the number comes to, and `isGood` whether it is one to be glad of.
 * @typedef {object} SeenPuzzle
 * @property {string} where
 * @property {string} question
 * @property {string} ask
 * @property {string} shown
 * @property {string} unit what is counted
 * @property {number | undefined} value
 * @property {string[]} state
 * @property {boolean} isGood
 * @property {RaceMark[]} marks
 * @property {string} told
 * @property {Word[]} learnt
 * @property {{ words: string, act: () => void } | null} lesson
 * @property {{ words: string, act: () => void } | null} next
 * @property {{ words: string, act: () => void } | null} board
 * @property {boolean} isRecord
 * @property {boolean} isAtStart
 */

/**
 * What its buttons do. `send` is given a name and what shows the words that come of it.
 * @typedef {object} PuzzleActs
 * @property {() => void} all
 * @property {() => void} again
 * @property {() => void} takeBack
 * @property {() => void} open
 * @property {(name: string, tell: (words: string) => void) => void} send
 */

const LONGER = 1.5; // The line goes on beyond what stands on it by this factor.
const LONGEST_NAME = 20; // In characters, as in kpviz/lessons/records.py.

export class PuzzleBox {
  /** @param {HTMLElement} tools @param {PuzzleActs} acts */
  constructor(tools, acts) {
    this.acts = acts;
    this.count = make("strong");
    this.state = make("span", { className: "state" });
    this.unit = make("span");
    const words = make("span", { className: "beside" }, this.unit, this.state);
    this.ask = make("p", { className: "told" });
    this.bar = make("span", { className: "bar" });
    this.marks = make("span", { className: "marks" });
    this.tools = tools;
    this.learnt = make("p", { className: "learnt" });
    this.lesson = make("p", { className: "leads" });
    this.#makeButtons();
    this.asking = new Asking("Puzzle", {
      stop: { words: "All puzzles", title: "The list of all puzzles", act: acts.all },
      kinds: this.footButtons,
    });
    this.asking.question.after(
      this.ask,
      make("p", { className: "count" }, this.count, words),
      make("div", { className: "race", ariaHidden: "true" }, this.bar, this.marks),
      this.tools,
      this.asking.told,
      this.learnt,
      this.lesson,
      this.buttons,
      this.sending,
    );
    this.element.classList.add("puzzle");
  }

  #makeButtons() {
    const { acts } = this;
    this.next = pressable("", () => this.goOn?.act());
    this.board = pressable("", () => this.showBoard?.act());
    this.send = pressable("Send my record", () => this.#openSending());
    this.again = pressable("Again", acts.again);
    this.buttons = make(
      "div",
      { className: "goes-on" },
      this.next,
      this.board,
      this.send,
      this.again,
    );
    this.takeBack = pressable("Take back", acts.takeBack, { title: "Take back (Z)" });
    const open = pressable("Open on the board", acts.open, { title: "Open on the board (Esc)" });
    this.footButtons = make("span", { className: "kinds" }, this.takeBack, open);
    this.name = make("input", {
      maxLength: LONGEST_NAME,
      autocomplete: "nickname",
      placeholder: "optional",
    });
    this.sent = make("output", { className: "sent" });
    const copy = pressable("Copy the link", () => this.#send());
    this.name.addEventListener("keydown", ({ key, isComposing }) => {
      if (key === "Enter" && !isComposing) this.#send();
    });
    this.sending = make(
      "div",
      { className: "sending", hidden: true },
      make("label", {}, "Your name ", this.name),
      copy,
      this.sent,
    );
  }

  get element() {
    return this.asking.element;
  }

  #openSending() {
    this.sending.hidden = false;
    this.sent.textContent = "";
    this.name.focus({ preventScroll: true });
    this.sending.scrollIntoView({ block: "nearest" });
  }

  #send() {
    this.acts.send(this.name.value, (words) => (this.sent.textContent = words));
  }

  /** @param {SeenPuzzle} seen @param {{ positive: string, negative: string }} shapes of classes */
  show(seen, shapes) {
    const { where, question, told } = seen;
    const nothingElse = { answers: [], verdict: "", next: null, score: "" };
    this.asking.show({ where, question, told, ...nothingElse }, shapes);
    put(this.ask, { textContent: seen.ask });
    put(this.count, { textContent: seen.shown });
    this.count.classList.toggle("none", !/\d/.test(seen.shown));
    put(this.unit, { textContent: seen.unit });
    renew(this.state, seen.state, () => seen.state.map((words) => make("span", {}, words)));
    this.state.classList.toggle("was-right", seen.isGood);
    this.#race(seen);
    renew(this.learnt, seen.learnt, () => nodesOf(seen.learnt));
    renew(this.lesson, seen.lesson?.words ?? "", () =>
      seen.lesson
        ? ["More of this: ", pressable(seen.lesson.words, seen.lesson.act, { className: "link" })]
        : [],
    );
    this.goOn = seen.next;
    this.showBoard = seen.board;
    put(this.next, { hidden: seen.next === null, textContent: seen.next?.words ?? "" });
    put(this.board, { hidden: seen.board === null, textContent: seen.board?.words ?? "" });
    put(this.send, { hidden: !seen.isRecord });
    put(this.again, { hidden: seen.isAtStart });
    put(this.takeBack, { disabled: seen.isAtStart });
    const ways = [this.next, this.board, ...(seen.isGood ? [this.send] : [])];
    const main = ways.find((button) => !button.hidden);
    for (const button of [this.next, this.board, this.send]) {
      button.classList.toggle("main", button === main);
    }
  }

  /** @param {SeenPuzzle} seen */
  #race({ shown, value, marks }) {
    const highest = Math.max(...marks.map((mark) => mark.value));
    const end = Math.max(LONGER * highest, value ?? 0) || 1;
    const share = (number) => 100 * Math.min(Math.max(number / end, 0), 1);
    this.bar.style.width = `${share(value ?? 0)}%`;
    const placed = [
      ...marks.map(({ words, value: number }, k) => ({ words, at: share(number), row: k })),
      ...(value === undefined ? [] : [{ words: `you ${shown}`, at: share(value), row: -1 }]),
    ];
    renew(this.marks, placed, () =>
      placed.map(({ words, at, row }) => {
        const mark = make("span", { className: row < 0 ? "you" : "mark" }, make("i", {}, words));
        mark.style.left = `${at}%`;
        mark.style.setProperty("--row", String(row));
        mark.style.setProperty("--share", `${-at}%`);
        return mark;
      }),
    );
    this.marks.parentElement.style.setProperty("--rows", String(marks.length));
  }
}
