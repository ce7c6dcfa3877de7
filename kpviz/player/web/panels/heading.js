// The title of a panel, and what is said under it where there is nothing to show. What is said at the title's right end
// keeps its room, as far as that goes: the title gives way.

import { chart } from "./chart.js";
import { shortened, textWidth, wrap } from "../model/measure.js";

/** @import { PanelScene } from "../model/scene.js" */
/** @import { Palette } from "../model/colors.js" */
/** @import { Mark, TextMark } from "../types.d.ts" */

/**
 * A text with a look of its own; `short` is what it says where there is no room for all of it.
 * @typedef {Pick<TextMark, "text" | "size"> & Partial<TextMark> & { short?: string }} Said
 */

const LEAST = 5; // letters of the first text that stay
const GAP = 1; // letters between both

/**
 * The marks of a title and of a note; a title that gives way is cut, or `short`.
 *
 * @param {Pick<PanelScene, "rect" | "unit" | "palette">} scene
 * @param {string | { text: string, short: string }} title
 * @param {Said | null} note
 */
export function heading({ rect, unit, palette }, title, note = null, size = 14 * unit) {
  const line = { x: rect.x, y: rect.y + (15 / 14) * size, w: rect.w };
  const words = typeof title === "string" ? { text: title } : title;
  return onOneLine(palette, line, { ...words, size, weight: 600, fill: palette.ink, name: "title" }, note);
}

/**
 * Why a panel has nothing to show, under its title.
 *
 * @param {Pick<PanelScene, "rect" | "unit" | "palette">} scene
 * @param {string} words
 * @returns {Mark[]}
 */
export function whyNot({ rect, unit, palette }, words) {
  const size = 13 * unit;
  return wrap(words, rect.w, size, palette.fonts).map((text, k) =>
    chart.text(rect.x, rect.y + 24 * unit + size * (1.2 + 1.35 * k), text, { size, fill: palette.quiet, name: "why" }),
  );
}

/**
 * A text at the left end of a line and one at its right end.
 *
 * @param {Palette} palette
 * @param {{ x: number, y: number, w: number }} line
 * @param {Said} left
 * @param {Said | null} right
 * @returns {Mark[]}
 */
export function onOneLine({ fonts, quiet: fill }, { x, y, w }, { short: less, ...left }, right) {
  const wide = (/** @type {Said} */ { text, size, weight }) => textWidth(text, size, fonts, weight);
  const within = (/** @type {Said} */ { text, size, weight }, room) => shortened(text, room, size, fonts, weight);
  const beginning = (room) => within(less && wide(left) > room ? { ...left, text: less } : left, room);
  if (!right?.text) return [{ kind: "text", x, y, fill, ...left, text: beginning(w) }];
  const { short, ...note } = right;
  const gap = GAP * left.size;
  if (short && wide(left) + gap + wide(note) > w) note.text = short;
  note.text = within(note, w - LEAST * left.size - gap);
  return [
    { kind: "text", x, y, fill, ...left, text: beginning(w - gap - wide(note)) },
    { kind: "text", x: x + w, y, align: "right", fill, ...note },
  ];
}
