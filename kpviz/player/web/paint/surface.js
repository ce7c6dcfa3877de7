// A canvas that remembers what is on it: of the next board it draws only what differs.

import { damage } from "./damage.js";
import { paint } from "./paint.js";

/** @import { Board, Fonts, TextMark } from "../types.d.ts" */
/** @import { Layer } from "./paint.js" */

export class Surface {
  /** @type {Map<string, Layer>} */
  layers = new Map();
  /** @type {{ board: Board, size: string } | null} */
  painted = null; // as it was last drawn
  arrives = false; // a run that was not drawn yet, and is wanted soon

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(mark: TextMark, fonts: Fonts) => number} widthOf
   */
  constructor(canvas, widthOf) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: true });
    this.widthOf = widthOf;
    canvas.addEventListener("contextrestored", () => this.forget());
  }

  /** What is on the canvas, or was kept for it, is of no use any more. */
  forget() {
    this.layers.clear();
    this.painted = null;
  }

  /**
   * Draw a board; in `motion` only what differs from the one before.
   *
   * @param {Board} board
   * @param {Fonts} fonts
   * @param {{ ratio: number, motion: boolean, passing?: boolean }} how px of the canvas in one px; `passing`: see `paint`
   */
  draw(board, fonts, { ratio, motion, passing }) {
    const { canvas, context, painted, layers } = this;
    const size = [canvas.width, canvas.height, ratio].join();
    const how = { ratio, widthOf: (/** @type {TextMark} */ mark) => this.widthOf(mark, fonts) };
    const parts = motion && painted?.size === size ? damage(painted.board, board, how) : null;
    this.painted = null; // until all is drawn
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (!parts) paint(context, board, fonts, layers, passing || this.arrives);
    for (const part of parts ?? []) this.#drawIn(part, fonts, ratio);
    this.painted = { board, size };
    this.arrives = false;
  }

  #drawIn({ box: [left, top, right, bottom], board }, fonts, ratio) {
    const { context, layers } = this;
    const [x, y] = [Math.round(left * ratio), Math.round(top * ratio)];
    context.save();
    try {
      context.resetTransform();
      context.beginPath();
      context.rect(x, y, Math.round(right * ratio) - x, Math.round(bottom * ratio) - y);
      context.clip();
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      paint(context, board, fonts, layers);
    } finally {
      context.restore();
    }
  }
}
