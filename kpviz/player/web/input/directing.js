// Turns F by the pointer on the map, and moves the threshold on the projections; a double click there puts it back.

import { lanesOf } from "../panels/projections.js";

/** @import { AngleCursor } from "../model/angle_cursor.js" */
/** @import { Player } from "../model/player.js" */
/** @import { Pointer } from "../types.d.ts" */

const STILL = 3; // px from the mean within which a pointer has no direction

/** The panel at a pixel that a hand can take hold of. @param {Player} player @param {Pointer} pointer */
export function holdable({ layout: { panels }, run }, { px, py }) {
  const names = /** @type {("map" | "projections")[]} */ (run.fisher.many ? ["map"] : ["map", "projections"]);
  const over = ({ x, y, w, h }) => px >= x && px <= x + w && py >= y && py <= y + h;
  return names.find((name) => panels[name] && over(panels[name])) ?? null;
}

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

  /** @param {Pointer} pointer */
  begin(pointer) {
    this.#hold(holdable(this.player, pointer));
    this.move(pointer);
    return this.drag !== null;
  }

  /** @param {Pointer} pointer */
  move({ px, py }) {
    const { player, cursor, drag } = this;
    const { fisher } = player.run;
    if (drag === "map") {
      const [m1, m2] = fisher.header.mean;
      const [dx, dy] = [px - player.view.x(m1), player.view.y(m2) - py];
      if (Math.abs(dx) + Math.abs(dy) > STILL) cursor.go((Math.atan2(dy, dx) * 180) / Math.PI);
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

  /** @param {Pointer} pointer */
  reset(pointer) {
    if (holdable(this.player, pointer) === "projections") this.cursor.cut(null);
  }

  key() {} // there is no space to turn
}
