// The timeline: a tick for each mistake, a line for each epoch, mistakes per epoch as bars, the error curves.

import { textWidth } from "../paint.js";

export const timeX = (run, rect, t) => rect.x + 8 + (t / Math.max(run.nSteps, 1)) * (rect.w - 16);

export function timeAt(run, rect, px) {
  return Math.round(Math.min(Math.max((px - rect.x - 8) / (rect.w - 16), 0), 1) * run.nSteps);
}

export function timelineMarks({ run, rect, palette, t, hot, unit, predicting }) {
  const { trace } = run;
  const size = 11.5 * unit;
  const top = rect.y + size + 4;
  const base = rect.y + rect.h - 14 * unit;
  const height = base - top;
  const x = (step) => timeX(run, rect, step);
  const marks = [{ kind: "rect", x: x(0), y: top, w: x(run.nSteps) - x(0), h: height, fill: palette.panel, radius: 3 }];
  const errors = curves(run, { x, top, height, size, palette, rect });
  marks.push(...epochs(run, { x, top, base, height, size, palette, free: errors.from }));
  marks.push(...errors.marks);
  marks.push(...ticks(run, { x, base, unit, palette, t, predicting }));
  for (const i of hot) {
    for (const step of trace.byExample[i] ?? []) {
      marks.push({ kind: "line", points: [x(step + 1), base, x(step + 1), base + 9 * unit], stroke: palette.ink, width: 3 });
    }
  }
  const at = x(t);
  marks.push({ kind: "line", points: [at, top - 5, at, base + 9 * unit], stroke: palette.accent, width: 3, name: "cursor" });
  marks.push({ kind: "circle", x: at, y: top - 5, r: 5 * unit, fill: palette.accent });
  return marks;
}

function epochs(run, { x, top, base, height, size, palette, free }) {
  const { trace } = run;
  const marks = [];
  let most = 1;
  for (let epoch = 1; epoch <= trace.nEpochs; epoch++) most = Math.max(most, trace.mistakesInEpoch(epoch));
  let labelled = -Infinity;
  const wide = run.nSteps && (x(run.nSteps) - x(0)) / trace.nEpochs > 2.5;
  for (let epoch = 1; epoch <= trace.nEpochs; epoch++) {
    const from = x(trace.epochStart[epoch - 1]);
    const to = x(epoch < trace.nEpochs ? trace.epochStart[epoch] : run.nSteps);
    const mistakes = trace.mistakesInEpoch(epoch);
    const h = (mistakes / most) * height;
    marks.push({ kind: "rect", x: from + (wide ? 1 : 0), y: base - h, w: Math.max(to - from - (wide ? 1 : 0), 0.5), h, fill: palette.warning, alpha: 0.3, epoch, mistakes });
    if (wide) marks.push({ kind: "rect", x: from - 0.5, y: top, w: 1, h: height, fill: palette.rule });
    const words = to - from > 150 ? `epoch ${epoch}: ${mistakes} mistake${mistakes === 1 ? "" : "s"}` : `${epoch}`;
    if (from - labelled > (to - from > 150 ? 0 : size * 2.2) && from + textWidth(words, size, palette.fonts) < free) {
      marks.push({ kind: "text", x: from + 2, y: top - 4, size, fill: palette.quiet, text: words });
      labelled = from;
    }
  }
  return marks;
}

/** Errors at the end of each epoch: training solid, held out dashed. */
function curves(run, { x, top, height, size, palette, rect }) {
  const { trace, testError, trainError } = run;
  const marks = [];
  if (!testError || trace.nEpochs === 0) return { marks, from: Infinity };
  const y = (share) => top + height * (1 - Math.min(share, 0.6) / 0.6);
  const ends = Array.from({ length: trace.nEpochs }, (_, k) => (k + 1 < trace.nEpochs ? trace.epochStart[k + 1] : run.nSteps));
  const curve = (values) => ends.flatMap((end, k) => [x(end), y(values[k])]);
  marks.push({ kind: "line", points: curve(trainError), stroke: palette.ink, width: 1.6, name: "train" });
  marks.push({ kind: "line", points: curve(testError), stroke: palette.accent, width: 2.2, dash: [6, 4], name: "test" });
  if (trace.nEpochs === 1) {
    marks.push({ kind: "circle", x: x(ends[0]), y: y(testError[0]), r: 4, fill: palette.accent });
  }
  const words = `held-out error ${percent(testError.at(-1))} (dashed)  ·  training error ${percent(trainError.at(-1))}`;
  marks.push({ kind: "text", x: rect.x + rect.w - 8, y: top - 4, size, align: "right", fill: palette.accent, text: words });
  return { marks, from: rect.x + rect.w - 16 - textWidth(words, size, palette.fonts) };
}

const percent = (share) => `${Math.round(100 * share)} %`;

/** One tick for each mistake, at most one for each pixel. */
function ticks(run, { x, base, unit, palette, t, predicting }) {
  const h = 9 * unit - 2;
  const past = [];
  const future = [];
  let last = -1;
  for (const step of run.trace.mistakeSteps) {
    const at = Math.round(x(step + 1));
    if (at === last) continue;
    last = at;
    if (step < t) past.push(at, base + 2);
    else if (!predicting) future.push(at, base + 2); // they would give the answer away
  }
  return [
    { kind: "rects", points: future, w: 1, h, fill: palette.quiet, alpha: 0.55, name: "future" },
    { kind: "rects", points: past, w: 1.6, h, fill: palette.warning, name: "past" },
  ];
}
