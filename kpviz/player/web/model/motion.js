// The bump: how the picture goes from before a mistake to after it.

import { contour } from "./contour.js";

/** @import { Run } from "./run.js" */
/** @import { Timings } from "../types.d.ts" */

export class Motion {
  /**
   * From the field `before` to `after`; `bump` is k(x_i, ·) of an example of class `y`, null where the predictor is not
   * f itself.
   *
   * @param {{ before: Float64Array, after: Float64Array, bump: Float64Array | null, y: number, grid: number, timings: Timings, opacity: number, slow: boolean }} change
   */
  constructor({ before, after, bump, y, grid, timings, opacity, slow }) {
    this.start = /** @type {number | null} */ (null); // the time of the first frame that shows it: performance.now() is ahead of the clock of frames
    this.before = before;
    this.after = after;
    this.bump = bump;
    this.y = y;
    this.timings = timings;
    this.opacity = opacity;
    this.scale = slow ? 2 : 1;
    this.ghost = contour(before, grid, 0);
    this.mixed = new Float64Array(after.length);
  }

  /** { field, bumpAlpha, ring, ghostAlpha } at this time, or null when all is at rest. */
  at(now) {
    const { bump: hold, ghost, ring } = this.timings;
    this.start ??= now;
    const gone = Math.max(now - this.start, 0) / this.scale;
    if (gone >= ghost) return null;
    const share = Math.min(Math.max((gone - hold) / (ghost - hold), 0), 1);
    const eased = share * share * (3 - 2 * share);
    for (let k = 0; k < this.mixed.length; k++) {
      this.mixed[k] = this.before[k] + eased * (this.after[k] - this.before[k]);
    }
    return {
      field: this.mixed,
      bumpAlpha: this.bump ? this.opacity * (1 - eased) : 0,
      ring: gone < ring ? gone / ring : null,
      ghostAlpha: 0.9,
    };
  }
}

/** The motions of all runs that a step changes; they begin and end together. */
export class Motions {
  /** @param {[Run, Motion][]} motions */
  constructor(motions) {
    this.byRun = new Map(motions);
  }

  /** @param {Run} run */
  of(run) {
    return this.byRun.get(run) ?? null;
  }

  atRest(now) {
    return [...this.byRun.values()].every((motion) => motion.at(now) === null);
  }
}
