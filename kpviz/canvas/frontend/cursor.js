// The cursor t: stepping, playing, and predicting.

import { touched } from "./hover.js";
import { Motion, Motions } from "./motion.js";

/** What moves through a run; the stage draws it. */
export class Cursor {
  constructor() {
    this.t = 0;
    this.wanted = { t: 0, end: false }; // the place that was asked for: a run may be too short for it for a while
    this.motion = null;
    this.looking = false;
  }

  go(t) {
    this.clock.stop();
    this.settle();
    this.put(Math.min(Math.max(t, 0), this.cast.end));
  }

  step(grain, way) {
    this.clock.stop();
    if (this.predict.on && grain === "example") this.#answer(way > 0);
    else this.#move(grain, way);
  }

  #move(grain, way) {
    this.settle();
    const to = this.cast.neighbour(this.t, grain, way);
    if (way > 0 && grain !== "epoch" && to > this.t) this.#advance(to);
    else this.put(to);
  }

  /** An arrow answers the question; after the verdict it brings the next one. */
  #answer(guess) {
    if (this.t >= this.run.nSteps) return;
    if (this.predict.answer !== null) {
      this.settle();
      this.redraw();
      return;
    }
    this.predict.take(guess, this.run.trace.mistake[this.t] === 1);
    this.#advance(this.t + 1);
  }

  /** Another run is here: keep the place that was asked for, as far as it has one; the end stays the end. */
  keepPlace() {
    const { end } = this.cast;
    this.t = this.wanted.end && !this.clock.playing ? end : Math.min(this.clock.playing ? this.t : this.wanted.t, end);
  }

  /** On to the next cue: play there, or be there at once if it plays; back to the one before. */
  toCue(way) {
    if (way < 0) this.go(this.cues.before(this.t)?.t ?? 0);
    else if (this.clock.playing) this.go(this.cues.after(this.t)?.t ?? Infinity);
    else if (this.t < this.cast.end) this.toggle();
  }

  /** Playing has come to a cue: it holds until a key goes on. */
  hold() {
    this.clock.stop();
  }

  /** End what only holds between two steps. */
  settle() {
    this.predict.answer = null;
    this.looking = false;
  }

  /** What playing does next: in slow motion, look at the example first. Null at the end. */
  beat() {
    if (this.t >= this.cast.end) return null;
    if (this.clock.slow && !this.looking) {
      this.looking = true;
      return false;
    }
    this.looking = false;
    const mistake = this.#advance(this.t + 1);
    const cue = this.cues.at(this.t);
    if (cue) this.hold(cue);
    return mistake;
  }

  /** Go forward to `to`; its last step is shown happening. */
  #advance(to) {
    const bumps = this.clock.bumps && !this.still.matches;
    const moving = this.cast.all.filter(({ nSteps, trace }) => bumps && to <= nSteps && trace.stopsAt(to - 1));
    const before = moving.map((run) => run.predictor.at(to - 1).field);
    this.put(to);
    if (moving.length) this.motion = new Motions(moving.map((run, k) => [run, this.#motionOf(run, to, before[k])]));
    return this.cast.all.some(({ trace }) => trace.mistake[to - 1] === 1);
  }

  /** How a run's picture goes from before its last step to after it. */
  #motionOf(run, to, before) {
    const i = run.trace.index[to - 1];
    const place = run.trace.support.indexOf(i);
    const { tokens, grid, settings } = run.header;
    const bump = settings.predictor === "last" && place >= 0 ? run.contributions.bump(place) : null;
    if (bump) this.cast.imagesOf(run).paintBump(this.palette, bump, run.y[i]);
    const { slow } = this.clock;
    return new Motion({ before, after: run.reading(to).field, bump, grid, timings: tokens.timings, opacity: tokens.bump.opacity, slow });
  }

  put(t) {
    this.t = t;
    this.wanted = { t, end: t > 0 && t === this.cast.end };
    this.motion = null;
    if (this.pinned) this.pinned = { ...this.pinned, ...touched(this, this.pinned.px, this.pinned.py) };
    this.refreshTouch();
    this.redraw();
  }

  toggle() {
    this.settle();
    if (this.clock.playing) this.clock.stop();
    else {
      const again = this.t >= this.cast.end;
      if (again) this.put(0);
      if (this.predict.on) this.togglePredict();
      this.clock.start(performance.now());
      const cue = again && this.cues.at(0);
      if (cue) this.hold(cue);
    }
    this.redraw();
  }

  faster(factor) {
    this.clock.faster(factor);
    this.redraw();
  }

  setSpeed(share) {
    const { slowest, fastest } = this.clock.limits;
    this.clock.speed = slowest * (fastest / slowest) ** share;
    this.redraw();
  }

  toggleSlow() {
    this.clock.slow = !this.clock.slow;
    this.redraw();
  }

  togglePredict() {
    this.predict.toggle();
    this.clock.stop();
    this.redraw();
  }}
