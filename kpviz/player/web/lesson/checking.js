// Whether an answer is right, from what Python packed of a task into a page: as kpviz/lessons/file/kinds say it. Nothing is
// computed of a run, and there is no DOM.

import { counted, example, number, whole } from "../model/words.js";
import { Seal } from "./seal.js";

/** @import { CheckedTask, PackedTask, SealedTask, TaskAnswer } from "../types.d.ts" */

/** @typedef {Omit<CheckedTask, "because">} Verdict */

const MINUS = "\u2212";
const LONGEST = 4000; // characters of a text in one's own words
const HUGE = 1e300; // no answer is
const LARGEST = 1e12; // of a change
const WHOLE = 1e-9; // as share and as difference: equal except for round-off
const NEAR = 0.005; // share by which a change may be off

/**
 * What is said of the answer to a task.
 *
 * @param {PackedTask} task
 * @param {TaskAnswer} answer
 * @param {number} tried which try it is, from 0
 * @returns {CheckedTask}
 */
export function checked({ kind, tries, sealed }, answer, tried) {
  const variant = sealed[tried % sealed.length];
  const seal = new Seal(variant.salt);
  const verdict = KINDS[kind](answer, variant, seal);
  const last = tries !== null && tried + 1 >= tries && !verdict.detail.unreadable;
  const because = verdict.right !== false ? variant.because : last ? variant.missed : null;
  return { ...verdict, because: because ? seal.show(because) : [] };
}

/** @type {Record<string, (answer: any, sealed: SealedTask, seal: Seal) => Verdict>} */
const KINDS = {
  predict({ verdicts }, { t, marks, said, right }, seal) {
    if (verdicts.length !== marks.length) return unreadable(`The answer is a list of ${marks.length} verdicts.`);
    const k = verdicts.findIndex((verdict, at) => seal.mark(at, verdict) !== marks[at]);
    if (k < 0) return yes(seal.show(right, ...verdicts));
    return no(seal.show(said[k], k, verdicts[k]), { step: t + k + 1 });
  },

  choose({ choices }, { marks, count }, seal) {
    if (choices.some((k) => k >= count)) return unreadable(`The choices are numbered from 0 to ${count - 1}.`);
    const [wrong, missing] = sorted(choices, marks, seal);
    if (wrong.length) return no("Something that is chosen is not true.");
    return missing ? no("What is chosen is true, but it is not all.", { missing }) : yes("Right.");
  },

  click({ examples }, { marks, count }, seal) {
    const stranger = examples.find((i) => i >= count);
    if (stranger !== undefined) {
      return unreadable(`${example(stranger)} is not an example: the last is ${example(count - 1)}.`);
    }
    const [wrong, missing] = sorted(examples, marks, seal);
    if (wrong.length) return no(`${example(wrong[0])} does not belong to them.`, { wrong, missing });
    if (!missing) return yes("Right.");
    return no(`${counted(missing, "example")} more ${missing === 1 ? "belongs" : "belong"} to them.`, {
      wrong,
      missing,
    });
  },

  number({ number: given }, sealed, seal) {
    if (!(Math.abs(given) < HUGE)) return unreadable("The answer is a number.");
    const [value, allowed, near] = seal.show(sealed.number);
    if (Math.abs(given - value) <= allowed * (1 + WHOLE)) return yes(`${said(given)} is right.`);
    if (given && isClose(given, -value, WHOLE, allowed)) return no("The size is right, and the sign is not.");
    const off = Math.abs(given - value) <= near;
    return no(off ? "It is near, but not near enough." : "It is another number.");
  },

  perform({ steps }, sealed, seal) {
    const { t, marks } = sealed;
    const why = badSteps(steps, marks.length);
    if (why) return unreadable(why);
    for (const [k, step] of steps.entries()) {
      const found = difference(step, k, sealed, seal);
      if (found) return no(found, { step: t + k + 1 });
    }
    const next = t + steps.length + 1;
    if (steps.length < marks.length) return no(`Right so far; step ${whole.format(next)} is next.`, { step: next });
    return yes(marks.length > 1 ? `All ${marks.length} steps are those of the run.` : "It is the step of the run.");
  },

  explain({ text }) {
    if (!text.trim()) return unreadable("The answer is a text.");
    const { length } = [...text];
    if (length > LONGEST) {
      return unreadable(`The answer has ${whole.format(length)} characters: write at most ${whole.format(LONGEST)}.`);
    }
    return { right: null, why: "It is kept, and not graded.", detail: {} };
  },
};

const yes = (why) => ({ right: true, why, detail: {} });
const no = (why, detail = {}) => ({ right: false, why, detail });
/** @returns {Verdict} */
const unreadable = (why) => ({ right: false, why, detail: { unreadable: true } });

/** What does not belong to the marked numbers, in order, and how many of them are missing. */
function sorted(given, marks, seal) {
  const wrong = given.filter((i) => !marks.includes(seal.mark(i))).sort((one, other) => one - other);
  return [wrong, marks.length - (given.length - wrong.length)];
}

/** A number as it is shown: a whole one with all its digits. */
const said = (value) =>
  Number.isInteger(value) && Math.abs(value) < 1e6 ? String(value).replace("-", MINUS) : number(value);

/** As Python's math.isclose. */
const isClose = (one, other, share, difference) =>
  Math.abs(one - other) <= Math.max(share * Math.max(Math.abs(one), Math.abs(other)), difference);

// ---- steps --------------------------------------------------------------------------------------

/** Why steps cannot be read, "" if they can. */
function badSteps(steps, most) {
  if (steps.length > most) return `The answer is a list of at most ${most} steps.`;
  const large = ({ bricks, b = 0 }) => [b, ...bricks.map(([, gain]) => gain)].some((one) => !(Math.abs(one) < LARGEST));
  if (steps.some(large)) return "The bricks of a step are pairs of an example and what its α gains.";
  const twice = ({ bricks }) => new Set(bricks.map(([i]) => i)).size < bricks.length;
  return steps.some(twice) ? "A step names an example twice." : "";
}

/**
 * What is different about a step, "" if nothing is.
 *
 * @param {{ verdict: string, bricks: [number, number][], b?: number }} step
 * @param {number} k
 * @param {SealedTask} sealed
 * @param {Seal} seal
 */
function difference({ verdict, bricks, b = 0 }, k, { t, marks, said: decided, changes }, seal) {
  if (seal.mark(k, verdict) !== marks[k]) return seal.show(decided[k], k, verdict);
  const right = seal.show(changes[k], k, verdict);
  const [given, wanted] = [new Map(bricks), new Map(right.bricks)];
  const rest = `in your answer; the rule changes ${right.words}.`;
  const step = `Step ${whole.format(t + k + 1)}`;
  for (const i of [...new Set([...given.keys(), ...wanted.keys()])].sort((one, other) => one - other)) {
    if (same(given.get(i) ?? 0, wanted.get(i) ?? 0)) continue;
    return `${step}: α of ${example(i)} is ${given.has(i) ? gained(given.get(i)) : "not changed"} ${rest}`;
  }
  return same(b, right.b) ? "" : `${step}: b is ${gained(b)} ${rest}`;
}

const same = (one, other) => isClose(one, other, NEAR, WHOLE);

/** What is added, with its sign. */
function gained(value) {
  const size = Math.abs(value);
  return `${value < 0 ? MINUS : "+"}${Number.isInteger(size) && size < 1e6 ? size : number(size)}`;
}
