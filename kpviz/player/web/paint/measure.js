// How wide texts are, and how they break into lines.

/** @import { Rect, TextMark } from "../board/types.d.ts" */
/** @import { Fonts } from "../run/types.d.ts" */

const ABOVE = 0.74; // Relative to its size: so far a text reaches above its baseline.
const BELOW = 0.2;

const MOST_REMEMBERED = 2000;
// Words; "is 0,", "(x₀, ·)", "m₊ − m₋", "(1 + x)" and "f = 0" stay together.
const BETWEEN =
  / (?!\+ [^\s()]+\))(?<!\([^\s()]+ \+ )(?!·\))(?!0, )(?!− )(?<! − )(?!(?<=(?:^|[\s(])[^\s(] )= )(?<!(?:^|[\s(])[^\s(] = )/;

/** @type {CanvasRenderingContext2D | null} */
const measuring =
  typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");
// Else each letter of small type begins at a whole pixel, and words look squeezed.
export const PRECISE = "geometricPrecision";
if (measuring) measuring.textRendering = PRECISE;
/**
 * A font, and the widths of the texts that were measured in it.
 * @typedef {{ size: number, weight: number, family: string, font: string,
 *   widths: Map<string, number> }} MeasuredFont
 */

/** @type {Map<string, MeasuredFont>} */
const measuredFonts = new Map();
// Texts come in rows of one font, and its name takes longer to write than a width to look up.
/** @type {MeasuredFont | null} */
let newest = null;
let remembered = 0; // How many widths there are in all fonts.

/** Forget what was measured: a font has arrived. */
export function forgetWidths() {
  measuredFonts.clear();
  newest = null;
  remembered = 0;
}

/** Break a text into lines of at most `width` px. @param {Fonts} fonts */
export function wrap(text, width, size, fonts, weight = 400) {
  const lines = [];
  const space = textWidth(" ", size, fonts, weight);
  let room = -1;
  for (const word of text.split(BETWEEN)) {
    // Words return, whole lines do not: so these are remembered.
    const needed = textWidth(word, size, fonts, weight);
    if (needed + space <= room) lines[lines.length - 1] += ` ${word}`;
    else {
      lines.push(word);
      room = width + space;
    }
    room -= needed + space;
  }
  return lines;
}

const HALVINGS = 6; // So often the width of balanced lines is halved towards the least.

/**
 * The same in as few lines, which are about as long as each other: no last word stands alone.
 *
 * @param {Fonts} fonts
 */
export function wrapBalanced(text, width, size, fonts, weight = 400) {
  let lines = wrap(text, width, size, fonts, weight);
  if (lines.length < 2) return lines;
  let tooNarrow = 0;
  let enough = width;
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (tooNarrow + enough) / 2;
    const narrower = wrap(text, middle, size, fonts, weight);
    const fits = narrower.length === lines.length && isWithin(narrower, middle);
    if (!fits) {
      tooNarrow = middle;
      continue;
    }
    lines = narrower;
    enough = middle;
  }
  return lines;

  /** Whether no word is longer than a line. */
  function isWithin(some, most) {
    return some.every((line) => textWidth(line, size, fonts, weight) <= most);
  }
}

/** The width of a text in px. @param {Fonts} fonts */
export function textWidth(text, size, fonts, weight = 400) {
  const family = fonts.canvas;
  if (newest?.size !== size || newest.weight !== weight || newest.family !== family) {
    newest = measuredIn(size, weight, family);
  }
  const { font, widths } = newest;
  const known = widths.get(text);
  if (known !== undefined) return known;
  if (measuring.font !== font) measuring.font = font;
  const { width } = measuring.measureText(text);
  widths.set(text, width);
  remembered += 1;
  if (remembered > MOST_REMEMBERED) forgetWidths();
  return width;
}

/** @returns {MeasuredFont} */
function measuredIn(size, weight, family) {
  const font = `${weight} ${size}px ${family}`;
  if (!measuredFonts.has(font)) {
    measuredFonts.set(font, { size, weight, family, font, widths: new Map() });
  }
  return measuredFonts.get(font);
}

/**
 * The first of some texts that is at most `width` px wide.
 *
 * @param {string[]} texts
 * @param {Fonts} fonts
 */
export const firstWithin = (texts, width, size, fonts, weight = 400) =>
  texts.find((text) => textWidth(text, size, fonts, weight) <= width);

/**
 * A text in at most `width` px: where it is longer, its beginning with an ellipsis.
 *
 * @param {Fonts} fonts
 */
export function shortened(text, width, size, fonts, weight = 400) {
  if (textWidth(text, size, fonts, weight) <= width) return text;
  let cut = text.length;
  while (cut > 1 && textWidth(`${text.slice(0, cut).trimEnd()}…`, size, fonts, weight) > width) {
    cut -= 1;
  }
  return `${text.slice(0, cut).trimEnd()}…`;
}

/** The box that a text fills. @param {TextMark} mark @param {Fonts} fonts @returns {Rect} */
export function boxOf({ text, x, y, size, align = "left", baseline, weight, up }, fonts) {
  const w = textWidth(text, size, fonts, weight);
  const [above, below] = baseline === "middle" ? [0.5, 0.5] : [ABOVE, BELOW];
  if (up) return { x: x - above * size, y: y - w / 2, w: (above + below) * size, h: w };
  return {
    x: x - { left: 0, center: w / 2, right: w }[align],
    y: y - above * size,
    w,
    h: (above + below) * size,
  };
}

/**
 * Whether two boxes lie on one another by more than a pixel.
 *
 * @param {Rect} one
 * @param {Rect} other
 */
export function overlap(one, other) {
  const [across, down] = shared(one, other);
  return across > 1 && down > 1;
}

/**
 * Width and height of what two boxes have in common; one of them is not above 0 where they have
 * nothing.
 *
 * @param {Rect} one
 * @param {Rect} other
 */
export const shared = (one, other) => [
  Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x),
  Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y),
];

// The type of the stage while one presents: nothing smaller than can be read from the back row,
// nothing cut, nothing over something else.

export const SCRIPT = 0.72; // Relative to the size of its line.
const SLACK = 3; // In px: a text may stick out of its panel so far.
// A text that is too long may end before one of these.
const ENDS = [" · ", "  ·  ", " (", "; ", ": "];

export class Legible {
  constructor() {
    this.stillLayers = new Map();
  }

  /**
   * Make the texts of a panel large enough; those that then find no place are shortened or left
   * out, the first ones last.
   */
  fit(panel, { least, fonts, width, height }) {
    const bounds = panel.rect ?? { x: 0, y: 0, w: width, h: height };
    const taken = [];
    panel.still = panel.still.map((still, k) => {
      const known = this.#still(
        `${panel.name}${k}`,
        [still.key, ...Object.values(bounds), least].join(),
        still,
        (marks) => placed(marks, { least, fonts, bounds, taken: [...taken] }),
      );
      taken.push(...known.boxes);
      return { ...still, key: `${still.key},${least}`, marks: () => known.marks };
    });
    panel.moving = placed(panel.moving, { least, fonts, bounds, taken }).marks;
  }

  /** What stands still is placed once. */
  #still(name, key, { marks }, place) {
    if (this.stillLayers.get(name)?.key !== key) {
      this.stillLayers.set(name, { key, ...place(marks()) });
    }
    return this.stillLayers.get(name);
  }
}

/** { marks, boxes } with the texts that find a place among `taken`. */
function placed(marks, { least, fonts, bounds, taken }) {
  const boxes = [];
  const placedMarks = [];
  let line = Infinity; // The size of the text before.
  for (const mark of marks) {
    const script = mark.kind === "text" && Math.abs(mark.size - SCRIPT * line) < 1e-6;
    if (mark.kind === "text" && !script) line = mark.size;
    const settled =
      mark.kind === "text"
        ? settle(mark, { least: script ? SCRIPT * least : least, fonts, bounds })
        : { mark };
    if (
      !settled ||
      (settled.box && [...taken, ...boxes].some((other) => overlap(settled.box, other)))
    ) {
      continue;
    }
    if (settled.box) boxes.push(settled.box);
    placedMarks.push(settled.mark);
  }
  return { marks: placedMarks, boxes };
}

/**
 * The text, large enough and within its panel, with the box that it fills; null where it cannot be.
 */
function settle(mark, { least, fonts, bounds }) {
  if (mark.up) return { mark, box: boxOf(mark, fonts) };
  const size = Math.max(mark.size, least);
  const measure = (text) =>
    textWidth(text, size, mark.code ? { canvas: fonts.code } : fonts, mark.weight);
  const room = { left: bounds.x + bounds.w - mark.x, center: bounds.w, right: mark.x - bounds.x }[
    mark.align ?? "left"
  ];
  const text = cutTo(mark.text, room + SLACK, measure);
  if (text === null) return null;
  const w = measure(text);
  const offset = { left: 0, center: w / 2, right: w }[mark.align ?? "left"];
  const left = Math.min(
    Math.max(mark.x - offset, bounds.x - SLACK),
    bounds.x + bounds.w + SLACK - w,
  );
  const [above, below] = mark.baseline === "middle" ? [0.5, 0.5] : [ABOVE, BELOW];
  const highest = bounds.y - SLACK + above * size;
  const lowest = bounds.y + bounds.h + SLACK - below * size;
  const y = Math.min(Math.max(mark.y, highest), lowest);
  if (Math.abs(y - mark.y) > 0.6 * size) return null;
  return {
    mark: { ...mark, text, size, x: left + offset, y },
    box: { x: left, y: y - above * size, w, h: (above + below) * size },
  };
}

/** The text, or its beginning up to where it may end, or as many of its words as fit. */
function cutTo(text, width, measure) {
  if (measure(text) <= width) return text;
  for (const end of ENDS) {
    for (let at = text.lastIndexOf(end); at > 0; at = text.lastIndexOf(end, at - 1)) {
      if (measure(text.slice(0, at)) <= width) return text.slice(0, at);
    }
  }
  const words = text.split(" ");
  while (words.length > 1) {
    words.pop();
    const some = `${words.join(" ")} …`;
    if (measure(some) <= width) return some;
  }
  return null;
}
