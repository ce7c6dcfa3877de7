// Numbers that panels draw: the histogram of margins, error curves, norms, and curves over a
// setting.

import { withoutRounding } from "./rounding.js";
import { perRun } from "./trace.js";
import { exactly, whole } from "./words.js";

/** @import { Run } from "./run.js" */
/** @import { Reading } from "./types.d.ts" */

// The margins y f(x) of the training examples, counted in bins.

export const BINS = 25; // On each side of zero.

/**
 * Margins of the instant; those beyond the limit fall into the end bins.
 *
 * @param {Run} run
 * @param {Reading} reading
 * @param {boolean} normed whether they are divided by ‖f‖
 * @param {number} t the instant whose scale it has
 */
export function histogram(run, reading, normed, t) {
  const norm = normed ? normOf(run, reading) : 1;
  const limit = normed ? normedLimit(run, t) : run.limitAt(t);
  const margins = new Float64Array(run.n);
  const counts = new Uint32Array(2 * BINS);
  for (let i = 0; i < run.n; i++) {
    margins[i] = norm > 0 ? (run.y[i] * reading.scores[i]) / norm : 0;
    counts[binOf(margins[i], limit)]++;
  }
  return { margins, limit, counts };
}

/** Bins 0 to BINS - 1 hold margins <= 0, the others margins > 0. */
export function binOf(margin, limit) {
  const share = Math.min(Math.max(margin / limit, -1), 1);
  const bin = BINS + Math.ceil(share * BINS) - 1;
  return Math.min(Math.max(bin, 0), 2 * BINS - 1);
}

/** What is measured: f, without what was fixed. @param {Run} run */
export const normTitle = ({ initial }) => (initial ? "‖f − f₀‖" : "‖f‖");

/**
 * ‖f‖: the square root of sum of coef_i (f(x_i) - b - f₀(x_i)).
 *
 * @param {Run} run
 * @param {Omit<Reading, "field">} reading
 */
export function normOf(run, { coef, b, scores }) {
  const fixed = run.initial?.scores;
  const fixedPart = (i) => b + (fixed ? fixed[i] : 0);
  let squared = 0;
  for (let place = 0; place < coef.length; place++) {
    const i = run.trace.support[place];
    if (coef[place] !== 0) squared += coef[place] * (scores[i] - fixedPart(i));
  }
  return squared > 0 ? Math.sqrt(squared) : 0;
}

/** The largest |margin| / ‖f‖ at an instant. */
function largestNormed(run, t) {
  const reading = run.predictor.at(t);
  const norm = normOf(run, reading);
  let largest = 0;
  for (let i = 0; i < run.n && norm > 0; i++) {
    largest = Math.max(largest, Math.abs(reading.scores[i]) / norm);
  }
  return largest;
}

/** That of the instants 1, 2, 4, 8, … of a run, as far as they were asked for. */
const largestAtPowers = perRun(() => /** @type {number[]} */ ([]));

/** A round limit of |margin| / ‖f‖ so far, for the scale of the histogram. */
function normedLimit(run, t) {
  const known = largestAtPowers(run);
  let largest = t > 0 ? largestNormed(run, t) : 0;
  for (let k = 0; 2 ** k <= t; k++) {
    known[k] ??= largestNormed(run, 2 ** k);
    largest = Math.max(largest, known[k]);
  }
  return topSoFar(largest);
}

// The primal perceptron: w, and what both forms cost, as folds of the changes.

/** w of the shown features after t presentations: a fold of the changes. @param {Run} run */
export function weights({ trace, arrays, header }, t) {
  const phi = arrays.primalPhi;
  const w = new Float64Array(phi.shape[1]);
  const size = new Float64Array(w.length);
  const { start, place, delta } = trace;
  const add = (at, weight) => {
    const row = at * w.length;
    for (let j = 0; j < w.length; j++) {
      const term = weight * phi[row + j];
      w[j] += term;
      size[j] += Math.abs(term);
    }
  };
  for (let k = 0; k < start.place.length; k++) add(start.place[k], start.weight[k]);
  const end = trace.pointer[trace.changesBefore(t)];
  for (let p = 0; p < end; p++) add(place[p], delta[p]);
  const { startW } = header.extras.primal;
  return w.map((value, j) => {
    const before = startW ? startW[j] / trace.unit : 0;
    return withoutRounding(value + before, size[j] + Math.abs(before)) * trace.unit;
  });
}

/**
 * What both forms have stored and multiplied after t presentations: sums of what Python says one of
 * them costs.
 */
export function spent({ trace, header }, t) {
  const { perExample, perPresentation, storedPerExample, storedPrimal, storedIntercept } =
    header.extras.primal;
  let support = 0;
  let seen = 0; // Support examples are counted over all presentations.
  const before = new Set(trace.start.place);
  trace.support.forEach((i, place) => {
    const first = before.has(place) ? -1 : trace.byExample[i][0];
    if (first < t) support++;
    seen += Math.max(t - 1 - first, 0);
  });
  return {
    support,
    primal: { stored: storedPrimal, multiplications: t * perPresentation },
    dual: {
      stored: support * storedPerExample + storedIntercept,
      multiplications: seen * perExample,
    },
  };
}

// A stream, whose examples come once: its course, and what of it is shown at an instant.

/** How streams are shown (STREAM in kpviz/tokens.py), which pictures and films share. */
export const lookOf = (run) => run.header.tokens.stream;

/**
 * Of a run, after 0, 1, … presentations: { mistakes, rate, support }; and where the target
 * switched.
 */
export const course = perRun((run) => {
  const { nSteps, trace, stream } = run;
  const { window } = lookOf(run);
  const mistakes = new Uint32Array(nSteps + 1);
  const rate = new Float64Array(nSteps + 1);
  for (let t = 1; t <= nSteps; t++) {
    mistakes[t] = mistakes[t - 1] + trace.mistake[t - 1];
    const from = Math.max(t - window, 0);
    rate[t] = (mistakes[t] - mistakes[from]) / (t - from);
  }
  const { angle, moves } = stream;
  const switches =
    moves === "switch" ? [...angle.keys()].filter((i) => i > 0 && angle[i] !== angle[i - 1]) : [];
  return { mistakes, rate, support: stream.support, switches };
});

/**
 * The examples that the map shows at t, and how opaque: a Map from index to opacity; the newest
 * comes last.
 */
export function visible(run, t) {
  const opacities = new Map();
  const { alphaLimit, about } = run.header;
  const { weak, strong, forgotten } = lookOf(run);
  const first = firstShown(run, t);
  run.alphas(t).forEach((alpha, place) => {
    const share = about.counts ? Number(alpha !== 0) : Math.abs(alpha) / alphaLimit;
    if (share > forgotten) {
      opacities.set(run.trace.support[place], weak + (strong - weak) * Math.min(share, 1));
    }
  });
  for (let step = first; step < t; step++) opacities.delete(run.trace.index[step]);
  for (let step = first; step < t; step++) {
    opacities.set(run.trace.index[step], opacity(run, t - 1 - step));
  }
  return opacities;
}

/** The step of the oldest example that the map shows at t because it came lately. */
export const firstShown = (run, t) => Math.max(t - lookOf(run).lately, 0);

export const opacity = (run, age) => 1 - (1 - lookOf(run).faintest) * (age / lookOf(run).lately);

// The curve over a setting: which one, over how many seeds, and what Python answered.

export const BUSY = "Each value of the setting has a run of its own: they are being trained.";

export const written = ({ percent }, value) =>
  percent ? `${Number((100 * value).toFixed(4))} %` : exactly(Number(value.toPrecision(6)));

export const share = (value) => `${Number((100 * value).toFixed(1))}%`;

export const mean = (value) =>
  value < 1000 ? String(Number(value.toFixed(1))) : whole.format(value);

// Round values of a range, for its axis.

const NICE = [1, 2, 5, 10];

/** The least of 1, 2, 5, 10, 20, … that is not below a value. */
export function roundedUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return NICE.map((digit) => digit * power).find((nice) => nice >= value * (1 - 1e-9));
}

/** The round top of an axis that holds what has been so far: what is to come has no part in it. */
export const topSoFar = (most) => (most > 0 ? roundedUp(most) : 1);

/** Round values of a range, the roundest first. */
export function ticks({ log, values }) {
  const low = values[0];
  const high = values.at(-1);
  if (low === high) return [low];
  if (!log) {
    const step = roundedUp((high - low) / 5);
    const first = Math.ceil(low / step - 1e-9);
    return Array.from(
      { length: Math.floor(high / step + 1e-9) - first + 1 },
      (_, k) => (first + k) * step,
    );
  }
  const powers = Array.from({ length: 12 }, (_, k) => 10 ** (k - 7));
  return [1, 2, 5]
    .flatMap((digit) => powers.map((power) => digit * power))
    .filter((v) => v >= low && v <= high);
}
