// The first minute: a visitor guesses what the machine will say of the next point, going by what it remembers so far.

import { rect } from "../board/layout.js";
import { counted, number, whole } from "../run/words.js";

/** @import { Run } from "../run/run.js" */
/** @import { Layout } from "../board/types.d.ts" */

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
  return t === 1
    ? "It remembers one point. What will it say about the next?"
    : "What will it say about this one?";
}

/**
 * What the machine said of the point at t, and what came of it. The guess is one of what the machine will say: whoever
 * expected the colour of the point itself, where the machine is wrong, is told that this would have been right.
 *
 * @param {Run} run
 * @param {number} t
 * @param {number | null} guess a class; null: it was only shown
 */
export function answerOf({ trace, y }, t, guess) {
  const score = trace.score[t];
  const point = colour(y[trace.index[t]]);
  const mistake = trace.mistake[t] === 1;
  const after = mistake ? "It remembers this one, too." : "Nothing to remember.";
  if (score === 0) {
    return `The machine cannot say: your guess counts. The point is ${point}. ${after}`;
  }
  const guessed = guess !== null && guess > 0 === score > 0;
  const hair = Math.abs(score) < HAIR ? ", by a hair" : "";
  const says = `he machine says ${colour(score)}${hair}`;
  const began = guessed
    ? "As you guessed, t"
    : guess === null || mistake
      ? "T"
      : "Not this time: t";
  const comma = hair ? "," : "";
  const verdict = mistake
    ? `${comma} and is wrong: the point is ${point}.`
    : `${comma} and is right.`;
  const consolation = mistake && guess !== null && !guessed ? " (You would have been right!)" : "";
  return `${began}${says}${verdict} ${after}${consolation}`;
}

/** How many guesses were right; "" before the first. @param {Map<number, { right: boolean }>} answers */
export function guessesOf(answers) {
  const right = [...answers.values()].filter((one) => one.right).length;
  return answers.size ? `Your guesses: ${right} of ${answers.size} right` : "";
}

/** What the run came to, in its own numbers. @param {Run} run */
export function endOf(run) {
  const { n, y, trace, nSteps } = run;
  const { scores } = run.reading(nSteps);
  const examples = Array.from({ length: n }, (_, i) => i);
  return wordsOfEnd({
    bricks: examples.map((i) => trace.mistakesOn(i, nSteps)).filter((count) => count > 0),
    right: examples.filter((i) => y[i] * scores[i] > 0).length,
    n,
  });
}

/** The longest sentence about an end that so many examples can have: its room is kept free. @param {number} n */
export const longestEndOf = (n) => wordsOfEnd({ bricks: Array(n).fill(99), right: n - 1, n });

/** @param {{ bricks: number[], right: number, n: number }} end `bricks`: how many each remembered point has */
function wordsOfEnd({ bricks, right, n }) {
  const mistakes = bricks.reduce((sum, count) => sum + count, 0);
  const points = counted(bricks.length, "point");
  const all = whole.format(n);
  const rightOn = right === n ? `all ${all}` : `${whole.format(right)} of ${all}`;
  return `It made ${counted(mistakes, "mistake")}, remembers ${points}${repeated(bricks)}, and is right on ${rightOn}.`;
}

/** Why there are more bricks than points. @param {number[]} bricks */
function repeated(bricks) {
  const several = bricks.filter((count) => count > 1);
  if (!several.length) return "";
  const most = Math.max(...several);
  const times =
    most === 2 ? "twice" : several.length === 1 ? `${whole.format(most)} times` : "more than once";
  return ` (${several.length === 1 ? "one" : whole.format(several.length)} of them ${times})`;
}

/** For whom the map is not to be seen: where the point at t is, and where those that are remembered are. @param {Run} run */
export function placesOf(run, t) {
  const place = (i) =>
    `(${run
      .inDataUnits(run.X[2 * i], run.X[2 * i + 1])
      .map(number)
      .join(", ")})`;
  const known = new Set(
    [...run.trace.mistakeSteps].filter((step) => step < t).map((step) => run.trace.index[step]),
  );
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
  return {
    seen: new Set(index.slice(0, Math.max(t, 1))),
    unknown: asking && t > 0 ? index[t] : -1,
  };
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
    if (timeline) {
      panels.timeline = rect(0, map.side + GAP / 2, long ? width - GAP : map.side, map.line);
    }
    end = Math.max(height, ends);
    const bottom = long ? map.side : height - GAP;
    const high = Math.min(bottom - ends, MOST_MARGINS * unit);
    if (margins && high >= LEAST_MARGINS * unit) {
      panels.margins = rect(words.x, bottom - high, words.w, high);
    }
  } else {
    const line = 46;
    const side = Math.floor(
      Math.max(Math.min(width, height - head - line - WORDS - 3 * GAP), LEAST),
    );
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
