// The votes, under the timeline: for how many presentations each hypothesis of the run was in force.

import { chart, timeX } from "./chart.js";
import { textWidth } from "../model/measure.js";
import { counted, subscript, whole } from "../model/words.js";
import { AHEAD, EDGE } from "./timeline.js";

/** @import { PanelScene } from "../model/scene.js" */
/** @import { Mark, RectMark } from "../types.d.ts" */

const LEAST = 1.5; // px of the lowest bar

/** @param {PanelScene} scene */
export function votesMarks(scene) {
  const { run, t, rect, palette, unit, predicting } = scene;
  const { trace } = run;
  const all = run.hypotheses();
  const size = 10.5 * unit;
  const place = { x: (step) => timeX(run, rect, step), base: rect.y + rect.h, scale: (rect.h - 2) / all.most };
  const now = trace.changesBefore(t);
  const begun = now ? trace.step[now - 1] : 0;
  const key = [run.id, palette.dark, predicting].join();
  /** @returns {Mark[]} */
  const label = () => [
    chart.rect(place.x(0), place.base - 0.5, place.x(run.nSteps) - place.x(0), 1, { fill: palette.rule }),
    ...(predicting ? [] : ahead(all, place, palette, unit)),
  ];
  const moving = [];
  if (t > begun) moving.push(bar(now, begun, t, place, { fill: palette.quiet, name: "current" }));
  moving.push(chart.rect(place.x(t) - 1.5, rect.y, 3, rect.h, { fill: palette.accent, name: "cursor" }));
  const words = "votes cₖ";
  const wide = textWidth(words, size, palette.fonts) + 4;
  const x = t < 0.1 * run.span ? timeX(run, rect, t) + 5 : rect.x + 10; // beside the pointer
  const plate = { fill: palette.paper, alpha: 0.85, radius: 2, name: "plate" };
  moving.push(chart.rect(x - 2, rect.y, wide, 1.3 * size, plate));
  moving.push(chart.text(x, rect.y + size, words, { size, fill: palette.quiet, name: "votes" }));
  return {
    still: [
      { key, marks: label },
      { key, marks: () => bars(all, place, { fill: palette.quiet, name: "behind" }), upTo: place.x(begun) },
    ],
    moving,
  };
}

/** What is still to come: pale bars, with an edge on top that is seen. */
function ahead(all, place, { quiet: fill }, unit) {
  const pale = bars(all, place, { fill, alpha: 0.32, name: "ahead" });
  const edges = pale.map((mark) => ({ ...mark, h: Math.min(EDGE * unit, mark.h), alpha: AHEAD, name: "edge" }));
  return [...pale, ...edges];
}

/** One bar for each hypothesis, as wide and as high as it lasted; where several fall on a pixel, the highest. */
function bars({ from, counts }, place, look) {
  /** @type {RectMark[]} */
  const marks = [];
  counts.forEach((count, k) => {
    if (!count) return;
    const mark = bar(k, from[k], from[k] + count, place, look);
    const last = marks.at(-1);
    if (last && mark.w < 1 && Math.floor(mark.x) === Math.floor(last.x)) {
      if (mark.h > last.h) marks[marks.length - 1] = mark;
    } else marks.push(mark);
  });
  return marks;
}

function bar(k, from, to, { x, base, scale }, look) {
  const h = Math.max((to - from) * scale, LEAST);
  const w = x(to) - x(from);
  const rectLook = { hypothesis: k + 1, votes: to - from, ...look };
  return chart.rect(x(from), base - h, Math.max(w - (w > 4 ? 1 : 0), 0.8), h, rectLook);
}

/** Where the bars are seen, from the left: the middle of each. */
export function votesPlaces(run, rect, known) {
  const { from, counts } = run.hypotheses();
  const place = { x: (step) => timeX(run, rect, step), base: 0, scale: 0 };
  return bars({ from, counts }, place, {})
    .filter(({ hypothesis }) => from[hypothesis - 1] < known)
    .map(({ x, w }) => x + w / 2);
}

/** { time, lines } of the bar at a pixel; votes after `known` are not told. */
export function hypothesisAt(run, rect, px, known) {
  const { from, counts } = run.hypotheses();
  const share = Math.min(Math.max((px - rect.x - 8) / (rect.w - 16), 0), 1);
  const step = Math.min(Math.floor(share * run.nSteps), run.nSteps - 1);
  const k = run.trace.changesBefore(step + 1);
  const name = `v${subscript(k + 1)}${k || !run.trace.fromZero ? "" : " = 0"}`;
  if (from[k] >= known) return { time: from[k], lines: [`${name}: from step ${from[k] + 1} on`] };
  const count = Math.min(counts[k], known - from[k]);
  return { time: k ? from[k] + 1 : 0, lines: [`${name}: cₖ = ${whole.format(count)} of ${counted(known, "vote")}`] };
}
