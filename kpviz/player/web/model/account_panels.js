// What panels with numbers of their own say in words: the pseudo-code, curves over a setting, the primal perceptron, whether k
// is a kernel and why it is one.

import { BUSY, mean, share, written, spent, weights } from "./series.js";
import { counted, example, explain, number, whole } from "./words.js";

/** @import { Player } from "./player.js" */
/** @import { Run } from "./run.js" */
/** @import { CurveNumbers } from "../types.d.ts" */

/** The lines, and which of them the step came to. @param {Run} run */
export function ofCode(run, t) {
  const { code } = run.header.words;
  const { line } = explain(run, t);
  const lines = code.map((text, k) => `Line ${k + 1}: ${text.trim()}.`);
  return code[line] === undefined ? lines : [...lines, `At this step line ${line + 1} is lit.`];
}

/** Each curve by its ends, where it is least, and what it is at the value that is set. @param {Player} player */
export function ofCurve({ curve }) {
  const { numbers, why, stale, now } = curve.scene;
  if (!numbers || stale) return [why || BUSY];
  const { label, values, seeds } = numbers;
  const ends = [values[0], values.at(-1)].map((value) => written(numbers, value));
  const averaged = seeds > 1 ? `, means of ${seeds} seeds` : "";
  const counts = { mistakes: "Mistakes", support: "Support" };
  const errors = { train: "Training error", test: "Held-out error" };
  return [
    `Over ${label} from ${ends[0]} to ${ends[1]}, ${values.length} values${averaged}.`,
    ...Object.entries(counts).flatMap(([key, name]) => alongCurve(numbers, key, name, mean, now)),
    ...Object.entries(errors).flatMap(([key, name]) => alongCurve(numbers, key, name, share, now)),
  ];
}

/** @param {CurveNumbers} numbers */
function alongCurve(numbers, key, name, say, now) {
  const { label, log, values } = numbers;
  const line = numbers[key];
  if (line.some((value) => value === null)) return [];
  const scale = log ? Math.log : Number;
  const far = values.map((value) => Math.abs(scale(value) - scale(now)));
  const near = far.indexOf(Math.min(...far));
  const least = line.indexOf(Math.min(...line));
  const at = (place) => `${say(line[place])} at ${label} = ${written(numbers, values[place])}`;
  return [
    `${name}: ${at(0)}, ${at(values.length - 1)}; least ${at(least)}; nearest to the value that is set, ${at(near)}.`,
  ];
}

/** w, both scores of the step, and what both forms have cost. @param {Run} run */
export function ofPrimal(run, t) {
  const { primal } = run.header.extras;
  if (!primal) return [];
  if (primal.why) return [primal.why];
  const w = weights(run, t);
  const whose = run.predictor.kind === "last" ? "w" : "w of the last f";
  const some = primal.dimension > w.length ? `, the ${w.length} that end largest` : "";
  const now = spent(run, t);
  const cost = ({ stored, multiplications }) =>
    `${counted(stored, "number")} stored, ${counted(multiplications, "multiplication")}`;
  return [
    `φ has ${counted(primal.dimension, "entry", "entries")}.`,
    ...(t > 0 ? bothScores(run, t) : []),
    `Entries of ${whose}${some}: ${Array.from(w, (value, j) => `${primal.names[j]} ${number(value)}`).join(", ")}.`,
    `So far the primal form: ${cost(now.primal)}; the dual form: ${cost(now.dual)}.`,
  ];
}

/** @param {Run} run */
function bothScores({ trace, header, arrays }, t) {
  const { primalScore, primalAgrees } = arrays;
  const x = example(trace.index[t - 1]);
  const b = header.extras.primal.storedIntercept ? " + b" : "";
  const agreed = Array.from(primalAgrees.subarray(0, t)).filter(Boolean).length;
  return [
    `Before this step ⟨w, φ(${x})⟩${b} was ${number(primalScore[t - 1])}, and the kernel’s sum ${number(trace.score[t - 1])}.`,
    `The verdicts are the same at ${whole.format(agreed)} of ${counted(t, "step")} so far.`,
  ];
}

/** What refutes, what the eigenvalues say, and which they are at both ends. @param {Run} run */
export function ofValidity({ header, arrays: { eigenvalues } }) {
  const { why, answer, points, sentence } = header.extras.validity ?? { why: "" };
  if (why || !eigenvalues) return why ? [why] : [];
  const ends = `Eigenvalues of K from ${number(eigenvalues[0])} down to ${number(eigenvalues.at(-1))}.`;
  return [`${answer}.`, ...(points ? [points] : []), sentence, ends];
}

/** The derivation, a line for each step. @param {Run} run */
export function ofDerivation({ header }) {
  const { why, steps = [] } = header.extras.derivation ?? { why: "" };
  return why ? [why] : steps.map(([, formula, rule, proof]) => `${formula}: ${rule}; ${proof}`);
}
