// The only writer of the address bar.

import { keep, kept } from "./storage.js";

const QUIET = 250; // ms at rest before writing
const LEAST = 500; // ms between two writings
const KEPT = "kpviz";
const FOREIGN = /^(embed|embed_options)=/; // Streamlit's own

/** @import { Run } from "../model/run.js" */

export class Link {
  /** @type {number | undefined} */
  timer;
  written = 0;
  query = "";

  set(query) {
    if (query === this.query) return;
    this.query = query;
    clearTimeout(this.timer);
    const wait = Math.max(QUIET, this.written + LEAST - performance.now());
    this.timer = setTimeout(() => this.write(), wait);
  }

  write() {
    const foreign = location.search
      .slice(1)
      .split("&")
      .filter((part) => FOREIGN.test(part));
    const search = `?${[this.query, ...foreign].join("&")}`;
    this.written = performance.now();
    if (search !== location.search) history.replaceState(history.state, "", location.pathname + search + location.hash);
  }

  /** Write at once. */
  now(query) {
    this.query = query;
    clearTimeout(this.timer);
    this.write();
  }

  /**
   * The page is being left: a reload already has its address, so the instant is kept for it.
   *
   * @param {Run} run
   * @param {number} t
   */
  leave(run, t) {
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
  }
}

/** Of a page that stands alone: its address is left as it is, and nothing is kept, which a sandbox would forbid. */
export class NoLink {
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

/** Copy text to the clipboard; works without https too. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.cssText = "position:fixed;opacity:0";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
