// Ordering by hand: a cell of the order's panel is dragged to another place, or a key puts one
// example first.

import { DRAWN } from "../board/order.js";
import { example } from "../run/words.js";
import { cellsOf, draggable } from "../panels/sequence.js";

/** @import { Stage } from "../page/stage.js" */
/** @import { Hit, Pointer } from "../board/types.d.ts" */
/** @import { Mode } from "./types.d.ts" */

const STILL = 3; // Pixels within which a press is a click.
const NO_ROOM = "There is no room to drag so many: hide other panels (H), or show fewer points.";

/** What was asked of the server for an order by hand. */
export class Reorder {
  name = "reorder";
  sent = 0;
  gesture = 0;
  /** @type {Mode | null} */
  hand = null; // The newest one that held a cell.

  /** @param {Pick<Stage, "player" | "session">} stage */
  constructor({ player, session }) {
    this.player = player;
    this.order = player.order;
    this.session = session;
  }

  /** Whether other settings came in between. */
  get isStale() {
    const { order, player } = this;
    return Boolean(order.why) || (order.ahead?.length ?? player.run.n) !== player.run.n;
  }

  /** Commands were answered, and the run is here. */
  settled() {
    if (!this.session) return;
    const { order, player } = this;
    if (order.inHand && (this.isStale || order.inHand.i >= player.run.n)) {
      order.inHand = null;
      player.modes.leave(this.hand);
    }
    const isAnswered = !this.order.inHand && this.session.acknowledged >= this.sent;
    if (this.isStale || isAnswered) this.order.ahead = null;
  }

  /** Put the example under the pointer first, else that of the step. */
  first() {
    const { order, player } = this;
    if (order.inHand) return;
    const { run, touch } = player;
    const drawn = DRAWN.includes(order.kind);
    const i = touch.hot.size === 1 ? [...touch.hot][0] : order.ofStep;
    if (order.why) player.page.say(order.why);
    else if (i === null) player.page.say("Point at an example, or step to one: 1 shows it first.");
    else if (i >= run.n) player.page.say("This point is held out: the learner is never shown it.");
    else if (order.now[0] === i && !drawn) player.page.say(`${example(i)} is shown first already.`);
    else {
      order.ahead = moved(order.now, i, 0);
      this.begin();
      this.send(true);
      player.page.say(`${example(i)} is shown first${drawn ? ", in every epoch" : ""}.`);
    }
  }

  /** What is sent from now on is one gesture. */
  begin() {
    this.gesture = Math.max(Date.now(), this.gesture + 1);
  }

  send(last) {
    this.sent = this.session.drag("order", this.order.ahead, { gesture: this.gesture, last });
    this.player.page.redraw();
  }

  /**
   * Leave everything as it was before the gesture.
   *
   * @param {number[]} before the order
   * @param {string} kind of that
   */
  giveUp(before, kind) {
    const { order } = this;
    const isHome = same(order.ahead, before); // The server may never have seen another order.
    order.ahead = before;
    if (isHome && kind === "hand") this.send(true);
    else this.sent = this.session.abandon(this.gesture);
  }
}

/**
 * Take hold of the cell that was hit.
 *
 * @param {Stage} stage
 * @param {Hit} hit
 * @returns {Mode | null}
 */
export function ordering(stage, { px, py, part }) {
  const { player } = stage;
  const cells = () => {
    const { panels, unit } = player.layout;
    return panels.sequence && cellsOf(panels.sequence, unit, player.run.n);
  };
  if (!draggable(cells().size)) {
    player.page.say(NO_ROOM);
    return null;
  }
  player.clock.stop();
  const placeAt = (pointer) => cells()?.near(pointer.px, pointer.py);
  return carrying(stage, player.order.at(part), { px, py }, placeAt);
}

/**
 * Carry an example from a pointer on to another place of the order.
 *
 * @param {Stage} stage
 * @param {number} i
 * @param {Pointer} from
 * @param {(pointer: Pointer) => number | undefined} placeAt undefined: there are no places
 * @returns {Mode}
 */
export function carrying({ player, standing }, i, from, placeAt) {
  const { order } = player;
  const { reorder } = standing;
  /** @type {number[]} */
  let before;
  let kind = "";
  let sent = false;

  /** @satisfies {Mode} */
  const mode = {
    name: "order",
    holds: /** @type {const} */ (true),
    pointerShape: "grabbing",
    still: true,
    lights: () => (order.inHand ? [i] : undefined),

    move(pointer) {
      const to = placeAt(pointer);
      if (to === undefined) return;
      if (!order.inHand) {
        if (Math.hypot(pointer.px - from.px, pointer.py - from.py) < STILL) return;
        before = order.now;
        kind = order.kind;
        reorder.begin();
      }
      order.inHand = { i, px: pointer.px, py: pointer.py };
      const { now } = order;
      order.ahead = moved(now, i, to);
      if (now[to] === i) return;
      sent = true;
      reorder.send(false);
    },

    end() {
      if (!order.inHand || same(order.now, before)) {
        mode.cancel();
        return;
      }
      order.inHand = null;
      reorder.send(true);
      if (DRAWN.includes(kind)) {
        player.page.say("The order is by hand now: every epoch shows the examples like this.");
      }
    },

    cancel() {
      order.inHand = null;
      if (sent) reorder.giveUp(before, kind);
      else reorder.settled();
      player.page.redraw();
    },
  };
  reorder.hand = mode;
  return mode;
}

const same = (one, other) => one.every((i, k) => i === other[k]);

/** An order with example i in place `to`. */
export function moved(order, i, to) {
  const others = order.filter((j) => j !== i);
  return [...others.slice(0, to), i, ...others.slice(to)];
}
