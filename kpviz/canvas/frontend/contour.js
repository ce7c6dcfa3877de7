// Marching squares.

/** Segments [x1, y1, x2, y2, …] of the level set, in units of the grid (0 to size - 1). */
export function contour(field, size, level) {
  const segments = [];
  for (let row = 0; row < size - 1; row++) {
    for (let column = 0; column < size - 1; column++) {
      const at = row * size + column;
      const a = field[at] - level;
      const b = field[at + 1] - level;
      const c = field[at + size + 1] - level;
      const d = field[at + size] - level;
      const kind = (a > 0 ? 1 : 0) | (b > 0 ? 2 : 0) | (c > 0 ? 4 : 0) | (d > 0 ? 8 : 0);
      if (kind === 0 || kind === 15) continue;
      const low = () => [column + a / (a - b), row];
      const right = () => [column + 1, row + b / (b - c)];
      const high = () => [column + d / (d - c), row + 1];
      const left = () => [column, row + a / (a - d)];
      for (const [from, to] of CASES[kind]) {
        const sides = { low, right, high, left };
        segments.push(...sides[from](), ...sides[to]());
      }
      // The two saddles are cut by the sign of the middle.
      if (kind === 5 || kind === 10) {
        const middle = a + b + c + d > 0;
        const joined = middle === (kind === 5);
        const pairs = joined ? [[left, high], [low, right]] : [[left, low], [right, high]];
        for (const [from, to] of pairs) segments.push(...from(), ...to());
      }
    }
  }
  return segments;
}

const CASES = [
  [],
  [["left", "low"]],
  [["low", "right"]],
  [["left", "right"]],
  [["right", "high"]],
  [],
  [["low", "high"]],
  [["left", "high"]],
  [["high", "left"]],
  [["low", "high"]],
  [],
  [["right", "high"]],
  [["left", "right"]],
  [["low", "right"]],
  [["left", "low"]],
  [],
];
