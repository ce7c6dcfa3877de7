// What the pointer touches: a point of the map, or an entry of a matrix.

import { aboutPoint } from "./map.js";
import { entryAt } from "./numbers.js";

/** @import { FisherStage } from "./stage.js" */
/** @import { Pointer, Rect } from "../types.d.ts" */

const NEAR = 9; // px

/**
 * The point, and the lines of the tip; null for none.
 *
 * @param {ReturnType<FisherStage["scene"]>} scene
 * @param {Record<string, Rect>} panels
 * @param {Pointer} pointer
 * @returns {{ hot: number | null, lines: string[] | null }}
 */
export function touched(scene, { map, scatter }, { px, py }) {
  const onMap = px >= map.x && px <= map.x + map.w && py >= map.y && py <= map.y + map.h;
  if (!onMap) return { hot: null, lines: entryAt({ ...scene, rect: scatter }, px, py) };
  const { table, view } = scene;
  let [hot, least] = [null, NEAR];
  for (let i = 0; i < table.n; i++) {
    const off = Math.hypot(view.x(table.X[2 * i]) - px, view.y(table.X[2 * i + 1]) - py);
    if (off < least) [hot, least] = [i, off];
  }
  return { hot, lines: hot === null ? null : aboutPoint(scene, hot) };
}
