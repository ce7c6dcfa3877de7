// What stands in place of a panel that would give the answer to a question away.

import { chart, heading } from "./chart.js";
import { wrap } from "../model/measure.js";
import { VEILED } from "../model/scene.js";

/** @import { PanelScene } from "../model/scene.js" */
/** @import { PanelMarks } from "../types.d.ts" */

/**
 * @param {PanelScene} scene
 * @param {string} title
 * @returns {PanelMarks}
 */
export function veilMarks({ rect, unit, palette, veiled }, title) {
  const size = 14 * unit;
  const words = veiled ? VEILED : "Hidden while you predict";
  const text = wrap(words, rect.w, size, palette.fonts)[0];
  const look = { size, fill: palette.quiet, align: /** @type {const} */ ("center"), name: "veil" };
  return {
    still: [],
    moving: [
      ...heading({ rect, unit, palette }, title),
      chart.text(rect.x + rect.w / 2, rect.y + rect.h / 2 + 6, text, look),
    ],
  };
}
