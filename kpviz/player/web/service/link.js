// The only writer of the address bar, and of the browser's history; history.js says where to go.

import { isNewerLink } from "./formats.js";
import { keep, recall, PLACES } from "./texts.js";

const QUIET = 250; // In ms, at rest, before writing.
const BETWEEN_WRITINGS = 500; // In ms.
const PAGES = /(?:lab|fisher|lessons|puzzles)\/?$/; // One of these may end a path.
const FOREIGN = /^(embed|embed_options)=/; // These are Streamlit's own.
const ON_STAGE = /^stage=/;

/** @import { Run } from "../run/run.js" */
/** @import { EntryMark } from "./history.js" */

/** Give the address another query, in the same entry of the history. @param {string} query */
function replaceQuery(query) {
  const { pathname, hash } = location;
  history.replaceState(history.state, "", `${pathname}${query && `?${query}`}${hash}`);
}

export class Link {
  /** @type {number | undefined} */
  timer;
  written = 0;
  query = "";
  settings = ""; // What the query says of the settings.
  still = () => true; // The browser is at the entry where the page is.
  /** @type {(() => void) | null} */
  due = null; // It is done soon.
  /** @type {ReturnType<typeof setTimeout> | null} */
  dueTimer = null;

  /** @param {string[]} apart names of what a page has in its address besides its settings */
  constructor(apart = []) {
    this.apart = new Set(apart);
    this.extras = this.#extrasNow; // What the address has besides settings, by names.
    /** Whether Back or Forward led here from another page of kpviz. */
    this.returned = this.mark !== null && recall(PLACES.returned) === this.mark.kpviz;
    keep(PLACES.returned, null);
  }

  /**
   * Take something out of the address that is done once; returns its value, null if it is not
   * there.
   *
   * @param {string} name
   */
  takeOut(name) {
    const address = new URL(location.href);
    const value = address.searchParams.get(name);
    if (value === null) return null;
    address.searchParams.delete(name);
    history.replaceState(history.state, "", address);
    return value;
  }

  /** Take out of the address what is not ours. @param {(name: string) => boolean} isOurs */
  keepOnly(isOurs) {
    const parts = location.search.slice(1).split("&");
    const ours = parts.filter((part) => isOurs(part.split("=")[0]));
    if (location.search.length > 1 && ours.length < parts.length) replaceQuery(ours.join("&"));
  }

  /**
   * Say at once whether one presents, and in which shape: a reload may come before all else rests.
   *
   * @param {string | null} shape
   */
  sayStage(shape) {
    if (!this.still()) return; // The browser is at another entry: it is written later.
    replaceQuery(withStageOf(shape === null ? "" : `stage=${shape}`, location.search.slice(1)));
  }

  /** Write soon. @param {string} query @param {string} [settings] what it says of them */
  set(query, settings = "") {
    if (query === this.query) return;
    this.query = query;
    this.settings = settings;
    this.#soon(Math.max(QUIET, this.written + BETWEEN_WRITINGS - performance.now()));
  }

  #soon(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.still() ? this.write() : this.#soon(QUIET)), wait);
  }

  /** What stands in the address besides settings. @returns {Record<string, string>} */
  get #extrasNow() {
    const parts = location.search.slice(1).split("&");
    const pairs = parts.map((part) => [part.split("=")[0], decoded(part)]);
    return Object.fromEntries(pairs.filter(([name]) => this.apart.has(name)));
  }

  write() {
    const address = this.#address(this.query);
    this.written = performance.now();
    const { mark } = this;
    if (address === this.#address() || this.#isNewer) return;
    history.replaceState(mark && { ...mark, link: this.settings }, "", address);
  }

  /**
   * Whether the page was opened with this address and a newer kpviz wrote it: it stays, with what
   * is not understood here.
   */
  get #isNewer() {
    const { mark } = this;
    return isNewerLink(location.search) && (mark === null || mark.kpviz === mark.first);
  }

  /** The page's address with a query; without one as it is. */
  #address(query = null) {
    const { pathname, search, hash } = location;
    if (query === null) return pathname + search + hash;
    const extras = Object.entries(this.extras).map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    );
    const foreign = search
      .slice(1)
      .split("&")
      .filter((part) => FOREIGN.test(part));
    // What is opened may have them.
    const parts = new Set([...query.split("&"), ...extras, ...foreign]);
    return `${pathname}?${[...parts].join("&")}${hash}`;
  }

  /** Write at once. @param {string} query @param {string} [settings] what it says of them */
  now(query, settings = this.settings) {
    this.query = query;
    this.settings = settings;
    clearTimeout(this.timer);
    this.write();
  }

  // ---- the browser's history -------------------------------------------------------------------

  /** The query of the page's address, without what is no setting. */
  get opened() {
    const parts = location.search.slice(1).split("&");
    return parts.filter((part) => !this.apart.has(part.split("=")[0])).join("&");
  }

  /** The mark of the current entry, null if it is none of ours. @returns {EntryMark | null} */
  get mark() {
    return Number.isInteger(history.state?.kpviz) ? history.state : null;
  }

  set mark(mark) {
    history.replaceState(mark, "", this.#address());
  }

  /**
   * Make an entry; without a query with the one of the entry before it.
   *
   * @param {EntryMark} mark
   * @param {string | null} query
   */
  push(mark, query) {
    clearTimeout(this.timer);
    this.query = query ?? "";
    this.written = performance.now();
    const { opened } = this;
    history.pushState(mark, "", this.#address(withStageOf(opened, query ?? opened)));
  }

  /**
   * Let the address have something besides settings, from the next query on that is written.
   *
   * @param {Record<string, string>} extras
   */
  name(extras = this.#extrasNow) {
    clearTimeout(this.timer); // What was to be written is without it.
    this.query = "";
    this.extras = extras;
  }

  go(by) {
    history.go(by);
  }

  /**
   * Do something a little later, or when the page is left.
   *
   * @type {(act: () => void, ms: number) => void}
   */
  later(act, ms) {
    this.due = act;
    this.dueTimer ??= setTimeout(() => this.#doDue(), ms);
  }

  #doDue() {
    const { due } = this;
    clearTimeout(this.dueTimer);
    this.due = this.dueTimer = null;
    due?.();
  }

  /** Open another page of Streamlit's, which hears of it as it does of going back or forward. */
  open(page, query) {
    this.#doDue();
    clearTimeout(this.timer);
    const root = location.pathname.replace(PAGES, "");
    history.pushState(null, "", `${root}${page}${query ? `?${query}` : ""}`);
    window.dispatchEvent(new PopStateEvent("popstate"));
  }

  /**
   * Listen for going back and forward to entries of ours; return a function that stops. Streamlit,
   * which would run its page anew, does not hear of it: the server adds to the page a listener
   * before Streamlit's, which calls this one.
   *
   * @param {(mark: EntryMark) => void} came
   */
  listen(came) {
    const { pathname } = location;
    const page = /** @type {Window & { kpvizWent?: (event: Event) => void }} */ (window);
    const listener = (event) => {
      const { mark } = this;
      if (wentOutOfOverlay(event) || mark === null) return;
      if (location.pathname !== pathname) {
        keep(PLACES.returned, mark.kpviz);
        return;
      }
      event.stopImmediatePropagation();
      came(mark);
    };
    page.kpvizWent = listener;
    window.addEventListener("popstate", listener);
    return () => {
      if (page.kpvizWent === listener) delete page.kpvizWent;
      window.removeEventListener("popstate", listener);
    };
  }

  // ---- the instant at which a page is left -----------------------------------------------------

  /**
   * The page is being left: a reload already has its address, so the instant is kept for it.
   *
   * @param {Run} run
   * @param {number} t
   */
  keepInstant(run, t) {
    this.#doDue();
    keep(PLACES.instant, [run.header.settings.query, t]);
    keep(PLACES.leftEntry, this.mark?.kpviz ?? null);
  }

  /** Whether no page of kpviz was left in this tab after the entry where the browser is. */
  get wasLeftLast() {
    return this.mark !== null && recall(PLACES.leftEntry) === this.mark.kpviz;
  }

  /** The instant at which a reload left these settings, or null. @param {Run} run */
  instantLeft(run) {
    const [query, t] = recall(PLACES.instant) ?? [];
    keep(PLACES.instant, null);
    return arrival() === "reload" && query === run.header.settings.query ? t : null;
  }

  stop() {
    this.#doDue();
    clearTimeout(this.timer);
  }
}

/** How the browser came to this document: "navigate", "reload" or "back_forward". */
export function arrival() {
  const [entry] = performance.getEntriesByType("navigation");
  return /** @type {PerformanceNavigationTiming} */ (entry)?.type;
}

/**
 * A query with what an address says of the stage.
 *
 * @param {string} address
 * @param {string} query
 */
export function withStageOf(address, query) {
  const isOfStage = (part) => ON_STAGE.test(part);
  const stage = address.split("&").filter(isOfStage);
  const others = query.split("&").filter((part) => part !== "" && !isOfStage(part));
  return [...others, ...stage].join("&");
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

/**
 * Of a page that stands alone: its address is left as it is, and nothing is kept, which a sandbox
 * would forbid.
 */
export class NoLink {
  opened = null;
  returned = false;
  mark = null;
  /** @type {Record<string, string>} */
  extras = {};
  /** @type {Link["set"]} */
  set = () => {};
  /** @type {Link["now"]} */
  now = () => {};
  /** @type {Link["sayStage"]} */
  sayStage = () => {};
  /** @type {Link["keepInstant"]} */
  keepInstant = () => {};
  /** @type {Link["instantLeft"]} */
  instantLeft = () => null;
  stop = () => {};
}

// What lies over the page: Back leads out of it, and the address stays.

/** @type {(() => void) | null} */
let leaveOverlay = null;

/** Back leads out of what lies over the page, if anything does; returns whether it does. */
function wentOutOfOverlay(event) {
  if (leaveOverlay === null) return false;
  event.stopImmediatePropagation();
  leaveOverlay();
  return true;
}

/** From now on Back calls `left`; null: nothing lies over the page any more. */
export function coverPage(left) {
  leaveOverlay = left;
  window.addEventListener("popstate", wentOutOfOverlay);
}

/**
 * Make an entry of the browser's history that Back leads out of; returns whether it is there. A
 * frame may forbid it: then Back leaves the page, as it does there in any case.
 */
export function pushOverlay() {
  try {
    history.pushState(history.state, "");
    return true;
  } catch {
    return false;
  }
}
