// The room that a page leaves to its stage.

import { leastHeight } from "../model/layout.js";

const MARGIN = 12; // px of the page, at most
const LEAST = 280; // px of width

/** Where a stage may lie on its page, from its own corner. @param {HTMLElement} root */
export function roomOf(root) {
  const box = root.getBoundingClientRect();
  const width = Math.max(box.width, LEAST);
  const full = document.fullscreenElement !== null;
  const above = Math.max(box.top + scrolled(root), 0);
  const height = full ? window.innerHeight : Math.max(window.innerHeight - above - 6, leastHeight(width));
  return { left: 0, top: 0, width, height };
}

/** The margin right of the stage, which settings beside the map take. @param {HTMLElement} root */
export const beyond = (root) => Math.min(Math.max(window.innerWidth - root.getBoundingClientRect().right, 0), MARGIN);

/** By how much the page is scrolled: it is Streamlit's main part that scrolls. @param {HTMLElement} root */
function scrolled(root) {
  const { host } = /** @type {ShadowRoot} */ (root.getRootNode());
  return window.scrollY + (host?.closest(".stMain")?.scrollTop ?? 0);
}
