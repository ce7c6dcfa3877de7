// The ground of examples that have no plane: corners of a cube, or what the kernel makes of them. f, and k(x_i, ·), have values at the examples only.

import { chart } from "./chart.js";
import { wrap } from "../model/measure.js";
import { example } from "../model/words.js";

/** @import { PanelScene } from "../model/scene.js" */
/** @import { Mark } from "../types.d.ts" */

const HALO = 15; // px round an example, in the colour of its f
const BESIDE = 14;

/**
 * What lies under the examples: edges, and f as a halo about each of them; while a step is shown, what it adds.
 *
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
export function placesMarks(scene) {
  const { run, view, palette, limit, standing: reading, pointScale, bump, showsKernel, kernelRow, veiled } = scene;
  const colour = (i) =>
    veiled && !showsKernel
      ? palette.field_zero
      : showsKernel
        ? palette.ofField(kernelRow.at[i], kernelRow.limit, kernelRow.scale)
        : palette.ofField(reading.scores[i], limit);
  const at = (i) => [view.x(run.X[2 * i]), view.y(run.X[2 * i + 1])];
  const r = HALO * pointScale;
  const joined = (k) => [...at(run.edges[2 * k]), ...at(run.edges[2 * k + 1])];
  /** @type {Mark[]} */
  const marks = Array.from({ length: run.edges.length / 2 }, (_, k) =>
    chart.line(joined(k), { stroke: palette.on_map, width: 1, alpha: 0.22, name: "edge" }),
  );
  for (let i = 0; i < run.n + run.nTest; i++) {
    const [x, y] = at(i);
    marks.push(chart.circle(x, y, r, { fill: colour(i), stroke: palette.rule, width: 1, alpha: 0.9, name: "halo", i }));
  }
  if (bump && !showsKernel) marks.push(...added(scene, at, r));
  return marks;
}

/** The bump: y_i k(x_i, ·) at each example, in the colour of its sign, as opaque as its share of the largest. */
function added({ run, palette, bump, current }, at, r) {
  const row = run.similarTo(current);
  if (!row) return [];
  const largest = row.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-12);
  return Array.from(row, (value, j) => {
    const [x, y] = at(j);
    return chart.circle(x, y, 1.35 * r, {
      fill: palette.ofBump(run.y[current], value),
      alpha: (bump.alpha * Math.abs(value)) / largest,
      name: "bump",
    });
  });
}

/** The current example as it is written, at the foot of the map. @param {PanelScene} scene */
export function namedMarks({ run, current, rect, palette, unit, least, compared }) {
  if (current === null || !run.objects?.[current]) return []; // rows of numbers are not written out
  const size = Math.max(13.5 * unit, least ?? 0);
  const all = wrap(
    `${example(current)} = ${run.objects[current]}`,
    rect.w - 2 * BESIDE - size,
    size,
    palette.fonts,
    600,
  );
  const most = compared ? 1 : 2;
  const lines = all.length > most ? [...all.slice(0, most - 1), `${all[most - 1]} …`] : all;
  return lines.map((text, k) =>
    chart.text(rect.x + BESIDE, rect.y + rect.h - BESIDE - (lines.length - 1 - k) * 1.35 * size - 1.5 * size, text, {
      size,
      weight: 600,
      fill: palette.on_map,
      halo: palette.field_zero,
      name: "object",
    }),
  );
}
