// The line in which something is said for a moment.

const MOMENT = 2600; // ms

export class Status {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {HTMLElement} line
   * @param {() => void} [where] what puts the line where it covers nothing
   */
  constructor(line, where = () => {}) {
    this.line = line;
    this.where = where;
  }

  /** The board is laid out anew. */
  place() {
    if (!this.line.hidden) this.where();
  }

  /** Say something for a moment. */
  say(words, { persist = false } = {}) {
    this.#show(words);
    if (!persist) this.timer = setTimeout(() => this.#show(null), MOMENT);
  }

  #show(words) {
    clearTimeout(this.timer);
    this.line.textContent = words ?? "";
    this.line.hidden = words === null;
    this.place();
  }
}
