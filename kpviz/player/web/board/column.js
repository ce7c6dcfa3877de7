// The column beside the map: words or the scene of a lesson, panels or settings. The panels stand
// one below the other, or side by side, on as many pages as they need; before a class in the
// largest type that they have room for. From the whole to its parts: `columnIn` places the words
// (`underWordsIn`, `withNotices`) or a scene (`lessonIn`), `pagesIn` deals the panels out to pages,
// `panelsIn` places those of one page in columns, `stack` those of one column.

import { SHORT_WORDS, needOf, rect, wordsHeight, wordsUnderScene } from "./lengths.js";
import { BY_NAME } from "./panel_table.js";
import { besideMap } from "./shown_panels.js";

/** @import { Lengths } from "./lengths.js" */
/** @import { BoardShape, Layout, Rect } from "./types.d.ts" */

// Lengths are in px. Those that are multiplied by the unit are px where it is 1.
const TWO_COLUMNS_FROM = 700; // From this width on many panels on request stand in two columns.
const DOCK_WIDTH = 420; // The width of the settings beside the panels.
const LEAST_DOCK_HEIGHT = 240; // Notices leave the settings at least this height.
// If panels have less width than this beside settings, the settings take their place.
const LEAST_BESIDE_DOCK = 434;
const LEAST_SCENE = 190; // The least height of the scene of a lesson.
const LEAST_SCENE_LOW = 130; // The same on a low board.
// The same above panels that no cue lights: they are less important than the scene.
const LEAST_SCENE_UNLIT = 260;
const LEAST_WORDS = 72; // The words keep this height where a panel needs their room.
const MOST_UNDER_SCENE = 2; // So many panels stand under a scene at most.
// More panels would take more pages: the words leave them the line of the formula.
const MOST_WITH_FORMULA = 6;
const NEXT_HEIGHT = 44; // The height of the suggestions on a low board.
const LEFT_SHARE = 0.38; // The share of the width for bricks and margins beside a matrix.
const LEFT_SHARE_WITHOUT_MATRIX = 0.56;
const MATRIX_SHARE = 0.54; // The share for one matrix that has a column beside several panels.
const MATRIX_ROOM = 1.3; // It has one if its column is so many times as wide as it needs.
const LARGE_SHARE = 1.6; // A panel with this share of a column has all of it where it is lit alone.
// Before a class a panel may be narrower than it needs, by this factor: its first words have room.
const NARROWER = 1.4;
const COLUMN_GAP = 24; // Between two columns, if they have room: the words of both stand on a line.
const UNDER_WORDS = 14; // From the words to the first panel.
const PLENTY = 1.3; // Two panels stand one below the other if the height is so much of their need.
const SPACIOUS_HEIGHT = 640; // A board of this height has room between the parts of a sentence.
// On a low board: the width of the words between the buttons that turn pages.
const TURN_WORDS = 60;
const CLEAR = 12; // From the end of the timeline, where its knob may be, to these buttons.

/**
 * The places of all that fills a column from its top to its bottom.
 *
 * @param {Set<string>} panelNames
 * @param {BoardShape} shape
 * @param {Rect} column
 * @param {Lengths} lengths
 * @returns {Partial<Layout> & { panels: Record<string, Rect>, tools: Rect }}
 */
export function columnIn(panelNames, shape, column, lengths) {
  if (shape.slot === "reading") return lessonIn(panelNames, shape, column, lengths);
  const layoutLoweredBy = (apart) => underWordsIn(panelNames, shape, column, lengths, apart);
  const layout = layoutLoweredBy(0);
  if (!shape.notices || !layout.panels.words) return layout;
  return withNotices(layout, layoutLoweredBy, shape, lengths);
}

/**
 * The words, and under them panels or settings, `apart` px lower than they would stand without
 * notices.
 */
function underWordsIn(panelNames, shape, column, lengths, apart) {
  const names = besideMap(panelNames);
  const { x, w } = column;
  const y = column.y + lengths.heading;
  const h = column.h - lengths.heading;
  const { gap, unit, isLow, titles } = lengths;
  const needs = names.map((name) => needOf(name, unit, shape.stream)[1]);
  // The height of words without panels: on a board suggestions follow, on a stage nothing.
  const heightAlone = titles ? h : Math.round(0.5 * h);
  const isFisher = names.includes("projections"); // Nothing is reckoned under its sentence.
  const showsAllPanels = lengths.inRow && !shape.turns; // An upright stage without pages.
  const underWords = isLow || titles ? gap : Math.round(UNDER_WORDS * unit);
  const free = h - shape.tools - underWords - 1;
  const hasFormula =
    !isFisher &&
    !showsAllPanels &&
    names.length <= MOST_WITH_FORMULA &&
    !formulaCostsType(names, w, free, shape, lengths);
  const isSpacious = shape.height >= SPACIOUS_HEIGHT * unit;
  const wantedHeight = names.length ? wordsHeight(w, lengths, hasFormula, isSpacious) : heightAlone;
  // The words give up height for a panel that else has no room even if it stands alone on a page.
  const besideLargest = free - Math.max(0, ...needs);
  const least = Math.min(LEAST_WORDS * unit, wantedHeight);
  const wordsHigh = Math.floor(Math.min(wantedHeight, Math.max(besideLargest, least)));
  const tools = rect(x, y + wordsHigh + apart, w, shape.tools);
  const nextRow = isLow && shape.next ? rect(x, tools.y + tools.h + gap / 2, w, NEXT_HEIGHT) : null;
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
  const dockWidth = Math.round(DOCK_WIDTH * unit);
  const panelsWidth = w - dockWidth - gap;
  if (panelsWidth < LEAST_BESIDE_DOCK * unit) {
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
 * The layout with notices, which lie under the words. What follows the words begins lower, as far
 * as it still has its room; the words give up the rest of the height.
 */
function withNotices(layout, layoutLoweredBy, { notices, stream }, { unit }) {
  const { words, ...panels } = layout.panels;
  const rows = [layout.tools.h ? layout.tools : null, layout.next, layout.turn, layout.dock];
  const tops = [...Object.values(panels), ...rows.filter(Boolean)].map(({ y }) => y);
  const free = tops.length ? Math.min(...tops) - words.y - words.h : 0;
  const missing = Math.max(notices - free, 0); // The height that is missing for the notices.
  const hasRoom = (lowered) =>
    lowered.pages.join("|") === layout.pages.join("|") &&
    lowered.panelUnit === layout.panelUnit &&
    (!lowered.dock || lowered.dock.h >= LEAST_DOCK_HEIGHT * unit) &&
    Object.keys(panels).every((name) => {
      const need = needOf(name, layout.panelUnit, stream)[1];
      return lowered.panels[name].h >= Math.min(Math.floor(need), panels[name].h);
    });
  let apart = tops.length ? Math.floor(missing) : 0;
  while (apart > 0 && !hasRoom(layoutLoweredBy(apart))) apart -= 1;
  const least = Math.min(words.h, LEAST_WORDS * unit);
  const high = Math.max(words.h + apart - missing, least);
  const lowered = layoutLoweredBy(apart);
  return {
    ...lowered,
    panels: { ...lowered.panels, words: { ...words, h: high } },
    notices: rect(words.x, words.y + high + Math.max(free - notices, 0), words.w, notices),
  };
}

/**
 * Whether a panel of a stage has its large type only if the words leave it the line of their
 * formula.
 */
function formulaCostsType(names, width, free, { stream, turns }, lengths) {
  const { titles, panelUnits } = lengths;
  const isStage = Boolean(titles);
  const room = free - (turns && names.length > 1 ? lengths.turn : 0);
  const underFormula = room - wordsHeight(width, lengths, true);
  const withoutFormula = room - wordsHeight(width, lengths, false);
  const needs = names.map((name) => needOf(name, panelUnits[0], stream)[1]);
  return isStage && needs.some((need) => underFormula < need && need <= withoutFormula);
}

/** The words and one page of the panels under them. */
function pagesIn(names, words, area, shape, lengths) {
  const { stream, page, turns } = shape;
  const { isLow } = lengths;
  let room = area;
  let turn = null;
  let pages = pagesOf(names, room, shape, lengths);
  // Buttons that turn pages take room above the panels; a low board has them beside the timeline.
  if (turns && !isLow && pages.filter((other) => !isWithin(other, pages)).length > 1) {
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
 * As many pages as the panels need: before a class in large type. On paper, where nobody turns
 * pages, and on a stage that stands upright they are as few as there can be. What a cue lights
 * together is on one page, and a large panel that is lit alone has one, too.
 *
 * @param {string[]} names
 * @param {Rect} room
 * @param {BoardShape} shape
 * @param {Lengths} lengths
 */
function pagesOf(names, room, { stream, turns, together }, lengths) {
  const { isLow, inRow, panelUnits } = lengths;
  const isStage = panelUnits.length > 1;
  const largest = panelUnits[0];
  const least = panelUnits.at(-1);
  const fitIn = (page, unit) => fits(page, room, stream, { ...lengths, unit });
  const pageUnit = turns && !inRow ? largest : least;
  if (!isStage) {
    return split(names, (page) => (isLow ? page.length < 2 : fitIn(page, pageUnit)));
  }
  const allPages = splitAnywhere(names, (page) => fitIn(page, pageUnit));
  const litGroups = together.map((group) => names.filter((name) => group.includes(name)));
  for (const group of litGroups) {
    const isThere = allPages.some((page) => group.every((name) => page.includes(name)));
    if (!isThere && fitIn(group, least)) allPages.push(group);
  }
  const pages = allPages.filter((page) => !isWithin(page, allPages));
  // A panel that no cue lights is only seen on the page of one that is lit: so a large one has a
  // page of its own only where cues light them all.
  if (!names.every((name) => litGroups.flat().includes(name))) return pages;
  const largeAlone = names.filter(
    (name) =>
      (BY_NAME[name].share ?? 1) >= LARGE_SHARE &&
      litGroups.some((group) => group.length === 1 && group[0] === name) &&
      !pages.some((page) => page.length === 1 && page[0] === name),
  );
  return [...pages, ...largeAlone.map((name) => [name])];
}

/**
 * The scene, under it the words, and under these the panels that a cue lights; without lit ones
 * those that leave the scene much room. The other panels stand there on further pages.
 */
function lessonIn(panelNames, shape, { x, y, w, h }, lengths) {
  const { stream, lit, tools: toolsHigh } = shape;
  const { unit, isLow, gap } = lengths;
  const names = besideMap(panelNames);
  const isLit = names.some((name) => lit.includes(name));
  const candidates = isLit ? names.filter((name) => lit.includes(name)) : names;
  const below = candidates.slice(0, MOST_UNDER_SCENE);
  const wordsHigh = wordsUnderScene(lengths);
  let leastScene = (isLit ? LEAST_SCENE : LEAST_SCENE_UNLIT) * unit;
  if (isLow) leastScene = LEAST_SCENE_LOW;
  const highOf = (page) => neededHeight(page, unit, stream, gap);
  const hasWidth = (name) => needOf(name, unit, stream)[0] <= w;
  const free = h - wordsHigh - toolsHigh - gap;
  const leaves = (page, sceneHeight) => page.every(hasWidth) && free - highOf(page) >= sceneHeight;
  while (below.length && !leaves(below, leastScene)) below.pop();
  const others = names.filter((name) => !below.includes(name));
  const fitting = (page) => page.length <= MOST_UNDER_SCENE && leaves(page, LEAST_SCENE_LOW * unit);
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
 * The places of a timeline and, at its right, of the buttons that turn pages. They stand half a gap
 * higher, as far from what is above them as from the buttons below.
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

/**
 * The same, but each name on the first page with room for it. Panels on request choose first; on a
 * page the names have their order again.
 */
function splitAnywhere(names, fitting) {
  const { byDefault, onRequest } = byGroup(names);
  /** @type {string[][]} */
  const pages = [];
  for (const name of [...onRequest, ...byDefault]) {
    const withRoom = pages.find((page) => fitting([...page, name]));
    if (withRoom) withRoom.push(name);
    else pages.push([name]);
  }
  return pages.length ? pages.map((page) => names.filter((name) => page.includes(name))) : [[]];
}

/** The panels that are shown by default, and those that are shown on request. */
const byGroup = (names) => ({
  byDefault: names.filter((name) => BY_NAME[name].group === "default"),
  onRequest: names.filter((name) => BY_NAME[name].group === "more"),
});

/** Whether each panel of a page has its room; in larger type than the least it may be narrower. */
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

/** The width that all of these panels need, one below the other. */
const neededWidth = (names, unit, stream) =>
  Math.max(0, ...names.map((name) => Math.ceil(needOf(name, unit, stream)[0])));

/** Whether a panel is a matrix: it needs as much width as height. */
const isSquare = (name) => BY_NAME[name].square;

/**
 * The panels of the first column, and those of the columns at its right. These are the ones by
 * default, and those on request; of several matrices the first one changes places with the last
 * panel by default, so that no column has them all.
 */
function sides(names) {
  const { byDefault, onRequest } = byGroup(names);
  const [matrix, ...otherMatrices] = onRequest.filter(isSquare);
  if (!otherMatrices.length) return { left: byDefault, right: onRequest };
  return {
    left: [...byDefault.slice(0, -1), matrix],
    right: [...byDefault.slice(-1), ...onRequest.filter((name) => name !== matrix)],
  };
}

/**
 * The places of the panels of one page.
 *
 * @param {string[]} names
 * @param {Rect} area
 * @param {boolean} stream
 * @param {Lengths} lengths
 * @returns {Record<string, Rect>}
 */
function panelsIn(names, area, stream, lengths) {
  const { x, y, w, h } = area;
  const { gap, unit, inRow, panelUnits } = lengths;
  const isTooHigh = neededHeight(names, panelUnits.at(-1), stream, gap) - gap > h;
  if (inRow && names.length === 2 && isTooHigh) {
    const half = Math.floor((w - gap) / 2);
    return { [names[0]]: rect(x, y, half, h), [names[1]]: rect(x + half + gap, y, half, h) };
  }
  const { left, right } = sides(names);
  const all = [...left, ...right];
  const sideBySide = neededWidth(left, unit, stream) + gap + neededWidth(right, unit, stream);
  // Two panels have more use of all the width than of all the height, if that is plenty for both.
  const isPair =
    all.length === 2 && !all.some(isSquare) && PLENTY * neededHeight(all, unit, stream, gap) <= h;
  if (left.length > 0 && right.length > 0 && (sideBySide > w || isPair)) {
    return stack(all, area, stream, lengths);
  }
  return (
    matrixAside(left, right, area, stream, lengths) ?? inColumns(left, right, area, stream, lengths)
  );
}

/**
 * One matrix in a column of its own beside several panels; null where it has no room there, or
 * there are other panels or matrices than these.
 */
function matrixAside(left, right, { x, y, w, h }, stream, lengths) {
  const { gap, unit } = lengths;
  const matrices = right.filter(isSquare);
  const othersOnRight = right.filter((name) => !isSquare(name));
  const others = [...left, ...othersOnRight];
  if (matrices.length !== 1 || left.some(isSquare)) return null;
  if (!othersOnRight.length || others.length < 2) return null;
  const needed =
    neededWidth(others, unit, stream) + gap + MATRIX_ROOM * neededWidth(right, unit, stream);
  const hasHeight = !left.length || neededHeight(others, unit, stream, gap) - gap <= h;
  if (needed > w || !hasHeight) return null;
  const matrixWidth = Math.floor(MATRIX_SHARE * w);
  return {
    ...stack(others, rect(x, y, w - matrixWidth - gap, h), stream, lengths),
    ...stack(matrices, rect(x + w - matrixWidth, y, matrixWidth, h), stream, lengths),
  };
}

/** The left panels in a column, and the right ones in one or two columns beside it. */
function inColumns(left, right, { x, y, w, h }, stream, lengths) {
  const { gap, unit } = lengths;
  const hasBoth = left.length > 0 && right.length > 0;
  const matrices = right.filter(isSquare).length;
  const isMatrixLeft = left.some(isSquare); // `sides` placed it there.
  const isCrowded = right.length > (isMatrixLeft ? 3 : 2) || (matrices > 1 && !hasBoth);
  const rightColumns = isCrowded && w > TWO_COLUMNS_FROM ? 2 : 1;
  const neededLeft = hasBoth ? neededWidth(left, unit, stream) : 0;
  const neededRight = rightColumns * neededWidth(right, unit, stream);
  const spare = w - neededRight - neededLeft;
  const apart = Math.max(gap, Math.min(COLUMN_GAP * unit, Math.floor(spare / rightColumns)));
  let leftWidth = w;
  let rightX = x;
  let columnWidth = (w - apart * (rightColumns - 1)) / rightColumns;
  if (hasBoth) {
    const share = leftShare(left, rightColumns > 1 || matrices > 0);
    const limit = w - neededRight - rightColumns * apart;
    leftWidth = Math.floor(Math.max(Math.min(share * w, limit), neededLeft));
    rightX = x + leftWidth + apart;
    columnWidth = (w - leftWidth - apart * rightColumns) / rightColumns;
  }
  const inFirst = Math.ceil(right.length / rightColumns);
  const first = rect(rightX, y, Math.floor(columnWidth), h);
  const second = rect(Math.ceil(rightX + columnWidth + apart), y, Math.floor(columnWidth), h);
  return {
    ...stack(left, rect(x, y, leftWidth, h), stream, lengths),
    ...stack(right.slice(0, inFirst), first, stream, lengths),
    ...stack(right.slice(inFirst), second, stream, lengths),
  };
}

/** The share of the width that the left column has. */
function leftShare(left, isRightWide) {
  // Fisher's criterion J, at the right, has as much room as the projections.
  if (left.some(isSquare) || left.includes("projections")) return 0.5;
  return isRightWide ? LEFT_SHARE : LEFT_SHARE_WITHOUT_MATRIX;
}

/**
 * Panels one below the other. Each has its share of the height, a matrix twice its share, since it
 * has no other use of the width; where the share is less than the panel needs, it has what it
 * needs. A flat panel leaves the others the height for which it has no use.
 */
function stack(names, { x, y, w, h }, stream, { gap, unit }) {
  const free = h - gap * (names.length - 1);
  const shares = names.map((name) => {
    const { share = 1, streamShare = 1, square } = BY_NAME[name];
    return share * (stream ? streamShare : 1) * (square ? 2 : 1);
  });
  const needs = names.map((name) => needOf(name, unit, stream)[1]);
  // If all are flat, nobody else has a use for the height.
  const isLimited = !names.every((name) => BY_NAME[name].flat);
  const limits = names.map((name, k) => {
    // The height that it can use beyond its need, as a share of its width.
    const { flat = Infinity } = BY_NAME[name];
    return isLimited ? needs[k] + flat * w : Infinity;
  });
  const heights = sharedHeights(free, shares, needs, limits);
  let top = y;
  /** @type {Record<string, Rect>} */
  const panels = {};
  names.forEach((name, k) => {
    panels[name] = rect(x, Math.round(top), w, Math.floor(heights[k]));
    top += heights[k] + gap;
  });
  return panels;
}

/**
 * A height divided by shares, with no part below its need as long as there is enough, and none
 * above its limit.
 */
function sharedHeights(free, shares, needs, limits) {
  if (needs.reduce((sum, need) => sum + need, 0) > free) return byShares(free, shares, []);
  /** @param {(number | undefined)[]} fixedHeights of the parts that have no share */
  const heightsWithNeeds = (fixedHeights) => {
    const fixed = [...fixedHeights];
    let heights = byShares(free, shares, fixed);
    // A part that has its need fixed leaves the others less: so some more may be below theirs.
    while (heights.some((height, k) => height < needs[k])) {
      for (const [k, height] of heights.entries()) if (height < needs[k]) fixed[k] = needs[k];
      heights = byShares(free, shares, fixed);
    }
    return heights;
  };
  const heights = heightsWithNeeds([]);
  return heightsWithNeeds(heights.map((height, k) => (height > limits[k] ? limits[k] : undefined)));
}

/** A height divided by shares, after the parts that have a fixed height. */
function byShares(free, shares, fixed) {
  const remainder = free - shares.reduce((sum, _, k) => sum + (fixed[k] ?? 0), 0);
  const allShares = shares.reduce((sum, share, k) => sum + (fixed[k] === undefined ? share : 0), 0);
  return shares.map((share, k) => fixed[k] ?? (remainder * share) / allShares);
}
