// The door to the run service: one websocket, which opens again by itself.

import { headerOf } from "../model/payload.js";

/** @import { AsideQuestion, Progress, Question } from "../types.d.ts" */

const FIRST_WAIT = 250; // ms before it tries again
const LONGEST_WAIT = 2000;
const PATIENCE = 20_000; // ms without a word after which a connection counts as lost; twice as long the next time
const PATH = "/kpviz/service";
const NEAR = /^wss?:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/; // a server on the same machine

/** No answer will come: the connection was lost, or a newer question took the place of this one. */
export class Gone extends Error {
  constructor() {
    super("No answer from kpviz’s server.");
    this.name = "Gone";
  }
}

/**
 * The address of the service.
 *
 * @param {string} module the address of a module that the server sent
 * @param {{ protocol: string, host: string, pathname: string }} page
 */
export function addressOf(module, { protocol, host, pathname }) {
  const [base, found] = new URL(module).pathname.split("/_stcore/");
  const root = found === undefined ? pathname.replace(/\/(?:lab|fisher)?\/?$/, "") : base;
  return `${protocol === "https:" ? "wss" : "ws"}://${host}${root}${PATH}`;
}

/**
 * A question that waits for its answer.
 * @typedef {{ n: number, resolve: (bytes: Uint8Array) => void, reject: (error: Gone) => void, progress: (progress: Progress) => void }} Waiting
 */

export class Door {
  /** @type {WebSocket | null} */
  socket = null; // the one that is open
  /** @type {Waiting | null} */
  waiting = null;
  /** @type {((state: "here" | "away") => void)[]} */
  listeners = [];
  wait = FIRST_WAIT;
  patience = PATIENCE;
  /** @type {number | undefined} */
  timer; // until it tries again
  /** @type {number | undefined} */
  silence; // until the connection counts as lost
  /** @type {(() => void) | null} */
  drop = null; // what gives up the connection

  /**
   * @param {string} address
   * @param {typeof WebSocket} [Socket]
   */
  constructor(address, Socket = WebSocket) {
    this.address = address;
    this.Socket = Socket;
    this.controller = new AbortController();
    const options = { signal: this.controller.signal };
    window.addEventListener("online", () => this.#hurry(), options);
    document.addEventListener("visibilitychange", () => !document.hidden && this.#hurry(), options);
    this.#open();
  }

  /** Be told when a server answers, and when none does any longer. */
  listen(listener) {
    this.listeners.push(listener);
    if (this.socket) listener("here");
  }

  /**
   * Ask; a question that is unanswered is cancelled by that.
   *
   * @param {Question | AsideQuestion} question
   * @param {{ progress?: (progress: Progress) => void }} [options]
   * @returns {Promise<Uint8Array>} rejects with `Gone` where no answer will come
   */
  ask(question, { progress = () => {} } = {}) {
    this.waiting?.reject(new Gone());
    return new Promise((resolve, reject) => {
      this.waiting = { n: question.n, resolve, reject, progress };
      if (!this.socket) this.#giveUp();
      else this.#send(question);
    });
  }

  /** Give up all questions before number n. */
  cancel(n) {
    this.#giveUp();
    if (this.socket) this.socket.send(JSON.stringify({ n, cancel: true }));
  }

  stop() {
    this.controller.abort();
    this.listeners = [];
    clearTimeout(this.timer);
    this.drop?.();
    clearTimeout(this.timer);
  }

  /** @param {Question | AsideQuestion} question */
  #send(question) {
    this.socket.send(JSON.stringify(NEAR.test(this.address) ? { ...question, near: true } : question));
    this.#listenLonger();
  }

  #giveUp() {
    const { waiting } = this;
    this.waiting = null;
    clearTimeout(this.silence);
    waiting?.reject(new Gone());
  }

  #listenLonger() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.patience *= 2; // it may be the work that takes so long
      this.drop();
    }, this.patience);
  }

  // ---- the connection ---------------------------------------------------------------------------

  #open() {
    const socket = new this.Socket(this.address);
    socket.binaryType = "arraybuffer";
    let lost = false;
    const lose = () => {
      if (lost) return;
      lost = true;
      socket.close();
      this.#lost();
    };
    this.drop = lose;
    socket.addEventListener("open", () => {
      if (lost) return;
      this.socket = socket;
      this.wait = FIRST_WAIT;
      this.#tell("here");
    });
    socket.addEventListener("message", ({ data }) => !lost && this.#take(data));
    socket.addEventListener("close", lose);
    socket.addEventListener("error", lose);
  }

  #lost() {
    this.socket = this.drop = null;
    this.timer = setTimeout(() => this.#open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    this.#tell("away");
    this.#giveUp();
  }

  /** Try again at once. */
  #hurry() {
    if (this.drop) return;
    clearTimeout(this.timer);
    this.#open();
  }

  #tell(state) {
    for (const listener of this.listeners) listener(state);
  }

  /** @param {string | ArrayBuffer} data */
  #take(data) {
    const { waiting } = this;
    if (!waiting) return;
    if (typeof data === "string") {
      const extra = JSON.parse(data);
      if (extra.n !== waiting.n) return;
      this.#listenLonger();
      waiting.progress(extra);
      return;
    }
    const bytes = new Uint8Array(data);
    if (headerOf(bytes).n !== waiting.n) return; // it was under way when a newer question took its place
    this.waiting = null;
    this.patience = PATIENCE;
    clearTimeout(this.silence);
    waiting.resolve(bytes);
  }
}
