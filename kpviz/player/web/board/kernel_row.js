// A kernel as similarity: k(x_i, ·) of one example on the map in place of f.

import { rowsOf } from "../run/field.js";
import { example, number, signed } from "../run/words.js";

/** @import { Pixels } from "../paint/colors.js" */
/** @import { Player } from "./player.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Numbers } from "../run/types.d.ts" */
/** @import { Touch } from "./types.d.ts" */

/**
 * What the map shows in place of f: `field` at the nodes or, without a plane, `at` each example;
 * the scale of its colours with its limit, and the `words` under it; lines at `levels`. `i` null:
 * only the note is shown.
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

const RAMP = 64; // In px, of the colour scale's image.
const ASKED = "Point at an example to see k(x, ·).";
const LEVELS = [0.25, 0.5, 0.75]; // Relative to the limit, drawn as lines.

/**
 * Which example it is about: the one that is pinned, else the one pointed at, else that of the
 * step; null for none.
 *
 * @param {Touch | null} pinned
 * @param {Set<number> | null} hot
 * @param {number | null} current
 */
function chosen(pinned, hot, current) {
  const one = (examples) =>
    // A cell of the Gram matrix stands for its row.
    examples?.size === 1 || examples?.size === 2 ? [...examples][0] : null;
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
  const i = chosen(player.pinnedTouch, null, t > 0 ? run.trace.index[t - 1] : null);
  return !extra || extra.why || i === null
    ? null
    : { i, value: rowsOf(run).field(i)[row * run.header.grid + column] };
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
  const i = chosen(player.pinnedTouch, player.touch.hot, current);
  const note = extra ? extra.why || (i === null ? ASKED : "") : "Computing…";
  if (note) return { i: null, note };
  const { limit, signed: both } = extra;
  const words = [
    both ? number(-limit) : "0",
    `k(${i < run.n ? example(i) : "x"}, ·)`,
    both ? signed(limit) : number(limit),
  ];
  const levels = LEVELS.flatMap((share) =>
    both ? [share * limit, -share * limit] : [share * limit],
  );
  const { palette } = player;
  const kernelRow = {
    i,
    limit,
    scale: palette.ofKernel(both),
    ramp: palette.rampOf(palette.ofKernel(both), both, RAMP),
    levels,
    words,
    note,
  };
  if (run.plane) return { ...kernelRow, field: rowsOf(run).field(i) };
  const all = run.n + run.nTest;
  return { ...kernelRow, at: run.arrays.similarGram.subarray(i * all, (i + 1) * all) };
}
