// The ways to write what each support example contributes to the field (contributions/blocks.py), worked out at the nodes.

import { exponentials } from "./payload.js";

/** @import { Arrays, Numbers } from "../types.d.ts" */

/**
 * A part of the sum: adds Σ coef_i k_i at every node to `out`, and every k_i at one node to `values`.
 * @typedef {object} Block
 * @property {(coef: Float64Array, out: Float64Array) => void} add
 * @property {(values: Float64Array, column: number, row: number) => void} addAt
 */

/**
 * What Python sent of block k.
 *
 * @param {Arrays} arrays
 * @param {number} k
 * @param {number} grid
 * @returns {Block}
 */
export function block(arrays, k, grid) {
  const named = (name) => arrays[`${name}_${k}`] ?? null;
  const hill = named("tops") && { tops: named("tops"), falls: named("falls") };
  const [along1, along2] = [0, 1].map((axis) => {
    const [along, basis] = [named(`along_${axis + 1}`), named(`basis_${axis + 1}`)];
    if (hill) return hillsOf(hill, axis, along && onNodes(along, basis, grid), grid);
    return along && named("table") ? onNodes(along, basis, grid) : along;
  });
  const times = (part) => {
    const rest = named("rest") ?? restOf(named("rest_1"), named("rest_2"), grid);
    return rest ? multiplied(part, rest, grid) : part;
  };
  if (named("table")) {
    const [table, ridge, centres] = [named("table"), named("ridge"), named("centres")];
    const scales = centres && /** @type {number[]} */ ([...named("scales")]);
    const tables = centres ? [{ table, positions: distances(centres, scales) }] : [];
    if (named("places")) tables.push({ table: ridge ?? table, positions: products(named("places")) });
    const reach = centres && reachOf(table, centres, scales, grid);
    return times(lookedUp({ grid, tables, reach, along1, along2 }));
  }
  const basis1 = hill ? null : named("basis_1");
  const basis2 = hill ? null : named("basis_2");
  const shape = { basis1, basis2, r1: basis1 ? basis1.shape[0] : grid, r2: basis2 ? basis2.shape[0] : grid, grid };
  if (along1 && !basis1 && !basis2) return times(onNodesAlone(grid, along1, along2));
  const parts = along1 ? outerProducts(shape, along1, along2) : weightedCores(shape, named("weights"), named("cores"));
  return times({ ...parts, add: (coef, out) => expand(shape, parts.core(coef), grid, out) });
}

/**
 * A hill around each example at the nodes of an axis, looked up by its logarithm, times the example's weights there.
 *
 * @param {{ tops: Numbers, falls: Numbers }} hill
 * @param {number} axis
 * @param {Numbers | null} weights
 * @param {number} grid
 */
function hillsOf({ tops, falls }, axis, weights, grid) {
  const count = tops.length / 2;
  const logs = new Float64Array(count * grid);
  const table = falls.subarray((axis * falls.length) / 2, ((axis + 1) * falls.length) / 2);
  for (let i = 0, at = 0; i < count; i++) {
    for (let node = 0; node < grid; node++, at++) {
      const away = Math.abs(node - tops[2 * i + axis]);
      const k = Math.min(Math.floor(away), table.length - 3); // beyond, all is 0
      const [past, first, second] = [away - k, table[k + 1] - table[k], table[k + 2] - table[k + 1]];
      logs[at] = table[k] + past * (first + ((past - 1) / 2) * (second - first)); // on a parabola through three entries
    }
  }
  const out = exponentials(logs);
  if (weights) for (let at = 0; at < out.length; at++) out[at] *= weights[at];
  return Object.assign(out, { shape: [1, count, grid] });
}

/**
 * What nodes are multiplied by, from the sums of products that are its logarithms.
 *
 * @param {Numbers | null} along1
 * @param {Numbers | null} along2
 * @param {number} grid
 */
function restOf(along1, along2, grid) {
  if (!along1 || !along2) return null;
  const rest = new Float64Array(grid * grid);
  for (let a = 0; a < along1.length; a += grid) {
    for (let row = 0, at = 0; row < grid; row++) {
      for (let column = 0; column < grid; column++, at++) rest[at] += along2[a + row] * along1[a + column];
    }
  }
  return exponentials(rest);
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

/** The positions of nodes of a row in a table: inner products with example i move evenly along both axes. */
const products =
  (places) =>
  (i, row, [from, to], out) => {
    const start = places[3 * i] + row * places[3 * i + 2];
    for (let column = from; column < to; column++) out[column] = start + column * places[3 * i + 1];
  };

/**
 * The positions of nodes of a row in a table: their distances from example i.
 *
 * @param {Numbers} centres
 * @param {number[]} scales
 */
const distances =
  (centres, [wide, high]) =>
  (i, row, [from, to], out) => {
    const up = (row - centres[2 * i + 1]) * high;
    for (let column = from; column < to; column++) {
      const across = (column - centres[2 * i]) * wide;
      out[column] = Math.sqrt(across * across + up * up);
    }
  };

/**
 * Between which columns of a row a table of distances is not 0, for example i.
 *
 * @param {Numbers} table
 * @param {Numbers} centres
 * @param {number[]} scales
 * @param {number} grid
 */
function reachOf(table, centres, [wide, high], grid) {
  let end = table.length;
  while (end > 0 && table[end - 1] === 0) end--;
  if (end === table.length) return () => [0, grid];
  return (i, row) => {
    const up = (row - centres[2 * i + 1]) * high;
    const across = Math.sqrt(Math.max(end * end - up * up, 0)) / wide;
    const at = centres[2 * i];
    return across ? [Math.max(Math.ceil(at - across), 0), Math.min(Math.floor(at + across) + 1, grid)] : [0, 0];
  };
}

/** k_i is a table, or the product of two, looked up at each node's position, times a weight along each axis. */
function lookedUp({ grid, tables, reach, along1, along2 }) {
  const at = new Float64Array(grid);
  const values = new Float64Array(grid);
  const ends = along1 && endsOf(along1, grid);
  const within = (i, row) => {
    const [a, b] = reach ? reach(i, row) : [0, grid];
    const [c, d] = ends ? ends(i) : [0, grid];
    return [Math.max(a, c), Math.min(b, d)];
  };
  /** The values of example i in a row, between two columns. */
  const rowOf = (i, row, [from, to]) => {
    values.fill(1, from, to);
    for (const { table, positions } of tables) {
      const last = table.length - 2;
      positions(i, row, [from, to], at);
      for (let column = from; column < to; column++) {
        const k = Math.min(Math.max(Math.floor(at[column]), 0), last);
        values[column] *= table[k] + (at[column] - k) * (table[k + 1] - table[k]);
      }
    }
    return values;
  };
  return {
    add(coef, out) {
      for (let i = 0; i < coef.length; i++) {
        if (coef[i] === 0) continue;
        for (let row = 0; row < grid; row++) {
          const weight = along2 ? coef[i] * along2[i * grid + row] : coef[i];
          const [from, to] = within(i, row);
          if (weight === 0 || from >= to) continue;
          const found = rowOf(i, row, [from, to]);
          const [base, start] = [i * grid, row * grid];
          if (along1) for (let c = from; c < to; c++) out[start + c] += weight * along1[base + c] * found[c];
          else for (let c = from; c < to; c++) out[start + c] += weight * found[c];
        }
      }
    },
    addAt(sums, column, row) {
      for (let i = 0; i < sums.length; i++) {
        const weight = along1 ? along1[i * grid + column] * along2[i * grid + row] : 1;
        sums[i] += weight * rowOf(i, row, [column, column + 1])[column];
      }
    },
  };
}

/** Between which nodes the weights of a row along an axis are not 0: from the first one to behind the last. */
function endsOf(weights, grid) {
  const found = new Int32Array((2 * weights.length) / grid);
  for (let i = 0; i < found.length / 2; i++) {
    let [from, to] = [i * grid, (i + 1) * grid];
    while (from < to && weights[from] === 0) from++;
    while (from < to && weights[to - 1] === 0) to--;
    found.set([from - i * grid, to - i * grid], 2 * i);
  }
  return (i) => [found[2 * i], found[2 * i + 1]];
}

/** k_i is a sum of products of a weight along each axis, at the nodes. */
function onNodesAlone(grid, along1, along2) {
  const [terms, count] = along1.shape;
  const ends = endsOf(along1, grid); // of a narrow hill nearly all is 0
  return {
    add(coef, out) {
      for (let k = 0; k < terms * count; k++) {
        const amount = coef[k % count];
        if (amount === 0) continue;
        const [from, to] = ends(k);
        const base = k * grid;
        for (let row = 0; row < grid; row++) {
          const weight = amount * along2[base + row];
          if (weight === 0) continue;
          const start = row * grid;
          for (let column = from; column < to; column++) out[start + column] += weight * along1[base + column];
        }
      }
    },
    addAt(values, column, row) {
      for (let k = 0; k < terms * count; k++) values[k % count] += along1[k * grid + column] * along2[k * grid + row];
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
