// k(x_i, ·) on the map, with lines of equal similarity.

import { chart } from "./chart.js";
import { contour } from "../model/contour.js";
import { fieldSigns } from "./signs.js";

/** @import { PanelScene } from "../model/scene.js" */
/** @import { Mark } from "../types.d.ts" */

/**
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
export function kernelRowMarks({ rect, view, palette, run, kernelRow, kernelImage, patterns }) {
  const { field, levels, i } = kernelRow;
  const lines = levels.flatMap((level) => view.pixels(contour(field, run.header.grid, level)));
  return [
    { kind: "image", image: kernelImage(), ...rect, inset: 0.5, name: "similar", i },
    ...(patterns ? fieldSigns({ view, palette }, field, kernelRow.limit) : []),
    chart.lines(lines, { stroke: palette.on_map, width: 1, dash: [5, 4], alpha: 0.5, name: "levels" }),
  ];
}
