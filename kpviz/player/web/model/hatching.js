// Where compared runs disagree: fine slanting lines, as segments in shares of the map's side.

const SAMPLES = 150; // along the side
const ROUNDING = 1e-12; // of all values between which one is interpolated: what is no more is 0
const HALVINGS = 5; // by which the end of a segment is found between two samples

/**
 * A field and the number of its nodes along an axis.
 * @typedef {{ values: Float64Array, grid: number }} Field
 */

/** The value of a field at a place between its nodes, both shares of the side. */
function valueAt({ values, grid }, x, y) {
  const [across, up] = [x * (grid - 1), y * (grid - 1)];
  const column = Math.min(Math.floor(across), grid - 2);
  const row = Math.min(Math.floor(up), grid - 2);
  const [right, above] = [across - column, up - row];
  const at = row * grid + column;
  const corners = [values[at], values[at + 1], values[at + grid], values[at + grid + 1]];
  const low = corners[0] * (1 - right) + corners[1] * right;
  const high = corners[2] * (1 - right) + corners[3] * right;
  const value = low * (1 - above) + high * above;
  return corners.every((corner) => Math.abs(value) > ROUNDING * Math.abs(corner)) ? value : 0;
}

/** Whether some of the fields are above zero at a place, and others below. @param {Field[]} fields */
export function disagree(fields, x, y) {
  let [least, most] = [Infinity, -Infinity];
  for (const field of fields) {
    const value = valueAt(field, x, y);
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return least < 0 && most > 0;
}

/**
 * The segments [x, y, x, y] of lines that rise to the right, `apart` from each other, where the fields disagree.
 *
 * @param {Field[]} fields
 * @param {number} apart
 * @returns {Float64Array[]}
 */
export function hatching(fields, apart) {
  const found = [];
  const first = Math.floor(-1 / (Math.SQRT2 * apart));
  for (let k = first; k * Math.SQRT2 * apart < 1; k++) {
    const offset = k * Math.SQRT2 * apart; // y = x + offset
    const [from, to] = [Math.max(0, -offset), Math.min(1, 1 - offset)];
    found.push(
      ...onLine((x) => disagree(fields, x, x + offset), from, to).map(([a, b]) => [a, a + offset, b, b + offset]),
    );
  }
  return found.map((segment) => Float64Array.from(segment));
}

/**
 * The stretches between two places along which something holds.
 *
 * @param {(x: number) => boolean} holds
 * @returns {[number, number][]}
 */
function onLine(holds, from, to) {
  const count = Math.max(Math.ceil((to - from) * SAMPLES), 1);
  const found = [];
  let start = null;
  let [before, was] = [from, false];
  for (let k = 0; k <= count; k++) {
    const x = from + ((to - from) * k) / count;
    const is = holds(x);
    if (is !== was) {
      const edge = k ? border(holds, before, x, is) : x;
      if (is) start = edge;
      else found.push([start, edge]);
    }
    [before, was] = [x, is];
  }
  return was ? [...found, [start, to]] : found;
}

/** Where, between two places, something begins to hold, or ceases to. */
function border(holds, before, after, begins) {
  let [low, high] = [before, after];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2;
    if (holds(middle) === begins) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}
