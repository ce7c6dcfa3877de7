// When the next step is due while one plays.

const READ = 2; // steps per second up to which a sentence can be read
const APART = 30; // ms from one picture to the next while steps come faster, which nobody could tell apart
const CORRECT_PACE = 1000 / 150; // steps per second at which the two paces of the tokens hold

/** @import { SpeedLimits, Timings, Tokens } from "../types.d.ts" */

export class Clock {
  /** @type {Timings | null} */
  timings = null;
  /** @type {SpeedLimits | null} */
  limits = null;
  speed = CORRECT_PACE; // correct examples per second
  times = 1; // as fast as that, while one plays from one cue to the next
  slow = false;
  playing = false;
  due = 0; // ms, when the next step is

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
    return this.times === 1 ? speed : Math.min(Math.max(speed, this.limits.slowest), this.limits.fastest);
  }

  get bumps() {
    return this.slow || this.rate <= this.limits.bumps_up_to;
  }

  /** Whether one plays, and a step that is no mistake gives way to the next one before it could be shown happening. */
  get swift() {
    return this.playing && this.pause(false) < this.timings.ghost;
  }

  /** Milliseconds to wait for the next picture; none where each step has one of its own. */
  get apart() {
    return this.playing && this.pause(false) < APART ? APART : 0;
  }

  /** Whether a sentence stays for long enough to be read. */
  get readable() {
    return !this.playing || this.slow || this.rate < READ;
  }

  faster(factor) {
    this.speed = Math.min(Math.max(this.speed * factor, this.limits.slowest), this.limits.fastest);
  }

  /** Milliseconds that a step stays before the next one; in slow motion its score is a beat, and its change another. */
  pause(mistake) {
    if (this.slow) return this.timings.beat * (mistake ? 2 : 1);
    if (!this.bumps || !mistake) return 1000 / this.rate;
    return Math.max((this.timings.mistake / this.timings.correct) * (1000 / this.rate), this.timings.spoken);
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
   * Call `step` for every step that is due; it returns whether it was a mistake, or null at the end.
   *
   * @param {number} now
   * @param {() => boolean | null} step
   */
  tick(now, step) {
    if (now - this.due > 400) this.due = now; // the tab was hidden: go on, do not catch up
    while (this.playing && now >= this.due) {
      const mistake = step();
      if (mistake === null) this.stop();
      else this.due += this.pause(mistake);
    }
  }
}
