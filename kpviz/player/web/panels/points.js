// The points of the map: where each is, and how it is painted.

import { NEAR } from "./chart.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { PointMark } from "../board/types.d.ts" */

/** Where example i is: under the hand it may be ahead of the run. */
export const placeOf = ({ run, pointsAhead: points }, i) =>
  points && i < points.n ? points.at(i) : [run.X[2 * i], run.X[2 * i + 1]];

/** @param {PanelScene} scene @returns {PointMark} */
export function pointMark({ run, view, grown, palette, pointScale }, i) {
  const held = i >= run.n;
  const kind = run.y[i] > 0 ? "positive" : "negative";
  const mark = {
    kind: run.header.tokens.shapes[kind],
    x: view.x(run.X[2 * i]),
    y: view.y(run.X[2 * i + 1]),
    i,
    r: run.pointRadius(i, grown, pointScale),
    width: 1.4,
    target: { kind: "example", index: i, reach: [NEAR] },
  };
  if (held) return { ...mark, stroke: palette.point[kind], width: 1.7, alpha: 0.9 };
  return { ...mark, fill: palette.point[kind], stroke: palette.on_mark };
}

/**
 * A point once more, over what was painted across it. It is pointed at where it was painted first,
 * so it has no target, and is not counted as an example.
 *
 * @param {PanelScene} scene
 * @returns {PointMark}
 */
export const pointOnTop = (scene, i) => ({
  ...pointMark(scene, i),
  i: undefined,
  target: undefined,
});
