// Where the panels lie while one presents: the board's map and column without buttons, with type
// for the back row; on a stage that stands upright all in one column.

import { columnIn } from "./column.js";
import { twoColumns, votesHeight } from "./desk_layout.js";
import { framedMap, insetOf, maps, needOf, outsideOf } from "./lengths.js";
import {
  FINGER_ROW,
  questionRows,
  rect,
  rowOf,
  smallestOnStage,
  stageLengths,
  wordsHeight,
} from "./lengths.js";
import { besideMap } from "./shown_panels.js";

/** @import { Lengths } from "./lengths.js" */
/** @import { BoardShape, Layout, Rect } from "../board/types.d.ts" */

/** Shapes of the stage: their words, and width over height; null: that of the window. */
export const STAGE_SHAPES = /** @type {Record<string, [string, number | null]>} */ ({
  window: ["window", null],
  "16x9": ["16:9", 16 / 9],
  "4x3": ["4:3", 4 / 3],
  "1x1": ["square", 1],
  "9x16": ["vertical", 9 / 16],
});

const UPRIGHT = 0.8; // Where width over height is smaller, everything stands in one column.
const LEAST_MAP = 0.3; // There the map has at least so much of the width.
const WIDE_MAP = 0.75; // It gives way to all panels at once where it keeps so much.
const LARGE_MAP = 0.55; // Panels have larger type than the least where the map keeps so much.
const QUESTION = 1.3; // In letters of the smallest type: that of a comparison's question.
const GAP = 0.66; // In such letters: between compared maps, and round them.
const SAID = 9; // So high is what is said of each of several runs beside the maps.
// In px where the unit is 1: so high is what is said of a run, and of all of them, in a column that
// is narrower than so much, and in a wider one, where it has fewer lines.
const SAID_LINES = { narrow: 72, wide: 50, from: 300 };
const SAYS = 15; // A line of what is said beside the maps has at least so many letters.
const PAIR = 18; // Beside two maps it has at least so many.
const NUMBERS = 9; // So wide are a run's numbers beside its map.
const STRIP = 6.3; // So high is what is said of each of several runs under its map.
const TINY_MAP = 48; // In px: a smaller map shows nothing of a run.
const TINY_WIDTH = 480; // In px: a narrower stage has the map and the sentence alone.
const STAGE_HALF = 0.46; // The sentence has so much of its width there.
const BUTTONS = 184; // In px: so wide are the buttons of a finger, with the room before them.
const LETTER = 0.6; // So wide is one letter of a heading.

/**
 * The room of several runs, the smallest type there, and how high the legend above them is.
 * @typedef {{ area: Rect, gap: number, least: number, legend: number }} Room
 */

/** @param {Set<string>} panelNames @param {BoardShape} shape @returns {Layout} */
export function projectorLayout(panelNames, shape) {
  const { width, height, runs, touch } = shape;
  const isUpright = width / height < UPRIGHT;
  const isTiny = !isUpright && width < TINY_WIDTH && shape.turns; // Films keep all.
  const usual = stageLengths(shape, isUpright);
  const half = Math.round(STAGE_HALF * width);
  const lengths = isTiny ? { ...usual, column: half, slim: half } : usual;
  const { unit, gap } = lengths;
  const least = smallestOnStage(shape);
  // An upright stage has the buttons of a finger in a row of their own.
  const hasFoot = touch && isUpright;
  const above = { ...shape, height: hasFoot ? height - FINGER_ROW : height };
  const room = { ...above, width: width - 2 * gap, height: above.height - 2 * gap };
  const names = isTiny ? new Set() : panelNames;
  const layout =
    runs > 1
      ? withBricks(severalRuns(above, lengths, least), names, runs, lengths)
      : inside((isUpright ? oneColumn : twoColumns)(names, room, lengths), gap);
  const absent = besideMap(panelNames);
  if (touch && !hasFoot) leaveButtonsRoom(layout.panels);
  return {
    narrow: false,
    pages: [[]],
    page: 0,
    turn: null,
    alone: false,
    ...layout,
    unit,
    least,
    leastVerdictStep: !shape.turns ? null : isUpright ? "large" : "title",
    height,
    without: runs > 1 ? [] : absent.filter((name) => !(name in layout.panels)),
    bar: rect(0, height, width, 0),
    knob: null,
    tools: rect(0, height, width, 0),
  };
}

/**
 * A finger has no keys to play and to end: buttons stand right of the timeline, in its row.
 *
 * @param {Record<string, Rect>} panels
 */
function leaveButtonsRoom(panels) {
  for (const name of ["timeline", "votes"]) {
    if (panels[name]) panels[name] = { ...panels[name], w: panels[name].w - BUTTONS };
  }
}

/** What lies in a room, so far from the edges of the stage. */
function inside(layout, edge) {
  const moved = (/** @type {Rect | null} */ place) =>
    place && { ...place, x: place.x + edge, y: place.y + edge };
  const panels = Object.fromEntries(
    Object.entries(layout.panels).map(([name, place]) => [name, moved(place)]),
  );
  return { ...layout, panels, turn: moved(layout.turn), heading: moved(layout.heading) };
}

/**
 * The map, and under it words and panels; it leaves each panel its room.
 *
 * @param {Set<string>} panelNames
 * @param {BoardShape} shape
 * @param {Lengths} lengths
 */
function oneColumn(panelNames, shape, lengths) {
  const { width, height, stream, turns } = shape;
  const { unit, gap, outside } = lengths;
  const votesHigh = votesHeight(panelNames, unit);
  const timeline = rect(0, height - votesHigh - lengths.timeline, width, lengths.timeline);
  const wordsHigh = lengths.heading + wordsHeight(width, lengths, turns);
  const names = besideMap(panelNames);
  const turnHigh = turns && names.length > 1 ? lengths.turn : 0;
  const outsideHigh = outside.strip + outside.axis;
  const free = timeline.y - wordsHigh - turnHigh - outsideHigh - 2 * gap;
  const sides = lengths.panelUnits.map(
    (panelUnit) =>
      free - Math.max(0, ...names.map((name) => gap + needOf(name, panelUnit, stream)[1])),
  );
  const smallest = lengths.panelUnits.at(-1);
  const allHigh = names.reduce((sum, name) => sum + gap + needOf(name, smallest, stream)[1], 0);
  // All panels are seen at once if the map can give way: most of all where nobody turns pages.
  const besideAll = free + turnHigh - allHigh;
  const chosen =
    besideAll >= (turns ? WIDE_MAP : LEAST_MAP) * width
      ? besideAll
      : (sides.find((side) => side >= LARGE_MAP * width) ?? sides.at(-1));
  const most = width - outside.gutter;
  const side = Math.floor(Math.min(Math.max(chosen, LEAST_MAP * width), most));
  const x = Math.max(Math.floor((width - side) / 2), outside.gutter);
  const y = outsideHigh + side + gap;
  const place = rect(0, y, width, timeline.y - gap - y);
  const column = columnIn(panelNames, shape, place, lengths);
  /** @type {Record<string, Rect>} */
  const panels = { ...framedMap(x, 0, side, outside), ...column.panels, timeline };
  panels.strip = rect(0, 0, width, outside.strip);
  if (votesHigh) panels.votes = rect(0, height - votesHigh, width, votesHigh);
  return { ...column, panels };
}

/**
 * Several runs, the timeline with the ticks of each under them, and a heading. Where the maps would
 * be tiny the timeline and the legend give way.
 */
function severalRuns(shape, lengths, least) {
  const withAll = runsWith(shape, lengths, least, true);
  return withAll.panels.map.w < TINY_MAP ? runsWith(shape, lengths, least, false) : withAll;
}

/**
 * The bricks of each run, one below the other under what is said beside the maps, where that leaves
 * them room.
 *
 * @param {{ panels: Record<string, Rect>, heading: Rect | null }} layout
 * @param {Set<string>} panelNames
 * @param {number} runs
 * @param {Lengths} lengths
 */
function withBricks(layout, panelNames, runs, { unit, gap, panelUnits }) {
  const { sentences, map } = layout.panels;
  if (!panelNames.has("alpha") || sentences.x < map.x + map.w) return layout;
  const lines = sentences.w < SAID_LINES.from * unit ? SAID_LINES.narrow : SAID_LINES.wide;
  const saidHigh = Math.round(Math.min((1 + runs) * lines * unit, sentences.h));
  const free = sentences.h - saidHigh;
  const h = Math.floor(free / runs) - gap;
  const [w, least] = needOf("alpha", panelUnits.at(-1), false);
  if (h < least || sentences.w < w) return layout;
  /** @type {Record<string, Rect>} */
  const panels = { ...layout.panels, sentences: { ...sentences, h: saidHigh } };
  for (let k = 0; k < runs; k++) {
    const y = sentences.y + saidHigh + k * (h + gap) + gap;
    panels[k === runs - 1 ? "alpha" : `alpha-${k}`] = rect(sentences.x, y, sentences.w, h);
  }
  return { ...layout, panels };
}

/** Several runs, with timeline and legend or without. */
function runsWith(shape, { unit, heading: line }, least, isWhole) {
  const gap = Math.round(GAP * least);
  const { width, height, runs, question, heading } = shape;
  const timelineHigh = isWhole ? Math.round(30 * unit + runs * rowOf(unit, least)) + gap : 0;
  const isBesideQuestion =
    question !== null && (question[0] * QUESTION + heading) * LETTER * least < width - 3 * gap;
  const above = isBesideQuestion ? 0 : line;
  const top = rect(gap, gap, width - 2 * gap, line);
  const area = rect(gap, gap + above, top.w, height - 2 * gap - above - timelineHigh);
  const lineBeside = isBesideQuestion ? line : 0;
  const legend = isWhole ? outsideOf(unit).strip : 0;
  const panels = withQuestion({ area, gap, least, legend }, runs, unit, question, lineBeside);
  if (isWhole) {
    const timeline = rect(gap, height - timelineHigh, area.w, timelineHigh - gap);
    panels.timeline = { ...timeline, inset: insetOf(unit) };
  }
  const place = line ? headingIn(top, panels.question, line, isBesideQuestion) : null;
  return { panels, heading: place };
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
  const says = runs === 2 ? PAIR : SAYS;
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
  const sentencesBelow = { ...sentences, y: y + h + gap, h: sentences.h - line - h - gap };
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
 * A map for each run with its name above it and its numbers under it, or beside it where maps
 * stand one below the other; what each says beside or below them, or under its own map, whichever
 * leaves the maps larger.
 *
 * @param {Room} room
 * @param {number} says how many letters it has in a line beside them, at least
 * @returns {Record<string, Rect>}
 */
function compared({ area: all, gap, least, legend }, runs, unit, says) {
  const area = rect(all.x, all.y + legend, all.w, all.h - legend);
  const [caption, numbers] = [24 * unit, 26 * unit].map(Math.round);
  let best = { side: 0, columns: 1, rows: runs, right: false, apart: false };
  const isUpright = all.w < UPRIGHT * all.h;
  const strip = Math.floor(
    Math.min((area.w - gap * (runs - 1)) / runs, area.h - caption - numbers - gap - STRIP * least),
  );
  for (let columns = runs; columns >= 1; columns--) {
    const rows = Math.ceil(runs / columns);
    const fit = (w, h) =>
      Math.floor(Math.min((w - gap * (columns - 1)) / columns, h / rows - caption - numbers - gap));
    const right = fit(area.w - says * least, area.h);
    const leftOver = area.h - Math.min((3.5 * runs + 2) * least, 0.45 * area.h);
    const below =
      isUpright && columns === 1
        ? Math.floor(Math.min(area.w - gap - NUMBERS * least, leftOver / rows - caption - gap))
        : fit(area.w, leftOver);
    const side = Math.max(right, below);
    if (side > 1.15 * best.side) {
      best = { side, columns, rows, right: right >= below, apart: false };
    }
  }
  if (strip > best.side) best = { side: strip, columns: runs, rows: 1, right: false, apart: true };
  const { side, columns, rows, right, apart } = best;
  const pitch = side + gap;
  const across = columns * pitch;
  // Each map stands above its words, and all of them in the middle.
  const left = apart ? Math.floor((area.w + gap - across) / 2) : 0;
  const areBeside = isUpright && columns === 1 && !right && !apart;
  const under = areBeside ? 0 : numbers;
  const down = rows * (side + caption + under + gap);
  const above = right ? Math.floor((area.h + gap - down) / 2) : 0;
  const panels = maps(runs, side, caption, under, (k) => [
    area.x + left + (k % columns) * pitch,
    area.y + above + Math.floor(k / columns) * (side + caption + under + gap),
  ]);
  if (areBeside) putNumbersBeside(panels, area, { gap, high: Math.min(4 * numbers, side) });
  if (legend) {
    const wide = right ? across - gap : area.w - 2 * left;
    panels.strip = rect(area.x + left, area.y + above - legend, wide, legend);
  }
  const remainder = right
    ? rect(
        area.x + across + gap,
        area.y + above - legend,
        area.w - across - gap,
        down + legend - gap,
      )
    : rect(area.x + left, area.y + down, area.w - 2 * left, area.h - down);
  panels.sentences = remainder;
  return panels;
}

/**
 * The numbers of each run right of its map, one below the other, and its name above both.
 *
 * @param {Record<string, Rect>} panels
 * @param {Rect} area
 * @param {{ gap: number, high: number }} lengths
 */
function putNumbersBeside(panels, area, { gap, high }) {
  for (const name of Object.keys(panels).filter((one) => one.startsWith("map"))) {
    const suffix = name.slice("map".length);
    const { x, y, w } = panels[name];
    const from = x + w + gap;
    panels[`decide${suffix}`] = rect(from, y, area.x + area.w - from, high);
    panels[`caption${suffix}`].w = area.w;
  }
}
