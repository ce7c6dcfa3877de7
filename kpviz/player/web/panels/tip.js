// The box at the pointer, with the numbers of what it touches.

import { chart } from "./chart.js";
import { shared, textWidth, wrap } from "../paint/measure.js";
import { rich } from "../paint/rich.js";
import { step } from "../board/scale.js";

/** @import { Palette } from "../paint/colors.js" */
/** @import { Layout, Mark, Rect } from "../board/types.d.ts" */

const GAP = 18; // In px, between the pointer and a box below it or beside it.
const ABOVE = 12; // In px, between the pointer and a box above it.
const FREE_RADIUS = 8; // In px, round the pointer.
const RING = 16; // In px, where the unit is 1: the half of the side of what has a ring.
const RING_COST = 1000; // It counts as much under the box as so many px of a line.
const EDGE = 2; // In px, between a box and the edges of the board.
const POINT_COST = 60; // A point under the box counts as much as so many px of a line.
const WORDS_COST = 0.003; // A px² of the sentence under it counts as so many px of a line.
const LINE_SAMPLES = 12;

/**
 * What the box speaks of: lines from a place to points, with their shares of the largest; `map` is
 * where they lie, `ring` the example of the step there.
 * @typedef {{ px: number, py: number }} PixelPlace
 * @typedef {{ from: PixelPlace, to: (PixelPlace & { weight: number })[], map: Rect,
 *   ring: PixelPlace | null }} TipLines
 */

/**
 * @param {{ lines: string[], px: number, py: number }} tip
 * @param {Palette} palette
 * @param {Pick<Layout, "unit" | "height" | "least" | "covered"> &
 *   Partial<Pick<Layout, "bar" | "knob" | "panels">>} layout
 * @param {number} width of the board
 * @param {TipLines | null} spoken
 * @returns {Mark[]}
 */
export function tipMarks(
  { lines, px, py },
  palette,
  { unit, height, least, bar, knob, panels, covered: over = [] },
  width,
  spoken,
) {
  const size = step("label", unit);
  const weight = (/** @type {number} */ line) => (line ? 400 : 600);
  const all = least
    ? lines.flatMap((line) => wrap(line, width - 40, size, palette.fonts, 600))
    : lines;
  const buttons = [bar, knob].filter((place) => place && place.h > 0);
  const covered = [...over, ...buttons];
  const room = { width, height, words: panels?.words };
  const boxOf = (/** @type {number} */ count) => {
    const widths = all
      .slice(0, count)
      .map((line, k) => textWidth(line, size, palette.fonts, weight(k)));
    return placeOf(
      Math.max(...widths) + 20,
      count * size * 1.4 + 12,
      { px, py },
      room,
      covered,
      spoken && { ...spoken, radius: RING * unit },
    );
  };
  let count = all.length;
  let box = boxOf(count);
  // A short card is better than one that is cut off.
  while (count > 1 && covered.some((other) => areaOf(box, other) > 0)) box = boxOf(--count);
  const { x, y, w, h } = box;
  return [
    chart.rect(x, y, w, h, {
      fill: palette.paper,
      stroke: palette.quiet,
      width: 1,
      radius: 5,
    }),
    ...all.slice(0, count).flatMap((text, k) =>
      rich({
        x: x + 10,
        y: y + 6 + size * (1.05 + 1.4 * k),
        size,
        weight: weight(k),
        fill: palette.ink,
        name: "tip",
        text,
        fonts: palette.fonts,
      }),
    ),
  ];
}

/**
 * Where a box lies: on the map that it speaks of if it has room there, under nothing that covers
 * the board, off the pointer, on as little as can be of what it speaks of and of the sentence, and
 * near; below the pointer and right of it where all that is equal.
 *
 * @param {number} w
 * @param {number} h
 * @param {{ px: number, py: number }} at
 * @param {{ width: number, height: number, words?: Rect }} room
 * @param {Rect[]} covered
 * @param {(TipLines & { radius: number }) | null} spoken
 * @returns {Rect}
 */
function placeOf(w, h, { px, py }, { width, height, words }, covered, spoken) {
  const { map } = spoken ?? {};
  const hasRoom = map && w <= map.w - 2 * EDGE && h <= map.h - 2 * EDGE;
  const room = hasRoom ? map : { x: 0, y: 0, w: width - EDGE, h: height };
  const left = room.x + EDGE;
  const top = room.y + EDGE;
  const right = room.x + room.w - w - EDGE;
  const bottom = room.y + room.h - h - EDGE;
  const edges = [...(words ? [words] : []), ...covered].flatMap((other) => [
    { x: other.x - w - 2 * EDGE, y: other.y - h - 2 * EDGE },
    { x: other.x + other.w + 2 * EDGE, y: other.y + other.h + 2 * EDGE },
  ]);
  const across = [px + GAP, ...edges.map(({ x }) => x), px - GAP - w, px - w / 2, left, right];
  const down = [py + GAP, py - ABOVE - h, py - h / 2, top, bottom, ...edges.map(({ y }) => y)];
  const pointer = {
    x: px - FREE_RADIUS,
    y: py - FREE_RADIUS,
    w: 2 * FREE_RADIUS,
    h: 2 * FREE_RADIUS,
  };
  let best = null;
  for (const x of across) {
    for (const y of down) {
      const box = {
        x: Math.max(Math.min(x, right), left),
        y: Math.max(Math.min(y, bottom), top),
        w,
        h,
      };
      const away = Math.hypot(beyond(px, box.x, w), beyond(py, box.y, h));
      if (best && away - 2 * GAP >= best.cost) continue;
      const hides =
        covered.reduce((area, other) => area + areaOf(box, other), 0) + 50 * areaOf(box, pointer);
      const ofWords = words ? areaOf(box, words) : 0;
      const least = 1000 * hides + WORDS_COST * ofWords + Math.max(away - 2 * GAP, 0);
      if (best && least >= best.cost) continue;
      const cost = least + (spoken ? spokenUnder(box, spoken) : 0);
      if (!best || cost < best.cost) best = { box, cost };
    }
  }
  return best.box;
}

/** How far a number is outside of a span. */
const beyond = (at, from, length) => Math.max(from - at, at - from - length, 0);

/** px² that two boxes have in common. @param {Rect} one @param {Rect} other */
function areaOf(one, other) {
  const [w, h] = shared(one, other);
  return w > 0 && h > 0 ? w * h : 0;
}

/**
 * px of lines that lie under a box, thick ones first, with the points at their ends and the ring.
 *
 * @param {Rect} box
 * @param {TipLines & { radius: number }} spoken
 */
function spokenUnder(box, { from, to, ring, radius }) {
  const inside = (x, y) => x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h;
  const ringed = ring && { x: ring.px - radius, y: ring.py - radius, w: 2 * radius, h: 2 * radius };
  let hidden = ringed && areaOf(box, ringed) > 0 ? RING_COST : 0;
  for (const { px, py, weight } of to) {
    const length = Math.hypot(px - from.px, py - from.py);
    const shares = Array.from({ length: LINE_SAMPLES }, (_, k) => (k + 0.5) / LINE_SAMPLES);
    const under = shares.filter((share) =>
      inside(from.px + share * (px - from.px), from.py + share * (py - from.py)),
    );
    hidden += ((length * under.length) / LINE_SAMPLES) * (0.3 + 0.7 * weight);
    if (inside(px, py)) hidden += POINT_COST;
  }
  return hidden;
}
