// The card that a film begins with: what the run is called, who shows it, and what it is; or a heading above words.

import { wrap } from "../model/measure.js";

const ROOM = 0.8; // of the page's width
const LINE = 1.3;
const LEAST = 15; // px on a page whose shorter side is 720

/** A board with a title, `by` below it, and the line `about`; or with words, paragraphs with an empty line between them. */
export function cardBoard({ title, by, about, words }, { width, height, palette }) {
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
  const plain = { fill: palette.ink, weight: 400 };
  const head = { fill: palette.ink, weight: 600, up: true };
  const rule = (y) => ({ kind: "rect", x: left, y: y * height, w: 0.12 * width, h: 5 * unit, fill: palette.accent });
  const moving = words
    ? [
        ...write(title, 0.175 * height, 44, 0.13 * height, head),
        rule(0.21),
        ...write(words, 0.26 * height, 26, 0.68 * height, plain),
      ]
    : [
        ...write(title, 0.485 * height, 60, 0.4 * height, head),
        rule(0.52),
        ...write(by, 0.56 * height, 28, 0.08 * height, plain),
        ...write(about, 0.66 * height, 21, 0.2 * height, { ...plain, fill: palette.quiet }),
      ];
  return {
    width,
    height,
    ground: palette.paper,
    panels: [{ name: "card", rect: null, clip: null, still: [], moving, lively: false }],
  };
}

/** The text in lines, in the largest type that fits a box; what does not fit in the smallest is left out. */
function fit(text, width, height, largest, least, fonts, weight) {
  const wrapped = () => text.split("\n").flatMap((part) => wrap(part, width, size, fonts, weight));
  let size = largest;
  let lines = wrapped();
  while (lines.length * LINE * size > height && size > least) {
    size = Math.max(0.96 * size, least);
    lines = wrapped();
  }
  const room = Math.max(Math.floor(height / (LINE * size)), 1);
  if (lines.length > room) lines = [...lines.slice(0, room - 1), "…"];
  return { lines: text ? lines : [], size };
}
