// A puzzle: one sentence, the map, and one number that follows what one does to the board. The
// engine counts, judges, and checks the record that a friend has sent.

import { chart } from "../panels/chart.js";
import { copyText } from "../page/dom.js";
import { textOf } from "../page/lesson/words.js";
import { PuzzleBox } from "../page/lesson/puzzle.js";
import { PuzzleWall } from "./puzzle_wall.js";
import { recordIn } from "../page/lesson/record.js";
import { toolsOf } from "./puzzle_tools.js";
import { keep, recall, PLACES } from "../service/texts.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { BoardShape, Mark, Pointer, Rect } from "../board/types.d.ts" */
/** @import { SeenPuzzle } from "../page/lesson/puzzle.js" */
/** @import { PuzzleTools } from "./puzzle_tools.js" */
/** @import { DockTree } from "../page/dock/types.d.ts" */
/** @import { Stage } from "../page/stage.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Lessons } from "../service/lessons.js" */
/** @import { CheckedTask, KeyPress, LessonLink, LessonSource, LessonTask } from "./types.d.ts" */
/** @import { Mode, PlainLesson, Word } from "./types.d.ts" */

/**
 * What a puzzle needs of the lesson that it is. `name`: what the address calls it.
 * @typedef {object} PuzzleHost
 * @property {PlainLesson} lesson
 * @property {Lessons} lessons
 * @property {LessonSource} source
 * @property {string} name
 * @property {(link: LessonLink) => void} show
 * @property {() => boolean} arrives whether the run of a link is still to come
 * @property {(name: string) => void} read another lesson
 * @property {() => void} close
 */

/** A friend's record that is true. @typedef {{ words: string, by: string, value: number }} Sent */

const UNKNOWN = "…"; // Stands for a number that is still being counted.
const NONE = "–"; // Stands for the number of a board that does not count.
const RING = 5; // In px beyond the edge of a point of one's own.
const REACH = 24; // In px: so near to a height of the line it can be taken.
const HERE = { scene: 0, task: 0, tried: 0 };
/** Keys that mean what they do on the board; all others are the browser's. */
const KEYS = new Set(["Escape", "z", "w", "?", "x", "l", "Delete", "Backspace"]);

/** @implements {Mode} */
export class Puzzle {
  name = "puzzle";
  guides = true;
  speaks = true;
  /** @type {LessonTask | null} */
  task = null;
  /** @type {PuzzleHost | null} */
  host = null;
  /** @type {PuzzleBox | null} */
  box = null;
  /** @type {PuzzleTools | null} */
  tools = null;
  measured = ""; // The link that was counted last, or is being counted.
  busy = false; // A board is being counted.
  /** @type {CheckedTask | null} */
  checked = null; // What the engine said of the board that was counted last.
  why = ""; // What is said of it.
  /** @type {Word[]} */
  learnt = []; // What the puzzle has taught, once par was reached.
  best = ""; // Said once nothing is better.
  /** @type {{ value: number, shown: string, link: string } | null} */
  recordBefore = null; // One's record when the puzzle was opened.
  /** @type {Sent | null} */
  sent = null;
  refused = ""; // Why a friend's record does not count.
  /** @type {Run | null} */
  seen = null; // The run whose end is shown.
  begun = false; // The hand was given what it draws with.

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.player = stage.player;
    this.wall = new PuzzleWall(this);
  }

  get on() {
    return this.player.modes.has(this);
  }

  // ---- opening and leaving ---------------------------------------------------------------------

  /** @param {LessonTask} task @param {PuzzleHost} host */
  open(task, host) {
    this.leave();
    const { stage, player } = this;
    Object.assign(this, { task, host, sent: null, refused: "", begun: false });
    this.#restart();
    this.wall.open();
    this.recordBefore = recall(PLACES.record, task.mark);
    this.tools = toolsOf(task, stage, () => this.#measure(true));
    this.box = new PuzzleBox(this.tools.element, {
      all: () => host.lessons.open("puzzles", ""),
      again: () => this.again(),
      takeBack: () => stage.standing.edit.goBack("undo"),
      open: () => host.close(),
      send: (name, tell) => this.#send(name, tell),
    });
    this.observer = new ResizeObserver(() =>
      requestAnimationFrame(() => this.on && stage.arrange()),
    );
    this.observer.observe(this.box.element);
    player.modes.enter(this);
    host.lessons.askForSettingFields(this.tools.group ? [this.tools.group] : []);
    this.readRecord(recordIn(stage.link.extras, host.name));
  }

  leave() {
    if (!this.on) return;
    const { stage, player } = this;
    this.observer.disconnect();
    player.modes.leave(this);
    if (stage.standing.edit.on) stage.standing.edit.toggle(false);
    this.host.lessons.askForSettingFields([]);
    this.wall.box.hide();
    this.#appear();
    this.host = null;
  }

  /** Nothing of what one did before counts, but one's record. */
  #restart() {
    Object.assign(this, { measured: "", checked: null, why: "", learnt: [], best: "", seen: null });
  }

  /** Begin once more. */
  again() {
    this.recordBefore = recall(PLACES.record, this.task.mark);
    this.#restart();
    this.tools.take?.(this.tools.heights.map(() => 0));
    if (this.#isAtStart) {
      this.player.cursor.put(0);
      this.settled();
    } else this.host.show(this.start);
  }

  get start() {
    return this.task.start[0];
  }

  get #isAtStart() {
    const heights = this.tools.heights ?? [];
    const { lessons } = this.host;
    return (
      withoutView(lessons.link) === withoutView(this.start.query) &&
      heights.every((height) => height === 0)
    );
  }

  stop() {
    this.observer?.disconnect();
  }

  // ---- the number ------------------------------------------------------------------------------

  /** A board is here. */
  settled() {
    if (!this.on || this.host.arrives() || !this.player.run) return;
    this.#begin();
    if (!this.#isLine) this.#goToEnd();
    this.#measure();
  }

  /** What is learnt is seen: the end of the run. */
  #goToEnd() {
    const { cursor, run } = this.player;
    if (this.seen === run) return;
    this.seen = run;
    cursor.go(Infinity);
  }

  /** The hand has what it needs to draw with. */
  #begin() {
    if (this.begun) return;
    this.begun = true;
    const { edit } = this.stage.standing;
    if (this.task.placed !== undefined && !this.player.bare) edit.start(edit.label);
  }

  /** Whether a line is guessed, which the board keeps to itself until par is reached. */
  get #isLine() {
    return Boolean(this.task?.line);
  }

  get #isConcealed() {
    return this.#isLine && !this.learnt.length;
  }

  /** The link of the board, with the line that is drawn over it. */
  get #link() {
    const { link } = this.host.lessons;
    const { heights } = this.tools;
    return heights ? `${link}&line=${heights.map((height) => height || 0).join("_")}` : link;
  }

  /**
   * Let the engine count, unless it has; a line is counted only when one asks, since a guess whose
   * number is known is none.
   */
  #measure(isAsked = false) {
    const link = this.#link;
    if (this.busy || link === this.measured || (this.#isLine && !isAsked)) return;
    const { host } = this;
    this.busy = true;
    this.measured = link;
    host.lessons.check(host.source, { ...HERE, answer: { link }, live: true }, (result) => {
      this.busy = false;
      if (this.host !== host) return;
      this.#take(link, result);
      this.#measure();
    });
  }

  /** @param {string} link @param {{ checked?: CheckedTask, failed?: string }} result */
  #take(link, { checked, failed }) {
    this.checked = checked ?? null;
    const isEmpty = this.task.placed === 0 && this.#isAtStart;
    this.why = isEmpty ? "" : (checked?.why ?? failed ?? ""); // The question says what is missing.
    this.best = checked?.detail.best ?? "";
    this.#keepRecord(link);
    if (checked?.right && !this.learnt.length) {
      this.learnt = checked.because;
      if (this.#isLine) this.#goToEnd();
    }
    this.stage.redraw();
  }

  /** @param {string} link */
  #keepRecord(link) {
    const { value, shown } = this.checked?.detail ?? {};
    const record = recall(PLACES.record, this.task.mark);
    // The start is nobody's, nor is what a class is shown.
    if (value === undefined || this.#isAtStart || this.player.bare) return;
    if (record && !this.isBetter(value, record.value)) return;
    keep(PLACES.record, { value, shown, link }, this.task.mark);
  }

  /** @param {number} value @param {number} other */
  isBetter(value, other) {
    return this.task.more ? value > other : value < other;
  }

  // ---- a friend's record, and one's own --------------------------------------------------------

  /** Let the engine check a record, as a link has it. @param {Record<string, string>} pairs */
  readRecord(pairs) {
    if (!pairs.record) return;
    const { host, player, stage } = this;
    host.lessons.readRecord(host.source, this.#record(pairs), ({ record, failed }) => {
      if (this.host !== host) return;
      if (record) {
        const { by, challenge, value } = record;
        this.sent = { words: challenge, by, value };
        this.wall.add({ value, shown: pairs.record, by, board: provenBy(pairs.proof) });
      } else if (player.bare) stage.say(failed ?? "");
      else this.refused = failed ?? "";
      stage.redraw();
    });
  }

  /** @param {Record<string, string>} pairs */
  #record({ record = "", by = "", proof = "" }) {
    return { record, by, proof };
  }

  get #isBeaten() {
    const record = recall(PLACES.record, this.task.mark);
    return this.sent !== null && record !== null && this.isBetter(record.value, this.sent.value);
  }

  /** Show the board of a friend who is beaten. */
  #showSent() {
    const { host, stage } = this;
    const pairs = this.#record(recordIn(stage.link.extras, host.name));
    const { link } = recall(PLACES.record, this.task.mark);
    host.lessons.readRecord(host.source, { ...pairs, own: link }, ({ record, failed }) => {
      if (this.host !== host) return;
      if (!record) {
        this.refused = failed ?? "";
        stage.redraw();
        return;
      }
      this.showBoard(record.board);
    });
  }

  /** @param {string} board a link, with the line that is drawn over it, if one is */
  showBoard(board) {
    const [query, line] = board.split("&line=");
    this.checked = null;
    this.why = "";
    if (line) this.tools.take(line.split("_").map(Number));
    this.host.show({ page: "play", query, t: null, show: null });
    if (line) this.#measure(true);
  }

  /** Make the link of one's record. @param {string} by @param {(words: string) => void} tell */
  #send(by, tell) {
    const { host } = this;
    const { link: board } = recall(PLACES.record, this.task.mark);
    host.lessons.makeRecord(host.source, { board, by }, async ({ made, failed }) => {
      if (!made) {
        tell(failed ?? "The link could not be made.");
        return;
      }
      const address = `${location.origin}${location.pathname}?${made.query}`;
      const isCopied = await copyText(address);
      tell(isCopied ? "Copied: send it to a friend." : `Copy this link: ${address}`);
    });
  }

  // ---- what the board asks a mode --------------------------------------------------------------

  conceals() {
    return this.#isConcealed ? /** @type {const} */ ("ahead") : undefined;
  }

  lastTime() {
    return this.#isConcealed ? 0 : Infinity;
  }

  refusal = "Draw the line first: then the map shows where it runs.";

  grid() {
    return this.task.placed === undefined ? undefined : (this.task.grid ?? undefined);
  }

  fixedPoints() {
    return this.task.fixed;
  }

  mostPoints() {
    return this.task.most;
  }

  /** In an order the examples are called by their numbers. */
  names() {
    const isOrder = this.task.within?.some(({ name }) => name === "order");
    return isOrder ? Array.from({ length: this.player.run.n }, (_, i) => i) : [];
  }

  /** Arrows do not step: the number is that of the whole run. */
  step() {
    return true;
  }

  keysOnStage = [
    ["PageDown / PageUp", "board of the best record, then the next puzzle"],
    ["Enter · 0", "a record, or its link · take the last one away"],
  ];

  /** @param {KeyPress} press */
  keys({ name, shift }) {
    if (this.player.bare) return shift ? undefined : this.wall.press(name);
    return KEYS.has(name) ? undefined : /** @type {const} */ ("left");
  }

  wayOut() {
    return this.player.bare ? undefined : () => this.host.close();
  }

  /** A page turned before a class. */
  turn(direction) {
    return this.wall.turn(direction);
  }

  classAsked() {
    return this.player.bare ? this.wall.linesForLecturer() : undefined;
  }

  belongsTo = "puzzles";

  /** What the page is about. */
  get about() {
    return this.host.lesson.title;
  }

  /** What is asked, and what the engine said last of the board. */
  sentence() {
    const ask = this.#isAtStart || !this.why ? `${this.ask} ${this.tools.onGrid ?? ""}`.trim() : "";
    return this.refused || [ask, this.why, textOf(this.learnt)].filter(Boolean).join(" ");
  }

  get ask() {
    return textOf(this.task.ask);
  }

  /** @param {DockTree | null} tree */
  equip(tree) {
    const fields = this.on && this.tools.group ? tree?.groups[this.tools.group] : null;
    if (fields) this.tools.equip(fields);
  }

  // ---- the line in one's hand ------------------------------------------------------------------

  /** @param {Pointer} pointer */
  takesPress(pointer) {
    return this.#isLine && this.#heightAt(pointer) >= 0 ? true : undefined;
  }

  pointerShape() {
    const { pointer } = this.player;
    return pointer && this.takesPress(pointer) ? "ns-resize" : undefined;
  }

  /** Which height of the line is near a pixel, -1 for none. @param {Pointer} pointer */
  #heightAt({ px, py }) {
    const { view } = this.player;
    const { heights } = this.tools;
    const k = Math.round(((px - view.rect.x) / view.rect.w) * (heights.length - 1));
    const isNear = view.contains(px, py) && Math.abs(view.y(heights[k]) - py) <= REACH;
    return isNear ? k : -1;
  }

  /** @param {PointerEvent} _event @param {Pointer} pointer */
  press(_event, pointer) {
    if (!this.takesPress(pointer)) return; // Another mode has taken it.
    const k = this.#heightAt(pointer);
    const { heights, take } = this.tools;
    const { grid } = this.task;
    const { view, modes } = this.player;
    modes.enter({
      name: "height",
      holds: true,
      pointerShape: "ns-resize",
      still: true,
      move: ({ py }) => {
        const [, height] = view.place(view.rect.x, py);
        const onGrid = Number((Math.round(height / grid) * grid).toFixed(6));
        take(heights.map((other, j) => (j === k ? onGrid : other)));
      },
      end: () => {},
      cancel: () => {},
    });
  }

  /**
   * The line that one guesses, or rings round the points that are one's own.
   *
   * @param {PanelScene} scene
   * @returns {Mark[]}
   */
  over(scene) {
    if (this.#isLine) return this.#line(scene);
    const { run, view, t, pointScale, palette } = scene;
    const { points } = this.player;
    const { fixed } = this.task;
    if (!fixed) return [];
    return Array.from({ length: Math.max(points.n - fixed, 0) }, (_, k) => {
      const i = fixed + k;
      const [x, y] = points.at(i);
      const r = i < run.n ? run.pointRadius(i, Math.min(t, run.nSteps), pointScale) : 0;
      const look = { stroke: palette.on_map, width: 2, name: "own" };
      return { kind: "circle", x: view.x(x), y: view.y(y), r: r + RING * pointScale, ...look };
    });
  }

  /** @param {PanelScene} scene @returns {Mark[]} */
  #line({ rect, view, palette }) {
    const { heights } = this.tools;
    const across = rect.w / (heights.length - 1);
    const places = heights.map((height, k) => [rect.x + k * across, view.y(height)]);
    const line = { stroke: palette.accent, width: 3, dash: [9, 6], name: "guess" };
    const knob = { fill: palette.accent, stroke: palette.on_mark, width: 1.5, name: "height" };
    return [
      chart.line(places.flat(), line),
      ...places.map(([x, y]) => /** @type {Mark} */ ({ kind: "circle", x, y, r: 6, ...knob })),
    ];
  }

  // ---- what is seen ----------------------------------------------------------------------------

  /** @param {BoardShape} shape */
  layout(shape) {
    if (this.player.bare) return this.wall.layout(shape);
    const { asking, element } = this.box;
    const layout = asking.arrange(shape);
    element.hidden = layout.dock !== null && !layout.sheet;
    return layout;
  }

  /** @param {Rect & { panels: Record<string, Rect> }} box of the board in the window */
  placeWords(box) {
    if (this.on && this.player.bare) {
      this.wall.show(this.#seen());
      this.wall.place(box);
    } else this.wall.box.hide();
  }

  get #isSeen() {
    return this.on && !this.player.bare;
  }

  drawn() {
    this.#appear();
    if (this.#isSeen) this.#show();
    else this.wall.show(this.#seen());
  }

  #appear() {
    const { root, canvas } = this.stage;
    const isSeen = this.#isSeen;
    if (this.box.element.isConnected === isSeen) return;
    root.classList.toggle("asks", isSeen);
    if (isSeen) canvas.after(this.box.element);
    else this.box.element.remove();
    this.stage.arrange();
  }

  #show() {
    this.tools.update();
    this.box.show(this.#seen(), this.player.run.header.tokens.shapes);
  }

  /** @returns {SeenPuzzle} */
  #seen() {
    const { host, task, sent, checked, learnt } = this;
    const { number, lesson } = host.lesson.puzzle;
    const { next } = host.lesson;
    const detail = checked?.detail ?? {};
    const record = recall(PLACES.record, task.mark);
    const isReached = learnt.length > 0;
    const isWaiting = checked === null && !this.why;
    const isCounted = detail.value !== undefined;
    const friend = sent?.by || "your friend";
    const par = Number(task.par);
    const reason = isCounted || this.#isConcealed ? this.best : this.why;
    return {
      where: `Puzzle${number === null ? "" : ` ${number}`} · ${host.lesson.title}`,
      question: isReached ? "" : (sent?.words ?? this.ask),
      ask: sent && !isReached ? this.ask : "",
      shown: isCounted ? detail.shown : isWaiting && !this.#isLine ? UNKNOWN : NONE,
      unit: detail.value === 1 ? task.unitOfOne : task.unit,
      value: detail.value,
      ...this.#state(record),
      marks: [
        { words: `par ${task.par}`, value: par },
        ...(sent ? [{ words: sent.by || "sent", value: sent.value }] : []),
      ],
      told: this.refused || this.#told(reason, friend),
      learnt,
      lesson:
        isReached && lesson ? { words: lesson.title, act: () => host.read(lesson.name) } : null,
      next:
        isReached && next
          ? {
              words: `${number === null ? "Next" : `Puzzle ${number + 1}`}: ${next.title}`,
              act: () => host.read(next.name),
            }
          : null,
      board: this.#isBeaten
        ? {
            words: `Show ${sent.by ? `${sent.by}’s board` : "that board"}`,
            act: () => this.#showSent(),
          }
        : null,
      isRecord: record !== null && "name" in host.source, // A link names a puzzle of the server.
      isAtStart: this.#isAtStart,
    };
  }

  /** @param {string} reason @param {string} friend */
  #told(reason, friend) {
    if (reason || !this.sent) return reason;
    if (this.#isBeaten) return `You have beaten ${friend}.`;
    return `The board of ${friend} is checked: you see it once you have beaten it.`;
  }

  /** @param {{ value: number, shown: string } | null} record */
  #state(record) {
    const { checked, recordBefore, task } = this;
    const { value } = checked?.detail ?? {};
    const best = record ? [`your record: ${record.shown}`] : [];
    if (checked?.right) return { state: [`✓ par ${task.par} is reached`, ...best], isGood: true };
    const isNew = record !== null && recordBefore !== null && record.value === value;
    if (isNew && this.isBetter(value, recordBefore.value)) {
      return { state: ["✓ your record", `it was ${recordBefore.shown}`], isGood: true };
    }
    const first = task.first ? [`at the start: ${task.first}`] : [];
    return { state: [...first, ...best], isGood: false };
  }
}

/** The board that proves a record, as kpviz/lessons/records.py writes it. @param {string} proof */
const provenBy = (proof) => atob(proof.replaceAll("-", "+").replaceAll("_", "/"));

/** What a link says of the settings alone. @param {string} query */
const withoutView = (query) => query.split("&").sort().join("&");
