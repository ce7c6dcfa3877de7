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

export function alphaMarks({ run, rect, palette, t, hot, current, unit }) {
  const { w, h, base, bars, x } = columns(run, rect, unit, t);
  const { support, byExample } = run.trace;
  const marks = [
    { kind: "text", x: rect.x, y: rect.y + 15 * unit, size: 14 * unit, weight: 600, fill: palette.ink, text: "α: mistakes on each example" },
    { kind: "line", points: [rect.x, base + 0.5, rect.x + rect.w, base + 0.5], stroke: palette.rule, width: 1 },
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
        const newest = i === current && byExample[i][k] === t - 1;
        marks.push({
          kind: "rect", x: left + 1, y: base - (k + 1) * h + 0.5, w: w - 2, h: h - 1, fill, radius: Math.min(2, h / 4), i,
          stroke: newest ? palette.ink : null, width: 2,
        });
      }
    }
    if (hot.has(i)) marks.push({ kind: "rect", x: left, y: base - Math.max(count, 1) * h - 2, w, h: Math.max(count, 1) * h + 4, stroke: palette.ink, width: 2 });
    const every = Math.ceil((22 * unit) / w);
    if (count && place % every === 0) {
      marks.push({ kind: "text", x: left + w / 2, y: base + 13 * unit, size: 11.5 * unit, align: "center", fill: i === current ? palette.ink : palette.quiet, weight: i === current ? 700 : 400, text: `x${subscript(i)}` });
    }
  }
  if (!any) {
    const text = run.trace.support.length ? "Each mistake will lay a brick here." : "No mistake in this run, so no brick.";
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
