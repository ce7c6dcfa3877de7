// The description of the board: every panel with its marks, for `paint` and for the tests.

import { flyingBrick } from "./alpha.js";
import { allMarks, chart, heading, layersOf } from "./chart.js";
import { PANEL_OBJECTS } from "./index.js";
import { signed } from "./signs.js";
import { tipMarks } from "./tip.js";
import { wrap } from "../paint/measure.js";
import { BY_NAME, PANELS } from "../board/panel_table.js";
import { F_HIDDEN, placed } from "../board/scene.js";
import { step } from "../board/scale.js";

/** @import { Palette } from "../paint/colors.js" */
/** @import { FisherScene, PanelScene, Scene } from "../board/scene.js" */
/**
 * @import { Board, BoardPanel, Drawing, Layout, Mark, Rect, StillMarks } from "../board/types.d.ts"
 */

// What stands in place of a panel that would give the answer to a question away.

/** @param {PanelScene} scene @returns {Drawing} */
function hiddenMarks({ rect, unit, palette, fHidden }, title) {
  const size = step("label", unit);
  const words = fHidden ? F_HIDDEN : "Hidden while you predict";
  const text = wrap(words, rect.w, size, palette.fonts)[0];
  const look = { size, fill: palette.quiet, align: /** @type {const} */ ("center"), name: "veil" };
  return [
    ...heading({ rect, unit, palette }, title),
    chart.text(rect.x + rect.w / 2, rect.y + rect.h / 2 + 6, text, look),
  ];
}

const CLIPPED = ["map", "components"]; // Nothing sticks out of these panels.

const INSTEAD = new Map(
  PANELS.filter(({ instead }) => instead).map(({ name, page, instead }) => [
    `${page} ${instead}`,
    name,
  ]),
); // These panels take the place of others on another page.

const kindOf = (name) => name.split("-")[0];

/**
 * The board of the scenes of all maps, by their names; what stands still since `before` was drawn
 * keeps its marks.
 *
 * @param {Record<string, Scene>} scenes
 * @param {Layout} layout
 * @param {number} width
 * @param {Board | null} [before]
 * @returns {Board}
 */
export function describe(scenes, layout, width, before = null) {
  const scene = scenes.map;
  const panels = Object.keys(layout.panels)
    .filter((name) => kindOf(name) in PANEL_OBJECTS)
    .map((name) => describePanel(name, scenes, layout, before));
  const { alpha } = layout.panels;
  const flight = alpha && flyingBrick(placed(scene, { rect: alpha, unit: layout.unit }));
  if (flight) {
    const marks = signed(flight.marks, scene.palette, scene.patterns);
    panels.push(new Panel("flight", flight.rect, marks));
  }
  const lit = scene.light.filter((name) => name in layout.panels);
  if (lit.length) {
    const frames = lit.map((name) => frameOf(layout.panels[name], layout, width, scene.palette));
    panels.push(new Panel("light", null, frames));
  }
  if (scene.tip) panels.push(tipPanel(scenes, layout, width));
  return { width, height: layout.height, panels };
}

/**
 * A board on which some panels are described again, and all others are as they were.
 *
 * @param {Record<string, Scene>} scenes
 * @param {Layout} layout
 * @param {Board} board
 * @param {string[]} names
 * @returns {Board}
 */
export function withPanelsAgain(scenes, layout, board, names) {
  const panels = board.panels.map((panel) =>
    names.includes(panel.name) && panel.name in layout.panels
      ? describePanel(panel.name, scenes, layout, board)
      : panel,
  );
  return { ...board, panels };
}

/**
 * One panel; what stands still since `before` was drawn keeps its marks.
 *
 * @param {string} name
 * @param {Record<string, Scene>} scenes
 * @param {Layout} layout
 * @param {Board | null} before
 */
function describePanel(name, scenes, layout, before) {
  const rect = layout.panels[name];
  const [kind, which] = name.split("-");
  const { palette, patterns } = scenes.map;
  const scene = which === undefined ? scenes.map : scenes[`map-${which}`];
  const isOnPage = layout.pages?.[layout.page].includes(name);
  const unit = (isOnPage && layout.panelUnit) || layout.unit;
  const placedScene = placed(scene, { rect, unit });
  const drawn = INSTEAD.get(`${scenes.map.run.page} ${kind}`) ?? kind;
  const marks = isHidden(kind, scene)
    ? hiddenMarks(placedScene, BY_NAME[kind].short)
    : PANEL_OBJECTS[drawn].marks(/** @type {PanelScene & FisherScene} */ (placedScene));
  return new Panel(
    name,
    rect,
    patterns || kind === "alpha" ? signed(marks, palette, patterns) : marks,
    before?.panels.find((panel) => panel.name === name),
  );
}

/**
 * The box at the pointer.
 *
 * @param {Record<string, Scene>} scenes
 * @param {Layout} layout
 * @param {number} width
 */
function tipPanel(scenes, layout, width) {
  const { tip, palette } = scenes.map;
  const spoken = Object.entries(scenes)
    .map(([name, scene]) => spokenOf(scene, layout.panels[name]))
    .find(Boolean);
  return new Panel("tip", null, tipMarks(tip, palette, layout, width, spoken ?? null));
}

/**
 * The lines of a map that the box at the pointer speaks of, and the example of the step.
 *
 * @param {Scene} scene
 * @param {Rect} map
 */
function spokenOf({ run, probe, view, current }, map) {
  if (!probe) return null;
  const pixel = (x1, x2) => ({ px: view.x(x1), py: view.y(x2) });
  const to = probe.terms.map(({ i, value }) => ({
    ...pixel(run.X[2 * i], run.X[2 * i + 1]),
    weight: Math.min(Math.abs(value) / probe.largest, 1),
  }));
  const ring = current === null ? null : pixel(run.X[2 * current], run.X[2 * current + 1]);
  return { from: pixel(probe.x1, probe.x2), to, map, ring };
}

/**
 * Whether a panel would reveal the answer to a question.
 *
 * @param {string} kind
 * @param {Pick<PanelScene, "fHidden" | "predicting" | "run" | "covered">} scene
 */
export function isHidden(kind, { fHidden, predicting, run, covered }) {
  if (run.stream && kind === "margins") return false; // Its course hides by itself what is ahead.
  if (kind === "gram" && covered().has("k")) return true;
  const { reveals = "" } = BY_NAME[kind] ?? {};
  return (reveals === "now" && fHidden) || (reveals === "ahead" && predicting);
}

/** Marks for those that only paint: nothing in them can be pointed at. @param {Mark[]} marks */
export function painted(marks) {
  return marks.flatMap((mark) => {
    if (mark.kind === "area") return [];
    if (!("target" in mark)) return [mark];
    const plain = { ...mark };
    delete plain.target;
    delete plain.words;
    return [plain];
  });
}

export class Panel {
  /**
   * @param {string} name
   * @param {Rect | null} rect
   * @param {Drawing} drawing
   * @param {BoardPanel} [before] the panel as it was drawn last
   */
  constructor(name, rect, drawing, before) {
    const { still, moving } = layersOf(drawing);
    this.name = name;
    this.rect = rect && { ...rect }; // The layout may change its own rectangle.
    this.clip = CLIPPED.includes(kindOf(name)) ? rect : null;
    const stays = isSameRect(rect, before?.rect);
    this.still = still.map((layer, k) => ({
      ...layer,
      marks: marksOfLayer(layer, stays ? before.still[k] : undefined),
    }));
    this.moving = moving;
  }

  /** All marks that are painted, from the lowest to the highest. */
  get marks() {
    return painted(allMarks(this));
  }

  /** The same panel for those that only paint. */
  get painted() {
    const { name, rect, clip, still, moving } = this;
    const layers = still.map((layer) => ({ ...layer, marks: once(() => painted(layer.marks())) }));
    return { name, rect, clip, still: layers, moving: painted(moving) };
  }
}

/** @param {Rect | null} one @param {Rect | null} [other] */
const isSameRect = (one, other) =>
  Boolean(one && other) &&
  one.x === other.x &&
  one.y === other.y &&
  one.w === other.w &&
  one.h === other.h;

/**
 * The marks of a layer, made when they are first asked for; the same as before while its key is.
 *
 * @param {StillMarks} layer
 * @param {StillMarks} [before]
 */
const marksOfLayer = ({ key, marks }, before) => (before?.key === key ? before.marks : once(marks));

/**
 * What a function returns, computed when it is first asked for.
 *
 * @type {<T>(make: () => T) => () => T}
 */
function once(make) {
  let made;
  return () => (made ??= make());
}

/**
 * A frame round a panel that a cue lights.
 *
 * @param {Rect} rect
 * @param {Layout} layout
 * @param {number} boardWidth
 * @param {Palette} palette
 */
function frameOf({ x, y, w, h }, { unit, least, height }, boardWidth, palette) {
  const apart = least ? 0.3 * least : 4;
  const width = 3 * unit;
  const look = { stroke: palette.ink, width, radius: 5, name: "light" };
  const [left, top] = [x, y].map((from) => Math.max(from - apart, width / 2));
  const right = Math.min(x + w + apart, boardWidth - width / 2);
  const bottom = Math.min(y + h + apart, height - width / 2);
  return chart.rect(left, top, right - left, bottom - top, look);
}
