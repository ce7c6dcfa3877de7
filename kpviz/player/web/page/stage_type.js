// What is written beside the map on the stage: where it lies, and how large its type is.

import { STEPS, step } from "../board/scale.js";

/** @import { Layout, Rect } from "../board/types.d.ts" */

const SMALLER = 0.94; // Each size that is tried is so much of the one before.
const SMALLEST = 0.4;
const ROUNDED = 1; // In px: so much a browser rounds.

/**
 * Lie at a place of the board.
 *
 * @param {HTMLElement} element
 * @param {Rect} box of the board in the window
 * @param {Rect} place
 */
export function lieOn(element, box, { x, y, w, h }) {
  const lengths = { left: box.x + x, top: box.y + y, width: w, height: h };
  for (const [name, length] of Object.entries(lengths)) element.style[name] = `${length}px`;
}

/**
 * Give an element the largest type in which all of it is seen; returns whether there is one.
 *
 * @param {HTMLElement} element
 * @param {Layout} layout
 */
export function fitType(element, { unit, least }) {
  for (let share = 1; share > SMALLEST; share *= SMALLER) {
    for (const name of /** @type {(keyof typeof STEPS)[]} */ (Object.keys(STEPS))) {
      const size = Math.max(step(name, unit) * share, least);
      element.style.setProperty(`--kpviz-${name}`, `${size}px`);
    }
    const isWhole =
      element.scrollHeight - element.clientHeight <= ROUNDED &&
      element.scrollWidth - element.clientWidth <= ROUNDED;
    if (isWhole) return true;
  }
  return false;
}
