// The room that a page leaves to its stage.

import { leastHeight } from "../model/layout.js";

/** @import { Layout } from "../types.d.ts" */

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

/**
 * Let an element lie beside the map or under it, where the layout leaves room; null: where its style says.
 *
 * @param {HTMLElement} element
 * @param {Pick<Layout, "dock" | "sheet">} layout
 */
export function lie(element, { dock, sheet }) {
  element.classList.toggle("sheet", Boolean(dock && sheet));
  const px = (length) => (!dock || sheet ? "" : `${length}px`);
  const [left, top, width] = [dock?.x, dock?.y, dock?.w].map(px);
  Object.assign(element.style, { left, top, width, height: dock ? `${dock.h}px` : "" });
}

/** By how much the page is scrolled: it is Streamlit's main part that scrolls. @param {HTMLElement} root */
function scrolled(root) {
  const { host } = /** @type {ShadowRoot} */ (root.getRootNode());
  return window.scrollY + (host?.closest(".stMain")?.scrollTop ?? 0);
}
