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
  }

  add(name, t) {
    const last = this.log.at(-1)?.n ?? 0;
    this.log = [...this.log, { n: Math.max(Date.now(), last + 1), name, t }].slice(-LONGEST);
    this.#send(RETRIES);
  }

  /** The server has carried out everything up to number n. */
  acknowledge(n, trigger) {
    const first = this.trigger === null;
    this.trigger = trigger;
    this.log = this.log.filter((entry) => entry.n > n);
    if (this.log.length && !first) this.#send(RETRIES);
  }

  #send(again) {
    clearTimeout(this.timer);
    this.log = this.log.filter(({ n }) => n > Date.now() - TOO_OLD);
    if (!this.log.length) return;
    this.trigger("command", { log: this.log });
    if (again > 0) this.timer = setTimeout(() => this.log.length && this.#send(again - 1), RETRY_AFTER);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
