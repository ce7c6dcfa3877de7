// The row under the sentence with which one guesses: what is asked, the buttons that answer, and
// the pause after an answer.

import { make, pressable } from "../page/dom.js";
import { example } from "../run/words.js";

/** @import { Question } from "./question.js" */
/** @import { Row } from "./types.d.ts" */

// An answer stays for so many ms before the next question.
const READING = { right: 2600, wrong: 4600 };
const LOOK_AGAIN = 500; // After so many ms it is looked again whether somebody still reads.

/** @implements {Row} */
export class QuestionRow {
  content = ""; // What the row shows, in a word.
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** @param {Question} question */
  constructor(question) {
    this.question = question;
    const kinds = /** @type {const} */ (["side", "margin"]).map((kind) =>
      pressable(kind, () => question.askFor(kind), { "data-ask": kind }),
    );
    this.words = make("b", { className: "ask" });
    this.answers = make("span", { className: "answers" });
    this.kinds = make("span", { className: "kinds" }, ...kinds);
    this.score = make("output", { "aria-live": "off" });
    this.stopping = pressable("Stop guessing", () => question.toggle(), {
      className: "stops",
      title: "Stop guessing (Esc)",
    });
    this.element = make(
      "div",
      { className: "row predict", role: "group", "aria-label": "Your prediction" },
      this.words,
      this.answers,
      make("span", { className: "apart" }),
      this.kinds,
      this.stopping,
      this.score,
    );
  }

  /** What changes from frame to frame. Returns whether it did. */
  update() {
    const content = this.#contentNow();
    if (content === this.content) return false;
    this.content = content;
    clearTimeout(this.timer);
    this.#show();
    return true;
  }

  #contentNow() {
    const { phase, kind, score, player } = this.question;
    const { palette, run, t } = player;
    return [phase, kind, t, score, palette.dark, run.id].join();
  }

  #show() {
    const { question } = this;
    const { run, t } = question.player;
    const what = question.kind === "side" ? "which side?" : "which range of y·f?";
    this.words.textContent = question.asking
      ? `${example(run.trace.index[t])}: ${what}`
      : question.verdict;
    const hadFocus = this.answers.matches(":focus-within");
    const buttons = this.#buttons();
    this.answers.replaceChildren(...buttons);
    if (hadFocus) (buttons[0] ?? this.stopping).focus(); // The one that was pressed is gone.
    this.score.textContent = question.score;
    for (const button of this.kinds.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.ask === question.kind));
    }
    const { phase, verdict } = question;
    if (phase === "answered" && verdict) {
      this.#wait(verdict === "Right." ? READING.right : READING.wrong);
    }
  }

  #buttons() {
    const { question } = this;
    const { palette, run, t } = question.player;
    const goesOn = (words) => pressable(words, () => question.nextQuestion());
    if (question.phase === "answered") return [goesOn("Next question →")];
    if (!question.asking) return question.next(t) === null ? [] : [goesOn("Go on →")];
    const answer = (guess, ...words) =>
      make("button", { type: "button", onclick: () => question.answer(guess) }, ...words);
    if (question.kind === "margin") {
      return question.ranges.map((words, k) => answer(k, make("kbd", {}, `${k + 1} `), words));
    }
    const { positive, negative } = run.header.tokens.shapes;
    return [-1, 1].map((y) => {
      const shape = make("i", { className: y > 0 ? positive : negative });
      const words = y > 0 ? [shape, " orange, +1 →"] : ["← ", shape, " blue, −1"];
      const button = answer(y, ...words);
      const colour = palette.ofClass(y);
      Object.assign(button.style, { color: colour, borderColor: colour });
      return button;
    });
  }

  /**
   * The next question comes by itself, unless somebody reads, a class listens, or nothing is to
   * move by itself.
   */
  #wait(time) {
    const { question, content } = this;
    const { player } = question;
    if (player.cursor.reducedMotion || player.bare) return;
    this.timer = setTimeout(() => {
      // Something else was answered, and no frame has shown it yet.
      if (this.#contentNow() !== content) return;
      const isRead = player.pinned !== null || player.touch.lines.length > 0 || document.hidden;
      if (isRead) this.#wait(LOOK_AGAIN);
      else question.nextQuestion();
    }, time);
  }

  stop() {
    clearTimeout(this.timer);
    this.content = "";
  }
}
