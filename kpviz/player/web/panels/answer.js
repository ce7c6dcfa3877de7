// What panels that answer a question have in common: the answer as a sentence, reasons under it,
// and questions at the foot, whose answers are told where one points at them.

import { fittingStep, step } from "../board/scale.js";
import { textWidth, wrap, wrapBalanced } from "../paint/measure.js";
import { chart } from "./chart.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Step } from "../board/scale.js" */
/** @import { Mark, Rect, TextMark } from "../board/types.d.ts" */

const LINE = 1.3; // Relative to the type: so high is a line.
const BELOW_TITLE = 1.6; // In labels, from the top of the panel.
const FOLDS = 1.9; // Relative to their type: so high is a row of questions.

/**
 * The answer under the title, and how high both are: on one line where it can be as large as a
 * title, else on two, where it may have so many.
 *
 * @param {Pick<PanelScene, "rect" | "unit" | "palette" | "layout">} scene
 * @param {string} sentence
 * @param {number} [most] rows
 * @returns {{ marks: TextMark[], h: number }}
 */
export function answerMarks({ rect, unit, palette, layout }, sentence, most = 2) {
  const top = rect.y + BELOW_TITLE * step("label", unit);
  const title = step("title", unit);
  const fits = (candidate) =>
    wrap(sentence, rect.w, candidate, palette.fonts).length <= (candidate === title ? 1 : most);
  // On a low board it is no louder than the sentence.
  const size = fittingStep(layout.low ? "large" : "title", unit, fits, "label");
  const rows = wrapBalanced(sentence, rect.w, size, palette.fonts);
  const look = { size, fill: palette.ink, name: "answer" };
  const marks = chart.words(rect.x, top + size, rows, LINE * size, look);
  return { marks, h: top - rect.y + LINE * size * rows.length };
}

/** The same of a panel whose answer is said elsewhere: its title alone. */
export const withoutAnswer = (/** @type {Pick<PanelScene, "unit">} */ { unit }) => ({
  marks: /** @type {TextMark[]} */ ([]),
  h: BELOW_TITLE * step("label", unit),
});

/**
 * A reason, as large as lets it stand on so many lines.
 *
 * @param {Pick<PanelScene, "unit" | "palette">} scene
 * @param {Rect} rect
 * @param {string} words
 * @param {{ from: Step, most: number, name: string }} how
 * @returns {{ marks: TextMark[], h: number }}
 */
export function reasonMarks({ unit, palette }, rect, words, { from, most, name }) {
  const { fonts } = palette;
  const fits = (candidate) => wrap(words, rect.w, candidate, fonts).length <= most;
  const size = fittingStep(from, unit, fits);
  const rows = wrapBalanced(words, rect.w, size, fonts);
  const fill = from === "small" ? palette.quiet : palette.ink;
  const marks = chart.words(rect.x, rect.y + size, rows, LINE * size, { size, fill, name });
  return { marks, h: LINE * size * rows.length };
}

/** How high the row of questions is: none is there where nobody can point at it. */
export const foldsHeight = ({ unit, bare }) => (bare ? 0 : FOLDS * step("label", unit));

/**
 * Questions at the foot of a panel, as many as have room beside each other.
 *
 * @param {Pick<PanelScene, "rect" | "unit" | "palette" | "bare">} scene
 * @param {{ question: string, lines: string[] }[]} folds
 * @returns {Mark[]}
 */
export function foldMarks({ rect, unit, palette, bare }, folds) {
  if (bare) return [];
  const size = step("label", unit);
  const high = foldsHeight({ unit, bare });
  /** @type {Mark[]} */
  const marks = [];
  let { x } = rect;
  for (const { question, lines } of folds) {
    const w = textWidth(question, size, palette.fonts);
    if (x + w > rect.x + rect.w) break;
    const place = { x, y: rect.y + rect.h - high, w, h: high };
    const look = { size, fill: palette.accent, name: "fold" };
    marks.push(
      chart.text(x, rect.y + rect.h - 0.6 * size, question, look),
      chart.area(place, { kind: "words", index: question, stop: true }, () => [question, ...lines]),
    );
    x += w + 1.6 * size;
  }
  return marks;
}
