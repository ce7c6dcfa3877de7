// A mistake in three beats: the example; its score, as a sum; the change, which takes the picture from before to after.

import { contour } from "./contour.js";

/** @import { Run } from "./run.js" */
/** @import { Reading } from "../types.d.ts" */

const TERMS = 5; // of the score, that are shown

/** The largest terms of f(x_i), with the examples that they come from; none where their kernels are not known. */
function termsOf({ contributions, trace, predictor }, { coef }, i) {
  if (!contributions.examples || predictor.kind !== "last") return [];
  const terms = [...trace.support].map((j, place) => ({
    i: j,
    value: coef[place] * contributions.gram[place * contributions.examples + i],
  }));
  const there = terms.filter(({ value }) => value !== 0);
  return there.sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, TERMS);
}

export class Motion {
  /**
   * From the reading `before` to the field `after`, as example `i` of a run was presented; `shown` is what the map showed
   * until then. `pace`: how many times the default time it takes; `slow`: in slow motion the example was shown already.
   *
   * @param {Run} run
   * @param {{ i: number, before: Reading, shown: Float64Array | null, after: Float64Array, pace: number, slow: boolean }} change
   */
  constructor(run, { i, before, shown, after, pace, slow }) {
    const { tokens, grid } = run.header;
    const place = run.placeOf(i);
    this.start = /** @type {number | null} */ (null); // the time of the first frame that shows it: performance.now() is ahead of the clock of frames
    this.reading = before;
    this.before = shown ?? before.field;
    this.after = after;
    this.bump = run.predictor.kind === "last" && place !== undefined ? run.contributions.bump(place) : null; // k(x_i, ·)
    this.y = run.y[i];
    this.terms = termsOf(run, before, i);
    this.timings = tokens.timings;
    this.opacity = tokens.bump.opacity;
    this.beats = slow ? [0, tokens.timings.beat] : [tokens.timings.example, tokens.timings.score];
    this.stretch = slow ? 2 : 1; // of the change
    this.pace = pace;
    this.ghost = contour(this.before, grid, 0);
    this.mixed = new Float64Array(after.length);
  }

  /**
   * What is shown at a time, with the beat and the share of it that is over; null when all is at rest.
   *
   * @param {number} now
   */
  at(now) {
    const { ring } = this.timings;
    this.start ??= now;
    const elapsed = Math.max(now - this.start, 0) / this.pace;
    const [example, score] = this.beats;
    const changing = elapsed - example - score;
    const spread = elapsed < ring ? elapsed / ring : null;
    if (changing >= 0) return this.#change(changing / this.stretch, spread);
    const beat =
      elapsed < example
        ? { name: "example", share: elapsed / example }
        : { name: "score", share: (elapsed - example) / score };
    return { field: this.before, beat, bumpAlpha: 0, ring: spread, ghostAlpha: 0 };
  }

  #change(gone, ring) {
    const { bump: hold, ghost } = this.timings;
    if (gone >= ghost) return null;
    const share = Math.min(Math.max((gone - hold) / (ghost - hold), 0), 1);
    const eased = share * share * (3 - 2 * share);
    for (let k = 0; k < this.mixed.length; k++) {
      this.mixed[k] = this.before[k] + eased * (this.after[k] - this.before[k]);
    }
    const bumpAlpha = this.bump ? this.opacity * (1 - eased) : 0;
    return { field: this.mixed, beat: { name: "change", share: gone / ghost }, bumpAlpha, ring, ghostAlpha: 0.9 };
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
