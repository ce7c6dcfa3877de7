// J of the direction as the answer, what it is made of, and the scatter matrices; reasons are told
// where one points at a question.

import { foldMarks } from "./answer.js";
import { chart } from "./chart.js";
import { firstWithin, textWidth, wrap } from "../paint/measure.js";
import { rich } from "../paint/rich.js";
import { toldFromBest, withoutSizes } from "../run/discriminant.js";
import { number, subscript, typeset } from "../run/words.js";
import { fittingStep, step } from "../board/scale.js";

/** @import { FisherScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject, TextMark } from "../board/types.d.ts" */

const PARTS = { SW: ["S_W", "within"], SB: ["S_B", "between"], ST: ["S_T", "total"] };
const NOTHING = 1e-9; // Relative to the largest J: in such a direction the classes do not differ.

const MOST_LINES = 2; // No reason that stands in a panel is longer.

// In px, where the unit is 1.
const HEADING = 24; // The titles, above all else.
const QUESTIONS = 22; // The row of questions.
const BEFORE_QUESTION = 6; // So far from it the remark above it ends.
const BAR = 15; // The height of one of the two bars beside J.
const LEAST_BAR = 40; // Where so much is left for the longest bar, the bars have names.
const ANSWER = 38; // The height of J, and of both bars beside it.
const TRACK = 10; // The height of the line from 0 to the best J.
const BEFORE_TRACK = 9;
const ENTRIES = [84, 0.85]; // The height of a matrix of four entries, or this share of its width.
const LEAST_SQUARES = 120; // Three matrices of many entries are drawn where each has so much.
const MOST_AIR = 16; // So much of the free room goes above J, above its line and under it.

/** @typedef {{ question: string, lines: string[] }} Fold */

/**
 * Questions on a line, at the height of a baseline.
 *
 * @param {FisherScene} scene
 * @param {number} y of the baseline
 * @param {Fold[]} questions
 */
const foldsAt = (scene, y, questions, rect = scene.rect) =>
  foldMarks(
    { ...scene, rect: { ...rect, h: y + 0.6 * step("label", scene.unit) - rect.y } },
    questions,
  );

/**
 * The questions in the lowest row of a panel; where nothing can be pointed at, the first answer, if
 * it has room in two lines.
 *
 * @param {FisherScene} scene
 * @param {Fold[]} questions
 * @param {number} y of the baseline
 * @returns {Mark[]}
 */
function questionsBelow(scene, questions, y) {
  const { rect, unit, palette, bare } = scene;
  if (!bare) return foldsAt(scene, y, questions);
  const size = step("small", unit);
  const lines = wrap(questions[0].lines.join(" "), rect.w, size, palette.fonts);
  const lowest = y + 1.25 * size * (lines.length - 1);
  if (lines.length > MOST_LINES || lowest > rect.y + rect.h) return [];
  return noteMarks(scene, lines, y);
}

/** Lines of a note in small type. @param {FisherScene} scene @returns {Mark[]} */
function noteMarks({ rect, unit, palette: { fonts, quiet: fill } }, lines, y) {
  const size = step("small", unit);
  return lines.flatMap((text, k) =>
    rich({ x: rect.x, y: y + 1.25 * size * k, size, fill, text, fonts, name: "note" }),
  );
}

// ---- the scatter matrices -----------------------------------------------------------------------

/** @param {FisherScene} scene @returns {Drawing} */
function scatterMarks(scene) {
  const { rect, unit, palette, run } = scene;
  const { sums, ridge } = run.header.notes;
  const small = step("small", unit);
  const p = run.arrays.criterion.length;
  const remark = ridge || (p > 2 ? "One row and column per feature; hollow: negative." : "");
  const remarkLines = remark ? wrap(remark, rect.w, small, palette.fonts) : [];
  const remarkHigh = remark ? 1.25 * small * remarkLines.length + BEFORE_QUESTION * unit : 0;
  const foot = QUESTIONS * unit + remarkHigh;
  const places = matrices(scene, foot);
  const title = { y: rect.y + 15 * unit, size: step("label", unit), weight: 600 };
  /** @type {{ size: number, fill: string } & Partial<TextMark>} */
  const sign = {
    size: step("large", unit),
    fill: palette.ink,
    align: "center",
    baseline: "middle",
  };
  const moving = places.flatMap((place, k) => {
    const { symbol, words, x, y, w, h } = place;
    const next = places[k + 1];
    const text = `${symbol}  ${words}`;
    const look = { ...title, fill: palette.ink, fonts: palette.fonts };
    return [
      ...matrixMarks(scene, place),
      ...rich({ ...look, x: x + w / 2, align: "center", text }),
      ...(next && places.length > 2
        ? [chart.text((x + w + next.x) / 2, y + h / 2, k ? "=" : "+", sign)]
        : []),
    ];
  });
  const [{ y, h }] = places;
  const below = y + h + 1.5 * small;
  const lowest = Math.min(y + h + foot + 8 * unit, rect.y + rect.h) - 6 * unit;
  const question =
    places.length > 2
      ? { question: "Sums or means?", lines: [sums] }
      : { question: "What is the total scatter?", lines: totalWords(run) };
  return [
    ...moving,
    ...noteMarks(scene, remarkLines, below),
    ...questionsBelow(scene, [question], lowest),
  ];
}

/** What S_T is, where it is not drawn. @param {FisherScene["run"]} run */
function totalWords({ arrays: { ST }, header }) {
  if (ST.length > 4) return ["S_T = S_W + S_B.", header.notes.sums];
  const [first, both, , second] = [...ST].map(number);
  const entries = `${first} and ${second} along the axes, ${both} between them.`;
  return [`S_T = S_W + S_B: ${entries}`, header.notes.sums];
}

/**
 * Where the matrices lie, and the size of their entries' numbers: all three, or two where three
 * have no room for numbers that can be read.
 *
 * @param {FisherScene} scene
 * @param {number} foot px under them
 */
function matrices(scene, foot) {
  const { rect, unit, palette, run } = scene;
  const p = run.arrays.criterion.length;
  const gap = (p > 2 ? 18 : 24) * unit;
  const room = Math.max(rect.h - HEADING * unit - foot, 0);
  const written = Object.keys(PARTS).flatMap((name) => [...run.arrays[name]].map(entryOf(p)));
  const widest = (size) => Math.max(...written.map((text) => textWidth(text, size, palette.fonts)));
  const wide = rect.w - 2; // The frames are lines at its edges.
  const sizeIn = (count) => {
    const part = (wide - (count - 1) * gap) / count;
    const h = Math.min(room, p === 2 ? Math.max(ENTRIES[0] * unit, ENTRIES[1] * part) : part);
    const w = p === 2 ? Math.min(part, 190 * unit) : h;
    const hasRoom = (size) => widest(size) + 0.8 * size <= w / p && 1.5 * size <= h / p;
    const size = fittingStep("large", unit, hasRoom, "label");
    return { part, w, h, size: hasRoom(size) ? size : 0 };
  };
  const three = sizeIn(3);
  const two = sizeIn(2);
  const isSmall = p > 2 && three.w < LEAST_SQUARES * unit;
  const { part, w, h, size } = isSmall || (p === 2 && !three.size && two.size) ? two : three;
  const names = Object.entries(PARTS).slice(0, part === three.part ? 3 : 2);
  return names.map(([name, [symbol, words]], k) => ({
    name,
    symbol,
    words,
    x: rect.x + 1 + (part - w) / 2 + k * (part + gap),
    y: rect.y + HEADING * unit,
    w,
    h,
    p,
    size,
  }));
}

/** How an entry of a matrix of p rows is written. */
const entryOf = (p) => (/** @type {number} */ value) =>
  p > 2 ? typeset(value.toFixed(Math.abs(value) < 9.95 ? 1 : 0)) : number(value);

/**
 * A matrix: its entries as numbers, or where these have no room as squares, filled above 0 and
 * hollow below.
 *
 * @param {FisherScene} scene
 * @returns {Mark[]}
 */
function matrixMarks({ palette, run }, { name, words, x, y, w, h, p, size }) {
  const largest = Math.max(...run.arrays.ST.map(Math.abs), 1e-12);
  const wide = w / p;
  const high = h / p;
  const { features } = run.header.names;
  const write = entryOf(p);
  /** @type {{ size: number, fill: string } & Partial<TextMark>} */
  const writing = { align: "center", baseline: "middle", size, fill: palette.ink, name };
  const entries = Array.from(run.arrays[name], (value, k) => {
    const row = Math.floor(k / p);
    const left = x + (k % p) * wide;
    const top = y + row * high;
    const what = row === k % p ? features[row] : `${features[row]} with ${features[k % p]}`;
    const target = { kind: "words", index: `${name}${k}`, stop: true };
    const tell = () => [`${name}, ${words}: ${number(value)}`, what];
    const cell = { ...chart.rect(left, top, wide, high, { name: "cell" }), target, words: tell };
    if (size) return [cell, chart.text(left + wide / 2, top + high / 2, write(value), writing)];
    const side = Math.sqrt(Math.abs(value) / largest) * (Math.min(wide, high) - 1);
    const look = value < 0 ? { stroke: palette.ink, width: 1 } : { fill: palette.ink };
    const from = { x: left + (wide - side) / 2, y: top + (high - side) / 2 };
    return [cell, chart.rect(from.x, from.y, side, side, { ...look, name: "entry", value })];
  });
  return [chart.rect(x, y, w, h, { stroke: palette.quiet, width: 1 }), ...entries.flat()];
}

// ---- J -----------------------------------------------------------------------------------------

/** @param {FisherScene} scene @returns {Drawing} */
function criterionMarks(scene) {
  const { rect, unit, palette, run, reading } = scene;
  const { fonts } = palette;
  const label = step("label", unit);
  const [J, most] = toldFromBest(reading.J, run.reading(run.angleOf("best")).J);
  const equals = textWidth("=", step("large", unit), fonts) + 18 * unit;
  const numbers = [reading.between, reading.within].map(number);
  const numberWidth =
    Math.max(...numbers.map((text) => textWidth(text, label, fonts, 600))) + 8 * unit;
  const besideJ = equals + numberWidth + LEAST_BAR * unit;
  const fits = (size) => textWidth(J, size, fonts, 700) + besideJ <= rect.w;
  const size = fittingStep("display", unit, fits, "title");
  const needed = (HEADING + ANSWER + BEFORE_TRACK + TRACK + 4 + QUESTIONS) * unit + 1.2 * label;
  const air = Math.min(Math.max((rect.h - needed) / 3, 0), MOST_AIR * unit);
  const middle = rect.y + (HEADING + ANSWER / 2) * unit + air;
  const wide = textWidth(J, size, fonts, 700);
  const text = "J = FᵀS_B F / FᵀS_W F";
  const heading = { x: rect.x, y: rect.y + 15 * unit, size: label, weight: 600, text, fonts };
  const equalsLook = /** @type {const} */ ({
    size: step("large", unit),
    fill: palette.quiet,
    align: "center",
    baseline: "middle",
  });
  const bars = {
    x: rect.x + wide + equals,
    right: rect.x + rect.w,
    middle,
    numbers,
    numberWidth,
  };
  const track = rect.y + (HEADING + ANSWER + BEFORE_TRACK) * unit + 2 * air;
  const named = track + TRACK * unit + 1.2 * label; // The baseline of the names under it.
  const hasRow = rect.h >= needed;
  const questions = questionsOf(run, reading);
  const free = rect.w - textWidth(text, label, fonts, 600) - label - 1;
  const question = firstWithin([questions[0].question, "Why?"], free, label, fonts) ?? "";
  const questionWidth = textWidth(question, label, fonts) + 1;
  const together = { question, lines: questions.flatMap(({ lines }) => lines) };
  const rightEnd = { ...rect, x: rect.x + rect.w - questionWidth, w: questionWidth };
  return [
    ...rich({ ...heading, fill: palette.ink }),
    ...(hasRow
      ? questionsBelow(scene, questions, named + QUESTIONS * unit + air)
      : question
        ? foldsAt(scene, heading.y, [together], rightEnd)
        : []),
    chart.text(rect.x, middle + 0.35 * size, J, {
      size,
      weight: 700,
      fill: palette.ink,
      name: "J",
    }),
    chart.text(rect.x + wide + equals / 2, middle, "=", equalsLook),
    ...fractionBars(scene, bars),
    ...(named <= rect.y + rect.h ? trackMarks(scene, track, named, most) : []),
  ];
}

/** What is asked of J, with the answers. @returns {Fold[]} */
function questionsOf(run, reading) {
  const { rank } = run.header.notes;
  const differing = differingOf(run);
  if (!run.many) {
    return [
      { question: "Is one F enough?", lines: [rank] },
      { question: "Do class sizes count?", lines: [withoutSizes(run, reading)] },
    ];
  }
  const values = differing.map((value, k) => `J${subscript(k + 1)} = ${number(value)}`).join(", ");
  const zeros = run.arrays.criterion.length - differing.length;
  const question = zeros
    ? `Why is J = 0 for the other ${zeros === 1 ? "direction" : zeros}?`
    : `Why ${differing.length} directions?`;
  return [{ question, lines: [`${values}.`, rank] }];
}

/** J in the directions in which the classes differ. @param {FisherScene["run"]} run */
const differingOf = ({ arrays: { criterion } }) =>
  [...criterion].filter((value) => value > NOTHING * criterion[0]);

/**
 * Between over within as two bars, one above the other, as a fraction is written; their scale is
 * the same for all directions.
 *
 * @param {FisherScene} scene
 * @returns {Mark[]}
 */
function fractionBars({ unit, palette, run, reading }, { x, right, middle, numbers, numberWidth }) {
  const label = step("label", unit);
  const names = ["between", "within"];
  const nameWidth =
    Math.max(...names.map((name) => textWidth(name, label, palette.fonts))) + 8 * unit;
  const hasNames = right - x - nameWidth - numberWidth >= LEAST_BAR * unit;
  const from = x + (hasNames ? nameWidth : 0);
  const { between, within } = run.arrays;
  const largest = Math.max(...between, ...within, 1e-12);
  const room = right - from - numberWidth;
  const values = [reading.between, reading.within];
  const looks = [{ fill: palette.ink }, { stroke: palette.ink, width: 1.5, fill: palette.paper }];
  const total = `Fᵀ S_T F = ${number(reading.between + reading.within)}, the scatter of all along F.`;
  const marks = values.flatMap((value, k) => {
    const y = middle + (k ? 4 : -4 - BAR) * unit;
    const w = Math.max((value / largest) * room, 1.5);
    const symbol = k ? "S_W" : "S_B";
    const told = () => [
      `Fᵀ ${symbol} F = ${numbers[k]}: the scatter ${names[k]} the classes along F.`,
      total,
    ];
    const bar = chart.rect(from, y, w, BAR * unit, { ...looks[k], name: names[k], value });
    const area = { x, y, w: right - x, h: BAR * unit };
    const written = { size: label, baseline: /** @type {const} */ ("middle") };
    const line = y + (BAR / 2) * unit;
    return [
      ...(hasNames ? [chart.text(x, line, names[k], { ...written, fill: palette.quiet })] : []),
      bar,
      chart.text(from + w + 6 * unit, line, numbers[k], {
        ...written,
        weight: 600,
        fill: palette.ink,
      }),
      chart.area(area, { kind: "words", index: names[k], stop: true }, told),
    ];
  });
  return [...marks, chart.rect(x, middle - 0.5, right - x, 1, { fill: palette.quiet })];
}

/**
 * J on its way from 0 to the best, with a dashed tick at J of each direction in which the classes
 * differ, and a name where it has room, the largest first.
 *
 * @param {FisherScene} scene
 * @param {number} y of the line
 * @param {number} baseline of the names
 * @param {string} most the best J as it is written
 * @returns {Mark[]}
 */
function trackMarks({ rect, unit, palette, run, reading }, y, baseline, most) {
  const differing = differingOf(run);
  const best = Math.max(run.reading(run.angleOf("best")).J, 1e-12);
  const w = rect.w - 2;
  const x = (value) => rect.x + Math.min(value / best, 1) * w;
  const h = TRACK * unit;
  const size = step("label", unit);
  const nameOf = (k) =>
    run.many ? `J${subscript(k + 1)} ${k ? number(differing[k]) : most}` : `best ${most}`;
  let free = rect.x + rect.w; // A name ends before the larger one begins.
  const ticks = differing.flatMap((value, k) => {
    const text = nameOf(k);
    const wide = textWidth(text, size, palette.fonts, 600);
    const tick = chart.line([x(value), y - 3 * unit, x(value), y + h + 3 * unit], {
      stroke: palette.ink,
      width: 2,
      dash: [4, 4],
      name: "best",
    });
    const right = Math.min(x(value) + wide / 2, free);
    if (right - wide < rect.x || right < x(value)) return [tick];
    free = right - wide - size;
    const look = { size, weight: 600, fill: palette.ink, name: "most" };
    return [tick, chart.text(right - wide, baseline, text, look)];
  });
  const words = ["J of F, from 0 to the best", "J of F, from 0", "J from 0"];
  const told = firstWithin(words, free - rect.x, size, palette.fonts);
  return [
    ...(told
      ? [chart.text(rect.x, baseline, told, { size, fill: palette.quiet, name: "scale" })]
      : []),
    chart.rect(rect.x, y, w, h, { fill: palette.panel, stroke: palette.rule, width: 1 }),
    chart.rect(rect.x, y, Math.max(x(reading.J) - rect.x, 1), h, {
      fill: palette.ink,
      name: "now",
      value: reading.J,
    }),
    ...ticks,
  ];
}

/** @type {PanelObject} */
export const scatterPanel = { name: "scatter", marks: scatterMarks, walkable: true };

/** @type {PanelObject} */
export const criterionPanel = { name: "criterion", marks: criterionMarks, walkable: true };
