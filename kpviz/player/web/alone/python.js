// The way to the Python in the page, with the face of ServiceSocket. What the page holds packed it
// answers itself; Python comes once somebody asks for anything else.
//
// The page tells the worker once `{ python, module, port }`: its config with whole addresses, what
// an earlier Python of the page was compiled to, and a port on which all else passes. On it go
// - to the worker: a question as JSON, as on the websocket, `{ n, kind, cancel: true }` among them;
//   and `{ ping }`, which it answers from its event loop by `{ pong }`;
// - from the worker, while Python comes: `{ loaded }`, in bytes, and `{ module }`; then `{ ready }`
//   or `{ failed }`, a sentence;
// - from the worker, later: `{ text }`, the progress of a question as JSON, and `{ bytes }`, an
//   answer.
// Questions may come before Python is here, and of each port and kind the newest counts. The page
// ends a worker that does not let go of what nobody wants, and asks a new one again: so a worker
// keeps nothing that matters. All figures of a document share one worker, which belongs to the page
// around them.

import { KnownAnswers, packet } from "./known_answers.js";
import { Gone } from "../service/socket.js";
import { headerOf } from "../run/payload.js";

/** @import { ZippedAnswer } from "./known_answers.js" */
/** @import { Waiting } from "../service/socket.js" */
/** @import { Progress, Question, Request } from "../service/types.d.ts" */

/**
 * Where the worker is, and how many bytes come with it; all else is the worker's own.
 * @typedef {{ worker: string, size: number, [name: string]: string | number }} PythonConfig
 */
/** @typedef {Waiting & { text: string }} Open */

const UNASKED = ["verdict"]; // Nobody asked for it, so Python does not come for it.
const PATIENCE = 2500; // In ms: so long a worker may work on what nobody wants.
const ENDED = "kpviz-python-ended"; // The event of the page that has the worker.
const MEGABYTE = 1_000_000; // In bytes.
const FROM_DISK =
  "Python does not come into a page that is opened from a disk: put its folder on a web space, or run python -m http.server in it.";
const IN_SANDBOX = "Python does not come into this frame: open the page in a window of its own.";
const CANCELLED = "This needs Python in the page, which was not to come.";
const NO_WEBASSEMBLY = "This browser has no WebAssembly, so Python does not come into the page.";

/**
 * A page that has a worker, and what it was compiled to.
 * @typedef {Window & { kpvizPython?: Worker | null, kpvizModule?: WebAssembly.Module }} Home
 */

export class Python {
  isConnected = true; // It comes when it is asked.
  n = 0; // The number of the newest question.
  /** @type {Map<string, Open>} */
  waiting = new Map(); // The newest question of each kind.
  /** @type {MessagePort | null} */
  port = null; // To the worker, once Python is wanted.
  ready = false; // Python is here.
  loaded = 0; // In bytes.
  /**
   * Says how much of Python has come; null: it is here, or does not come.
   * @type {(progress: Progress | null) => void}
   */
  tell = () => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer; // It runs while a worker may still work on what nobody wants.

  /**
   * @param {PythonConfig} config with addresses as seen from the page
   * @param {ZippedAnswer[]} packedAnswers
   * @param {string} instead what is said of a page where there is no Python, in a sentence
   */
  constructor(config, packedAnswers = [], instead = "") {
    this.instead = instead;
    const whole = (value) =>
      typeof value === "string" ? new URL(value, document.baseURI).href : value;
    this.config = /** @type {PythonConfig} */ (
      Object.fromEntries(Object.entries(config).map(([name, value]) => [name, whole(value)]))
    );
    this.known = new KnownAnswers(packedAnswers);
    this.home = homeOf(window);
    this.controller = new AbortController();
    const { signal } = this.controller;
    this.home.addEventListener(ENDED, () => this.#begunAnew(), { signal });
    const left = ({ persisted }) => persisted || this.stop();
    window.addEventListener("pagehide", left, { signal });
  }

  /** @type {import("../service/socket.js").ServiceSocket["listen"]} */
  listen(listener) {
    listener(true);
  }

  /** @type {import("../service/socket.js").ServiceSocket["ask"]} */
  ask(kind, question, progress = () => {}) {
    this.#giveUp(kind);
    if (UNASKED.some((other) => this.waiting.has(other))) this.#watch();
    return new Promise((resolve, reject) => {
      const n = ++this.n;
      const text = JSON.stringify({ ...question, n, kind, near: true });
      this.waiting.set(kind, { n, resolve, reject, progress, text });
      this.#answer(kind, n, question).catch(reject);
    });
  }

  /** Give up the question of a kind. */
  cancel(kind) {
    const { n } = this.waiting.get(kind) ?? {};
    this.#giveUp(kind);
    if (!this.port) return;
    if (!this.ready) {
      this.#fail(CANCELLED); // What else waits for it.
      this.#end();
    } else if (n) this.port.postMessage(JSON.stringify({ n, kind, cancel: true }));
  }

  stop() {
    this.controller.abort();
    clearTimeout(this.timer);
    this.port?.close();
  }

  /** Let Python come. */
  begin() {
    if (this.port) return;
    const sentence = this.#reasonAgainst;
    if (sentence) {
      this.#fail(sentence);
      return;
    }
    try {
      const { Worker: HomeWorker } = /** @type {Window & typeof globalThis} */ (this.home);
      this.home.kpvizPython ??= new HomeWorker(this.config.worker, { type: "module" });
    } catch {
      this.#fail(IN_SANDBOX);
      return;
    }
    const worker = this.home.kpvizPython;
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.ready = false;
    this.loaded = this.home.kpvizModule ? this.config.size : 0;
    port1.onmessage = ({ data }) => this.port === port1 && this.#take(data);
    worker.addEventListener("error", () => {
      if (this.port !== port1) return;
      this.#take({ failed: `Python could not come: ${this.config.worker} could not be loaded.` });
    });
    const module = this.home.kpvizModule;
    worker.postMessage({ python: this.config, module, port: port2 }, [port2]);
    /** @param {[string, Open]} entry */
    const isUnasked = ([kind]) => Number(UNASKED.includes(kind));
    const questions = [...this.waiting].sort((one, other) => isUnasked(one) - isUnasked(other));
    for (const [, { text }] of questions) port1.postMessage(text);
    this.#tell();
  }

  /** Why Python cannot come at all, in a sentence; "" if it can. */
  get #reasonAgainst() {
    if (this.instead) return this.instead;
    if (new URL(document.baseURI).protocol === "file:") return FROM_DISK;
    return typeof WebAssembly === "undefined" ? NO_WEBASSEMBLY : "";
  }

  #giveUp(kind) {
    const waiting = this.waiting.get(kind);
    this.waiting.delete(kind);
    if (!waiting) return;
    waiting.reject(new Gone());
    this.#watch();
  }

  /** The worker may be at something that can wait, or that nobody wants: ask whether it is free. */
  #watch() {
    if (!this.ready) return;
    this.port.postMessage({ ping: this.n });
    this.timer ??= setTimeout(() => this.#end(), PATIENCE);
  }

  /** End the worker; each page that used it, or that still waits, begins a new one. */
  #end() {
    this.home.kpvizPython?.terminate();
    this.home.kpvizPython = null;
    this.home.dispatchEvent(new Event(ENDED));
  }

  #begunAnew() {
    const goesOn = this.ready || this.#awaitsPython;
    this.#drop();
    if (goesOn) this.begin();
  }

  #drop() {
    this.port?.close();
    this.port = null;
    this.ready = false;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  get #awaitsPython() {
    return [...this.waiting.keys()].some((kind) => !UNASKED.includes(kind));
  }

  /** Python does not come: whoever waits for it is told why. @param {string} sentence */
  #fail(sentence) {
    this.tell(null);
    for (const [kind, { n, resolve }] of [...this.waiting]) {
      this.waiting.delete(kind);
      resolve(packet({ n, failed: sentence, arrays: [] }));
    }
  }

  /** @param {Question | Request} question */
  async #answer(kind, n, question) {
    const isRun = kind === "run";
    const known = isRun ? await this.known.answer(/** @type {Question} */ (question), n) : null;
    const waiting = this.waiting.get(kind);
    if (waiting?.n !== n) return;
    if (known) {
      this.waiting.delete(kind);
      waiting.resolve(known);
    } else if (this.port) {
      this.port.postMessage(waiting.text);
      this.#tell();
    } else if (!UNASKED.includes(kind)) this.begin();
  }

  /** Say what is awaited, and how much of it has come. */
  #tell() {
    if (this.ready || !this.port) return;
    const { size } = this.config;
    const megabytes = (bytes) => Math.round(bytes / MEGABYTE);
    const words =
      this.loaded < size
        ? `Python comes into this page, once: ${megabytes(this.loaded)} of ${megabytes(size)} MB`
        : "Python is here, and starts …";
    /** @type {Progress} */
    const coming = { progress: [this.loaded, size], left: null, place: null, words };
    for (const { progress } of this.waiting.values()) progress(coming);
    this.tell(coming);
  }

  #take(message) {
    const { loaded = 0, module, ready = false, failed, pong = 0, text, bytes } = message;
    if (module) this.home.kpvizModule = module;
    this.loaded = Math.max(loaded, this.loaded);
    if (loaded) this.#tell();
    if (ready) {
      this.ready = true;
      this.tell(null);
    }
    if (failed) {
      this.home.kpvizPython?.terminate();
      this.home.kpvizPython = null;
      this.#drop(); // The next question tries again.
      this.#fail(failed);
    }
    if (pong) {
      clearTimeout(this.timer);
      this.timer = undefined;
    }
    if (!text && !bytes) return;
    const { n, ...progress } = text ? JSON.parse(text) : headerOf(bytes);
    const [kind, waiting] = [...this.waiting].find(([, open]) => open.n === n) ?? [];
    if (!waiting) return; // It was given up.
    if (text) waiting.progress(progress);
    else {
      this.waiting.delete(kind);
      waiting.resolve(bytes);
    }
  }
}

/**
 * The page that has the worker: the one around, if it is of the same site.
 *
 * @param {Window} page
 * @returns {Home}
 */
function homeOf(page) {
  try {
    return page.parent.document ? /** @type {Home} */ (page.parent) : page;
  } catch {
    return page;
  }
}
