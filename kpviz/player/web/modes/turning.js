// Turns the panel of the lift: by dragging it or by keys; a double click turns it back.

import { lanesOf } from "../panels/projections.js";

/** @import { AngleCursor } from "./angle_cursor.js" */
/** @import { Player } from "../board/player.js" */
/** @import { Hit, Pointer } from "../board/types.d.ts" */

const PER_PX = 0.5; // degrees
const STILL = 3; // px within which a press is a click
const BY_KEY = 10; // degrees

export class Turning {
  /** @type {Pointer & { turn: number, tilt: number, moved: boolean } | null} */
  drag = null;

  /** @param {Player} player @param {() => void} pick what a click does */
  constructor(player, pick) {
    this.player = player;
    this.pick = pick;
  }

  /** Whether there is something to turn. */
  get #turns() {
    const extra = this.player.run.header.extras.lift;
    return Boolean(extra) && !extra.why;
  }

  /** Turn by keys, a step to the right and up, or back. */
  key(right, up) {
    const { lift } = this.player;
    if (!this.player.shows("lift") || !this.#turns) return;
    const { turn, tilt } = lift.now;
    lift.to(right || up ? [turn + BY_KEY * right, tilt + BY_KEY * up] : null);
  }

  /** Take hold of the space. @param {Hit} hit */
  begin({ px, py }) {
    const { turn, tilt } = this.player.lift.now;
    this.drag = { px, py, turn, tilt, moved: false };
    return true;
  }

  /** @param {Pointer} pointer */
  move({ px, py }) {
    const { drag } = this;
    if (!drag) return;
    drag.moved ||= Math.hypot(px - drag.px, py - drag.py) > STILL;
    if (!drag.moved) return;
    this.player.lift.to([drag.turn - PER_PX * (px - drag.px), drag.tilt + PER_PX * (py - drag.py)]);
  }

  /** Let go; a press that did not move was a click. */
  end() {
    const { drag } = this;
    this.drag = null;
    if (drag && !drag.moved) this.pick();
  }

  cancel() {
    this.drag = null;
  }

  reset() {
    this.player.lift.to(null);
  }
}

// Turns F by the pointer on the map, and moves the threshold on the projections; a double click there puts it back.

const CLOSE = 3; // px from the mean within which a pointer has no direction

export class Directing {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.cursor = /** @type {AngleCursor} */ (player.cursor);
  }

  /** The panel that is held. */
  get drag() {
    return this.player.run?.fisher.held;
  }

  #hold(name) {
    this.player.run.fisher.held = name;
    this.player.page.moved();
  }

  /** Take hold of F on the map, or of the threshold on the projections. @param {Hit} hit */
  begin(hit) {
    this.#hold(hit.panel);
    this.move(hit);
    return true;
  }

  /** @param {Pointer} pointer */
  move({ px, py }) {
    const { player, cursor, drag } = this;
    const { fisher } = player.run;
    if (drag === "map") {
      const [m1, m2] = fisher.header.mean;
      const dx = px - player.view.x(m1);
      const dy = player.view.y(m2) - py;
      if (Math.abs(dx) + Math.abs(dy) > CLOSE) cursor.go((Math.atan2(dy, dx) * 180) / Math.PI);
    } else if (drag) {
      const { panels, unit } = player.layout;
      cursor.cut(lanesOf(panels.projections, unit, fisher.reading(player.t), 2).value(px));
    }
  }

  end() {
    if (this.drag) this.#hold(null);
  }

  cancel() {
    this.end();
  }

  /** @param {Hit} hit */
  reset({ panel }) {
    if (panel === "projections") this.cursor.cut(null);
  }

  key() {} // there is no space to turn
}
