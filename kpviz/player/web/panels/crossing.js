// Where no f of the kernel separates the classes: the examples that prove it.

import { chart } from "./chart.js";

/** @import { Mark } from "../types.d.ts" */

/** Rings around the examples at which the classes cross, wide where one weighs much. */
export function crossing({ run, view, verdict, t, palette, pointScale }) {
  if (!verdict || !run.plane) return [];
  return verdict.ringed.flatMap((i, k) => {
    const [x, y] = [view.x(run.X[2 * i]), view.y(run.X[2 * i + 1])];
    const r = run.pointRadius(i, t, pointScale) + (4 + 14 * Math.sqrt(verdict.weights[k])) * pointScale;
    return /** @type {Mark[]} */ ([
      chart.circle(x, y, r, { stroke: palette.field_zero, width: 4, alpha: 0.85 }),
      chart.circle(x, y, r, { stroke: palette.on_map, width: 2, dash: [4, 3], name: "crossing" }),
    ]);
  });
}
