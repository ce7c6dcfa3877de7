// The description of the board: every panel with its marks, for `paint` and for the tests.

import { PANELS } from "./panels/index.js";
import { textWidth, wrap } from "./paint.js";

/** The functions of the panels by name; "map-0" is that of the first pinned run. */
const MARKS = Object.fromEntries(PANELS.filter(({ marks }) => marks).map(({ name, marks }) => [name, marks]));

const kindOf = (name) => name.split("-")[0];

/**
 * The board of the scenes of all maps, by name: { width, height, panels }. A panel is { name, rect, clip, still, moving }: `moving` is a list of
 * marks, `still` a list of { key, marks() } under it that stay as they are while their key does.
 */
export function describe(scenes, layout, width) {
  const scene = scenes.map;
  const panels = Object.entries(layout.panels)
    .filter(([name]) => kindOf(name) in MARKS)
    .map(([name, rect]) => {
      const [kind, which] = name.split("-");
      const own = which === undefined ? scene : scenes[`map-${which}`];
      return new Panel(name, rect, MARKS[kind]({ ...own, rect, unit: layout.unit }));
    });
  const lit = scene.light.filter((name) => name in layout.panels);
  if (lit.length)
    panels.push(
      new Panel("light", null, {
        still: [],
        moving: lit.map((name) => frameOf(layout.panels[name], layout, scene.palette)),
      }),
    );
  if (scene.tip) panels.push(new Panel("tip", null, { still: [], moving: tipMarks(scene, layout, width) }));
  return { width, height: layout.height, panels };
}

class Panel {
  constructor(name, rect, { still, moving }) {
    Object.assign(this, { name, rect, still, moving, clip: kindOf(name) === "map" ? rect : null });
  }

  /** All marks, from the lowest to the highest. */
  get marks() {
    return [...this.still.flatMap(({ marks }) => marks()), ...this.moving];
  }
}

/** A frame round a panel that a cue lights. */
function frameOf({ x, y, w, h }, { unit, least }, palette) {
  const [apart, width] = [least ? 0.3 * least : 4, 3 * unit];
  return {
    kind: "rect",
    x: Math.max(x - apart, width / 2),
    y: Math.max(y - apart, width / 2),
    w: w + 2 * apart,
    h: h + 2 * apart,
    stroke: palette.accent,
    width,
    radius: 5,
    name: "light",
  };
}

/** A box with the numbers of what the pointer touches. */
function tipMarks({ tip, palette }, layout, width) {
  const size = Math.max(13 * Math.min(layout.unit, 1.3), layout.least ?? 0);
  const all = layout.least ? tip.lines.flatMap((line) => wrap(line, width - 40, size, palette.fonts, 600)) : tip.lines;
  const w = Math.max(...all.map((line, k) => textWidth(line, size, palette.fonts, k ? 400 : 600))) + 20;
  const h = all.length * size * 1.4 + 12;
  const x = Math.max(Math.min(tip.px + 18, width - w - 4), 2);
  const y = tip.py + 18 + h > layout.height ? Math.max(tip.py - h - 12, 2) : tip.py + 18;
  return [
    { kind: "rect", x, y, w, h, fill: palette.paper, stroke: palette.quiet, width: 1, radius: 5, alpha: 0.97 },
    ...all.map((text, k) => ({
      kind: "text",
      x: x + 10,
      y: y + 6 + size * (1.05 + 1.4 * k),
      size,
      weight: k ? 400 : 600,
      fill: palette.ink,
      text,
      name: "tip",
    })),
  ];
}
