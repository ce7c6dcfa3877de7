// The sentence, the counter, the pseudo-code and the bound.

import { chart, heading, onOneLine, sizeThatFits } from "./chart.js";
import { boundsOf } from "../run/bounds.js";
import { textWidth, wrap } from "../paint/measure.js";
import { rich } from "../paint/rich.js";
import { codeWidth, explain, withoutTotals } from "../run/words.js";

/** @import { Palette } from "../paint/colors.js" */
/** @import { Run } from "../run/run.js" */
/** @import { PanelScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject } from "../board/types.d.ts" */

// In px, where the unit is 1: the buttons under the headline of an end.
export const FOLDS_HIGH = 38;
const BOUND_SIZES = [13, 11.5]; // In px, where the unit is 1: the usual size and the least.
export const CLASS = 17; // The largest size before a class.
const QUANTITY_SIZE = 0.88; // Relative to the type of the bound.
// Relative to the type of what is beneath; a sentence is at least so large.
const SENTENCE_SIZE = 1.2;

/** @param {PanelScene} scene @returns {Drawing} */
function wordsMarks(scene) {
  const { rect, palette, unit, run, least = 11 } = scene;
  const { counter, sentence, formula, tone, score, alone, cued, bare, folded, foldsBelow } = scene;
  const small = 13.5 * unit;
  const short = withoutTotals(counter);
  // Below 1 type gets smaller, before words are cut.
  const inWhole = rect.w / textWidth(short, small, palette.fonts, 600);
  /** @type {Mark[]} */
  const marks = onOneLine(
    palette,
    { ...rect, y: rect.y + small + 2 },
    {
      text: counter,
      short,
      size: Math.min(Math.max(0.99 * inWhole, 0.8), 1) * small,
      weight: 600,
      name: "counter",
    },
    { text: score, size: small, weight: 600, fill: palette.accent },
  );
  if (!sentence) return marks;
  const most = (alone || cued ? 46 : 30) * unit;
  const wrapped = (size) => wrap(sentence, rect.w - 14, size, palette.fonts, 500);
  const fit = (beneath) => {
    const room =
      rect.h - small * (1.9 + 1.35 * beneath.length) - (foldsBelow ? FOLDS_HIGH * unit : 0);
    const fits = (size) => wrapped(size).length * size * 1.28 <= room;
    return sizeThatFits(Math.min(most, room / (cued || bare || folded ? 2.2 : 3.2)), least, fits);
  };
  let under = formula ? wrap(formula, rect.w - 14, small, palette.fonts) : [];
  let size = fit(under);
  if (under.length && size < SENTENCE_SIZE * small) {
    under = []; // There is no room for both.
    size = fit(under);
  }
  const lines = wrapped(size);
  const top = rect.y + small * 1.9;
  marks.push(
    chart.rect(rect.x, top, 4, lines.length * size * 1.28 + under.length * small * 1.35, {
      fill: tone,
      radius: 2,
    }),
  );
  const wordsLook = { size, weight: 500, fill: palette.ink };
  const sentenceLines = chart.words(rect.x + 14, top + 0.98 * size, lines, 1.28 * size, wordsLook);
  const ofLine = (mark) =>
    run.hasFormulas
      ? rich({ ...mark, fonts: palette.fonts, name: "sentence" })
      : [{ ...mark, tints: tintsOf(mark.text, run, palette), name: "sentence" }];
  marks.push(...sentenceLines.flatMap(ofLine));
  const y = top + size * 1.28 * lines.length + 1.15 * small;
  const look = { size: small, fill: palette.quiet, name: "formula" };
  marks.push(...chart.words(rect.x + 14, y, under, 1.35 * small, look));
  return marks;
}

/**
 * The words for the classes in their colours: where each begins and ends.
 *
 * @param {string} text
 * @param {Run} run
 * @param {Palette} palette
 * @returns {[number, number, string][]}
 */
export function tintsOf(text, { header }, palette) {
  // A line may end between them.
  const named = header.words.classes.map((name) => name.replace(/^class (?=“)/, ""));
  const escaped = named.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:(${escaped[0]})|(${escaped[1]}))(?![\\p{L}\\p{N}])`,
    "gu",
  );
  return [...text.matchAll(pattern)].map(({ 0: { length }, 1: negative, index }) => [
    index,
    index + length,
    palette.ofClass(negative === undefined ? 1 : -1),
  ]);
}

/** @param {PanelScene} scene @returns {Drawing} */
function codeMarks({ rect, palette, unit, run, line, live }) {
  const { code } = run.header.words;
  const size = Math.min(
    13 * unit,
    (rect.w - 8) / codeWidth(run),
    (rect.h - 24 * unit) / (1.75 * code.length + 1.8),
  );
  /** @type {Mark[]} */
  const marks = heading({ rect, unit, palette }, "The rule");
  code.forEach((text, k) => {
    const y = rect.y + 24 * unit + size * (1.2 + 1.75 * k);
    const on = k === line;
    if (on) {
      const look = { fill: palette.panel, radius: 3, name: "active" };
      marks.push(chart.rect(rect.x - 2, y - size * 1.25, rect.w + 2, size * 1.75, look));
    }
    if (on) {
      marks.push(chart.rect(rect.x - 2, y - size * 1.25, 3, size * 1.75, { fill: palette.accent }));
    }
    const textLook = {
      code: true,
      size,
      fill: on ? palette.ink : palette.quiet,
      weight: on ? 600 : 400,
    };
    marks.push(chart.text(rect.x + 8, y, text, textLook));
  });
  if (live) {
    const y = rect.y + 24 * unit + size * (1.6 + 1.75 * code.length);
    marks.push(chart.text(rect.x + 8, y, live, { code: true, size, fill: palette.accent }));
  }
  return marks;
}

/**
 * The bounds of these mistakes: what each says now, what it is made of, and when it says nothing.
 *
 * @param {PanelScene} scene
 */
function boundMarks(scene) {
  const { palette, run, mistakes, t } = scene;
  const boundBlocks = boundsOf(run, t, mistakes)?.map((bound) => paragraphsOf(bound, palette)) ?? [
    [["Computing…", {}]],
  ];
  const others = (left) => (left === 1 ? "One more bound has" : `${left} more bounds have`);
  return [...heading(scene, "Mistake bounds"), ...stacked(scene, boundBlocks, others)];
}

/**
 * What is said of a bound, each with its look: its formula, what that amounts to, its quantities,
 * its source.
 */
function paragraphsOf(bound, palette) {
  const fill = bound.quiet ? palette.quiet : palette.ink;
  return [
    ...(bound.head ? [[bound.head, { fill: palette.ink, weight: 600 }]] : []),
    [bound.words, { fill, name: "bound" }],
    ...bound.quantities.map((quantity) => [quantity, { smaller: QUANTITY_SIZE }]),
    ...(bound.source ? [[bound.source, { smaller: QUANTITY_SIZE }]] : []),
  ];
}

/**
 * Blocks of paragraphs under a title. Each stands there whole, in smaller type where that makes
 * room for all; else one line counts those that are left out. Before a class, whom such a line does
 * not help, the type is as large as lets all stand there.
 *
 * @param {Pick<PanelScene, "rect" | "unit" | "palette" | "bare">} scene
 * @param {[string, object][][]} paragraphGroups each paragraph with its look
 * @param {(left: number) => string} others what has no room
 * @param {[string, object][][]} [brief] what is said where not all of that has room
 * @returns {Mark[]}
 */
export function stacked(
  { rect, palette, unit, bare },
  paragraphGroups,
  others,
  brief = paragraphGroups,
) {
  const top = rect.y + 15 * unit + 1.35 * 14 * unit;
  const setAll = (some, size) => some.map((paragraphs) => setIn(paragraphs, rect.w, size, palette));
  const below = (size) => Math.max(size - BOUND_SIZES[0] * unit, 0); // The title needs this.
  const between = (size, count) => 0.5 * size * (count - 1) - 1.1 * size;
  const high = (blocks, size) =>
    blocks.reduce((sum, { h }) => sum + h, below(size) + between(size, blocks.length));
  const room = rect.y + rect.h - top;
  const least = BOUND_SIZES[1] * unit;
  const chosen = high(setAll(paragraphGroups, least), least) <= room ? paragraphGroups : brief;
  const set = (size) => setAll(chosen, size);
  let size = (bare ? CLASS : BOUND_SIZES[0]) * unit;
  if (high(set(least), least) > room) size = bare ? least : size;
  else while (high(set(size), size) > room) size = Math.max(0.97 * size, least);
  const blocks = set(size);
  const all = blocks.length;
  while (blocks.length > 1 && high(blocks, size) + (blocks.length < all ? 1.85 * size : 0) > room) {
    blocks.pop();
  }
  const left = all - blocks.length;
  if (left && !bare) {
    blocks.push(setIn([[`${others(left)} no room here.`, {}]], rect.w, size, palette));
  }
  let y = top + below(size);
  /** @type {Mark[]} */
  const marks = [];
  for (const { lines, h } of blocks) {
    marks.push(
      ...lines
        .map(({ x, ...line }) => ({ ...line, x: rect.x + x, y: y + line.y }))
        .filter((line) => line.y <= rect.y + rect.h),
    );
    y += h + 0.5 * size;
  }
  return marks;
}

/** Paragraphs in lines one below the other, and how high they are; `indent` in letters. */
function setIn(paragraphs, width, size, { fonts, quiet }) {
  let h = 0;
  const lines = paragraphs.flatMap(([words, { smaller = 1, indent = 0, ...look }]) =>
    wrap(words, width - indent * size, smaller * size, fonts, look.weight).map((text) => {
      const line = {
        kind: "text",
        x: indent * size,
        y: h,
        size: smaller * size,
        fill: quiet,
        text,
        ...look,
      };
      h += 1.35 * smaller * size;
      return line;
    }),
  );
  return { lines, h };
}

/** What each bound says, with its quantities. @param {PanelScene} scene @returns {string[]} */
function summaryOfBounds({ run, t }) {
  return (boundsOf(run, t, run.trace.mistakesBefore(t)) ?? []).map(({ head, words, quantities }) =>
    [head && `${head}.`, words, ...quantities.map((quantity) => `${quantity}.`)]
      .filter(Boolean)
      .join(" "),
  );
}

/** The lines, and which of them the step came to. @param {PanelScene} scene @returns {string[]} */
function summaryOfCode({ run, t }) {
  const { code } = run.header.words;
  const { line } = explain(run, t);
  const lines = code.map((text, k) => `Line ${k + 1}: ${text.trim()}.`);
  return code[line] === undefined ? lines : [...lines, `At this step line ${line + 1} is lit.`];
}

/** @type {PanelObject} */
export const wordsPanel = { name: "words", marks: wordsMarks };

/** @type {PanelObject} */
export const codePanel = { name: "code", marks: codeMarks, summary: summaryOfCode, alone: true };

/** @type {PanelObject} */
export const boundPanel = { name: "bound", marks: boundMarks, summary: summaryOfBounds };
