// A question to a class, on the stage: in type for the back row, its answers with badges, and the
// votes on each.

import { badgeOf, LETTERS } from "./badge.js";
import { make, put, renew } from "./dom.js";
import { nodesOf } from "./lesson/words.js";
import { fitType, lieOn } from "./stage_type.js";
import { spokenLanguage } from "../run/language.js";

/** @import { Ballot } from "../modes/ballot.js" */
/** @import { ClassAnswer, ClassQuestion } from "../modes/class_question.js" */
/** @import { Stage } from "./stage.js" */
/** @import { Layout, Rect } from "../board/types.d.ts" */
/** @import { Word } from "../modes/types.d.ts" */

/**
 * What is seen of a question. `told`: what is said once it is shown; `isOpen`: what is right may be
 * seen.
 *
 * @typedef {{
 *   where: string, question: ClassQuestion, ballot: Ballot, isShown: boolean, isOpen: boolean,
 *   told: Word[], foot: string,
 * }} Seen
 */

/** @typedef {{ x: number, y: number, w: number }[]} Columns where the votes on each run are */

export class ClassBox {
  /** @type {{ box: Rect, layout: Layout, columns: Columns | null } | null} */
  #placed = null;
  #fittedKey = ""; // What was fitted, as JSON.

  /**
   * @param {Stage} stage
   * @param {{ vote: (k: number, less: boolean) => void, hear: (text: string) => void }} doing
   */
  constructor(stage, { vote, hear }) {
    this.stage = stage;
    this.vote = vote;
    this.where = make("p", { className: "where" });
    this.question = make("p", { className: "question", id: "class-question" });
    this.answers = make("ol", { "aria-labelledby": "class-question" });
    this.told = make("div", { className: "told" });
    this.field = make("input", {
      placeholder: "a number that was heard",
      ariaLabel: "A number that the class has said",
      autocomplete: "off",
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
      event.stopPropagation();
      event.preventDefault();
      if (event.key === "Enter" && this.field.value.trim()) hear(this.field.value);
      this.field.value = "";
      this.field.blur();
    });
    this.legend = make(
      "p",
      { className: "legend" },
      ...[
        make("span", { className: "tally first" }, make("i"), "first"),
        make("span", { className: "tally last" }, make("i"), "after talking it over"),
      ],
    );
    this.foot = make("p", { className: "foot" });
    this.element = make(
      "section",
      { className: "class-question", hidden: true, ariaLabel: "Question to the class" },
      this.where,
      this.question,
      this.answers,
      this.field,
      this.told,
      this.legend,
      this.foot,
    );
    this.element.setAttribute("aria-live", "polite");
    stage.root.append(this.element);
  }

  hide() {
    put(this.element, { hidden: true });
    this.#placed = null;
  }

  /** What is typed next is a number that was heard. */
  listen() {
    this.field.focus({ preventScroll: true });
  }

  /** @param {Seen} seen */
  show({ where, question, ballot, isShown, isOpen, told, foot }) {
    const { element } = this;
    put(element, { lang: spokenLanguage() });
    put(this.where, { textContent: where });
    put(this.foot, { textContent: foot });
    renew(this.question, question.ask, () => nodesOf(question.ask));
    renew(this.told, told, () => nodesOf(told));
    const { counts, first, mostly } = ballot;
    put(this.legend, { hidden: !ballot.isCountedTwice });
    renew(this.answers, [question.answers, counts, first, isOpen], () =>
      question.answers.map((answer, k) => this.#answerOf(answer, k, ballot, isOpen)),
    );
    put(this.field, { hidden: isShown || !question.takesValues });
    element.classList.toggle("shown", isShown);
    element.classList.toggle("mostly", mostly !== null && !isShown);
    if (this.#placed) this.#fit();
  }

  /** @param {ClassAnswer} answer */
  #answerOf({ words, note, right }, k, ballot, isOpen) {
    const { answers: colours } = this.stage.player.run.header.tokens;
    const { first, last } = ballot.barsOf(k);
    const isMostly = ballot.mostly === k;
    const bars = [first, last].map((bar, place) =>
      bar === null
        ? ""
        : make(
            "span",
            { className: `tally ${place ? "last" : "first"}` },
            make("i", { style: `width: ${100 * bar.share}%` }),
            make("b", {}, String(bar.count)),
          ),
    );
    const says = make(
      "span",
      { className: "says" },
      make("span", { className: "words" }, ...nodesOf(words), isOpen && right ? "\u00a0✓" : ""),
      note ? make("small", {}, note) : "",
      ...bars,
    );
    const button = make(
      "button",
      {
        type: "button",
        tabIndex: -1,
        className: [
          isMostly ? "most" : "",
          isOpen && right !== null ? (right ? "right" : "wrong") : "",
        ].join(" "),
      },
      badgeOf(k, colours),
      says,
      isMostly ? make("b", { className: "count" }, `mostly ${LETTERS[k]}`) : "",
    );
    button.addEventListener("click", (event) => {
      this.vote(k, event.shiftKey);
      button.blur();
    });
    return make("li", {}, button);
  }

  /**
   * @param {Rect} box of the board in the window
   * @param {Layout} layout
   * @param {Columns | null} columns
   */
  place(box, layout, columns) {
    this.#placed = { box, layout, columns };
    this.#fittedKey = "";
    put(this.element, { hidden: false });
    this.#fit();
  }

  /** As large as it has room for. */
  #fit() {
    const { element, answers } = this;
    const { box, layout, columns } = this.#placed;
    const key = JSON.stringify([box, layout.classBox, columns, element.innerText]);
    if (key === this.#fittedKey) return;
    this.#fittedKey = key;
    const place = layout.classBox ?? { x: 0, y: 0, w: box.w, h: box.h };
    element.classList.toggle("columns", columns !== null);
    element.classList.toggle("low", columns === null && place.w > 1.6 * place.h);
    lieOn(element, box, place);
    [...answers.children].forEach((item, k) => {
      const { style } = /** @type {HTMLElement} */ (item);
      style.left = columns ? `${columns[k].x}px` : "";
      style.top = columns ? `${columns[k].y}px` : "";
      style.width = columns ? `${columns[k].w}px` : "";
    });
    for (const isTight of [false, true]) {
      element.classList.toggle("tight", isTight);
      if (fitType(element, layout)) break;
    }
  }
}
