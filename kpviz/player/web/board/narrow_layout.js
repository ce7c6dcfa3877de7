// Everything in one column, on a page that scrolls: map, words, timeline, buttons and the number
// that is turned are in one view, and the panels follow. Settings and lessons are a sheet over its
// end. In a tiny window map, a short sentence of one line and buttons are in one view.

import {
  SHORT_WORDS,
  TINY,
  VERDICT,
  insetOf,
  framedMap,
  maps,
  needOf,
  STREAM_STRIP,
  outsideOf,
  questionHeight,
  rect,
  rowOf,
  wordsInOneColumn,
} from "./lengths.js";
import { BY_NAME } from "./panel_table.js";
import { besideMap } from "./shown_panels.js";

/** @import { BoardShape, Layout, Rect } from "./types.d.ts" */

const GAP = 8; // All lengths are in px.
const TINY_GAP = 4;
// If the board is lower than the window by so much, the page has a bar above the board.
const LEAST_TOP_BAR = 30;
const BAR = 44; // The height of the buttons, and of the row with the number that is turned.
const TIMELINE = 44;
const VOTES = 20;
// Heights of the numbers under a map that is compared: in one row, in one row with a verdict under
// it, and one below the other, as they stand under a map that is narrower than STACKED_MAP_WIDTH.
const NUMBERS_IN_ROW = 22;
const NUMBERS_ABOVE_VERDICT = 26;
const NUMBERS_STACKED = 48;
const STACKED_MAP_WIDTH = 210;
// The least sides of a map: usually, in a tiny window, and beside the map of another run.
const LEAST_MAP = 178;
const LEAST_TINY_MAP = 120;
const LEAST_COMPARED_MAP = 150;
const LEAST_BESIDE_LIT = 240; // The same where a panel that a cue lights is in view with the map.
const LEAST_BESIDE_REQUESTED = 290; // The same of a panel that somebody has switched on.
const NEARLY_AS_WIDE = 0.95; // A map with this share of its room gets all of the room.
const LEAST_WITH_LEGEND = 320; // A narrower map has its legend over the whole width.
const ON_REQUEST_HEIGHT = 260; // A panel on request has a sentence, too.
const PANEL_AIR = 20; // A panel gets so much more height than it needs.
const MOST_SQUARE = 320;
// A sheet has this share of the height, and at least so many px.
const SETTINGS = { share: 0.34, least: 180 };
const READING = { share: 0.27, least: 220 };
const SENTENCE = 60; // The least height of the sentence of each run that is compared.
const TIMELINE_NUMBERS = 26; // The height of the numbers at a timeline with a row for each run.
// Runs side by side with a question leave this share of the height to its answers.
const QUESTION_SHARE = 0.34;
const WORDS_AIR = 8; // Between the parts of a sentence.
const WIDE_BOARD = 576; // The sentence of a board that is so wide has fewer lines.

/** @param {Set<string>} panelNames @param {BoardShape} shape @returns {Layout} */
export function narrowLayout(panelNames, shape) {
  const layout = shape.runs > 1 ? comparedMaps(shape) : oneMap(panelNames, shape);
  return { dock: null, ...layout, narrow: true, unit: 1 };
}

const isTinyIn = ({ view, height }) => (view || height) < TINY;

/**
 * The height of the sheet with settings or a lesson, 0 for none: a tiny window has them below.
 *
 * @param {BoardShape} shape
 */
function sheetOf(shape) {
  const { slot, height } = shape;
  if (!slot || isTinyIn(shape)) return 0;
  const { share, least } = slot === "reading" ? READING : SETTINGS;
  return Math.round(Math.max(share * height, least));
}

/** Rectangles one under the other; `y` is where the next one begins. */
class Pile {
  /** @param {number} width @param {number} gap */
  constructor(width, gap) {
    this.width = width;
    this.gap = gap;
    this.y = 0;
  }

  /** The next rectangle of this height; one without a height leaves no gap. @returns {Rect} */
  add(height, gap = this.gap) {
    const place = rect(0, this.y, this.width, height);
    if (height) this.y += height + gap;
    return place;
  }
}

/**
 * The map of a run, and under it all else in the order in which it is added to the pile: words,
 * tools, timeline, buttons, the panel that is to be in view, the number that is turned, and the
 * other panels. With settings or a lesson, that panel comes before the buttons and the timeline
 * after the number; in a tiny window the timeline is there, too.
 *
 * @param {Set<string>} panelNames
 * @param {BoardShape} shape
 */
function oneMap(panelNames, shape) {
  const { width, slot, lit, knob: hasKnob, next } = shape;
  const isTiny = isTinyIn(shape);
  const gap = isTiny ? TINY_GAP : GAP;
  const names = requestedFirst(besideMap(panelNames));
  const outside = { ...outsideOf(1), gutter: 0 };
  if (isTiny) outside.axis = 0;
  else if (shape.stream) outside.strip = STREAM_STRIP;
  const allWords = wordsInOneColumn(width, slot !== "");
  // Beside settings one line says what the step was: they have the room, and the map stays.
  const isBrief = isTiny || slot === "settings";
  const sheet = sheetOf(shape);
  const votes = panelNames.has("readings") ? VOTES : 0;
  const isForemost = (/** @type {string} */ name) =>
    slot === "reading" ? lit.includes(name) : !slot && isRequested(name);
  // The panel that is to be in view with the map, "" for none.
  const panelInView = isTiny ? "" : (names.find(isForemost) ?? "");
  // The words of a wide board have fewer lines, and those above such a panel leave it their air.
  const airBelowWords = slot || panelInView || width >= WIDE_BOARD ? 0 : WORDS_AIR;
  const wordsHeight = isBrief ? SHORT_WORDS : allWords + airBelowWords;
  const { side, isPanelInView } = sideOf(shape, {
    panelInView,
    outside,
    gap,
    wordsHeight,
    votes,
    sheet,
  });
  const pile = new Pile(width, gap);
  const left = Math.floor((width - side) / 2);
  // A map as wide as the page has no room for the numbers left of it.
  const { gutter } = outsideOf(1);
  if (!isTiny && left >= gutter) outside.gutter = gutter;
  const panels = framedMap(left, 0, side, outside);
  if (side < LEAST_WITH_LEGEND) Object.assign(panels.strip, { x: 0, w: width });
  pile.y = outside.strip + side + outside.axis + (isBrief ? gap : 0);
  panels[isBrief ? "short" : "words"] = pile.add(wordsHeight);
  const tools = pile.add(shape.tools);
  const addPanel = (/** @type {string} */ name) => {
    panels[name] = pile.add(panelHeight(name, shape));
  };
  if (slot && isPanelInView) addPanel(panelInView);
  const addTimeline = () => {
    panels.timeline = pile.add(TIMELINE, 0);
    if (votes) panels.votes = pile.add(votes);
  };
  if (!slot && !isTiny) addTimeline();
  const bar = pile.add(BAR, 0);
  const notices = pile.add(shape.notices);
  if (isTiny) panels.words = pile.add(allWords);
  if (!slot && panelInView) {
    pile.y += gap;
    // It is as high as it likes to be, and lower where the window ends before, down to its need.
    const inView = Math.max(shape.height - pile.y, leastHeight(panelInView, shape));
    panels[panelInView] = pile.add(Math.min(requestedHeight(panelInView, shape), inView));
  }
  const knob = hasKnob ? pile.add(BAR) : null;
  if (slot || isTiny) addTimeline();
  const nextRow = next && !slot ? pile.add(Math.max(next.h, BAR)) : undefined;
  const dock = slot ? dockOf(shape, pile, sheet, bar.y + bar.h) : null;
  for (const name of names) if (!(name in panels)) addPanel(name);
  return {
    panels,
    bar,
    knob,
    tools,
    notices,
    ...(nextRow && { next: nextRow }),
    dock,
    sheet: sheet > 0,
    isTiny,
    begins: scrollStart(shape, outside),
    alone: names.length === 0,
    height: Math.max(pile.y, shape.height),
  };
}

/** Whether somebody switched it on: the panel of a learner's own, or one that is off by default. */
const isRequested = (/** @type {string} */ name) =>
  name === "own" || BY_NAME[name].group === "more";

/** @param {string[]} names */
const requestedFirst = (names) => [
  ...names.filter(isRequested),
  ...names.filter((name) => !isRequested(name)),
];

/**
 * The heights round the map from which its side follows.
 *
 * @typedef {object} RoundMap
 * @property {string} panelInView the panel that is to be in view with the map, "" for none
 * @property {{ strip: number, axis: number, gutter: number }} outside what stands round the map:
 *   above it, under it and left of it
 * @property {number} gap
 * @property {number} wordsHeight
 * @property {number} votes
 * @property {number} sheet
 */

/**
 * The side of the map that leaves words, timeline and buttons in view, and above a sheet words and
 * buttons; and whether the panel `panelInView` is in view as well.
 *
 * @param {BoardShape} shape
 * @param {RoundMap} roundMap
 */
function sideOf(shape, roundMap) {
  const { width, height, tools, notices, knob, slot } = shape;
  const { panelInView, outside, gap, wordsHeight, votes, sheet } = roundMap;
  if (isTinyIn(shape)) return { side: tinySide(shape, roundMap), isPanelInView: false };
  const least = Math.min(LEAST_MAP, width);
  const knobHeight = knob ? BAR : 0;
  const under = sheet || TIMELINE + votes + knobHeight;
  const frame = outside.strip + outside.axis;
  // The short sentence beside settings has a gap above it, too.
  const gaps = slot === "settings" ? 2 * gap : gap;
  const free = height - frame - wordsHeight - BAR - under - tools - notices - gaps;
  const widest = Math.min(width, free);
  if (panelInView && !slot) {
    // The number that is turned comes after the panel, and need not be in view.
    const roomBesidePanel = free + knobHeight - requestedHeight(panelInView, shape) - gap;
    const smaller = Math.min(widest, Math.max(roomBesidePanel, LEAST_BESIDE_REQUESTED));
    const side = smaller < NEARLY_AS_WIDE * widest ? smaller : widest;
    return { side: Math.floor(Math.max(side, least)), isPanelInView: true };
  }
  const roomAfterPanel = panelInView ? free - panelHeight(panelInView, shape) - gap : 0;
  const isPanelInView = roomAfterPanel >= Math.min(LEAST_BESIDE_LIT, width);
  const side = isPanelInView ? Math.min(width, roomAfterPanel) : widest;
  return { side: Math.floor(Math.max(side, least)), isPanelInView };
}

/**
 * The side of the map that leaves a short sentence and the buttons in view of a tiny window.
 *
 * @param {BoardShape} shape
 * @param {RoundMap} roundMap
 */
function tinySide(shape, { outside, gap, wordsHeight }) {
  const { width, height, view, tools } = shape;
  const strip = outside.strip - scrollStart(shape, outside);
  const free = (view || height) - strip - wordsHeight - BAR - tools - 3 * gap;
  return Math.floor(Math.max(Math.min(width, free), Math.min(LEAST_TINY_MAP, width)));
}

/**
 * The y of the board to which the page of a tiny window is scrolled. If the page has a bar above
 * the board, the bar scrolls away, and the strip above the map goes with it. (`view` is the height
 * of the window, `height` that of the board.)
 */
const scrollStart = ({ view, height }, { strip }) => (view - height > LEAST_TOP_BAR ? strip : 0);

/** The height that a panel which is switched on likes to have. */
const requestedHeight = (/** @type {string} */ name, /** @type {BoardShape} */ shape) =>
  Math.max(panelHeight(name, shape), BY_NAME[name].onRequest ? ON_REQUEST_HEIGHT : 0);

/** The least height that a panel gets in view. @param {string} name @param {BoardShape} shape */
const leastHeight = (name, { stream }) => Math.ceil(needOf(name, 1, stream)[1]) + PANEL_AIR;

/** The height of any other panel. @param {string} name @param {BoardShape} shape */
function panelHeight(name, { width, stream, slot }) {
  const need = Math.ceil(needOf(name, 1, stream)[1]);
  if (slot === "reading") return need;
  const { square, tabHeight = 0 } = BY_NAME[name];
  return Math.max(need + PANEL_AIR, square ? Math.min(width, MOST_SQUARE) : 0, tabHeight);
}

/** A sheet at the end of the window, or in a tiny one a part of the page. */
function dockOf({ width, height, view }, pile, sheet, end) {
  if (!sheet) return pile.add(Math.max(view - 2 * TINY_GAP, SETTINGS.least));
  const high = Math.max(height - end, sheet);
  return rect(0, height - high, width, high);
}

/** The width of each of so many columns. */
const widthIn = (/** @type {number} */ columns, width, gap) =>
  (width - gap * (columns - 1)) / columns;

/**
 * The height of what stands under a map of a comparison that may be so wide: numbers and a verdict.
 * Who is asked about the runs is told no verdict.
 *
 * @param {BoardShape} shape
 * @param {number} mapWidth
 */
function numbersHeight(shape, mapWidth) {
  if (isTinyIn(shape)) return NUMBERS_IN_ROW;
  const areStacked = mapWidth < STACKED_MAP_WIDTH;
  if (shape.kind === "question") return areStacked ? NUMBERS_STACKED : NUMBERS_IN_ROW;
  return (areStacked ? NUMBERS_STACKED : NUMBERS_ABOVE_VERDICT) + VERDICT;
}

/**
 * The largest side that all maps of a comparison can have in a room of this height, and in how many
 * columns they have it.
 *
 * @param {BoardShape} shape
 * @param {number} room
 */
function largestMaps(shape, room) {
  const { runs, width } = shape;
  const gap = isTinyIn(shape) ? TINY_GAP : GAP;
  const { strip: caption } = outsideOf(1);
  let best = { side: 0, columns: 1 };
  for (let columns = 1; columns <= runs; columns++) {
    const rows = Math.ceil(runs / columns);
    const mapWidth = widthIn(columns, width, gap);
    const side = Math.min(mapWidth, room / rows - caption - numbersHeight(shape, mapWidth));
    if (side > best.side) best = { side, columns };
  }
  return best;
}

/**
 * The maps of runs side by side, in as many columns as give the largest maps, with the question
 * that they answer above them.
 *
 * @param {BoardShape} shape
 */
function comparedMaps(shape) {
  const { kind, width, height, runs, question, slot } = shape;
  const isTiny = isTinyIn(shape);
  const gap = isTiny ? TINY_GAP : GAP;
  const { strip: caption } = outsideOf(1);
  const sheet = sheetOf(shape);
  const isAsked = kind === "question";
  const [questionLength, wordsLength] = question ?? [0, 0];
  // Who is asked reads with the answer what there is to see.
  const lengths = /** @type {[number, number]} */ ([questionLength, isAsked ? 0 : wordsLength]);
  const questionRoom = questionHeight(lengths, width, 1, isAsked ? "large" : "body");
  const timeline = Math.round(TIMELINE_NUMBERS + rowOf(1) * runs);
  // The sentences need not be in view: verdicts are under the maps.
  const heightBelow = sheet || (isTiny ? 0 : timeline);
  const under = isAsked ? QUESTION_SHARE * height : heightBelow;
  const barHeight = isAsked && !shape.bar ? 0 : BAR;
  const free = height - questionRoom - barHeight - under - shape.tools - shape.notices - 2 * gap;
  const best = largestMaps(shape, free);
  const widthInTwo = widthIn(2, width, gap);
  const least = Math.min(widthInTwo, LEAST_COMPARED_MAP);
  const isSmall = best.side < least;
  // One legend stands above all maps, if they stay as large.
  const isRoom = isSmall || largestMaps(shape, free - caption).side === best.side;
  const legend = isRoom && !isTiny && !slot ? caption : 0;
  const mapsTop = questionRoom + legend;
  const columns = isSmall ? 2 : best.columns;
  const side = Math.floor(isSmall ? least : best.side);
  const across = columns * side + (columns - 1) * gap;
  const left = Math.floor((width - across) / 2);
  const numbers = numbersHeight(shape, widthIn(columns, width, gap));
  const rowHeight = caption + side + numbers;
  /** @type {Record<string, Rect>} */
  const panels = questionRoom ? { question: rect(0, 0, width, questionRoom) } : {};
  if (legend) panels.strip = rect(0, questionRoom, width, legend);
  Object.assign(
    panels,
    maps(runs, side, caption, numbers, (k) => [
      left + (k % columns) * (side + gap),
      mapsTop + Math.floor(k / columns) * rowHeight,
    ]),
  );
  const pile = new Pile(width, gap);
  pile.y = mapsTop + Math.ceil(runs / columns) * rowHeight;
  const tools = pile.add(shape.tools);
  const addTimeline = () => {
    panels.timeline = { ...pile.add(timeline), inset: insetOf(1) };
  };
  if (!slot) addTimeline();
  const bar = pile.add(BAR);
  const notices = pile.add(shape.notices);
  if (slot) addTimeline();
  const dock = slot ? dockOf(shape, pile, sheet, bar.y + bar.h) : null;
  // The sentences fill the place that an odd number of maps leaves free, beside the last map: right
  // under the numbers above that place they would read as some of them.
  const hasFreeCell = runs === 3 && columns === 2 && !slot && !isAsked && !isTiny;
  panels.sentences = hasFreeCell
    ? rect(left + side + gap, mapsTop + rowHeight + caption, side, rowHeight - caption)
    : pile.add(Math.max(SENTENCE * runs, sheet ? 0 : height - pile.y - gap));
  return {
    panels,
    bar,
    knob: null,
    tools,
    notices,
    dock,
    sheet: sheet > 0,
    isTiny,
    begins: 0,
    height: Math.max(pile.y, height),
  };
}
