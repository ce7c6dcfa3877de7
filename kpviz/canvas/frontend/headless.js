// Boards without a browser: the player's own panels, asked for the marks of an instant. Python paints them.

import { describe } from "./board.js";
import { Cast } from "./cast.js";
import { cardBoard } from "./card.js";
import { Clock } from "./clock.js";
import { Palette } from "./colors.js";
import { Cues } from "./cues.js";
import { Cursor } from "./cursor.js";
import { usual } from "./layout.js";
import { Legible } from "./legible.js";
import { Parcel } from "./parcel.js";
import { unpack } from "./payload.js";
import { presentLayout } from "./present_layout.js";
import { printed } from "./print.js";
import { Reorder } from "./reorder.js";
import { sceneOf } from "./scene.js";
import { singleLayout } from "./single.js";
import { storyboard } from "./storyboard.js";
import { codeWidth } from "./words.js";

const NOTHING = { hot: new Set(), lines: [], probe: null, time: null };

/**
 * A stage that nobody sees, made from the bytes of an envelope. Options: `width` and `height` in CSS pixels; `theme`, the colours by name, and
 * `points`, those of points on the map (null: the usual ones); `grey`: it is for print; `panels` that are shown, null for the usual ones; `only`:
 * the one panel that fills the picture, `edge` px around it; `words`: whether the sentence is shown; `openings`: what each run says at first;
 * `turn`: the angles of the space of the lift.
 */
export default class Headless extends Cursor {
  constructor(bytes, options) {
    super();
    const { header, rest } = unpack(bytes);
    Object.assign(this, { touch: NOTHING, pinned: null, pointer: null, cast: new Cast(), cues: new Cues(), still: { matches: false } });
    this.predict = { on: false, answer: null, score: "" };
    this.editor = { on: false, points: null };
    this.reorder = new Reorder(this);
    this.means = { server: false };
    this.present = { on: true };
    this.legible = new Legible();
    this.cast.take(header, rest);
    this.run = this.cast.current;
    this.cues.take(header.cues, this.run);
    this.clock = new Clock(this.run.header.tokens);
    this.turning = { now: options.turn ?? this.run.header.tokens.lift };
    this.#paintWith(options);
    this.limit = this.run.header.limit;
    this.shown = new Set(options.only ? [...(options.panels ?? []), options.only] : options.panels ?? usual(this.run));
    options.openings?.forEach((text, k) => opensWith(this.cast.all[k], text));
    this.#lay(options);
    this.held = new Map(); // keys of the still layers that each reader holds
  }

  #paintWith({ theme, points, grey }) {
    const tokens = this.run.header.tokens;
    this.palette = new Palette({ ...tokens, themes: { light: theme }, mapPoints: points ?? tokens.mapPoints }, false);
    this.grey = grey;
    this.palette.grey = grey;
    for (const run of this.cast.all) this.cast.imagesOf(run).paintScale(this.palette);
  }

  #lay({ width, height, only, edge, words = true }) {
    const there = new Set([...this.shown].filter((name) => this.shows(name)));
    const how = { runs: this.cast.all.length, stream: this.run.stream !== null, widest: codeWidth(this.run), flags: this.cues.placed.length > 0, words };
    this.width = width;
    this.layout = only ? singleLayout(only, width, height, edge) : presentLayout(width, height, there, how);
    this.speaks = words;
    this.maps = this.cast.maps({ panels: { map: { x: 0, y: 0, w: width, h: height }, ...this.layout.panels } });
  }

  shows(name) {
    return this.shown.has(name) && this.run.has(name);
  }

  get normed() {
    return this.shown.has("normed") && this.run.header.settings.predictor !== "voted";
  }

  get pointScale() {
    return Math.max(this.maps.at(-1).view.rect.w / 600, 0.7) * (this.run.n > 300 && !this.run.stream ? 0.75 : 1);
  }

  redraw() {}

  refreshTouch() {}

  /** What lies on the board, and what finds no room there. */
  placed() {
    return { panels: this.layout.panels, without: this.layout.without ?? [] };
  }

  /** The board of the instant t; `gone`: ms since the step that led to it began, null where all is at rest. */
  board(t, gone = null) {
    if (gone === null || t === 0) this.put(t);
    else if (!(this.t === t && this.motion)) {
      this.put(t - 1);
      this.step("example", 1);
    }
    const now = gone ?? 0;
    if (this.motion?.atRest(now)) this.motion = null;
    const scenes = Object.fromEntries(this.maps.map((map) => [map.name, this.#sceneOf(map, now)]));
    const board = describe(scenes, this.layout, this.width);
    board.ground = this.palette.paper;
    for (const panel of board.panels) this.#finish(panel, board);
    return board;
  }

  #sceneOf(map, now) {
    const scene = sceneOf(this, now, map);
    return this.speaks ? scene : { ...scene, sentence: "" };
  }

  /** What the map shows at an instant. */
  sceneAt(t, map) {
    this.put(t);
    return sceneOf(this, 0, map);
  }

  /** Marks in the colours of what they are drawn for. */
  finished(marks) {
    return this.grey ? printed(marks, this.palette) : marks;
  }

  #finish(panel, board) {
    this.legible.fit(panel, { least: this.layout.least, fonts: this.palette.fonts, width: board.width, height: board.height });
    if (!this.grey) return;
    panel.moving = this.finished(panel.moving);
    panel.still = panel.still.map((still) => ({ ...still, marks: () => this.finished(still.marks()) }));
  }

  /** The same as a parcel; of still layers that a reader was sent before only the names. Without a reader: all of them. */
  packed(t, gone, reader) {
    const board = this.board(t, gone);
    const parcel = new Parcel();
    const held = (reader !== null && this.held.get(reader)) || new Map();
    if (reader !== null) this.held.set(reader, held);
    const panels = board.panels.map((panel) => ({
      name: panel.name, rect: panel.rect, clip: panel.clip, lively: this.motion !== null && panel.name.startsWith("map"),
      still: panel.still.map((still, k) => layerOf(`${panel.name}${k}`, still, parcel, held)),
      moving: parcel.marks(panel.moving),
    }));
    return parcel.wrapped({ width: board.width, height: board.height, ground: board.ground, panels });
  }

  /** The parcel of a title page. */
  card(text) {
    return new Parcel().wrapped(cardBoard(text, { width: this.width, height: this.layout.height, palette: this.palette }));
  }

  /** The parcel of a page with some instants. */
  storyboard(what) {
    const parcel = new Parcel();
    return parcel.wrapped(storyboard(this, what, parcel));
  }
}

function layerOf(name, { key, marks, upTo = null }, parcel, held) {
  const known = held.get(name) === key;
  held.set(name, key);
  return { name, upTo, marks: known ? null : parcel.marks(marks()) };
}

/** Let a run say something else before its first step. */
function opensWith({ header }, text) {
  header.names.lookFor = "";
  header.words.steps[header.words.start] = text;
}
