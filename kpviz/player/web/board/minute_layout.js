// The board of the first minute: map, words, timeline and margins.

import { GAP, LEAST_UNIT, rect } from "./lengths.js";

/** @import { BoardShape, Layout } from "./types.d.ts" */

// Lengths are in px; of those of the margins, where the unit is 1.
const LOW = 500; // Under this height the timeline is slim.
const SLIM = 46; // So high is it then.
const WORDS = 262; // So high are words and buttons under a map.
const LEAST_SIDE = 150; // The map is not smaller.
const LEAST_MARGINS = 96;
const MOST_MARGINS = 210;

/** Whether map and words stand side by side. */
const isWide = (width, height) => width > 640 && width > 1.1 * height;

/** Where the words are, as far as it does not depend on how high they are. */
export function wordsAt(width, height) {
  if (!isWide(width, height)) return { x: GAP, y: 0, w: width - 2 * GAP };
  const { side } = wideMap(width, height);
  const x = Math.round(side + Math.min(0.03 * width, 48));
  return { x, y: 0, w: width - x - GAP };
}

function wideMap(width, height) {
  const unit = Math.max(Math.min(height / 640, 1.75), LEAST_UNIT);
  const line = height < LOW ? SLIM : Math.round(62 * unit);
  return { unit, line, side: Math.floor(Math.min(height - line - GAP, 0.56 * width)) };
}

/**
 * The map, as it stays throughout; the timeline and the margins as soon as they mean something.
 *
 * @param {Set<string>} panelNames
 * @param {BoardShape} shape
 * @returns {Layout}
 */
export function minuteLayout(panelNames, shape) {
  const { width, height } = shape;
  const { panels, unit, sayAt, end } = isWide(width, height)
    ? besideMap(panelNames, shape)
    : underMap(panelNames, shape);
  const nothing = rect(0, end, width, 0);
  return {
    narrow: false,
    unit,
    height: end,
    bar: nothing,
    tools: end,
    dock: null,
    panels,
    say: { ...wordsAt(width, height), y: sayAt },
  };
}

function besideMap(panelNames, { width, height, head, say }) {
  const margins = panelNames.has("margins");
  const words = wordsAt(width, height);
  const { unit, line, side } = wideMap(width, height);
  /** @type {Layout["panels"]} */
  const panels = { map: rect(0, 0, side, side) };
  const sayAt = head + GAP;
  const sayEnd = sayAt + say + GAP;
  const least = margins ? LEAST_MARGINS * unit + GAP : 0;
  const isLong = sayEnd + least <= side; // Else the timeline gives way to the words.
  if (panelNames.has("timeline")) {
    panels.timeline = rect(0, side + GAP / 2, isLong ? width - GAP : side, line);
  }
  const bottom = isLong ? side : height - GAP;
  const high = Math.min(bottom - sayEnd, MOST_MARGINS * unit);
  if (margins && high >= LEAST_MARGINS * unit) {
    panels.margins = rect(words.x, bottom - high, words.w, high);
  }
  return { panels, unit, sayAt, end: Math.max(height, sayEnd) };
}

function underMap(panelNames, { width, height, head, say }) {
  const room = Math.min(width, height - head - SLIM - WORDS - 3 * GAP);
  const side = Math.floor(Math.max(room, LEAST_SIDE));
  /** @type {Layout["panels"]} */
  const panels = { map: rect((width - side) / 2, head + GAP, side, side) };
  if (panelNames.has("timeline")) panels.timeline = rect(0, head + GAP + side + 4, width, SLIM);
  const sayAt = head + side + SLIM + 2 * GAP;
  return { panels, unit: LEAST_UNIT, sayAt, end: Math.max(height, sayAt + say + GAP) };
}
