// The course of a stream: mistakes, error rate and support over time.

import { chart, classOf, extremes, heading, NEAR, onOneLine, shapeOf, timeX } from "./chart.js";
import { course, lookOf, firstShown, opacity, topSoFar, visible } from "../run/series.js";
import { counted, whole } from "../run/words.js";
import { step } from "../board/scale.js";

/** @import { Run } from "../run/run.js" */
/** @import { PanelScene } from "../board/scene.js" */
/** @import { Key } from "./strip.js" */
/** @import { Mark, Drawing, PointMark, Target } from "../board/types.d.ts" */

const FADES_FROM = 20; // In steps: from so many on the first ones are seen to be fainter.

// What the map shows of a stream: the last arrivals, what is kept in memory, and how the target has
// turned.

const placeOf = /** @returns {Omit<PointMark, "r">} */ ({ run, view }, i) => ({
  kind: shapeOf(run, i),
  x: view.x(run.X[2 * i]),
  y: view.y(run.X[2 * i + 1]),
  i,
});

const colourOf = ({ run, palette }, i) => palette.point[classOf(run, i)];

/** The support, hollow, as opaque as it weighs. @returns {Mark[]} */
export function memory(scene) {
  const { run, t, pointScale } = scene;
  const first = firstShown(run, t);
  const marks = [];
  for (const [i, alpha] of visible(run, t)) {
    if (i < first) {
      marks.push({
        ...placeOf(scene, i),
        r: lookOf(run).memory * pointScale,
        stroke: colourOf(scene, i),
        width: 1.5,
        alpha,
        name: "memory",
        target: { kind: "example", index: i, reach: [NEAR] },
      });
    }
  }
  return marks;
}

/** The last arrivals, fading with age. */
export function lately(scene, radiusOf) {
  const { run, t, palette } = scene;
  /** @type {Mark[]} */
  const marks = [];
  for (let step = firstShown(run, t); step < t; step++) {
    const i = run.trace.index[step];
    marks.push({
      ...placeOf(scene, i),
      r: radiusOf(i),
      width: 1.4,
      fill: colourOf(scene, i),
      stroke: palette.on_mark,
      alpha: opacity(run, t - 1 - step),
      name: "lately",
      target: { kind: "example", index: i, reach: [NEAR] },
    });
  }
  return marks;
}

/**
 * How far the target has turned: the plane's first axis as it was, dashed, and as it is.
 *
 * @param {PanelScene} scene
 * @returns {Key[]}
 */
export function dialKey({ run, palette, t, current }) {
  const { angle, drift } = run.stream;
  if (drift === 0 || run.isBlank(t)) return []; // The strip says that there is no boundary.
  const turned = angle[current ?? Math.max(t - 1, 0)];
  const degrees = `${Math.round((turned * 180) / Math.PI)}°`;
  const sign = (x, y, size) => {
    const r = 0.6 * size;
    const on = (share, by) => [
      x + share * r * Math.cos(turned + by),
      y - share * r * Math.sin(turned + by),
    ];
    const tip = on(0.9, 0);
    const look = { stroke: palette.ink, width: 1.5 };
    return /** @type {Mark[]} */ ([
      chart.circle(x, y, r, { stroke: palette.ink, width: 1, name: "dial" }),
      chart.line([x - r, y, x + r, y], { stroke: palette.ghost, width: 1, dash: [2, 3] }),
      chart.line([...on(0.9, -Math.PI), ...tip], { ...look, name: "turned", angle: turned }),
      chart.line([...on(0.5, 0.6), ...tip, ...on(0.5, -0.6)], look),
    ]);
  };
  return [
    {
      words: [`data turned by ${degrees}`, `turned by ${degrees}`, `turned ${degrees}`],
      wide: 1.2,
      sign,
    },
  ];
}

/** Why points are faint. @param {PanelScene} scene @returns {Key[]} */
export function fadedKey({ run, t, palette }) {
  if (t < FADES_FROM) return [];
  const sign = (x, y, size) => [
    chart.circle(x, y, 0.42 * size, { fill: palette.quiet, alpha: opacity(run, FADES_FROM) }),
  ];
  return [{ words: ["fainter: longer ago", "fainter: older", "fainter: past"], wide: 0.84, sign }];
}

const percent = (share) => `${Math.round(100 * share)}%`;

const windowAt = (run, t) =>
  t < lookOf(run).window ? "so far" : `of the last ${lookOf(run).window}`;

const LOWEST_STRIP = 36; // In px.
const LEAST_TOP = 10; // In mistakes or examples.

/**
 * `noise`: what the dashed line of label noise is called.
 *
 * @type {{ name: "mistakes" | "rate" | "support", share: number, label: (run: Run, t: number) =>
 *   string, short?: string, noise?: string, form: (value: number) => string }[]}
 */
const STRIPS = [
  {
    name: "mistakes",
    share: 1.35,
    label: (run, t) =>
      isRememberedAsMade(run, t) ? "mistakes so far, each in memory" : "mistakes so far",
    short: "mistakes so far",
    noise: "from label noise alone",
    form: whole.format,
  },
  {
    name: "rate",
    share: 1,
    label: (run, t) => `wrong ${windowAt(run, t)}`,
    noise: "label noise",
    form: percent,
  },
  {
    name: "support",
    share: 1,
    label: () => "examples in memory (support)",
    short: "in memory",
    form: whole.format,
  },
];

/**
 * Mistakes, error rate and support, each in a strip as wide as the stream is long.
 *
 * @param {PanelScene} scene
 * @returns {Drawing}
 */
export function streamMarks(scene) {
  const { run, rect, palette, unit, t, predicting } = scene;
  const strips = stripsOf(scene);
  const covered = [...scene.covered()];
  const key = [
    run.id,
    palette.dark,
    scene.letter,
    ...covered,
    ...strips.map(({ top }) => top),
  ].join();
  const ground = () => [
    ...heading(scene, { text: "Mistakes and support over time", short: "Over time" }),
    ...strips.flatMap((strip) => background(scene, strip)),
  ];
  const behind = () => strips.flatMap((strip) => curve(scene, strip));
  const at = (time) => timeX(run, rect, time);
  const moving = strips.flatMap(
    /** @returns {Mark[]} */ (strip) => {
      const { name, inner, size, form, values, y } = strip;
      const words = strip.label(run, t);
      const label = {
        text: words + noiseWords(run, strip),
        short: strip.short ?? words,
        size,
      };
      return [
        ...onOneLine(palette, { ...inner, y: inner.y - size * 0.35 }, label, {
          text: t && !scene.covered().has(name) ? form(values[t]) : "",
          size: step("label", unit),
          weight: 600,
          fill: palette.ink,
          name: "value",
          strip: name,
        }),
        chart.circle(at(t), y(values[t]), 3.6 * unit, {
          fill: palette.ink,
          stroke: palette.paper,
          width: 1.4,
          name: "now",
          strip: name,
          value: values[t],
        }),
      ];
    },
  );
  const from = at(0);
  /** @type {Target} */
  const instants = { kind: "time", across: [0, run.span], reach: [Infinity, 0] };
  const told = { x: from, y: rect.y, w: at(run.span) - from, h: rect.h };
  if (!predicting) moving.push(chart.area(told, instants, (time) => courseWords(scene, time, t)));
  return {
    still: [{ key, marks: ground }, ...(t ? [{ key, marks: behind, upTo: at(t) + 1 }] : [])],
    moving,
  };
}

/** @param {Run} run @param {{ name: string, noise?: string }} strip */
function noiseWords({ stream }, { name, noise }) {
  if (!noise || !stream.noise) return "";
  return `  (dashed: ${noise}${name === "rate" ? ` ${percent(stream.noise)}` : ""})`;
}

/** Runs that are compared share their scales, which hold what has been so far. */
function stripsOf({ run, rect, unit, compared, t }) {
  const runs = compared ? compared.others.map((other) => other.run) : [run];
  const values = course(run);
  const size = step("small", unit);
  const head = 21 * unit;
  const room = Math.floor((rect.h - head) / (LOWEST_STRIP * unit));
  // Where each mistake is remembered and nothing else, one curve says both.
  const isTwice = !compared && isRememberedAsMade(run, t);
  const different = STRIPS.filter(({ name }) => name !== "support" || !isTwice);
  const shownStrips =
    room >= different.length
      ? different
      : different.filter(({ name }) => name !== "rate").slice(0, Math.max(room, 1));
  const all = shownStrips.reduce((sum, { share }) => sum + share, 0);
  let from = rect.y + head;
  return shownStrips.map((strip) => {
    const h = ((rect.h - head) * strip.share) / all;
    const inner = {
      x: rect.x,
      y: from + size * 1.4,
      w: rect.w,
      h: Math.max(h - size * 1.4 - 4 * unit, 4),
    };
    from += h;
    const top = Math.max(...runs.map((one) => topOf(one, strip.name, Math.min(t, one.nSteps))));
    return {
      ...strip,
      inner,
      size,
      top,
      values: values[strip.name],
      y: (value) => inner.y + inner.h - Math.min(value / top, 1) * (inner.h - 2) - 1,
    };
  });
}

/** Whether memory has had each mistake, and nothing else. @param {Run} run */
function isRememberedAsMade(run, t) {
  const { mistakes, support } = course(run);
  return support.slice(0, t + 1).every((count, k) => count === mistakes[k]);
}

function topOf(run, name, t) {
  const { first } = lookOf(run);
  const from = name === "rate" ? first : 0;
  const values = course(run)[name].slice(from, t + 1);
  const most = values.reduce((largest, value) => Math.max(largest, value), 0);
  if (name === "rate") return Math.min(Math.max(Math.ceil(10 * most) / 10, 0.1), 1);
  return topSoFar(Math.max(most, name === "mistakes" ? run.stream.noise * t : 0, LEAST_TOP));
}

/**
 * The panel's floor, its scale, what label noise alone would make, and where the target switched.
 *
 * @param {PanelScene} scene
 * @param {ReturnType<typeof stripsOf>[number]} strip
 * @returns {Mark[]}
 */
function background(scene, { name, inner, size, top, form, y, noise: words }) {
  const { run, palette, rect, covered } = scene;
  const x = (time) => timeX(run, rect, time);
  /** @type {Mark[]} */
  const marks = [
    chart.rect(inner.x, inner.y, inner.w, inner.h, { fill: palette.panel, radius: 2 }),
  ];
  for (const i of course(run).switches) {
    const look = { stroke: palette.quiet, width: 1, dash: [2, 3], name: "switch", step: i };
    marks.push(chart.line([x(i), inner.y, x(i), inner.y + inner.h], look));
  }
  const { noise } = run.stream;
  if (noise > 0 && words) {
    const last = Math.min(run.nSteps, top / noise); // The line leaves the scale here.
    const points =
      name === "rate"
        ? [inner.x, y(noise), inner.x + inner.w, y(noise)]
        : [x(0), y(0), x(last), y(noise * last)];
    marks.push(
      chart.line(points, {
        stroke: palette.quiet,
        width: 1.2,
        dash: [5, 4],
        name: "noise",
        strip: name,
      }),
    );
  }
  // What a task asks for would stand at the top.
  if (inner.h > size * 2.2 && !covered().has(name)) {
    marks.push(
      chart.text(inner.x + 3, inner.y + size, form(top), {
        size,
        fill: palette.quiet,
        halo: palette.panel,
      }),
    );
  }
  return marks;
}

/** At most two points for each pixel: the lowest and the highest between. @returns {Mark[]} */
function curve({ run, palette, rect }, { name, values, y }) {
  const { first } = lookOf(run);
  const x = (time) => timeX(run, rect, time);
  const stride = Math.max(1, Math.floor(values.length / rect.w));
  const points = [];
  for (const [one, other] of extremes(values, stride, name === "rate" ? first : 0)) {
    points.push(x(one), y(values[one]));
    if (other !== one) points.push(x(other), y(values[other]));
  }
  points.push(x(run.nSteps), y(values[run.nSteps]));
  return [chart.line(points, { stroke: palette.ink, width: 2, name: "behind", strip: name })];
}

/**
 * What the course tells of an instant; what comes after `known` is not told, nor what is covered.
 *
 * @param {PanelScene} scene
 */
function courseWords({ run, covered }, time, known) {
  const step = `step ${whole.format(time)}`;
  if (time > known) return [step];
  const { mistakes, rate, support } = course(run);
  return [
    step,
    ...(covered().has("mistakes") ? [] : [counted(mistakes[time], "mistake")]),
    `${percent(rate[time])} wrong ${windowAt(run, time)}`,
    ...(covered().has("support") ? [] : [`${whole.format(support[time])} in memory`]),
  ];
}
