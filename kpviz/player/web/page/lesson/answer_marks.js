// What an answer to a task leaves on the map: of each example that it is about whether the person
// was right.

/** @import { CheckedTask, RingedExample, TaskAnswer } from "../../modes/types.d.ts" */

/**
 * The examples of an answer that get a ring; none where the answer names no example. Nor has a
 * prediction any: of each of its steps the person was told when it was answered.
 *
 * @param {TaskAnswer} answer
 * @param {Pick<CheckedTask, "right" | "detail">} checked
 * @param {{ startTime: number, exampleOf: (step: number) => number | null }} steps
 * @returns {RingedExample[]}
 */
export function ringsOf(answer, { right, detail }, { startTime, exampleOf }) {
  if ("examples" in answer) return ringsOfChoice(answer.examples, right, detail);
  if (!("steps" in answer)) return [];
  // An answer that was partly right is right up to the step at which it went wrong.
  const wrongStep = right === false ? (detail.step ?? null) : null;
  const end = startTime + answer.steps.length;
  const last = wrongStep === null ? end : Math.min(wrongStep, end);
  /** @type {Map<number, RingedExample["was"]>} */
  const rings = new Map();
  for (let step = startTime + 1; step <= last; step++) {
    const i = exampleOf(step);
    if (i !== null) rings.set(i, step === wrongStep ? "wrong" : "right");
  }
  return [...rings].map(([i, was]) => ({ i, was }));
}

/**
 * @param {number[]} examples
 * @param {boolean | null} right
 * @param {CheckedTask["detail"]} detail
 * @returns {RingedExample[]}
 */
function ringsOfChoice(examples, right, { wrong = [], passed = [] }) {
  const isWrong = (i) => right === false && wrong.includes(i);
  return [
    ...passed.map((i) => ({ i, was: /** @type {const} */ ("passed") })),
    ...examples.map((i) => ({
      i,
      was: isWrong(i) ? /** @type {const} */ ("wrong") : /** @type {const} */ ("right"),
    })),
  ];
}
