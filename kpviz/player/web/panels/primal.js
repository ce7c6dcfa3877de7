// The primal perceptron beside the dual: w on the map and as numbers, both scores, and what each
// form costs.

import { answerMarks, foldMarks, foldsHeight, reasonMarks } from "./answer.js";
import {
  boxesOf,
  chart,
  circlesOfPoints,
  freest,
  heading,
  listedWords,
  textsOf,
  whyNot,
} from "./chart.js";
import { spent, weights } from "../run/series.js";
import { counted, number, ordinal, signed, subscript, whole } from "../run/words.js";
import { fittingStep, step } from "../board/scale.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Primal } from "../run/types.d.ts" */
/** @import { Drawing, Mark, PanelObject } from "../board/types.d.ts" */

const TITLE = "The primal perceptron";
const LETTERS_OF_GROWTH = 30; // The table of growth is so wide, in letters.
const LINE = 1.36; // Relative to the type: so high is a line of it.
const LINES_OF_CHART = 5; // In labels: two bars under their name are at least so high.
const MOST_OF_CHART = 11; // In labels: higher bars say no more.
const WIDEST_FORM = 2.6; // In labels: the names of the forms stand left of their bars.
const WIDEST_NUMBER = 5.5; // In labels: numbers stand right of the bars.
/** @type {["primal" | "dual", string][]} */
const FORMS = [
  ["primal", "w"],
  ["dual", "α, x"],
];
const ARROW_HEAD = 9; // In px.

/**
 * w in the plane, where the features of φ are those of x; what this step's mistake added is the
 * thin part.
 */
export function weightArrow(scene) {
  const { primal, run, view, palette, t } = scene;
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
      nameAt(scene, now),
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

/**
 * What the arrow is called, beside its tip, where that covers no point.
 *
 * @param {PanelScene} scene
 * @param {number[]} tip
 * @returns {Mark}
 */
function nameAt(scene, [x, y]) {
  const { rect, palette, unit } = scene;
  const size = step("body", unit);
  const boxes = [1, 1.6, 2.4].flatMap((far) =>
    [
      [1, -0.4],
      [0.4, -1],
      [-1, -0.4],
      [1, 0.6],
      [-1, 0.6],
      [0, 1],
    ].map(([across, down]) => ({
      x: x + across * far * size - size / 2,
      y: y + down * far * size - size / 2,
      w: size,
      h: size,
    })),
  );
  const box = freest(boxes, boxesOf(circlesOfPoints(scene)), rect);
  return chart.text(box.x + size / 2, box.y + size / 2, "w", {
    size,
    weight: 700,
    align: "center",
    baseline: "middle",
    fill: palette.on_map,
    halo: palette.field_zero,
    name: "w name",
  });
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
 * How many numbers each form keeps, as a sentence and as bars; w and both scores; and the rest
 * under questions.
 *
 * @param {PanelScene} scene
 * @returns {Drawing}
 */
function primalMarks(scene) {
  const { primal, unit, rect } = scene;
  const title = heading(scene, TITLE);
  if (!primal) return [...title, ...whyNot(scene, "Computing…")];
  if (primal.why) {
    const answer = answerMarks(scene, primal.why);
    const why = answer.marks.map((mark) => ({ ...mark, name: "why" }));
    const top = rect.y + answer.h + step("label", unit);
    return [...title, ...why, ...growthMarks(scene, top)];
  }
  const now = spent(scene.run, scene.t);
  const answer = answerMarks(scene, answerWords(primal, now));
  const place = { ...rect, y: rect.y + answer.h };
  const how = /** @type {const} */ ({ from: "body", most: 2, name: "verdict" });
  const reason = reasonMarks(scene, place, reasonWords(scene), how);
  const top = place.y + reason.h + step("label", unit);
  const free = rect.y + rect.h - foldsHeight(scene) - top;
  return [
    ...title,
    ...answer.marks,
    ...(free >= 0 ? reason.marks : []),
    ...barsMarks(scene, { ...rect, y: top, h: free }, now),
    ...foldMarks(scene, foldsOf(scene, now)),
  ];
}

/** @param {Primal} header */
function answerWords({ storedIntercept }, { primal, dual }) {
  const stored = counted(primal.stored, "number");
  const keeps = storedIntercept ? "w and b are" : "w is";
  return `${keeps} ${stored}. The dual keeps ${whole.format(dual.stored)}.`;
}

/** What w is, where it is an arrow; and what both forms say of the example of this step. */
function reasonWords({ run, t, primal }) {
  const {
    trace,
    arrays: { primalScore, primalAgrees },
  } = run;
  const w = primal.arrow ? `w = (${[...weights(run, t)].map(number).join(", ")})` : "w";
  const isDrawnAsIs = primal.arrow?.scale === 1 && !primal.arrow.moved;
  const drawn = isDrawnAsIs
    ? `${w} is the arrow on the map. `
    : `The arrow on the map has the direction of ${w}. `;
  const arrow = primal.arrow ? drawn : "";
  if (t === 0) return arrow || "All α are as they were at the beginning, and so is w.";
  const last = t - 1;
  const x = `x${subscript(trace.index[last])}`;
  const fromW = signed(primalScore[last]);
  const fromKernel = signed(trace.score[last]);
  const scores =
    fromW === fromKernel
      ? `Both give ${x} the score ${fromW}`
      : `w gives ${x} the score ${fromW}, the kernel ${fromKernel}`;
  const agreed = primalAgrees.subarray(0, t).reduce((sum, one) => sum + one, 0);
  const steps = t === 1 ? "at this step" : `at all ${whole.format(t)} steps`;
  const verdicts =
    agreed === t
      ? `the same verdict ${steps}`
      : `the same verdict at ${whole.format(agreed)} of ${counted(t, "step")}. ${primal.apart}`;
  return `${arrow}${scores}: ${verdicts.replace(/[.]?$/, ".")}`;
}

/**
 * Numbers stored and multiplications so far, those of w filled, those of the dual an outline: as
 * many of the two as have room.
 *
 * @returns {Mark[]}
 */
function barsMarks({ palette, unit, bare, t }, { x, y, w, h }, now) {
  const label = step(bare ? "body" : "label", unit);
  const charts = [
    ["Numbers stored", "stored", "numbers stored"],
    [`Multiplications in ${counted(t, "step")}`, "multiplications", "multiplications so far"],
  ];
  const least = LINES_OF_CHART * label;
  const count = Math.min(Math.floor(h / least), charts.length);
  const high = Math.min(h / count, MOST_OF_CHART * label);
  const left = x + WIDEST_FORM * label;
  const room = w - (WIDEST_FORM + WIDEST_NUMBER) * label;
  return charts.slice(0, count).flatMap(([words, kind, unitWords], k) => {
    const top = y + k * high;
    const most = Math.max(now.primal[kind], now.dual[kind], 1);
    const bar = (high - 2 * label) / 2;
    const look = { size: label, weight: 600, fill: palette.ink };
    return [
      chart.text(x, top + label, words, look),
      ...FORMS.flatMap(([form, name], j) => {
        const value = now[form][kind];
        const barTop = top + 1.5 * label + j * bar;
        const long = (value / most) * room;
        const base = barTop + 0.4 * bar + 0.35 * label;
        const drawn = j ? { stroke: palette.ink, width: 1.5 * unit } : { fill: palette.ink };
        const place = { x, y: barTop, w, h: 0.8 * bar };
        const told = `${form}: ${whole.format(value)} ${unitWords}`;
        return [
          chart.text(left - 0.6 * label, base, name, {
            size: label,
            align: "right",
            fill: palette.quiet,
          }),
          chart.rect(left, barTop, long, 0.8 * bar, { ...drawn, name: `${form} bar`, value }),
          chart.text(left + long + 0.5 * label, base, whole.format(value), {
            ...look,
            name: form,
          }),
          chart.area(place, { kind: "words", index: `${form} ${kind}`, stop: true }, () => [told]),
        ];
      }),
    ];
  });
}

/** What else there is to know, under questions. */
function foldsOf(scene, now) {
  const { run, t, primal } = scene;
  const b = restOf({ primal, run });
  const learns = primal.learnsB ? "; b as in the dual" : "";
  const w = weights(run, t);
  const some =
    primal.dimension > w.length
      ? [`The first ${w.length} of ${counted(primal.dimension, "number")}:`]
      : [];
  const entries = [...w].map((value, j) => `${primal.names[j]}: ${number(value)}`);
  const intercept = primal.storedIntercept
    ? [`b: ${signed(run.trace.state(t).b + (primal.startsAtW0 ? run.initial.b0 : 0))}`]
    : [];
  return [
    {
      question: "What is in w?",
      lines: [...some, ...entries, ...intercept],
    },
    {
      question: "Which rules?",
      lines: [
        `primal: f ← ⟨w, φ(xᵢ)⟩${b.primal}; on a mistake w ← w + η yᵢ φ(xᵢ)${learns}`,
        `dual: f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ)${b.dual}; on a mistake αᵢ ← αᵢ + η`,
      ],
    },
    {
      question: "When is the dual cheaper?",
      lines: [
        ...(primal.breakEven === null ? [] : [dearerFrom(primal, now.support)]),
        ...growthRows(scene).map(([label, cells]) => `${label}: ${cells.join(" · ")}`),
      ],
    },
  ];
}

/** What both forms add to their sums: b, and f₀, which w begins with where φ(x) is x. */
function restOf({ primal, run }) {
  const b = primal.learnsB ? " + b" : "";
  const fixed = run.initial ? " + f₀" : "";
  const ofPrimal = primal.startsAtW0 ? (primal.storedIntercept ? " + b" : "") : b + fixed;
  return { primal: ofPrimal, dual: b + fixed };
}

/** From how many stored examples on the dual form costs more, in a sentence. */
function dearerFrom({ breakEven, dimension }, support) {
  const first = Math.floor(breakEven) + 1;
  const which = first === 1 ? "first" : ordinal(first);
  return `With ${counted(dimension, "feature")}, the dual costs more from the ${which} stored example on (now ${support}).`;
}

/** How φ and k grow with the entries of x, row by row, each with its name. */
function growthRows({ primal, numbersHidden }) {
  const { dimensions, rows, kernel } = primal.growth;
  const shownRows = numbersHidden ? [] : rows; // A task may ask how many features there are.
  return [
    ["entries of x", dimensions],
    ...shownRows.map(([degree, sizes]) => [`of φ, degree ≤ ${degree}`, sizes]),
    ["multiplications of k", kernel],
  ];
}

/**
 * What the kernel saves as degree and dimension grow, where there is room for the whole.
 *
 * @returns {Mark[]}
 */
function growthMarks(scene, top) {
  const { rect, palette, unit } = scene;
  const lines = growthRows(scene);
  const size = fittingStep(
    "body",
    unit,
    (candidate) =>
      LETTERS_OF_GROWTH * candidate <= rect.w &&
      top + LINE * candidate * lines.length <= rect.y + rect.h,
  );
  if (LETTERS_OF_GROWTH * size > rect.w) return [];
  const room = Math.floor((rect.y + rect.h - top) / (LINE * size));
  if (room < lines.length) return [];
  return lines.flatMap(([label, cells], k) => {
    const base = top + LINE * size * (k + 0.8);
    const right = (n) => rect.x + rect.w * (1 - 0.18 * (cells.length - 1 - n));
    return [
      chart.text(rect.x, base, label, { size, fill: palette.quiet }),
      ...cells.map((cell, n) =>
        chart.text(right(n), base, cell, {
          size,
          align: "right",
          fill: k ? palette.ink : palette.quiet,
          weight: k ? 500 : 400,
          name: "growth",
        }),
      ),
    ];
  });
}

/**
 * What both forms store, what they say, and the bars.
 *
 * @param {PanelScene} scene
 * @returns {string[]}
 */
function summary(scene) {
  const drawing = primalMarks(scene);
  const sentences = ["why", "answer", "verdict"].map((name) =>
    textsOf(drawing)(name)
      .map(({ text }) => text)
      .join(" "),
  );
  return [...sentences.filter(Boolean), ...listedWords(drawing)];
}

/** @type {PanelObject} */
export const primalPanel = {
  name: "primal",
  marks: primalMarks,
  summary,
  alone: true,
  walkable: true,
};
