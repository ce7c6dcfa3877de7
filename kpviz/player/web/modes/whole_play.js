// The remainder of a run played to its end in a few seconds.

/** @import { Player } from "../board/player.js" */

const SECONDS = 4;

export class WholePlay {
  #speedBefore = 0; // The speed of playing before it; 0 at other times.

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
    this.#speedBefore = clock.speed;
    clock.speed = (runs.end - t) / SECONDS;
    cursor.toggle();
  }

  /**
   * After each frame: once playing has ended, go to the end of the run, also where somebody stopped
   * it before. Returns whether it has ended.
   */
  endIfStopped() {
    const { cursor, clock, runs, t } = this.player;
    if (clock.playing) return false;
    this.#restoreSpeed();
    if (t < runs.end) cursor.go(Infinity);
    return true;
  }

  /** Give it up, and stay where the run is. */
  stop() {
    this.#restoreSpeed();
    this.player.clock.stop();
  }

  #restoreSpeed() {
    if (this.#speedBefore) this.player.clock.speed = this.#speedBefore;
    this.#speedBefore = 0;
  }
}
