// Whether one goes through the steps by hand faster than each can be shown as it is: a key is held, the timeline dragged.

const APART = 200; // ms between two pictures that replace each other at once: no more than three flashes a second
const REST = 350; // ms without a move, after which what is shown is exact again

export class Haste {
  on = false;
  #t = 0; // the instant that was shown last
  #moved = -Infinity; // ms, when that changed
  #until = -Infinity;

  /**
   * A frame shows the instant t; `byHand`: one does not play.
   *
   * @param {number} t
   * @param {number} now ms, of the frame
   * @param {boolean} byHand
   */
  see(t, now, byHand) {
    if (t !== this.#t) {
      if (byHand && (this.on || now - this.#moved < APART)) this.#until = now + REST;
      this.#moved = now;
      this.#t = t;
    }
    this.on = byHand && now < this.#until;
  }
}
