// Fisher's direction in the hand: F follows the pointer on the map, the threshold follows it on the
// projections.

import { lanesOf } from "../panels/projections.js";

/** @import { AngleCursor } from "./angle_cursor.js" */
/** @import { Stage } from "../page/stage.js" */
/** @import { Hit, Pointer } from "../board/types.d.ts" */
/** @import { Mode } from "./types.d.ts" */

const CLOSE = 3; // Pixels from the mean within which a pointer has no direction.

/**
 * Take hold of F on the map, or of the threshold on the projections, which a double click puts
 * back.
 *
 * @param {Stage} stage
 * @param {Hit} hit
 * @returns {Mode}
 */
export function directing({ player }, hit) {
  const { panel } = hit;
  const cursor = /** @type {AngleCursor} */ (player.cursor);
  const onMap = panel === "map";

  /** @param {Pointer} pointer */
  function move({ px, py }) {
    const { fisher } = player.run;
    if (!onMap) {
      const { panels, unit } = player.layout;
      cursor.cut(lanesOf(panels.projections, unit, fisher.reading(player.t), 2).value(px));
      return;
    }
    const [m1, m2] = fisher.header.mean;
    const across = px - player.view.x(m1);
    const up = player.view.y(m2) - py;
    if (Math.abs(across) + Math.abs(up) > CLOSE) {
      cursor.go((Math.atan2(up, across) * 180) / Math.PI);
    }
  }

  move(hit);
  return {
    name: "direct",
    holds: true,
    panel,
    pointerShape: "grabbing",
    lights: () => [],
    move,
    reset: () => onMap || cursor.cut(null),
  };
}
