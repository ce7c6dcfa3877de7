// The small grammar of all panels: marks by place and look, titles and words in lines, where
// examples are, scales and curves.

import { overlap, shortened, textWidth, wrap } from "../paint/measure.js";
import { whole } from "../run/words.js";
import { step } from "../board/scale.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Step } from "../board/scale.js" */
/** @import { Palette } from "../paint/colors.js" */
/**
 * @import { AreaMark, CircleMark, Coordinates, Drawing, LineMark, LinesMark, PanelMarks, Rect,
 *   RectMark, Target, TextMark } from "../board/types.d.ts"
 */

/** @typedef {Pick<TextMark, "size" | "fill"> & Partial<TextMark>} TextLook */

/**
 * A text with a look of its own; `short` is what it says where there is no room for all of it.
 * @typedef {Pick<TextMark, "text" | "size"> & Partial<TextMark> & { short?: string }} StyledText
 */

const LETTERS_BEFORE_NOTE = 1;
export const HALO = 15; // In px, round an example without a plane, in the colour of its f.
export const NEAR = 5; // In px: so far from its middle a point is still touched.
const TIMELINE_INSET = 8; // In px, at both ends; `inset` at its beginning, where letters need more.

export const chart = {
  /** @type {(x: number, y: number, text: string, look: TextLook) => TextMark} */
  text: (x, y, text, look) => ({ ...look, kind: "text", x, y, text }),
  /**
   * Lines of words one below the other, the first at y.
   *
   * @type {(x: number, y: number, lines: string[], step: number, look: TextLook) => TextMark[]}
   */
  words: (x, y, lines, step, look) =>
    lines.map((text, k) => ({ ...look, kind: "text", x, y: y + k * step, text })),
  /** @type {(x: number, y: number, w: number, h: number, look?: Partial<RectMark>) => RectMark} */
  rect: (x, y, w, h, look) => ({ ...look, kind: "rect", x, y, w, h }),
  /** @type {(x: number, y: number, r: number, look?: Partial<CircleMark>) => CircleMark} */
  circle: (x, y, r, look) => ({ ...look, kind: "circle", x, y, r }),
  /**
   * A line through points x, y, x, y, …
   *
   * @type {(points: Coordinates, look: Partial<LineMark>) => LineMark}
   */
  line: (points, look) => ({ ...look, kind: "line", points }),
  /** @type {(lines: Coordinates[], look: Partial<LinesMark>) => LinesMark} */
  lines: (lines, look) => ({ ...look, kind: "lines", lines }),
  /**
   * A place that can be pointed at, and paints nothing.
   *
   * @type {(rect: Rect, target: Target, words?: (part: number) => string[]) => AreaMark}
   */
  area: ({ x, y, w, h }, target, words) => ({ kind: "area", x, y, w, h, target, words }),
  /**
   * The background of a plot, and the rule at its foot.
   *
   * @type {(x: number, top: number, w: number, base: number, palette: Palette) => RectMark[]}
   */
  background: (x, top, w, base, palette) => [
    { kind: "rect", x, y: top, w, h: base - top, fill: palette.panel },
    { kind: "rect", x, y: base, w, h: 1, fill: palette.rule },
  ],
};

/**
 * The layers of a panel that may have no more than marks which are drawn each time.
 *
 * @returns {PanelMarks}
 */
export const layersOf = (/** @type {Drawing} */ drawing) =>
  Array.isArray(drawing) ? { still: [], moving: drawing } : drawing;

/**
 * The title of a panel, at its left end, cut or `short` where a note needs its room; with the
 * letter of its run where several are compared.
 */
export function heading(
  /** @type {Pick<PanelScene, "rect" | "unit" | "palette"> & { letter?: string, least?: number }} */
  { rect, unit, palette, letter = "", least = 0 },
  /** @type {string | { text: string, short: string }} */ title,
  /** @type {StyledText | null} */ note = null,
  size = step("label", unit),
) {
  const line = { x: rect.x, y: rect.y + (15 / 14) * size, w: rect.w };
  const { text, short } = typeof title === "string" ? { text: title, short: "" } : title;
  const before = letter && `${letter} · `;
  const words = { text: before + text, ...(short && { short: before + short }) };
  return onOneLine(
    palette,
    line,
    { ...words, size, weight: 600, fill: palette.ink, name: "title" },
    note && { ...note, size: Math.max(note.size, least) }, // A stage has no smaller type.
  );
}

/** How large type of a step is in a panel. @param {Step} name */
export const sizeIn = (/** @type {Pick<PanelScene, "unit" | "least">} */ scene, name) =>
  Math.max(step(name, scene.unit), scene.least ?? 0); // A stage has no smaller type.

/** Why a panel has nothing to show, under its title. */
export function whyNot(
  /** @type {Pick<PanelScene, "rect" | "unit" | "palette">} */ { rect, unit, palette },
  words,
) {
  const size = step("label", unit);
  const look = { size, fill: palette.quiet, name: "why" };
  const lines = wrap(words, rect.w, size, palette.fonts);
  return chart.words(rect.x, rect.y + 24 * unit + 1.2 * size, lines, 1.35 * size, look);
}

/**
 * A text at the left end of a line and one at its right end, left out where it has no room.
 *
 * @param {Palette} palette
 * @param {{ x: number, y: number, w: number }} line
 * @param {StyledText} left
 * @param {StyledText | null} right
 * @returns {TextMark[]}
 */
export function onOneLine({ fonts, quiet: fill }, { x, y, w }, { short: less, ...left }, right) {
  const wide = (/** @type {StyledText} */ { text, size, weight }) =>
    textWidth(text, size, fonts, weight);
  const within = (/** @type {StyledText} */ { text, size, weight }, room) =>
    shortened(text, room, size, fonts, weight);
  const shortest = less ? { ...left, text: less } : left;
  /** @returns {TextMark} */
  const beginning = (room) => {
    const text = within(wide(left) > room ? shortest : left, room);
    return { kind: "text", x, y, fill, ...left, text };
  };
  if (!right?.text) return [beginning(w)];
  const { short, ...note } = right;
  const gap = LETTERS_BEFORE_NOTE * left.size;
  if (short && wide(left) + gap + wide(note) > w) note.text = short;
  if (wide(shortest) + gap + wide(note) > w) return [beginning(w)];
  return [
    beginning(w - gap - wide(note)),
    { kind: "text", x: x + w, y, align: "right", fill, ...note },
  ];
}

/** @returns {"positive" | "negative"} */
export const classOf = (run, i) => (run.y[i] > 0 ? "positive" : "negative");

export const shapeOf = (run, i) => run.header.tokens.shapes[classOf(run, i)];

export const pixelOf = ({ run, view }, i) => [view.x(run.X[2 * i]), view.y(run.X[2 * i + 1])];

/** The pixels of all examples on the map, those held out the last. */
export const allPixels = ({ run, view }) =>
  Array.from({ length: run.n + run.nTest }, (_, i) => pixelOf({ run, view }, i));

/** The circles of all examples on the map, in the same order. @param {PanelScene} scene */
export const circlesOfPoints = ({ run, view, t, pointScale }) =>
  allPixels({ run, view }).map(([x, y], i) => ({
    i,
    x,
    y,
    r: run.pointRadius(i, t, pointScale),
  }));

/**
 * @param {{ span: number }} run
 * @param {{ x: number, w: number, inset?: number }} rect
 * @param {number} t
 */
export const timeX = (run, { x, w, inset = TIMELINE_INSET }, t) =>
  x + inset + (t / Math.max(run.span, 1)) * (w - inset - TIMELINE_INSET);

/**
 * How many steps a chart of a run so far shows: one epoch, or twice as many as before, so that it
 * uses its width and seldom changes.
 *
 * @param {{ trace: { epochStart: ArrayLike<number> }, span: number, n: number }} run
 * @param {number} t
 */
export function spanSoFar({ trace, span, n }, t) {
  let steps = Math.max(Math.min(trace.epochStart[1] ?? n, span), 1);
  while (steps < t) steps *= 2;
  return steps;
}

const STRIDES = [1, 5, 10, 50, 100, 500];

/** Every how manyth epoch has its number, of epochs and numbers so wide. */
export const strideOf = (epochWidth, widest) =>
  STRIDES.find((stride) => stride * epochWidth >= widest) ?? STRIDES.at(-1);

export const epochEnds = ({ trace, nSteps }) =>
  Array.from({ length: trace.nEpochs }, (_, k) =>
    k + 1 < trace.nEpochs ? trace.epochStart[k + 1] : nSteps,
  );

/**
 * Of each stretch of values the places of the lowest and of the highest, in their order: a curve
 * needs no other points.
 */
export function extremes(values, stride, from = 0) {
  const places = [];
  for (let start = from; start < values.length; start += stride) {
    let least = start;
    let most = start;
    for (let k = start; k < Math.min(start + stride, values.length); k++) {
      if (values[k] < values[least]) least = k;
      if (values[k] > values[most]) most = k;
    }
    places.push(least <= most ? [least, most] : [most, least]);
  }
  return places;
}

/** All marks of a panel, from the lowest to the highest. @param {Drawing} drawing */
export function allMarks(drawing) {
  const { still, moving } = layersOf(drawing);
  return [...still.flatMap(({ marks }) => marks()), ...moving];
}

const MOST_LISTED = 30;

/** What lies in a panel, thing by thing, of much the first. @param {Drawing} drawing */
export function listedWords(drawing) {
  const things = allMarks(drawing).filter(({ target, words }) => target?.stop && words);
  const sentences = things
    .slice(0, MOST_LISTED)
    .map(({ words }) => words(0).join("; ").replace(/[.]?$/, "."));
  return things.length > MOST_LISTED
    ? [...sentences, `${whole.format(things.length - MOST_LISTED)} more.`]
    : sentences;
}

/**
 * The texts of a panel by their names.
 *
 * @param {Drawing} drawing
 * @returns {(name: string) => TextMark[]}
 */
export const textsOf = (drawing) => (textName) =>
  layersOf(drawing)
    .moving.filter((mark) => mark.kind === "text")
    .filter(({ name }) => name === textName);

/** Whether a box lies within a rectangle. @param {Rect} box @param {Rect} rect */
export const isIn = ({ x, y, w, h }, rect) =>
  x >= rect.x && x + w <= rect.x + rect.w && y >= rect.y && y + h <= rect.y + rect.h;

/**
 * The first of some boxes that lies within a rectangle and on none of those that are taken; where
 * there is none, the one that lies on the fewest.
 *
 * @template {Rect} Box
 * @param {Box[]} boxes
 * @param {Rect[]} taken
 * @param {Rect} rect
 */
export function freest(boxes, taken, rect) {
  const crowd = (box) =>
    isIn(box, rect) ? taken.filter((other) => overlap(box, other)).length : Infinity;
  let best = boxes[0];
  let least = crowd(best);
  for (const box of boxes) {
    if (least === 0) break;
    const crowded = crowd(box);
    if (crowded >= least) continue;
    best = box;
    least = crowded;
  }
  return best;
}

/**
 * The boxes of circles.
 *
 * @param {{ x: number, y: number, r: number }[]} circles
 * @returns {Rect[]}
 */
export const boxesOf = (circles) =>
  circles.map(({ x, y, r }) => ({ x: x - r, y: y - r, w: 2 * r, h: 2 * r }));
