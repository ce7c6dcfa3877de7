// What a reader asked for and was not answered yet, in turn.

import { unwound } from "./unwound.js";

/** @import { Entry, Step, Stored, Undone } from "../types.d.ts" */

const MOST = 100; // commands of one question
const LONGEST = 20_000_000; // characters of all of them, unless one alone is longer: a command may bring a file

export class Pending {
  /** @type {Entry[]} */
  entries = [];
  newest = 0; // the number of the newest entry
  /** @type {Undone[]} */
  undone = []; // since the last change, the newest last: what can be redone
  /** @type {{ gesture: number | undefined, undone: Undone[] }} */
  aside = { gesture: undefined, undone: [] }; // what could be redone before the newest change, if a gesture is making it

  /**
   * Add an entry; returns its number.
   *
   * @param {Omit<Entry, "n">} entry
   */
  put(entry) {
    this.newest += 1;
    if (!entry.way && !entry.again) this.#setAside(entry.gesture);
    this.entries.push({ n: this.newest, ...entry });
    return this.newest;
  }

  /** What was undone cannot be redone after a change; until a gesture is finished it can be abandoned. */
  #setAside(gesture) {
    const goesOn = gesture !== undefined && gesture === this.aside.gesture;
    if (!goesOn) this.aside = { gesture, undone: this.undone };
    this.undone = [];
  }

  /** Undo what was done last; returns the number of the entry. */
  undo() {
    /** @type {Undone} */
    const of = { change: null };
    this.undone.push(of);
    return this.put({ way: "undo", of });
  }

  /** Redo what was undone last: a change that was never answered is asked for again. Returns the number of the entry. */
  redo() {
    return this.put(again(this.undone.pop()));
  }

  /** How many changes can be redone, null: all that the history has. */
  get redone() {
    return this.undone.some(({ change }) => change) ? this.undone.length : null;
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
    return this.entries.filter(({ way }) => !way).length;
  }

  /** How often one can undo after all entries, from how often one can before. @param {number} count */
  undoable(count) {
    return this.entries.reduce(
      (count, { way }) => (way === "undo" ? Math.max(count - 1, 0) : count + Number(way !== "back")),
      count,
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

  /** Drop what a gesture has come to, as if it had never begun. */
  abandon(gesture) {
    this.drop(gesture);
    if (this.aside.gesture === gesture) this.undone = this.aside.undone;
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

  /** There was nothing to undo for this entry: its redo is of what was undone before. @param {Entry} entry */
  spare({ of }) {
    const other = this.#older.filter((undone) => undone !== of).pop();
    const at = this.entries.findIndex((entry) => entry.of === of);
    const gone = at < 0 ? of : other;
    this.undone = this.undone.filter((undone) => undone !== gone);
    if (at >= 0) this.entries[at] = { n: this.entries[at].n, ...again(other) };
  }

  /** Give up everything. */
  giveUp() {
    this.undone = this.#older;
    this.entries = [];
  }

  /** What can be redone of what was undone before the entries. */
  get #older() {
    const own = new Set(this.entries.map(({ of }) => of));
    return this.undone.filter((of) => !own.has(of));
  }

  /** Whether a change is undone before it was answered. */
  get #wavers() {
    const first = this.entries.findIndex(({ way }) => !way);
    return first >= 0 && this.entries.some(({ way }, k) => way === "undo" && k > first);
  }

  /**
   * Undo and redo at once what was not answered yet; returns whether there was any. A gesture goes back to its beginning.
   *
   * @param {{ undo: number, redo: number }} counts how often one can undo and redo in the history
   */
  unwind(counts) {
    const { entries } = this;
    if (!this.#wavers) return false;
    const older = this.#older;
    const { by, changes, undone } = unwound(entries, counts);
    const before = entries[0].n - 1;
    const goes = entries.some(
      (entry) => entry.way === "back" || (entry.gesture !== undefined && !changes.includes(entry)),
    );
    const ofs = undone.filter(({ entry }) => !entry).map(({ of }) => of);
    /** @type {Entry[]} */
    const rest = [
      ...(goes ? [/** @type {Entry} */ ({ n: before, way: "back" })] : []),
      ...Array.from(
        { length: -by },
        (_, k) => /** @type {Entry} */ ({ n: before, way: "undo", of: ofs[k] ?? { change: null } }),
      ),
      ...Array.from({ length: by }, () => /** @type {Entry} */ ({ n: before, way: "redo" })),
      ...changes,
    ];
    if (rest.length) rest.push({ ...rest.pop(), n: entries.at(-1).n });
    this.entries = rest;
    for (const { of, entry } of undone) if (entry) of.change = { name: entry.name, value: entry.value };
    this.undone = [...older, ...undone.map(({ of }) => of)];
    return true;
  }
}

/** What redoes it. @type {(of: Undone | undefined) => Omit<Entry, "n">} */
const again = (of) => (of?.change ? { ...of.change, again: true } : { way: "redo", of });

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
