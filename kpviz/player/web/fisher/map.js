// The plane: the points, F through their mean, their projections, and the threshold across it.

import { number, subscript } from "../model/words.js";
import { plate } from "../panels/map_frame.js";
import { shape } from "./shapes.js";
import { ranks } from "./table.js";

/** @import { Mark, Rect } from "../types.d.ts" */

const REACH = 0.4; // of the map's side: how far the arrow goes from the mean
const FAR = 4; // sides of the map: beyond all that is shown

/** Pixels of the plane; both axes have the same unit. */
export class View {
  /**
   * @param {Rect} rect
   * @param {number[]} extent low and high of the first axis, low of the second
   */
  constructor(rect, [low1, high1, low2]) {
    this.rect = rect;
    this.low1 = low1;
    this.low2 = low2;
    this.scale = rect.w / (high1 - low1);
  }

  x(value) {
    return this.rect.x + (value - this.low1) * this.scale;
  }

  y(value) {
    return this.rect.y + this.rect.h - (value - this.low2) * this.scale;
  }
}

/** The tip of the arrow in pixels. */
export function tipOf({ view, header, reading }) {
  const reach = REACH * view.rect.w;
  return [view.x(header.mean[0]) + reach * reading.F[0], view.y(header.mean[1]) - reach * reading.F[1]];
}

export function mapMarks(scene) {
  return [
    ...ground(scene),
    ...ways(scene),
    ...plates(scene),
    ...shaft(scene),
    ...feet(scene),
    ...points(scene),
    ...centres(scene),
    ...head(scene),
    ...lit(scene),
    ...frame(scene),
  ];
}

/** A point of the plane as pixels, from its places along F and across it, counted from the mean. */
function pixels({ view, header, reading }, along, across) {
  const [c, s] = reading.F;
  return [view.x(header.mean[0] + along * c - across * s), view.y(header.mean[1] + along * s + across * c)];
}

const middle = ({ header, reading }) => header.mean[0] * reading.F[0] + header.mean[1] * reading.F[1];

/**
 * Each class's side in its colour, a wide stripe across F, and the thresholds between.
 *
 * @returns {Mark[]}
 */
function ground(scene) {
  const { rect, palette, reading, view, colour } = scene;
  const far = (FAR * rect.w) / view.scale;
  const zero = middle(scene);
  const edges = [-far, ...reading.thresholds.map((cut) => cut - zero), far];
  /** @type {Mark[]} */
  const marks = [{ kind: "rect", ...rect, fill: palette.field_zero }];
  ranks(reading.means).forEach((k, place) => {
    const [from, to] = [edges[place], edges[place + 1]];
    const [one, other] = [-far, far].map((across) => [from, Math.max(to, from)].map((at) => pixels(scene, at, across)));
    const points = [...one, ...other.reverse()].flat();
    marks.push({ kind: "polygon", points, fill: colour.field[k], alpha: 0.2, name: "side" });
  });
  for (const cut of reading.thresholds) {
    const points = [...pixels(scene, cut - zero, -far), ...pixels(scene, cut - zero, far)];
    marks.push({ kind: "line", points, stroke: palette.on_map, width: 2.2, dash: [7, 5], name: "threshold" });
  }
  return marks;
}

/**
 * The line of F, and the way from each point to its projection.
 *
 * @returns {Mark[]}
 */
function ways(scene) {
  const { rect, palette, reading, view, colour, table } = scene;
  const far = (FAR * rect.w) / view.scale;
  const zero = middle(scene);
  const lines = colour.map.map(() => []);
  for (let i = 0; i < table.n; i++) {
    lines[table.labels[i]].push([
      view.x(table.X[2 * i]),
      view.y(table.X[2 * i + 1]),
      ...pixels(scene, reading.values[i] - zero, 0),
    ]);
  }
  return [
    ...lines.map(
      /** @returns {Mark} */ (of, k) => ({
        kind: "lines",
        lines: of,
        stroke: colour.map[k],
        width: 1,
        alpha: 0.22,
        name: "way",
      }),
    ),
    {
      kind: "line",
      points: [...pixels(scene, -far, 0), ...pixels(scene, far, 0)],
      stroke: palette.on_map,
      width: 1.3,
      alpha: 0.75,
    },
  ];
}

/** @returns {Mark[]} */
function feet(scene) {
  const { palette, reading, colour, table, pointScale } = scene;
  const zero = middle(scene);
  return Array.from(table.labels, (k, i) => {
    const [x, y] = pixels(scene, reading.values[i] - zero, 0);
    return {
      kind: "circle",
      x,
      y,
      r: (table.n > 120 ? 1.7 : 2.1) * pointScale,
      fill: colour.map[k],
      stroke: palette.on_mark,
      width: 0.6,
      name: "foot",
      i,
    };
  });
}

const HEAD = { w: 7.5, l: 19 };

/** @returns {Mark[]} */
function shaft(scene) {
  const { palette, unit } = scene;
  const tip = tipOf(scene);
  const from = pixels(scene, 0, 0);
  const [c, s] = scene.reading.F;
  const l = HEAD.l * unit;
  return [
    { kind: "line", points: [...from, ...tip], stroke: palette.field_zero, width: 9 * unit, alpha: 0.8 },
    {
      kind: "line",
      points: [...from, tip[0] - l * c, tip[1] + l * s],
      stroke: palette.on_map,
      width: 5.5 * unit,
      name: "F",
    },
  ];
}

/**
 * The arrow's head, a triangle stroked until it is full, and its name.
 *
 * @returns {Mark[]}
 */
function head(scene) {
  const { palette, unit, grabbed } = scene;
  const tip = tipOf(scene);
  const [c, s] = scene.reading.F;
  const [w, l] = [HEAD.w * unit, HEAD.l * unit];
  const at = (back, side) => [tip[0] - back * c + side * s, tip[1] + back * s + side * c];
  const triangle = (size) => {
    const [front, rear, half] = [l * (0.6 - 0.6 * size), l * (0.6 + 0.4 * size), w * size];
    return [...at(front, 0), ...at(rear, half), ...at(rear, -half), ...at(front, 0), ...at(rear, half)];
  };
  const label = at(-17 * unit, 0);
  /** @type {Mark} */
  const held = { kind: "circle", ...point(at(l / 2, 0)), r: 20 * unit, fill: palette.ghost, alpha: 0.35 };
  return [
    ...(grabbed ? [held] : []),
    { kind: "line", points: triangle(1), stroke: palette.field_zero, width: 7 * unit, alpha: 0.8 },
    { kind: "line", points: triangle(1), stroke: palette.on_map, width: 3 * unit },
    { kind: "line", points: triangle(0.4), stroke: palette.on_map, width: 6 * unit },
    { kind: "circle", ...point(label), r: 11 * unit, fill: palette.field_zero, alpha: 0.8 },
    {
      kind: "text",
      ...point(label),
      align: "center",
      baseline: "middle",
      size: 20 * unit,
      weight: 700,
      fill: palette.on_map,
      text: "F",
    },
  ];
}

/** @param {number[]} place */
const point = ([x, y]) => ({ x, y });

/** @returns {Mark[]} */
function points({ view, palette, reading, colour, table, pointScale }) {
  /** @type {Mark[]} */
  const marks = [];
  const r = 5 * pointScale;
  for (let i = table.n - 1; i >= 0; i--) {
    const k = table.labels[i];
    const [x, y] = [view.x(table.X[2 * i]), view.y(table.X[2 * i + 1])];
    if (reading.verdicts[i] !== k) {
      marks.push({ kind: "circle", x, y, r: r + 4.2 * pointScale, stroke: palette.field_zero, width: 4.6, alpha: 0.9 });
      marks.push({
        kind: "circle",
        x,
        y,
        r: r + 4.2 * pointScale,
        stroke: palette.on_map,
        width: 2.2,
        name: "wrong",
        i,
      });
    }
    marks.push(...shape(k, { x, y, r, fill: colour.map[k], stroke: palette.on_mark, i }));
  }
  return marks;
}

/**
 * The means, and where they are projected.
 *
 * @returns {Mark[]}
 */
function centres(scene) {
  const { view, palette, colour, table, header, reading, unit } = scene;
  const zero = middle(scene);
  const size = 14 * unit;
  return [...reading.means.keys()].flatMap((k) => {
    const [x, y] = [view.x(table.classMeans[2 * k]), view.y(table.classMeans[2 * k + 1])];
    const foot = pixels(scene, reading.means[k] - zero, 0);
    const sign = table.K === 2 ? ["−", "+"][k] : subscript(k);
    return [
      { kind: "line", points: [x, y, ...foot], stroke: colour.map[k], width: 2.2, dash: [3, 3] },
      ...shape(k, { x: foot[0], y: foot[1], r: 5 * unit, fill: colour.map[k], stroke: palette.field_zero, width: 2 }),
      ...shape(k, { x, y, r: 8.5 * unit, fill: colour.map[k], stroke: palette.field_zero, width: 3.5, name: "mean" }),
      {
        kind: "text",
        x: x + 13 * unit,
        y: y - 9 * unit,
        size,
        weight: 700,
        fill: palette.on_map,
        halo: palette.field_zero,
        text: header.many ? `m${sign}` : `m${sign === "+" ? "₊" : "₋"}`,
      },
    ];
  });
}

function lit({ view, palette, table, hot, pointScale }) {
  if (hot === null) return [];
  const [x, y] = [view.x(table.X[2 * hot]), view.y(table.X[2 * hot + 1])];
  return shape(table.labels[hot], { x, y, r: 10 * pointScale, stroke: palette.on_map, width: 2.6, lit: hot });
}

/** The ground under what is written: no line of the plane crosses it. @returns {Mark[]} */
function plates(scene) {
  const [, across, up, ...legend] = frame(scene);
  return [[across], [up], legend].map((marks) => plate(marks, scene.palette));
}

/** @returns {Mark[]} */
function frame({ rect, palette, unit, header, colour, table }) {
  const size = 12.5 * unit;
  /** @satisfies {Partial<Mark>} */
  const text = { kind: "text", size, fill: palette.on_map, halo: palette.field_zero };
  const { axes, classes } = header.names;
  const x = rect.x + Math.max(15, 0.95 * size);
  const top = rect.y + Math.max(16, 1.05 * size);
  /** @type {Mark[]} */
  const marks = [
    { kind: "rect", ...rect, stroke: palette.rule, width: 1 },
    { ...text, x: rect.x + rect.w - 8, y: rect.y + rect.h - 8, align: "right", weight: 600, text: `${axes[0]} →` },
    { ...text, x: rect.x + 8, y: rect.y + rect.h - 8, weight: 600, text: `↑ ${axes[1]}` },
  ];
  classes.forEach((_, place) => {
    const k = table.K === 2 ? 1 - place : place; // +1 first, as on the player's map
    const y = top + place * size * 1.45;
    marks.push(...shape(k, { x, y, r: size * 0.42, fill: colour.map[k], stroke: palette.on_mark, width: 1.2 }));
    marks.push({ ...text, x: x + size, y, baseline: "middle", text: classTitle(header, k) });
  });
  const y = top + classes.length * size * 1.45;
  marks.push({ kind: "circle", x, y, r: size * 0.42, stroke: palette.on_map, width: 1.8 });
  marks.push({ ...text, x: x + size, y, baseline: "middle", text: "ringed: wrong side" });
  return marks;
}

/** A class as the legend names it. */
export function classTitle({ names, many }, k) {
  if (many) return names.classes[k];
  const sign = k ? "+1" : "−1";
  return names.classes[k] === sign ? `class ${sign}` : `${sign}  ${names.classes[k]}`;
}

/** What is known about point i, for its box. */
export function aboutPoint({ table, header, reading }, i) {
  const k = table.labels[i];
  const verdict = reading.verdicts[i];
  const right =
    verdict === k
      ? "the right side"
      : header.many
        ? `nearer the mean of ${header.names.classes[verdict]}`
        : k
          ? "a false negative"
          : "a false positive";
  return [
    `x${subscript(i)}  (${number(table.X[2 * i])}, ${number(table.X[2 * i + 1])})  ·  ${classTitle(header, k)}`,
    `x·F = ${number(reading.values[i])}: ${right}`,
  ];
}
