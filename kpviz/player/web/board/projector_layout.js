// Where the panels lie while one presents: fewer and larger than on the board, with type for the
// back row.

import { insetOf, maps, outsideOf, questionRows, rect, rowOf, turner } from "./lengths.js";
import { BY_NAME } from "./panel_table.js";
import { besideMap } from "./shown_panels.js";

/** @import { BoardShape, Layout, Rect } from "../board/types.d.ts" */

/** Shapes of the stage: their words, and width over height; null: that of the window. */
export const STAGE_SHAPES = /** @type {Record<string, [string, number | null]>} */ ({
  window: ["window", null],
  "16x9": ["16:9", 16 / 9],
  "4x3": ["4:3", 4 / 3],
  "1x1": ["square", 1],
  "9x16": ["vertical", 9 / 16],
});

const TYPE = 24 / 1080; // The smallest type over the stage's height.
const LEAST = 11; // In px.
const SMALLEST = 11.25; // In px: a panel's smallest type where the unit is 1.
const GAP = 0.66; // In letters, as all that follows.
const WORDS = 8; // So high are the words above the map.
const BESIDE = 10.5; // So high are the words beside the map.
const COUNTER = 2.2; // So high is the counter without the sentence.
const COLUMN = 27; // Words beside the map need so wide a column.
const FLAGS = 5; // In px where the unit is 1: flags of cues stand over the timeline.
const TALL = 0.8; // Where width over height is smaller, everything stands in one column.
const QUESTION = 1.3; // The type of a comparison's question and words.
const SAID = 9; // So high is what is said of each of several runs beside the maps.
const SAYS = 15; // A line of what is said beside the maps has at least so many letters.
const PAIR = 19; // Beside the two maps of a ready comparison it has at least so many.
const STRIP = 6.3; // So high is what is said of each of several runs under its map.
const HEADING = 1.6; // So high is the line with the heading of a lesson's scene.
const LETTER = 0.6; // So wide is one letter of it.
const TURN = 1.9; // So high is the control that turns pages.
const TOUCHED = 28; // In px: that control is at least so high.
const LARGE = 1.6; // A panel that alone is lit has all of a column from this share of it on.
const SHARE = 0.56; // The map gets at most this share of the width.
// Of the shorter side, that it has at least where a panel finds no room otherwise.
const SMALL = 0.3;

const isAskedFor = (name) => BY_NAME[name].group === "more";

/**
 * What the panels share: `needs` are their least heights and `wide` their least widths, in letters
 * of the least type.
 * @typedef {object} Room
 * @property {Rect} area
 * @property {number} gap
 * @property {number} least
 * @property {string[]} wanted
 * @property {number[]} wordsHeight heights of the words, above the map and beside it
 * @property {Record<string, number>} needs
 * @property {Record<string, number>} wide
 */

/** @param {Set<string>} shown @param {BoardShape} shape @returns {Layout} */
export function projectorLayout(shown, shape) {
  const { width, height, runs, stream, widest, flags, words, heading, question, page } = shape;
  const { turns, together, sized } = shape;
  const least = Math.max(TYPE * sized, LEAST);
  const unit = least / SMALLEST;
  const gap = Math.round(GAP * least);
  const timeline = Math.round(runs > 1 ? 30 * unit + runs * rowOf(unit) : 36 * unit);
  const votes = shown.has("readings") && runs === 1 ? Math.round(26 * unit) : 0;
  const line = heading ? Math.round(HEADING * least) : 0;
  const aside =
    runs > 1 &&
    question !== null &&
    (question[0] * QUESTION + heading) * LETTER * least < width - 3 * gap;
  const above = runs > 1 && !aside ? line : 0;
  const area = rect(
    gap,
    gap + above,
    width - 2 * gap,
    height - 3 * gap - above - timeline - votes - (flags ? Math.round(FLAGS * unit) : 0),
  );
  const names = besideMap(shown);
  const inLetters = (of) => Object.fromEntries(names.map((name) => [name, of(BY_NAME[name])]));
  /** @type {Room} */
  const room = {
    area,
    gap,
    least,
    wanted: names,
    wordsHeight: (words ? [WORDS, BESIDE] : [COUNTER, COUNTER]).map((high) => high + line / least),
    needs: inLetters(({ rows = 0, streamShare = 1 }) => rows * (stream ? streamShare : 1)),
    wide: inLetters(({ name, columns = 0 }) =>
      name === "code" ? Math.max(widest, columns) : columns,
    ),
  };
  const place = (some) =>
    runs > 1
      ? withQuestion(room, runs, unit, question, aside ? line : 0)
      : (area.w / area.h < TALL ? tall : besideWords)({ ...room, wanted: some });
  const pages =
    runs > 1
      ? [place(names)]
      : paged(names, place, (some) => squeezed({ ...room, wanted: some }), together);
  const at = Math.min(page, pages.length - 1);
  const panels = { ...pages[at] };
  const { words: top = { ...area, y: gap } } = panels;
  if (line && runs === 1) panels.words = { ...top, y: top.y + line, h: top.h - line };
  const several = pages.filter((page) => !pages.some((other) => isWithin(page, other)));
  const turn =
    turns && runs === 1
      ? turner(panels.words, several, Math.ceil(Math.max(TURN * least, TOUCHED)))
      : null;
  if (turn) panels.words = { ...panels.words, h: panels.words.h - turn.h };
  const below = height - gap - timeline - votes;
  panels.timeline = {
    ...rect(gap, below, area.w, timeline),
    ...(runs > 1 && { inset: insetOf(unit) }),
  };
  if (votes) panels.votes = rect(gap, below + timeline, area.w, votes);
  const without = runs > 1 ? [] : names.filter((name) => !(name in panels));
  const alone = !names.some((name) => name in panels);
  return {
    narrow: false,
    unit,
    least,
    height,
    without,
    pages: pages.map((page) => names.filter((name) => name in page)),
    page: at,
    turn,
    alone,
    heading: line ? headingIn(top, panels.question, line, aside) : null,
    bar: rect(0, height, width, 0),
    knob: null,
    tools: rect(0, height, width, 0),
    notices: height,
    panels,
  };
}

/** Whether all of a page is on another one. */
const isWithin = (page, other) =>
  page !== other && Object.keys(page).every((name) => name in other);

/**
 * As many pages as the panels need. What finds no room has a page of its own, with a smaller map,
 * and so have panels that are `together`, and a large one that is lit alone; what has not even
 * there is on none.
 *
 * @param {string[]} names
 * @param {(names: string[]) => Record<string, Rect>} place
 * @param {(names: string[]) => Record<string, Rect> | null} squeeze
 * @param {string[][]} together
 */
function paged(names, place, squeeze, together) {
  const pages = [];
  let remaining = names;
  while (remaining.length) {
    const usual = place(remaining);
    const next = remaining.some((name) => name in usual)
      ? usual
      : remaining.map((name) => squeeze([name])).find((page) => page);
    if (!next) break;
    pages.push(next);
    remaining = remaining.filter((name) => !(name in next));
  }
  const groups = together.map((group) => names.filter((name) => group.includes(name)));
  for (const names of groups) {
    const page = pages.some((other) => names.every((name) => name in other))
      ? null
      : squeeze(names);
    if (page) pages.push(page);
  }
  const whole = pages.filter((page) => !pages.some((other) => isWithin(page, other)));
  if (!whole.length) return [place(names)];
  // Else some would never be seen.
  const lit = names.every((name) => groups.flat().includes(name)) ? groups : [];
  const isLit = (name) => lit.some(([first, another]) => first === name && !another);
  const large = names
    .filter((name) => (BY_NAME[name].share ?? 1) >= LARGE && isLit(name))
    .map((name) => place([name]));
  const isNew = (page) =>
    names.some((name) => name in page) && !whole.some((other) => isWithin(other, page));
  return [...whole, ...large.filter(isNew)];
}

/**
 * Panels that find no room beside or below a map of the usual size: the map leaves it them, on
 * whichever side it stays larger; null where too little would be left of it.
 *
 * @param {Room} room
 * @returns {Record<string, Rect> | null}
 */
function squeezed({ area, gap, least, wanted, needs, wide, wordsHeight: [above] }) {
  const w = Math.max(...wanted.map((name) => wide[name])) * least;
  const h = wanted.reduce((sum, name) => sum + needs[name] * least + gap, -gap);
  const free = area.h - above * least - gap;
  const besideMapSide = h > free ? 0 : Math.floor(Math.min(free, area.w - w - 2 * gap));
  const below = w > area.w ? 0 : Math.floor(Math.min(free - h - gap, area.w));
  const map = Math.max(besideMapSide, below);
  if (map < SMALL * Math.min(area.w, area.h)) return null;
  const high = below > besideMapSide ? map + gap + h : Math.max(map, h);
  const words = Math.round(area.h - gap - high);
  const y = area.y + words + gap;
  const panels =
    below > besideMapSide
      ? rect(area.x, y + map + gap, area.w, Math.floor(h))
      : rect(area.x + map + 2 * gap, y, area.w - map - 2 * gap, Math.floor(high));
  const x = below > besideMapSide ? area.x + Math.floor((area.w - map) / 2) : area.x;
  return {
    words: { ...area, h: words },
    map: rect(x, y, map, map),
    ...stacked(wanted, { needs, gap, least }, panels),
  };
}

/**
 * The map on the left, and on the right the panels; the words above them, or above all where that
 * column is narrow.
 *
 * @param {Room} room
 * @returns {Record<string, Rect>}
 */
function besideWords(room) {
  const { area, gap, least, wanted, wordsHeight } = room;
  const side = Math.floor(Math.min(area.h, area.w * SHARE));
  const width = area.w - side - 2 * gap;
  if (width >= COLUMN * least || (!wanted.length && width >= 0.7 * COLUMN * least)) {
    const x = area.x + side + 2 * gap;
    const names = fitting(room, width, area.h - wordsHeight[1] * least - gap);
    const words = Math.round(
      names.length || wordsHeight[1] < BESIDE ? wordsHeight[1] * least : 0.62 * area.h,
    );
    const free = rect(x, area.y + words + gap, width, area.h - words - gap);
    return {
      map: rect(area.x, area.y + Math.floor((area.h - side) / 2), side, side),
      words: rect(x, area.y, width, words),
      ...stacked(names, room, free),
    };
  }
  const high = area.h - wordsHeight[0] * least - gap;
  const narrow = Math.floor(Math.min(high, area.w * SHARE));
  const names = fitting(room, area.w - narrow - 2 * gap, narrow);
  const map = names.length ? narrow : Math.floor(Math.min(high, area.w));
  const words = Math.round(area.h - map - gap);
  const y = area.y + words + gap;
  const free = rect(area.x + map + 2 * gap, y, area.w - map - 2 * gap, map);
  const left = names.length ? 0 : Math.floor((area.w - map) / 2);
  return {
    map: rect(area.x + left, y, map, map),
    words: rect(area.x, area.y, area.w, words),
    ...stacked(names, room, free),
  };
}

/** One above the other: words, map, panels. @param {Room} room @returns {Record<string, Rect>} */
function tall(room) {
  const { area, gap, least, wordsHeight } = room;
  const words = Math.round(wordsHeight[0] * least);
  const free = area.h - words - gap;
  const names = fitting(room, area.w, free - 0.8 * area.w - gap);
  const below = names.reduce((sum, name) => sum + room.needs[name] * least + gap, 0);
  const map = Math.floor(Math.min(area.w, free - below));
  const y = area.y + words + gap;
  return {
    words: rect(area.x, area.y, area.w, words),
    map: rect(area.x + Math.floor((area.w - map) / 2), y, map, map),
    ...stacked(names, room, rect(area.x, y + map + gap, area.w, free - map - gap)),
  };
}

/** The panels, from the most needed, that find room in a column. @param {Room} room */
function fitting({ wanted, needs, wide, least, gap }, width, height) {
  let left = height + gap;
  const fittingNames = new Set();
  for (const name of [
    ...wanted.filter(isAskedFor),
    ...wanted.filter((name) => !isAskedFor(name)),
  ]) {
    const high = needs[name] * least + gap;
    if (high > left || wide[name] * least > width) continue;
    left -= high;
    fittingNames.add(name);
  }
  return wanted.filter((name) => fittingNames.has(name));
}

/**
 * One below the other: the room by their needs; where some need width as well, the others have what
 * they need.
 */
function stacked(names, { needs, gap, least }, { x, y, w, h }) {
  const sum = (some) => some.reduce((all, name) => all + needs[name], 0);
  const squares = names.filter((name) => BY_NAME[name].square);
  const free = h - gap * (names.length - 1);
  const usual = squares.length ? Math.min(least, free / sum(names)) : free / sum(names);
  const large = (free - usual * (sum(names) - sum(squares))) / sum(squares);
  let from = y;
  return Object.fromEntries(
    names.map((name) => {
      const high = needs[name] * (squares.includes(name) ? large : usual);
      const entry = [name, rect(x, Math.round(from), w, Math.round(high))];
      from += high + gap;
      return entry;
    }),
  );
}

/**
 * What a ready comparison asks and shows: above the runs, or above what is said beside them, where
 * that makes the maps larger.
 *
 * @param {Room} room
 * @param {[number, number] | null} question how many characters its question and words have
 * @param {number} line px of a heading, which stands above what is beside the maps and beside what
 *   is above them
 * @returns {Record<string, Rect>}
 */
function withQuestion(room, runs, unit, question, line) {
  const says = question && runs === 2 ? PAIR : SAYS;
  const alone = compared(room, runs, unit, says);
  if (!question) return alone;
  const { area, gap, least } = room;
  const highIn = (w) =>
    Math.ceil(questionRows(question, w, QUESTION * least) * QUESTION * least * 1.3);
  const high = highIn(area.w);
  const left = rect(area.x, area.y + high + gap, area.w, area.h - high - gap);
  /** @type {Record<string, Rect>} */
  const above = {
    question: { ...area, h: high },
    ...compared({ ...room, area: left }, runs, unit, says),
  };
  const { sentences } = alone;
  const isBeside = sentences.x > alone.map.x;
  const h = highIn(0.9 * sentences.w);
  const y = sentences.y + line;
  const sentencesBelow = { ...sentences, y: y + h + gap, h: area.h - line - h - gap };
  if (!isBeside || alone.map.w < 1.05 * above.map.w || sentencesBelow.h < SAID * least * runs) {
    return above;
  }
  return { ...alone, question: { ...sentences, y, h }, sentences: sentencesBelow };
}

/**
 * Where a scene's heading stands: at the right of a question that has the whole width, above one
 * that has a column.
 */
function headingIn(top, question, line, aside) {
  const column = aside && question && question.w < top.w;
  return column
    ? { ...question, y: question.y - line, h: line, right: false }
    : { ...top, h: line, right: aside };
}

/**
 * A map for each run with its name above it and its numbers under it; what each says beside or
 * below them, or under its own map, whichever leaves the maps larger.
 *
 * @param {Room} room
 * @param {number} says how many letters it has in a line beside them, at least
 * @returns {Record<string, Rect>}
 */
function compared({ area: all, gap, least }, runs, unit, says) {
  const legend = outsideOf(unit).strip;
  const area = rect(all.x, all.y + legend, all.w, all.h - legend);
  const [caption, numbers] = [24 * unit, 26 * unit].map(Math.round);
  let best = { side: 0, columns: 1, rows: runs, right: false, apart: false };
  const strip = Math.floor(
    Math.min((area.w - gap * (runs - 1)) / runs, area.h - caption - numbers - gap - STRIP * least),
  );
  for (let columns = runs; columns >= 1; columns--) {
    const rows = Math.ceil(runs / columns);
    const fit = (w, h) =>
      Math.floor(Math.min((w - gap * (columns - 1)) / columns, h / rows - caption - numbers - gap));
    const right = fit(area.w - says * least, area.h);
    const below = fit(area.w, area.h - Math.min((3.5 * runs + 2) * least, 0.45 * area.h));
    const side = Math.max(right, below);
    if (side > 1.15 * best.side) {
      best = { side, columns, rows, right: right >= below, apart: false };
    }
  }
  if (strip > best.side) best = { side: strip, columns: runs, rows: 1, right: false, apart: true };
  const { side, columns, rows, right, apart } = best;
  const pitch = apart ? (area.w + gap) / runs : side + gap; // Each map stands above its words.
  const across = columns * (side + gap);
  const down = rows * (side + caption + numbers + gap);
  const above = right ? Math.floor((area.h + gap - down) / 2) : 0;
  const panels = maps(runs, side, caption, numbers, (k) => [
    Math.floor(area.x + (k % columns) * pitch),
    area.y + above + Math.floor(k / columns) * (side + caption + numbers + gap),
  ]);
  panels.strip = rect(area.x, area.y + above - legend, right ? across - gap : area.w, legend);
  const remainder = right
    ? rect(area.x + across + gap, all.y, area.w - across - gap, all.h)
    : rect(area.x, area.y + down, area.w, area.h - down);
  panels.sentences = remainder;
  return panels;
}
