// The player as one file for any number of pages, each of which names its entry.
// kpviz/export/page/page.py writes it.

import { default as run } from "./standalone.js";
import { default as lesson } from "./standalone_lesson.js";

/** @type {Record<string, (root: HTMLElement, options: any) => Promise<void>>} */
const ENTRIES = { "page/standalone.js": run, "page/standalone_lesson.js": lesson };

/**
 * Show what the page holds.
 *
 * @param {string} style of all pages, with the typeface
 */
export default function start(style) {
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  const root = /** @type {HTMLElement} */ (document.querySelector(".kpviz"));
  root.textContent = ""; // This stands there without a player.
  ENTRIES[root.dataset.entry](root, JSON.parse(document.getElementById("run").textContent));
}
