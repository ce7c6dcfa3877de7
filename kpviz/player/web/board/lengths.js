// What the layouts have in common: rectangles, the room that panels need, and lengths that grow
// with the window.

import { BY_NAME } from "./panel_table.js";
import { STEPS, step } from "./scale.js";

/** @import { Rect } from "./types.d.ts" */

export const GAP = 12; // px between panels
export const LEAST_UNIT = 0.94;
export const BAR = 46; // px of height of the buttons in the least type
export const TYPE = STEPS.label; // px of the type of bars and settings, at least

// Px of the least type where the unit is 1: the room that a panel needs is counted in it.
export const COUNTED = 11.25;
const ROW = 12.4; // px of height that a run's ticks have at least on a timeline
const NARROW = 900;
const SMALL = 300; // px of height of a frame in which map, sentence and buttons are all there is
const LEAST_SMALL = 190;

export const rect = (x, y, w, h) => ({ x, y, w, h });

/** Whether everything lies in one column. */
export const isNarrow = (width, height) => width < NARROW || isSmall(height);

/** Whether map, sentence and buttons are all there is room for. */
export const isSmall = (height) => height < SMALL;

/** A length that grows with the type. */
export const scaled = (length, type) => Math.round((length * type) / TYPE);

/** The least width and height of a panel, in px. @returns {[number, number]} */
export function needOf(name, unit, stream = false) {
  const { rows = 0, columns = 0, streamShare = 1 } = BY_NAME[name];
  return [columns * COUNTED * unit, rows * (stream ? streamShare : 1) * COUNTED * unit];
}

/** The size in px of the letters before these rows, and the room that they have there. */
export const letterOf = (unit) => step("small", unit);
export const insetOf = (unit) => Math.round(0.75 * letterOf(unit) + 5);

/** The height in px that the ticks of one of several runs have. */
export const rowOf = (unit) => Math.max(11 * unit, ROW);

/** The height in px that a board of this width has at least. */
export const leastHeight = (width, high = Infinity) =>
  isSmall(high) ? LEAST_SMALL : width < NARROW ? 300 : 420;

/** The control that turns pages, at the end of the words; null where there is one page. */
export function turner(words, pages, high) {
  return pages.length > 1 ? rect(words.x, words.y + words.h - high, words.w, high) : null;
}

/**
 * The maps of runs side by side, each with its name above it and the numbers that decide under it;
 * the current one is the last.
 */
export function maps(runs, side, caption, numbers, /** @type {(k: number) => number[]} */ placeOf) {
  /** @type {Record<string, Rect>} */
  const panels = {};
  for (let k = 0; k < runs; k++) {
    const suffix = k === runs - 1 ? "" : `-${k}`;
    const [x, y] = placeOf(k);
    panels[`caption${suffix}`] = rect(x, y, side, caption);
    panels[`map${suffix}`] = rect(x, y + caption, side, side);
    panels[`decide${suffix}`] = rect(x, y + caption + side, side, numbers);
  }
  return panels;
}

/**
 * How many lines a comparison's question, and what it shows, take at a size, estimated from above.
 */
export const questionRows = ([question, words], width, size) =>
  Math.ceil((0.56 * size * question) / width) + Math.ceil((0.52 * size * words) / width);
