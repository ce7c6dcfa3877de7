// The keyboard on the panels: each one is a stop of Tab, arrows go from object to object, and what pointing at one tells is
// said; Enter does what a click does, Escape leaves.

import { BINS, histogram } from "../model/series.js";
import { BY_NAME } from "../model/panel_table.js";
import { LETTERS } from "../model/run_set.js";
import { listedIn } from "../panels/account.js";
import { columns } from "../panels/alpha.js";
import { curvePlaces } from "../panels/curve.js";
import { gramBox } from "../panels/gram.js";
import { placesInSpace, spaceOf } from "../panels/lift.js";
import { cellsOf } from "../panels/sequence.js";
import { timeX } from "../panels/chart.js";
import { votesPlaces } from "../panels/timeline.js";

/** @import { Player } from "../model/player.js" */
/** @import { Run } from "../model/run.js" */
/** @import { Layout, Pointer, Rect } from "../types.d.ts" */
/** @import { Stage } from "../shell/stage.js" */

/** @typedef {(column: number, row: number, grid: Grid) => [number, number]} Move */
/** @typedef {Pointer[][]} Grid the places of objects: columns from the left, each from its top */

const HOW = "arrows go from one to the next, Enter does what a click does, Escape leaves.";
const RING = 18; // px
const OFFERED = 36; // px from the top of the lift, where the unit is 1: among the words that offer another kernel
const AT = 120; // px from the left end of what is listed, at most
const SENTENCES = new Set(["why", "offer", "remembered"]); // marks of panels that have nothing to show

/**
 * How the objects of each panel lie.
 *
 * @type {Record<string, (player: Player, run: Run, rect: Rect) => Grid>}
 */
const OBJECTS = {
  alpha: ofAlpha,
  margins: ofMargins,
  gram: (player, run, rect) => ofGram(run, rect, player.layout.unit),
  sequence: ofSequence,
  timeline: ofTimeline,
  votes: ofVotes,
  lift: ofLift,
  curve: ofCurve,
  remembered: (player) => ofList(player, "remembered"),
  primal: (player) => ofList(player, "primal"),
  validity: (player) => ofList(player, "validity"),
  derivation: (player) => ofList(player, "derivation"),
  scatter: (player) => ofList(player, "scatter"),
};

/** The bricks of each example, or its bar. @type {(player: Player, run: Run, rect: Rect) => Grid} */
function ofAlpha(player, run, rect) {
  const t = Math.min(player.t, run.nSteps);
  const { w, h, base, x, order } = columns(run, rect, player.layout.unit, t);
  const { counts } = run.header.about;
  return order.map((place) => {
    const i = run.trace.support[place];
    const px = x(place) + w / 2;
    if (!counts) return run.alphaOf(i, t) ? [{ px, py: base - (run.alphaOf(i, t) * h) / 2 }] : [];
    const count = run.trace.mistakesOn(i, t);
    return Array.from({ length: count }, (_, k) => ({ px, py: base - (count - k - 0.5) * h }));
  });
}

/** The bars of the histogram. @type {(player: Player, run: Run, rect: Rect) => Grid} */
function ofMargins(player, run, rect) {
  if (run.stream || run.isBlank(player.t)) return [];
  const t = Math.min(player.t, run.nSteps);
  const { counts } = histogram(run, run.reading(t), player.normed, t);
  const place = (bin) => ({ px: rect.x + ((bin + 0.5) * rect.w) / (2 * BINS), py: rect.y + rect.h / 2 });
  return Array.from(counts, (count, bin) => (count ? [place(bin)] : []));
}

/** The cells of the matrix, and beside each row its example. */
function ofGram(run, rect, unit) {
  if (!run.arrays.gramOrder || run.header.extras.gram?.why) return [];
  const { x, y, side, cell } = gramBox(run, rect, unit);
  const rows = (px) => Array.from({ length: run.n }, (_, a) => ({ px, py: y + (a + 0.5) * cell }));
  return [...Array.from({ length: run.n }, (_, b) => rows(x + (b + 0.5) * cell)), rows(x + side + 4 * unit)];
}

/** The cells of the order. @type {(player: Player, run: Run, rect: Rect) => Grid} */
function ofSequence(player, run, rect) {
  if (player.order.why || !run.n) return [];
  const cells = cellsOf(rect, player.layout.unit, run.n);
  const rows = Math.ceil(run.n / cells.columns);
  const filled = run.onlyMistakes ? player.order.epoch.index.length : run.n;
  return Array.from({ length: cells.columns }, (_, column) =>
    Array.from({ length: rows }, (_row, row) => row * cells.columns + column)
      .filter((k) => k < filled)
      .map((k) => ({ px: cells.x(k), py: cells.y(k) })),
  );
}

/** The mistakes, and the flags of the cues above them. @type {(player: Player, run: Run, rect: Rect) => Grid} */
function ofTimeline(player, run, rect) {
  if (run.fisher) {
    const angles = [run.fisher.angleOf("best"), run.fisher.angleOf("other")].sort((a, b) => a - b);
    return angles.map((angle) => [{ px: timeX(run, rect, angle), py: rect.y + rect.h / 2 }]);
  }
  const known = (t) => !player.predict.on || t <= player.t;
  const ticks = [...run.trace.counted].map((step) => ({ t: step + 1, py: rect.y + rect.h - 3 }));
  const flags = player.cues.placed.map(({ t }) => ({ t, py: rect.y - 3 }));
  return [...ticks, ...flags]
    .filter(({ t }) => known(t))
    .sort((a, b) => a.t - b.t)
    .map(({ t, py }) => [{ px: timeX(run, rect, t), py }]);
}

/** The bars, up to where one predicts. @type {(player: Player, run: Run, rect: Rect) => Grid} */
function ofVotes(player, run, rect) {
  const py = rect.y + rect.h / 2;
  return votesPlaces(run, rect, player.predict.on ? player.t : run.nSteps).map((px) => [{ px, py }]);
}

/** The offer of a kernel that has a space, and the points in it, from the left. @type {(player: Player, run: Run, rect: Rect) => Grid} */
function ofLift(player, run, rect) {
  const { layout, lift, capabilities, presenting } = player;
  const space = spaceOf(player);
  const found = space ? placesInSpace(run, space, layout.unit, lift.now) : [];
  const places = found.sort(([a], [b]) => a - b).map(([px, py]) => [{ px, py }]);
  const offers = run.header.extras.lift?.offers && capabilities.server && !presenting;
  return offers ? [[{ px: rect.x + rect.w / 2, py: rect.y + OFFERED * layout.unit }], ...places] : places;
}

/** What one can choose, and beside it the values. @type {(player: Player, run: Run, rect: Rect) => Grid} */
function ofCurve({ layout, palette, curve }, _run, rect) {
  const columns = curvePlaces({ rect, unit: layout.unit, palette, curve: curve.scene });
  return columns.map((column) => column.map(([px, py]) => ({ px, py })));
}

/** What is listed, by the columns in which it stands. @type {(player: Player, name: string) => Grid} */
function ofList(player, name) {
  const middles = listedIn(player, name).map(({ x, y, w, h }) => ({ px: x + Math.min(w / 2, AT), py: y + h / 2 }));
  const across = [...new Set(middles.map(({ px }) => px))].sort((a, b) => a - b);
  return across.map((px) => middles.filter((place) => place.px === px));
}

/** An element of the page, with a class. */
function part(tag, className) {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}

export class Objects {
  /** @type {Map<string, HTMLElement>} */
  stops = new Map(); // by the names of their panels
  /** @type {Map<string, [number, number]>} */
  at = new Map(); // column and row in each, where one was last
  panel = ""; // where one was last
  on = false; // whether an object is pointed at by key

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.ring = part("i", "object");
    this.ring.hidden = true;
    this.box = part("div", "objects");
    this.box.append(this.ring);
    stage.spoken.element.after(this.box);
  }

  /**
   * Put a stop where each panel is that has objects.
   *
   * @param {Layout} layout
   */
  place({ panels }) {
    const { canvas, player } = this.stage;
    this.box.hidden = player.presenting || player.editing.on; // arrows go over the map while one edits
    Object.assign(this.box.style, { left: canvas.style.left || 0, top: canvas.style.top || 0 });
    const names = Object.keys(panels).filter((name) => name.split("-")[0] in OBJECTS);
    for (const [name, stop] of this.stops) if (!names.includes(name)) (stop.remove(), this.stops.delete(name));
    for (const name of names) {
      const { x, y, w, h } = panels[name];
      const style = { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` };
      Object.assign(this.#stop(name).style, style);
    }
  }

  #stop(name) {
    if (!this.stops.has(name)) {
      const [kind, which] = name.split("-");
      const title = BY_NAME[kind]?.title ?? "Timeline";
      const whose = which === undefined ? "" : ` of run ${LETTERS[which]}`;
      const stop = part("div", "stop");
      stop.tabIndex = 0;
      stop.setAttribute("role", "application");
      stop.setAttribute("aria-label", `${title}${whose}: ${HOW}`);
      stop.addEventListener("blur", () => this.leave());
      this.stops.set(name, stop);
      this.box.append(stop);
    }
    return this.stops.get(name);
  }

  /** A key while a panel has the focus; returns whether it meant something. */
  key(target, name) {
    const panel = [...this.stops].find(([, stop]) => stop === target)?.[0];
    if (!panel) return false;
    if (name === "Escape") this.stage.root.focus({ preventScroll: true });
    else if (name === "Enter") this.#pick();
    else if (name in MOVES) this.#go(panel, MOVES[name]);
    else return false;
    return true;
  }

  /** The focus goes elsewhere, or the pointer takes over. */
  leave({ byPointer = false } = {}) {
    if (!this.on) return;
    this.on = false;
    this.ring.hidden = true;
    if (!byPointer) this.stage.point(null);
  }

  #pick() {
    if (!this.on) return;
    this.stage.pick();
    this.stage.spoken.say(this.#words);
  }

  /** Go on from where one was, over what is empty. */
  #go(panel, move) {
    const { player } = this.stage;
    const [kind, which] = panel.split("-");
    const run = which === undefined ? player.run : player.runs.all[which];
    const grid = OBJECTS[kind](player, run, player.layout.panels[panel]).filter((column) => column.length);
    if (!grid.length) {
      player.page.say(this.#written(panel) || "Nothing is here yet.");
      return;
    }
    const before = this.on ? this.at.get(panel) : null;
    const step = grid.length === 1 ? (DOWN.get(move) ?? move) : move; // in a list
    const [column, row] = before ? step(...before, grid) : (this.at.get(panel) ?? [0, 0]);
    const c = Math.min(Math.max(column, 0), grid.length - 1);
    const r = Math.min(Math.max(row, 0), grid[c].length - 1);
    this.at.set(panel, [c, r]);
    this.panel = panel;
    this.show(grid[c][r]);
  }

  /** What a panel that has nothing to show says of it. */
  #written(panel) {
    const { panels } = this.stage.board;
    const texts = (panels.find(({ name }) => name === panel)?.moving ?? []).filter((mark) => mark.kind === "text");
    return texts
      .filter(({ name }) => SENTENCES.has(name))
      .map(({ text }) => text)
      .join(" ");
  }

  /** Point at a place by key: it has a ring, and is said. */
  show({ px, py }) {
    this.on = true;
    this.ring.hidden = false;
    Object.assign(this.ring.style, { left: `${px - RING / 2}px`, top: `${py - RING / 2}px` });
    this.stage.point({ px, py });
    this.stage.spoken.say(this.#words);
  }

  get #words() {
    const { lines } = this.stage.player.touch;
    return lines.length ? `${lines.join(", ")}.` : this.#written(this.panel);
  }
}

/** @type {Record<string, Move>} */
const MOVES = {
  ArrowRight: (column, row) => [column + 1, row],
  ArrowLeft: (column, row) => [column - 1, row],
  ArrowUp: (column, row) => [column, row - 1],
  ArrowDown: (column, row) => [column, row + 1],
  Home: (_, row) => [0, row],
  End: (_, row, grid) => [grid.length - 1, row],
};

/** In a list all arrows go up and down. @type {Map<Move, Move>} */
const DOWN = new Map([
  [MOVES.ArrowRight, MOVES.ArrowDown],
  [MOVES.ArrowLeft, MOVES.ArrowUp],
  [MOVES.Home, () => [0, 0]],
  [MOVES.End, (_column, _row, [list]) => [0, list.length - 1]],
]);
