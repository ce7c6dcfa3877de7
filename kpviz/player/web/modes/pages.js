// What a page has in place of a run: a mode of its own, and a cursor that goes through its
// instants.

import { Cursor } from "../board/cursor.js";
import { AngleCursor } from "./angle_cursor.js";
import { Fisher } from "./fisher.js";

/** @import { Player } from "../board/player.js" */

/** The cursor of each page. @type {Record<"play" | "fisher", typeof Cursor>} */
export const CURSORS = { play: Cursor, fisher: AngleCursor };

/** The mode that stands in place of a run, with a page or without one. @param {Player} player */
export const pageMode = (player) => new Fisher(player);
