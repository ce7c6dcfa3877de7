// The small grammar of all panels: marks by their place and look.

/** @import { CircleMark, LineMark, LinesMark, Points, RectMark, TextMark } from "../types.d.ts" */

export const chart = {
  /** @type {(x: number, y: number, text: string, look: Pick<TextMark, "size" | "fill"> & Partial<TextMark>) => TextMark} */
  text: (x, y, text, look) => ({ kind: "text", x, y, text, ...look }),
  /** @type {(x: number, y: number, w: number, h: number, look?: Partial<RectMark>) => RectMark} */
  rect: (x, y, w, h, look) => ({ kind: "rect", x, y, w, h, ...look }),
  /** @type {(x: number, y: number, r: number, look?: Partial<CircleMark>) => CircleMark} */
  circle: (x, y, r, look) => ({ kind: "circle", x, y, r, ...look }),
  /** A line through points x, y, x, y, … @type {(points: Points, look: Partial<LineMark>) => LineMark} */
  line: (points, look) => ({ kind: "line", points, ...look }),
  /** @type {(lines: Points[], look: Partial<LinesMark>) => LinesMark} */
  lines: (lines, look) => ({ kind: "lines", lines, ...look }),
};
