// The way to the run service: one websocket, which opens again by itself.

import { inflated } from "./compressed.js";
import { headerOf } from "../run/payload.js";

/** @import { Progress, Question, Request } from "./types.d.ts" */

const FIRST_WAIT = 250; // In ms, before it tries again.
const LONGEST_WAIT = 2000;
// In ms, without a word: then a connection counts as lost. The next time it is twice as long.
const PATIENCE = 20_000;
const PATH = "/kpviz/service";
// The server is on the same machine.
const ON_THIS_MACHINE = /^wss?:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/;

/** No answer will come: the connection was lost, or a newer question took the place of this one. */
export class Gone extends Error {
  constructor() {
    super("No answer from kpviz’s server.");
    this.name = "Gone";
  }
}

/**
 * The address of the service. A module that Streamlit served has the base of the app before
 * `/_stcore/`. For another module it is the path of the page, without the name of the page; only
 * the pages named here have a player.
 *
 * @param {string} module the address of a module that the server sent
 * @param {{ protocol: string, host: string, pathname: string }} page
 */
export function addressOf(module, { protocol, host, pathname }) {
  const [base, pathInStreamlit] = new URL(module).pathname.split("/_stcore/");
  const isOfStreamlit = pathInStreamlit !== undefined;
  const root = isOfStreamlit ? base : pathname.replace(/\/(?:lab|fisher)?\/?$/, "");
  return `${protocol === "https:" ? "wss" : "ws"}://${host}${root}${PATH}`;
}

/**
 * A question that waits for its answer.
 * @typedef {{ n: number, resolve: (bytes: Uint8Array) => void, reject: (error: Gone) => void,
 *   progress: (progress: Progress) => void }} Waiting
 */

export class ServiceSocket {
  /** @type {WebSocket | null} */
  socket = null; // The socket that is open.
  /** @type {Map<string, Waiting>} */
  waiting = new Map(); // The newest question of each kind.
  n = 0; // The number of the newest question.
  /** @type {((isConnected: boolean) => void)[]} */
  listeners = [];
  wait = FIRST_WAIT;
  patience = PATIENCE;
  /** @type {number | undefined} */
  retryTimer; // It runs until the next try.
  /** @type {number | undefined} */
  silenceTimer; // It runs until the connection counts as lost.
  /** @type {(() => void) | null} */
  drop = null; // It gives up the connection that is open or being opened; null until the next try.

  /** @param {string} address @param {typeof WebSocket} [Socket] */
  constructor(address, Socket = WebSocket) {
    this.address = address;
    this.Socket = Socket;
    this.controller = new AbortController();
    const options = { signal: this.controller.signal };
    window.addEventListener("online", () => this.#hurry(), options);
    document.addEventListener("visibilitychange", () => !document.hidden && this.#hurry(), options);
    this.#open();
  }

  /** Whether a server is there. */
  get isConnected() {
    return this.socket !== null;
  }

  /** Be told when a server answers, and when none does any longer. */
  listen(listener) {
    this.listeners.push(listener);
    if (this.isConnected) listener(true);
  }

  /**
   * Ask; a question of the same kind that is unanswered is cancelled by that.
   *
   * @param {string} kind
   * @param {Question | Request} question
   * @param {(progress: Progress) => void} [progress]
   * @returns {Promise<Uint8Array>} rejects with `Gone` where no answer will come
   */
  ask(kind, question, progress = () => {}) {
    this.#giveUp(kind);
    return new Promise((resolve, reject) => {
      if (!this.isConnected) {
        reject(new Gone());
        return;
      }
      const n = ++this.n;
      this.waiting.set(kind, { n, resolve, reject, progress });
      this.#send({ ...question, n, kind });
    });
  }

  /** Give up the question of a kind. */
  cancel(kind) {
    const { n } = this.waiting.get(kind) ?? {};
    this.#giveUp(kind);
    if (n && this.isConnected) this.#send({ n, kind, cancel: true });
  }

  stop() {
    this.controller.abort();
    this.listeners = [];
    this.drop?.();
    clearTimeout(this.retryTimer); // A connection that is dropped starts it.
  }

  #send(question) {
    // A server that is near sends its answer uncompressed, which is sooner there.
    const isNear = ON_THIS_MACHINE.test(this.address);
    this.socket.send(JSON.stringify(isNear ? { ...question, near: true } : question));
    this.#restartSilence();
  }

  #giveUp(kind) {
    const waiting = this.waiting.get(kind);
    this.waiting.delete(kind);
    waiting?.reject(new Gone());
  }

  /** Some word must come while a question waits: count the time without one from now on. */
  #restartSilence() {
    clearTimeout(this.silenceTimer);
    if (!this.waiting.size) return;
    this.silenceTimer = setTimeout(() => {
      this.patience *= 2; // It may be the work that takes so long.
      this.drop();
    }, this.patience);
  }

  // ---- the connection --------------------------------------------------------------------------

  #open() {
    const socket = new this.Socket(this.address);
    socket.binaryType = "arraybuffer";
    let isLost = false;
    const lose = () => {
      if (isLost) return;
      isLost = true;
      socket.close();
      this.#retryLater();
    };
    this.drop = lose;
    socket.addEventListener("open", () => {
      if (isLost) return;
      this.socket = socket;
      this.wait = FIRST_WAIT;
      this.#tell();
    });
    socket.addEventListener("message", ({ data }) => !isLost && this.#take(data));
    socket.addEventListener("close", lose);
    socket.addEventListener("error", lose);
  }

  /** The connection is lost: all questions are given up, and another try comes later. */
  #retryLater() {
    this.socket = this.drop = null;
    clearTimeout(this.silenceTimer);
    this.retryTimer = setTimeout(() => this.#open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    this.#tell();
    for (const kind of [...this.waiting.keys()]) this.#giveUp(kind);
  }

  /** Do not wait for the next try: try at once. */
  #hurry() {
    if (this.drop) return;
    clearTimeout(this.retryTimer);
    this.#open();
  }

  #tell() {
    for (const listener of this.listeners) listener(this.isConnected);
  }

  /** @param {string | ArrayBuffer} data */
  async #take(data) {
    const isText = typeof data === "string";
    const bytes = isText ? null : await inflated(new Uint8Array(data));
    const { n, ...progress } = isText ? JSON.parse(data) : headerOf(bytes);
    const [kind, waiting] = [...this.waiting].find(([, question]) => question.n === n) ?? [];
    if (!waiting) return; // It was under way when a newer question took its place.
    if (isText) waiting.progress(progress);
    else {
      this.waiting.delete(kind);
      this.patience = PATIENCE;
      waiting.resolve(bytes);
    }
    this.#restartSilence();
  }
}
