// What one is doing, as a stack of modes: the topmost is asked first where one answer is wanted.
// Outside of them nobody knows which modes there are.

/** @import { BoardState } from "../board/state.js" */
/** @import { Mode, ModeQuestion } from "./types.d.ts" */

export class Modes {
  /** @type {Mode[]} */
  known = []; // All that there are on this page are here, on the stack or not.

  /** @param {BoardState} state */
  constructor(state) {
    this.state = state;
  }

  /** The topmost is the last. */
  get stack() {
    return this.state.mode;
  }

  /**
   * Begin a mode, or bring one that is on to the top. Before a hand takes hold of something, it
   * lets go of what it held; before a mode takes the map, the others make way.
   *
   * @param {Mode} mode
   */
  enter(mode) {
    if (mode.holds) this.end();
    this.state.together(() => {
      this.leave(mode);
      if (mode.takesMap) this.all("makeWay");
      this.state.change({ mode: [...this.stack, mode] });
    });
  }

  /** @param {Mode} mode */
  has(mode) {
    return this.stack.includes(mode);
  }

  /** Whether a mode is on, by its name. @param {string} name */
  isOn(name) {
    return this.stack.some((mode) => mode.name === name);
  }

  /** @param {Mode} mode */
  leave(mode) {
    if (this.has(mode)) this.state.change({ mode: this.stack.filter((other) => other !== mode) });
  }

  /** What one is doing until one leaves it: no hand has to hold it. */
  get standing() {
    return this.stack.filter(({ holds }) => !holds);
  }

  /**
   * What a hand holds, one thing at most; null for nothing. Other modes last until one leaves them.
   *
   * @returns {Mode | null}
   */
  get held() {
    return this.stack.find(({ holds }) => holds) ?? null;
  }

  /** What a hand holds is let go. */
  end() {
    this.#drop("end");
  }

  /** What a hand holds is given up, as by Esc, or where the pointer is lost. */
  cancel() {
    this.#drop("cancel");
  }

  /** @param {"end" | "cancel"} how */
  #drop(how) {
    const { held } = this;
    if (!held) return;
    this.leave(held);
    answerOf(held, how, []);
  }

  /**
   * The answer of the topmost mode that has one: those below it are not asked.
   *
   * @param {ModeQuestion} question
   * @returns {any}
   */
  ask(question, ...parameters) {
    for (const mode of [...this.stack].reverse()) {
      const answer = answerOf(mode, question, parameters);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  /**
   * All answers, from the lowest mode to the topmost.
   *
   * @param {ModeQuestion} question
   * @returns {any[]}
   */
  all(question, ...parameters) {
    return this.stack
      .map((mode) => answerOf(mode, question, parameters))
      .filter((answer) => answer !== undefined);
  }

  /** Tell all modes that there are, on the stack or not. @param {ModeQuestion} news */
  tell(news, ...parameters) {
    for (const mode of this.known) answerOf(mode, news, parameters);
  }

  /** The smallest answer: no mode shows what another hides. @param {ModeQuestion} question */
  least(question) {
    return Math.min(Infinity, ...this.all(question));
  }
}

/** @param {Mode} mode @param {ModeQuestion} question @param {unknown[]} parameters */
function answerOf(mode, question, parameters) {
  const answer = /** @type {unknown} */ (mode[question]);
  return typeof answer === "function" ? answer.apply(mode, parameters) : answer;
}
