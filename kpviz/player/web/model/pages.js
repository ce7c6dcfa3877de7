// The panels beside the map, in one column or more, on as many pages as they need: each has its least room.

import { BY_NAME, PANELS } from "./panel_table.js";

/** @import { Rect } from "../types.d.ts" */

export const GAP = 12; // px between panels
const LETTER = 11.25; // px of the least type where the unit is 1: the room that a panel needs is counted in it
const CROWDED = 700; // px from which more than two panels on request stand in two columns
const QUIET = 138; // px of height that the sentence has where the unit is 1,
const LARGE = 0.45; // of the height at most, which it has where it shares the column with words only
const [TURN, TURNED] = [30, 27]; // px of height of the control that turns pages at least, and where the unit is 1

/** The panels that need most width need this many letters. */
const WIDEST = Math.max(...PANELS.map(({ columns = 0 }) => columns));

const rect = (x, y, w, h) => ({ x, y, w, h });

/** The largest unit with which each panel fits into a column of this width. */
export const unitFor = (width) => width / (WIDEST * LETTER);

/** The least width and height of a panel, in px. @returns {[number, number]} */
export function needOf(name, unit, stream = false) {
  const { rows = 0, columns = 0, streamShare = 1 } = BY_NAME[name];
  return [columns * LETTER * unit, rows * (stream ? streamShare : 1) * LETTER * unit];
}

/** The names in their order on pages, on each as many as `fits` says; none is left out. */
export function pagesOf(names, fits) {
  const pages = [[]];
  for (const name of names) {
    const last = pages.at(-1);
    if (last.length && !fits([...last, name])) pages.push([name]);
    else last.push(name);
  }
  return pages;
}

/** The page with the most of these panels: the one that is shown, else that of the first of them; `page` where none is on any. */
export function pageWith(names, pages, page) {
  const shows = (each) => names.filter((name) => each.includes(name)).length;
  const most = Math.max(0, ...pages.map(shows));
  const best = [...pages.keys()].filter((k) => shows(pages[k]) === most);
  if (!most || best.includes(page)) return page;
  return names.map((name) => best.find((k) => pages[k].includes(name))).find((k) => k !== undefined);
}

/** The control that turns pages, at the end of the words; null where there is one page. */
export function turner(words, pages, high) {
  return pages.length > 1 ? rect(words.x, words.y + words.h - high, words.w, high) : null;
}

/**
 * The words and one page of the panels in the column beside the map.
 *
 * @param {string[]} names
 * @param {Rect} column
 * @param {{ unit: number, stream: boolean, page: number }} how
 */
export function pagedColumn(names, column, { unit, stream, page }) {
  const pages = pagesOf(names, (some) => arranged(some, column, unit, stream).fits);
  const shown = Math.min(page, pages.length - 1);
  const { words, panels } = arranged(pages[shown], column, unit, stream);
  const turn = turner(words, pages, Math.round(Math.max(TURN, TURNED * unit)));
  const quiet = turn ? { ...words, h: words.h - turn.h } : words;
  return { panels: { words: quiet, ...panels }, pages, page: shown, turn, alone: areWords(pages[shown]) };
}

/** Whether the sentence has the room for itself, or shares it with other words. */
const areWords = (names) => names.every((name) => BY_NAME[name].text);

/** Words above, panels below, and whether each has its least room; where one alone has not, the words leave it theirs. */
function arranged(names, { x, y, w, h }, unit, stream) {
  const below = (high) => {
    const panels = names.length ? columnsIn(names, rect(x, y + high + GAP, w, h - high - GAP), unit, stream) : {};
    return {
      words: rect(x, y, w, high),
      panels,
      fits: names.every((name) => hasRoom(name, panels[name], unit, stream)),
    };
  };
  const usual = Math.round(Math.min(QUIET * unit, h * LARGE));
  const large = areWords(names) ? below(Math.round(h * LARGE)) : null;
  if (large?.fits) return large;
  const found = below(usual);
  if (found.fits || names.length > 1) return found;
  return below(Math.max(Math.min(usual, Math.floor(h - GAP - 1 - needOf(names[0], unit, stream)[1])), 0));
}

function hasRoom(name, { w, h }, unit, stream) {
  const [wide, high] = needOf(name, unit, stream);
  return w >= Math.floor(wide) && h >= Math.floor(high);
}

const widest = (names, unit, stream) => Math.max(0, ...names.map((name) => Math.ceil(needOf(name, unit, stream)[0])));

const isSquare = (name) => BY_NAME[name].square;

/** The panels of the first column, and those of the columns beside it: of several that need width, the first one stands on the left. */
function sides(names) {
  const [usual, more] = ["default", "more"].map((group) => names.filter((name) => BY_NAME[name].group === group));
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
  const columns = (extra.length > (swapped ? 3 : 2) || (square > 1 && !both)) && w > CROWDED ? 2 : 1;
  const share = swapped ? 0.5 : columns > 1 || square ? 0.42 : 0.56;
  const needed = columns * (widest(extra, unit, stream) + GAP);
  const left = both ? Math.floor(Math.max(Math.min(w * share, w - needed), widest(lower, unit, stream))) : w;
  const [from, each] = both
    ? [x + left + GAP, (w - left - GAP * columns) / columns]
    : [x, (w - GAP * (columns - 1)) / columns];
  const inFirst = Math.ceil(extra.length / columns);
  const how = { unit, stream };
  return {
    ...stack(lower, rect(x, y, both ? left : w, h), how),
    ...stack(extra.slice(0, inFirst), rect(from, y, Math.floor(each), h), how),
    ...stack(extra.slice(inFirst), rect(Math.ceil(from + each + GAP), y, Math.floor(each), h), how),
  };
}

/** Panels in a column, by their shares; those whose share is less than they need have that. */
function stack(names, { x, y, w, h }, { unit, stream }) {
  const free = h - GAP * (names.length - 1);
  const shares = names.map((name) => (BY_NAME[name].share ?? 1) * (stream ? (BY_NAME[name].streamShare ?? 1) : 1));
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
    const left = free - some.reduce((sum, own, k) => sum + (own ? needs[k] : 0), 0);
    const all = shares.reduce((sum, share, k) => sum + (some[k] ? 0 : share), 0);
    return shares.map((share, k) => (some[k] ? needs[k] : (left * share) / all));
  };
  const plain = by(shares.map(() => false));
  if (needs.reduce((sum, need) => sum + need, 0) > free) return plain;
  let found = plain;
  const kept = shares.map(() => false);
  while (found.some((high, k) => high < needs[k])) {
    found.forEach((high, k) => (kept[k] ||= high < needs[k]));
    found = by(kept);
  }
  return found;
}
