// Whether k is a kernel: points that refute it, and the eigenvalues of K; and why it is one: its
// derivation, step by step.

import { textWidth, wrap } from "../paint/measure.js";
import { counted, derivationTitle, number, whole, subscript } from "../run/words.js";
import { allMarks, chart, heading, listedWords, whyNot, textsOf } from "./chart.js";
import { stacked } from "./text.js";
import { step } from "../board/scale.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject, Target } from "../board/types.d.ts" */

const TITLE = "Is it a kernel?";
const TONES = { yes: "good", no: "warning", unknown: "quiet" };
const LEAST_CHART = 70; // In px, where the unit is 1: a lower chart shows too little.
// In px: the bar of an eigenvalue below −tolerance is seen, however small that is.
const LEAST_BAR = 2;
const BAR_SHARE = 0.82; // Relative to the room for a bar.
const STEP_INDENT = 1.1; // In letters, for each step into the parts of a kernel.
const DEEPEST_INDENT = 8; // Deeper steps are set in no further.

/** @param {PanelScene} scene @returns {Drawing} */
function validityMarks(scene) {
  const { run, rect, palette, unit } = scene;
  const extra = run.header.extras.validity;
  if (!extra || extra.why) {
    return [...heading(scene, TITLE), ...whyNot(scene, extra?.why ?? "Computing…")];
  }
  const size = step("label", unit);
  const answerNote = {
    text: extra.answer,
    size: step("label", unit),
    weight: 600,
    fill: palette[TONES[extra.psd]],
    name: "answer",
  };
  const line = 1.35 * size;
  const top = rect.y + 24 * unit;
  const lines = (text, look) =>
    wrap(text, rect.w, size, palette.fonts, look.weight).map((part) => [part, look]);
  const points = extra.points
    ? lines(extra.points, { fill: palette.ink, weight: 600, name: "points" })
    : [];
  const sentence = lines(extra.sentence, { fill: palette.quiet, name: "verdict" });
  const fits = (words) => words.length * line <= rect.h - 24 * unit - LEAST_CHART * unit;
  const words = [[...points, ...sentence], points].find(fits) ?? [];
  const named = { x: rect.x, y: top, w: rect.w, h: points.length * line };
  /** @type {Target} */
  const target = { kind: "examples", index: extra.examples ?? [], stop: true };
  const refuting =
    points.length && words.length ? [chart.area(named, target, () => [extra.points])] : [];
  const marks = words.map(([text, look], k) =>
    chart.text(rect.x, top + size + k * line, text, { size, ...look }),
  );
  const from = top + words.length * line + 8 * unit;
  const box = { x: rect.x, y: from, w: rect.w, h: rect.y + rect.h - from };
  return {
    still: [
      {
        key: [run.id, palette.dark].join(),
        marks: () => [...refuting, ...eigenvalues(scene, box)],
      },
    ],
    moving: [...heading(scene, TITLE, answerNote), ...marks],
  };
}

/**
 * A bar for each eigenvalue, from the largest to the smallest; those below −tolerance stand out.
 *
 * @returns {Mark[]}
 */
function eigenvalues({ run, palette, unit }, box) {
  const values = run.arrays.eigenvalues;
  const { tolerance } = run.header.extras.validity;
  const size = step("small", unit);
  const high = Math.max(values[0], 0);
  const low = Math.min(values.at(-1), 0);
  const labels = [high, 0, low].map(number);
  const left =
    box.x + Math.max(...labels.map((text) => textWidth(text, size, palette.fonts))) + 6 * unit;
  const base = box.y + box.h - 1.5 * size;
  const right = box.x + box.w;
  if (base - box.y < 3 * size) return [];
  const y = (value) => box.y + ((high - value) / (high - low || 1)) * (base - box.y);
  const wide = (right - left) / values.length;
  const zero = y(0);
  const below = values.filter((value) => value < -tolerance).length;
  const count = `${below ? whole.format(below) : "none"} of ${whole.format(values.length)}`;
  const least = `the smallest ${number(values.at(-1))}; ${count} below −tolerance`;
  const caption = [
    `eigenvalues of K, ${least}, ${number(-tolerance)}`,
    `eigenvalues of K, ${least}`,
    `eigenvalues: ${count} below −tolerance`,
    "eigenvalues of K",
  ].find((text) => textWidth(text, size, palette.fonts) <= right - left);
  const look = { size, fill: palette.quiet };
  const labelAtLeft = (text, py) =>
    chart.text(left - 4 * unit, py, text, { ...look, align: "right" });
  const bars = Array.from(values, (value, k) => {
    const negative = value < -tolerance;
    const h = Math.max(Math.abs(y(value) - zero), negative ? LEAST_BAR : 0);
    const x = left + (k + (1 - BAR_SHARE) / 2) * wide;
    // What is negative is hollow.
    const look = negative ? { stroke: palette.ink, width: 1.5 } : { fill: palette.ink };
    return chart.rect(x, value < 0 ? zero : zero - h, BAR_SHARE * wide, h, {
      ...look,
      name: "eigenvalue",
      value,
    });
  });
  const told = (value, k) =>
    `λ${subscript(k + 1)} = ${number(value)}${value < -tolerance ? ", below −tolerance: this refutes k" : ""}`;
  const columns = bars.map(({ x, w, value }, k) =>
    chart.area({ x, y: box.y, w, h: base - box.y }, { kind: "words", index: k, stop: true }, () => [
      told(value, k),
    ]),
  );
  const apart = zero - box.y > 1.6 * size;
  return [
    chart.rect(left, box.y, right - left, base - box.y, { fill: palette.panel, name: "ground" }),
    ...bars,
    ...columns,
    chart.rect(left, zero, right - left, 1, { fill: palette.ink, name: "zero" }),
    labelAtLeft(labels[0], box.y + size),
    ...(apart ? [labelAtLeft("0", Math.min(zero + size / 3, base))] : []),
    ...(low && base - zero > (apart ? 1.6 : 2.4) * size ? [labelAtLeft(labels[2], base)] : []),
    ...(caption ? [chart.text(left, base + 1.2 * size, caption, { ...look, name: "count" })] : []),
  ];
}

/** @param {PanelScene} scene @returns {Drawing} */
function derivationMarks(scene) {
  const { palette } = scene;
  const extra = scene.run.header.extras.derivation;
  const title = heading(scene, derivationTitle(scene.run));
  if (!extra || extra.why) return [...title, ...whyNot(scene, extra?.why ?? "Computing…")];
  const stepBlocks = extra.steps.map(([depth, formula, rule, proof], step) => {
    const look = { indent: STEP_INDENT * Math.min(depth, DEEPEST_INDENT), step };
    return /** @type {[string, object][]} */ ([
      [formula, { ...look, fill: palette.ink, weight: 600, name: "formula" }],
      [`${rule}: ${proof}`, { ...look, name: "rule" }],
    ]);
  });
  const others = (left) => `${counted(left, "more step")} ${left === 1 ? "has" : "have"}`;
  const brief = stepBlocks.map(
    ([[formula, look]], k) =>
      /** @type {[string, object][]} */ ([[`${formula}: ${extra.steps[k][2]}`, look]]),
  );
  const marks = stacked(scene, stepBlocks, others, scene.bare ? brief : stepBlocks);
  return [
    ...title,
    ...marks,
    ...extra.steps.flatMap((step, k) => aboutStep(scene, step, linesOfStep(marks, k))),
  ];
}

const linesOfStep = (marks, k) => marks.filter(({ step }) => step === k);

/** What a step of the derivation tells, where its lines stand. @param {PanelScene} scene */
function aboutStep({ rect }, [, formula, rule, proof], lines) {
  if (!lines.length) return [];
  const first = lines[0];
  const place = {
    x: rect.x,
    y: first.y - first.size,
    w: rect.w,
    h: lines.at(-1).y - first.y + 1.35 * first.size,
  };
  return [
    chart.area(place, { kind: "words", index: first.step, stop: true }, () => [
      formula,
      `${rule}: ${proof}`,
    ]),
  ];
}

/**
 * The answer, the points that refute, which light up where they are examples, and the eigenvalues.
 *
 * @param {PanelScene} scene
 * @returns {string[]}
 */
function summaryOfValidity(scene) {
  const { answer, why = "", sentence } = scene.run.header.extras.validity ?? {};
  if (why || !answer) return why ? [why] : [];
  const drawing = validityMarks(scene);
  const count = textsOf(allMarks(drawing))("count").map(({ text }) => `${text}.`);
  return [`${answer}.`, sentence, ...count, ...listedWords(drawing)];
}

/** @type {PanelObject} */
export const validityPanel = {
  name: "validity",
  marks: validityMarks,
  summary: summaryOfValidity,
  walkable: true,
};

/** @type {PanelObject} */
export const derivationPanel = {
  name: "derivation",
  title: derivationTitle,
  marks: derivationMarks,
  summary(scene) {
    const { why } = scene.run.header.extras.derivation ?? { why: "" };
    return why ? [why] : listedWords(derivationMarks(scene));
  },
  walkable: true,
};
