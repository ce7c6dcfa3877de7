// The projections as histograms, a lane for each class on the axis x·F, with the thresholds through all of them.

import { number } from "../model/words.js";
import { shape } from "./classes.js";
import { chart, heading } from "./chart.js";

/** @import { FisherScene } from "../model/scene.js" */
/** @import { Mark, Drawing } from "../types.d.ts" */

const BINS = 48;

export function lanesOf(rect, unit, { low, high }, count) {
  const [head, foot] = [31 * unit, 18 * unit]; // the title, and below it the handle of the threshold; the axis
  return {
    top: rect.y + head,
    bottom: rect.y + rect.h - foot,
    each: (rect.h - head - foot) / count,
    x: (value) => rect.x + ((value - low) / (high - low)) * rect.w,
    value: (px) => low + ((px - rect.x) / rect.w) * (high - low),
  };
}

/** @param {FisherScene} scene @returns {Drawing} */
export function projectionsMarks(scene) {
  const { rect, unit, palette, run, reading, hot } = scene;
  const lanes = lanesOf(rect, unit, reading, run.counts.length);
  const { top, bottom, each, x } = lanes;
  const counts = binned(run, reading);
  const highest = Math.max(1, ...counts.flat().map(([right, wrong]) => right + wrong));
  const values = `${run.many ? "thresholds" : "threshold"} ${reading.thresholds.map(number).join(", ")}`;
  const note = {
    text: `${run.thresholdNote}  ${values.split(/ (.*)/)[1]}`,
    short: values,
    size: 12.5 * unit,
    name: "threshold",
  };
  return [
    ...heading({ rect, unit, palette }, "Projections x·F", rect.w > 560 * unit ? note : { ...note, text: values }),
    ...run.listed.flatMap((k, place) => lane(scene, lanes, counts[k], highest, k, place)),
    ...cuts(scene, lanes),
    ...axis(scene, bottom),
    ...[...hot].map((i) => {
      const [at, base] = [x(reading.values[i]), top + (run.listed.indexOf(run.labels[i]) + 1) * each];
      return { ...chart.line([at, base - each * 0.9, at, base], { stroke: palette.ink, width: 3 }), lit: i };
    }),
    { kind: "rect", x: rect.x, y: bottom, w: rect.w, h: 1, fill: palette.quiet },
  ];
}

/** How many projections of each class fall into each bin, on the right side and on the wrong one. */
function binned({ labels, counts }, { values, verdicts, low, high }) {
  const found = counts.map(() => Array.from({ length: BINS }, () => [0, 0]));
  labels.forEach((k, i) => {
    const bin = Math.min(Math.max(Math.floor(((values[i] - low) / (high - low)) * BINS), 0), BINS - 1);
    found[k][bin][verdicts[i] === k ? 0 : 1]++;
  });
  return found;
}

/** The histogram of a class, its name, its mistakes and its mean. @param {FisherScene} scene @returns {Mark[]} */
function lane({ rect, unit, palette, colour, reading, run }, { top, each, x }, counts, highest, k, place) {
  const base = top + (place + 1) * each - 1;
  const size = Math.min(13 * unit, each * 0.34);
  const room = each - 1.3 * size - 7 * unit; // no bar reaches the name of its class
  const bars = counts.flatMap(([right, wrong], bin) => {
    const [a, b] = [(right / highest) * room, (wrong / highest) * room];
    const w = rect.w / BINS;
    const bar = { kind: "rect", x: rect.x + bin * w + 0.5, w: w - 1, class: k, bin };
    const hollow = { stroke: colour.page[k], fill: palette.paper, width: 1.8, radius: 0.5, wrong };
    return [
      ...(wrong ? [{ ...bar, y: base - b + 1, h: b - 1, ...hollow }] : []),
      ...(right ? [{ ...bar, y: base - a - b, h: a, fill: colour.page[k], alpha: 0.85, right }] : []),
    ];
  });
  const y = top + place * each + size * 0.9 + 2;
  const text = { kind: "text", y, size, weight: 600, halo: palette.paper };
  const mean = x(reading.means[k]);
  const foot = [mean, base, mean - 5, base + 6, mean + 5, base + 6, mean, base];
  const missed = { text: run.missed(k, reading), fill: reading.wrong[k] ? palette.warning : palette.quiet };
  return /** @type {Mark[]} */ ([
    { kind: "rect", x: rect.x, y: base, w: rect.w, h: 1, fill: palette.rule },
    ...bars,
    shape(k, { x: rect.x + size * 0.5, y: y - size * 0.32, r: size * 0.42, fill: colour.page[k] }),
    { ...text, x: rect.x + size * 1.4, fill: palette.ink, text: run.classTitle(k) },
    { ...text, x: rect.x + rect.w, align: "right", ...missed, name: `wrong${k}` },
    { kind: "line", points: [mean, base, mean, base - room * 0.96], stroke: palette.ink, width: 1.3, dash: [2, 3] },
    { kind: "line", points: foot, stroke: palette.ink, width: 1.6 },
  ]);
}

/** The thresholds; of two classes it has a handle. @param {FisherScene} scene @returns {Mark[]} */
function cuts({ unit, palette, reading, run }, { x, top, bottom }) {
  const tone = run.moved === null ? palette.ink : palette.accent;
  const r = (run.held === "projections" ? 7.5 : 5.5) * unit;
  const handle = { fill: tone, stroke: palette.paper, width: 1.5, name: "handle" };
  return reading.thresholds.flatMap((cut) => {
    const points = [x(cut), top - 4, x(cut), bottom];
    return [
      chart.line(points, { stroke: palette.paper, width: 5, alpha: 0.8 }),
      chart.line(points, { stroke: tone, width: 2.2, dash: [7, 5], name: "threshold" }),
      ...(run.many ? [] : [chart.circle(x(cut), top - 4, r, handle)]),
    ];
  });
}

/** @param {FisherScene} scene @returns {Mark[]} */
function axis({ rect, unit, palette, reading: { low, high } }, bottom) {
  const middle = Math.abs(low + high) < 2e-9 * (high - low) ? 0 : (low + high) / 2;
  const aligned = /** @type {const} */ (["left", "center", "right"]);
  const look = { size: 12 * unit, fill: palette.quiet };
  return [low, middle, high].map((value, k) =>
    chart.text(rect.x + (k * rect.w) / 2, bottom + 14 * unit, number(value), { ...look, align: aligned[k] }),
  );
}
