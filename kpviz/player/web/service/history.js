// Undo is the browser's: each change is an entry, its state unknown until an answer says it. The
// list here goes ahead, and the browser's history follows: it takes some milliseconds to go
// anywhere.

import { withStageOf } from "./link.js";
import { keep, recall, PLACES } from "./texts.js";

/** @import { Link } from "./link.js" */
/** @import { Command, Entry, PageState } from "./types.d.ts" */

const MOST_ENTRIES = 200; // One can go back to so many entries.
// In ms, until the browser makes an entry: the picture comes first, and what changes nothing needs
// none.
const ENTRY_DELAY = 40;
// In characters: no longer change is kept for a reload before it is answered.
const LONGEST_CHANGE = 100_000;

/**
 * What marks an entry of the browser: its number, that of the first one since the page was opened,
 * and the settings that its address has.
 * @typedef {{ kpviz: number, first: number, link?: string }} EntryMark
 */

/**
 * The browser, as far as it is needed.
 * @typedef {Pick<Link, "mark" | "opened" | "extras" | "still" | "push" | "name" | "go" | "later" |
 *   "listen">} Browser
 */

export class History {
  /** @type {Map<number, Entry>} */
  entries = new Map();
  index = 0; // The entry where the page is.
  first = 0; // The entry with which the page was opened.
  last = 0;
  at = 0; // The entry where the browser is.
  /** @type {number | null} */
  going = null; // The entry to which the browser is on its way.
  begun = false; // The page shows what its address says.
  /** @type {(entry: Entry) => string | null} */
  #queryOf = () => null;

  /**
   * @param {Browser} browser
   * @param {{ keep: typeof keep, recall: typeof recall }} [texts] where they are kept
   */
  constructor(browser, texts = { keep, recall }) {
    this.browser = browser;
    this.texts = texts;
    browser.still = () => this.going === null && this.at === this.index;
    this.#open(browser.mark);
  }

  /**
   * Be at an entry of the browser: in the list of which it is one, or at the beginning of a new
   * list.
   *
   * @param {EntryMark | null} mark
   */
  #open(mark) {
    const { browser } = this;
    const known = mark && this.#read(mark.kpviz, mark.first);
    this.index = this.last = this.at = known ? mark.kpviz : this.#highest + 1;
    this.first = known ? mark.first : this.index;
    this.entries.clear();
    /** @type {PageState} */
    const state = { link: browser.opened, origin: null, data: null };
    this.entries.set(this.index, {
      index: this.index,
      state,
      change: null,
      extras: browser.extras,
      made: true,
    });
    if (!known) return;
    for (const way of [-1, 1]) {
      let k = this.index;
      for (let entry = known; entry; entry = this.#read((k += way), this.first)) {
        this.entries.set(k, { ...entry, index: k, made: true });
      }
      if (way > 0) this.last = k - 1;
    }
    const { entry, base } = this;
    if (!base) entry.state = state;
    // The address that was opened says more.
    else if (mark.link === base.state.link) base.state = { ...base.state, link: browser.opened };
    // The address is older than the settings: of it only the stage still holds.
    else base.state = { ...base.state, link: withStageOf(browser.opened, base.state.link) };
  }

  get entry() {
    return this.entries.get(this.index);
  }

  /** The newest entry up to where the page is whose state is known, null where none is. */
  get base() {
    let k = this.index;
    while (this.entries.has(k) && !this.entries.get(k).state) k -= 1;
    return this.entries.get(k) ?? null;
  }

  /** The entries after it, up to where the page is. */
  get unknown() {
    const from = this.base.index + 1;
    return Array.from({ length: this.index + 1 - from }, (_, k) => this.entries.get(from + k));
  }

  /** Whether an entry is on the way to where the page is. @param {Entry} entry */
  holds(entry) {
    return entry.index <= this.index && this.entries.get(entry.index) === entry;
  }

  /** The page shows what its address says. */
  begin() {
    this.begun = true;
    const { at, first, browser } = this;
    const { mark } = browser; // It may be one of a list of which nothing is kept.
    if (mark?.kpviz !== at || mark.first !== first) {
      browser.mark = { kpviz: at, first, link: this.entries.get(at).state?.link };
    }
    this.#write(at);
  }

  // ---- changes ---------------------------------------------------------------------------------

  /**
   * Add an entry after the one where the page is; those that were undone are gone.
   *
   * @param {Omit<Entry, "index" | "made">} added
   */
  push(added) {
    for (let k = this.index + 1; k <= Math.max(this.last, this.#highest); k++) {
      this.entries.delete(k);
      this.#forget(k);
    }
    this.last = this.index += 1;
    this.texts.keep(PLACES.newest, this.index);
    const { extras } = this.entries.get(this.index - 1);
    /** @type {Entry} */
    const entry = Object.assign(added, {
      index: this.index,
      extras: added.extras ?? extras,
      made: false,
    });
    this.entries.set(this.index, entry);
    this.#go();
    this.#resolved(entry);
    this.browser.later(() => this.follow(), ENTRY_DELAY);
  }

  /**
   * An answer says to which state a change led.
   *
   * @param {Entry} entry
   * @param {Command | null} change it may be another one by now
   * @param {PageState} state
   */
  resolve(entry, change, state) {
    if (entry.change !== change) return;
    Object.assign(entry, { state, change: null });
    if (this.entries.get(entry.index) === entry) this.#resolved(entry);
  }

  /**
   * An entry may have a state now: one that changes nothing is passed by, or there is none.
   *
   * @param {Entry} entry
   */
  #resolved(entry) {
    const before = this.entries.get(entry.index - 1);
    entry.passed =
      !entry.stays && Boolean(entry.state && before?.state) && same(entry.state, before.state);
    if (entry.passed && !entry.made && entry.index === this.last) {
      this.entries.delete(this.last);
      this.index = Math.min(this.index, (this.last -= 1));
      this.#forget(entry.index);
      return;
    }
    if (entry.made) this.#write(entry.index);
    const old = entry.index - MOST_ENTRIES;
    if (!entry.state || !this.entries.get(old + 1)?.made) return;
    this.entries.delete(old);
    this.#forget(old);
  }

  /**
   * The entry where the page is has another state.
   *
   * @param {PageState} state
   * @param {Record<string, string>} [extras]
   */
  amend(state, extras = this.entry.extras) {
    Object.assign(this.entry, { state, change: null });
    this.name(extras);
  }

  /**
   * The entry where the page is has this in its address besides settings.
   *
   * @param {Record<string, string>} extras
   */
  name(extras) {
    this.entry.extras = extras;
    this.browser.name(extras);
    this.#write(this.index);
  }

  /**
   * What was never answered is given up: the page is again at the entry that it shows.
   *
   * @param {Entry | null} shownEntry
   */
  giveUp(shownEntry) {
    if (shownEntry && this.entries.get(shownEntry.index) === shownEntry) {
      this.index = shownEntry.index;
    } else while (!this.entry.state) this.index -= 1;
    for (let k = this.index + 1; k <= this.last; k++) {
      if (this.entries.get(k).state) continue;
      for (; this.last >= k; this.last--) this.entries.delete(this.last);
    }
    this.#go();
  }

  // ---- going back and forward ------------------------------------------------------------------

  /** How often one can undo and redo. */
  get counts() {
    const oldest = Math.max(this.#lowest, this.last - MOST_ENTRIES + 1);
    const between = (from, to) => {
      let count = 0;
      for (let k = from + 1; k <= to; k++) count += Number(!this.entries.get(k)?.passed);
      return count;
    };
    return { undo: between(oldest, this.index), redo: between(this.index, this.last) };
  }

  /**
   * Go back by a change, -1, or forward, 1; returns whether there is one.
   *
   * @param {1 | -1} direction
   */
  step(direction) {
    const { undo, redo } = this.counts;
    if (!(direction < 0 ? undo : redo)) return false;
    this.follow();
    const passes = () => this.entries.get(direction < 0 ? this.index + 1 : this.index).passed;
    do this.index += direction;
    while (passes());
    this.#go();
    return true;
  }

  /** The page is elsewhere: so is the address, as soon as the browser can. */
  #go() {
    this.browser.name(this.entry.extras);
    if (this.entry.made) this.follow();
  }

  /** Let the browser be where the page is, and make the entries that it does not have. */
  follow() {
    if (this.going !== null) return; // It will come here again.
    let made = this.index;
    while (!this.entries.get(made).made) made -= 1;
    if (made !== this.at) {
      this.going = made;
      this.browser.go(made - this.at);
      return;
    }
    while (this.at < this.index) {
      const entry = this.entries.get((this.at += 1));
      entry.made = true;
      this.#write(this.at);
      const query = this.#queryOf(entry);
      const link = (query === null ? this.browser.mark : entry.state)?.link;
      this.browser.push({ kpviz: this.at, first: this.first, link }, query);
    }
  }

  /**
   * Listen for the browser's going to another entry; return a function that stops.
   *
   * @param {() => void} went
   * @param {(entry: Entry) => string | null} queryOf the query of an entry's address, null while it
   *   is not known
   */
  listen(went, queryOf) {
    this.#queryOf = queryOf;
    return this.browser.listen((mark) => {
      const { going } = this;
      this.going = null;
      this.at = mark.kpviz;
      if (mark.kpviz === (going ?? this.index)) {
        this.follow();
        return;
      }
      this.browser.name(); // The address is that of the entry to which it went.
      if (mark.first !== this.first || !this.entries.get(mark.kpviz)?.made) this.#open(mark);
      else {
        this.index = mark.kpviz;
        for (; !this.entries.get(this.last).made; this.last--) this.entries.delete(this.last);
      }
      went();
    });
  }

  // ---- what is kept ----------------------------------------------------------------------------

  get #highest() {
    return this.texts.recall(PLACES.newest) ?? -1;
  }

  /**
   * The first entry from which the list has no gap: what is damaged, or was too long, is not kept.
   */
  get #lowest() {
    let k = this.index;
    while (this.entries.has(k - 1)) k -= 1;
    return k;
  }

  /** @returns {Entry | null} */
  #read(index, first) {
    const entry = this.texts.recall(PLACES.entry, index);
    return entry?.first === first ? entry : null;
  }

  #write(index) {
    const { state, change, extras, stays, passed } = this.entries.get(index);
    const entry = { first: this.first, state, change, extras, stays, passed };
    this.texts.keep(
      PLACES.entry,
      JSON.stringify(entry).length < LONGEST_CHANGE ? entry : null,
      index,
    );
    if (index > this.#highest) this.texts.keep(PLACES.newest, index);
  }

  #forget(index) {
    this.texts.keep(PLACES.entry, null, index);
  }
}

/** @type {(one: PageState, other: PageState) => boolean} */
export const same = (one, other) =>
  one.link === other.link && one.origin === other.origin && one.data === other.data;
