// The column beside the map: words or the scene of a lesson, panels or settings. The panels stand
// one below the other, or side by side, on as many pages as they need; before a class in the
// largest type that they have room for.

import { SHORT_WORDS, needOf, rect, wordsHeight, wordsUnderScene } from "./lengths.js";
import { BY_NAME } from "./panel_table.js";
import { besideMap } from "./shown_panels.js";

/** @import { Lengths } from "./lengths.js" */
/** @import { BoardShape, Layout, Rect } from "./types.d.ts" */

// In px; what is not only compared with a width is that where the unit is 1.
const CROWDED = 700; // From this width on more than two panels on request stand in two columns.
const DOCK = 420; // The width of the settings beside the panels.
const LEAST_DOCK = 240; // Notices leave settings so much height.
const PANELS_BESIDE = 434; // If panels have less width beside settings, these take their place.
const SCENE = 190; // The scene of a lesson is at least so high.
const LOW_SCENE = 130; // It has so much on a low board.
const READ_SCENE = 260; // It has so much where panels stand under it that no cue lights.
const LEAST_WORDS = 72; // The words keep so much height where a panel needs their room.
const MOST_LIT = 2; // So many panels stand under a scene.
// More panels would take more pages: the words leave them the line of the formula.
const MOST_WITH_FORMULA = 6;
const NEXT = 44; // The height of the suggestions on a low board.
const LOWER_SHARE = 0.38; // So much the bricks and margins have beside a matrix.
const SQUARE_SHARE = 0.54; // So much of the width a matrix has that stands beside other panels.
const ROOMY = 1.3; // It stands there if it would have so much of the width that it needs.
const LARGE = 1.6; // A panel that alone is lit has all of a column from this share of it on.
// Before a class a panel may have so much less width than it needs: what it says first has room.
const NARROWER = 1.4;
const APART = 24; // Between two columns, if they have room: the words of both stand on a line.
const UNDER_WORDS = 14; // So far from them the first panel begins.
const PLENTY = 1.3; // Two panels stand one below the other if the height is so much of their need.
const AIRY = 640; // A board of this height has room between the parts of a sentence.
// On a low board the words between the buttons that turn pages have so much width.
const TURN_WORDS = 60;
const CLEAR = 12; // The knob at the end of the timeline keeps so clear of it.

/**
 * What fills a column from its top to its bottom.
 *
 * @param {Set<string>} panelNames
 * @param {BoardShape} shape
 * @param {Rect} column
 * @param {Lengths} lengths
 * @returns {Partial<Layout> & { panels: Record<string, Rect>, tools: Rect }}
 */
export function columnIn(panelNames, shape, column, lengths) {
  if (shape.slot === "reading") return lessonIn(panelNames, shape, column, lengths);
  const lowered = (by) => underWordsIn(panelNames, shape, column, lengths, by);
  const layout = lowered(0);
  if (!shape.notices || !layout.panels.words) return layout;
  return withNotices(layout, lowered, shape, lengths);
}

/** The words, and `apart` px and more under them panels or settings. */
function underWordsIn(panelNames, shape, column, lengths, apart) {
  const names = besideMap(panelNames);
  const { x, w } = column;
  const y = column.y + lengths.heading;
  const h = column.h - lengths.heading;
  const { gap, unit, isLow, titles } = lengths;
  const needs = names.map((name) => needOf(name, unit, shape.stream)[1]);
  const alone = titles ? h : Math.round(0.5 * h); // On a board suggestions follow.
  const isFisher = names.includes("projections"); // Nothing is reckoned under its sentence.
  const showsAllPanels = lengths.inRow && !shape.turns; // An upright stage without pages.
  const underWords = isLow || titles ? gap : Math.round(UNDER_WORDS * unit);
  const free = h - shape.tools - underWords - 1;
  const hasFormula =
    !isFisher &&
    !showsAllPanels &&
    names.length <= MOST_WITH_FORMULA &&
    !formulaCostsType(names, w, free, shape, lengths);
  const usual = names.length
    ? wordsHeight(w, lengths, hasFormula, shape.height >= AIRY * unit)
    : alone;
  // A panel that has not even one page's room has it from the words.
  const wordsHigh = Math.floor(
    Math.min(usual, Math.max(free - Math.max(0, ...needs), Math.min(LEAST_WORDS * unit, usual))),
  );
  const tools = rect(x, y + wordsHigh + apart, w, shape.tools);
  const nextRow = isLow && shape.next ? rect(x, tools.y + tools.h + gap / 2, w, NEXT) : null;
  const top = tools.y + tools.h + (nextRow?.h ?? 0) + underWords;
  const words = rect(x, y, w, wordsHigh);
  const below = rect(x, top, w, y + h - top);
  if (shape.slot !== "settings") {
    const pages = pagesIn(names, words, below, shape, lengths);
    const heading = lengths.heading
      ? { ...rect(x, column.y, w, lengths.heading), right: false }
      : null;
    return { tools, heading, ...(nextRow && { next: nextRow }), ...pages };
  }
  const dockWidth = Math.round(DOCK * unit);
  const panelsWidth = w - dockWidth - gap;
  if (panelsWidth < PANELS_BESIDE * unit) {
    // On a low board one line says what the step was, and the settings have the room.
    const settingsTop = isLow ? y + SHORT_WORDS + gap : top;
    return {
      panels: isLow ? { short: rect(x, y, w, SHORT_WORDS) } : { words },
      tools: isLow ? rect(x, settingsTop, w, 0) : tools,
      dock: rect(x, settingsTop, w, y + h - settingsTop),
      pages: [[]],
      page: 0,
      turn: null,
      alone: false,
      panelsHidden: true,
    };
  }
  const dock = rect(x + w - dockWidth, below.y, dockWidth, below.h);
  const panelsRoom = { ...below, w: panelsWidth };
  return { tools, dock, ...pagesIn(names, words, panelsRoom, shape, lengths) };
}

/**
 * Notices lie under the words. What follows there begins lower, as far as it still has its room;
 * what is lacking then, the words leave.
 */
function withNotices(layout, lowered, { notices, stream }, { unit }) {
  const { words, ...panels } = layout.panels;
  const rows = [layout.tools.h ? layout.tools : null, layout.next, layout.turn, layout.dock];
  const tops = [...Object.values(panels), ...rows.filter(Boolean)].map(({ y }) => y);
  const free = tops.length ? Math.min(...tops) - words.y - words.h : 0;
  const lack = Math.max(notices - free, 0);
  const hasRoom = (other) =>
    other.pages.join("|") === layout.pages.join("|") &&
    other.panelUnit === layout.panelUnit &&
    (!other.dock || other.dock.h >= LEAST_DOCK * unit) &&
    Object.keys(panels).every((name) => {
      const need = needOf(name, layout.panelUnit, stream)[1];
      return other.panels[name].h >= Math.min(Math.floor(need), panels[name].h);
    });
  let by = tops.length ? Math.floor(lack) : 0;
  while (by > 0 && !hasRoom(lowered(by))) by -= 1;
  const high = Math.max(words.h + by - lack, Math.min(words.h, LEAST_WORDS * unit));
  const lower = lowered(by);
  return {
    ...lower,
    panels: { ...lower.panels, words: { ...words, h: high } },
    notices: rect(words.x, words.y + high + Math.max(free - notices, 0), words.w, notices),
  };
}

/** Whether a panel of a stage has its large type only where the words leave it their formula. */
function formulaCostsType(names, width, free, { stream, turns }, lengths) {
  const { titles, panelUnits } = lengths;
  const room = free - (turns && names.length > 1 ? lengths.turn : 0);
  const [withIt, without] = [true, false].map((has) => room - wordsHeight(width, lengths, has));
  const needs = names.map((name) => needOf(name, panelUnits[0], stream)[1]);
  return Boolean(titles) && needs.some((need) => withIt < need && need <= without);
}

/** The words and one page of the panels under them. */
function pagesIn(names, words, area, shape, lengths) {
  const { stream, page, turns } = shape;
  const { isLow } = lengths;
  let room = area;
  let turn = null;
  let pages = pagesOf(names, room, shape, lengths);
  if (turns && !isLow && pages.filter((some) => !isWithin(some, pages)).length > 1) {
    turn = rect(area.x, area.y, area.w, lengths.turn);
    room = rect(area.x, area.y + turn.h, area.w, area.h - turn.h);
    pages = pagesOf(names, room, shape, lengths);
  }
  const shownPage = Math.min(page, pages.length - 1);
  const panelUnit = unitIn(pages[shownPage], room, stream, lengths);
  const pageLengths = { ...lengths, unit: panelUnit };
  const pagePanels = panelsIn(pages[shownPage], room, stream, pageLengths);
  return {
    panels: { words, ...pagePanels },
    pages,
    page: shownPage,
    panelUnit,
    turn,
    alone: names.length === 0,
  };
}

/** Whether all of a page is on another one. @param {string[]} page @param {string[][]} pages */
const isWithin = (page, pages) =>
  pages.some((other) => other !== page && page.every((name) => other.includes(name)));

/** The largest unit in which the panels of a page have their room, else the least. */
const unitIn = (names, room, stream, lengths) =>
  lengths.panelUnits.find((unit) => fits(names, room, stream, { ...lengths, unit })) ??
  lengths.panelUnits.at(-1);

/**
 * As many pages as the panels need; before a class in large type, but as few as there can be on
 * paper, where nobody turns them, and on a stage that stands upright. What a cue lights together is
 * on one page, and a large panel that is lit alone has one, too.
 *
 * @param {string[]} names
 * @param {Rect} room
 * @param {BoardShape} shape
 * @param {Lengths} lengths
 */
function pagesOf(names, room, { stream, turns, together }, lengths) {
  const { isLow, inRow, panelUnits } = lengths;
  const isStage = panelUnits.length > 1;
  const fitsIn = (unit) => (some) => fits(some, room, stream, { ...lengths, unit });
  const fitting = fitsIn(turns && !inRow ? panelUnits[0] : panelUnits.at(-1));
  if (!isStage) return split(names, isLow ? (some) => some.length < 2 : fitting);
  const usual = splitAnywhere(names, fitting);
  const groups = together.map((group) => names.filter((name) => group.includes(name)));
  const all = [...usual];
  for (const group of groups) {
    const isThere = all.some((page) => group.every((name) => page.includes(name)));
    if (!isThere && fitsIn(panelUnits.at(-1))(group)) all.push(group);
  }
  const pages = all.filter((page) => !isWithin(page, all));
  // Else some would never be seen.
  const lit = names.every((name) => groups.flat().includes(name)) ? groups : [];
  const large = names.filter(
    (name) =>
      (BY_NAME[name].share ?? 1) >= LARGE &&
      lit.some(([first, another]) => first === name && !another) &&
      !pages.some((page) => page.length === 1 && page[0] === name),
  );
  return [...pages, ...large.map((name) => [name])];
}

/**
 * The scene, under it the words, and under these what a cue lights, or what leaves the scene much
 * room; the other panels stand there on further pages.
 */
function lessonIn(panelNames, shape, { x, y, w, h }, lengths) {
  const { stream, lit, tools: toolsHigh } = shape;
  const { unit, isLow, gap } = lengths;
  const names = besideMap(panelNames);
  const isLit = names.some((name) => lit.includes(name));
  const below = (isLit ? names.filter((name) => lit.includes(name)) : names).slice(0, MOST_LIT);
  const wordsHigh = wordsUnderScene(lengths);
  const least = isLow ? LOW_SCENE : (isLit ? SCENE : READ_SCENE) * unit;
  const highOf = (some) => neededHeight(some, unit, stream, gap);
  const isWide = (name) => needOf(name, unit, stream)[0] <= w;
  const free = h - wordsHigh - toolsHigh - gap;
  const leaves = (some, room) => some.every(isWide) && free - highOf(some) >= room;
  while (below.length && !leaves(below, least)) below.pop();
  const others = names.filter((name) => !below.includes(name));
  const fitting = (some) => some.length <= MOST_LIT && leaves(some, LOW_SCENE * unit);
  const pages = others.length ? [below, ...split(others, fitting)] : [below];
  const page = Math.min(shape.page, pages.length - 1);
  const shownNames = pages[page];
  const turnHigh = pages.length > 1 && !isLow ? lengths.turn : 0;
  const panelsHigh = Math.ceil(highOf(shownNames)) + turnHigh;
  const bottom = y + h - panelsHigh;
  const tools = rect(x, bottom - toolsHigh, w, toolsHigh);
  const words = rect(x, tools.y - wordsHigh, w, wordsHigh);
  const area = rect(x, bottom + turnHigh + gap, w, panelsHigh - turnHigh - gap);
  return {
    panels: { words, ...stack(shownNames, area, stream, lengths) },
    dock: rect(x, y, w, words.y - gap - y),
    tools,
    pages,
    page,
    turn: turnHigh ? rect(x, bottom, w, turnHigh) : null,
    alone: false,
  };
}

/**
 * Where pages are turned beside a timeline, which leaves the control room: as clear of what stands
 * above it as of the buttons below.
 */
export function turnerBeside(timeline, pages, { bar, gap }) {
  if (pages.length < 2) return { timeline, turn: null };
  const { x, y, w, h } = timeline;
  const turnWidth = 2 * bar + TURN_WORDS;
  return {
    timeline: { ...timeline, w: w - turnWidth - CLEAR },
    turn: rect(x + w - turnWidth, y - gap / 2, turnWidth, h),
  };
}

/** The names in their order on pages, on each as many as `fitting` says; none is left out. */
function split(names, fitting) {
  const pages = [[]];
  for (const name of names) {
    const last = pages.at(-1);
    if (last.length && !fitting([...last, name])) pages.push([name]);
    else last.push(name);
  }
  return pages;
}

/** The same, each on the first page with room for it; what was asked for comes first. */
function splitAnywhere(names, fitting) {
  const [usual, more] = byGroup(names);
  /** @type {string[][]} */
  const pages = [];
  for (const name of [...more, ...usual]) {
    const page = pages.find((some) => fitting([...some, name]));
    if (page) page.push(name);
    else pages.push([name]);
  }
  return pages.length ? pages.map((page) => names.filter((name) => page.includes(name))) : [[]];
}

/** The panels that are shown by default, and those that were asked for. */
const byGroup = (names) =>
  ["default", "more"].map((group) => names.filter((name) => BY_NAME[name].group === group));

/** Whether each panel has its least room; in larger type than the least it may be narrower. */
function fits(names, area, stream, lengths) {
  const panels = panelsIn(names, area, stream, lengths);
  const narrower = lengths.unit > lengths.panelUnits.at(-1) ? NARROWER : 1;
  return names.every((name) => {
    const [wide, high] = needOf(name, lengths.unit, stream);
    const { w, h } = panels[name];
    return w >= Math.floor(wide / narrower) && h >= Math.floor(high);
  });
}

/** How high panels one below the other need to be, with a gap under each. */
const neededHeight = (names, unit, stream, gap) =>
  names.reduce((sum, name) => sum + needOf(name, unit, stream)[1] + gap, 0);

const widest = (names, unit, stream) =>
  Math.max(0, ...names.map((name) => Math.ceil(needOf(name, unit, stream)[0])));

const isSquare = (name) => BY_NAME[name].square;

/**
 * The panels of the first column, and those of the columns beside it: of several that need width,
 * the first one stands on the left.
 */
function sides(names) {
  const [usual, more] = byGroup(names);
  const squares = more.filter(isSquare);
  if (squares.length < 2) return [usual, more];
  const last = usual.at(-1);
  return [
    [...usual.slice(0, -1), squares[0]],
    [...(last ? [last] : []), ...more.filter((name) => name !== squares[0])],
  ];
}

/** @returns {Record<string, Rect>} */
function panelsIn(names, { x, y, w, h }, stream, lengths) {
  const { gap, unit } = lengths;
  if (lengths.inRow && names.length === 2) {
    const least = lengths.panelUnits.at(-1);
    const half = Math.floor((w - gap) / 2);
    const [left, right] = names;
    const row = { [left]: rect(x, y, half, h), [right]: rect(x + half + gap, y, half, h) };
    if (neededHeight(names, least, stream, gap) - gap > h) return row;
  }
  const [lower, extra] = sides(names);
  const both = lower.length > 0 && extra.length > 0;
  const least = widest(lower, unit, stream) + gap + widest(extra, unit, stream);
  const square = extra.filter(isSquare).length;
  const all = [...lower, ...extra];
  const high = neededHeight(all, unit, stream, gap);
  // Two panels have more use of all the width than of all the height, if that is plenty for both.
  const isPair = all.length === 2 && !all.some(isSquare) && PLENTY * high <= h;
  if (both && (least > w || isPair)) return stack(all, rect(x, y, w, h), stream, lengths);
  const aside = extra.filter((name) => !isSquare(name));
  const others = [...lower, ...aside];
  const besideSquare = widest(others, unit, stream) + gap + ROOMY * widest(extra, unit, stream);
  const isOneColumn = !lower.length || neededHeight(others, unit, stream, gap) - gap <= h;
  const swapped = lower.some(isSquare);
  const isMatrixAside = square === 1 && !swapped && aside.length > 0 && others.length > 1;
  // One matrix has a column of its own beside several panels.
  if (isMatrixAside && besideSquare <= w && isOneColumn) {
    const last = Math.floor(SQUARE_SHARE * w);
    return {
      ...stack(others, rect(x, y, w - last - gap, h), stream, lengths),
      ...stack(extra.filter(isSquare), rect(x + w - last, y, last, h), stream, lengths),
    };
  }
  const columns =
    (extra.length > (swapped ? 3 : 2) || (square > 1 && !both)) && w > CROWDED ? 2 : 1;
  // J has as much room as the projections.
  const isHalf = swapped || lower.includes("projections");
  const share = isHalf ? 0.5 : columns > 1 || square ? LOWER_SHARE : 0.56;
  const inColumns = columns * widest(extra, unit, stream);
  const spare = w - inColumns - (both ? widest(lower, unit, stream) : 0);
  const apart = Math.max(gap, Math.min(APART * unit, Math.floor(spare / columns)));
  const needed = inColumns + columns * apart;
  const left = both
    ? Math.floor(Math.max(Math.min(w * share, w - needed), widest(lower, unit, stream)))
    : w;
  const [from, columnWidth] = both
    ? [x + left + apart, (w - left - apart * columns) / columns]
    : [x, (w - apart * (columns - 1)) / columns];
  const inFirst = Math.ceil(extra.length / columns);
  const first = rect(from, y, Math.floor(columnWidth), h);
  const second = rect(Math.ceil(from + columnWidth + apart), y, Math.floor(columnWidth), h);
  return {
    ...stack(lower, rect(x, y, both ? left : w, h), stream, lengths),
    ...stack(extra.slice(0, inFirst), first, stream, lengths),
    ...stack(extra.slice(inFirst), second, stream, lengths),
  };
}

/**
 * Panels in a column, by their shares, with twice that of a matrix, which has no other use of the
 * width; those whose share is less than they need have that. A flat one leaves the others what it
 * has no use for.
 */
function stack(names, { x, y, w, h }, stream, { gap, unit }) {
  const free = h - gap * (names.length - 1);
  const shares = names.map((name) => {
    const { share = 1, streamShare = 1, square } = BY_NAME[name];
    return share * (stream ? streamShare : 1) * (square ? 2 : 1);
  });
  const needs = names.map((name) => needOf(name, unit, stream)[1]);
  const mosts = names.every((name) => BY_NAME[name].flat)
    ? []
    : names.map((name, k) => needs[k] + (BY_NAME[name].flat ?? Infinity) * w);
  const heights = shared(free, shares, needs, mosts);
  let from = y;
  /** @type {Record<string, Rect>} */
  const panels = {};
  names.forEach((name, k) => {
    panels[name] = rect(x, Math.round(from), w, Math.floor(heights[k]));
    from += heights[k] + gap;
  });
  return panels;
}

/**
 * A height by shares, with no part below its need as long as there is enough, and none above the
 * most that it has use for.
 */
function shared(free, shares, needs, mosts) {
  if (needs.reduce((sum, need) => sum + need, 0) > free) return byShares(free, shares, []);
  const withNeeds = (from) => {
    const fixed = [...from];
    let heights = byShares(free, shares, fixed);
    while (heights.some((high, k) => high < needs[k])) {
      for (const [k, high] of heights.entries()) if (high < needs[k]) fixed[k] = needs[k];
      heights = byShares(free, shares, fixed);
    }
    return heights;
  };
  const heights = withNeeds([]);
  return withNeeds(heights.map((high, k) => (high > mosts[k] ? mosts[k] : undefined)));
}

/** A height by shares; some parts are fixed. */
function byShares(free, shares, fixed) {
  const left = free - shares.reduce((sum, _, k) => sum + (fixed[k] ?? 0), 0);
  const all = shares.reduce((sum, share, k) => sum + (fixed[k] === undefined ? share : 0), 0);
  return shares.map((share, k) => fixed[k] ?? (left * share) / all);
}
