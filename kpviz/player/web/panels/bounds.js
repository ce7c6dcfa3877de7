// What bounds the mistakes of a run: the answer in a sentence and on a line, and each bound.

import { sceneWith } from "../board/scene.js";
import { step } from "../board/scale.js";
import { textWidth } from "../paint/measure.js";
import { answerOf, answerWords, boundsOf } from "../run/bounds.js";
import { whole } from "../run/words.js";
import { answerMarks, foldMarks, foldsHeight } from "./answer.js";
import { chart, heading } from "./chart.js";
import { stacked } from "./text.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Mark, PanelObject } from "../board/types.d.ts" */

const LEAST_FOR_ANSWER = 9; // In lines of labels: a lower panel has the bounds only.
const LEAST_WITH_LINE = 18; // In lines of labels, under the answer.
const LEAST_WITH_QUESTIONS = 5; // There what has no room is told under the questions.
const TRACK = 0.5; // In letters of the large type: half the height of the line.

/**
 * The bounds of these mistakes: first the answer as a sentence and on a line, then what each says
 * now, and when it says nothing; what their letters are is told under a question, or, where nobody
 * points or there is no answer, beneath each.
 *
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
function boundMarks(scene) {
  const { palette, run, mistakes, t, bare, unit } = scene;
  const bounds = boundsOf(run, t, mistakes);
  const others = (left) => (left === 1 ? "One more bound has" : `${left} more bounds have`);
  const { marks, h } = boundAnswer(scene);
  const folds = h && !bare ? foldsOf(bounds) : [];
  const blocks = bounds?.map((bound) => paragraphsOf(bound, palette, folds.length > 0)) ?? [
    [["Computing…", {}]],
  ];
  const foot = folds.length ? foldsHeight(scene) : 0;
  const rect = { ...scene.rect, y: scene.rect.y + h, h: scene.rect.h - h - foot };
  // What has no room is told under the questions, too: no line counts it.
  const setting = { rect, palette, unit, bare: bare || folds.length > 0 };
  const size = step("label", unit);
  const linesOf = (some) => stacked(setting, some, others).filter((mark) => mark.kind === "text");
  const formulas = blocks.map((paragraphs) => paragraphs.slice(0, 1));
  // What would be smaller here stands under the questions.
  const candidates = (folds.length ? [blocks, formulas, []] : [blocks]).map(linesOf);
  const isLarge = (lines) => lines.every((line) => line.size >= size);
  const reasons = candidates.find(isLarge) ?? candidates[0];
  // No question speaks of letters that are not seen.
  const shownFolds = folds.length && !reasons.length ? [originFold(folds, scene)] : folds;
  // The questions stand under what they are about.
  const ends = Math.max(rect.y + size, ...reasons.map((line) => line.y + line.size)) + foot;
  const high = Math.min(scene.rect.h, ends - scene.rect.y);
  const questions = foldMarks(sceneWith(scene, { rect: { ...scene.rect, h: high } }), shownFolds);
  return [...heading(scene, "Mistake bounds"), ...marks, ...reasons, ...questions];
}

/**
 * Each bound with what its letters are, under a question, which is that of the bounds with some of
 * these letters, too; the others under one more.
 */
function foldsOf(bounds) {
  const others = bounds.filter(({ quantities }) => !quantities.length);
  const lettered = bounds.filter(({ quantities }) => quantities.length);
  const byLetters = [...lettered].sort((one, other) => other.symbols.length - one.symbols.length);
  /** @type {(typeof bounds)[]} */
  const groups = []; // The first bound of each has all letters of the others.
  for (const bound of byLetters) {
    const group = groups.find(([first]) =>
      bound.symbols.every((one) => first.symbols.includes(one)),
    );
    if (group) group.push(bound);
    else groups.push([bound]);
  }
  const linesOf = ({ head, quantities, source }) => [head, ...quantities, source].filter(Boolean);
  // The questions come in the order of the formulas.
  const placeOf = (group) => lettered.findIndex((bound) => group.includes(bound));
  groups.sort((one, other) => placeOf(one) - placeOf(other));
  return [
    ...groups.map((group) => ({
      question: `What ${group[0].symbols.length > 1 ? "are" : "is"} ${inWords(group[0].symbols)}?`,
      lines: lettered.filter((bound) => group.includes(bound)).flatMap(linesOf),
    })),
    ...(others.length
      ? [{ question: "What of the others?", lines: others.map(({ brief }) => brief) }]
      : []),
  ];
}

/** All of that under one question, where the numbers of the answer stand without formulas. */
function originFold(folds, { run, t, mistakes }) {
  const { within, ever } = answerOf(run, t, mistakes);
  const most = [within, ever].filter(Boolean).map((bound) => whole.format(bound.most));
  const numbers = [...new Set(most)];
  return {
    question: `Where ${numbers.length > 1 ? "do" : "does"} ${inWords(numbers)} come from?`,
    lines: folds.flatMap(({ lines }) => lines),
  };
}

const inWords = (symbols) =>
  symbols.length > 1 ? `${symbols.slice(0, -1).join(", ")} and ${symbols.at(-1)}` : symbols[0];

/**
 * How many mistakes were made and how many there can be, in a sentence; and on one line, with a
 * tick at each bound, where the bounds are near enough for the mistakes to be seen.
 *
 * @param {PanelScene} scene
 * @returns {{ marks: Mark[], h: number }} h: their height
 */
function boundAnswer(scene) {
  const { rect, palette, unit, run, mistakes, t, bare } = scene;
  const label = step("label", unit);
  const answer = answerOf(run, t, mistakes);
  if (!answer || rect.h < LEAST_FOR_ANSWER * label) return { marks: [], h: 0 };
  const { marks: words, h: bottom } = answerMarks(scene, answerWords(answer));
  const h = bottom - label;
  const highest = Math.max(answer.ever?.most ?? 0, answer.within?.most ?? 0);
  const half = textWidth(whole.format(highest), label, palette.fonts, 600) / 2;
  const least = bare ? LEAST_WITH_LINE : LEAST_WITH_QUESTIONS;
  const x = (count) => rect.x + (count / Math.max(highest, 1)) * (rect.w - half - 2 * unit);
  if (x(1) - rect.x < 1 || rect.h < h + least * label) return { marks: words, h };
  const large = step("large", unit);
  const y = rect.y + bottom + 2.2 * label;
  return {
    marks: [
      ...words,
      chart.rect(rect.x, y, rect.w, 2 * TRACK * large, { fill: palette.panel }),
      chart.rect(rect.x, y, x(answer.made) - rect.x, 2 * TRACK * large, {
        fill: palette.ink,
        name: "made",
        value: answer.made,
      }),
      ...ticksOf(answer, { x, y, rect, large, label, palette }),
    ],
    h: h + 2.5 * label + 2 * TRACK * large,
  };
}

/** The bounds on the line, the larger with its number, the smaller where both have room. */
function ticksOf({ within, ever }, { x, y, rect, large, label, palette }) {
  const bounds = [
    { bound: ever, dash: [5, 4] },
    { bound: within, dash: null },
  ].filter(({ bound }) => bound);
  let free = Infinity; // The numbers end before the last one begins.
  return bounds.flatMap(({ bound: { most }, dash }) => {
    const text = whole.format(most);
    const half = textWidth(text, label, palette.fonts, 600) / 2;
    const middle = Math.min(Math.max(x(most), rect.x + half), rect.x + rect.w - half);
    const foot = y + 2 * TRACK * large + 0.3 * label;
    const look = { stroke: palette.ink, width: 2, dash, name: "most", value: most };
    const line = chart.line([x(most), y - 0.3 * label, x(most), foot], look);
    if (middle + half + label > free) return [line];
    free = middle - half;
    const words = chart.text(middle, y - 0.5 * label, text, {
      size: label,
      weight: 600,
      align: "center",
      fill: palette.ink,
    });
    return [line, words];
  });
}

/**
 * What is said of a bound, each with its look: its formula, what that amounts to, its quantities,
 * its source; the latter two not where it `isBrief`.
 */
function paragraphsOf(bound, palette, isBrief) {
  const fill = bound.quiet ? palette.quiet : palette.ink;
  return [
    ...(bound.head ? [[bound.head, { fill: palette.ink, weight: 600 }]] : []),
    [isBrief ? bound.brief : bound.words, { fill, name: "bound" }],
    ...(isBrief ? [] : bound.quantities).map((quantity) => [quantity, { smaller: true }]),
    ...(bound.source && !isBrief ? [[bound.source, { smaller: true }]] : []),
  ];
}

/** What each bound says, with its quantities. @param {PanelScene} scene @returns {string[]} */
function summaryOfBounds({ run, t }) {
  const mistakes = run.trace.mistakesBefore(t);
  const answer = answerOf(run, t, mistakes);
  const sentences = (boundsOf(run, t, mistakes) ?? []).map(({ head, words, quantities }) =>
    [head && `${head}.`, words, ...quantities.map((quantity) => `${quantity}.`)]
      .filter(Boolean)
      .join(" "),
  );
  return answer ? [answerWords(answer), ...sentences] : sentences;
}

/** @type {PanelObject} */
export const boundPanel = { name: "bound", marks: boundMarks, summary: summaryOfBounds };
