// What one may go on with, as small pictures of the points that one has seen.

import { makeSvg } from "./dom.js";

/** @import { Run } from "../run/run.js" */

// In units of the picture.
const WIDTH = 160;
const HEIGHT = 90;
const EDGE = 8;
const RADIUS = 2.6;
const DRAWN = [
  [0.42, 0.34],
  [0.6, 0.62],
  [0.3, 0.58],
]; // Where somebody has put points, in shares of the picture.

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
function pictureOf(run, over, count = run.n) {
  const points = Array.from({ length: count }, (_, i) => pointAt(placeIn(run, i), run.y[i] > 0));
  const look = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" };
  return makeSvg("svg", look, ...over, ...points);
}

/** The pictures, by the names of the ways. @type {Record<string, (run: Run) => Element>} */
export const PICTURES = {
  puzzle: (run) =>
    pictureOf(
      run,
      DRAWN.map(([x, y], k) => pointAt([x * WIDTH, y * HEIGHT], k === 1, 2.4)),
    ),
  line: (run) => {
    const ends = { x1: 0, y1: 0.2 * HEIGHT, x2: WIDTH, y2: 0.75 * HEIGHT };
    const look = { stroke: "var(--ink)", "stroke-width": 2, "stroke-dasharray": "6 4" };
    return pictureOf(run, [makeSvg("line", { ...ends, ...look })]);
  },
  lesson: (run) => {
    const [cx, cy] = placeIn(run, 0);
    const hill = (r) => makeSvg("circle", { cx, cy, r, fill: colourOf(run.y[0]), opacity: 0.16 });
    return pictureOf(run, [52, 38, 26, 14].map(hill), 1);
  },
};
