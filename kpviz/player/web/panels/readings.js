// Last, averaged and voted side by side: their boundaries on the map, their errors, and whose votes
// are counted.

import { answerMarks, foldMarks, foldsHeight } from "./answer.js";
import { chart, epochEnds, heading, spanSoFar, strideOf } from "./chart.js";
import { boundaryOf } from "../board/view.js";
import { firstWithin, wrap } from "../paint/measure.js";
import { counted, subscript, whole } from "../run/words.js";
import { fittingStep, step } from "../board/scale.js";
import { errors, KINDS } from "../run/run.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Key } from "./strip.js" */
/** @import { Drawing, Mark, PanelObject } from "../board/types.d.ts" */

const DASHES = { last: null, averaged: [9, 5], voted: [2, 4] };
const WIDTHS = { last: 3.4, averaged: 2.2, voted: 1.3 }; // Where the curves coincide, all are seen.

const BETWEEN_CHARTS = 16; // In px, where the unit is 1.
const LEAST_WITH_ANSWER = 280; // In px, where the unit is 1.
const LEAST_ON_PHONE = 220; // In px: its chart is lower there.
const TITLE = 1.5; // In labels.
// In letters: so far from each other stand the names of epochs, and so high a chart has them.
const BETWEEN_EPOCHS = 3;
const LEAST_WITH_EPOCHS = 5;
const TOP_STEP = 0.05; // The scale of errors ends at a multiple of it.
const SAMPLE = 2.4; // In letters, the length of a line in the legend.

const onMap = ({ palette }, kind) => ({
  stroke: palette.on_map,
  dash: DASHES[kind],
  width: 2.4,
});

/** The boundaries of the three readings, the chosen one (`shownField`) the last. */
export function boundaries(scene) {
  const { readings, run, view, shownField, palette } = scene;
  const chosen = run.predictor.kind;
  /** @type {Mark[]} */
  const marks = [];
  for (const kind of [...KINDS].sort((a, b) => Number(a === chosen) - Number(b === chosen))) {
    const reading = readings[kind];
    const field = kind === chosen ? shownField : reading.field;
    const lines = view.pixels(boundaryOf(reading, field, run.header.grid));
    marks.push(
      chart.lines(lines, { stroke: palette.field_zero, width: 5, alpha: 0.85, name: "halo" }),
    );
    marks.push(
      chart.lines(lines, {
        ...onMap(scene, kind),
        name: kind === chosen ? "boundary" : "other",
        predictor: kind,
      }),
    );
  }
  return marks;
}

/** The boundaries in the legend. @param {PanelScene} scene @returns {Key[]} */
export const boundaryKeys = (scene) =>
  KINDS.map((kind) => ({
    words: [kind],
    wide: SAMPLE,
    sign: (x, y, size) => {
      const half = (SAMPLE * size) / 2;
      const look = { ...onMap(scene, kind), predictor: kind };
      return [chart.line([x - half, y, x + half, y], look)];
    },
  }));

/**
 * Which reading errs least, the errors of all, and how they came about, epoch by epoch; who votes
 * is told under a question, or where nobody points, beneath.
 *
 * @param {PanelScene} scene
 * @returns {Drawing}
 */
function readingsMarks(scene) {
  const { rect, palette, unit, run, bare, layout } = scene;
  const extra = run.header.extras.readings;
  const least = layout.narrow ? LEAST_ON_PHONE : LEAST_WITH_ANSWER * unit;
  const hasAnswer = rect.h >= least;
  const answer = hasAnswer ? answerMarks(scene, answerWords(scene)) : { marks: [], h: 0 };
  const above = Math.max(answer.h - TITLE * step("label", unit), 0);
  const high = rect.h - above;
  const size = fittingStep(
    "body",
    unit,
    (candidate) => 8 * candidate <= high && 17 * candidate <= rect.w,
  );
  /** @type {Mark[]} */
  const marks = [...heading(scene, "Last, averaged, voted"), ...answer.marks];
  const from = rect.y + above;
  marks.push(...table(scene, from + size * TITLE, size));
  const top = from + size * 7.5;
  const folds = hasAnswer && !bare;
  const bottom = rect.y + rect.h - (folds ? foldsHeight(scene) : 0);
  const small = step("small", unit);
  const notes = (text, fill, name) =>
    wrap(text, rect.w, small, palette.fonts).map((line) =>
      chart.text(rect.x, 0, line, { size: small, fill, name }),
    );
  const leastChart = 42 * unit;
  const left = (lines) => bottom - top - lines.length * small * 1.3;
  let words = folds ? [] : notes(votesWords(scene), palette.quiet, "votes");
  if (left(words) < 0) words = [];
  const note = extra?.note ? notes(extra.note, palette.ink, "note") : [];
  if (
    left([...words, ...note]) > leastChart ||
    (left(words) < leastChart && left([...words, ...note]) > 0)
  ) {
    words.push(...note);
  }
  words.forEach((mark, k) =>
    marks.push({ ...mark, y: bottom - small * (0.35 + 1.3 * (words.length - 1 - k)) }),
  );
  if (folds) {
    marks.push(...foldMarks(scene, [{ question: "Who votes?", lines: [votesWords(scene)] }]));
  }
  const room = left(words) - small * 0.6;
  const drawn =
    extra && left(words) > leastChart
      ? errorCharts(scene, { x: rect.x, y: top, w: rect.w, h: room }, small)
      : { still: [], moving: [] };
  if (!extra) {
    marks.push(chart.text(rect.x, top + size, "Computing…", { size, fill: palette.quiet }));
  }
  return { still: drawn.still, moving: [...drawn.moving, ...marks] };
}

/**
 * Which of the three errs least now, on what was held out where there is such a thing.
 *
 * @param {PanelScene} scene
 */
function answerWords({ run, readings, t, covered }) {
  if (!t) return "Three ways to read one run.";
  const isHeldOut = run.nTest > 0 && !covered().has("heldout"); // A task asks for them.
  const wrong = KINDS.map(
    (kind) => errors(run, kind, readings[kind])[isHeldOut ? "test" : "train"],
  );
  const least = Math.min(...wrong);
  const best = KINDS.filter((_, k) => wrong[k] === least);
  const points = run.plane ? "points" : "examples";
  const where = isHeldOut ? `On ${points} held out` : `On the training ${points}`;
  const who =
    best.length === KINDS.length
      ? "all three are alike"
      : `${best.join(" and ")} ${best.length > 1 ? "are" : "is"} best`;
  return `${where}, ${who}: ${whole.format(least)} of ${whole.format(isHeldOut ? run.nTest : run.n)} wrong.`;
}

/** The errors at this instant, with what each line is. @returns {Mark[]} */
function table(scene, y, size) {
  const { rect, palette, run, readings, t } = scene;
  const hides = scene.covered().has("heldout"); // A task asks for them.
  const long = rect.w > 22 * size;
  const columns = [
    ["train", "training", run.n, 0.7],
    ...(run.nTest ? [["test", long ? "held-out" : "held out", run.nTest, 1]] : []),
  ];
  const right = /** @type {const} */ ({ align: "right", fill: palette.quiet });
  /** @type {Mark[]} */
  const marks = columns.map(([, words, , at]) =>
    chart.text(rect.x + rect.w * at, y + size * 1.2, `${words}${long ? " errors" : ""}`, {
      ...right,
      size: step("small", scene.unit),
    }),
  );
  KINDS.forEach((kind, k) => {
    const base = y + size * (2.55 + 1.35 * k);
    const wrong = errors(run, kind, readings[kind]);
    const points = [rect.x, base - size * 0.33, rect.x + size * 2.4, base - size * 0.33];
    const weight = kind === run.predictor.kind ? 600 : 400;
    marks.push(
      chart.line(points, { stroke: palette.ink, dash: DASHES[kind], width: 2.4 }),
      chart.text(rect.x + size * 3, base, kind, { size, weight, fill: palette.ink }),
    );
    const errorsInWords = (set, of) =>
      hides && set === "test" ? "?" : t ? `${wrong[set]} of ${of}` : "–";
    for (const [set, , of, at] of columns) {
      const look = {
        ...right,
        size,
        weight: 600,
        fill: palette.ink,
        name: "errors",
        predictor: kind,
        set,
      };
      marks.push(chart.text(rect.x + rect.w * at, base, errorsInWords(set, of), look));
    }
  });
  return marks;
}

/** Whose votes are counted. @param {Pick<PanelScene, "run" | "t">} scene */
function votesWords({ run, t }) {
  if (t === 0) return "Each step gives one vote to the version of f then in force.";
  const counts = run.trace.survivals(t);
  const sum = counts.reduce((total, count) => total + count, 0);
  const most = counts.reduce((best, count, k) => (count > counts[best] ? k : best), 0);
  const used = counts.reduce((total, count) => total + (count > 0 ? 1 : 0), 0);
  const of = used < counts.length ? `${whole.format(used)} of ` : "";
  const voters =
    counts.length === 1 ? "one version of f" : `${of}${whole.format(counts.length)} versions of f`;
  return `${counted(sum, "vote")}, one for each step, by ${voters}; v${subscript(most + 1)} was in force longest: ${whole.format(counts[most])}.`;
}

/** Errors at the end of each epoch: a chart of training and, on the same scale, one of held out. */
function errorCharts(scene, box, size) {
  const { run } = scene;
  const { readingsTrain: train, readingsTest: test = null } = run.arrays;
  const epochs = run.trace.nEpochs;
  const over = epochEnds(run).filter((end) => end <= scene.t).length; // So many epochs are told.
  const known = [train, ...(test ? [test] : [])].flatMap((values) =>
    KINDS.flatMap((_, k) => [...values.subarray(k * epochs, k * epochs + over)]),
  );
  const highest = TOP_STEP * Math.ceil(Math.max(...known, TOP_STEP) / TOP_STEP - 1e-6);
  const w = test ? (box.w - BETWEEN_CHARTS * scene.unit) / 2 : box.w;
  const draw = (x, set, values) =>
    errorChart(scene, { ...box, x, w }, size, { set, values, over, highest });
  const charts = [
    draw(box.x, "train", train),
    ...(test ? [draw(box.x + box.w - w, "test", test)] : []),
  ];
  return {
    still: charts.flatMap(({ still }) => still),
    moving: charts.flatMap(({ moving }) => moving),
  };
}

/** The errors of one set from the first epoch's end on, and those of this instant. */
function errorChart(scene, box, size, { set, values, over, highest }) {
  const { run, palette, t, readings, unit } = scene;
  const epochs = run.trace.nEpochs;
  const ends = epochEnds(run);
  const now = (kind) =>
    errors(run, kind, readings[kind])[set] / (set === "test" ? run.nTest : run.n);
  const hasEpochs = box.h >= LEAST_WITH_EPOCHS * size;
  const inner = { x: box.x, y: box.y, w: box.w, h: box.h - size * (hasEpochs ? 2.6 : 1.3) };
  const inset = 8 * unit;
  const to = spanSoFar(run, t);
  const from = to > ends[0] ? ends[0] : 0;
  const x = (step) => inner.x + inset + ((step - from) / (to - from)) * (inner.w - 2 * inset);
  const y = (share) => inner.y + inner.h - 2 - Math.min(share / highest, 1) * (inner.h - 5);
  /** @returns {Mark} */
  const curve = (kind, k) => {
    const points = [
      ...ends.slice(0, over).flatMap((end, epoch) => [x(end), y(values[k * epochs + epoch])]),
      ...(ends[over - 1] < t ? [x(t), y(now(kind))] : []),
    ];
    const mark = {
      name: "curve",
      values: Array.from(values.subarray(k * epochs, k * epochs + over)),
      stroke: palette.ink,
      width: WIDTHS[kind],
      dash: DASHES[kind],
      predictor: kind,
      set,
    };
    return points.length === 2
      ? chart.circle(points[0], points[1], 2 + WIDTHS[kind], { ...mark, dash: null })
      : chart.line(points, mark);
  };
  const which = set === "test" ? "held-out" : "training";
  const captions = [`${which} errors after each epoch, and now`, `${which} errors`];
  const caption = firstWithin(captions, box.w, size, palette.fonts) ?? "";
  const top = `${Math.round(100 * highest)}%`;
  const ink = /** @type {const} */ ({
    size,
    fill: palette.quiet,
    halo: palette.panel,
    name: "top",
  });
  const background = () => [
    chart.rect(inner.x, inner.y, inner.w, inner.h, { fill: palette.panel, radius: 2 }),
    chart.text(box.x, box.y + box.h, caption, { size, fill: palette.quiet }),
  ];
  /** @type {Mark[]} */
  const moving = [
    chart.rect(x(t) - 1, inner.y, 2, inner.h, { fill: palette.quiet, name: "cursor" }),
    chart.text(box.x + 4, inner.y + size, top, ink), // Early in a run the cursor stands there.
    ...(over ? KINDS.map(curve) : []),
    ...(hasEpochs
      ? instantNames(scene, x, inner.y + inner.h + 1.1 * size, { from, to, size })
      : []),
  ];
  for (const kind of t ? KINDS : []) {
    const share = now(kind);
    const place = { x: x(t), y: y(share), r: 3.6 * unit, beyond: share > highest };
    const look = { fill: palette.ink, stroke: palette.paper, width: 1.4, name: "now" };
    moving.push(...dot(place, { ...look, predictor: kind, set }));
  }
  // It is lower where the words below it need another line, so its height is in the key.
  const key = [run.id, palette.dark, box.x, box.h, box.y, over].join();
  return { still: [{ key, marks: background }], moving };
}

/** Now, and the ends of epochs by their numbers, as many as there is room for. @returns {Mark[]} */
function instantNames({ run, palette, t }, x, y, { from, to, size }) {
  const ends = epochEnds(run);
  const least = BETWEEN_EPOCHS * size;
  const wide = ((x(to) - x(from)) / (to - from)) * (run.nSteps / ends.length);
  const every = strideOf(wide, least);
  const named = ends.flatMap((end, k) => {
    const isShown = end >= from && end <= to && (k === 0 || (k + 1) % every === 0);
    return isShown && Math.abs(x(end) - x(t)) >= least ? [[end, String(k + 1)]] : [];
  });
  const look = /** @type {const} */ ({
    size,
    fill: palette.quiet,
    align: "center",
    name: "instant",
  });
  const names = t ? [[t, ends.includes(t) ? `${ends.indexOf(t) + 1}` : "now"], ...named] : named;
  return names.map(([step, text]) => chart.text(x(step), y, text, look));
}

/** A value as a dot, or as an arrow upwards at the top of a scale that does not reach it. */
function dot({ x, y, r, beyond }, look) {
  if (!beyond) return [chart.circle(x, y, r, look)];
  const corners = [x, y, x + 1.2 * r, y + 1.9 * r, x - 1.2 * r, y + 1.9 * r];
  const { fill, stroke, width, ...tag } = look;
  return /** @type {Mark[]} */ ([
    ...(fill ? [{ kind: "polygon", points: corners, fill }] : []),
    chart.line([...corners, ...corners.slice(0, 4)], { stroke, width, ...tag, beyond }),
  ]);
}

/** The errors of each predictor. @param {PanelScene} scene @returns {string[]} */
function summary({ run, t, covered }) {
  if (t === 0) return [];
  return Object.entries(run.readings(t)).map(([kind, reading]) => {
    const { train, test } = errors(run, kind, reading);
    const held =
      run.nTest && !covered().has("heldout")
        ? `, on ${whole.format(test)} of ${whole.format(run.nTest)} held out`
        : "";
    return `${kind}: wrong on ${whole.format(train)} of ${whole.format(run.n)} training examples${held}.`;
  });
}

/** @type {PanelObject} */
export const readingsPanel = { name: "readings", marks: readingsMarks, summary, alone: true };
