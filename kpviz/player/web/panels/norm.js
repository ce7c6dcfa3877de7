// ‖f‖ over the run so far: how it grew with each change, and where it is now.

import { reasonMarks } from "./answer.js";
import { chart, heading, timeX } from "./chart.js";
import { normOf, normTitle, topSoFar } from "../run/series.js";
import { perRun } from "../run/trace.js";
import { number, whole } from "../run/words.js";
import { step } from "../board/scale.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject } from "../board/types.d.ts" */

// Why it matters, for which the panel is at least so high, in px where the unit is 1.
const REASON = "Doubling f doubles ‖f‖ and each margin y·f(x): what counts is y·f(x)/‖f‖.";
const LEAST_WITH_REASON = 150;
const MOST_INSTANTS = 240; // ‖f‖ is worked out at so many instants.

/**
 * ‖f‖ after t presentations, of f itself whatever the predictor; 0 where rounding, or no kernel,
 * makes its square negative.
 */
function normAt(run, t) {
  const { coef, b } = run.trace.state(t);
  return normOf(run, { coef, b, scores: run.contributions.wholeScores(coef, b) });
}

/** ‖f‖ after some of the changes, from first to last: { times, norms }. */
const normsOf = perRun((run) => {
  const { trace, nSteps } = run;
  const every = Math.max(Math.ceil(trace.step.length / MOST_INSTANTS), 1);
  const after = Array.from(
    trace.step.filter((_, change) => change % every === 0),
    (step) => step + 1,
  );
  const times = [0, ...after, ...(after.at(-1) === nSteps ? [] : [nSteps])];
  return { times, norms: times.map((t) => normAt(run, t)) };
});

/** @param {PanelScene} scene @returns {Drawing} */
function normMarks({ run, rect, palette, unit, t }) {
  const all = normsOf(run);
  const now = normAt(run, t);
  const past = all.times.filter((time) => time < t).length;
  const times = [...all.times.slice(0, past), t];
  const norms = [...all.norms.slice(0, past), now];
  const largest = topSoFar(Math.max(...norms));
  const hasRoom = rect.h >= LEAST_WITH_REASON * unit;
  const below = { ...rect, y: rect.y + 22 * unit };
  const reason = hasRoom
    ? reasonMarks({ unit, palette }, below, REASON, { from: "body", most: 1, name: "reason" })
    : { marks: [], h: 0 };
  const top = rect.y + 24 * unit + (hasRoom ? reason.h + 4 * unit : 0);
  const size = step("small", unit);
  const base = rect.y + rect.h - 18 * unit;
  // The timeline below has the same axis, so numbers stand within the plot and under it.
  const x = (time) => timeX({ span: run.nSteps }, rect, time);
  const y = (norm) => base - (norm / largest) * (base - top);
  const look = { size, fill: palette.quiet };
  const still = () => [
    ...chart.background(rect.x, top, rect.w, base, palette),
    chart.text(rect.x + 4 * unit, top + size, number(largest), { ...look, halo: palette.panel }),
    chart.text(x(0), base + 13 * unit, "0", { ...look, align: "center" }),
    chart.text(
      rect.x + rect.w,
      base + 13 * unit,
      t < run.nSteps ? "steps" : `step ${whole.format(t)}`,
      { ...look, align: "right" },
    ),
  ];
  const note = {
    text: `${normTitle(run)} = ${number(now)}`,
    size,
    fill: palette.ink,
    name: "norm now",
  };
  const title = heading({ rect, unit, palette }, `${normTitle(run)} over the run`, note);
  if (base - top < size) return title;
  /** @type {Mark[]} */
  const moving = [
    ...title,
    ...reason.marks,
    chart.line(steps(times, norms, x, y), {
      stroke: palette.ink,
      width: 1.75 * unit,
      name: "norm",
    }),
    chart.line([x(t), top, x(t), base], { stroke: palette.ink, width: unit, name: "now" }),
    chart.circle(x(t), y(now), 4 * unit, {
      fill: palette.ink,
      stroke: palette.paper,
      width: 1.5 * unit,
    }),
  ];
  const key = [run.id, palette.dark, largest, t < run.nSteps].join();
  return { still: [{ key, marks: still }], moving };
}

/** A line that holds its height between the changes. */
function steps(times, norms, x, y) {
  return times.flatMap((time, k) =>
    k ? [x(time), y(norms[k - 1]), x(time), y(norms[k])] : [x(time), y(norms[k])],
  );
}

/** @type {PanelObject} */
export const normPanel = { name: "norm", marks: normMarks };
