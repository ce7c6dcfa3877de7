// Where something is asked: the question in the place of the sentence, its answers large under it,
// under these what came of the one that was given, and at the foot the way out.

import { make, pressable, renew } from "./dom.js";

/** @import { Layout } from "../board/types.d.ts" */

/**
 * An answer that one can give, by its button or by its key. `class`: the one that it names, by 1 or
 * −1. Once an answer is given, `was` tells of each whether it was that one, and right.
 * @typedef {object} AskedAnswer
 * @property {string} words
 * @property {string} key
 * @property {number} [class]
 * @property {"" | "right" | "wrong" | "left"} was
 * @property {() => void} act
 */

/**
 * What is seen of a question. `told`: what came of the answer; `next`: what goes on from there.
 * @typedef {object} Asked
 * @property {string} where one is
 * @property {string} question
 * @property {AskedAnswer[]} answers
 * @property {string} verdict
 * @property {string} told
 * @property {{ words: string, act: () => void } | null} next
 * @property {string} score
 */

const LOW = 480; // In px: where less room is left, all is smaller.
const MARKS = { right: " ✓", wrong: " ✗", left: "" };

/** Words with the names of the classes in their colours. @param {string} words */
export const coloured = (words) =>
  words
    .split(/\b(orange|blue)\b/)
    .map((part) => (/^(orange|blue)$/.test(part) ? make("b", { className: part }, part) : part));

export class Asking {
  /**
   * @param {string} label
   * @param {{ stop: { words: string, title: string, act: () => void }, kinds?: HTMLElement }} foot
   */
  constructor(label, { stop, kinds }) {
    this.where = make("p", { className: "where" });
    this.told = make("p", { className: "told" });
    this.question = make("p", { className: "question", id: "asked-question" });
    this.answers = make("div", {
      className: "answers",
      role: "group",
      "aria-labelledby": "asked-question",
    });
    this.goOn = make("div", { className: "goes-on" });
    this.stopping = pressable(stop.words, stop.act, { className: "stops", title: stop.title });
    this.score = make("output", { "aria-live": "off" });
    const foot = make("div", { className: "foot" }, this.stopping, this.score, kinds ?? "");
    this.element = make(
      "section",
      { className: "asking overlay", ariaLabel: label },
      this.where,
      this.question,
      this.answers,
      this.told,
      this.goOn,
      foot,
    );
  }

  /** @param {NonNullable<Layout["say"]>} say */
  place({ x, y, w, h, isUnder }) {
    this.element.classList.toggle("small", isUnder || h < LOW);
    Object.assign(this.element.style, {
      left: `${x}px`,
      top: `${y}px`,
      width: `${w}px`,
      minHeight: `${h}px`,
    });
  }

  /** @param {Asked} asked @param {{ positive: string, negative: string }} shapes of the classes */
  show({ where, question, answers, verdict, told, next, score }, shapes) {
    const hadFocus = this.element.matches(":focus-within");
    const right = answers.some(({ was }) => was === "right");
    this.where.textContent = where;
    renew(this.question, question, () => coloured(question));
    renew(
      this.answers,
      answers.map(({ words, key, was }) => [words, key, was]),
      () => answers.map((answer) => buttonOf(answer, shapes)),
    );
    renew(this.told, [verdict, told], () => [
      ...(verdict
        ? [make("b", { className: right ? "was-right" : "was-wrong" }, verdict), " "]
        : []),
      ...coloured(told),
    ]);
    renew(this.goOn, next?.words ?? "", () =>
      next ? [pressable(next.words, next.act, { className: "main" })] : [],
    );
    this.score.textContent = score;
    if (!hadFocus || this.element.matches(":focus-within")) return;
    // The button that was pressed is gone: the one that comes next has the focus then.
    const button = this.goOn.querySelector("button") ?? this.answers.querySelector("button");
    (button ?? this.stopping).focus({ preventScroll: true });
  }
}

/** @param {AskedAnswer} answer @param {{ positive: string, negative: string }} shapes */
function buttonOf({ words, key, class: y, was, act }, { positive, negative }) {
  const button = pressable("", act, {
    className: was,
    "aria-keyshortcuts": key,
    "aria-disabled": String(was !== ""),
  });
  if (y !== undefined) {
    button.classList.add(y > 0 ? "orange" : "blue");
    button.append(make("i", { className: y > 0 ? positive : negative }));
  }
  button.append(words, was ? make("span", { ariaHidden: "true" }, MARKS[was]) : "");
  return button;
}
