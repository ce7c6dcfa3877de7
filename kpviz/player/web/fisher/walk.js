// The keyboard on Fisher's board: while it has the focus, → and ← go from point to point and on over the entries of the matrices,
// and what pointing there tells is said.

import { matrices } from "./numbers.js";

/** @import { FisherStage } from "./stage.js" */
/** @import { Pointer } from "../types.d.ts" */

/** @type {Record<string, number>} */
const MOVES = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

export class Walk {
  at = -1; // which of the places

  /** @param {FisherStage} stage */
  constructor(stage) {
    this.stage = stage;
    stage.canvas.addEventListener("blur", () => this.#leave());
  }

  /** A key while the board has the focus; returns whether it meant something. */
  key(name) {
    const { stage } = this;
    if (name === "Escape") stage.root.focus({ preventScroll: true });
    else if (!(name in MOVES)) return false;
    else {
      const places = this.#places();
      this.at = Math.min(Math.max(this.at + MOVES[name], 0), places.length - 1);
      stage.point(places[this.at]);
      stage.controls.tell(stage.lines?.join(": ") ?? "");
    }
    return true;
  }

  /** Where the points are, in their order, and the entries. @returns {Pointer[]} */
  #places() {
    const scene = this.stage.scene();
    const { table, view } = scene;
    const points = Array.from({ length: table.n }, (_, i) => ({
      px: view.x(table.X[2 * i]),
      py: view.y(table.X[2 * i + 1]),
    }));
    const entries = matrices({ ...scene, rect: this.stage.layout.panels.scatter }).flatMap(({ x, y, p, cell }) =>
      Array.from({ length: p * p }, (_, k) => ({
        px: x + ((k % p) + 0.5) * cell[0],
        py: y + (Math.floor(k / p) + 0.5) * cell[1],
      })),
    );
    return [...points, ...entries];
  }

  #leave() {
    if (this.at < 0) return;
    this.at = -1;
    this.stage.controls.message = null; // the sentence is to be read there again
    this.stage.point(null);
  }
}
