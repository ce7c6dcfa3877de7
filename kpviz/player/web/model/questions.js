// Which steps of a run are worth a prediction: about half of them are mistakes, so that no answer is a safe one.

/** @import { Run } from "./run.js" */

const MOST = 10; // of each kind, in an epoch

/**
 * The instants before the steps that are asked about, in their order. In each epoch (of a stream, each hundred): its
 * mistakes, and as many right answers, first those on examples that the pass before got wrong, then those with the
 * smallest margins. f = 0 has no side, so it is not asked about.
 *
 * @param {Run} run
 * @returns {number[]}
 */
export function asked({ trace, nSteps }) {
  const { parts, score, mistake, index } = trace;
  const missed = new Set(); // examples of which the newest verdict was a mistake
  const found = [];
  [...parts].forEach((from, part) => {
    const steps = range(from, parts[part + 1] ?? nSteps);
    const weigh = (step) => Math.abs(score[step]) - (missed.has(index[step]) ? Infinity : 0);
    const usable = steps.filter((step) => score[step] !== 0).map((step) => ({ step, weight: weigh(step) }));
    const [wrong, right] = [1, 0].map((kind) => usable.filter(({ step }) => mistake[step] === kind));
    const most = Math.min(wrong.length, MOST);
    found.push(...nearest(wrong, most), ...nearest(right, Math.max(most, 1)));
    for (const step of steps) {
      if (mistake[step]) missed.add(index[step]);
      else missed.delete(index[step]);
    }
  });
  return found.sort((a, b) => a - b);
}

const range = (from, to) => Array.from({ length: to - from }, (_, k) => from + k);

const nearest = (found, most) =>
  [...found]
    .sort((a, b) => (a.weight === b.weight ? a.step - b.step : a.weight - b.weight))
    .slice(0, most)
    .map(({ step }) => step);
