// How the sentence is set: what is the case in one step of the scale, what follows from it in the
// next smaller one. The pair of steps is the run's, so that type stays while one steps.

import { ahead, explain } from "../run/words.js";
import { perRun } from "../run/trace.js";
import { step } from "./scale.js";
import { textWidth, wrap, wrapBalanced } from "../paint/measure.js";

/** @import { Step } from "./scale.js" */
/** @import { Fonts } from "../run/types.d.ts" */
/** @import { Run } from "../run/run.js" */
/** @import { Rect } from "./types.d.ts" */

/**
 * Where a sentence is set: its panel, and the type there.
 * @typedef {{ rect: Rect, unit: number, fonts: Fonts }} Setting
 */

/**
 * What there is to choose from: before a class the least pair, and whether nothing stands under
 * the words.
 * @typedef {{ least: [Step, Step] | null, isAlone: boolean }} Sizes
 */

/** @type {[Step, Step][]} */
const PAIRS = [
  ["title", "large"],
  ["large", "body"],
  ["body", "label"],
  ["label", "small"],
  ["small", "small"],
];
/**
 * Before a class what is the case stays large as long as it can.
 *
 * @type {[Step, Step][]}
 */
const PAIRS_ON_STAGE = [
  ["title", "large"],
  ["title", "body"],
  ["title", "label"],
  ["large", "body"],
  ["large", "label"],
  ["body", "label"],
  ["label", "label"],
];
/**
 * There they have the largest type of all where nothing stands under them.
 *
 * @type {[Step, Step][]}
 */
const PAIRS_ALONE = [["display", "title"], ...PAIRS_ON_STAGE];
export const SMALLEST_PAIR = PAIRS.at(-1);
/**
 * Before a class what is the case does not become smaller than this for the sake of what follows:
 * what has no room in this pair is said in fewer words.
 *
 * @param {Step | null | undefined} verdict
 * @returns {[Step, Step]}
 */
export const leastPair = (verdict) => [verdict ?? "title", "label"];
export const MARGIN = 14; // In px, left of the sentence.
export const LINE_HEIGHT = 1.28; // Relative to the type.
export const WEIGHT = 500;
const COUNTER = 1.9; // Relative to the type of the counter: so high is its line.
const MOST_SAMPLES = 16; // So many stand for all steps that are told alike, with other numbers.

/** What is the case, and what follows from it. @param {string} sentence */
export function halvesOf(sentence) {
  const [, verdict, remainder] = /^(.+?[.!?]) (.+)$/su.exec(sentence) ?? ["", sentence, ""];
  return [verdict, remainder];
}

/** Where the sentence begins, below the counter. @param {Setting} setting */
export const topOf = ({ rect, unit }) => rect.y + COUNTER * step("label", unit);

/**
 * The lines of a sentence, each with its size and with which half it is of; a cue is one, whatever
 * it says.
 *
 * @param {string} sentence
 * @param {[Step, Step]} pair
 * @param {Setting} setting
 * @param {boolean} [isCue]
 */
export function linesOf(sentence, pair, setting, isCue = false) {
  return brokenBy(wrapBalanced, sentence, pair, setting, isCue);
}

/** @param {typeof wrap} breaking */
function brokenBy(breaking, sentence, pair, { rect, unit, fonts }, isCue) {
  const halves = isCue ? [sentence] : halvesOf(sentence);
  return halves.filter(Boolean).flatMap((half, k) => {
    const size = step(pair[k], unit);
    return breaking(half, rect.w - MARGIN, size, fonts, WEIGHT).map((text) => ({
      text,
      size,
      half: k,
    }));
  });
}

/** @param {{ size: number }[]} lines */
export const heightOf = (lines) => lines.reduce((sum, { size }) => sum + LINE_HEIGHT * size, 0);

/**
 * How high a sentence is. It has as many lines where they are not balanced, which takes longer.
 *
 * @param {string} sentence
 * @param {[Step, Step]} pair
 * @param {Setting} setting
 * @param {boolean} [isCue]
 */
export const sentenceHeight = (sentence, pair, setting, isCue = false) =>
  heightOf(brokenBy(wrap, sentence, pair, setting, isCue));

/**
 * The pairs that there are to choose from.
 *
 * @param {Sizes} sizes
 */
const pairsFor = ({ least, isAlone }) => (least ? (isAlone ? PAIRS_ALONE : PAIRS_ON_STAGE) : PAIRS);

/**
 * A sentence with other digits, which are equally wide: many sentences become one, and its words
 * are known from other runs. A 0 stays, since lines break otherwise beside one.
 *
 * @param {string} sentence
 */
const withEqualDigits = (sentence) =>
  sentence
    .replace(/[1-9]/g, "8")
    .replace(/[₁-₉]/g, "₈")
    .replace(/[¹²³⁴-⁹]/g, "⁸");

/** What a run says, at as many of its instants as are needed to know how long its sentences are. */
const samplesOf = perRun((/** @type {Run} */ run) => {
  if (!run.trace.index.length) return []; // Where nothing is learnt, there are no steps.
  const { sentences: kinds } = run.header.words;
  /** @type {number[][]} */
  const stepsByKind = kinds.map(() => []);
  run.arrays.sentenceIndex.forEach((which, step) => stepsByKind[which].push(step));
  // Before it begins, a stream says more than of any step, and may say it in smaller type.
  const sentences = new Set(run.stream ? [] : [withEqualDigits(explain(run, 0).described)]);
  stepsByKind.forEach((steps, which) => {
    const apart = Math.ceil(steps.length / MOST_SAMPLES);
    for (let k = 0; k < steps.length; k += apart) {
      sentences.add(withEqualDigits(ahead(run, steps[k], kinds[which].key)));
    }
  });
  return [...sentences];
});

const pairsOf = perRun(() => new Map());

/**
 * The largest pair of steps in which whatever the run says of its steps has room.
 *
 * @param {Run} run
 * @param {Setting} setting
 * @param {number} room px of height
 * @param {Sizes} sizes
 * @returns {[Step, Step]}
 */
function pairOf(run, setting, room, sizes) {
  const { least, isAlone } = sizes;
  const pairs = pairsOf(run);
  const { rect, unit, fonts } = setting;
  // Until the font is there, another one stands in, in which the same words are wider or narrower.
  const fontsWidth = textWidth("mistakes", step("body", unit), fonts, WEIGHT);
  const key = [rect.w, room, unit, least, isAlone, fontsWidth].join();
  if (!pairs.has(key)) {
    const fits = (pair) => (sentence) => sentenceHeight(sentence, pair, setting) <= room;
    const samples = samplesOf(run).filter(least ? fits(least) : () => true);
    pairs.set(
      key,
      fittingPair(pairsFor(sizes), (pair) => samples.every(fits(pair))),
    );
  }
  return pairs.get(key);
}

/**
 * What is said at a start or an end, where suggestions take some of the room: the first of some
 * sentences, the longest first, that has room in the pair of the run, else the first of all.
 *
 * @param {string[]} sentences
 * @param {Run} run
 * @param {Setting} setting
 * @param {{ room: number, taken: number, reserved: number, sizes: Sizes }} how
 */
export function besideSuggestions(sentences, run, setting, { room, taken, reserved, sizes }) {
  const pair = pairOf(run, setting, room + taken - reserved, sizes);
  const fits = (sentence) => sentenceHeight(sentence, pair, setting) <= room;
  return sentences.find(fits) ?? sentences[0];
}

/** The first pair that fits, else the smallest. */
const fittingPair = (pairs, fits) => pairs.find(fits) ?? pairs.at(-1);

/**
 * The pair for a sentence: that of its run, or a smaller one for what has no room there. A cue is
 * as large as it can be. Suggestions that take some of the room at a start or an end do not change
 * the pair of the run.
 *
 * @param {string} sentence
 * @param {Run} run
 * @param {Setting} setting
 * @param {{ room: number, taken: number, reserved: number, sizes: Sizes,
 *   isCue: boolean }} how `taken`: px that the suggestions have of the room, `reserved`: those that
 *   the formula has
 */
export function pairFor(sentence, run, setting, { room, taken, reserved, sizes, isCue }) {
  const pairs = pairsFor(sizes);
  const usual = isCue ? pairs[0] : pairOf(run, setting, room + taken - reserved, sizes);
  const others = pairs.slice(Math.max(pairs.indexOf(usual), 0));
  const high = (/** @type {[Step, Step]} */ pair) => sentenceHeight(sentence, pair, setting, isCue);
  const pair = fittingPair(others, (candidate) => high(candidate) <= room);
  // What follows is rather smaller than that the formula has no room.
  const smaller = others.slice(others.indexOf(pair)).filter(([verdict]) => verdict === pair[0]);
  const withFormula =
    sizes.least && smaller.find((candidate) => high(candidate) <= room - reserved);
  return withFormula || pair;
}
