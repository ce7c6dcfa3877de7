// Going through time: a scale of instants, or of angles, under the hand.

/** @import { Stage } from "../page/stage.js" */
/** @import { Hit } from "../board/types.d.ts" */
/** @import { Mode } from "./types.d.ts" */

/**
 * Take hold of the scale of a panel; a thing on it that has a time is where one begins.
 *
 * @param {Stage} stage
 * @param {Hit} hit
 * @returns {Mode}
 */
export function scrubbing({ player: { cursor, touch }, targets }, { panel, px }) {
  const valueAt = targets.scaleOf(panel);
  const stepsInHand = targets.scaleEnd(panel);
  cursor.go(touch.time ?? Math.round(valueAt(px)));
  return {
    name: "scrub",
    holds: true,
    pointerShape: "pointer",
    stays: true,
    stepsInHand,
    move: (pointer) => cursor.go(Math.round(valueAt(pointer.px))),
  };
}
