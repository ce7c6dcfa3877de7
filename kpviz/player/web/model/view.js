// Pixel coordinates of the plane in a panel.

/** @import { Points, Rect } from "../types.d.ts" */

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

  /**
   * The coordinates of a pixel.
   *
   * @returns {[number, number]}
   */
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

  /**
   * Lines in units of a grid with so many nodes an axis, in pixels.
   *
   * @param {Points[]} lines
   */
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
