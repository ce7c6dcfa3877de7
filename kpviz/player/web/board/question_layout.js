// Where something is asked: the map where it is on the board, and beside it or under it the
// question with its answers. The first minute has a timeline and margins besides, as soon as they
// mean something.

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
  /** @type {BoardShape["slot"]} */
  const slot = shape.slot === "settings" ? "settings" : "";
  const board = { ...shape, tools: 0, notices: 0, next: null, slot };
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
export function questionLayout(panelNames, shape) {
  const { width, height, head, say } = shape;
  const { panels: boardPanels, narrow, unit, dock = null, sheet = false } = boardOf(shape);
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
    dock, // Settings stand in the place of the question.
    sheet,
    panels,
    say: {
      x: words.x,
      y: sayAt,
      w: words.w,
      h: Math.max(height - sayAt, say),
      head: words.y,
      isUnder: narrow,
    },
  };
}
