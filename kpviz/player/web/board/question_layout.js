// Where something is asked: the map where it is on the board, and beside it or under it the
// question with its answers. The first minute has a timeline and margins besides, as soon as they
// mean something. In a tiny window the map is small, so that the question is in view with its
// answers, and the head lies beside it.

import { deskLayout } from "./desk_layout.js";
import { framedMap, lengthsOf, rect, tableOf } from "./lengths.js";
import { narrowLayout } from "./narrow_layout.js";

/** @import { BoardShape, Layout } from "./types.d.ts" */

const ON_BOARD = new Set(["alpha", "margins"]); // The panels of the board that it leads to.
const OF_MAP = ["map", "strip", "axis", "gutter"];
// In px, where the unit is 1.
const LEAST_MARGINS = 96;
const MOST_MARGINS = 210;
const TINY_MAP = 0.4; // Of a tiny window's height.

/** @param {BoardShape} shape */
function boardOf(shape) {
  /** @type {BoardShape["slot"]} */
  const slot = shape.slot === "settings" ? "settings" : "";
  const board = { ...shape, tools: 0, notices: 0, next: null, slot };
  const isNarrow = tableOf(shape.width, shape.height) === "narrow";
  return isNarrow ? narrowLayout(ON_BOARD, board) : deskLayout(ON_BOARD, board);
}

/** The map of a tiny window. @param {BoardShape} shape @param {Layout} board */
function tinyMap({ width, view, height }, { panels, begins = 0 }) {
  const strip = panels.strip.h;
  const side = Math.round(TINY_MAP * (view || height)) - (strip - begins);
  const map = framedMap(0, 0, side, { strip, axis: 0, gutter: 0 });
  return { ...map, strip: rect(0, 0, width, strip) };
}

/** The map where it is on the board. @param {Layout["panels"]} panels */
const mapOfBoard = (panels) =>
  Object.fromEntries(OF_MAP.filter((name) => name in panels).map((name) => [name, panels[name]]));

/**
 * The map, as it stays throughout, what is said, and what else there is.
 *
 * @param {Set<string>} panelNames
 * @param {BoardShape} shape
 * @returns {Layout}
 */
export function questionLayout(panelNames, shape) {
  const { width, height, head, say } = shape;
  const board = boardOf(shape);
  const { narrow, unit, dock = null, sheet = false } = board;
  const { gap, timeline } = lengthsOf(shape);
  const { words } = board.panels;
  /** @type {Layout["panels"]} */
  const panels = board.isTiny ? tinyMap(shape, board) : mapOfBoard(board.panels);
  const { map } = panels;
  const besideMap = map.w + gap;
  const headBox = board.isTiny
    ? rect(besideMap, map.y, width - besideMap, head)
    : rect(words.x, words.y, words.w, head);
  const headEnd = headBox.y + head;
  const sayAt = gap + (board.isTiny ? Math.max(headEnd, map.y + map.h) : headEnd);
  let end = sayAt + say + gap;
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
  const begins = board.begins ?? 0;
  // What lies above a tiny board has room to scroll away.
  const whole = Math.max(height, end, begins && begins + shape.view);
  const nothing = rect(0, whole, width, 0);
  return {
    narrow: false,
    unit,
    height: whole,
    isTiny: board.isTiny,
    begins,
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
      head: headBox,
      isUnder: narrow,
    },
  };
}
