// Panels of Fisher’s page beside the map: the projections, J over the angle of F, and the principal
// components.

import { number } from "../run/words.js";
import { textWidth, wrap } from "../paint/measure.js";
import { chart, heading, timeX } from "./chart.js";
import { ABOVE, flags } from "./timeline.js";
import { fittingStep, step } from "../board/scale.js";

/** @import { FisherScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject, Pointed } from "../board/types.d.ts" */
/** @import { Round, Target, TextMark } from "../board/types.d.ts" */
// A class of Fisher's page as a shape and a colour: square, circle, triangle.

const CORNERS = [-90, 30, 150].map((angle) => [
  Math.cos((angle * Math.PI) / 180),
  Math.sin((angle * Math.PI) / 180),
]);
const TRIANGLE_RADIUS = 1.45; // Relative to the radius of a circle that looks as large.

/**
 * The mark of a point of class k; without `fill` it is hollow.
 *
 * @param {number} k
 * @param {Round & { i?: number, lit?: number, name?: string }} look
 */
export function shape(k, look) {
  const mark = { width: 1.4, ...look, class: k };
  if (k < 2) return /** @type {Mark} */ ({ ...mark, kind: k ? "circle" : "square" });
  const points = CORNERS.flatMap(([c, s]) => [
    look.x + TRIANGLE_RADIUS * look.r * c,
    look.y + TRIANGLE_RADIUS * look.r * s,
  ]);
  return /** @type {Mark} */ ({ ...mark, kind: "polygon", points });
}

// The projections as histograms, a lane for each class on the axis x·F, with the thresholds through
// all of them.

const BINS = 48;
const UNDER_NAME = 8; // In px, where the unit is 1: the highest bar keeps so far from its class.
const FOOT_OF_ANGLES = 21; // In px, where the unit is 1: their row keeps clear of the buttons.

export function lanesOf(rect, unit, { low, high }, count) {
  const head = 31 * unit; // This is for the title, and below it the handle of the threshold.
  const foot = 18 * unit; // This is for the axis.
  return {
    top: rect.y + head,
    bottom: rect.y + rect.h - foot,
    laneHeight: (rect.h - head - foot) / count,
    x: (value) => rect.x + ((value - low) / (high - low)) * rect.w,
    value: (px) => low + ((px - rect.x) / rect.w) * (high - low),
  };
}

/** @param {FisherScene} scene @returns {Drawing} */
function projectionsMarks(scene) {
  const { rect, unit, palette, run, reading, hot } = scene;
  const lanes = lanesOf(rect, unit, reading, run.counts.length);
  const { top, bottom, laneHeight, x } = lanes;
  const counts = binned(run, reading);
  const highest = Math.max(1, ...counts.flat().map(([right, wrong]) => right + wrong));
  const values = `${run.many ? "thresholds" : "threshold"} ${reading.thresholds.map(number).join(", ")}`;
  const note = {
    text: `${run.thresholdNote}  ${values.split(/ (.*)/)[1]}`,
    short: values,
    size: step("small", unit),
    name: "threshold",
  };
  return [
    ...heading(
      { rect, unit, palette },
      "Projections x·F",
      rect.w > 560 * unit ? note : { ...note, text: values },
    ),
    ...halosOfCuts(scene, lanes),
    ...run.listed.flatMap((k, place) => lane(scene, lanes, counts[k], highest, k, place)),
    ...cuts(scene, lanes),
    ...axis(scene, bottom),
    ...[...hot].map((i) => {
      const at = x(reading.values[i]);
      const base = top + (run.listed.indexOf(run.labels[i]) + 1) * laneHeight;
      return {
        ...chart.line([at, base - laneHeight * 0.9, at, base], { stroke: palette.ink, width: 3 }),
        lit: i,
      };
    }),
    { kind: "rect", x: rect.x, y: bottom, w: rect.w, h: 1, fill: palette.quiet },
    ...(run.many ? [] : [chart.area(rect, { kind: "ground", hold: "direct" })]),
  ];
}

/**
 * How many projections of each class fall into each bin, on the right side and on the wrong one.
 */
function binned({ labels, counts }, { values, verdicts, low, high }) {
  const bins = counts.map(() => Array.from({ length: BINS }, () => [0, 0]));
  labels.forEach((k, i) => {
    const bin = Math.min(
      Math.max(Math.floor(((values[i] - low) / (high - low)) * BINS), 0),
      BINS - 1,
    );
    bins[k][bin][verdicts[i] === k ? 0 : 1]++;
  });
  return bins;
}

/**
 * The histogram of a class, its name, its mistakes and its mean.
 *
 * @param {FisherScene} scene
 * @returns {Mark[]}
 */
function lane(
  { rect, unit, palette, colour, reading, run },
  { top, laneHeight, x },
  counts,
  highest,
  k,
  place,
) {
  const base = top + (place + 1) * laneHeight - 1;
  const size = fittingStep("label", unit, (candidate) => candidate <= 0.34 * laneHeight);
  // No bar reaches the name of its class; in a low lane it comes nearer to it.
  const room = Math.max(laneHeight - 1.1 * size - UNDER_NAME * unit, 0.25 * laneHeight);
  const bars = counts.flatMap(([right, wrong], bin) => {
    const a = (right / highest) * room;
    const b = (wrong / highest) * room;
    const inside = Math.max(b - 1, 0); // The outline of a hollow bar lies round it.
    const w = rect.w / BINS;
    const bar = { kind: "rect", x: rect.x + bin * w + 0.5, w: w - 1, class: k, bin };
    const hollow = { stroke: colour.page[k], fill: palette.paper, width: 1.8, radius: 0.5, wrong };
    return [
      ...(wrong ? [{ ...bar, y: base - inside, h: inside, ...hollow }] : []),
      ...(right
        ? [{ ...bar, y: base - a - b, h: a, fill: colour.page[k], alpha: 0.85, right }]
        : []),
    ];
  });
  const y = top + place * laneHeight + size * 0.9 + 2;
  const text = { kind: "text", y, size, weight: 600, halo: palette.paper };
  const mean = x(reading.means[k]);
  const foot = [mean, base, mean - 5, base + 6, mean + 5, base + 6, mean, base];
  const missed = {
    text: run.missed(k, reading),
    fill: reading.wrong[k] ? palette.warning : palette.quiet,
  };
  return /** @type {Mark[]} */ ([
    { kind: "rect", x: rect.x, y: base, w: rect.w, h: 1, fill: palette.rule },
    ...bars,
    shape(k, { x: rect.x + size * 0.5, y: y - size * 0.32, r: size * 0.42, fill: colour.page[k] }),
    { ...text, x: rect.x + size * 1.4, fill: palette.ink, text: run.classTitle(k, palette.grey) },
    { ...text, x: rect.x + rect.w, align: "right", ...missed, name: `wrong${k}` },
    {
      kind: "line",
      points: [mean, base, mean, base - room * 0.96],
      stroke: palette.ink,
      width: 1.3,
      dash: [2, 3],
    },
    { kind: "line", points: foot, stroke: palette.ink, width: 1.6 },
  ]);
}

/** What is about the thresholds, under the bars: it takes no edge from them. @returns {Mark[]} */
function halosOfCuts({ palette, reading }, { x, top, bottom }) {
  const look = { stroke: palette.paper, width: 5, alpha: 0.8 };
  return reading.thresholds.map((cut) => chart.line([x(cut), top - 4, x(cut), bottom], look));
}

/** The thresholds; of two classes it has a handle. @param {FisherScene} scene @returns {Mark[]} */
function cuts({ unit, palette, reading, run, held }, { x, top, bottom }) {
  const tone = palette.ink;
  const r = (held === "projections" ? 7.5 : 5.5) * unit;
  const handle = { fill: palette.accent, stroke: palette.paper, width: 1.5, name: "handle" };
  return reading.thresholds.flatMap((cut) => {
    const points = [x(cut), top - 4, x(cut), bottom];
    return [
      chart.line(points, { stroke: tone, width: 2.2, dash: [7, 5], name: "threshold" }),
      ...(run.many ? [] : [chart.circle(x(cut), top - 4, r, handle)]),
    ];
  });
}

/** @param {FisherScene} scene @returns {Mark[]} */
function axis({ rect, unit, palette, reading: { low, high } }, bottom) {
  const middle = Math.abs(low + high) < 2e-9 * (high - low) ? 0 : (low + high) / 2;
  const aligned = /** @type {const} */ (["left", "center", "right"]);
  const look = { size: step("small", unit), fill: palette.quiet };
  return [low, middle, high].map((value, k) =>
    chart.text(rect.x + (k * rect.w) / 2, bottom + 14 * unit, number(value), {
      ...look,
      align: aligned[k],
    }),
  );
}

// J over the angle of F, in the place of the timeline: where F is, and where the best is. Dragged,
// F turns.

/** @param {FisherScene} scene @returns {Drawing} */
function anglesMarks(scene) {
  const { rect, unit, palette, run, reading } = scene;
  const top = rect.y + 2 * unit;
  const base = rect.y + rect.h - FOOT_OF_ANGLES * unit;
  const x = (angle) => timeX(run, rect, angle);
  const { J } = run.arrays;
  const best = Math.max(...J, 1e-12);
  const y = (value) => base - Math.min(value / best, 1) * (base - top);
  const curve = Array.from({ length: 721 }, (_, half) => [x(half / 2), y(J[half % 360])]).flat();
  const left = x(0);
  const w = x(360) - x(0);
  const now = x(reading.angle);
  const bests = [0, 180]
    .map((round) => x((run.angleOf("best") + round) % 360))
    .sort((a, b) => a - b);
  const look = { size: step("small", unit), fill: palette.quiet };
  const under = (angle, words, align) =>
    chart.text(x(angle), base + 13 * unit, words, { ...look, align });
  /** @type {Target} */
  const angles = { ...ANGLE, across: [0, 360], reach: [left - rect.x, 0], hold: "scrub" };
  const moving = [
    ...chart.background(left, top, w, base, palette),
    chart.area({ x: left, y: rect.y - ABOVE, w, h: rect.h + ABOVE }, angles),
    .../** @type {const} */ (["best", "other"]).map((name) =>
      special(x(run.angleOf(name)), rect, run.angleOf(name)),
    ),
    ...flags(scene, { top, height: base - top, x }),
    chart.line(curve, { stroke: palette.ink, width: 2.4, name: "curve" }),
    ...bests.map((at) =>
      chart.line([at, top, at, base], {
        stroke: palette.quiet,
        width: 1.6,
        dash: [4, 4],
        name: "best",
      }),
    ),
    ...bestName(scene, { top, base, curve, bests, under }),
    chart.line([now, top - 3, now, base + 3], { stroke: palette.ink, width: 2.4, name: "now" }),
    chart.circle(now, y(reading.J), 5.5 * unit, {
      fill: palette.accent,
      stroke: palette.paper,
      width: 1.6,
    }),
    ...[0, 90, 180, 270, 360].map((at) =>
      under(at, `${at}°`, at === 360 ? "right" : at ? "center" : "left"),
    ),
  ];
  return moving;
}

/**
 * What the curve is, and the best J; nothing where this has no room.
 *
 * @param {FisherScene} scene
 * @returns {TextMark[]}
 */
function bestName(scene, place) {
  const best = number(Math.max(...scene.run.arrays.J, 1e-12));
  const names = [`J over the angle of F, best J = ${best}`, `best J = ${best}`];
  return names.map((text) => nameAt(scene, place, text)).find(({ length }) => length) ?? [];
}

/**
 * A name where the curve is below it, else under the curve at the line of a best angle, else
 * between the names of two angles; nothing where none of them has room.
 *
 * @param {FisherScene} scene
 * @param {{ top: number, base: number, curve: number[], bests: number[],
 *   under: (...at: any[]) => TextMark }} place
 * @param {string} text
 * @returns {TextMark[]}
 */
function nameAt({ rect, unit, palette, run }, { top, base, curve, bests, under }, text) {
  const size = step("small", unit);
  const wide = textWidth(text, size, palette.fonts, 600);
  const look = { size, weight: 600, fill: palette.ink, name: "best-name" };
  const isFree = (from, isClear) =>
    from + wide < timeX(run, rect, 360) &&
    curve.every((px, k) => k % 2 || px < from - 4 || px > from + wide + 4 || isClear(curve[k + 1]));
  const isUnderName = (y) => y > top + 1.3 * size;
  const first = timeX(run, rect, run.angleOf("best") % 180);
  const from = curve.find((px, k) => k % 2 === 0 && px > first && isFree(px, isUnderName));
  if (from !== undefined) return [chart.text(from, top + size, text, look)];
  const foot = base - 0.35 * size;
  const isOverName = (y) => y < foot - 1.1 * size;
  const atBest = bests
    .map((px) => px + 0.5 * size)
    .filter((px) => isFree(px, isOverName))
    .at(-1);
  if (atBest !== undefined) return [chart.text(atBest, foot, text, look)];
  const between = timeX(run, rect, 180) - timeX(run, rect, 90);
  const angles = 2 * textWidth("180°", size, palette.fonts);
  return between > wide + angles ? [{ ...under(135, text, "center"), ...look }] : [];
}

/** An angle of F on its scale, or a special one. */
const ANGLE = {
  kind: "angle",

  /** @param {Pointed} pointed */
  tells({ run: { fisher }, hit, target, value }) {
    const time = target.across ? fisher.nearest(value) : Number(hit.index);
    const { angle, J } = fisher.reading(time);
    return { time, lines: [`F at ${Number(angle.toFixed(1))}°: J = ${number(J)}`] };
  },
};

/** An angle at which arrows stop. */
const special = (at, { y, h }, index) =>
  chart.area({ x: at, y, w: 0, h }, { ...ANGLE, index, stop: true });

// The examples of Fisher's page in their first two principal components, to compare.

/** @param {FisherScene} scene @returns {Drawing} */
function componentsMarks({ rect, unit, palette, run, colour, hot, pointScale }) {
  const size = step("label", unit);
  const { components } = run.arrays;
  const lines = wrap(run.header.notes.pca, rect.w - 10, size, palette.fonts);
  const top = rect.y + 22 * unit;
  const bottom = rect.y + rect.h - (lines.length + 0.3) * size * 1.25;
  const r = Math.max(3 * pointScale, 2.4);
  const scale =
    (Math.min(rect.w, bottom - top) / 2 - 2 * r) / Math.max(...components.map(Math.abs), 1e-9);
  const x = rect.x + rect.w / 2;
  const y = (top + bottom) / 2;
  const place = (i) => ({ x: x + components[2 * i] * scale, y: y - components[2 * i + 1] * scale });
  const point = { r, stroke: palette.on_mark, width: 1 };
  /** @type {Mark[]} */
  const moving = [
    {
      kind: "rect",
      x: rect.x,
      y: top,
      w: rect.w,
      h: bottom - top,
      fill: palette.field_zero,
      stroke: palette.rule,
    },
    ...Array.from(run.labels, (k, i) =>
      shape(k, { ...place(i), ...point, fill: colour.map[k], i }),
    ),
    ...[...hot].map((i) =>
      shape(run.labels[i], { ...place(i), r: r + 4, stroke: palette.on_map, width: 2.4, lit: i }),
    ),
    ...heading({ rect, unit, palette }, "For comparison: PCA, the most variance"),
    ...chart.words(rect.x, bottom + size * 1.25, lines, size * 1.25, { size, fill: palette.quiet }),
  ];
  return moving;
}

/** @type {PanelObject} */
export const anglesPanel = { name: "angles", marks: anglesMarks };

/** @type {PanelObject} */
export const projectionsPanel = { name: "projections", marks: projectionsMarks };

/** @type {PanelObject} */
export const componentsPanel = { name: "components", marks: componentsMarks };
