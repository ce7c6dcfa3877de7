// Whether an answer is right, from what Python packed of a task into a page: as kpviz/lessons/file/kinds say it. Nothing is
// computed of a run, and there is no DOM.

import { counted, example, number } from "../model/words.js";

/** @import { CheckedTask, PackedAnswer, PackedTask, TaskAnswer } from "../types.d.ts" */

/** @typedef {Omit<CheckedTask, "because">} Verdict */

const MINUS = "\u2212";
const HUGE = 1e300; // no answer is
const WHOLE = 1e-9; // as share and as difference: equal except for round-off

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
  const verdict = KINDS[kind](answer, packed);
  const last = tries !== null && tried + 1 >= tries && !verdict.detail.unreadable;
  return { ...verdict, because: (verdict.right !== false ? packed.because : last && packed.missed) || [] };
}

/** @type {Record<string, (answer: any, packed: PackedAnswer) => Verdict>} */
const KINDS = {
  predict({ verdicts }, { t, right, said }) {
    if (verdicts.length !== right.length) return unreadable(`The answer is a list of ${right.length} verdicts.`);
    const k = verdicts.findIndex((verdict, at) => verdict !== right[at]);
    if (k < 0) return yes(said.length > 1 ? "All as predicted." : said[0]);
    return no(said[k], { step: t + k + 1 });
  },

  choose({ choices }, { right }) {
    const [wrong, missing] = compared(choices, right);
    if (wrong.length) return no("Something that is chosen is not true.");
    return missing ? no("What is chosen is true, but it is not all.") : yes("Right.");
  },

  click({ examples }, { right, count }) {
    const stranger = examples.find((i) => i >= count);
    if (stranger !== undefined) {
      return unreadable(`${example(stranger)} is not an example: the last is ${example(count - 1)}.`);
    }
    const [wrong, missing] = compared(examples, right);
    if (wrong.length) return no(`${example(wrong[0])} does not belong to them.`);
    if (!missing) return yes("Right.");
    return no(`${counted(missing, "example")} more ${missing === 1 ? "belongs" : "belong"} to them.`);
  },

  number({ number: given }, { value, allowed, near }) {
    if (!(Math.abs(given) < HUGE)) return unreadable("The answer is a number.");
    if (Math.abs(given - value) <= allowed * (1 + WHOLE)) return yes(`${said(given)} is right.`);
    const room = Math.max(WHOLE * Math.max(Math.abs(given), Math.abs(value)), allowed); // as Python's math.isclose
    if (given && Math.abs(given + value) <= room) return no("The size is right, and the sign is not.");
    return no(Math.abs(given - value) <= near ? "It is near, but not near enough." : "It is another number.");
  },

  explain: () => ({ right: null, why: "It is kept, and not graded.", detail: {} }),
};

const yes = (why) => ({ right: true, why, detail: {} });
const no = (why, detail = {}) => ({ right: false, why, detail });
/** @returns {Verdict} */
const unreadable = (why) => ({ right: false, why, detail: { unreadable: true } });

/** What does not belong to the right numbers, in order, and how many of these are missing. */
function compared(given, right) {
  const wrong = given.filter((i) => !right.includes(i)).sort((one, other) => one - other);
  return [wrong, right.length - (given.length - wrong.length)];
}

/** A number as it is shown: a whole one with all its digits. */
const said = (value) =>
  Number.isInteger(value) && Math.abs(value) < 1e6 ? String(value).replace("-", MINUS) : number(value);
