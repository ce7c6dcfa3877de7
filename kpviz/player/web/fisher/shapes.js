// A class as a shape and a colour: square, circle, triangle.

/** @import { CircleMark, Mark } from "../types.d.ts" */

const CORNERS = [-90, 30, 150].map((angle) => [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]);

/**
 * Marks of one point of class k; without `fill` it is hollow.
 *
 * @param {number} k
 * @param {Omit<CircleMark, "kind">} look
 * @returns {Mark[]}
 */
export function shape(k, { x, y, r, fill, stroke, width = 1.4, ...rest }) {
  if (k < 2) return [{ kind: k ? "circle" : "square", x, y, r, fill, stroke, width, class: k, ...rest }];
  const at = (size) => [...CORNERS, CORNERS[0], CORNERS[1]].flatMap(([c, s]) => [x + size * c, y + size * s]);
  if (!fill) return [{ kind: "line", points: at(1.25 * r), stroke, width, class: k, x, y, ...rest }];
  const core = 0.62 * r; // stroked as wide as it is: a triangle with round corners
  /** @type {Mark} */
  const edge = { kind: "line", points: at(core), stroke, width: core + 2 * width, ...rest };
  /** @type {Mark} */
  const face = { kind: "line", points: at(core), stroke: fill, width: core, class: k, x, y, ...rest };
  return stroke ? [edge, face] : [face];
}

/** Colours of the classes: of points on the map, on the page, and of the ground of the map. */
export function colours(palette, tokens) {
  return {
    map: [palette.point.negative, palette.point.positive, palette.accent],
    page: [palette.negative, palette.positive, palette.accent],
    field: [palette.field_negative, palette.field_positive, tokens.themes[palette.dark ? "light" : "dark"].accent], // quieter than the points
  };
}
