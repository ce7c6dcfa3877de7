// J over the angle of F, in the place of the timeline: where F is, and where the best is. Dragged, F turns.

import { number } from "../model/words.js";
import { timeX } from "./chart.js";

/** @import { FisherScene } from "../model/scene.js" */
/** @import { Mark, PanelMarks } from "../types.d.ts" */

/** @param {FisherScene} scene @returns {PanelMarks} */
export function anglesMarks({ rect, unit, palette, run, reading }) {
  const [top, base] = [rect.y + 6 * unit, rect.y + rect.h - 17 * unit];
  const [x, { J }] = [(angle) => timeX(run, rect, angle), run.arrays];
  const best = Math.max(...J, 1e-12);
  const y = (value) => base - Math.min(value / best, 1) * (base - top);
  const curve = Array.from({ length: 721 }, (_, half) => [x(half / 2), y(J[half % 360])]).flat();
  const [left, w, now] = [x(0), x(360) - x(0), x(reading.angle)];
  const bests = [0, 180].map((round) => x((run.angleOf("best") + round) % 360)).sort((a, b) => a - b);
  const text = { kind: /** @type {const} */ ("text"), size: 12 * unit, fill: palette.quiet };
  const words = { ...text, y: base - 6 * unit, weight: 600, fill: palette.good, halo: palette.panel };
  /** @type {Mark[]} */
  const moving = [
    { kind: "rect", x: left, y: top, w, h: base - top, fill: palette.panel },
    { kind: "rect", x: left, y: base, w, h: 1, fill: palette.rule },
    { kind: "line", points: curve, stroke: palette.accent, width: 2.4, name: "curve" },
    ...bests.map(
      /** @returns {Mark} */ (at) => ({
        ...{ kind: "line", points: [at, top, at, base], stroke: palette.good, width: 1.6, dash: [4, 4], name: "best" },
      }),
    ),
    { ...words, x: bests[0] + 7, text: `best J = ${number(best)}` },
    { kind: "line", points: [now, top - 3, now, base + 3], stroke: palette.ink, width: 2.4, name: "now" },
    { kind: "circle", x: now, y: y(reading.J), r: 5.5 * unit, fill: palette.accent, stroke: palette.paper, width: 1.6 },
    { ...text, x: left + 6, y: top + 14 * unit, size: 14 * unit, weight: 700, fill: palette.accent, text: "J" },
    ...[0, 90, 180, 270, 360].map(
      /** @returns {Mark} */ (angle) => ({
        ...{ ...text, x: x(angle), y: base + 13.5 * unit, text: `${angle}°` },
        align: angle === 360 ? "right" : angle ? "center" : "left",
      }),
    ),
    { ...text, x: x(45), y: base + 13.5 * unit, align: "center", text: "direction of F" },
  ];
  return { still: [], moving };
}
