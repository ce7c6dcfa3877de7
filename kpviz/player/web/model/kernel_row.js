// A kernel as similarity: k(x_i, ·) of one example on the map in place of f. Python sends it for every example once it is asked.

import { Contributions } from "./field.js";
import { example, number, signed } from "./words.js";

/** @import { Pixels } from "./pixels.js" */
/** @import { Player } from "./player.js" */
/** @import { Run } from "./run.js" */
/** @import { Arrays, Numbers, Touch } from "../types.d.ts" */

/**
 * What the map shows in place of f: `field` at the nodes or, without a plane, `at` each example; the scale of its colours
 * with its limit, and the `words` under it; lines at `levels`. `i` null: only the note is shown.
 * @typedef {object} KernelRow
 * @property {number | null} i
 * @property {string} note
 * @property {number} [limit]
 * @property {Uint8ClampedArray} [scale]
 * @property {Pixels} [ramp]
 * @property {number[]} [levels]
 * @property {string[]} [words]
 * @property {Float64Array} [field]
 * @property {Numbers} [at]
 */

const PART = "similar_"; // begins the names of the arrays of blocks
const RAMP = 64; // px of the colour scale's image
const ASKED = "Point at an example to see k(x, ·).";
const LEVELS = [0.25, 0.5, 0.75]; // of the limit, drawn as lines

/** k(x_i, ·) at the nodes, for any example; the last one is kept. */
class KernelRows {
  /** @type {{ i: number | null, field: Float64Array | null }} */
  #known = { i: null, field: null };

  /** @param {Run} run */
  constructor({ n, nTest, header, arrays }) {
    /** @type {Arrays} */
    const named = { support: Uint32Array.from({ length: n + nTest }, (_, i) => i) };
    for (const [name, array] of Object.entries(arrays)) {
      if (name.startsWith(PART)) named[name.slice(PART.length)] = array;
    }
    this.sums = new Contributions({ grid: header.grid, stream: true }, named);
  }

  /** @param {number} i */
  field(i) {
    if (this.#known.i !== i) this.#known = { i, field: this.sums.bump(i) };
    return this.#known.field;
  }
}

/** @type {WeakMap<Run, KernelRows>} */
const found = new WeakMap();

function rowsOf(run) {
  if (!found.has(run)) found.set(run, new KernelRows(run));
  return found.get(run);
}

/**
 * Which example it is about: the one that is pinned, else the one pointed at, else that of the step; null for none.
 *
 * @param {Touch | null} pinned
 * @param {Set<number> | null} hot
 * @param {number | null} current
 */
function chosen(pinned, hot, current) {
  const one = (examples) => (examples?.size === 1 || examples?.size === 2 ? [...examples][0] : null); // a cell of the Gram matrix: its row
  return pinned?.similar ?? one(pinned?.hot) ?? one(hot) ?? current;
}

/**
 * k of the example at a node while it is shown, else null.
 *
 * @param {Player} player
 * @param {Run} run
 * @param {{ column: number, row: number }} node
 */
export function kernelAt(player, run, { column, row }) {
  if (run !== player.run || !player.shows("similar")) return null;
  const extra = run.header.extras.similar;
  const t = Math.min(player.t, run.nSteps);
  const i = chosen(player.pinned, null, t > 0 ? run.trace.index[t - 1] : null);
  return !extra || extra.why || i === null ? null : { i, value: rowsOf(run).field(i)[row * run.header.grid + column] };
}

/**
 * What the map shows in place of f; null where f is shown.
 *
 * @param {Player} player
 * @param {Run} run
 * @param {number | null} current the example of the step
 * @returns {KernelRow | null}
 */
export function kernelRowOf(player, run, current) {
  if (run !== player.run || !player.shows("similar")) return null;
  const extra = run.header.extras.similar;
  const i = chosen(player.pinned, player.touch.hot, current);
  const note = extra ? extra.why || (i === null ? ASKED : "") : "Computing…";
  if (note) return { i: null, note };
  const { limit, signed: both } = extra;
  const words = [
    both ? number(-limit) : "0",
    `k(${i < run.n ? example(i) : "x"}, ·)`,
    both ? signed(limit) : number(limit),
  ];
  const levels = LEVELS.flatMap((share) => (both ? [share * limit, -share * limit] : [share * limit]));
  const { palette } = player;
  const shown = {
    i,
    limit,
    scale: palette.ofKernel(both),
    ramp: palette.rampOf(palette.ofKernel(both), both, RAMP),
    levels,
    words,
    note,
  };
  if (run.plane) return { ...shown, field: rowsOf(run).field(i) };
  const all = run.n + run.nTest;
  return { ...shown, at: run.arrays.similarGram.subarray(i * all, (i + 1) * all) };
}
