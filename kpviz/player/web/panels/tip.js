// The box at the pointer, with the numbers of what it touches.

import { chart } from "./chart.js";
import { textWidth, wrap } from "../model/measure.js";

/** @import { Palette } from "../model/colors.js" */
/** @import { Layout } from "../types.d.ts" */

/**
 * @param {{ lines: string[], px: number, py: number }} tip
 * @param {Palette} palette
 * @param {Pick<Layout, "unit" | "height" | "least"> & Partial<Pick<Layout, "bar">>} layout
 * @param {number} width of the board
 */
export function tipMarks({ lines, px, py }, palette, { unit, height, least, bar }, width) {
  const size = Math.max(13 * Math.min(unit, 1.3), least ?? 0);
  const all = least ? lines.flatMap((line) => wrap(line, width - 40, size, palette.fonts, 600)) : lines;
  const w = Math.max(...all.map((line, k) => textWidth(line, size, palette.fonts, k ? 400 : 600))) + 20;
  const h = all.length * size * 1.4 + 12;
  const x = Math.max(Math.min(px + 18, width - w - 4), 2);
  const floor = bar && py < bar.y ? bar.y : height; // the buttons would cover it
  const y = py + 18 + h > floor ? Math.max(py - h - 12, 2) : py + 18;
  return [
    chart.rect(x, y, w, h, { fill: palette.paper, stroke: palette.quiet, width: 1, radius: 5, alpha: 0.97 }),
    ...all.map((text, k) =>
      chart.text(x + 10, y + 6 + size * (1.05 + 1.4 * k), text, {
        size,
        weight: k ? 400 : 600,
        fill: palette.ink,
        name: "tip",
      }),
    ),
  ];
}
