// The card that a film begins with: what the run is called, who shows it, and what it is; or a
// heading above words, and room for a picture beside these.

import { chart } from "./chart.js";
import { textWidth, wrap } from "../paint/measure.js";
import { rich } from "../paint/rich.js";

const WIDTH_SHARE = 0.8;
const WIDTH_SHARE_BESIDE_PICTURE = 0.9;
const WORDS_SHARE = 0.44; // On a page that is higher than wide this is a share of the height.
const LINE_HEIGHT = 1.3;
const CODE_SIZE = 0.86; // Relative to the size of words; the lines of programs begin with a tab.
const LEAST_SIZE = 15; // In px, on a page whose shorter side is 720.

/**
 * A board with a title, `by` below it, and the line `about`; or with words, paragraphs with an
 * empty line between them; `beside`: the panel of this name is the room of a picture.
 */
export function cardBoard(
  { title, by = "", about = "", words = "", beside = false },
  { width, height, palette },
) {
  const unit = Math.min(width, height) / 720;
  const room = beside ? WIDTH_SHARE_BESIDE_PICTURE : WIDTH_SHARE;
  const left = (width * (1 - room)) / 2;
  const place = beside ? split(width, height, left, words !== "") : null;
  const write = (text, top, size, high, look, wide = room * width) => {
    const fitted = fit(
      text,
      wide,
      high,
      size * unit,
      LEAST_SIZE * unit,
      palette.fonts,
      look.weight,
    );
    const first = look.up
      ? top - (fitted.lines.length - 1) * LINE_HEIGHT * fitted.size
      : top + fitted.size;
    const { fill, weight } = look;
    const { size: set } = fitted;
    return fitted.lines.flatMap((line, k) => {
      const y = first + k * LINE_HEIGHT * set;
      if (isCode(line)) {
        return [chart.text(left, y, line.slice(1), { size: CODE_SIZE * set, fill, code: true })];
      }
      return rich({ text: line, x: left, y, size: set, fill, weight, fonts: palette.fonts });
    });
  };
  const plain = { fill: palette.ink, weight: 400 };
  const head = { fill: palette.ink, weight: 600, up: true };
  const rule = (y) => chart.rect(left, y * height, 0.12 * width, 5 * unit, { fill: palette.ink });
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

/**
 * How wide and high the words below a title are, and where a picture has its place: at their right,
 * or below them.
 */
function split(width, height, left, words) {
  const x = left;
  const y = 0.26 * height;
  const w = width - 2 * left;
  const h = 0.68 * height;
  if (!words) return { wide: w, high: h, rect: { x, y, w, h } };
  const apart = 0.05 * Math.min(w, h);
  if (width < height) {
    const high = WORDS_SHARE * h;
    return { wide: w, high, rect: { x, y: y + high + apart, w, h: h - high - apart } };
  }
  const wide = WORDS_SHARE * w;
  return { wide, high: h, rect: { x: x + wide + apart, y, w: w - wide - apart, h } };
}

const isCode = (line) => line.startsWith("\t");

/**
 * The text in lines, in the largest type that fits a box; what does not fit in the smallest is left
 * out.
 */
function fit(text, width, height, largest, least, fonts, weight) {
  const broken = (part) => (isCode(part) ? [part] : wrap(part, width, size, fonts, weight));
  const wrapped = () => text.split("\n").flatMap(broken);
  const isWide = (line) =>
    isCode(line) && textWidth(line.slice(1), CODE_SIZE * size, { canvas: fonts.code }) > width;
  let size = largest;
  let lines = wrapped();
  while ((lines.length * LINE_HEIGHT * size > height || lines.some(isWide)) && size > least) {
    size = Math.max(0.96 * size, least);
    lines = wrapped();
  }
  const room = Math.max(Math.floor(height / (LINE_HEIGHT * size)), 1);
  if (lines.length > room) lines = [...lines.slice(0, room - 1), "…"];
  return { lines: text ? lines : [], size };
}
