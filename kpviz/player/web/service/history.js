// Undo is the browser's: each change is an entry of its history, and the state of an entry is
// unknown until an answer says it. The list here goes ahead, and the browser's history follows
// (`follow`), since it takes some milliseconds to go anywhere. Storage has the list, too, so that a
// page that is loaded again goes on with it.

import { withStageOf } from "./link.js";
import { keep, recall, PLACES } from "./texts.js";

/** @import { Link } from "./link.js" */
/** @import { Command, Entry, PageState } from "./types.d.ts" */

const MOST_ENTRIES = 200; // One can go back by so many entries.
// In ms, until the browser makes an entry: the picture is drawn first, and a change that turns out
// to change nothing needs no entry.
const ENTRY_DELAY = 40;
// In characters: a longer change is not kept for a reload while it has no answer.
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
  // All of these are numbers of entries.
  index = 0; // The entry where the page is.
  first = 0; // The entry with which the page was opened: it names the list in storage.
  last = 0; // The last entry to which one can redo.
  browserIndex = 0; // The entry where the browser is.
  /** @type {number | null} */
  destination = null; // The entry to which the browser is on its way.
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
    browser.still = () => this.destination === null && this.browserIndex === this.index;
    this.#open(browser.mark);
  }

  /**
   * Be at an entry of the browser: in its list, if storage has that, or else at the beginning of a
   * new list.
   *
   * @param {EntryMark | null} mark
   */
  #open(mark) {
    const { browser } = this;
    const known = mark && this.#read(mark.kpviz, mark.first);
    const index = known ? mark.kpviz : this.#highest + 1;
    this.index = index;
    this.last = index;
    this.browserIndex = index;
    this.first = known ? mark.first : index;
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
    this.entries.set(index, { ...known, index, made: true });
    this.#readEntries(-1);
    this.last = this.#readEntries(1);
    const { entry, base } = this;
    if (!base) entry.state = state;
    // The address that was opened says more than the settings that were kept.
    else if (mark.link === base.state.link) base.state = { ...base.state, link: browser.opened };
    // The address is older than the settings: of it only the stage still holds.
    else base.state = { ...base.state, link: withStageOf(browser.opened, base.state.link) };
  }

  /**
   * Read the entries before this one (-1) or after it (1) from storage; returns the farthest one.
   *
   * @param {1 | -1} direction
   */
  #readEntries(direction) {
    let k = this.index + direction;
    for (let entry = this.#read(k, this.first); entry; entry = this.#read(k, this.first)) {
      this.entries.set(k, { ...entry, index: k, made: true });
      k += direction;
    }
    return k - direction;
  }

  /** The entry where the page is. */
  get entry() {
    return this.entries.get(this.index);
  }

  /** The newest entry up to where the page is whose state is known, null where none is. */
  get base() {
    let k = this.index;
    while (this.entries.has(k) && !this.entries.get(k).state) k -= 1;
    return this.entries.get(k) ?? null;
  }

  /** The entries after `base`, up to where the page is: their states are unknown. */
  get unknown() {
    const from = this.base.index + 1;
    return Array.from({ length: this.index + 1 - from }, (_, k) => this.entries.get(from + k));
  }

  /** Whether an entry is on the way to where the page is. @param {Entry} entry */
  holds(entry) {
    return entry.index <= this.index && this.entries.get(entry.index) === entry;
  }

  /** The page shows for the first time what its address says. */
  begin() {
    this.begun = true;
    const { browserIndex, first, browser } = this;
    const { mark } = browser; // It may be one of a list of which nothing is kept.
    if (mark?.kpviz !== browserIndex || mark.first !== first) {
      const { state } = this.entries.get(browserIndex);
      browser.mark = { kpviz: browserIndex, first, link: state?.link };
    }
    this.#write(browserIndex);
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
   * An entry may have a state now. One that changes nothing is removed as long as the browser does
   * not have it; afterwards undo and redo pass it.
   *
   * @param {Entry} entry
   */
  #resolved(entry) {
    const before = this.entries.get(entry.index - 1);
    const areKnown = Boolean(entry.state && before?.state);
    entry.passed = !entry.stays && areKnown && same(entry.state, before.state);
    if (entry.passed && !entry.made && entry.index === this.last) {
      this.entries.delete(this.last);
      this.last -= 1;
      this.index = Math.min(this.index, this.last);
      this.#forget(entry.index);
      return;
    }
    if (entry.made) this.#write(entry.index);
    const oldest = entry.index - MOST_ENTRIES; // It makes way.
    if (!entry.state || !this.entries.get(oldest + 1)?.made) return;
    this.entries.delete(oldest);
    this.#forget(oldest);
  }

  /**
   * Give the entry where the page is another state.
   *
   * @param {PageState} state
   * @param {Record<string, string>} [extras]
   */
  amend(state, extras = this.entry.extras) {
    Object.assign(this.entry, { state, change: null });
    this.name(extras);
  }

  /**
   * Give the entry where the page is another address: what it has besides settings.
   *
   * @param {Record<string, string>} extras
   */
  name(extras) {
    this.entry.extras = extras;
    this.browser.name(extras);
    this.#write(this.index);
  }

  /**
   * Give up what was never answered: the page is again at the entry that it shows, or if that is
   * gone at the newest one whose state is known.
   *
   * @param {Entry | null} shownEntry
   */
  giveUp(shownEntry) {
    if (shownEntry && this.entries.get(shownEntry.index) === shownEntry) {
      this.index = shownEntry.index;
    } else while (!this.entry.state) this.index -= 1;
    // The next entry without a state is removed, and all that follow from it.
    let unknown = this.index + 1;
    while (unknown <= this.last && this.entries.get(unknown).state) unknown += 1;
    for (; this.last >= unknown; this.last--) this.entries.delete(this.last);
    this.#go();
  }

  // ---- going back and forward ------------------------------------------------------------------

  /** How often one can undo and redo. */
  get counts() {
    const oldest = Math.max(this.#lowest, this.last - MOST_ENTRIES + 1);
    const countAfter = (from, to) => {
      let count = 0;
      for (let k = from + 1; k <= to; k++) if (!this.entries.get(k)?.passed) count += 1;
      return count;
    };
    return { undo: countAfter(oldest, this.index), redo: countAfter(this.index, this.last) };
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
    // The step leads over the entry that was left by undo, or that was reached by redo: if it
    // changes nothing, the step goes on.
    const steppedOver = () => this.entries.get(direction < 0 ? this.index + 1 : this.index);
    do this.index += direction;
    while (steppedOver().passed);
    this.#go();
    return true;
  }

  /** The page is at another entry: let the browser go there, if it has that already. */
  #go() {
    this.browser.name(this.entry.extras);
    if (this.entry.made) this.follow();
  }

  /** Let the browser be where the page is, and make the entries that it does not have. */
  follow() {
    if (this.destination !== null) return; // When it has come there, `listen` calls this again.
    let newestMade = this.index;
    while (!this.entries.get(newestMade).made) newestMade -= 1;
    if (newestMade !== this.browserIndex) {
      this.destination = newestMade;
      this.browser.go(newestMade - this.browserIndex);
      return;
    }
    while (this.browserIndex < this.index) {
      this.browserIndex += 1;
      const entry = this.entries.get(this.browserIndex);
      entry.made = true;
      this.#write(this.browserIndex);
      const query = this.#queryOf(entry);
      // Without a query the new entry has the address, and so the settings, of the one before.
      const link = (query === null ? this.browser.mark : entry.state)?.link;
      this.browser.push({ kpviz: this.browserIndex, first: this.first, link }, query);
    }
  }

  /**
   * Listen for the browser's going to another entry; return a function that stops.
   *
   * @param {() => void} whenGone called if the reader, and not the page, made it go there
   * @param {(entry: Entry) => string | null} queryOf the query of an entry's address, null while it
   *   is not known
   */
  listen(whenGone, queryOf) {
    this.#queryOf = queryOf;
    return this.browser.listen((mark) => {
      const { destination } = this;
      this.destination = null;
      this.browserIndex = mark.kpviz;
      if (mark.kpviz === (destination ?? this.index)) {
        this.follow();
        return;
      }
      this.browser.name(); // The address is that of the entry to which it went.
      if (mark.first !== this.first || !this.entries.get(mark.kpviz)?.made) this.#open(mark);
      else {
        this.index = mark.kpviz;
        // Entries that the browser has not made yet cannot be reached by its buttons.
        for (; !this.entries.get(this.last).made; this.last--) this.entries.delete(this.last);
      }
      whenGone();
    });
  }

  // ---- what is kept ----------------------------------------------------------------------------

  /** The highest number of all entries in storage, of other lists too. */
  get #highest() {
    return this.texts.recall(PLACES.newest) ?? -1;
  }

  /**
   * The first entry from which the list has no gap: an entry may be missing in storage, since it
   * was too long or is damaged.
   */
  get #lowest() {
    let k = this.index;
    while (this.entries.has(k - 1)) k -= 1;
    return k;
  }

  /** An entry of storage, if it is of the list that begins with `first`. @returns {Entry | null} */
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
