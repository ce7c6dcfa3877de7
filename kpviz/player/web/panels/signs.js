// Signs beside the colours: + where f is above 0, − where it is below, and on bars the sign of the
// class.

import { chart, layersOf } from "./chart.js";

/** @import { Palette } from "../paint/colors.js" */
/** @import { PanelScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelMarks } from "../board/types.d.ts" */

const SIGN_DISTANCE = 30; // In px, on a map of 600 px.
const SHORTEST_STROKE = 1.5; // In px, of half a stroke where f is 0.
const LONGEST_STROKE = 7.5; // In px, of half a stroke at the limit of the colours.
const FLAT_SHARE = 0.02; // Relative to the limit: a smaller value bears no sign.
const LEAST_BAR = 7; // In px: a narrower bar has stripes.
const STRIPE_DISTANCE = 4; // In px.

const strokes = (x, y, half, positive) => [
  Float32Array.of(x - half, y, x + half, y),
  ...(positive ? [Float32Array.of(x, y - half, x, y + half)] : []),
];

/**
 * The signs of a field on the map, longer where it is larger.
 *
 * @param {Pick<PanelScene, "view" | "palette">} scene
 * @param {Float64Array} field
 */
export function fieldSigns({ view, palette }, field, limit) {
  const { rect } = view;
  const grid = Math.sqrt(field.length);
  const many = Math.max(Math.round(600 / SIGN_DISTANCE), 1);
  const unit = rect.w / 600;
  const lines = [];
  for (let row = 0; row < many; row++) {
    for (let column = 0; column < many; column++) {
      const shareX = (column + 0.5) / many;
      const shareY = (row + 0.5) / many;
      const value =
        field[Math.round(shareY * (grid - 1)) * grid + Math.round(shareX * (grid - 1))] / limit;
      if (Math.abs(value) < FLAT_SHARE) continue;
      const half =
        unit *
        (SHORTEST_STROKE + (LONGEST_STROKE - SHORTEST_STROKE) * Math.min(Math.abs(value), 1));
      const x = rect.x + shareX * rect.w;
      const y = rect.y + (1 - shareY) * rect.h;
      lines.push(...strokes(x, y, half, value > 0));
    }
  }
  return [
    chart.lines(lines, { stroke: palette.on_map, width: 1.3 * unit, alpha: 0.6, name: "signs" }),
  ];
}

/**
 * A panel's marks, its bars with the signs of their classes; `striped`: narrow ones of class −1,
 * too.
 *
 * @param {Drawing} drawing
 * @param {Palette} palette
 * @param {boolean} striped
 * @returns {PanelMarks}
 */
export function signed(drawing, palette, striped) {
  const { still, moving } = layersOf(drawing);
  const bearing = (/** @type {Mark[]} */ all) =>
    all.flatMap((mark) => [mark, ...signOf(mark, palette, striped)]);
  return {
    still: still.map(({ key, marks, ...more }) => ({
      ...more,
      key: `${key} signed`,
      marks: () => bearing(marks()),
    })),
    moving: bearing(moving),
  };
}

/**
 * The sign of a bar that has the colour of a class; narrow ones of class −1 are striped.
 *
 * @param {Mark} mark
 * @param {Palette} palette
 * @param {boolean} striped
 */
function signOf(mark, palette, striped) {
  if (mark.kind !== "rect" || ![palette.positive, palette.negative].includes(mark.fill)) return [];
  const { x, y, w, h } = mark;
  const positive = mark.fill === palette.positive;
  const look = { stroke: palette.on_mark, width: Math.max(Math.min(w, h) / 12, 1), name: "sign" };
  if (Math.min(w, h) >= LEAST_BAR) {
    const half = Math.max(0.22 * Math.min(w, h), Math.min(4, 0.32 * Math.min(w, h)));
    return [chart.lines(strokes(x + w / 2, y + h / 2, half, positive), look)];
  }
  if (positive || !striped) return [];
  const lines =
    w < h ? across(y, h, (at) => [x, at, x + w, at]) : across(x, w, (at) => [at, y, at, y + h]);
  return [chart.lines(lines, look)];
}

/** Stripes across a bar from one end to the other. */
function across(from, length, line) {
  const count = Math.max(Math.floor(length / STRIPE_DISTANCE), 1);
  return Array.from({ length: count }, (_, k) =>
    Float32Array.from(line(from + ((k + 0.5) * length) / count)),
  );
}
