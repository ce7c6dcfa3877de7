// The stage of Fisher's page: where F points, the threshold, and everything that is drawn from them.

import { Panel } from "../panels/board.js";
import { Palette } from "../model/colors.js";
import { Frames } from "../shell/frames.js";
import { fillScreen, isDark } from "../shell/dom.js";
import { copy } from "../shell/clipboard.js";
import { forgetWidths } from "../model/measure.js";
import { paint } from "../paint/paint.js";
import { unpack } from "../model/payload.js";
import { tipMarks } from "../panels/tip.js";
import { componentsMarks } from "./components.js";
import { Controls, MENUS } from "./controls.js";
import { touched } from "./hover.js";
import { listen } from "./keys.js";
import { lanesGeometry, lanesMarks } from "./lanes.js";
import { layout } from "./layout.js";
import { mapMarks, View } from "./map.js";
import { scatterMarks, spectrumMarks } from "./numbers.js";
import { listenToPointer } from "./pointer.js";
import { sentence, wordMarks } from "./sentence.js";
import { colours } from "./shapes.js";
import { stripMarks } from "./strip.js";
import { BEST, OTHER, Table, turned, within } from "./table.js";

const PANELS = {
  map: mapMarks,
  words: wordMarks,
  lanes: lanesMarks,
  strip: stripMarks,
  scatter: scatterMarks,
  spectrum: spectrumMarks,
  components: componentsMarks,
};
const TURNING = 24; // degrees per second
const EASING = { least: 350, each: 7 }; // ms to a special direction, and ms per degree
/** @type {Map<string, { place: Place, moved: number | null }>} */
const left = new Map(); // where F was when a page was left, by its data

/** @import { Dock } from "../dock/dock.js" */
/** @import { Notices } from "../shell/notices.js" */
/** @import { Link } from "../service/link.js" */
/** @import { Session } from "../service/session.js" */
/** @import { Place, Reading } from "./table.js" */
/** @import { Board, FisherEnvelope, FisherHeader, Layout, Pointer } from "../types.d.ts" */

export class FisherStage {
  /** @type {(FisherHeader & { id: string }) | null} */
  header = null;
  /** @type {Table | null} */
  table = null;
  /** @type {Place} */
  place = { row: BEST, round: false };
  /** @type {Reading | null} */
  reading = null;
  /** @type {number | null} */
  moved = null; // the threshold, where it was moved by hand
  /** @type {Pointer | null} */
  pointer = null;
  /** @type {string | null} */
  grabbed = null; // the panel that the pointer took hold of
  /** @type {number | null} */
  hot = null; // the point under the pointer
  /** @type {string[] | null} */
  lines = null; // of the tip
  /** @type {{ place: Place, from: number, way: number, start: number, time: number } | null} */
  motion = null;
  clock = { playing: false, last: 0, angle: 0 };
  /** @type {Palette | null} */
  palette = null;
  /** @type {ReturnType<typeof colours> | null} */
  colour = null;
  /** @type {Omit<Layout, "tools"> | null} */
  layout = null;
  /** @type {View | null} */
  view = null;
  /** @type {Dock | null} */
  dock = null; // the settings
  /** @type {Notices | null} */
  notices = null;
  size = { width: 0, ratio: 1 };
  /** @type {Board | null} */
  board = null;
  frames = new Frames((now) => this.draw(now));

  /**
   * @param {HTMLElement & { kpviz?: FisherStage }} root
   * @param {{ session: Session, link: Link }} served
   */
  constructor(root, { session, link }) {
    this.root = root;
    this.session = session;
    this.link = link;
    root.kpviz = this; // for the tests, and for the curious
    this.controls = new Controls(root, this);
    this.canvas = this.controls.canvas;
    this.context = this.canvas.getContext("2d", { alpha: true });
    this.stopKeys = listen(this);
    this.stopPointer = listenToPointer(this);
    this.resizing = new ResizeObserver(() => this.resize());
    this.resizing.observe(root.parentElement ?? /** @type {ShadowRoot} */ (root.getRootNode()).host);
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.controller = new AbortController();
    const options = { signal: this.controller.signal };
    window.addEventListener("resize", () => this.resize(), options);
    document.fonts.addEventListener("loadingdone", () => this.#fontsArrived(), options);
  }

  #fontsArrived() {
    forgetWidths();
    this.redraw();
  }

  stop() {
    if (this.table) left.set(this.header.query, { place: this.place, moved: this.moved });
    this.stopKeys();
    this.stopPointer();
    this.resizing.disconnect();
    this.controller.abort();
    this.link.stop();
    this.frames.drop();
    this.table = null;
  }

  /**
   * @param {FisherEnvelope} envelope
   * @param {Uint8Array} rest
   */
  update(envelope, rest) {
    if (this.header?.id !== envelope.id) {
      const before = this.header;
      const { header, arrays } = unpack(rest);
      this.header = { .../** @type {FisherHeader} */ (header), id: envelope.id };
      this.table = new Table(this.header, arrays);
      this.#arrive(before, envelope.view);
    }
    this.recolour();
  }

  recolour() {
    if (!this.header) return;
    this.palette = new Palette(this.header.tokens, isDark(this.root));
    this.colour = colours(this.palette, this.header.tokens);
    this.resize();
  }

  /** New data keep the direction; a special direction stays the special one. */
  #arrive(before, view) {
    const { start, query, many, names } = this.header;
    this.motion = null;
    this.moved = null;
    this.hot = null;
    if (before) {
      const usual = this.place.row === before.start || before.many !== many;
      if (usual) this.place = { row: start, round: false };
      if (document.fullscreenElement) this.controls.status(names.title); // the chips are out of sight
    } else if (left.has(query)) Object.assign(this, left.get(query));
    else {
      this.place = this.table.opening(view.angle);
      this.moved = view.threshold;
    }
    this.#read();
    if (this.moved !== null) this.cut(this.moved);
  }

  fail(error) {
    console.error(error);
    this.controls.status(`The page could not show these data (${error.message}). Reload the page.`, { persist: true });
  }

  #read() {
    this.reading = this.table.read(this.place, this.moved);
  }

  /** Point F elsewhere; its threshold is then the middle again. */
  #set(place) {
    const { row, round } = this.place;
    if (row === place.row && round === place.round) return;
    this.place = place;
    this.moved = null;
    this.#read();
    this.#touch();
    this.redraw();
  }

  #rest() {
    this.clock.playing = false;
    this.motion = null;
  }

  aim(angle) {
    this.#rest();
    this.#set(this.table.nearest(angle));
    this.redraw();
  }

  turn(degrees) {
    this.#rest();
    this.#set(this.table.place(Math.round(2 * (this.reading.angle + degrees)) / 2));
    this.redraw();
  }

  best() {
    this.#go(BEST);
  }

  other() {
    this.#go(OTHER);
  }

  #go(row) {
    this.#rest();
    const place = { row, round: false };
    const from = this.reading.angle;
    const way = turned(this.table.angles[row] - from);
    if (this.still.matches || Math.abs(way) < 0.5) this.#set(place);
    else this.motion = { place, from, way, start: performance.now(), time: EASING.least + EASING.each * Math.abs(way) };
    this.redraw();
  }

  toggle() {
    const { playing } = this.clock;
    this.#rest();
    Object.assign(this.clock, { playing: !playing, last: performance.now(), angle: this.reading.angle });
    this.redraw();
  }

  /** Move F on its own. */
  #tick(now) {
    if (this.clock.playing) {
      this.clock.angle += ((now - this.clock.last) / 1000) * TURNING;
      this.clock.last = now;
      this.#set(this.table.place(this.clock.angle));
    } else if (this.motion) {
      const { place, from, way, start, time } = this.motion;
      const share = Math.min(Math.max((now - start) / time, 0), 1);
      this.#set(share === 1 ? place : this.table.place(from + way * share * share * (3 - 2 * share)));
      if (share === 1) this.motion = null;
    }
  }

  /** Put the threshold there; null: back to the middle. */
  cut(value) {
    if (this.header.many) return;
    this.moved = value === null ? null : within(value, this.reading);
    this.#read();
    this.redraw();
  }

  /** Move the threshold by a hundredth of what is shown. */
  shift(way) {
    this.#rest();
    const { low, high, thresholds } = this.reading;
    this.cut(thresholds[0] + (way * (high - low)) / 200);
  }

  // ---- buttons and pointer --------------------------------------------------------------------

  press(name) {
    const actions = {
      best: () => this.best(),
      other: () => this.other(),
      toggle: () => this.toggle(),
      cut: () => this.cut(null),
      link: () => this.copyLink(),
      full: () => this.fullScreen(),
      close: () => this.controls.menu(null),
    };
    const [way, degrees] = name.split("-");
    if (name in actions) actions[name]();
    else if (MENUS.includes(name)) this.controls.menu(name);
    else this.turn(way === "on" ? Number(degrees) : -Number(degrees));
  }

  /** The pointer took hold of a panel, or let go. */
  grab(name) {
    this.grabbed = name;
    if (name) this.pointer = null;
    this.#touch();
    this.redraw();
  }

  point(pointer) {
    this.pointer = pointer;
    this.#touch();
    this.redraw();
  }

  #touch() {
    const { pointer, layout: lay } = this;
    Object.assign(this, pointer && lay ? touched(this.scene(), lay.panels, pointer) : { hot: null, lines: null });
  }

  async copyLink() {
    this.link.now(this.query);
    this.controls.status((await copy(location.href)) ? "Link copied." : `Copy this link: ${location.href}`);
  }

  async fullScreen() {
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else await fillScreen(this.root);
    } catch {
      this.controls.status("This browser does not allow full screen here.");
    }
  }

  get query() {
    const { header, place, moved } = this;
    const parts = [header.query];
    if (place.row === BEST && header.start !== BEST) parts.push("angle=best");
    else if (place.row !== header.start) parts.push(`angle=${Number(this.reading.angle.toFixed(1))}`);
    if (moved !== null) parts.push(`threshold=${moved}`);
    return parts.join("&");
  }

  // ---- drawing --------------------------------------------------------------------------------

  resize() {
    if (!this.table) return;
    const box = this.root.getBoundingClientRect();
    const full = document.fullscreenElement !== null;
    const height = full
      ? window.innerHeight
      : Math.max(window.innerHeight - Math.max(box.top + window.scrollY, 0) - 6, 420);
    const width = Math.max(box.width, 320);
    const free = this.notices?.height ?? 0;
    this.layout = layout(width, height, this.header.many, { open: !!this.dock?.open, free });
    this.dock?.place(this.layout);
    this.notices?.place(this.layout.bar.y + this.layout.bar.h);
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [w, h] = [Math.round(width * ratio), Math.round(this.layout.height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) Object.assign(this.canvas, { width: w, height: h });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${this.layout.height}px` });
    this.root.style.height = `${this.layout.height}px`;
    this.size = { width, ratio };
    this.view = new View(this.layout.panels.map, this.header.extent);
    this.controls.place(this.layout);
    this.redraw();
  }

  redraw() {
    this.frames.ask();
  }

  lanes() {
    return lanesGeometry(this.layout.panels.lanes, this.layout.unit, this.reading, this.table.K);
  }

  /** Everything that the panels need to know. */
  scene() {
    const { header, table, reading, palette, colour, view, moved, hot } = this;
    const { unit, panels } = this.layout;
    const pointScale = Math.max(panels.map.w / 600, 0.7) * (table.n > 300 ? 0.75 : 1);
    const grabbed = this.grabbed === "map";
    return {
      header,
      table,
      reading,
      palette,
      colour,
      view,
      moved,
      hot,
      unit,
      pointScale,
      grabbed,
      holding: this.grabbed === "lanes",
      message: sentence(this),
    };
  }

  draw(now = performance.now()) {
    this.frames.drop();
    if (!this.table) return;
    this.#tick(now);
    const scene = this.scene();
    const { palette, pointer, lines, layout: lay } = this;
    const panels = Object.entries(lay.panels).map(
      ([name, rect]) => new Panel(name, rect, { still: [], moving: PANELS[name]({ ...scene, rect }) }),
    );
    if (lines && pointer) {
      const moving = tipMarks({ lines, ...pointer }, palette, lay, this.size.width);
      panels.push(new Panel("tip", null, { still: [], moving }));
    }
    this.board = { width: this.size.width, height: this.layout.height, panels };
    this.context.setTransform(this.size.ratio, 0, 0, this.size.ratio, 0, 0);
    paint(this.context, this.board, this.palette.fonts, new Map());
    const resting = !this.clock.playing && !this.motion && !this.grabbed;
    this.controls.update({
      many: this.header.many,
      playing: this.clock.playing,
      moved: this.moved,
      atBest: this.place.row === BEST && this.moved === null,
      message: resting ? scene.message : null,
    });
    if (resting && this.session.settled) this.link.set(this.query, this.session.state.link);
    else if (!this.grabbed) this.redraw();
  }
}
