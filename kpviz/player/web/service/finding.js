// Asks what is known of a run with mistakes to its end, once its end is shown.

/** @import { Player } from "../model/player.js" */
/** @import { Run } from "../model/run.js" */
/** @import { Session } from "./session.js" */

const REST = 400; // ms at the end before it asks

export class Finding {
  /** @type {Run | null} */
  run = null; // about which it asks
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {Player} player
   * @param {Session} session
   */
  constructor(player, session) {
    this.player = player;
    this.requests = session.requests;
  }

  /** The instant or the run may be another one. */
  look() {
    const { wanted } = this.player.verdicts;
    if (wanted === this.run) return;
    clearTimeout(this.timer);
    this.requests.drop("verdict");
    this.run = wanted;
    if (wanted) this.timer = setTimeout(() => this.#ask(wanted), REST);
  }

  /** @param {Run} run */
  #ask(run) {
    const question = { link: run.header.settings.query, verdict: /** @type {const} */ (true) };
    this.requests.ask("verdict", question, (bytes, { failed }) => {
      const { player } = this;
      player.verdicts.take(run, failed ? null : bytes);
      player.page.redraw();
    });
  }

  stop() {
    clearTimeout(this.timer);
  }
}
