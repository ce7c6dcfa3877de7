// The line in which something is said: for a moment, or for as long as it is so.

const MOMENT = 2600; // ms
const PATIENCE = 2000; // ms after which what stands is said: a connection that is lost is often back by then

export const AWAY = "No answer from kpviz’s server: stepping and playing go on, changes wait.";

export class Status {
  /** @type {string | null} */
  standing = null; // what is said when nothing else is
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting; // to be said

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
    if (!persist) this.timer = setTimeout(() => this.#show(this.standing), MOMENT);
  }

  /** Say something for as long as it is so, unless it is soon over; null: it is so no longer. */
  stand(words) {
    clearTimeout(this.waiting);
    if (words === null) this.#stand(null);
    else this.waiting = setTimeout(() => this.#stand(words), PATIENCE);
  }

  #stand(words) {
    this.standing = words;
    this.#show(words);
  }

  #show(words) {
    clearTimeout(this.timer);
    this.line.textContent = words ?? "";
    this.line.hidden = words === null;
    this.place();
  }
}
