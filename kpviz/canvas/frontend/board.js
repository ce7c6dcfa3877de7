// The description of the board: every panel with its marks, for `paint` and for the tests.

import { alphaMarks } from "./panels/alpha.js";
import { mapMarks } from "./panels/map.js";
import { marginMarks } from "./panels/margins.js";
import { boundMarks, codeMarks, wordMarks } from "./panels/text.js";
import { ownMarks } from "./panels/own.js";
import { timelineMarks } from "./panels/timeline.js";
import { textWidth } from "./paint.js";

const MARKS = {
  map: mapMarks,
  words: wordMarks,
  alpha: alphaMarks,
  margins: marginMarks,
  own: ownMarks,
  timeline: timelineMarks,
  code: codeMarks,
  bound: boundMarks,
};

/**
 * The board of a scene: { width, height, panels }. A panel is { name, rect, clip, still, moving }: `moving` is a list of
 * marks, `still` a list of { key, marks() } under it that stay as they are while their key does.
 */
export function describe(scene, layout, width) {
  const panels = Object.entries(layout.panels)
    .filter(([name]) => name in MARKS)
    .map(([name, rect]) => new Panel(name, rect, MARKS[name]({ ...scene, rect, unit: layout.unit })));
  if (scene.tip) panels.push(new Panel("tip", null, { still: [], moving: tipMarks(scene, layout, width) }));
  return { width, height: layout.height, panels };
}

class Panel {
  constructor(name, rect, { still, moving }) {
    Object.assign(this, { name, rect, still, moving, clip: name === "map" ? rect : null });
  }

  /** All marks, from the lowest to the highest. */
  get marks() {
    return [...this.still.flatMap(({ marks }) => marks()), ...this.moving];
  }
}

/** A box with the numbers of what the pointer touches. */
function tipMarks({ tip, palette }, layout, width) {
  const size = 13 * Math.min(layout.unit, 1.3);
  const w = Math.max(...tip.lines.map((line, k) => textWidth(line, size, palette.fonts, k ? 400 : 600))) + 20;
  const h = tip.lines.length * size * 1.4 + 12;
  const x = Math.max(Math.min(tip.px + 18, width - w - 4), 2);
  const y = tip.py + 18 + h > layout.height ? Math.max(tip.py - h - 12, 2) : tip.py + 18;
  return [
    { kind: "rect", x, y, w, h, fill: palette.paper, stroke: palette.quiet, width: 1, radius: 5, alpha: 0.97 },
    ...tip.lines.map((text, k) => ({
      kind: "text", x: x + 10, y: y + 6 + size * (1.05 + 1.4 * k), size, weight: k ? 400 : 600, fill: palette.ink, text, name: "tip",
    })),
  ];
}
