// Guess first: a question before each step that is worth one, what was answered, and how often that
// was right. The first minute asks by it, too.

import { narrationOf } from "../board/narration.js";
import { bricksOf } from "./first_minute_words.js";
import { Asking } from "../page/asking.js";
import { make, pressable } from "../page/dom.js";
import { countBelow } from "../run/trace.js";
import { ahead, colour, number, placeOf } from "../run/words.js";

/** @import { BoardShape } from "../board/types.d.ts" */
/** @import { Run } from "../run/run.js" */
/** @import { Player } from "../board/player.js" */
/** @import { Stage } from "../page/stage.js" */
/** @import { AskedAnswer } from "../page/asking.js" */
/** @import { KeyPress, Mode } from "./types.d.ts" */
/** @import { Grain } from "../run/types.d.ts" */

// About half of the steps that are worth a prediction are mistakes, so that no answer is a safe
// one.

const MOST = 10; // So many of each kind are asked in an epoch.
const SIDES = [1, -1]; // The classes, in the order of their answers.

/**
 * The instants before the steps that are asked about, in their order. In each epoch (of a stream,
 * each hundred): its mistakes, and as many right answers, first those on examples that the pass
 * before got wrong, then those with the smallest margins. f = 0 has no side, so it is not asked
 * about.
 *
 * @param {Run} run
 * @returns {number[]}
 */
function questionsOf({ trace, nSteps, onlyMistakes }) {
  if (onlyMistakes) return []; // f is known to be wrong on each
  const { parts, score, mistake, index } = trace;
  const missed = new Set(); // Examples of which the newest verdict was a mistake.
  const questions = [];
  [...parts].forEach((start, part) => {
    const end = parts[part + 1] ?? nSteps;
    const steps = Array.from({ length: end - start }, (_, k) => start + k);
    const weightOf = (step) => Math.abs(score[step]) - (missed.has(index[step]) ? Infinity : 0);
    const usable = steps
      .filter((step) => score[step] !== 0)
      .map((step) => ({ step, weight: weightOf(step) }));
    const wrong = usable.filter(({ step }) => mistake[step]);
    const right = usable.filter(({ step }) => !mistake[step]);
    const count = Math.min(wrong.length, MOST);
    questions.push(...lightest(wrong, count), ...lightest(right, Math.max(count, 1)));
    for (const step of steps) {
      if (mistake[step]) missed.add(index[step]);
      else missed.delete(index[step]);
    }
  });
  return questions.sort((a, b) => a - b);
}

/**
 * The steps that weigh least.
 *
 * @param {{ step: number, weight: number }[]} weighed
 * @param {number} count
 */
const lightest = (weighed, count) =>
  [...weighed]
    .sort((a, b) => (a.weight === b.weight ? a.step - b.step : a.weight - b.weight))
    .slice(0, count)
    .map(({ step }) => step);

/**
 * An answer that counts: whether it was right, whether its side of the boundary was, and whether
 * the step was a mistake.
 * @typedef {{ right: boolean, side: boolean, mistake: boolean }} Answer
 */

const RIGHT = "You were right.";
const NONE = "There is nothing to predict. In this run f is 0 before each step.";
const KNOWN =
  "There is nothing to predict. This order shows mistakes alone, so f is wrong before each step.";

// So many answers are given while the colours of f are seen, as in the first minute.
const SEEN = 4;

/** @implements {Mode} */
export class StepQuestion {
  name = "question";
  guides = true;
  speaks = true; // It asks, and says what came of the answer, in its own words.
  isHosted = false; // Another mode asks by it, with words of its own.
  /** @type {"side" | "margin"} */
  kind = "side"; // What is asked for.
  /** @type {"ask" | "answered" | "summary" | null} */
  phase = null;
  verdict = ""; // What is said of the newest answer.
  summary = "";
  /** @type {Run | null} */
  run = null;
  /** @type {number[]} */
  questions = []; // The instants before the steps that are asked about.
  beginsAnew = false; // New points were asked for.
  limit = 1; // It lies between the outer and the inner ranges of the margin.
  /** @type {Map<number, Answer>} */
  answers = new Map(); // The first answer to each question, by its instant.
  streak = 0;
  longest = 0;
  /** @type {number | null} */
  guess = null; // The newest answer, as `answer` takes it.
  /** @type {HTMLElement[]} */
  kinds = []; // The buttons that choose what is asked for.

  /** @type {Asking | null} */
  #asking = null; // Its words and buttons.

  /**
   * @param {Player} player
   * @param {Stage | null} stage on which it asks; null: on none
   */
  constructor(player, stage = null) {
    this.player = player;
    this.stage = stage;
    this.modes = player.modes;
    this.cursor = player.cursor;
  }

  /** Its words and buttons, made when they are wanted first. */
  get box() {
    this.#asking ??= this.#makeBox();
    return this.#asking;
  }

  #makeBox() {
    const stop = {
      words: "Stop guessing",
      title: "Stop guessing (Esc)",
      act: () => this.toggle(),
    };
    this.kinds = /** @type {const} */ (["side", "margin"]).map((kind) =>
      pressable(kind, () => this.askFor(kind), { "data-ask": kind }),
    );
    const kinds = make(
      "span",
      { className: "kinds" },
      make("span", {}, "Guess the "),
      ...this.kinds,
    );
    return new Asking("Your prediction", { stop, kinds });
  }

  get on() {
    return this.modes.has(this);
  }

  // ---- what the board asks a mode --------------------------------------------------------------

  /**
   * What follows from f is hidden while a question stands, of the first few only its numbers; and
   * all that is ahead as long as one guesses.
   */
  conceals() {
    if (!this.asking) return /** @type {const} */ ("ahead");
    return this.answers.size < SEEN
      ? /** @type {const} */ ("numbers")
      : /** @type {const} */ ("now");
  }

  /** While the colours of f are seen, no number of it is told. */
  get hidesPointer() {
    return (this.asking && this.answers.size < SEEN) || undefined;
  }

  /**
   * The question, or what an epoch came to; undefined while the sentence of the step is read.
   *
   * @param {Run} run
   */
  sentence(run) {
    if (this.phase === "summary") return this.summary;
    const { t } = this.cursor;
    return this.asking && t < run.nSteps ? this.#askedOf(t) : undefined;
  }

  /** The point that is asked about, and whether the answer to it was right. */
  answered() {
    if (!this.run) return undefined;
    const { t } = this.cursor;
    const { index } = this.run.trace;
    const answers = this.answersSeen;
    if (this.asking) {
      const longest = answers.reduce((a, b) => (b.words.length > a.words.length ? b : a));
      return [{ i: index[t], was: "asked", answer: longest.words }];
    }
    if (this.phase !== "answered" || this.guess === null || !t) return undefined;
    const { words } = answers.find(({ was }) => was !== "left");
    const was = this.verdict === RIGHT ? "right" : "wrong";
    return [{ i: index[t - 1], was, answer: words }];
  }

  /** What is said before the sentence of a step. */
  remark() {
    return this.verdict;
  }

  /** Nothing but the map, and beside it the question. @param {BoardShape} shape */
  layout(shape) {
    if (!this.#isSeen) return undefined;
    const layout = this.box.arrange(shape);
    this.box.element.hidden = layout.dock !== null && !layout.sheet;
    return layout;
  }

  /** Whether its words and buttons are on the page: none are before a class. */
  get #isSeen() {
    return this.stage !== null && this.on && !this.isHosted && !this.player.bare;
  }

  /** After each frame. */
  drawn() {
    this.#appear();
    if (this.#isSeen) this.#show();
  }

  #appear() {
    if (!this.stage) return;
    const { root } = this.stage;
    const isSeen = this.#isSeen;
    if (root.classList.contains("asks") === isSeen) return;
    root.classList.toggle("asks", isSeen);
    if (isSeen) this.stage.canvas.after(this.box.element);
    else this.box.element.remove();
    this.stage.arrange();
  }

  /** The number of an answer gives it; Enter goes on. @param {KeyPress} press */
  keys({ name, shift }) {
    if (shift) return undefined;
    const count = this.kind === "margin" ? this.ranges.length : SIDES.length;
    const number = /^[1-9]$/.test(name) ? Number(name) : 0;
    if (this.asking && number >= 1 && number <= count) {
      this.answer(this.kind === "margin" ? number - 1 : SIDES[number - 1]);
      return true;
    }
    if (name !== "Enter" || this.asking) return undefined;
    this.nextQuestion();
    return true;
  }

  /** What Escape does. */
  wayOut() {
    return this.isHosted ? undefined : () => this.toggle();
  }

  /**
   * The arrow to the left gives the first answer, the one to the right the second; then an arrow
   * brings the next question. A clicker only shows what is right.
   *
   * @param {Grain} grain
   */
  step(grain, direction) {
    const { cursor } = this;
    if (grain === "epoch") this.#askInEpoch(direction);
    else if (grain === "mistake" && direction < 0) {
      cursor.go(this.before(this.asking ? cursor.t : cursor.t - 1) ?? 0);
    } else if (direction < 0 && this.waysAfterWrong.length) this.replay();
    else if (!this.asking) this.nextQuestion();
    else if (grain === "mistake") this.answer(null);
    else if (this.kind === "side") this.answer(direction < 0 ? SIDES[0] : SIDES[1]);
    return true;
  }

  /** Somebody went to another instant: the next question from there is asked. */
  went() {
    this.#ask(this.next(this.cursor.t));
  }

  plays() {
    this.end();
  }

  arrived() {
    if (this.on) this.predictFrom(this.beginsAnew ? 0 : this.cursor.t);
    this.beginsAnew = false;
  }

  // ---- asking and answering --------------------------------------------------------------------

  /** Begin, or end. */
  toggle() {
    if (this.on) this.end();
    else this.predictFrom(this.cursor.t);
    this.cursor.changed();
  }

  /**
   * Begin to ask, from the question that comes next; at the end from the first one.
   *
   * @param {number} t
   * @param {{ questions?: number[], isHosted?: boolean }} [options]
   */
  predictFrom(t, { questions = undefined, isHosted = false } = {}) {
    const { cursor } = this;
    cursor.clock.stop();
    cursor.settle();
    if (cursor.limit() < Infinity) {
      this.end();
      cursor.refused();
      return;
    }
    this.isHosted = isHosted;
    this.begin(cursor.runs.current, questions);
    this.#ask(this.next(t) ?? this.next(0));
  }

  /** @param {"side" | "margin"} kind what is asked for */
  askFor(kind) {
    this.kind = kind;
    this.predictFrom(0);
  }

  /**
   * Answer the question that stands, and see: a class, or a range of the margin; null shows what is
   * right.
   *
   * @param {number | null} guess
   */
  answer(guess) {
    const { cursor } = this;
    if (!this.asking) return;
    this.take(cursor.t, guess);
    cursor.advance(cursor.t + 1);
  }

  /** On to the next question; where an epoch ends before it, first to what its answers come to. */
  nextQuestion() {
    const { cursor } = this;
    const next = this.next(cursor.t);
    const part = this.#partOf(cursor.t - 1);
    const isLastOfPart = this.phase === "answered" && next !== null && this.#partOf(next) !== part;
    const answers = [...this.answers].filter(([t]) => this.#partOf(t) === part);
    if (isLastOfPart && answers.length) {
      this.#sumUp(`${this.#nameOf(part)}: ${this.#words(answers.map(([, answer]) => answer))}`);
      cursor.put(this.run.trace.parts[part + 1]);
    } else this.askNext();
  }

  /** The next question, whatever an epoch came to. */
  askNext() {
    this.#ask(this.next(this.cursor.t));
  }

  #askInEpoch(direction) {
    const { cursor } = this;
    let to = cursor.runs.neighbour(cursor.t, "epoch", direction);
    const isFirstOfEpoch = direction < 0 && this.next(to) >= cursor.t;
    if (isFirstOfEpoch) to = cursor.runs.neighbour(to, "epoch", direction);
    cursor.go(to);
  }

  /** Ask at t, or, where no question is left, sum up. @param {number | null} t */
  #ask(t) {
    this.verdict = "";
    if (t !== null) this.phase = "ask";
    else if (this.questions.length) this.#sumUp(this.#overall());
    else this.#sumUp(this.run.onlyMistakes ? KNOWN : NONE);
    this.cursor.put(t ?? this.cursor.runs.end);
  }

  // ---- what was answered -----------------------------------------------------------------------

  /** Begin with a run. @param {Run} run @param {number[]} [questions] */
  begin(run, questions = questionsOf(run)) {
    const sizes = questions.map((t) => Math.abs(run.trace.score[t])).sort((a, b) => a - b);
    this.run = run;
    this.questions = questions;
    this.limit = Number((sizes[sizes.length >> 1] ?? 1).toPrecision(2));
    this.answers = new Map();
    this.streak = 0;
    this.longest = 0;
    if (!this.on) this.modes.enter(this);
    this.#appear();
  }

  end() {
    this.phase = null;
    this.verdict = "";
    this.run = null;
    this.modes.leave(this);
    this.#appear();
  }

  /** Whether a question stands, about the coming step: nothing may tell f. */
  get asking() {
    return this.phase === "ask";
  }

  /** The first question at t or later; null: there is none. */
  next(t) {
    return this.questions[countBelow(this.questions, t)] ?? null;
  }

  /** The last question before t; null: there is none. */
  before(t) {
    return this.questions[countBelow(this.questions, t) - 1] ?? null;
  }

  /**
   * Take the answer to the question at t: a class, or a range of the margin, from 0; null: it is
   * only shown.
   *
   * @param {number | null} guess
   */
  take(t, guess) {
    this.phase = "answered";
    this.verdict = "";
    this.guess = guess;
    if (guess === null) return;
    const { score, mistake, index } = this.run.trace;
    const margin = this.run.y[index[t]] * score[t];
    const asksForSide = this.kind === "side";
    const side = asksForSide
      ? score[t] === 0 || guess > 0 === score[t] > 0
      : guess > 1 === margin > 0;
    const right = asksForSide ? side : guess === this.rangeOf(margin);
    this.verdict = right ? RIGHT : "Not this time.";
    if (this.answers.has(t)) return;
    this.answers.set(t, { right, side, mistake: mistake[t] === 1 });
    this.streak = right ? this.streak + 1 : 0;
    this.longest = Math.max(this.longest, this.streak);
  }

  /** Which of the four ranges holds a margin: both sides of 0, near it and far from it. */
  rangeOf(margin) {
    if (margin > 0) return margin > this.limit ? 3 : 2;
    return margin >= -this.limit ? 1 : 0;
  }

  get ranges() {
    const high = number(this.limit);
    const low = number(-this.limit);
    return [`below ${low}`, `${low} to 0`, `0 to ${high}`, `above ${high}`];
  }

  get score() {
    if (!this.on || !this.answers.size) return "";
    const right = [...this.answers.values()].filter((answer) => answer.right).length;
    const streak = this.streak > 1 ? ` · ${this.streak} in a row` : "";
    return `${right} of ${this.answers.size} right${streak}`;
  }

  // ---- what is seen ----------------------------------------------------------------------------

  #show() {
    const { box, phase, player, kinds, kind } = this;
    const { run, t } = player;
    const answered = phase === "answered";
    const sentence = narrationOf(player).sentence;
    const next = (words) => ({ words, act: () => this.nextQuestion() });
    const goesOn = phase === "summary" && this.next(t) !== null;
    box.show(
      {
        where: [...this.#nameOfRun, "Guess first", placeOf(player)].join(" · "),
        question: this.asking ? this.sentence(run) : answered ? this.#askedOf(t - 1) : "",
        answers: phase === "summary" ? [] : this.answersSeen,
        remembered: run.header.about.counts ? bricksOf(run, t) : [],
        verdict: answered ? this.verdict : "",
        told: answered ? sentence.replace(`${this.verdict} `, "") : this.asking ? "" : sentence,
        next: answered ? next("Next") : goesOn ? next("Go on") : null,
        others: this.waysAfterWrong,
        score: this.score,
      },
      run.header.tokens.shapes,
    );
    for (const button of kinds) {
      button.setAttribute("aria-pressed", String(button.dataset.ask === kind));
    }
  }

  /** What one can do about an answer that was wrong, besides going on. */
  get waysAfterWrong() {
    const isWrong = this.phase === "answered" && this.guess !== null && this.verdict !== RIGHT;
    if (!isWrong) return [];
    const again = { words: "Show it again", key: "ArrowLeft", act: () => this.replay() };
    const newPoints = { words: "Try new points", key: "n", act: () => this.#tryNewPoints() };
    return this.isHosted || !this.#hasNewPoints ? [again] : [again, newPoints];
  }

  /** Whether there are others: those that one draws are as they are. */
  get #hasNewPoints() {
    const data = new URLSearchParams(this.player.query).get("data");
    return this.stage.session !== null && data !== "drawn";
  }

  /** The step of the newest answer once more. */
  replay() {
    this.cursor.replay(this.cursor.t);
  }

  #tryNewPoints() {
    this.beginsAnew = true;
    this.stage.actions.press("redraw");
  }

  /** What the run is called, of several: only the current one is asked about. */
  get #nameOfRun() {
    const { names, pinned } = this.player.runs;
    return pinned.length ? [names.at(-1)] : [];
  }

  #askedOf(t) {
    return ahead(this.run, t, `predict_${this.kind}`);
  }

  /** The answers as they stand, each with what became of it. @returns {AskedAnswer[]} */
  get answersSeen() {
    /** @returns {AskedAnswer["was"]} */
    const was = (guess) => {
      if (this.asking) return "";
      if (guess !== this.guess) return "left";
      return this.verdict === RIGHT ? "right" : "wrong";
    };
    const answer = (guess, words, key) => ({
      words,
      key,
      was: was(guess),
      act: () => this.answer(guess),
    });
    if (this.kind === "margin") {
      return this.ranges.map((words, k) => answer(k, words, String(k + 1)));
    }
    return SIDES.map((y, k) => ({
      ...answer(y, colour(y), ["ArrowLeft", "ArrowRight"][k]),
      class: y,
    }));
  }

  // ---- what it came to -------------------------------------------------------------------------

  #sumUp(words) {
    this.phase = "summary";
    this.verdict = "";
    this.summary = words;
  }

  #overall() {
    const words = this.#words([...this.answers.values()]);
    const streak = this.longest > 1 ? ` Longest streak: ${this.longest}.` : "";
    return words ? `The whole run: ${words}${streak}` : "No question is left in this run.";
  }

  /** @param {Answer[]} answers */
  #words(answers) {
    if (!answers.length) return "";
    const share = (isCounted) => {
      const count = answers.filter(isCounted).length;
      return `${count} of ${answers.length} (${Math.round((100 * count) / answers.length)} %)`;
    };
    const always = `Always answering “no mistake” gets ${share(({ mistake }) => !mistake)}.`;
    const right = share((answer) => answer.right);
    if (this.kind === "side") return `you got ${right} right. ${always}`;
    return `you got the range right for ${right}, the side for ${share(({ side }) => side)}. ${always}`;
  }

  /** The epoch of the step after t, from 0; of a stream, which hundred of its examples. */
  #partOf(t) {
    return countBelow(this.run.trace.parts, t + 1) - 1;
  }

  #nameOf(part) {
    return this.run.stream
      ? `Examples ${100 * part + 1} to ${100 * (part + 1)}`
      : `Epoch ${part + 1}`;
  }
}
