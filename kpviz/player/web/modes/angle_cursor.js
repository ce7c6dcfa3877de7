// The cursor on Fisher's page: its instant is the angle of F in degrees, which has no end.

import { Cursor } from "../board/cursor.js";
import { turned } from "../run/discriminant.js";

const STEPS = { example: 1, mistake: 10 }; // In degrees.
// In ms: an angle is reached in `least`, and in so many more for each degree on the way.
const EASING = { least: 350, perDegree: 7 };
const SPEED = 24; // In degrees per second.

export class AngleCursor extends Cursor {
  /** @type {{ from: number, to: number, start: number, time: number } | null} */
  easing = null; // The way to a special direction.
  // What F was put on last, for `keepPlace`: whether there were more than two classes, and which
  // special direction it was.
  lastPlace = { many: false, special: /** @type {"best" | "other" | null} */ (null) };

  /** @param {ConstructorParameters<typeof Cursor>[0]} course */
  constructor(course) {
    super(course);
    this.clock.speed = SPEED;
  }

  get fisher() {
    return this.runs.current.fisher;
  }

  // What the board asks a cursor: `Cursor` says of each what it means.

  get lively() {
    return this.clock.playing || this.easing !== null;
  }

  get swift() {
    return false;
  }

  get underWay() {
    return this.easing !== null;
  }

  /** Point F to the nearest direction that is known; its threshold is then the middle again. */
  go(angle) {
    this.clock.stop();
    this.settle();
    this.#turnTo(this.fisher.nearest(angle));
  }

  step(grain, direction) {
    // A step leads to a half degree, also from a place between two of them.
    if (grain in STEPS) this.go(Math.round(2 * (this.t + direction * STEPS[grain])) / 2);
  }

  /** Turn F to a special direction. @param {"best" | "other"} name */
  goTo(name) {
    this.#ease(this.fisher.angleOf(name));
  }

  /** A cue that F is on its way to is reached first. */
  toCue(direction) {
    this.settle();
    const cue = direction > 0 ? this.cues.after(this.t) : this.cues.before(this.t);
    if (cue) this.#ease(cue.t);
  }

  /** Turn F to an angle, by the shorter way. */
  #ease(to) {
    this.clock.stop();
    const angle = turned(to - this.t);
    const time = EASING.least + EASING.perDegree * Math.abs(angle);
    this.easing = { from: to - angle, to, start: performance.now(), time };
    if (this.reducedMotion || Math.abs(angle) < 0.5) this.see(Infinity);
    this.changed();
  }

  see(now) {
    if (!this.easing) return;
    const { from, to, start, time } = this.easing;
    const share = Math.min(Math.max((now - start) / time, 0), 1);
    if (share === 1) this.easing = null;
    this.#turnTo(share === 1 ? to : from + (to - from) * share * share * (3 - 2 * share));
  }

  beat() {
    this.#turnTo(this.t + 1);
    return false; // No beat lasts as long as a mistake.
  }

  #turnTo(angle) {
    const to = (angle + 360) % 360;
    if (to === this.t) return;
    this.fisher.movedThreshold = null;
    this.put(to);
  }

  put(angle) {
    this.lastPlace = { many: this.fisher.many, special: this.fisher.specialAt(angle) };
    super.put(angle);
  }

  /**
   * Where a link says that F points and the threshold lies; at the end, where t is infinite, F
   * points where the last of its cues is.
   */
  open(t, query) {
    const { angle, threshold } = Object.fromEntries(new URLSearchParams(query));
    const last = t === Infinity ? this.cues.placed.at(-1)?.t : undefined;
    const opening = angle === undefined || angle === "best" ? angle : Number(angle);
    this.put(last ?? this.fisher.opening(opening));
    this.cut(threshold === undefined ? null : Number(threshold));
  }

  /**
   * New data keep the direction; a special direction stays the special one. With more than two
   * classes there are other special directions than with two: F then begins where these data begin.
   */
  keepPlace() {
    const { fisher, lastPlace } = this;
    const special = lastPlace.many === fisher.many ? lastPlace.special : fisher.header.start;
    this.put(special ? fisher.angleOf(special) : this.t);
  }

  settle() {
    this.see(Infinity);
    super.settle();
  }

  /** Put the threshold there; null: back to the middle. */
  cut(value) {
    this.fisher.cut(value, this.t);
    this.changed();
  }

  /**
   * Move the threshold up (1) or down (−1), by a 200th of what is shown. Several thresholds stay.
   */
  shift(direction) {
    const { low, high, thresholds } = this.fisher.reading(this.t);
    this.clock.stop();
    this.settle();
    this.cut(thresholds[0] + (direction * (high - low)) / 200);
  }
}
