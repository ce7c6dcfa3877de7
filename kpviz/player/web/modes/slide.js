// A setting in the hand: a slider that is moved. What another key does than those that move it
// comes after that.

/** @import { Mode } from "./types.d.ts" */

/** Keys that move a slider. */
export const MOVES = /^(Arrow|Home|End|Page)/;

/** @param {() => void} end the last value is the one that stays @returns {Mode} */
export const sliding = (end) => ({
  name: "slide",
  holds: true,
  endsAtKey: (key) => !MOVES.test(key),
  end,
  cancel: end,
});
