// J round the half-circle: where F is, and where the best is. Drag to turn F.

import { number } from "../model/words.js";
import { BEST } from "./table.js";

/** @import { Mark } from "../types.d.ts" */

const HALVES = 360;

export function stripGeometry(rect, unit) {
  const left = rect.x + 22 * unit;
  return { left, w: rect.w - 34 * unit, top: rect.y + 8 * unit, base: rect.y + rect.h - 17 * unit };
}

/** The angle, from 0 to 180, under a pixel. */
export function angleUnder(rect, unit, px) {
  const { left, w } = stripGeometry(rect, unit);
  return Math.min(Math.max((px - left) / w, 0), 1) * 180;
}

/** @returns {Mark[]} */
export function stripMarks({ rect, unit, palette, table, reading }) {
  const { left, w, top, base } = stripGeometry(rect, unit);
  const highest = Math.max(table.J[BEST], 1e-12);
  const x = (angle) => left + ((angle % 180) / 180) * w;
  const y = (J) => base - Math.min(J / highest, 1) * (base - top);
  const curve = [];
  for (let k = 0; k <= HALVES; k++) curve.push(left + (k / HALVES) * w, y(table.J[k % HALVES]));
  const [now, best] = [x(reading.angle), x(table.angles[BEST])];
  /** @satisfies {Partial<Mark>} */
  const text = { kind: "text", size: 12 * unit, fill: palette.quiet, y: base + 13.5 * unit };
  const before = best > left + w * 0.85 || (now > best && now < best + 140 * unit && best > left + 140 * unit);
  return [
    { kind: "rect", x: left, y: top, w, h: base - top, fill: palette.panel },
    { kind: "rect", x: left, y: base, w, h: 1, fill: palette.rule },
    { kind: "line", points: curve, stroke: palette.accent, width: 2.4, name: "curve" },
    { kind: "line", points: [best, top, best, base], stroke: palette.good, width: 1.6, dash: [4, 4], name: "best" },
    {
      kind: "text",
      x: best + (before ? -7 : 7),
      y: base - 6 * unit,
      size: 12.5 * unit,
      weight: 600,
      align: before ? "right" : "left",
      fill: palette.good,
      halo: palette.panel,
      text: `best J = ${number(table.J[BEST])}`,
    },
    { kind: "line", points: [now, top - 3, now, base + 3], stroke: palette.ink, width: 2.4, name: "now" },
    { kind: "circle", x: now, y: y(reading.J), r: 5.5 * unit, fill: palette.accent, stroke: palette.paper, width: 1.6 },
    {
      ...text,
      x: rect.x + 4,
      y: (top + base) / 2,
      baseline: "middle",
      size: 14 * unit,
      weight: 700,
      fill: palette.accent,
      text: "J",
    },
    ...[0, 45, 90, 135, 180].map(
      /** @returns {Mark} */ (angle) => ({
        ...text,
        x: left + (angle / 180) * w,
        align: angle === 180 ? "right" : angle ? "center" : "left",
        text: `${angle}°`,
      }),
    ),
    { ...text, x: left + w * 0.125, align: "center", text: "direction of F" },
  ];
}
