// What is known about an example at an instant, as who points at it in any panel is told.

import {
  amount,
  coordinate,
  counted,
  example,
  isNegligible,
  label,
  leastOf,
  number,
  orLess,
  powerOfTen,
  signed,
  signOf,
  SIGNS,
  whole,
} from "./words.js";

/** @import { Run } from "./run.js" */

/** What is known about example i at the instant, for its tooltip; `fHidden`: without f. */
export function aboutExample(run, reading, t, i, { fHidden = false } = {}) {
  if (run.stream) return aboutArrival(run, t, i);
  const y = run.y[i];
  const what = run.objects ? run.objects[i] : run.exampleInWords(i, coordinate);
  const sign = signOf(run);
  const f = reading.scores[i];
  const least = leastOf(run);
  const name =
    i < run.n ? example(i) : `held-out ${run.objects ? "example" : "point"} ${i - run.n}`;
  if (!run.symbols) {
    const says = `score ${orLess(f, least, signed)}`;
    return [`${name}  ·  ${run.header.words.classes[y > 0 ? 1 : 0]}`, ...(fHidden ? [] : [says])];
  }
  const head = `${name}${run.lineOf(i)}  ${what}  ·  y = ${label(y)}`;
  const probable = run.probability && i < run.n ? `  ·  P(+1) = ${number(run.chance(f))}` : "";
  const values = isNegligible(f, least)
    ? `|${sign}| < ${powerOfTen(least)}  ·  margin ${y * f > 0 ? "above" : "below"} 0`
    : `${sign} = ${number(f)}  ·  margin ${number(y * f)}`;
  const score = fHidden ? [] : [`${values}${probable}`];
  if (i >= run.n) return [head, ...score];
  if (!run.header.about.counts) {
    const mistakes = run.trace.paired
      ? ""
      : `  ·  ${counted(run.trace.mistakesOn(i, t), "mistake")}`;
    return [head, `α = ${number(run.alphaOf(i, t))}${mistakes}`, ...score];
  }
  const steps = run.trace.byExample[i]
    .filter((step) => step < t)
    .map((step) => whole.format(step + 1));
  const listed = steps.length > 6 ? `${steps.slice(0, 6).join(", ")}, …` : steps.join(", ");
  const when = steps.length === 1 ? "mistake at step" : "mistakes at steps";
  const alpha = `α = ${amount(run.alphaOf(i, t), run)}${steps.length ? `  (${when} ${listed})` : ""}`;
  return [head, alpha, ...score];
}

/**
 * What may be said of example i: while a task asks what is remembered, not whether it is.
 *
 * @param {{ run: Run, reading: ReturnType<Run["reading"]>, t: number,
 *   covered: () => ReadonlySet<string>, numbersHidden: boolean }} instant
 */
export function knownOf({ run, reading, t, covered, numbersHidden }, i) {
  const lines = aboutExample(run, reading, t, i, { fHidden: numbersHidden });
  return covered().has("alpha") ? lines.slice(0, 1) : lines;
}

/** What is known about an example of a stream: f of it when it came; it never comes again. */
function aboutArrival(run, t, i) {
  const { trace } = run;
  const step = trace.index.indexOf(i);
  const f = trace.score[step];
  const y = run.y[i];
  const chance = run.probability ? `  ·  P(+1) = ${number(run.chance(f))}` : "";
  return [
    `${example(i)}  (${number(run.X[2 * i])}, ${number(run.X[2 * i + 1])})  ·  y = ${label(y)}`,
    `came at step ${whole.format(step + 1)}, ${step + 1 < t ? `${counted(t - step - 1, "step")} ago` : "just now"}: ${trace.mistake[step] ? "a mistake" : "correct"}`,
    `then ${SIGNS.last} = ${number(f)}  ·  margin ${number(y * f)}${chance}`,
    run.alphaOf(i, t) ? `in memory, α = ${number(run.alphaOf(i, t))}` : "not in memory, α = 0",
  ];
}
