// The figures that show on the map what a number of a task means: the arrow to an example with its
// two sides, a circle or a strip about the origin, the line between two examples, a ring. What is
// drawn comes from Python, in coordinates of the examples.

import { chart } from "./chart.js";
import { placeOf, pointOnTop } from "./points.js";
import { step } from "../board/scale.js";
import { textWidth } from "../paint/measure.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Mark } from "../board/types.d.ts" */
/** @import { Figure } from "../run/types.d.ts" */

/** @typedef {[number, number]} Pixel */

const DASH = [6, 5];
const RING_BEYOND = 4; // In px of an ordinary map: so far a ring lies beyond its point.
const BESIDE = 1; // In letters: so far from its line a label stands.

/** The figures, and over them the points. @param {PanelScene} scene @returns {Mark[]} */
export function figureMarks(scene) {
  const { figures, run } = scene;
  if (!run.plane || !figures.length) return [];
  const marks = figures.flatMap((figure) => MARKS[figure.kind](scene, figure));
  if (scene.pointsAhead) return marks;
  return [...marks, ...Array.from({ length: run.n }, (_, i) => pointOnTop(scene, i))];
}

/** @type {Record<Figure["kind"], (scene: PanelScene, figure: any) => Mark[]>} */
const MARKS = {
  arrow: arrowMarks,
  circle: circleMarks,
  strip: stripMarks,
  between: betweenMarks,
  ring: ringMarks,
};

/** The pixel of a place. @returns {Pixel} */
const at = ({ view }, [x1, x2]) => [view.x(x1), view.y(x2)];

/** A line with a light one under it. @param {PanelScene} scene @param {Pixel[]} places */
function lineMarks({ palette, pointScale }, places, { width, name, dash = undefined }) {
  const points = places.flat();
  const wide = width * pointScale;
  return [
    chart.line(points, { stroke: palette.field_zero, width: wide + 3, alpha: 0.85 }),
    chart.line(points, { stroke: palette.on_map, width: wide, dash, name }),
  ];
}

/**
 * A label beside a place, within the map. `across` and `down` say to which side of the place: −1 to
 * the left or above, 1 to the right or below, 0 centred, and what is between them nearer.
 *
 * @param {PanelScene} scene
 * @param {string} text
 * @param {Pixel} place
 * @param {[across: number, down: number]} side
 */
function labelMark({ palette, unit, rect }, text, [x, y], [across, down]) {
  const size = step("label", unit);
  const w = textWidth(text, size, palette.fonts, 600);
  const centreX = x + across * (w / 2 + BESIDE * size);
  const left = Math.min(Math.max(centreX - w / 2, rect.x + 4), rect.x + rect.w - w - 4);
  const centreY = y + down * (size / 2 + BESIDE * size);
  const middle = Math.min(Math.max(centreY, rect.y + size), rect.y + rect.h - size);
  return chart.text(left, middle, text, {
    size,
    weight: 600,
    fill: palette.on_map,
    halo: palette.field_zero,
    baseline: "middle",
    name: "figure",
  });
}

/** The pixel in the middle between two. @param {Pixel} from @param {Pixel} to @returns {Pixel} */
const middleOf = (from, to) => [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];

/**
 * @param {PanelScene} scene
 * @param {Extract<Figure, { kind: "arrow" }>} figure
 */
function arrowMarks(scene, { i, label, sides }) {
  const place = placeOf(scene, i);
  const origin = at(scene, [0, 0]);
  const tip = at(scene, place);
  const arrow = lineMarks(scene, [origin, tip], { width: 3, name: "arrow" });
  const middle = middleOf(origin, tip);
  const isAlongAxis = tip[0] === origin[0] || tip[1] === origin[1];
  if (isAlongAxis) return [...arrow, labelMark(scene, label, middle, [0, -1])];
  const corner = at(scene, [place[0], 0]);
  const tipSide = tip[0] > origin[0] ? 1 : -1;
  const tipDown = tip[1] > origin[1] ? 1 : -1;
  // The labels of the sides are outside of the triangle, that of the arrow away from its corner.
  return [
    ...lineMarks(scene, [origin, corner, tip], { width: 1.6, dash: DASH, name: "side" }),
    labelMark(scene, sides[0], middleOf(origin, corner), [0, -tipDown]),
    labelMark(scene, sides[1], middleOf(corner, tip), [tipSide, 0]),
    ...arrow,
    labelMark(scene, label, middle, [-tipSide, -0.3 * tipDown]),
  ];
}

/**
 * @param {PanelScene} scene
 * @param {Extract<Figure, { kind: "circle" }>} figure
 * @returns {Mark[]}
 */
function circleMarks(scene, { radius, label }) {
  const { palette, pointScale } = scene;
  const [x, y] = at(scene, [0, 0]);
  // Its right end and its upper end; the scales of the axes may differ.
  const [right, top] = at(scene, [radius, radius]);
  /** @type {{ kind: "ellipse", x: number, y: number, rx: number, ry: number }} */
  const ellipse = { kind: "ellipse", x, y, rx: right - x, ry: y - top };
  return [
    { ...ellipse, stroke: palette.field_zero, width: 1.8 * pointScale + 3, alpha: 0.85 },
    { ...ellipse, stroke: palette.on_map, width: 1.8 * pointScale, dash: DASH, name: "circle" },
    labelMark(scene, label, [x, top], [0, 1]),
  ];
}

/**
 * @param {PanelScene} scene
 * @param {Extract<Figure, { kind: "strip" }>} figure
 * @returns {Mark[]}
 */
function stripMarks(scene, { normal, margin, label }) {
  const { palette, run } = scene;
  const [low1, high1, low2, high2] = run.header.extent;
  const far = 2 * Math.hypot(high1 - low1, high2 - low2);
  const [u1, u2] = normal;
  // It goes through distance·u, where u is its normal, and reaches `far` either way.
  const lineAt = (/** @type {number} */ distance) =>
    [-far, far].map((along) => at(scene, [distance * u1 - along * u2, distance * u2 + along * u1]));
  const positiveEdge = lineAt(margin);
  const negativeEdge = lineAt(-margin);
  const origin = at(scene, [0, 0]);
  const foot = at(scene, [margin * u1, margin * u2]);
  const isNormalFlat = Math.abs(u1) > Math.abs(u2);
  return [
    {
      kind: "polygon",
      points: [...positiveEdge, negativeEdge[1], negativeEdge[0]].flat(),
      fill: palette.on_map,
      alpha: 0.08,
      name: "strip",
    },
    ...lineMarks(scene, positiveEdge, { width: 1.6, dash: DASH, name: "strip edge" }),
    ...lineMarks(scene, negativeEdge, { width: 1.6, dash: DASH, name: "strip edge" }),
    ...lineMarks(scene, lineAt(0), { width: 1.6, name: "strip line" }),
    ...lineMarks(scene, [origin, foot], { width: 2.6, name: "margin of strip" }),
    labelMark(scene, label, middleOf(origin, foot), isNormalFlat ? [0, -1] : [1, 0]),
  ];
}

/**
 * @param {PanelScene} scene
 * @param {Extract<Figure, { kind: "ring" }>} figure
 */
function ringMarks(scene, { i }) {
  const { palette, pointScale, run, t } = scene;
  const [x, y] = at(scene, placeOf(scene, i));
  const r = run.pointRadius(i, t, pointScale) + RING_BEYOND * pointScale;
  const width = 1.8 * pointScale;
  return [
    chart.circle(x, y, r, { stroke: palette.field_zero, width: width + 3, alpha: 0.85 }),
    chart.circle(x, y, r, { stroke: palette.on_map, width, name: "ring" }),
  ];
}

/**
 * @param {PanelScene} scene
 * @param {Extract<Figure, { kind: "between" }>} figure
 */
function betweenMarks(scene, { i, j, label }) {
  const from = at(scene, placeOf(scene, i));
  const to = at(scene, placeOf(scene, j));
  const isFlat = Math.abs(to[0] - from[0]) > Math.abs(to[1] - from[1]);
  return [
    ...lineMarks(scene, [from, to], { width: 2, dash: DASH, name: "between" }),
    labelMark(scene, label, middleOf(from, to), isFlat ? [0, 1] : [1, 0]),
  ];
}
