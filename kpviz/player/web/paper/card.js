// The card that a film begins with: what the run is called, who shows it, and what it is.

import { wrap } from "../model/measure.js";

const ROOM = 0.8; // of the page's width
const LINE = 1.3;
const LEAST = 15; // px on a page whose shorter side is 720

/** A board with a title, `by` below it, and the line `about`. */
export function cardBoard({ title, by, about }, { width, height, palette }) {
  const unit = Math.min(width, height) / 720;
  const left = (width * (1 - ROOM)) / 2;
  const write = (text, top, size, high, look) => {
    const fitted = fit(text, width * ROOM, high, size * unit, LEAST * unit, palette.fonts, look.weight);
    const first = look.up ? top - (fitted.lines.length - 1) * LINE * fitted.size : top + fitted.size;
    return fitted.lines.map((line, k) => ({
      kind: "text",
      x: left,
      y: first + k * LINE * fitted.size,
      size: fitted.size,
      text: line,
      fill: look.fill,
      weight: look.weight,
    }));
  };
  const moving = [
    ...write(title, 0.485 * height, 60, 0.4 * height, { fill: palette.ink, weight: 600, up: true }),
    { kind: "rect", x: left, y: 0.52 * height, w: 0.12 * width, h: 5 * unit, fill: palette.accent },
    ...write(by, 0.56 * height, 28, 0.08 * height, { fill: palette.ink, weight: 400 }),
    ...write(about, 0.66 * height, 21, 0.2 * height, { fill: palette.quiet, weight: 400 }),
  ];
  return {
    width,
    height,
    ground: palette.paper,
    panels: [{ name: "card", rect: null, clip: null, still: [], moving, lively: false }],
  };
}

/** The text in lines, in the largest type that fits a box. */
function fit(text, width, height, largest, least, fonts, weight) {
  let size = largest;
  let lines = wrap(text, width, size, fonts, weight);
  while (lines.length * LINE * size > height && size > least) {
    size = Math.max(0.96 * size, least);
    lines = wrap(text, width, size, fonts, weight);
  }
  return { lines: text ? lines : [], size };
}
