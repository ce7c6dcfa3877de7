// Asks for the curve over a setting while its panel is shown.

/** @import { Player } from "../model/player.js" */
/** @import { Session } from "./session.js" */
/** @import { CurveNumbers, Refusal } from "../types.d.ts" */

const REST = 250; // ms without a change before it asks anew

export class Curves {
  asked = ""; // the key of what was asked for last
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

  /** The panel may have come or gone, or the settings may be others. */
  look() {
    const { player } = this;
    const { curve, layout } = player;
    const wanted = layout.panels.curve && curve.answered !== curve.key ? curve.key : "";
    if (wanted === this.asked) return;
    clearTimeout(this.timer);
    this.requests.drop("curve");
    this.asked = wanted;
    if (wanted) this.timer = setTimeout(() => this.#ask(), curve.answer ? REST : 0);
  }

  #ask() {
    const { curve, run } = this.player;
    const { name, seeds } = curve;
    const question = { link: run.header.settings.query, curve: { name, seeds } };
    this.requests.ask("curve", question, (_, header) => this.#take(header));
  }

  /** @param {Refusal & { curve?: CurveNumbers }} header */
  #take({ curve: found, failed }) {
    const { player } = this;
    player.curve.take(found ?? null, found ? "" : failed || "There is no such curve.");
    this.asked = "";
    this.look(); // the settings may be others by now
    player.page.redraw();
  }

  stop() {
    clearTimeout(this.timer);
  }
}
