// The cursor t: stepping and playing.

import { countBelow } from "../run/trace.js";
import { counted } from "../run/words.js";
import { Blends, FastSteps, Morph, Motion, Motions } from "./motion.js";

/** @import { Clock } from "./motion.js" */
/** @import { Cues } from "../run/cues.js" */
/** @import { Modes } from "../modes/modes.js" */
/** @import { RunSet } from "./run_set.js" */
/** @import { BoardState } from "./state.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Grain, PlacedCue } from "../run/types.d.ts" */

/**
 * What a cursor moves through, and whom it tells: `changed` after anything but t did, `refused`
 * where its reader may not go further than `limit`.
 * @typedef {{
 *   state: BoardState, runs: RunSet, clock: Clock, cues: Cues, modes: Modes,
 *   limit(): number, refused(): void, changed(): void,
 * }} Course
 */

/** How much later an instant is. @param {Run} run */
function laterWords({ trace, stream }, from, to) {
  const before = (t) => countBelow(trace.epochStart, t);
  const epochs = stream ? 0 : before(Math.min(to, trace.nSteps)) - before(from);
  return `${epochs ? counted(epochs, "epoch") : counted(to - from, "example")} later`;
}

export class Cursor {
  // The place that was asked for: a run may be too short for it for a while.
  goal = { t: 0, end: false };
  looking = false; // In slow motion the example is shown first, and its verdict after a while.
  /** @type {{ from: number, to: number } | null} */
  leap = null; // What is passed over while one plays, since it would take too long.
  leapWords = ""; // How much later it is, until one has read it.
  reducedMotion = false; // If set, nothing moves by itself between two instants.
  /** @type {Motions | null} */
  motion = null;
  /** @type {Morph | null} */
  morph = null; // The board goes over from the run before.
  blends = new Blends();
  fastSteps = new FastSteps();
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

  /** @param {number} t */
  go(t) {
    this.clock.stop();
    this.settle();
    this.put(this.#towards(t));
    // A run without steps is at its end, too.
    this.goal.end ||= t === Infinity && this.t === this.runs.end;
    this.modes.all("went");
  }

  /**
   * Where a link says, as far as these runs go.
   *
   * @type {(t: number, query: string) => void}
   */
  open(t) {
    this.put(Math.min(t, this.runs.end));
  }

  /** How far one may go towards an instant. */
  #towards(t) {
    const instant = Math.min(Math.max(t, 0), this.runs.end);
    const to = Math.min(instant, this.limit());
    if (to < instant) this.refused();
    return to;
  }

  /** Bring the board to where a task stands; a single step is shown happening. */
  reach(t) {
    this.clock.stop();
    this.settle();
    if (t === this.t + 1) this.advance(t);
    else this.put(t);
  }

  /**
   * Show once more, slowly, what happened in the step that led to an instant; where nothing is to
   * move, what was before it stays for a while. The cursor is at t meanwhile.
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

  /** @param {Grain} grain @param {number} direction 1: forwards, -1: backwards */
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

  /** Whether it moves to a place that was asked for: of what lies between nothing is told. */
  get underWay() {
    return false;
  }

  /** A frame is drawn at `now`: who goes on fast by hand sees no step happen. */
  see(now) {
    this.fastSteps.see(this.t, now, !this.clock.playing);
    if (this.dampsFlashes && this.fastSteps.on) this.motion = null;
  }

  // ---- elsewhere -------------------------------------------------------------------------------

  /**
   * Another run is here: keep the place that was asked for, as far as it has one; the end stays the
   * end.
   */
  keepPlace() {
    const { end } = this.runs;
    const { playing } = this.clock;
    const t = this.goal.end && !playing ? end : Math.min(playing ? this.t : this.goal.t, end);
    this.state.change({ t });
  }

  /** On to the next cue: play there, or be there at once if it plays; back to the one before. */
  toCue(direction) {
    if (direction > 0 && this.leapWords) this.#land();
    else if (direction < 0) this.go(this.cues.before(this.t)?.t ?? 0);
    else if (this.clock.playing) this.go(this.cues.after(this.t)?.t ?? Infinity);
    else if (this.t < this.runs.end) this.toggle();
  }

  /** Playing has come to a cue: it holds until a key goes on. @param {PlacedCue} _cue */
  // eslint-disable-next-line no-unused-vars -- a page that plays itself holds for the cue's seconds
  hold(_cue) {
    this.clock.stop();
  }

  /** End what only holds between two steps. */
  settle() {
    this.looking = false;
    this.leapWords = "";
  }

  /**
   * What is passed over on the way to the next cue or the end, as in films: so no stretch plays for
   * longer than they do.
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
      time += clock.pause(this.#mistaken(next));
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

  /** It was read how much later it is: a cue there has its turn. */
  #land() {
    this.leapWords = "";
    const cue = this.cues.at(this.t);
    if (cue) this.hold(cue);
    this.changed();
  }

  /**
   * What playing does next: in slow motion, look at the example first. Returns whether it takes as
   * long as a mistake, null at the end.
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
    const mistake = this.advance(this.t + 1);
    const long = this.clock.slow ? this.motion !== null : mistake;
    const cue = this.cues.at(this.t);
    if (cue) this.hold(cue);
    return long;
  }

  /** Go forward to `to`; its last step is shown happening, by default where things may move. */
  advance(to, isShown = !this.reducedMotion) {
    const bumps = isShown && this.#hasTime(to);
    const moving = this.runs.all.filter(
      ({ nSteps, trace }) => bumps && to <= nSteps && trace.stopsAt(to - 1),
    );
    const before = moving.map((run) => ({
      before: run.predictor.at(to - 1),
      shown: this.blends.fieldOf(run),
    }));
    this.put(to);
    if (moving.length) {
      this.motion = new Motions(moving.map((run, k) => [run, this.#motionOf(run, to, before[k])]));
    }
    return this.#mistaken(to);
  }

  /** Whether the step that leads to `to` stays long enough to be shown happening. */
  #hasTime(to) {
    const { clock } = this;
    if (this.dampsFlashes && this.fastSteps.on) return false;
    return (
      clock.bumps && (!clock.playing || clock.pause(this.#mistaken(to)) >= clock.timings.ghost)
    );
  }

  #mistaken(to) {
    return this.runs.all.some(({ trace }) => trace.mistake[to - 1] === 1);
  }

  /** How a run's picture goes from before its last step to after it. @param {Run} run */
  #motionOf(run, to, before) {
    const { slow, playing, timings } = this.clock;
    const pace = playing && !slow ? Math.min(this.clock.pause(true) / timings.mistake, 1) : 1;
    return new Motion(run, {
      i: run.trace.index[to - 1],
      ...before,
      after: run.reading(to).field,
      pace,
      slow,
      still: this.reducedMotion,
    });
  }

  /** @param {number} t */
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
   * Let the field of the current run come from what another of the same examples showed.
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

  toggle() {
    this.settle();
    if (this.clock.playing) this.clock.stop();
    else {
      const again = this.t >= this.runs.end;
      if (again) this.put(0);
      this.modes.all("plays");
      this.clock.start(performance.now());
      this.leap = this.#leapAhead();
      const cue = again && this.cues.at(0);
      if (cue) this.hold(cue);
    }
    this.changed();
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
