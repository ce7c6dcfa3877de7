// The timeline: a tick for each mistake, a line for each epoch, mistakes per epoch as bars, the error curves.

import { chart, epochEnds, timeX } from "./chart.js";
import { letterOf, rowOf } from "../model/layout.js";
import { textWidth } from "../model/measure.js";
import { course } from "../model/series.js";
import { whole } from "../model/words.js";

/** @import { PanelScene } from "../model/scene.js" */
/** @import { Mark, StillMarks } from "../types.d.ts" */

const FLAG = { up: 5, w: 8, h: 6 }; // px above the panel, and its size where the unit is 1
const NEAR_FLAG = 5; // px
export const AHEAD = 0.75; // opacity of lines and ticks: less has not the contrast that what one must tell apart needs
export const EDGE = 1.5; // px on top of a bar where the unit is 1, of full contrast: the bar itself is pale
const CLOSE = 24; // px that are between the lines of epochs at least: where there is less, they are short

/** The cue whose flag is at a pixel above the timeline, null for none. */
export function cueAt({ run, rect, unit, cues, predicting, time }, px, py) {
  if (py < rect.y - FLAG.up - 2 || py > rect.y + FLAG.h * unit) return null;
  const reach = (cue) => {
    const from = timeX(run, rect, cue.t);
    return Math.max(from - px, px - from - FLAG.w * unit, 0);
  };
  const near = cues.filter((cue) => reach(cue) < NEAR_FLAG && !hidden(cue, predicting, time));
  return near.reduce((best, cue) => (best && reach(best) <= reach(cue) ? best : cue), null);
}

/** While one predicts, a cue ahead would give an answer away. */
const hidden = (cue, predicting, time) => predicting && cue.t > time;

/** A flag above the timeline for each cue, one where several have the same instant. */
function flags({ run, rect, palette, unit, cues, predicting, time }, { top, height }) {
  /** @type {Mark[]} */
  const marks = [];
  let last = -1;
  for (const cue of cues) {
    if (cue.t === last || hidden(cue, predicting, time)) continue;
    last = cue.t;
    const x = timeX(run, rect, cue.t);
    const y = rect.y - FLAG.up;
    const pole = { fill: palette.accent, alpha: 0.5, name: "pole" };
    marks.push(chart.rect(x - 0.75, top, 1.5, height, pole)); // not through the names of epochs
    const flag = { fill: palette.accent, name: "cue", place: cue.place, t: cue.t };
    marks.push(chart.rect(x, y, FLAG.w * unit, Math.min(FLAG.h * unit, FLAG.up + 2.9 * unit), flag)); // above the names of epochs
  }
  return marks;
}

/** @param {PanelScene} scene */
export function timelineMarks(scene) {
  const { run, rect, palette, time: t, hot, unit, predicting } = scene;
  const place = geometry(run, rect, unit, scene.compared);
  const { x, top, base } = place;
  const moving = flags(scene, place);
  for (const i of hot) {
    for (const step of run.trace.byExample[i] ?? []) {
      moving.push(chart.rect(x(step + 1) - 1.5, base, 3, 9 * unit, { fill: palette.ink, lit: i }));
    }
  }
  const at = x(t);
  const head = (top + base) / 2; // names of epochs leave no room above
  const foot = base + (scene.compared ? scene.compared.others.length * rowOf(unit) : 9 * unit);
  moving.push(chart.rect(at - 1.5, top, 3, foot - top, { fill: palette.accent, name: "cursor" }));
  const r = Math.min(5 * unit, Math.max(place.height / 2 - 1, 4));
  moving.push(chart.circle(at, head, r, { fill: palette.accent, name: "head" }));
  const key = [run.id, palette.dark, predicting && [t, run.trace.epochAt(t)]].join();
  if (scene.compared) return { still: [{ key, marks: () => ground(scene, place) }, ...rows(scene, place)], moving };
  const ahead = () => [
    ...ground(scene, place),
    ...(predicting ? [] : ticks(run, place, { fill: palette.quiet, alpha: AHEAD, name: "ahead" })),
  ];
  const behind = () => ticks(run, place, { fill: palette.warning, name: "behind" });
  return {
    still: [
      { key, marks: ahead },
      { key, marks: behind, upTo: at + 1 },
    ],
    moving,
  };
}

function geometry(run, rect, unit, compared) {
  const size = 11.5 * unit;
  const top = rect.y + size + 4;
  const base = rect.y + rect.h - (compared ? compared.others.length * rowOf(unit) + 3 * unit : 14 * unit);
  return { x: (step) => timeX(run, rect, step), top, base, height: base - top, size, tall: 9 * unit - 2 };
}

function ground(scene, place) {
  const { run, rect, palette } = scene;
  const { x, top, height } = place;
  const errors = scene.predicting ? { marks: [], from: Infinity } : curves(run, { ...place, palette, rect });
  return [
    chart.rect(x(0), top, x(run.span) - x(0), height, { fill: palette.panel, radius: 3 }),
    ...(run.stream ? cumulative(scene, place) : epochs(scene, { ...place, free: errors.from })),
    ...errors.marks,
  ];
}

function epochs({ run, palette, unit, compared, predicting, time }, { x, top, base, height, size, free }) {
  const whose = compared ? `${compared.letter} ` : "";
  const { trace } = run;
  const marks = [];
  let most = 1;
  for (let epoch = 1; epoch <= trace.nEpochs; epoch++) most = Math.max(most, trace.mistakesInEpoch(epoch));
  let labelled = -Infinity;
  const each = run.nSteps && (x(run.nSteps) - x(0)) / trace.nEpochs;
  const wide = each > 2.5;
  const high = each < CLOSE ? 4 * unit : height;
  const line = { fill: palette.quiet, alpha: AHEAD, name: "epoch" };
  const ends = epochEnds(run);
  for (let epoch = 1; epoch <= trace.nEpochs; epoch++) {
    const from = x(trace.epochStart[epoch - 1]);
    const to = x(ends[epoch - 1]);
    const over = ends[epoch - 1] <= time;
    const mistakes = predicting && !over ? 0 : trace.mistakesInEpoch(epoch);
    const h = (mistakes / most) * height;
    const [left, w] = [from + (wide ? 1 : 0), Math.max(to - from - (wide ? 1 : 0), 0.5)];
    marks.push(chart.rect(left, base - h, w, h, { fill: palette.warning, alpha: 0.3, epoch, mistakes }));
    const edge = Math.min(EDGE * unit, h);
    if (h) marks.push(chart.rect(left, base - h, w, edge, { fill: palette.warning, name: "edge" }));
    if (wide) marks.push(chart.rect(from - 0.5, base - high, 1, high, line));
    const count = predicting && !over ? "" : `: ${mistakes} mistake${mistakes === 1 ? "" : "s"}`;
    const long = `${whose}epoch ${epoch}${count}`;
    const named = to - from > Math.max(150, textWidth(long, size, palette.fonts));
    const words = named ? long : `${epoch}`;
    if (from - labelled > (named ? 0 : size * 2.2) && from + textWidth(words, size, palette.fonts) < free) {
      marks.push(chart.text(from + 2, top - 4, words, { size, fill: palette.quiet }));
      labelled = from;
    }
  }
  return marks;
}

/** Mistakes so far over the course of a stream, of each run that is compared or of the only one. */
function cumulative({ run, palette, compared, rect, predicting, time }, { x, top, base, height, size }) {
  const runs = compared ? compared.others : [{ run, letter: "" }];
  const most = Math.max(1, ...runs.map((one) => one.run.trace.mistakeSteps.length));
  const marks = [];
  for (const { run: one, letter } of runs) {
    const { mistakes } = course(one);
    const points = [x(0), base];
    let last = -1;
    const end = predicting ? Math.min(time, one.nSteps) : one.nSteps;
    for (let t = 1; t <= end; t++) {
      const at = Math.round(x(t));
      if (at !== last || t === end) points.push(x(t), base - (mistakes[t] / most) * (height - 3));
      last = at;
    }
    marks.push(chart.line(points, { stroke: palette.warning, width: 1.8, alpha: 0.75, name: "cumulative", letter }));
    if (letter && !predicting) {
      const t = Math.round(one.nSteps * (0.985 - 0.025 * "ABCD".indexOf(letter))); // the letters stand apart
      const look = { size, weight: 700, fill: palette.accent, halo: palette.panel };
      const y = base - (mistakes[t] / most) * (height - 3);
      marks.push(chart.text(x(t), y, letter, { ...look, align: "center", baseline: "middle" }));
    }
  }
  for (const i of course(run).switches) {
    marks.push(chart.line([x(i), top, x(i), base], { stroke: palette.quiet, width: 1, dash: [2, 3], name: "switch" }));
  }
  const ends = runs.map(({ run: one, letter }) => `${letter} ${whole.format(one.trace.mistakeSteps.length)}`.trim());
  const words = predicting ? "mistakes so far" : `mistakes so far, at the end: ${ends.join(" · ")}`;
  marks.push(chart.text(rect.x + 18, top - 4, words, { size, fill: palette.quiet }));
  return marks;
}

/** Errors at the end of each epoch: training solid, held out dashed. */
function curves(run, { x, top, height, size, palette, rect }) {
  const { trace, arrays } = run;
  const { testError, trainError } = arrays;
  const marks = [];
  if (!testError || trace.nEpochs === 0) return { marks, from: Infinity };
  const y = (share) => top + height * (1 - Math.min(share, 0.6) / 0.6);
  const ends = epochEnds(run);
  const curve = (values) => ends.flatMap((end, k) => [x(end), y(values[k])]);
  marks.push(chart.line(curve(trainError), { stroke: palette.ink, width: 1.6, name: "train" }));
  marks.push(chart.line(curve(testError), { stroke: palette.accent, width: 2.2, dash: [6, 4], name: "test" }));
  if (trace.nEpochs === 1) marks.push(chart.circle(x(ends[0]), y(testError[0]), 4, { fill: palette.accent }));
  const words = `at the end: held-out error ${percent(testError.at(-1))} (dashed)  ·  training error ${percent(trainError.at(-1))}`;
  marks.push(chart.text(rect.x + rect.w - 8, top - 4, words, { size, align: "right", fill: palette.accent }));
  return { marks, from: rect.x + rect.w - 16 - textWidth(words, size, palette.fonts) };
}

const percent = (share) => `${Math.round(100 * share + 1e-4)}%`; // sent as float32, which may be just below a half

/** A row of ticks for each run of a comparison. @returns {StillMarks[]} */
function rows({ compared, palette, time: t, rect, unit }, place) {
  return compared.others.flatMap(({ run, letter, t: own }, k) => {
    const row = { ...place, base: place.base + k * rowOf(unit) };
    const size = letterOf(unit);
    const key = [run.id, palette.dark, k, run.span].join();
    const name = chart.text(rect.x, row.base + size - 1, letter, { size, weight: 700, fill: palette.accent });
    const behind = () => ticks(run, row, { fill: palette.warning, name: "behind", letter });
    return [
      { key, marks: () => [name, ...ticks(run, row, { fill: palette.quiet, alpha: AHEAD, name: "ahead", letter })] },
      { key, marks: behind, upTo: place.x(Math.min(t, own)) + 1 },
    ];
  });
}

function ticks(run, { x, base, tall }, look) {
  const points = [];
  let last = -1;
  for (const step of run.trace.mistakeSteps) {
    const at = Math.round(x(step + 1));
    if (at !== last) points.push(at - 0.5, base + 2);
    last = at;
  }
  return [{ kind: "rects", points, w: 1.4, h: tall, ...look }];
}
