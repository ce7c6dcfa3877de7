// J over the angle of F, in the place of the timeline: where F is, and where the best is. Dragged, F turns.

import { number } from "../model/words.js";
import { chart, timeX } from "./chart.js";

/** @import { FisherScene } from "../model/scene.js" */
/** @import { Drawing } from "../types.d.ts" */

/** @param {FisherScene} scene @returns {Drawing} */
export function anglesMarks({ rect, unit, palette, run, reading }) {
  const [top, base] = [rect.y + 6 * unit, rect.y + rect.h - 17 * unit];
  const [x, { J }] = [(angle) => timeX(run, rect, angle), run.arrays];
  const best = Math.max(...J, 1e-12);
  const y = (value) => base - Math.min(value / best, 1) * (base - top);
  const curve = Array.from({ length: 721 }, (_, half) => [x(half / 2), y(J[half % 360])]).flat();
  const [left, w, now] = [x(0), x(360) - x(0), x(reading.angle)];
  const bests = [0, 180].map((round) => x((run.angleOf("best") + round) % 360)).sort((a, b) => a - b);
  const look = { size: 12 * unit, fill: palette.quiet };
  const under = (angle, words, align) => chart.text(x(angle), base + 13.5 * unit, words, { ...look, align });
  const found = { size: 12 * unit, weight: 600, fill: palette.good, halo: palette.panel };
  const moving = [
    ...chart.ground(left, top, w, base, palette),
    chart.line(curve, { stroke: palette.accent, width: 2.4, name: "curve" }),
    ...bests.map((at) =>
      chart.line([at, top, at, base], { stroke: palette.good, width: 1.6, dash: [4, 4], name: "best" }),
    ),
    chart.text(bests[0] + 7, base - 6 * unit, `best J = ${number(best)}`, found),
    chart.line([now, top - 3, now, base + 3], { stroke: palette.ink, width: 2.4, name: "now" }),
    chart.circle(now, y(reading.J), 5.5 * unit, { fill: palette.accent, stroke: palette.paper, width: 1.6 }),
    chart.text(left + 6, top + 14 * unit, "J", { size: 14 * unit, weight: 700, fill: palette.accent }),
    ...[0, 90, 180, 270, 360].map((at) => under(at, `${at}°`, at === 360 ? "right" : at ? "center" : "left")),
    under(45, "direction of F", "center"),
  ];
  return moving;
}
