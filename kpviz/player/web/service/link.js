// The only writer of the address bar, and of the browser's history.

import { keep, kept } from "./keep.js";

const QUIET = 250; // ms at rest before writing
const LEAST = 500; // ms between two writings
const AFTER = 40; // ms after which a new entry is made: the picture comes first, as browsers take as long for one as for the other
const KEPT = "kpviz";
const PAGES = /(?:lab|fisher|lessons)\/?$/; // at the end of a path
const FOREIGN = /^(embed|embed_options)=/; // Streamlit's own

/** @import { Run } from "../model/run.js" */
/** @import { Mark } from "./history.js" */

export class Link {
  /** @type {number | undefined} */
  timer;
  written = 0;
  query = "";
  /** @type {{ address: string, mark: Mark }[]} */
  entries = []; // that are still to be made
  /** @type {number | undefined} */
  making;
  astray = 0; // by how many entries the browser went from the one before those

  /**
   * @param {string[]} apart names of what a page has in its address besides its settings
   * @param {{ keeps?: boolean }} [options] whether that stays beside each query, else the query that is written brings it
   */
  constructor(apart = [], { keeps = false } = {}) {
    this.apart = new Set(apart);
    this.keeps = keeps;
    this.own = this.#apartNow; // the parts of the address that it has besides
  }

  set(query) {
    if (query === this.query) return;
    this.query = query;
    clearTimeout(this.timer);
    const wait = Math.max(QUIET, this.written + LEAST - performance.now());
    this.timer = setTimeout(() => this.write(), wait);
  }

  /**
   * What the address has besides, by names.
   *
   * @returns {Record<string, string>}
   */
  get beside() {
    return Object.fromEntries(this.own.map((part) => [part.split("=")[0], decoded(part)]));
  }

  /** Let the address have this besides, from the next query on that is written. @param {Record<string, string>} values */
  put(values) {
    this.own = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    clearTimeout(this.timer); // what was to be written is without it
    this.query = "";
  }

  /** What stands in the address besides. */
  get #apartNow() {
    const parts = location.search.slice(1).split("&");
    return this.keeps ? parts.filter((part) => this.apart.has(part.split("=")[0])) : [];
  }

  write() {
    this.#make();
    const address = this.#address(this.query);
    this.written = performance.now();
    if (address !== this.#address()) history.replaceState(history.state, "", address);
  }

  /** The page's address with a query; without one as it is. */
  #address(query = null) {
    const { pathname, search, hash } = location;
    const foreign = search
      .slice(1)
      .split("&")
      .filter((part) => FOREIGN.test(part));
    return pathname + (query === null ? search : `?${[query, ...this.own, ...foreign].join("&")}`) + hash;
  }

  /** Write at once. */
  now(query) {
    this.query = query;
    clearTimeout(this.timer);
    this.write();
  }

  // ---- the browser's history --------------------------------------------------------------------

  /** The query of the page's address, without what is no setting. */
  get opened() {
    this.#make();
    const parts = location.search.slice(1).split("&");
    return parts.filter((part) => !this.apart.has(part.split("=")[0])).join("&");
  }

  /**
   * What marks the current entry as one of ours, null if nothing does.
   *
   * @returns {Mark | null}
   */
  get mark() {
    this.#make();
    return markNow();
  }

  set mark(mark) {
    this.#make();
    history.replaceState(mark, "", this.#address());
  }

  /**
   * Make an entry of its own, soon, and at once when something else is asked of the history.
   *
   * @param {string} query
   * @param {Mark} mark
   */
  push(query, mark) {
    clearTimeout(this.timer);
    this.query = query;
    this.written = performance.now();
    this.entries.push({ address: this.#address(query), mark });
    this.making ??= setTimeout(() => this.#make(), AFTER);
  }

  /** Make the entries that are due. */
  #make() {
    if (this.astray) return;
    const { entries } = this;
    clearTimeout(this.making);
    this.making = undefined;
    this.entries = [];
    for (const { address, mark } of entries) history.pushState(mark, "", address);
  }

  /**
   * The browser went on from the entry before those that are still to be made: it goes back there, they are made, and it
   * goes as far from the newest one. Returns whether it has still to go.
   */
  #returns() {
    const due = this.entries[0]?.mark;
    const now = markNow();
    if (due?.first !== now.first) this.#forget();
    if (!this.entries.length) return false;
    const by = now.kpviz - due.kpviz + 1;
    const way = by || this.astray;
    this.astray = by;
    this.#make();
    history.go(by ? -by : way);
    return true;
  }

  /** The entries that are still to be made are not. */
  #forget() {
    this.entries = [];
    this.astray = 0;
  }

  /** Go back or forward by so many entries. */
  go(by) {
    this.#make();
    history.go(by);
  }

  /** Open another page of Streamlit's, which hears of it as it does of going back or forward. */
  open(page, query) {
    this.#make();
    clearTimeout(this.timer);
    const root = location.pathname.replace(PAGES, "");
    history.pushState(null, "", `${root}${page}${query ? `?${query}` : ""}`);
    window.dispatchEvent(new PopStateEvent("popstate"));
  }

  /**
   * Listen for going back and forward to entries of ours; return a function that stops. Streamlit, which would run its
   * page anew, does not hear of it: the server adds to the page a listener before Streamlit's, which calls this one.
   *
   * @param {(mark: Mark) => void} came
   */
  listen(came) {
    const { pathname } = location;
    const page = /** @type {Window & { kpvizWent?: (event: Event) => void }} */ (window);
    const listener = (event) => {
      if (markNow() === null || location.pathname !== pathname) {
        this.#forget();
        return; // another page's
      }
      event.stopImmediatePropagation();
      if (this.#returns()) return;
      clearTimeout(this.timer); // what was to be written is of another entry
      this.query = "";
      this.own = this.#apartNow;
      came(this.mark);
    };
    page.kpvizWent = listener;
    window.addEventListener("popstate", listener);
    return () => {
      if (page.kpvizWent === listener) delete page.kpvizWent;
      window.removeEventListener("popstate", listener);
    };
  }

  // ---- the instant at which a page is left ------------------------------------------------------

  /**
   * The page is being left: a reload already has its address, so the instant is kept for it.
   *
   * @param {Run} run
   * @param {number} t
   */
  leave(run, t) {
    this.#make();
    keep(KEPT, JSON.stringify([run.header.settings.query, t]));
  }

  /**
   * The instant at which a reload left these settings, or null.
   *
   * @param {Run} run
   */
  left(run) {
    const [query, t] = JSON.parse(kept(KEPT) ?? "[]");
    keep(KEPT, null);
    const [entry] = performance.getEntriesByType("navigation");
    const reloaded = /** @type {PerformanceNavigationTiming} */ (entry)?.type === "reload";
    return reloaded && query === run.header.settings.query ? t : null;
  }

  stop() {
    clearTimeout(this.timer);
    clearTimeout(this.making);
  }
}

/** The value of a part; one that is not encoded as addresses are stays as it is. */
function decoded(part) {
  const value = part.slice(part.indexOf("=") + 1);
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** @returns {Mark | null} */
const markNow = () => (Number.isInteger(history.state?.kpviz) ? history.state : null);

/** Of a page that stands alone: its address is left as it is, and nothing is kept, which a sandbox would forbid. */
export class NoLink {
  opened = null;
  /** @type {Record<string, string>} */
  beside = {};

  /** @type {Link["put"]} */
  put() {}

  /** @type {Link["set"]} */
  set() {}

  /** @type {Link["now"]} */
  now() {}

  /** @type {Link["leave"]} */
  leave() {}

  /** @type {Link["left"]} */
  left() {
    return null;
  }

  stop() {}
}
