// Commands to the server. Messages that come faster than Streamlit's runs are dropped, so the whole log goes each time
// until it is acknowledged, and a few times again when nothing is heard.

const RETRIES = 8;
const RETRY_AFTER = 700; // ms
const TOO_OLD = 25_000; // ms after which nobody waits for it any more
const LONGEST = 100;

export class Messages {
  constructor() {
    this.log = [];
    this.trigger = null;
    this.acknowledged = 0;
    this.under = 0; // way: the newest that was sent
    this.count = 0;
  }

  /** Send a command; returns its number. */
  add(name, t) {
    const n = this.#put({ name, t });
    this.#send(RETRIES);
    return n;
  }

  /** Send what a gesture has come to; only its newest message counts, and the next one waits for the last one's answer. */
  stream(name, t, { value, gesture, last }) {
    this.log = this.log.filter((entry) => entry.gesture !== gesture);
    const n = this.#put({ name, t, value, gesture, last });
    if (this.under <= this.acknowledged) this.#send(RETRIES);
    return n;
  }

  #put(entry) {
    this.newest = Math.max(Date.now(), (this.newest ?? 0) + 1);
    this.log = [...this.log, { n: this.newest, ...entry }].slice(-LONGEST);
    return this.newest;
  }

  /** The server has carried out everything up to number n. */
  acknowledge(n, trigger) {
    const first = this.trigger === null;
    this.trigger = trigger;
    this.acknowledged = Math.max(this.acknowledged, n);
    this.log = this.log.filter((entry) => entry.n > n);
    if (this.log.length && !first) this.#send(RETRIES);
  }

  #send(again) {
    clearTimeout(this.timer);
    this.log = this.log.filter(({ n }) => n > Date.now() - TOO_OLD);
    if (!this.log.length) return;
    this.under = this.log.at(-1).n;
    this.count += 1;
    this.trigger("command", { log: this.log });
    if (again > 0) this.timer = setTimeout(() => this.log.length && this.#send(again - 1), RETRY_AFTER);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
