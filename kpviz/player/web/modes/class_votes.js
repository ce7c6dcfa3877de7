// Votes of a class: while one presents, the tasks of a scene are questions to the class, steps of
// the lecture after its board. The lecturer types how many hands were for each answer; then the run
// shows what is right, with the votes beside it.

import {
  bareStage,
  questionBesideMap,
  voteColumnsOf,
  comparedPanels,
} from "../board/class_layout.js";
import { layoutOf } from "../board/layout.js";
import { rect } from "../board/lengths.js";
import { ClassBox } from "../page/class_box.js";
import { textOf } from "../page/lesson/words.js";
import { valueOf } from "../page/preferences.js";
import { keep, recall, PLACES } from "../service/texts.js";
import { readings } from "../page/typed_number.js";
import { translate } from "../run/language.js";
import { LETTERS } from "../page/badge.js";
import { counted, shortNumber, toldInLesson } from "../run/words.js";
import { Ballot } from "./ballot.js";
import { classQuestion, MOST_ANSWERS } from "./class_question.js";

/** @import { Stage } from "../page/stage.js" */
/** @import { BoardShape, Layout, Rect } from "../board/types.d.ts" */
/** @import { ClassQuestion } from "./class_question.js" */
/** @import { KeyPress, LessonTask, Mode, PackedAnswer } from "./types.d.ts" */

const NO_VOTES = "No votes yet: PageDown once more shows what happens.";
const UNDER_RUNS = 0.3; // So much of the height is under runs that are compared.
const STANDS = "A question stands: PageDown shows what happens.";
// Keys that change what is asked about.
const CHANGES = /^((Shift\+)?([dgkmnotpez]|Backspace)|q)$/;

/** Whether an answer names a compared run: by what it is called, or first of all by its letter. */
const namesRun = (answer, letter, name) =>
  answer.startsWith(`${letter}, `) || Boolean(name && answer.includes(name));

/**
 * Where a question is. `coming`: its run or what is right is still to come. `asked`: the class
 * votes; `warned`: it was said that there are no votes. `shown`: the run shows what is right.
 *
 * @typedef {{ kind: "coming", then: "asked" | "shown" }
 *   | { kind: "asked", warned: boolean } | { kind: "shown" }} VotingState
 */

/** @implements {Mode} */
export class ClassVotes {
  name = "class votes";
  guides = true;
  speaks = true;
  at = 0; // The index of the task that is asked.
  /** @type {VotingState} */
  state = { kind: "coming", then: "asked" };
  /** @type {ClassQuestion | null} */
  question = null;
  /** @type {Map<string, Ballot>} */
  ballots = new Map(); // By what tells the task from others.
  /** @type {Map<string, string[]>} */
  heard = new Map(); // The numbers that the class has said, by the same.
  /** @type {Map<string, PackedAnswer | null>} */
  solutions = new Map(); // What is right, as far as it is known, by the same.

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.box = new ClassBox(stage, {
      vote: (k, less) => this.#vote(k, less),
      hear: (text) => this.#hear(text),
    });
  }

  get on() {
    return this.stage.player.modes.has(this);
  }

  get lesson() {
    return this.stage.standing.lesson;
  }

  /** @returns {LessonTask[]} */
  get #tasks() {
    return this.lesson?.scene?.tasks ?? [];
  }

  get #task() {
    return this.#tasks[this.at];
  }

  /** What tells the task from all others. */
  get #key() {
    return this.#keyOf(this.at);
  }

  /** @param {number} at */
  #keyOf(at) {
    return `${this.lesson.at} ${at} ${this.#tasks[at].mark}`;
  }

  /** Whether questions can be asked of the scene. */
  get #isFree() {
    return (
      this.stage.standing.present.on &&
      !this.lesson.scene.elsewhere &&
      valueOf("questions") !== "off"
    );
  }

  get ballot() {
    const ballot = this.ballots.get(this.#key) ?? new Ballot();
    this.ballots.set(this.#key, ballot);
    return ballot;
  }

  get #heard() {
    return this.heard.get(this.#key) ?? [];
  }

  // ---- steps of the lecture --------------------------------------------------------------------

  /**
   * After the board of a scene its first question is asked; on the way back its last one is shown.
   * Returns whether there is one.
   */
  begin(direction = 1) {
    if (!this.#isFree || !this.#tasks.length) return false;
    this.#open(direction > 0 ? 0 : this.#tasks.length - 1, direction > 0 ? "asked" : "shown");
    return true;
  }

  /** A reload left a question, or the votes on some: all is as it was. */
  resume() {
    const before = recall(PLACES.votes);
    if (!before || this.on) return;
    for (const [key, counts, first] of before.ballots) {
      this.ballots.set(key, Object.assign(new Ballot(), { counts, first }));
    }
    this.heard = new Map(before.heard);
    const { at, isShown, key } = before;
    const isHere = this.#tasks[at] && this.#keyOf(at) === key;
    if (isHere && this.#isFree) this.#open(at, isShown ? "shown" : "asked");
  }

  /** What a reload needs; `isLeft`: no question stands any more. */
  #keep(isLeft = false) {
    const ballots = [...this.ballots].map(([key, { counts, first }]) => [key, counts, first]);
    const { at, state } = this;
    const isShown = state.kind === "shown" || (state.kind === "coming" && state.then === "shown");
    const key = isLeft ? "" : this.#key;
    keep(PLACES.votes, { key, at, isShown, ballots, heard: [...this.heard] });
  }

  /** Ask the questions of a lesson on the stage, or leave them out. */
  switch() {
    const isOn = valueOf("questions") === "off";
    keep(PLACES.preference, isOn ? null : "off", "questions");
    if (this.on) this.lesson.showBoardAgain();
    this.stage.say(`Questions on the stage: ${isOn ? "on" : "off"}.`);
  }

  /** A page turned by a clicker; returns whether the questions go on. */
  turn(direction) {
    const { state } = this;
    if (state.kind === "coming") return true;
    if (state.kind === "asked" && direction > 0) this.#show(state);
    else if (direction > 0 && this.#goesOn) this.stage.player.cursor.go(this.#until);
    else if (state.kind === "shown" && direction < 0 && this.question.isVoted) this.#ask();
    else {
      const at = this.at + direction;
      if (!this.#tasks[at]) return false;
      this.#open(at, direction > 0 ? "asked" : "shown");
    }
    return true;
  }

  /** @param {number} at @param {"asked" | "shown"} then */
  #open(at, then) {
    const { lesson, stage } = this;
    this.at = at;
    this.question = null;
    this.state = { kind: "coming", then };
    this.#keep();
    stage.player.state.together(() => {
      stage.player.modes.enter(this);
      // One writes of what one has just seen.
      if (this.#task.kind !== "explain") lesson.showStart(this.#task.start[0]);
    });
    const key = this.#key;
    if (!this.solutions.has(key)) {
      lesson.solve(at, (solution) => {
        this.solutions.set(key, solution);
        this.stage.redraw();
      });
    }
    this.#proceed();
  }

  /** What was still to come may be here. */
  #proceed() {
    if (!this.on || this.state.kind !== "coming") return;
    if (this.lesson.arriving || !this.solutions.has(this.#key)) return;
    this.#renew();
    if (this.state.then === "asked" && this.question.isVoted) this.#ask();
    else this.#show({ warned: true }, true);
  }

  /** The question as it is now: numbers may have been heard. */
  #renew() {
    const { player } = this.stage;
    const solution = this.solutions.get(this.#key) ?? null;
    const question = classQuestion(this.#task, player.run, solution, this.#heard);
    const { t } = player;
    this.question = this.#task.kind === "explain" ? { ...question, t, until: t } : question;
  }

  #ask() {
    this.state = { kind: "asked", warned: false };
    this.#keep();
    this.#put(this.question.t);
  }

  /** Show what is right: by playing the run, or `atOnce` as it is then. */
  #show({ warned }, atOnce = false) {
    const { player } = this.stage;
    if (!warned && this.question.isVoted && this.ballot.isEmpty) {
      this.state = { kind: "asked", warned: true };
      this.stage.redraw();
      return;
    }
    this.state = { kind: "shown" };
    this.#keep();
    const until = this.#until;
    if (atOnce || !player.run.hasSteps) this.#put(until);
    else {
      this.#put(player.t);
      if (until - player.t === 1) player.cursor.advance(until);
      else if (until < player.runs.end) player.cursor.advance(until);
      else if (until > player.t) player.cursor.toggle();
    }
  }

  /** @param {number} t */
  #put(t) {
    const { player } = this.stage;
    player.clock.stop();
    if (player.run.hasSteps) player.cursor.put(Math.min(t, player.runs.end));
    this.stage.arrange();
  }

  /** Where what is right is seen. */
  get #until() {
    return Math.min(this.question.until, this.stage.player.runs.end);
  }

  /** Whether it is still being shown. */
  get #goesOn() {
    const { player } = this.stage;
    return this.state.kind === "shown" && player.clock.playing && player.t < this.#until;
  }

  /** Whether the class may see what is right. */
  get #isOpen() {
    const { run, t } = this.stage.player;
    // On Fisher's page nothing is played: t is where F points.
    return this.state.kind === "shown" && (!run.hasSteps || t >= this.#until);
  }

  end() {
    if (!this.on) return;
    this.stage.player.clock.stop();
    this.stage.player.modes.leave(this);
    this.box.hide();
    this.#keep(true);
  }

  // ---- votes -----------------------------------------------------------------------------------

  #vote(k, less) {
    if (this.state.kind !== "asked" || k >= this.question.answers.length) return;
    if (less) this.ballot.take(k);
    else this.ballot.add(k);
    this.#changed();
  }

  /** A number that the class has said is one more answer. @param {string} text */
  #hear(text) {
    if (readings(text).length !== 1) this.stage.say(`“${text}” is not a number.`);
    else if (this.#heard.length >= MOST_ANSWERS) this.stage.say(`At most ${MOST_ANSWERS} numbers.`);
    else {
      this.#addHeard(text.trim());
      this.#changed();
    }
  }

  /** One more number, unless it is there already. @param {string} text */
  #addHeard(text) {
    const heard = this.#heard;
    const [value] = readings(text);
    const isNew = heard.every((other) => readings(other)[0] !== value);
    if (isNew && heard.length < MOST_ANSWERS) this.heard.set(this.#key, [...heard, text]);
  }

  /** What is right, and what people usually say. */
  #offer() {
    const { value, slips = [] } = this.solutions.get(this.#key) ?? {};
    if (value === undefined) return;
    const values = [value, ...slips.map((slip) => slip.value)].sort((one, other) => one - other);
    for (const one of values) this.#addHeard(shortNumber(one));
    this.#changed();
  }

  #changed() {
    if (this.state.kind === "asked") this.state = { kind: "asked", warned: false };
    this.#renew();
    this.#keep();
    this.stage.arrange();
  }

  keysOnStage = [
    ["PageDown / PageUp", "show what is right, then go on / back"],
    ["1 to 5", "one more hand for A to E; with Shift, one fewer"],
    ["A", "vote again after talking: the first votes stay as outlines"],
    ["0", "no votes"],
    ["Enter · S", "of a number: one that was heard · those that people usually say"],
  ];

  /** While a question stands keys are its own: they count. @param {KeyPress} press */
  keys({ event, name, shift }) {
    if (this.state.kind !== "asked" || !this.question) return undefined;
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code ?? "")?.[1] ?? name;
    if (/^\d$/.test(digit)) {
      if (digit === "0") {
        this.ballot.clear();
        this.#changed();
      } else this.#vote(Number(digit) - 1, shift);
      return true;
    }
    if (name === "a" && !shift) {
      if (this.ballot.again()) this.#changed();
      return true;
    }
    if (this.question.takesValues && name === "Enter") this.box.listen();
    else if (this.question.takesValues && name === "s") this.#offer();
    else if (CHANGES.test(shift ? `Shift+${name}` : name)) this.stage.say(STANDS);
    else return undefined;
    return true;
  }

  // ---- what the board asks a mode --------------------------------------------------------------

  get #isSeen() {
    return this.on && this.question !== null && this.stage.player.bare;
  }

  /** Nobody goes on before the class has voted. */
  lastTime() {
    return this.#isSeen && this.state.kind === "asked" ? this.question.t : undefined;
  }

  refusal = STANDS;

  conceals() {
    if (!this.#isSeen || this.state.kind !== "asked") return undefined;
    const isOfScores = this.#task.kind === "predict";
    return isOfScores ? /** @type {const} */ ("numbers") : /** @type {const} */ ("ahead");
  }

  /** The coming step is asked about. */
  asking() {
    return (
      (this.#isSeen && this.state.kind === "asked" && this.#task.kind === "predict") || undefined
    );
  }

  covers() {
    return (this.#isSeen && this.state.kind === "asked" && this.#task.covers) || undefined;
  }

  /** The examples that are asked about have rings. */
  answered() {
    if (!this.#isSeen) return undefined;
    return this.question.rings.map((i) => ({ i, was: /** @type {const} */ ("asked") }));
  }

  /** The example on which the task shows the votes. */
  votes() {
    return this.#isSeen ? this.#task.votes : undefined;
  }

  /** The question is what is said of the board. */
  sentence() {
    const { runs } = this.stage.player;
    const hasOwnWords = this.#isSeen && (runs.all.length === 1 || this.state.kind === "asked");
    return hasOwnWords ? textOf(this.question.ask) : undefined;
  }

  /** For the lecturer alone: what is asked, the answers with their votes, and what is right. */
  classAsked() {
    if (!this.#isSeen) return undefined;
    const { answers, ask, value, because } = this.question;
    const { counts } = this.ballot;
    const lines = answers.map(({ words, right }, k) => {
      const votes = counts[k] ? ` · ${translate(counted(counts[k], "vote"))}` : "";
      return `${LETTERS[k]}${right ? " ✓" : ""} ${translate(textOf(words))}${votes}`;
    });
    const known =
      value !== null && !answers.some(({ right }) => right)
        ? [translate(`Right: ${shortNumber(value)}`)]
        : [];
    return [translate(textOf(ask)), ...lines, ...known, textOf(because)].filter(Boolean);
  }

  drawn() {
    this.#proceed();
    if (this.#isSeen) this.#write();
  }

  /** Whether each answer is one of the compared runs, which is then shown above its votes. */
  get #isCompared() {
    const { names, all } = this.stage.player.runs;
    const { answers } = this.question;
    return (
      all.length > 1 &&
      answers.length === all.length &&
      answers.every(({ words }, k) => namesRun(textOf(words), LETTERS[k], names[k]))
    );
  }

  /** @param {BoardShape} shape @returns {Layout | undefined} */
  layout(shape) {
    if (!this.#isSeen) return undefined;
    const { player } = this.stage;
    const compares = player.runs.all.length > 1;
    const { base, bare } = bareStage(player, shape, compares ? new Set() : player.there);
    if (!compares || this.state.kind !== "shown") return questionBesideMap(shape, { base, bare });
    if (this.#isCompared) {
      return { ...bare, panels: comparedPanels(shape, base, player.runs.all.length) };
    }
    const high = Math.round(UNDER_RUNS * shape.height);
    const { panels } = layoutOf(player.there, {
      ...player.content,
      ...shape,
      kind: "projector",
      height: shape.height - high,
    });
    const gap = Math.round(10 * base.unit);
    const classBox = rect(gap, shape.height - high, shape.width - 2 * gap, high - gap);
    return { ...bare, panels, classBox };
  }

  /** @param {Rect & { panels: Record<string, Rect> }} box of the board in the window */
  placeWords(box) {
    if (!this.#isSeen) {
      this.box.hide();
      return;
    }
    this.#write();
    const { layout, runs } = this.stage.player;
    this.box.placeIn(
      box,
      layout,
      layout.classBox ? null : voteColumnsOf(box.panels, runs.all.length),
    );
  }

  #write() {
    const { question, ballot } = this;
    const isOpen = this.#isOpen;
    const isShown = this.state.kind === "shown";
    const told = isOpen && !this.#isTold ? this.#told() : [];
    this.box.show({
      where: this.#where,
      question,
      ballot,
      isShown,
      isOpen,
      told,
      foot: this.#foot(),
    });
  }

  get #isTold() {
    return !this.question.isVoted;
  }

  /** Above the question: the scene; while the run plays its step, or how much was passed over. */
  get #where() {
    const { cursor, run, t } = this.stage.player;
    if (cursor.leapWords) return cursor.leapWords;
    return this.#goesOn ? run.counter(Math.min(t, run.nSteps)) : this.lesson.scene.heading;
  }

  /** What the run has shown: the step in a few words, and the author's reason. */
  #told() {
    const { question, stage } = this;
    const { run, t } = stage.player;
    const isStep = question.until > question.t && question.until < Infinity && run.hasSteps;
    const stepWords = isStep ? [toldInLesson(run, Math.min(t, run.nSteps)), " "] : [];
    const isMissing = question.value !== null && !question.answers.some(({ right }) => right);
    const value = isMissing ? [`It is ${shortNumber(question.value)}. `] : [];
    return [...value, ...stepWords, ...question.because];
  }

  #foot() {
    const { ballot, question, state } = this;
    if (!question.isVoted) return "Try it: Y shows the code";
    if (state.kind === "asked" && state.warned) return NO_VOTES;
    const isAsked = state.kind === "asked";
    if (ballot.mostly !== null) return `You say: mostly ${LETTERS[ballot.mostly]}`;
    if (ballot.total) {
      const votes = counted(ballot.total, "vote");
      return isAsked && !ballot.first
        ? `${votes} · Talk to your neighbour, then vote again`
        : votes;
    }
    if (!isAsked) return "";
    if (ballot.first) return "Vote again";
    return question.takesValues && question.answers.length < 2
      ? "Which number? Enter: one that was heard · S: the usual ones"
      : "Hold up your phone, or your hand";
  }
}
