// Where the panels of the board lie, in CSS pixels.

import { BY_NAME, PANELS } from "./panel_table.js";

/** @import { Layout, Rect } from "./types.d.ts" */

// The panels beside the map, in one column or more, on as many pages as they need: each has its least room.

const GAP = 12; // px between panels
const COUNTED = 11.25; // px of the least type where the unit is 1: the room that a panel needs is counted in it
const CROWDED = 700; // px from which more than two panels on request stand in two columns
const QUIET = 138; // px of height that the sentence has where the unit is 1,
const LARGE = 0.45; // of the height at most, which it has where it shares the column with words only
const [TURN, TURNED] = [30, 27]; // px of height of the control that turns pages at least, and where the unit is 1

/** The panels that need most width need this many letters. */
const WIDEST = Math.max(...PANELS.map(({ columns = 0 }) => columns));

/** The least width and height of a panel, in px. @returns {[number, number]} */
function needOf(name, unit, stream = false) {
  const { rows = 0, columns = 0, streamShare = 1 } = BY_NAME[name];
  return [columns * COUNTED * unit, rows * (stream ? streamShare : 1) * COUNTED * unit];
}

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
 * The page with the most of these panels: that without others, else the one that is shown, else that of the first of them;
 * where none is on any `page`, or one that has also what is there.
 */
export function pageWith(names, pages, page) {
  const shows = (each) => names.filter((name) => each.includes(name)).length;
  const most = Math.max(0, ...pages.map(shows));
  const best = [...pages.keys()].filter((k) => shows(pages[k]) === most);
  if (!most) return wider(pages, page);
  const first = names
    .map((name) => best.find((k) => pages[k].includes(name)))
    .find((k) => k !== undefined);
  return best.find((k) => pages[k].length === most) ?? (best.includes(page) ? page : first);
}

/** A page with all that this one has, and more; else this one. */
function wider(pages, page) {
  const there = pages[page] ?? [];
  const found = pages.findIndex(
    (each) => each.length > there.length && there.every((name) => each.includes(name)),
  );
  return found < 0 ? page : found;
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
function pagedColumn(names, column, { unit, stream, page }) {
  const pages = pagesOf(names, (some) => arranged(some, column, unit, stream).fits);
  const shown = Math.min(page, pages.length - 1);
  const { words, panels } = arranged(pages[shown], column, unit, stream);
  const turn = turner(words, pages, Math.round(Math.max(TURN, TURNED * unit)));
  const quiet = turn ? { ...words, h: words.h - turn.h } : words;
  return {
    panels: { words: quiet, ...panels },
    pages,
    page: shown,
    turn,
    alone: areWords(pages[shown]),
  };
}

/** Whether the sentence has the room for itself, or shares it with other words. */
const areWords = (names) => names.every((name) => BY_NAME[name].text);

/** Words above, panels below, and whether each has its least room; where one alone has not, the words leave it theirs. */
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
  const found = below(usual);
  if (found.fits || names.length > 1) return found;
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

/** The panels of the first column, and those of the columns beside it: of several that need width, the first one stands on the left. */
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

const names = (wanted) => PANELS.filter(wanted).map(({ name }) => name);
const DEFAULT = names(({ group, page }) => group === "default" && !page);
const MORE = names(({ group, page }) => group === "more" && !page);
const FISHER = names(({ group, page }) => group !== "board" && page === "fisher");

/** Panels whose numbers Python computes only when they are shown. */
export const ON_REQUEST = names(({ onRequest }) => onRequest);

/** The panels that are shown of a run unless one chooses others: without a plane, what the kernel makes of the examples. */
export const shownByDefault = ({ plane, fisher }) =>
  fisher ? FISHER : plane ? DEFAULT : [...DEFAULT, ...names(({ noPlane }) => noPlane)];

/** What is shown at once of these panels, in the order of the table: in tabs, or beside the map. */
export const besideMap = (shown) =>
  [...DEFAULT, ...MORE, ...FISHER].filter((name) => shown.has(name));

/** Whether there is something to show of a run in a panel. */
export const hasSomething = (name, run) =>
  BY_NAME[name].requires.every((part) => run.provides(part));

const NARROW = 900;
const LEAST_UNIT = 0.94;
const LOW = 620; // px of height under which map and panel of a narrow board stand side by side
const BESIDE = 230; // px of width that a panel beside the map needs
const SHORT = 700; // px of height under which the buttons of a narrow board are in one row
const SMALL = 300; // px of height of a frame in which map, sentence and buttons are all there is
const LEAST_SMALL = 190;
const LEAST_MAP = 180; // px of its map
const WORDS = 160; // px of height of the words of a step there
const TIMELINE = 52; // px of a narrow board
const TABS = 36;
const LEAST_SAID = 2.5; // times as high as the row under it a sentence with one is
const BAR = 46; // px of height of the buttons in the least type
const [TYPE, LARGEST] = [14, 24]; // px of the type of bars and settings, at least and at most
const DOCK = 300; // px of width of the settings beside the map,
const SLIM = 280; // which they have at least,
const COLUMN = 434; // where they leave the right column as much; else they take its place
const LETTER = 12; // px of the type of a run's letter on a timeline
const ROW = 12.4; // px of height that a run's ticks have at least on a timeline
const BESIDE_MAPS = 320; // px of width that words and table have beside maps that are compared
const COLUMN_OF_TABLE = 80; // px of it for each run, and for the SVC for reference
const COURSE = 120; // px of height that the course of a stream has under its map where the unit is 1
const BRICKS = 60; // px of height that a panel under such a map needs where the unit is 1
const SHEET = 180; // px of height that the settings under the map have at least

/** The type of bars and settings in a window of this size, in px. */
export const typeOf = (width, height) =>
  Math.min(Math.max(4 + Math.min(0.0144 * height, 0.0081 * width), TYPE), LARGEST);

/** A length that grows with the type. */
const scaled = (length, type) => Math.round((length * type) / TYPE);

export const rect = (x, y, w, h) => ({ x, y, w, h });

/** The maps of runs side by side, each with its name above it and the numbers that decide under it; the current one is the last. */
export function maps(runs, side, caption, numbers, /** @type {(k: number) => number[]} */ placeOf) {
  /** @type {Record<string, Rect>} */
  const panels = {};
  for (let k = 0; k < runs; k++) {
    const suffix = k === runs - 1 ? "" : `-${k}`;
    const [x, y] = placeOf(k);
    panels[`caption${suffix}`] = rect(x, y, side, caption);
    panels[`map${suffix}`] = rect(x, y + caption, side, side);
    panels[`decide${suffix}`] = rect(x, y + caption + side, side, numbers);
  }
  return panels;
}

/** The size in px of the letters before these rows, and the room that they have there. */
export const letterOf = (unit) => Math.max(10 * unit, LETTER);
export const insetOf = (unit) => Math.round(0.75 * letterOf(unit) + 5);

/** The height in px that the ticks of one of several runs have. */
export const rowOf = (unit) => Math.max(11 * unit, ROW);

/** The height in px that a board of this width has at least. */
export const leastHeight = (width, high = Infinity) =>
  high < SMALL ? LEAST_SMALL : width < NARROW ? 300 : 420;

/**
 * The layout of a stage of this size; `tab` is the panel shown when narrow, `tools` how high the rows under the bar are,
 * of which `passing` take from the map of a narrow one, `edge` where settings beside the map end on the right, null while there are none; `question`
 * how many characters a ready comparison's question and words have; `page` of the panels, where they need several; `type`
 * of the bars, in px.
 *
 * @param {number} width
 * @param {number} height
 * @param {Set<string>} shown
 * @param {string} tab
 * @param {{ runs?: number, stream?: boolean, tools?: number, passing?: number, edge?: number | null, question?: [number, number] | null, page?: number, type?: number }} [around]
 * @returns {Layout}
 */
export function layout(
  width,
  height,
  shown,
  tab,
  {
    runs = 1,
    stream = false,
    tools = 0,
    passing = 0,
    edge = null,
    question = null,
    page = 0,
    type = TYPE,
  } = {},
) {
  if (width < NARROW || height < SMALL) {
    const flat = runs === 1 && isLow(width, height);
    const found =
      runs > 1
        ? comparedNarrow(width, height, tab, runs, tools, question)
        : flat
          ? low(width, height, shown, tab, tools)
          : narrow(width, height, shown, tab, { tools, passing });
    const overPanel = ({ tabs, panels }) => rect(tabs.x, 0, edge - tabs.x, panels.map.h); // in place of the tabs
    const dock = edge === null ? null : flat ? overPanel(found) : underMaps(found, width, height);
    const [sheet, below] = [dock !== null && !flat, found.bar.y + found.bar.h];
    const bar = sheet ? { ...found.bar, h: BAR } : found.bar; // above the sheet
    return {
      ...found,
      narrow: true,
      bar,
      strip: bar.h === BAR,
      unit: LEAST_UNIT,
      tools: below,
      dock,
      sheet,
    };
  }
  const left = height - tools;
  const found =
    runs > 1
      ? compared(width, left, shown, { runs, stream, edge, question, type })
      : wide(width, left, shown, { stream, edge, page, type });
  return { ...found, tools: left, height };
}

/**
 * What the settings at the right edge leave of the width of the column beside the maps, and where they are; where they
 * hide it, it stays as it is.
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

/** The settings as a sheet under the maps and a row of buttons, at most half as high as the board. */
function underMaps({ panels }, width, height) {
  const maps = Object.entries(panels).filter(([name]) => /^map(-|$)/.test(name));
  const bottom = Math.max(...maps.map(([, { y, h }]) => y + h));
  const h = Math.max(Math.min(height - bottom - GAP / 2 - BAR, height / 2), SHEET);
  return rect(0, height - h, width, h);
}

function wide(width, height, shown, { stream, edge, page, type }) {
  const buttons = scaled(BAR, type);
  const usual = Math.min(Math.max(height / 640, LEAST_UNIT), 1.75);
  const timeline = Math.round(62 * usual);
  const votes = shown.has("readings") ? Math.round(26 * usual) : 0;
  const top = height - buttons - timeline - votes - GAP;
  const side = Math.floor(Math.min(top, width * 0.6));
  const x = side + GAP * 2;
  const [w, dock] = settingsBeside(rect(x, 0, width - x - GAP, top), edge, type);
  const unit = Math.max(Math.min(usual, w / (WIDEST * COUNTED)), LEAST_UNIT); // with which each panel fits into the column
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
 * What a ready comparison asks and shows, above all; the maps of all runs, the current one last, each with its name
 * above it and the numbers that decide under it; beside them what is said, and the table.
 */
function compared(width, height, shown, { runs, stream, edge, question, type }) {
  const buttons = scaled(BAR, type);
  const unit = Math.min(Math.max(height / 640, LEAST_UNIT), 1.75);
  const timeline = Math.round(50 * unit + runs * rowOf(unit));
  const first = question ? Math.round(questionRows(question, width, 15.5 * unit) * 20 * unit) : 0;
  const top = height - buttons - timeline - GAP;
  const [caption, numbers] = [24 * unit, 27 * unit].map(Math.round);
  const beside = Math.max(BESIDE_MAPS, COLUMN_OF_TABLE * (runs + 1), 0.22 * width);
  const sideOf = (columns) =>
    Math.floor(
      Math.min(
        (top - first - (stream ? COURSE * unit : 0)) / Math.ceil(runs / columns) -
          caption -
          numbers,
        (width - beside) / columns - GAP,
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

/**
 * The same with a row under the sentence, which leaves it the room; `h` px high where the unit is 1, and at least `w` wide.
 * Without it where there is no sentence, or not enough room for both.
 *
 * @param {Layout} layout
 * @param {{ w: number, h: number } | null} row
 * @returns {Layout}
 */
export function withRow(layout, row) {
  const name = ["words", "sentences"].find((one) => one in layout.panels);
  const said = layout.panels[name];
  const h = Math.round((row?.h ?? 0) * layout.unit);
  if (!row || !said || said.h < LEAST_SAID * h || said.w < row.w) return layout;
  const panels = { ...layout.panels, [name]: { ...said, h: said.h - h } };
  return { ...layout, panels, next: rect(said.x, said.y + said.h - h, said.w, h) };
}

/** How many lines a comparison's question, and what it shows, take at a size, estimated from above. */
export const questionRows = ([question, words], width, size) =>
  Math.ceil((0.56 * size * question) / width) + Math.ceil((0.52 * size * words) / width);

function comparedNarrow(width, height, tab, runs, tools, question) {
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
  height < SMALL || (height < LOW && width - (height - BAR - TIMELINE) >= BESIDE);

/** The map on the left, tabs and panel on the right, the timeline and the buttons in one row below. */
function low(width, height, shown, tab, tools) {
  const votes = shown.has("readings") ? 20 : 0;
  const bar = rect(0, height - BAR - tools, width, BAR);
  const top = bar.y - TIMELINE - votes - GAP / 2;
  if (height < SMALL) return small(width, height, tools);
  const beside = Math.max(BESIDE, BY_NAME[tab] ? needOf(tab, LEAST_UNIT)[0] + 4 : 0);
  const side = Math.floor(Math.min(top, width - beside - GAP));
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

/** Map, panel, timeline, buttons and tabs, one under the other; the map is as large as leaves the words of a step in view. */
function narrow(width, height, shown, tab, { tools, passing }) {
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
