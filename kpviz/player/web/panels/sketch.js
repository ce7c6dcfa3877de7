// A tree or a graph as it is drawn, on the map and among what is remembered.

import { chart } from "./chart.js";
import { textWidth } from "../paint/measure.js";
import { step } from "../board/scale.js";

/** @import { Mark } from "../board/types.d.ts" */

const NODE_RADIUS = 0.62; // In letters.
const NODE_WIDTH = 2.6; // In letters: a drawing is so wide at most for each of its nodes.
const FOOT = 0.7; // In letters: under a drawing so much is free.
const LEAST_RANGE = 0.01; // Relative to the width: a chain has hardly any height.
/** So high a drawing is, in letters; five levels of a tree have room for their words. */
export const HEIGHTS = { trees: 7, graphs: 6.6 };

/**
 * Where what is said of a drawing stands, in letters from its top: in the middle of a graph, beside
 * the root of a tree.
 */
export const middleOf = (/** @type {string} */ drawn) =>
  drawn === "graphs" ? (HEIGHTS.graphs - FOOT) / 2 : NODE_RADIUS;

/** Of each node the share of its parts that stand in `others` as well. */
export const shares = ({ nodes }, others) =>
  nodes.map(([, , , ids]) =>
    ids.length ? ids.filter((id) => others.has(id)).length / ids.length : 0,
  );

/** The lowest and the highest node. @returns {[number, number]} */
function rangeOf({ nodes }) {
  const heights = nodes.map(([, , v]) => v);
  return [Math.min(...heights), Math.max(...heights)];
}

/**
 * A tree or a graph; the more of a node's parts are shared, the stronger is its background.
 *
 * @returns {{ marks: Mark[], h: number }}
 */
export function joined({ palette, unit }, sketch, others, { x, y, w }, size, drawn) {
  const h = HEIGHTS[drawn] * size;
  const lit = shares(sketch, others);
  const r = NODE_RADIUS * size;
  const small = step("small", unit);
  const high = h - 2 * r - FOOT * size;
  const most = Math.min(w - 2 * r, sketch.nodes.length * NODE_WIDTH * size);
  const isGraph = drawn === "graphs";
  const [low, top] = isGraph ? rangeOf(sketch) : [0, 1];
  // The places of a graph are those of its plane; of a tree width and height tell nothing.
  const wide = isGraph ? Math.min(most, high / Math.max(top - low, LEAST_RANGE)) : most;
  const tall = isGraph ? wide : high;
  const above = (high - (top - low) * tall) / 2;
  const at = ([, u, v]) => [x + r + u * wide, y + r + above + (top - v) * tall];
  const marks = sketch.edges.map(([a, b]) =>
    chart.line([...at(sketch.nodes[a]), ...at(sketch.nodes[b])], {
      stroke: palette.quiet,
      width: 1,
    }),
  );
  sketch.nodes.forEach((node, k) => {
    const [cx, cy] = at(node);
    const half = Math.max(textWidth(node[0], small, palette.fonts) / 2 + 3, r);
    const look = { radius: r, fill: palette.panel, stroke: palette.rule, width: 1 };
    marks.push(chart.rect(cx - half, cy - r, 2 * half, 2 * r, look));
    if (lit[k]) {
      const sharedLook = {
        radius: r,
        fill: palette.ghost,
        alpha: 0.18 + 0.4 * lit[k],
        name: "shared",
      };
      marks.push(chart.rect(cx - half, cy - r, 2 * half, 2 * r, sharedLook));
    }
    marks.push(
      chart.text(cx, cy, node[0], {
        align: "center",
        baseline: "middle",
        size: small,
        fill: palette.ink,
      }),
    );
  });
  return { marks, h };
}
