// When the stage is drawn: at the next frame, or not before some time.

export class Frames {
  /** @type {number | null} */
  next = null; // the frame that is asked for
  #from = Infinity; // ms, before which nothing is drawn

  /** @param {(now: number) => void} draw */
  constructor(draw) {
    this.draw = draw;
  }

  /**
   * Draw at the next frame, or at the first one from a time on; the earliest that was asked for holds.
   *
   * @param {number} [from] ms
   */
  ask(from = 0) {
    this.#from = Math.min(this.#from, from);
    this.next ??= requestAnimationFrame((now) => this.#come(now));
  }

  /** @param {number} now */
  #come(now) {
    this.next = null;
    if (now < this.#from) this.ask(this.#from);
    else this.draw(now);
  }

  /** What was asked for is drawn, or not wanted any more. */
  drop() {
    cancelAnimationFrame(this.next);
    this.next = null;
    this.#from = Infinity;
  }
}
