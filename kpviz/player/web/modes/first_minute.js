// The first minute: a visitor guesses what the machine will say of the next point, going by what it
// remembers so far. It asks by the question, with words and buttons of its own beside the map, and
// shows nothing else of the board. Once in a browser, on the address without settings, unless a
// frame shows it; or when somebody asks for it.

import {
  answerOf,
  bricksOf,
  endOf,
  guessesOf,
  isPlayable,
  longestEndOf,
  placesOf,
  questionOf,
  QUESTIONS,
} from "./first_minute_words.js";
import { layoutOf } from "../board/layout.js";
import { colour, counted } from "../run/words.js";
import { coloured } from "../page/asking.js";
import { make, pressable, put, roomOf } from "../page/dom.js";
import { WAYS } from "../page/what_next.js";
import { keep, recall, PLACES } from "../service/texts.js";

/** @import { BoardShape } from "../board/types.d.ts" */
/** @import { Question } from "./question.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Stage } from "../page/stage.js" */
/** @import { KeyPress, Mode } from "./types.d.ts" */

/**
 * Whether this browser has not played it, which it keeps from now on; false where it may keep
 * nothing.
 */
const isNew = () => recall(PLACES.opening) === null && keep(PLACES.opening, "seen");
const FIRST = 1800; // For so many ms nothing is known yet.
const AFTER = { mistake: 1500, right: 800 }; // So many ms pass until the next question.
const PLAYS = 4; // The remainder of the run plays in so many seconds.
const LINK = { link: "v=1", origin: null };

const MOST_BRICKS = 80; // No window has room for more in one row.
const LEARNS =
  "It goes through all the points again and again. In the timeline, each tick is a mistake.";
const BRICKS = "Each mistake adds a brick in the colour of its point.";
const VOTES = "of the map: lines show which points vote.";
const MARGINS = " The bars are margins: how far each point is on the right side of 0.";
const SKIP = "Skip: the whole board";
const ALL = "The whole board"; // There is nothing left to skip.

/**
 * The points that were shown by now, the first from the start; `unknown`: the one whose class is
 * asked for, -1 for none.
 *
 * @param {Run} run
 * @param {number} t
 * @param {boolean} asking
 */
function pointsOf({ trace: { index } }, t, asking) {
  return {
    seen: new Set(index.slice(0, Math.max(t, 1))),
    unknown: asking && t > 0 ? index[t] : -1,
  };
}

/** @implements {Mode} */
export class FirstMinute {
  name = "first minute";
  guides = true;
  namesPoints = false;
  fillsPage = true;
  /** @type {"first" | "ask" | "answered" | "ready" | "learns" | "done" | null} */
  phase = null; // It is null while the whole board is there.
  answer = ""; // It tells what the machine said last.
  guesses = ""; // It tells how many were right, once all are made.
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  speed = 0; // The speed of playing before the remainder of the run plays; 0 at other times.
  /** @type {number | null} */
  due = null; // The number of the question with which the run was asked for again.
  /** @type {Run | null} */
  endedRun = null; // The run whose end is told.

  /** @param {Stage} stage @param {Question} question */
  constructor(stage, question) {
    this.stage = stage;
    this.question = question;
    const { opened, extras } = stage.link;
    const isBare = opened === "" && !extras.lesson && stage.session !== null;
    // Known before there is a run, so that no board flashes up.
    this.expected =
      isBare &&
      stage.player.capabilities.page === "play" &&
      window === window.top &&
      recall(PLACES.opening) === null;
    this.#makeHead();
    this.#makeWords();
    if (this.expected) this.#announce();
  }

  #makeHead() {
    const title = coloured("Can a machine learn to tell orange from blue?");
    const brand = make("p", { className: "brand" }, "kpviz");
    this.skip = pressable(SKIP, () => this.leave(), { className: "skip" });
    this.head = make(
      "header",
      { className: "minute-head overlay" },
      make("div", {}, brand, this.skip),
      make("h1", {}, ...title),
    );
  }

  #makeWords() {
    this.told = make("p", { className: "told" });
    this.sentenceBox = make("p", { className: "question", id: "minute-question" });
    this.places = make("p", { className: "unseen", id: "minute-places" });
    this.choices = [1, -1].map((y) =>
      make(
        "button",
        { type: "button", className: colour(y), onclick: () => this.guess(y) },
        make("i", { className: y > 0 ? "circle" : "square" }),
        colour(y),
      ),
    );
    const described = {
      className: "answers",
      role: "group",
      "aria-labelledby": "minute-question",
      "aria-describedby": "minute-places",
    };
    this.answers = make("div", described, ...this.choices);
    this.learn = pressable("Let it learn by itself", () => this.play(), { className: "main" });
    this.ways = make(
      "div",
      { className: "ways" },
      pressable("Break it: draw your own", () => this.#leaveTo("draw")),
      pressable("A straight line instead?", () => this.#leaveTo("line")),
      pressable("Lesson\u00a01 (15\u00a0min)", () => this.#leaveTo("lesson")),
    );
    this.turns = make("div", { className: "turned" });
    this.bricks = make("span", { className: "row" });
    this.count = make("span", { className: "count" });
    this.remembered = make(
      "p",
      { className: "bricks", role: "img" },
      make("span", {}, "Remembered"),
      this.bricks,
      this.count,
    );
    this.scoreBox = make("p", { className: "score" });
    this.more = make("p", { className: "more" });
    this.say = make(
      "section",
      { className: "minute-say overlay", tabIndex: -1, ariaLabel: "You are the machine" },
      this.told,
      this.sentenceBox,
      this.places,
      this.answers,
      this.learn,
      this.ways,
      this.turns,
      make("div", { className: "state" }, this.remembered, this.scoreBox),
      this.more,
    );
  }

  get on() {
    return this.phase !== null;
  }

  /** The question stands there before there is a run. */
  #announce() {
    const { root } = this.stage;
    root.classList.add("minute");
    root.prepend(this.head);
    this.#place({ ...roomOf(root), touch: this.stage.player.byTouch });
  }

  /** @param {Partial<BoardShape> & { width: number, height: number }} shape */
  #laidOut(shape, panelNames = ["map"]) {
    return layoutOf(new Set(panelNames), { ...shape, kind: "question", knob: true });
  }

  /** @param {Partial<BoardShape> & { width: number, height: number }} shape */
  #place(shape) {
    const { x, w, head, isUnder } = this.#laidOut(shape).say;
    const headStyle = { left: `${head.x}px`, top: `${head.y}px`, width: `${head.w}px` };
    Object.assign(this.head.style, headStyle);
    Object.assign(this.say.style, { left: `${x}px`, width: `${w}px` });
    this.stage.root.classList.toggle("under", isUnder);
  }

  /** Keep pointer, keys and screen readers off the map. */
  #cover(on) {
    put(this.stage.canvas, { inert: on, "aria-hidden": on });
  }

  // ---- when it begins --------------------------------------------------------------------------

  /** The first run is on the stage. */
  opens() {
    if (!this.expected) return;
    const { player } = this.stage;
    if (player.t === 0 && !player.bare && isPlayable(player.run) && isNew()) this.#start();
    else this.stop();
    this.expected = false;
  }

  /** Play it again, with the run that it is about. */
  again() {
    const { player, controls, dock, lesson, present, session } = this.stage;
    present.end();
    controls.menu(null);
    dock.close();
    player.modes.all("makeWay");
    if (lesson.open) lesson.close();
    if (session.state.link === LINK.link) this.#start();
    else this.due = session.command("replace", LINK);
  }

  /** An answer has come: with the run that was asked for. */
  settled() {
    if (this.due === null || this.stage.session.awaits(this.due)) return;
    this.due = null;
    if (isPlayable(this.stage.player.run)) this.#start();
  }

  #start() {
    const { player } = this.stage;
    const { cursor } = player;
    this.phase = "first";
    this.answer = "";
    this.#announce();
    this.head.after(this.say);
    this.#cover(true);
    player.state.change({ pinned: null });
    cursor.put(0);
    this.question.predictFrom(0, { questions: QUESTIONS, isHosted: true });
    player.modes.enter(this);
    if (cursor.reducedMotion) this.#remember();
    else this.timer = setTimeout(() => this.#remember(), FIRST);
    this.#show();
  }

  // ---- going through it ------------------------------------------------------------------------

  /** The first point is remembered without a question. */
  #remember() {
    this.question.answer(null);
    this.#wait();
  }

  /**
   * What the visitor thinks that the machine will say: a class; null: go on without a guess.
   *
   * @param {number | null} guess
   */
  guess(guess) {
    const { run, t } = this.stage.player;
    if (this.phase === "first") this.#remember();
    if (this.phase !== "ask") return;
    this.question.answer(guess);
    this.answer = answerOf(run, t, guess);
    this.#wait();
  }

  /** See what the step does, then the next question. */
  #wait() {
    const { cursor, run, t } = this.stage.player;
    clearTimeout(this.timer);
    this.phase = "answered";
    const pause = run.trace.mistake[t - 1] ? AFTER.mistake : AFTER.right;
    if (cursor.reducedMotion) {
      this.#next();
      return;
    }
    this.timer = setTimeout(() => this.#next(), pause);
    this.#show();
  }

  #next() {
    const { question } = this;
    const { cursor, t } = this.stage.player;
    this.phase = t < QUESTIONS.length ? "ask" : "ready";
    if (this.phase === "ask") question.nextQuestion();
    else {
      this.guesses = guessesOf(question.answers);
      question.end();
      cursor.put(t);
    }
    this.#show();
  }

  /** The remainder of the run plays by itself. */
  play() {
    const { cursor, clock, runs, t } = this.stage.player;
    if (this.phase !== "ready") return;
    this.phase = "learns";
    this.#show();
    if (cursor.reducedMotion) {
      cursor.go(Infinity);
      return;
    }
    this.speed = clock.speed;
    clock.speed = (runs.end - t) / PLAYS;
    cursor.toggle();
  }

  /** After each frame: the bricks of the instant, and the end of the run. */
  drawn() {
    this.#layBricks();
    const { clock, cursor, run, runs, t } = this.stage.player;
    // The width of its hills was turned.
    if (this.phase === "done" && this.endedRun !== run) this.#tellEnd(run);
    if (this.phase !== "learns" || clock.playing) return;
    this.#slowDown();
    if (t < runs.end) cursor.go(Infinity);
    this.phase = "done";
    this.endedRun = run;
    this.#cover(false);
    const { quick } = this.stage.dock;
    quick.standsAlone(true);
    this.turns.append(quick.element);
    this.#show();
  }

  /** @param {Run} run */
  #tellEnd(run) {
    this.endedRun = run;
    this.sentenceBox.textContent = endOf(run);
    this.stage.arrange();
  }

  #slowDown() {
    if (this.speed) this.stage.player.clock.speed = this.speed;
    this.speed = 0;
  }

  // ---- leaving it ------------------------------------------------------------------------------

  /** The whole board, where the run is; before a guess at its start. */
  leave() {
    const { question, stage } = this;
    // Before there is a run nothing has begun yet.
    if (this.expected) this.expected = !isNew();
    const isUntouched = question.on && question.answers.size === 0;
    this.stop();
    if (isUntouched) stage.player.cursor.put(0);
    stage.recolour();
  }

  #leaveTo(way) {
    this.leave();
    WAYS[way][1](this.stage);
  }

  presents() {
    this.stop();
  }

  stop() {
    const { player, root, controls, dock } = this.stage;
    const hadFocus = [this.head, this.say].some((box) => box.matches(":focus-within"));
    root.classList.remove("minute");
    for (const box of [this.head, this.say, ...root.querySelectorAll(".veil")]) box.remove();
    if (hadFocus) root.focus({ preventScroll: true });
    if (!this.on) return;
    clearTimeout(this.timer);
    this.phase = null;
    this.#slowDown();
    player.clock.stop();
    this.question.end();
    player.modes.leave(this);
    this.#cover(false);
    dock.quick.standsAlone(false);
    controls.knob.append(dock.quick.element);
  }

  // ---- keys ------------------------------------------------------------------------------------

  /**
   * Each key is its own: true where it has taken it, "left" where it is the browser's; W presents
   * the whole board.
   *
   * @param {KeyPress} press
   */
  everyKey({ event, name }) {
    const [target] = event.composedPath();
    // A number is typed.
    if (target instanceof HTMLInputElement && target.type === "text") return "left";
    if (name === "w" && !event.shiftKey) {
      this.leave();
      return undefined;
    }
    const { actions, player, canvas } = this.stage;
    if (name === "Escape" && actions.escape()) return true; // a card, or a word that is explained
    if (name === "Escape" && player.touch.lines.length) {
      this.stage.point(null);
      return true;
    }
    const walksOverPoints = this.phase === "done" && target === canvas && name.startsWith("Arrow");
    if (walksOverPoints) return undefined;
    const pressed = target instanceof HTMLButtonElement && (name === "Enter" || name === " ");
    const act = pressed ? null : this.#acts[name];
    if (!act) return "left";
    if (!event.repeat) act();
    return true;
  }

  /** What keys do in this phase. @returns {Record<string, () => void>} */
  get #acts() {
    const leave = () => this.leave();
    const play = () => this.play();
    const end = () => this.stage.player.cursor.go(Infinity);
    const goOn = () => this.guess(null);
    const orange = () => this.guess(1);
    const blue = () => this.guess(-1);
    const guesses = { Escape: leave, ArrowLeft: orange, o: orange, ArrowRight: blue, b: blue };
    const goesOn = (act) => ({
      Escape: leave,
      PageDown: act,
      Enter: act,
      " ": act,
      ArrowRight: act,
    });
    return {
      first: { ...guesses, PageDown: goOn },
      ask: { ...guesses, PageDown: goOn },
      answered: guesses,
      ready: goesOn(play),
      learns: goesOn(end),
      done: { Escape: leave, PageDown: leave },
    }[this.phase];
  }

  // ---- what is seen ----------------------------------------------------------------------------

  /** The question of this instant, or what the run came to. */
  sentence() {
    const { run, t } = this.stage.player;
    if (this.phase === "done") return endOf(run);
    if (this.phase === "learns") return LEARNS;
    return this.phase === "first" || this.phase === "ask" ? questionOf(t) : "";
  }

  showsSymbols() {
    return false;
  }

  /** The words of the phase; what is new is said aloud. */
  #show() {
    const { phase, stage, told, places, question } = this;
    const { run, t } = stage.player;
    const asks = phase === "first" || phase === "ask";
    const ended = phase === "learns" || phase === "done";
    const hadFocus = this.say.matches(":focus-within");
    const sentence = this.sentence();
    told.replaceChildren(...coloured(ended ? "" : this.answer));
    this.sentenceBox.textContent = sentence;
    places.textContent = phase === "ask" ? placesOf(run, t) : "";
    put(this.answers, { hidden: !asks && phase !== "answered" });
    for (const choice of this.choices) put(choice, { "aria-disabled": phase !== "ask" });
    put(this.learn, { hidden: phase !== "ready" });
    put(this.ways, { hidden: phase !== "done" });
    const guesses = phase === "ready" ? this.guesses : guessesOf(question.answers);
    this.scoreBox.textContent = ended ? "" : guesses;
    put(this.skip, { textContent: phase === "done" ? ALL : SKIP });
    this.more.textContent = t > 1 && phase !== "learns" ? BRICKS : "";
    this.#layBricks();
    if (hadFocus) this.#keepFocus();
    if (phase !== "first") {
      // What the machine answered was said before the next question came.
      const isNew = phase === "answered" || stage.player.cursor.reducedMotion;
      const parts = [isNew ? told.textContent : "", sentence, places.textContent];
      if (phase === "ready") parts.push(guesses);
      stage.spoken.say(parts.filter(Boolean).join(" "));
    }
    stage.arrange();
    if (stage.player.cursor.reducedMotion) return;
    if (phase === "learns") this.#unveil("timeline");
    else if (phase === "done") this.#unveil("margins");
  }

  /** What had the focus may be hidden now: the button that comes next has it then. */
  #keepFocus() {
    if (this.say.querySelector(":focus")?.checkVisibility()) return;
    const next = [this.learn, ...this.ways.children].find((button) => button.checkVisibility());
    (next ?? this.say).focus({ preventScroll: true });
  }

  /** Let a panel that is new fade in. @param {string} name */
  #unveil(name) {
    const rect = this.stage.player.layout.panels[name];
    if (!rect) return;
    const veil = make("div", { className: "veil", onanimationend: () => veil.remove() });
    Object.assign(veil.style, {
      left: `${rect.x}px`,
      top: `${rect.y}px`,
      width: `${rect.w}px`,
      height: `${rect.h}px`,
    });
    this.say.after(veil);
  }

  #laid = ""; // The classes of the bricks that are there.

  /** A brick for each mistake, in one row: what comes under it stays where it is. */
  #layBricks() {
    const { run, t } = this.stage.player;
    const classes = bricksOf(run, t);
    const count = counted(classes.length, "brick");
    if (classes.join() !== this.#laid) {
      this.#laid = classes.join();
      const orange = classes.filter((y) => y > 0).length;
      const label = `Remembered: ${count}, ${orange} orange and ${classes.length - orange} blue`;
      put(this.remembered, { ariaLabel: label, hidden: !classes.length });
      const bricks = classes.slice(0, MOST_BRICKS).map((y) => make("i", { className: colour(y) }));
      this.bricks.replaceChildren(...bricks);
    }
    const isCut =
      classes.length > MOST_BRICKS || this.bricks.scrollHeight > this.bricks.clientHeight + 1;
    this.count.textContent = `${isCut ? "… " : ""}${count}`;
  }

  /**
   * Let the answer of a run keep as many lines free as the longest one would take, so that nothing
   * under it moves.
   */
  #keepRoom() {
    const { sentenceBox } = this;
    const { textContent } = sentenceBox;
    sentenceBox.style.minHeight = "";
    sentenceBox.textContent = longestEndOf(this.stage.player.run.n);
    const { height } = sentenceBox.getBoundingClientRect();
    sentenceBox.textContent = textContent;
    sentenceBox.style.minHeight = `${Math.ceil(height)}px`;
  }

  layout(shape) {
    const { head, say, phase, more } = this;
    this.#place(shape);
    const done = phase === "done";
    if (done) this.#keepRoom();
    else this.sentenceBox.style.minHeight = "";
    const laidOut = (margins) => {
      const heights = { head: head.offsetHeight, say: say.offsetHeight };
      const panelNames = ["map"];
      if (done || phase === "learns") panelNames.push("timeline");
      if (margins) panelNames.push("margins");
      return this.#laidOut({ ...shape, ...heights }, panelNames);
    };
    const { byTouch } = this.stage.player;
    const pointing = `${byTouch ? "Tap any place" : "Point at any place"} ${VOTES}`;
    if (done) more.textContent = pointing + MARGINS;
    let layout = laidOut(done);
    if (done && !layout.panels.margins) {
      more.textContent = pointing;
      layout = laidOut(false);
    }
    say.style.top = `${layout.say.y}px`;
    return layout;
  }

  /** The points that are shown. @param {Run} run */
  points(run) {
    const { t } = this.stage.player;
    return pointsOf(run, t, this.question.asking);
  }
}
