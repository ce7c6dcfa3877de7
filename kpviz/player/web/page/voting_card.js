// A phone is a voting card: one chooses an answer, and its letter, shape and colour fill the
// screen, to be held up. Nothing is counted, kept or sent.

import { answerShape, LETTERS } from "./badge.js";
import { closeByEscape } from "./dialog.js";
import { closing, make, makeSvg, pressable } from "./dom.js";
import { coverPage, pushOverlay } from "../service/link.js";
import { spokenLanguage } from "../run/language.js";

/** @import { Tokens } from "../run/types.d.ts" */

/**
 * What can be held up: a letter, or a class.
 * @typedef {{ letter: number } | { side: 1 | -1 }} Sign
 */

/**
 * An answer, and what it says, nothing where only the stage shows that.
 * @typedef {{ sign: Sign, words: (Node | string)[] }} CardAnswer
 */

/** @typedef {{ ask: (Node | string)[], answers: CardAnswer[] }} CardQuestion */

const SIDES = { "-1": "blue", 1: "orange" };
const SHAPES = {
  "-1": ["rect", { x: 6, y: 6, width: 88, height: 88 }],
  1: ["circle", { cx: 50, cy: 50, r: 48 }],
};
const MOST_ROWS = 5; // So many answers have a row each.
const HOW = "Choose, then hold it up. Nothing is sent, and nobody is counted but by eye.";
const DIMS = "This browser may let the screen go dark meanwhile.";

/** Answers of which the stage alone shows what they say. @returns {CardAnswer[]} */
export const plainAnswers = () => [
  ...[...LETTERS].map((_, letter) => ({ sign: { letter }, words: [] })),
  ...sideAnswers(),
];

/** The two classes, in the order of their keys. @returns {CardAnswer[]} */
export const sideAnswers = () => [
  { sign: { side: -1 }, words: [] },
  { sign: { side: 1 }, words: [] },
];

export class VotingCard {
  /** @type {CardQuestion[]} */
  questions = [];
  at = 0; // The index of the question.
  /** @type {CardAnswer | null} */
  held = null;
  entries = 0; // So many entries of the browser’s history lead back out of the card.
  /** @type {AbortController | null} */
  controller = null; // Its signal ends what listens while the card is open.
  /** @type {WakeLockSentinel | null} */
  lock = null;

  /** @param {HTMLElement} root of the stage */
  constructor(root) {
    this.where = make("p", { className: "where" });
    this.question = make("h2", { id: "voting-question" });
    this.answers = make("div", { className: "answers", role: "group" });
    this.other = pressable("Next question", () => this.#turn(), { className: "quiet" });
    this.how = make("p", { className: "how" });
    const close = closing(() => this.#back());
    this.choosing = make(
      "div",
      { className: "choosing" },
      make("div", { className: "top" }, this.where, close),
      this.question,
      this.answers,
      this.other,
      this.how,
    );
    this.heldUp = pressable("", () => this.#back(), { className: "held", hidden: true });
    this.element = /** @type {HTMLDialogElement} */ (
      make(
        "dialog",
        { className: "voting-card", role: "dialog", "aria-labelledby": this.question.id },
        this.choosing,
        this.heldUp,
      )
    );
    this.element.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.#back();
    });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    closeByEscape(this.element, () => this.#back());
    this.root = root;
  }

  /**
   * @param {string} where one is
   * @param {CardQuestion[]} questions one at least
   * @param {Tokens} tokens
   */
  open(where, questions, tokens) {
    this.tokens = tokens;
    this.questions = questions;
    this.at = 0;
    this.element.lang = spokenLanguage();
    this.where.textContent = where;
    this.other.hidden = questions.length === 1;
    this.controller = new AbortController();
    const { signal } = this.controller;
    coverPage(() => {
      this.entries -= 1;
      this.#leave();
    });
    document.addEventListener("visibilitychange", () => this.#keepAwake(), { signal });
    this.#showQuestion();
    this.root.append(this.element);
    this.element.showModal();
    this.#enter();
    this.#keepAwake();
    this.#buttons[0].focus();
  }

  // ---- ways in and out -------------------------------------------------------------------------

  /** Let the browser’s Back lead out of what is shown now. */
  #enter() {
    if (pushOverlay()) this.entries += 1;
  }

  #back() {
    if (this.entries) history.back();
    else this.#leave();
  }

  /** Back leads again where it led before the card was opened, and the screen may dim. */
  stop() {
    if (!this.controller) return;
    coverPage(null);
    this.controller.abort();
    this.controller = null;
    this.lock?.release();
    this.lock = null;
  }

  /** From what is held up to the choice, or from that to the lesson. */
  #leave() {
    const { held } = this;
    if (!held) {
      this.stop();
      this.element.close();
      this.element.remove();
      return;
    }
    this.held = null;
    this.heldUp.hidden = true;
    this.choosing.hidden = false;
    this.#buttons[this.#answers.indexOf(held)].focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation(); // Neither the board nor Streamlit hears of it.
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = this.#buttons;
    const answer = this.#answers[Number(event.key) - 1];
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (answer) this.#hold(answer);
    else if (by && !this.held) {
      const at = buttons.findIndex((button) => button.matches(":focus"));
      buttons[(Math.max(at, by > 0 ? -1 : 0) + by + buttons.length) % buttons.length].focus();
    } else return;
    event.preventDefault();
  }

  // ---- what is seen ----------------------------------------------------------------------------

  get #answers() {
    return this.questions[this.at].answers;
  }

  /** @returns {HTMLButtonElement[]} */
  get #buttons() {
    return [...this.answers.querySelectorAll("button")];
  }

  #turn() {
    this.at = (this.at + 1) % this.questions.length;
    this.#showQuestion();
    this.question.focus();
  }

  #showQuestion() {
    const { ask, answers } = this.questions[this.at];
    this.question.replaceChildren(...ask);
    this.question.tabIndex = -1;
    this.answers.setAttribute("aria-labelledby", this.question.id);
    this.answers.replaceChildren(...answers.map((answer) => this.#buttonOf(answer)));
    this.answers.classList.toggle("many", answers.length > MOST_ROWS);
    this.how.textContent = "wakeLock" in navigator ? HOW : `${HOW} ${DIMS}`;
  }

  /** @param {CardAnswer} answer */
  #buttonOf(answer) {
    const { ground, ink } = this.#colours(answer.sign);
    const button = pressable("", () => this.#hold(answer));
    button.append(
      make("b", {}, nameOf(answer.sign)),
      make("span", {}, ...answer.words.map((word) => copied(word))),
      shapeOf(answer.sign, ink),
    );
    Object.assign(button.style, { background: ground, color: ink });
    return button;
  }

  /** @param {Sign} sign */
  #colours(sign) {
    if ("side" in sign) {
      const { light } = this.tokens.themes;
      return { ground: sign.side > 0 ? light.positive : light.negative, ink: light.on_mark };
    }
    const [ground, ink] = this.tokens.answers[sign.letter];
    return { ground, ink };
  }

  /** @param {CardAnswer} answer */
  #hold(answer) {
    const wasHeld = this.held !== null;
    const { ground, ink } = this.#colours(answer.sign);
    const what = make("span", {}, ...answer.words.map((word) => copied(word)));
    this.heldUp.replaceChildren(
      shapeOf(answer.sign, ink),
      make("b", { className: "side" in answer.sign ? "side" : "" }, nameOf(answer.sign)),
      make("small", {}, "tap to change", answer.words.length ? " · " : "", what),
    );
    Object.assign(this.heldUp.style, { background: ground, color: ink });
    this.held = answer;
    this.heldUp.hidden = false;
    this.choosing.hidden = true;
    if (!wasHeld) this.#enter();
    this.heldUp.focus();
  }

  /** A browser lets go of the screen whenever the page is not seen. */
  async #keepAwake() {
    if (document.visibilityState !== "visible") return;
    try {
      const lock = await navigator.wakeLock?.request("screen");
      if (this.controller) this.lock = lock ?? null;
      else lock?.release();
    } catch {
      this.how.textContent = `${HOW} ${DIMS}`; // As with little battery left.
    }
  }
}

/** @param {Sign} sign */
const nameOf = (sign) => ("side" in sign ? SIDES[sign.side] : LETTERS[sign.letter]);

/** @param {Sign} sign @param {string} fill */
function shapeOf(sign, fill) {
  if ("letter" in sign) return answerShape(sign.letter, fill);
  const [kind, place] = SHAPES[sign.side];
  const shape = makeSvg(/** @type {string} */ (kind), { .../** @type {object} */ (place), fill });
  return makeSvg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, shape);
}

/** An element has one place alone. @param {Node | string} word */
const copied = (word) => (typeof word === "string" ? word : word.cloneNode(true));
