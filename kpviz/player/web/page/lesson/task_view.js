// What is seen of a task: its question in the place of the sentence, its answers large under it,
// under these what came of the one that was given, and what goes on.

import { make, pressable, put, renew } from "../dom.js";
import { coloured } from "../asking.js";
import { elsewhereOf, nodesOf } from "./words.js";

/** @import { LessonTask } from "../../modes/types.d.ts" */
/** @import { Task } from "./task.js" */

const TRIES = ["", "", "second", "third", "fourth", "fifth"];

export class TaskView {
  /**
   * @param {Task} task
   * @param {(Node | string)[]} prose that stands before the question
   */
  constructor(task, prose) {
    this.task = task;
    task.view = this;
    const { definition, place, host } = task;
    const name = `Task ${place.task + 1}`;
    const id = `asked-${place.scene}-${place.task}`;
    const overall = make("div", { className: "overall" }, ...nodesOf(definition.ask, host));
    this.prose = make("div", { className: "prose" }, ...prose, overall);
    this.overall = overall;
    this.question = make("div", { className: "question", id });
    // By ear each question is told where its answers begin, and so is the next one of a task.
    this.room = make(
      "div",
      {
        className: "room",
        role: "group",
        "aria-labelledby": id,
        inert: Boolean(definition.elsewhere),
        // Choices are part of the question: they are read wherever it is answered.
        hidden: Boolean(definition.elsewhere) && definition.kind !== "choose",
      },
      ...task.fields.nodes,
    );
    // What the board is and should be follows the hand: by ear as soon as it rests.
    this.goals = make("div", { className: "goals", hidden: true });
    this.submitButton = make("button", { type: "submit" }, checkWords(definition));
    this.verdict = make("p", { className: "verdict told", role: "status", tabIndex: -1 });
    this.because = make("div", { className: "because", id: `${id}-because`, hidden: true });
    this.hints = make("div", { className: "hints" });
    this.nextButton = pressable("Next", () => this.#goOn(), {
      className: "main",
      hidden: true,
      "aria-describedby": this.because.id,
    });
    this.startButton = pressable("Show this task’s run", () => host.show(task.start));
    this.replayButton = pressable("Show it again", () => task.replay(), {
      "aria-keyshortcuts": "ArrowLeft",
    });
    this.againButton = pressable("Try again", () => task.again(), { "aria-keyshortcuts": "n" });
    this.showButton = pressable("Show me", () => task.showRight());
    this.hintButton = pressable("Hint", () => {
      task.askForHint();
      if (this.hintButton.hidden) this.#focusAnswer();
    });
    this.guesses = make("span", { className: "guesses", role: "group", ariaLabel: "Your guesses" });
    this.element = make(
      "form",
      { className: `task asking ${definition.kind}`, "aria-labelledby": `${id}-name` },
      make("h4", { className: "unseen", id: `${id}-name` }, name),
      this.prose,
      this.question,
      ...(definition.elsewhere ? [elsewhereOf("This task", definition.elsewhere)] : []),
      make("div", { className: "answering" }, this.room, this.goals, this.submitButton),
      this.verdict,
      this.because,
      this.hints,
      make(
        "div",
        { className: "goes-on" },
        ...[this.nextButton, this.showButton, this.replayButton, this.againButton],
      ),
    );
    this.submitButton.addEventListener("click", (event) => {
      event.preventDefault(); // Enter comes here too; in a sandbox no form is submitted
      task.check();
    });
    this.room.addEventListener("input", () => task.used());
    this.room.addEventListener("click", () => task.open());
    this.update();
  }

  /** What is said of a setting that was typed and is none. */
  get refusedWords() {
    return this.room.querySelector(".wrong:not(button, [hidden])")?.textContent ?? "";
  }

  /** The button that goes on, where there is one: the next thing to press. */
  get nextThing() {
    if (!this.nextButton.hidden) return this.nextButton;
    return this.submitButton.hidden ? null : this.submitButton;
  }

  #goOn() {
    const { task } = this;
    if (task.fields.judged?.()?.hasNext) task.fields.goOn();
    else task.host.goOn();
  }

  /**
   * A key that no field has taken: the number of an answer, or Enter. Returns whether it meant
   * something.
   *
   * @param {string} name
   */
  key(name) {
    const { task } = this;
    if (name === "Enter") {
      const button = this.nextThing;
      if (!button) return false;
      button.click();
      return true;
    }
    if (name === "n" && !this.againButton.hidden) {
      this.againButton.click();
      return true;
    }
    if (!/^[1-9]$/.test(name) || task.isLocked) return false;
    return task.fields.press?.(Number(name) - 1) ?? false;
  }

  /**
   * An arrow gives the first answer or the second, and goes on from one, or shows its step again.
   * Returns whether it meant that.
   *
   * @param {number} direction
   */
  arrow(direction) {
    const { task } = this;
    if (task.definition.kind !== "predict" || !task.isHere) return false;
    if (task.fields.judged() && !this.nextButton.hidden) {
      if (direction > 0) this.nextButton.click();
      else task.replay();
    } else if (!task.isLocked) task.fields.press(direction < 0 ? 0 : 1);
    return true;
  }

  /** Say something that is no verdict. @param {string} words */
  tell(words) {
    this.verdict.replaceChildren(words);
    this.verdict.kpvizShown = null;
    this.bringIntoSight();
  }

  /** What was said, and with it the buttons where there is room for both. */
  bringIntoSight() {
    for (const element of [this.nextThing, this.verdict]) {
      element?.scrollIntoView({ block: "nearest" });
    }
  }

  /** The fields are others: what was answered is forgotten. */
  renew() {
    const hadFocus = this.#hasFocus;
    this.room.replaceChildren(...this.task.fields.nodes);
    this.update();
    if (hadFocus) this.#focusAnswer();
  }

  get #active() {
    return /** @type {ShadowRoot} */ (this.element.getRootNode()).activeElement;
  }

  get #hasFocus() {
    const active = this.#active;
    return active !== null && (this.element.contains(active) || active === this.startButton);
  }

  #focusAnswer() {
    const field = this.room.querySelector("button:not([aria-disabled=true]), input, textarea");
    /** @type {HTMLElement} */ (field ?? this.nextThing ?? this.verdict).focus({
      preventScroll: true,
    });
  }

  update() {
    const hadFocus = this.#hasFocus;
    const wasLeading = !this.nextButton.hidden;
    this.#show();
    if (!hadFocus) return;
    const active = this.#active;
    const isLost =
      !this.#hasFocus || active.matches(":disabled") || active.closest("[hidden]") !== null;
    const leads = !this.nextButton.hidden;
    if (leads && !wasLeading) this.nextButton.focus({ preventScroll: true });
    else if (isLost && !leads && wasLeading) this.#focusAnswer();
    else if (isLost) (this.nextThing ?? this.verdict).focus({ preventScroll: true });
  }

  #show() {
    const { task } = this;
    const { definition, isOpen, fields, right, isLocked } = task;
    const judged = fields.judged?.() ?? null;
    const ask = fields.question?.() ?? "";
    this.overall.hidden = !ask;
    renew(this.question, ask || "the task’s own", () =>
      ask ? coloured(ask) : nodesOf(definition.ask, task.host),
    );
    this.element.classList.toggle("right", right === true);
    this.element.classList.toggle("wrong", right === false && !task.showsRight);
    this.element.classList.toggle("shown", task.showsRight);
    fields.lock(isLocked);
    fields.show?.();
    const { openHints } = task;
    renew(this.hints, openHints, () =>
      definition.hints
        .slice(0, openHints)
        .map((hint) => make("p", {}, "Hint: ", ...nodesOf(hint, task.host))),
    );
    const isAnswered = isLocked || !isOpen || Boolean(judged?.hasNext);
    this.hintButton.hidden = openHints >= definition.hints.length || isAnswered;
    this.hintButton.textContent = openHints ? "Another hint" : "Hint";
    this.submitButton.hidden = isLocked || Boolean(fields.answersAtOnce) || task.isSavedAsItStands;
    this.#showGoals();
    const isReady = task.measured?.areMet ?? typeof fields.read() !== "string";
    this.submitButton.classList.toggle("main", isReady);
    this.submitButton.classList.toggle("early", !isReady); // Pressed, it says what is missing.
    put(this.submitButton, { "aria-disabled": String(task.busy) });
    this.nextButton.hidden = !judged?.hasNext && !task.leads;
    this.nextButton.classList.toggle("main", !isOpen || isLocked || Boolean(judged));
    this.showButton.hidden = !task.mayBeShown;
    this.replayButton.hidden = task.shownStep === null;
    this.#showAgain();
    this.#showStart();
    // While an answer is checked, what was said of the one before is not said once more.
    if (judged || !task.busy) this.#showVerdict(judged);
    this.because.hidden = !task.reason.length;
    renew(this.because, task.reason, () => nodesOf(task.reason, task.host));
    this.#showGuesses(fields.guesses?.() ?? []);
  }

  #showGoals() {
    const { measured, isOpen } = this.task;
    const { goals = [], words = "" } = measured ?? {};
    this.goals.hidden = !measured || !isOpen;
    // By ear the goals are told once one changes the board. What may not be changed is told as soon
    // as it is checked, and only then.
    const areTold = goals.length > 0 && !this.task.isHere;
    put(this.goals, { "aria-live": areTold ? "polite" : "off" });
    renew(this.goals, [goals, words], () =>
      goals.length
        ? goals.map(([isMet, goal]) =>
            make(
              "p",
              { className: isMet ? "was-right" : "was-wrong" },
              `${isMet ? "✓" : "✗"} ${goal}`,
            ),
          )
        : [words],
    );
  }

  /** What begins another try: with new points where there are some. */
  #showAgain() {
    const { definition, isOpen, right, waitsForAgain } = this.task;
    const isGraded = definition.kind !== "explain" && !definition.elsewhere;
    const mayRepeat = waitsForAgain || !isOpen;
    this.againButton.hidden = !isGraded || right === true || !mayRepeat;
    this.againButton.textContent = definition.start.length > 1 ? "Try new points" : "Try again";
  }

  #showStart() {
    const { task, startButton } = this;
    const { page, query } = task.start;
    const isElsewhere = page !== "play" || !query;
    startButton.hidden =
      task.isLocked || isElsewhere || task.isAtStart || task.definition.kind === "explain";
    startButton.textContent = task.isHalfDone ? "Show where it stands" : "Show this task’s run";
  }

  /** @param {ReturnType<NonNullable<Task["fields"]["judged"]>>} judged */
  #showVerdict(judged) {
    const { task } = this;
    const { definition, done, practice } = task;
    const isPart = judged !== null;
    const right = isPart ? judged.right : task.saysRight;
    const isLast = isPart || !task.isOpen;
    const wrongWords = isLast ? "Not this time." : "Not yet.";
    const neither = task.showsRight ? "Shown." : "";
    const bold =
      right === true
        ? rightWords(definition, practice ? 0 : done.tries)
        : right === false
          ? wrongWords
          : neither;
    const look = right === null ? "was-shown" : right ? "was-right" : "was-wrong";
    const why = isPart ? judged.told : task.say.replace(/^(Right|Not yet)\.\s*/, "");
    // The last of several answers is told before it is counted, and not once more after it.
    const tries = isPart ? task.tryNumber + 1 : done.tries;
    const left =
      right !== false || judged?.hasNext || definition.tries === null || practice
        ? ""
        : triesLeft(definition.tries - tries);
    renew(this.verdict, [bold, why, left], () => [
      ...(bold ? [make("b", { className: look }, bold), " "] : []),
      ...coloured(why),
      ...(left ? [" ", make("small", {}, left)] : []),
    ]);
  }

  /** @param {ReturnType<NonNullable<Task["fields"]["guesses"]>>} guesses */
  #showGuesses(guesses) {
    renew(this.guesses, guesses, () =>
      guesses.map(({ words, right, isNow }) => {
        const mark = right === null ? "" : right ? " ✓" : " ✗";
        const outcome = right === null ? "" : right ? "right" : "wrong";
        return make("span", { className: `${outcome}${isNow ? " now" : ""}` }, words, mark);
      }),
    );
    this.guesses.hidden = guesses.length === 0;
  }
}

/** @param {LessonTask} definition @param {number} tries */
function rightWords({ kind }, tries) {
  if (tries < 2 || kind === "predict") return "You were right.";
  return `Right, at the ${TRIES[tries] ?? `${tries}th`} try.`;
}

/** What the button that checks is called. @param {LessonTask} definition */
const checkWords = ({ kind }) => (kind === "explain" ? "Compare with ours" : "Check");

const triesLeft = (count) =>
  count <= 0
    ? "That was the last try that counts."
    : count === 1
      ? "One more try."
      : `${count} more tries.`;
