// Asks something besides the run: on a connection of its own, so that no run waits for the answer.

import { Door, Gone } from "./door.js";
import { headerOf } from "../model/payload.js";

/** @import { Session } from "./session.js" */
/** @import { AsideQuestion, Refusal, Stored } from "../types.d.ts" */

/**
 * A question that waits, and what takes the answer.
 * @typedef {{ link: string, what: Partial<AsideQuestion>, take: (bytes: Uint8Array, header: Refusal) => void }} Wanted
 */

export class Aside {
  /** @type {Door | null} */
  door = null; // once it is needed
  /** @type {Wanted | null} */
  wanted = null;
  n = 0;

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
  }

  /**
   * Ask about what a link shows; what was asked before is given up.
   *
   * @param {string} link
   * @param {Partial<AsideQuestion>} what
   * @param {Wanted["take"]} take
   */
  ask(link, what, take) {
    this.wanted = { link, what, take };
    if (this.door) this.#send();
    else {
      this.door = new Door(/** @type {Door} */ (this.session.door).address);
      this.door.listen((state) => state === "here" && this.#send()); // again, after it was lost
    }
  }

  /** Give up what was asked. */
  drop() {
    if (this.wanted && this.door.socket) this.door.cancel(++this.n);
    this.wanted = null;
  }

  /** @param {Record<string, Stored | null>} bring */
  async #send(bring = {}) {
    const { wanted, door } = this;
    if (!wanted || !door.socket) return;
    const { link, what, take } = wanted;
    try {
      const bytes = await door.ask({ n: ++this.n, link, shown: true, bring, ...what });
      if (this.wanted !== wanted) return;
      /** @type {Refusal} */
      const header = headerOf(bytes);
      if (header.needs?.length && !Object.keys(bring).length) {
        await this.#send(await this.session.keep.all(header.needs));
        return;
      }
      this.wanted = null;
      take(bytes, header);
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
    }
  }

  stop() {
    this.wanted = null;
    this.door?.stop();
  }
}
