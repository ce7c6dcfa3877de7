// The same examples in their first two principal components, to compare.

import { wrap } from "../model/measure.js";
import { shape } from "./shapes.js";

/** @import { Mark } from "../types.d.ts" */

/** @returns {Mark[]} */
export function componentsMarks({ rect, unit, palette, table, header, colour, hot, pointScale }) {
  const size = 12 * unit;
  const lines = wrap(header.notes.pca, rect.w - 10, size, palette.fonts);
  const { components } = table;
  let reach = 1e-9;
  for (const value of components) reach = Math.max(reach, Math.abs(value));
  const side = rect.w;
  const at = (i) => [
    rect.x + side / 2 + (components[2 * i] / reach) * side * 0.43,
    rect.y + side * 0.48 - (components[2 * i + 1] / reach) * side * 0.43,
  ];
  const r = Math.max(4 * pointScale * Math.min(rect.w / 300, 1.2), 2.4);
  /** @type {Mark[]} */
  const marks = [{ kind: "rect", ...rect, fill: palette.field_zero }];
  for (let i = 0; i < table.n; i++) {
    const [x, y] = at(i);
    marks.push(
      ...shape(table.labels[i], { x, y, r, fill: colour.map[table.labels[i]], stroke: palette.on_mark, width: 1 }),
    );
  }
  if (hot !== null) {
    const [x, y] = at(hot);
    marks.push(...shape(table.labels[hot], { x, y, r: r + 4, stroke: palette.on_map, width: 2.4, lit: hot }));
  }
  /** @satisfies {Partial<Mark>} */
  const text = { kind: "text", x: rect.x + 8, fill: palette.on_map, halo: palette.field_zero };
  return [
    ...marks,
    { kind: "rect", ...rect, stroke: palette.rule, width: 1 },
    { ...text, y: rect.y + 16 * unit, size: 14 * unit, weight: 600, text: "Beside it: PCA" },
    ...lines.map(
      /** @returns {Mark} */ (line, k) => ({
        ...text,
        y: rect.y + rect.h - 7 - (lines.length - 1 - k) * size * 1.25,
        size,
        text: line,
      }),
    ),
  ];
}
