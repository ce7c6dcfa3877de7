// The cursor t: stepping and playing. While one plays, `beat` is called when an instant has been
// shown long enough. A stretch that would play for too long is passed over by a leap.

import { countBelow } from "../run/trace.js";
import { counted } from "../run/words.js";
import { Blends, FastSteps, Morph, Motion, Motions } from "./motion.js";

/** @import { Clock } from "./motion.js" */
/** @import { Cues } from "../run/cues.js" */
/** @import { Modes } from "../modes/modes.js" */
/** @import { RunSet } from "./run_set.js" */
/** @import { BoardState } from "./state.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Grain, PlacedCue, Reading } from "../run/types.d.ts" */

/**
 * What a cursor moves through, and whom it tells: `changed` after anything but t did, `refused`
 * where its reader may not go further than `limit`.
 * @typedef {{
 *   state: BoardState, runs: RunSet, clock: Clock, cues: Cues, modes: Modes,
 *   limit(): number, refused(): void, changed(): void,
 * }} Course
 */

/** How much later one instant is than another, in words. @param {Run} run */
function laterWords({ trace, stream }, from, to) {
  const epochsBefore = (t) => countBelow(trace.epochStart, t);
  const end = Math.min(to, trace.nSteps);
  const epochs = stream ? 0 : epochsBefore(end) - epochsBefore(from);
  return `${epochs ? counted(epochs, "epoch") : counted(to - from, "example")} later`;
}

export class Cursor {
  // The instant that was asked for, and whether it is the end: for a while a run may be shown that
  // is too short for it.
  goal = { t: 0, end: false };
  looking = false; // In slow motion the example is shown first, and its verdict after a while.
  /** @type {{ from: number, to: number } | null} */
  leap = null; // What is passed over while one plays, since it would take too long.
  leapWords = ""; // How much later it is after a leap; "" as soon as one has had time to read it.
  reducedMotion = false; // If set, nothing moves by itself between two instants.
  /** @type {Motions | null} */
  motion = null; // The step that is shown happening.
  /** @type {Morph | null} */
  morph = null; // The way of the field from the run before to this one.
  blends = new Blends(); // Fields that follow slowly while steps come fast.
  fastSteps = new FastSteps(); // Tells whether steps by hand come fast.
  dampsFlashes = true; // The field follows slowly where it would flash.

  /** @param {Course} course */
  constructor({ state, runs, clock, cues, modes, limit, refused, changed }) {
    this.state = state;
    this.runs = runs;
    this.clock = clock;
    this.cues = cues;
    this.modes = modes;
    this.limit = limit;
    this.refused = refused;
    this.changed = changed;
  }

  get t() {
    return this.state.t;
  }

  /** Go to an instant because the reader wants it. @param {number} t */
  go(t) {
    this.clock.stop();
    this.settle();
    this.put(this.#towards(t));
    // A run without steps is at its end, too.
    this.goal.end ||= t === Infinity && this.t === this.runs.end;
    this.modes.all("went");
  }

  /**
   * Go to where a link says, as far as these runs go.
   *
   * @type {(t: number, query: string) => void}
   */
  open(t) {
    this.put(Math.min(t, this.runs.end));
  }

  /** The farthest instant on the way to t to which one may go; says so where it is another. */
  #towards(t) {
    const instant = Math.min(Math.max(t, 0), this.runs.end);
    const allowed = Math.min(instant, this.limit());
    if (allowed < instant) this.refused();
    return allowed;
  }

  /** Bring the board to where a task stands; a single step is shown happening. */
  reach(t) {
    this.clock.stop();
    this.settle();
    if (t === this.t + 1) this.advance(t);
    else this.put(t);
  }

  /**
   * Show once more, slowly, what happened in the step that led to t. The cursor is at t meanwhile.
   * If nothing is to move by itself, the picture from before the step stays for a while.
   *
   * @param {number} t
   */
  replay(t) {
    const { clock } = this;
    clock.stop();
    this.settle();
    this.put(t - 1);
    const wasSlow = clock.slow;
    clock.slow = true;
    this.advance(t, true);
    clock.slow = wasSlow;
  }

  /**
   * Step as the reader wants, unless a mode has another step for that.
   *
   * @param {Grain} grain
   * @param {number} direction 1: forwards, -1: backwards
   */
  step(grain, direction) {
    this.clock.stop();
    if (!this.modes.ask("step", grain, direction)) this.#move(grain, direction);
  }

  #move(grain, direction) {
    this.settle();
    const to = this.#towards(this.runs.neighbour(this.t, grain, direction));
    if (direction > 0 && grain !== "epoch" && to > this.t) this.advance(to);
    else this.put(to);
  }

  /** Whether the next frame shows something else. */
  get lively() {
    return this.clock.playing || this.motion !== null || this.morph !== null || this.fastSteps.on;
  }

  /** Whether steps come too fast to be shown as they are, and the field follows them slowly. */
  get swift() {
    return this.dampsFlashes && (this.clock.swift || this.fastSteps.on);
  }

  /** Whether it is on its way to a place: of what lies between nothing is told. */
  get underWay() {
    return false;
  }

  /** Note that a frame is drawn at `now`: who steps fast by hand sees no step happen. */
  see(now) {
    this.fastSteps.see(this.t, now, !this.clock.playing);
    if (this.dampsFlashes && this.fastSteps.on) this.motion = null;
  }

  /**
   * Keep the place when another run is shown, as far as that run has it: while one plays the
   * instant, else the place that was asked for, and the end stays the end.
   */
  keepPlace() {
    const { end } = this.runs;
    let { t } = this.goal;
    if (this.clock.playing) t = this.t;
    else if (this.goal.end) t = end;
    this.state.change({ t: Math.min(t, end) });
  }

  // ---- playing ---------------------------------------------------------------------------------

  /**
   * Go forward to the next cue (1) or back to the one before (−1). Forward, one plays until the
   * cue comes, or if one plays already is there at once.
   */
  toCue(direction) {
    if (direction > 0 && this.leapWords) this.#land();
    else if (direction < 0) this.go(this.cues.before(this.t)?.t ?? 0);
    else if (this.clock.playing) this.go(this.cues.after(this.t)?.t ?? Infinity);
    else if (this.t < this.runs.end) this.toggle();
  }

  /** Hold at a cue to which playing has come, until the reader goes on. @param {PlacedCue} _cue */
  // eslint-disable-next-line no-unused-vars -- a page that plays itself holds for the cue's seconds
  hold(_cue) {
    this.clock.stop();
  }

  /** End what is only shown between two steps. */
  settle() {
    this.looking = false;
    this.leapWords = "";
  }

  /**
   * What is passed over on the way to the next cue or to the end, null if that does not take longer
   * than a stretch may. The first part of the stretch plays, so long that the leap fits in.
   */
  #leapAhead() {
    const { clock, cues, runs, t } = this;
    if (!this.modes.ask("leaps") || clock.slow) return null;
    clock.times = cues.speedFrom(t);
    const { stretch, leap } = clock.timings;
    const to = Math.min(cues.after(t)?.t ?? Infinity, runs.end, this.limit());
    let from = t;
    let time = 0;
    for (let next = t + 1; next < to; next++) {
      time += clock.pause(this.#isMistake(next));
      if (time <= stretch - leap) from = next;
      if (time > stretch) return { from, to };
    }
    return null;
  }

  /** Pass over what would take too long, and say how much that was. */
  #passOver({ from, to }) {
    this.leap = null;
    this.put(to);
    this.leapWords = laterWords(this.runs.current, from, to);
    this.clock.hold(this.clock.timings.leap);
  }

  /** End a leap, after one has read how much later it is: a cue there has its turn. */
  #land() {
    this.leapWords = "";
    const cue = this.cues.at(this.t);
    if (cue) this.hold(cue);
    this.changed();
  }

  /**
   * Do what comes next while one plays: in slow motion, look at the example first. Returns whether
   * that is to be shown as long as a mistake, null where one may not go further.
   *
   * @returns {boolean | null}
   */
  beat() {
    if (this.leapWords) {
      this.#land();
      return false;
    }
    if (this.leap?.from === this.t) {
      this.#passOver(this.leap);
      return false;
    }
    if (this.#towards(this.t + 1) === this.t) return null;
    if (this.clock.slow && !this.looking) {
      this.looking = true;
      return false;
    }
    this.looking = false;
    this.clock.times = this.cues.speedFrom(this.t);
    const isMistake = this.advance(this.t + 1);
    const lastsLong = this.clock.slow ? this.motion !== null : isMistake;
    const cue = this.cues.at(this.t);
    if (cue) this.hold(cue);
    return lastsLong;
  }

  /**
   * Go forward to `to`; returns whether the last step was a mistake.
   *
   * @param {number} to
   * @param {boolean} [isShown] whether the last step is shown happening, if there is time for it
   */
  advance(to, isShown = !this.reducedMotion) {
    const showsStep = isShown && this.#hasTime(to);
    const movingRuns = this.runs.all.filter(
      ({ nSteps, trace }) => showsStep && to <= nSteps && trace.stopsAt(to - 1),
    );
    // `put` changes what is shown: so this is read before.
    const pictures = movingRuns.map((run) => ({
      before: run.predictor.at(to - 1),
      shown: this.blends.fieldOf(run),
    }));
    this.put(to);
    if (movingRuns.length) {
      this.motion = new Motions(
        movingRuns.map((run, k) => [run, this.#motionOf(run, to, pictures[k])]),
      );
    }
    return this.#isMistake(to);
  }

  /** Whether the step that leads to `to` stays long enough to be shown happening. */
  #hasTime(to) {
    const { clock } = this;
    if (this.dampsFlashes && this.fastSteps.on) return false;
    return (
      clock.bumps && (!clock.playing || clock.pause(this.#isMistake(to)) >= clock.timings.ghost)
    );
  }

  /** Whether the step that leads to `to` is a mistake of a run. */
  #isMistake(to) {
    return this.runs.all.some(({ trace }) => trace.mistake[to - 1] === 1);
  }

  /**
   * How a run's picture goes from before its last step to after it.
   *
   * @param {Run} run
   * @param {number} to
   * @param {{ before: Reading, shown: Float64Array | null }} pictureBefore
   */
  #motionOf(run, to, pictureBefore) {
    const { slow, playing, timings } = this.clock;
    const pace = playing && !slow ? Math.min(this.clock.pause(true) / timings.mistake, 1) : 1;
    return new Motion(run, {
      i: run.trace.index[to - 1],
      ...pictureBefore,
      after: run.reading(to).field,
      pace,
      slow,
      still: this.reducedMotion,
    });
  }

  /** Be at an instant, and let nothing move there. @param {number} t */
  put(t) {
    this.goal = { t, end: t > 0 && t === this.runs.end };
    this.motion = null;
    this.morph = null;
    this.leapWords = "";
    this.state.change({ t });
    this.modes.all("moved");
    this.changed();
  }

  /**
   * Let the field of the current run begin as what another run of the same examples showed.
   *
   * @param {{ run: Run, field: Float64Array, limit: number }} before
   */
  comeFrom(before) {
    const run = this.runs.current;
    const same =
      before.run.dataId === run.dataId &&
      run.plane &&
      before.field.length === run.reading(this.t).field.length;
    if (this.reducedMotion || !same || before.run === run) return;
    this.morph = new Morph(run, before, this.clock.timings.ghost);
    this.changed();
  }

  /** Play, from the start if this is the end, or stop. */
  toggle() {
    this.settle();
    if (this.clock.playing) this.clock.stop();
    else this.#play();
    this.changed();
  }

  #play() {
    const beginsAgain = this.t >= this.runs.end;
    if (beginsAgain) this.put(0);
    this.modes.all("plays");
    this.clock.start(performance.now());
    this.leap = this.#leapAhead();
    const cue = beginsAgain && this.cues.at(0);
    if (cue) this.hold(cue);
  }

  faster(factor) {
    this.clock.faster(factor);
    this.changed();
  }

  /** Set the speed to a share of its range. */
  setSpeed(share) {
    const { slowest, fastest } = this.clock.limits;
    this.clock.speed = slowest * (fastest / slowest) ** share;
    this.changed();
  }

  toggleSlow() {
    this.clock.slow = !this.clock.slow;
    this.changed();
  }
}
