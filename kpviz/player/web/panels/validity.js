// The points that refute that k is a kernel, and the eigenvalues of K; and why it is one: its
// derivation, step by step.

import { firstWithin, textWidth, wrap } from "../paint/measure.js";
import { indexed, rich } from "../paint/rich.js";
import { counted, derivationTitle, number, whole, subscript } from "../run/words.js";
import { answerMarks, foldMarks, foldsHeight, reasonMarks, withoutAnswer } from "./answer.js";
import { allMarks, chart, heading, listedWords, whyNot, textsOf } from "./chart.js";
import { stacked } from "./text.js";
import { fittingStep, step } from "../board/scale.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Step } from "../board/scale.js" */
/** @import { Drawing, Mark, PanelObject, Target } from "../board/types.d.ts" */

const TITLE = "Is it a kernel?";
const KERNEL =
  "A remembered example u votes on any place v, and k(u, v) says how much. It is a kernel if each place can get a list of numbers φ, so that k(u, v) is φ(u)·φ(v): their products, added up. Then no eigenvalue of K, the table of k between all examples, is below 0.";
const LEAST_CHART = 70; // In px, where the unit is 1: a lower chart shows too little.
const HAIR = 1; // In px: an eigenvalue below −tolerance is seen, however small.
const BAR_SHARE = 0.82; // Relative to the room for a bar.
const STEP_INDENT = 1.1; // In letters, for each step into the parts of a kernel.
const DEEPEST_INDENT = 8; // Deeper steps are set in no further.

/**
 * The answer, what shows it, computed by hand where k is none, and the eigenvalues.
 *
 * @param {PanelScene} scene
 * @returns {Drawing}
 */
function validityMarks(scene) {
  const { run, rect, palette, unit } = scene;
  const extra = run.header.extras.validity;
  if (!extra || extra.why) {
    return [...heading(scene, TITLE), ...whyNot(scene, extra?.why ?? "Computing…")];
  }
  // The sentence may say it already.
  const answer = scene.isAboutKernel ? withoutAnswer(scene) : answerMarks(scene, extra.answer);
  const reasons = reasonsOf(scene, extra, rect.y + answer.h);
  const from = rect.y + answer.h + reasons.h + 8 * unit;
  const folds = foldMarks(scene, [
    { question: "What is a kernel?", lines: [KERNEL] },
    ...(extra.points
      ? [{ question: "What do the eigenvalues say?", lines: [extra.sentence] }]
      : []),
  ]);
  const box = { ...rect, y: from, h: rect.y + rect.h - from - foldsHeight(scene) };
  return {
    still: [
      {
        key: [run.id, palette.dark, box.y, box.h].join(),
        marks: () => [...reasons.marks, ...eigenvalues(scene, box), ...folds],
      },
    ],
    moving: [...heading(scene, TITLE), ...answer.marks],
  };
}

/**
 * What refutes k: the points, the squared length that would be negative and, larger, its numbers;
 * where nothing does, what was looked at. They have what the least chart leaves them, the numbers
 * first.
 *
 * @returns {{ marks: Mark[], h: number }}
 */
function reasonsOf(scene, extra, top) {
  const { rect, unit } = scene;
  const room = rect.y + rect.h - top - LEAST_CHART * unit - foldsHeight(scene);
  const place = { ...rect, y: top };
  if (!extra.points) {
    const how = /** @type {const} */ ({ from: "body", most: 3, name: "verdict" });
    const told = reasonMarks(scene, place, extra.sentence, how);
    return told.h > room ? { marks: [], h: 0 } : told;
  }
  /** @type {[string, { from: Step, most: number, name: string }][]} */
  const reasons = [
    [extra.points, { from: "body", most: 2, name: "points" }],
    [extra.about, { from: "body", most: 2, name: "about" }],
    [extra.sum, { from: "large", most: 1, name: "sum" }],
  ];
  const there = reasons.filter(([words]) => words);
  const high = () =>
    there.reduce((sum, [words, how]) => sum + reasonMarks(scene, place, words, how).h, 0);
  while (there.length && high() > room) there.splice(Math.max(there.length - 2, 0), 1);
  /** @type {Mark[]} */
  const marks = [];
  let h = 0;
  for (const [words, how] of there) {
    const added = reasonMarks(scene, { ...place, y: top + h }, words, how);
    marks.push(...added.marks);
    h += added.h;
  }
  /** @type {Target} */
  const target = { kind: "examples", index: extra.examples ?? [], stop: true };
  const told = () => reasons.map(([words]) => words).filter(Boolean);
  if (h) marks.push(chart.area({ ...place, h }, target, told));
  return { marks, h };
}

/**
 * A bar for each eigenvalue, from the largest to the smallest, whose number is told; those below
 * −tolerance hang under the line, and are counted.
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
  const all = whole.format(values.length);
  const below = values.filter((value) => value < -tolerance).length;
  const least = values.length > 1 ? `, the smallest ${number(values.at(-1))}` : "";
  const counted = below
    ? `${whole.format(below)} of the ${all} eigenvalues of K are below 0${least}`
    : `the ${all} eigenvalues of K${least}`;
  const captions = [
    counted.replace("of K", "of K on these examples"),
    counted,
    `eigenvalues of K${least}`,
    "eigenvalues of K",
  ];
  const caption = firstWithin(captions, right - left, size, palette.fonts);
  const look = { size, fill: palette.quiet };
  const labelAtLeft = (text, py) =>
    chart.text(left - 4 * unit, py, text, { ...look, align: "right" });
  const bars = Array.from(values, (value, k) => {
    const negative = value < -tolerance;
    const h = Math.max(Math.abs(y(value) - zero), negative ? HAIR : 0);
    const x = left + (k + (1 - BAR_SHARE) / 2) * wide;
    return chart.rect(x, value < 0 ? zero + 1 : zero - h, BAR_SHARE * wide, h, {
      fill: palette.ink,
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
  if (!extra) return [...title, ...whyNot(scene, "Computing…")];
  if (extra.why) return [...title, ...refutation(scene, extra.why)];
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

/** Why there is no derivation, as large as has room. @param {PanelScene} scene @returns {Mark[]} */
function refutation({ rect, unit, palette: { fonts, ink: fill } }, words) {
  const top = rect.y + 24 * unit;
  // Letters that are set lower are wider.
  const linesIn = (size) => wrap(words, rect.w - size, size, fonts);
  const fits = (size) => (1.35 * linesIn(size).length + 0.5) * size <= rect.y + rect.h - top;
  const size = fittingStep("body", unit, fits);
  return linesIn(size).flatMap((line, k) => {
    const y = top + (1.2 + 1.35 * k) * size;
    return rich({ x: rect.x, y, size, fill, text: indexed(line), fonts, name: "why" });
  });
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
  return [answer, sentence, ...count, ...listedWords(drawing)];
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
