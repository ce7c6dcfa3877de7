// Asks for the curve over a setting while its panel is shown: on a connection of its own, so that no run waits for it.

import { Door, Gone } from "./door.js";
import { headerOf } from "../model/payload.js";

/** @import { Player } from "../model/player.js" */
/** @import { Session } from "./session.js" */
/** @import { CurveNumbers, Refusal, Stored } from "../types.d.ts" */

const REST = 250; // ms without a change before it asks anew

export class Curves {
  /** @type {Door | null} */
  door = null; // once it is needed
  asked = ""; // the key of what was asked for last
  n = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {Player} player
   * @param {Session} session
   */
  constructor(player, session) {
    this.player = player;
    this.session = session;
  }

  /** The panel may have come or gone, or the settings may be others. */
  look() {
    const { player } = this;
    const { curve, layout } = player;
    const wanted = layout.panels.curve && curve.answered !== curve.key ? curve.key : "";
    if (wanted === this.asked) return;
    clearTimeout(this.timer);
    if (this.asked && this.door?.socket) this.door.cancel(++this.n);
    this.asked = wanted;
    if (wanted) this.timer = setTimeout(() => this.#begin(), curve.answer ? REST : 0);
  }

  #begin() {
    if (this.door) this.#ask();
    else {
      this.door = new Door(/** @type {Door} */ (this.session.door).address);
      this.door.listen((state) => state === "here" && this.asked && this.#ask());
    }
  }

  /** @param {Record<string, Stored | null>} bring */
  async #ask(bring = {}) {
    const { player, door } = this;
    const { curve, run } = player;
    if (!door.socket) return; // it asks when there is a server again
    const link = run.header.settings.query;
    const { over: name, seeds } = curve;
    try {
      const bytes = await door.ask({ n: ++this.n, link, shown: true, bring, curve: { name, seeds } });
      /** @type {Refusal & { curve?: CurveNumbers }} */
      const { curve: found, failed, needs } = headerOf(bytes);
      if (needs?.length && !Object.keys(bring).length) {
        await this.#ask(await this.session.keep.all(needs));
        return;
      }
      curve.take(found ?? null, found ? "" : failed || "There is no such curve.");
      this.asked = "";
      this.look(); // the settings may be others by now
      player.page.redraw();
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.door?.stop();
  }
}
