// Runs side by side: what they are compared for, what each is called and says, and the numbers that
// decide.

import { chart, sizeIn } from "./chart.js";
import {
  BEFORE_NAME,
  classKeys,
  hatchedKey,
  keysAtTheRight,
  scaleAtTheRight,
  scalesAreBesideNames,
  verdictKeys,
} from "./strip.js";
import { NO_NUMBER, buttonIsUnder, verdictIsUnderMap } from "../board/comparison.js";
import { firstWithin, shortened, textWidth, wrap, wrapBalanced } from "../paint/measure.js";
import { withoutTotals } from "../run/words.js";
import { FOLDS_HIGH, tintsOf } from "./text.js";
import { QUESTION_LINE, VERDICT } from "../board/lengths.js";
import { fittingStep, step } from "../board/scale.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Fonts } from "../run/types.d.ts" */
/** @import { Mark, PanelObject, Rect } from "../board/types.d.ts" */

const QUESTION_WEIGHT = 600;
const ONE_ROW = 40; // In px: numbers with more room stand one below the other.
const BETWEEN_PARTS = " · "; // In a run's name, between the settings that tell it from others.
// In letters of the label: so high are the words under maps at least where they say where a run is.
const HEAD_FROM = 6;
const LINE_HEIGHT = 1.25; // In letters, from one line to the next.
// In px where the unit is 1: the first sentence leaves so much of a line to the button behind it.
const BUTTON = 84;
const INDENT = 14; // In px: what is said of a run is so far from its bar.
// In px where the unit is 1: words under maps keep so clear of the numbers.
const UNDER_NUMBERS = 8;
const MOST_APART = 1.8; // In labels: what is said keeps so far from what is above it at most.
// Relative to the type of a run's place: where the sentences do not fit in it, less is said.
const RESERVED_LINES = 3; // The runs before one leave it so many lines.

/**
 * The name of a map's run above it, in smaller type where it is long. Behind it, where there is
 * room, what its rings or its dashed boundary say, or the scale of its colours, if all have theirs
 * there. Where runs are what one chooses from, the answers have the names.
 *
 * @param {PanelScene} scene
 */
function captionMarks(scene) {
  const { rect, palette, unit, compared } = scene;
  const { letter } = compared;
  const name = scene.namesRuns ? "" : compared.name;
  const usual = sizeIn(scene, "label");
  const smaller = sizeIn(scene, "small");
  const base = rect.y + rect.h - 6 * unit;
  const before = BEFORE_NAME * unit;
  const all = rect.w - before;
  const free = roomBehindName(scene, rect, name);
  const keys = keysAtTheRight(captionKeys(scene), scene, smaller, free);
  const scales = scalesAreBesideNames(scene)
    ? [true, false].map((inWords) => scaleAtTheRight(scene, smaller, { inWords }))
    : [];
  const scale = scales.find(({ w }) => w <= free) ?? scales.at(-1);
  const others = compared.others.map((column) => column.name);
  const { text, size } = captionIn(name, others, { wide: all, usual, smaller }, palette.fonts);
  return [
    chart.text(rect.x, base, letter, {
      size: step("body", unit),
      weight: 700,
      fill: palette.ink,
      name: "letter",
    }),
    chart.text(rect.x + before, base, text, { size, fill: palette.ink, name: "caption" }),
    ...((keys ?? scale)?.marks ?? []),
  ];
}

/** The width that a run's name above its map leaves to a legend. */
const roomBehindName = (scene, { w }, name) =>
  w -
  BEFORE_NAME * scene.unit -
  textWidth(name, sizeIn(scene, "label"), scene.palette.fonts) -
  sizeIn(scene, "label");

/**
 * A run's name in one line, and its size. Of a name that has no room in smaller type either, what
 * tells it from the other runs stays as long as it can.
 *
 * @param {string} name
 * @param {string[]} names of all runs
 * @param {{ wide: number, usual: number, smaller: number }} room
 * @param {Fonts} fonts
 */
function captionIn(name, names, { wide, usual, smaller }, fonts) {
  // All in one size.
  const areUsual = names.every((one) => textWidth(one, usual, fonts) <= wide);
  if (areUsual) return { text: name, size: usual };
  const abbreviated = name.replace("Support vector machine", "SVM");
  const inShort = withoutNumbers(name);
  const isAlone = names.filter((other) => withoutNumbers(other) === inShort).length < 2;
  const parts = name.split(BETWEEN_PARTS);
  const fewer = parts.slice(1).map((_, left) => {
    const told = parts.slice(0, parts.length - 1 - left).join(BETWEEN_PARTS);
    return `${told}${BETWEEN_PARTS}${left + 1} more`;
  });
  const [first] = inShort.split(BETWEEN_PARTS);
  const others = parts.length > 1 ? `${BETWEEN_PARTS}${parts.length - 1} more` : "";
  const texts = [
    name,
    abbreviated,
    ...(isAlone ? [inShort, withoutNumbers(abbreviated)] : []),
    ...fewer,
    `${first}${others}`,
    first,
  ];
  const text = firstWithin(texts, wide, smaller, fonts);
  return { text: text ?? shortened(first, wide, smaller, fonts), size: smaller };
}

/** A run's name with its kernel without its numbers. @param {string} name */
function withoutNumbers(name) {
  const [kernel, ...others] = name.split(BETWEEN_PARTS);
  return [kernel.split(", ")[0], ...others].join(BETWEEN_PARTS);
}

/**
 * What stands behind the name of a run: what its rings or its dashed boundary say, or a part of the
 * legend, where that has no line of its own above all maps.
 *
 * @param {PanelScene} scene
 */
function captionKeys(scene) {
  const { run, palette, layout, compared, verdict } = scene;
  const verdictEntries = run.plane ? verdictKeys(scene, verdict) : [];
  if (verdictEntries.length || layout.panels.strip) return verdictEntries;
  if (compared.letter === "A") return classKeys(run, palette).slice(0, 2);
  return compared.letter === "B" && compared.hatching.length ? [hatchedKey(palette)] : [];
}

/**
 * What a ready comparison asks, and behind it or under it what there is to see.
 *
 * @param {PanelScene} scene
 */
function questionMarks(scene) {
  const { rect: place, palette, unit, compared, guess } = scene;
  const { comparison, others } = compared;
  if (!comparison) return [];
  const { question, right } = comparison;
  const classes = classesBeside(scene, question);
  const rect = classes ? { ...place, w: place.w - classes.w - step("label", unit) } : place;
  const tick = `✓ ${right}`;
  const guessed = guess && (guess === right ? ", your guess" : `, you said ${guess}`);
  const words = `${tick}${guessed}. ${comparison.words}`;
  const label = step("label", unit);
  const high = QUESTION_LINE;
  const linesAt = (size) => wrap(question, rect.w, size, palette.fonts, QUESTION_WEIGHT);
  const isBehindAt = (size) =>
    linesAt(size).length === 1 &&
    textWidth(question, size, palette.fonts, QUESTION_WEIGHT) +
      size +
      textWidth(words, label, palette.fonts) <=
      rect.w;
  const told = wrap(words, rect.w, label, palette.fonts);
  const highAt = (size) =>
    high * (linesAt(size).length * size + (isBehindAt(size) ? 0 : told.length * label));
  const isWhole = (size) => highAt(size) <= rect.h + 1;
  const whole = fittingStep("title", unit, isWhole, "body");
  const isQuestionIn = (size) => linesAt(size).length * high * size <= rect.h + 1;
  const size = isWhole(whole) ? whole : fittingStep("title", unit, isQuestionIn);
  const lines = linesAt(size);
  const look = { size, weight: QUESTION_WEIGHT, fill: palette.ink, name: "question" };
  const marks = [
    ...chart.words(rect.x, rect.y + size, lines, high * size, look),
    ...(classes?.marks ?? []),
  ];
  // What there is to see is not said before it has been seen; in a low window it has no room.
  const areOver = others.every(({ run, t }) => t >= run.nSteps);
  if (!areOver || !isWhole(size) || scene.isSaidByMode) return marks;
  const quiet = { size: label, fill: palette.quiet, name: "comparison" };
  /** @type {[number, number, string][]} */
  const tints = [[0, tick.length, palette.good]];
  if (isBehindAt(size)) {
    const x = rect.x + textWidth(question, size, palette.fonts, QUESTION_WEIGHT) + size;
    return [...marks, chart.text(x, rect.y + size, words, { ...quiet, tints })];
  }
  const y = rect.y + lines.length * high * size + label;
  const toldMarks = chart.words(rect.x, y, told, high * label, quiet);
  return [...marks, ...toldMarks.map((mark, k) => (k ? mark : { ...mark, tints }))];
}

/**
 * The classes, at the end of a question's line, where they have room neither above all maps nor
 * behind the name of the first one; null elsewhere, and where the question needs the line.
 *
 * @param {PanelScene} scene
 * @param {string} question
 */
function classesBeside(scene, question) {
  const { run, rect, palette, unit, layout, compared } = scene;
  const { strip, "caption-0": first } = layout.panels;
  if (strip || !first) return null;
  const keys = classKeys(run, palette).slice(0, 2);
  const behindName = roomBehindName(scene, first, compared.others[0].name);
  if (keysAtTheRight(keys, scene, sizeIn(scene, "small"), behindName)) return null;
  const size = step("label", unit);
  const line = { rect: { ...rect, h: QUESTION_LINE * step("body", unit) }, palette, unit };
  const wide = textWidth(question, step("body", unit), palette.fonts, QUESTION_WEIGHT);
  return keysAtTheRight(keys, line, size, rect.w - wide - size);
}

/**
 * The two numbers that decide, at this instant, under the map of their run, side by side or one
 * below the other; what they are is in short under all maps where it has no room under one. On a
 * phone the verdict follows, which is in words far below there.
 *
 * @param {PanelScene} scene
 */
function decideMarks(scene) {
  const { rect, palette, unit, compared, layout } = scene;
  const { decide, letter, others, outcome, tone } = compared;
  const isNarrow = verdictIsUnderMap(layout) && !scene.isSaidByMode;
  const high = rect.h - (isNarrow ? VERDICT : 0);
  const outcomeMarks =
    isNarrow && outcome ? outcomeOf(rect, outcome, { palette, unit, tone, letter }) : [];
  const numbers = others.flatMap((column) => column.decide.map(({ text }) => text));
  if (numbers.every((text) => text === NO_NUMBER)) return outcomeMarks; // Nothing has been counted.
  const small = sizeIn(scene, "small");
  const gap = 0.45 * small;
  const wide = (number, size, label) =>
    textWidth(number.text, size, palette.fonts, 700) +
    gap +
    textWidth(number[label], small, palette.fonts);
  const widest = (k, size, label) =>
    Math.max(...others.map((column) => wide(column.decide[k], size, label)));
  const areStacked = high > ONE_ROW * unit; // One number stands below the other.
  const rowHigh = areStacked ? high / 2 : high;
  // What they are stands under them where rows are high enough.
  const isUnder = rowHigh > ONE_ROW * unit;
  const areIn = (size, label) =>
    isUnder ||
    (areStacked
      ? Math.max(widest(0, size, label), widest(1, size, label)) <= rect.w
      : widest(0, size, label) + small + widest(1, size, label) <= rect.w);
  // As large as lets all say what their numbers are.
  const size = fittingStep(
    "title",
    unit,
    (candidate) => candidate <= rowHigh && areIn(candidate, "short"),
  );
  const label = areIn(size, "label") ? "label" : "short";
  const half = Math.max(rect.w / 2, widest(0, size, label) + small);
  const second = areStacked ? 0 : Math.min(half, rect.w - widest(1, size, label));
  const numberMarks = decide.flatMap(({ key, text, ...labels }, k) => {
    const x = rect.x + k * second;
    const middle = rect.y + (areStacked ? k + 0.5 : 0.5) * rowHigh;
    const y = isUnder ? middle : middle + 0.35 * size;
    const from = isUnder ? x : x + textWidth(text, size, palette.fonts, 700) + gap;
    const end = k || areStacked ? rect.x + rect.w : rect.x + second;
    const words = labels[label];
    const look = { size: small, fill: palette.quiet, name: "decide", letter };
    const isRoom = textWidth(words, small, palette.fonts) <= end - from + 1;
    return [
      chart.text(x, y, text, { size, weight: 700, fill: palette.ink, name: key, letter }),
      ...(isRoom ? [chart.text(from, isUnder ? y + LINE_HEIGHT * small : y, words, look)] : []),
    ];
  });
  return [...numberMarks, ...outcomeMarks];
}

/** What a step was or a run came to, at the foot of a panel, as much of it as has room. */
function outcomeOf(rect, outcome, { palette, unit, tone, letter }) {
  const size = step("label", unit);
  const y = rect.y + rect.h - VERDICT;
  const texts = [outcome, outcome.split(", ")[0], outcome.split(": ")[0]];
  const text = firstWithin(texts, rect.w - 10, size, palette.fonts, 600) ?? texts[2];
  return [
    chart.rect(rect.x, y, 4, VERDICT - 2, { fill: tone, radius: 2 }),
    chart.text(rect.x + 10, y + size, text, {
      size,
      weight: 600,
      fill: palette.ink,
      name: "outcome",
      letter,
    }),
  ];
}

/**
 * What happened in this step: a sentence for all runs, and what is left to say of each, in one
 * size; under its map, or beside the maps one below the other. Where there is no room for all, the
 * longest says less, and then each is brief.
 *
 * @param {PanelScene} scene
 */
function sentencesMarks({ rect: place, palette, unit, compared, layout, foldsReasons }) {
  const { others } = compared;
  const hasButton = foldsReasons && (layout.narrow || !layout.next);
  const isUnder = buttonIsUnder(layout);
  const rect = hasButton && isUnder ? { ...place, h: place.h - FOLDS_HIGH * unit } : place;
  const taken = hasButton && !isUnder ? BUTTON * unit : 0;
  const small = step("small", unit);
  const places = others.map((_, k) => layout.panels[k === others.length - 1 ? "map" : `map-${k}`]);
  // Each map stands above its own words; words beside all maps may lie lower than they do.
  const areUnderMaps = rect.x <= Math.min(...places.map(({ x }) => x));
  const sideBySide =
    areUnderMaps && places.every(({ y, h }) => y === places[0].y && y + h <= rect.y);
  const last = rect.x + rect.w - places.at(-1).x;
  const w = sideBySide ? Math.min(places[1].x - places[0].x - small, last) : rect.w;
  const label = step("label", unit);
  // Where a run is has no room above its sentence on a low board.
  const head = sideBySide && rect.h < HEAD_FROM * label ? 0 : 1.75 * small;
  const highOf = (text, wide, size) =>
    text ? linesOf(text, wide, size, palette).length * size * LINE_HEIGHT : 0;
  const wideOf = (k, shared) => (k || shared ? w : w - taken);
  const placeWords = placeOfQuiet(compared, layout);
  const lead = placeWords ? head : 0;
  const isQuiet = (text) => placeWords !== "" && !text;
  const highOfRun = (text, wide, size) => (isQuiet(text) ? 0 : highOf(text, wide, size) + head);
  const high = (shared, texts, size) => {
    const heights = texts.map((text, k) => highOfRun(text, wideOf(k, shared), size));
    const all = sideBySide ? Math.max(...heights) : heights.reduce((sum, h) => sum + h, 0);
    return lead + highOf(shared, rect.w - taken, size) + (shared ? 0.4 * small : 0) + all;
  };
  const inFull = fitting(compared, (texts) => high(compared.shared, texts, label) <= rect.h);
  const areBrief =
    !placeWords &&
    high(compared.shared, inFull, label) > rect.h &&
    others.some(({ brief }) => brief);
  const shared = areBrief ? "" : compared.shared;
  const sentences = areBrief ? others.map(({ brief }, k) => brief ?? inFull[k]) : inFull;
  const isIn = (candidate) => high(shared, sentences, candidate) <= rect.h;
  const size = fittingStep("large", unit, isIn);
  // What is left of the room is shared, as if all had so many lines: so none moves while one steps.
  const rows = sideBySide ? 1 : others.length;
  const usual = high(shared && " ", Array(rows).fill(""), size) + 2 * rows * size * LINE_HEIGHT;
  const left = rect.h - Math.max(usual, high(shared, sentences, size));
  const apart = Math.max(Math.min(left / (rows + 2), MOST_APART * label), 0);
  const free = Math.max(rect.h - high(shared, sentences, size), 0);
  const clear = Math.max(apart, Math.min(UNDER_NUMBERS * unit, free - apart - 1));
  const start = rect.y + (sideBySide ? clear : 0); // Beside maps words begin at their top.
  const pen = { palette, unit, small, size, head, bottom: rect.y + rect.h };
  // It is of no single run: it has no bar, and begins where the maps do.
  const first = paragraph(pen, shared, others[0].run, {
    x: rect.x - INDENT,
    y: start + lead,
    w: rect.w - taken,
    name: "shared",
  });
  const look = { size: small, weight: 600, fill: palette.quiet, name: "counter" };
  const placeMarks = placeWords ? [chart.text(rect.x, start + small, placeWords, look)] : [];
  const top = start + lead + first.h + (shared ? apart + 0.4 * small : 0);
  const roomFor = (text, most = Infinity) =>
    isQuiet(text) ? 0 : Math.min(highOf(text, w, size), most) + head + apart;
  let y = top;
  const runMarks = others.flatMap((column, k) => {
    if (isQuiet(sentences[k])) return [];
    const x = sideBySide ? places[k].x : rect.x;
    const later = sideBySide ? [] : sentences.slice(k + 1);
    const under = later.reduce(
      (sum, text) => sum + roomFor(text, RESERVED_LINES * size * LINE_HEIGHT),
      0,
    );
    const below = sentences.slice(k).reduce((sum, text) => sum + roomFor(text), -apart);
    const from = sideBySide ? top : besideMap(places, k, y, pen.bottom - below);
    const bottom = Math.max(pen.bottom - under, from + head + size * LINE_HEIGHT);
    const wide = wideOf(k, shared);
    const { marks, h } = ofRun({ ...pen, bottom }, column, sentences[k], { x, y: from, w: wide });
    y = from + h + apart;
    return marks;
  });
  return [...placeMarks, ...first.marks, ...runMarks];
}

/**
 * Where the runs are of which nothing else is said than what is said of all: on a phone it is said
 * once. "" where they are at several places.
 */
function placeOfQuiet({ others, sentences }, layout) {
  const places = others
    .filter((_, k) => !sentences[k])
    .map(({ counter }) => counter.split(" · ")[0]);
  const isOnce = layout.narrow && new Set(places).size === 1 && places.length > 1;
  return isOnce ? places[0] : "";
}

/**
 * Where the words of a run begin, of those in a column: beside the row of maps that begins with it,
 * as far as all that follow have room there.
 *
 * @param {Rect[]} places of the maps
 * @param {number} k the index of the run
 * @param {number} y where those before it end
 * @param {number} last where they begin at the latest
 */
function besideMap(places, k, y, last) {
  const isFirstOfRow = k > 0 && places[k].y > places[k - 1].y;
  return isFirstOfRow ? Math.max(y, Math.min(places[k].y, last)) : y;
}

/** What is said of each run: of the longest less, as long as that helps. */
function fitting({ sentences, shorter }, fits) {
  const now = [...sentences];
  const left = sentences.map((_, k) => [...(shorter[k] ?? [])]);
  while (!fits(now)) {
    const open = now.map((_, k) => k).filter((k) => left[k].length);
    if (!open.length) return now;
    const longest = open.reduce((most, k) => (now[k].length > now[most].length ? k : most));
    now[longest] = left[longest].shift();
  }
  return now;
}

const linesOf = (text, w, size, { fonts }) => wrap(text, w - INDENT, size, fonts, 500);

/** Lines of words, as many as there is room for. @returns {{ marks: Mark[], h: number }} */
function paragraph({ palette, size, bottom }, text, run, { x, y, w, ...tag }) {
  const all = text ? linesOf(text, w, size, palette) : [];
  const most = Math.max(Math.floor((bottom - y) / (size * LINE_HEIGHT)), 1);
  const last =
    all.length > most
      ? shortened(all.slice(most - 1).join(" "), w - INDENT, size, palette.fonts, 500)
      : "";
  // These are as many, so that what was measured above holds.
  const balanced = () => wrapBalanced(text, w - INDENT, size, palette.fonts, 500);
  const lines = last ? [...all.slice(0, most - 1), last] : all.length > 1 ? balanced() : all;
  const look = { size, weight: 500, fill: palette.ink, name: "sentence", ...tag };
  const marks = chart.words(x + INDENT, y + 0.95 * size, lines, LINE_HEIGHT * size, look);
  return {
    marks: marks.map((mark) => ({ ...mark, tints: tintsOf(mark.text, run, palette) })),
    h: lines.length * size * LINE_HEIGHT,
  };
}

/** Where a run is, and what is said of it. @returns {{ marks: Mark[], h: number }} */
function ofRun(pen, { letter, tone, counter, run }, sentence, { x, y, w }) {
  const { palette, unit, small, head } = pen;
  const from = y + 0.83 * head;
  const words = paragraph(pen, sentence, run, { x, y: from, w, letter });
  const marks = [...words.marks];
  if (sentence) marks.push(chart.rect(x, from, 4, words.h, { fill: tone, radius: 2 }));
  if (!head) return { marks, h: words.h };
  const room = w - 16 * unit;
  const [place] = counter.split(" · "); // The number of mistakes stands under the map.
  const all = [place, withoutTotals(place), place.replace(/,.*/, "")];
  const chosen = firstWithin(all, room - 1, small, palette.fonts, 600) ?? all.at(-1);
  const text = shortened(chosen, room, small, palette.fonts, 600);
  marks.push(
    chart.text(x, y + small, letter, { size: small, weight: 700, fill: palette.ink }),
    chart.text(x + 14 * unit, y + small, text, {
      size: small,
      weight: 600,
      fill: palette.quiet,
      name: "counter",
      letter,
    }),
  );
  return { marks, h: head + words.h };
}

/** @type {PanelObject} */
export const captionPanel = { name: "caption", marks: captionMarks };

/** @type {PanelObject} */
export const decidePanel = { name: "decide", marks: decideMarks };

/** @type {PanelObject} */
export const questionPanel = { name: "question", marks: questionMarks };

/** @type {PanelObject} */
export const sentencesPanel = { name: "sentences", marks: sentencesMarks };
