// The button that rescales the colours of the map to a step, and back: on the map, where it covers no point.

import { needsRescaling } from "../model/scene.js";
import { put } from "./dom.js";

/** @import { Player } from "../model/player.js" */
/** @import { RunMap } from "../model/run_set.js" */

const EDGE = 10; // px between it and the edges of the map
const POINT = 9; // px round a point that stay free, where the unit is 1
const STRIDE = 8; // px from one place that is tried to the next
const FEW = 12; // points for which the scale of the colours may be farther left
const [SCALE, LEGEND] = [138, 110]; // px of width, where the unit is 1

/**
 * The right upper corner of a box that covers no point: under the scale of the colours, left of it, or farther down.
 *
 * @param {RunMap} map
 * @param {number} unit
 * @param {{ w: number, h: number }} box
 */
export function freeCorner({ run, view }, unit, { w, h }) {
  const { rect } = view;
  const under = rect.y + EDGE + (20 + 1.6 * 12.5) * unit + 8; // the scale, and the name of the kernel
  const usual = { x: rect.x + rect.w - EDGE, y: under };
  if (!run.plane) return usual;
  const points = Array.from({ length: run.n + run.nTest }, (_, i) => [view.x(run.X[2 * i]), view.y(run.X[2 * i + 1])]);
  const gap = POINT * unit;
  const free = ({ x, y }) =>
    !points.some(([px, py]) => px > x - w - gap && px < x + gap && py > y - gap && py < y + h + gap);
  const places = [usual];
  const besides = usual.x - SCALE * unit - (run.n > FEW ? 0 : 0.2 * rect.w);
  for (let x = besides; x - w > rect.x + LEGEND * unit; x -= STRIDE) places.push({ x, y: rect.y + EDGE });
  for (let y = under; y < rect.y + 0.7 * rect.h; y += STRIDE) places.push({ x: usual.x, y });
  return places.find(free) ?? usual;
}

export class Rescale {
  placed = ""; // for what

  /** @param {HTMLElement} button */
  constructor(button) {
    this.button = button;
  }

  /** It is there where it helps, and to go back. @param {Player} player */
  update(player) {
    const { button } = this;
    const byHand = player.limit !== null;
    put(button, { hidden: !byHand && !needsRescaling(player) });
    const words = byHand ? "Scale of the run" : "Rescale";
    if (button.textContent !== words) {
      button.textContent = words;
      button.title = byHand ? "Colours as they are for the whole run" : "Rescale the colours to this step";
    }
    if (!button.hidden) this.#place(player, words);
  }

  /** @param {Player} player */
  #place({ maps, layout }, words) {
    const map = maps.find(({ name }) => name === "map");
    if (!map) return;
    const { x, y, w, h } = map.view.rect;
    const key = [map.run.id, words, x, y, w, h, layout.unit].join();
    if (key === this.placed) return;
    this.placed = key;
    const corner = freeCorner(map, layout.unit, { w: this.button.offsetWidth, h: this.button.offsetHeight });
    Object.assign(this.button.style, { left: `${corner.x}px`, top: `${corner.y}px` });
  }
}
