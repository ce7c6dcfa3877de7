// The first minute: a visitor guesses what the machine will say of the next point, going by what it remembers so far.

import { rect } from "./layout.js";
import { counted, number, whole } from "./words.js";

/** @import { Run } from "./run.js" */
/** @import { Layout } from "../types.d.ts" */

/** The instants that are asked about; of the first point nothing is known, so that it is only shown. */
export const QUESTIONS = [0, 1, 2, 3, 4];

/** Whether a run can be told so: a perceptron on the plane that remembers its first example. @param {Run} run */
export const isPlayable = ({ plane, stream, header, predictor, trace, nSteps }) =>
  plane &&
  !stream &&
  header.about.counts &&
  predictor.kind === "last" &&
  nSteps > 2 * QUESTIONS.length &&
  trace.mistake[0] === 1;

// ---- what is said -----------------------------------------------------------------------------------

const HAIR = 0.05; // a score nearer to 0 than this decides by a hair

/** What a class, or the sign of a score, is called. */
export const colour = (y) => (y > 0 ? "orange" : "blue");

/** The question about the point at t. */
export function questionOf(t) {
  if (t === 0) return "It knows nothing yet: it just remembers this one.";
  return t === 1 ? "It remembers one point. What will it say about the next?" : "What will it say about this one?";
}

/**
 * What the machine said of the point at t, and what came of it.
 *
 * @param {Run} run
 * @param {number} t
 * @param {number | null} guess a class; null: it was only shown
 */
export function answerOf({ trace, y }, t, guess) {
  const score = trace.score[t];
  const point = colour(y[trace.index[t]]);
  const mistake = trace.mistake[t] === 1;
  const outcome = mistake
    ? `is ${point}: a mistake. It remembers this one, too.`
    : `is ${point}: right. Nothing to remember.`;
  if (score === 0) return `It cannot say: your guess counts. The point ${outcome}`;
  const began = guess === null ? "It says" : guess > 0 === score > 0 ? "Yes, it says" : "No, it says";
  const hair = Math.abs(score) < HAIR ? ", by a hair" : "";
  return `${began} ${colour(score)}${hair}. ${mistake ? "But the" : "The"} point ${outcome}`;
}

/** How many guesses were right; "" before the first. @param {Map<number, { right: boolean }>} answers */
export function guessesOf(answers) {
  const right = [...answers.values()].filter((one) => one.right).length;
  return answers.size ? `${right} of ${answers.size} right` : "";
}

/** What the run came to, in its own numbers. @param {Run} run */
export function endOf(run) {
  const { n, y, trace, nSteps } = run;
  const { scores } = run.reading(nSteps);
  const count = (holds) => Array.from({ length: n }, (_, i) => holds(i)).filter(Boolean).length;
  const right = count((i) => y[i] * scores[i] > 0);
  const remembered = count((i) => trace.mistakesOn(i, nSteps) > 0);
  const mistakes = counted(trace.mistakesBefore(nSteps), "mistake");
  const [some, all] = [right, n].map((each) => whole.format(each));
  return `It made ${mistakes}, remembers ${whole.format(remembered)} of ${all}, and is right on ${right === n ? "all" : `${some} of ${all}`}.`;
}

/** For whom the map is not to be seen: where the point at t is, and where those that are remembered are. @param {Run} run */
export function placesOf(run, t) {
  const place = (i) =>
    `(${run
      .inDataUnits(run.X[2 * i], run.X[2 * i + 1])
      .map(number)
      .join(", ")})`;
  const known = new Set([...run.trace.mistakeSteps].filter((step) => step < t).map((step) => run.trace.index[step]));
  const remembered = [...known].map((i) => `${colour(run.y[i])} at ${place(i)}`).join(", ");
  return `The new point is at ${place(run.trace.index[t])}. Remembered: ${remembered || "nothing"}.`;
}

/** The class of each brick: one for each mistake before t. @param {Run} run */
export const bricksOf = ({ trace: { mistakeSteps, index }, y }, t) =>
  [...mistakeSteps].filter((step) => step < t).map((step) => y[index[step]]);

// ---- what is seen -----------------------------------------------------------------------------------

/**
 * The points that were shown by now, the first from the start; `unknown`: the one whose class is asked for, -1 for none.
 *
 * @param {Run} run
 * @param {number} t
 * @param {boolean} asking
 */
export function pointsOf({ trace: { index } }, t, asking) {
  return { seen: new Set(index.slice(0, Math.max(t, 1))), unknown: asking && t > 0 ? index[t] : -1 };
}

const GAP = 12; // px
const LOW = 500; // px of height under which the timeline is slim
const WORDS = 262; // px of height that words and buttons under a map need
const [LEAST, LEAST_MARGINS, MOST_MARGINS] = [150, 96, 210]; // px of the side of the map, and of the height of the margins

/** Whether map and words stand side by side. */
const isWide = (width, height) => width > 640 && width > 1.1 * height;

/** Where the words are, as far as it does not depend on how high they are. */
export function wordsAt(width, height) {
  if (!isWide(width, height)) return { x: GAP, y: 0, w: width - 2 * GAP };
  const { side } = wideMap(width, height);
  const x = Math.round(side + Math.min(0.03 * width, 48));
  return { x, y: 0, w: width - x - GAP };
}

function wideMap(width, height) {
  const unit = Math.max(Math.min(height / 640, 1.75), 0.94);
  const line = height < LOW ? 46 : Math.round(62 * unit);
  return { unit, line, side: Math.floor(Math.min(height - line - GAP, 0.56 * width)) };
}

/**
 * The board of the first minute: the map, as it stays throughout; the timeline and the margins as soon as they mean
 * something; `head` and `say` are how high the question is, and what is said.
 *
 * @param {number} width
 * @param {number} height
 * @param {{ head: number, say: number, timeline: boolean, margins: boolean }} what
 * @returns {Layout & { say: { x: number, y: number, w: number } }}
 */
export function minuteLayout(width, height, { head, say, timeline, margins }) {
  const words = wordsAt(width, height);
  /** @type {Layout["panels"]} */
  const panels = {};
  let end;
  let unit = 0.94;
  let sayAt = head + GAP;
  if (isWide(width, height)) {
    const map = wideMap(width, height);
    ({ unit } = map);
    panels.map = rect(0, 0, map.side, map.side);
    const ends = sayAt + say + GAP;
    const least = margins ? LEAST_MARGINS * unit + GAP : 0;
    const long = ends + least <= map.side; // else the timeline gives way to the words
    if (timeline) panels.timeline = rect(0, map.side + GAP / 2, long ? width - GAP : map.side, map.line);
    end = Math.max(height, ends);
    const bottom = long ? map.side : height - GAP;
    const high = Math.min(bottom - ends, MOST_MARGINS * unit);
    if (margins && high >= LEAST_MARGINS * unit) panels.margins = rect(words.x, bottom - high, words.w, high);
  } else {
    const line = 46;
    const side = Math.floor(Math.max(Math.min(width, height - head - line - WORDS - 3 * GAP), LEAST));
    panels.map = rect((width - side) / 2, head + GAP, side, side);
    if (timeline) panels.timeline = rect(0, head + GAP + side + 4, width, line);
    sayAt = head + side + line + 2 * GAP;
    end = Math.max(height, sayAt + say + GAP);
  }
  const nothing = rect(0, end, width, 0);
  return {
    narrow: false,
    unit,
    height: end,
    bar: nothing,
    tools: end,
    dock: null,
    panels,
    say: { ...words, y: sayAt },
  };
}
