// The order of the examples: a cell for each presentation of the epoch, row by row.

import { chart, heading, shapeOf, whyNot } from "./chart.js";
import { firstWithin, textWidth } from "../paint/measure.js";
import { fittingStep, step } from "../board/scale.js";
import { whole } from "../run/words.js";

/** @import { OrderScene } from "../board/order.js" */
/** @import { PanelScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject, Pointed, Target, Touch } from "../board/types.d.ts" */

const LARGEST_CELL = 48; // In px, where the unit is 1.
const SMALLEST_CELL = 5; // In px: a hand could not take hold of a smaller cell.
const LABEL_WIDTH = 1.7; // Relative to the radius: a wider index has no room in its shape.
const HEAD = 24; // In px, where the unit is 1: the panel's title.
const CELL_HEIGHT = 1.2; // Relative to its width: the line of what was shown runs below the shape.
// Relative to the width of the cell: so far below its middle is that line.
const LINE_BELOW = CELL_HEIGHT - 0.56;
const RING = 2; // In px: so far beyond its cell the ring of the current example is.
const SHAPE_RADIUS = 0.42; // Relative to the cell's width.
const PALE_OPACITY = 0.34; // For examples on which no mistake was made.
const HINT = "drag to reorder";
const MARKS = "strong: a mistake · underlined: shown";
const MARKS_IN_SHORT = "strong: mistake · line: shown";
const TOO_SMALL = "too small to drag";

/**
 * Where n cells lie in a panel: { size, columns, x(k), y(k), near(px, py) }; x and y are the middle
 * of a cell's shape.
 */
export function cellsOf(rect, unit, n) {
  const top = rect.y + HEAD * unit;
  const room = rect.h - HEAD * unit - 2;
  const w = rect.w - RING;
  let size = 0;
  // More rows make cells lower: the search ends when they cannot become larger any more.
  for (let rows = 1; rows <= n && room / rows / CELL_HEIGHT > size; rows++) {
    size = Math.max(
      size,
      Math.min(w / Math.ceil(n / rows), room / rows / CELL_HEIGHT, LARGEST_CELL * unit),
    );
  }
  const columns = Math.max(Math.floor(w / size + 1e-6), 1);
  return {
    size,
    columns,
    x: (k) => rect.x + ((k % columns) + 0.5) * size,
    y: (k) => top + (Math.floor(k / columns) * CELL_HEIGHT + 0.5) * size,
    near: (px, py) => {
      const column = Math.min(Math.max(Math.floor((px - rect.x) / size), 0), columns - 1);
      return Math.min(
        Math.max(Math.floor((py - top) / (CELL_HEIGHT * size)), 0) * columns + column,
        n - 1,
      );
    },
  };
}

/** Whether a hand can take hold of cells of this size. */
export const draggable = (size) => size >= SMALLEST_CELL;

/**
 * The cells that are filled; where the order is by hand, or may be, a hand can put them elsewhere.
 *
 * @param {PanelScene} scene
 */
function lattice({ rect, unit, server, sequence: { onlyMistakes, examples } }, { size, columns }) {
  const rows = Math.ceil(examples.length / columns);
  const cells = {
    x: rect.x,
    y: rect.y + HEAD * unit,
    w: columns * size,
    h: rows * CELL_HEIGHT * size,
  };
  /** @type {Target} */
  const target = {
    kind: "presentation",
    tells: aboutPresentation,
    lattice: [columns, rows],
    count: examples.length,
    stop: true,
  };
  return chart.area(cells, server && !onlyMistakes ? { ...target, hold: "order" } : target);
}

/**
 * An example, and when the epoch presents it.
 *
 * @param {Pointed} pointed
 * @returns {Partial<Touch>}
 */
function aboutPresentation({ order, hit: { mark, part }, target, known }) {
  const i = order.at(part);
  if (i === undefined) return {};
  const presentation = whole.format(order.epoch.start + part + 1);
  const place = `number ${whole.format(part + 1)} of the epoch: step ${presentation}`;
  const held = Boolean(target.hold) && draggable(mark.w / target.lattice[0]);
  return { hot: new Set([i]), lines: [...known(i), place], held };
}

/** @param {PanelScene} scene @returns {Drawing} */
function sequenceMarks(scene) {
  const { run, rect, unit, palette } = scene;
  /** @type {OrderScene} */
  const { title, whyEmpty, examples, places, onlyMistakes, ahead, inHand } = scene.sequence;
  if (whyEmpty || !examples.length) {
    const noExample =
      onlyMistakes && run.n
        ? "Only mistakes are shown here: none was made yet."
        : "There is no example yet.";
    return [...heading(scene, title), ...whyNot(scene, whyEmpty ?? noExample)];
  }
  const cells = cellsOf(rect, unit, places);
  const large = draggable(cells.size);
  const hints = hintsOf(scene, large);
  const background = () => {
    const text = besideTitle(scene, hints);
    const isToBeSaid = hints.includes(HINT) && !text?.includes(HINT);
    return [
      ...heading(scene, title, text ? { text, size: step("label", unit) } : null),
      ...(isToBeSaid ? hintBeside(scene, cells, examples.length) : []),
      ...(large ? shapes(scene, cells) : ticks(scene, cells)),
    ];
  };
  const above = [
    lattice(scene, cells),
    ...shownSoFar(scene, cells),
    ...outlines(scene, cells),
    ...(inHand ? handMarks(scene, cells) : []),
  ];
  // While an order is dragged, or waits for its run, each frame may have another one.
  if (ahead) return [...background(), ...above];
  // The background is painted again only if one of these changes.
  const key = [run.id, palette.dark, title, run.trace.mistakesBefore(scene.t)].join();
  return { still: [{ key, marks: background }], moving: above };
}

/**
 * What the cells mean and what can be done with them: texts from the longest to the shortest, of
 * which the first that has room is shown.
 *
 * @param {PanelScene} scene
 */
function hintsOf({ server, bare, sequence: { onlyMistakes } }, large) {
  if (!large) return [TOO_SMALL];
  const meanings = [MARKS, MARKS_IN_SHORT];
  if (onlyMistakes || bare || !server) return meanings;
  return [`${MARKS} · ${HINT}`, ...meanings, HINT];
}

/** The longest of the hints that has room beside the title. @param {PanelScene} scene */
function besideTitle({ rect, unit, palette, sequence }, hints) {
  const size = step("label", unit);
  const room = rect.w - textWidth(sequence.title, size, palette.fonts, 600) - size;
  return firstWithin(hints, room, size, palette.fonts);
}

/**
 * What can be done with the cells, beside the last of them, if it has room there.
 *
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
function hintBeside({ rect, unit, palette }, { size, columns, y }, count) {
  const label = step("label", unit);
  const end = (((count - 1) % columns) + 1) * size;
  if (end + label + textWidth(HINT, label, palette.fonts) > rect.w) return [];
  const look = { size: label, fill: palette.quiet, name: "hint" };
  const place = /** @type {const} */ ({ align: "right", baseline: "middle" });
  return [chart.text(rect.x + rect.w, y(count - 1), HINT, { ...look, ...place })];
}

/**
 * Circles and squares as on the map, strong where the example was a mistake in this epoch; the
 * example in hand leaves a gap.
 *
 * @param {PanelScene} scene
 */
function shapes(scene, cells) {
  const { palette, sequence } = scene;
  /** @type {Mark[]} */
  const marks = [];
  for (const [k, { i, missed }] of sequence.examples.entries()) {
    const x = cells.x(k);
    const y = cells.y(k);
    if (sequence.inHand?.i === i) {
      const look = { stroke: palette.quiet, width: 1.5, dash: [3, 3], name: "gap" };
      marks.push(chart.circle(x, y, SHAPE_RADIUS * cells.size, look));
    } else marks.push(...shape(scene, { i, x, y, size: cells.size, strong: missed }));
  }
  return marks;
}

/** The shape of an example, with its index if that has room in it. */
function shape({ run, palette, unit }, { i, x, y, size, strong }) {
  const r = SHAPE_RADIUS * size;
  const kind = shapeOf(run, i);
  /** @type {Mark[]} */
  const marks = [
    { kind, x, y, r, fill: palette.ofClass(run.y[i]), alpha: strong ? 1 : PALE_OPACITY, i },
  ];
  const label = String(i);
  const fits = (size) => textWidth(label, size, palette.fonts, 600) <= LABEL_WIDTH * r;
  const labelSize = fittingStep("label", unit, fits);
  if (fits(labelSize)) {
    const middle = /** @type {const} */ ({ align: "center", baseline: "middle", weight: 600 });
    const look = { size: labelSize, fill: strong ? palette.paper : palette.ink, ...middle };
    marks.push(chart.text(x, y + 0.5, label, look));
  }
  return marks;
}

/** Cells too small for shapes, as many rectangles of few colours. @param {PanelScene} scene */
function ticks({ run, palette, sequence: { examples } }, cells) {
  const w = 0.7 * cells.size;
  const h = 0.8 * cells.size;
  const groups = [1, -1].flatMap((y) => [true, false].map((strong) => ({ y, strong, points: [] })));
  examples.forEach(({ i, missed }, k) => {
    const { points } = groups.find(({ y, strong }) => y > 0 === run.y[i] > 0 && strong === missed);
    points.push(cells.x(k) - w / 2, cells.y(k) - h / 2);
  });
  return groups.map(({ y, strong, points }) => {
    const look = { fill: palette.ofClass(y), alpha: strong ? 1 : PALE_OPACITY };
    return { kind: /** @type {const} */ ("rects"), points, w, h, ...look };
  });
}

/** A line under what this epoch has shown. @param {PanelScene} scene */
function shownSoFar({ palette, sequence: { shown } }, { size, columns, x, y }) {
  if (shown === 0) return [];
  const lines = [];
  for (let first = 0; first < shown; first += columns) {
    const last = Math.min(first + columns, shown) - 1;
    const below = y(first) + LINE_BELOW * size;
    lines.push([x(first) - size / 2 + 1, below, x(last) + size / 2 - 1, below]);
  }
  const width = Math.min(Math.max(0.07 * size, 1), 2.4);
  return [chart.lines(lines, { stroke: palette.ink, width, name: "shown" })];
}

/**
 * A ring round the example of this step, and outlines of what the pointer touches, here or in
 * another panel.
 *
 * @param {PanelScene} scene
 */
function outlines({ run, palette, hot, sequence: { examples, current, inHand } }, { size, x, y }) {
  const r = SHAPE_RADIUS * size + Math.min(Math.max(0.09 * size, 1.5), 3);
  const marks = [];
  if (hot.size && !inHand) {
    examples.forEach(({ i }, k) => {
      if (!hot.has(i)) return;
      const kind = shapeOf(run, i);
      marks.push({ kind, x: x(k), y: y(k), r, stroke: palette.ink, width: 2, lit: i });
    });
  }
  if (current < 0) return marks;
  const ring = chart.circle(x(current), y(current), r);
  return [
    ...marks,
    { ...ring, stroke: palette.paper, width: 4.5, alpha: 0.9 },
    { ...ring, stroke: palette.ink, width: 2.4, name: "current" },
  ];
}

/** The example in hand, which follows the pointer within the panel. */
function handMarks(scene, { size }) {
  const { rect, palette, sequence } = scene;
  const { inHand, examples } = sequence;
  const x = Math.min(Math.max(inHand.px, rect.x), rect.x + rect.w);
  const y = Math.min(Math.max(inHand.py, rect.y), rect.y + rect.h);
  const [filledShape, ...label] = shape(scene, {
    i: inHand.i,
    x,
    y,
    size: Math.max(1.25 * size, 16),
    strong: examples.some(({ i, missed }) => missed && i === inHand.i),
  });
  return [
    // The shape may be pale: paper lies under it, so that no cell shows through.
    { ...filledShape, fill: palette.paper, stroke: palette.ink, width: 2, alpha: 1 },
    { ...filledShape, name: "hand" },
    ...label,
  ];
}

/** @type {PanelObject} */
export const sequencePanel = { name: "sequence", marks: sequenceMarks, walkable: true };
