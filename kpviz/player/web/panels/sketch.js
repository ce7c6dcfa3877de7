// A tree or a graph as it is drawn, on the map and among what is remembered.

import { chart } from "./chart.js";
import { textWidth } from "../paint/measure.js";
import { step } from "../board/scale.js";

/** @import { Mark } from "../board/types.d.ts" */

const NODE_RADIUS = 0.62; // In letters.
/** So high a drawing is, in letters; five levels of a tree have room for their words. */
export const HEIGHTS = { trees: 6.8, graphs: 5.4 };

/** Of each node the share of its parts that stand in `others` as well. */
export const shares = ({ nodes }, others) =>
  nodes.map(([, , , ids]) =>
    ids.length ? ids.filter((id) => others.has(id)).length / ids.length : 0,
  );

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
  const wide = Math.min(w - 2 * r, sketch.nodes.length * 2.6 * size);
  const at = ([, u, v]) => [x + r + u * wide, y + r + (1 - v) * (h - 2.6 * r)];
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
