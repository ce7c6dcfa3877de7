// Words and numbers, as kpviz/lessons/explain.py writes them.

const MINUS = "\u2212";
const SMALLEST = 2 ** -149; // of float32: what is not zero is never written as zero

/** Two decimals, more where it is small; the same rule as `explain.number`. */
export function number(value) {
  if (value === 0) return "0";
  const exact = Math.max(Math.abs(Math.fround(value)), SMALLEST);
  let text;
  if (exact < 0.0001 || exact >= 1e6) {
    const [mantissa, exponent] = exact.toExponential(1).split("e");
    text = `${mantissa}e${Number(exponent) < 0 ? MINUS : ""}${Math.abs(Number(exponent))}`;
  } else text = exact.toFixed(exact >= 0.1 ? 2 : 4);
  return (value < 0 ? MINUS : "") + text;
}

/** Without decimals that say nothing, for the ends of a scale. */
export const brief = (text) => text.replace(/\.00$/, "");

/** An α: a whole number where it counts mistakes. */
export const amount = (alpha, { header }) =>
  header.about.counts && Number.isInteger(alpha) ? whole.format(alpha) : number(alpha);

export const signed = (value) => (value < 0 ? number(value) : `+${number(value)}`);

export const label = (y) => (y > 0 ? "+1" : `${MINUS}1`);

export const example = (i) => `x${subscript(i)}`;

export const subscript = (i) =>
  String(i).replace(/\d/g, (digit) => String.fromCharCode("₀".charCodeAt(0) + Number(digit)));

/** What the score of each predictor is called. */
export const SIGNS = { last: "f", averaged: "mean f", voted: "vote" };

export const whole = new Intl.NumberFormat("en");

export const counted = (n, noun) => `${whole.format(n)} ${noun}${n === 1 ? "" : "s"}`;

/** A number that was rounded before, with all its digits. */
export function exactly(value) {
  if (value === "infinite") return "∞";
  if (Number.isInteger(value) && value < 1e6) return whole.format(value);
  return String(value).replace("e+", "e").replace("-", MINUS);
}

export const fill = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** How wide the longest line of the pseudo-code is, in letters of its size. */
export const codeWidth = ({ header }) => 0.61 * Math.max(...header.words.code.map((line) => line.length)) + 0.5;

/** The numbers of the step that leads to t, as they are shown. */
export function numbersOf(run, t) {
  const { trace } = run;
  const i = trace.index[t - 1];
  const score = trace.score[t - 1];
  const margin = run.y[i] * score;
  const numbers = {
    x: example(i),
    f: number(score),
    y: label(run.y[i]),
    margin: number(margin),
    count: String(trace.mistakesOn(i, t)),
    step: fill(run.header.words.step, { x: example(i) }),
  };
  for (const name of run.header.words.particulars) {
    numbers[name] = name === "minus" ? number(-margin) : particular(run.details[name], t - 1);
  }
  return numbers;
}

/** A whole number is an example. */
function particular(values, step) {
  if (values instanceof Int32Array) return values[step] >= 0 ? example(values[step]) : "nothing";
  return number(values[step]);
}

/** { sentence, line } of the instant t; `line` is the active line of the pseudo-code. */
export function explain(run, t) {
  const { words, names } = run.header;
  const { trace } = run;
  if (trace.nSteps === 0) return { sentence: words.end, line: words.lines.end };
  if (t === 0) {
    return { sentence: `${names.lookFor} ${words.steps[words.start]}`.trim(), line: words.lines.start };
  }
  const { key, line } = words.sentences[run.sentenceIndex[t - 1]];
  const sentence = fill(words.steps[key], numbersOf(run, t));
  if (t === trace.nSteps) return { sentence: `${sentence} ${words.end}`, line: words.lines.end };
  return { sentence, line };
}

/** A template of `words.steps` about the step that comes after t. */
export function ahead(run, t, key) {
  return fill(run.header.words.steps[key], numbersOf(run, t + 1));
}

export function counter(run, t) {
  const { trace, stream } = run;
  return [
    `step ${whole.format(t)} of ${whole.format(trace.nSteps)}`,
    stream
      ? `${whole.format(stream.support[t])} in memory`
      : `epoch ${trace.nSteps ? trace.epochAt(t) : 0} of ${whole.format(trace.nEpochs)}`,
    counted(trace.mistakesBefore(t), "mistake"),
    ...(run.arrays.squaredNorm ? [`‖f‖² = ${number(run.arrays.squaredNorm[trace.changesBefore(t)])}`] : []),
  ].join(" · ");
}
