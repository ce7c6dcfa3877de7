// Where everything lies, in CSS pixels: one pure function of the panels that are on and of the
// shape of the board.

import { deskLayout } from "./desk_layout.js";
import { rect, tableOf } from "./lengths.js";
import { narrowLayout } from "./narrow_layout.js";
import { projectorLayout } from "./projector_layout.js";
import { questionLayout } from "./question_layout.js";
import { singleLayout } from "./single_layout.js";

/** @import { BoardShape, Layout } from "./types.d.ts" */

// A sentence with a row under it is at least so many times as high as that row.
const LEAST_TIMES = 2.5;

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
  const { width, height, next } = shape;
  if (tableOf(width, height) === "narrow") return narrowLayout(panelNames, shape);
  return withRow(deskLayout(panelNames, shape), next);
}

/**
 * The same with a row under the sentence, which leaves it the room; `h` px high where the unit is
 * 1, and at least `w` wide. Without it where there is no sentence, or not enough room for both.
 *
 * @param {Layout} layout
 * @param {{ w: number, h: number } | null} row
 * @returns {Layout}
 */
function withRow(layout, row) {
  if (layout.next) return layout;
  const name = ["words", "sentences"].find((one) => one in layout.panels);
  const sentence = layout.panels[name];
  const h = Math.round((row?.h ?? 0) * layout.unit);
  if (!row || !sentence || sentence.h < LEAST_TIMES * h || sentence.w < row.w) return layout;
  const panels = { ...layout.panels, [name]: { ...sentence, h: sentence.h - h } };
  return {
    ...layout,
    panels,
    taken: h,
    next: rect(sentence.x, sentence.y + sentence.h - h, sentence.w, h),
  };
}
