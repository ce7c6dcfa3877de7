// What the layouts have in common: rectangles, the room that panels need, and lengths that grow
// with the board.

import { BY_NAME } from "./panel_table.js";
import { STEPS, fittingStep, forReader, step } from "./scale.js";

/** @import { Step } from "./scale.js" */
/** @import { BoardShape, Rect } from "./types.d.ts" */

// A board of this size, in px, is what a window of 1366 × 768 leaves: lengths are given for it.
const WIDTH = 1350;
const HEIGHT = 712;

// Px of the least type where the unit is 1: the room that a panel needs is counted in it.
export const COUNTED = 11.25;
const ROW = 12.4; // In px: a run's ticks are at least so high on a timeline.

// Px of width and height from which the map and a column beside it have lengths that grow.
const DESK_WIDTH = 876;
const DESK_HEIGHT = 500;
// A lower board has the same with the least lengths, if it is so high, and wide for its height.
const LOW_HEIGHT = 240;
const LOW_RATIO = 1.4;
export const TINY = 300; // In px: a window so high shows map, one line and buttons at once.
export const LEAST_HEIGHT = 200; // In px: a board is at least so high.
// In px, where the unit is 1: buttons have one word up to this width, in stage.css, too.
export const SHORT_BAR = 600;
export const TOUCHED = 44; // In px: what a finger presses is at least so large.

export const rect = (x, y, w, h) => ({ x, y, w, h });

/** 1 on a board of the usual size or a smaller one; all lengths and all type grow with it. */
const boardUnit = (width, height) => Math.max(1, Math.min(width / WIDTH, height / HEIGHT));

/**
 * Which table lays out a board of this size: "desk", "low" with the least lengths of the desk, or
 * "narrow", where everything lies in one column and the page scrolls.
 *
 * @returns {"desk" | "low" | "narrow"}
 */
export function tableOf(width, height) {
  if (width >= DESK_WIDTH && height >= DESK_HEIGHT) return "desk";
  return height >= LOW_HEIGHT && width / height >= LOW_RATIO ? "low" : "narrow";
}

// Shares of the width that the map has at most.
const SHARE = 0.565;
const STAGE_SHARE = 0.5; // The one that it has before a class.
// In px where the unit is 1: the column beside the map is at least so wide, or so wide where
// timeline and buttons lie under both.
const COLUMN = 434;
const SLIM = 380;
const STAGE_COLUMN = 294; // So wide is the widest panel.
const LOW_COLUMN = 300; // In px: on a low board it is at least so wide.
const LOW_SHARE = 0.45; // On a low board it has this share of the width at most.

/**
 * @typedef {object} Lengths of a board, in px
 * @property {number} unit
 * @property {boolean} isLow whether each length is the least
 * @property {number} gap between panels
 * @property {number} bar height of the buttons
 * @property {number} knob height of the row with the number that is turned
 * @property {number} turn height of the control that turns pages
 * @property {number} timeline
 * @property {number} flatTimeline its height under map and column
 * @property {{ strip: number, axis: number, gutter: number }} outside of a map
 * @property {number} share of the width that the map has at most
 * @property {number} column least width of the column with timeline and buttons in it
 * @property {number} slim the same of one without them
 * @property {number} heading height of the line above the words
 * @property {[number, number] | null} titles lines of the largest type that the words have room
 *   for, and where they are narrow; null: by the scale of the board
 * @property {boolean} [inRow] whether two panels without the height stand side by side
 * @property {number[]} panelUnits from the largest to the least, the units that panels may have
 */

/** @param {BoardShape} shape @returns {Lengths} */
export function lengthsOf({ width, height, touch, text, stream, runs }) {
  const table = tableOf(width, height);
  const most = Math.min(width / DESK_WIDTH, height / DESK_HEIGHT);
  const unit = table === "desk" ? forReader(boardUnit(width, height), text, most) : 1;
  const isLow = table === "low";
  const finger = touch ? TOUCHED : 0;
  const px = (length) => Math.round(length * unit);
  const outside = outsideOf(unit);
  const lowStrip = stream && runs === 1 ? STREAM_STRIP : outside.strip;
  const lowOutside = { strip: lowStrip, axis: 0, gutter: 0 };
  const lowColumn = Math.min(LOW_COLUMN, LOW_SHARE * width);
  return {
    unit,
    isLow,
    gap: px(8),
    bar: Math.max(px(isLow ? 40 : 46), finger),
    knob: Math.max(px(40), finger),
    turn: px(30),
    timeline: isLow ? Math.max(34, finger) : px(54),
    flatTimeline: px(44),
    outside: isLow ? lowOutside : outside,
    share: SHARE,
    column: isLow ? lowColumn : COLUMN * unit,
    slim: isLow ? lowColumn : SLIM * unit,
    heading: 0,
    titles: null,
    panelUnits: [unit],
  };
}

const SMALLEST = 24 / 1080; // The smallest type over a stage's height.
const TALLEST = 1.8; // Relative to the width: a higher stage has no larger type.
const STAGE_HEIGHT = 538; // In px: on a stage so high the unit is 1, if it is as wide as this:
const STAGE_WIDTH = 794;
export const FINGER_ROW = 48; // In px: so high is the row of the buttons that a finger has there.
const LEAST_TURN = 28; // In px: what turns pages is at least so high.
/** A panel of a stage has the largest of these steps that it has room for. */
const PANEL_STEPS = /** @type {const} */ (["large", "body", "label"]);

/** The px of the smallest type of a stage. */
export const smallestOnStage = ({ width, height }) =>
  Math.max(SMALLEST * Math.min(height, TALLEST * width), STEPS.small);

/**
 * The lengths of a stage, whose type is read from far away: it grows with the height, and of the
 * words nothing is smaller than the smallest type.
 *
 * @param {BoardShape} shape
 * @param {boolean} isUpright
 * @returns {Lengths}
 */
export function stageLengths(shape, isUpright) {
  const { width, height, words, heading, touch, turns } = shape;
  const factor = Math.min(height / STAGE_HEIGHT, width / STAGE_WIDTH);
  const unit = Math.max(factor, smallestOnStage(shape) / STEPS.label);
  const ofPanels = isUpright ? unit : factor;
  /** @type {[number, number]} */
  const titles = isUpright ? [3, 3] : turns ? [4, 5] : [3.5, 4.5];
  const px = (length) => Math.round(length * unit);
  return {
    unit,
    isLow: false,
    gap: px(10),
    bar: 0,
    knob: 0,
    turn: Math.max(px(23), touch ? TOUCHED : LEAST_TURN),
    timeline: Math.max(px(36), touch ? FINGER_ROW : 0),
    flatTimeline: Math.max(px(36), touch ? FINGER_ROW : 0),
    outside: outsideIn(Math.min(height, (isUpright ? 1 : STAGE_SHARE) * width), unit),
    share: STAGE_SHARE,
    column: px(STAGE_COLUMN),
    slim: px(STAGE_COLUMN),
    heading: heading ? Math.round(1.6 * step("label", unit)) : 0,
    titles: words ? titles : [0, 0],
    inRow: isUpright || smallestOnStage(shape) === STEPS.small,
    panelUnits: PANEL_STEPS.map((name) => Math.max((ofPanels * STEPS[name]) / STEPS.label, unit)),
  };
}

/** The least width and height of a panel, in px. @returns {[number, number]} */
export function needOf(name, unit, stream = false) {
  const { rows = 0, columns = 0, streamShare = 1 } = BY_NAME[name];
  return [columns * COUNTED * unit, rows * (stream ? streamShare : 1) * COUNTED * unit];
}

/** The size in px of the letters before these rows, and the room that they have there. */
export const letterOf = (unit) => step("small", unit);
export const insetOf = (unit) => Math.round(0.75 * letterOf(unit) + 5);

/** The height in px that the ticks of one of several runs have, beside its letter. */
export const rowOf = (unit, least = 0) => Math.max(11 * unit, ROW, 0.92 * least);

/**
 * The maps of runs side by side, each with its name above it and the numbers that decide under it;
 * the current one is the last.
 */
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

/**
 * The height in px of a comparison's question and of what it shows, which stands behind it where
 * both have room in one line.
 *
 * @param {[number, number]} question how many characters both have
 * @param {number} width
 * @param {number} unit
 * @param {Step} from the largest type of the question
 */
export function questionHeight([question, words], width, unit, from) {
  const label = step("label", unit);
  const wide = (size) => 0.52 * size * question;
  const toldWide = 0.52 * label * words;
  const isInOneLine = (/** @type {number} */ size) => wide(size) + size + toldWide <= width;
  const size = fittingStep(from, unit, isInOneLine, "body");
  const lines = Math.ceil(wide(size) / width);
  const under = isInOneLine(size) ? 0 : Math.ceil(toldWide / width);
  return Math.round(QUESTION_LINE * (lines * size + under * label));
}

/**
 * How many lines a comparison's question, and what it shows, take at a size, estimated from above.
 */
export const questionRows = ([question, words], width, size) =>
  Math.ceil((0.56 * size * question) / width) + Math.ceil((0.52 * size * words) / width);

// What stands outside of a map, in px where the unit is 1.
const STRIP = 24; // Classes and the scale of the colours, above it.
// That of a stream has several rows where one has no room for all that its marks mean.
export const STREAM_STRIP = 54;
const AXIS = 18; // Numbers and the name of the first axis, under it.
const GUTTER = 22; // Numbers and the name of the second axis, left of it.

/** The room outside of a map: nothing that is written there covers a point. */
export const outsideOf = (unit) => ({
  strip: Math.round(STRIP * unit),
  axis: Math.round(AXIS * unit),
  gutter: Math.round(GUTTER * unit),
});

const LEAST_WITH_AXES = 250; // In px: a smaller map has no axes.

/** The same of a map with so much room for all. */
export function outsideIn(room, unit) {
  const all = outsideOf(unit);
  return room < LEAST_WITH_AXES ? { ...all, axis: 0, gutter: 0 } : all;
}

/**
 * A square map and what stands outside of it: `strip` above, `axis` under, `gutter` left of it;
 * what has no room there is not among them. The corner is that of the strip.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} side
 * @param {Lengths["outside"]} outside
 * @returns {Record<string, Rect>}
 */
export function framedMap(x, y, side, { strip, axis, gutter }) {
  const top = y + strip;
  /** @type {Record<string, Rect>} */
  const panels = { map: rect(x, top, side, side) };
  if (strip) panels.strip = rect(x, y, side, strip);
  if (axis) panels.axis = rect(x, top + side, side, axis);
  if (gutter) panels.gutter = rect(x - gutter, top, gutter, side);
  return panels;
}

// In px: the height of the line with step, epoch and mistakes, where the unit is 1.
const COUNTER = 22;
export const QUESTION_LINE = 1.28; // In letters, from one line of a question to the next.
const LINE = 1.28; // In letters: the distance from one line of the sentence to the next.
// In px: from this width on the sentence has three lines of the largest type.
const WIDE_WORDS = 540;
export const VERDICT = 20; // In px: on a phone, that of a run under its map and its numbers.
export const SHORT_WORDS = 22; // In px: the height of a short sentence of one line.
// In px where the unit is 1: so much more do words need for the line of their formula.
export const FORMULA = 19;
// In px where the unit is 1: so much stands between verdict, consequence and formula.
const AIR = 14;
const FORMULA_ON_STAGE = 14; // There it has some of the room of the last line.
// In px where the unit is 1: before a class narrower words have more lines.
const NARROW_WORDS = 360;

/** The height of a sentence of so many lines, with the line of its counter above it. */
const linesHigh = (lines, type, unit) => Math.round((COUNTER + lines * type * LINE + 4) * unit);

/**
 * The height that the words of a step have in a column: by its width only, so that they keep it
 * while one steps.
 *
 * @param {number} width
 * @param {Lengths} lengths
 * @param {boolean} [hasFormula] whether a line of formula may follow them
 * @param {boolean} [isAiry] whether there is room between their parts
 */
export function wordsHeight(width, { unit, isLow, titles }, hasFormula = true, isAiry = false) {
  if (titles) {
    const lines = titles[width < NARROW_WORDS * unit ? 1 : 0];
    const formulaHigh = lines && hasFormula ? Math.round(FORMULA_ON_STAGE * unit) : 0;
    return linesHigh(lines, STEPS.title, unit) + formulaHigh;
  }
  if (isLow) return width >= 400 ? linesHigh(3, STEPS.large, 1) : linesHigh(4, STEPS.body, 1);
  // Two and three halves, and the formula.
  const formulaHigh = hasFormula ? Math.round(FORMULA * unit) : 0;
  const air = isAiry ? Math.round(AIR * unit) : 0;
  if (width >= WIDE_WORDS * unit) return linesHigh(3.5, STEPS.title, unit) + formulaHigh + air;
  return linesHigh(hasFormula ? 4.4 : 4, STEPS.large, unit);
}

/** The same under the scene of a lesson, which says more. */
export const wordsUnderScene = ({ unit, isLow }) =>
  isLow ? linesHigh(2, STEPS.body, 1) : linesHigh(3, STEPS.large, unit);

/** The same in one column with the map. */
export function wordsInOneColumn(width, isLesson) {
  if (width >= 576) return linesHigh(3, STEPS.large, 1);
  return linesHigh(isLesson ? 2 : 4, STEPS.body, 1);
}
