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
const STAYS = 30; // No bar stands above a board that is so much lower than the window.
const BAR = 44; // The buttons have it, and the number that is turned.
const TIMELINE = 44;
const VOTES = 20;
// The numbers under a map that is compared: in a row, in one above a verdict, one below the other.
const NUMBERS = 22;
const NUMBERS_ABOVE_VERDICT = 26;
const STACKED = 48;
const STACKED_BELOW = 210; // Under a narrower map numbers stand one below the other.
const LEAST_MAP = 178;
const LEAST_TINY_MAP = 120;
const LEAST_COMPARED_MAP = 150;
const LEAST_BESIDE_LIT = 240; // So much of a map leaves room to a panel which a cue lights.
const LEAST_BESIDE_ASKED = 290; // The same of one that somebody has asked for.
const ALMOST = 0.95; // A map that has so much of its room has all of it.
const LEAST_WITH_LEGEND = 320; // A narrower map has its legend over the whole width.
const ANSWERS = 260; // So high is one that answers a question, with its sentence.
const ROOMY = 20; // What a panel has besides its need.
const MOST_SQUARE = 320;
// A sheet has so much of the height, and at least so many px.
const SETTINGS = { share: 0.34, least: 180 };
const LESSON = { share: 0.27, least: 220 };
const SENTENCE = 60; // Each run that is compared has one.
const ASKED_SHARE = 0.34; // So much of the height it takes where something is asked about runs.
// Between the parts of a sentence, unless it is wide or a panel is to be in view with it.
const AIR = 8;
const WIDE = 576; // From which its sentence needs less.

/** @param {Set<string>} panelNames @param {BoardShape} shape @returns {Layout} */
export function narrowLayout(panelNames, shape) {
  const layout = shape.runs > 1 ? comparedMaps(shape) : oneMap(panelNames, shape);
  return { dock: null, ...layout, narrow: true, unit: 1 };
}

const isTinyIn = ({ view, height }) => (view || height) < TINY;

/**
 * The height of the sheet, and how much of the board it leaves; of a tiny window there is none.
 *
 * @param {BoardShape} shape
 */
function sheetOf(shape) {
  const { slot, height } = shape;
  if (!slot || isTinyIn(shape)) return 0;
  const { share, least } = slot === "lesson" ? LESSON : SETTINGS;
  return Math.round(Math.max(share * height, least));
}

/** What is laid one under the other from a place on. */
class Pile {
  /** @param {number} width @param {number} gap */
  constructor(width, gap) {
    this.width = width;
    this.gap = gap;
    this.y = 0;
  }

  /** The next rectangle of this height. @returns {Rect} */
  add(height, gap = this.gap) {
    const place = rect(0, this.y, this.width, height);
    this.y += height ? height + gap : 0;
    return place;
  }
}

/** @param {Set<string>} panelNames @param {BoardShape} shape */
function oneMap(panelNames, shape) {
  const { width, slot, lit, knob: hasKnob, next } = shape;
  const isTiny = isTinyIn(shape);
  const gap = isTiny ? TINY_GAP : GAP;
  const names = askedFirst(besideMap(panelNames));
  const outside = { ...outsideOf(1), gutter: 0 };
  if (isTiny) outside.axis = 0;
  else if (shape.stream) outside.strip = STREAM_STRIP;
  const wordsHigh = wordsInOneColumn(width, slot !== "");
  // Beside settings one line says what the step was: they have the room, and the map stays.
  const isBrief = isTiny || slot === "settings";
  const sheet = sheetOf(shape);
  const votes = panelNames.has("readings") ? VOTES : 0;
  const isAsked = (/** @type {string} */ name) =>
    slot === "lesson" ? lit.includes(name) : !slot && isAskedFor(name);
  const first = isTiny ? "" : (names.find(isAsked) ?? "");
  const air = slot || first || width >= WIDE ? 0 : AIR;
  const words = isBrief ? SHORT_WORDS : wordsHigh + air;
  const { side, isFirstInView } = sideOf(shape, { first, outside, gap, words, votes, sheet });
  const pile = new Pile(width, gap);
  const left = Math.floor((width - side) / 2);
  const { gutter } = outsideOf(1); // A map that is as wide as the page leaves it no room.
  if (!isTiny && left >= gutter) outside.gutter = gutter;
  const panels = framedMap(left, 0, side, outside);
  if (side < LEAST_WITH_LEGEND) Object.assign(panels.strip, { x: 0, w: width });
  pile.y = outside.strip + side + outside.axis + (isBrief ? gap : 0);
  panels[isBrief ? "short" : "words"] = pile.add(words);
  const tools = pile.add(shape.tools);
  const panelOf = (name) => (panels[name] = pile.add(panelHeight(name, shape)));
  if (slot && isFirstInView) panelOf(first);
  const addTimeline = () => {
    panels.timeline = pile.add(TIMELINE, 0);
    if (votes) panels.votes = pile.add(votes);
  };
  if (!slot && !isTiny) addTimeline();
  const bar = pile.add(BAR, 0);
  const notices = pile.add(shape.notices);
  if (isTiny) panels.words = pile.add(wordsHigh);
  if (!slot && first) {
    pile.y += gap;
    const inView = shape.height - pile.y;
    panels[first] = pile.add(
      Math.min(askedHeight(first, shape), Math.max(leastHeight(first, shape), inView)),
    );
  }
  const knob = hasKnob ? pile.add(BAR) : null;
  if (slot || isTiny) addTimeline();
  const nextRow = next && !slot ? pile.add(Math.max(next.h, BAR)) : undefined;
  const dock = slot ? dockOf(shape, pile, sheet, bar.y + bar.h) : null;
  for (const name of names) if (!(name in panels)) panelOf(name);
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
    begins: beginOf(shape, outside),
    alone: names.length === 0,
    height: Math.max(pile.y, shape.height),
  };
}

/** What a learner has of its own, and what is not there by default, somebody has asked for. */
const isAskedFor = (/** @type {string} */ name) => name === "own" || BY_NAME[name].group === "more";

/** @param {string[]} names */
const askedFirst = (names) => [
  ...names.filter(isAskedFor),
  ...names.filter((name) => !isAskedFor(name)),
];

/**
 * The side of the map that leaves words, timeline and buttons in view, and above a sheet words and
 * buttons; and whether a panel that a cue lights is in view as well.
 *
 * @param {BoardShape} shape
 */
function sideOf(shape, { first, outside, gap, words, votes, sheet }) {
  const { width, height, view, tools, notices, knob, slot } = shape;
  const least = Math.min(isTinyIn(shape) ? LEAST_TINY_MAP : LEAST_MAP, width);
  if (isTinyIn(shape)) {
    const strip = outside.strip - beginOf(shape, outside);
    const free = (view || height) - strip - words - BAR - tools - 3 * gap;
    return { side: Math.floor(Math.max(Math.min(width, free), least)), isFirstInView: false };
  }
  const under = sheet ? sheet : TIMELINE + votes + (knob ? BAR : 0);
  const frame = outside.strip + outside.axis;
  const gaps = slot === "settings" ? 2 * gap : gap;
  const free = height - frame - words - BAR - under - tools - notices - gaps;
  if (first && !slot) {
    const besideIt = free + (knob ? BAR : 0) - askedHeight(first, shape) - gap;
    const most = Math.min(width, free);
    const chosen = Math.min(most, Math.max(besideIt, LEAST_BESIDE_ASKED));
    // It ends with what is above and below it, unless it is much smaller.
    const side = chosen < ALMOST * most ? chosen : most;
    return { side: Math.floor(Math.max(side, least)), isFirstInView: true };
  }
  const leftOfIt = first ? free - panelHeight(first, shape) - gap : 0;
  const isFirstInView = leftOfIt >= Math.min(LEAST_BESIDE_LIT, width);
  const room = isFirstInView ? leftOfIt : free;
  return { side: Math.floor(Math.max(Math.min(width, room), least)), isFirstInView };
}

/** Where a bar stands above a tiny board, it scrolls away, and the strip with it. */
const beginOf = ({ view, height }, { strip }) => (view - height > STAYS ? strip : 0);

/** A panel on request has room for its answer. */
const askedHeight = (/** @type {string} */ name, /** @type {BoardShape} */ shape) =>
  Math.max(panelHeight(name, shape), BY_NAME[name].onRequest ? ANSWERS : 0);

/** @param {string} name @param {BoardShape} shape */
const leastHeight = (name, { stream }) => Math.ceil(needOf(name, 1, stream)[1]) + ROOMY;

/** @param {string} name @param {BoardShape} shape */
function panelHeight(name, { width, stream, slot }) {
  const need = Math.ceil(needOf(name, 1, stream)[1]);
  if (slot === "lesson") return need;
  const { square, tabHeight = 0 } = BY_NAME[name];
  return Math.max(need + ROOMY, square ? Math.min(width, MOST_SQUARE) : 0, tabHeight);
}

/** A sheet at the end of the window, or in a tiny one a part of the page. */
function dockOf({ width, height, view }, pile, sheet, end) {
  if (!sheet) return pile.add(Math.max(view - 2 * TINY_GAP, SETTINGS.least));
  const high = Math.max(height - end, sheet);
  return rect(0, height - high, width, high);
}

/** @param {BoardShape} shape */
function comparedMaps(shape) {
  const { kind, width, height, runs, question, slot } = shape;
  const isTiny = isTinyIn(shape);
  const gap = isTiny ? TINY_GAP : GAP;
  const { strip: caption } = outsideOf(1);
  const sheet = sheetOf(shape);
  // What there is to see is said with the answer, where it is asked.
  const isAsked = kind === "question";
  const [ofQuestion, ofWords] = question ?? [0, 0];
  const lengths = /** @type {[number, number]} */ ([ofQuestion, isAsked ? 0 : ofWords]);
  const questionHigh = questionHeight(lengths, width, 1, isAsked ? "large" : "body");
  const timeline = Math.round(26 + rowOf(1) * runs);
  const wordsHigh = runs * (width >= WIDE ? 15 : 26);
  const usual = sheet || (isTiny ? 0 : timeline); // The words follow: verdicts are under the maps.
  const under = isAsked ? ASKED_SHARE * height : usual;
  const barHigh = isAsked && !shape.bar ? 0 : BAR;
  const free = height - questionHigh - barHigh - under - shape.tools - shape.notices - 2 * gap;
  const widthIn = (/** @type {number} */ columns) => (width - gap * (columns - 1)) / columns;
  const numbersIn = (/** @type {number} */ columns) => {
    if (isTiny) return NUMBERS;
    const areStacked = widthIn(columns) < STACKED_BELOW;
    if (isAsked) return areStacked ? STACKED : NUMBERS;
    return (areStacked ? STACKED : NUMBERS_ABOVE_VERDICT) + VERDICT;
  };
  const bestIn = (/** @type {number} */ room) => {
    let best = { side: 0, columns: 1 };
    for (let columns = 1; columns <= runs; columns++) {
      const rows = Math.ceil(runs / columns);
      const side = Math.min(widthIn(columns), room / rows - caption - numbersIn(columns));
      if (side > best.side) best = { side, columns };
    }
    return best;
  };
  const best = bestIn(free);
  const least = Math.min(widthIn(2), LEAST_COMPARED_MAP);
  const isSmall = best.side < least;
  // One legend for all maps above them, where they stay as large.
  const isRoom = isSmall || bestIn(free - caption).side === best.side;
  const legend = isRoom && !isTiny && !slot ? caption : 0;
  const asks = questionHigh + legend;
  const columns = isSmall ? 2 : best.columns;
  const side = Math.floor(isSmall ? least : best.side);
  const across = columns * side + (columns - 1) * gap;
  const left = Math.floor((width - across) / 2);
  const numbers = numbersIn(columns);
  const rowHigh = caption + side + numbers;
  /** @type {Record<string, Rect>} */
  const panels = questionHigh ? { question: rect(0, 0, width, questionHigh) } : {};
  if (legend) panels.strip = rect(0, questionHigh, width, legend);
  Object.assign(
    panels,
    maps(runs, side, caption, numbers, (k) => [
      left + (k % columns) * (side + gap),
      asks + Math.floor(k / columns) * rowHigh,
    ]),
  );
  const pile = new Pile(width, gap);
  pile.y = asks + Math.ceil(runs / columns) * rowHigh;
  const tools = pile.add(shape.tools);
  const addTimeline = () => {
    panels.timeline = { ...pile.add(timeline), inset: insetOf(1) };
  };
  if (!slot) addTimeline();
  const bar = pile.add(BAR);
  const notices = pile.add(shape.notices);
  if (slot) addTimeline();
  const dock = slot ? dockOf(shape, pile, sheet, bar.y + bar.h) : null;
  // What is said fills the place that an odd number of maps leaves free, beside the map: under the
  // numbers above it, it would read as one of them.
  const isFree = runs === 3 && columns === 2 && !slot && !isAsked && !isTiny;
  panels.sentences = isFree
    ? rect(left + side + gap, asks + rowHigh + caption, side, rowHigh - caption)
    : pile.add(Math.max(wordsHigh, SENTENCE * runs, sheet ? 0 : height - pile.y - gap));
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
