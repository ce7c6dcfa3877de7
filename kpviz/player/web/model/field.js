// Sums of what each support example contributes: to the field on the grid, and to the score of each example.

/** @import { Arrays, Numbers } from "../types.d.ts" */

/**
 * A part of the sum: adds Σ coef_i k_i at every node to `out`, and every k_i at one node to `values`.
 * @typedef {object} Block
 * @property {(coef: Float64Array, out: Float64Array) => void} add
 * @property {(values: Float64Array, column: number, row: number) => void} addAt
 */

/** What Python sent about the contributions: one block for each part of the kernel (contributions.py). */
export class Contributions {
  /** @type {number | undefined} */
  #largest;

  /**
   * @param {{ grid: number, stream: unknown, n?: number, nTest?: number }} header
   * @param {Arrays} arrays
   */
  constructor(header, arrays) {
    this.grid = header.grid;
    this.count = arrays.support.length;
    this.examples = header.stream ? 0 : header.n + header.nTest; // what is known of those of a stream is f when they came
    this.gram = symmetric(arrays, this.examples);
    this.blocks = /** @type {Block[]} */ ([]);
    for (let k = 0; [`along_1_${k}`, `cores_${k}`, `table_${k}`].some((name) => name in arrays); k++) {
      this.blocks.push(block(arrays, k, this.grid));
    }
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

/**
 * @param {Arrays} arrays
 * @param {number} k
 * @param {number} grid
 * @returns {Block}
 */
function block(arrays, k, grid) {
  const named = (name) => arrays[`${name}_${k}`] ?? null;
  const basis1 = named("basis_1");
  const basis2 = named("basis_2");
  const along1 = named("along_1");
  const along2 = named("along_2");
  const times = (part) => (named("rest") ? multiplied(part, named("rest"), grid) : part);
  if (named("table")) {
    const weights = along1 && { along1: onNodes(along1, basis1, grid), along2: onNodes(along2, basis2, grid) };
    const positions = named("centres") ? distances(named("centres"), [...named("scales")]) : products(named("places"));
    return times(lookedUp({ grid, table: named("table"), positions, ...weights }));
  }
  const shape = { basis1, basis2, r1: basis1 ? basis1.shape[0] : grid, r2: basis2 ? basis2.shape[0] : grid, grid };
  const parts = along1 ? outerProducts(shape, along1, along2) : weightedCores(shape, named("weights"), named("cores"));
  return times({ ...parts, add: (coef, out) => expand(shape, parts.core(coef), grid, out) });
}

/** The part's own sum, multiplied at each node. */
function multiplied(part, rest, grid) {
  return {
    add(coef, out) {
      const own = new Float64Array(out.length);
      part.add(coef, own);
      for (let node = 0; node < out.length; node++) out[node] += own[node] * rest[node];
    },
    addAt(values, column, row) {
      const own = new Float64Array(values.length);
      part.addAt(own, column, row);
      for (let i = 0; i < values.length; i++) values[i] += own[i] * rest[row * grid + column];
    },
  };
}

/** Weights of each example along an axis, on the nodes. */
function onNodes(weights, basis, grid) {
  if (!basis) return weights;
  const [r] = basis.shape;
  const count = weights.length / r;
  const out = new Float64Array(count * grid);
  for (let i = 0; i < count; i++) {
    for (let a = 0; a < r; a++) {
      for (let node = 0; node < grid; node++) out[i * grid + node] += weights[i * r + a] * basis[a * grid + node];
    }
  }
  return out;
}

/** The positions of a row of nodes in a table: inner products with example i move evenly along both axes. */
const products = (places) => (i, row, out) => {
  const start = places[3 * i] + row * places[3 * i + 2];
  for (let column = 0; column < out.length; column++) out[column] = start + column * places[3 * i + 1];
};

/**
 * The positions of a row of nodes in a table: their distances from example i.
 *
 * @param {Numbers} centres
 * @param {number[]} scales
 */
const distances =
  (centres, [wide, high]) =>
  (i, row, out) => {
    const up = (row - centres[2 * i + 1]) * high;
    for (let column = 0; column < out.length; column++) {
      const across = (column - centres[2 * i]) * wide;
      out[column] = Math.sqrt(across * across + up * up);
    }
  };

/** k_i is a table looked up at each node's position, times a weight along each axis. */
function lookedUp({ grid, table, positions, along1, along2 }) {
  const last = table.length - 2;
  const at = new Float64Array(grid);
  const value = (column) => {
    const k = Math.min(Math.max(Math.floor(at[column]), 0), last);
    return table[k] + (at[column] - k) * (table[k + 1] - table[k]);
  };
  return {
    add(coef, out) {
      for (let i = 0; i < coef.length; i++) {
        if (coef[i] === 0) continue;
        for (let row = 0; row < grid; row++) {
          const weight = along2 ? coef[i] * along2[i * grid + row] : coef[i];
          if (weight === 0) continue;
          positions(i, row, at);
          const to = row * grid;
          if (along1) {
            for (let column = 0; column < grid; column++) {
              out[to + column] += weight * along1[i * grid + column] * value(column);
            }
          } else for (let column = 0; column < grid; column++) out[to + column] += weight * value(column);
        }
      }
    },
    addAt(values, column, row) {
      for (let i = 0; i < values.length; i++) {
        positions(i, row, at);
        values[i] += (along1 ? along1[i * grid + column] * along2[i * grid + row] : 1) * value(column);
      }
    },
  };
}

/** core_i is a sum of products of a weight along each axis. */
function outerProducts({ basis1, basis2, r1, r2, grid }, along1, along2) {
  const [terms, count] = along1.shape;
  return {
    core(coef) {
      const core = new Float64Array(r1 * r2);
      for (let m = 0; m < terms; m++) {
        for (let i = 0; i < count; i++) {
          if (coef[i] === 0) continue;
          const from1 = (m * count + i) * r1;
          const from2 = (m * count + i) * r2;
          for (let a = 0; a < r1; a++) {
            const weight = coef[i] * along1[from1 + a];
            const to = a * r2;
            for (let b = 0; b < r2; b++) core[to + b] += weight * along2[from2 + b];
          }
        }
      }
      return core;
    },
    addAt(values, column, row) {
      for (let m = 0; m < terms; m++) {
        for (let i = 0; i < count; i++) {
          const one = along(along1, (m * count + i) * r1, basis1, r1, grid, column);
          values[i] += one * along(along2, (m * count + i) * r2, basis2, r2, grid, row);
        }
      }
    },
  };
}

function along(weights, from, basis, r, grid, node) {
  if (!basis) return weights[from + node];
  let sum = 0;
  for (let a = 0; a < r; a++) sum += weights[from + a] * basis[a * grid + node];
  return sum;
}

/** core_i is a weighted sum of a few cores that all examples share. */
function weightedCores({ basis1, basis2, r1, r2, grid }, weights, cores) {
  const terms = cores.shape[0];
  const size = r1 * r2;
  return {
    core(coef) {
      const core = new Float64Array(size);
      for (let q = 0; q < terms; q++) {
        let weight = 0;
        for (let i = 0; i < coef.length; i++) weight += coef[i] * weights[i * terms + q];
        for (let a = 0; a < size; a++) core[a] += weight * cores[q * size + a];
      }
      return core;
    },
    addAt(values, column, row) {
      for (let q = 0; q < terms; q++) {
        let at = 0;
        for (let a = 0; a < r1; a++) {
          at +=
            (basis1 ? basis1[a * grid + column] : Number(a === column)) *
            along(cores, q * size + a * r2, basis2, r2, grid, row);
        }
        for (let i = 0; i < values.length; i++) values[i] += weights[i * terms + q] * at;
      }
    },
  };
}

/** out += basis₂ᵀ coreᵀ basis₁ */
function expand({ basis1, basis2, r1, r2 }, core, grid, out) {
  const left = new Float64Array(r1);
  for (let row = 0; row < grid; row++) {
    for (let a = 0; a < r1; a++) {
      let sum = 0;
      if (basis2) for (let b = 0; b < r2; b++) sum += basis2[b * grid + row] * core[a * r2 + b];
      else sum = core[a * r2 + row];
      left[a] = sum;
    }
    const to = row * grid;
    if (!basis1) for (let column = 0; column < grid; column++) out[to + column] += left[column];
    else {
      for (let a = 0; a < r1; a++) {
        const weight = left[a];
        if (weight === 0) continue;
        const from = a * grid;
        for (let column = 0; column < grid; column++) out[to + column] += weight * basis1[from + column];
      }
    }
  }
}
