// One run gives way to another of the same examples: the points stay, and the field goes over from one to the other.

/** @import { Run } from "./run.js" */

export class Morph {
  /** @type {number | null} */
  #start = null; // the time of the first frame that shows it

  /**
   * @param {Run} run that comes
   * @param {{ field: Float64Array, limit: number }} before what the map showed, and the limit of its colours
   * @param {number} time ms
   */
  constructor(run, { field, limit }, time) {
    this.run = run;
    this.colours = field.map((value) => Math.min(Math.max(value / limit, -1), 1));
    this.mixed = new Float64Array(field.length);
    this.time = time;
  }

  /**
   * What is shown of a run at a time, in place of its field, which has arrived at the end; null if it is another's.
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
