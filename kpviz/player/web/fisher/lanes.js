// The projections as histograms, a lane for each class on the axis x·F, with the thresholds through all of them.

import { counted, number } from "../model/words.js";
import { classTitle } from "./map.js";
import { shape } from "./shapes.js";

/** @import { Mark } from "../types.d.ts" */

const BINS = 48;

export function lanesGeometry(rect, unit, { low, high }, K) {
  const head = 31 * unit; // title, and below it the handle of the threshold
  const foot = 18 * unit;
  const each = (rect.h - head - foot) / K;
  const x = (value) => rect.x + ((value - low) / (high - low)) * rect.w;
  const value = (px) => low + ((px - rect.x) / rect.w) * (high - low);
  return { top: rect.y + head, bottom: rect.y + rect.h - foot, each, x, value, bin: rect.w / BINS };
}

/** counts[k][bin] = [right, wrong]. */
export function bins(table, { values, verdicts, low, high }) {
  const counts = Array.from({ length: table.K }, () => Array.from({ length: BINS }, () => [0, 0]));
  table.labels.forEach((k, i) => {
    const bin = Math.min(Math.max(Math.floor(((values[i] - low) / (high - low)) * BINS), 0), BINS - 1);
    counts[k][bin][verdicts[i] === k ? 0 : 1]++;
  });
  return counts;
}

/** @returns {Mark[]} */
export function lanesMarks(scene) {
  const { rect, unit, reading, table, palette } = scene;
  const geometry = lanesGeometry(rect, unit, reading, table.K);
  const counts = bins(table, reading);
  const highest = Math.max(1, ...counts.flat().map(([right, wrong]) => right + wrong));
  const order = table.K === 2 ? [1, 0] : [...counts.keys()];
  return [
    ...title(scene),
    ...order.flatMap((k, place) => lane(scene, geometry, counts[k], highest, k, place)),
    ...cuts(scene, geometry),
    ...axis(scene, geometry),
    ...lit(scene, geometry, order),
    { kind: "rect", x: rect.x, y: geometry.bottom, w: rect.w, h: 1, fill: palette.quiet },
  ];
}

/** @returns {Mark[]} */
function title({ rect, unit, palette, reading, header, moved }) {
  const y = rect.y + 15 * unit;
  const note = moved === null ? header.notes.threshold : "The threshold was moved by hand; double-click puts it back.";
  const values = reading.thresholds.map(number).join(", ");
  return [
    { kind: "text", x: rect.x, y, size: 14 * unit, weight: 600, fill: palette.ink, text: "Projections x·F" },
    {
      kind: "text",
      x: rect.x + rect.w,
      y,
      size: 12.5 * unit,
      align: "right",
      fill: palette.quiet,
      text: rect.w > 560 * unit ? `${note}  ${values}` : `${header.many ? "thresholds" : "threshold"} ${values}`,
      name: "threshold",
    },
  ];
}

/** @returns {Mark[]} */
function lane(scene, { top, each, x, bin }, counts, highest, k, place) {
  const { rect, unit, palette, colour, reading, table, header } = scene;
  const base = top + (place + 1) * each - 1;
  const size = Math.min(13 * unit, each * 0.34);
  const room = each - 1.3 * size - 7 * unit; // no bar reaches the name of its class
  /** @type {Mark[]} */
  const marks = [{ kind: "rect", x: rect.x, y: base, w: rect.w, h: 1, fill: palette.rule }];
  counts.forEach(([right, wrong], place_) => {
    const [a, b] = [(right / highest) * room, (wrong / highest) * room];
    /** @satisfies {Partial<Mark>} */
    const bar = { kind: "rect", x: rect.x + place_ * bin + 0.5, w: bin - 1, class: k, bin: place_ };
    if (wrong) {
      marks.push({
        ...bar,
        y: base - b + 1,
        h: b - 1,
        stroke: colour.page[k],
        fill: palette.paper,
        width: 1.8,
        wrong,
        radius: 0.5,
      });
    }
    if (right) marks.push({ ...bar, y: base - a - b, h: a, fill: colour.page[k], alpha: 0.85, right });
  });
  const y = top + place * each + size * 0.9 + 2;
  const mean = x(reading.means[k]);
  marks.push(
    ...shape(k, { x: rect.x + size * 0.5, y: y - size * 0.32, r: size * 0.42, fill: colour.page[k] }),
    {
      kind: "text",
      x: rect.x + size * 1.4,
      y,
      size,
      weight: 600,
      fill: palette.ink,
      halo: palette.paper,
      text: classTitle(header, k),
    },
    {
      kind: "text",
      x: rect.x + rect.w,
      y,
      size,
      weight: 600,
      align: "right",
      fill: reading.wrong[k] ? palette.warning : palette.quiet,
      halo: palette.paper,
      text: wrongWords(header, reading, table, k),
      name: `wrong${k}`,
    },
    {
      kind: "line",
      points: [mean, base, mean, base - room * 0.96],
      stroke: palette.ink,
      width: 1.3,
      dash: [2, 3],
      alpha: 0.8,
    },
    {
      kind: "line",
      points: [mean, base, mean - 5, base + 6, mean + 5, base + 6, mean, base],
      stroke: palette.ink,
      width: 1.6,
    },
  );
  return marks;
}

export function wrongWords({ many }, reading, table, k) {
  if (!many) return counted(reading.wrong[k], k ? "false negative" : "false positive");
  return `${reading.wrong[k]} of ${table.counts[k]} wrong`;
}

/** @returns {Mark[]} */
function cuts({ unit, palette, reading, header, moved, holding }, { x, top, bottom }) {
  return reading.thresholds.flatMap((cut) => {
    const at = x(cut);
    const tone = moved === null ? palette.ink : palette.accent;
    return [
      { kind: "line", points: [at, top - 4, at, bottom], stroke: palette.paper, width: 5, alpha: 0.8 },
      { kind: "line", points: [at, top - 4, at, bottom], stroke: tone, width: 2.2, dash: [7, 5], name: "threshold" },
      ...(header.many
        ? []
        : [
            {
              kind: "circle",
              x: at,
              y: top - 4,
              r: (holding ? 7.5 : 5.5) * unit,
              fill: tone,
              stroke: palette.paper,
              width: 1.5,
              name: "handle",
            },
          ]),
    ];
  });
}

/** @returns {Mark[]} */
function axis({ rect, unit, palette, reading }, { bottom }) {
  /** @satisfies {Partial<Mark>} */
  const text = { kind: "text", y: bottom + 14 * unit, size: 12 * unit, fill: palette.quiet };
  const { low, high } = reading;
  const middle = (low + high) / 2;
  return [
    { ...text, x: rect.x, text: number(low) },
    {
      ...text,
      x: rect.x + rect.w / 2,
      align: "center",
      text: number(Math.abs(middle) < 1e-9 * (high - low) ? 0 : middle),
    },
    { ...text, x: rect.x + rect.w, align: "right", text: number(high) },
  ];
}

/** @returns {Mark[]} */
function lit({ hot, palette, table, reading }, { x, top, each }, order) {
  if (hot === null) return [];
  const base = top + (order.indexOf(table.labels[hot]) + 1) * each;
  const at = x(reading.values[hot]);
  return [{ kind: "line", points: [at, base - each * 0.9, at, base], stroke: palette.ink, width: 3, lit: hot }];
}
