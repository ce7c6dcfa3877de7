// What a class is asked of a task, on the stage: a question with at most five answers, and when it
// is asked and shown. There is no DOM.

import { LETTERS } from "../page/badge.js";
import { readings } from "../page/typed_number.js";
import { translate } from "../run/language.js";
import { colour, example } from "../run/words.js";

/** @import { Run } from "../run/run.js" */
/** @import { LessonTask, PackedAnswer, Word } from "./types.d.ts" */

export const MOST_ANSWERS = LETTERS.length;
const ROUND_OFF = 1e-9;

/**
 * An answer that one can vote for. `note`: what follows from it; `right`: null where that is not
 * known.
 * @typedef {{ words: Word[], note: string, right: boolean | null }} ClassAnswer
 */

/**
 * A question to a class. `t`: the instant at which it is asked; `until`: the one to which the run
 * plays then, Infinity for its end; `rings`: the examples that are ringed on the map;
 * `takesValues`: its answers are the numbers that were heard; `isVoted`: a class can vote on it;
 * `value`: what is right where no answer may say so.
 * @typedef {object} ClassQuestion
 * @property {Word[]} ask
 * @property {ClassAnswer[]} answers
 * @property {number} t
 * @property {number} until
 * @property {number[]} rings
 * @property {boolean} takesValues
 * @property {boolean} isVoted
 * @property {Word[]} because
 * @property {number | null} value
 */

/**
 * @param {LessonTask} task
 * @param {Run} run
 * @param {PackedAnswer | null} solution null where nobody knows it
 * @param {string[]} heard the numbers that the class has said
 * @returns {ClassQuestion}
 */
export function classQuestion(task, run, solution, heard) {
  const t = task.start[0].t ?? 0;
  const whole = task.start[0].t === null ? Infinity : t;
  const usual = {
    ask: task.ask,
    answers: /** @type {ClassAnswer[]} */ ([]),
    t,
    until: t,
    rings: /** @type {number[]} */ ([]),
    takesValues: false,
    isVoted: true,
    because: solution?.because ?? [],
    value: null,
  };
  if (task.kind === "predict") return { ...usual, ...prediction(task, run, t) };
  if (task.kind === "number") {
    const answers = heard.map((text) => valueAnswer(text, solution));
    const until = task.plays ? whole : t;
    return { ...usual, answers, until, takesValues: true, value: solution?.value ?? null };
  }
  const answers =
    { choose: choicesOf, click: candidatesOf }[task.kind]?.(task, run, solution, t) ?? [];
  const canVote = answers.length > 1 && answers.length <= MOST_ANSWERS;
  const isVoted = canVote && (!solution || answers.filter(({ right }) => right).length === 1);
  if (!isVoted) return { ...usual, isVoted: false };
  if (task.kind === "choose") return { ...usual, answers, until: whole };
  const rings = answers.map(({ example: i }) => i);
  const isAboutNext = task.ahead !== undefined || task.start[0].t !== null;
  return {
    ...usual,
    answers,
    rings,
    until: isAboutNext ? run.trace.neighbour(t, "mistake", 1) : whole,
  };
}

/**
 * One step of several, and what it will be: the one whose ground is seen best, since a class says
 * the colour of the ground.
 */
function prediction(task, run, t) {
  const { score, index, mistake } = run.trace;
  const last = Math.min(t + (task.count ?? 1), run.nSteps);
  let step = t;
  for (let at = t + 1; at < last; at++) {
    if (Math.abs(score[at]) > Math.abs(score[step])) step = at;
  }
  const i = index[step];
  const name = example(i);
  const ask =
    task.count === 1
      ? task.ask
      : [
          `${name} comes next. It is ${colour(run.y[i])}: will the machine be right, or make a mistake?`,
        ];
  const answers = [
    { words: ["right"], note: "nothing changes", right: !mistake[step] },
    { words: ["a mistake"], note: `${name} is added`, right: Boolean(mistake[step]) },
  ];
  const told = task.count === 1 ? {} : { because: [] }; // The author’s reason tells all of them.
  return { ask, answers, t: step, until: step + 1, rings: [i], ...told };
}

/**
 * The choices that a class votes on, by index: all of them, or those that the author names.
 *
 * @param {LessonTask} task
 */
export const votedChoices = ({ choices = [], stage }) => stage ?? choices.map((_, k) => k);

function choicesOf(task, _run, solution) {
  return votedChoices(task).map((k) => ({
    words: task.choices[k],
    note: "",
    right: solution ? solution.right.includes(k) : null,
  }));
}

/** An example that is right among four that are not. */
function candidatesOf({ ahead }, run, solution, t) {
  if (!solution?.right.length) return [];
  const right = /** @type {number} */ (solution.right[0]);
  const others = otherCandidates(run, solution, t, ahead).slice(0, MOST_ANSWERS - 1);
  const order = [...run.trace.index.subarray(t)];
  const candidates = [right, ...others].sort(
    (one, other) => placeIn(order, one) - placeIn(order, other),
  );
  return candidates.map((i) => ({
    words: [`${example(i)}, ${translate(colour(run.y[i]))}`],
    note: "",
    right: i === right,
    example: i,
  }));
}

const placeIn = (order, i) => (order.includes(i) ? order.indexOf(i) : order.length + i);

/** Wrong examples, the likeliest first: those that come next, and those in memory. */
function otherCandidates(run, solution, t, ahead) {
  const wrong = Array.from({ length: run.n }, (_, i) => i).filter(
    (i) => !solution.right.includes(i),
  );
  const coming = ahead ? [...run.trace.index.subarray(t, t + ahead)] : [];
  const alphas = run.alphas(t);
  const weight = (i) => (coming.includes(i) ? 2 : 0) + (alphas[i] ? 1 : 0);
  return wrong.sort((one, other) => weight(other) - weight(one) || one - other);
}

/** A number that was heard. @param {string} text @param {PackedAnswer | null} solution */
function valueAnswer(text, solution) {
  const { value, allowed } = solution ?? {};
  const [number] = readings(text);
  const right = value === undefined ? null : Math.abs(number - value) <= allowed * (1 + ROUND_OFF);
  return { words: [text], note: "", right };
}
