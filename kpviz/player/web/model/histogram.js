// The margins y f(x) of the training examples, counted in bins.

/** @import { Run } from "./run.js" */
/** @import { Reading } from "../types.d.ts" */

export const BINS = 25; // on each side of zero

/**
 * Margins of the instant; those beyond the limit fall into the end bins.
 *
 * @param {Run} run
 * @param {Reading} reading
 * @param {boolean} normed whether they are divided by ‖f‖
 * @param {number} t the instant whose scale it has
 */
export function histogram(run, reading, normed, t) {
  const norm = normed ? normOf(run, reading) : 1;
  const limit = normed ? normedLimit(run) : run.limitAt(t);
  const margins = new Float64Array(run.n);
  const counts = new Uint32Array(2 * BINS);
  for (let i = 0; i < run.n; i++) {
    margins[i] = norm > 0 ? (run.y[i] * reading.scores[i]) / norm : 0;
    counts[binOf(margins[i], limit)]++;
  }
  return { margins, limit, counts };
}

/** Bins 0 to BINS - 1 hold margins <= 0, the others margins > 0. */
export function binOf(margin, limit) {
  const share = Math.min(Math.max(margin / limit, -1), 1);
  const bin = BINS + Math.ceil(share * BINS) - 1;
  return Math.min(Math.max(bin, 0), 2 * BINS - 1);
}

/**
 * ‖f‖: the square root of sum of coef_i (f(x_i) - b).
 *
 * @param {Run} run
 * @param {Omit<Reading, "field">} reading
 */
export function normOf(run, { coef, b, scores }) {
  let squared = 0;
  for (let place = 0; place < coef.length; place++) {
    if (coef[place] !== 0) squared += coef[place] * (scores[run.trace.support[place]] - b);
  }
  return squared > 0 ? Math.sqrt(squared) : 0;
}

/** @type {WeakMap<Run, number>} */
const limits = new WeakMap();

/** The largest |margin| / ‖f‖ at the sixteenths of the run, for the scale of the histogram. @param {Run} run */
function normedLimit(run) {
  if (!limits.has(run)) {
    let largest = 0;
    for (let k = 1; k <= 16; k++) {
      const reading = run.predictor.at(Math.ceil((run.nSteps * k) / 16));
      const norm = normOf(run, reading);
      for (let i = 0; i < run.n && norm > 0; i++) largest = Math.max(largest, Math.abs(reading.scores[i]) / norm);
    }
    limits.set(run, Number(largest.toPrecision(2)) || 1);
  }
  return limits.get(run);
}
