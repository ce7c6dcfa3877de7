// Commands to the server. Messages that come faster than Streamlit's runs are dropped, so the whole log goes each time
// until it is acknowledged, and a few times again when nothing is heard. As each message begins a run anew, one that takes
// long must be left in peace: each wait is twice the one before, and the first is longer where answers take longer.

const RETRIES = 5;
const RETRY_AFTER = 700; // ms, at least
const LONGEST_WAIT = 5000; // ms, for the first time
const FILE_AFTER = 6000; // ms, where a whole file is in the log
const TOO_OLD = 25_000; // ms after which nobody waits for it any more
const LONGEST = 100;

/** @import { Message, Trigger } from "../types.d.ts" */

export class Messages {
  /** @type {Message[]} */
  log = [];
  /** @type {Trigger | null} */
  trigger = null;
  acknowledged = 0;
  newest = 0; // the number of the newest message
  under = 0; // way: the newest that was sent
  count = 0;
  sentAt = 0;
  patience = RETRY_AFTER;
  /** @type {number | null} */
  timer = null; // until it is sent once more; null: nobody tries any longer

  /**
   * Send a command; returns its number.
   *
   * @param {string} name
   * @param {number} t
   * @param {unknown} [value]
   */
  add(name, t, value) {
    const n = this.#put({ name, t, value });
    this.#send();
    return n;
  }

  /** Send what a gesture has come to; only its newest message counts, and the next one waits for the last one's answer. */
  stream(name, t, { value, gesture, last }) {
    this.log = this.log.filter((entry) => entry.gesture !== gesture);
    const n = this.#put({ name, t, value, gesture, last });
    if (this.under <= this.acknowledged || this.timer === null) this.#send();
    return n;
  }

  /** Whether the answer to message n is still to come. */
  awaits(n) {
    return n > this.acknowledged && n > Date.now() - TOO_OLD;
  }

  /** @param {Message} entry */
  #put(entry) {
    this.newest = Math.max(Date.now(), this.newest + 1);
    this.log = [...this.log, { n: this.newest, ...entry }].slice(-LONGEST);
    return this.newest;
  }

  /**
   * The server has carried out everything up to number n.
   *
   * @param {number} n
   * @param {Trigger | null} trigger
   */
  acknowledge(n, trigger) {
    const first = this.trigger === null;
    this.trigger = trigger;
    if (n > this.acknowledged && !first) {
      this.patience = Math.min(Math.max(2 * (Date.now() - this.sentAt), RETRY_AFTER), LONGEST_WAIT);
    }
    this.acknowledged = Math.max(this.acknowledged, n);
    this.log = this.log.filter((entry) => entry.n > n);
    if (this.log.length && !first) this.#send();
  }

  #send(again = RETRIES) {
    this.stop();
    this.log = this.log.filter(({ n }) => n > Date.now() - TOO_OLD);
    if (!this.log.length) return;
    this.under = this.log.at(-1).n;
    this.count += 1;
    this.sentAt = Date.now();
    this.trigger("command", { log: this.log });
    const wait = this.log.some(({ name }) => name === "open") ? FILE_AFTER : this.patience;
    if (again > 0) {
      this.timer = setTimeout(() => this.log.length && this.#send(again - 1), wait * 2 ** (RETRIES - again));
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
  }
}
