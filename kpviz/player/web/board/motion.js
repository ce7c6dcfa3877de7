// A mistake in three beats: the example; its score, as a sum; the change, which takes the picture
// from before to after.

import { comparedWith, termsOf } from "../run/votes.js";
import { boundaryOf } from "./view.js";

/** @import { Run } from "../run/run.js" */
/** @import { Reading, SpeedLimits, Timings, Tokens } from "../run/types.d.ts" */

// The field while one plays faster than a step can be shown happening: it follows slowly, so that
// nothing flashes.

// In ms: what does not follow slowly is shown less often, and an instant of it stays so long.
const PACE = 350;
const ARRIVED = 1e-3; // Relative to the limit: a field that is so near has arrived.

/** What follows one field after the other. */
class Blend {
  /** @type {unknown} */
  #key = null; // The key of the field that it follows.
  #limit = 0;
  #began = 0; // In ms, when that field came.

  /** @param {number} size of the fields */
  constructor(size) {
    this.from = new Float64Array(size);
    this.to = new Float64Array(size);
    this.mixed = new Float64Array(size);
  }

  /**
   * The field to be shown at `now`; null where it is the field itself. Beyond ±`limit` all values
   * look the same, so that none is followed farther.
   *
   * @param {Float64Array} field
   * @param {{ key?: unknown, now: number, limit: number, time: number }} how
   */
  at(field, { key = field, now, limit, time }) {
    if (this.#key === null) {
      this.#aim(field, key, limit);
      this.from.set(this.to);
    } else if (this.#key !== key || this.#limit !== limit) {
      this.#mix(now, time);
      this.from.set(this.mixed);
      this.#aim(field, key, limit);
      this.#began = now;
    }
    return this.#mix(now, time) > ARRIVED * limit ? this.mixed : null;
  }

  #aim(field, key, limit) {
    this.#key = key;
    this.#limit = limit;
    for (let k = 0; k < field.length; k++) this.to[k] = Math.min(Math.max(field[k], -limit), limit);
  }

  /**
   * Mix what is shown, and return by how much it is away from what it follows. Where it begins it
   * is that, to the last bit.
   */
  #mix(now, time) {
    const { from, to, mixed } = this;
    const left = Math.exp(-Math.max(now - this.#began, 0) / time);
    let away = 0;
    for (let k = 0; k < to.length; k++) {
      const difference = left * (from[k] - to[k]);
      mixed[k] = left === 1 ? from[k] : to[k] + difference;
      away = Math.max(away, Math.abs(difference));
    }
    return away;
  }
}

/** The blends of all that is shown, by what it is of: a run, or a run's kernel. */
export class Blends {
  /** @type {Map<object, Blend>} */
  #of = new Map();
  /** @type {Map<object, { t: number, since: number }>} */
  #instants = new Map();

  /**
   * The field to be shown at `now` in place of another; null where it is that field itself.
   *
   * @param {object} owner
   * @param {Float64Array} field
   * @param {{ key?: unknown, now: number, limit: number, time: number }} how `key`: the same for
   *   the same field (that itself, by default), `limit`: of the colours, `time`: ms in which a
   *   difference falls to 1/e
   */
  at(owner, field, how) {
    return this.#blend(owner, field.length).at(field, how);
  }

  /**
   * The instant to be shown of an owner at `now`, in place of one that may come too soon after the
   * one before.
   *
   * @param {object} owner
   * @param {number} now ms
   */
  paced(owner, t, now) {
    const known = this.#instants.get(owner);
    if (known && now - known.since < PACE) return known.t;
    this.#instants.set(owner, { t, since: now });
    return t;
  }

  /** What is shown of an owner; null where that is the field itself. */
  fieldOf(owner) {
    return this.#of.get(owner)?.mixed.slice() ?? null;
  }

  /** The field of an owner is shown as it is. */
  drop(owner) {
    this.#of.delete(owner);
  }

  clear() {
    this.#of.clear();
    this.#instants.clear();
  }

  #blend(owner, size) {
    const known = this.#of.get(owner);
    if (known?.mixed.length === size) return known;
    const made = new Blend(size);
    this.#of.set(owner, made);
    return made;
  }
}

// One run gives way to another of the same examples: the points stay, and the field goes over from
// one to the other.

export class Morph {
  /** @type {number | null} */
  #start = null; // The time of the first frame that shows it.

  /**
   * @param {Run} run that comes
   * @param {{ field: Float64Array, limit: number }} before what the map showed, and the limit of
   *   its colours
   * @param {number} time ms
   */
  constructor(run, { field, limit }, time) {
    this.run = run;
    this.colours = field.map((value) => Math.min(Math.max(value / limit, -1), 1));
    this.mixed = new Float64Array(field.length);
    this.time = time;
  }

  /**
   * What is shown of a run at a time, in place of its field, which has arrived at the end; null if
   * it is another's.
   *
   * @param {Run} run
   * @param {{ field: Float64Array, limit: number, now: number }} to
   */
  at(run, { field, limit, now }) {
    if (run !== this.run || this.atRest(now)) return null;
    const share = Math.max(now - this.#start, 0) / this.time;
    const eased = share * share * (3 - 2 * share);
    for (let k = 0; k < field.length; k++) {
      const to = Math.min(Math.max(field[k], -limit), limit);
      this.mixed[k] = to + (1 - eased) * (this.colours[k] * limit - to);
    }
    return this.mixed;
  }

  atRest(now) {
    this.#start ??= now;
    return now - this.#start >= this.time;
  }
}

// True while one goes through the steps by hand faster than each can be shown as it is: a key is
// held, the timeline dragged.

// In ms, between two pictures that replace each other at once: no more than three flashes a second.
const FLASHES = 200;
const EXACT_AFTER = 350; // In ms, without a move: then what is shown is exact again.

export class FastSteps {
  on = false;
  #t = 0; // The instant that was shown last.
  #moved = -Infinity; // In ms, when that changed.
  #until = -Infinity;

  /**
   * A frame shows the instant t; `byHand`: one does not play.
   *
   * @param {number} now ms, of the frame
   */
  see(t, now, byHand) {
    if (t !== this.#t) {
      if (byHand && (this.on || now - this.#moved < FLASHES)) this.#until = now + EXACT_AFTER;
      this.#moved = now;
      this.#t = t;
    }
    this.on = byHand && now < this.#until;
  }
}

// When the next step is due while one plays.

const READABLE_PACE = 2; // In steps per second: a sentence can be read up to this pace.
// In ms, from one picture to the next while steps come faster, which nobody could tell apart.
const TOLD_APART = 30;
// In steps per second: the two paces of the tokens hold at this one.
const CORRECT_PACE = 1000 / 150;

export class Clock {
  /** @type {Timings | null} */
  timings = null;
  /** @type {SpeedLimits | null} */
  limits = null;
  speed = CORRECT_PACE; // In correct examples per second.
  times = 1; // Relative to that, while one plays from one cue to the next.
  slow = false;
  playing = false;
  due = 0; // In ms, when the next step is due.

  /** Keep the times of a run's tokens. @param {Tokens} tokens */
  use({ timings, speed }) {
    this.timings = timings;
    this.limits = speed;
  }

  /** Correct examples per second now. */
  get rate() {
    return this.playing ? this.#within(this.speed * this.times) : this.speed;
  }

  #within(speed) {
    return this.times === 1
      ? speed
      : Math.min(Math.max(speed, this.limits.slowest), this.limits.fastest);
  }

  get bumps() {
    return this.slow || this.rate <= this.limits.bumps_up_to;
  }

  /**
   * Whether one plays, and a step that is no mistake gives way to the next one before it could be
   * shown happening.
   */
  get swift() {
    return this.playing && this.pause(false) < this.timings.ghost;
  }

  /** Milliseconds to wait for the next picture; none where each step has one of its own. */
  get apart() {
    return this.playing && this.pause(false) < TOLD_APART ? TOLD_APART : 0;
  }

  /** Whether a sentence stays for long enough to be read. */
  get readable() {
    return !this.playing || this.slow || this.rate < READABLE_PACE;
  }

  faster(factor) {
    this.speed = Math.min(Math.max(this.speed * factor, this.limits.slowest), this.limits.fastest);
  }

  /**
   * Milliseconds that a step stays before the next one; in slow motion its score is a beat, and its
   * change another.
   */
  pause(mistake) {
    if (this.slow) return this.timings.beat * (mistake ? 2 : 1);
    if (!this.bumps || !mistake) return 1000 / this.rate;
    return Math.max(
      (this.timings.mistake / this.timings.correct) * (1000 / this.rate),
      this.timings.spoken,
    );
  }

  start(now) {
    this.playing = true;
    this.due = now;
  }

  stop() {
    this.playing = false;
  }

  /** Wait for some milliseconds more before the next step; what was late is not taken off them. */
  hold(time) {
    this.due = Math.max(this.due, performance.now()) + time;
  }

  /**
   * Call `step` for every step that is due; it returns whether it was a mistake, or null at the
   * end.
   *
   * @param {() => boolean | null} step
   */
  tick(now, step) {
    if (now - this.due > 400) this.due = now; // The tab was hidden: go on, do not catch up.
    while (this.playing && now >= this.due) {
      const mistake = step();
      if (mistake === null) this.stop();
      else this.due += this.pause(mistake);
    }
  }
}

const SHOWN_TERMS = 5; // So many terms of the score are shown.

/**
 * The largest terms of f(x_i), with the examples that they come from; none where their kernels are
 * not known.
 */
function largestOf(run, reading, i) {
  const kernel = run.predictor.kind === "last" ? comparedWith(run, i) : null;
  const terms = kernel ? termsOf(run, reading, kernel) : [];
  return terms.filter(({ value }) => value !== 0).slice(0, SHOWN_TERMS);
}

export class Motion {
  /**
   * From the reading `before` to the field `after`, as example `i` of a run was presented; `shown`
   * is what the map showed until then. `pace`: how many times the default time it takes; `slow`: in
   * slow motion the example was shown already; `still`: the picture of before stays for as long as
   * a mistake does, and nothing moves.
   *
   * @param {Run} run
   * @param {{ i: number, before: Reading, shown: Float64Array | null, after: Float64Array, pace:
   *   number, slow: boolean, still: boolean }} change
   */
  constructor(run, { i, before, shown, after, pace, slow, still }) {
    const { tokens, grid } = run.header;
    const place = run.placeOf(i);
    // The time of the first frame that shows it: performance.now() is ahead of the clock of frames.
    this.start = /** @type {number | null} */ (null);
    this.reading = before;
    this.before = shown ?? before.field;
    this.after = after;
    this.bump =
      // This is k(x_i, ·).
      run.predictor.kind === "last" && place !== undefined ? run.contributions.bump(place) : null;
    this.y = run.y[i];
    this.terms = largestOf(run, before, i);
    this.timings = tokens.timings;
    this.opacity = tokens.bump.opacity;
    this.beats = slow ? [0, tokens.timings.beat] : [tokens.timings.example, tokens.timings.score];
    this.stretch = slow ? 2 : 1; // The change takes so much longer.
    this.pace = pace;
    this.still = still;
    this.ghost = boundaryOf(before, this.before, grid);
    this.mixed = new Float64Array(after.length);
  }

  /**
   * What is shown at a time, with the beat and the share of it that is over; null when all is at
   * rest.
   */
  at(now) {
    const { ring, mistake } = this.timings;
    this.start ??= now;
    const elapsed = Math.max(now - this.start, 0) / this.pace;
    const before = { field: this.before, bumpAlpha: 0, ghostAlpha: 0 };
    if (this.still) {
      return elapsed < mistake
        ? { ...before, beat: { name: "example", share: 0 }, ring: null }
        : null;
    }
    const [example, score] = this.beats;
    const changing = elapsed - example - score;
    const spread = elapsed < ring ? elapsed / ring : null;
    if (changing >= 0) return this.#change(changing / this.stretch, spread);
    const beat =
      elapsed < example
        ? { name: "example", share: elapsed / example }
        : { name: "score", share: (elapsed - example) / score };
    return { ...before, beat, ring: spread };
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
    return {
      field: this.mixed,
      beat: { name: "change", share: gone / ghost },
      bumpAlpha,
      ring,
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
