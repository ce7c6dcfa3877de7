// A question to a class, on the stage: in type for the back row, its answers with badges, and the
// votes on each.

import { badgeOf, LETTERS } from "./badge.js";
import { make, put, renew } from "./dom.js";
import { nodesOf } from "./lesson/words.js";
import { StageBox } from "./stage_box.js";

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

export class ClassBox extends StageBox {
  answers = make("ol", { "aria-labelledby": "class-question" });
  legend = make(
    "p",
    { className: "legend" },
    ...[
      make("span", { className: "tally first" }, make("i"), "first"),
      make("span", { className: "tally last" }, make("i"), "after talking it over"),
    ],
  );
  /** @type {Columns | null} */
  #columns = null;

  /**
   * @param {Stage} stage
   * @param {{ vote: (k: number, less: boolean) => void, hear: (text: string) => void }} doing
   */
  constructor(stage, { vote, hear }) {
    const field = make("input", {
      placeholder: "a number that was heard",
      ariaLabel: "A number that the class has said",
      autocomplete: "off",
    });
    super(stage, { label: "Question to the class", field, hear });
    this.vote = vote;
    this.question.id = "class-question";
    this.fill(this.question, this.answers, field, this.told, this.legend);
  }

  /** @param {Seen} seen */
  show({ where, question, ballot, isShown, isOpen, told, foot }) {
    const { element } = this;
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
    this.say({ where, foot });
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
   * Lie beside the map, or with the answers where the columns are.
   *
   * @param {Rect} box of the board in the window
   * @param {Layout} layout
   * @param {Columns | null} columns
   */
  placeIn(box, layout, columns) {
    this.#columns = columns;
    this.place(box, layout);
  }

  useRoom() {
    const columns = this.#columns;
    const { w, h } = this.room;
    this.element.classList.toggle("columns", columns !== null);
    this.element.classList.toggle("low", columns === null && w > 1.6 * h);
    [...this.answers.children].forEach((item, k) => {
      const { style } = /** @type {HTMLElement} */ (item);
      style.left = columns ? `${columns[k].x}px` : "";
      style.top = columns ? `${columns[k].y}px` : "";
      style.width = columns ? `${columns[k].w}px` : "";
    });
  }
}
