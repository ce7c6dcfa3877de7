// What is asked besides the run: for a curve, for advice, for a lesson. Of each kind the newest
// question counts.

import { headerOf } from "../run/payload.js";
import { Gone } from "./socket.js";

/** @import { Player } from "../board/player.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Keep } from "./keep.js" */
/** @import { Session } from "./session.js" */
/** @import { ServiceSocket } from "./socket.js" */
/** @import { CurveNumbers } from "../run/types.d.ts" */
/** @import { Progress, Refusal, Request, Stored } from "./types.d.ts" */

/**
 * A question that waits, and what takes the answer.
 * @typedef {{ question: Request, take: (bytes: Uint8Array, header: Refusal) => void, progress?:
 *   (progress: Progress) => void }} WaitingRequest
 */

export class Requests {
  /** @type {Map<string, WaitingRequest>} */
  waiting = new Map();

  /**
   * @param {Pick<ServiceSocket, "ask" | "cancel" | "listen" | "isConnected">} socket
   * @param {Pick<Keep, "all">} keep
   */
  constructor(socket, keep) {
    this.socket = socket;
    this.keep = keep;
    // What waits is asked again after the connection was lost.
    socket.listen((here) => here && this.waiting.forEach((_, kind) => this.#send(kind)));
  }

  /**
   * Ask; what was asked before of this kind is given up.
   *
   * @param {string} kind
   * @param {Request} question
   * @param {WaitingRequest["take"]} take
   * @param {WaitingRequest["progress"]} [progress]
   */
  ask(kind, question, take, progress) {
    this.waiting.set(kind, { question, take, progress });
    this.#send(kind);
  }

  /** Give up what was asked. */
  drop(kind) {
    if (this.waiting.delete(kind)) this.socket.cancel(kind);
  }

  /** @param {Record<string, Stored | null>} bring */
  async #send(kind, bring = {}) {
    const waiting = this.waiting.get(kind);
    if (!this.socket.isConnected) return;
    try {
      const bytes = await this.socket.ask(
        kind,
        { ...waiting.question, shown: true, bring },
        waiting.progress,
      );
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

/** Asks for what is wanted of the board, once it is wanted for a while. */
class Asker {
  /** @type {unknown} */
  subject = null; // What it asks about, or has asked about last.
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {Player} player
   * @param {Session} session
   * @param {"curve" | "verdict"} kind
   */
  constructor(player, session, kind) {
    this.player = player;
    this.requests = session.requests;
    this.kind = kind;
  }

  /** Something else may be wanted, in some ms, or nothing: null. */
  want(subject, ms) {
    if (subject === this.subject) return;
    clearTimeout(this.timer);
    this.requests.drop(this.kind);
    this.subject = subject;
    if (subject !== null) this.timer = setTimeout(() => this.ask(), ms);
  }

  ask() {}

  stop() {
    clearTimeout(this.timer);
  }
}

const UNCHANGED = 250; // In ms, without a change, before it asks again.

/** Asks for the curve over a setting while its panel is shown. */
export class Curves extends Asker {
  look() {
    const { curve, layout } = this.player;
    const missingKey = layout.panels.curve && curve.answered !== curve.key ? curve.key : null;
    this.want(missingKey, curve.answer ? UNCHANGED : 0);
  }

  ask() {
    const { player } = this;
    const { name, seeds } = player.curve;
    const question = { link: player.run.header.settings.query, curve: { name, seeds } };
    /** @param {Uint8Array} _ @param {Refusal & { curve?: CurveNumbers }} header */
    const take = (_, { curve: numbers, failed }) => {
      player.curve.take(numbers ?? null, numbers ? "" : failed || "There is no such curve.");
      this.subject = null;
      this.look(); // The settings may be others by now.
      player.page.redraw();
    };
    this.requests.ask(this.kind, question, take);
  }
}

const AT_END = 400; // In ms, at the end, before it asks.

/** Asks what is known of a run with mistakes to its end, once its end is shown. */
export class VerdictAsker extends Asker {
  look() {
    this.want(this.player.verdicts.openRun, AT_END);
  }

  ask() {
    const { player, subject } = this;
    const run = /** @type {Run} */ (subject);
    const question = { link: run.header.settings.query, verdict: /** @type {const} */ (true) };
    this.requests.ask(this.kind, question, (bytes, { failed }) => {
      player.verdicts.take(run, failed ? null : bytes);
      player.page.redraw();
    });
  }
}
