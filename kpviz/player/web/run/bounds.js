// The bounds of a run's mistakes in words: each with its numbers at an instant, or why it says
// nothing.

import { counted, exactly, fill, literally, number, whole } from "./words.js";

/** @import { Run } from "./run.js" */

// Bounds of examples, whatever comes in which order; the others speak of the steps so far.
const FOR_EVER = new Set(["plain", "unit", "radius", "dnf"]);
const LONGEST_UNBROKEN = 32; // In letters: what is equal stands in one line of a narrow panel.
const MOST_DECIMALS = 1000; // A larger bound is written without decimals.

/**
 * What each bound says at t; null while Python works them out.
 *
 * @param {Run} run
 * @param {number} mistakes made by then
 */
export function boundsOf(run, t, mistakes) {
  return (
    run.header.extras.bound?.map((bound) => {
      const now = boundAt(bound, t);
      const equal = `= ${withNumbers(bound.formula, now.quantities)}${decimals(bound, now)}`;
      const numbers = ` ${equal.length > LONGEST_UNBROKEN ? equal : equal.replaceAll(" ", "\u00a0")}`;
      return {
        head: bound.name && now.applies ? `${bound.name}: ${bound.formula}${numbers}` : bound.name,
        words: boundWords(bound, now, mistakes),
        brief: boundWords(bound, now, null),
        quiet: !now.applies || Boolean(now.why),
        symbols: now.quantities.map(({ symbol }) => symbol),
        quantities: now.quantities.map(
          ({ symbol, words, text }) => `${symbol} = ${text}, ${words}`,
        ),
        source: now.applies ? bound.source : "",
      };
    }) ?? null
  );
}

/**
 * The mistakes made by t, and the least numbers that they never exceed: within the steps of a
 * bound, and for ever. Each is null where no bound says such a thing; the whole is null where
 * none does.
 *
 * @param {Run} run
 * @param {number} mistakes made by then
 */
export function answerOf(run, t, mistakes) {
  const saying = (run.header.extras.bound ?? [])
    .filter(({ key }) => key !== "voted")
    .map((bound) => ({ ...boundAt(bound, t), holds: FOR_EVER.has(bound.key) && !run.stream }))
    .filter(({ applies, why }) => applies && !why);
  const least = (bounds) =>
    bounds.reduce((best, bound) => (best && best.value <= bound.value ? best : bound), null);
  const ever = least(saying.filter(({ holds }) => holds));
  const among = least(saying.filter(({ holds }) => !holds));
  const within = among && ever && ever.value <= among.value ? null : among;
  if (!ever && !within) return null;
  const most = (bound) => bound && { most: Math.floor(bound.value), time: bound.time };
  return { made: mistakes, within: most(within), ever: most(ever) };
}

/** What that is in a sentence. @param {NonNullable<ReturnType<typeof answerOf>>} answer */
export function answerWords({ made, within, ever }) {
  const upTo = (most) => (most < MOST_DECIMALS * MOST_DECIMALS ? whole.format(most) : number(most));
  const parts = [
    ...(within ? [`${upTo(within.most)} in ${counted(within.time, "step")}`] : []),
    ...(ever ? [`${upTo(ever.most)} ever`] : []),
  ];
  return `${whole.format(made)} so far; at most ${parts.join(", ")}.`;
}

/**
 * What is shown of a bound at t: that of the first of its instants which is not before
 * (`Bound.at`); one that stays is the run's.
 */
function boundAt({ key, why, silent, value, times, values, quantities }, t) {
  const reached = times.findIndex((time) => time >= t);
  const at = reached < 0 ? times.length - 1 : reached;
  const stays = values.every((other) => other === values[0]);
  const time = times[stays ? times.length - 1 : at] ?? 0;
  const now = values.length ? values[at] : value;
  const applies = now !== "infinite";
  const made = `${counted(time, "step")} ${time === 1 ? "was" : "were"}`;
  const isCertainAnyway = now >= (key === "voted" ? 1 : time);
  const whySilent = isCertainAnyway ? fill(silent, { made }) : "";
  return {
    value: now,
    time,
    within: stays ? "" : ` in ${counted(time, "step")}`,
    applies,
    why: applies ? whySilent : why,
    quantities: (applies ? quantities : []).map(([symbol, words, numbers]) => ({
      symbol,
      words,
      text: exactly(numbers.length > 1 ? numbers[at] : numbers[0]),
    })),
  };
}

/** A formula with numbers in place of its symbols. */
function withNumbers(formula, quantities) {
  const texts = new Map(quantities.map(({ symbol, text }) => [symbol, text]));
  const symbols = [...texts.keys()].sort((a, b) => b.length - a.length);
  const escaped = symbols.map(literally);
  return formula.replace(
    new RegExp(`(\\d ?)?(${escaped.join("|")})(\\(?)`, "g"),
    (_, factor = "", symbol, open) =>
      `${factor && `${factor.trim()}·`}${texts.get(symbol)}${open && "·("}`,
  );
}

/** What that amounts to, where it is no whole number and not too large for decimals. */
const decimals = ({ key }, { value }) =>
  key === "voted" || !(value < MOST_DECIMALS) || Number.isInteger(value)
    ? ""
    : ` = ${value.toFixed(2)}`;

/** What a bound says; with how many mistakes were made, unless that is null. */
function boundWords({ key }, now, mistakes) {
  if (!now.applies || (key === "voted" && now.why)) return now.why;
  const most =
    now.value < 1e6 ? counted(Math.floor(now.value), "mistake") : `${number(now.value)} mistakes`;
  const words =
    key === "voted"
      ? `An estimate: the vote errs on new examples with probability ${number(now.value)} or less, if E[M] is as estimated.`
      : `At most ${most}${now.within}${mistakes === null ? "" : `; ${whole.format(mistakes)} made so far`}.`;
  return `${words} ${now.why}`.trim();
}
