// Where the panels of Fisher's page lie, in CSS pixels.

import { settingsBeside, underMaps } from "../model/layout.js";

const NARROW = 900;
const GAP = 12;
const BAR = 46;
const CROWDED = 600; // px of width up to which the settings take the place of what PCA finds

const rect = (x, y, w, h) => ({ x: Math.round(x), y: Math.round(y), w: Math.floor(w), h: Math.floor(h) });

/** @import { Layout } from "../types.d.ts" */

/**
 * The layout of a stage of this size.
 *
 * @param {number} width
 * @param {number} height
 * @param {boolean} many whether there are more classes than two
 * @param {{ open?: boolean, free?: number }} [around] whether settings are open, and px that stay free under the bar
 * @returns {Omit<Layout, "tools">}
 */
export function layout(width, height, many, { open = false, free = 0 } = {}) {
  if (width >= NARROW) return { ...wide(width, height - free, many, open), height };
  const found = narrow(width, many, free);
  return open ? { ...found, dock: underMaps(found, width, height), sheet: true } : found;
}

function wide(width, height, many, open) {
  const unit = Math.min(Math.max(height / 640, 0.92), 1.75);
  const strip = Math.round(74 * unit);
  const top = height - BAR - strip - GAP;
  const side = Math.floor(Math.min(top, width * (many ? 0.46 : 0.52)));
  const x = side + 2 * GAP;
  const [w, dock] = settingsBeside({ x, y: 0, w: width - x - GAP, h: top }, open ? width : null);
  const right = many && (!dock || w > CROWDED) ? manyOf(x, w, top) : twoOf(x, w, top, unit);
  const panels = { map: rect(0, 0, side, side), ...right, strip: rect(0, top + GAP / 2, width - GAP, strip) };
  return { narrow: false, unit, bar: rect(0, height - BAR, width, BAR), panels, dock };
}

function twoOf(x, w, top, unit) {
  const words = Math.max(top * 0.19, 88 * unit);
  const lower = Math.max(top * 0.36, 172 * unit);
  const lanes = top - words - lower - 2 * GAP;
  const left = w * 0.62;
  const y = words + lanes + 2 * GAP;
  return {
    words: rect(x, 0, w, words),
    lanes: rect(x, words + GAP, w, lanes),
    scatter: rect(x, y, left, lower),
    spectrum: rect(x + left + 2 * GAP, y, w - left - 2 * GAP, lower),
  };
}

function manyOf(x, w, top) {
  const upper = Math.min(top * 0.54, w * 0.46);
  const left = w - upper - 2 * GAP;
  const words = upper * 0.45;
  const y = upper + GAP;
  const lanes = w * 0.43;
  return {
    words: rect(x, 0, left, words),
    spectrum: rect(x, words + GAP, left, upper - words - GAP),
    components: rect(x + left + 2 * GAP, 0, upper, upper),
    lanes: rect(x, y, lanes, top - y),
    scatter: rect(x + lanes + 2 * GAP, y, w - lanes - 2 * GAP, top - y),
  };
}

function narrow(width, many, free) {
  const unit = 0.94;
  const side = Math.min(width, 560);
  const panels = { words: rect(4, 0, width - 8, 118), map: rect((width - side) / 2, 126, side, side) };
  let y = 126 + side + 6;
  panels.strip = rect(0, y, width, 74);
  const bar = rect(0, y + 80, width, (width < 560 ? 4 : 2) * 42);
  y = bar.y + bar.h + free + GAP;
  const rest = many
    ? { lanes: 240, spectrum: 180, components: side, scatter: 230 }
    : { lanes: 230, scatter: 210, spectrum: 190 };
  for (const [name, h] of Object.entries(rest)) {
    const w = name === "components" ? side : width - 8;
    panels[name] = rect((width - w) / 2, y, w, h);
    y += h + 2 * GAP;
  }
  return { narrow: true, unit, height: y, bar, panels };
}
