// A narrow window, or a low frame: everything in one column, or the panel beside the map; one panel
// at a time, in tabs.

import {
  BAR,
  GAP,
  LEAST_UNIT,
  insetOf,
  isSmall,
  maps,
  needOf,
  questionRows,
  rect,
} from "./lengths.js";
import { BY_NAME } from "./panel_table.js";

/** @import { BoardShape, Layout, Rect } from "./types.d.ts" */

const LOW = 620; // px of height under which map and panel of a narrow board stand side by side
const BESIDE = 230; // px of width that a panel beside the map needs
const SHORT = 700; // px of height under which the buttons of a narrow board are in one row
const LEAST_MAP = 180; // px of its map
const WORDS = 160; // px of height of the words of a step there
const TIMELINE = 52; // px of a narrow board
const TABS = 36;
const ROW = 12.4; // px of height that a run's ticks have at least on a timeline
const SHEET = 180; // px of height that the settings under the map have at least

/** @param {Set<string>} shown @param {BoardShape} shape @returns {Layout} */
export function narrowLayout(shown, shape) {
  const { width, height, runs, edge } = shape;
  const flat = runs === 1 && isLow(width, height);
  const layout = runs > 1 ? comparedNarrow(shape) : flat ? low(shown, shape) : narrow(shown, shape);
  const { bar, tabs, panels } = layout;
  // In place of the tabs.
  const overPanel = flat && edge !== null && rect(tabs.x, 0, edge - tabs.x, panels.map.h);
  const dock = edge === null ? null : overPanel || underMaps(layout, width, height);
  const sheet = dock !== null && !flat;
  const high = sheet ? BAR : bar.h; // above the sheet
  return {
    ...layout,
    narrow: true,
    bar: { ...bar, h: high },
    strip: high === BAR,
    unit: LEAST_UNIT,
    tools: bar.y + bar.h,
    dock,
    sheet,
  };
}

/**
 * The settings as a sheet under the maps and a row of buttons, at most half as high as the board.
 */
function underMaps({ panels }, width, height) {
  const maps = Object.entries(panels).filter(([name]) => /^map(-|$)/.test(name));
  const bottom = Math.max(...maps.map(([, { y, h }]) => y + h));
  const h = Math.max(Math.min(height - bottom - GAP / 2 - BAR, height / 2), SHEET);
  return rect(0, height - h, width, h);
}

function comparedNarrow({ width, height, tab, runs, tools, question }) {
  const rows = Math.ceil(runs / 2);
  const side = Math.min((width - GAP) / 2, Math.max((height - BAR - 330) / rows, 150));
  const first = question ? questionRows(question, width, 15) * 19 : 0;
  /** @type {Record<string, Rect>} */
  const panels = first ? { question: rect(4, 0, width - 8, first) } : {};
  const placeOf = (k) => [(k % 2) * (side + GAP), first + Math.floor(k / 2) * (side + 50)];
  Object.assign(panels, maps(runs, side, 24, 24, placeOf));
  const below = first + rows * (side + 50);
  const timeline = Math.round(36 + ROW * runs);
  panels.timeline = { ...rect(0, below + 6, width, timeline), inset: insetOf(LEAST_UNIT) };
  const bar = rect(0, below + timeline + 10, width, barHeight(height));
  const tabs = rect(0, bar.y + bar.h + tools, width, TABS);
  panels[tab === "table" ? "table" : "sentences"] = rect(
    4,
    tabs.y + tabs.h + 6,
    width - 8,
    110 * runs,
  );
  return { height: tabs.y + tabs.h + 110 * runs + 10, bar, tabs, panels };
}

/** The buttons have two rows; of a short board one, and the others are behind *More*. */
const barHeight = (height) => BAR * (height < SHORT ? 1 : 2);

/** Whether a narrow board is so low that a panel has its room beside the map. */
const isLow = (width, height) =>
  isSmall(height) || (height < LOW && width - (height - BAR - TIMELINE) >= BESIDE);

/**
 * The map on the left, tabs and panel on the right, the timeline and the buttons in one row below.
 */
function low(shown, { width, height, tab, tools }) {
  const votes = shown.has("readings") ? 20 : 0;
  const bar = rect(0, height - BAR - tools, width, BAR);
  const top = bar.y - TIMELINE - votes - GAP / 2;
  if (isSmall(height)) return small(width, height, tools);
  const sideWidth = Math.max(BESIDE, BY_NAME[tab] ? needOf(tab, LEAST_UNIT)[0] + 4 : 0);
  const side = Math.floor(Math.min(top, width - sideWidth - GAP));
  const x = side + GAP;
  const tabs = rect(x, 0, width - x, TABS);
  /** @type {Record<string, Rect>} */
  const panels = {
    map: rect(0, 0, side, side),
    timeline: rect(0, top + GAP / 2, width, TIMELINE),
    [tab]: rect(x, TABS + 6, width - x - 4, top - TABS - 6),
  };
  if (votes) panels.votes = rect(0, top + GAP / 2 + TIMELINE, width, votes);
  return { low: true, height, bar, tabs, panels };
}

/** Map, words, timeline and buttons, and no tabs: all that a small frame has room for. */
function small(width, height, tools) {
  const bar = rect(0, height - BAR - tools, width, BAR);
  const top = bar.y - TIMELINE - GAP / 2;
  const side = Math.floor(Math.min(top, width / 2));
  const panels = {
    map: rect(0, 0, side, side),
    words: rect(side + GAP, 0, width - side - GAP - 4, top),
    timeline: rect(0, top + GAP / 2, width, TIMELINE),
  };
  return { low: true, height, bar, tabs: rect(0, 0, 0, 0), panels };
}

/**
 * Map, panel, timeline, buttons and tabs, one under the other; the map is as large as leaves the
 * words of a step in view.
 */
function narrow(shown, { width, height, tab, tools, passing }) {
  const votes = shown.has("readings") ? 20 : 0;
  const buttons = barHeight(height);
  const side = Math.min(
    width,
    Math.max(height - passing - TIMELINE - votes - buttons - TABS - WORDS - 16, LEAST_MAP),
  );
  const high = BY_NAME[tab]?.tabHeight ?? WORDS;
  const below = side + 6 + high;
  const panels = {
    map: rect((width - side) / 2, 0, side, side),
    [tab]: rect(4, side + 6, width - 8, high),
  };
  panels.timeline = rect(0, below + 2, width, TIMELINE);
  if (votes) panels.votes = rect(0, below + 2 + TIMELINE, width, votes);
  const bar = rect(0, below + 4 + TIMELINE + votes, width, buttons);
  const tabs = rect(0, bar.y + bar.h + tools, width, TABS);
  return { height: tabs.y + tabs.h + 4, bar, tabs, panels };
}
