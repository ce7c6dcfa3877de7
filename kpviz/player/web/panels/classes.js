// A class of Fisher's page as a shape and a colour: square, circle, triangle.

/** @import { Mark, Round } from "../types.d.ts" */

const CORNERS = [-90, 30, 150].map((angle) => [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]);
const AREA = 1.45; // how far its corners are from the middle of a triangle, times the radius of a circle that looks as large

/**
 * The mark of a point of class k; without `fill` it is hollow.
 *
 * @param {number} k
 * @param {Round & { i?: number, lit?: number, name?: string }} look
 */
export function shape(k, look) {
  const mark = { width: 1.4, ...look, class: k };
  if (k < 2) return /** @type {Mark} */ ({ ...mark, kind: k ? "circle" : "square" });
  const points = CORNERS.flatMap(([c, s]) => [look.x + AREA * look.r * c, look.y + AREA * look.r * s]);
  return /** @type {Mark} */ ({ ...mark, kind: "polygon", points });
}
