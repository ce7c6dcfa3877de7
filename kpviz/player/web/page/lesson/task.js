// A task of a lesson: what its answer is worth and where it stands, without how it looks.

import { textOf } from "./words.js";
import { ringsOf } from "./answer_marks.js";
import { fieldsOf, fill, plainNumber, valuesOf } from "./fields.js";

/** @import { Dock } from "../dock/dock.js" */
/** @import { DockField } from "../dock/types.d.ts" */
/** @import { FormLeft, LessonProgress } from "./progress.js" */
/** @import { StepAsked } from "./fields.js" */
/** @import { TaskView } from "./task_view.js" */
/** @import { CheckedTask, Goal, LessonLink, LessonTask } from "../../modes/types.d.ts" */
/** @import { PackedAnswer, RingedExample, TaskAnswer, Word } from "../../modes/types.d.ts" */
/** @import { Figure } from "../../run/types.d.ts" */
/** @import { Request, Refusal } from "../../service/types.d.ts" */

/**
 * What a task needs of the lesson.
 * @typedef {object} TaskHost
 * @property {LessonProgress} progress
 * @property {() => void} unkept the browser did not keep an answer
 * @property {(task: NonNullable<Request["task"]>, take: (result: { checked?: CheckedTask } &
 *   Refusal) => void) => void} check
 * @property {boolean} tells whether one may be shown what is right
 * @property {(task: { scene: number, task: number, tried: number }, take: (result:
 *   { solution?: PackedAnswer | null } & Refusal) => void) => void} solve what is right
 * @property {(step: number) => void} replay a step of the run that is shown
 * @property {(link: LessonLink) => void} show what a link shows
 * @property {(link: LessonLink) => void} reach an instant of a run, if that is shown; t null: its
 *   end; without a query: of whichever run is shown
 * @property {(address: string) => void} go where a link among the words leads
 * @property {() => string} link of what is shown
 * @property {() => boolean} settled what is shown is what was asked for: nothing is on its way
 * @property {() => number} failures how often what was asked for was refused, or given up
 * @property {(link: LessonLink) => boolean} isShown whether it is on the board; t null: at any
 *   instant of its run
 * @property {(step: number) => number | null} example which one a step shows
 * @property {(step: number) => StepAsked | null} step of the run that is shown
 * @property {(task: Task) => void} workedOn somebody works on it: the board may show more or less
 * @property {() => Dock | null} dock which makes the fields of settings
 * @property {(y: number, byKey: boolean) => void} draw points of a class, on the map
 * @property {() => void} changed more or less of the lesson is done
 * @property {() => void} goOn to what follows the task
 */

// The board is the answer to these: who gives it leaves the run of the start.
const CHANGING_THE_RUN = ["reach", "draw"];

const ASKING_AHEAD = ["predict", "perform"]; // One says what comes next in the run.
const READING_THE_RUN = ["number", "choose", "click"]; // One reads an instant of the run.
const MOST_NUMBERED = 12; // So many examples of a pass are numbered.

const AT_END = Infinity; // An instant beyond the end of any run: the board shows the end.
const TRIES_BEFORE_HELP = 2; // Who was wrong so often has looked for the answer.
// What is right can be shown of these; a prediction is shown by its step as soon as it is made.
const SHOWABLE = ["choose", "number", "click", "perform", ...CHANGING_THE_RUN];

const CHANGED_TASK = "This task has changed since you answered it. Please answer again.";
/** @type {Map<boolean | null, RingedExample["was"]>} */
const OUTCOMES = new Map([
  [true, "right"],
  [false, "wrong"],
]);

/**
 * The kinds of tasks differ in their `fields` (fields.js): a method of these that is asked by `?.`
 * is there for some kinds only.
 *
 * What the file says of a task is its `definition`; `LessonTask` (modes/types.d.ts) has a word on
 * each of its keys.
 *
 * A task `isOpen` while a right answer is wanted. A try that was checked stays to be seen: the task
 * `waitsForAgain` until a button begins the next try, or nothing more is to be done and it `isOver`
 * (the answer was right, what is right was shown, or no try is left); in both cases it `leads` on
 * to what follows, and `isLocked`. Who tries once more after that practises: the task `isOpen`
 * again and stays over. It `isHere` if the run of its start is on the board, `isAtStart` if the
 * board is at the instant of the start, too, and `isHalfDone` if some of its steps are answered.
 */
export class Task {
  /** @type {TaskView | null} */
  view = null; // What is seen of it.
  say = ""; // What the engine said last.
  /** @type {boolean | null} */
  saysRight = null; // It said that an answer was right; null: neither that nor the other.
  /** @type {Word[]} */
  reason = [];
  // What is asked of the engine: to check an answer, and before that to measure the board.
  busy = false; // An answer is being checked.
  /** @type {{ failures: number } | null} */
  awaits = null; // It is to be checked as soon as the board shows what was set.
  /** @type {{ link: string, words: string, goals: Goal[], areMet: boolean } | null} */
  measured = null; // What the engine says of the board, before it is asked to check it.
  measuring = false; // The board is being measured.
  // The number of the try on the page, from 0. `#checkedTries` says how many were checked: both
  // differ while a checked try is still shown.
  tryNumber = 0;
  openHints = 0; // So many hints stand open under the question.
  knownTries = 0; // So many tries were counted when it was shown; another window may add some.
  startWasShown = false; // Its start was on the board.
  toldUpTo = 0; // The last feedback has told what happens up to this step.
  /** @type {number[]} */
  wrong = []; // Wrong examples of the last answer.
  /** @type {RingedExample[]} */
  rings = []; // Those of the last answer, on the run of this try.
  /** @type {Figure[]} */
  drawn = []; // What the number of the last answer is on the map.
  /** @type {{ tries: number, right: boolean | null } | null} */
  practice = null; // The tries after the last one that counts, and whether the newest is right.
  showsRight = false; // What is right is shown, as one has asked for.
  staysOnce = false; // The board stays at its instant when it is measured next.
  solution = ""; // The link of the board that is right, where that is the answer.

  /**
   * @param {LessonTask} definition what the file says of it
   * @param {{ scene: number, task: number }} place
   * @param {TaskHost} host
   */
  constructor(definition, place, host) {
    this.definition = definition;
    this.place = place;
    this.host = host;
    this.fields = this.#newFields();
    this.restore();
  }

  #newFields() {
    const { host } = this;
    return fieldsOf(this.definition, {
      link: host.link,
      go: host.go,
      dock: host.dock,
      draw: host.draw,
      step: (step) => (this.isHere ? host.step(step) : null),
      answered: () => this.#takeAnswer(),
      askedNext: () => {
        this.openHints = 0; // A hint is one of its question.
        this.#askNext();
      },
      wasRight: () => this.right,
      showsRight: () => this.showsRight,
    });
  }

  get done() {
    return this.host.progress.of(this.place.scene, this.place.task);
  }

  /** Whether the newest answer was right; null where there is none, or nothing is graded. */
  get right() {
    return this.practice ? this.practice.right : this.done.right;
  }

  note(changes) {
    if (!this.host.progress.note(this.place.scene, this.place.task, changes)) this.host.unkept();
  }

  /** Whether one answers step by step, and the board goes along. */
  get #hasSteps() {
    return Boolean(this.fields.stepsDone);
  }

  /** Where this try starts; one with steps starts where these stand. */
  get start() {
    const link = this.definition.start[this.#startIndex];
    return this.#hasSteps ? { ...link, t: this.upTo } : link;
  }

  /**
   * What is on the board when one comes back to the task: the solution, if it was shown; else what
   * the last answer was about; without an answer the start.
   */
  get board() {
    const { definition, solution, start, toldUpTo } = this;
    if (this.showsRight) {
      if (solution) return { ...start, query: solution, t: AT_END, show: null };
      // The last step that was shown is seen, too.
      if (this.#hasSteps) return { ...start, t: this.upTo + 1 };
      // What is asked was seen while the run played up to its end.
      return start.t === null && definition.plays ? { ...start, t: AT_END } : start;
    }
    const { answers, right } = this.done;
    const answer = answers.at(-1)?.answer;
    if (right === null || answer === undefined) return start;
    // The answer was a board.
    if (right && "link" in answer) return { ...start, query: answer.link, t: AT_END };
    // The answer was some steps: the board has done them.
    if (right && "steps" in answer) return { ...start, t: this.#startTime + answer.steps.length };
    // The board showed where the answer went wrong.
    if (!right && toldUpTo > 0) return { ...start, t: toldUpTo };
    return this.#showsInstantAsked(right) ? { ...start, t: start.t ?? AT_END } : start;
  }

  /**
   * Whether an answer takes the board to the instant that was asked about: that of the start, or
   * for a whole run its end. A wrong answer does not go to an end, which may tell what is right.
   */
  #showsInstantAsked(right) {
    const { kind, plays } = this.definition;
    return READING_THE_RUN.includes(kind) && (this.#isAboutStep || (right && plays === true));
  }

  get #isAboutStep() {
    return this.start.t !== null || this.definition.kind === "click";
  }

  /** Whether one answers by changing the run of the board. */
  get changesRun() {
    return CHANGING_THE_RUN.includes(this.definition.kind);
  }

  /** The board may go up to this instant: it tells nothing that is still asked. */
  get upTo() {
    return Math.max(this.#startTime + this.#stepsDone, this.toldUpTo);
  }

  get #startTime() {
    return this.definition.start[this.#startIndex].t ?? 0;
  }

  /** How many steps are answered already. */
  get #stepsDone() {
    return this.fields?.stepsDone?.() ?? 0;
  }

  /** Which of its starts the try that is shown has. */
  get #startIndex() {
    return this.tryNumber % this.definition.start.length;
  }

  /** How many tries were checked, practice included. */
  get #checkedTries() {
    return this.done.tries + (this.practice?.tries ?? 0);
  }

  /** Whether this run is on the board. */
  get isHere() {
    return this.host.isShown({ ...this.definition.start[this.#startIndex], t: null });
  }

  // ---- how it was left -------------------------------------------------------------------------

  #save() {
    const { scene, task } = this.place;
    const { say, reason, showsRight, solution, rings, drawn, toldUpTo, openHints } = this;
    /** @type {FormLeft} */
    const form = {
      start: this.#startIndex,
      values: valuesOf(this.fields),
      begun: this.startWasShown,
      right: this.saysRight,
      ...{ say, reason, showsRight, solution, rings, drawn, toldUpTo, openHints },
    };
    this.host.progress.keepForm(scene, task, form);
  }

  /** Show it as it was left: before a reload, when the scene was left, or in another window. */
  restore() {
    const { scene, task } = this.place;
    const form = this.host.progress.formLeft(scene, task);
    this.knownTries = this.done.tries;
    this.tryNumber = this.#checkedTries;
    this.openHints = form?.openHints ?? this.done.hints;
    if (form) this.#restoreForm(form);
    else if (this.host.progress.isOther(scene, task)) this.say = CHANGED_TASK;
    this.view?.update();
  }

  /** @param {FormLeft} form */
  #restoreForm(form) {
    this.say = form.say;
    this.saysRight = form.right === undefined ? this.done.right : form.right;
    this.reason = form.reason;
    this.startWasShown = form.begun ?? false;
    const lastTry = Math.max(this.#checkedTries - 1, 0);
    // What was left had the start of the try before: it was checked, and the next is not begun.
    const isOfCheckedTry = form.start !== this.#startIndex;
    if (isOfCheckedTry) this.tryNumber = lastTry;
    // `#startIndex` has followed `tryNumber`.
    const isOfThisStart = form.start === this.#startIndex;
    if (isOfThisStart) {
      fill(this.fields, form.values);
      this.showsRight = form.showsRight ?? false;
      this.solution = form.solution ?? "";
      this.rings = form.rings ?? [];
      this.drawn = form.drawn ?? [];
      this.toldUpTo = form.toldUpTo ?? 0;
    }
    // All its questions are answered, so it was checked, although the next try starts alike.
    if (!isOfCheckedTry && this.#isAnswered) this.tryNumber = lastTry;
    this.fields.strikeOut?.(this.#wrongChoices);
  }

  /** The choices of this start that were ticked and are not true. */
  get #wrongChoices() {
    const answers = this.done.answers.filter(({ right }) => right === false);
    const choices = answers.flatMap(({ answer }) => ("choices" in answer ? answer.choices : []));
    return this.definition.one ? [...new Set(choices)] : [];
  }

  /** Another window may have answered it. */
  follow() {
    if (this.done.tries !== this.knownTries) this.restore();
    else this.view.update();
  }

  /** Whether each of several questions has its answer. */
  get #isAnswered() {
    return this.definition.kind === "predict" && this.#stepsDone === this.definition.count;
  }

  /** Whether the try that is shown was checked, and the next one is begun by a button. */
  get waitsForAgain() {
    return this.tryNumber < this.#checkedTries;
  }

  /** Whether nothing more is to be done. */
  get isOver() {
    if (this.definition.elsewhere) return true;
    const { right, tries, answers, shown: wasShown = false } = this.done;
    const isSaved = this.definition.kind === "explain" && answers.length > 0;
    const isOut = this.definition.tries !== null && tries >= this.definition.tries;
    return right === true || wasShown || isSaved || isOut;
  }

  /** Whether one may ask for what is right. */
  get mayBeShown() {
    const { kind, elsewhere } = this.definition;
    const mayTell = this.host.tells && SHOWABLE.includes(kind) && !elsewhere;
    const isWrong = this.done.tries >= TRIES_BEFORE_HELP && this.right === false;
    return mayTell && isWrong && !this.showsRight && !this.busy;
  }

  /** The step that its last answer was about, which can be shown again. */
  get shownStep() {
    const judged = this.fields.judged?.();
    return this.isHere && judged?.right === false ? judged.step : null;
  }

  /** Whether the words of one's own are saved as they stand: there is nothing to check. */
  get isSavedAsItStands() {
    const { kind } = this.definition;
    const saved = this.done.answers.at(-1)?.answer;
    const written = this.fields.read();
    return kind === "explain" && JSON.stringify(saved) === JSON.stringify(written);
  }

  /** Whether an answer is wanted, be it for practice. */
  get isOpen() {
    return this.practice ? !this.practice.right : !this.isOver;
  }

  /** Whether one may go on to what follows. */
  get leads() {
    return this.isOver || this.waitsForAgain;
  }

  /** Whether nothing in its fields can be changed. */
  get isLocked() {
    return this.definition.kind !== "explain" && (!this.isOpen || this.waitsForAgain);
  }

  /**
   * Whether it asks what comes next in the run that is shown: the board keeps that to itself until
   * it is answered.
   */
  get asksAhead() {
    return ASKING_AHEAD.includes(this.definition.kind) && this.isHere && !this.isLocked;
  }

  /** Whether an example is to be found that comes next: its score would tell it. */
  get asksForNext() {
    return Boolean(this.definition.ahead) && this.isHere && this.isOpen;
  }

  /** Whether it is half done, in the run that is shown. */
  get isHalfDone() {
    return this.#stepsDone > 0 && this.isHere && this.isOpen;
  }

  /**
   * The examples that it names: those that come, those in its words, those that were chosen; of a
   * prediction the one that is asked about.
   */
  get named() {
    if (!this.isHere) return [];
    if (this.definition.kind === "predict") return this.isOpen ? this.ringed.map(({ i }) => i) : [];
    if (!this.isOpen) return this.#mentioned;
    const chosen = this.fields.namedExamples?.() ?? [];
    return [...new Set([...this.#coming, ...this.#mentioned, ...chosen, ...this.wrong])];
  }

  /** The examples that come next, as many as are asked about. */
  get #coming() {
    const { kind, ahead } = this.definition;
    const length = kind === "perform" ? MOST_NUMBERED : (ahead ?? 0);
    return Array.from({ length }, (_, k) => this.host.example(this.#startTime + k + 1)).filter(
      (i) => i !== null,
    );
  }

  get #mentioned() {
    const { ask, choices } = this.definition;
    return numbersIn([ask, ...(choices ?? [])].map(textOf).join(" "));
  }

  /** The one example that it asks about, where no other is the answer; null: none, or several. */
  get #subject() {
    const { ask, kind } = this.definition;
    const examples = new Set(numbersIn(textOf(ask)));
    return ["number", "choose"].includes(kind) && examples.size === 1 ? [...examples][0] : null;
  }

  /** The example on which it shows the votes: what it explains adds them up, too. */
  get votes() {
    return this.isHere ? this.definition.votes : undefined;
  }

  /**
   * The examples that come, first the one that is asked about, those that were chosen and are not
   * checked, and those of the last answer.
   *
   * @returns {RingedExample[]}
   */
  get ringed() {
    const { host } = this;
    if (!this.isHere) return [];
    const judged = this.fields.judged?.();
    if (judged) {
      return [{ i: judged.example, was: judged.right ? "right" : "wrong" }];
    }
    /** @type {Map<number, RingedExample["was"]>} */
    const rings = new Map();
    if (this.isOpen) {
      const mentioned = this.#mentioned;
      for (const i of this.#coming) if (!mentioned.includes(i)) rings.set(i, "numbered");
      for (const i of this.fields.namedExamples?.() ?? []) rings.set(i, "asked");
    }
    for (const { i, was } of this.rings) rings.set(i, was);
    const next = this.asksAhead && this.isAtStart ? host.example(this.upTo + 1) : null;
    if (next !== null) rings.set(next, "asked");
    const subject = this.#subject;
    if (subject !== null) rings.set(subject, OUTCOMES.get(this.right) ?? "asked");
    return [...rings].map(([i, was]) => ({ i, was }));
  }

  /** What numbers are on the map; the lines of votes are there with them. */
  get figures() {
    if (!this.isHere) return [];
    return this.votes === undefined
      ? this.drawn
      : this.drawn.filter(({ kind }) => kind !== "between");
  }

  /** Whether the board shows where this try starts, or stands. */
  get isAtStart() {
    return this.host.isShown(this.start);
  }

  /** One more hint, as one has asked for. */
  askForHint() {
    this.#openHint();
    this.#save();
    this.view.update();
  }

  #openHint() {
    this.openHints += 1;
    this.note({ hints: Math.max(this.done.hints, this.openHints) });
  }

  /** The counts of the board that would be the answer. */
  get covers() {
    return this.isHere && this.isOpen ? (this.definition.covers ?? []) : [];
  }

  // ---- work ------------------------------------------------------------------------------------

  /**
   * The pointer chose an example of the map. Returns the answer that it is part of, undefined if of
   * none, null if it was that already.
   */
  picked(i) {
    if (this.isLocked || !this.fields.pick) return undefined;
    const told = numbersIn(textOf(this.definition.ask));
    // One is told to point at it: it is not the answer.
    if (told.length === 1 && told[0] === i) return undefined;
    const answer = this.fields.pick(i);
    if (answer !== null) this.used();
    return answer;
  }

  /** Something was written, or chosen. */
  used() {
    this.#save();
    this.open();
    this.view.update();
  }

  /**
   * It is worked on: the board shows where it starts, unless the board itself is the answer and was
   * changed from there; words of one's own are about what one sees.
   */
  open() {
    this.host.workedOn(this);
    if (this.definition.kind === "explain") return;
    const { page, query } = this.start;
    const isOnBoard = this.isHere || (this.startWasShown && this.changesRun);
    if (page === "play" && query && this.isOpen && !isOnBoard) this.host.show(this.start);
  }

  /** The dock's fields, as they are now. @param {Record<string, DockField[]>} groups */
  equip(groups) {
    const { group } = this.fields;
    if (group && groups[group]) this.fields.equip(groups[group]);
  }

  /** An answer was given by one press: of several, the step that it is about plays. */
  #takeAnswer() {
    this.host.workedOn(this);
    this.#save();
    if (this.definition.kind === "predict") this.#reachShown(this.start.t);
    if (this.definition.kind !== "predict" || this.#isAnswered) this.check();
    else this.#askNext();
  }

  /** Another question of this task is asked, or what came of its answer is shown. */
  #askNext() {
    this.#save();
    this.view.update();
    this.view.bringIntoSight();
    this.host.changed();
  }

  check() {
    if (this.busy) return;
    if (this.isLocked) {
      this.view.update(); // It was answered in another window.
      return;
    }
    const { host, view } = this;
    const { page, query } = this.start;
    if (this.changesRun && !this.startWasShown && page === "play" && query) {
      this.say = "The board now shows where this task starts: change it from there.";
      view.tell(this.say);
      host.show(this.start);
      return;
    }
    const { refusedWords } = view;
    if (refusedWords) {
      view.tell(refusedWords);
      return;
    }
    if (!host.settled()) {
      this.awaits = { failures: host.failures() };
      this.#showChecking();
      return;
    }
    const answer = this.fields.read();
    if (typeof answer === "string") {
      view.tell(answer); // The sentence says what is missing.
      return;
    }
    const { tries } = this.done;
    const link = this.#linkOf(answer);
    this.#showChecking();
    host.check({ ...this.place, tried: this.tryNumber, answer }, (result) =>
      this.#take(answer, link, tries, result),
    );
  }

  /** What was set is on the board now, or was given up: an answer that waits for it is checked. */
  resume() {
    const { awaits, host } = this;
    if (!awaits || !host.settled()) return;
    this.awaits = null;
    this.#wait(false);
    if (this.changesRun && host.failures() > awaits.failures) {
      this.view.tell("What you set cannot be shown, so it was not checked.");
    } else this.check();
  }

  /** Go to an instant of whichever run is shown; null: its end. @param {number | null} t */
  #reachShown(t) {
    this.host.reach({ ...this.start, query: "", t });
  }

  /** The board was opened at a step that one has asked for: the next measuring leaves it there. */
  stayOnce() {
    this.staysOnce = true;
  }

  /**
   * Let the engine say how far the board is from what is asked for, before it is checked; the board
   * shows the end of the run, where that is seen.
   */
  #measure() {
    const { host, place, tryNumber } = this;
    const isChangedHere = this.changesRun && !this.definition.elsewhere;
    const isSeen = this.view.element.offsetParent !== null && this.isOpen && this.startWasShown;
    if (!isChangedHere || !isSeen || this.measuring || !host.settled()) return;
    const link = host.link();
    if (link === this.measured?.link) return;
    this.measuring = true;
    host.check(
      { ...place, tried: tryNumber, answer: { link }, live: true },
      ({ checked, failed }) => {
        this.measuring = false;
        const goals = checked?.detail.goals ?? [];
        const words = goals.length ? "" : (checked?.why ?? failed ?? "");
        this.measured = { link, words, goals, areMet: checked?.right === true };
        if (this.isOpen && !this.staysOnce) this.#reachShown(null);
        this.staysOnce = false;
        this.view.update();
        this.#measure(); // The board may have changed while it was measured.
      },
    );
  }

  /** The run that an answer is about. @param {TaskAnswer} answer */
  #linkOf(answer) {
    if ("link" in answer) return answer.link;
    const { page, query } = this.start;
    return page === "play" && query ? query : this.host.link();
  }

  #showChecking() {
    this.#wait(true);
    if (this.definition.kind !== "predict") this.view.tell("…");
  }

  /** While an answer is checked no other is taken; the button keeps the focus. */
  #wait(busy) {
    this.busy = busy;
    this.view.update();
  }

  /**
   * @param {TaskAnswer} answer
   * @param {string} link of the run that it is about
   * @param {number} tries before it
   * @param {{ checked?: CheckedTask } & Refusal} result
   */
  #take(answer, link, tries, result) {
    const { checked, failed } = result;
    this.busy = false;
    if (!checked || checked.detail.unreadable) {
      // This costs no try.
      this.view.update();
      this.view.tell(checked?.why || failed || "The answer could not be checked.");
      return;
    }
    const { detail, right } = checked;
    // The step that was performed is right, and the next one is asked.
    const asksNextStep = detail.step !== undefined && this.fields.addStep?.(detail.step) === true;
    this.say = checked.why;
    this.saysRight = asksNextStep ? null : right;
    this.reason = checked.because;
    this.wrong = this.fields.namedExamples ? (detail.wrong ?? []) : [];
    this.fields.strikeOut?.(detail.wrong ?? []);
    const steps = { startTime: this.#startTime, exampleOf: this.host.example };
    this.rings = ringsOf(answer, checked, steps);
    this.drawn = detail.drawn ?? [];
    this.#moveBoard({ right, asksNextStep, step: detail.step });
    if (!asksNextStep) this.#count(answer, link, tries, right);
    else if (this.practice) this.practice.right = right;
    this.showsRight = false;
    this.#helpIfStuck();
    this.knownTries = this.done.tries;
    // A try with another start, or with new questions, is begun by a button (`again`), so that what
    // was answered stays to be seen.
    const hasNewStart = this.definition.start.length > 1 || this.definition.kind === "predict";
    if (this.isOpen && !hasNewStart) this.tryNumber = this.#checkedTries;
    this.#save();
    this.view.update();
    this.view.bringIntoSight();
    this.host.changed();
  }

  /** A try was checked: it counts, unless it is for practice. */
  #count(answer, link, tries, right) {
    if (this.practice) {
      this.practice.right = right;
      if (!right) this.practice.tries += 1;
      return;
    }
    const note = { answer, right, link, at: new Date().toISOString(), try: tries };
    this.note({ tries: tries + 1, right, answers: [...this.done.answers, note] });
  }

  /** Open the first hint for who was wrong some times and has asked for none. */
  #helpIfStuck() {
    const isStuck = this.done.tries >= TRIES_BEFORE_HELP;
    const needsHint = this.definition.hints.length > 0 && isStuck && !this.done.hints;
    if (needsHint && this.isOpen && !this.practice) this.#openHint();
  }

  /**
   * The board goes to where the answer went wrong, or plays what was right. Where a wrong one is
   * about no step it stays: the end may tell what is asked next.
   */
  #moveBoard({ right, asksNextStep, step = null }) {
    const { host, start } = this;
    if (this.definition.kind === "predict") return; // Each of its answers has played its step.
    if (this.#hasSteps && (asksNextStep || right)) {
      // The fields of the next step are not done; without these all steps are.
      const performed = this.#stepsDone + (asksNextStep ? 0 : 1);
      host.reach({ ...start, t: this.#startTime + performed });
    } else if (right === false && step !== null) {
      this.toldUpTo = step;
      host.reach({ ...start, t: step });
    } else if (right !== null && this.#showsInstantAsked(right)) {
      host.reach(start);
    } else if (this.changesRun) this.#reachShown(null);
  }

  /** Show what is right, which ends the tries that count. */
  showRight() {
    if (!this.mayBeShown) return;
    this.#wait(true);
    this.host.solve({ ...this.place, tried: this.tryNumber }, ({ solution, failed }) => {
      this.#wait(false);
      if (solution) this.#showSolution(solution);
      else this.view.tell(failed || "What is right cannot be shown here.");
    });
  }

  /** @param {PackedAnswer} solution */
  #showSolution(solution) {
    const { host } = this;
    this.practice = null;
    this.note({ shown: true });
    this.#forgetAnswer();
    this.showsRight = true;
    this.say = this.fields.reveal?.(solution) ?? "";
    this.reason = solution.because;
    const asksForExamples = this.definition.kind === "click";
    if (asksForExamples) {
      const examples = /** @type {number[]} */ (solution.right);
      this.rings = examples.map((i) => ({ i, was: /** @type {const} */ ("asked") }));
    }
    this.drawn = solution.drawn ?? [];
    const { answer } = solution;
    this.solution = answer && "link" in answer ? answer.link : "";
    this.#save();
    if (this.solution) host.show(this.board);
    else if (asksForExamples || this.board.t !== null) host.reach(this.board);
    this.view.update();
    this.view.bringIntoSight();
    host.changed();
  }

  /** Show once more the step that the last answer was about. */
  replay() {
    const step = this.shownStep;
    if (step !== null) this.host.replay(step);
  }

  /** Another try, which a button begins: after the last one that counts it is for practice. */
  again() {
    if (this.isOver) this.practice = { tries: this.practice?.tries ?? 0, right: null };
    this.tryNumber = this.#checkedTries;
    this.#forgetAnswer();
    this.toldUpTo = 0;
    this.startWasShown = false;
    // If the board is the answer, it stays as it is; else what is in the fields is forgotten.
    if (!this.changesRun) this.fields = this.#newFields();
    this.#save();
    this.view.renew();
    const { page, query } = this.start;
    if (page === "play" && query) this.host.show(this.start);
    this.host.changed();
  }

  /** Nothing is said or drawn of an answer any more. */
  #forgetAnswer() {
    this.say = "";
    this.saysRight = null;
    this.showsRight = false;
    this.reason = [];
    this.wrong = [];
    this.rings = [];
    this.drawn = [];
  }

  /** What is shown may be another run, or the start of the task. */
  compare() {
    if (this.isHere) {
      this.fields.showExamples?.(this.host.example);
      if (!this.startWasShown && this.changesRun) {
        this.startWasShown = true;
        this.#save();
      }
    }
    this.#measure();
    this.view.update();
  }
}

/** The examples that are named in some words. @param {string} words */
const numbersIn = (words) =>
  [...words.matchAll(/x([₀-₉]+)/g)].map(([, digits]) => plainNumber(digits));
