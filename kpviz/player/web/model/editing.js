// The points while they are edited: what is on the map ahead of the run, and the tool in hand.

import { Points } from "./drawn.js";

/** @import { Player } from "./player.js" */

const NEAR = 7; // px beyond a point's edge that still touch it

/**
 * A point in hand, or the brush; i is -1 where no point is, `off` how far its middle is from the pointer.
 * @typedef {{ i: number, label: number, at: [number, number], off: [number, number], moved: boolean, before: Points, brush: boolean, sent?: boolean }} EditDrag
 */

export class Editing {
  on = false;
  label = 1; // of a point that is added
  brush = false;
  /** @type {Points | null} */
  points = null; // while they are ahead of the run
  /** @type {EditDrag | null} */
  drag = null;
  /** @type {[number, number] | null} */
  cursor = null; // of the keyboard, as shares of the map

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
  }

  /** Why the points cannot be edited, "" if they can. */
  get why() {
    if (this.player.runs.pinned.length) {
      return "Unpin the pinned runs first (Shift P): a comparison cannot be edited.";
    }
    return this.player.run.header.drawing.why;
  }

  /** The points as they are shown now. */
  get shown() {
    return this.points ?? Points.of(this.player.run);
  }

  /** Where the keyboard or the pointer is on the map, in pixels, null if nowhere. @returns {[number, number] | null} */
  get spot() {
    const { view, pointer } = this.player;
    const { rect } = view;
    if (this.cursor) return [rect.x + this.cursor[0] * rect.w, rect.y + this.cursor[1] * rect.h];
    return pointer && view.contains(pointer.px, pointer.py) ? [pointer.px, pointer.py] : null;
  }

  /** The point nearest to a pixel, -1 if none is within reach; `beyond` is what is added to its radius. */
  nearest(px, py, beyond = NEAR) {
    const { run, view, pointScale, t } = this.player;
    const points = this.shown;
    let [found, least] = [-1, Infinity];
    for (let i = 0; i < points.n; i++) {
      const [x1, x2] = points.at(i);
      const distance = Math.hypot(view.x(x1) - px, view.y(x2) - py);
      const reach = (i < run.n ? run.pointRadius(i, Math.min(t, run.nSteps), pointScale) : 5) + beyond;
      if (distance < reach && distance < least) [found, least] = [i, distance];
    }
    return found;
  }

  /** What the map shows of it: the label of a point that is added, and where; null while nothing is edited. */
  get scene() {
    if (!this.on) return null;
    return { label: this.label, spot: this.drag ? null : this.spot, keyboard: this.cursor !== null };
  }
}
