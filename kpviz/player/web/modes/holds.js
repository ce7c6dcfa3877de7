// A mode begins where a hand takes hold of a mark: `hold` of its target names it.

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
