// Sums of what each support example contributes: to the field on the grid, and to the score of each
// example.

import { initialOf, raised } from "./initial.js";
import { exponentials } from "./payload.js";
import { withoutRounding } from "./rounding.js";
import { perRun, scaled } from "./trace.js";

/** @import { Run } from "./run.js" */
/** @import { Sums } from "./trace.js" */
/** @import { Arrays, Header, Numbers } from "./types.d.ts" */

// What each support example contributes to the field, worked out at the nodes from what Python sent
// (contributions.py).

/**
 * A part of the sum: adds Σ coef_i k_i at every node to `out`, and every k_i at one node to
 * `values`.
 * @typedef {object} Block
 * @property {(coef: Float64Array, out: Float64Array) => void} add
 * @property {(values: Float64Array, column: number, row: number) => void} addAt
 */

/** @typedef {(name: string) => Numbers | null} NamedArrays an array of one block */

const PARTS = ["tops", "scales", "places", "cells", "weights", "basis_1", "basis_2"];

/** The blocks that Python sent. @param {Arrays} arrays */
export function blocksOf(arrays, grid) {
  /** @type {Block[]} */
  const blocks = [];
  const factors = ["along_1", "along_2", "falls_1", "table", "ridge"];
  for (let k = 0; [...factors, "weights"].some((name) => `${name}_${k}` in arrays); k++) {
    /** @type {NamedArrays} */
    const named = (name) => arrays[`${name}_${k}`] ?? null;
    const part = factors.some(named) ? products(named, grid) : features(named, grid);
    const nodeFactors = restOf(named, grid);
    blocks.push(nodeFactors ? multiplied(part, nodeFactors, grid) : part);
  }
  return blocks;
}

/** Each k_i is a weighted sum of products of a row of one basis and a row of the other. */
function features(/** @type {NamedArrays} */ named, /** @type {number} */ grid) {
  const [cells, ...exact] = ["cells", "weights", "basis_1", "basis_2"].map(named);
  const [weights, basis1, basis2] = exact;
  const sizes = exact.map((array) => array.map(Math.abs));
  const count = cells.length;
  const r2 = basis2.length / grid;
  const summed = (
    /** @type {Float64Array} */ coef,
    /** @type {Numbers[]} */ [weights, basis1, basis2],
  ) => {
    const core = new Float64Array((basis1.length / grid) * r2);
    for (let i = 0; i < coef.length; i++) {
      if (coef[i] !== 0) {
        for (let k = 0; k < count; k++) core[cells[k]] += coef[i] * weights[i * count + k];
      }
    }
    const sums = new Float64Array(grid * grid);
    for (let row = 0; row < grid; row++) {
      for (let a = 0; a < core.length / r2; a++) {
        let weight = 0;
        for (let b = 0; b < r2; b++) weight += core[a * r2 + b] * basis2[b * grid + row];
        if (weight === 0) continue;
        for (let column = 0; column < grid; column++) {
          sums[row * grid + column] += weight * basis1[a * grid + column];
        }
      }
    }
    return sums;
  };
  return {
    add(coef, out) {
      const sums = summed(coef, exact);
      const most = summed(coef.map(Math.abs), sizes);
      for (let at = 0; at < out.length; at++) out[at] += withoutRounding(sums[at], most[at]);
    },
    addAt(values, column, row) {
      for (let k = 0; k < count; k++) {
        const feature =
          basis1[Math.floor(cells[k] / r2) * grid + column] * basis2[(cells[k] % r2) * grid + row];
        for (let i = 0; i < values.length; i++) values[i] += weights[i * count + k] * feature;
      }
    },
  };
}

/**
 * Each k_i is a product of weights along each axis, of what tables say at two positions, and of
 * features.
 */
function products(/** @type {NamedArrays} */ named, /** @type {number} */ grid) {
  const [tops, scales, places, cells, weights, basis1, basis2] = PARTS.map(named);
  const table = tableOf(named("table"));
  const ridge = tableOf(named("ridge"));
  const along1 = weightsAlong(named, 0, grid);
  const along2 = weightsAlong(named, 1, grid);
  const ends = along1 && endsOf(along1, grid);
  // Features of power 0 are a number for each example.
  const exampleWeights = basis1?.length === grid ? weights : null;
  const line = new Float64Array(grid);
  const powers = weights && !exampleWeights ? new Float64Array(basis1.length / grid) : null;
  /** k_i in a row, between two columns, but for factors that are alike in the row. */
  const fill = (i, row, from, to) => {
    line.fill(powers ? 0 : 1, from, to);
    if (powers) {
      powers.fill(0);
      for (let k = 0; k < cells.length; k++) {
        const a = Math.trunc(cells[k] / powers.length);
        const b = cells[k] % powers.length;
        powers[a] += weights[i * cells.length + k] * basis2[b * grid + row];
      }
      for (let a = 0; a < powers.length; a++) {
        for (let column = from; column < to; column++) {
          line[column] += powers[a] * basis1[a * grid + column];
        }
      }
    }
    if (table) {
      const at = tops[2 * i];
      const up = (row - tops[2 * i + 1]) * scales[1];
      for (let column = from; column < to; column++) {
        const across = (column - at) * scales[0];
        line[column] *= lookedUp(table, Math.sqrt(across * across + up * up));
      }
    }
    if (ridge) {
      const start = places[3 * i] + row * places[3 * i + 2];
      const step = places[3 * i + 1];
      for (let column = from; column < to; column++) {
        line[column] *= lookedUp(ridge, start + column * step);
      }
    }
    if (along1) {
      for (let column = from; column < to; column++) line[column] *= along1[i * grid + column];
    }
    return line;
  };
  const alike = (i, row) =>
    (exampleWeights ? exampleWeights[i] : 1) * (along2 ? along2[i * grid + row] : 1);
  const plain = !table && !ridge && !powers;
  return {
    add(coef, out) {
      for (let i = 0; i < coef.length; i++) {
        if (coef[i] === 0) continue;
        const [from, to] = ends ? ends(i) : [0, grid];
        for (let row = 0; row < grid; row++) {
          const weight = coef[i] * alike(i, row);
          if (weight === 0) continue;
          const [values, base] = plain ? [along1, i * grid] : [fill(i, row, from, to), 0];
          const start = row * grid;
          for (let column = from; column < to; column++) {
            out[start + column] += weight * values[base + column];
          }
        }
      }
    },
    addAt(sums, column, row) {
      for (let i = 0; i < sums.length; i++) {
        sums[i] += alike(i, row) * fill(i, row, column, column + 1)[column];
      }
    },
  };
}

/**
 * A table, and half of how much it bends after each entry: not at all where it bends much more than
 * beside, as at kinks.
 */
function tableOf(/** @type {Numbers | null} */ table) {
  if (!table) return null;
  const bends = Float64Array.from(
    { length: table.length - 2 },
    (_, k) => table[k] - 2 * table[k + 1] + table[k + 2],
  );
  const halves = bends.map((bend, k) => {
    const neighbour = Math.min(Math.abs(bends[k - 1] ?? bend), Math.abs(bends[k + 1] ?? bend));
    return Math.abs(bend) <= 4 * neighbour ? bend / 2 : 0;
  });
  return { table, halves };
}

/** Between entries it is a parabola through three of them, or a line. */
function lookedUp({ table, halves }, at) {
  const k = at | 0;
  const past = at - k;
  return table[k] + past * (table[k + 1] - table[k] + (past - 1) * halves[k]);
}

/**
 * The weights of each example at the nodes of an axis, as they were sent and by its hill; null
 * without any.
 */
function weightsAlong(
  /** @type {NamedArrays} */ named,
  /** @type {number} */ axis,
  /** @type {number} */ grid,
) {
  const [tops, sent, other] = ["tops", `along_${axis + 1}`, `along_${2 - axis}`].map(named);
  const falls = tableOf(named(`falls_${axis + 1}`));
  if (!falls && !sent && !other) return null;
  const logs = new Float64Array(falls ? (tops.length / 2) * grid : (sent ?? other).length);
  for (let at = 0; falls && at < logs.length; at++) {
    logs[at] = lookedUp(falls, Math.abs((at % grid) - tops[2 * Math.floor(at / grid) + axis]));
  }
  const hills = exponentials(logs);
  return sent ? hills.map((hill, at) => hill * sent[at]) : hills;
}

/**
 * Between which nodes the weights of an example along an axis are not 0: from the first one to
 * behind the last.
 */
function endsOf(weights, grid) {
  const ends = new Int32Array((2 * weights.length) / grid);
  for (let i = 0; i < ends.length / 2; i++) {
    let from = i * grid;
    let to = (i + 1) * grid;
    while (from < to && weights[from] === 0) from++;
    while (from < to && weights[to - 1] === 0) to--;
    ends.set([from - i * grid, to - i * grid], 2 * i);
  }
  return (i) => [ends[2 * i], ends[2 * i + 1]];
}

/** What nodes are multiplied by, as it was sent or from its logarithm; null for nothing. */
function restOf(/** @type {NamedArrays} */ named, /** @type {number} */ grid) {
  const rows = named("rest_1");
  const columns = named("rest_2");
  if (!rows) return named("rest");
  const logs = new Float64Array(grid * grid);
  for (let at = 0; at < logs.length; at++) {
    for (let r = 0; r < rows.length; r += grid) {
      logs[at] += columns[r + Math.floor(at / grid)] * rows[r + (at % grid)];
    }
  }
  return exponentials(logs);
}

/** The part's own sum, multiplied at each node. */
function multiplied(part, factors, grid) {
  return {
    add(coef, out) {
      const partField = new Float64Array(out.length);
      part.add(coef, partField);
      for (let node = 0; node < out.length; node++) out[node] += partField[node] * factors[node];
    },
    addAt(values, column, row) {
      const partValues = new Float64Array(values.length);
      part.addAt(partValues, column, row);
      for (let i = 0; i < values.length; i++) {
        values[i] += partValues[i] * factors[row * grid + column];
      }
    },
  };
}

/**
 * What Python sent about the contributions: one block for each part of the kernel
 * (contributions.py).
 */
export class Contributions {
  /** @type {Float64Array | undefined} */
  #one;

  /**
   * @param {{ grid: number, stream: unknown, n?: number, nTest?: number, initial?:
   *   Header["initial"] }} header
   * @param {Arrays} arrays
   */
  constructor(header, arrays) {
    this.grid = header.grid;
    this.count = arrays.support.length;
    // Only f is known of the examples of a stream, when they came.
    this.examples = header.stream ? 0 : header.n + header.nTest;
    this.gram = symmetric(arrays, this.examples);
    this.blocks = blocksOf(arrays, this.grid);
    this.initial = initialOf(header, arrays);
  }

  /**
   * What f is for these sums, everywhere: with the fixed f₀, where there is one.
   *
   * @param {Sums} sums
   */
  whole(sums) {
    const { coef, b } = scaled(sums);
    const field = raised(this.field(coef, b), this.initial?.field);
    return { coef, b, field, scores: this.wholeScores(sums.coef, sums.b, sums.factor) };
  }

  /**
   * f at the grid's nodes, row by row from the lowest x₂, for the coefficients of the support and
   * b.
   */
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

  /**
   * f of every example, training first, then held out, f₀ included; `factor` is multiplied last, so
   * that counts add up exactly.
   *
   * @param {ArrayLike<number>} coef
   * @param {number} b
   */
  wholeScores(coef, b, factor = 1) {
    const { initial } = this;
    const out = new Float64Array(this.examples).fill(b);
    const size = new Float64Array(this.examples).fill(Math.abs(b));
    for (let j = 0; initial && j < out.length; j++) {
      out[j] += initial.scores[j] / factor;
      size[j] += initial.sizes[j] / factor;
    }
    for (let i = 0; i < coef.length; i++) {
      if (coef[i] === 0) continue;
      const row = i * this.examples;
      for (let j = 0; j < out.length; j++) {
        const term = coef[i] * this.gram[row + j];
        out[j] += term;
        size[j] += Math.abs(term);
      }
    }
    for (let j = 0; j < out.length; j++) out[j] = withoutRounding(out[j], size[j]) * factor;
    return out;
  }
}

/**
 * k(x_i, x_j), a row for each support example, of which the pairs among them were sent once.
 *
 * @param {Arrays} arrays
 */
function symmetric({ support, gramPairs, gramRest }, examples) {
  if (!examples) return new Float32Array(0);
  const Kind =
    gramRest instanceof Float64Array || gramPairs instanceof Float64Array
      ? Float64Array
      : Float32Array;
  const gram = new Kind(support.length * examples); // Tiny values need double precision.
  const among = new Set(support);
  const others = Array.from({ length: examples }, (_, j) => j).filter((j) => !among.has(j));
  let pair = 0;
  let nextRest = 0;
  for (let i = 0; i < support.length; i++) {
    for (let j = i; j < support.length; j++) {
      gram[i * examples + support[j]] = gram[j * examples + support[i]] = gramPairs[pair++];
    }
    for (const j of others) gram[i * examples + j] = gramRest[nextRest++];
  }
  return gram;
}

// k(x_i, ·) of every example, which Python sends once it is asked.

const PART = "similar_"; // The names of the arrays of blocks begin with it.

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

export const rowsOf = perRun((run) => new KernelRows(run));
