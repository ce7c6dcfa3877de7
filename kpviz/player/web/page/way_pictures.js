// What one may go on with, as small pictures of the points that one has seen, or is going to see.

import { makeSvg } from "./dom.js";

/** @import { Run } from "../run/run.js" */

// In units of the picture.
const WIDTH = 160;
const HEIGHT = 90;
const LOOK = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" };
const EDGE = 8;
const RADIUS = 2.6;
/**
 * The points of the puzzle *Break it*: the orange ones, then the blue ones.
 *
 * @type {[number, number][]}
 */
export const EIGHT = [
  [-0.7, 0.5],
  [-0.5, 0.1],
  [-0.8, -0.3],
  [-0.35, -0.65],
  [0.65, 0.55],
  [0.35, 0.2],
  [0.75, -0.15],
  [0.5, -0.6],
];
/**
 * Where somebody has put three more.
 *
 * @type {{ place: [number, number], isOrange: boolean }[]}
 */
const PUT = [
  { place: [-0.6, -0.1], isOrange: false },
  { place: [0.55, 0.1], isOrange: true },
  { place: [0.05, 0.55], isOrange: false },
];

/** Where example i lies in the picture. @param {Run} run @returns {[number, number]} */
function placeIn({ X, n }, i) {
  const between = (axis) => {
    const all = Array.from({ length: n }, (_, k) => X[2 * k + axis]);
    const low = Math.min(...all);
    return (X[2 * i + axis] - low) / (Math.max(...all) - low || 1);
  };
  return [EDGE + (WIDTH - 2 * EDGE) * between(0), EDGE + (HEIGHT - 2 * EDGE) * (1 - between(1))];
}

const colourOf = (y) => (y > 0 ? "var(--orange)" : "var(--blue)");

/** A point in the shape and the colour of its class. */
function pointAt([x, y], isOrange, scale = 1) {
  const r = RADIUS * scale;
  const fill = colourOf(isOrange ? 1 : -1);
  if (isOrange) return makeSvg("circle", { cx: x, cy: y, r, fill });
  return makeSvg("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, fill });
}

/** @param {Run} run @param {Element[]} over what is drawn besides */
function pictureOf(run, over) {
  const points = Array.from({ length: run.n }, (_, i) => pointAt(placeIn(run, i), run.y[i] > 0));
  return makeSvg("svg", LOOK, ...over, ...points);
}

/** The pictures, by the names of the ways. @type {Record<string, (run: Run) => Element>} */
export const PICTURES = {
  puzzle: () => {
    /** @type {(place: [number, number]) => [number, number]} */
    const at = ([x, y]) => [WIDTH / 2 + 0.47 * WIDTH * x, HEIGHT / 2 - 0.56 * HEIGHT * y];
    const points = EIGHT.map((place, k) => pointAt(at(place), k < EIGHT.length / 2, 1.4));
    const put = PUT.map(({ place, isOrange }) => pointAt(at(place), isOrange, 2.4));
    return makeSvg("svg", LOOK, ...points, ...put);
  },
  line: (run) => {
    const ends = { x1: 0, y1: 0.2 * HEIGHT, x2: WIDTH, y2: 0.75 * HEIGHT };
    const look = { stroke: "var(--ink)", "stroke-width": 2, "stroke-dasharray": "6 4" };
    return pictureOf(run, [makeSvg("line", { ...ends, ...look })]);
  },
  lesson: (run) => {
    const cx = WIDTH / 2;
    const cy = HEIGHT / 2;
    const fill = colourOf(run.y[0]);
    const hill = (r) => makeSvg("circle", { cx, cy, r, fill, opacity: 0.05 });
    const radii = Array.from({ length: 16 }, (_, k) => 44 - 2.6 * k);
    return makeSvg("svg", LOOK, ...radii.map(hill), pointAt([cx, cy], run.y[0] > 0, 1.6));
  },
};
