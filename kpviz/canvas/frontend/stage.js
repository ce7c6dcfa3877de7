// The stage: one cursor t, and everything that is drawn from it.

import { describe } from "./board.js";
import { Cast } from "./cast.js";
import { Clock } from "./clock.js";
import { isDark, Palette } from "./colors.js";
import { Controls } from "./controls.js";
import { Cues } from "./cues.js";
import { CueBox } from "./cues_box.js";
import { Cursor } from "./cursor.js";
import { fillScreen } from "./dom.js";
import { listenToDrops } from "./drop.js";
import { Editor } from "./edit.js";
import { touched } from "./hover.js";
import { listen } from "./keys.js";
import { EXTRAS, layout, PRESETS, usual } from "./layout.js";
import { copy, Link, NoLink } from "./link.js";
import { Means } from "./means.js";
import { Messages } from "./messages.js";
import { Notes } from "./notes.js";
import { forgetWidths, paint } from "./paint.js";
import { unpack } from "./payload.js";
import { listenToPointer } from "./pointer.js";
import { Predict } from "./predict.js";
import { Present } from "./present.js";
import { presentLayout } from "./present_layout.js";
import { Recorder } from "./record.js";
import { Reorder } from "./reorder.js";
import { saying, sceneOf } from "./scene.js";
import { Tools } from "./tools.js";
import { Turning } from "./turning.js";
import { codeWidth, number } from "./words.js";

const DIALOGS = ["picture", "table", "take home", "lecture"];
const SAID_BELOW = 2; // steps per second up to which each sentence is said aloud

export class Stage extends Cursor {
  constructor(root, means = new Means()) {
    super();
    this.root = root;
    this.means = means;
    root.kpviz = this; // for the tests, and for the curious
    this.controls = new Controls(root, this);
    this.canvas = this.controls.canvas;
    this.context = this.canvas.getContext("2d", { alpha: true });
    this.link = means.server ? new Link() : new NoLink();
    this.cast = new Cast();
    this.cues = new Cues();
    this.predict = new Predict();
    this.shown = new Set(PRESETS.explore);
    this.tab = "words";
    this.touch = { hot: new Set(), lines: [], probe: null, time: null };
    this.pinned = null;
    this.pointer = null;
    this.messages = new Messages();
    this.editor = new Editor(this);
    this.reorder = new Reorder(this);
    this.turning = new Turning(this);
    this.tools = new Tools(root, this);
    this.cueBox = new CueBox(root, this);
    this.notes = new Notes(this);
    this.size = { width: 0, height: 0 };
    this.layers = new Map();
    this.recorder = new Recorder(this);
    this.present = new Present(this);
    this.stopKeys = listen(this);
    this.stopPointer = listenToPointer(this);
    this.stopDrops = means.server ? listenToDrops(this) : () => {};
    this.resizing = new ResizeObserver(() => this.resize());
    this.resizing.observe(root.parentElement ?? root.getRootNode().host);
    this.onResize = () => this.resize();
    window.addEventListener("resize", this.onResize);
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.onFonts = () => this.#fontsArrived();
    document.fonts.addEventListener("loadingdone", this.onFonts);
    this.onLeave = () => this.run && this.link.leave(this.run, this.t);
    window.addEventListener("pagehide", this.onLeave);
  }

  #fontsArrived() {
    forgetWidths();
    this.layers.clear();
    if (this.run) this.redraw();
  }

  stop() {
    this.present.stop();
    this.recorder.end();
    this.stopKeys();
    this.stopPointer();
    this.stopDrops();
    this.resizing.disconnect();
    window.removeEventListener("resize", this.onResize);
    document.fonts.removeEventListener("loadingdone", this.onFonts);
    window.removeEventListener("pagehide", this.onLeave);
    this.link.stop();
    this.notes.close();
    this.messages.stop();
    cancelAnimationFrame(this.frame);
    this.frame = null;
  }

  // ---- what Python sends, and what goes back -------------------------------------------------

  update(data, trigger) {
    const { header: envelope, rest } = unpack(data);
    const before = this.run;
    const changed = this.cast.take(envelope, rest);
    this.run = this.cast.current;
    this.clock ??= new Clock(this.run.header.tokens);
    if (changed) this.#arrive(before, envelope);
    this.t = Math.min(this.t, this.cast.end);
    this.messages.acknowledge(envelope.ack, trigger);
    this.editor.acknowledge(envelope.ack);
    this.reorder.acknowledge(envelope.ack);
    this.cues.take(envelope.cues, this.run);
    this.tools.take(envelope.editing);
    if (before && envelope.editing.pencil !== this.pencil) this.editor.toggle(true);
    this.pencil = envelope.editing.pencil;
    this.palette = new Palette(this.run.header.tokens, isDark(this.root));
    for (const run of this.cast.all) this.cast.imagesOf(run).paintScale(this.palette);
    this.resize();
    if (!before) this.notes.back();
    if (this.opens) this.present.begin(this.opens, { ask: false });
    this.opens = null;
  }

  /** Keep the place where that makes sense: the end stays the end, new data start at 0. */
  #arrive(before, { view, dataId }) {
    this.settle();
    this.motion = null;
    this.pinned = null;
    this.limit = this.run.header.limit;
    if (!before) {
      const { end } = this.cast;
      this.put(Math.min(this.link.left(this.run) ?? view.t, end));
      if (view.t > end) this.controls.status(`This run has ${end} steps: here is its end.`);
      this.shown = new Set(view.show ?? usual(this.run));
      if (view.turn) this.turning.to(view.turn);
      if (view.stage) this.opens = view.stage;
    } else if (before.dataId !== dataId) {
      if (Link.panels(this.shown) === Link.panels(usual(before))) this.shown = new Set(usual(this.run));
      this.clock.stop();
      this.put(0);
    } else this.keepPlace();
    this.run.dataId = dataId;
    const { data, kernel } = this.run.header.names;
    if (before && document.fullscreenElement) this.controls.status(`${data} · ${kernel}`); // the chips are out of sight
  }

  /** Ask the server for something, where there is one. */
  send(name) {
    if (!this.means.server) return;
    if (DIALOGS.includes(name) && document.fullscreenElement) document.exitFullscreen(); // they are outside the stage
    this.messages.add(name, this.t, DIALOGS.includes(name) ? this.query : undefined);
  }

  /** Undo or redo what was set or edited. */
  undo(name) {
    if (this.tools.counts[name]) this.editor.ask(name);
    else this.controls.status(`Nothing to ${name}.`);
  }

  fail(error) {
    console.error(error);
    this.controls.status(`The player could not show this run (${error.message}). Reload the page.`, { stays: true });
  }

  // ---- what is shown --------------------------------------------------------------------------

  /** Whether a panel is on, and there is something to show in it. */
  shows(name) {
    return this.shown.has(name) && this.run.has(name);
  }

  show(name, on) {
    if (on) this.shown.add(name);
    else this.shown.delete(name);
    if (EXTRAS.includes(name)) this.send(`${on ? "with" : "without"} ${name}`);
    this.resize();
  }

  preset(names) {
    for (const name of EXTRAS) if (this.shown.has(name) && !names.includes(name)) this.send(`without ${name}`);
    this.shown = new Set(names);
    this.resize();
  }

  setTab(tab) {
    this.tab = tab;
    this.resize();
  }

  menu(name) {
    this.controls.menu(name);
  }

  escape() {
    if (this.editor.drag) this.editor.cancel();
    else if (this.reorder.drag) this.reorder.cancel();
    else if (this.editor.on && !this.controls.open) this.editor.toggle(false);
    this.controls.menu(null);
    this.cueBox.close();
    this.pinned = null;
    this.redraw();
  }

  rescale() {
    let largest = 0;
    const { field, scores } = this.run.reading(Math.min(this.t, this.run.nSteps));
    for (const value of this.run.plane ? field : scores) largest = Math.max(largest, Math.abs(value));
    this.limit = Number(largest.toPrecision(2)) || 1;
    this.redraw();
  }

  async copyLink() {
    this.link.now(this.query);
    const address = this.means.server ? location.href : `${this.means.address}?${this.query}`;
    const { elsewhere } = this.run.header.settings;
    const more = elsewhere ? ` ${elsewhere}: for another computer, take the settings along as a file (A).` : "";
    this.controls.status(((await copy(address)) ? "Link copied." : `Copy this link: ${address}`) + more);
  }

  async copyProbe() {
    if (this.pinned && (await copy(this.pinned.probe?.full ?? this.pinned.full ?? ""))) this.controls.status("Numbers copied.");
  }

  async fullScreen() {
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else await fillScreen(this.root);
    } catch {
      this.controls.status("This browser does not allow full screen here.");
    }
  }

  /** A button of the bar. */
  press(name) {
    const actions = {
      play: () => this.toggle(), start: () => this.go(0), end: () => this.go(Infinity), slow: () => this.toggleSlow(),
      predict: () => this.togglePredict(), panels: () => this.menu("panels"), help: () => this.menu("help"),
      close: () => this.menu(null), present: () => this.present.toggle(), record: () => this.recorder.toggle(), picture: () => this.send("picture"), home: () => this.send("take home"), link: () => this.copyLink(),
      full: () => this.fullScreen(), edit: () => this.editor.toggle(), tune: () => this.show("tune", !this.shown.has("tune")), rescale: () => this.rescale(), cue: () => this.cueBox.show(), cues: () => this.send("lecture"), notes: () => this.notes.open(), "copy-probe": () => this.copyProbe(),
    };
    const [way, grain] = name.split("-");
    if (name in actions) actions[name]();
    else if (way === "shape") this.present.begin(grain);
    else this.step(grain, way === "next" ? 1 : -1);
  }

  get normed() {
    return this.shown.has("normed") && this.run.header.settings.predictor !== "voted"; // a vote has no norm
  }

  get pointScale() {
    return Math.max(this.layout.panels.map.w / 600, 0.7) * (this.run.n > 300 && !this.run.stream ? 0.75 : 1);
  }

  // ---- the pointer ----------------------------------------------------------------------------

  /** The pointer moved to this pixel of the canvas; null: it left. */
  point(pointer) {
    this.pointer = this.present.spotlight.follow(pointer);
    this.refreshTouch();
    this.redraw();
  }

  /** The pointer pressed where it is. */
  pick() {
    if (this.touch.time !== null) this.go(this.touch.time);
    else if (this.touch.ask) this.send(this.touch.ask);
    else if (this.touch.probe || this.touch.full) this.pinned = { ...this.touch, px: this.pointer.px, py: this.pointer.py };
    else this.pinned = null;
    this.redraw();
  }

  refreshTouch() {
    const { pointer } = this;
    if (!pointer || !this.run || !this.layout) this.touch = { hot: new Set(), lines: [], probe: null, time: null };
    else this.touch = touched(this, pointer.px, pointer.py);
  }

  // ---- drawing --------------------------------------------------------------------------------

  resize() {
    if (!this.run) return;
    const { left, top, width, height } = this.recorder.box ?? (this.present.on ? this.present.box() : this.#room());
    const shown = new Set([...this.shown].filter((name) => this.shows(name)));
    if (!["words", "table", ...shown].includes(this.tab)) this.tab = "words";
    const [runs, stream] = [this.cast.all.length, this.run.stream !== null];
    const tools = this.tools.place(width, { editing: this.editor.on, tuning: shown.has("tune") && !this.present.on });
    this.layout = this.present.on ? presentLayout(width, height, shown, { runs, stream, widest: codeWidth(this.run), flags: this.cues.placed.length > 0 }) : layout(width, height, shown, this.tab, runs, stream, tools);
    this.tools.box.style.top = `${this.layout.tools}px`;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const unit = this.recorder.on || this.present.on ? 2 : 1; // films have even sides
    const [w, h] = [width, this.layout.height].map((length) => unit * Math.round((length * ratio) / unit));
    if (this.canvas.width !== w || this.canvas.height !== h) Object.assign(this.canvas, { width: w, height: h });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${this.layout.height}px`, left: `${left}px`, top: `${top}px` });
    this.root.style.height = this.present.on ? "" : `${this.layout.height}px`;
    this.size = { width, ratio };
    this.maps = this.cast.maps(this.layout);
    this.controls.place(this.layout);
    this.refreshTouch();
    this.redraw();
  }

  /** The room that the page leaves. */
  #room() {
    const box = this.root.getBoundingClientRect();
    const full = document.fullscreenElement !== null;
    const height = full ? window.innerHeight : Math.max(window.innerHeight - Math.max(box.top + this.#scrolled, 0) - 6, 420);
    return { left: 0, top: 0, width: Math.max(box.width, 320), height };
  }

  /** By how much the page is scrolled: it is Streamlit's main part that scrolls. */
  get #scrolled() {
    return window.scrollY + (this.root.getRootNode().host?.closest(".stMain")?.scrollTop ?? 0);
  }

  /** Draw at the next frame. */
  redraw() {
    this.frame ??= requestAnimationFrame((now) => this.draw(now));
  }

  /** Draw the instant as it is now. */
  draw(now = performance.now()) {
    this.frame = null;
    this.clock.tick(now, () => this.beat());
    this.board = this.present.finish(describe(this.scenes(now), this.layout, this.size.width), this);
    this.board.ground = this.present.on || this.recorder.on ? this.palette.paper : null;
    this.context.setTransform(this.size.ratio, 0, 0, this.size.ratio, 0, 0);
    paint(this.context, this.board, this.palette.fonts, this.layers);
    this.#updateDom();
    if (this.clock.playing || this.motion || this.recorder.on) this.redraw();
    if (!this.clock.playing && !this.motion) this.link.set(this.query);
  }

  /** Everything that the panels of each map need to know of this instant. */
  scenes(now = performance.now()) {
    if (this.motion?.atRest(now)) this.motion = null;
    return Object.fromEntries(this.maps.map((map) => [map.name, sceneOf(this, now, map)]));
  }

  get view() {
    return this.maps.at(-1).view;
  }

  /** The address of what is shown. */
  get query() {
    const more = [this.cues.query, this.cast.query, this.turning.query];
    return Link.query(this.run, this.t, this.shown, more) + this.present.query;
  }

  /** The coordinates under the pointer, or of the point in hand, in words. */
  #where() {
    const { drag, points, spot } = this.editor;
    const place = drag && drag.i >= 0 ? points.at(drag.i) : spot && this.view.place(...spot);
    return place ? `(${this.run.own(...place).map(number).join(", ")})` : "";
  }

  #updateDom() {
    const { clock, shown, tab } = this;
    const { slowest, fastest } = clock.limits;
    const share = Math.log(clock.speed / slowest) / Math.log(fastest / slowest);
    this.controls.update({ clock, predicting: this.predict.on, shown, tab, share, grain: this.run.header.about.grain, compared: this.cast.pinned.length > 0, stream: this.run.stream !== null });
    this.tools.update({ label: this.editor.label, brush: this.editor.brush, where: this.editor.on ? this.#where() : "" });
    this.notes.update();
    this.controls.copyButton.hidden = !(this.pinned?.probe || this.pinned?.full);
    if (!clock.playing || clock.slow || clock.speed < SAID_BELOW) {
      const said = saying(this).sentence;
      if (this.controls.live.textContent !== said) this.controls.live.textContent = said;
    }
  }
}
