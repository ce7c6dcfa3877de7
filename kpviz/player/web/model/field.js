// Sums of what each support example contributes: to the field on the grid, and to the score of each example.

import { blocksOf } from "./blocks.js";

/** @import { Arrays } from "../types.d.ts" */

/** What Python sent about the contributions: one block for each part of the kernel (contributions.py). */
export class Contributions {
  /** @type {number | undefined} */
  #largest;
  /** @type {Float64Array | undefined} */
  #one;

  /**
   * @param {{ grid: number, stream: unknown, n?: number, nTest?: number }} header
   * @param {Arrays} arrays
   */
  constructor(header, arrays) {
    this.grid = header.grid;
    this.count = arrays.support.length;
    this.examples = header.stream ? 0 : header.n + header.nTest; // what is known of those of a stream is f when they came
    this.gram = symmetric(arrays, this.examples);
    this.blocks = blocksOf(arrays, this.grid);
  }

  /** The largest |k(x_i, x_j)| among support and examples, at least 1e-30. */
  get largest() {
    if (this.#largest === undefined) {
      this.#largest = 1e-30;
      for (const value of this.gram) this.#largest = Math.max(this.#largest, Math.abs(value));
    }
    return this.#largest;
  }

  /** f at the grid's nodes, row by row from the lowest x₂, for the coefficients of the support and b. */
  field(coef, b, out = new Float64Array(this.grid * this.grid)) {
    out.fill(b);
    for (const part of this.blocks) part.add(coef, out);
    return out;
  }

  /** k(x_i, ·) at the grid's nodes, for the support example in place i. */
  bump(i) {
    const coef = new Float64Array(this.count);
    coef[i] = 1;
    return this.field(coef, 0);
  }

  /** Add so much of k(x_i, ·) to values at the nodes. */
  addOne(i, weight, out) {
    this.#one ??= new Float64Array(this.count);
    this.#one[i] = weight;
    for (const part of this.blocks) part.add(this.#one, out);
    this.#one[i] = 0;
  }

  /** k(x_i, node) for every support example, at the node in this column and row. */
  at(column, row) {
    const values = new Float64Array(this.count);
    for (const part of this.blocks) part.addAt(values, column, row);
    return values;
  }

  /** f of every example, training first, then held out. */
  scores(coef, b) {
    const out = new Float64Array(this.examples).fill(b);
    for (let i = 0; i < coef.length; i++) {
      if (coef[i] === 0) continue;
      const row = i * this.examples;
      for (let j = 0; j < out.length; j++) out[j] += coef[i] * this.gram[row + j];
    }
    return out;
  }
}

/**
 * k(x_i, x_j), a row for each support example, of which the pairs among them were sent once.
 *
 * @param {Arrays} arrays
 * @param {number} examples
 */
function symmetric({ support, gramPairs, gramRest }, examples) {
  if (!examples) return new Float32Array(0);
  const Kind = gramRest instanceof Float64Array || gramPairs instanceof Float64Array ? Float64Array : Float32Array;
  const gram = new Kind(support.length * examples); // in double precision where values are tiny
  const among = new Set(support);
  const others = Array.from({ length: examples }, (_, j) => j).filter((j) => !among.has(j));
  let pair = 0;
  let rest = 0;
  for (let i = 0; i < support.length; i++) {
    for (let j = i; j < support.length; j++) {
      gram[i * examples + support[j]] = gram[j * examples + support[i]] = gramPairs[pair++];
    }
    for (const j of others) gram[i * examples + j] = gramRest[rest++];
  }
  return gram;
}
