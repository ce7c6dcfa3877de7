// This says if an answer is right, from what Python packed of a task into a page: as
// kpviz/lessons/file/kinds say it. Nothing is computed of a run, and there is no DOM.

import { translate } from "../../run/language.js";
import { counted, example, number } from "../../run/words.js";

/** @import { CheckedTask, PackedAnswer, PackedTask, TaskAnswer } from "../../modes/types.d.ts" */

/** @typedef {Omit<CheckedTask, "because">} TaskVerdict */

const MINUS = "\u2212";
const TOO_LARGE = 1e300; // No answer is so large.
// As share and as difference: numbers so close are equal except for round-off.
const ROUND_OFF = 1e-9;

/**
 * What is said of the answer to a task.
 *
 * @param {PackedTask} task
 * @param {TaskAnswer} answer
 * @param {number} tried which try it is, from 0
 * @returns {CheckedTask}
 */
export function checked({ kind, tries, answers }, answer, tried) {
  const packed = answers[tried % answers.length];
  const verdict = KINDS[kind](answer, packed, tried);
  const last = tries !== null && tried + 1 >= tries && !verdict.detail.unreadable;
  return {
    ...verdict,
    why: translate(verdict.why),
    because: (verdict.right !== false ? packed.because : last && packed.missed) || [],
  };
}

/** @type {Record<string, (answer: any, packed: PackedAnswer, tried: number) => TaskVerdict>} */
const KINDS = {
  predict({ verdicts }, { t, right, said, yes: told }) {
    if (verdicts.length !== right.length) {
      return unreadable(`The answer is a list of ${right.length} verdicts.`);
    }
    const k = verdicts.findIndex((verdict, at) => verdict !== right[at]);
    return k < 0 ? yes(told) : no(said[k], { step: t + k + 1 });
  },

  choose({ choices }, { right, said }, tried) {
    const [wrong, missing] = compared(choices, right);
    if (!wrong.length && !missing) return yes("Right.");
    if (!choices.length) return no("Nothing is selected.", { wrong });
    if (wrong.length) return no(wrong.map((k) => said[k]).join(" "), { wrong });
    const more = missing === 1 ? "One answer is missing." : `${missing} answers are missing.`;
    return no(`Everything you selected is correct. ${missingWords(more, tried)}`, { wrong });
  },

  click({ examples }, { right, count, said, way }, tried) {
    const stranger = examples.find((i) => i >= count);
    if (stranger !== undefined) {
      return unreadable(
        `${example(stranger)} is not an example: the last is ${example(count - 1)}.`,
      );
    }
    const [wrong, missing] = compared(examples, right);
    const [first, ...others] = wrong;
    if (wrong.length) {
      const othersWords = ` ${counted(others.length, "other")} of yours ${others.length === 1 ? "is" : "are"} wrong, too.`;
      const detail = way ? { wrong, passed: passedBefore(first, way) } : { wrong };
      return no(`${said[first]}${others.length ? othersWords : ""}`, detail);
    }
    if (!missing) return yes("Right.");
    const more = missing === 1 ? "One more is missing." : `${missing} more are missing.`;
    return no(`What you chose is right. ${missingWords(more, tried)}`);
  },

  number({ number: answer, typed }, packed, tried) {
    const { value, allowed, near, look, more, slips = [], hint = {}, drawn } = packed;
    if (!(Math.abs(answer) < TOO_LARGE)) return unreadable("The answer is a number.");
    if (Math.abs(answer - value) <= allowed * (1 + ROUND_OFF)) {
      return yes(`${echoed(answer, typed)} is right.`, drawn ? { drawn } : {});
    }
    const digits = roundedTo(answer, typed, value);
    if (digits) {
      const count = `${NUMERALS[digits] ?? digits} digit${digits > 1 ? "s" : ""}`;
      return unreadable(`${echoed(answer, typed)} is right to ${count}: ${more}.`);
    }
    const slip = slips.find((one) => Math.abs(answer - one.value) <= one.allowed * (1 + ROUND_OFF));
    if (slip) return no(slip.said, slip.drawn ? { drawn: slip.drawn } : {});
    const detail = tried ? hint : {};
    // This is the rule of Python's math.isclose.
    const room = Math.max(ROUND_OFF * Math.max(Math.abs(answer), Math.abs(value)), allowed);
    if (answer && Math.abs(answer + value) <= room) {
      return no("Right size, wrong sign.", detail);
    }
    const told = Math.abs(answer - value) <= near ? "Close, but a little too" : "Too";
    return no(`${told} ${answer < value ? "small" : "large"}. ${look}`.trimEnd(), detail);
  },

  explain: () => ({ right: null, why: "It is saved, and not graded.", detail: {} }),
};

const yes = (why, detail = {}) => ({ right: true, why, detail });
const no = (why, detail = {}) => ({ right: false, why, detail });
/** @returns {TaskVerdict} */
const unreadable = (why) => ({ right: false, why, detail: { unreadable: true } });

/** What does not belong to the right numbers, in order, and how many of these are missing. */
function compared(chosen, right) {
  const wrong = chosen.filter((i) => !right.includes(i)).sort((one, other) => one - other);
  return [wrong, right.length - (chosen.length - wrong.length)];
}

/** Of the examples that come before the right one, those before example i. */
const passedBefore = (i, way) => (way.includes(i) ? way.slice(0, way.indexOf(i)) : way);

/**
 * Say that something is missing, and how much of it after the second try.
 *
 * @param {string} more
 * @param {number} tried
 */
const missingWords = (more, tried) => (tried < 1 ? "That is not all." : more);

/**
 * A number as it was typed, else with its own digits.
 *
 * @param {number} value
 * @param {string} [typed]
 */
const echoed = (value, typed) =>
  (typed ?? String(Number(value.toPrecision(12)))).trim().replaceAll("-", MINUS);

/**
 * To how many digits a number is the value, correctly rounded; 0 where it is not, or to fewer than
 * are shown.
 *
 * @param {number} answer
 * @param {string | undefined} typed
 * @param {number} value
 */
function roundedTo(answer, typed, value) {
  const written = /^[-+−]?[0-9]*[.,]([0-9]+)$/.exec(typed?.trim() ?? "");
  const decimals = written ? written[1].length : decimalsOf(answer);
  if (
    decimals < 1 ||
    !answer ||
    Math.abs(answer - value) > 0.5 * 10 ** -decimals * (1 + ROUND_OFF)
  ) {
    return 0;
  }
  const digits = decimals + Math.floor(Math.log10(Math.abs(answer))) + 1;
  return digits >= 2 || number(value) === number(answer) ? Math.max(digits, 1) : 0;
}

/** How many decimals a number has. @param {number} value */
function decimalsOf(value) {
  const [digits, power] = value.toExponential().split("e");
  return Math.max(digits.replace(/^-?\d\.?/, "").length - Number(power), 0);
}

const NUMERALS = [
  "no",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
];
