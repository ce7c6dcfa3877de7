// The remainder of a run played to its end in a few seconds.

/** @import { Player } from "../board/player.js" */

const SECONDS = 4;

export class WholePlay {
  #speed = 0; // The speed of playing before it; 0 at other times.

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
  }

  begin() {
    const { cursor, clock, runs, t } = this.player;
    if (cursor.reducedMotion || t >= runs.end) {
      cursor.go(Infinity);
      return;
    }
    this.#speed = clock.speed;
    clock.speed = (runs.end - t) / SECONDS;
    cursor.toggle();
  }

  /** After each frame: whether it is over. Whoever stops it goes to the end. */
  get isOver() {
    const { cursor, clock, runs, t } = this.player;
    if (clock.playing) return false;
    this.#slowDown();
    if (t < runs.end) cursor.go(Infinity);
    return true;
  }

  stop() {
    this.#slowDown();
    this.player.clock.stop();
  }

  #slowDown() {
    if (this.#speed) this.player.clock.speed = this.#speed;
    this.#speed = 0;
  }
}
