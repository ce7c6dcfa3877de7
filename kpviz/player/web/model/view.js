// Pixel coordinates of the plane in a panel.

/** @import { Run } from "./run.js" */
/** @import { Points, Rect } from "../types.d.ts" */

const HALO = 16; // px round an example without a plane, on a map of 600
const WRITTEN = { above: [5, 27], below: [16, 31] }; // px at the edges of a map, and for each unit: the scale, what the example is
const LEAST = 0.4; // of the size at which examples without a plane would be shown, that they have at least

/**
 * What is shown of examples without a plane: so much that none lies under the scale above them or the words below.
 *
 * @param {Run} run
 * @param {Rect} rect
 * @param {number} unit
 * @returns {[number, number, number, number]}
 */
export function roomy({ plane, X, n, nTest, header: { extent } }, { w, h }, unit) {
  const [low1, high1, low2, high2] = extent;
  const ups = Array.from({ length: n + nTest }, (_, i) => X[2 * i + 1]);
  const [low, high] = [Math.min(...ups), Math.max(...ups)];
  const usual = h / (high2 - low2);
  const [above, below] = Object.values(WRITTEN).map(([px, each]) => px + each * unit + HALO * Math.max(w / 600, 0.7));
  if (plane || ((high2 - high) * usual >= above && (low - low2) * usual >= below)) return extent;
  const scale = Math.max(Math.min(usual, (h - above - below) / (high - low || 1)), LEAST * usual);
  const foot = low - (below + Math.max(h - above - below - (high - low) * scale, 0) / 2) / scale;
  const [middle, half] = [(low1 + high1) / 2, (((high1 - low1) / 2) * usual) / scale];
  return [middle - half, middle + half, foot, foot + h / scale];
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
    return this.rect.y + this.rect.h - ((value - this.low2) / (this.high2 - this.low2)) * this.rect.h;
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
    return [this.low1 + across * (this.high1 - this.low1), this.low2 + up * (this.high2 - this.low2)];
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

  /** Lines in units of a grid with so many nodes an axis, in pixels. @param {Points[]} lines */
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
