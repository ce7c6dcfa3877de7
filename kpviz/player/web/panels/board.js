// The description of the board: every panel with its marks, for `paint` and for the tests.

import { chart, heading, layersOf } from "./chart.js";
import { MARKS } from "./index.js";
import { signed } from "./signs.js";
import { tipMarks } from "./tip.js";
import { wrap } from "../model/measure.js";
import { BY_NAME, PANELS } from "../model/panel_table.js";
import { F_HIDDEN } from "../model/scene.js";

/** @import { Palette } from "../model/colors.js" */
/** @import { PanelScene, Scene } from "../model/scene.js" */
/** @import { Board, Drawing, Layout, Rect } from "../types.d.ts" */

// What stands in place of a panel that would give the answer to a question away.

/** @param {PanelScene} scene @returns {Drawing} */
function hiddenMarks({ rect, unit, palette, fHidden }, title) {
  const size = 14 * unit;
  const words = fHidden ? F_HIDDEN : "Hidden while you predict";
  const text = wrap(words, rect.w, size, palette.fonts)[0];
  const look = { size, fill: palette.quiet, align: /** @type {const} */ ("center"), name: "veil" };
  return [
    ...heading({ rect, unit, palette }, title),
    chart.text(rect.x + rect.w / 2, rect.y + rect.h / 2 + 6, text, look),
  ];
}

const CLIPPED = ["map", "components"]; // panels that nothing sticks out of

const INSTEAD = new Map(PANELS.filter(({ instead }) => instead).map(({ name, instead }) => [instead, name])); // on Fisher's page

/** @type {(name: string) => (scene: PanelScene) => Drawing} */
const marksOf = (name) => MARKS[name];
const kindOf = (name) => name.split("-")[0];

/**
 * The board of the scenes of all maps, by their names.
 *
 * @param {Record<string, Scene>} scenes
 * @param {Layout} layout
 * @returns {Board}
 */
export function describe(scenes, layout, width) {
  const scene = scenes.map;
  const panels = Object.entries(layout.panels)
    .filter(([name]) => kindOf(name) in MARKS)
    .map(([name, rect]) => {
      const [kind, which] = name.split("-");
      const own = which === undefined ? scene : scenes[`map-${which}`];
      const given = { ...own, rect, unit: layout.unit };
      const drawn = (scene.run.fisher && INSTEAD.get(kind)) || kind;
      const marks = isHidden(kind, own) ? hiddenMarks(given, BY_NAME[kind].short) : marksOf(drawn)(given);
      return new Panel(
        name,
        rect,
        scene.patterns || kind === "alpha" ? signed(marks, scene.palette, scene.patterns) : marks,
      );
    });
  const lit = scene.light.filter((name) => name in layout.panels);
  if (lit.length) {
    const frames = lit.map((name) => frameOf(layout.panels[name], layout, scene.palette));
    panels.push(new Panel("light", null, frames));
  }
  if (scene.tip) {
    const spoken = Object.values(scenes).map(spokenOf).find(Boolean) ?? null;
    const box = tipMarks(scene.tip, scene.palette, layout, width, spoken);
    panels.push(new Panel("tip", null, box));
  }
  return { width, height: layout.height, panels };
}

/** The lines of a map that the box at the pointer speaks of. @param {Scene} scene */
function spokenOf({ run, probe, view }) {
  if (!probe) return null;
  const pixel = (x1, x2) => ({ px: view.x(x1), py: view.y(x2) });
  const to = probe.terms.map(({ i, value }) => ({
    ...pixel(run.X[2 * i], run.X[2 * i + 1]),
    weight: Math.min(Math.abs(value) / probe.largest, 1),
  }));
  return { from: pixel(probe.x1, probe.x2), to };
}

/** Whether a panel would reveal the answer to a question. */
function isHidden(kind, { fHidden, predicting, run, covered }) {
  if (run.stream && kind === "margins") return false; // its course hides what is ahead itself
  if (kind === "gram" && covered().has("k")) return true;
  const { reveals = "" } = BY_NAME[kind] ?? {};
  return (reveals === "now" && fHidden) || (reveals === "ahead" && predicting);
}

export class Panel {
  /** @param {string} name @param {Rect | null} rect @param {Drawing} drawing */
  constructor(name, rect, drawing) {
    const { still, moving } = layersOf(drawing);
    this.name = name;
    this.rect = rect;
    this.clip = CLIPPED.includes(kindOf(name)) ? rect : null;
    this.still = still.map((layer) => ({ ...layer, marks: once(layer.marks) }));
    this.moving = moving;
  }

  /** All marks, from the lowest to the highest. */
  get marks() {
    return [...this.still.flatMap(({ marks }) => marks()), ...this.moving];
  }
}

/** What a function returns, computed when it is first asked for. @type {<T>(make: () => T) => () => T} */
function once(make) {
  let made;
  return () => (made ??= make());
}

/** A frame round a panel that a cue lights. @param {Rect} rect @param {Layout} layout @param {Palette} palette */
function frameOf({ x, y, w, h }, { unit, least }, palette) {
  const [apart, width] = [least ? 0.3 * least : 4, 3 * unit];
  const look = { stroke: palette.accent, width, radius: 5, name: "light" };
  return chart.rect(Math.max(x - apart, width / 2), Math.max(y - apart, width / 2), w + 2 * apart, h + 2 * apart, look);
}
