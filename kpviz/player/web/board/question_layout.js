// Where something is asked: the map where it is on the board, and beside it or under it the
// question with its answers, and under these what it is about. In a tiny window the map is small,
// so that the answers are in view, too. Runs side by side keep their maps, what each is called and
// the numbers that decide.

import { deskLayout } from "./desk_layout.js";
import { framedMap, lengthsOf, needOf, rect, tableOf } from "./lengths.js";
import { narrowLayout } from "./narrow_layout.js";

/** @import { BoardShape, Layout, Rect } from "./types.d.ts" */

const ON_BOARD = new Set(["alpha", "margins"]); // The panels of the board that it leads to.
const OF_MAP = ["map", "strip", "axis", "gutter"];
const OF_RUNS = /^(question|strip|map|caption|decide)(-|$)/;
const TINY_MAP = 0.42; // It takes so much of a tiny window's height.
export const REPLY = 200; // In px where the unit is 1: what comes of an answer has so much room.
const LONG_REPLY = 270; // A long one, with its score, has so much.
const LEAD = 0.17; // So far down a column begins what is asked, where there is room.
const LEAST_COLUMN = 600; // In px where the unit is 1: in a lower one it begins at the top.

/** @param {BoardShape} shape */
function boardOf(shape) {
  const { width, height, runs } = shape;
  const isNarrow = tableOf(width, height) === "narrow";
  // Beside runs a lesson has a column of its own.
  const hasSlot = shape.slot === "settings" || (runs > 1 && !isNarrow);
  const slot = hasSlot ? shape.slot : "";
  const board = { ...shape, tools: 0, notices: 0, next: null, slot };
  return isNarrow ? narrowLayout(ON_BOARD, board) : deskLayout(ON_BOARD, board);
}

/** The map of a tiny window. @param {BoardShape} shape @param {Layout} board */
function tinyMap({ width, view, height }, { panels, begins = 0 }) {
  const strip = panels.strip.h;
  const side = Math.round(TINY_MAP * (view || height)) - (strip - begins);
  const map = framedMap(0, 0, side, { strip, axis: 0, gutter: 0 });
  return { ...map, strip: rect(0, 0, width, strip) };
}

/**
 * The map of a phone, so much smaller that something else has room under it.
 *
 * @param {Layout["panels"]} panels
 * @param {number} by
 * @returns {Layout["panels"]}
 */
function smallerMap({ map, strip, axis }, by) {
  const outside = { strip: strip.h, axis: axis?.h ?? 0, gutter: 0 };
  return { ...framedMap(map.x + by / 2, strip.y, map.w - by, outside), strip };
}

/**
 * How wide the maps of runs in one row are together, and how far apart: each has its answer under
 * it.
 *
 * @param {Layout["panels"]} panels
 */
function rowOfMaps(panels) {
  const first = panels["map-0"];
  const second = panels["map-1"] ?? panels.map;
  return { w: panels.map.x + panels.map.w - first.x, gap: second.x - first.x - first.w };
}

/** The map where it is on the board. @param {Layout["panels"]} panels */
const mapOfBoard = (panels) =>
  Object.fromEntries(OF_MAP.filter((name) => name in panels).map((name) => [name, panels[name]]));

/** What stays of runs side by side. @param {Layout["panels"]} panels */
const runsOfBoard = (panels) =>
  Object.fromEntries(Object.entries(panels).filter(([name]) => OF_RUNS.test(name)));

/**
 * Where something is asked about runs side by side: beside their maps, or under all.
 *
 * @param {Layout} board
 */
function placeBesideRuns({ panels: { sentences, ...panels }, dock }, gap) {
  const { x, y, w } = dock ?? sentences;
  const ends = Object.values(runsOfBoard(panels)).map((panel) => panel.y + panel.h);
  return { x, y: x > 0 ? y : Math.max(...ends) + gap / 2, w };
}

const PLACED = ["map", "timeline"]; // These have places of their own.

/**
 * The other panels under a question, as many as have room there; the last has what is left, up to
 * twice its need. Returns where they end.
 *
 * @param {Layout["panels"]} panels
 * @param {{ names: string[], x: number, w: number, y: number, end: number, gap: number }} room
 * @param {(name: string) => number} heightOf
 */
function addPanels(panels, { names, x, w, y, end, gap }, heightOf) {
  let top = y;
  /** @type {Rect | null} */
  let last = null;
  for (const name of names) {
    const high = heightOf(name);
    if (top + high > end) continue;
    last = rect(x, top, w, high);
    panels[name] = last;
    top += high + gap;
  }
  const more = last && end < Infinity ? Math.min(end - last.y - last.h, last.h) : 0;
  if (more > 0) last.h += more;
  return top + more;
}

/**
 * The map, as it stays throughout, what is said, and what else there is.
 *
 * @param {Set<string>} panelNames
 * @param {BoardShape} shape
 * @returns {Layout}
 */
export function questionLayout(panelNames, shape) {
  const { width, height, say, hand } = shape;
  const board = boardOf(shape);
  const { narrow, unit, sheet = false } = board;
  const areCompared = shape.runs > 1;
  const { gap, isLow, bar: barHigh, timeline } = lengthsOf(shape);
  // There each of the runs has a row.
  const timelineHigh = (areCompared && board.panels.timeline?.h) || timeline;
  const isTiny = board.isTiny && !areCompared;
  const ofBoard = areCompared ? runsOfBoard(board.panels) : mapOfBoard(board.panels);
  const heightOf = (name) => Math.ceil(needOf(name, unit, shape.stream)[1]);
  // In a small window the panel in which one answers would lie below the question, out of sight.
  const handHigh = hand && (narrow || isLow) ? heightOf(hand) + gap : 0;
  const lessMap = narrow && !isTiny ? handHigh : 0;
  /** @type {Layout["panels"]} */
  let panels = isTiny ? tinyMap(shape, board) : ofBoard;
  if (lessMap) panels = smallerMap(panels, lessMap);
  const { map } = panels;
  // Beside settings the board of a phone has its short sentence alone.
  const { words, short } = board.panels;
  const place = areCompared ? placeBesideRuns(board, gap) : (words ?? short);
  const handAt = isTiny ? map.y + map.h + gap : place.y - lessMap;
  if (handHigh) panels[hand] = rect(place.x, handAt, place.w, handHigh - gap);
  // In a tiny window the question begins beside its map, and the answers follow under both.
  const isBeside = isTiny && !handHigh;
  const runAnswers = !areCompared ? "" : narrow || place.x > 0 ? "list" : "columns";
  const row = runAnswers === "columns" ? rowOfMaps(panels) : { w: place.w, gap };
  const sayAt = isBeside ? map.y : handAt + handHigh;
  let end = sayAt + Math.max(say, isBeside ? map.h : 0) + gap;
  const scrolls = narrow || isTiny;
  const barOrNone = shape.bar ? barHigh : 0;
  // Where the answers need its room, there is none: it would lie under the buttons.
  const hasRoom = scrolls || !shape.bar || end + timelineHigh + barOrNone <= height;
  const hasTimeline = panelNames.has("timeline") && hasRoom;
  const footHigh = (hasTimeline ? timelineHigh : 0) + barOrNone;
  const foot = Math.max(scrolls ? 0 : height - footHigh, end);
  const names = [...panelNames].filter((name) => !PLACED.includes(name) && !(name in panels));
  const room = { names, x: place.x, w: place.w, y: end, end: foot - gap, gap };
  if (!scrolls) addPanels(panels, room, heightOf);
  if (hasTimeline) panels.timeline = rect(place.x, foot, place.w, timelineHigh);
  if (footHigh) end = foot + footHigh;
  const bar = rect(place.x, foot + footHigh - barHigh, place.w, barHigh);
  // On a page that scrolls all of them follow.
  if (scrolls) end = addPanels(panels, { ...room, y: end + gap, end: Infinity }, heightOf);
  const under = [...names, "timeline"].flatMap((name) => panels[name] ?? []);
  if (shape.bar) under.push(bar);
  // Else the way out stands beside the foot of the map.
  const column = areCompared || scrolls ? height : map.y + map.h;
  const sayEnd = Math.min(column, ...under.map(({ y }) => y - gap));
  const begins = board.begins ?? 0;
  // What lies above a tiny board has room to scroll away.
  const whole = Math.max(height, end, begins && begins + shape.view);
  const nothing = rect(0, whole, width, 0);
  const sayHigh = Math.max(sayEnd - sayAt, say);
  const isShort = scrolls || sayHigh < LEAST_COLUMN * unit;
  const spare = isShort ? 0 : Math.max(sayHigh - say - LONG_REPLY * unit, 0);
  return {
    narrow: false,
    unit,
    height: whole,
    isTiny,
    begins,
    bar: shape.bar ? bar : nothing,
    knob: null,
    tools: nothing,
    dock: shape.slot === "settings" ? board.dock : null, // In the place of the question.
    sheet,
    panels,
    say: {
      x: place.x,
      y: sayAt,
      w: row.w,
      h: sayHigh,
      lead: Math.min(LEAD * sayHigh, spare),
      isUnder: narrow,
      mapWidth: isBeside ? map.w + gap : 0,
      runAnswers,
      answersGap: row.gap,
    },
  };
}
