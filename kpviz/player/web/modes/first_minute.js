// The first minute: a visitor guesses what the machine will say of the next point, going by what it
// remembers so far. It asks as Guess first does, in the same box, with words of its own, and shows
// nothing else of the board. Once in a browser, on the address without settings, unless a frame
// shows it; or when somebody asks for it.

import {
  answerOf,
  bricksOf,
  endOf,
  isPlayable,
  placesOf,
  questionOf,
  QUESTIONS,
  TITLE,
} from "./first_minute_words.js";
import { shownByDefault } from "../board/shown_panels.js";
import { Asking } from "../page/asking.js";
import { roomOf, put } from "../page/dom.js";
import { PICTURES } from "../page/way_pictures.js";
import { WAYS } from "../page/what_next.js";
import { WholePlay } from "./whole_play.js";
import { keep, recall, PLACES } from "../service/texts.js";

/** @import { BoardShape } from "../board/types.d.ts" */
/** @import { AskedAnswer } from "../page/asking.js" */
/** @import { StepQuestion } from "./question.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Stage } from "../page/stage.js" */
/** @import { KeyPress, Mode } from "./types.d.ts" */

/**
 * Whether this browser has not played it, which it keeps from now on; false where it may keep
 * nothing.
 */
const isNew = () => recall(PLACES.opening) === null && keep(PLACES.opening, "seen");
const FIRST = 1800; // For so many ms nothing is known yet.
const REMEMBERED = 1500; // For so many ms one sees what it has remembered of the first point.
const LINK = { link: "v=1", origin: null };
const SHAPES = { positive: "circle", negative: "square" };

const LEARNS = "It goes through all the points again and again.";
const VOTES = "on the map: lines show which points vote.";
const SKIP = "Skip: the whole board";
const ALL = "The whole board"; // There is nothing left to skip.
/** What one goes on with: the name of the way, and what is said of it. */
const CHOICES = [
  { way: "puzzle", words: "Break it", note: "8 points; add 3" },
  { way: "line", words: "Can a line do it?", note: "the same points" },
  { way: "lesson", words: "Slowly: lesson\u00a01", note: "15\u00a0minutes" },
];

/** @implements {Mode} */
export class FirstMinute {
  name = "first minute";
  guides = true;
  namesPoints = false;
  fillsPage = true;
  about = "can a machine learn to tell orange from blue?";
  /** @type {"first" | "ask" | "answered" | "learns" | "done" | null} */
  phase = null; // It is null while the whole board is there.
  /** @type {number | null} */
  newestGuess = null; // The newest guess.
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  /** @type {number | null} */
  due = null; // The number of the question with which the run was asked for again.
  /** @type {() => void} */
  begin = () => this.#start(); // What the run is asked for again for.
  wantsEnd = false; // What now? is to be asked as soon as there is a run.
  isAway = false; // One has gone on from What now?, to which Back leads again.
  hasGuesses = false; // One has guessed before What now? is asked.
  isTiny = false; // The window has no room for a headline.

  /** @param {Stage} stage @param {StepQuestion} question */
  constructor(stage, question) {
    this.stage = stage;
    this.question = question;
    this.whole = new WholePlay(stage.player);
    const { opened, extras } = stage.link;
    const isBare = opened === "" && !extras.lesson && stage.session !== null;
    // Known before there is a run, so that no board flashes up.
    this.expected =
      isBare &&
      stage.player.capabilities.page === "play" &&
      window === window.top &&
      recall(PLACES.opening) === null;
    const leave = () => this.leave();
    this.box = new Asking("The first minute", { stop: { words: SKIP, title: "", act: leave } });
  }

  get on() {
    return this.phase !== null;
  }

  pageMade() {
    if (this.expected) this.#announce();
  }

  /** The question stands there before there is a run. */
  #announce() {
    const { root, canvas, controls } = this.stage;
    root.classList.add("asks", "alone");
    controls.topBar?.element.classList.add("alone");
    canvas.after(this.box.element);
    this.box.show({ ...this.#opening, question: "", answers: [], told: "" }, SHAPES);
    this.layout({ ...roomOf(root), touch: this.stage.player.byTouch, knob: true });
  }

  /** What is said before the first guess. */
  get #opening() {
    const where = this.isTiny ? TITLE : "";
    return { headline: this.isTiny ? "" : TITLE, where, verdict: "", next: null, score: "" };
  }

  /** Keep pointer, keys and screen readers off the map. */
  #cover(on) {
    put(this.stage.canvas, { inert: on, "aria-hidden": on });
  }

  // ---- when it begins --------------------------------------------------------------------------

  /** The first run is on the stage. */
  opens() {
    if (!this.expected) {
      // A link that names a lesson, too, leads there.
      if (this.wantsEnd && !this.stage.link.extras.lesson) this.home();
      else if (this.#isWhereItEnded) this.#askWhatNow();
      this.wantsEnd = false;
      return;
    }
    const { player } = this.stage;
    if (player.t === 0 && !player.bare && isPlayable(player.run) && isNew()) this.#start();
    else this.stop();
    this.expected = false;
  }

  /** Play it again, with the run that it is about. */
  again() {
    this.#bring(() => this.#start());
  }

  /** What now? is asked once more; who has not played the first minute begins with that. */
  home() {
    if (this.on || this.expected) return;
    if (this.stage.player.run) this.#bring(() => this.#askWhatNow());
    else this.wantsEnd = true;
  }

  /** Begin with the run that it is about. @param {() => void} begin */
  #bring(begin) {
    this.begin = begin;
    const { player, controls, dock, session, standing } = this.stage;
    const { lesson, present } = standing;
    present.end();
    controls.menu(null);
    dock.close();
    player.modes.all("makeWay");
    if (lesson.open) lesson.close();
    if (session.state.link === LINK.link) begin();
    else this.due = session.command("replace", LINK);
  }

  /** An answer has come: with the run that was asked for. */
  settled() {
    if (this.due === null) {
      this.#followBack();
      return;
    }
    if (this.stage.session.awaits(this.due)) return;
    this.due = null;
    if (isPlayable(this.stage.player.run)) this.begin();
  }

  /** Who has gone on from What now? and comes back by the browser is asked once more. */
  #followBack() {
    const { link } = this.stage;
    const isElsewhere = !this.#isItsRun || link.extras.lesson;
    if (this.on && isElsewhere) this.stop(); // The browser went back from it.
    const isHere = this.#isWhereItEnded;
    if (!isHere || !this.isAway) {
      this.isAway ||= !isHere;
      return;
    }
    this.#askWhatNow();
  }

  /** Whether the page is at the entry of the browser at which it was asked What now? */
  get #isWhereItEnded() {
    const { link, player } = this.stage;
    if (this.on || player.bare || !this.#isItsRun || link.extras.lesson) return false;
    const place = recall(PLACES.whatNow);
    return place !== null && place === link.mark?.kpviz;
  }

  get #isItsRun() {
    return this.stage.player.run.header.settings.query === LINK.link;
  }

  /** The end of the run, and what one can do now. */
  #askWhatNow() {
    const { player } = this.stage;
    this.hasGuesses = false;
    this.newestGuess = null;
    this.#announce();
    player.state.change({ pinned: null });
    player.showOnly(shownByDefault(player.run));
    player.cursor.put(player.runs.end);
    this.phase = "done";
    player.modes.enter(this);
    this.#end();
  }

  /** It is over: Back and a reload lead here. */
  #end() {
    this.phase = "done";
    this.isAway = false;
    keep(PLACES.whatNow, this.stage.link.mark?.kpviz ?? null);
    this.#cover(false);
    this.#show();
  }

  #start() {
    const { player } = this.stage;
    const { cursor } = player;
    this.phase = "first";
    this.hasGuesses = true;
    this.newestGuess = null;
    this.#announce();
    this.#cover(true);
    player.state.change({ pinned: null });
    cursor.put(0);
    this.question.predictFrom(0, { questions: QUESTIONS, isHosted: true });
    player.modes.enter(this);
    if (cursor.reducedMotion) this.goOn();
    else this.timer = setTimeout(() => this.goOn(), FIRST);
    this.#show();
  }

  // ---- going through it ------------------------------------------------------------------------

  /** The first point is remembered without a question; then one question after the other. */
  goOn() {
    const { cursor, t } = this.stage.player;
    clearTimeout(this.timer);
    if (this.phase === "first" && t === 0) {
      this.question.answer(null);
      if (!cursor.reducedMotion) {
        this.timer = setTimeout(() => this.goOn(), REMEMBERED);
        this.#show();
        return;
      }
    } else if (this.#allAnswered) return; // Whoever has guessed all lets it learn by a button.
    this.phase = "ask";
    this.question.askNext();
    this.#show();
  }

  /** Whether no question is left. */
  get #allAnswered() {
    return this.stage.player.t >= QUESTIONS.length;
  }

  /**
   * What the visitor thinks that the machine will say: a class; null: go on without a guess.
   *
   * @param {number | null} guess
   */
  guess(guess) {
    if (this.phase !== "ask") return;
    this.phase = "answered";
    this.newestGuess = guess;
    this.question.answer(guess);
    this.#show();
  }

  /** The remainder of the run plays by itself. */
  play() {
    const { cursor, t } = this.stage.player;
    if (this.phase !== "answered" || !this.#allAnswered) return;
    this.phase = "learns";
    this.question.end();
    cursor.put(t);
    this.#show();
    this.whole.begin();
  }

  /** After each frame: the bricks of the instant, and the end of the run. */
  drawn() {
    if (this.phase !== "learns") return;
    if (!this.whole.endIfStopped()) {
      this.#showBox();
      return;
    }
    this.#end();
  }

  // ---- leaving it ------------------------------------------------------------------------------

  /** The whole board, where the run is; before a guess at its start. */
  leave() {
    keep(PLACES.whatNow, null);
    this.#goAway();
  }

  #goAway() {
    const { question, stage } = this;
    // Before there is a run nothing has begun yet.
    if (this.expected) this.expected = !isNew();
    const isUntouched = question.on && question.answers.size === 0;
    this.stop();
    if (isUntouched) stage.player.cursor.put(0);
    stage.recolour();
  }

  #leaveTo(way) {
    this.#goAway();
    WAYS[way][1](this.stage, () => this.home());
  }

  presents() {
    this.stop();
  }

  stop() {
    const { player, root, controls } = this.stage;
    const hadFocus = this.box.element.matches(":focus-within");
    root.classList.remove("asks", "alone");
    controls.topBar?.element.classList.remove("alone");
    this.box.element.remove();
    if (hadFocus) root.focus({ preventScroll: true });
    if (!this.on) return;
    clearTimeout(this.timer);
    this.phase = null;
    this.whole.stop();
    this.question.end();
    player.modes.leave(this);
    this.#cover(false);
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
    if (name === "w" && !event.shiftKey) {
      this.leave();
      return undefined;
    }
    const { actions, player, canvas } = this.stage;
    // It closes a card, or a word that is explained.
    if (name === "Escape" && actions.escape()) return true;
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
    const Escape = () => this.leave();
    const goesOn = (act) => ({ Escape, PageDown: act, Enter: act, " ": act, ArrowRight: act });
    const orange = () => this.guess(1);
    const blue = () => this.guess(-1);
    const skip = () => this.guess(null);
    const end = () => this.stage.player.cursor.go(Infinity);
    const ways = CHOICES.map(({ way }, k) => [String(k + 1), () => this.#leaveTo(way)]);
    return {
      first: goesOn(() => this.goOn()),
      ask: { Escape, ArrowLeft: orange, 1: orange, ArrowRight: blue, 2: blue, PageDown: skip },
      answered: {
        ...goesOn(() => (this.#allAnswered ? this.play() : this.goOn())),
        ArrowLeft: () => this.question.waysAfterWrong[0]?.act(),
      },
      learns: goesOn(end),
      done: { Escape, PageDown: Escape, ...Object.fromEntries(ways) },
    }[this.phase];
  }

  // ---- what is seen ----------------------------------------------------------------------------

  /** The question of this instant, or what the run came to. */
  sentence() {
    const { run, t } = this.stage.player;
    if (this.phase === "done") return endOf(run);
    if (this.phase === "learns") return LEARNS;
    if (this.phase === "answered") return questionOf(run, t - 1, true);
    return questionOf(run, this.phase === "first" ? 0 : t);
  }

  showsSymbols() {
    return false;
  }

  /** The words of the phase; what is new is said aloud. */
  #show() {
    const { phase, stage, box } = this;
    const { run, t } = stage.player;
    this.#showBox();
    if (phase !== "first") {
      const places = phase === "ask" ? [placesOf(run, t)] : [];
      const isTold = phase === "answered";
      const words = isTold ? box.told.textContent : [this.sentence(), ...places].join(" ");
      stage.spoken.say(words);
    }
    stage.arrange();
  }

  #showBox() {
    const { run } = this.stage.player;
    this.box.show({ ...this.#opening, ...this.#seen(run) }, run.header.tokens.shapes);
    put(this.box.stopping, { textContent: this.phase === "done" ? ALL : SKIP });
  }

  /** What is asked and told in this phase. @param {Run} run */
  #seen(run) {
    const { phase, question, newestGuess } = this;
    const { byTouch, t } = this.stage.player;
    const sentence = this.sentence();
    const remembered = bricksOf(run, t);
    const before = { question: sentence, answers: this.#colours, remembered, told: "" };
    const instants = this.hasGuesses ? QUESTIONS.slice(1, t) : [];
    const answers = instants.map((at) => question.answers.get(at)?.right ?? null);
    const isOpening = phase === "first" || (phase === "ask" && !answers.length);
    if (isOpening) return { ...before, description: phase === "ask" ? placesOf(run, t) : "" };
    const right = answers.filter(Boolean).length;
    const at = phase === "answered" ? answers.length - 1 : answers.length;
    const count = QUESTIONS.length - 1;
    const row = { at, answers, count };
    const place = at < count ? `Question ${at + 1} of ${count}` : "";
    const whole = answers.length === count ? `Your guesses: ${right} of ${count}` : "";
    const score = [place, whole].filter(Boolean).join(" · ");
    const guesses = this.hasGuesses ? { row, score } : {};
    const later = { ...before, headline: "", where: TITLE, ...guesses };
    if (phase === "ask") return { ...later, description: placesOf(run, t) };
    if (phase === "answered") {
      const play = { words: "Let it learn by itself", act: () => this.play() };
      const next = this.#allAnswered ? play : { words: "Next", act: () => this.goOn() };
      const told = answerOf(run, t - 1, newestGuess);
      return { ...later, verdict: question.verdict, told, next, others: question.waysAfterWrong };
    }
    const ended = { ...later, prose: sentence, question: "", answers: [] };
    if (phase === "learns") return ended;
    const told = `${byTouch ? "Tap anywhere" : "Point anywhere"} ${VOTES}`;
    return { ...ended, question: "What now?", answers: this.#choices, told };
  }

  /**
   * The two classes; they can be pressed while one is asked.
   *
   * @returns {AskedAnswer[]}
   */
  get #colours() {
    const isClosed = this.phase === "first";
    return this.question.answersSeen.map((answer) => ({
      ...answer,
      was: isClosed ? "" : answer.was,
      act: () => this.guess(answer.class),
      isClosed,
    }));
  }

  /** @returns {AskedAnswer[]} */
  get #choices() {
    const { run } = this.stage.player;
    return CHOICES.map(({ way, words, note }, k) => ({
      words,
      note,
      picture: () => PICTURES[way](run),
      key: String(k + 1),
      was: "",
      act: () => this.#leaveTo(way),
    }));
  }

  /** @param {Partial<BoardShape> & { width: number, height: number }} shape */
  layout(shape) {
    const layout = this.box.arrange(shape);
    const isTiny = Boolean(layout.isTiny);
    if (isTiny === this.isTiny) return layout;
    this.isTiny = isTiny;
    if (!this.on) return layout;
    this.#showBox();
    return this.box.arrange(shape);
  }

  /** The points that are shown by now, the first from the start. @param {Run} run */
  points({ trace: { index } }) {
    const { t } = this.stage.player;
    const isAsked = this.question.asking && t > 0;
    return { seen: new Set(index.slice(0, Math.max(t, 1))), unknown: isAsked ? index[t] : -1 };
  }
}
