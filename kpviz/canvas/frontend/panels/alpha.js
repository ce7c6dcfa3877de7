// Bricks: one column for each support example, one brick for each mistake on it.

import { subscript } from "../words.js";

const NARROWEST = 3; // px of a column that still shows bricks

const FEWEST = 4; // bricks that a column has room for

/**
 * Geometry of the columns. They are those of the whole run, so that none moves while one plays; the room above them
 * doubles when it is needed.
 */
export function columns(run, rect, unit, t) {
  const head = 24 * unit;
  const foot = 18 * unit;
  const { support } = run.trace;
  const w = Math.min(rect.w / Math.max(support.length, 1), 46 * unit);
  let highest = 1;
  for (const i of support) highest = Math.max(highest, run.trace.mistakesOn(i, t));
  const room = Math.max(FEWEST, 2 ** Math.ceil(Math.log2(highest)));
  const h = (rect.h - head - foot) / room;
  const base = rect.y + rect.h - foot;
  return { w, h, base, bars: w < NARROWEST || h < NARROWEST, x: (place) => rect.x + place * w };
}

export function alphaMarks(scene) {
  const { run, palette, t, hot, current, rect, unit } = scene;
  const { w, h, base, bars, x } = columns(run, rect, unit, t);
  const { support, byExample } = run.trace;
  const moving = [];
  support.forEach((i, place) => {
    const count = run.trace.mistakesOn(i, t);
    if (i === current && count && byExample[i][count - 1] === t - 1 && !bars) {
      moving.push({ kind: "rect", x: x(place) + 1, y: base - count * h + 0.5, w: w - 2, h: h - 1, radius: Math.min(2, h / 4), stroke: palette.ink, width: 2, name: "newest" });
    }
    if (hot.has(i)) moving.push({ kind: "rect", x: x(place), y: base - Math.max(count, 1) * h - 2, w, h: Math.max(count, 1) * h + 4, stroke: palette.ink, width: 2, lit: i });
  });
  return { still: [{ key: [run.id, palette.dark, run.trace.mistakesBefore(t)].join(), marks: () => bricks(scene) }], moving };
}

function bricks({ run, rect, palette, t, unit }) {
  const { w, h, base, bars, x } = columns(run, rect, unit, t);
  const { support } = run.trace;
  const marks = [
    { kind: "text", x: rect.x, y: rect.y + 15 * unit, size: 14 * unit, weight: 600, fill: palette.ink, text: "α: mistakes on each example" },
    { kind: "rect", x: rect.x, y: base, w: rect.w, h: 1, fill: palette.rule },
  ];
  let any = false;
  for (let place = 0; place < support.length; place++) {
    const i = support[place];
    const count = run.trace.mistakesOn(i, t);
    any ||= count > 0;
    const fill = palette.ofClass(run.y[i]);
    const left = x(place);
    if (bars) {
      if (count) marks.push({ kind: "rect", x: left, y: base - count * h, w: Math.max(w - 0.5, 0.8), h: count * h, fill, i });
    } else {
      for (let k = 0; k < count; k++) {
        marks.push({ kind: "rect", x: left + 1, y: base - (k + 1) * h + 0.5, w: w - 2, h: h - 1, fill, radius: Math.min(2, h / 4), i });
      }
    }
    const every = Math.ceil((22 * unit) / w);
    if (count && place % every === 0) {
      const middle = Math.min(Math.max(left + w / 2, rect.x + 10 * unit), rect.x + rect.w - 10 * unit);
      marks.push({ kind: "text", x: middle, y: base + 13 * unit, size: 11.5 * unit, align: "center", fill: palette.quiet, text: `x${subscript(i)}` });
    }
  }
  if (!any) {
    const text = support.length ? "Each mistake will lay a brick here." : "No mistake in this run, so no brick.";
    marks.push({ kind: "text", x: rect.x + rect.w / 2, y: rect.y + rect.h / 2 + 6, size: 14 * unit, align: "center", fill: palette.quiet, text });
  }
  return marks;
}

/** The example and the step of the brick at a pixel, or null. */
export function brickAt(run, rect, unit, t, px, py) {
  const { w, h, base, x } = columns(run, rect, unit, t);
  const place = Math.floor((px - x(0)) / w);
  if (place < 0 || place >= run.trace.support.length || py < rect.y) return null;
  const i = run.trace.support[place];
  const k = Math.floor((base - py) / h);
  const count = run.trace.mistakesOn(i, t);
  if (!count || k > count + 1) return null;
  return { i, step: run.trace.byExample[i][Math.min(Math.max(k, 0), count - 1)] };
}
