// Where the scale of colours ends, if somebody has scaled it to an instant.

/** @import { Player } from "./player.js" */

export class ColourLimit {
  /** @type {number | null} */
  value = null; // Null: it ends as for the whole run.

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
  }

  /** Scale the colours to the values of this instant, or as the run does. */
  rescale() {
    if (this.value !== null) {
      this.value = null;
      this.player.page.redraw();
      return;
    }
    let largest = 0;
    const { run, t } = this.player;
    const { field, scores } = run.reading(Math.min(t, run.nSteps));
    for (const value of run.plane ? field : scores) {
      largest = Math.max(largest, Math.abs(value));
    }
    const digit = 10 ** (Math.floor(Math.log10(largest || 1)) - 2);
    this.value = Number((Math.ceil(largest / digit - 1e-9) * digit).toPrecision(3)) || 1;
    this.player.page.redraw();
  }
}
