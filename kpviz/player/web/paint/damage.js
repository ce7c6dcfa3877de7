// Where two boards differ: what has to be drawn again for one of them to become the other.

import { EDGE } from "./paint.js";

/** @import { Board, BoardPanel, Mark, MarkOf, Points, Rect, TextMark } from "../types.d.ts" */

/**
 * Left, top, right and bottom in px.
 * @typedef {[number, number, number, number]} Box
 */

/** @typedef {(mark: TextMark) => number} WidthOf */

const SMOOTH = 1; // px that a smooth edge may reach beyond a shape
const APART = 3000; // px² that are rather drawn in vain than in a pass of their own
const SHARP = ["image", "text"]; // whose pixels are the same where a part is drawn
const MOST = 0.6; // of the board: more is drawn as a whole

/**
 * The parts of a board that differ from the one before, each with what is drawn in it; null where the whole board is to
 * be drawn. A part takes whole pixels of a canvas with `ratio` of them in one px, and cuts no smooth edge, which would be
 * drawn a little differently beside a cut.
 *
 * @param {Board} before
 * @param {Board} now
 * @param {{ widthOf: WidthOf, ratio: number }} how
 * @returns {{ box: Box, board: Board }[] | null}
 */
export function damage(before, now, { widthOf, ratio }) {
  if (before.ground !== now.ground || before.panels.length !== now.panels.length) return null;
  /** @type {Box} */
  const whole = [0, 0, now.width, now.height];
  const found = [];
  for (let k = 0; k < now.panels.length; k++) {
    const [old, panel] = [before.panels[k], now.panels[k]];
    if (!alike(old, panel)) return null;
    const seen = panel.clip ? common(boxOf(panel.clip), whole) : whole;
    for (const box of changes(old, panel, widthOf)) if (meet(box, seen)) found.push(common(box, seen));
  }
  if (!found.length) return [];
  const extents = now.panels.map(({ moving }) => moving.map((mark) => extent(mark, widthOf)));
  const boxes = outermost(joined(found).map((box) => aligned(grown(box, now, extents), ratio)));
  if (boxes.reduce((sum, box) => sum + area(box), 0) > MOST * area(whole)) return null;
  return boxes.map((box) => ({ box, board: within(now, box, extents) }));
}

/**
 * What of a board is drawn in a box.
 *
 * @param {Board} board
 * @param {Box} box
 * @param {Box[][]} extents of the moving marks
 * @returns {Board}
 */
function within(board, box, extents) {
  const panels = [];
  board.panels.forEach((panel, k) => {
    if (panel.clip && !meet(boxOf(panel.clip), box)) return;
    const still = panel.rect && meet(layerBox(panel.rect), box) ? panel.still : [];
    const moving = panel.moving.filter((_, i) => meet(extents[k][i], box));
    if (still.length || moving.length) panels.push({ ...panel, still, moving, marks: moving });
  });
  return { ...board, panels };
}

/**
 * A box so large that it cuts no smooth edge.
 *
 * @param {Box} box
 * @param {Board} board
 * @param {Box[][]} extents
 */
function grown(box, { panels }, extents) {
  for (let before = 0; before < area(box);) {
    before = area(box);
    panels.forEach(({ moving, clip }, k) => {
      for (let i = 0; i < moving.length; i++) {
        if (!meet(extents[k][i], box) || SHARP.includes(moving[i].kind)) continue;
        const edge = clip ? common(extents[k][i], boxOf(clip)) : extents[k][i];
        if (meet(edge, box)) box = both(edge, box);
      }
    });
  }
  return box;
}

/** @type {(box: Box, ratio: number) => Box} */
const aligned = ([left, top, right, bottom], ratio) => [
  Math.floor(left * ratio) / ratio,
  Math.floor(top * ratio) / ratio,
  Math.ceil(right * ratio) / ratio,
  Math.ceil(bottom * ratio) / ratio,
];

/** Whether two panels are the same one at the same place, with as many layers. */
const alike = (one, other) =>
  one.name === other.name &&
  one.still.length === other.still.length &&
  alikeRects(one.rect, other.rect) &&
  alikeRects(one.clip, other.clip);

const alikeRects = (one, other) =>
  one === other || (one && other && one.x === other.x && one.y === other.y && one.w === other.w && one.h === other.h);

/**
 * @param {BoardPanel} before
 * @param {BoardPanel} now
 * @param {WidthOf} widthOf
 * @returns {Box[]}
 */
function changes(before, now, widthOf) {
  /** @type {Box[]} */
  const boxes = [];
  now.still.forEach(({ key, upTo }, k) => {
    const old = before.still[k];
    const [left, top, right, bottom] = layerBox(now.rect);
    if (old.key !== key || (old.upTo === undefined) !== (upTo === undefined)) boxes.push([left, top, right, bottom]);
    else if (old.upTo !== upTo) boxes.push([Math.min(old.upTo, upTo), top, Math.max(old.upTo, upTo), bottom]);
  });
  for (const mark of differing(before.moving, now.moving)) boxes.push(extent(mark, widthOf));
  return boxes;
}

/**
 * The marks of two lists, each in the order in which they are drawn, that the other one does not have at this place.
 *
 * @param {Mark[]} before
 * @param {Mark[]} now
 */
function differing(before, now) {
  if (before.length === now.length) return now.flatMap((mark, k) => (same(before[k], mark) ? [] : [before[k], mark]));
  const shorter = Math.min(before.length, now.length);
  let start = 0;
  while (start < shorter && same(before[start], now[start])) start += 1;
  let end = 0;
  while (end < shorter - start && same(before.at(-1 - end), now.at(-1 - end))) end += 1;
  return [before, now].flatMap((marks) => marks.slice(start, marks.length - end));
}

/** Whether two marks look the same; an image may have changed. */
function same(one, other) {
  if (one.kind !== other.kind || one.kind === "image") return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => equal(one[name], other[name]));
}

function equal(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || one.length !== other?.length) return false;
  for (let k = 0; k < one.length; k++) if (!equal(one[k], other[k])) return false;
  return one.length !== undefined;
}

// ---- boxes --------------------------------------------------------------------------------------

/** @type {(rect: Rect) => Box} */
const boxOf = ({ x, y, w, h }) => [x, y, x + w, y + h];

/** The box of a panel's layers. @type {(rect: Rect) => Box} */
const layerBox = ({ x, y, w, h }) => [
  Math.floor(x) - EDGE,
  Math.floor(y) - EDGE,
  Math.ceil(x + w) + 2 * EDGE,
  Math.ceil(y + h) + 2 * EDGE,
];

/** @type {(box: Box, by: number) => Box} */
const wider = ([left, top, right, bottom], by) => [left - by, top - by, right + by, bottom + by];

/** @type {(one: Box, other: Box) => Box} */
const common = (one, other) => [
  Math.max(one[0], other[0]),
  Math.max(one[1], other[1]),
  Math.min(one[2], other[2]),
  Math.min(one[3], other[3]),
];

/** @type {(one: Box, other: Box) => Box} */
const both = (one, other) => [
  Math.min(one[0], other[0]),
  Math.min(one[1], other[1]),
  Math.max(one[2], other[2]),
  Math.max(one[3], other[3]),
];

/** Whether two boxes have a part in common. @type {(one: Box, other: Box) => boolean} */
const meet = (one, other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];

/** @type {(box: Box) => number} */
const area = ([left, top, right, bottom]) => Math.max(right - left, 0) * Math.max(bottom - top, 0);

/**
 * Few boxes in place of many: two are one where that draws little in vain.
 *
 * @param {Box[]} boxes
 */
function joined(boxes) {
  /** @type {Box[]} */
  const kept = [];
  for (let box of boxes) {
    for (let k = 0; k < kept.length;) {
      const union = both(kept[k], box);
      if (area(union) > area(kept[k]) + area(box) + APART) k += 1;
      else {
        box = union;
        kept.splice(k, 1);
        k = 0;
      }
    }
    kept.push(box);
  }
  return kept;
}

/** The boxes that lie in no other one. @type {(boxes: Box[]) => Box[]} */
const outermost = (boxes) =>
  boxes.filter(
    (box, k) =>
      !boxes.some(
        (other, j) => j !== k && area(both(other, box)) === area(other) && (area(box) < area(other) || j < k),
      ),
  );

/** @type {(points: Points) => Box} */
function ends(points) {
  /** @type {Box} */
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = 0; k < points.length; k += 2) {
    box[0] = Math.min(box[0], points[k]);
    box[1] = Math.min(box[1], points[k + 1]);
    box[2] = Math.max(box[2], points[k]);
    box[3] = Math.max(box[3], points[k + 1]);
  }
  return box;
}

/** What a mark fills without its stroke, or more. @type {{ [K in Mark["kind"]]: (mark: MarkOf<K>, widthOf?: WidthOf) => Box }} */
const FILLS = {
  image: boxOf,
  rect: boxOf,
  rects: ({ points, w, h }) => {
    const [left, top, right, bottom] = ends(points);
    return [left, top, right + w, bottom + h];
  },
  circle: ({ x, y, r }) => wider([x, y, x, y], r),
  ellipse: ({ x, y, rx, ry }) => [x - rx, y - ry, x + rx, y + ry],
  square: ({ x, y, r }) => wider([x, y, x, y], r),
  line: ({ points }) => ends(points),
  lines: ({ lines }) => lines.map(ends).reduce(both, ends([])),
  polygon: ({ points }) => ends(points),
  spotlight: ({ w, h }) => [0, 0, w, h],
  text: (mark, widthOf) => {
    const { x, y, size, align = "left", baseline } = mark;
    const width = widthOf(mark);
    const left = x - { left: 0, center: width / 2, right: width }[align];
    const [above, below] = baseline === "middle" ? [1, 1] : [1.2, 0.6];
    return [left - size / 2, y - above * size, left + width + size / 2, y + below * size];
  },
};

/**
 * The box that a mark stays within.
 *
 * @param {Mark} mark
 * @param {WidthOf} widthOf
 * @returns {Box}
 */
function extent(mark, widthOf) {
  const box = /** @type {(mark: Mark, widthOf: WidthOf) => Box} */ (FILLS[mark.kind])(mark, widthOf);
  const { stroke, width = 1 } = /** @type {{ stroke?: string, width?: number }} */ (mark);
  return wider(box, SMOOTH + (stroke ? width : mark.kind === "text" ? 2 : 0));
}
