// A board with room for two columns: the map on the left at full height, and all else in one
// column right of it. Where the width binds the map, timeline and buttons lie under both. A low
// board is the same with the least lengths.

import { columnIn, turnerBeside } from "./column.js";
import { comparedLayout } from "./compared_layout.js";
import { framedMap, lengthsOf, rect } from "./lengths.js";

/** @import { Lengths } from "./lengths.js" */
/** @import { BoardShape, Layout } from "./types.d.ts" */

// A map that has timeline and buttons beside it must be so much larger to be worth it.
const WORTH = 1.02;
const LESSON_TIMELINE = 36; // In px: the height of a timeline under a scene.
const VOTES = 26; // In px: the height of the readings under the timeline.
const BETWEEN_VOTES_AND_BUTTONS = 6; // In px.
const KNOB = 300; // In px: the width of the number that is turned, in a row with the buttons.

/** @param {Set<string>} shown @param {BoardShape} shape @returns {Layout} */
export function deskLayout(shown, shape) {
  const { height, runs } = shape;
  const lengths = lengthsOf(shape);
  const layout = (runs > 1 ? comparedLayout : twoColumns)(shown, shape, lengths);
  const { unit, isLow } = lengths;
  const kind = { narrow: false, low: isLow, touch: shape.touch };
  return { dock: null, ...layout, ...kind, unit, height };
}

/**
 * Map and column, with the bars where the map is larger.
 *
 * @param {Set<string>} shown
 * @param {BoardShape} room
 * @param {Lengths} lengths
 */
export function twoColumns(shown, room, lengths) {
  const isTall = tall(room, lengths) > WORTH * flat(shown, room, lengths);
  return (isTall ? barsInColumn : barsUnderBoth)(shown, room, lengths);
}

const outsideHeight = ({ strip, axis }) => strip + axis;

/** The height of the readings under the timeline. */
export const votesHeight = (shown, unit) => (shown.has("readings") ? Math.round(VOTES * unit) : 0);

/** How wide the map may be beside a column. */
const besideColumn = (width, least, { gap, outside, share }) =>
  Math.min(width - outside.gutter - 2 * gap - least, share * width);

/** The side of a map that has timeline and buttons beside it. */
function tall({ width, height }, lengths) {
  const { outside, column } = lengths;
  const room = height - outsideHeight(outside);
  return Math.floor(Math.min(room, besideColumn(width, column, lengths)));
}

/** The height of timeline and buttons under both columns. */
const footHeight = (shown, { unit, bar, gap, flatTimeline }) =>
  (bar && bar + gap) + flatTimeline + votesHeight(shown, unit) + gap;

/** The side of a map that has them under it. */
function flat(shown, { width, height }, lengths) {
  const { outside, slim } = lengths;
  const room = height - outsideHeight(outside) - footHeight(shown, lengths);
  return Math.floor(Math.min(room, besideColumn(width, slim, lengths)));
}

/**
 * The map on the left, and the x of the column.
 *
 * @param {number} side
 * @param {Lengths} lengths
 */
function mapAndColumn(side, { outside, gap }) {
  const { gutter } = outside;
  return { panels: framedMap(gutter, 0, side, outside), x: gutter + side + 2 * gap };
}

/** @param {Set<string>} shown @param {BoardShape} shape @param {Lengths} lengths */
function barsInColumn(shown, shape, lengths) {
  const { width, height, slot, knob: hasKnob } = shape;
  const { isLow, unit, gap } = lengths;
  const { panels, x } = mapAndColumn(tall(shape, lengths), lengths);
  const w = width - x;
  const inLesson = slot === "reading";
  const bar = rect(x, height - lengths.bar, w, lengths.bar);
  // The settings have the number themselves.
  const isFree = !isLow && !inLesson && slot !== "settings";
  const knobHigh = hasKnob && isFree ? lengths.knob : 0;
  const knob = knobHigh ? rect(x, bar.y - knobHigh, w, knobHigh) : null;
  const votesHigh = votesHeight(shown, unit);
  const inLessonHigh = inLesson ? Math.round(LESSON_TIMELINE * unit) : lengths.timeline;
  const timelineHigh = isLow && slot ? 0 : inLessonHigh;
  // The lowest bars of the votes keep clear of the number that is turned.
  const under = bar.y - knobHigh - (knobHigh && votesHigh ? Math.round(gap / 2) : 0);
  const timeline = rect(x, under - votesHigh - timelineHigh, w, timelineHigh);
  const end = timelineHigh + votesHigh ? timeline.y - gap : under - gap / 2;
  const column = columnIn(shown, shape, rect(x, 0, w, end), lengths);
  const turned =
    isLow && !inLesson
      ? turnerBeside(timeline, column.pages, lengths)
      : { timeline, turn: column.turn };
  Object.assign(panels, column.panels);
  if (timelineHigh) panels.timeline = turned.timeline;
  // Above the buttons they are lower instead.
  const barsHigh = votesHigh - (knobHigh ? 0 : BETWEEN_VOTES_AND_BUTTONS);
  if (votesHigh) panels.votes = rect(x, under - votesHigh, w, barsHigh);
  return { ...column, panels, bar, knob, turn: turned.turn };
}

/** @param {Set<string>} shown @param {BoardShape} shape @param {Lengths} lengths */
function barsUnderBoth(shown, shape, lengths) {
  const { width, height, slot, knob: hasKnob } = shape;
  const { unit, gap } = lengths;
  const { panels, x } = mapAndColumn(flat(shown, shape, lengths), lengths);
  const top = height - footHeight(shown, lengths);
  const knobWidth = hasKnob && slot !== "settings" ? Math.round(KNOB * unit) : 0;
  const takenWidth = knobWidth && knobWidth + gap;
  const bar = rect(0, height - lengths.bar, width - takenWidth, lengths.bar);
  const knob = knobWidth ? rect(width - knobWidth, bar.y, knobWidth, bar.h) : null;
  const votesHigh = votesHeight(shown, unit);
  const timelineHigh = lengths.flatTimeline;
  const column = columnIn(shown, shape, rect(x, 0, width - x, top), lengths);
  Object.assign(panels, column.panels);
  panels.timeline = rect(0, top + gap, width, timelineHigh);
  if (votesHigh) panels.votes = rect(0, top + gap + timelineHigh, width, votesHigh);
  return { ...column, panels, bar, knob };
}
