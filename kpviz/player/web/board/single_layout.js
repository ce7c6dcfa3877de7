// One panel that fills a picture.

import { framedMap, outsideIn, rect } from "./lengths.js";

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
  const panel = name === "timeline" ? strip(free) : free;
  return {
    narrow: false,
    unit: 1,
    least: SMALLEST_TYPE,
    height,
    alone: name === "words",
    bar: rect(0, height, width, 0),
    knob: null,
    tools: rect(0, height, width, 0),
    panels: name === "map" && margin ? mapIn(free) : { [name]: panel },
  };
}

/** A map in the middle, with a strip above it and, where it stays large, its axes. */
function mapIn({ x, y, w, h }) {
  const room = Math.floor(Math.min(w, h));
  const outside = outsideIn(room, 1);
  const side = room - outside.strip - outside.axis;
  const left = Math.max((room - side) / 2, outside.gutter);
  return framedMap(x + (w - room) / 2 + left, y + (h - room) / 2, side, outside);
}

function strip({ x, y, w, h }) {
  const high = Math.min(h, HIGHEST_TIMELINE) - CURSOR_HEIGHT;
  return rect(x, y + (h - high + CURSOR_HEIGHT) / 2, w, high);
}
