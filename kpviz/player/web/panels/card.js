// The card that a film begins with: what the run is called, who shows it, and what it is; or a
// heading above words, and room for a picture beside these.

import { chart } from "./chart.js";
import { textWidth, wrap } from "../paint/measure.js";
import { rich } from "../paint/rich.js";

/** @import { Mark } from "../board/types.d.ts" */
/** @import { Fonts } from "../run/types.d.ts" */

const WIDTH_SHARE = 0.8;
const WIDTH_SHARE_OF_WORDS = 0.9;
const WORDS_SHARE = 0.44; // On a page that is higher than wide this is a share of the height.
const ABOVE = 1; // So far a line reaches above its baseline; both are relative to its size.
const BELOW = 0.3;
const APART = 0.15; // Between a formula that is higher than a line and the next one.
const CODE_SIZE = 0.86; // Relative to the size of words; the lines of programs begin with a tab.
const FIRST_FORMULA = 0xe000; // Its character in a text; the others follow.
const FORMULA = /([\ue000-\uf8ff])/;
const LEAST_SIZE = 15; // In px, on a page whose shorter side is 720.

/**
 * A formula that Python has set: how much room it needs, relative to the size of its line.
 *
 * @typedef {{ latex: string, display: boolean, text: string, width: number, above: number,
 *   below: number }} SetFormula
 */

/**
 * A formula on a card, which no canvas paints.
 *
 * @typedef {{ kind: "formula", latex: string, display: boolean, text: string, x: number, y: number,
 *   size: number, fill: string }} FormulaMark
 */

/**
 * A board with a title, `by` below it, and the line `about`; or with words, paragraphs with an
 * empty line between them and characters in place of `formulas`; with `hasBoard` the panel "beside"
 * is the room of a picture.
 */
export function cardBoard(
  { title, by = "", about = "", words = "", formulas = [], hasBoard = false },
  { width, height, palette },
) {
  const unit = Math.min(width, height) / 720;
  const room = hasBoard || words ? WIDTH_SHARE_OF_WORDS : WIDTH_SHARE;
  const left = (width * (1 - room)) / 2;
  const place = hasBoard ? split(width, height, left, words !== "") : null;
  const write = (text, top, size, high, look, wide = room * width) => {
    const { fill, weight } = look;
    const type = new CardType(palette.fonts, weight, formulas);
    const { lines, size: set } = fit(text, wide, high, size * unit, LEAST_SIZE * unit, type);
    let y = look.up ? top + (BELOW - heightOf(lines, type)) * set : top;
    return lines.flatMap((line) => {
      const { above, below } = type.reach(line);
      y += above * set;
      const marks = marksOf(line, { x: left, y, size: set, fill, weight }, type);
      y += below * set;
      return marks;
    });
  };
  const plain = { fill: palette.ink, weight: 400 };
  const head = { fill: palette.ink, weight: 600, up: true };
  const rule = (y) => chart.rect(left, y * height, 0.12 * width, 5 * unit, { fill: palette.ink });
  const moving =
    words || place
      ? [
          ...write(title, 0.165 * height, 56, 0.13 * height, head),
          rule(0.21),
          ...write(words, 0.26 * height, 44, place?.high ?? 0.68 * height, plain, place?.wide),
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

/** The type of a text, and the formulas in it. */
class CardType {
  /** @param {Fonts} fonts @param {number} weight @param {SetFormula[]} formulas */
  constructor(fonts, weight, formulas) {
    this.fonts = fonts;
    this.weight = weight;
    this.formulas = formulas;
  }

  /** The text in parts, of which every second one is a formula. @param {string} text */
  parts(text) {
    return text
      .split(FORMULA)
      .map((part, k) => (k % 2 ? this.formulas[part.charCodeAt(0) - FIRST_FORMULA] : part));
  }

  /** How wide a text is. @param {string} text @param {number} size */
  width(text, size) {
    if (isCode(text)) {
      return textWidth(text.slice(1), CODE_SIZE * size, { canvas: this.fonts.code });
    }
    return this.parts(text)
      .map((part) =>
        typeof part === "string"
          ? textWidth(part, size, this.fonts, this.weight)
          : part.width * size,
      )
      .reduce((sum, width) => sum + width, 0);
  }

  /** How far a line reaches above and below its baseline. @param {string} line */
  reach(line) {
    const formulas = this.parts(line).filter((part) => typeof part !== "string");
    return {
      above: Math.max(ABOVE, ...formulas.map(({ above }) => above + APART)),
      below: Math.max(BELOW, ...formulas.map(({ below }) => below + APART)),
    };
  }

  /** The lines of a paragraph. @param {string} text @param {number} width @param {number} size */
  wrap(text, width, size) {
    if (isCode(text)) return [text];
    if (!FORMULA.test(text)) return wrap(text, width, size, this.fonts, this.weight);
    const lines = [""];
    for (const word of text.split(" ")) {
      const line = lines.at(-1);
      const longer = line ? `${line} ${word}` : word;
      if (line && this.width(longer, size) > width) lines.push(word);
      else lines[lines.length - 1] = longer;
    }
    return lines;
  }
}

/** How high lines are, relative to their size. @param {string[]} lines @param {CardType} type */
const heightOf = (lines, type) =>
  lines.map((line) => type.reach(line)).reduce((sum, { above, below }) => sum + above + below, 0);

/**
 * @param {string} line
 * @param {{ x: number, y: number, size: number, fill: string, weight: number }} look
 * @param {CardType} type
 * @returns {(Mark | FormulaMark)[]}
 */
function marksOf(line, { x, y, size, fill, weight }, type) {
  if (isCode(line)) {
    return [chart.text(x, y, line.slice(1), { size: CODE_SIZE * size, fill, code: true })];
  }
  let left = x;
  /** @type {(Mark | FormulaMark)[]} */
  const marks = [];
  for (const part of type.parts(line)) {
    if (typeof part === "string") {
      marks.push(...rich({ text: part, x: left, y, size, fill, weight, fonts: type.fonts }));
      left += type.width(part, size);
    } else {
      const { latex, display, text } = part;
      marks.push({ kind: "formula", latex, display, text, x: left, y, size, fill });
      left += part.width * size;
    }
  }
  return marks;
}

/**
 * The text in lines, in the largest type that fits a box; what does not fit in the smallest is left
 * out.
 *
 * @param {string} text
 * @param {number} width
 * @param {number} height
 * @param {number} largest
 * @param {number} least
 * @param {CardType} type
 */
function fit(text, width, height, largest, least, type) {
  const wrapped = () => text.split("\n").flatMap((part) => type.wrap(part, width, size));
  let size = largest;
  let lines = wrapped();
  const isTooLarge = () =>
    heightOf(lines, type) * size > height ||
    lines.some((line) => (isCode(line) || FORMULA.test(line)) && type.width(line, size) > width);
  while (isTooLarge() && size > least) {
    size = Math.max(0.96 * size, least);
    lines = wrapped();
  }
  const isCut = heightOf(lines, type) * size > height;
  if (isCut) {
    while (lines.length && heightOf([...lines, "…"], type) * size > height) lines.pop();
    lines.push("…");
  }
  return { lines: text ? lines : [], size };
}
