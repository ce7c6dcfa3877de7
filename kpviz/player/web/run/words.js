// Words and numbers, as kpviz/lessons/explain.py writes them: how a number is written, what things
// are called, then the numbers of a step (`numbersOf`) and the sentences with them (`explain`).

import { speaks, translate } from "./language.js";

export const MINUS = "\u2212";
const SMALLEST = 2 ** -149; // The least of float32: what is not zero is never written as zero.
const LEAST_NORMAL = 2 ** -126; // Below it float32 has fewer digits than are written.
const MOST_FURTHER_DIGITS = 3; // So many are added at most to tell two numbers apart.

/** Two decimals, more where it is small; the same rule as `explain.number`. */
export const number = (value) => written(value, 0);

/** A number with `more` further digits; of what float32 hardly holds only the sign. */
function written(value, more) {
  if (value === 0 || Math.abs(value) >= LEAST_NORMAL) return typeset(rounded(value, more));
  return value < 0 ? `${MINUS}0.000…` : "0.000…";
}

/** A number of JavaScript as it is written: −8.1×10⁻⁷, 5,792.64. */
export const typeset = (text) =>
  text
    .replace(
      /e\+?(-?)(\d+)/,
      (_, sign, power) =>
        `×10${sign && "⁻"}${power.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])}`,
    )
    .replace("-", MINUS)
    .replace(/^\D?\d{4,}/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","));

/** A number with two decimals and `more`, or a power of ten, as JavaScript writes it. */
function rounded(value, more) {
  if (value === 0) return "0";
  const size = Math.max(Math.abs(Math.fround(value)), SMALLEST);
  const sign = value < 0 ? "-" : "";
  if (size < 0.0001) return sign + size.toExponential(1);
  if (size >= 1e6) return sign + size.toExponential(1 + more);
  let least = 4;
  if (size >= 0.01) least = 3;
  if (size >= 0.1) least = 2;
  const most = 6 - String(Math.floor(size)).length; // Six digits in all.
  return sign + size.toFixed(Math.max(least, Math.min(2 + more, most)));
}

/**
 * How many further digits, from `least` to `most`, tell two numbers apart; null if none that are
 * written do.
 */
function digitsApart(first, second, least = 0, most = MOST_FURTHER_DIGITS) {
  for (let more = least; more <= most; more++) {
    if (Number(rounded(first, more)) !== Number(rounded(second, more))) return more;
  }
  return null;
}

/**
 * A score before a change and after it, as `explain.told_apart` writes them, `plain` without a
 * plus; "" where they look alike. `least` are further digits that both have in any case, `most`
 * those that they have at most.
 */
export function toldApart(
  before,
  after,
  { plain = false, least = 0, most = MOST_FURTHER_DIGITS } = {},
) {
  const write = (value, more) => (value > 0 && !plain ? "+" : "") + written(value, more);
  if (before === 0 && after === 0) return [write(before, 0), write(after, 0)];
  const more = digitsApart(before, after, least, most);
  return more === null ? [write(before, least), ""] : [write(before, more), write(after, more)];
}

/** A number that was written, without decimals that say nothing: for the ends of a scale. */
export const brief = (text) => text.replace(/\.00$/, "");

/** A number as one says it. @param {number} value */
export const shortNumber = (value) => brief(number(value));

/** An α: a whole number where it counts mistakes. */
export const amount = (alpha, { header }) =>
  header.about.counts && Number.isInteger(alpha) ? whole.format(alpha) : number(alpha);

/**
 * What the columns of α are; where it counts mistakes, times a learning rate, each brick is one.
 */
export function alphaTitle({ header, trace, symbols }) {
  if (!symbols) return { text: "Mistakes on each example", short: "Mistakes" };
  if (!header.about.counts) return { text: "α: weight of each example", short: "α: weights" };
  if (trace.unit === 1) return { text: "α: mistakes on each example", short: "α: mistakes" };
  const rate = typeset(String(trace.unit));
  return { text: `α = ${rate} × mistakes on each example`, short: `α = ${rate} × mistakes` };
}

/** A coordinate with three decimals at most: what is computed with them agrees in two. */
export const coordinate = (value) => typeset(String(Number(value.toFixed(3))));

/** A number with its sign, also if that is +. */
export const signed = (value) => (value > 0 ? `+${number(value)}` : number(value));

// Powers of ten below the largest score of a run, under which no digit of a term is worth reading.
const NEGLIGIBLE = 6;

/** The power of ten under which a score or a term of it is said to be small, and no more. */
export const leastOf = ({ header: { limit } }) =>
  10 ** (Math.floor(Math.log10(limit || 1)) - NEGLIGIBLE);

export const isNegligible = (value, least) => value !== 0 && Math.abs(value) < least;

/** A number; of a negligible one only the power of ten that it is below. */
export const orLess = (value, least, write = number) =>
  isNegligible(value, least) ? `less than ${powerOfTen(least)}` : write(value);

/** The nearest power of ten, as 10⁻⁷. */
export const powerOfTen = (value) =>
  typeset(`1e${Math.round(Math.log10(value))}`).replace("1×", "");

// These numbers of a learner are shares below 1 (as in kpviz/lessons/explain.py).
const SHARES = new Set(["phi", "probability"]);
const NEARLY_ONE = "nearly 1"; // It stands for a share that no digits tell from 1.

export const label = (y) => (y > 0 ? "+1" : `${MINUS}1`);

export const example = (i) => `x${subscript(i)}`;

/**
 * An example that is not a point, as one reads it: a tree by its words, a graph by how often it has
 * each letter, C₂O, anything else as it is written.
 *
 * @param {{ objects?: string[] | null, header: { ground: { compares: string } } }} run
 * @param {number} i
 */
export function objectInWords({ objects, header }, i) {
  const written = objects[i];
  const { compares } = header.ground;
  if (compares === "trees") return [...written.matchAll(/[^\s()]+(?=\))/g)].join(" ");
  if (compares !== "graphs") return written;
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const letter of written.split(" ")[0]) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts].map(([letter, n]) => (n > 1 ? `${letter}${subscript(n)}` : letter)).join("");
}

export const subscript = (i) =>
  String(i).replace(/\d/g, (digit) => String.fromCharCode("₀".charCodeAt(0) + Number(digit)));

const MOST_LISTED = 30;

/**
 * The names of examples in one line; of many only the first ones.
 *
 * @param {number[]} indices
 * @param {(i: number) => string} [words] for an example
 */
export function listed(indices, words = example) {
  const others = indices.length - MOST_LISTED;
  return [
    ...indices.slice(0, MOST_LISTED).map(words),
    ...(others > 0 ? [`and ${whole.format(others)} more`] : []),
  ].join(", ");
}

/** What the score of each predictor is called. */
export const SIGNS = { last: "f", averaged: "mean f", voted: "vote" };

/** What the score is called on a board. */
export const signOf = ({ header, symbols }) =>
  symbols ? SIGNS[header.settings.predictor] : "score";

export const whole = new Intl.NumberFormat("en");

export const capitalized = (words) => `${words[0].toUpperCase()}${words.slice(1)}`;

export const counted = (n, noun, more = `${noun}s`) =>
  `${whole.format(n)} ${n === 1 ? noun : more}`;

/** How long something takes, which may be half a minute. @param {number} minutes */
export const inMinutes = (minutes) => `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;

/** 1st, 2nd, 3rd, 4th. */
export function ordinal(n) {
  const teen = Math.floor(n / 10) % 10 === 1;
  return `${n}${(!teen && ["th", "st", "nd", "rd"][n % 10]) || "th"}`;
}

/** A number that was rounded before, with all its digits. */
export function exactly(value) {
  if (value === "infinite") return "∞";
  return typeset(String(value));
}

/** A text for a regular expression that finds it as it is. */
export const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

export const fill = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** How wide the longest line of the pseudo-code is, in letters of its size. */
export const codeWidth = ({ header }) =>
  0.61 * Math.max(...header.words.code.map((line) => line.length)) + 0.5;

/** A class is called by its colour, or as *class “setosa”*. */
const isColour = (name) => !name.startsWith("class ");

/** What a class, or the sign of a score, is called. */
export const colour = (y) => (y > 0 ? "orange" : "blue");

/** What an example of a class is. */
export const what = (name) => (isColour(name) ? name : `of ${name}`);

/** The numbers of the step that leads to t, as they are shown. */
export function numbersOf(run, t, grey = false) {
  const { trace } = run;
  const i = trace.index[t - 1];
  const score = trace.score[t - 1];
  const margin = run.y[i] * score;
  const { verdicts, adds, pair, ...names } = run.header.words;
  const classes = grey ? names.inGrey : names.classes;
  const [other, ownClass] = run.y[i] > 0 ? classes : [classes[1], classes[0]];
  const hill = isColour(ownClass) ? `${ownClass} hill` : `hill for ${ownClass}`;
  const x = example(i);
  /** @type {Record<string, string>} */
  const numbers = {
    x,
    f: number(score),
    y: label(run.y[i]),
    signed: signed(score),
    own: ownClass,
    what: what(ownClass),
    other,
    negative: classes[0],
    positive: classes[1],
    hill: `${hill.startsWith("o") ? "An" : "A"} ${hill}`,
    // They are worked out for the few sentences that have them.
    get nth() {
      return ordinal(trace.mistakesOn(i, t));
    },
    get step() {
      return fill(run.header.words.step, { x });
    },
    get adds() {
      return fill(adds, { own: ownClass, hill });
    },
    get verdict() {
      return fill(verdicts[verdictOf(margin, trace.mistake[t - 1])], numbers);
    },
  };
  const limit = run.details.compared?.[t - 1];
  let more = 0;
  if (limit !== undefined) {
    // A margin that is above a limit must not look as large as it.
    more = digitsApart(margin, limit) ?? 0;
    numbers.f = written(score, more);
    numbers.signed = (score > 0 ? "+" : "") + numbers.f;
  }
  const now = trace.scoreNow(t);
  if (now !== null) {
    // The rule is also in kpviz/lessons/explain.py.
    const most = run.details.partner ? 0 : MOST_FURTHER_DIGITS;
    [numbers.was, numbers.now] = toldApart(score, now, { least: more, most });
    if (numbers.now && score) {
      // One number is written one way.
      numbers.signed = numbers.was;
      numbers.f = numbers.was.replace("+", "");
    }
    numbers.scores = scoresWords(run, numbers, run.y[i] * now, margin);
  }
  numbers.margin = run.y[i] > 0 ? numbers.f : negated(numbers.f);
  if (run.details.partner) {
    const second = run.y[run.details.partner[t - 1]] > 0 ? 1 : 0;
    numbers.rises = fill(pair.rises[run.y[i] > 0 ? 1 : 0], numbers);
    numbers.falls = fill(pair.falls[second], numbers);
  }
  for (const name of run.header.words.particulars) {
    numbers[name] =
      name === "minus" ? negated(numbers.margin) : particular(name, run.details[name], t - 1);
  }
  if (limit !== undefined) numbers.compared = written(limit, more);
  return numbers;
}

/** A number that was written, with the other sign. */
function negated(text) {
  if (text === "0") return text;
  return text.startsWith(MINUS) ? text.slice(1) : MINUS + text;
}

/**
 * What a step does to the score, and after a mistake on which side the example is then, as in
 * kpviz/lessons/explain.py.
 */
function scoresWords({ header }, numbers, marginAfter, marginBefore) {
  const { scores, hardly, outcomes, worse } = header.words;
  if (!numbers.now) return fill(hardly, numbers);
  const change = fill(scores, numbers);
  if (marginBefore > 0) return change;
  if (marginAfter < 0 && marginAfter < marginBefore) return change + worse;
  return change + outcomes[1 + Math.sign(marginAfter)];
}

/** What was said of an example with this margin, as in kpviz/lessons/explain.py. */
function verdictOf(margin, mistake) {
  if (margin === 0) return mistake ? "mistake_zero" : "correct_zero";
  if (mistake) return margin < 0 ? "mistake" : "mistake_right";
  return margin > 0 ? "correct" : "correct_wrong";
}

/**
 * A number that this learner alone has at a step. A whole number is the index of an example; a
 * share gets so many digits that it is not written as 1.
 */
function particular(name, values, step) {
  if (values instanceof Int32Array) return values[step] >= 0 ? example(values[step]) : "nothing";
  if (!SHARES.has(name)) return number(values[step]);
  for (let more = 0; more <= MOST_FURTHER_DIGITS; more++) {
    const text = written(values[step], more);
    if (!text.startsWith("1.0") || text.includes("×")) return text;
  }
  return NEARLY_ONE;
}

/**
 * The words about the instant t: the sentence, made of those about the step and about the end of
 * the run; in `brief` what is said where there is no time or room for it; the step as a formula, ""
 * where it has none; and the active line of the pseudo-code. In
 * `grey` the classes are not called by their colours; `offers`: the points can be changed; `draws`:
 * Draw is on.
 */
export function explain(run, t, { grey = false, offers = false, draws = false } = {}) {
  const { words, names } = run.header;
  const { trace } = run;
  const alone = (line, brief, ...parts) => {
    const described = parts.filter(Boolean).join(" ");
    return { sentence: described, described, brief, end: "", formula: "", line };
  };
  const offerWords = offers ? names.offer : "";
  const offer = draws
    ? offerWords.replace("Press Draw, then put points", "Put points")
    : offerWords;
  if (trace.nSteps === 0) return alone(words.lines.end, words.end, words.end, offer);
  if (t === 0) {
    const { lines, brief, steps, start } = words;
    return alone(lines.start, translate(brief.start), offer, names.lookFor, steps[start]);
  }
  const { key, line } = words.sentences[run.arrays.sentenceIndex[t - 1]];
  const numbers = numbersOf(run, t, grey);
  const described = fill(words.described[key] ?? words.steps[key], numbers);
  const formula = key in words.described ? fill(words.steps[key], numbers) : "";
  const { mistake, correct, adds } = words.brief;
  const verdict = trace.mistake[t - 1] ? mistake : correct;
  const brief = translate(
    fill([verdict, trace.adds(t) ? adds : ""].filter(Boolean).join(" "), numbers),
  );
  if (t < trace.nSteps) return { sentence: described, described, brief, end: "", formula, line };
  return {
    sentence: `${words.end} ${described}`,
    described,
    brief,
    end: words.end,
    formula,
    line: words.lines.end,
  };
}

/**
 * What the step that leads to t was, where a lesson says it: in a few words if its language has no
 * others.
 *
 * @param {import("./run.js").Run} run
 * @param {number} t
 */
export function toldInLesson(run, t) {
  const { described, brief } = explain(run, t);
  return speaks(described) ? described : brief;
}

/** How many steps a second, in words. @param {number} rate */
export const paceOf = (rate) => rate.toFixed(rate < 1 ? 2 : rate < 10 ? 1 : 0);

/** Where a run is, as it is said. */
export const placeOf = ({ run, t, covered }) =>
  run.counter(Math.min(t, run.nSteps), covered()).replaceAll(" · ", ", ");

/** A template about the step that comes after t. */
export function ahead(run, t, key) {
  const { described, steps } = run.header.words;
  return fill(described[key] ?? steps[key], numbersOf(run, t + 1));
}

/** A counter without what there is in all: "12 examples, first epoch". @param {string} counter */
export const withoutTotals = (counter) =>
  counter.replace(/ of \d+(,\d{3})*/g, "").replace(/^1 examples/, "1 example");

/** The title of the derivation of a kernel, or of why there is none. */
export const derivationTitle = (run) =>
  `Why it is ${run.header.names.psd === "no" ? "not " : ""}one`;
