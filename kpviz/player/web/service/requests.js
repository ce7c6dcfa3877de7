// What is asked besides the run: for a curve, for advice, for a lesson. Of each kind the newest question counts.

import { headerOf } from "../model/payload.js";
import { Gone } from "./socket.js";

/** @import { Player } from "../model/player.js" */
/** @import { Run } from "../model/run.js" */
/** @import { Keep } from "./keep.js" */
/** @import { Session } from "./session.js" */
/** @import { ServiceSocket } from "./socket.js" */
/** @import { CurveNumbers, Refusal, Request, Stored } from "../types.d.ts" */

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

// Asks for the curve over a setting while its panel is shown.

const UNCHANGED = 250; // ms without a change before it asks anew

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
    if (wanted) this.timer = setTimeout(() => this.#ask(), curve.answer ? UNCHANGED : 0);
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

// Asks what is known of a run with mistakes to its end, once its end is shown.

const AT_END = 400; // ms at the end before it asks

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
    if (wanted) this.timer = setTimeout(() => this.#ask(wanted), AT_END);
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
