// The points while they are edited: ahead of the run, with the cursor that says what a click would do.

import { chart } from "./chart.js";

/** @import { PanelScene } from "../model/scene.js" */
/** @import { Mark } from "../types.d.ts" */

/**
 * Marks of the points that are ahead of the run, and of the editor's cursor.
 *
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
export function edited(scene) {
  const { run, view, t, palette, pointScale, edited: points, editing, rect } = scene;
  /** @type {Mark[]} */
  const marks = [];
  const { shapes, point } = run.header.tokens;
  for (let i = (points?.n ?? 0) - 1; i >= 0; i--) {
    const held = i >= points.n - points.held;
    const kind = points.labels[i] > 0 ? "positive" : "negative";
    const [x1, x2] = points.at(i);
    const known = i < run.n && run.y[i] === points.labels[i];
    const r = held ? 4.2 * pointScale : known ? run.pointRadius(i, t, pointScale) : point.radius * pointScale;
    /** @satisfies {Partial<Mark>} */
    const mark = { kind: shapes[kind], x: view.x(x1), y: view.y(x2), i, r, width: 1.4 };
    marks.push(
      held
        ? { ...mark, stroke: palette.point[kind], width: 1.7, alpha: 0.9 }
        : { ...mark, fill: palette.point[kind], stroke: palette.on_mark },
    );
  }
  if (editing) {
    const look = { stroke: palette.accent, width: 3, name: "editing" };
    marks.push(chart.rect(rect.x + 1.5, rect.y + 1.5, rect.w - 3, rect.h - 3, look));
  }
  if (editing?.spot) {
    const [x, y] = editing.spot;
    const kind = editing.label > 0 ? "positive" : "negative";
    if (editing.keyboard) {
      marks.push(
        chart.line([x - 14, y, x + 14, y], { stroke: palette.on_map, width: 1.5 }),
        chart.line([x, y - 14, x, y + 14], { stroke: palette.on_map, width: 1.5 }),
      );
    }
    marks.push({
      kind: shapes[kind],
      x: x + 15,
      y: y - 15,
      r: point.radius,
      stroke: palette.point[kind],
      width: 2,
      alpha: 0.8,
      name: "brush",
    });
  }
  return marks;
}
