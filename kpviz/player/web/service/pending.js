// What a reader asked for and has no answer to, in turn.

/**
 * A command, or a way to go: undo, redo, or back to where a gesture began. Of a gesture only the newest counts.
 * @typedef {object} Entry
 * @property {number} n rises
 * @property {string} [name]
 * @property {unknown} [value]
 * @property {number} [gesture]
 * @property {boolean} [last] of its gesture
 * @property {"undo" | "redo" | "back"} [way]
 */

const MOST = 100; // commands of one question

export class Pending {
  /** @type {Entry[]} */
  entries = [];
  newest = 0; // the number of the newest entry

  /**
   * Add an entry; returns its number.
   *
   * @param {Omit<Entry, "n">} entry
   */
  put(entry) {
    this.newest += 1;
    this.entries.push({ n: this.newest, ...entry });
    return this.newest;
  }

  get first() {
    return this.entries[0];
  }

  shift() {
    return this.entries.shift();
  }

  /** The commands that one question can bring: those before the first way to go. */
  get batch() {
    const end = this.entries.findIndex(({ way }) => way);
    return this.entries.slice(0, end < 0 ? MOST : Math.min(end, MOST));
  }

  /** How many changes there are. */
  get changes() {
    return this.entries.reduce((count, { way }) => (way === "undo" ? Math.max(count - 1, 0) : count + (way ? 0 : 1)), 0);
  }

  /** Drop what a gesture has come to. */
  drop(gesture) {
    this.entries = this.entries.filter((entry) => entry.gesture !== gesture);
  }

  /** All gestures but this one are finished; returns whether one of them was not. */
  finish(gesture) {
    const open = this.entries.filter((entry) => entry.gesture !== undefined && entry.gesture !== gesture && !entry.last);
    for (const entry of open) entry.last = true;
    return open.length > 0;
  }

  /** Everything up to number n was answered. */
  answered(n) {
    this.entries = this.entries.filter((entry) => entry.n > n);
  }

  /** Take the first undo together with the change before it; returns whether there were both. */
  takeBack() {
    const at = this.entries.findIndex(({ way }) => way === "undo");
    if (at < 1 || this.entries[at - 1].way) return false;
    this.entries.splice(at - 1, 2);
    return true;
  }
}
