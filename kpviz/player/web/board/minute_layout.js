// The first minute: the map where it is on the board, and beside it or under it the question, what
// is said, and the timeline and the margins as soon as they mean something.

import { deskLayout } from "./desk_layout.js";
import { lengthsOf, rect, tableOf } from "./lengths.js";
import { narrowLayout } from "./narrow_layout.js";

/** @import { BoardShape, Layout } from "./types.d.ts" */

const ON_BOARD = new Set(["alpha", "margins"]); // The panels of the board that it leads to.
const OF_MAP = ["map", "strip", "axis", "gutter"];
// In px, where the unit is 1.
const LEAST_MARGINS = 96;
const MOST_MARGINS = 210;

/** @param {BoardShape} shape */
function boardOf(shape) {
  const board = { ...shape, tools: 0, notices: 0, next: null, slot: /** @type {const} */ ("") };
  const isNarrow = tableOf(shape.width, shape.height) === "narrow";
  return isNarrow ? narrowLayout(ON_BOARD, board) : deskLayout(ON_BOARD, board);
}

/**
 * The map, as it stays throughout, what is said, and what else there is.
 *
 * @param {Set<string>} panelNames
 * @param {BoardShape} shape
 * @returns {Layout}
 */
export function minuteLayout(panelNames, shape) {
  const { width, height, head, say } = shape;
  const { panels: boardPanels, narrow, unit } = boardOf(shape);
  const { gap, timeline } = lengthsOf(shape);
  const { words } = boardPanels;
  const sayAt = words.y + head + gap;
  let end = sayAt + say + gap;
  const panels = Object.fromEntries(
    OF_MAP.filter((name) => name in boardPanels).map((name) => [name, boardPanels[name]]),
  );
  if (panelNames.has("timeline")) {
    const line = rect(words.x, Math.max(narrow ? 0 : height - timeline, end), words.w, timeline);
    panels.timeline = line;
    const free = line.y - end - gap;
    if (panelNames.has("margins") && free >= LEAST_MARGINS * unit) {
      const high = Math.min(free, MOST_MARGINS * unit);
      panels.margins = rect(words.x, line.y - gap - high, words.w, high);
    }
    end = line.y + line.h;
  }
  const whole = Math.max(height, end);
  const nothing = rect(0, whole, width, 0);
  return {
    narrow: false,
    unit,
    height: whole,
    bar: nothing,
    knob: null,
    tools: nothing,
    notices: whole,
    dock: null,
    panels,
    say: { x: words.x, y: sayAt, w: words.w, head: words.y, isUnder: narrow },
  };
}
