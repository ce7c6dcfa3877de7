// How wide texts are, and how they break into lines.

/** @import { Fonts, Rect, TextMark } from "../types.d.ts" */

export const ABOVE = 0.74; // of the size, that a text has over its baseline
export const BELOW = 0.2;

const MOST_REMEMBERED = 2000;
const BETWEEN = / (?!·\))(?!(?<=(?:^|[\s(])[^\s(] )= )(?<!(?:^|[\s(])[^\s(] = )/; // words; "(x₀, ·)" and "f = 0" stay together

/** @type {CanvasRenderingContext2D | null} */
const measuring = typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");
/** @type {Map<string, number>} */
const widths = new Map();

/** Forget what was measured: a font has arrived. */
export const forgetWidths = () => widths.clear();

/**
 * Break a text into lines of at most `width` px.
 *
 * @param {string} text
 * @param {number} width
 * @param {number} size
 * @param {Fonts} fonts
 */
export function wrap(text, width, size, fonts, weight = 400) {
  const lines = [];
  const space = textWidth(" ", size, fonts, weight);
  let room = -1;
  for (const word of text.split(BETWEEN)) {
    const needed = textWidth(word, size, fonts, weight); // words return, whole lines do not: so these are remembered
    if (needed + space <= room) lines[lines.length - 1] += ` ${word}`;
    else {
      lines.push(word);
      room = width + space;
    }
    room -= needed + space;
  }
  return lines;
}

/**
 * The width of a text in px.
 *
 * @param {string} text
 * @param {number} size
 * @param {Fonts} fonts
 */
export function textWidth(text, size, fonts, weight = 400) {
  const font = `${weight} ${size}px ${fonts.canvas}`;
  const key = font + text;
  if (!widths.has(key)) {
    if (widths.size > MOST_REMEMBERED) widths.clear();
    if (measuring.font !== font) measuring.font = font;
    widths.set(key, measuring.measureText(text).width);
  }
  return widths.get(key);
}

/**
 * The width of the text of a mark in px.
 *
 * @param {TextMark} mark
 * @param {Fonts} fonts
 */
export const widthOf = ({ text, size, weight, code }, fonts) =>
  textWidth(text, size, code ? { ...fonts, canvas: fonts.code } : fonts, weight);

/**
 * A text in at most `width` px: where it is longer, its beginning with an ellipsis.
 *
 * @param {string} text
 * @param {number} width
 * @param {number} size
 * @param {Fonts} fonts
 */
export function shortened(text, width, size, fonts, weight = 400) {
  if (textWidth(text, size, fonts, weight) <= width) return text;
  let cut = text.length;
  while (cut > 1 && textWidth(`${text.slice(0, cut).trimEnd()}…`, size, fonts, weight) > width) cut -= 1;
  return `${text.slice(0, cut).trimEnd()}…`;
}

/**
 * The box that a text fills.
 *
 * @param {TextMark} mark
 * @param {Fonts} fonts
 * @returns {Rect}
 */
export function boxOf({ text, x, y, size, align = "left", baseline, weight }, fonts) {
  const w = textWidth(text, size, fonts, weight);
  const [above, below] = baseline === "middle" ? [0.5, 0.5] : [ABOVE, BELOW];
  return { x: x - { left: 0, center: w / 2, right: w }[align], y: y - above * size, w, h: (above + below) * size };
}

/**
 * Whether two boxes lie on one another by more than a pixel.
 *
 * @param {Rect} one
 * @param {Rect} other
 */
export function overlap(one, other) {
  const across = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
  return across > 1 && down > 1;
}
