// Pixel coordinates of the plane in a panel.

/** @import { Reading } from "../run/types.d.ts" */
/** @import { Coordinates, Rect } from "./types.d.ts" */

// Marching squares, joined to lines.

// For each pattern of positive corners (1 low left, 2 low right, 4 high right, 8 high left): the
// sides that the level crosses. Sides: 0 low, 1 right, 2 high, 3 left. The two saddles are decided
// by the middle.
const SIDES = [
  "",
  "30",
  "01",
  "31",
  "12",
  "saddle",
  "02",
  "32",
  "23",
  "02",
  "saddle",
  "12",
  "31",
  "01",
  "30",
  "",
];
const CASES = SIDES.map((sides) => (sides === "saddle" ? null : [...sides].map(Number)));
const UNDERFLOW = 1e-300; // Below it f has lost its digits, and is 0 a node further.
const CUT_OFF = [3, 0, 1, 2]; // Each of the corners low left and high right alone.
const CUT_OTHER = [3, 2, 0, 1]; // Each of the corners low right and high left alone.
const MEETING = 0.05; // In steps of the grid: so near to each other two branches are one crossing.
const MOST_AROUND = 6; // In cells: so far about a crossing one looks for its four ends.
// Relative to how f bends: so far it may be off the quadratic at the farthest nodes.
const MOST_OFF = 0.2;
const HALVINGS = 12; // So often the place of a root within a step of the grid is halved.
const TIED = -1e-9; // It is less than one vote below 0, since a tied vote says +1.

/**
 * Where a reading's answer is another one, by its field, which may be on its way.
 *
 * @param {Reading} reading
 * @param {Float64Array} field
 * @param {number} size
 */
export const boundaryOf = ({ turns }, field, size) =>
  contour(field, size, turns ? TIED : 0, turns && ((edges) => turns(field, edges, TIED)));

/**
 * Lines of the level set, each an array [x, y, x, y, …] in units of the grid (0 to size - 1). None
 * where all values are on one side, or on the level itself, and none where f underflows to 0: it
 * has no boundary there. `turnsOn` may tell where on an edge the level is crossed, which else is
 * worked out from the values at its ends.
 *
 * @param {Float64Array} field
 * @param {number} size
 * @param {number} level
 * @param {(edges: number[]) => Map<number, number>} [turnsOn]
 */
export function contour(field, size, level, turnsOn) {
  if (!field.some((value) => value < level) || !field.some((value) => value > level)) return [];
  // A crossed edge of the grid leads to the one or two edges that it is joined to.
  const links = new Map();
  const crossed = joinCrossings(links, field, size, level);
  for (let row = 0; row < size - 1; row++) {
    for (let column = 0; column < size - 1; column++) {
      const at = row * size + column;
      if (crossed.has(at)) continue;
      const kind =
        (field[at] > level ? 1 : 0) |
        (field[at + 1] > level ? 2 : 0) |
        (field[at + size + 1] > level ? 4 : 0) |
        (field[at + size] > level ? 8 : 0);
      if (kind === 0 || kind === 15) continue;
      const corners = [field[at], field[at + 1], field[at + size], field[at + size + 1]];
      if (corners.every((value) => Math.abs(value - level) < UNDERFLOW)) continue;
      const sides = CASES[kind] ?? saddle(field, at, size, level, kind);
      for (let k = 0; k < sides.length; k += 2) {
        join(links, edge(at, size, sides[k]), edge(at, size, sides[k + 1]));
      }
    }
  }
  // Where f is flat, as about a crossing, a straight line between two nodes is far from it.
  const place = crossed.size ? preciseCrossing : crossing;
  const turns = turnsOn?.([...links.keys()]);
  return chains(links).map((edges) =>
    edges.flatMap((id) =>
      turns?.has(id) ? along(id, size, turns.get(id)) : place(field, size, level, id),
    ),
  );
}

/**
 * Join what lies opposite of each place where the level set crosses itself: the grid tells which of
 * its four branches is which only where these are far enough apart. The cells between are returned.
 *
 * @returns {Set<number>}
 */
function joinCrossings(links, field, size, level) {
  const crossed = new Set();
  for (let row = 1; row < size - 2; row++) {
    for (let column = 1; column < size - 2; column++) {
      const at = row * size + column;
      if (!crossed.has(at) && crossesItself(field, at, size, level)) {
        joinOpposite(links, crossed, { field, size, level }, { row, column });
      }
    }
  }
  return crossed;
}

function joinOpposite(links, crossed, { field, size, level }, { row, column }) {
  const nearest = Math.min(row, column, size - 2 - row, size - 2 - column, MOST_AROUND);
  for (let around = 0; around <= nearest; around++) {
    const low = row - around;
    const high = row + around;
    const left = column - around;
    const right = column + around;
    const steps = Array.from({ length: 2 * around + 1 }, (_, k) => k);
    // Anticlockwise, from the corner low left.
    const border = [
      ...steps.map((k) => [low * size + left + k, 0]),
      ...steps.map((k) => [(low + k) * size + right, 1]),
      ...steps.map((k) => [high * size + right - k, 2]),
      ...steps.map((k) => [(high - k) * size + left, 3]),
    ];
    const ends = border
      .map(([at, side]) => edge(at, size, side))
      .filter((id) => {
        const [from, to] = nodesOf(id, size);
        return field[from] > level !== field[to] > level;
      });
    if (ends.length !== 4) continue;
    for (const start of [0, 1]) join(links, ends[start], ends[start + 2]);
    for (const k of steps) for (const m of steps) crossed.add((low + k) * size + left + m);
    return;
  }
}

/** Whether the quadratic through the nodes about a cell has its saddle there, on the level. */
function crossesItself(field, at, size, level) {
  const a = field[at] - level;
  const b = field[at + 1] - level;
  const c = field[at + size] - level;
  const d = field[at + size + 1] - level;
  const across = (bend(field, at, 1) + bend(field, at + size, 1)) / 2;
  const up = (bend(field, at, size) + bend(field, at + 1, size)) / 2;
  const both = a + d - b - c;
  const determinant = across * up - both * both;
  if (determinant >= 0) return false;
  const slopeAcross = (b + d - a - c) / 2;
  const slopeUp = (c + d - a - b) / 2;
  const x = (slopeUp * both - slopeAcross * up) / determinant;
  const y = (slopeAcross * both - slopeUp * across) / determinant;
  if (Math.max(Math.abs(x), Math.abs(y)) > 0.5) return false;
  const middle = (a + b + c + d) / 4 - (across + up) / 8;
  const value = middle + (slopeAcross * x + slopeUp * y) / 2;
  const mean = (across + up) / 2;
  const radius = Math.hypot((across - up) / 2, both);
  const isQuadratic = [-1.5, 1.5].every((right) =>
    [-1.5, 1.5].every((high) => {
      const node = at + right + 0.5 + (high + 0.5) * size;
      const squares = (across * right * right + up * high * high) / 2 + both * right * high;
      const expected = middle + slopeAcross * right + slopeUp * high + squares;
      return Math.abs(field[node] - level - expected) < radius * MOST_OFF;
    }),
  );
  if (!isQuadratic) return false;
  return 2 * Math.abs(value) < (radius + (value > 0 ? -mean : mean)) * MEETING ** 2;
}

/** The second difference about the edge from a node to the next one. */
const bend = (field, node, step) =>
  (field[node - step] - field[node] - field[node + step] + field[node + 2 * step]) / 2;

function saddle(field, at, size, level, kind) {
  const middle = (field[at] + field[at + 1] + field[at + size] + field[at + size + 1]) / 4 > level;
  return middle === (kind === 5) ? CUT_OTHER : CUT_OFF;
}

/**
 * Edges are numbered 2 * node for the one to the right of the node, 2 * node + 1 for the one above
 * it.
 */
function edge(at, size, side) {
  if (side === 0) return 2 * at;
  if (side === 1) return 2 * (at + 1) + 1;
  return side === 2 ? 2 * (at + size) : 2 * at + 1;
}

/** The two nodes that an edge joins. */
const nodesOf = (id, size) => [id >> 1, (id >> 1) + (id & 1 ? size : 1)];

function join(links, a, b) {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ]) {
    const known = links.get(from);
    if (known) known.push(to);
    else links.set(from, [to]);
  }
}

function chains(links) {
  const lines = [];
  const seen = new Set();
  const walk = (start) => {
    const line = [start];
    seen.add(start);
    for (let next = start; next !== undefined;) {
      next = links.get(line.at(-1)).find((id) => !seen.has(id));
      if (next === undefined) break;
      seen.add(next);
      line.push(next);
    }
    // The line is closed.
    if (line.length > 2 && links.get(line.at(-1)).includes(start)) line.push(start);
    lines.push(line);
  };
  for (const [id, joined] of links) if (joined.length === 1 && !seen.has(id)) walk(id);
  for (const id of links.keys()) if (!seen.has(id)) walk(id);
  return lines;
}

/** The place on an edge that has so much of it before it. */
function along(id, size, share) {
  const at = id >> 1;
  const column = at % size;
  const row = Math.floor(at / size);
  return id & 1 ? [column, row + share] : [column + share, row];
}

function crossing(field, size, level, id) {
  const [a, b] = nodesOf(id, size).map((node) => field[node] - level);
  return along(id, size, a / (a - b));
}

/** The same by the cubic through four nodes, where the edge has so many. */
function preciseCrossing(field, size, level, id) {
  const [at, next] = nodesOf(id, size);
  const step = next - at;
  const before = step === 1 ? at % size : Math.floor(at / size);
  if (before < 1 || before > size - 3) return crossing(field, size, level, id);
  const [previous, first, second, after] = [-1, 0, 1, 2].map((k) => field[at + k * step] - level);
  const cubic = (s) =>
    ((s + 1) * (s - 2) * (first * (s - 1) - second * s)) / 2 +
    (s * (s - 1) * (after * (s + 1) - previous * (s - 2))) / 6;
  let low = 0;
  let high = 1;
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2;
    if (cubic(middle) > 0 === first > 0) low = middle;
    else high = middle;
  }
  return along(id, size, (low + high) / 2);
}

export class View {
  /**
   * @param {Rect} rect
   * @param {[number, number, number, number]} extent of the plane: low and high of both features
   * @param {number} grid nodes along an axis
   */
  constructor(rect, [low1, high1, low2, high2], grid) {
    this.rect = rect;
    this.grid = grid;
    this.low1 = low1;
    this.high1 = high1;
    this.low2 = low2;
    this.high2 = high2;
  }

  x(value) {
    return this.rect.x + ((value - this.low1) / (this.high1 - this.low1)) * this.rect.w;
  }

  y(value) {
    return (
      this.rect.y + this.rect.h - ((value - this.low2) / (this.high2 - this.low2)) * this.rect.h
    );
  }

  contains(px, py) {
    const { rect } = this;
    return px >= rect.x && px <= rect.x + rect.w && py >= rect.y && py <= rect.y + rect.h;
  }

  /** The coordinates of a pixel. @returns {[number, number]} */
  place(px, py) {
    const { rect } = this;
    const across = (px - rect.x) / rect.w;
    const up = 1 - (py - rect.y) / rect.h;
    return [
      this.low1 + across * (this.high1 - this.low1),
      this.low2 + up * (this.high2 - this.low2),
    ];
  }

  /** The grid's node nearest to a pixel, with its coordinates; null outside the panel. */
  node(px, py) {
    const { rect, grid } = this;
    const across = (px - rect.x) / rect.w;
    const up = 1 - (py - rect.y) / rect.h;
    if (across < 0 || across > 1 || up < 0 || up > 1) return null;
    const column = Math.round(across * (grid - 1));
    const row = Math.round(up * (grid - 1));
    const x1 = this.low1 + ((this.high1 - this.low1) * column) / (grid - 1);
    const x2 = this.low2 + ((this.high2 - this.low2) * row) / (grid - 1);
    return { column, row, x1, x2 };
  }

  /** Lines of a grid with so many nodes an axis, in pixels. @param {Coordinates[]} lines */
  pixels(lines, grid = this.grid) {
    const { rect } = this;
    return lines.map((line) => {
      const points = new Float32Array(line.length);
      for (let k = 0; k < line.length; k += 2) {
        points[k] = rect.x + (line[k] / (grid - 1)) * rect.w;
        points[k + 1] = rect.y + rect.h - (line[k + 1] / (grid - 1)) * rect.h;
      }
      return points;
    });
  }
}
