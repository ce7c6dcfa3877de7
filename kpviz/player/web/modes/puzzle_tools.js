// What is in one's hand in a puzzle: the colour of points, a setting, the order of the examples, or
// the heights of a line.

import { make, pressable, put, renew } from "../page/dom.js";
import { narrowed, POINT_LIMITS } from "../page/lesson/fields.js";
import { counted, example } from "../run/words.js";
import { carrying, moved } from "./order.js";

/** @import { DockField } from "../page/dock/types.d.ts" */
/** @import { Stage } from "../page/stage.js" */
/** @import { Pointer } from "../board/types.d.ts" */
/** @import { LessonTask } from "./types.d.ts" */

/**
 * `group`: that of the settings whose fields `equip` takes; `heights` and `take`: of a line.
 * @typedef {object} PuzzleTools
 * @property {HTMLElement} element
 * @property {() => void} update
 * @property {string} [onGrid] where points may lie
 * @property {string} [group]
 * @property {(fields: DockField[]) => void} [equip]
 * @property {number[]} [heights]
 * @property {(heights: number[]) => void} [take]
 */

const MOST_PLACES = 5;

/**
 * @param {LessonTask} task
 * @param {Stage} stage
 * @param {() => void} check where a line is checked once it is drawn
 * @returns {PuzzleTools}
 */
export function toolsOf(task, stage, check) {
  const { within, line } = task;
  const names = within.map(({ name }) => name);
  if (line) return lineTools(task, check, stage);
  if (names.some((name) => POINT_LIMITS.includes(name))) return pointTools(task, stage);
  return names.includes("order") ? orderTools(stage) : settingTools(task, stage);
}

/**
 * The colour of the next point, and how many there may still be.
 *
 * @param {LessonTask} task
 * @param {Stage} stage
 * @returns {PuzzleTools}
 */
function pointTools({ placed, grid, most = Infinity }, { player, standing }) {
  const { edit } = standing;
  const colours = [1, -1].map((y) =>
    pressable(y > 0 ? "orange" : "blue", () => edit.start(y), {
      className: y > 0 ? "orange" : "blue",
    }),
  );
  const places = make("span", { className: "places", ariaHidden: "true" });
  const left = make("span", { className: "left" });
  const onGrid = grid ? `Points snap to a grid of ${grid}.` : "";
  const mayAdd = most > placed;
  const element = make(
    "div",
    { className: "hand" },
    ...(mayAdd ? colours : []),
    places,
    left,
    make("small", {}, onGrid),
  );
  const update = () => {
    const { points, byTouch, run } = player;
    const { shapes } = run.header.tokens;
    colours.forEach((button, k) => {
      const y = k === 0 ? 1 : -1;
      put(button, { "aria-pressed": edit.on && edit.label === y });
      renew(button, shapes, () => [
        make("i", { className: y > 0 ? shapes.positive : shapes.negative }),
        y > 0 ? "orange" : "blue",
      ]);
    });
    const count = most - points.n;
    const all = most - placed;
    const dots = mayAdd && all <= MOST_PLACES ? all : 0;
    renew(places, [dots, count], () =>
      Array.from({ length: dots }, (_, k) => make("i", { className: k < all - count ? "on" : "" })),
    );
    const press = byTouch ? "tap on the map" : "click on the map";
    const toAdd = dots ? `${counted(count, "point")} left: ${press}` : `At most ${most}: ${press}`;
    put(left, { textContent: count > 0 ? toAdd : "Drag a point." });
  };
  return { element, update, onGrid };
}

/**
 * The fields of the settings that may be turned.
 *
 * @param {LessonTask} task
 * @param {Stage} stage
 * @returns {PuzzleTools}
 */
function settingTools({ within, grid }, { dock }) {
  const { box, group, update } = dock.only(within.map(({ name }) => name));
  return {
    element: make("div", { className: "hand dock" }, box),
    update: () => {},
    group,
    equip: (fields) => update(fields.map((field) => narrowed(field, within, grid))),
  };
}

/**
 * The examples in their order: a hand drags them, and arrows move the one that has the focus.
 *
 * @param {Stage} stage
 * @returns {PuzzleTools}
 */
function orderTools(stage) {
  const { player } = stage;
  const { modes, order } = player;
  const { reorder } = stage.standing;
  const element = make("div", {
    className: "hand cells",
    role: "group",
    ariaLabel: "The order: drag an example, or move it by the arrows to the left and right",
  });
  /** @type {HTMLElement[]} */
  let cells = [];

  const cellOf = (i) => {
    const y = player.run.y[i] > 0 ? "orange" : "blue";
    const cell = pressable(example(i), null, { className: y, "data-example": String(i) });
    cell.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      modes.enter(carrying(stage, i, pointerOf(event), placeAt));
      cell.focus({ preventScroll: true });
      element.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    cell.addEventListener("keydown", ({ key }) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (!by) return;
      const { now } = order;
      const to = Math.min(Math.max(now.indexOf(i) + by, 0), now.length - 1);
      reorder.begin();
      order.ahead = moved(now, i, to);
      reorder.send(true);
      update();
    });
    return cell;
  };
  /** The place whose cell is nearest. @param {Pointer} pointer in px of the window */
  const placeAt = ({ px, py }) => {
    const distances = [...element.children].map((cell) => {
      const { left, top, width, height } = cell.getBoundingClientRect();
      return Math.hypot(left + width / 2 - px, top + height / 2 - py);
    });
    return distances.indexOf(Math.min(...distances));
  };
  element.addEventListener("pointermove", (event) => modes.ask("move", pointerOf(event)));
  element.addEventListener("pointerup", () => modes.end());
  element.addEventListener("pointercancel", () => modes.cancel());

  const update = () => {
    const { n } = player.run;
    if (order.why) return;
    if (cells.length !== n) cells = Array.from({ length: n }, (_, i) => cellOf(i));
    const { now } = order;
    const isInOrder =
      element.children.length === n && now.every((i, k) => element.children[k] === cells[i]);
    if (!isInOrder) {
      const focused = /** @type {ShadowRoot} */ (element.getRootNode()).activeElement;
      element.replaceChildren(...now.map((i) => cells[i]));
      if (cells.includes(/** @type {HTMLElement} */ (focused))) {
        /** @type {HTMLElement} */ (focused).focus({ preventScroll: true });
      }
    }
    now.forEach((i, k) => put(cells[i], { ariaLabel: `${example(i)}, place ${k + 1} of ${n}` }));
  };
  return { element, update };
}

/** @param {PointerEvent} event @returns {Pointer} in px of the window */
const pointerOf = ({ clientX, clientY }) => ({ px: clientX, py: clientY });

/**
 * A slider for each height of a line across the map.
 *
 * @param {LessonTask} task
 * @param {() => void} check
 * @param {Stage} stage
 * @returns {PuzzleTools}
 */
function lineTools({ line, heights: [low, high], grid }, check, stage) {
  const heights = Array(line).fill(0);
  const sliders = heights.map((_, k) => {
    const slider = make("input", {
      type: "range",
      min: String(low),
      max: String(high),
      step: String(grid),
      value: "0",
      ariaLabel: `Height ${k + 1} of ${line}, from the left`,
    });
    slider.addEventListener("input", () => {
      heights[k] = Number(slider.valueAsNumber.toFixed(6));
      stage.redraw();
    });
    return slider;
  });
  const element = make(
    "div",
    { className: "hand" },
    make("small", { className: "heights-name" }, "The heights of the line, from the left"),
    make("div", { className: "heights" }, ...sliders),
    pressable("Check", check, { className: "main" }),
  );
  const take = (/** @type {number[]} */ values) => {
    values.forEach((value, k) => {
      heights[k] = Math.min(Math.max(value, low), high);
      sliders[k].value = String(heights[k]);
    });
    stage.redraw();
  };
  return { element, update: () => {}, heights, take };
}
