// A score as the sum that it is: what each remembered example says of a place or of an example, and
// that in words.

import {
  coordinate,
  exactly,
  example,
  isNegligible,
  leastOf,
  number,
  orLess,
  signed,
  signOf,
  whole,
} from "./words.js";

/** @import { Run } from "./run.js" */
/** @typedef {{ i: number, value: number, coef: number, k: number }} VoteTerm */

const SHOWN = 5; // No more terms are shown.

/**
 * The terms αⱼyⱼ·k of a reading, the largest first.
 *
 * @param {Run} run
 * @param {{ coef: ArrayLike<number> }} reading
 * @param {(place: number) => number} kernel what is remembered in a place, compared with what the
 *   score is of
 * @returns {VoteTerm[]}
 */
export function termsOf({ trace }, { coef }, kernel) {
  const terms = Array.from(trace.support, (i, place) => {
    const k = coef[place] && kernel(place);
    return { i, value: coef[place] * k, coef: coef[place], k };
  });
  return terms.filter((term) => term.coef).sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
}

/**
 * How example i compares with what is remembered; null where that is not known, or the score is no
 * such sum.
 */
export function comparedWith({ contributions, predictor, header }, i) {
  const { gram, examples } = contributions;
  if (
    !examples ||
    i >= examples ||
    predictor.kind === "voted" ||
    header.settings.predictor === "voted"
  ) {
    return null;
  }
  return (/** @type {number} */ place) => gram[place * examples + i];
}

/**
 * The votes on example i, the largest first, as terms, in one formula and in one line for each;
 * null where the score is no such sum.
 *
 * @param {Run} run
 * @param {{ coef: ArrayLike<number>, b: number }} reading
 * @param {number} i
 */
export function votesOn(run, reading, i) {
  const kernel = comparedWith(run, i);
  if (!kernel) return null;
  return { i, ...sumWords(run, reading, termsOf(run, reading, kernel), fixedAt(run, i)) };
}

/**
 * How k of the example that a term comes from follows from its distance to a place; nothing where
 * the kernel is not the Gaussian one, or the board has no symbols.
 *
 * @param {Run} run
 * @param {[number, number]} place
 * @param {{ i: number, k: number } | undefined} term
 * @returns {string[]}
 */
export function distanceWords(run, [x1, x2], term) {
  const { sigma, said } = run.header.settings;
  const isGaussian = run.plane && run.symbols && sigma && said.kernel?.[1] === "gaussian";
  if (!isGaussian || !term) return [];
  const distance = Math.hypot(x1 - run.X[2 * term.i], x2 - run.X[2 * term.i + 1]);
  const exponent = `${number(distance ** 2)}/${number(2 * sigma ** 2)}`;
  const from = `${example(term.i)}: distance ${number(distance)}`;
  return [`${from}, so k = exp(−${exponent}) = ${orLess(term.k, leastOf(run))}`];
}

/** A coefficient, whole where it is a count, and a kernel. */
const product = ({ coef, k }) =>
  `${Number.isInteger(coef) ? whole.format(Math.abs(coef)) : number(Math.abs(coef))}·${k < 0 ? `(${number(k)})` : number(k)}`;

/** The factors of a term, where its value is not plainly k, added or subtracted once. */
const factors = (term) =>
  Math.abs(term.coef) === 1 && term.k > 0 ? "" : `: ${term.coef < 0 ? "−" : ""}${product(term)}`;

/**
 * f₀ of an example or a place as a product with numbers in it, and its value; null where nothing is
 * fixed.
 */
export function fixedTerm({ initial, symbols }, value, x) {
  if (!initial) return null;
  const parts = (initial.w0 ?? []).flatMap((weight, k) =>
    weight && x
      ? [`${exactly(weight)}·${x[k] < 0 ? `(${coordinate(x[k])})` : coordinate(x[k])}`]
      : [],
  );
  if (initial.b0) parts.push(exactly(initial.b0));
  const inside = parts.join(" + ").replace(/\+ −/g, "− ");
  const words = symbols && x && parts.length > 1 ? `(${inside})` : number(Math.abs(value));
  return { value, words, signed: symbols && x && parts.length > 1 };
}

/** The same of an example. @param {Run} run @param {number} i */
export const fixedAt = (run, i) =>
  fixedTerm(run, run.initial?.scores[i], run.plane ? [run.X[2 * i], run.X[2 * i + 1]] : null);

/** @typedef {ReturnType<typeof sumWords>} ScoreSum */

/**
 * A score as its largest terms: in one line with the numbers filled in, and as a list in which each
 * example stands once.
 *
 * @param {Run} run
 * @param {{ b: number }} reading
 * @param {VoteTerm[]} all
 * @param {ReturnType<typeof fixedTerm>} [fixed]
 */
export function sumWords(run, { b }, all, fixed = null) {
  const least = leastOf(run);
  const terms = all.filter(({ value }) => value !== 0);
  const shownTerms = terms.slice(0, SHOWN).filter(({ value }) => !isNegligible(value, least));
  const left = terms.slice(shownTerms.length);
  const remainder = left.reduce((sum, { value }) => sum + value, 0);
  const nameOfLeft = left.length === 1 ? example(left[0].i) : `${left.length}\u00a0more`;
  const initial = fixed?.value || fixed?.signed ? fixed : null;
  const plus = (value, words) => ` ${value < 0 ? "−" : "+"} ${words}`;
  const parts = [
    ...shownTerms.map((term) =>
      plus(term.coef, run.symbols ? product(term) : number(Math.abs(term.value))),
    ),
    ...(left.length
      ? [plus(remainder, `${orLess(Math.abs(remainder), least)} (${nameOfLeft})`)]
      : []),
    ...(b ? [plus(b, `${number(Math.abs(b))} (b)`)] : []),
    ...(initial ? [plus(initial.signed ? 1 : initial.value, `${initial.words} (f₀)`)] : []),
  ].join("");
  const sum = parts.replace(/^ \+ /, "").replace(/^ − /, "−") || "0";
  const formula = `${signOf(run)} = ${run.symbols ? "Σ αⱼyⱼ·k = " : ""}${sum}`;
  const fromEach = shownTerms.map(({ i, value }) => `${signed(value)}  from ${example(i)}`);
  const others = [
    ...(left.length ? [[nameOfLeft, orLess(remainder, least, signed)]] : []),
    ...(b ? [["b", signed(b)]] : []),
    ...(initial ? [["f₀", signed(initial.value)]] : []),
  ];
  const symbols = `${signOf(run)} = Σ αⱼyⱼ·k${b ? " + b" : ""}${initial ? " + f₀" : ""}:`;
  const list = [
    ...(run.symbols ? [symbols] : []),
    ...shownTerms.map((term, k) => fromEach[k] + (run.symbols ? factors(term) : "")),
    ...others.map(([name, value]) => `${value}  from ${name}`),
  ];
  if (initial?.signed) list[list.length - 1] += `: ${initial.words}`;
  return {
    shown: shownTerms,
    formula,
    each: fromEach,
    list: terms.length ? list : [formula],
    inShort: [
      ...shownTerms.map(({ i, value }) => `${example(i)}:\u00a0${signed(value)}`),
      ...others.map(([name, value]) => `${name}:\u00a0${value}`),
    ].join(", "),
  };
}
