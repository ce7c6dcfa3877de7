// What is written at the points of a board without a plane: the bits of a cube's corners; else what
// the current example is, as a drawing where there is one, and the two whose votes count most.

import { allPixels, boxesOf, chart, HALO, isIn, pixelOf, sizeIn } from "./chart.js";
import { joined } from "./sketch.js";
import { overlap, shortened, textWidth, wrapBalanced } from "../paint/measure.js";
import { comparedWith, termsOf } from "../run/votes.js";
import { example, objectInWords } from "../run/words.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Mark, Rect } from "../board/types.d.ts" */

const MOST_CORNERS = 16; // The bits of more corners lie on one another.
const OTHERS = 2; // Beside the current example so many are named.
const WIDEST = 13; // In letters.
const WIDEST_WHOLE = 19; // So wide are words that are not cut off.
const LINE_HEIGHT = 1.3; // Relative to the type.
const NARROWEST_MAP = 24; // In letters: a smaller map has room for its points alone.
const GAPS = Array.from({ length: 47 }, (_, k) => 6 * k); // In px.
const LEADER = 7; // In px: from this gap on a line leads from the point to what is said of it.
const FROM_EDGE = 6; // In px: so far from the edge of the map it is said.
const APART = 4; // In px: so far from other points, if there is room.
const WAY = 4; // In px: so far a line keeps from what it passes, and one part of it from the next.
const DIRECTIONS = [
  [0, -1],
  [0, 1],
  [1, 0],
  [-1, 0],
  [0.7, -0.7],
  [-0.7, -0.7],
  [0.7, 0.7],
  [-0.7, 0.7],
];

const hasRoom = (/** @type {PanelScene} */ scene) =>
  Boolean(scene.run.objects) &&
  !scene.run.plane &&
  scene.rect.w >= NARROWEST_MAP * sizeIn(scene, "small") &&
  !(scene.named.length || scene.answered.length || scene.kernelRow);

/** Whether each corner of a cube has its bits beside it. @param {PanelScene} scene */
const isCube = ({ run }) => run.header.ground.kind === "cube" && run.n + run.nTest <= MOST_CORNERS;

/** Whether the map says at its point what the current example is. @param {PanelScene} scene */
export const namesCurrent = (scene) => scene.current !== null && !isCube(scene) && hasRoom(scene);

/** @param {PanelScene} scene @returns {Mark[]} */
export function objectMarks(scene) {
  const { run, palette } = scene;
  const size = sizeIn(scene, "small");
  if (!hasRoom(scene)) return [];
  const corners = isCube(scene);
  const gaps = corners ? GAPS.slice(0, 1) : GAPS;
  const withHalos = discs(scene, HALO * scene.pointScale);
  const apart = discs(scene, HALO * scene.pointScale + APART);
  const alone = discs(scene);
  const taken = [];
  return (corners ? everyExample(scene) : namedExamples(scene)).flatMap((i) => {
    const clear = apart.map((disc, k) => (k === i ? withHalos[i] : disc));
    const placed = (box) =>
      freePlace(scene, i, box, { points: clear, taken, gaps }) ??
      freePlace(scene, i, box, { points: alone, taken, gaps });
    const words = corners ? run.objects[i] : `${example(i)}: ${objectInWords(run, i)}`;
    const picture = i === scene.current && !corners ? drawingOf(scene, i, size, words) : null;
    const pictured = picture && placed(picture);
    if (pictured) {
      taken.push(pictured.box, ...pictured.way);
      return [...leader(scene, pictured), ...picture.at(pictured.box)];
    }
    const widthOf = (text) => textWidth(text, size, palette.fonts, 600);
    const boxAround = (/** @type {string[]} */ lines) => ({
      w: Math.max(...lines.map(widthOf)),
      h: LINE_HEIGHT * size * lines.length,
    });
    const short = shortened(words, WIDEST * size, size, palette.fonts);
    const isWhole = widthOf(words) <= WIDEST_WHOLE * size;
    const twoLines = wrapBalanced(words, WIDEST * size, size, palette.fonts, 600);
    const texts = [
      ...(isWhole ? [[words]] : []),
      ...(twoLines.length < 3 ? [twoLines] : []),
      [short],
    ];
    const placedTexts = texts
      .map((lines) => ({ lines, place: placed(boxAround(lines)) }))
      .filter(({ place }) => place);
    if (!placedTexts.length) return [];
    // What stands beside its point needs no line to it.
    const { lines, place } = placedTexts.find((one) => one.place.gap < LEADER) ?? placedTexts[0];
    taken.push(place.box, ...place.way);
    const look = {
      size,
      weight: 600,
      fill: palette.on_map,
      halo: palette.field_zero,
      name: "object",
      ...{ align: /** @type {const} */ ("center"), baseline: /** @type {const} */ ("middle") },
    };
    const { x, y, w } = place.box;
    const high = LINE_HEIGHT * size;
    return [...leader(scene, place), ...chart.words(x + w / 2, y + high / 2, lines, high, look)];
  });
}

/** @param {PanelScene} scene */
function everyExample({ run, only }) {
  const all = Array.from({ length: run.n + run.nTest }, (_, i) => i);
  return only ? all.filter((i) => only.seen.has(i)) : all;
}

/**
 * The current example and those that say most of it; before the first step those at the sides,
 * which tell what the places mean.
 *
 * @param {PanelScene} scene
 */
function namedExamples(scene) {
  const { run, reading, current, fHidden } = scene;
  if (current === null) return scene.only ? [] : outermost(scene);
  const kernel = fHidden ? null : comparedWith(run, current);
  if (!kernel) return [current];
  const others = termsOf(run, reading, kernel).filter(({ i, value }) => value && i !== current);
  return [current, ...others.slice(0, OTHERS).map(({ i }) => i)];
}

/** The first, the last and the highest point of a map. @param {PanelScene} scene */
function outermost(scene) {
  const places = Array.from({ length: scene.run.n }, (_, i) => ({ i, at: pixelOf(scene, i) }));
  if (!places.length) return [];
  const farthest = (how) => places.reduce((far, other) => (how(other.at, far.at) ? other : far)).i;
  return [
    ...new Set([
      farthest(([x], [far]) => x < far),
      farthest(([x], [far]) => x > far),
      farthest(([, y], [, far]) => y < far),
    ]),
  ];
}

/** The boxes of all points, which are at least so large. @param {PanelScene} scene */
function discs(scene, least = 0) {
  const { run, grown, pointScale } = scene;
  const radiusOf = (i) => Math.max(run.pointRadius(i, grown, pointScale) + 3, least);
  return boxesOf(allPixels(scene).map(([x, y], i) => ({ x, y, r: radiusOf(i) })));
}

/**
 * The free place that is nearest to an example, null where there is none; `way` leads to it, and
 * crosses nothing that is written.
 */
function freePlace(scene, i, { w, h }, { points, taken, gaps }) {
  const [x, y] = pixelOf(scene, i);
  const { run, rect, grown, pointScale } = scene;
  const within = {
    x: rect.x + FROM_EDGE,
    y: rect.y + FROM_EDGE,
    w: rect.w - 2 * FROM_EDGE,
    h: rect.h - 2 * FROM_EDGE,
  };
  const radius = run.pointRadius(i, grown, pointScale);
  const r = Math.max(radius + 9 * pointScale, HALO * pointScale);
  for (const gap of gaps) {
    for (const [across, down] of DIRECTIONS) {
      const box = {
        x: x + across * (r + gap + w / 2) - w / 2,
        y: y + down * (r + gap + h / 2) - h / 2,
        w,
        h,
      };
      if (!isIn(box, within)) continue;
      if ([...points, ...taken].some((other) => overlap(box, other))) continue;
      const way = gap < LEADER ? [] : wayTo(box, x, y);
      const isCrossing = way.some((part) => taken.some((other) => overlap(part, other)));
      if (!isCrossing) return { box, gap, way };
    }
  }
  return null;
}

/** The way from a point to what is said of it, in boxes that are as wide. @returns {Rect[]} */
function wayTo(box, x, y) {
  const toX = Math.min(Math.max(x, box.x), box.x + box.w) - x;
  const toY = Math.min(Math.max(y, box.y), box.y + box.h) - y;
  const parts = Math.max(Math.ceil(Math.hypot(toX, toY) / WAY), 1);
  return Array.from({ length: parts + 1 }, (_, k) => ({
    x: x + (toX * k) / parts - WAY / 2,
    y: y + (toY * k) / parts - WAY / 2,
    w: WAY,
    h: WAY,
  }));
}

/** A line from a point to what is said of it, where that is not beside it. @returns {Mark[]} */
function leader({ palette }, { way }) {
  if (!way.length) return [];
  const ends = [way[0], way.at(-1)].flatMap(({ x, y }) => [x + WAY / 2, y + WAY / 2]);
  const look = { stroke: palette.on_map, width: 1, alpha: 0.6, name: "leader" };
  return [chart.line(ends, look)];
}

/**
 * An example's tree or graph under its words, its size, and its marks at a place; null where there
 * is none.
 */
function drawingOf(scene, i, size, words) {
  const { sketches, drawn } = scene.run.header.extras.remembered ?? {};
  if (drawn !== "trees" && drawn !== "graphs") return null;
  const { palette } = scene;
  const marksAt = (x, y) =>
    joined(scene, sketches[i], new Set(), { x, y, w: 1e4 }, size, drawn).marks;
  const boxes = marksAt(0, 0).flatMap((mark) => (mark.kind === "rect" ? [mark] : []));
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const pad = 0.5 * size;
  const wide = Math.max(...boxes.map((box) => box.x + box.w)) - left;
  const high = Math.max(...boxes.map((box) => box.y + box.h)) - top;
  const line = LINE_HEIGHT * size;
  const w = Math.max(wide, textWidth(words, size, palette.fonts, 600)) + 2 * pad;
  const h = line + high + 2 * pad;
  const plate = {
    fill: palette.paper,
    stroke: palette.rule,
    width: 1,
    radius: 6,
    name: "plate",
  };
  const look = { size, weight: 600, fill: palette.ink, name: "object" };
  return {
    w,
    h,
    at: ({ x, y }) => [
      chart.rect(x, y, w, h, plate),
      chart.text(x + pad, y + pad + 0.8 * size, words, look),
      ...marksAt(x + (w - wide) / 2 - left, y + pad + line - top),
    ],
  };
}
