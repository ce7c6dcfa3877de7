// What a hand takes hold of: a mark, whose target says by `hold` which mode begins there, or a
// slider.

import { directing } from "./direct.js";
import { ordering } from "./order.js";
import { scrubbing } from "./scrub.js";
import { spinning } from "./spin.js";

/** @import { Stage } from "../page/stage.js" */
/** @import { Hit, Hold } from "../board/types.d.ts" */
/** @import { Mode } from "./types.d.ts" */

/**
 * Null: nothing can be held there, and a press is a click.
 *
 * @type {Record<Hold, (stage: Stage, hit: Hit) => Mode | null>}
 */
export const HOLDS = { scrub: scrubbing, spin: spinning, direct: directing, order: ordering };

/** Whether a hand can hold it though nothing is told of what lies there. @param {Hold} hold */
export const isHeldUnderLight = (hold) => hold === "scrub";

/** Keys that move a slider. */
export const MOVES = /^(Arrow|Home|End|Page)/;

/**
 * A slider in the hand; what another key does than those that move it comes after that.
 *
 * @param {() => void} end the last value is the one that stays
 * @returns {Mode}
 */
export const sliding = (end) => ({
  name: "slide",
  holds: true,
  endsAtKey: (key) => !MOVES.test(key),
  end,
  cancel: end,
});
