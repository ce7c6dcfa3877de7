// What a reader asked for and was not answered yet, in turn.

/** @import { Entry, Step, Stored } from "../types.d.ts" */

const MOST = 100; // commands of one question
const LONGEST = 20_000_000; // characters of all of them, unless one alone is longer: a command may bring a file

export class Pending {
  /** @type {Entry[]} */
  entries = [];
  newest = 0; // the number of the newest entry
  /** @type {(Omit<Entry, "n"> | null)[]} */
  taken = []; // changes that were taken back before they were answered, to be redone; null: one that was, undone since

  /**
   * Add an entry; returns its number.
   *
   * @param {Omit<Entry, "n">} entry
   */
  put(entry) {
    this.newest += 1;
    if (!entry.way) this.taken = [];
    this.entries.push({ n: this.newest, ...entry });
    return this.newest;
  }

  /** The change that was undone last is asked for again; returns its number, null: it was answered, or there is none. */
  again() {
    const entry = this.taken.pop();
    if (!entry) return null;
    const { taken } = this;
    const n = this.put(entry);
    this.taken = taken;
    return n;
  }

  /** A change that was answered is undone: it is redone before those that were taken back. */
  pass() {
    if (this.taken.length) this.taken.push(null);
  }

  /** How many changes that were taken back can be redone. */
  get redone() {
    return this.taken.filter(Boolean).length;
  }

  get first() {
    return this.entries[0];
  }

  shift() {
    return this.entries.shift();
  }

  /** The commands that one question can bring: those before the first way to go. */
  get batch() {
    let length = 0;
    const end = this.entries.findIndex(
      (entry, k) => entry.way || k === MOST || ((length += lengthOf(entry)) > LONGEST && k > 0),
    );
    return this.entries.slice(0, end < 0 ? undefined : end);
  }

  /** How many changes there are. */
  get changes() {
    return this.entries.reduce(
      (count, { way }) => (way === "undo" ? Math.max(count - 1, 0) : count + (way ? 0 : 1)),
      0,
    );
  }

  /** Whether what a gesture has come to is here. */
  holds(gesture) {
    return this.entries.some((entry) => entry.gesture === gesture);
  }

  /** Drop what a gesture has come to. */
  drop(gesture) {
    this.entries = this.entries.filter((entry) => entry.gesture !== gesture);
  }

  /** A gesture is finished with what it has come to; returns whether that is here. */
  finish(gesture) {
    const newest = this.entries.find((entry) => entry.gesture === gesture);
    if (newest) newest.last = true;
    return newest !== undefined;
  }

  /** Everything up to number n was answered. */
  answered(n) {
    this.entries = this.entries.filter((entry) => entry.n > n);
  }

  /** Take an undo together with the change before it; returns whether there were both. A gesture goes back to its beginning. */
  takeBack() {
    const at = this.entries.findIndex(({ way }, k) => way === "undo" && k > 0 && !this.entries[k - 1].way);
    if (at < 0) return false;
    if (this.entries[at + 1]?.way === "redo") {
      this.entries.splice(at, 2); // it was redone
      return true;
    }
    const [{ gesture, name, value }, { n }] = this.entries.slice(at - 1);
    if (this.entries.slice(at + 1).every((entry) => entry.way)) this.taken.push({ name, value }); // else something came after
    /** @type {Entry[]} */
    const back = gesture === undefined ? [] : [{ n, way: "back" }];
    this.entries.splice(at - 1, 2, ...back);
    return true;
  }
}

/** How long a command is, as far as it matters. @type {(entry: Entry) => number} */
const lengthOf = ({ value }) => {
  const { data = "", text = "" } = /** @type {{ data?: string, text?: string }} */ (value ?? {});
  return data.length + text.length;
};

/**
 * What is to be kept: of a command that was just sent, the answer says its place alone.
 *
 * @type {(record: Stored | { command: number }, entries: Entry[]) => Stored}
 */
export const stored = (record, entries) => {
  if (!("command" in record)) return record;
  const { name, value } = entries[record.command];
  return { name, value };
};

/** @param {Entry} entry */
export const finished = ({ gesture, last }) => gesture === undefined || last === true;

/** @type {(one: Step, other: Step) => boolean} */
export const same = (one, other) => one.link === other.link && one.origin === other.origin && one.data === other.data;
