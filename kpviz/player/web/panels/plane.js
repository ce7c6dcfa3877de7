// The plane of Fisher's page: the points, F through their mean, their projections, and the
// thresholds across it.

import { ranks } from "../run/discriminant.js";
import { overlap, textWidth } from "../paint/measure.js";
import { subscript } from "../run/words.js";
import { boxesOf, chart, isIn, NEAR, pixelOf } from "./chart.js";
import { shape } from "./projections.js";
import { keysOnALine } from "./strip.js";
import { step } from "../board/scale.js";

/** @import { FisherScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject, Rect, Target, TextMark } from "../board/types.d.ts" */

const ARROW_SHARE = 0.4; // Relative to the map's side: so far the arrow goes from the mean.
const BEFORE_EDGE = 34; // In px, where the unit is 1: the arrow ends so far before the map's edge.
const MEAN_RADIUS = 8.5; // In px, where the unit is 1.
const POINT_RADIUS = 5; // In px of a map of the usual size.
const RING_RADIUS = 9.2; // The same of the ring of a point on the wrong side.
const FAR = 4; // In sides of the map: this is beyond all that is shown.
// Where the name of a mean may stand, across and down, the best first.
const DIRECTIONS = [
  [1, -1],
  [1, 0],
  [1, 1],
  [-1, -1],
  [-1, 0],
  [-1, 1],
  [0, -1.5],
  [0, 1.5],
  [0.5, -1.5],
  [-0.5, -1.5],
  [0.5, 1.5],
  [-0.5, 1.5],
];
const LEAD_FROM = 2; // A name that is so many times as far away as the nearest one has a lead.
const CROSSED = 2; // Each point that a lead crosses costs as much as so much more way.
const LEAD_SAMPLES = 12;
const LINE_BOXES = 100; // So many boxes stand for half of a line.
const LINE_RADIUS = 4; // In px, where the unit is 1: that of such a box.
const ARROW_HEAD = { w: 9, l: 22 }; // In px, where the unit is 1.

/** @param {FisherScene} scene @returns {Drawing} */
function planeMarks(scene) {
  const { palette, rect } = scene;
  const [shaft, head] = arrow(scene);
  const edge = chart.rect(rect.x, rect.y, rect.w, rect.h, { stroke: palette.rule, width: 1 });
  const moving = [sides, projections].flatMap((part) => part(scene)).concat(shaft);
  moving.push(...[feet, points, means].flatMap((part) => part(scene)));
  moving.push(...head, ...lit(scene), edge);
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
      alpha: palette.dark ? 0.36 : 0.2,
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

/** Where the points are projected. @param {FisherScene} scene */
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
 * Pixels at the arrow's tip, from how far back from it along F and how far to the side they are.
 *
 * @param {FisherScene} scene
 */
function tipOf(scene) {
  const { rect, reading, unit } = scene;
  const [c, s] = reading.F;
  const [x0, y0] = pixelsOf(scene)(0, 0);
  const wayTo = (from, step, low, high) =>
    step ? ((step > 0 ? high : low) - from) / step : Infinity;
  const across = wayTo(x0, c, rect.x, rect.x + rect.w);
  const down = wayTo(y0, -s, rect.y, rect.y + rect.h);
  const most = Math.min(across, down) - BEFORE_EDGE * unit;
  const length = Math.min(ARROW_SHARE * rect.w, most);
  const x = x0 + length * c;
  const y = y0 - length * s;
  return (back, side) => [x - back * c + side * s, y + back * s + side * c];
}

/**
 * The arrow: its shaft, and its head, with its name.
 *
 * @param {FisherScene} scene
 * @returns {Mark[][]}
 */
function arrow(scene) {
  const { palette, unit } = scene;
  const from = pixelsOf(scene)(0, 0);
  const at = tipOf(scene);
  const [x, y] = at(0, 0);
  const w = ARROW_HEAD.w * unit;
  const l = ARROW_HEAD.l * unit;
  const points = [...at(0, 0), ...at(l, w), ...at(l, -w)];
  const name = boxOfF(scene);
  const held = at(l / 2, 0);
  const halo = { stroke: palette.field_zero, alpha: 0.8 };
  /** @type {{ size: number, fill: string } & Partial<TextMark>} */
  const look = {
    size: step("large", unit),
    weight: 700,
    fill: palette.on_map,
    halo: palette.field_zero,
    name: "arrow",
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
      ...(name ? [chart.text(name.x + name.w / 2, name.y + name.h / 2, "F", look)] : []),
    ],
  ];
}

/**
 * What no name may cover: the points, with their rings, and the means.
 *
 * @param {FisherScene} scene
 */
function takenBoxes(scene) {
  const { run, reading, view, pointScale, unit } = scene;
  const { classMeans } = run.arrays;
  const points = Array.from(run.labels, (k, i) => {
    const [x, y] = pixelOf(scene, i);
    return { x, y, r: (reading.verdicts[i] === k ? POINT_RADIUS : RING_RADIUS) * pointScale };
  });
  const meanMarks = reading.means.map((_, k) => ({
    x: view.x(classMeans[2 * k]),
    y: view.y(classMeans[2 * k + 1]),
    r: MEAN_RADIUS * unit,
  }));
  return boxesOf([...points, ...meanMarks]);
}

/**
 * The line of F, on which the projections lie, and the thresholds, as boxes.
 *
 * @param {FisherScene} scene
 */
function boxesOfLines(scene) {
  const { view, reading, unit } = scene;
  const pixels = pixelsOf(scene);
  const zero = middle(scene);
  const width = view.high1 - view.low1;
  const places = Array.from({ length: 2 * LINE_BOXES + 1 }, (_, k) => (k / LINE_BOXES - 1) * width);
  const lines = [
    places.map((place) => pixels(place, 0)),
    ...reading.thresholds.map((cut) => places.map((place) => pixels(cut - zero, place))),
  ];
  return boxesOf(lines.flat().map(([x, y]) => ({ x, y, r: LINE_RADIUS * unit })));
}

/**
 * Where the name of F covers no point: before the arrow's tip, or beside it; null for nowhere.
 *
 * @param {FisherScene} scene
 */
function boxOfF(scene) {
  const { unit, rect } = scene;
  const at = tipOf(scene);
  const size = step("large", unit);
  const ahead = [17, 24, 34, 46, 60].flatMap((far) =>
    [0, 14, -14, 24, -24].map((side) => at(-far * unit, side * unit)),
  );
  const atSides = [26, -26, 40, -40, 60, -60].flatMap((side) =>
    [0, 20, 40, 70].map((back) => at(back * unit, side * unit)),
  );
  const boxes = [...ahead, ...atSides].map(([x, y]) => ({
    x: x - size / 2,
    y: y - size / 2,
    w: size,
    h: size,
  }));
  const taken = [...takenBoxes(scene), ...boxesOf(feet(scene))];
  const free = boxes.filter(isFree(taken, rect));
  return free.find(isFree(boxesOfLines(scene), rect)) ?? free[0];
}

/** Whether a box lies within a rectangle and on nothing that is taken. */
const isFree =
  (/** @type {Rect[]} */ taken, /** @type {Rect} */ rect) => (/** @type {Rect} */ box) =>
    isIn(box, rect) && !taken.some((other) => overlap(box, other));

/** The points; those on the wrong side have a ring. @param {FisherScene} scene @returns {Mark[]} */
function points(scene) {
  const { run, palette, reading, colour, pointScale } = scene;
  const r = POINT_RADIUS * pointScale;
  const ring = RING_RADIUS * pointScale;
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
  const nameOfF = boxOfF(scene);
  const taken = [...takenBoxes(scene), ...(nameOfF ? [nameOfF] : [])];
  const lines = boxesOfLines(scene);
  return reading.means.flatMap((mean, k) => {
    const x = view.x(classMeans[2 * k]);
    const y = view.y(classMeans[2 * k + 1]);
    const [footX, footY] = pixels(mean - zero, 0);
    const look = { fill: colour.map[k], stroke: palette.field_zero };
    const name = nameOfMean(scene, `m${run.many ? subscript(k) : "₋₊"[k]}`, { x, y }, taken, lines);
    return /** @type {Mark[]} */ ([
      {
        kind: "line",
        points: [x, y, footX, footY],
        stroke: colour.map[k],
        width: 2.2,
        dash: [3, 3],
      },
      shape(k, { x: footX, y: footY, r: 5 * unit, ...look, width: 2 }),
      shape(k, { x, y, r: MEAN_RADIUS * unit, ...look, width: 3.5, name: "mean" }),
      ...name,
    ]);
  });
}

/**
 * The name of a mean where it covers no point and, if it can be, no line either, as near as can be,
 * if there is such a place; from farther away a line leads to the mean. It is added to what is
 * taken.
 *
 * @param {FisherScene} scene
 * @param {string} text
 * @param {{ x: number, y: number }} mean
 * @param {Rect[]} taken
 * @param {Rect[]} lines
 * @returns {Mark[]}
 */
function nameOfMean({ rect, palette, unit }, text, { x, y }, taken, lines) {
  const size = step("label", unit);
  const w = textWidth(text, size, palette.fonts, 700);
  const near = MEAN_RADIUS * unit + 0.55 * size;
  const boxes = [1, 1.5, 2.2, 3, 4, 5.2, 6.6].flatMap((times) =>
    DIRECTIONS.map(([across, down]) => ({
      x: x + across * times * (near + w / 2) - w / 2,
      y: y + down * times * near - size / 2,
      w,
      h: size,
      times,
    })),
  );
  const free = boxes.filter(isFree(taken, rect));
  const clear = free.filter(isFree(lines, rect));
  const costOf = (box) =>
    box.times + (box.times > LEAD_FROM ? CROSSED * crossedBy({ x, y, from: near }, box, taken) : 0);
  const [box] = (clear.length ? clear : free)
    .map((candidate) => ({ ...candidate, cost: costOf(candidate) }))
    .sort((one, other) => one.cost - other.cost);
  if (!box) return [];
  taken.push(box);
  const middleX = box.x + w / 2;
  const middleY = box.y + size / 2;
  const look = { size, weight: 700, fill: palette.on_map, halo: palette.field_zero, name: "mean" };
  const lead = chart.line([x, y, middleX, middleY], {
    stroke: palette.on_map,
    width: 1,
    alpha: 0.6,
  });
  return [
    ...(box.times > LEAD_FROM ? [lead] : []),
    chart.text(middleX, middleY, text, { ...look, align: "center", baseline: "middle" }),
  ];
}

/**
 * How many boxes the way from a mean, once it has left that, to the middle of another box crosses.
 *
 * @param {{ x: number, y: number, from: number }} mean
 * @param {Rect} box
 * @param {Rect[]} taken
 */
function crossedBy({ x, y, from }, box, taken) {
  const toX = box.x + box.w / 2 - x;
  const toY = box.y + box.h / 2 - y;
  const begins = from / Math.hypot(toX, toY);
  const places = Array.from({ length: LEAD_SAMPLES }, (_, k) => {
    const share = begins + ((1 - begins) * k) / LEAD_SAMPLES;
    return { x: x + share * toX, y: y + share * toY, w: 0, h: 0 };
  });
  return taken.filter((other) => places.some((place) => isIn(place, other))).length;
}

/** The outline of the point that is pointed at. @param {FisherScene} scene @returns {Mark[]} */
const lit = (scene) =>
  [...scene.hot].map((i) => {
    const [x, y] = pixelOf(scene, i);
    const look = { r: 10 * scene.pointScale, stroke: scene.palette.on_map, width: 2.6 };
    return shape(scene.run.labels[i], { x, y, ...look, lit: i });
  });

/**
 * The classes, and what a ring says; with the least words that say it where room is short.
 *
 * @param {FisherScene} scene
 * @returns {Drawing}
 */
function legendMarks(scene) {
  const { palette, run, colour } = scene;
  const point = (k) => (x, y, size) => [
    shape(k, {
      x,
      y,
      r: 0.42 * size,
      width: 1.2,
      fill: colour.map[k],
      stroke: palette.on_mark,
    }),
  ];
  const ring = (x, y, size) => [
    chart.circle(x, y, 0.42 * size, { stroke: palette.ink, width: 1.8 }),
  ];
  const titles = run.listed.map((k) => run.classTitle(k, palette.grey));
  // What all are called alike is said of the first one alone, where there is no room for more.
  const alike = titles[0].replace(/\S+$/, "");
  const areAlike = alike !== "" && titles.every((title) => title.startsWith(alike));
  const classes = run.listed.map((k, place) => {
    const title = titles[place];
    const least = areAlike && place ? title.slice(alike.length) : title;
    const shorter = [title.replace(/, .1$/, ""), least.replace(/^(.1) {2}.*/, "$1")];
    return { words: [title, ...shorter], wide: 0.84, sign: point(k) };
  });
  const wrong = { words: ["ringed: wrong side", "wrong side", "wrong"], wide: 0.84, sign: ring };
  return keysOnALine([...classes, wrong], scene);
}

/** @type {PanelObject} */
export const legendPanel = { name: "legend", marks: legendMarks };

/** @type {PanelObject} */
export const planePanel = { name: "plane", marks: planeMarks };
