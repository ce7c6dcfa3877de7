// How the panel of the lift is turned.

/** @import { Player } from "./player.js" */

const STEEPEST = 89;

export class LiftView {
  /** @type {{ turn: number, tilt: number } | null} */
  angles = null; // In degrees; null: the lift is as at first.

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
  }

  get now() {
    return this.angles ?? this.player.run.header.tokens.lift;
  }

  /** What the address says of it, in whole degrees; "" as it is at first. */
  get query() {
    return this.angles && this.player.shows("lift")
      ? `turn=${Math.round(this.angles.turn)},${Math.round(this.angles.tilt)}`
      : "";
  }

  /**
   * Turn to these degrees; null: back to how it is at first.
   *
   * @param {[number, number] | null} angles
   */
  to(angles) {
    const [turn, tilt] = angles ?? [];
    this.angles = angles && {
      turn: ((((turn + 180) % 360) + 360) % 360) - 180,
      tilt: Math.min(Math.max(tilt, -STEEPEST), STEEPEST),
    };
    this.player.page.redraw();
  }
}
