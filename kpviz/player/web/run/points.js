// Points that are being edited, and their text: kpviz/engine/data/drawn.py reads it.

/** @import { Run } from "./run.js" */
/** @import { Header } from "./types.d.ts" */

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
