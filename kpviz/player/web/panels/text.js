// The sentence, the counter and the pseudo-code.

import {
  LINE_HEIGHT,
  MARGIN,
  WEIGHT,
  besideSuggestions,
  halvesOf,
  heightOf,
  leastPair,
  linesOf,
  pairFor,
  topOf,
} from "../board/sentence.js";
import { chart, heading, onOneLine } from "./chart.js";
import { FORMULA } from "../board/lengths.js";
import { fewer } from "../board/narration.js";
import { firstWithin, shortened, textWidth, wrap, wrapBalanced } from "../paint/measure.js";
import { rich } from "../paint/rich.js";
import { codeWidth, explain, literally, withoutTotals } from "../run/words.js";
import { fittingStep, step } from "../board/scale.js";

/** @import { Palette } from "../paint/colors.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Fonts } from "../run/types.d.ts" */
/** @import { PanelScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject } from "../board/types.d.ts" */

// In px, where the unit is 1: the buttons under the headline of an end.
export const FOLDS_HIGH = 38;
// Relative to its type: so high is a line of the rule where there is room.
const CODE_LINE = 1.75;
const LIVE_LINE = 1.8; // So high is that of its numbers.
const WHY = "Why?";
const CLEAR_LINES = 0.6;
// In labels: what follows the verdict keeps so far from it at most, and so far before what is below
// has a share of the room.
const MOST_APART = 1.5;
const LEAST_APART = 0.6;
const FORMULA_LINE = 1.35; // Relative to its type: so high is a line of the formula.

/** @param {PanelScene} scene @returns {Drawing} */
function wordsMarks(scene) {
  const { rect, palette, unit, run, counter, sentence, score } = scene;
  const small = step("label", unit);
  const parts = withoutTotals(counter).split(" · ");
  const counters = [counter, ...parts.map((_, k) => parts.slice(0, parts.length - k).join(" · "))];
  const text = firstWithin(counters, rect.w, small, palette.fonts, 600) ?? parts[0];
  const moving = onOneLine(
    palette,
    { ...rect, y: rect.y + small + 2 },
    { text, size: small, weight: 600, name: "counter" },
    { text: score, size: small, weight: 600, fill: palette.ink },
  );
  if (!sentence) return moving;
  const { formula, tone, cued, bare, foldsBelow, isVerdictOnly } = scene;
  // The same words are said for many steps, where these come fast.
  const look = [tone, cued, bare, foldsBelow, isVerdictOnly, scene.taken];
  const key = [run.id, palette.dark, sentence, formula, ...look].join();
  return { still: [{ key, marks: () => sentenceMarks(scene) }], moving };
}

/** A sentence, and what stands before each of its pauses, the longest first. */
const beforePauses = (sentence) => [
  sentence,
  ...[...sentence.matchAll(/[,:;] /g)].map(({ index }) => `${sentence.slice(0, index)}.`).reverse(),
];

/**
 * A few words of the sentence, on one line.
 *
 * @param {PanelScene} scene
 * @returns {Drawing}
 */
function shortMarks({ rect, palette, unit, run, sentence, brief, tone, isVerdictOnly }) {
  const inBrief = brief ?? halvesOf(sentence)[0];
  const room = rect.w - MARGIN;
  const fits = (candidate) => textWidth(inBrief, candidate, palette.fonts, WEIGHT) <= room;
  const size = fittingStep("body", unit, fits);
  const saidWords = isVerdictOnly ? halvesOf(inBrief)[0] : inBrief;
  const shorter = beforePauses(saidWords);
  const told = firstWithin(shorter, room, size, palette.fonts, WEIGHT) ?? saidWords;
  const text = shortened(told, room, size, palette.fonts, WEIGHT);
  const y = rect.y + rect.h / 2 + 0.36 * size;
  return [
    chart.rect(rect.x, rect.y, 4, rect.h, { fill: tone, radius: 2 }),
    ...spokenLine(run, palette, { x: rect.x + MARGIN, y, text, size, name: "short" }),
  ];
}

/**
 * A line of a sentence, with the words for the classes in their colours.
 *
 * @param {Run} run
 * @param {Palette} palette
 * @param {{ x: number, y: number, text: string, size: number, name: string }} line
 * @returns {Mark[]}
 */
function spokenLine(run, palette, line) {
  const look = { ...line, fill: palette.ink, weight: WEIGHT };
  if (run.hasFormulas) return rich({ ...look, fonts: palette.fonts });
  const { x, y, text } = line;
  return [chart.text(x, y, text, { ...look, tints: tintsOf(text, run, palette) })];
}

/**
 * The sentence, as large as has room, and its formula.
 *
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
function sentenceMarks(scene) {
  const { rect, palette, unit, run, formula, tone, bare, shorter = [] } = scene;
  const small = step("label", unit);
  const setting = { rect, unit, fonts: palette.fonts };
  const top = topOf(setting);
  const folds = scene.foldsBelow ? FOLDS_HIGH * unit : 0;
  const room = rect.y + rect.h - top - folds;
  const taken = folds + scene.taken;
  const isCue = Boolean(scene.cued);
  const least = bare ? leastPair(scene.leastVerdictStep) : null;
  const isStartOrEnd = scene.t === 0 || scene.t === run.nSteps;
  const sentences = [scene.sentence, ...(isStartOrEnd && !bare ? shorter : [])];
  const { layout } = scene; // Fisher’s page has none.
  const isSmall = !layout || layout.narrow || layout.low || layout.leastVerdictStep === "large";
  const reserved = isSmall ? 0 : FORMULA * unit;
  const how = { room, taken, reserved, sizes: { least, isAlone: Boolean(layout?.alone) } };
  const sentence = besideSuggestions(sentences, run, setting, how);
  const pair = pairFor(sentence, run, setting, { ...how, isCue });
  const lines = linesOf(sentence, pair, setting, isCue);
  const high = heightOf(lines);
  // The formula is never larger than what is said before it.
  const formulaSize = Math.min(small, step(pair[1], unit));
  const linesOfFormula = (words) =>
    wrapBalanced(words, rect.w - MARGIN, formulaSize, palette.fonts);
  const hasRoomFor = (words) => {
    const count = linesOfFormula(words).length;
    // The last of several lines keeps clear of what stands below.
    return high + FORMULA_LINE * formulaSize * (count > 1 ? count + CLEAR_LINES : count) <= room;
  };
  // What was reckoned has room more often than what is done then.
  const shorterFormulas = fewer(formula ?? "");
  const candidates = [...shorterFormulas, ...beforePauses(shorterFormulas.at(-1))];
  const told = formula ? candidates.find(hasRoomFor) : "";
  const under = told ? linesOfFormula(told) : [];
  const halves = scene.isVerdictOnly && !isCue ? 1 : 2;
  const toldHigh = high + under.length * formulaSize * FORMULA_LINE;
  // What is left of the room is shared by all that follows the verdict, so no part of it is a hole.
  const parts = lines.at(-1).half + Math.sign(under.length);
  const spare = Math.max(room - toldHigh, 0);
  // Buttons below have their own room.
  const shares = parts + (taken ? 0 : 1);
  const leastApart = Math.min(spare / Math.max(parts, 1), LEAST_APART * small);
  const apart = Math.min(Math.max(spare / Math.max(shares, 1), leastApart), MOST_APART * small);
  const marks = /** @type {Mark[]} */ ([
    chart.rect(rect.x, top, 4, toldHigh + parts * apart, { fill: tone, radius: 2 }),
  ]);
  let y = top;
  for (const { text: words, size, half } of lines.filter((line) => line.half < halves)) {
    const base = y + half * apart + 0.98 * size;
    const line = { x: rect.x + MARGIN, y: base, text: words, size, name: "sentence" };
    marks.push(...spokenLine(run, palette, line));
    y += LINE_HEIGHT * size;
  }
  if (halves < 2) return marks;
  const last = lines.at(-1);
  const topOfLast = y + last.half * apart - LINE_HEIGHT * last.size;
  y += parts * apart;
  const look = { size: formulaSize, fill: palette.quiet, name: "formula" };
  const base = y + 1.15 * formulaSize;
  marks.push(...chart.words(rect.x + MARGIN, base, under, FORMULA_LINE * formulaSize, look));
  if (formula && told !== formula && !scene.bare) {
    marks.push(...whyMarks(scene, last, topOfLast, formula));
  }
  return marks;
}

/**
 * What has no room is told where one points at the sentence; a word after its last line says so.
 *
 * @param {PanelScene} scene
 * @param {{ text: string, size: number }} last
 * @param {number} top of the last line
 * @param {string} formula
 * @returns {Mark[]}
 */
function whyMarks({ rect, palette, unit }, last, top, formula) {
  const size = step("label", unit);
  const x = rect.x + MARGIN + textWidth(last.text, last.size, palette.fonts, WEIGHT) + size;
  const area = chart.area(rect, { kind: "words" }, () => [formula]);
  if (x + textWidth(WHY, size, palette.fonts) > rect.x + rect.w) return [area];
  const look = { size, fill: palette.accent, name: "why" };
  return [chart.text(x, top + 0.98 * last.size, WHY, look), area];
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
  const escaped = named.map(literally);
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
  const head = 24 * unit;
  const room = rect.h - head;
  const size = fittingStep(
    "body",
    unit,
    (candidate) =>
      codeWidth(run) * candidate <= rect.w - 8 &&
      (CODE_LINE * code.length + LIVE_LINE) * candidate <= room,
  );
  const rows = code.flatMap((text, k) =>
    brokenCode(text, rect.w - 8, size, palette.fonts).map((row) => ({ row, on: k === line })),
  );
  // Where there is little room lines stand closer, and the numbers of this step give way.
  const high = Math.min(CODE_LINE, (room / size - 0.4) / rows.length);
  /** @type {Mark[]} */
  const marks = heading({ rect, unit, palette }, "The rule");
  rows.forEach(({ row, on }, k) => {
    const y = rect.y + head + size * (0.7 * high + high * k);
    if (on) {
      const plate = { fill: palette.panel, radius: 3, name: "active" };
      const top = y - size * (0.28 + 0.55 * high);
      marks.push(
        chart.rect(rect.x - 2, top, rect.w + 2, size * high, plate),
        chart.rect(rect.x - 2, top, 3, size * high, { fill: palette.ink }),
      );
    }
    const look = { size, fill: on ? palette.ink : palette.quiet, weight: on ? 600 : 400 };
    marks.push(...codeLine(row, { x: rect.x + 8, y, ...look, fonts: palette.fonts }));
  });
  if (live && rows.length === code.length && (CODE_LINE * code.length + LIVE_LINE) * size <= room) {
    const y = rect.y + head + size * (1.6 + CODE_LINE * code.length);
    marks.push(chart.text(rect.x + 8, y, live, { code: true, size, fill: palette.ink }));
  }
  return marks;
}

/**
 * A line of code whose indices are letters set lower: the face's own can hardly be read.
 *
 * @param {string} text
 * @param {{ x: number, y: number, size: number, weight?: number, fill: string, fonts: Fonts }} look
 * @returns {Mark[]}
 */
function codeLine(text, { fonts, ...look }) {
  const indexed = text.replace(/[ᵢⱼ₀-₉]+/g, (index) => `_{${index.normalize("NFKD")}}`);
  return rich({ ...look, text: indexed, code: true, fonts: { ...fonts, canvas: fonts.code } });
}

/** A line of code in rows of a width, the later ones further in. */
function brokenCode(text, width, size, fonts) {
  const indent = /^ */.exec(text)[0];
  const room = width - textWidth(`${indent}  `, size, { canvas: fonts.code });
  const rows = wrap(text.trim(), room, size, { canvas: fonts.code });
  return rows.map((row, k) => indent + (k ? "  " : "") + row);
}

/**
 * Blocks of paragraphs under a title. Each stands there whole, in smaller type where that makes
 * room for all, and larger and further apart where there is plenty; else one line counts those that
 * are left out, which does not help a class.
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
  const title = step("label", unit);
  const top = rect.y + 15 * unit + 1.35 * title;
  const setAll = (some, size) =>
    some.map((paragraphs) => setIn(paragraphs, rect.w, size, unit, palette));
  const below = (size) => size - title; // Smaller type begins nearer to the title.
  const between = (size, count) => 0.5 * size * (count - 1) - 1.1 * size;
  const high = (blocks, size) =>
    blocks.reduce((sum, { h }) => sum + h, below(size) + between(size, blocks.length));
  const room = rect.y + rect.h - top;
  const least = step("small", unit);
  const chosen = high(setAll(paragraphGroups, least), least) <= room ? paragraphGroups : brief;
  const set = (size) => setAll(chosen, size);
  const rowsOf = (candidate) => set(candidate).reduce((sum, { lines }) => sum + lines.length, 0);
  const rows = rowsOf(least);
  // Larger type than that of a label breaks no line.
  const size = fittingStep(
    "large",
    unit,
    (candidate) =>
      high(set(candidate), candidate) <= room && (candidate <= title || rowsOf(candidate) === rows),
  );
  const blocks = set(size);
  const all = blocks.length;
  while (blocks.length > 1 && high(blocks, size) + (blocks.length < all ? 1.85 * size : 0) > room) {
    blocks.pop();
  }
  const left = all - blocks.length;
  if (left && !bare) {
    blocks.push(setIn([[`${others(left)} no room here.`, {}]], rect.w, size, unit, palette));
  }
  const spare = (room - high(blocks, size)) / (blocks.length + 1);
  const more = Math.min(Math.max(spare, 0), 1.5 * size);
  const apart = 0.5 * size + more;
  let y = top + below(size) + more;
  /** @type {Mark[]} */
  const marks = [];
  for (const { lines, h } of blocks) {
    marks.push(
      ...lines
        .map(({ x, ...line }) => ({ ...line, x: rect.x + x, y: y + line.y }))
        .filter((line) => line.y <= rect.y + rect.h),
    );
    y += h + apart;
  }
  return marks;
}

/**
 * Paragraphs in lines one below the other, and how high they are; `indent` in letters, and what is
 * `smaller` in the smallest type.
 */
function setIn(paragraphs, width, usual, unit, { fonts, quiet }) {
  let h = 0;
  const lines = paragraphs.flatMap(([words, { smaller = false, indent = 0, ...look }]) => {
    const size = smaller ? step("small", unit) : usual;
    return wrap(words, width - indent * usual, size, fonts, look.weight).map((text) => {
      const line = { kind: "text", x: indent * usual, y: h, size, fill: quiet, text, ...look };
      h += 1.35 * size;
      return line;
    });
  });
  return { lines, h };
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
export const shortPanel = { name: "short", marks: shortMarks };

/** @type {PanelObject} */
export const codePanel = { name: "code", marks: codeMarks, summary: summaryOfCode, alone: true };
