// What is asked besides the run: for a curve, for advice, for a lesson. Of each kind the newest question counts.

import { Gone } from "./socket.js";
import { headerOf } from "../model/payload.js";

/** @import { Keep } from "./keep.js" */
/** @import { ServiceSocket } from "./socket.js" */
/** @import { Refusal, Request, Stored } from "../types.d.ts" */

/**
 * A question that waits, and what takes the answer.
 * @typedef {{ question: Request, take: (bytes: Uint8Array, header: Refusal) => void }} Waiting
 */

export class Requests {
  /** @type {Map<string, Waiting>} */
  waiting = new Map();

  /**
   * @param {Pick<ServiceSocket, "ask" | "cancel" | "listen" | "here">} socket
   * @param {Pick<Keep, "all">} keep
   */
  constructor(socket, keep) {
    this.socket = socket;
    this.keep = keep;
    socket.listen((here) => here && this.waiting.forEach((_, kind) => this.#send(kind))); // again, after it was lost
  }

  /**
   * Ask; what was asked before of this kind is given up.
   *
   * @param {string} kind
   * @param {Request} question
   * @param {Waiting["take"]} take
   */
  ask(kind, question, take) {
    this.waiting.set(kind, { question, take });
    this.#send(kind);
  }

  /** Give up what was asked. */
  drop(kind) {
    if (this.waiting.delete(kind)) this.socket.cancel(kind);
  }

  /** @param {Record<string, Stored | null>} bring */
  async #send(kind, bring = {}) {
    const waiting = this.waiting.get(kind);
    if (!this.socket.here) return;
    try {
      const bytes = await this.socket.ask(kind, { ...waiting.question, shown: true, bring });
      if (this.waiting.get(kind) !== waiting) return;
      /** @type {Refusal} */
      const header = headerOf(bytes);
      if (header.needs?.length && !Object.keys(bring).length) {
        await this.#send(kind, await this.keep.all(header.needs));
        return;
      }
      this.waiting.delete(kind);
      waiting.take(bytes, header);
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
    }
  }
}
