// The points while they are edited: what is on the map ahead of the run, and the tool in hand.

import { looksAhead } from "../board/narration.js";
import { onlyPointsDiffer } from "../board/setting_changes.js";
import { whole } from "../run/words.js";

/** @import { Player } from "../board/player.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Header } from "../run/types.d.ts" */

// The order in which an epoch shows the examples, as its panel has it: that of the run, or one by hand ahead of it.

/** Orders that differ from epoch to epoch. */
export const DRAWN = ["shuffled", "random", "first-mistake", "random-mistake"];
const TITLES = {
  cyclic: "Order: cyclic",
  hand: "Order by hand",
  shuffled: "Order: shuffled",
  random: "Order: random",
  "first-mistake": "Order: the first mistake",
  "random-mistake": "Order: a random mistake",
};

/**
 * An example in hand: where the pointer is and was pressed; `before` and `was`: the order and its kind until then.
 * @typedef {object} Drag
 * @property {number} i
 * @property {number} px
 * @property {number} py
 * @property {[number, number]} from
 * @property {boolean} moved
 * @property {boolean} sent
 * @property {number[]} [before]
 * @property {string} [was]
 */

/**
 * What the panel shows. `examples` are in their order, `missed` where this epoch made a mistake; `shown` is how many it
 * has shown, `current` the place of the step's example, -1 for none; `why`: there is nothing to show.
 * @typedef {object} OrderScene
 * @property {string} title
 * @property {string} [why]
 * @property {{ i: number, missed: boolean }[]} [examples]
 * @property {number} [places] how many examples an epoch has room for
 * @property {boolean} [fixed] whether no hand can change it: the run itself chooses
 * @property {number} [shown]
 * @property {number} [current]
 * @property {boolean} [ahead]
 * @property {Drag | null} [drag]
 */

export class Order {
  /** @type {number[] | null} */
  ahead = null; // the order by hand, while it is ahead of the run
  /** @type {Drag | null} */
  drag = null;

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
  }

  /** Why there is no order by hand, in a sentence; "" where there is. */
  get why() {
    const { orderWhy } = this.player.run.header.settings;
    return orderWhy ? `${orderWhy[0].toUpperCase()}${orderWhy.slice(1)}.` : "";
  }

  /** Which order it is, as it will be once the server knows. */
  get kind() {
    return this.ahead ? "hand" : this.player.run.header.settings.order;
  }

  /**
   * The permutation that is shown now; of an epoch with repetitions that in which the examples first come.
   *
   * @returns {number[]}
   */
  get now() {
    const { n, onlyMistakes } = this.player.run;
    const first = onlyMistakes ? [] : this.epoch.index;
    return this.ahead ?? [...new Set([...first, ...Array(n).keys()])];
  }

  /**
   * The epoch on the board: its number, its first step, the examples it shows, and the instant that counts. Where only
   * mistakes are shown, those that are still to come would tell which examples will be mistakes.
   */
  get epoch() {
    const { player } = this;
    const { trace, nSteps, onlyMistakes } = player.run;
    const t = Math.min(player.t, nSteps);
    const at = looksAhead(player) ? t + 1 : t; // what is asked about may begin an epoch
    const number = nSteps ? trace.epochAt(at) : 0;
    const start = nSteps ? trace.epochStart[number - 1] : 0;
    const last = number < trace.nEpochs ? trace.epochStart[number] : nSteps;
    const end = onlyMistakes ? Math.max(Math.min(at, last), start) : last;
    return { number, start, t, at, index: trace.index.subarray(start, end) };
  }

  /** The example in place k of what is shown. */
  at(k) {
    return this.ahead ? this.ahead[k] : this.epoch.index[k];
  }

  /** The example of the step, null for none. */
  get ofStep() {
    const { at } = this.epoch;
    return at > 0 ? this.player.run.trace.index[at - 1] : null;
  }

  /** @returns {OrderScene} */
  get scene() {
    if (this.why) return { title: "Order", why: this.why };
    const { number, start, t, at, index } = this.epoch;
    const { trace, n, onlyMistakes } = this.player.run;
    const { mistake } = trace;
    const { kind } = this;
    const missed = (k) => start + k < t && mistake[start + k] === 1;
    const examples = Array.from(index, (i, k) => ({ i, missed: missed(k) }));
    const bad = new Set(examples.filter((one) => one.missed).map(({ i }) => i));
    return {
      title: TITLES[kind] + (DRAWN.includes(kind) ? `, epoch ${whole.format(number)}` : ""),
      examples: this.ahead ? this.ahead.map((i) => ({ i, missed: bad.has(i) })) : examples,
      places: onlyMistakes ? n : examples.length,
      fixed: onlyMistakes,
      shown: Math.max(t - start, 0),
      current: at - 1 - start,
      ahead: this.ahead !== null,
      drag: this.drag?.moved ? this.drag : null,
    };
  }
}

// Points that are being edited, and their text: kpviz/engine/data/drawn.py reads it.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const CELLS = 4096;

/** @typedef {[number, number]} Cell along the first and the second axis of the grid */

export class Points {
  /**
   * @param {Header["drawing"]} grid
   * @param {Cell[]} cells
   * @param {number[]} labels
   * @param {number} held so many of the last points are held out
   * @param {number[] | null} order null, or by hand
   */
  constructor(grid, cells, labels, held, order) {
    this.grid = grid;
    this.cells = cells;
    this.labels = labels;
    this.held = held;
    this.order = order;
  }

  /** The points of a run, each in the cell that is nearest. @param {Run} run */
  static of(run) {
    const { cells } = run.arrays;
    const labels = [...run.y];
    const order =
      run.header.settings.order === "hand" ? [...run.trace.index.slice(0, run.n)] : null;
    const places = labels.map((_, i) => /** @type {Cell} */ ([cells[2 * i], cells[2 * i + 1]]));
    return new Points(run.header.drawing, places, labels, run.nTest, order);
  }

  copy() {
    const cells = this.cells.map((cell) => /** @type {Cell} */ ([...cell]));
    return new Points(this.grid, cells, [...this.labels], this.held, this.order && [...this.order]);
  }

  get n() {
    return this.cells.length;
  }

  get full() {
    return this.n >= this.grid.most;
  }

  /** The coordinates of point i. @returns {number[]} */
  at(i) {
    return this.grid.axes.map(({ origin, step }, k) => (origin + this.cells[i][k]) * step);
  }

  /** The cell nearest to coordinates. @returns {Cell} */
  cell(place) {
    const [first, second] = this.grid.axes.map(({ origin, step }, k) =>
      Math.min(Math.max(Math.round(place[k] / step) - origin, 0), CELLS - 1),
    );
    return [first, second];
  }

  /** Add a point behind the others that are learnt from; returns its index. */
  add(place, label) {
    const i = this.n - this.held;
    this.cells.splice(i, 0, this.cell(place));
    this.labels.splice(i, 0, label);
    this.order?.push(i);
    return i;
  }

  move(i, place) {
    this.cells[i] = this.cell(place);
  }

  flip(i) {
    this.labels[i] = -this.labels[i];
  }

  remove(i) {
    if (i >= this.n - this.held) this.held -= 1;
    else if (this.order) {
      this.order = this.order.filter((j) => j !== i).map((j) => (j > i ? j - 1 : j));
    }
    this.cells.splice(i, 1);
    this.labels.splice(i, 1);
  }

  clear() {
    this.cells = [];
    this.labels = [];
    this.held = 0;
    if (this.order) this.order = [];
  }

  /** The text of all points. */
  get code() {
    const sign = (cell) => ALPHABET[cell >> 6] + ALPHABET[cell & 63];
    const cells = this.cells.map(([first, second]) => sign(first) + sign(second)).join("");
    let labels = "";
    for (let from = 0; from < this.n; from += 6) {
      let six = 0;
      for (let k = from; k < from + 6; k++) {
        six = 2 * six + (k < this.n && this.labels[k] > 0 ? 1 : 0);
      }
      labels += ALPHABET[six];
    }
    return [cells, labels, this.held || "", this.grid.frame].join(".").replace(/\.+$/, "");
  }
}

const NEAR = 7; // px beyond a point's edge that still touch it

/**
 * A point in hand, or the brush; i is -1 where no point is, `off` how far its middle is from the pointer.
 * @typedef {{ i: number, label: number, at: [number, number], off: [number, number], moved: boolean, before: Points, brush: boolean, sent?: boolean }} EditDrag
 */

export class Editing {
  on = false;
  fresh = false; // nothing was drawn since it is on
  /** @type {Run | null} */
  learnt = null; // the last run without mistakes at its end, since it is on
  /** @type {Run | null} */
  first = null; // the first of those
  label = 1; // of a point that is added
  brush = false;
  /** @type {Points | null} */
  points = null; // while they are ahead of the run
  /** @type {EditDrag | null} */
  drag = null;
  /** @type {[number, number] | null} */
  cursor = null; // of the keyboard, as shares of the map

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
  }

  /** It is on, or there is another run meanwhile. @param {Run} run */
  follow(run) {
    if (!this.on) {
      this.learnt = null;
      this.first = null;
    } else if (!run.header.open) {
      this.learnt = run;
      this.first ??= run;
    }
  }

  /** Whether the points that were drawn, and nothing else, made mistakes remain at the end. */
  get broken() {
    const { run } = this.player;
    return this.learnt !== null && run.header.open && onlyPointsDiffer(this.learnt, run);
  }

  /** How many mistakes the run made with which drawing began; null where only more of them do not follow from what was drawn. */
  get before() {
    const { first, learnt, player } = this;
    const counts =
      first !== null &&
      first !== learnt &&
      learnt === player.run &&
      onlyPointsDiffer(first, learnt);
    return counts ? first.trace.mistakesBefore(first.nSteps) : null;
  }

  /** Why the points cannot be edited, "" if they can. */
  get why() {
    if (this.player.runs.pinned.length) {
      return "Unpin the pinned runs first (Shift P): a comparison cannot be edited.";
    }
    return this.player.run.header.drawing.why;
  }

  get shownPoints() {
    return this.points ?? Points.of(this.player.run);
  }

  /** Where the keyboard or the pointer is on the map, in pixels, null if nowhere. @returns {[number, number] | null} */
  get spot() {
    const { view, pointer } = this.player;
    const { rect } = view;
    if (this.cursor) return [rect.x + this.cursor[0] * rect.w, rect.y + this.cursor[1] * rect.h];
    return pointer && view.contains(pointer.px, pointer.py) ? [pointer.px, pointer.py] : null;
  }

  /** The point nearest to a pixel, -1 if none is within reach; `beyond` is what is added to its radius. */
  nearest(px, py, beyond = NEAR) {
    const { run, view, pointScale, t } = this.player;
    const points = this.shownPoints;
    let nearest = -1;
    let least = Infinity;
    for (let i = 0; i < points.n; i++) {
      const [x1, x2] = points.at(i);
      const distance = Math.hypot(view.x(x1) - px, view.y(x2) - py);
      const reach =
        (i < run.n ? run.pointRadius(i, Math.min(t, run.nSteps), pointScale) : 5) + beyond;
      if (distance < reach && distance < least) {
        nearest = i;
        least = distance;
      }
    }
    return nearest;
  }

  /** What the map shows of it: the label of a point that is added, and where; null while nothing is edited. */
  get scene() {
    if (!this.on) return null;
    return {
      label: this.label,
      spot: this.drag ? null : this.spot,
      keyboard: this.cursor !== null,
    };
  }
}
