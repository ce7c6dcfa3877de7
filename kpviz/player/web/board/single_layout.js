// One panel that fills a picture.

import { rect } from "./lengths.js";

/** @import { BoardShape, Layout } from "./types.d.ts" */

const HIGHEST_TIMELINE = 130; // In px.
const CURSOR_HEIGHT = 6; // In px, above the timeline.
const SMALLEST_TYPE = 10; // In px.

/**
 * Type has its usual size, and `margin` px are free about the panel.
 *
 * @param {Set<string>} panelNames
 * @param {BoardShape} shape
 * @returns {Layout}
 */
export function singleLayout(panelNames, { width, height, margin }) {
  const [name] = panelNames;
  const free = rect(margin, margin, width - 2 * margin, height - 2 * margin);
  const panel = name === "map" && margin ? square(free) : name === "timeline" ? strip(free) : free;
  return {
    narrow: false,
    unit: 1,
    least: SMALLEST_TYPE,
    height,
    without: [],
    alone: name === "words",
    bar: rect(0, height, width, 0),
    knob: null,
    tools: rect(0, height, width, 0),
    notices: height,
    panels: { [name]: panel },
  };
}

function square({ x, y, w, h }) {
  const side = Math.floor(Math.min(w, h));
  return rect(x + (w - side) / 2, y + (h - side) / 2, side, side);
}

function strip({ x, y, w, h }) {
  const high = Math.min(h, HIGHEST_TIMELINE) - CURSOR_HEIGHT;
  return rect(x, y + (h - high + CURSOR_HEIGHT) / 2, w, high);
}
