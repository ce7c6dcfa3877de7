// A question about whole runs: it is answered before anything is played, then they play to their
// end, which says who was right. Can a line do it? asks so, and each ready comparison, whose
// answers are its runs.

import { Asking } from "../page/asking.js";
import { tableOf } from "../board/lengths.js";
import { LETTERS } from "../board/run_set.js";
import { counted, explain } from "../run/words.js";
import { WholePlay } from "./whole_play.js";

/** @import { BoardShape } from "../board/types.d.ts" */
/** @import { Player } from "../board/player.js" */
/** @import { AskedAnswer } from "../page/asking.js" */
/** @import { Stage } from "../page/stage.js" */
/** @import { Grain } from "../run/types.d.ts" */
/** @import { KeyPress, Mode } from "./types.d.ts" */

/**
 * What is asked. `right`: the index of the right answer at the end; undefined: that is not known
 * yet, null: nobody knows. `told`: what is so, at the end.
 *
 * @typedef {object} Subject
 * @property {string} where
 * @property {string} prose
 * @property {string} question
 * @property {{ words: string, note?: string }[]} answers
 * @property {(player: Player) => number | null | undefined} right
 * @property {(player: Player) => string} told
 */

// The plain machine that may draw any line.
const ANY_LINE = { kernel: "linear", learner: "perceptron", intercept: "radius" };
const CHANGED = "The kernel is linear now: it is one of the settings. Z brings the hills back.";
const YES = 0;
const NO = 1;

/** Whether a straight line parts the classes. @param {Player} player @returns {Subject} */
function lineSubject({ run }) {
  const [blue, orange] = run.header.words.classes;
  return {
    where: "",
    prose: `The same ${counted(run.n, "point")}. This time the machine may draw only a straight line.`,
    question: `Can a straight line part ${orange} from ${blue}?`,
    answers: [
      { words: "Yes", note: "it will find one" },
      { words: "No", note: "it will never be right on all" },
    ],
    right: ({ run: line, t, verdicts }) => {
      if (!line.header.open) return YES;
      const verdict = verdicts.at(line, t);
      if (!verdict) return undefined;
      return verdict.separable === null ? null : verdict.separable ? YES : NO;
    },
    told: ({ run: line, t, verdicts }) => {
      const { end } = explain(line, line.nSteps);
      if (!line.header.open) return `Yes. ${end}`;
      const { no, why } = verdicts.at(line, t);
      return `${no || end} ${why}`;
    },
  };
}

/** What a ready comparison asks. @param {Player} player @returns {Subject} */
function comparisonSubject({ runs }) {
  const { question, words, right } = runs.comparison;
  return {
    where: "",
    prose: "",
    question,
    answers: runs.names.map((name, k) => ({ words: `${LETTERS[k]} · ${name}` })),
    right: () => LETTERS.indexOf(right),
    told: () => `It is ${right}. ${words}`,
  };
}

/** @implements {Mode} */
export class RunQuestion {
  name = "run question";
  guides = true;
  speaks = true; // It says in its own words what the runs came to.
  judges = true; // What is known of the run is wanted before its end.
  /** @type {"ask" | "plays" | "told" | null} */
  phase = null;
  /** @type {Subject | null} */
  subject = null;
  /** @type {number | null} */
  chosen = null; // The index of the answer that was given.
  /** @type {number | null} */
  due = null; // The number of the question with which the run with a line was asked for.
  /** @type {(() => void) | null} */
  back = null; // Where it leads in the end, null for the whole board.
  comparison = ""; // The name of the comparison that was asked about.
  runIds = ""; // What tells the runs that are asked about from others.

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.player = stage.player;
    this.play = new WholePlay(stage.player);
    const stop = { words: "Skip", title: "Skip the question (Esc)", act: () => this.leave() };
    this.box = new Asking("Your prediction", { stop });
  }

  get on() {
    return this.phase !== null;
  }

  // ---- when it begins --------------------------------------------------------------------------

  /**
   * Ask whether a line can do it, of the points that are shown.
   *
   * @param {(() => void) | null} back to what led here, to which it leads again
   */
  askForLine(back = null) {
    this.back = back;
    this.due = this.stage.session.command("set", ANY_LINE);
    this.settled();
  }

  /** An answer has come: with the run that was asked for, or with a ready comparison. */
  settled() {
    const { player, stage } = this;
    const { t, runs, modes, run } = player;
    if (this.due !== null) {
      if (stage.session.awaits(this.due)) return;
      this.due = null;
      if (!/(^|&)kernel=linear(&|$)/.test(run.header.settings.query)) return;
      player.cursor.put(0);
      this.#begin(lineSubject(player));
      return;
    }
    const name = runs.comparison?.name ?? "";
    if (name === this.comparison) return;
    this.comparison = name;
    runs.guess = "";
    const isElsewhere = player.bare || modes.standing.length > 0 || stage.link.extras.lesson;
    if (!name || t > 0 || isElsewhere) return;
    this.back = null;
    this.#begin(comparisonSubject(player));
  }

  /** @param {Subject} subject */
  #begin(subject) {
    this.subject = subject;
    this.runIds = this.player.runs.ids.join();
    this.chosen = null;
    this.phase = "ask";
    this.player.modes.enter(this);
    const { root, canvas, dock } = this.stage;
    dock.close();
    root.classList.add("asks");
    canvas.after(this.box.element);
    this.#show();
    this.stage.arrange();
  }

  // ---- going through it ------------------------------------------------------------------------

  /** @param {number | null} answer the index of what was answered; null: nothing */
  answer(answer) {
    if (this.phase !== "ask") return;
    this.chosen = answer;
    this.player.runs.guess = answer === null ? "" : LETTERS[answer];
    this.phase = "plays";
    this.#show();
    this.stage.arrange();
    this.play.begin();
  }

  /** After each frame. */
  drawn() {
    if (!this.on) return;
    // Somebody went on without an answer.
    if (this.player.t > 0) this.answer(null);
    const isOver = this.phase === "plays" && this.play.endIfStopped();
    if (isOver && this.subject.right(this.player) !== undefined) {
      this.phase = "told";
      this.stage.arrange();
    }
    this.#show();
  }

  /** Play without an answer, or back to the board at the end. */
  leave() {
    if (this.phase === "ask") this.answer(null);
    else this.end();
  }

  end() {
    if (!this.on) return;
    if (this.phase === "told" && !this.player.runs.pinned.length) this.stage.say(CHANGED);
    this.#close();
  }

  /** Back to what led here, or to the board. */
  #goOn() {
    const { back } = this;
    if (back) this.#close();
    else this.end();
    back?.();
  }

  #close() {
    this.play.stop();
    this.phase = null;
    this.back = null;
    this.player.modes.leave(this);
    const { root } = this.stage;
    root.classList.remove("asks");
    const hadFocus = this.box.element.matches(":focus-within");
    this.box.element.remove();
    if (hadFocus) root.focus({ preventScroll: true });
    this.stage.arrange();
  }

  /** Another run has come than the one that is asked about. */
  arrived() {
    if (this.player.runs.ids.join() !== this.runIds) this.end();
  }

  presents() {
    this.end();
  }

  makeWay() {
    this.end();
  }

  // ---- keys ------------------------------------------------------------------------------------

  /** The number of an answer gives it; Enter goes on. @param {KeyPress} press */
  keys({ name, shift }) {
    if (shift) return undefined;
    const number = /^[1-9]$/.test(name) ? Number(name) : 0;
    if (this.phase === "ask" && number >= 1 && number <= this.subject.answers.length) {
      this.answer(number - 1);
      return true;
    }
    if (name !== "Enter" || this.phase !== "told") return undefined;
    this.#goOn();
    return true;
  }

  /**
   * The arrow to the left gives the first answer, the one to the right the second; then it goes on.
   * A clicker only shows what is right.
   *
   * @param {Grain} grain
   */
  step(grain, direction) {
    if (this.phase === "told") this.#goOn();
    else if (grain !== "example") this.answer(null);
    else if (this.subject.answers.length === 2) this.answer(direction < 0 ? 0 : 1);
    return true;
  }

  wayOut() {
    return () => this.leave();
  }

  // ---- what is seen ----------------------------------------------------------------------------

  /** What is ahead would be the answer. */
  conceals() {
    return this.phase === "ask" ? /** @type {const} */ ("ahead") : undefined;
  }

  /** Runs that one chooses from are named by the answers. */
  namesRuns() {
    return this.phase === "ask";
  }

  showsVerdict() {
    return this.phase === "told";
  }

  /** The question, then what the runs came to; between them the map speaks. */
  sentence() {
    if (this.phase === "ask") return this.subject.question;
    return this.phase === "told" ? `${this.#verdict} ${this.subject.told(this.player)}`.trim() : "";
  }

  /** Whether the answer was right; "" where there is none, or nobody knows. */
  get #verdict() {
    const right = this.subject.right(this.player);
    if (this.chosen === null || right === null) return "";
    return right === this.chosen ? "You were right." : "Not this time.";
  }

  #show() {
    const { phase, player, subject, box } = this;
    const isTold = phase === "told";
    const told = isTold ? subject.told(player) : "";
    const verdict = isTold ? this.#verdict : "";
    const right = isTold ? subject.right(player) : null;
    const answers = subject.answers.map((answer, k) => this.#answerSeen(answer, k, right));
    const { where, prose, question } = subject;
    const whole = { words: "The whole board", key: "Escape", act: () => this.end() };
    const leadingOn = this.back ? { words: "What now?", act: () => this.#goOn() } : whole;
    const next = isTold ? leadingOn : null;
    const others = isTold && this.back ? [whole] : [];
    const content = { where, prose, question, answers, verdict, told, next, others, score: "" };
    box.show(content, player.run.header.tokens.shapes);
    box.stopping.hidden = phase !== "ask";
  }

  /** @returns {AskedAnswer} */
  #answerSeen({ words, note = "" }, k, right) {
    const isChosen = k === this.chosen;
    /** @type {AskedAnswer["was"]} */
    let was = "";
    if (this.phase !== "ask" && !isChosen) was = "left";
    if (isChosen && right !== null) was = k === right ? "right" : "wrong";
    const isClosed = this.phase !== "ask";
    return { words, note, key: String(k + 1), was, isClosed, act: () => this.answer(k) };
  }

  /** @param {BoardShape} shape */
  layout(shape) {
    if (!this.on) return undefined;
    const isAlone = this.#showsOneMap(shape);
    this.box.element.classList.toggle("rows", isAlone);
    const maps = isAlone ? { runs: 1, question: null } : {};
    const layout = this.box.arrange({ ...this.player.content, ...shape, ...maps });
    this.box.element.hidden = layout.dock !== null && !layout.sheet;
    return layout;
  }

  /**
   * The maps of compared runs show the same examples as long as nothing has been played: a small
   * window has one of them, as large as it can be.
   */
  #showsOneMap({ width, height }) {
    const areCompared = this.player.runs.pinned.length > 0;
    return areCompared && this.phase === "ask" && tableOf(width, height) !== "desk";
  }

  stop() {
    this.play.stop();
  }
}
