// The first minute in a browser: questions and buttons beside the map, and nothing else of the board. Once in a browser, on
// the address without settings, unless a frame shows it; or when somebody asks for it.

import { WAYS } from "./what_next.js";
import { make, pressable, put, roomOf } from "./dom.js";
import {
  answerOf,
  bricksOf,
  colour,
  endOf,
  guessesOf,
  isPlayable,
  longestEndOf,
  minuteLayout,
  placesOf,
  questionOf,
  QUESTIONS,
  wordsAt,
} from "../modes/first_minute.js";
import { counted } from "../run/words.js";
import { keep, kept, PLACES } from "../service/texts.js";

/** @import { Run } from "../run/run.js" */
/** @import { Stage } from "./stage.js" */
/** @import { KeyPress, Mode } from "../modes/types.d.ts" */

/** Whether this browser has not played it, which it keeps from now on; false where it may keep nothing. */
const isNew = () => kept(PLACES.opening) === null && keep(PLACES.opening, "seen");
const FIRST = 1800; // ms in which nothing is known yet
const AFTER = { mistake: 1500, right: 800 }; // ms until the next question
const PLAYS = 4; // seconds in which the rest of the run plays
const LINK = { link: "v=1", origin: null };

const MOST_BRICKS = 80; // no window has room for more in one row
const LEARNS =
  "It goes through all the points again and again. Below the map, each tick is a mistake.";
const BRICKS = "Each mistake adds a brick in the colour of its point.";
const VOTES = "of the map: lines show which points vote.";
const MARGINS = " The bars are margins: how far each point is on the right side of 0.";
const SKIP = "Skip: the whole board";
const ALL = "The whole board"; // there is nothing left to skip

/** @implements {Mode} */
export class FirstMinute {
  name = "first minute";
  /** @type {"first" | "ask" | "answered" | "ready" | "learns" | "done" | null} */
  phase = null; // null: the whole board is there
  answer = ""; // what the machine said last
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  speed = 0; // of playing, before the rest of the run plays
  /** @type {number | null} */
  due = null; // the number of the run that it was asked for again with
  /** @type {Run | null} */
  said = null; // the run whose end is said

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    const { opened, extras } = stage.link;
    const bare =
      opened === "" &&
      !extras.lesson &&
      stage.session !== null &&
      !stage.player.capabilities.fisher;
    this.expected = bare && window === window.top && kept(PLACES.opening) === null; // known before there is a run: no board flashes up
    this.question = make("p", { className: "question", id: "minute-question" });
    this.told = make("p", { className: "told" });
    this.places = make("p", { className: "unseen", id: "minute-places" });
    const shapes = { 1: "circle", [-1]: "square" };
    this.guesses = [1, -1].map((y) =>
      make(
        "button",
        { type: "button", className: colour(y), onclick: () => this.guess(y) },
        make("i", { className: shapes[y] }),
        colour(y),
      ),
    );
    this.answers = make(
      "div",
      {
        className: "answers",
        role: "group",
        "aria-labelledby": "minute-question",
        "aria-describedby": "minute-places",
      },
      ...this.guesses,
    );
    this.learn = pressable("Let it learn by itself", () => this.play(), { className: "main" });
    this.ways = make(
      "div",
      { className: "ways" },
      pressable("Break it: draw your own", () => this.#leaveTo("draw")),
      pressable("A straight line instead?", () => this.#leaveTo("line")),
      pressable("Lesson\u00a01 (15\u00a0min)", () => this.#leaveTo("lesson")),
    );
    this.row = make("span", { className: "row" });
    this.count = make("span", { className: "count" });
    const remembered = make("span", {}, "Remembered");
    this.bricks = make("p", { className: "bricks", role: "img" }, remembered, this.row, this.count);
    this.score = make("p", { className: "score" });
    this.more = make("p", { className: "more" });
    const title = make(
      "h1",
      {},
      ...this.#coloured("Can a machine learn to tell orange from blue?"),
    );
    this.skip = pressable(SKIP, () => this.leave(), { className: "skip" });
    const brand = make("p", { className: "brand" }, "kpviz");
    this.head = make(
      "header",
      { className: "minute-head" },
      make("div", {}, brand, this.skip),
      title,
    );
    const state = make("div", { className: "state" }, this.bricks, this.score);
    this.turns = make("div", { className: "turned" });
    this.say = make(
      "section",
      { className: "minute-say", tabIndex: -1, ariaLabel: "You are the machine" },
      ...[
        this.told,
        this.question,
        this.places,
        this.answers,
        this.learn,
        this.ways,
        this.turns,
        state,
        this.more,
      ],
    );
    if (this.expected) this.#announce();
  }

  get on() {
    return this.phase !== null;
  }

  showsSymbols() {
    return false;
  }

  /** The question stands there before there is a run. */
  #announce() {
    const { root } = this.stage;
    root.classList.add("minute");
    root.prepend(this.head);
    const { width, height } = roomOf(root);
    this.#place(wordsAt(width, height), width);
  }

  /** @param {{ x: number, w: number }} at @param {number} width of the board */
  #place({ x, w }, width) {
    for (const box of [this.head, this.say]) {
      Object.assign(box.style, { left: `${x}px`, width: `${w}px` });
    }
    this.stage.root.classList.toggle("under", x < width / 4);
  }

  /** Keep pointer, keys and screen readers off the map. */
  #cover(on) {
    put(this.stage.canvas, { inert: on, "aria-hidden": on });
  }

  /** Words with the names of the classes in their colours. */
  #coloured(words) {
    return words
      .split(/\b(orange|blue)\b/)
      .map((part) => (/^(orange|blue)$/.test(part) ? make("b", { className: part }, part) : part));
  }

  // ---- when it begins ---------------------------------------------------------------------------

  /** The first run is on the stage. */
  begin() {
    const { player } = this.stage;
    const first =
      this.expected && player.t === 0 && !player.presenting && isPlayable(player.run) && isNew();
    if (first) this.#start();
    else if (this.expected) this.stop();
    this.expected = false;
  }

  /** Play it again, with the run that it is about. */
  again() {
    const { stage } = this;
    const { player, controls, dock, editor, lesson, present, session } = stage;
    present.end();
    controls.menu(null);
    dock.close();
    if (player.editing.on) editor.toggle(false);
    if (lesson.open) lesson.close();
    if (session.state.link === LINK.link) this.#start();
    else this.due = session.command("replace", LINK);
  }

  /** An answer has come: with the run that was asked for. */
  follow() {
    if (this.due === null || this.stage.session.awaits(this.due)) return;
    this.due = null;
    if (isPlayable(this.stage.player.run)) this.#start();
  }

  #start() {
    const { player } = this.stage;
    const { cursor } = player;
    Object.assign(this, { phase: "first", answer: "" });
    this.#announce();
    this.head.after(this.say);
    this.#cover(true);
    player.pinned = null;
    player.minute = (width, height) => this.#layout(width, height);
    player.modes.enter(this);
    cursor.put(0);
    player.predict.predictFrom(0, QUESTIONS);
    if (cursor.reducedMotion) this.#remember();
    else this.timer = setTimeout(() => this.#remember(), FIRST);
    this.#show();
    this.stage.recolour();
  }

  // ---- going through it -------------------------------------------------------------------------

  /** The first point is remembered without a question. */
  #remember() {
    this.stage.player.predict.answer(null);
    this.#wait();
  }

  /** What the visitor thinks that the machine will say: a class; null: go on without a guess. @param {number | null} guess */
  guess(guess) {
    const { predict, run, t } = this.stage.player;
    if (this.phase === "first") {
      clearTimeout(this.timer);
      this.#remember();
    }
    if (this.phase !== "ask") return;
    predict.answer(guess);
    this.answer = answerOf(run, t, guess);
    this.#wait();
  }

  /** See what the step does, then the next question. */
  #wait() {
    const { cursor, run, t } = this.stage.player;
    clearTimeout(this.timer);
    this.phase = "answered";
    if (cursor.reducedMotion) this.#next();
    else {
      this.timer = setTimeout(
        () => this.#next(),
        run.trace.mistake[t - 1] ? AFTER.mistake : AFTER.right,
      );
    }
    this.#show();
  }

  #next() {
    const { cursor, predict, t } = this.stage.player;
    this.phase = t < QUESTIONS.length ? "ask" : "ready";
    if (this.phase === "ask") predict.nextQuestion();
    else {
      this.guessed = guessesOf(predict.answers);
      predict.end();
      cursor.put(t);
    }
    this.#show();
  }

  /** The rest of the run plays by itself. */
  play() {
    const { cursor, clock, runs, t } = this.stage.player;
    if (this.phase !== "ready") return;
    this.phase = "learns";
    this.#show();
    this.stage.arrange();
    if (cursor.reducedMotion) {
      cursor.go(Infinity);
      return;
    }
    this.speed = clock.speed;
    clock.speed = (runs.end - t) / PLAYS;
    cursor.toggle();
  }

  /** After each frame: the bricks of the instant, and the end of the run. */
  update() {
    if (!this.on) return;
    this.#lay();
    const { clock, cursor, run } = this.stage.player;
    if (this.phase === "done" && this.said !== run) this.#tell(run); // the width of its hills was turned
    if (this.phase !== "learns" || clock.playing) return;
    if (this.speed) clock.speed = this.speed;
    this.speed = 0;
    if (this.stage.player.t < this.stage.player.runs.end) cursor.go(Infinity);
    this.phase = "done";
    this.said = run;
    this.#cover(false);
    this.turns.append(this.stage.dock.quick.element);
    this.#show();
  }

  /** What the run has come to. @param {Run} run */
  #tell(run) {
    this.said = run;
    this.question.textContent = endOf(run);
    this.stage.arrange();
  }

  // ---- leaving it -------------------------------------------------------------------------------

  /** The whole board, where the run is; before a guess at its start. */
  leave() {
    const { predict, cursor } = this.stage.player;
    if (this.expected) this.expected = !isNew(); // before there is a run
    const fresh = predict.on && predict.answers.size === 0;
    this.stop();
    if (fresh) cursor.put(0);
    this.stage.recolour();
  }

  #leaveTo(way) {
    this.leave();
    WAYS[way][1](this.stage);
  }

  stop() {
    const { player, root } = this.stage;
    const held = this.head.matches(":focus-within") || this.say.matches(":focus-within");
    root.classList.remove("minute");
    for (const one of [this.head, this.say, ...root.querySelectorAll(".veil")]) one.remove();
    if (held) root.focus({ preventScroll: true });
    if (!this.on) return;
    clearTimeout(this.timer);
    this.phase = null;
    if (this.speed) player.clock.speed = this.speed;
    this.speed = 0;
    player.clock.stop();
    player.predict.end();
    player.minute = null;
    player.modes.leave(this);
    this.#cover(false);
    this.stage.controls.turns.append(this.stage.dock.quick.element);
  }

  // ---- keys -------------------------------------------------------------------------------------

  /** Each key is its own: true where it has taken it, "left" where it is the browser's; W presents the whole board. @param {KeyPress} press */
  everyKey({ event, name }) {
    const [target] = event.composedPath();
    if (target instanceof HTMLInputElement && target.type === "text") return "left"; // a number is typed
    if (name === "w" && !event.shiftKey) {
      this.leave();
      return undefined;
    }
    const { actions, player } = this.stage;
    if (name === "Escape" && actions.escape()) return true; // a card, or a word that is explained
    if (name === "Escape" && player.touch.lines.length) {
      this.stage.point(null);
      return true;
    }
    if (this.phase === "done" && target === this.stage.canvas && name.startsWith("Arrow")) {
      return undefined;
    } // from point to point
    const pressed = target instanceof HTMLButtonElement && (name === "Enter" || name === " ");
    const act = pressed ? null : this.#acts[name];
    if (!act) return "left";
    if (!event.repeat) act();
    return true;
  }

  /** @returns {Record<string, () => void>} */
  get #acts() {
    const leave = () => this.leave();
    if (this.phase === "done") return { Escape: leave, PageDown: leave };
    const [orange, blue, on] = [1, -1, null].map((guess) => () => this.guess(guess));
    const play = () => this.play();
    const end = () => this.stage.player.cursor.go(Infinity);
    const goes = { first: on, ask: on, answered: null, ready: play, learns: end }[this.phase];
    const keys = { Escape: leave, PageDown: goes };
    if (this.phase === "ready" || this.phase === "learns") {
      Object.assign(keys, { Enter: goes, " ": goes, ArrowRight: goes });
    } else Object.assign(keys, { ArrowLeft: orange, o: orange, ArrowRight: blue, b: blue });
    return keys;
  }

  // ---- what is seen -----------------------------------------------------------------------------

  /** The words of the phase; what is new is said aloud. */
  #show() {
    const { phase, stage, told, question, places, answers, learn, ways, score, more, skip } = this;
    const { player, spoken } = stage;
    const { run, t, predict } = player;
    const asks = phase === "first" || phase === "ask";
    const focused = this.say.matches(":focus-within");
    const words = {
      first: questionOf(0),
      ask: questionOf(t),
      answered: "",
      ready: "",
      learns: LEARNS,
      done: endOf(run),
    }[phase];
    told.replaceChildren(
      ...this.#coloured(phase === "learns" || phase === "done" ? "" : this.answer),
    );
    question.textContent = words;
    places.textContent = phase === "ask" ? placesOf(run, t) : "";
    put(answers, { hidden: !asks && phase !== "answered" });
    for (const one of this.guesses) put(one, { "aria-disabled": phase !== "ask" });
    put(learn, { hidden: phase !== "ready" });
    put(ways, { hidden: phase !== "done" });
    score.textContent =
      { ready: this.guessed, learns: "", done: "" }[phase] ?? guessesOf(predict.answers);
    put(skip, { textContent: phase === "done" ? ALL : SKIP });
    more.textContent = t > 1 && phase !== "learns" ? BRICKS : "";
    this.#lay();
    if (focused && !this.say.querySelector(":focus")?.checkVisibility()) {
      const next = [learn, ...ways.children].find((one) => one.checkVisibility());
      (next ?? this.say).focus({ preventScroll: true });
    }
    if (phase !== "first") {
      const said = [
        told.textContent,
        words,
        places.textContent,
        phase === "ready" ? score.textContent : "",
      ];
      spoken.say(said.filter(Boolean).join(" "));
    }
    stage.arrange();
    if (!player.cursor.reducedMotion) {
      this.#unveil(phase === "learns" ? "timeline" : phase === "done" ? "margins" : "");
    }
  }

  /** Let a panel that is new fade in. */
  #unveil(name) {
    const rect = this.stage.player.layout.panels[name];
    if (!rect) return;
    const veil = make("div", { className: "veil", onanimationend: () => veil.remove() });
    for (const [side, length] of Object.entries({
      left: rect.x,
      top: rect.y,
      width: rect.w,
      height: rect.h,
    })) {
      veil.style[side] = `${length}px`;
    }
    this.say.after(veil);
  }

  #laid = "";

  /** A brick for each mistake, in one row: what comes under it stays where it is. */
  #lay() {
    const { run, t } = this.stage.player;
    const all = bricksOf(run, t);
    const now = all.join();
    if (now !== this.#laid) {
      this.#laid = now;
      const orange = all.filter((y) => y > 0).length;
      const bricks = counted(all.length, "brick");
      const label = `Remembered: ${bricks}, ${orange} orange and ${all.length - orange} blue`;
      put(this.bricks, { ariaLabel: label, hidden: !all.length });
      this.row.replaceChildren(
        ...all.slice(0, MOST_BRICKS).map((y) => make("i", { className: colour(y) })),
      );
    }
    const more = all.length > MOST_BRICKS || this.row.scrollHeight > this.row.clientHeight + 1;
    this.count.textContent = `${more ? "… " : ""}${counted(all.length, "brick")}`;
  }

  /** Let the answer of a run keep as many lines free as the longest one would take, so that nothing under it moves. */
  #keepRoom() {
    const { question } = this;
    const { textContent } = question;
    question.style.minHeight = "";
    question.textContent = longestEndOf(this.stage.player.run.n);
    const { height } = question.getBoundingClientRect();
    question.textContent = textContent;
    question.style.minHeight = `${Math.ceil(height)}px`;
  }

  #layout(width, height) {
    const { head, say, phase, more } = this;
    this.#place(wordsAt(width, height), width);
    const done = phase === "done";
    if (done) this.#keepRoom();
    else this.question.style.minHeight = "";
    const laid = (margins) => {
      const heights = { head: head.offsetHeight, say: say.offsetHeight };
      return minuteLayout(width, height, {
        ...heights,
        timeline: done || phase === "learns",
        margins,
      });
    };
    const place = `${this.stage.player.byTouch ? "Tap any place" : "Point at any place"} ${VOTES}`;
    if (done) more.textContent = place + MARGINS;
    let layout = laid(done);
    if (done && !layout.panels.margins) {
      more.textContent = place;
      layout = laid(false);
    }
    say.style.top = `${layout.say.y}px`;
    return layout;
  }

  recolour() {
    const { palette } = this.stage.player;
    for (const y of [1, -1]) {
      this.stage.root.style.setProperty(`--${colour(y)}`, palette.ofClass(y));
    }
  }
}
