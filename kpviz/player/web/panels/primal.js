// The primal perceptron beside the dual: w on the map and as numbers, both scores, and what each
// form costs.

import { sceneWith } from "../board/scene.js";
import { chart, fromEdge, heading, listedWords, timeX, textsOf } from "./chart.js";
import { wrap } from "../paint/measure.js";
import { spent, weights } from "../run/series.js";
import { counted, number, ordinal, signed, subscript, whole } from "../run/words.js";
import { fittingStep, step } from "../board/scale.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Said } from "./chart.js" */
/** @import { Drawing, Mark, PanelObject } from "../board/types.d.ts" */

const FEATURE_WIDTH = 150; // In px.
const FEATURE_LETTERS = 9.4; // The same in letters.
const LETTERS_BETWEEN = 1.6; // In letters, between a number and the next feature.
const LETTERS_OF_TITLE = 22;
const LETTERS_OF_GROWTH = 23;
const LETTERS_OF_LINE = 44; // One reads longer lines with less ease.
const WHOLE_ROWS = 5; // So many rows are not cut.
const FEATURES_IN_COLUMN = 5;
const RACE_LINES = 3;
const UPDATE = "on a mistake, primal: w ← w + η yᵢ φ(xᵢ); dual: αᵢ ← αᵢ + η";
const ARROW_HEAD = 9; // In px.

/**
 * w in the plane, where the features of φ are those of x; what this step's mistake added is the
 * thin part.
 */
export function weightArrow({ primal, run, view, palette, t }) {
  if (!primal?.arrow) return [];
  const { start, scale } = primal.arrow;
  const tip = (time) => weights(run, time).map((value, k) => start[k] + value * scale);
  const at = (place) => [view.x(place[0]), view.y(place[1])];
  const from = at(start);
  const now = at(tip(t));
  const look = { fill: palette.on_map, stroke: palette.field_zero, width: 1.5, name: "origin" };
  /** @type {Mark[]} */
  const marks = [chart.circle(from[0], from[1], 3.5, look)];
  if (Math.hypot(now[0] - from[0], now[1] - from[1]) > 1) {
    marks.push(
      arrow(from, now, { stroke: palette.field_zero, width: 7, alpha: 0.85 }),
      arrow(from, now, { stroke: palette.on_map, width: 3.6, name: "w", t }),
    );
  }
  if (t > 0 && run.trace.mistake[t - 1]) {
    marks.push(
      arrow(at(tip(t - 1)), now, {
        stroke: palette.point[run.y[run.trace.index[t - 1]] > 0 ? "positive" : "negative"],
        width: 1.8,
        name: "added",
      }),
    );
  }
  return marks;
}

function arrow(from, to, look) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const side = (turn) => [
    to[0] - ARROW_HEAD * Math.cos(angle + turn),
    to[1] - ARROW_HEAD * Math.sin(angle + turn),
  ];
  return chart.lines(
    [
      [...from, ...to],
      [...side(0.5), ...to, ...side(-0.5)],
    ],
    look,
  );
}

/**
 * The type is as large before a class as lets the same parts stand there at the end, so that it
 * stays while one plays.
 *
 * @param {PanelScene} scene
 * @returns {Drawing}
 */
function primalMarks(scene) {
  const { rect, unit, bare } = scene;
  const { marks, count } = laid(scene, step("small", unit));
  if (!bare) return marks;
  const hasRoom = (/** @type {number} */ size) =>
    LETTERS_OF_TITLE * size <= rect.w && laid(scene, size).count >= count;
  return laid(scene, fittingStep("body", unit, hasRoom)).marks;
}

/**
 * Parts in type of this size, from the most to the least needed, as many as there is room for, and
 * how many these are: lines of w each, and not what is only drawn.
 *
 * @param {PanelScene} scene
 * @param {number} size
 */
function laid(scene, size) {
  const { palette, primal } = scene;
  const rect = { ...scene.rect, w: Math.min(scene.rect.w, LETTERS_OF_LINE * size) };
  const line = size * 1.36;
  /** @type {Said | null} */
  const note =
    primal && !primal.why && rect.w > LETTERS_OF_TITLE * size
      ? { text: `φ has ${whole.format(primal.dimension)} entries`, size, name: "dimension" }
      : null;
  const title = heading(sceneWith(scene, { rect }), "The primal perceptron", note);
  const pen = sceneWith(scene, { rect, size, line, extra: primal });
  if (!primal) {
    const waits = text(pen, rect.x, rect.y + size * 2.8, "Computing…", { fill: palette.quiet });
    return { marks: [...title, waits], count: 0 };
  }
  const parts = primal.why
    ? [paragraphs(pen, [[primal.why, { name: "why" }]]), growth(pen)]
    : [scores(pen), features(pen), costs(pen), growth(pen)];
  /** @type {Mark[]} */
  const marks = [...title];
  let y = rect.y + size * 1.7;
  let count = 0;
  for (const [k, { least, rows, draw }] of parts.entries()) {
    const room = Math.floor((rect.y + rect.h - y) / line);
    // Where w is in the plane, its rule says more.
    const ruled = k === 3 && primal.arrow ? rules(pen).rows + RACE_LINES + 2 : 0;
    if (room < least + ruled) break;
    // Some rows of a long list may go for what comes after it.
    const reservedLines = k === 1 && !primal.why ? parts[2].least + 1 : 0;
    const taken = Math.min(rows, Math.max(room - reservedLines, Math.min(room, WHOLE_ROWS)));
    marks.push(...draw(y, taken));
    count += 1;
    y += line * (taken + 0.45);
  }
  const left = (rect.y + rect.h - y) / line;
  const after = left > RACE_LINES ? RACE_LINES : 0; // What follows needs so many lines.
  const both = [rules(pen), paragraphs(pen, [[UPDATE, { name: "rule" }]])].find(
    ({ rows }, k) => left > rows + 0.45 + (k ? after : RACE_LINES + 1),
  );
  if (!primal.why && both) {
    marks.push(...both.draw(y, both.rows));
    count += 1;
    y += (both.rows + 0.45) * line;
  }
  const free = rect.y + rect.h - y;
  if (!primal.why && free > RACE_LINES * line) {
    marks.push(...race(pen, { x: rect.x, y, w: rect.w, h: Math.min(free, 9 * line) }));
  }
  return { marks, count: count + marks.filter(({ name }) => name === "weight").length };
}

const text = ({ size, palette }, x, y, words, look = {}) =>
  chart.text(x, y, words, { size, fill: palette.ink, ...look });

/** Lines of words, one row each. */
function paragraphs(pen, sentences) {
  const lines = sentences.flatMap(([words, look]) =>
    wrap(words, pen.rect.w, pen.size, pen.palette.fonts, look?.weight).map((part) => [part, look]),
  );
  const draw = (y, rows) =>
    lines
      .slice(0, rows)
      .map(([words, look], k) => text(pen, pen.rect.x, y + pen.line * (k + 0.8), words, look));
  return { least: 1, rows: lines.length, draw };
}

/** Shown whole or not at all: half a sentence says nothing. */
const entire = (part) => ({ ...part, least: part.rows });

/** ⟨w, φ(x)⟩ beside the kernel's sum, and whether they say the same. */
function scores(pen) {
  const { run, t, extra, palette } = pen;
  const {
    trace,
    arrays: { primalScore, primalAgrees },
  } = run;
  if (t === 0) {
    const begun = trace.fromZero
      ? "w = 0, as all α are 0."
      : "w is Σ αⱼ yⱼ φ(xⱼ) of the run before.";
    const words = trace.fromZero && extra.startW ? "w = w₀, as all α are 0." : begun;
    return paragraphs(pen, [[words, { fill: palette.quiet }]]);
  }
  const b = restOf(pen);
  const step = t - 1;
  const x = `x${subscript(trace.index[step])}`;
  const agreed = primalAgrees.subarray(0, t).reduce((sum, one) => sum + one, 0);
  const verdict = trace.mistake[step] ? "a mistake" : "correct";
  const words =
    agreed === t
      ? `Same verdict: ${verdict}${t > 1 ? `; so at all ${whole.format(t)} steps so far` : ""}.`
      : `${primalAgrees[step] ? `Same verdict: ${verdict}.` : "The verdicts differ here."} Same at ${whole.format(agreed)} of ${whole.format(t)} steps. ${extra.apart}`;
  return paragraphs(pen, [
    [
      `⟨w, ${extra.arrow ? x : `φ(${x})`}⟩${b.primal} = ${number(primalScore[step])} from w before this step`,
      { name: "primal" },
    ],
    [
      `Σ αⱼ yⱼ k(xⱼ, ${x})${b.dual} = ${number(trace.score[step])} from the kernel`,
      { name: "dual" },
    ],
    [words, { name: "verdict", weight: 600, fill: agreed === t ? palette.good : palette.warning }],
  ]);
}

/** Entries of w with the largest of the run's end, each a signed bar. */
function features(pen) {
  const { rect, run, t, extra, size, line, palette } = pen;
  const w = weights(run, t);
  const columns = Math.max(
    1,
    Math.min(
      Math.floor(rect.w / Math.max(FEATURE_WIDTH, FEATURE_LETTERS * size)),
      3,
      Math.ceil(w.length / FEATURES_IN_COLUMN),
    ),
  );
  const rows = 1 + Math.ceil(w.length / columns);
  const gap = LETTERS_BETWEEN * size;
  const cell = (rect.w - gap * (columns - 1)) / columns;
  const whose = `${run.predictor.kind === "last" ? "w now" : "w of the last f"}${run.header.names.scaled ? ", of scaled features" : ""}`;
  const shownEntries =
    extra.dimension > w.length ? `, the ${w.length} entries that end largest` : "";
  const drawn = extra.arrow
    ? `; the arrow is w × ${number(extra.arrow.scale)}${extra.arrow.moved ? ", from the middle of the map" : ""}`
    : "";
  const draw = (y, room) => {
    /** @type {Mark[]} */
    const marks = [
      text(pen, rect.x, y + line * 0.8, `${whose}${shownEntries}${intercept(pen)}${drawn}`, {
        fill: palette.quiet,
      }),
    ];
    for (let j = 0; j < Math.min(w.length, (room - 1) * columns); j++) {
      const x = rect.x + (j % columns) * (cell + gap);
      const base = y + line * (Math.floor(j / columns) + 1.8);
      const half = Math.max(cell - size * 8.4, size) / 2;
      const middle = x + size * 4.9 + half;
      const long = (w[j] / extra.largest) * half;
      marks.push(text(pen, x, base, extra.names[j], { name: "feature" }));
      marks.push(
        chart.rect(middle - 0.5, base - size * 0.85, 1, size * 1.1, { fill: palette.rule }),
      );
      const look = { fill: palette.ofClass(w[j]), name: "weight", value: w[j] };
      marks.push(
        chart.rect(
          Math.min(middle, middle + long),
          base - size * 0.7,
          Math.abs(long),
          size * 0.8,
          look,
        ),
      );
      marks.push(
        text(pen, x + cell, base, number(w[j]), { align: "right", weight: 600, name: "value" }),
      );
      const place = { x, y: base - size, w: cell, h: line };
      const told = () => [`the entry of w for ${extra.names[j]}: ${number(w[j])}`];
      marks.push(chart.area(place, { kind: "words", index: j, stop: true }, told));
    }
    return marks;
  };
  return { least: 2, rows, draw };
}

/** The rule in both forms, one above the other. */
function rules(pen) {
  const b = restOf(pen);
  const shift = pen.extra.learnsB ? "; b as in the dual" : "";
  return entire(
    paragraphs(pen, [
      [
        `primal: f ← ⟨w, φ(xᵢ)⟩${b.primal}; on a mistake w ← w + η yᵢ φ(xᵢ)${shift}`,
        { name: "rule" },
      ],
      [`dual: f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ)${b.dual}; on a mistake αᵢ ← αᵢ + η`, { name: "rule" }],
    ]),
  );
}

/** What both forms add to their sums: b, and f₀, which w begins with where φ(x) is x. */
function restOf({ extra, run }) {
  const b = extra.learnsB ? " + b" : "";
  const fixed = run.initial ? " + f₀" : "";
  const ofPrimal = extra.startsAtW0 ? (extra.storedIntercept ? " + b" : "") : b + fixed;
  return { primal: ofPrimal, dual: b + fixed };
}

/** b with b₀, where w begins with w₀. */
function intercept({ extra, run, t }) {
  if (!extra.storedIntercept) return "";
  return `;  b = ${signed(run.trace.state(t).b + (extra.startsAtW0 ? run.initial.b0 : 0))}`;
}

/** From how many stored examples on the dual form costs more, in a sentence. */
function dearerFrom({ breakEven, dimension }, support) {
  const first = Math.floor(breakEven) + 1;
  const which = first === 1 ? "first" : ordinal(first);
  return `With ${counted(dimension, "feature")}, the dual costs more from the ${which} stored example on (now ${support}).`;
}

/** Two rows of a table, one for each form. */
function costs(pen) {
  const { rect, run, t, extra, palette } = pen;
  const now = spent(run, t);
  const row = (y, words, look) =>
    [0, 0.52, 1].map((at, k) =>
      text(pen, rect.x + rect.w * at, y, words[k], { align: k ? "right" : "left", ...look }),
    );
  const even = extra.breakEven === null ? "" : dearerFrom(extra, now.support);
  const after = paragraphs(pen, [[even, { fill: palette.quiet, name: "even" }]]);
  const draw = (y, rows) => [
    ...row(y + pen.line * 0.8, ["so far", "stored", "multiplications"], { fill: palette.quiet }),
    ...["primal", "dual"].flatMap((form, k) => {
      const { stored, multiplications } = now[form];
      const [first, ...numbers] = row(
        y + pen.line * (1.8 + k),
        [
          form === "primal" ? "primal: w" : "dual: α, x",
          whole.format(stored),
          whole.format(multiplications),
        ],
        {},
      );
      const place = { x: rect.x, y: first.y - pen.size, w: rect.w, h: pen.line };
      const [ofStored, ofMultiplications] = numbers.map((mark) => mark.text);
      const told = `${form}: ${ofStored} numbers stored, ${ofMultiplications} multiplications so far`;
      return [
        { ...first, name: "rule" },
        ...numbers.map((mark) => ({ ...mark, weight: 600, name: form })),
        chart.area(place, { kind: "words", index: form, stop: true }, () => [told]),
      ];
    }),
    ...(rows >= 3 + after.rows ? after.draw(y + pen.line * 3, after.rows) : []),
  ];
  return { least: 3, rows: 3 + after.rows, draw };
}

/** Multiplications of both forms over the run; both lines rise to where they are now. */
function race(pen, { x, y, w, h }) {
  const { run, t, palette, size } = pen;
  const edge = fromEdge({ x, w });
  const across = (step) => timeX(run, edge, step);
  const end = spent(run, run.nSteps);
  const highest = Math.max(end.primal.multiplications, end.dual.multiplications, 1);
  /** @type {Mark[]} */
  const marks = [chart.rect(x, y, w, h, { fill: palette.panel, radius: 2 })];
  for (const [form, stroke, dash] of [
    ["primal", palette.ink, null],
    ["dual", palette.ink, [5, 4]],
  ]) {
    const height = (time) =>
      y + h - 2 - (spent(run, time)[form].multiplications / highest) * (h - 4);
    const times = Array.from({ length: 41 }, (_, k) => Math.round((t * k) / 40));
    marks.push(
      chart.line(
        times.flatMap((time) => [across(time), height(time)]),
        { stroke, dash, width: 2, name: `${form} line` },
      ),
    );
  }
  marks.push(
    text(pen, x + 4, y + size * 1.1, "multiplications: primal solid, dual dashed", {
      size: step("small", pen.unit),
      fill: palette.quiet,
      halo: palette.panel,
    }),
  );
  return marks;
}

/** What the kernel saves as degree and dimension grow. */
function growth(pen) {
  const { rect, extra, palette, line } = pen;
  const { dimensions, rows, kernel } = extra.growth;
  const lines = [
    ["entries of x", dimensions],
    ...rows.map(([degree, sizes]) => [`of φ, degree ≤ ${degree}`, sizes]),
    ["multiplications of k", kernel],
  ];
  const draw = (y) =>
    lines.flatMap(([label, cells], k) => {
      const base = y + line * (k + 0.8);
      const head = k === 0 || k === lines.length - 1 ? palette.quiet : palette.ink;
      const right = (n) => rect.x + rect.w * (1 - 0.18 * (cells.length - 1 - n));
      return [
        text(pen, rect.x, base, label, { fill: palette.quiet }),
        ...cells.map((cell, n) =>
          text(pen, right(n), base, cell, {
            align: "right",
            fill: k === lines.length - 1 ? palette.ink : head,
            weight: k ? 500 : 400,
            name: "growth",
          }),
        ),
      ];
    });
  return {
    least: rect.w < LETTERS_OF_GROWTH * pen.size ? Infinity : lines.length,
    rows: lines.length,
    draw,
  };
}

/**
 * Both scores, the entries of w that are shown, and what has been stored and multiplied.
 *
 * @param {PanelScene} scene
 * @returns {string[]}
 */
function summary(scene) {
  const drawing = primalMarks(scene);
  const texts = textsOf(drawing);
  const textGroups = ["primal", "dual", "verdict"].map((name) =>
    texts(name).filter(({ align }) => align !== "right"),
  );
  const sentences = textGroups
    .map((parts) => parts.map(({ text: words }) => words).join(" "))
    .filter(Boolean);
  return [...sentences, ...listedWords(drawing)];
}

/** @type {PanelObject} */
export const primalPanel = {
  name: "primal",
  marks: primalMarks,
  summary,
  alone: true,
  walkable: true,
};
