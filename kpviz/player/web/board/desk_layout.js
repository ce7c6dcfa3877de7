// A window with room for two columns: the map on the left, and on the right words and panels or,
// where runs are compared, what is said of them and their table. The panels stand in one column or
// more, on as many pages as they need.

import {
  BAR,
  COUNTED,
  GAP,
  LEAST_UNIT,
  insetOf,
  maps,
  needOf,
  questionRows,
  rect,
  rowOf,
  scaled,
  turner,
} from "./lengths.js";
import { BY_NAME, PANELS } from "./panel_table.js";
import { besideMap } from "./shown_panels.js";

/** @import { BoardShape, Layout, Rect } from "./types.d.ts" */

const CROWDED = 700; // px from which more than two panels on request stand in two columns
const QUIET = 138; // px of height that the sentence has where the unit is 1,
// Of the height at most, which it has where it shares the column with words only.
const LARGE = 0.45;
const TURN = 30;
const TURNED = 27; // px of height of the control that turns pages at least, and where the unit is 1
const DOCK = 300; // px of width of the settings beside the map,
const SLIM = 280; // which they have at least,
const COLUMN = 434; // where they leave the right column as much; else they take its place
const BESIDE_MAPS = 320; // px of width that words and table have beside maps that are compared
const COLUMN_OF_TABLE = 80; // px of it for each run, and for the SVC for reference
// Px of height that the course of a stream has under its map where the unit is 1.
const COURSE = 120;
const BRICKS = 60; // px of height that a panel under such a map needs where the unit is 1

/** The panels that need most width need this many letters. */
const WIDEST = Math.max(...PANELS.map(({ columns = 0 }) => columns));

/** @param {Set<string>} shown @param {BoardShape} shape @returns {Layout} */
export function deskLayout(shown, shape) {
  const { height, runs, tools } = shape;
  const room = { ...shape, height: height - tools };
  const layout = runs > 1 ? compared(shown, room) : wide(shown, room);
  return { ...layout, tools: room.height, height };
}

/**
 * What the settings at the right edge leave of the width of the column beside the maps, and where
 * they are; where they hide it, it stays as it is.
 *
 * @param {Rect} column
 * @param {number | null} edge
 * @param {number} type
 * @returns {[number, Rect | null]}
 */
function settingsBeside({ x, w, h }, edge, type) {
  if (edge === null) return [w, null];
  const free = edge - x;
  const width = Math.min(scaled(DOCK, type), free - COLUMN - GAP);
  if (width < SLIM) return [w, rect(x - GAP, 0, free + GAP, h)];
  return [free - GAP - width, rect(edge - width, 0, width, h)];
}

function wide(shown, { width, height, stream, edge, page, type }) {
  const buttons = scaled(BAR, type);
  const usual = Math.min(Math.max(height / 640, LEAST_UNIT), 1.75);
  const timeline = Math.round(62 * usual);
  const votes = shown.has("readings") ? Math.round(26 * usual) : 0;
  const top = height - buttons - timeline - votes - GAP;
  const side = Math.floor(Math.min(top, width * 0.6));
  const x = side + GAP * 2;
  const [w, dock] = settingsBeside(rect(x, 0, width - x - GAP, top), edge, type);
  // With which each panel fits into the column.
  const unit = Math.max(Math.min(usual, w / (WIDEST * COUNTED)), LEAST_UNIT);
  const column = pagedColumn(besideMap(shown), rect(x, 0, w, top), { unit, stream, page });
  /** @type {Record<string, Rect>} */
  const panels = { map: rect(0, 0, side, side), ...column.panels };
  panels.timeline = rect(0, top + GAP * 0.5, width - GAP, timeline);
  if (votes) panels.votes = rect(0, top + GAP * 0.5 + timeline, width - GAP, votes);
  return {
    ...column,
    narrow: false,
    unit,
    height,
    bar: rect(0, height - buttons, width, buttons),
    panels,
    dock,
  };
}

/**
 * What a ready comparison asks and shows, above all; the maps of all runs, the current one last,
 * each with its name above it and the numbers that decide under it; beside them what is said, and
 * the table.
 */
function compared(shown, { width, height, runs, stream, edge, question, type }) {
  const buttons = scaled(BAR, type);
  const unit = Math.min(Math.max(height / 640, LEAST_UNIT), 1.75);
  const timeline = Math.round(50 * unit + runs * rowOf(unit));
  const first = question ? Math.round(questionRows(question, width, 15.5 * unit) * 20 * unit) : 0;
  const top = height - buttons - timeline - GAP;
  const [caption, numbers] = [24 * unit, 27 * unit].map(Math.round);
  const sideWidth = Math.max(BESIDE_MAPS, COLUMN_OF_TABLE * (runs + 1), 0.22 * width);
  const sideOf = (columns) =>
    Math.floor(
      Math.min(
        (top - first - (stream ? COURSE * unit : 0)) / Math.ceil(runs / columns) -
          caption -
          numbers,
        (width - sideWidth) / columns - GAP,
      ),
    );
  const columns = sideOf(2) > sideOf(runs) ? 2 : runs;
  const side = sideOf(columns);
  const under = stream ? "margins" : "alpha"; // of a stream its course
  const end = first + caption + side + numbers;
  const below = columns === runs && shown.has(under) && top - end > BRICKS * unit;
  /** @type {Record<string, Rect>} */
  const panels = first ? { question: rect(0, 0, width - GAP, first) } : {};
  const placeOf = (k) => [
    (k % columns) * (side + GAP),
    first + Math.floor(k / columns) * (side + caption + numbers),
  ];
  Object.assign(panels, maps(runs, side, caption, numbers, placeOf));
  for (let k = 0; k < runs && below; k++) {
    panels[k === runs - 1 ? under : `${under}-${k}`] = rect(
      k * (side + GAP),
      end + GAP / 2,
      side,
      top - end - GAP / 2,
    );
  }
  const x = columns * (side + GAP) + GAP;
  const [w, dock] = settingsBeside(rect(x, 0, width - x - GAP, top), edge, type);
  const words = Math.round(Math.min(92 * unit * runs, (top - first) * 0.5));
  panels.sentences = rect(x, first, w, words);
  panels.table = rect(x, first + words + GAP, w, top - first - words - GAP);
  panels.timeline = { ...rect(0, top + GAP * 0.5, width - GAP, timeline), inset: insetOf(unit) };
  return {
    narrow: false,
    unit,
    height,
    bar: rect(0, height - buttons, width, buttons),
    panels,
    dock,
  };
}

// The column beside the map.

/** The names in their order on pages, on each as many as `fits` says; none is left out. */
function pagesOf(names, fits) {
  const pages = [[]];
  for (const name of names) {
    const last = pages.at(-1);
    if (last.length && !fits([...last, name])) pages.push([name]);
    else last.push(name);
  }
  return pages;
}

/**
 * The words and one page of the panels in the column beside the map.
 *
 * @param {string[]} names
 * @param {Rect} column
 * @param {{ unit: number, stream: boolean, page: number }} how
 */
function pagedColumn(names, column, { unit, stream, page }) {
  const pages = pagesOf(names, (some) => arranged(some, column, unit, stream).fits);
  const shownPage = Math.min(page, pages.length - 1);
  const { words, panels } = arranged(pages[shownPage], column, unit, stream);
  const turn = turner(words, pages, Math.round(Math.max(TURN, TURNED * unit)));
  const quiet = turn ? { ...words, h: words.h - turn.h } : words;
  return {
    panels: { words: quiet, ...panels },
    pages,
    page: shownPage,
    turn,
    alone: areWords(pages[shownPage]),
  };
}

/** Whether the sentence has the room for itself, or shares it with other words. */
const areWords = (names) => names.every((name) => BY_NAME[name].text);

/**
 * Words above, panels below, and whether each has its least room; where one alone has not, the
 * words leave it theirs.
 */
function arranged(names, { x, y, w, h }, unit, stream) {
  const below = (high) => {
    const panels = names.length
      ? columnsIn(names, rect(x, y + high + GAP, w, h - high - GAP), unit, stream)
      : {};
    return {
      words: rect(x, y, w, high),
      panels,
      fits: names.every((name) => hasRoom(name, panels[name], unit, stream)),
    };
  };
  const usual = Math.round(Math.min(QUIET * unit, h * LARGE));
  const large = areWords(names) ? below(Math.round(h * LARGE)) : null;
  if (large?.fits) return large;
  const arrangement = below(usual);
  if (arrangement.fits || names.length > 1) return arrangement;
  return below(
    Math.max(Math.min(usual, Math.floor(h - GAP - 1 - needOf(names[0], unit, stream)[1])), 0),
  );
}

function hasRoom(name, { w, h }, unit, stream) {
  const [wide, high] = needOf(name, unit, stream);
  return w >= Math.floor(wide) && h >= Math.floor(high);
}

const widest = (names, unit, stream) =>
  Math.max(0, ...names.map((name) => Math.ceil(needOf(name, unit, stream)[0])));

const isSquare = (name) => BY_NAME[name].square;

/**
 * The panels of the first column, and those of the columns beside it: of several that need width,
 * the first one stands on the left.
 */
function sides(names) {
  const [usual, more] = ["default", "more"].map((group) =>
    names.filter((name) => BY_NAME[name].group === group),
  );
  const squares = more.filter(isSquare);
  if (squares.length < 2) return [usual, more];
  const last = usual.at(-1);
  return [
    [...usual.slice(0, -1), squares[0]],
    [...(last ? [last] : []), ...more.filter((name) => name !== squares[0])],
  ];
}

function columnsIn(names, { x, y, w, h }, unit, stream) {
  const [lower, extra] = sides(names);
  const both = lower.length > 0 && extra.length > 0;
  const least = widest(lower, unit, stream) + GAP + widest(extra, unit, stream);
  if (both && least > w) return stack([...lower, ...extra], rect(x, y, w, h), { unit, stream });
  const square = extra.filter(isSquare).length;
  const swapped = lower.some(isSquare);
  const columns =
    (extra.length > (swapped ? 3 : 2) || (square > 1 && !both)) && w > CROWDED ? 2 : 1;
  const share = swapped ? 0.5 : columns > 1 || square ? 0.42 : 0.56;
  const needed = columns * (widest(extra, unit, stream) + GAP);
  const left = both
    ? Math.floor(Math.max(Math.min(w * share, w - needed), widest(lower, unit, stream)))
    : w;
  const [from, columnWidth] = both
    ? [x + left + GAP, (w - left - GAP * columns) / columns]
    : [x, (w - GAP * (columns - 1)) / columns];
  const inFirst = Math.ceil(extra.length / columns);
  const how = { unit, stream };
  return {
    ...stack(lower, rect(x, y, both ? left : w, h), how),
    ...stack(extra.slice(0, inFirst), rect(from, y, Math.floor(columnWidth), h), how),
    ...stack(
      extra.slice(inFirst),
      rect(Math.ceil(from + columnWidth + GAP), y, Math.floor(columnWidth), h),
      how,
    ),
  };
}

/** Panels in a column, by their shares; those whose share is less than they need have that. */
function stack(names, { x, y, w, h }, { unit, stream }) {
  const free = h - GAP * (names.length - 1);
  const shares = names.map(
    (name) => (BY_NAME[name].share ?? 1) * (stream ? (BY_NAME[name].streamShare ?? 1) : 1),
  );
  const heights = shared(
    free,
    shares,
    names.map((name) => needOf(name, unit, stream)[1]),
  );
  let from = y;
  const panels = {};
  names.forEach((name, k) => {
    panels[name] = rect(x, Math.round(from), w, Math.floor(heights[k]));
    from += heights[k] + GAP;
  });
  return panels;
}

/** A height by shares, with no part below its need as long as there is enough. */
function shared(free, shares, needs) {
  const by = (some) => {
    const left = free - some.reduce((sum, isFixed, k) => sum + (isFixed ? needs[k] : 0), 0);
    const all = shares.reduce((sum, share, k) => sum + (some[k] ? 0 : share), 0);
    return shares.map((share, k) => (some[k] ? needs[k] : (left * share) / all));
  };
  const plain = by(shares.map(() => false));
  if (needs.reduce((sum, need) => sum + need, 0) > free) return plain;
  let heights = plain;
  const haveTheirNeed = shares.map(() => false);
  while (heights.some((high, k) => high < needs[k])) {
    heights.forEach((high, k) => (haveTheirNeed[k] ||= high < needs[k]));
    heights = by(haveTheirNeed);
  }
  return heights;
}
