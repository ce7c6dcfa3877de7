// The examples of Fisher's page in their first two principal components, to compare.

import { wrap } from "../model/measure.js";
import { shape } from "./classes.js";
import { chart, heading } from "./chart.js";

/** @import { FisherScene } from "../model/scene.js" */
/** @import { Mark, Drawing } from "../types.d.ts" */

/** @param {FisherScene} scene @returns {Drawing} */
export function componentsMarks({ rect, unit, palette, run, colour, hot, pointScale }) {
  const size = 12 * unit;
  const { components } = run.arrays;
  const lines = wrap(run.header.notes.pca, rect.w - 10, size, palette.fonts);
  const [top, bottom] = [rect.y + 22 * unit, rect.y + rect.h - (lines.length + 0.3) * size * 1.25];
  const r = Math.max(3 * pointScale, 2.4);
  const scale = (Math.min(rect.w, bottom - top) / 2 - 2 * r) / Math.max(...components.map(Math.abs), 1e-9);
  const [x, y] = [rect.x + rect.w / 2, (top + bottom) / 2];
  const place = (i) => ({ x: x + components[2 * i] * scale, y: y - components[2 * i + 1] * scale });
  const point = { r, stroke: palette.on_mark, width: 1 };
  /** @type {Mark[]} */
  const moving = [
    { kind: "rect", x: rect.x, y: top, w: rect.w, h: bottom - top, fill: palette.field_zero, stroke: palette.rule },
    ...Array.from(run.labels, (k, i) => shape(k, { ...place(i), ...point, fill: colour.map[k], i })),
    ...[...hot].map((i) => shape(run.labels[i], { ...place(i), r: r + 4, stroke: palette.on_map, width: 2.4, lit: i })),
    ...heading({ rect, unit, palette }, "Beside it: PCA"),
    ...chart.words(rect.x, bottom + size * 1.25, lines, size * 1.25, { size, fill: palette.quiet }),
  ];
  return moving;
}
