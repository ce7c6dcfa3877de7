// Runs that are compared: what a ready comparison asks above all, the map of each run with its name
// above it and the numbers that decide under it, and what is said of them beside the maps or under
// them, whichever leaves the maps larger.

import { insetOf, maps, questionHeight, rect, rowOf } from "./lengths.js";

/** @import { Lengths } from "./lengths.js" */
/** @import { BoardShape, Layout, Rect } from "./types.d.ts" */

// In px where the unit is 1, unless they are shares.
const CAPTION = 20; // The height of a run's name above its map.
const NUMBERS = 30; // The height of the numbers under a map.
const LOW_NUMBERS = 22; // They are so high on a low board.
const COLUMN = 434; // The least width of a column with buttons.
const SLIM = 280; // A column with words only is at least so wide.
const LOW_SLIM = 210; // On a low board it is at least so wide.
const TIMELINE = 26; // The height of the timeline without the ticks of the runs.
const SAID = 16; // The size of the type of what is said of a run.
const LOW_SAID = 14; // On a low board it is smaller.
const LINE = 1.28; // In letters, from one line to the next.
const COURSE = 120; // The height of the course of a stream under its map.
const BRICKS = 60; // A panel under a map is at least so high.
const DOCK = 240; // Settings are at least so high above what is said.
const WORTH = 1.02; // Words go elsewhere if this makes the maps so much larger.
const IN_COLUMN = 0.985; // Maps may be so much smaller if the buttons stand beside them.

/**
 * A way to place maps and words: `beside` the maps or under them, with the buttons in the column or
 * under all.
 * @typedef {{ side: number, columns: number, rows: number, inColumn: boolean, beside: boolean }}
 *   Way
 */

/**
 * @param {Set<string>} panelNames
 * @param {BoardShape} shape
 * @param {Lengths} lengths
 * @returns {Pick<Layout, "panels" | "bar" | "knob" | "notices" | "tools" | "dock">}
 */
export function comparedLayout(panelNames, shape, lengths) {
  const { width, height, runs, question, stream, slot, knob: hasKnob, tools: toolsHigh } = shape;
  const { unit, isLow, gap, outside } = lengths;
  const numbers = Math.round((isLow ? LOW_NUMBERS : NUMBERS) * unit);
  /** @type {BoardShape["question"]} */
  // What it shows has no room on a low board.
  const askedLength = question && isLow ? [question[0], 0] : question;
  const questionHigh = askedLength
    ? questionHeight(askedLength, width, unit, isLow ? "body" : "title")
    : 0;
  // One legend above all maps; on a low board two have room for it behind their names, and a
  // question takes its line.
  const hasLegend = !isLow || (runs > 2 && !question);
  const captionHigh = Math.round(CAPTION * unit);
  const legend = hasLegend ? (isLow ? captionHigh : outside.strip) : 0;
  const caption = hasLegend ? captionHigh : outside.strip;
  const asks = questionHigh + legend;
  const timelineHigh = isLow ? 0 : Math.round(TIMELINE * unit + runs * rowOf(unit));
  const line = (isLow ? LOW_SAID : SAID) * unit * LINE;
  const foot = lengths.bar + timelineHigh + gap;
  const room = { width, height: height - asks, caption, numbers, line, foot };
  const way = bestWay(room, runs, { unit, isLow, gap }, shape);
  const { side, columns, rows, inColumn, beside } = way;
  // Maps that have all of the width begin and end with it.
  const pitch = beside ? side + gap : (width - side) / Math.max(columns - 1, 1);
  /** @type {Record<string, Rect>} */
  const panels = questionHigh ? { question: rect(0, 0, width, questionHigh) } : {};
  if (legend) panels.strip = rect(0, questionHigh, pitch * (columns - 1) + side, legend);
  const rowHigh = caption + side + numbers + (rows > 1 ? gap : 0);
  Object.assign(
    panels,
    maps(runs, side, caption, numbers, (k) => [
      Math.round((k % columns) * pitch),
      asks + Math.floor(k / columns) * rowHigh,
    ]),
  );
  const x = beside ? columns * (side + gap) + gap : 0;
  const w = width - x;
  const bottom = height - foot;
  const [from, wide] = inColumn ? [x, w] : [0, width];
  const knobWidth = hasKnob && wide > 900 * unit ? Math.round(300 * unit) : 0;
  const bar = rect(from, height - lengths.bar, wide - (knobWidth && knobWidth + gap), lengths.bar);
  const knob = knobWidth ? rect(from + wide - knobWidth, bar.y, knobWidth, bar.h) : null;
  if (timelineHigh) {
    const place = rect(from, bottom + gap / 2, wide, timelineHigh);
    panels.timeline = { ...place, inset: insetOf(unit) };
  }
  const mapsEnd = asks + rows * rowHigh;
  const underMaps = beside ? (inColumn ? height : bottom) - mapsEnd : courseOf(stream, unit);
  const top = beside ? questionHigh : mapsEnd + courseOf(stream, unit) + gap / 2;
  const column = rect(x, top, w, bottom - top);
  const above = { toolsHigh, notices: shape.notices };
  const words = wordsIn(column, runs, line, { unit, beside, slot, gap, ...above });
  const places = { y: mapsEnd + gap / 2, h: rows > 1 ? 0 : underMaps - gap / 2 };
  const { remainder } = words;
  const isTaken = ofEachRun(panelNames, shape, panels, places, remainder, lengths);
  const { sentences } = words.panels;
  if (remainder && !isTaken) {
    const columnEnd = remainder.y + remainder.h;
    sentences.h = Math.max(sentences.h, columnEnd - sentences.y - shape.notices);
  }
  const saidEnd = sentences.y + sentences.h;
  // What has no room lies on words, not on timeline and buttons.
  const noticesTop = Math.min(saidEnd, bottom - shape.notices);
  return {
    panels: { ...panels, ...words.panels },
    bar,
    knob,
    notices: shape.notices ? rect(x, noticesTop, w, shape.notices) : null,
    tools: words.tools,
    dock: words.dock,
  };
}

const courseOf = (stream, unit) => (stream ? Math.round(COURSE * unit) : 0);

/** The way that leaves the maps largest. @returns {Way} */
function bestWay(room, runs, { unit, isLow, gap }, { kind, slot, stream }) {
  const { width, height, caption, numbers, line, foot } = room;
  const course = courseOf(stream, unit);
  /** @type {Way} */
  let best = { side: 0, columns: runs, rows: 1, inColumn: false, beside: true };
  for (let columns = 1; columns <= runs; columns++) {
    const rows = Math.ceil(runs / columns);
    const above = caption + numbers + (rows > 1 ? gap : 0);
    const sideIn = (w, h) =>
      Math.floor(Math.min((w - gap * (columns - 1)) / columns, (h - course) / rows - above));
    // What a lesson asks has the wider column.
    const ways = kind === "question" && slot === "reading" ? [true] : [true, false];
    for (const inColumn of ways) {
      const least = (inColumn ? COLUMN : isLow ? LOW_SLIM : SLIM) * (isLow ? 0.7 : unit);
      const h = height - (inColumn ? 0 : foot);
      if (h - (inColumn ? foot : 0) < runs * (2 * line + 4)) continue;
      const side = sideIn(width - least - 2 * gap, h);
      if (side * (inColumn ? IN_COLUMN : 1) <= WORTH * best.side) continue;
      best = { side, columns, rows, inColumn, beside: true };
    }
    if (slot) continue;
    const wordsHigh = (isLow ? 1 : 3) * line;
    const side = sideIn(width, height - foot - wordsHigh - gap);
    if (side <= (rows === 1 ? WORTH : 1.1) * best.side) continue;
    best = { side, columns, rows, inColumn: false, beside: false };
  }
  return { ...best, side: Math.max(best.side, 1) };
}

/**
 * Bricks, or the course of a stream, of each run: under its map where they stand in one row, or one
 * below the other in what is left of the column, whichever is higher; nowhere if it is too low.
 * Returns whether they stand in the column.
 *
 * @param {Set<string>} panelNames
 * @param {BoardShape} shape
 * @param {Record<string, Rect>} panels
 * @param {{ y: number, h: number }} underMaps
 * @param {Rect | null} column
 * @param {Lengths} lengths
 */
function ofEachRun(panelNames, { runs, stream }, panels, underMaps, column, { unit, gap }) {
  const name = stream ? "margins" : "alpha";
  const inColumn = column ? Math.floor((column.h - gap * (runs - 1)) / runs) : 0;
  const isUnder = underMaps.h >= inColumn;
  const h = Math.floor(Math.max(underMaps.h, inColumn));
  if (!panelNames.has(name) || h < BRICKS * unit) return false;
  for (let k = 0; k < runs; k++) {
    const suffix = k === runs - 1 ? "" : `-${k}`; // The current run is the last.
    const { x, w } = panels[`map${suffix}`];
    panels[`${name}${suffix}`] = isUnder
      ? rect(x, underMaps.y, w, h)
      : rect(column.x, column.y + k * (h + gap), column.w, h);
  }
  return !isUnder;
}

/**
 * What is said of the runs, or what takes the place of this. Notices lie under it: they have what
 * room is free there, and at most what leaves each run a line.
 */
function wordsIn({ x, y, w, h }, runs, line, shape) {
  const { unit, beside, slot, gap, toolsHigh } = shape;
  const tools = rect(x, y, w, toolsHigh);
  const top = y + toolsHigh;
  const least = (beside ? 2 * runs : 1) * line;
  const notices = Math.min(shape.notices, Math.max(h - toolsHigh - least, 0));
  const free = h - toolsHigh - notices;
  const saidHigh = Math.round(Math.min(runs * (4 * line + 8 * unit), free));
  if (beside && slot) {
    const underDock = Math.min(saidHigh, Math.round(runs * 3 * line));
    const isRoom = free - underDock - gap >= DOCK;
    const dock = rect(x, top, w, isRoom ? free - underDock - gap : free);
    const sentences = rect(x, top + free - underDock, w, underDock);
    return { panels: { sentences }, tools, dock, remainder: null };
  }
  const after = saidHigh + notices + gap;
  return {
    panels: { sentences: rect(x, top, w, beside ? saidHigh : free) },
    tools,
    dock: null,
    remainder: beside ? rect(x, top + after, w, h - toolsHigh - after) : null,
  };
}
