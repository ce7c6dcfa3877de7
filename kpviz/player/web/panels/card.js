// The card that a film begins with: what the run is called, who shows it, and what it is; or a heading above words, and
// room for a picture beside these.

import { chart } from "./chart.js";
import { textWidth, wrap } from "../paint/measure.js";
import { rich } from "../paint/rich.js";

const ROOM = 0.8; // of the page's width
const WIDE = 0.9; // of it where a picture stands beside words, which have
const WORDS = 0.44; // of that; of a page that is higher than wide they have as much of the height
const LINE = 1.3;
const CODE = 0.86; // size of programs, whose lines begin with a tab, over that of words
const LEAST = 15; // px on a page whose shorter side is 720

/**
 * A board with a title, `by` below it, and the line `about`; or with words, paragraphs with an empty line between them;
 * `beside`: the panel of this name is the room of a picture.
 */
export function cardBoard(
  { title, by = "", about = "", words = "", beside = false },
  { width, height, palette },
) {
  const unit = Math.min(width, height) / 720;
  const room = beside ? WIDE : ROOM;
  const left = (width * (1 - room)) / 2;
  const place = beside ? split(width, height, left, words !== "") : null;
  const write = (text, top, size, high, look, wide = room * width) => {
    const fitted = fit(text, wide, high, size * unit, LEAST * unit, palette.fonts, look.weight);
    const first = look.up
      ? top - (fitted.lines.length - 1) * LINE * fitted.size
      : top + fitted.size;
    const { fill, weight } = look;
    const { size: set } = fitted;
    return fitted.lines.flatMap((line, k) => {
      const y = first + k * LINE * set;
      if (isCode(line)) {
        return [chart.text(left, y, line.slice(1), { size: CODE * set, fill, code: true })];
      }
      return rich({ text: line, x: left, y, size: set, fill, weight, fonts: palette.fonts });
    });
  };
  const plain = { fill: palette.ink, weight: 400 };
  const head = { fill: palette.ink, weight: 600, up: true };
  const rule = (y) =>
    chart.rect(left, y * height, 0.12 * width, 5 * unit, { fill: palette.accent });
  const moving =
    words || place
      ? [
          ...write(title, 0.175 * height, 44, 0.13 * height, head),
          rule(0.21),
          ...write(words, 0.26 * height, 32, place?.high ?? 0.68 * height, plain, place?.wide),
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
    background: palette.paper,
    panels: [
      { name: "card", rect: null, clip: null, still: [], moving, lively: false },
      ...(place
        ? [{ name: "beside", rect: place.rect, clip: null, still: [], moving: [], lively: false }]
        : []),
    ],
  };
}

/** How wide and high the words below a title are, and where a picture has its place: at their right, or below them. */
function split(width, height, left, words) {
  const [x, y, w, h] = [left, 0.26 * height, width - 2 * left, 0.68 * height];
  if (!words) return { wide: w, high: h, rect: { x, y, w, h } };
  const apart = 0.05 * Math.min(w, h);
  if (width < height) {
    const high = WORDS * h;
    return { wide: w, high, rect: { x, y: y + high + apart, w, h: h - high - apart } };
  }
  const wide = WORDS * w;
  return { wide, high: h, rect: { x: x + wide + apart, y, w: w - wide - apart, h } };
}

const isCode = (line) => line.startsWith("\t");

/** The text in lines, in the largest type that fits a box; what does not fit in the smallest is left out. */
function fit(text, width, height, largest, least, fonts, weight) {
  const broken = (part) => (isCode(part) ? [part] : wrap(part, width, size, fonts, weight));
  const wrapped = () => text.split("\n").flatMap(broken);
  const isWide = (line) =>
    isCode(line) && textWidth(line.slice(1), CODE * size, { canvas: fonts.code }) > width;
  let size = largest;
  let lines = wrapped();
  while ((lines.length * LINE * size > height || lines.some(isWide)) && size > least) {
    size = Math.max(0.96 * size, least);
    lines = wrapped();
  }
  const room = Math.max(Math.floor(height / (LINE * size)), 1);
  if (lines.length > room) lines = [...lines.slice(0, room - 1), "…"];
  return { lines: text ? lines : [], size };
}
