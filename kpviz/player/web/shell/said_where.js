// Where what is said for a moment stands: beside the counter or a comparison's words, so that it covers nothing.

import { textWidth } from "../model/measure.js";
import { counter } from "../model/words.js";

/** @import { Player } from "../model/player.js" */

const GAP = 12; // px
const LEAST = 13; // px of its type

/**
 * The free end of the first line of the board; null where it has none.
 *
 * @param {Pick<Player, "layout" | "palette" | "run" | "t" | "runs" | "predict">} player
 * @returns {{ right: number, y: number, w: number, size: number } | null} px of the board
 */
export function freeHead({ layout, palette, run, t, runs, predict }) {
  if (!layout || layout.narrow || !palette || predict.on) return null;
  const { unit } = layout;
  const { words, question } = layout.panels;
  const line = question ?? words;
  if (!line) return null;
  const wide = (text, size, weight = 400) => textWidth(text, size, palette.fonts, weight);
  const taken = question
    ? Math.max(wide(runs.comparison.question, 15.5 * unit, 700), wide(runs.comparison.words, 15.5 * unit))
    : wide(counter(run, Math.min(t, run.nSteps)), 13.5 * unit, 600);
  return { right: line.x + line.w, y: line.y, w: line.w - taken - 2 * GAP, size: Math.max(12.5 * unit, LEAST) };
}

/**
 * The free end of the row of tools under the bar; null where there is none.
 *
 * @param {HTMLElement} root
 * @param {Pick<Player, "layout">} player
 */
export function freeTools(root, { layout }) {
  const row = layout?.narrow === false && root.querySelector(".tools .row:not([hidden])");
  const last = row && [...row.children].filter((child) => /** @type {HTMLElement} */ (child).offsetWidth > 0).at(-1);
  if (!last) return null;
  const [whole, own, end] = [root, row, last].map((each) => each.getBoundingClientRect());
  const room = whole.right - end.right - 2 * GAP;
  return { right: whole.width - GAP / 2, top: own.top - whole.top + GAP / 2, w: room, size: LEAST + 1 };
}
