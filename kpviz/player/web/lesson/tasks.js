// A task of a lesson as a form: what is asked, fields by its kind, hints, and what the engine says of the answer.

import { make } from "../shell/dom.js";
import { elsewhereOf, nodesOf } from "./words.js";
import { fieldsOf, fill, valuesOf } from "./fields.js";

/** @import { Progress } from "./progress.js" */
/** @import { Request, CheckedTask, LessonLink, LessonTask, Refusal, TaskAnswer, Word } from "../types.d.ts" */

/**
 * What a task needs of the pane.
 * @typedef {object} TaskHost
 * @property {Progress} progress
 * @property {(task: NonNullable<Request["task"]>, take: (found: { checked?: CheckedTask } & Refusal) => void) => void} check
 * @property {(link: LessonLink) => void} show what a link shows
 * @property {(link: LessonLink) => void} reach an instant of the run that is shown
 * @property {(address: string) => void} go where a link among the words leads
 * @property {() => string} link of what is shown
 * @property {(link: LessonLink) => boolean} isShown
 * @property {(step: number) => number | null} example which one a step shows
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
    this.say = ""; // what the engine said last
    /** @type {Word[]} */
    this.reason = [];
    this.busy = false; // an answer is being checked
    this.tries = 0; // that are shown
    this.fields = fieldsOf(task, host);
    this.room = make("div", {}, ...this.fields.nodes);
    this.verdict = make("p", { className: "verdict", role: "status", tabIndex: -1 });
    this.because = make("div", { className: "because", hidden: true });
    this.hints = make("div", { className: "hints" });
    this.submit = button("Check", "submit");
    this.hint = button("Hint");
    this.begin = button("Show its start");
    this.apart = make("p", {}, "It is about another run than the one on the board: show its start.");
    this.element = make(
      "form",
      { className: "task" },
      make("div", { className: "ask" }, ...nodesOf(task.ask, host)),
      this.apart,
      this.room,
      ...(task.elsewhere ? [elsewhereOf("This task", task.elsewhere)] : []),
      this.hints,
      make("div", { className: "ways" }, this.submit, this.hint, this.begin),
      this.verdict,
      this.because,
    );
    this.#listen();
    this.recall();
  }

  #listen() {
    this.submit.addEventListener("click", (event) => {
      event.preventDefault(); // Enter comes here too; in a sandbox no form is submitted
      this.#check();
    });
    this.hint.addEventListener("click", () => {
      this.#note({ hints: this.done.hints + 1 });
      this.update();
    });
    this.room.addEventListener("input", () => this.#leave()); // as it is typed
    this.begin.addEventListener("click", () => this.host.show(this.start));
  }

  get done() {
    return this.host.progress.of(this.place.scene, this.place.task);
  }

  #note(changes) {
    this.host.progress.note(this.place.scene, this.place.task, changes);
  }

  /** Where this try starts; one that was begun, where it stands. */
  get start() {
    const link = this.task.start[this.#begins];
    return this.#done ? { ...link, t: this.upTo } : link;
  }

  /** The last instant that tells nothing of what is asked. */
  get upTo() {
    return (this.task.start[this.#begins].t ?? 0) + this.#done;
  }

  /** How many steps are performed already. */
  get #done() {
    return this.fields.done?.() ?? 0;
  }

  /** Which of the starts that is. */
  get #begins() {
    return this.done.tries % this.task.start.length;
  }

  // ---- how it was left --------------------------------------------------------------------------

  #leave() {
    const { say, reason } = this;
    this.host.progress.leave(this.place.scene, this.place.task, {
      start: this.#begins,
      values: valuesOf(this.fields),
      say,
      reason,
    });
  }

  /** Show it as it was left: before a reload, when the scene was left, or in another window. */
  recall() {
    const left = this.host.progress.left(this.place.scene, this.place.task);
    this.tries = this.done.tries;
    if (left) {
      this.say = left.say;
      this.reason = left.reason;
      if (left.start === this.#begins || this.isOver) fill(this.fields, left.values);
    } else if (this.host.progress.isOther(this.place.scene, this.place.task)) this.say = OTHER;
    this.update();
  }

  /** Another window may have answered it. */
  follow() {
    if (this.done.tries !== this.tries) this.recall();
    else this.update();
  }

  /** Whether nothing more is to be done. */
  get isOver() {
    if (this.task.elsewhere) return true;
    const { right, tries, answers } = this.done;
    const kept = this.task.kind === "explain" && answers.length > 0;
    return right === true || kept || (this.task.tries !== null && tries >= this.task.tries);
  }

  /** Whether it asks what comes next in the run that is shown: the board keeps that to itself until it is answered. */
  get asksAhead() {
    return AHEAD.includes(this.task.kind) && this.host.isShown({ ...this.start, t: null }) && !this.isOver;
  }

  /** Whether it is half done, in the run that is shown. */
  get stands() {
    return this.#done > 0 && this.asksAhead;
  }

  /** The pointer chose an example of the map. Returns whether it is part of the answer. */
  picked(i) {
    if (this.isOver || !this.fields.pick) return false;
    this.fields.pick(i);
    this.#leave();
    return true;
  }

  #check() {
    if (this.busy) return;
    if (this.isOver && this.task.kind !== "explain") {
      this.update(); // it was answered in another window
      return;
    }
    const answer = this.fields.read();
    if (typeof answer === "string") {
      this.verdict.textContent = answer; // what is missing
      return;
    }
    const { tries } = this.done;
    this.#wait(true);
    this.verdict.textContent = "…";
    this.host.check({ ...this.place, tried: tries, answer }, (found) => this.#take(answer, tries, found));
  }

  /** While an answer is checked no other is taken; the button keeps the focus. */
  #wait(busy) {
    this.busy = busy;
    this.submit.ariaDisabled = String(busy);
  }

  /**
   * @param {TaskAnswer} answer
   * @param {number} tries before it
   * @param {{ checked?: CheckedTask } & Refusal} found
   */
  #take(answer, tries, found) {
    const { checked, failed } = found;
    this.#wait(false);
    if (!checked || checked.detail.unreadable) {
      this.verdict.textContent = checked?.why || failed || "The answer could not be checked."; // which costs no try
      return;
    }
    const goesOn = checked.detail.step !== undefined && this.fields.more?.(checked.detail.step);
    if (this.fields.done && (goesOn || checked.right)) {
      this.host.reach({ ...this.start, t: this.upTo + (goesOn ? 0 : 1) });
    }
    const { answers } = this.done;
    const at = new Date().toISOString();
    const note = { answer, right: checked.right, link: this.host.link(), at, try: tries };
    this.say = checked.why;
    this.reason = checked.because;
    this.#leave();
    if (!goesOn) this.#note({ tries: tries + 1, right: checked.right, answers: [...answers, note] });
    this.tries = this.done.tries;
    if (!this.isOver && !goesOn && this.task.start.length > 1) this.#renew();
    this.update();
    if (goesOn) this.verdict.scrollIntoView({ block: "nearest" }); // the new step stands above it
    this.host.changed();
  }

  /** The next try is about other data: what was said of these is gone. */
  #renew() {
    this.fields = fieldsOf(this.task, this.host);
    this.room.replaceChildren(...this.fields.nodes);
  }

  /** What is shown may be another run, or the start of the task. */
  compare() {
    const { host, isOver, start, task } = this;
    const begun = host.isShown(start);
    const none = isOver || start.page !== "play" || !start.query; // on this board
    this.begin.hidden = begun || none;
    this.begin.textContent = this.#done ? "Show where it stands" : "Show its start";
    this.apart.hidden = none || CHANGING.includes(task.kind) || host.isShown({ ...start, t: null });
    if (host.isShown({ ...start, t: null })) this.fields.begun?.(host.example);
  }

  update() {
    const focused = /** @type {ShadowRoot} */ (this.element.getRootNode()).activeElement;
    this.#show();
    const lost = this.element.contains(focused) && (focused.matches(":disabled") || focused.matches("[hidden]"));
    if (lost) (this.submit.hidden ? this.verdict : this.submit).focus({ preventScroll: true }); // from which Tab goes on
  }

  #show() {
    const { task, done, isOver } = this;
    const { right, tries, hints } = done;
    this.element.classList.toggle("right", right === true);
    this.element.classList.toggle("wrong", right === false);
    this.hints.replaceChildren(
      ...task.hints.slice(0, hints).map((hint) => make("p", {}, "Hint: ", ...nodesOf(hint, this.host))),
    );
    this.hint.hidden = hints >= task.hints.length || isOver;
    this.hint.textContent = hints ? "Another hint" : "Hint";
    this.submit.hidden = isOver && task.kind !== "explain";
    this.submit.textContent =
      { explain: "Keep", reach: "Check what is shown", draw: "Check what is shown" }[task.kind] ?? "Check";
    this.compare();
    this.fields.lock(isOver && task.kind !== "explain");
    const left = task.tries === null ? "" : ` ${triesLeft(task.tries - tries)}`;
    const before = right === true ? "Right." : right === false ? "Not right yet." : "";
    this.verdict.textContent = `${this.say || before}${right === false ? left : ""}`;
    this.because.hidden = !this.reason.length;
    this.because.replaceChildren(...nodesOf(this.reason, this.host));
  }
}

const OTHER = "When you answered here, another task stood in this place: this one begins anew.";
const AHEAD = ["predict", "perform"]; // in which one says what comes
const CHANGING = ["reach", "draw"]; // in which one leaves the run of the start

const triesLeft = (count) =>
  count <= 0 ? "There are no more tries." : count === 1 ? "One more try." : `${count} more tries.`;

/** @type {(words: string, type?: "button" | "submit") => HTMLButtonElement} */
const button = (words, type = "button") => make("button", { type }, words);
