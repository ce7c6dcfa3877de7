// Where everything lies, in CSS pixels: one pure function of the panels that are on and of the
// shape of the board.

import { deskLayout } from "./desk_layout.js";
import { TOUCHED, rect, tableOf } from "./lengths.js";
import { narrowLayout } from "./narrow_layout.js";
import { projectorLayout } from "./projector_layout.js";
import { questionLayout } from "./question_layout.js";
import { singleLayout } from "./single_layout.js";

/** @import { BoardShape, Layout } from "./types.d.ts" */

// A sentence with a row under it is at least so many times as high as that row.
const LEAST_TIMES = 2.5;
// In px, where the unit is 1: so far the row reaches into the gap before the first panel.
const LOWER = 5;

/** What a shape does not say. @type {Omit<BoardShape, "width" | "height">} */
const USUAL = {
  kind: "board",
  runs: 1,
  stream: false,
  question: null,
  page: 0,
  tools: 0,
  notices: 0,
  slot: "",
  lit: [],
  touch: false,
  text: 1,
  knob: false,
  view: 0,
  next: null,
  words: true,
  heading: 0,
  turns: true,
  together: [],
  say: 0,
  margin: 0,
  bar: false,
  hand: "",
};

const LAYOUTS = {
  board: boardLayout,
  projector: projectorLayout,
  question: questionLayout,
  single: singleLayout,
};

/**
 * Where everything lies; what a shape does not say is as usual.
 *
 * @param {Set<string>} panelNames
 * @param {Partial<BoardShape> & { width: number, height: number }} shape
 * @returns {Layout}
 */
export function layoutOf(panelNames, shape) {
  /** @type {BoardShape} */
  const whole = { ...USUAL, ...shape };
  return LAYOUTS[whole.kind](panelNames, whole);
}

/** @param {Set<string>} panelNames @param {BoardShape} shape */
function boardLayout(panelNames, shape) {
  const { width, height, next, touch } = shape;
  if (tableOf(width, height) === "narrow") return narrowLayout(panelNames, shape);
  return withRow(deskLayout(panelNames, shape), next, touch ? TOUCHED : 0);
}

/**
 * The same with a row under the sentence, which leaves it the room; `h` px high where the unit is
 * 1, but not less than `least`, and at least `w` wide. Without it where there is no sentence, or
 * not enough room for both.
 *
 * @param {Layout} layout
 * @param {{ w: number, h: number } | null} row
 * @param {number} least
 * @returns {Layout}
 */
function withRow(layout, row, least) {
  if (layout.next) return layout;
  const name = ["words", "sentences"].find((one) => one in layout.panels);
  const sentence = layout.panels[name];
  const h = Math.max(Math.round((row?.h ?? 0) * layout.unit), least);
  if (!row || !sentence || sentence.h < LEAST_TIMES * h || sentence.w < row.w) return layout;
  const panels = { ...layout.panels, [name]: { ...sentence, h: sentence.h - h } };
  const lower = layout.notices?.h ? 0 : Math.round(LOWER * layout.unit);
  return {
    ...layout,
    panels,
    taken: h,
    next: rect(sentence.x, sentence.y + sentence.h - h + lower, sentence.w, h),
  };
}
