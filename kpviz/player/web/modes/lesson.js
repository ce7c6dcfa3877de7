// A lesson beside the board: the words and tasks of one scene after the other, in the place of the
// settings.

import { elsewhereOf, listOf, nodesOf, textOf, titleOf } from "../page/lesson/words.js";
import { CueWalk } from "../page/lesson/cue_walk.js";
import { handIn } from "../page/lesson/hand_in.js";
import { LessonProgress, UNKEPT } from "../page/lesson/progress.js";
import { recordIn } from "../page/lesson/record.js";
import { Task } from "../page/lesson/task.js";
import { TaskView } from "../page/lesson/task_view.js";
import { layoutOf } from "../board/layout.js";
import { REPLY } from "../board/question_layout.js";
import { shownByDefault } from "../board/shown_panels.js";
import { isHidden } from "../panels/board.js";
import { sceneOf } from "../board/scene.js";
import { NEWER_ANSWERS } from "../service/formats.js";
import { keep, recall, PLACES } from "../service/texts.js";
import { leaveMap } from "../page/asking.js";
import { closing, lie, make, pressable, renew } from "../page/dom.js";
import { colour, inMinutes, toldInLesson } from "../run/words.js";
import { LETTERS } from "../page/badge.js";
import { votedChoices } from "./class_question.js";
import { translateIn } from "../page/translating.js";
import { speak } from "../run/language.js";
import { VotingCard, plainAnswers, sideAnswers } from "../page/voting_card.js";

/** @import { TaskHost } from "../page/lesson/task.js" */
/** @import { StepAsked } from "../page/lesson/fields.js" */
/** @import { Puzzle, PuzzleHost } from "./puzzle.js" */
/** @import { Player } from "../board/player.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Lessons } from "../service/lessons.js" */
/** @import { Stage } from "../page/stage.js" */
/** @import { DockTree } from "../page/dock/types.d.ts" */
/** @import { BoardShape, Layout } from "../board/types.d.ts" */
/** @import { Figure, Grain } from "../run/types.d.ts" */
/** @import { KeyPress, LessonLink, LessonScene, LessonSource, LessonTask } from "./types.d.ts" */
/** @import { Mode, PackedAnswer, PlainLesson, RingedExample } from "./types.d.ts" */
/** @import { ShownScene, Word } from "./types.d.ts" */

/** Whether a panel would only say that it is hidden. @param {string} name @param {Player} player */
const isVeiled = (name, { covered, hidesF, hidesAhead, run }) =>
  isHidden(name, { covered, fHidden: hidesF, predicting: hidesAhead, run });

const PATHS = { play: "", fisher: "fisher" }; // The paths of the pages that show scenes.
const NO_SETTINGS = "v=1"; // A link that sets nothing.
const OPENED_FILE = "~"; // In the address: a file that was opened here, which this tab keeps.
const SMALL_HEIGHT = 520; // In px: on a lower board all is smaller.
const FIRST_ANSWER =
  ".question ~ .answering :is(input, textarea, button:not([hidden], [aria-disabled=true]))";
const IN_ENGLISH = "The long sentences on the board are in English.";
const PREDICTED = ["right", "a mistake"];
const COLOURS = /\b(?:blue|orange)\b/g;

/**
 * Where the lesson is. `closed`: there is none; `named` is what the address calls the one that was
 * asked for last, which is still being read or could not be. `starting`: it is read and waits for
 * the first run. `arriving`: it is open and waits for the run of a scene. `open`: it lies beside
 * the board. `behind settings`: these lie in its place.
 *
 * @typedef {{ kind: "open" | "behind settings" }} AtRest
 * @typedef {{ kind: "closed", named: string | null } | Starting | Arriving | AtRest} LessonState
 */

/**
 * How it starts. `hasSettings`: the address had those of its scene when it was read; `returned`:
 * the browser went back to it; `newEntry`: it gets an entry of the browser's history; `step`: the
 * scene opens there, null: where its link says.
 *
 * @typedef {{
 *   kind: "starting", hasSettings: boolean, returned: boolean, newEntry: boolean,
 *   step: number | null,
 * }} Starting
 */

/**
 * A scene whose run is still to come. `questionNumber`: that of the question for it; `before`: what
 * the map shows until then; `showsBoard`: the board is wanted as soon as it is there; `then`: what
 * the lesson is after that.
 *
 * @typedef {{
 *   kind: "arriving", questionNumber: number, query: string, t: number, show: string[] | null,
 *   address: Record<string, string> | null, before: ReturnType<typeof mapShownBy> | null,
 *   showsBoard: boolean, then: AtRest,
 * }} Arriving
 */

/**
 * Where one stands within a scene: the words before a task, and the number of the task;
 * `taskNumber` null: what words are left, and the board. `walks`: one goes from cue to cue there.
 *
 * @typedef {{ words: Word[], taskNumber: number | null, walks?: boolean }} Stop
 */

/**
 * A lesson has scenes, and a scene has stops. A scene that this page cannot show, or a task that it
 * cannot check, has `elsewhere`: where that can be done.
 *
 * `go` opens a scene: `#showScene` makes its tasks and stops, `#enterStop` fills the column with
 * one of them, `#showLink` asks for the run of the scene, and `#arrive` puts the board where the
 * stop begins once that run has come. By the buttons one goes from stop to stop (`#turnTo`), by a
 * clicker before a class from page to page (`turn`), by back and forward of the browser to where
 * one was (`#followAddress`), and by a link among the words to what it names (`#follow`).
 *
 * @implements {Mode}
 */
export class Lesson {
  name = "lesson";
  guides = true;
  refusal = "A task asks what comes next: answer it, then the run goes on.";
  /** @type {LessonSource | null} */
  source = null;
  /** @type {PlainLesson | null} */
  lesson = null;
  at = 0; // The index of the scene.
  /** @type {LessonState} */
  state = { kind: "closed", named: null };
  /** @type {ShownScene | null} */
  lessonScene = null; // What is known of the scene to those who show it.
  /** @type {Task[]} */
  tasks = []; // The tasks of the scene, as they are worked on.
  /** @type {TaskView[]} */
  views = []; // What is seen of these, in the order of the stops.
  /** @type {Stop[]} */
  stops = [];
  stopAt = 0; // The index of the stop within the scene.
  /** @type {CueWalk | null} */
  walk = null; // The walk from cue to cue, at a stop that is one.
  placedHeight = 0; // In px: how high the column was when it was laid out.
  placedPanels = ""; // The names of the panels that were placed last.
  crowdedPlace = ""; // The stop and the window for which it was seen whether its words have room.
  saidUnkept = false; // It was said that the browser keeps no answers.
  // The scene in which the kernel was made linear, and how wide the Gaussian was before.
  /** @type {{ at: number, sigma: number } | null} */
  gaussianLeft = null;

  /**
   * @param {Stage} stage
   * @param {Lessons} lessons
   * @param {Puzzle} puzzleMode
   */
  constructor(stage, lessons, puzzleMode) {
    this.stage = stage;
    this.lessons = lessons;
    this.puzzleMode = puzzleMode;
    this.page = stage.player.capabilities.page;
    this.title = make("h2");
    this.heading = make("h3");
    this.pips = make("span", { className: "pips", ariaHidden: "true" });
    this.where = make("span", { className: "where" });
    const close = closing(() => this.close(), {
      title: "Close (Esc)",
      hidden: !lessons.mayBeClosed,
    });
    const vote = pressable("Vote", () => this.#vote());
    vote.className = "quiet";
    this.card = new VotingCard(stage.root);
    this.body = make("div", { className: "scene", tabIndex: 0, role: "group" });
    this.back = this.#turnButton("Back", -1);
    this.next = this.#turnButton("Next", 1);
    this.next.className = "next main";
    this.skip = this.#turnButton("Skip", 1);
    this.skip.className = "quiet";
    this.taskButtons = make("span", { className: "of-task" });
    this.student = { name: "", id: "" }; // The student who saves results.
    this.element = make(
      "section",
      { className: "dock lesson beside-board", hidden: true, ariaLabel: "Lesson" },
      make(
        "div",
        { className: "top" },
        ...[this.title, this.heading, this.pips, this.where, vote, close],
      ),
      this.body,
      make("div", { className: "ways" }, this.back, this.taskButtons, this.skip, this.next),
    );
    this.translateAnew = translateIn(stage.root);
    this.#readNamed(stage.link.returned);
    this.controller = new AbortController();
    const onStorage = (event) => this.progress?.isOf(event) && this.#followTasks();
    window.addEventListener("storage", onStorage, { signal: this.controller.signal });
  }

  /** On to the next stop, and to its first answer. */
  #goOn() {
    this.#turnTo(1);
    (this.view?.element.querySelector(FIRST_ANSWER) ?? this.body).focus({ preventScroll: true });
  }

  /** Go to another stop; who did so by a key reads on there. */
  #turnButton(words, by) {
    return pressable(words, (event) => {
      this.#turnTo(by);
      if (!event.detail) this.body.focus({ preventScroll: true });
    });
  }

  /** The next stop or the one before, of this scene or another; after the last the next lesson. */
  #turnTo(by) {
    if (by < 0 && this.walk?.back()) return;
    if (this.stops[this.stopAt + by]) {
      this.#enterStop(this.stopAt + by);
      this.#showStop();
      if (by < 0) this.walk?.goToEnd();
    } else if (!this.go(this.at + by, { atLast: by < 0 }) && by > 0 && this.lesson.next) {
      this.read({ name: this.lesson.next.name });
    }
  }

  // ---- which lesson, which scene ---------------------------------------------------------------

  /**
   * Read the lesson that the address names, at its scene; returns whether it names one.
   *
   * @param {boolean} returned
   */
  #readNamed(returned) {
    const { lesson = null, scene } = this.stage.link.extras;
    this.state = { kind: "closed", named: lesson };
    if (!lesson) return false;
    // No other board is seen before that of the scene.
    const { player, root } = this.stage;
    root.classList.toggle("awaits-lesson", !player.run);
    const text = lesson === OPENED_FILE ? recall(PLACES.lessonText) : null;
    const how = { hasSettings: Boolean(scene), returned, newEntry: false };
    this.read(text === null ? { name: lesson } : { text }, Number(scene) - 1 || 0, how);
    return true;
  }

  /**
   * Open a lesson of the server's, or the text of a file.
   *
   * @param {LessonSource} source
   * @param {number} [at]
   * @param {Partial<Starting>} [how]
   */
  read(source, at = 0, how = {}) {
    const named = "name" in source;
    this.lessons.read(source, ({ lesson, failed }) => {
      if (!lesson) {
        this.#endAwaitingLesson();
        this.stage.notice({ kind: "warning", words: failed || "This lesson could not be opened." });
        return;
      }
      this.source = source;
      this.lesson = lesson;
      this.state = {
        kind: "starting",
        hasSettings: false,
        returned: false,
        newEntry: true,
        step: null,
        ...how,
      };
      if (!named) keep(PLACES.lessonText, source.text); // A reload reads it again.
      this.progress = new LessonProgress(named ? source.name : lesson.title, lesson);
      if (this.progress.isNewer) this.stage.notice({ kind: "warning", words: NEWER_ANSWERS });
      this.title.textContent = lesson.title;
      this.element.setAttribute("aria-label", `Lesson: ${lesson.title}`);
      this.element.lang = lesson.language;
      this.#speak(lesson.phrases, lesson.language);
      this.at = Math.min(Math.max(at, 0), lesson.scenes.length - 1);
      if (this.stage.player.run) this.#begin();
    });
  }

  /**
   * Enter the lesson, once its file and the first run have come: the run may be that of the scene,
   * or one that the address had.
   */
  #begin() {
    if (this.state.kind !== "starting") return;
    const { hasSettings, returned, newEntry, step } = this.state;
    this.state = { kind: "open" };
    // Tab comes to what is asked before all that answers it.
    this.stage.root.prepend(this.element);
    this.stage.player.modes.enter(this);
    // Who went back to this scene from another page finds it at its end.
    const atEnd = recall(PLACES.backwards) === this.#place;
    if (!hasSettings || this.lessons.link === NO_SETTINGS) {
      this.go(this.at, { newEntry, atEnd, keepsSlides: true, step });
    } else if (returned) this.#showSceneAtItsStart();
    else this.#showSceneAsItStands();
    const { link, elsewhere } = this.scene;
    const goesElsewhere = link.query && link.page !== this.page && !elsewhere;
    if (!this.arriving && !goesElsewhere) this.#endAwaitingLesson();
    this.presented();
  }

  /**
   * Presenting begins, or the lesson opens while one presents: words come first, unless one is
   * within the scene.
   */
  presented() {
    const { player, standing } = this.stage;
    const { present } = standing;
    if (!this.open || !(present.on || this.scene.elsewhere)) return;
    if (present.on && this.task?.isHere && !this.#isRunOfScene) this.#showStop();
    const within = !this.arriving && player.run.hasSteps && player.t !== (this.scene.link.t ?? 0);
    if (this.#puzzle) this.slides.hide();
    else this.slides.resume(within && !this.scene.elsewhere);
    this.classVotes.resume();
    this.stage.arrange();
  }

  /** The board may be seen: what is on it is of the lesson, or there is no lesson. */
  #endAwaitingLesson() {
    this.stage.root.classList.remove("awaits-lesson");
  }

  /**
   * The words of the scene on the stage: `over` says what they lie over, null while the board is
   * seen, and `full` whether they fill the stage.
   */
  get slides() {
    return this.stage.standing.present.slides;
  }

  get classVotes() {
    return this.stage.standing.present.classVotes;
  }

  /** Show where a task starts, as it is asked of a class. @param {LessonLink} start */
  showStart({ page, query, t }) {
    this.slides.hide();
    const { cues, run } = this.stage.player;
    // A cue of the scene would stop the run while it shows what is right.
    const isHere = query === run.header.settings.query && !cues.placed.length;
    if (page !== this.page || !query || isHere) return;
    this.#showLink({ query, t: t ?? 0 }, { address: this.stage.link.extras });
  }

  /**
   * Ask what is right about a task of the scene; null where nobody knows.
   *
   * @param {number} task
   * @param {(solution: PackedAnswer | null) => void} take
   */
  solve(task, take) {
    this.lessons.solve(this.source, { scene: this.at, task, tried: 0 }, ({ solution = null }) =>
      take(solution),
    );
  }

  /** What tells the scene from others. */
  get #place() {
    return `${this.#name} ${this.at}`;
  }

  close() {
    this.#unload();
    this.lessons.nameInAddress({}, false);
  }

  #unload() {
    this.slides.close();
    this.classVotes.end();
    this.state = { kind: "closed", named: null };
    this.#endAwaitingLesson();
    this.lessonScene = null;
    this.puzzleMode.leave();
    this.element.remove();
    this.stage.root.classList.remove("asks-task");
    this.stage.player.modes.leave(this);
    this.lesson = null;
    this.#speak();
    this.tasks = [];
    this.views = [];
    this.stops = [];
    this.lessons.askForSettingFields([]);
  }

  get scene() {
    return this.lesson?.scenes[this.at] ?? null;
  }

  /**
   * Go to a scene, if there is one; returns whether there is.
   *
   * @param {number} at
   * @param {{
   *   atEnd?: boolean, atLast?: boolean, newEntry?: boolean, keepsSlides?: boolean,
   *   step?: number | null,
   * }} [how] `atEnd`: at the end of its run; `atLast`: at its last stop; `keepsSlides`: the words
   *   over the board stay or are away as they are; `step`: its own board at this step, wherever a
   *   task starts
   */
  go(
    at,
    { atEnd = false, atLast = atEnd, newEntry = true, keepsSlides = false, step = null } = {},
  ) {
    const scene = this.lesson?.scenes[at];
    if (!scene) return false;
    const { page, query } = scene.link;
    if (query && page !== this.page && !scene.elsewhere) return this.#goToSceneElsewhere(at, atEnd);
    this.at = at;
    // The address keeps the record of a friend, which a puzzle is to beat.
    const record = recordIn(this.stage.link.extras, this.#name);
    const address = { lesson: this.#name, scene: String(at + 1), ...record };
    const hasRun = query && !scene.elsewhere;
    if (!hasRun) this.lessons.nameInAddress(address, newEntry);
    this.#showScene(atLast);
    const link = step === null ? this.#stopLink : { ...scene.link, t: step };
    if (step !== null) this.task?.stayOnce();
    if (hasRun) this.#showLink(link, { atEnd, address, newEntry });
    if (keepsSlides) return true;
    const wordsFirst = this.stage.standing.present.on && !atEnd && !this.#puzzle;
    if (scene.elsewhere || wordsFirst) this.slides.show({ last: atEnd });
    else this.slides.hide();
    return true;
  }

  /** What the address calls the lesson. */
  get #name() {
    return "name" in this.source ? this.source.name : OPENED_FILE;
  }

  get open() {
    return this.state.kind !== "closed" && this.state.kind !== "starting";
  }

  get arriving() {
    return this.state.kind === "arriving" ? this.state : null;
  }

  /** What it is while no scene arrives. @returns {AtRest} */
  get #atRest() {
    if (this.state.kind === "arriving") return this.state.then;
    return { kind: this.state.kind === "behind settings" ? "behind settings" : "open" };
  }

  /**
   * Ask for the run of a link; once it has come, the board is put where the link says.
   *
   * @param {{ query: string, t?: number | null, show?: string[] | null }} link
   * @param {{
   *   atEnd?: boolean, address?: Record<string, string> | null, newEntry?: boolean,
   * }} [how] `address`: what the address has besides the settings from then on
   */
  #showLink(
    { query, t = 0, show = null },
    { atEnd = false, address = null, newEntry = true } = {},
  ) {
    const { player } = this.stage;
    player.clock.stop();
    const isMapDrawn = player.palette && player.run?.hasSteps;
    const before = isMapDrawn ? mapShownBy(player) : null;
    /** @type {Arriving} */
    const arriving = {
      kind: "arriving",
      questionNumber: Infinity, // None has it: it is asked for only below.
      query,
      t: atEnd ? Infinity : (t ?? 0),
      show,
      address,
      before,
      showsBoard: false,
      then: this.#atRest,
    };
    this.state = arriving;
    this.#showWaiting(false);
    arriving.questionNumber = this.lessons.show(query, address, newEntry);
    this.settled(); // Its run may be here at once.
  }

  /** A sign on the slide says that the board is wanted as soon as its run is here. */
  #showWaiting(isWaiting) {
    this.slides.element.classList.toggle("awaits", isWaiting);
  }

  /**
   * A page turned by a clicker: words, board, cues, questions to the class, the next scene, or
   * back. Returns false where the board itself goes on to another instant.
   */
  turn(direction) {
    if (!this.open) return false;
    if (this.#puzzle) return this.#turnPuzzle(direction);
    const { classVotes, slides } = this;
    if (classVotes.on) {
      if (classVotes.turn(direction)) return true;
      if (direction < 0) this.showBoardAgain();
      else this.#turnScene(direction);
      return true;
    }
    if (slides.full) {
      this.#turnSlides(direction);
      return true;
    }
    // What is still shown is over, and nothing has been seen of what comes.
    if (this.arriving) return true;
    if (this.#staysOnBoard(direction)) return false;
    if (direction < 0) slides.show({ last: true });
    else if (!classVotes.begin()) this.#turnScene(direction);
    return true;
  }

  /** Another page of the words; after the last one the board, as soon as it is there. */
  #turnSlides(direction) {
    const { arriving, scene, slides } = this;
    if (slides.turn(direction)) return;
    if (direction < 0 || scene.elsewhere) this.#turnScene(direction);
    else if (arriving) {
      arriving.showsBoard = true;
      this.#showWaiting(true);
    } else slides.hide();
  }

  /** Whether a page turned on the board leads to another of its instants. */
  #staysOnBoard(direction) {
    const { cues, run, runs, t } = this.stage.player;
    if (direction < 0) return Boolean(cues.before(t)) || (t > 0 && run.hasSteps);
    // The end of runs that are compared is seen before what follows.
    return Boolean(cues.after(t)) || (runs.all.length > 1 && !cues.placed.length && t < runs.end);
  }

  /** The next scene at its begin, or the one before at its end. */
  #turnScene(direction) {
    if (!this.go(this.at + direction, { atEnd: direction < 0 })) {
      this.stage.say(direction > 0 ? "This is the last scene." : "This is the first scene.");
    } else if (direction < 0) this.classVotes.begin(direction);
  }

  /** The steps of a puzzle; after them comes the next one. */
  #turnPuzzle(direction) {
    if (this.arriving || this.puzzleMode.turn(direction)) return true;
    const { next, previous } = this.lesson;
    const following = direction > 0 ? next : previous;
    if (following) this.read({ name: following.name });
    else this.stage.say(direction > 0 ? "This is the last puzzle." : "This is the first puzzle.");
    return true;
  }

  /** The board of the scene at its end, as it was before its questions. */
  showBoardAgain() {
    this.#showScene();
    this.#showLink(this.scene.link, { atEnd: true, address: this.stage.link.extras });
  }

  /** An answer has come: with the run of a scene, or of one to which the browser went back. */
  settled() {
    if (!this.stage.player.run) return;
    if (this.state.kind === "starting") this.#begin();
    else if (this.arriving) this.#arrive();
    else this.#followAddress();
    this.#compareTasks();
  }

  /** What is shown is the start of a task, or is not any more. */
  #compareTasks() {
    for (const task of this.tasks) {
      task.compare();
      task.resume();
    }
  }

  /**
   * The browser went back or forward to another scene, or to where another lesson was open, or
   * none.
   */
  #followAddress() {
    const { lesson = null, scene } = this.stage.link.extras;
    const named = this.state.kind === "closed" ? this.state.named : this.#name;
    if (lesson !== named) {
      if (this.open) this.#unload();
      if (!this.#readNamed(true)) this.stage.arrange();
      return;
    }
    const at = Number(scene) - 1;
    if (!this.open || at === this.at || !this.lesson.scenes[at]) return;
    this.at = at;
    this.#showSceneAtItsStart();
    if (this.stage.standing.present.on) this.slides.show();
  }

  /** Go to a task of the scene, by its number; null: past all. @param {number | null} number */
  showTask(number) {
    const stopAt = this.stops.findIndex(({ taskNumber }) => taskNumber === number);
    if (stopAt < 0 || stopAt === this.stopAt) return;
    this.#enterStop(stopAt);
    this.#showStop();
  }

  /** Show a scene to which the browser returned, with the board where its stop begins. */
  #showSceneAtItsStart() {
    this.#showScene();
    const { page, query, t, show } = this.#stopLink;
    if (page === this.page && query) this.#putBoard(t ?? 0, show, query);
  }

  /** Show a scene whose address had settings: they stay, unless what is asked is about others. */
  #showSceneAsItStands() {
    this.#showScene();
    const { task, stage } = this;
    const asksAboutItsRun = task && !task.isOver && !task.changesRun;
    if (asksAboutItsRun && !stage.standing.present.on) this.#showStop();
  }

  /** What is on the board where the stop begins. @returns {LessonLink} */
  get #stopLink() {
    const { task, scene, stage } = this;
    const start = task?.board;
    if (!start?.query || start.page !== this.page || stage.standing.present.on) return scene.link;
    // The same run with its cues, for who presents it.
    if (settingsOf(start.query) === settingsOf(scene.link.query)) {
      return { ...scene.link, t: start.t ?? scene.link.t };
    }
    return { ...start, show: start.show ?? scene.link.show };
  }

  /** Bring the board to where the stop begins. */
  #showStop() {
    const link = this.#stopLink;
    const { task, scene, stage } = this;
    const isOfScene = settingsOf(link.query) === settingsOf(scene.link.query);
    // Words of one's own are about what one sees.
    if (task?.definition.kind === "explain" && isOfScene) return;
    if (!link.query || link.page !== this.page || scene.elsewhere) return;
    const { cues, run } = stage.player;
    const isSameRun = settingsOf(link.query) === settingsOf(run.header.settings.query);
    // The same run without its cues, or with them, is asked for again: the link has the cues.
    const hasSameCues = hasCues(link) === cues.list.length > 0;
    if (isSameRun && hasSameCues) {
      this.#putBoard(link.t ?? 0, link.show, link.query);
    } else this.#showLink(link, { address: stage.link.extras, newEntry: false });
  }

  /**
   * Put the board at an instant of the run that is shown, with some panels; null: those that it
   * shows. On Fisher's page the query says the angle and the threshold.
   */
  #putBoard(t, show, query = "") {
    const { player } = this.stage;
    if (show) {
      player.showOnly(show);
      this.lessons.askForExtras();
    }
    player.cursor.open(t, query);
  }

  /** Another window has kept an answer. */
  #followTasks() {
    for (const task of this.tasks) task.follow();
    if (this.open) this.#updateTurnButtons();
  }

  /** The run of a scene has come: where it opens, and which panels it shows. */
  #arrive() {
    const { arriving, lessons, stage } = this;
    const { player } = stage;
    if (lessons.awaits(arriving.questionNumber)) return;
    this.state = arriving.then;
    this.#endAwaitingLesson();
    const { query, t, show, before } = arriving;
    player.clock.stop(); // If it was started meanwhile, it would play past the first cue.
    this.#putBoard(t, show, query);
    if (recall(PLACES.backwards)) {
      stage.link.now(player.query, lessons.link); // From now on a reload has the end of the scene.
      keep(PLACES.backwards, null);
    }
    if (arriving.showsBoard) this.slides.hide();
    this.#showWaiting(false);
    if (before) player.cursor.comeFrom(before);
    for (const view of this.views) view.update();
    stage.arrange();
  }

  /** Whether keys turn knobs while one presents. */
  get hasKnobs() {
    return this.page === "play";
  }

  /**
   * Turn a knob of the scene, or, where it has fewer, a number of kernel or learner.
   *
   * @param {number} k
   * @param {1 | -1} way
   */
  turnKnob(k, way) {
    const { scene, stage } = this;
    const { knobs = [], link } = scene ?? {};
    // Past the knobs of the scene: the number of a setting of kernel or learner.
    const name = knobs[k] ?? k - knobs.length;
    const from = link?.query || stage.standing.present.stateBefore.link;
    stage.session.command("turn", { name, way, from, besides: knobs });
  }

  /** Back to the scene's own settings, at the step that is shown; returns whether it has any. */
  restore() {
    const { open, page, scene, stage } = this;
    if (!open || scene.link.page !== page || !scene.link.query) return false;
    if (settingsOf(scene.link.query) === settingsOf(stage.session.state.link)) {
      const { player, standing } = stage;
      const panels = scene.link.show ?? shownByDefault(player.run);
      if (player.showsOnly(panels)) stage.say("These are the scene’s own settings and panels.");
      standing.present.restorePanels(panels);
    } else this.#showLink({ ...scene.link, t: stage.player.t }, { address: stage.link.extras });
    return true;
  }

  /** What those who join open: the scene, and the run if its settings were turned to others. */
  get joined() {
    const { at, open, source } = this;
    return open ? { lesson: source, scene: at + 1, turned: !this.#isRunOfScene } : null;
  }

  /**
   * Say all in the language of a lesson, in English unless one is open.
   *
   * @param {PlainLesson["phrases"]} [phrases]
   * @param {string} [language]
   */
  #speak(phrases, language) {
    speak(phrases, language);
    this.translateAnew();
    this.stage.redraw();
  }

  /** Let an answer to what the scene asks be held up. */
  #vote() {
    const { lesson, scene, stage } = this;
    const known = scene.tasks.flatMap((task) => questionOf(task) ?? []);
    const questions = known.length ? known : [{ ask: [scene.heading], answers: plainAnswers() }];
    this.card.open(lesson.title, questions, stage.player.run.header.tokens);
  }

  /** To the linear kernel, and back to the Gaussian as wide as it was left. */
  straighten() {
    const { at, gaussianLeft, stage } = this;
    // What the query does not say is null, the default.
    const { kernel = null, sigma = null } = Object.fromEntries(
      new URLSearchParams(stage.player.query),
    );
    if (kernel === null && sigma !== null) this.gaussianLeft = { at, sigma: Number(sigma) };
    else if (kernel !== "linear") this.gaussianLeft = null;
    const back = kernel === "linear" && gaussianLeft?.at === at;
    stage.session.command("straight", back ? { sigma: gaussianLeft.sigma } : null);
  }

  // ---- what the board asks a mode --------------------------------------------------------------

  /** Off the stage no words of a scene lie over a run that moved. */
  moved() {
    this.#compareTasks();
    if (this.slides.over && !this.stage.standing.present.on) this.slides.hide();
  }

  /** Nothing is told of a board under words. */
  get wordsFill() {
    return this.slides.full;
  }

  /** What the page is about. */
  get about() {
    return this.lesson.title;
  }

  /** The place that is marked in the bar above: who reads a lesson is at the lessons. */
  get belongsTo() {
    return this.open ? "lessons" : undefined;
  }

  /** What lies beside the board. */
  get beside() {
    return this.#puzzle ? undefined : this;
  }

  /** The puzzle that it is, null where it is none, or cannot be played on this page. */
  get #puzzle() {
    const [task] = this.scene?.tasks ?? [];
    return this.lesson?.puzzle && !task.elsewhere ? task : null;
  }

  /** What is read, and can be saved for others. */
  get handout() {
    return { source: this.source, title: this.lesson.title, solved: this.lesson.solved };
  }

  /** The task of the stop; null: it has none. */
  get task() {
    return this.tasks[this.stops[this.stopAt]?.taskNumber] ?? null;
  }

  /** What is seen of that. */
  get view() {
    return this.task?.view ?? null;
  }

  get #taskUnlessPresenting() {
    return this.stage.standing.present.on ? null : this.task;
  }

  /** The task that asks what comes next. */
  get #askingAhead() {
    return this.#taskUnlessPresenting?.asksAhead ? this.task : null;
  }

  /**
   * What the board keeps to itself. Where a task asks ahead, or for an example that comes next,
   * that would be the answer. A score would be, too, since its sign is the colour that is asked
   * for: so all numbers are hidden.
   */
  conceals() {
    const asksForNext = this.#askingAhead || this.#taskUnlessPresenting?.asksForNext;
    return asksForNext ? /** @type {const} */ ("numbers") : undefined;
  }

  /** How far one may go before what is asked of this run is answered. */
  lastTime() {
    const upTo = this.#askingAhead?.upTo ?? Infinity;
    const isBeyond = this.stage.player.t > upTo;
    return isBeyond ? Infinity : upTo; // Who is beyond it already may go on.
  }

  covers() {
    return this.classVotes.on ? [] : this.tasks.flatMap(({ covers }) => covers);
  }

  showsSymbols() {
    return this.lesson.symbols;
  }

  cuesFit() {
    return this.#isRunOfScene;
  }

  /** What the words name are examples of the scene, or of the task. */
  namesFit() {
    return this.task?.isHere || this.#isRunOfScene;
  }

  /** The examples that the task names. */
  names() {
    return this.#taskUnlessPresenting?.named ?? [];
  }

  /** The example on which the task shows the votes. */
  votes() {
    return this.#taskUnlessPresenting?.votes;
  }

  /**
   * The examples that the task asks about, and those of the last answer to it.
   *
   * @returns {RingedExample[]}
   */
  answered() {
    return this.#taskUnlessPresenting?.ringed ?? [];
  }

  /** What the run has to bring for the tasks. */
  extras() {
    return this.#drawsFigures ? ["figures"] : [];
  }

  get #drawsFigures() {
    return this.tasks.some(({ isOpen, definition }) => isOpen && definition.draws);
  }

  /**
   * What the number that was answered last is on the map; while one changes the points for a bound,
   * what that is made of.
   *
   * @returns {Figure[]}
   */
  figures() {
    const task = this.#taskUnlessPresenting;
    const isDrawn = task?.definition.draws && task.isOpen;
    const ofBound = isDrawn ? this.stage.player.run.header.extras.figures : [];
    return [...(ofBound ?? []), ...(task?.figures ?? [])];
  }

  /** Whether the task, or the walk through the cues, has the whole column beside the map. */
  get isFramed() {
    const { task, scene, stage, walk } = this;
    const { player, standing } = stage;
    if (!this.open || !(walk || task)) return false;
    const isOnStage = standing.present.on || player.bare || Boolean(scene.elsewhere);
    const isBehind = this.state.kind === "behind settings"; // They lie on the board as always.
    return !isOnStage && !isBehind && player.run !== null;
  }

  /** The map, and beside it what is asked. @param {BoardShape} shape */
  layout(shape) {
    const { classList, style } = this.element;
    // The column has the look of a question beside the map, or that of the settings.
    classList.toggle("framed", this.isFramed);
    classList.toggle("dock", !this.isFramed);
    if (!this.isFramed) return undefined;
    const { say } = this.#layoutWith(shape, 0);
    style.width = `${say.w}px`;
    classList.toggle("small", say.isUnder || shape.height < SMALL_HEIGHT);
    leaveMap(this.element, say.mapWidth);
    const place = `${this.#place} ${this.stopAt} ${say.w} ${shape.height}`;
    if (place !== this.crowdedPlace) {
      this.crowdedPlace = place;
      this.#makeRoom(shape);
    }
    this.placedHeight = this.#heightNeeded;
    this.placedPanels = this.#panelNames.join();
    return this.#layoutWith(shape, this.placedHeight);
  }

  /**
   * The layout with a column so high; `say` of it is the place of the column.
   *
   * @param {BoardShape} shape
   * @param {number} columnHeight
   */
  #layoutWith(shape, columnHeight) {
    const { runs, stream } = this.stage.player.content;
    const kind = /** @type {const} */ ("question");
    return layoutOf(new Set(this.#panelNames), {
      ...shape,
      kind,
      runs,
      stream,
      say: columnHeight,
      bar: this.#hasBar,
      hand: this.#answerPanel,
    });
  }

  /**
   * Let the words give way where the column has no room for all: `crowded` ones stand below the
   * question, `long` ones, which leave no room to what is said of an answer or to a panel, are in
   * smaller type. This is decided once for a stop and a window, so that no answer moves the words.
   *
   * @param {BoardShape} shape
   */
  #makeRoom(shape) {
    const { classList, style } = this.element;
    classList.remove("crowded", "long");
    const { unit } = this.#layoutWith(shape, 0);
    const withReply = this.#layoutWith(shape, this.#heightNeeded + REPLY * unit);
    const hasAllPanels = this.#panelNames.every((name) => name in withReply.panels);
    classList.toggle("long", withReply.height > shape.height || !hasAllPanels);
    const withoutReply = this.#layoutWith(shape, this.#heightNeeded);
    const isCrowded = withoutReply.height > shape.height;
    classList.toggle("crowded", isCrowded && !classList.contains("small") && !this.walk);
    style.setProperty("--lead", `${withoutReply.say.lead}px`);
  }

  /**
   * Whether one may play, for what is asked is about a run and not about an instant; or turn F, for
   * one has to see what follows from it.
   */
  get #hasBar() {
    if (this.walk) return false;
    const { kind } = this.task.definition;
    if (!this.stage.player.run.hasSteps) return kind === "explain";
    if (!["choose", "number", "explain"].includes(kind)) return false;
    return this.task.definition.start[0].t === null && !this.#asksForValue;
  }

  /**
   * Whether a number is asked that no run tells: a value of k, or one that is reckoned. Of what a
   * task covers, “sum” is the terms of a score, which are covered for any number.
   */
  get #asksForValue() {
    const { kind, covers = [] } = this.task.definition;
    if (kind !== "number" || !this.stage.player.run.hasSteps) return false;
    return covers.includes("k") || covers.every((name) => name === "sum");
  }

  /** What is seen beside the question: what it is about, as far as it is there already. */
  get #panelNames() {
    const { scene, walk } = this;
    const { player } = this.stage;
    // What follows from F is seen in panels alone.
    const turnsF = !player.run.hasSteps && (walk || this.#hasBar);
    const ofPage = turnsF ? shownByDefault(player.run) : [];
    const panels = (scene.link.show ?? ofPage).filter(
      (name) => player.shows(name) && !player.isLeftOut(name),
    );
    if (walk) return ["map", "timeline", ...panels];
    const { isOpen, definition } = this.task;
    if (["predict", "click"].includes(definition.kind)) return ["map"];
    if (isOpen && this.#asksForValue) return ["map"];
    const timeline = this.#hasBar ? ["timeline"] : [];
    // The one in which one answers has room before all others.
    const answerPanels = this.#answerPanel ? [this.#answerPanel] : [];
    const told = panels.filter((name) => !isVeiled(name, player));
    return [...new Set(["map", ...timeline, ...answerPanels, ...told])];
  }

  /** The panel in which one answers: the order is dragged there. */
  get #answerPanel() {
    const isDrawn = this.task?.definition.kind === "draw" && this.stage.player.shows("sequence");
    return isDrawn ? "sequence" : "";
  }

  /** In px: how high the words and answers of the column are. */
  get #heightNeeded() {
    const { style } = this.element;
    const before = style.minHeight;
    style.minHeight = "0";
    const height = this.element.offsetHeight;
    style.minHeight = before;
    return height;
  }

  /** After each frame: the column may need more room than it had, or less. */
  drawn() {
    if (!this.open) return;
    const { root } = this.stage;
    const isSeen = this.isFramed && !this.element.hidden;
    root.classList.toggle("asks-task", isSeen);
    root.classList.toggle("plays-task", isSeen && this.#hasBar);
    this.walk?.update();
    this.#showPlace();
    if (!isSeen) return;
    // So may the panels: some have something to show only now.
    const hasOtherPanels = this.#panelNames.join() !== this.placedPanels;
    if (hasOtherPanels || this.#heightNeeded !== this.placedHeight) this.stage.arrange();
  }

  /** The number of an answer gives it; Enter checks, and goes on. @param {KeyPress} press */
  keys({ name, shift }) {
    if (shift || this.element.hidden || this.arriving) return undefined;
    if (this.walk && name === "Enter") {
      this.walk.nextButton.click();
      return true;
    }
    return this.view?.key(name) || undefined;
  }

  /**
   * Of two answers the arrow to the left gives the first, the one to the right the second.
   *
   * @param {Grain} grain
   */
  step(grain, direction) {
    if (grain !== "example" || this.stage.standing.present.on || this.arriving) return undefined;
    return this.view?.arrow(direction) || undefined;
  }

  /** What Escape does. */
  wayOut() {
    const { edit, present } = this.stage.standing;
    // Who draws ends that first.
    const isClosable = this.lessons.mayBeClosed && !present.on && !edit.on;
    return isClosable ? () => this.close() : undefined;
  }

  /** The task says what came of an answer: the sentence of the step would say it once more. */
  get silences() {
    return this.isFramed || undefined;
  }

  /** The fields of settings came, as they are now. @param {DockTree | null} tree */
  equip(tree) {
    if (tree) for (const task of this.tasks) task.equip(tree.groups);
  }

  /**
   * Whether the run is that of the scene, and not one to which knobs or the settings were turned.
   */
  get #isRunOfScene() {
    const { arriving, open, scene, stage } = this;
    if (!open || arriving || !scene.link.query) return true;
    return settingsOf(scene.link.query) === settingsOf(stage.player.run.header.settings.query);
  }

  /**
   * The pointer chose an example of the map. Returns the answer that it is part of, undefined if of
   * none.
   */
  pick(i) {
    return this.open ? this.task?.picked(i) : undefined;
  }

  // ---- what is shown ---------------------------------------------------------------------------

  #showScene(atLast = false) {
    this.classVotes.end();
    const { lesson, at, scene } = this;
    const next = lesson.scenes[at + 1];
    const number = at + 1;
    const count = lesson.scenes.length;
    this.lessonScene = {
      heading: scene.heading,
      number,
      count,
      minutes: scene.minutes,
      all: lesson.minutes,
      words: textOf(scene.words).trim(),
      notes: textOf(scene.notes),
      wordNodes: () => nodesOf(scene.words),
      noteNodes: () => nodesOf(scene.notes),
      following: next
        ? `Scene ${number + 1}: ${next.heading}`
        : "No further scene: this is the last one.",
    };
    const host = this.#host();
    const puzzle = this.#puzzle;
    const definitions = puzzle ? [] : scene.tasks;
    this.tasks = definitions.map((task, k) => new Task(task, { scene: at, task: k }, host));
    this.stops = this.#stopsOf(scene);
    this.views = this.stops.flatMap(({ words, taskNumber }) => {
      if (taskNumber === null) return [];
      return [new TaskView(this.tasks[taskNumber], nodesOf(words, { go: host.go }))];
    });
    const followFromSlides = (address) => {
      this.slides.hide();
      host.go(address);
    };
    this.slides.take(lesson, at, this.#place, {
      words: () => nodesOf(scene.words, { go: followFromSlides }),
      first: at === 0 ? titleOf(lesson) : [],
    });
    this.lessons.askForSettingFields(this.tasks.flatMap(({ fields: { group } }) => group ?? []));
    if (this.extras().length) this.lessons.askForExtras();
    if (puzzle) this.puzzleMode.open(puzzle, this.#puzzleHost(host));
    else this.puzzleMode.leave();
    this.body.setAttribute("aria-label", scene.heading);
    this.#enterStop(atLast ? this.stops.length - 1 : this.#firstOpenStop);
  }

  /** The index of the first stop at which something is to be done, or of the last stop. */
  get #firstOpenStop() {
    const isSceneBegun = this.tasks.some(({ done }) => done.tries > 0 || done.answers.length > 0);
    // A secret task is not answered here, and read in any case.
    const isSecret = (number) => this.scene.tasks[number].elsewhere?.isSecret;
    /** @param {Stop} stop */
    const isDone = ({ taskNumber, walks }) => {
      if (walks) return isSceneBegun;
      return taskNumber !== null && this.tasks[taskNumber].isOver && !isSecret(taskNumber);
    };
    const firstOpen = this.stops.findIndex((stop) => !isDone(stop));
    return firstOpen < 0 ? this.stops.length - 1 : firstOpen;
  }

  /**
   * The stops of a scene: each task with the words before it, and at the end the board, if words
   * are left, a cue, or nothing is asked; the lesson ends on it.
   *
   * @param {LessonScene} scene
   * @returns {Stop[]}
   */
  #stopsOf({ words, link, asked_first: askedFirst }) {
    /** @type {Stop[]} */
    const stops = [];
    /** @type {Word[]} */
    let before = [];
    const placed = new Set();
    for (const word of words) {
      if (typeof word !== "string" && word.kind === "task") {
        if (!this.tasks[word.number]) continue; // A puzzle has a place of its own.
        // One walks through the cues after the tasks that are asked before them.
        if (hasCues(link) && placed.size === askedFirst) {
          stops.push({ words: before, taskNumber: null, walks: true });
        }
        stops.push({ words: before, taskNumber: word.number });
        placed.add(word.number);
        before = [];
      } else before.push(word);
    }
    const others = this.tasks.map((_, k) => k).filter((k) => !placed.has(k));
    for (const taskNumber of others) stops.push({ words: [], taskNumber });
    const isLastScene = this.at === this.lesson.scenes.length - 1;
    const walks = hasCues(link) && !stops.some((stop) => stop.walks);
    const hasMore = textOf(before).trim() || walks || isLastScene;
    if (hasMore || !stops.length) stops.push({ words: before, taskNumber: null, walks });
    return stops;
  }

  /** What is read and asked at a stop. @param {number} stopAt */
  #enterStop(stopAt) {
    const { lesson, at, scene } = this;
    this.stopAt = stopAt;
    const { words, walks } = this.stops[stopAt];
    const { view } = this;
    const wordNodes = () => nodesOf(words, { go: (address) => this.#follow(address) });
    this.walk = walks ? new CueWalk(this.stage, wordNodes(), () => this.#goOn()) : null;
    this.heading.textContent = scene.heading;
    const pipClass = (/** @type {number} */ k) => (k < at ? "done" : "");
    renew(this.pips, [at, lesson.scenes.length], () =>
      lesson.scenes.map((_, k) => make("i", { className: k === at ? "now" : pipClass(k) })),
    );
    this.walk?.update();
    this.#showPlace();
    // A task, and a walk through cues, have the words in them.
    const inPlaceOfWords = view ?? this.walk;
    const nodes = inPlaceOfWords ? [inPlaceOfWords.element] : wordNodes();
    const isForeign = at === 0 && stopAt === 0 && !/^en\b/i.test(lesson.language);
    this.body.replaceChildren(
      ...(isForeign ? [make("p", { className: "where" }, IN_ENGLISH)] : []),
      ...this.#elsewhere(scene),
      ...nodes,
      ...(view ? [] : this.#ending()),
    );
    this.taskButtons.replaceChildren(
      ...(view ? [view.hintButton, view.startButton, view.guesses] : []),
    );
    this.body.scrollTop = 0;
    view?.update();
    this.#updateTurnButtons();
    this.stage.arrange();
  }

  /** Which scene it is, and which cue of it. */
  #showPlace() {
    const { at, lesson, walk } = this;
    const minutes = at === 0 && lesson.minutes ? ` · ${inMinutes(lesson.minutes)}` : "";
    const cue = walk?.place ? ` · ${walk.place}` : "";
    this.where.textContent = `${at + 1} of ${lesson.scenes.length}${minutes}${cue}`;
  }

  /** After the last stop of a lesson: what one can do now. */
  #ending() {
    const { lesson, at, stopAt, stops } = this;
    const isEnd = at === lesson.scenes.length - 1 && stopAt === stops.length - 1;
    if (!isEnd || !lesson.objectives.length) return [];
    return [make("p", {}, "You can now:"), listOf(lesson.objectives)];
  }

  /**
   * What the tasks of this lesson need; another one may be open when an answer was checked.
   *
   * @returns {TaskHost}
   */
  #host() {
    const { lesson, lessons, progress, source, stage } = this;
    const { player } = stage;
    const isShown = ({ query, t }) => {
      const { run, runs } = player;
      if (run === null || (this.slides.over && !stage.standing.present.on)) return false;
      const queryWithoutPins = run.header.settings.query;
      // A task may be about runs side by side: its query then has the pinned ones, too.
      const isRun = query === queryWithoutPins || query === `${queryWithoutPins}&${runs.query}`;
      return isRun && (t === null || t === player.t);
    };
    return {
      progress,
      unkept: () => this.unkept(),
      check: (task, take) => lessons.check(source, task, take),
      tells: lesson.told ?? false,
      solve: (task, take) => lessons.solve(source, task, take),
      replay: (step) => player.cursor.replay(step),
      show: (link) => {
        this.slides.hide();
        this.#showLink(link);
      },
      go: (address) => this.#follow(address),
      link: () => lessons.link,
      settled: () => lessons.settled,
      failures: () => lessons.failures,
      isShown,
      reach: (link) => {
        const here = !link.query || isShown({ ...link, t: null });
        if (here && player.run) player.cursor.reach(Math.min(link.t ?? Infinity, player.runs.end));
      },
      workedOn: () => stage.redraw(),
      goOn: () => this.#goOn(),
      step: (step) => stepAsked(player.run, step),
      dock: () => stage.dock,
      draw: (y, byKey) => {
        stage.actions.press(y > 0 ? "draw-plus" : "draw-minus");
        if (byKey) stage.canvas.focus({ preventScroll: true }); // Arrows and Enter draw there.
      },
      example: (step) => (step <= player.run.nSteps ? player.run.trace.index[step - 1] : null),
      changed: () => {
        if (this.lesson === lesson && this.stops.length) this.#updateTurnButtons();
        stage.redraw(); // What the task asked about may be seen now.
      },
    };
  }

  /** @param {TaskHost} host @returns {PuzzleHost} */
  #puzzleHost({ show }) {
    const { lesson, lessons, source } = this;
    return {
      show,
      lesson,
      lessons,
      source,
      name: this.#name,
      arrives: () => this.arriving !== null,
      read: (name) => this.read({ name }),
      close: () => this.close(),
    };
  }

  /** The browser keeps no answers: that is said once. */
  unkept() {
    if (this.saidUnkept || this.progress?.isNewer) return;
    this.saidUnkept = true;
    this.stage.notice({ kind: "warning", words: UNKEPT });
  }

  /** A scene of another page, on a page that has no other. @param {LessonScene} scene */
  #elsewhere({ elsewhere }) {
    return elsewhere ? [elsewhereOf("What it shows", elsewhere)] : [];
  }

  /** A link among the words: on this page it is shown here. */
  #follow(address) {
    const [path, query = ""] = address.split("?");
    const page = path.replace(/^\/|\/$/g, "") || "play";
    if (page in PATHS && page !== this.page) this.#goToPage(page, query, this.at);
    else this.#showLink({ query, t: Number(/(?:^|&)t=([0-9]+)/.exec(query)?.[1] ?? 0) });
  }

  /** Go to a scene that another page shows. */
  #goToSceneElsewhere(at, atEnd) {
    const { page } = this.lesson.scenes[at].link;
    if (atEnd) keep(PLACES.backwards, `${this.#name} ${at}`);
    this.slides.leave(`${this.#name} ${at}`, atEnd);
    this.#goToPage(page, NO_SETTINGS, at);
    return true;
  }

  /** Go to another page, with the lesson at a scene. */
  #goToPage(page, query, at) {
    const { notes, player } = this.stage;
    notes.leave();
    const place = [`lesson=${encodeURIComponent(this.#name)}`, `scene=${at + 1}`];
    this.lessons.open(PATHS[page], [query, ...player.modes.all("query"), ...place].join("&"));
  }

  #updateTurnButtons() {
    const { lesson, at, task, stopAt, stops } = this;
    const isFirst = at === 0 && stopAt === 0;
    const isLast = at === lesson.scenes.length - 1 && stopAt === stops.length - 1;
    const following = isLast ? lesson.next : null;
    this.back.disabled = isFirst;
    this.next.disabled = isLast && !following;
    this.next.textContent = following ? "Next lesson" : "Next";
    this.next.ariaLabel = following ? `Next lesson: ${following.title}` : null;
    this.next.hidden = task !== null || this.walk !== null; // These have one under their words.
    const canSkip = task !== null ? !task.leads : this.walk !== null && !isLast;
    this.skip.hidden = !canSkip;
    this.#showHandIn();
  }

  /** At the end of the lesson its answers can be handed in. */
  #showHandIn() {
    const { at, body, task, lesson, progress, source, student } = this;
    const handInBox = body.querySelector(".hand-in");
    const isLast = at === lesson.scenes.length - 1;
    const hasAnswers = Object.keys(progress.tasks).length > 0;
    if (!isLast || task || !hasAnswers) handInBox?.remove();
    else if (!handInBox) body.append(handIn(source, lesson, progress, student));
  }

  /**
   * Lie beside the board, or in a tiny window below it.
   *
   * @param {Pick<Layout, "dock" | "sheet" | "say">} layout
   * @param {number | null} below the px of the board under which it lies, null: it does not
   */
  place({ dock, sheet, say }, below = null) {
    const isAway = !dock && !say && below === null;
    if (this.open) this.#setBehind(isAway && !this.stage.standing.present.on);
    this.element.hidden = isAway;
    lie(this.element, { dock, sheet });
    this.element.style.minHeight = say ? `${say.h}px` : "";
    if (say) {
      const { x, y, w } = say;
      Object.assign(this.element.style, { left: `${x}px`, top: `${y}px`, width: `${w}px` });
    }
    this.element.classList.toggle("below", below !== null);
    if (below !== null) this.element.style.top = `${below}px`;
  }

  /** The settings lie in its place, or not any more. @param {boolean} behind */
  #setBehind(behind) {
    const before = this.#atRest;
    /** @type {AtRest} */
    const now = { kind: behind ? "behind settings" : "open" };
    if (this.arriving) this.arriving.then = now;
    else this.state = now;
    if (behind && before.kind === "open") this.stage.say("Press Esc to return to the lesson.");
  }

  stop() {
    this.controller.abort();
    this.card.stop();
  }
}

/** What the map shows. @param {Player} player */
function mapShownBy(player) {
  const { run, shownField: field, limit } = sceneOf(player, performance.now());
  return { run, field: field.slice(), limit };
}

/**
 * What is asked of a step, and what is said of it. What follows in learners other than the
 * perceptron takes more than a few words.
 *
 * @param {Run} run
 * @param {number} step from 1
 * @returns {StepAsked | null}
 */
function stepAsked(run, step) {
  if (step > run.nSteps) return null;
  const i = run.trace.index[step - 1];
  const y = run.y[i];
  const settings = new URLSearchParams(run.header.settings.query);
  const isPerceptron = !settings.has("learner");
  // A query without a kernel has the Gaussian, whose hill is seen on the map.
  const added = settings.has("kernel") ? "brick" : "hill";
  return {
    example: i,
    y,
    isMistake: run.trace.mistake[step - 1] === 1,
    told: toldInLesson(run, step),
    follows: {
      right: isPerceptron ? "nothing changes" : "",
      mistake: isPerceptron ? `its ${colour(y)} ${added} is added` : "",
    },
  };
}

/** Whether a link has cues. @param {{ query: string }} link */
const hasCues = ({ query }) => query.includes("cues=");

/** What a link sets of the run, without cues, pinned models and where F points. */
const settingsOf = (query) =>
  [...new URLSearchParams(query)]
    .filter(([name]) => !/^(cues|angle|threshold|compare|pins|p[0-9]+[.].*)$/.test(name))
    .map((pair) => pair.join("="))
    .sort()
    .join("&");

/**
 * What a task asks a class, as the stage shows it, null where the stage alone knows the answers.
 *
 * @param {LessonTask} task
 */
function questionOf(task) {
  const { kind, ask } = task;
  if (kind === "predict") return { ask: nodesOf(ask), answers: lettered(PREDICTED) };
  if (kind !== "choose") return null;
  const choices = votedChoices(task).map((k) => task.choices[k]);
  if (choices.length > LETTERS.length) return null;
  const colours = choices.map((choice) => textOf(choice).match(COLOURS) ?? []);
  const isOfClasses =
    choices.length === 2 &&
    colours.every(({ length }) => length === 1) &&
    colours[0][0] !== colours[1][0];
  const answers = isOfClasses ? sideAnswers() : lettered(choices.map((choice) => nodesOf(choice)));
  return { ask: nodesOf(ask), answers };
}

/** @param {(string | (Node | string)[])[]} answers what each says */
const lettered = (answers) =>
  answers.map((words, letter) => ({ sign: { letter }, words: [words].flat() }));
