// Undo is the browser's: each finished change is an entry of its history, and going there shows its state again.

import { keep, kept } from "./keep.js";

/** @import { Step } from "../types.d.ts" */

const MOST = 200; // states that are kept
const ENTRY = "kpviz-entry-";
const HIGHEST = "kpviz-entries";

/**
 * What marks an entry: its number, and that of the first one since the page was opened.
 * @typedef {{ kpviz: number, first: number }} Mark
 */

/**
 * What is needed of the browser: `link.js` is it.
 * @typedef {object} Browser
 * @property {Mark | null} mark of the current entry
 * @property {string} opened the query of the address
 * @property {(query: string, mark: Mark) => void} push
 * @property {(by: number) => void} go
 * @property {(came: (mark: Mark) => void) => () => void} listen
 */

/**
 * Where texts are kept: `keep.js` is it.
 * @typedef {{ keep: (name: string, text: string | null) => void, kept: (name: string) => string | null }} Texts
 */

export class History {
  /** @type {Step | null} */
  state = null; // of the current entry
  index = 0;
  first = 0; // the entry with which the page was opened
  last = 0; // the newest one
  going = 0; // by how many entries the browser is still to go
  stays = false; // what comes next belongs to the current entry

  /**
   * @param {Browser} browser
   * @param {Texts} [texts]
   */
  constructor(browser, texts = { keep, kept }) {
    this.browser = browser;
    this.texts = texts;
  }

  /** The state of the entry at which the page was opened, with the address as it is; new ones have only the address. */
  get opened() {
    const { mark, opened } = this.browser;
    return { ...(this.#read(mark)?.state ?? { origin: null, data: null }), link: opened };
  }

  /**
   * The page was opened and shows this state: it goes on in the entries that a reload left, or begins anew.
   *
   * @param {Step} state
   */
  begin(state) {
    const { mark } = this.browser;
    const known = this.#read(mark);
    this.index = known ? mark.kpviz : this.#highest + 1;
    this.first = known ? mark.first : this.index;
    this.last = this.index;
    while (this.#read({ kpviz: this.last + 1, first: this.first })) this.last += 1;
    if (!known) this.browser.mark = { kpviz: this.index, first: this.first };
    this.amend(state);
  }

  /**
   * The current entry has this state.
   *
   * @param {Step} state
   */
  amend(state) {
    this.state = state;
    this.#write(this.index, { first: this.first, state });
  }

  /**
   * Make an entry for a state; those that were undone are gone.
   *
   * @param {Step} state
   * @param {string} query of the address
   */
  push(state, query) {
    if (this.stays) {
      this.amend(state);
      return;
    }
    for (let k = this.index + 2; k <= this.#highest; k++) this.#write(k, null);
    this.index += 1;
    this.last = this.index;
    this.texts.keep(HIGHEST, String(this.index));
    this.#write(this.index - MOST, null);
    this.browser.push(query, { kpviz: this.index, first: this.first });
    this.amend(state);
  }

  /** How often one can undo and redo, when the browser is where it goes. */
  get counts() {
    const index = this.index + this.going;
    return { undo: Math.min(index - this.first, MOST - 1), redo: this.last - index };
  }

  /** Go back by an entry, or forward; returns whether there is one. What listens is told when the browser is there. */
  undo() {
    return this.counts.undo > 0 && this.#go(-1);
  }

  redo() {
    return this.counts.redo > 0 && this.#go(1);
  }

  #go(by) {
    this.going = by;
    this.browser.go(by);
    return true;
  }

  /**
   * Listen for the browser's going to another entry; return a function that stops.
   *
   * @param {(state: Step) => boolean} came returns whether the page goes there; else the browser goes back
   */
  listen(came) {
    return this.browser.listen((mark) => {
      const way = mark.kpviz - this.index;
      this.going = 0;
      if (way === 0) return; // it went back to where the page is
      const known = this.#read(mark);
      const state = known?.state ?? { link: this.browser.opened, origin: null, data: null };
      if (!came(state)) {
        this.browser.go(-way);
        return;
      }
      this.index = mark.kpviz;
      this.first = mark.first;
      this.state = state;
    });
  }

  // ---- what is kept -----------------------------------------------------------------------------

  get #highest() {
    return Number(this.texts.kept(HIGHEST) ?? -1);
  }

  /**
   * @param {Mark | null} mark
   * @returns {{ first: number, state: Step } | null}
   */
  #read(mark) {
    const text = mark && this.texts.kept(ENTRY + mark.kpviz);
    const entry = text ? JSON.parse(text) : null;
    return entry?.first === mark?.first ? entry : null;
  }

  #write(index, entry) {
    this.texts.keep(ENTRY + index, entry && JSON.stringify(entry));
    if (entry && index > this.#highest) this.texts.keep(HIGHEST, String(index));
  }
}
