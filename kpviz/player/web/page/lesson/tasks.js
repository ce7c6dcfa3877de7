// A task of a lesson as a form: what is asked, what was said of the last answer, fields by the
// task's kind, hints.

import { make, pressable } from "../dom.js";
import { elsewhereOf, nodesOf, textOf } from "./words.js";
import { ringsOf } from "./answer_marks.js";
import { fieldsOf, fill, plainNumber, valuesOf } from "./fields.js";

/** @import { Dock } from "../dock/dock.js" */
/** @import { DockField } from "../dock/types.d.ts" */
/** @import { Progress } from "./progress.js" */
/** @import { CheckedTask, LessonLink, LessonTask } from "../../modes/types.d.ts" */
/** @import { RingedExample, TaskAnswer, Word } from "../../modes/types.d.ts" */
/** @import { Figure } from "../../run/types.d.ts" */
/** @import { Request, Refusal } from "../../service/types.d.ts" */

/**
 * What a task needs of the pane.
 * @typedef {object} TaskHost
 * @property {Progress} progress
 * @property {() => void} unkept the browser did not keep an answer
 * @property {(task: NonNullable<Request["task"]>, take: (result: { checked?: CheckedTask } &
 *   Refusal) => void) => void} check
 * @property {(link: LessonLink) => void} show what a link shows
 * @property {(link: LessonLink) => void} reach an instant of the run that is shown; t null: its end
 * @property {(address: string) => void} go where a link among the words leads
 * @property {() => string} link of what is shown
 * @property {() => boolean} settled what is shown is what was asked for: nothing is on its way
 * @property {() => number} failures how often what was asked for was refused, or given up
 * @property {(link: LessonLink) => boolean} isShown
 * @property {(step: number) => number | null} example which one a step shows
 * @property {(form: TaskForm) => void} workedOn
 * @property {() => Dock | null} dock which makes the fields of settings
 * @property {(y: number, byKey: boolean) => void} draw points of a class, on the map
 * @property {() => void} changed more or less of the lesson is done
 */

export class TaskForm {
  /**
   * @param {LessonTask} task
   * @param {{ scene: number, task: number }} place
   * @param {TaskHost} host
   */
  constructor(task, place, host) {
    this.task = task;
    this.place = place;
    this.host = host;
    this.say = ""; // What the engine said last.
    /** @type {Word[]} */
    this.reason = [];
    this.busy = false; // An answer is being checked.
    /** @type {{ failures: number } | null} */
    this.awaits = null; // It is to be checked as soon as the board shows what was set.
    this.shownTries = 0; // So many tries are shown; another window may have added some.
    this.startWasShown = false; // Whether its start was on the board.
    this.toldUpTo = 0; // The last feedback has told what happens up to this step.
    /** @type {number[]} */
    this.wrong = []; // Wrong examples of the last answer.
    // What the last answer left on the map of its run.
    /** @type {{ start: LessonLink, rings: RingedExample[], figures: Figure[] } | null} */
    this.judged = null;
    /** @type {LessonLink | null} */
    this.oldStart = null; // The run of the last answer, where new points came since.
    /** @type {{ round: number, right: boolean | null } | null} */
    this.practice = null; // The tries after the last one that counts.
    this.fields = fieldsOf(task, host);
    this.room = make("div", {}, ...this.fields.nodes);
    this.verdict = make("p", { className: "verdict", role: "status", tabIndex: -1 });
    this.because = make("div", { className: "because", hidden: true });
    this.renewed = make("p", { className: "renewed", hidden: true });
    this.hints = make("div", { className: "hints" });
    this.submitButton = make("button", { type: "submit" }, "Check");
    this.hintButton = pressable("Hint", () => {
      this.#note({ hints: this.done.hints + 1 });
      this.update();
    });
    this.startButton = pressable("Show this task’s run", () => host.show(this.start));
    this.oldPointsButton = pressable("Look at the old points", () => host.show(this.oldStart));
    this.againButton = pressable("Try again", () => this.#practise());
    const name = `Task ${place.task + 1}`;
    this.element = make(
      "form",
      { className: "task", ariaLabel: name },
      make("h4", { className: "unseen" }, name),
      make("div", { className: "ask" }, ...nodesOf(task.ask, host)),
      this.verdict,
      this.because,
      this.oldPointsButton,
      this.renewed,
      this.room,
      ...(task.elsewhere ? [elsewhereOf("This task", task.elsewhere)] : []),
      this.hints,
      make(
        "div",
        { className: "ways" },
        this.submitButton,
        this.hintButton,
        this.startButton,
        this.againButton,
      ),
    );
    this.submitButton.addEventListener("click", (event) => {
      event.preventDefault(); // Enter comes here too; in a sandbox no form is submitted
      this.#check();
    });
    this.room.addEventListener("input", () => this.#used());
    this.room.addEventListener("click", () => this.#open());
    this.recall();
  }

  get done() {
    return this.host.progress.of(this.place.scene, this.place.task);
  }

  #note(changes) {
    if (!this.host.progress.note(this.place.scene, this.place.task, changes)) this.host.unkept();
  }

  /** Where this try starts; of one that is half done, where it stands. */
  get start() {
    const link = this.task.start[this.#startIndex];
    return this.fields.done ? { ...link, t: this.#startTime + this.#stepsDone } : link;
  }

  /** The last instant that tells nothing of what is asked, or that was told already. */
  get upTo() {
    return Math.max(this.#startTime + this.#stepsDone, this.toldUpTo);
  }

  get #startTime() {
    return this.task.start[this.#startIndex].t ?? 0;
  }

  /** How many steps are performed already. */
  get #stepsDone() {
    return this.fields.done?.() ?? 0;
  }

  /** Which of its starts this try has. */
  get #startIndex() {
    return this.#rounds % this.task.start.length;
  }

  /** How many tries there were, practice included. */
  get #rounds() {
    return this.done.tries + (this.practice?.round ?? 0);
  }

  /** Whether this run is on the board. */
  get isHere() {
    return this.host.isShown({ ...this.start, t: null });
  }

  // ---- how it was left -------------------------------------------------------------------------

  #leave() {
    const { say, reason, startWasShown: begun } = this;
    const left = { start: this.#startIndex, values: valuesOf(this.fields), say, reason, begun };
    this.host.progress.leave(this.place.scene, this.place.task, left);
  }

  /** Show it as it was left: before a reload, when the scene was left, or in another window. */
  recall() {
    const left = this.host.progress.left(this.place.scene, this.place.task);
    this.shownTries = this.done.tries;
    if (left) {
      Object.assign(this, {
        say: left.say,
        reason: left.reason,
        startWasShown: left.begun ?? false,
      });
      if (left.start === this.#startIndex || this.isOver || !this.fields.done) {
        fill(this.fields, left.values);
      }
    } else if (this.host.progress.isOther(this.place.scene, this.place.task)) this.say = OTHER;
    this.update();
  }

  /** Another window may have answered it. */
  follow() {
    if (this.done.tries !== this.shownTries) this.recall();
    else this.update();
  }

  /** Whether nothing more is to be done. */
  get isOver() {
    if (this.task.elsewhere) return true;
    const { right, tries, answers } = this.done;
    const isSaved = this.task.kind === "explain" && answers.length > 0;
    return right === true || isSaved || (this.task.tries !== null && tries >= this.task.tries);
  }

  /** Whether an answer is wanted, be it for practice. */
  get isOpen() {
    return this.practice ? !this.practice.right : !this.isOver;
  }

  /**
   * Whether it asks what comes next in the run that is shown: the board keeps that to itself until
   * it is answered.
   */
  get asksAhead() {
    return ASKING_AHEAD.includes(this.task.kind) && this.isHere && this.isOpen;
  }

  /** Whether it is half done, in the run that is shown. */
  get stands() {
    return this.#stepsDone > 0 && this.asksAhead;
  }

  /**
   * The examples that it names, which are ringed on the map: those that come, those in its words,
   * those that were chosen.
   */
  get named() {
    if (!this.isHere || !this.isOpen) return [];
    const chosen = this.fields.chosen?.() ?? [];
    return [...new Set([...this.#coming, ...this.#mentioned, ...chosen, ...this.wrong])];
  }

  /** The examples that come next, as many as are asked about. */
  get #coming() {
    const { kind, count, ahead } = this.task;
    const length = ASKING_AHEAD.includes(kind) ? (count ?? MOST_NUMBERED) : (ahead ?? 0);
    return Array.from({ length }, (_, k) => this.host.example(this.#startTime + k + 1)).filter(
      (i) => i !== null,
    );
  }

  get #mentioned() {
    const { ask, choices } = this.task;
    return numbersIn([ask, ...(choices ?? [])].map(textOf).join(" "));
  }

  /**
   * The examples that come, first the one that is asked about, those that were chosen and are not
   * checked, and those of the last answer.
   *
   * @returns {RingedExample[]}
   */
  get ringed() {
    const { host, judged } = this;
    /** @type {Map<number, RingedExample["was"]>} */
    const rings = new Map();
    if (this.isHere && this.isOpen) {
      const mentioned = this.#mentioned;
      for (const i of this.#coming) if (!mentioned.includes(i)) rings.set(i, "numbered");
      for (const i of this.fields.chosen?.() ?? []) rings.set(i, "asked");
    }
    if (judged && host.isShown({ ...judged.start, t: null })) {
      for (const { i, was } of judged.rings) rings.set(i, was);
    }
    const { count } = this.task;
    const asksNext = this.asksAhead && this.upTo < this.#startTime + (count ?? Infinity);
    const next = asksNext && host.isShown({ ...this.start, t: this.upTo });
    if (next) rings.set(host.example(this.upTo + 1), "asked");
    return [...rings].map(([i, was]) => ({ i, was }));
  }

  /** What the number of the last answer is on the map. */
  get figures() {
    const { host, judged } = this;
    return judged && host.isShown({ ...judged.start, t: null }) ? judged.figures : [];
  }

  /** Whether the board shows where this try starts, or stands. */
  get isAtStart() {
    return this.host.isShown(this.start);
  }

  /** The counts of the board that would be the answer. */
  get covers() {
    return this.isHere && this.isOpen ? (this.task.covers ?? []) : [];
  }

  // ---- work ------------------------------------------------------------------------------------

  /**
   * The pointer chose an example of the map. Returns the answer that it is part of, undefined if of
   * none.
   */
  picked(i) {
    if (!this.isOpen || !this.fields.pick) return undefined;
    const told = numbersIn(textOf(this.task.ask));
    // One is told to point at it: it is not the answer.
    if (told.length === 1 && told[0] === i) return undefined;
    const answer = this.fields.pick(i);
    this.#used();
    return answer;
  }

  /** Something was written, or chosen. */
  #used() {
    this.#leave();
    this.#open();
  }

  /**
   * It is worked on: the board shows where it starts, unless the board itself is the answer and was
   * changed from there; words of one's own are about what one sees.
   */
  #open() {
    this.host.workedOn(this);
    if (this.task.kind === "explain") return;
    const { page, query } = this.start;
    const stays = this.isHere || (this.startWasShown && CHANGING_THE_RUN.includes(this.task.kind));
    if (page === "play" && query && this.isOpen && !stays) this.host.show(this.start);
  }

  /** The dock's fields, as they are now. @param {Record<string, DockField[]>} groups */
  equip(groups) {
    const { group } = this.fields;
    if (group && groups[group]) this.fields.equip(groups[group]);
  }

  #check() {
    if (this.busy) return;
    if (!this.isOpen && this.task.kind !== "explain") {
      this.update(); // It was answered in another window.
      return;
    }
    const { host, task } = this;
    const { page, query } = this.start;
    if (CHANGING_THE_RUN.includes(task.kind) && !this.startWasShown && page === "play" && query) {
      this.#say((this.say = "The board now shows where this task starts: change it from there."));
      host.show(this.start);
      return;
    }
    // A setting was typed that is none.
    const refused = this.room.querySelector(".wrong:not([hidden])");
    if (refused) {
      this.#say(refused.textContent);
      return;
    }
    if (!host.settled()) {
      this.awaits = { failures: host.failures() };
      this.#showChecking();
      return;
    }
    const answer = this.fields.read();
    if (typeof answer === "string") {
      this.#say(answer); // The sentence says what is missing.
      return;
    }
    const { tries } = this.done;
    const link = this.#linkOf(answer);
    this.#showChecking();
    host.check({ ...this.place, tried: this.#rounds, answer }, (result) =>
      this.#take(answer, link, tries, result),
    );
  }

  /** What was set is on the board now, or was given up: an answer that waits for it is checked. */
  resume() {
    const { awaits, host, task } = this;
    if (!awaits || !host.settled()) return;
    this.awaits = null;
    this.#wait(false);
    if (CHANGING_THE_RUN.includes(task.kind) && host.failures() > awaits.failures) {
      this.#say("What you set cannot be shown, so it was not checked.");
    } else this.#check();
  }

  /** The run that an answer is about. @param {TaskAnswer} answer */
  #linkOf(answer) {
    if ("link" in answer) return answer.link;
    const { page, query } = this.start;
    return page === "play" && query ? query : this.host.link();
  }

  #showChecking() {
    this.#wait(true);
    this.verdict.textContent = "…";
  }

  /** While an answer is checked no other is taken; the button keeps the focus. */
  #wait(busy) {
    this.busy = busy;
    this.submitButton.ariaDisabled = String(busy);
  }

  #say(words) {
    this.verdict.textContent = words;
    this.#bringIntoSight();
  }

  /** What was said, and with it the buttons where there is room for both. */
  #bringIntoSight() {
    for (const element of [this.submitButton, this.verdict]) {
      element.scrollIntoView({ block: "nearest" });
    }
  }

  /**
   * @param {TaskAnswer} answer
   * @param {string} link of the run that it is about
   * @param {number} tries before it
   * @param {{ checked?: CheckedTask } & Refusal} result
   */
  #take(answer, link, tries, result) {
    const { checked, failed } = result;
    this.#wait(false);
    if (!checked || checked.detail.unreadable) {
      this.#say(checked?.why || failed || "The answer could not be checked."); // This costs no try.
      return;
    }
    const { detail, right } = checked;
    const goesOn = detail.step !== undefined && this.fields.more?.(detail.step);
    Object.assign(this, { say: checked.why, reason: checked.because, oldStart: null });
    this.wrong = (this.fields.chosen && detail.wrong) || [];
    this.fields.cross?.(detail.wrong ?? []);
    const { host, start } = this;
    const steps = { startTime: this.#startTime, exampleOf: host.example };
    const rings = ringsOf(answer, checked, steps);
    this.judged = { start, rings, figures: detail.drawn ?? [] };
    this.#walk({ right, goesOn, step: detail.step });
    this.#leave();
    const at = new Date().toISOString();
    const note = { answer, right, link, at, try: tries };
    if (this.practice) this.practice.right = right;
    else if (!goesOn) {
      this.#note({ tries: tries + 1, right, answers: [...this.done.answers, note] });
    }
    this.shownTries = this.done.tries;
    if (this.isOpen && !goesOn) this.#renew();
    this.update();
    this.#bringIntoSight();
    this.host.changed();
  }

  /**
   * The board goes to where the answer went wrong, or plays what was right. Where a wrong one is
   * about no step it stays: the end may tell what is asked next.
   */
  #walk({ right, goesOn, step = null }) {
    const { host, start, task } = this;
    const isAboutStep = start.t !== null || task.kind === "click";
    if (this.fields.done && (goesOn || right)) {
      host.reach({ ...start, t: this.#startTime + this.#stepsDone + (goesOn ? 0 : 1) });
    } else if (right === false && step !== null) {
      this.toldUpTo = step;
      host.reach({ ...start, t: step });
    } else if (right === false && READING_THE_RUN.includes(task.kind) && isAboutStep) {
      host.reach(start);
    } else if (right && task.kind === "predict") {
      host.reach({ ...start, t: this.#startTime + task.count });
    } else if (right && READING_THE_RUN.includes(task.kind) && (isAboutStep || task.plays)) {
      host.reach(start);
    } else if (CHANGING_THE_RUN.includes(task.kind)) host.reach({ ...start, query: "", t: null });
  }

  /**
   * The next try may have other points: they are shown at once, and of the old ones what was wrong.
   */
  #renew() {
    const { task, practice } = this;
    if (practice) practice.round += 1;
    const count = task.start.length;
    if (count < 2) return;
    const last = task.start[(this.#startIndex + count - 1) % count];
    this.oldStart = { ...last, t: this.toldUpTo || last.t };
    Object.assign(this, { toldUpTo: 0, wrong: [], startWasShown: false });
    this.#empty(); // What was answered is about the old points.
    this.#leave();
    this.host.show(this.start);
  }

  /** After the last try one may go on, which counts no more. */
  #practise() {
    this.practice = { round: 0, right: null };
    Object.assign(this, { say: "", reason: [], toldUpTo: 0 });
    if (this.task.start.length > 1 || this.fields.done) {
      this.host.show(this.start);
      this.#empty();
    }
    this.update();
    this.host.changed();
  }

  /** Fields in which nothing is; those that change the board say what it shows. */
  #empty() {
    if (CHANGING_THE_RUN.includes(this.task.kind)) return;
    const { activeElement } = /** @type {ShadowRoot} */ (this.element.getRootNode());
    const hadFocus = this.room.contains(activeElement);
    this.fields = fieldsOf(this.task, this.host);
    this.room.replaceChildren(...this.fields.nodes);
    if (hadFocus)
    /** @type {HTMLElement} */ {
      this.room.querySelector("input")?.focus({ preventScroll: true });
    }
  }

  /** What is shown may be another run, or the start of the task. */
  compare() {
    const { host, start, task, isHere, isOpen } = this;
    const { page, query } = start;
    this.startButton.hidden = !isOpen || page !== "play" || !query || this.isAtStart;
    if (this.startButton.hidden === false && this.#stepsDone && isHere) {
      this.startButton.textContent = "Show where it stands";
    } else this.startButton.textContent = "Show this task’s run";
    this.oldPointsButton.hidden = !this.oldStart || host.isShown(this.oldStart);
    if (!isHere) return;
    this.fields.begun?.(host.example);
    if (this.startWasShown || !CHANGING_THE_RUN.includes(task.kind)) return;
    this.startWasShown = true;
    this.#leave();
  }

  update() {
    const focused = /** @type {ShadowRoot} */ (this.element.getRootNode()).activeElement;
    this.#show();
    const lost =
      this.element.contains(focused) &&
      (focused.matches(":disabled") || focused.matches("[hidden]"));
    if (!lost) return;
    // Tab goes on from there.
    const next = this.submitButton.hidden ? this.verdict : this.submitButton;
    next.focus({ preventScroll: true });
  }

  #show() {
    const { task, done, isOpen, practice } = this;
    const { tries, hints } = done;
    const right = practice ? practice.right : done.right;
    this.element.classList.toggle("right", right === true);
    this.element.classList.toggle("wrong", right === false);
    this.hints.replaceChildren(
      ...task.hints
        .slice(0, hints)
        .map((hint) => make("p", {}, "Hint: ", ...nodesOf(hint, this.host))),
    );
    this.hintButton.hidden = hints >= task.hints.length || !isOpen;
    this.hintButton.textContent = hints ? "Another hint" : "Hint";
    this.submitButton.hidden = !isOpen && task.kind !== "explain";
    this.submitButton.textContent = checkWords(task);
    const several = task.start.length > 1;
    const graded = task.kind !== "explain" && !task.elsewhere;
    this.againButton.hidden = isOpen || right === true || !graded;
    this.againButton.textContent = several ? "Again, with new points" : "Try again";
    const number = task.tries === null ? "" : ` (try ${tries + 1} of ${task.tries})`;
    this.renewed.textContent = `New points, same question${practice ? "" : number}.`;
    this.renewed.hidden = !isOpen || !several || !this.#rounds;
    this.compare();
    this.fields.lock(!isOpen && task.kind !== "explain");
    const left = task.tries === null || several || practice ? "" : triesLeft(task.tries - tries);
    const before = right === true ? "Right." : right === false ? "Not right yet." : "";
    this.verdict.textContent = [
      this.say || before,
      ...(right === false && left ? [left] : []),
    ].join("\n");
    this.because.hidden = !this.reason.length;
    this.because.replaceChildren(...nodesOf(this.reason, this.host));
  }
}

const OTHER = "This task has changed since you answered it. Please answer again.";
const ASKING_AHEAD = ["predict", "perform"]; // One says what comes.
const CHANGING_THE_RUN = ["reach", "draw"]; // One leaves the run of the start.
const READING_THE_RUN = ["number", "choose", "click"]; // One reads an instant of the run.
const MOST_NUMBERED = 12; // So many examples of a pass are numbered.

/** The examples that are named in some words. @param {string} words */
const numbersIn = (words) =>
  [...words.matchAll(/x([₀-₉]+)/g)].map(([, digits]) => plainNumber(digits));

/** What the button that checks is called. @param {LessonTask} task */
function checkWords({ kind, within = [] }) {
  if (kind === "explain") return "Save";
  if (kind === "reach") return "Check my settings";
  if (kind !== "draw") return "Check";
  const isOrder = within.length > 0 && within.every(({ name }) => name === "order");
  return isOrder ? "Check my order" : "Check my points";
}

const triesLeft = (count) =>
  count <= 0
    ? "That was the last try that counts."
    : count === 1
      ? "One more try."
      : `${count} more tries.`;
