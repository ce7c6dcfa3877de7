// What the pointer touches, or the keyboard where it stands: a thing of the board that was drawn
// last, and what it means now.

import { untouched } from "../board/player.js";
import { meaningOf } from "./kinds.js";

/** @import { Player } from "../board/player.js" */
/** @import { BoardPointer, Hit, Touch } from "../board/types.d.ts" */
/** @import { Targets } from "./targets.js" */

/**
 * What a hit means now; null means nothing.
 *
 * @param {Player} player
 * @param {Hit | null} hit
 * @returns {Touch}
 */
const meaningNow = (player, hit) => ({ ...untouched(), ...(hit && meaningOf(player, hit)) });

/**
 * What the pointer points at means this now. What a hand holds may be all that lights up.
 *
 * @param {Player} player
 * @param {Hit | null} hit
 * @returns {Touch}
 */
export function touchOf(player, hit) {
  const lit = player.modes.ask("lights");
  return lit ? { ...untouched(), hot: new Set(lit) } : meaningNow(player, hit);
}

/** What is pinned means this now. @param {Player} player */
export const pinnedTouchOf = (player) => player.pinned && meaningNow(player, player.pinned.hit);

/**
 * The pointer as it points at the board now: at what lies under it, or, where keys lead it, at the
 * same thing as before, wherever that lies now.
 *
 * @param {Targets} targets
 * @param {BoardPointer} pointer
 * @returns {BoardPointer}
 */
export function pointAgain(targets, pointer) {
  if (!pointer.byKey) return { ...pointer, hit: targets.at(pointer.px, pointer.py) };
  const hit = pointer.hit && targets.again(pointer.hit);
  return hit ? { ...pointer, px: hit.px, py: hit.py, hit } : { ...pointer, hit };
}
