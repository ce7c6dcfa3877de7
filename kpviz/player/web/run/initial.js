// The fixed f₀(x) = w₀·x + b₀ of a textbook's starting weights, which is added to every score: what
// Python sent of it, added up.

/** @import { Arrays, Header } from "./types.d.ts" */

/**
 * f₀ at the nodes of the grid, row by row from the lowest x₂, and at the examples; `w0` and `b0`
 * are for words.
 *
 * @typedef {object} Initial
 * @property {number[] | null} w0
 * @property {number} b0
 * @property {Float64Array} field
 * @property {Float64Array} scores
 * @property {Float64Array} sizes what the terms of the scores amount to without their signs
 */

/**
 * @param {Pick<Header, "initial" | "grid">} header
 * @param {Arrays} arrays
 * @returns {Initial | null} null where nothing is added
 */
export function initialOf({ initial, grid }, { initialAlong: along, initialScores, initialSizes }) {
  if (!initial) return null;
  const field = new Float64Array(along ? grid * grid : 0);
  for (let node = 0; node < field.length; node++) {
    field[node] = along[node % grid] + along[grid + Math.floor(node / grid)];
  }
  const [scores, sizes] = [initialScores, initialSizes].map(
    (values) => new Float64Array(values ?? []),
  );
  return { ...initial, field, scores, sizes };
}

/**
 * Add f₀ to values at the nodes or at the examples.
 *
 * @param {Float64Array} values
 * @param {Float64Array | undefined} fixed
 */
export function raised(values, fixed) {
  for (let at = 0; fixed && at < values.length; at++) values[at] += fixed[at];
  return values;
}
