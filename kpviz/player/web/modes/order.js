// The order by hand: drag a cell of the order's panel, or put one example first.

import { DRAWN } from "./editing.js";
import { cellsOf, draggable } from "../panels/sequence.js";
import { example } from "../run/words.js";

/** @import { Player } from "../board/player.js" */
/** @import { Session } from "../service/session.js" */
/** @import { Hit, Pointer } from "../board/types.d.ts" */

const STILL = 3; // px within which a press is a click

export class Reorder {
  /** @param {Player} player @param {Session} session */
  constructor(player, session) {
    this.player = player;
    this.order = player.order;
    this.session = session;
    this.sent = 0;
    this.gesture = 0;
  }

  get drag() {
    return this.order.drag;
  }

  /** Everything up to command `sent` was answered, and the run is here. */
  acknowledge(sent) {
    const { order } = this;
    const { n } = this.player.run;
    const gone = order.why || (order.ahead?.length ?? n) !== n || order.drag?.i >= n; // other settings came in between
    if (gone) order.drag = null;
    if (gone || (!order.drag && sent >= this.sent)) order.ahead = null;
  }

  get #cells() {
    const { layout, run } = this.player;
    const { sequence } = layout.panels;
    return sequence && !this.order.why && run.n ? cellsOf(sequence, layout.unit, run.n) : null;
  }

  // ---- dragging -------------------------------------------------------------------------------

  /** Take hold of the cell that was hit; returns whether it is large enough. @param {Hit} hit */
  begin({ px, py, part }) {
    const { order, player } = this;
    const cells = this.#cells;
    if (!cells || order.drag) return false;
    if (!draggable(cells.size)) {
      player.page.say(
        "There is no room to drag so many: hide other panels (H), or show fewer points.",
      );
      return false;
    }
    player.clock.stop();
    order.drag = { i: order.at(part), px, py, from: [px, py], moved: false, sent: false };
    return true;
  }

  /** @param {Pointer} pointer */
  move({ px, py }) {
    const { order } = this;
    const { drag } = order;
    const cells = drag && this.#cells;
    if (!cells) return;
    if (!drag.moved) {
      if (Math.hypot(px - drag.from[0], py - drag.from[1]) < STILL) return;
      Object.assign(drag, { moved: true, before: order.now, was: order.kind });
      this.#open();
    }
    Object.assign(drag, { px, py });
    const { now } = order;
    const to = cells.near(px, py);
    order.ahead = moved(now, drag.i, to);
    if (now[to] !== drag.i) {
      drag.sent = true;
      this.#send(false);
    }
  }

  end() {
    const { order, drag } = this;
    if (!drag) return;
    if (!drag.moved || same(order.now, drag.before)) {
      this.cancel();
      return;
    }
    order.drag = null;
    this.#send(true);
    if (DRAWN.includes(drag.was)) {
      this.player.page.say("The order is by hand now: every epoch shows the examples like this.");
    }
  }

  /** Leave everything as it was before the drag. */
  cancel() {
    const { order, drag } = this;
    if (!drag) return;
    order.drag = null;
    const { before, was, sent } = drag;
    if (sent) {
      const home = same(order.ahead, before); // then the server may never have seen another order
      order.ahead = before;
      if (home && was === "hand") this.#send(true);
      else this.sent = this.session.abandon(this.gesture);
    } else if (this.session.acknowledged >= this.sent) order.ahead = null;
    this.player.page.redraw();
  }

  // ---- by key ---------------------------------------------------------------------------------

  /** Put the example under the pointer first, else that of the step. */
  first() {
    const { order, player } = this;
    if (order.drag) return;
    const { run, touch } = player;
    const drawn = DRAWN.includes(order.kind);
    const i = touch.hot.size === 1 ? [...touch.hot][0] : order.ofStep;
    if (order.why) player.page.say(order.why);
    else if (i === null) player.page.say("Point at an example, or step to one: 1 shows it first.");
    else if (i >= run.n) player.page.say("This point is held out: the learner is never shown it.");
    else if (order.now[0] === i && !drawn) player.page.say(`${example(i)} is shown first already.`);
    else {
      order.ahead = moved(order.now, i, 0);
      this.#open();
      this.#send(true);
      player.page.say(`${example(i)} is shown first${drawn ? ", in every epoch" : ""}.`);
    }
  }

  // ---- what is sent ---------------------------------------------------------------------------

  #open() {
    this.gesture = Math.max(Date.now(), this.gesture + 1);
  }

  #send(last) {
    const { ahead } = this.order;
    this.sent = this.session.drag("order", ahead, { gesture: this.gesture, last });
    this.player.page.redraw();
  }
}

const same = (one, other) => one.every((i, k) => i === other[k]);

/** An order with example i in place `to`. */
function moved(order, i, to) {
  const others = order.filter((j) => j !== i);
  return [...others.slice(0, to), i, ...others.slice(to)];
}
