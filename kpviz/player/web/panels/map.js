// The map: field, boundary, points, and what happens to them in a step.

import { lately, memory } from "./stream.js";
import { allPixels, chart, HALO, NEAR, pixelOf, shapeOf } from "./chart.js";
import { ringedExamples } from "./answered.js";
import { figureMarks } from "./figures.js";
import { placeOf, pointMark, pointOnTop } from "./points.js";
import { objectMarks } from "./objects.js";
import { weightArrow } from "./primal.js";
import { boundaries } from "./readings.js";
import { fieldSigns } from "./signs.js";
import { mirroredAt } from "./strip.js";
import { voteMarks, votesInWords } from "./votes.js";
import { boundaryOf, contour } from "../board/view.js";
import { aboutExample, knownOf } from "../run/example_words.js";
import {
  comparedWith,
  distanceWords,
  fixedAt,
  fixedTerm,
  sumWords,
  termsOf,
} from "../run/votes.js";
import {
  coordinate,
  counted,
  example,
  explain,
  isNegligible,
  label,
  leastOf,
  number,
  orLess,
  powerOfTen,
  signed,
  signOf,
  SIGNS,
  whole,
} from "../run/words.js";
import { step } from "../board/scale.js";
import { textWidth } from "../paint/measure.js";
import { HELD_OUT } from "../run/run.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Pointed, Touch } from "../board/types.d.ts" */
/** @import { LineMark, Mark, PanelMarks, PanelObject } from "../board/types.d.ts" */

// Where no f of the kernel separates the classes: the examples that prove it.

/** Rings around the examples at which the classes cross, wide where one weighs much. */
export function crossing({ run, view, verdict, t, palette, pointScale }) {
  if (!verdict || !run.plane) return [];
  const rings = verdict.ringed.flatMap((i, k) => {
    const [x, y] = pixelOf({ run, view }, i);
    const beyond = 4 + 14 * Math.sqrt(verdict.weights[k]); // In px of an ordinary map.
    const r = run.pointRadius(i, t, pointScale) + beyond * pointScale;
    return /** @type {Mark[]} */ ([
      chart.circle(x, y, r, { stroke: palette.field_zero, width: 4, alpha: 0.85 }),
      chart.circle(x, y, r, { stroke: palette.on_map, width: 2, dash: [4, 3], name: "crossing" }),
    ]);
  });
  return [...triangle({ run, view, palette, pointScale }, verdict), ...rings];
}

/**
 * The line between the ringed examples, or their triangle. Where the verdict is seen that way, some
 * are mirrored at the origin, as −φ(x) is, so that the origin lies between all.
 */
function triangle({ run, view, palette, pointScale }, verdict) {
  const { ringed, mirrored } = verdict;
  const figure = mirroredAt({ run, view }, verdict);
  if (!figure) return [];
  const { origin, places } = figure;
  const closed = [...places, places[0]].flat();
  const images = ringed.flatMap((i, k) => {
    if (!mirrored.includes(i)) return [];
    const [x, y] = places[k];
    const way = chart.line([...pixelOf({ run, view }, i), x, y], {
      stroke: palette.on_map,
      width: 1.5,
      dash: [2, 4],
    });
    const stroke = palette.point[run.y[i] > 0 ? "positive" : "negative"];
    const look = {
      r: 6 * pointScale,
      fill: palette.field_zero,
      stroke,
      width: 2,
      name: "mirrored",
    };
    return [way, /** @type {Mark} */ ({ kind: shapeOf(run, i), x, y, ...look })];
  });
  return [
    chart.line(closed, { stroke: palette.field_zero, width: 6 * pointScale, alpha: 0.9 }),
    chart.line(closed, { stroke: palette.on_map, width: 2.5 * pointScale, name: "triangle" }),
    ...images,
    chart.circle(origin[0], origin[1], 3.5 * pointScale, { fill: palette.on_map, name: "origin" }),
  ];
}

/**
 * The line between the ringed examples of a class, or the triangle of three; that of the other
 * class crosses it.
 */
function hullOf({ run, view, palette, pointScale }, { ringed }, sign) {
  const points = ringed.filter((i) => run.y[i] * sign > 0).map((i) => pixelOf({ run, view }, i));
  if (points.length < 2) return [];
  const closed = points.length > 2 ? [...points, points[0]] : points;
  const stroke = palette.point[sign > 0 ? "positive" : "negative"];
  return [
    chart.line(closed.flat(), { stroke: palette.field_zero, width: 6 * pointScale, alpha: 0.9 }),
    chart.line(closed.flat(), { stroke, width: 3 * pointScale, name: "hull" }),
  ];
}

/**
 * The points that were dragged or drawn, in place of those of the run, until the run with them has
 * come.
 *
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
function pointsAheadMarks({ run, view, t, palette, pointScale, pointsAhead }) {
  if (!pointsAhead) return [];
  const marks = [];
  const { shapes, point } = run.header.tokens;
  for (let i = pointsAhead.n - 1; i >= 0; i--) {
    const kind = pointsAhead.labels[i] > 0 ? "positive" : "negative";
    const [x1, x2] = pointsAhead.at(i);
    /** @satisfies {Partial<Mark>} */
    const mark = { kind: shapes[kind], x: view.x(x1), y: view.y(x2), i, width: 1.4 };
    const isHeldOut = i >= pointsAhead.n - pointsAhead.held;
    if (isHeldOut) {
      const r = HELD_OUT * pointScale;
      marks.push({ ...mark, r, stroke: palette.point[kind], width: 1.7, alpha: 0.9 });
      continue;
    }
    const isInRun = i < run.n && run.y[i] === pointsAhead.labels[i];
    const r = isInRun ? run.pointRadius(i, t, pointScale) : point.radius * pointScale;
    const target = { kind: "example", index: i, reach: [NEAR] };
    const look = { r, fill: palette.point[kind], stroke: palette.on_mark };
    marks.push({ ...mark, ...(isInRun && { target }), ...look });
  }
  return marks;
}

// k(x_i, ·) on the map, with lines of equal similarity.

/** @param {PanelScene} scene @returns {Mark[]} */
function kernelRowMarks({ rect, view, palette, run, kernelRow, kernelImage, patterns }) {
  const { field, levels, i } = kernelRow;
  const lines = levels.flatMap((level) => view.pixels(contour(field, run.header.grid, level)));
  return [
    { kind: "image", image: kernelImage, ...rect, inset: 0.5, name: "similar", i },
    ...(patterns ? fieldSigns({ view, palette }, field, kernelRow.limit) : []),
    chart.lines(lines, {
      stroke: palette.on_map,
      width: 1,
      dash: [5, 4],
      alpha: 0.5,
      name: "levels",
    }),
  ];
}

// The background of examples that have no plane: corners of a cube, or what the kernel makes of
// them. f, and k(x_i, ·), have values at the examples only.

/**
 * What lies under the examples: edges, and f as a halo about each of them; while a step is shown,
 * what it adds.
 *
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
function placesMarks(scene) {
  const {
    run,
    view,
    palette,
    limit,
    standing: { scores },
    pointScale,
    bump,
    showsKernel,
    kernelRow,
    fHidden,
  } = scene;
  const colour = (i) => {
    if (showsKernel) return palette.ofField(kernelRow.at[i], kernelRow.limit, kernelRow.scale);
    return fHidden ? palette.field_zero : palette.ofField(scores[i], limit);
  };
  const at = (i) => pixelOf({ run, view }, i);
  const r = HALO * pointScale;
  const { edges = [] } = run.arrays;
  const joined = (k) => [...at(edges[2 * k]), ...at(edges[2 * k + 1])];
  /** @type {Mark[]} */
  const marks = Array.from({ length: edges.length / 2 }, (_, k) =>
    chart.line(joined(k), { stroke: palette.on_map, width: 1, alpha: 0.22, name: "edge" }),
  );
  for (let i = 0; i < run.n + run.nTest; i++) {
    const [x, y] = at(i);
    marks.push(
      chart.circle(x, y, r, {
        fill: colour(i),
        stroke: palette.rule,
        width: 1,
        alpha: 0.9,
        name: "halo",
        i,
      }),
    );
  }
  if (bump && !showsKernel) marks.push(...bumpMarks(scene, at, r));
  return marks;
}

/**
 * The bump: y_i k(x_i, ·) at each example, in the colour of its sign, as opaque as its share of the
 * largest.
 */
function bumpMarks({ run, palette, bump, current }, at, r) {
  const row = run.similarTo(current);
  if (!row) return [];
  const largest = row.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-12);
  return Array.from(row, (value, j) => {
    const [x, y] = at(j);
    return chart.circle(x, y, 1.35 * r, {
      fill: palette.ofBump(run.y[current], value),
      alpha: (bump.alpha * Math.abs(value)) / largest,
      name: "bump",
    });
  });
}

// In px: on a map of this width lines are as wide as they are written here.
const USUAL_WIDTH = 600;

/** Lines are thicker on a larger map, as its points and its type are larger. */
function thickened(/** @type {Mark[]} */ marks, times) {
  if (times === 1) return marks;
  const stroked = (/** @type {Pick<LineMark, "width" | "dash">} */ { width, dash }) => ({
    ...(width && { width: width * times }),
    ...(dash && { dash: dash.map((part) => part * times) }),
  });
  return marks.map((mark) => ("stroke" in mark ? { ...mark, ...stroked(mark) } : mark));
}

/**
 * Marks of the map at the instant of `scene` (board/scene.js). In motion all of them are made anew,
 * unless what moves is thinned.
 *
 * @param {PanelScene} scene
 * @returns {PanelMarks}
 */
function mapMarks(scene) {
  const { moving, rect } = scene;
  const scaled = (marks) => thickened(marks, Math.max(rect.w / USUAL_WIDTH, 1));
  const above = marksAbove(scene);
  // Where runs are compared, a map also shows where the others disagree with its own: the keys
  // below would not tell all that changes it.
  if ((moving && !scene.thinned) || scene.compared) {
    const marks = [...backgroundMarks(scene), ...exampleMarks(scene), ...above];
    return { still: [], moving: scaled(marks) };
  }
  const keys = stillKeys(scene);
  return {
    still: [
      { key: keys.background, marks: () => scaled(backgroundMarks(scene)) },
      { key: keys.examples, marks: () => scaled(exampleMarks(scene)) },
    ],
    moving: scaled(above),
  };
}

/** What lies under the points: f, or k(x_i, ·). @param {PanelScene} scene @returns {Mark[]} */
function backgroundMarks(scene) {
  const { run, rect, palette, fHidden } = scene;
  /** @type {Mark} */
  const ground = { kind: "rect", ...rect, fill: palette.field_zero };
  if (!run.plane) return [ground, ...placesMarks(scene)];
  if (scene.showsKernel) return [ground, ...kernelRowMarks(scene)];
  if (fHidden) return [ground];
  const signs = scene.patterns ? fieldSigns(scene, scene.shownField, scene.limit) : [];
  return [ground, ...images(scene), ...signs, ...lines(scene)];
}

/** The examples, and the outline of the map. @param {PanelScene} scene @returns {Mark[]} */
function exampleMarks(scene) {
  const { run, rect, palette, verdict } = scene;
  const isCrossingSeen = verdict?.crosses && run.plane;
  // They lie under the points, since they would cover those that they pass or end at.
  const hulls = isCrossingSeen ? [1, -1].flatMap((sign) => hullOf(scene, verdict, sign)) : [];
  const ofRun = scene.pointsAhead ? [] : points(scene);
  return [
    ...hulls,
    ...(run.stream ? memory(scene) : ofRun),
    chart.rect(rect.x, rect.y, rect.w, rect.h, { stroke: palette.rule, width: 1 }),
  ];
}

/** What is painted in each frame, above the points. @param {PanelScene} scene @returns {Mark[]} */
function marksAbove(scene) {
  const { run, rect, t } = scene;
  return [
    ...(scene.mapIsTaken ? [] : [chart.area(rect, { kind: "place", tells: aboutPlace })]),
    ...pointsAheadMarks(scene),
    ...scene.laidOver(scene),
    ...(run.stream ? lately(scene, (i) => run.pointRadius(i, t, scene.pointScale)) : []),
    ...widthDisc(scene),
    ...probeLines(scene),
    ...voteMarks(scene),
    ...scoreLines(scene),
    ...samePlace(scene),
    ...whyWhite(scene),
    ...weightArrow(scene),
    ...lit(scene),
    ...crossing(scene),
    ...figureMarks(scene),
    ...objectMarks(scene),
    ...ringedExamples(scene),
    ...rings(scene),
  ];
}

/**
 * The keys of what stands still: its marks are made, and painted, again only if its key is another
 * one. So all that those marks show is in it.
 *
 * @param {PanelScene} scene
 */
function stillKeys(scene) {
  const { run, t, palette, limit, over, margin, moving, only } = scene;
  const keyOfBoth = [
    run.id,
    palette.dark,
    limit,
    over,
    scene.fHidden,
    scene.pointsAhead === null,
    scene.kernelRow?.i,
    only && [t, only.unknown],
    run.symbols,
  ];
  const keyOfChange = [
    run.version(t),
    run.trace.changesBefore(t),
    run.isBlank(t),
    scene.kernelRow?.note,
  ];
  // A field on its way begins as it was before the change: with a new key it would be painted once
  // too often. While it moves, the key has the time.
  const keyOfField = moving && run.plane ? [] : keyOfChange;
  const keyOfVerdict = scene.verdict && scene.verdict.ringed.length;
  const keyOfBackground = [
    moving && scene.now,
    margin,
    scene.patterns,
    scene.readings ? t : "",
    keyOfVerdict,
  ];
  // Each arrival of a stream lets another become a memory.
  const keyOfExamples = run.stream ? t : run.trace.changesBefore(scene.grown);
  return {
    background: [...keyOfBoth, ...keyOfField, ...keyOfBackground].join(),
    examples: [...keyOfBoth, keyOfExamples, scene.patterns, keyOfVerdict].join(),
  };
}

/**
 * The field, on it where compared runs disagree, and what this step adds.
 *
 * @param {PanelScene} scene
 */
function images({ rect, fieldImage, compared, bump, palette, unit }) {
  /** @type {Mark[]} */
  const marks = [{ kind: "image", image: fieldImage, ...rect, inset: 0.5 }];
  if (compared?.hatching.length) {
    const { x, y, w, h } = rect;
    const inPixels = (shares) =>
      Float32Array.from(shares, (s, k) => (k % 2 ? y + h - s * h : x + s * w));
    const look = { stroke: palette.on_map, width: 0.9 * unit, alpha: 0.45, name: "hatching" };
    marks.push(chart.lines(compared.hatching.map(inPixels), look));
  }
  if (bump) {
    marks.push({
      kind: "image",
      image: bump.image(),
      ...rect,
      inset: 0.5,
      alpha: bump.alpha,
      name: "bump",
    });
  }
  return marks;
}

/** The boundary, and what is compared with it. @returns {Mark[]} */
function lines(scene) {
  const { view, shownField, palette, ghost, margin, run, optimum, readings, verdict } = scene;
  const size = run.header.grid;
  /** @type {Mark[]} */
  const marks = [];
  // The boundary before the step that is shown happening.
  if (ghost) {
    marks.push(
      chart.lines(view.pixels(ghost.lines), {
        stroke: palette.ghost,
        width: 2,
        dash: [5, 5],
        alpha: ghost.alpha,
      }),
    );
  }
  // The boundary of each predictor, or that of the one that is chosen.
  if (readings) marks.push(...boundaries(scene));
  else {
    const boundary = view.pixels(boundaryOf(scene.reading, shownField, size));
    marks.push(
      chart.lines(boundary, { stroke: palette.field_zero, width: 5, alpha: 0.85, name: "halo" }),
    );
    marks.push(chart.lines(boundary, { stroke: palette.on_map, width: 2.4, name: "boundary" }));
  }
  // The boundary of the batch solution.
  if (optimum) {
    const look = { stroke: palette.on_map, width: 2, dash: [2, 4], name: "optimum" };
    marks.push(chart.lines(view.pixels(contour(optimum, size, 0)), look));
  }
  // The boundary of an f that makes no mistake, where it is shown that there is one.
  if (verdict?.separating) {
    const { separating, grid } = verdict;
    const boundary = view.pixels(contour(separating, grid, 0), grid);
    marks.push(chart.lines(boundary, { stroke: palette.field_zero, width: 4.5, alpha: 0.85 }));
    marks.push(
      chart.lines(boundary, { stroke: palette.on_map, width: 2, dash: [8, 5], name: "separates" }),
    );
  }
  // One and two standard deviations of the Gaussians of a mixture within the kernel.
  if (run.arrays.outlines?.length) {
    const outlineLook = {
      stroke: palette.on_map,
      width: 1.2,
      dash: [6, 4],
      alpha: 0.6,
      name: "outline",
    };
    marks.push(chart.lines(outlines(run.arrays.outlines, view), outlineLook));
  }
  // On both sides of the boundary, where the smallest margin is reached.
  if (margin > 0) {
    for (const level of [margin, -margin]) {
      const marginLook = { stroke: palette.on_map, width: 1.4, dash: [3, 6], name: "margin" };
      marks.push(chart.lines(view.pixels(contour(shownField, size, level)), marginLook));
    }
  }
  return marks;
}

function outlines(values, view) {
  const [count, points] = values.shape;
  return Array.from({ length: count }, (_, k) =>
    Float32Array.from({ length: 2 * points }, (_, at) => {
      const value = values[2 * points * k + at];
      return at % 2 ? view.y(value) : view.x(value);
    }),
  );
}

/** The Gaussian's width as a disc at the pointer. @returns {Mark[]} */
function widthDisc({ run, view, pointer, palette }) {
  const { sigma } = run.header.settings;
  if (!sigma || !pointer) return [];
  const rx = view.x(sigma) - view.x(0);
  const ry = view.y(0) - view.y(sigma);
  const look = { stroke: palette.on_map, width: 1, dash: [2, 4], alpha: 0.55, name: "sigma" };
  return [{ kind: "ellipse", x: pointer.px, y: pointer.py, rx, ry, ...look }];
}

function probeLines({ run, view, probe, palette }) {
  if (!probe) return [];
  const at = [view.x(probe.x1), view.y(probe.x2)];
  const marks = probe.terms.map(({ i, value }) =>
    chart.line([...at, view.x(run.X[2 * i]), view.y(run.X[2 * i + 1])], {
      stroke: value > 0 ? palette.point.positive : palette.point.negative,
      width: 1 + (3 * Math.abs(value)) / probe.largest,
      alpha: 0.75,
      name: "vote",
    }),
  );
  if (probe.i !== undefined) return marks; // An example has a ring already.
  marks.push(
    chart.circle(at[0], at[1], 3.5, {
      fill: palette.on_map,
      stroke: palette.field_zero,
      width: 1.5,
    }),
  );
  return marks;
}

/**
 * The score of this step's example as a sum: its largest terms, with lines to the examples that
 * they come from.
 */
function scoreLines(scene) {
  const { view, beat, terms, current, palette } = scene;
  if (beat?.name !== "score" || !terms.length) return [];
  const place = (i) => [view.x(placeOf(scene, i)[0]), view.y(placeOf(scene, i)[1])];
  return terms.map(({ i, value }) =>
    chart.line([...place(current), ...place(i)], {
      stroke: palette.point[value > 0 ? "positive" : "negative"],
      width: 1 + (3 * Math.abs(value)) / Math.abs(terms[0].value),
      alpha: 0.8 * Math.min(4 * beat.share, 1),
      name: "term",
      i,
      value,
    }),
  );
}

/** f at the place that the pointer has on another map. */
function samePlace({ compared, palette, rect, unit }) {
  if (!compared?.samePlace) return [];
  const { px, py, text } = compared.samePlace;
  const left = px > rect.x + rect.w / 2;
  const size = step("label", unit);
  const y = Math.max(py - 0.6 * size, rect.y + 1.2 * size);
  const look = { size, weight: 600, fill: palette.on_map, halo: palette.field_zero };
  return [
    chart.circle(px, py, 3.5 * unit, { stroke: palette.field_zero, width: 3.5 }),
    chart.circle(px, py, 3.5 * unit, { stroke: palette.on_map, width: 1.6, name: "echo" }),
    chart.text(px + (left ? -0.6 : 0.6) * size, y, text, {
      align: left ? "right" : "left",
      name: "echo",
      ...look,
    }),
  ];
}

/**
 * At the foot of a compared run's map why it is white, where no point lies: of a single run the
 * line above the map says it.
 *
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
function whyWhite(scene) {
  const { run, compared, palette, rect, unit, t, boundaryMissing, pointScale, only } = scene;
  if (!compared || !scene.stands("caption") || !t || !boundaryMissing || scene.fHidden || only) {
    return [];
  }
  const size = step("label", unit);
  const x = rect.x + rect.w / 2;
  const y = rect.y + rect.h - 0.6 * size;
  const half = textWidth(boundaryMissing, size, palette.fonts) / 2;
  const reach = size + run.header.tokens.point.radius * pointScale;
  const isCovered = allPixels(scene).some(
    ([px, py]) => Math.abs(px - x) < half + reach && py > y - size - reach,
  );
  const look = { size, fill: palette.quiet, align: /** @type {const} */ ("center") };
  return isCovered ? [] : [chart.text(x, y, boundaryMissing, { ...look, name: "missing" })];
}

/** Those held out, then the others, small ones on top, so that none is hidden. */
function points(scene) {
  const { run, grown, pointScale } = scene;
  const radius = Array.from({ length: run.n }, (_, i) => run.pointRadius(i, grown, pointScale));
  const order = Array.from(radius, (_, i) => i).sort((i, j) => radius[j] - radius[i] || i - j);
  const examples = scene.only
    ? order.filter((i) => scene.only.seen.has(i))
    : [...Array.from({ length: run.nTest }, (_, k) => run.n + k), ...order];
  return examples.map((i) => pointMark(scene, i));
}

/** The outlines of what the pointer touches, here or in another panel. @returns {Mark[]} */
function lit(scene) {
  const { run, view, t, palette, pointScale, hot } = scene;
  return [...hot].map(
    /** @returns {Mark} */ (i) => ({
      kind: shapeOf(run, i),
      x: view.x(placeOf(scene, i)[0]),
      y: view.y(placeOf(scene, i)[1]),
      lit: i,
      r: run.pointRadius(i, t, pointScale) + 4,
      stroke: palette.on_map,
      width: 2.4,
    }),
  );
}

/** The rings of the examples that a step changes. @param {PanelScene} scene */
function rings(scene) {
  const { current, pair } = scene;
  if (current === null) return [];
  return [...(pair ? ringOf(scene, pair[1], "partner") : []), ...ringOf(scene, current, "current")];
}

/**
 * The ring of an example that a step changes, and where the step is shown happening one that
 * spreads.
 */
function ringOf(scene, i, name) {
  const { run, view, grown, palette, pointScale, ring: spread, only } = scene;
  const x = view.x(placeOf(scene, i)[0]);
  const y = view.y(placeOf(scene, i)[1]);
  const r = run.pointRadius(i, grown, pointScale) + 5 * pointScale;
  if (i === only?.unknown) return question(scene, x, y);
  const isPaintedElsewhere = run.stream || scene.pointsAhead;
  const onTop = isPaintedElsewhere ? [] : [pointOnTop(scene, i)];
  // The rings of a question have no other one beside them.
  const marks = scene.answered.length
    ? []
    : [
        ...onTop,
        chart.circle(x, y, r, { stroke: palette.field_zero, width: 5.5, alpha: 0.9 }),
        chart.circle(x, y, r, { stroke: palette.on_map, width: 2.8, name }),
      ];
  if (spread !== null) {
    const look = { stroke: palette.on_map, width: 3 * (1 - spread) + 0.5, alpha: 1 - spread };
    marks.push(chart.circle(x, y, r + 34 * spread * pointScale, look));
  }
  return marks;
}

/** A point whose class is asked for. @returns {Mark[]} */
function question({ palette, pointScale }, x, y) {
  const r = 15 * pointScale;
  const look = {
    fill: palette.on_map,
    weight: 700,
    size: 1.25 * r,
    align: /** @type {const} */ ("center"),
  };
  return [
    chart.circle(x, y, r + 2, { fill: palette.field_zero }),
    chart.circle(x, y, r, { stroke: palette.on_map, width: 2.8, name: "current" }),
    chart.text(x, y, "?", { ...look, baseline: "middle" }),
  ];
}

// ---- what is said of a place ----

/**
 * A place of the map: f there as a sum, or k(x_i, ·).
 *
 * @param {Pointed} pointed
 * @returns {Partial<Touch>}
 */
function aboutPlace(pointed) {
  const { map, run, hit, hidesNumbers, similarAt } = pointed;
  const { view } = map;
  const node = run.plane ? view.node(hit.px, hit.py) : null;
  if (!node) return {};
  const similar = similarAt(node);
  if (similar) return similarTo(run, node, similar);
  if (hidesNumbers) return {};
  const probe = probeAt(pointed, node);
  return { probe, lines: probe.lines };
}

/** k(x_i, ·) at a node, with a line to x_i. */
function similarTo(run, node, { i, value }) {
  const full = `k(${i}, ${run.placeInWords(node.x1, node.x2, String)}) = ${value}`;
  const place = run.placeInWords(node.x1, node.x2, coordinate);
  const lines = [`k(${i < run.n ? example(i) : "x"}, ${place}) = ${orLess(value, leastOf(run))}`];
  return {
    similar: i,
    lines,
    probe: { ...node, terms: [{ i, value }], largest: Math.abs(value) || 1, lines, full },
  };
}

/** What the score of a place is. */
function headOf(run, place, f) {
  const least = leastOf(run);
  if (!isNegligible(f, least)) {
    return run.symbols ? `${place} = ${number(f)}` : `${place} ${signed(f)}`;
  }
  return run.symbols
    ? `|${place}| < ${powerOfTen(least)}`
    : `${place}: less than ${powerOfTen(least)} from 0`;
}

/**
 * f at a node as a sum, with its largest terms.
 *
 * @param {Pointed} pointed
 */
function probeAt({ run, t, inTerms }, node) {
  const { header, contributions } = run;
  const reading = run.reading(t);
  const at = node.row * header.grid + node.column;
  const f = reading.field[at];
  const { predictor } = header.settings;
  const sign = SIGNS[predictor];
  const isScaled = header.names.scaled;
  const place = run.placeInWords(node.x1, node.x2, coordinate);
  const exactPlace = run.placeInWords(node.x1, node.x2, String);
  const scoreName = isScaled ? sign : `${sign}${place}`;
  const scoreHead = headOf(run, run.symbols ? scoreName : "score", f);
  const head = run.symbols && isScaled ? `${scoreHead} at ${place}` : scoreHead;
  const first = isScaled ? `${sign} = ${f} at ${exactPlace}` : `${sign}${exactPlace} = ${f}`;
  if (predictor === "voted") return { ...node, terms: [], largest: 1, lines: [head], full: first };
  const kernel = contributions.at(node.column, node.row);
  const terms = termsOf(run, reading, (index) => kernel[index]);
  const fixed = fixedTerm(run, run.initial?.field[at], [node.x1, node.x2]);
  const sum = sumWords(run, reading, terms, fixed);
  const { shown } = sum;
  const away = distanceWords(run, [node.x1, node.x2], shown[0]);
  return {
    ...node,
    terms: shown,
    largest: Math.abs(shown[0]?.value ?? 1),
    lines: [head, ...inTerms(sum, away)],
    // All terms are written out for whoever copies them, not at each move of the pointer.
    get full() {
      const all = terms
        .filter(({ value }) => value !== 0)
        .map(({ i, value, coef, k }) => [value, i, coef, k].join("\t"));
      return [
        first,
        "term\texample\tcoefficient\tk",
        ...all,
        `b = ${reading.b}`,
        ...(fixed ? [`f₀ = ${fixed.value}`] : []),
      ].join("\n");
    },
  };
}

// ---- in words ----

// The map is crossed at these shares of its height.
const CROSSING_SHARES = [0.9, 0.7, 0.5, 0.3, 0.1];

/**
 * The data, what the step did, and on which side the score is.
 *
 * @param {PanelScene} scene
 * @returns {string[]}
 */
function summary(scene) {
  const { run, t, reading, fHidden, numbersHidden, scoreCovered } = scene;
  const { names, coarse, about } = run.header;
  // Behind the examples of the run `run.y` has those that are held out.
  const up = Array.from(run.y).filter((y, i) => i < run.n && y > 0).length;
  const held = run.nTest ? `; ${whole.format(run.nTest)} held out` : "";
  const current = run.trace.index[t - 1];
  // The step's score as a sum, where the values of the kernel in it are known.
  const kernel = t > 0 && !numbersHidden ? comparedWith(run, current) : null;
  const terms = kernel ? termsOf(run, reading, kernel) : [];
  const sum = terms.length
    ? [`${sumWords(run, reading, terms, fixedAt(run, current)).formula}.`]
    : [];
  // The sentence would tell the score.
  const verdict = scoreCovered ? [] : [explain(run, t).described];
  const step = t > 0 ? [...verdict, `${knownOf(scene, current).join(", ")}.`, ...sum] : [];
  const ofClass = (y, count) => {
    const { shapes } = run.header.tokens;
    const look = y > 0 ? `orange, ${shapes.positive}s` : `blue, ${shapes.negative}s`;
    return `${whole.format(count)} of class ${label(y)} (${look})`;
  };
  const nameOf = (i) => aboutExample(run, reading, t, i, { fHidden: true })[0];
  const blank = run.isBlank(t) ? [`${signOf(run)} = 0 everywhere.`] : null;
  return [
    `${names.data}, ${names.kernel}, ${about.title}.`,
    `${counted(run.n, "example")}: ${ofClass(1, up)}, ${ofClass(-1, run.n - up)}${held}.`,
    ...(scene.named.length ? [`The task names ${scene.named.map(nameOf).join("; ")}.`] : []),
    ...votesInWords(scene),
    ...(coarse ? [`The map is coarse: ${number(coarse)} nodes of its grid for each σ.`] : []),
    ...step,
    ...(fHidden ? [] : (blank ?? (run.plane ? acrossMap(scene) : []))),
  ];
}

/**
 * On which side the score is, from left to right, at some heights of the map.
 *
 * @param {PanelScene} scene
 */
function acrossMap({ run, reading: { field } }) {
  const { extent, grid } = run.header;
  const [left, right, low, high] = extent;
  const sign = SIGNS[run.header.settings.predictor];
  if (!field.some(Boolean)) return [`${sign} = 0 everywhere.`];
  return CROSSING_SHARES.map((share) => {
    const row = Math.round(share * (grid - 1));
    const { first, turns } = turnsOf(field.subarray(row * grid, (row + 1) * grid));
    const x1At = (column) =>
      run.coordinateInWords(0, left + ((right - left) * column) / (grid - 1), number);
    const x2 = run.coordinateInWords(1, low + ((high - low) * row) / (grid - 1), number);
    const [across, up] = run.axes;
    const from = `At ${up} = ${x2}, from left to right:`;
    if (!first) return `${from} ${sign} = 0.`;
    const parts = turns.map(
      (column, k) => `${label(k % 2 ? -first : first)} up to ${across} = ${x1At(column)}`,
    );
    const last = label(turns.length % 2 ? -first : first);
    return `${from} class ${parts.length ? `${parts.join(", ")}, then ${last}` : `${last} throughout`}.`;
  });
}

/**
 * The sign that a row of the field begins with, and the columns, with fractions, where it changes.
 */
function turnsOf(row) {
  let first = 0;
  let before = -1; // The last column with a sign.
  const turns = [];
  row.forEach((value, column) => {
    if (!value) return;
    first ||= Math.sign(value);
    if (before >= 0 && value > 0 !== row[before] > 0) {
      turns.push(before + ((column - before) * row[before]) / (row[before] - value));
    }
    before = column;
  });
  return { first, turns };
}

/** @type {PanelObject} */
export const mapPanel = { name: "map", marks: mapMarks, summary };
