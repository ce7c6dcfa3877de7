// One panel that fills a picture.

const HIGHEST_TIMELINE = 130; // In px.
const CURSOR_HEIGHT = 6; // In px, above the timeline.
const SMALLEST_TYPE = 10; // In px.

/** A layout with one panel, with type of its usual size; `edge` px are left free about it. */
export function singleLayout(name, width, height, edge = 0) {
  const free = { x: edge, y: edge, w: width - 2 * edge, h: height - 2 * edge };
  const panel = name === "map" && edge ? square(free) : name === "timeline" ? strip(free) : free;
  return {
    narrow: false,
    unit: 1,
    least: SMALLEST_TYPE,
    height,
    without: [],
    alone: name === "words",
    bar: { x: 0, y: height, w: width, h: 0 },
    tools: height,
    panels: { [name]: panel },
  };
}

function square({ x, y, w, h }) {
  const side = Math.floor(Math.min(w, h));
  return { x: x + (w - side) / 2, y: y + (h - side) / 2, w: side, h: side };
}

function strip({ x, y, w, h }) {
  const high = Math.min(h, HIGHEST_TIMELINE) - CURSOR_HEIGHT;
  return { x, y: y + (h - high + CURSOR_HEIGHT) / 2, w, h: high };
}
