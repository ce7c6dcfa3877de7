// Small images of fields, which the map draws large.

import { Pixels } from "./pixels.js";

/** @import { Palette } from "./colors.js" */
/** @import { Motion } from "./motion.js" */

const RAMP = 64; // px of the colour scale
const ROW = Float64Array.from({ length: RAMP }, (_, k) => (k / (RAMP - 1)) * 2 - 1);
const VALUES = new Float64Array(RAMP * RAMP).map((_, k) => ROW[k % RAMP]); // of that scale

export class Images {
  /** @type {Motion | null} */
  #motion = null;
  /** @type {Palette | null} */
  #palette = null;

  /** @param {number} grid */
  constructor(grid) {
    this.field = new Pixels(grid, grid);
    this.bump = new Pixels(grid, grid);
    this.scale = new Pixels(RAMP, RAMP);
    this.grid = grid;
  }

  /** @param {Palette} palette */
  fieldOf(palette, field, limit, chance = null, scale = undefined) {
    palette.paintField(field, this.grid, limit, this.field, chance, scale);
    return this.field.touch();
  }

  /**
   * What the step that is shown adds; painted once for a motion.
   *
   * @param {Palette} palette
   * @param {Motion} motion
   */
  bumpOf(palette, motion) {
    if (this.#motion !== motion) palette.paintBump(motion.bump, this.grid, motion.y, this.bump.touch());
    this.#motion = motion;
    return this.bump;
  }

  /** @param {Palette} palette */
  scaleOf(palette) {
    if (this.#palette !== palette) palette.paintField(VALUES, RAMP, 1, this.scale.touch());
    this.#palette = palette;
    return this.scale;
  }
}
