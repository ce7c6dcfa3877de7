// What is particular to the learner: parts that its description asks for (learners/protocol.py),
// stacked.

import { sceneWith } from "../board/scene.js";
import { chart, extremes, heading, onOneLine, spanSoFar } from "./chart.js";
import { answerMarks } from "./answer.js";
import { example, number, toldApart, whole } from "../run/words.js";
import { fittingStep, step } from "../board/scale.js";
import { firstWithin, textWidth } from "../paint/measure.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject, RectMark, StillMarks } from "../board/types.d.ts" */

const LINES_BEFORE_CLASS = 6;
// Before a class, where type is large, a part has room for so much.
const LETTERS_BEFORE_CLASS = 24;
const LINES_WITH_AXIS = 5;
const AXIS = 1.25; // The height of the steps under a line, relative to the type.
const HEAD = 22; // In px, where the unit is 1: the title alone.
const LEAST_WITH_ANSWER = 170; // In px, where the unit is 1.
const LEAST_UNDER_ANSWER = 90; // So much each part needs under an answer on one line.

const PARTS = { ages, line, pair, curve };

/** @param {PanelScene} scene @returns {Drawing} */
function ownMarks(scene) {
  const { run, rect, palette, unit, t, bare } = scene;
  const { panel, parts: all } = run.header.about;
  const sentence = answerWords(run, all, t);
  // The same bricks stand beside it, in the same order.
  const others = all.filter(({ kind }) => kind !== "ages");
  const parts = scene.stands("alpha") && others.length ? others : all;
  const isHigh = rect.h >= LEAST_WITH_ANSWER * unit;
  const told = sentence ? answerMarks(scene, sentence, isHigh ? 2 : 1) : null;
  const hasRoom = told && (isHigh || rect.h - told.h >= LEAST_UNDER_ANSWER * unit * parts.length);
  const answer = hasRoom ? told : { marks: [], h: HEAD * unit };
  const head = answer.h;
  const partHeight = (rect.h - head) / parts.length;
  /** @type {StillMarks[]} */
  const still = [
    {
      key: [run.id, palette.dark].join(),
      marks: () => heading(scene, panel),
    },
  ];
  /** @type {Mark[]} */
  const moving = [...answer.marks];
  parts.forEach((part, k) => {
    const box = { x: rect.x, y: rect.y + head + k * partHeight, w: rect.w, h: partHeight - 4 };
    const hasRoom = (/** @type {number} */ size) =>
      LINES_BEFORE_CLASS * size <= box.h && LETTERS_BEFORE_CLASS * size <= box.w;
    const size = bare ? fittingStep("body", unit, hasRoom) : step("small", unit);
    const hasAxis = part.kind === "line" && box.h >= LINES_WITH_AXIS * size;
    const foot = hasAxis ? AXIS * size : 0;
    const inner = { x: box.x, y: box.y + size * 1.35, w: box.w, h: box.h - size * 1.6 - foot };
    const drawn = PARTS[part.kind](
      sceneWith(scene, { t: scene.paced ?? t, part, inner, size, hasAxis }),
    );
    const background = () => [
      { kind: "rect", ...inner, fill: palette.panel, radius: 2 },
      ...(drawn.still ?? []),
    ];
    still.push({ key: [run.id, palette.dark, k, drawn.key ?? ""].join(), marks: background });
    for (const mark of drawn.moving) moving.push({ ...mark, part: part.kind, detail: part.detail });
    const value = {
      text: valueOf(run, part, t),
      size,
      weight: 600,
      fill: palette.ink,
      name: "value",
      detail: part.detail,
    };
    const words = labelOf(run, part, t);
    const room = box.w - textWidth(value.text, size, palette.fonts, 600) - size;
    const shorter = [words, words.split("; ")[0], words.split(/; | \(/)[0]];
    const text = firstWithin(shorter, room, size, palette.fonts) ?? shorter.at(-1);
    moving.push(...onOneLine(palette, { ...box, y: box.y + size }, { text, size }, value));
  });
  return { still, moving };
}

/** What happened to what is remembered, in a sentence; "" of a learner that only has numbers. */
function answerWords(run, parts, t) {
  const isAmong = (kind) => parts.some((part) => part.kind === kind);
  if (isAmong("pair")) {
    if (t === 0) return "Each step moves two weights.";
    const i = run.trace.index[t - 1];
    const moved = Math.abs(run.alphaOf(i, t) - run.alphaOf(i, t - 1));
    return `Two weights move by ${number(moved)}: ${example(i)} and ${example(run.details.partner[t - 1])}.`;
  }
  if (!isAmong("ages")) return "";
  const count = whole.format(run.trace.entries(t).length);
  const { capacity } = run.header.about;
  const victims = run.details.victim?.slice(0, t);
  if (!capacity || !victims) {
    return `${count} remembered${capacity ? `, at most ${whole.format(capacity)}` : ""}.`;
  }
  const forgotten = victims.filter((i) => i >= 0).length;
  const gone = forgotten ? `${whole.format(forgotten)} forgotten` : "none forgotten yet";
  return `${count} in memory, at most ${whole.format(capacity)}; ${gone}.`;
}

/** What a part is called, and what its free places are. */
function labelOf(run, { kind, label }, t) {
  const hasFree = kind === "ages" && run.trace.entries(t).length < run.header.about.capacity;
  return hasFree ? `${label} (outlined: still free)` : label;
}

/** The particular as it is after the present step, with its limit. */
function valueOf(run, { kind, detail, limit, at }, t) {
  if (kind !== "line" || t === 0 || (at === "mistakes" && !run.trace.mistake[t - 1])) return "";
  const now = number(run.details[detail][t - 1]);
  const bound = typeof limit === "string" ? run.details[limit][t - 1] : limit;
  return bound === null || typeof limit === "number" ? now : `${now}, at most ${number(bound)}`;
}

/** One bar for each remembered presentation, oldest first: what it still weighs. */
function ages({ run, t, inner, palette, hot, unit, size }) {
  const entries = heaviest(run.trace.entries(t), Math.floor(inner.w));
  const limit = run.header.alphaLimit;
  const { capacity } = run.header.about;
  const most = Math.max(entries.length, capacity ?? 0, 1);
  const w = Math.min(inner.w / most, 34 * unit);
  const victim = t > 0 && run.details.victim ? run.details.victim[t - 1] : -1;
  const moving = entries.flatMap(({ step, i, weight }, k) => {
    const h = Math.min(Math.abs(weight) / limit, 1) * (inner.h - 2);
    /** @type {RectMark} */
    const bar = chart.rect(
      inner.x + k * w + (w > 3 ? 1 : 0),
      inner.y + inner.h - h,
      Math.max(w - (w > 3 ? 2 : 0.3), 0.6),
      h,
      { fill: palette.ofClass(run.y[i]), i, step, weight, name: "entry" },
    );
    return step === t - 1 || hot.has(i)
      ? [bar, { ...bar, fill: null, stroke: palette.ink, width: 2, name: "newest" }]
      : [bar];
  });
  const base = inner.y + inner.h;
  const high = 0.5 * inner.h;
  for (let k = entries.length; k < (capacity ?? 0) && w > 3; k++) {
    const look = { stroke: palette.quiet, width: 1, name: "free" };
    moving.push(chart.rect(inner.x + k * w + 1, base - high, w - 2, high - 0.5, look));
  }
  if (victim >= 0) {
    const right = /** @type {const} */ ({ align: "right", name: "victim" });
    const look = { size, weight: 600, fill: palette.ink, ...right };
    moving.push(
      chart.text(
        inner.x + inner.w - 4,
        inner.y + 1.15 * size,
        `${example(victim)} forgotten`,
        look,
      ),
    );
  }
  return { moving };
}

/** At most `most` entries: of neighbours that share a pixel the heaviest. */
function heaviest(entries, most) {
  const stride = Math.ceil(entries.length / Math.max(most, 1));
  if (stride <= 1) return entries;
  const heaviestEntries = [];
  for (let from = 0; from < entries.length; from += stride) {
    heaviestEntries.push(
      entries
        .slice(from, from + stride)
        .reduce((a, b) => (Math.abs(b.weight) > Math.abs(a.weight) ? b : a)),
    );
  }
  return heaviestEntries;
}

/** A particular up to now; its limit dashed. */
function line({ run, t, inner, part, palette, unit, size, hasAxis }) {
  const values = run.details[part.detail] ?? []; // A run without examples has no details.
  const events = part.at === "mistakes";
  const of = part.logarithmic ? (value) => Math.log10(Math.max(value, 1e-12)) : (value) => value;
  const limits =
    typeof part.limit === "string"
      ? (run.details[part.limit] ?? [])
      : part.limit === null
        ? []
        : [part.limit];
  const past = values.slice(0, t); // What is to come has no part in the scale.
  const pastLimits = typeof part.limit === "string" ? limits.slice(0, t) : limits;
  const [low, high] = span(past, pastLimits, of, events && run.trace.mistake);
  const steps = spanSoFar(run, t);
  const x = (step) => inner.x + (step / steps) * (inner.w - 5 * unit);
  const y = (value) => inner.y + inner.h - 2 - ((of(value) - low) / (high - low)) * (inner.h - 4);
  const dashed = { stroke: palette.quiet, width: 1.5, dash: [4, 3] };
  const still = [];
  if (typeof part.limit === "number") {
    const ends = [inner.x, y(part.limit), inner.x + inner.w, y(part.limit)];
    const floor = { stroke: palette.rule, width: 1 };
    still.push(chart.line(ends, { ...(part.limit ? dashed : floor), name: "limit" }));
  }
  if (t === 0) return { still, moving: [] };
  /** @type {Mark[]} */
  const moving = hasAxis ? stepsUnder(inner, steps, { size, fill: palette.quiet }) : [];
  if (typeof part.limit === "string") moving.push(chart.line(polyline(pastLimits, x, y), dashed));
  if (events) {
    const made = [...run.trace.mistakeSteps].filter((step) => step < t);
    const side = 6 * unit;
    const points = made.flatMap((step) => [x(step + 1) - side / 2, y(values[step]) - side / 2]);
    moving.push({ kind: "rects", points, w: side, h: side, fill: palette.ink });
  } else moving.push(chart.line(polyline(past, x, y), { stroke: palette.ink, width: 1.6 }));
  if (!events || run.trace.mistake[t - 1]) {
    const nowLook = {
      fill: palette.ink,
      stroke: palette.paper,
      width: 1.5,
      value: values[t - 1],
      name: "now",
    };
    moving.push(chart.circle(x(t), y(values[t - 1]), 4 * unit, nowLook));
  }
  return { still, moving };
}

/** The first and the last step of a line. */
const stepsUnder = ({ x, y, w, h }, steps, look) => [
  chart.text(x, y + h + 1.1 * look.size, "step 0", look),
  chart.text(x + w, y + h + 1.1 * look.size, whole.format(steps), { ...look, align: "right" }),
];

function span(values, limits, of, only) {
  let low = Infinity;
  let high = -Infinity;
  const see = (value) => {
    low = Math.min(low, of(value));
    high = Math.max(high, of(value));
  };
  values.forEach((value, k) => (!only || only[k]) && see(value));
  limits.forEach(see);
  if (!(high > low)) {
    low = Math.min(low, 0) || 0;
    high = Math.max(high, 0) || 1;
  }
  return high > low ? [low, high] : [low, low + 1];
}

const polyline = (values, x, y) =>
  extremes(values, Math.max(1, Math.ceil(values.length / 600)))
    .flat()
    .flatMap((k) => [x(k + 1), y(values[k])]);

/** The two coefficients that a step moves, before and after, in their box. */
function pair({ run, t, inner, part, palette, unit, size }) {
  if (t === 0) return { moving: [] };
  const i = run.trace.index[t - 1];
  const j = run.details.partner[t - 1];
  const named = 3.8 * size; // This leaves room for its name at the left.
  const w = Math.min(inner.w / 2 - 1.6 * named, 200 * unit);
  const moving = [i, j].flatMap((k, which) => {
    const left = inner.x + named + which * (inner.w / 2);
    const before = run.alphaOf(k, t - 1);
    const after = run.alphaOf(k, t);
    const at = (alpha) => left + Math.min(Math.max(alpha / part.limit, 0), 1) * w;
    const top = inner.y + inner.h * 0.22;
    const h = inner.h * 0.34;
    const [was, now] = toldApart(before, after, { plain: true });
    const moves =
      after === before ? `${was}, as before` : `${was}, moves by ${number(after - before)}`;
    const change = now ? `${was} → ${now}` : moves;
    const words = [`α: ${change} of C = ${number(part.limit)}`, `α: ${change}`, change, now || was];
    const room = inner.w / 2 - named;
    const look = {
      fill: palette.ofClass(run.y[k]),
      i: k,
      alpha: 0.85,
      before,
      after,
      name: "after",
    };
    const beforeLook = { stroke: palette.ink, width: 2, dash: [3, 2], name: "before" };
    const textLook = /** @type {const} */ ({
      size,
      weight: 600,
      align: "right",
      fill: palette.ink,
    });
    return [
      chart.rect(left, top, w, h, { stroke: palette.quiet, width: 1.2, name: "box" }),
      chart.rect(left, top, at(after) - left, h, look),
      chart.line([at(before), top - 4, at(before), top + h + 4], beforeLook),
      chart.text(left - 6, top + h * 0.8, example(k), textLook),
      chart.text(left, top + h + size * 1.35, firstWithin(words, room, size, palette.fonts) ?? "", {
        size,
        fill: palette.quiet,
      }),
    ];
  });
  return { moving };
}

/**
 * How much is added at each margin, and the present step on it; the perceptron's step for
 * comparison.
 */
function curve({ run, t, inner, part, palette, unit, size }) {
  const sent = run.arrays.curve;
  const count = sent.length / 2;
  const margins = sent.subarray(0, count);
  const added = sent.subarray(count);
  const end = margins[count - 1];
  const whole = part.limit; // This is what the perceptron adds.
  const most = whole * 1.08;
  const x = (margin) =>
    inner.x + ((Math.min(Math.max(margin, -end), end) + end) / (2 * end)) * inner.w;
  const y = (value) => inner.y + inner.h - 2 - (value / most) * (inner.h - 4);
  const points = [...margins].flatMap((margin, k) => [x(margin), y(added[k])]);
  const look = { stroke: palette.quiet, width: 1.4, dash: [4, 3] };
  const still = [
    chart.line([x(-end), y(whole), x(0), y(whole), x(0), y(0), x(end), y(0)], look),
    chart.line(points, { stroke: palette.ink, width: 2 }),
    chart.text(x(0) + 6, inner.y + inner.h - 0.6 * size, "y f = 0", {
      size,
      fill: palette.quiet,
    }),
  ];
  if (t === 0) return { still, moving: [] };
  const step = t - 1;
  const i = run.trace.index[step];
  const margin = run.y[i] * run.trace.score[step];
  const value = run.details[part.detail][step];
  const nowLook = {
    fill: palette.ofClass(run.y[i]),
    stroke: palette.ink,
    width: 1.5,
    margin,
    value,
    i,
    name: "now",
  };
  const moving = [chart.circle(x(margin), y(value), 5 * unit, nowLook)];
  return { still, moving };
}

/** @type {PanelObject} */
export const ownPanel = { name: "own", marks: ownMarks };
