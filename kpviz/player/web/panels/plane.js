// The plane of Fisher's page: the points, F through their mean, their projections, and the
// thresholds across it.

import { ranks } from "../run/discriminant.js";
import { subscript } from "../run/words.js";
import { chart, NEAR, pixelOf } from "./chart.js";
import { shape } from "./projections.js";
import { plate } from "./map_frame.js";
import { step } from "../board/scale.js";

/** @import { FisherScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject, Target, TextMark } from "../board/types.d.ts" */

const ARROW_SHARE = 0.4; // Relative to the map's side: so far the arrow goes from the mean.
const FAR = 4; // In sides of the map: this is beyond all that is shown.
const ARROW_HEAD = { w: 9, l: 22 }; // In px, where the unit is 1.

/** @param {FisherScene} scene @returns {Drawing} */
function planeMarks(scene) {
  const { palette } = scene;
  const [edge, across, up, ...legend] = frame(scene);
  // No line of the plane crosses a word.
  const plates = [[across], [up], legend].map((marks) => plate(marks, palette));
  const [shaft, head] = arrow(scene);
  const moving = [sides, projections].flatMap((part) => part(scene)).concat(plates, shaft);
  moving.push(...[feet, points, means].flatMap((part) => part(scene)));
  moving.push(...head, ...lit(scene), edge, across, up, ...legend);
  moving.push(chart.area(scene.rect, { kind: "ground", hold: "direct" }));
  return moving;
}

/**
 * Pixels of the plane, from the place along F and that across it, both counted from the mean.
 *
 * @param {FisherScene} scene
 */
function pixelsOf({ view, run, reading }) {
  const [c, s] = reading.F;
  const [m1, m2] = run.header.mean;
  return (along, across) => [
    view.x(m1 + along * c - across * s),
    view.y(m2 + along * s + across * c),
  ];
}

/** The projection of the mean of all points. @param {FisherScene} scene */
const middle = ({ run, reading }) =>
  run.header.mean[0] * reading.F[0] + run.header.mean[1] * reading.F[1];

/** So far that it is beyond the map. @param {FisherScene} scene */
const farOf = ({ view }) => FAR * (view.high1 - view.low1);

/**
 * Each class's side in its colour, a wide stripe across F, and the thresholds between.
 *
 * @param {FisherScene} scene
 * @returns {Mark[]}
 */
function sides(scene) {
  const { rect, palette, reading, colour } = scene;
  const pixels = pixelsOf(scene);
  const zero = middle(scene);
  const far = farOf(scene);
  const edges = [-far, ...reading.thresholds.map((cut) => cut - zero), far];
  const stripes = ranks(reading.means).map((k, place) => {
    const from = edges[place];
    const to = Math.max(edges[place], edges[place + 1]);
    const points = [
      pixels(from, -far),
      pixels(to, -far),
      pixels(to, far),
      pixels(from, far),
    ].flat();
    return {
      kind: /** @type {const} */ ("polygon"),
      points,
      fill: colour.field[k],
      alpha: 0.2,
      name: "side",
    };
  });
  const look = { stroke: palette.on_map, width: 2.2, dash: [7, 5], name: "threshold" };
  const cuts = edges
    .slice(1, -1)
    .map((at) => chart.line([...pixels(at, -far), ...pixels(at, far)], look));
  return [{ kind: "rect", ...rect, fill: palette.field_zero }, ...stripes, ...cuts];
}

/**
 * The line of F, and the way from each point to its projection.
 *
 * @param {FisherScene} scene
 * @returns {Mark[]}
 */
function projections(scene) {
  const { run, palette, reading, colour } = scene;
  const pixels = pixelsOf(scene);
  const zero = middle(scene);
  const far = farOf(scene);
  const wayOf = (i) => [...pixelOf(scene, i), ...pixels(reading.values[i] - zero, 0)];
  const lines = run.counts.map((_, k) =>
    [...run.labels.keys()].filter((i) => run.labels[i] === k).map(wayOf),
  );
  return [
    ...lines.map((of, k) =>
      chart.lines(of, { stroke: colour.map[k], width: 1, alpha: 0.22, name: "way" }),
    ),
    chart.line([...pixels(-far, 0), ...pixels(far, 0)], {
      stroke: palette.on_map,
      width: 1.3,
      alpha: 0.75,
    }),
  ];
}

/** Where the points are projected. @param {FisherScene} scene @returns {Mark[]} */
function feet(scene) {
  const { run, palette, reading, colour, pointScale } = scene;
  const pixels = pixelsOf(scene);
  const zero = middle(scene);
  const r = (run.n > 120 ? 1.7 : 2.1) * pointScale;
  const look = { stroke: palette.on_mark, width: 0.6, name: "foot" };
  return Array.from(run.labels, (k, i) => {
    const [x, y] = pixels(reading.values[i] - zero, 0);
    return { ...chart.circle(x, y, r, { ...look, fill: colour.map[k] }), i };
  });
}

/**
 * The arrow: its shaft, and its head, with its name.
 *
 * @param {FisherScene} scene
 * @returns {Mark[][]}
 */
function arrow(scene) {
  const { palette, unit, rect, reading } = scene;
  const [c, s] = reading.F;
  const from = pixelsOf(scene)(0, 0);
  const x = from[0] + ARROW_SHARE * rect.w * c;
  const y = from[1] - ARROW_SHARE * rect.w * s;
  const at = (back, side) => [x - back * c + side * s, y + back * s + side * c];
  const w = ARROW_HEAD.w * unit;
  const l = ARROW_HEAD.l * unit;
  const points = [...at(0, 0), ...at(l, w), ...at(l, -w)];
  const name = at(-17 * unit, 0);
  const held = at(l / 2, 0);
  const halo = { stroke: palette.field_zero, alpha: 0.8 };
  /** @type {{ size: number, fill: string } & Partial<TextMark>} */
  const look = {
    size: step("large", unit),
    weight: 700,
    fill: palette.on_map,
    align: "center",
    baseline: "middle",
  };
  return [
    [
      chart.line([...from, x, y], { ...halo, width: 9 * unit }),
      chart.line([...from, ...at(l, 0)], { stroke: palette.on_map, width: 5.5 * unit, name: "F" }),
    ],
    [
      ...(scene.held === "map"
        ? [chart.circle(held[0], held[1], 20 * unit, { fill: palette.ghost, alpha: 0.35 })]
        : []),
      { kind: "polygon", points, ...halo, fill: palette.field_zero, width: 4 * unit },
      { kind: "polygon", points, fill: palette.on_map },
      chart.circle(name[0], name[1], 11 * unit, { fill: palette.field_zero, alpha: 0.8 }),
      chart.text(name[0], name[1], "F", look),
    ],
  ];
}

/** The points; those on the wrong side have a ring. @param {FisherScene} scene @returns {Mark[]} */
function points(scene) {
  const { run, palette, reading, colour, pointScale } = scene;
  const r = 5 * pointScale;
  const ring = 9.2 * pointScale;
  return [...run.labels.keys()].reverse().flatMap((i) => {
    const k = run.labels[i];
    const [x, y] = pixelOf(scene, i);
    /** @type {Target} */
    const target = { kind: "example", index: i, reach: [NEAR], hold: "direct" };
    const point = {
      ...shape(k, { x, y, r, fill: colour.map[k], stroke: palette.on_mark, i }),
      target,
    };
    if (reading.verdicts[i] === k) return [point];
    const halo = chart.circle(x, y, ring, { stroke: palette.field_zero, width: 4.6, alpha: 0.9 });
    return [
      halo,
      { ...chart.circle(x, y, ring, { stroke: palette.on_map, width: 2.2, name: "wrong" }), i },
      point,
    ];
  });
}

/** The means, and where they are projected. @param {FisherScene} scene @returns {Mark[]} */
function means(scene) {
  const { run, view, palette, colour, reading, unit } = scene;
  const pixels = pixelsOf(scene);
  const zero = middle(scene);
  const { classMeans } = run.arrays;
  const text = {
    size: step("label", unit),
    weight: 700,
    fill: palette.on_map,
    halo: palette.field_zero,
  };
  return reading.means.flatMap((mean, k) => {
    const x = view.x(classMeans[2 * k]);
    const y = view.y(classMeans[2 * k + 1]);
    const [footX, footY] = pixels(mean - zero, 0);
    const look = { fill: colour.map[k], stroke: palette.field_zero };
    return /** @type {Mark[]} */ ([
      {
        kind: "line",
        points: [x, y, footX, footY],
        stroke: colour.map[k],
        width: 2.2,
        dash: [3, 3],
      },
      shape(k, { x: footX, y: footY, r: 5 * unit, ...look, width: 2 }),
      shape(k, { x, y, r: 8.5 * unit, ...look, width: 3.5, name: "mean" }),
      {
        kind: "text",
        x: x + 13 * unit,
        y: y - 9 * unit,
        ...text,
        text: `m${run.many ? subscript(k) : "₋₊"[k]}`,
      },
    ]);
  });
}

/** The outline of the point that is pointed at. @param {FisherScene} scene @returns {Mark[]} */
const lit = (scene) =>
  [...scene.hot].map((i) => {
    const [x, y] = pixelOf(scene, i);
    const look = { r: 10 * scene.pointScale, stroke: scene.palette.on_map, width: 2.6 };
    return shape(scene.run.labels[i], { x, y, ...look, lit: i });
  });

/**
 * The edge, the names of both axes, and the legend.
 *
 * @param {FisherScene} scene
 * @returns {Mark[]}
 */
function frame({ rect, palette, unit, run, colour }) {
  const size = step("small", unit);
  const look = { size, fill: palette.on_map, halo: palette.field_zero };
  const x = rect.x + Math.max(15, 0.95 * size);
  const right = rect.x + rect.w - 8;
  const bottom = rect.y + rect.h - 8;
  const y = (row) => rect.y + Math.max(16, 1.05 * size) + row * size * 1.45;
  const word = (row, words) => chart.text(x + size, y(row), words, { ...look, baseline: "middle" });
  const [axis1, axis2] = run.header.names.axes;
  const mark = { r: size * 0.42, stroke: palette.on_mark, width: 1.2 };
  const rows = run.listed.flatMap((k, row) => [
    shape(k, { x, y: y(row), ...mark, fill: colour.map[k] }),
    word(row, run.classTitle(k, palette.grey)),
  ]);
  const last = run.listed.length;
  return [
    { kind: "rect", ...rect, stroke: palette.rule, width: 1 },
    chart.text(right, bottom, `${axis1} →`, { ...look, align: "right", weight: 600 }),
    chart.text(rect.x + 8, bottom, `↑ ${axis2}`, { ...look, weight: 600 }),
    ...rows,
    chart.circle(x, y(last), mark.r, { stroke: palette.on_map, width: 1.8 }),
    word(last, "ringed: wrong side"),
  ];
}

/** @type {PanelObject} */
export const planePanel = { name: "plane", marks: planeMarks };
