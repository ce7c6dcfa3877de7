// What the first minute says: the questions, what the machine said, and what the run came to.

import { colour, counted, number, whole } from "../run/words.js";

/** @import { Run } from "../run/run.js" */

/**
 * The instants that are asked about; of the first point nothing is known, so that it is only shown.
 */
export const QUESTIONS = [0, 1, 2, 3, 4];

/**
 * Whether a run can be told so: a perceptron on the plane that remembers its first example.
 *
 * @param {Run} run
 */
export const isPlayable = ({ plane, stream, header, predictor, trace, nSteps }) =>
  plane &&
  !stream &&
  header.about.counts &&
  predictor.kind === "last" &&
  nSteps > 2 * QUESTIONS.length &&
  trace.mistake[0] === 1;

export const TITLE = "Can a machine learn to tell orange from blue?";
const HAIR = 0.05; // A score nearer to 0 than this decides by a hair.

/**
 * The question about the point at t.
 *
 * @param {Run} run
 * @param {number} t
 * @param {boolean} [isAnswered]
 */
export function questionOf({ trace, y }, t, isAnswered = false) {
  if (t === 0) {
    return `It knows nothing yet: it just remembers this ${colour(y[trace.index[0]])} point.`;
  }
  if (t === 1 && isAnswered) return "It remembered one point. What would it say about the next?";
  if (t === 1) return "It remembers one point. What will it say about the next?";
  return isAnswered ? "What would it say about this one?" : "What will it say about this one?";
}

/**
 * What the machine said of the point at t, and what came of it: the mistake is the machine's, and
 * whoever expected the colour of the point itself knew better.
 *
 * @param {Run} run
 * @param {number} t
 * @param {number | null} guess a class; null: it was only shown
 */
export function answerOf({ trace, y }, t, guess) {
  const score = trace.score[t];
  const classOfPoint = y[trace.index[t]];
  const isMistake = trace.mistake[t] === 1;
  const after = isMistake ? "It remembers this one, too." : "Nothing to remember.";
  if (score === 0) {
    return `The machine cannot say: either guess counts. The point is ${colour(classOfPoint)}. ${after}`;
  }
  const hair = Math.abs(score) < HAIR ? ", by a hair" : "";
  const says = `The machine said ${colour(score)}${hair}`;
  if (!isMistake) return `${says}${hair && ","} and so it is. ${after}`;
  const better = guess === classOfPoint ? " You knew better." : "";
  return `${says}. But the point is ${colour(classOfPoint)}: the machine was wrong.${better} ${after}`;
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

/**
 * `bricks`: how many each remembered point has.
 *
 * @param {{ bricks: number[], right: number, n: number }} end
 */
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

/**
 * For whom the map is not to be seen: where the point at t is, and where those that are remembered
 * are.
 *
 * @param {Run} run
 */
export function placesOf(run, t) {
  const place = (i) =>
    `(${run
      .inDataUnits(run.X[2 * i], run.X[2 * i + 1])
      .map(number)
      .join(", ")})`;
  const examples = mistakesBefore(run, t).map((step) => run.trace.index[step]);
  const remembered = [...new Set(examples)]
    .map((i) => `${colour(run.y[i])} at ${place(i)}`)
    .join(", ");
  return `The new point is at ${place(run.trace.index[t])}. Remembered: ${remembered || "nothing"}.`;
}

/** The class of each brick: one for each mistake before t. @param {Run} run */
export const bricksOf = (run, t) =>
  mistakesBefore(run, t).map((step) => run.y[run.trace.index[step]]);

/** @param {Run} run */
const mistakesBefore = ({ trace }, t) => [...trace.mistakeSteps].filter((step) => step < t);
