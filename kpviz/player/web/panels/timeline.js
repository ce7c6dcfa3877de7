// The timeline: a line for each epoch, and of what has happened a tick for each mistake, mistakes
// per epoch as bars, errors.

import { chart, epochEnds, spanSoFar, strideOf, timeX } from "./chart.js";
import { letterOf, rowOf } from "../board/lengths.js";
import { placeWords } from "../run/cues.js";
import { firstWithin, textWidth } from "../paint/measure.js";
import { course, topSoFar } from "../run/series.js";
import { counted, example, placeOf, subscript, whole } from "../run/words.js";
import { step } from "../board/scale.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Mark, PanelObject, Pointed } from "../board/types.d.ts" */
/** @import { RectMark, StillMarks, Target } from "../board/types.d.ts" */
/** @import { PlacedCue } from "../run/types.d.ts" */

// In px where the unit is 1: how far it is above the panel, and its size.
const FLAG = { up: 5, w: 8, h: 6 };
const FLAG_REACH = 5; // In px.
const TICK_REACH = 5; // In px.
const DESCENT = 0.21; // Relative to the type: so far letters reach below their line.
const MOST_APART = 0.5; // Ticks in each px: with more of them most touch each other.
export const ABOVE = 4; // In px: so far above the panel a hand still takes hold of the time.
const EPOCH_OPACITY = 0.08; // Darker bars, which come and go as one scrubs, would flash.
// With less they would not have the contrast that what one must tell apart needs.
const LINE_OPACITY = 0.75;
// In px, where the unit is 1: it has full contrast, since the bar itself is pale.
const BAR_EDGE = 1.5;
const LEAST_TOP = 10; // In mistakes, of a stream.
const LEAST_DISTANCE_OF_EPOCHS = 24; // In px: where the lines of epochs are closer, they are short.
// Where a run that is compared is much longer than what has been of it, this has so much of the
// width, and all that is to come the end of it.
const NEAR_SHARE = 0.86;
const LEAST_NEAR = 0.4; // What has been is large enough from this share of the longest run on.
// In px, where the unit is 1: the break before what is to come, its two strokes and their slant.
const BREAK = { gap: 15, strokes: [7, 11], slant: 2, beyond: 2 };

/** While one predicts, a cue ahead would give an answer away. */
const hidden = (cue, predicting, time) => predicting && cue.t > time;

/**
 * A flag above the timeline for each cue, one for several of an instant; `about`: what it is. A
 * class, which goes from cue to cue with its lecturer, has none to press.
 */
export function flags(
  { rect, palette, unit, cues, predicting, time, bare },
  { top, height, x: xOf },
  about = /** @type {(cue: PlacedCue) => object} */ (() => ({})),
) {
  /** @type {Mark[]} */
  const marks = [];
  if (bare) return marks;
  let last = -1;
  for (const cue of cues) {
    if (cue.t === last || hidden(cue, predicting, time)) continue;
    last = cue.t;
    const x = xOf(cue.t);
    const y = rect.y - FLAG.up * unit; // Above the names of epochs.
    const pole = { fill: palette.accent, alpha: 0.5, name: "pole" };
    // It does not go through the names of epochs.
    marks.push(chart.rect(x - 0.75, top, 1.5, height, pole));
    const flag = {
      fill: palette.accent,
      name: "cue",
      place: cue.place,
      t: cue.t,
      ...about(cue),
    };
    marks.push(chart.rect(x, y, FLAG.w * unit, FLAG.h * unit, flag));
  }
  return marks;
}

/** What a flag is about: its instant, where a click leads. */
const aboutFlag = (cue) => ({
  target: {
    kind: "step",
    index: cue.t,
    reach: [FLAG_REACH, 2],
    hold: /** @type {const} */ ("scrub"),
  },
  words: () => aboutCue(cue),
});

/** A cue as who points at it is told: its place and its words. */
function aboutCue({ place, words, t }) {
  const where = /^\d/.test(place) ? placeWords(place) : `${placeWords(place)}, step ${t}`;
  return [`cue: ${where} (click to go there)`, ...(words ? [words] : [])];
}

/** @param {PanelScene} scene */
function timelineMarks(scene) {
  const { run, rect, palette, covered, time: t, hot, unit } = scene;
  const place = geometry(scene);
  const { x, top, base, near } = place;
  const whole = { x: x(0), y: rect.y - ABOVE, w: x(run.span) - x(0), h: rect.h + ABOVE };
  /** @type {Target} */
  const instants = {
    kind: "time",
    across: [0, run.span],
    ...(near < run.span && { bend: [NEAR_SHARE, near] }),
    reach: [x(0) - rect.x, 0],
    hold: "scrub",
  };
  const moving = [chart.area(whole, instants), ...flags(scene, place, aboutFlag)];
  for (const i of hot) {
    for (const step of run.trace.paired ? [] : (run.trace.byExample[i] ?? [])) {
      if (step < t) {
        moving.push(
          chart.rect(x(step + 1) - 1.5, base, 3, 9 * unit, { fill: palette.ink, lit: i }),
        );
      }
    }
  }
  const at = x(t);
  const r = Math.min(5 * unit, Math.max(place.height / 2 - 1, 4));
  const head = Math.max((top + base) / 2, top + r - 1); // Names of epochs leave no room above.
  // It ends above the ticks: it would cover that of this very step.
  moving.push(chart.rect(at - 1.5, top, 3, base - top, { fill: palette.accent, name: "cursor" }));
  moving.push(chart.circle(at, head, r, { fill: palette.accent, name: "head" }));
  const over = epochsOver(run, t);
  const ground = {
    key: [run.id, palette.dark, over, near, scene.showsReadings, ...covered()].join(),
    marks: () => background(scene, place, over),
  };
  const key = [run.id, palette.dark].join();
  // The panel of the course shows the mistakes itself.
  const isCounted = run.stream && (scene.compared || !scene.stands("margins"));
  const scale = isCounted ? streams(scene, place).most : 0;
  const course = isCounted
    ? [{ key: `${key},${scale}`, marks: () => cumulative(scene, place), upTo: at + 1 }]
    : [];
  if (isCounted) moving.push(...soFar(scene, place));
  if (scene.compared) return { still: [ground, ...course, ...rows(scene, place)], moving };
  const behind = () => ticks(run, place, { fill: palette.warning, name: "behind" }, true);
  return {
    still: [ground, ...course, { key, marks: behind, upTo: ticksEnd(run, x, t), before: t }],
    moving,
  };
}

/**
 * How many steps have the width of the timeline; what follows has the end of it. Of runs that are
 * compared one may be so much longer than the others that all else would be at its beginning.
 *
 * @param {PanelScene} scene
 */
function nearSteps({ run, time, compared, stepsInHand }) {
  if (!compared || run.stream) return run.span;
  const near = stepsInHand ?? spanSoFar(run, time);
  return near < LEAST_NEAR * run.span ? near : run.span;
}

/** The pixel of an instant. */
function placesOf({ run, rect }, near) {
  if (near === run.span) return (/** @type {number} */ t) => timeX(run, rect, t);
  const from = timeX(run, rect, 0);
  const end = timeX(run, rect, run.span);
  const bend = from + NEAR_SHARE * (end - from);
  return (/** @type {number} */ t) =>
    t <= near
      ? from + (t / near) * (bend - from)
      : bend + ((t - near) / (run.span - near)) * (end - bend);
}

/** @param {PanelScene} scene */
function geometry(scene) {
  const { rect, unit, compared, least } = scene;
  const near = nearSteps(scene);
  const size = step("small", unit);
  const descent = Math.max(4, 0.25 * size); // The words above reach so far down.
  const top = rect.y + size + descent;
  const base =
    rect.y +
    rect.h -
    (compared ? compared.others.length * rowOf(unit, least) + 3 * unit : 14 * unit);
  return {
    x: placesOf(scene, near),
    near,
    top,
    base,
    height: base - top,
    size,
    line: rect.y + size, // Words stand on it.
    tall: 9 * unit - 2,
  };
}

/** How many epochs are over at t; a run that shows nothing, of a single class, has none. */
function epochsOver({ trace, nSteps }, t) {
  if (!trace.nEpochs) return 0;
  const epoch = trace.epochAt(t);
  return t > 0 && t === (trace.epochStart[epoch] ?? nSteps) ? epoch : epoch - 1;
}

/** Epochs as outlines; of those that are over their mistakes and errors. */
function background(scene, place, over) {
  const { run, rect, palette } = scene;
  const { x, top, height } = place;
  // The panel of the readings has them with their numbers.
  const told = scene.showsReadings ? 0 : over;
  const errors = curves(run, { ...place, palette, rect, covered: scene.covered() }, told);
  const look = { fill: palette.panel, radius: 3 };
  const { near } = place;
  const whole = near === run.span;
  // As wide as what stands above and below it, though its ends are room for the knob.
  const left = scene.compared ? x(0) : rect.x;
  const right = whole ? rect.x + rect.w : x(near);
  return [
    chart.rect(left, top, right - left, height, look),
    ...(whole ? [] : remainder(scene, place, look, errors.marks.length > 0)),
    ...(run.stream
      ? switches(run, place, palette)
      : epochs(scene, { ...place, free: Math.min(errors.from, right) }, over)),
    ...errors.marks,
  ];
}

/**
 * What is to come, behind a break, and which epochs these are, unless the place of these words is
 * taken.
 */
function remainder(scene, { x, near, top, base, height, size, line }, look, isTaken) {
  const { rect, palette, compared, unit } = scene;
  const bend = x(near);
  const from = bend + BREAK.gap * unit;
  const end = rect.x + rect.w;
  const traces = compared.others.map(({ run }) => run.trace);
  const longest = traces.reduce((one, other) => (other.nEpochs > one.nEpochs ? other : one));
  const last = longest.nEpochs;
  const first = Math.min(longest.epochAt(near + 1), last);
  const range = first < last ? `${first}–${last}` : `${last}`;
  const named = [`epoch${first < last ? "s" : ""} ${range}`, range];
  const words = isTaken ? undefined : firstWithin(named, end - from, size, palette.fonts);
  const stroke = { stroke: palette.quiet, width: 1, name: "break" };
  const slant = BREAK.slant * unit;
  const beyond = BREAK.beyond * unit;
  return [
    chart.rect(from, top, end - from, height, look),
    ...BREAK.strokes.map((apart) => {
      const middle = bend + apart * unit;
      return chart.line([middle - slant, base + beyond, middle + slant, top - beyond], stroke);
    }),
    ...(words ? [chart.text(from, line, words, { size, fill: palette.quiet, name: "last" })] : []),
  ];
}

function epochs(
  { run, rect, palette, unit, compared, covered },
  { x, near, base, height, size, free, line: writtenOn },
  over,
) {
  const { trace } = run;
  const marks = [];
  let most = 1;
  for (let epoch = 1; epoch <= over; epoch++) most = Math.max(most, trace.mistakesInEpoch(epoch));
  let labelled = -Infinity;
  const hides = covered().has("mistakes"); // A task asks for them.
  const widthOfStep = (x(near) - x(0)) / Math.max(near, 1);
  const epochWidth = trace.nEpochs && (widthOfStep * run.nSteps) / trace.nEpochs;
  const wide = epochWidth > 2.5;
  const high = epochWidth < LEAST_DISTANCE_OF_EPOCHS ? 4 * unit : height;
  const line = { fill: palette.quiet, alpha: LINE_OPACITY, name: "epoch" };
  const ends = epochEnds(run);
  // The first number says what they are; where that takes the next one's room, every fifth follows.
  const first = "epoch 1";
  const widest = Math.max(textWidth(first, size, palette.fonts) + 0.5 * size, 2.2 * size);
  const every = strideOf(epochWidth, widest);
  for (let epoch = 1; epoch <= trace.nEpochs; epoch++) {
    if (trace.epochStart[epoch - 1] >= near) break; // What is to come has no lines.
    const from = x(trace.epochStart[epoch - 1]);
    const to = x(Math.min(ends[epoch - 1], near));
    const mistakes = epoch <= over && !trace.paired ? trace.mistakesInEpoch(epoch) : 0;
    const h = (mistakes / most) * height;
    const left = from + (wide ? 1 : 0);
    const w = Math.max(to - from - (wide ? 1 : 0), 0.5);
    if (epoch <= over) {
      marks.push(
        chart.rect(left, base - h, w, h, {
          fill: palette.warning,
          alpha: EPOCH_OPACITY,
          epoch,
          mistakes,
        }),
      );
    }
    const edge = Math.min(BAR_EDGE * unit, h);
    if (h) marks.push(chart.rect(left, base - h, w, edge, { fill: palette.warning, name: "edge" }));
    if (wide) marks.push(chart.rect(from - 0.5, base - high, 1, high, line));
    const count =
      epoch > over || hides || trace.paired
        ? ""
        : `: ${mistakes} mistake${mistakes === 1 ? "" : "s"}`;
    const long = `epoch ${epoch}${count}`;
    const named = !compared && to - from > Math.max(150, textWidth(long, size, palette.fonts));
    const words = named ? long : epoch === 1 ? first : `${epoch}`;
    const isNamed = epoch === 1 || named || epoch % every === 0;
    if (
      isNamed &&
      from - labelled > (named ? 0 : size * 2.2) &&
      from + 2 + textWidth(words, size, palette.fonts) < free
    ) {
      const at = epoch === 1 && !compared ? rect.x : from + 2;
      marks.push(chart.text(at, writtenOn, words, { size, fill: palette.quiet }));
      const beyond = named || epoch > 1 ? "" : first.slice(0, -1);
      labelled = Math.min(at, from) + textWidth(beyond, size, palette.fonts);
    }
  }
  return marks;
}

/**
 * The runs of a stream that are counted, those that are compared or the only one, and the height of
 * their mistakes.
 */
function streams({ run, compared, t: now }, { base, height }) {
  const runs = compared ? compared.others : [{ run, letter: "" }];
  const counts = runs.map((one) => one.run.trace.mistakesBefore(Math.min(now, one.run.nSteps)));
  const most = topSoFar(Math.max(LEAST_TOP, ...counts));
  return { runs, most, y: (one, t) => base - (course(one).mistakes[t] / most) * (height - 3) };
}

/** The mistakes of a stream, step by step. */
function cumulative(scene, place) {
  const { runs, y } = streams(scene, place);
  const look = { stroke: scene.palette.ink, width: 1.8, alpha: 0.75, name: "cumulative" };
  return runs.map(({ run: one, letter }) => {
    const points = [place.x(0), place.base];
    let last = -1;
    for (let t = 1; t <= one.nSteps; t++) {
      const at = Math.round(place.x(t));
      if (at !== last || t === one.nSteps) points.push(place.x(t), y(one, t));
      last = at;
    }
    return chart.line(points, { ...look, letter });
  });
}

/** How many they are so far, and the letters of runs at their lines. */
function soFar(scene, place) {
  const { palette, rect, time } = scene;
  const { runs, y } = streams(scene, place);
  const { x, size, line: writtenOn } = place;
  const look = { size, weight: 700, fill: palette.ink, halo: palette.panel };
  const apart = (1.2 * size) / Math.max(x(1) - x(0), 1e-9); // In steps.
  const letters = runs.flatMap(({ run: one, letter }) => {
    // They stand side by side.
    const before = (0.5 + "ABCD".indexOf(letter)) * apart;
    const t = Math.max(Math.round(Math.min(time, one.nSteps) - before), 0);
    return letter && t
      ? [
          chart.text(x(t), y(one, t), letter, {
            ...look,
            align: /** @type {const} */ ("center"),
            baseline: "middle",
          }),
        ]
      : [];
  });
  const counts = runs.map(({ run: one, letter }) =>
    `${letter} ${whole.format(one.trace.mistakesBefore(Math.min(time, one.nSteps)))}`.trim(),
  );
  const words = `mistakes so far: ${counts.join(" · ")}`;
  if (scene.covered().has("mistakes")) return letters; // A task asks for them.
  return [
    ...letters,
    chart.text(rect.x + 18, writtenOn, words, { size, fill: palette.quiet, name: "so far" }),
  ];
}

function switches(run, { x, top, base }, palette) {
  const look = { stroke: palette.quiet, width: 1, dash: [2, 3], name: "switch" };
  return course(run).switches.map((i) => chart.line([x(i), top, x(i), base], look));
}

/** Errors at the end of each epoch that is over: training solid, held out dashed. */
function curves(run, { x, top, height, size, line: writtenOn, palette, rect, covered }, over) {
  const { testError, trainError } = run.arrays;
  const marks = [];
  if (!testError || !over) return { marks, from: Infinity };
  const y = (share) => top + height * (1 - Math.min(share, 0.6) / 0.6);
  const ends = epochEnds(run).slice(0, over);
  const curve = (values) => ends.flatMap((end, k) => [x(end), y(values[k])]);
  marks.push(chart.line(curve(trainError), { stroke: palette.ink, width: 1.6, name: "train" }));
  marks.push(
    chart.line(curve(testError), {
      stroke: palette.ink,
      width: 2.2,
      dash: [6, 4],
      name: "test",
    }),
  );
  if (over === 1) {
    marks.push(chart.circle(x(ends[0]), y(testError[0]), 4, { fill: palette.ink }));
  }
  const held = covered.has("heldout") ? "" : ` ${percent(testError[over - 1])}`; // A task asks for it.
  const trained = percent(trainError[over - 1]);
  const how = over === 1 ? "" : " (dashed)"; // One epoch has a dot, no line.
  const candidates = [
    `held-out error${held}${how}  ·  training error ${trained}`,
    `held out${held}${how} · training ${trained}`,
    `held out${held}${how}`,
  ];
  const words = firstWithin(candidates, rect.w - 16, size, palette.fonts) ?? "";
  marks.push(
    chart.text(rect.x + rect.w - 8, writtenOn, words, {
      size,
      align: "right",
      fill: palette.quiet,
    }),
  );
  return { marks, from: rect.x + rect.w - 16 - textWidth(words, size, palette.fonts) };
}

// It was sent as float32, which may be just below a half.
const percent = (share) => `${Math.round(100 * share + 1e-4)}%`;

/** Why a row of ticks stays empty, so far as that is known at an instant. @param {Run} run */
function whyEmpty({ trace, nSteps }, t) {
  if (trace.paired) return "no ticks: each step changes a pair";
  return t && t >= nSteps && !trace.timelineMistakes.length ? "no mistakes" : "";
}

/** A row of ticks for each run of a comparison. @returns {StillMarks[]} */
function rows({ run: current, compared, palette, time: t, rect, unit, least, covered }, place) {
  return compared.others.flatMap(({ run, letter, t: runTime }, k) => {
    const row = { ...place, base: place.base + k * rowOf(unit, least) };
    const size = letterOf(unit);
    const key = [run.id, palette.dark, k, run.span, place.near].join();
    const name = chart.text(rect.x, row.base + size - 1, letter, {
      size,
      weight: 700,
      fill: palette.ink,
    });
    const why = covered().has("mistakes") ? "" : whyEmpty(run, runTime);
    const look = { size, fill: palette.quiet, name: "empty", letter };
    const under = row.base + rowOf(unit, least) + 1; // There the ticks of the next row begin.
    const foot = Math.min(name.y, under - DESCENT * size);
    const told = why ? [chart.text(place.x(0) + size, foot, why, look)] : [];
    const behind = () =>
      ticks(run, row, { fill: palette.warning, name: "behind", letter }, run === current);
    return [
      { key: [key, why].join(), marks: () => [name, ...told] },
      { key, marks: behind, upTo: ticksEnd(run, place.x, Math.min(t, runTime)), before: t },
    ];
  });
}

/** The whole pixel where the tick of a step stands. */
const tickAt = (x, step) => Math.round(x(step + 1));

/**
 * Where the ticks so far end: before that of the next mistake, which may stand beside them, or be
 * one with the last of them.
 */
function ticksEnd({ trace }, x, t) {
  const count = trace.mistakesBefore(t);
  const last = count ? tickAt(x, trace.timelineMistakes[count - 1]) : -Infinity;
  const next = trace.timelineMistakes.subarray(count).find((step) => tickAt(x, step) > last);
  if (next === undefined) return x(t) + 1;
  return Math.min(x(t) + 1, Math.max(tickAt(x, next) - 1, last + 0.5));
}

/** The mistakes of a run; `pointable`: they can be pointed at. */
function ticks(run, { x, base, tall }, look, pointable) {
  const points = [];
  const indices = [];
  let last = -1;
  for (const step of run.trace.timelineMistakes) {
    const at = tickAt(x, step);
    if (at !== last) {
      points.push(at - 0.5, base + 2);
      indices.push(step);
    }
    last = at;
  }
  /** @type {Target} */
  const target = { kind: "mistake", tells: aboutMistake, indices, reach: [TICK_REACH, Infinity] };
  // Where they touch each other they are a thin line: a bar would outweigh all that is above it.
  const isBar = points.length / 2 > MOST_APART * (x(run.nSteps) - x(0));
  const h = isBar ? tall / 2 : tall;
  return [{ kind: "rects", points, w: 1.4, h, ...look, ...(pointable && { target }) }];
}

const DESCRIBED_EPOCHS = 10; // So many of the last epochs are described.

/**
 * Where one is, the last mistake, and the mistakes in each epoch.
 *
 * @param {PanelScene} scene
 * @returns {string[]}
 */
function summary({ run, t, covered }) {
  const { trace } = run;
  const before = trace.timelineMistakes.filter((step) => step < t).at(-1);
  const last = before === undefined ? [] : [`The latest: ${mistakeAt(run, before)}.`];
  const lines = [`${placeOf({ run, t, covered })}.`, ...last];
  if (run.stream || !trace.nSteps || t === 0 || trace.paired || covered().has("mistakes")) {
    return lines;
  }
  const epoch = trace.epochAt(t);
  const first = Math.max(epoch - DESCRIBED_EPOCHS, 1);
  const done = Array.from({ length: epoch - first }, (_, k) => trace.mistakesInEpoch(first + k));
  if (done.length) lines.push(`Mistakes in each epoch from epoch ${first} on: ${done.join(", ")}.`);
  const now = trace.mistakesBefore(t) - trace.mistakesBefore(trace.epochStart[epoch - 1]);
  return [
    ...lines,
    `In epoch ${epoch}${t < (trace.epochStart[epoch] ?? trace.nSteps) ? " so far" : ""}: ${counted(now, "mistake")}.`,
  ];
}

/** A mistake, as who points at it is told. */
const mistakeAt = ({ trace }, step) =>
  `step ${whole.format(step + 1)}: mistake on ${example(trace.index[step])}`;

/** The tick of a mistake. @param {Pointed} pointed */
function aboutMistake({ run, hit }) {
  const step = Number(hit.index);
  return { hot: new Set([run.trace.index[step]]), time: step + 1, lines: [mistakeAt(run, step)] };
}

// The votes, under the timeline: for how many presentations each hypothesis of the run was in
// force.

const LOWEST_BAR = 1.5; // In px.

/** @param {PanelScene} scene */
function votesMarks(scene) {
  const { run, t, rect, palette, unit } = scene;
  const { trace } = run;
  const all = run.hypotheses();
  const size = step("small", unit);
  const now = trace.changesBefore(t);
  const begun = now ? trace.step[now - 1] : 0;
  const most = topSoFar(
    all.counts.slice(0, now).reduce((largest, count) => Math.max(largest, count), t - begun),
  );
  const place = {
    x: (step) => timeX(run, rect, step),
    base: rect.y + rect.h,
    scale: (rect.h - 2) / most,
  };
  const key = [run.id, palette.dark, most].join();
  const foot = () => [
    chart.rect(place.x(0), place.base - 0.5, place.x(run.nSteps) - place.x(0), 1, {
      fill: palette.rule,
    }),
  ];
  const moving = [];
  if (t > begun) moving.push(bar(now, begun, t, place, { fill: palette.quiet, name: "current" }));
  moving.push(
    chart.rect(place.x(t) - 1.5, rect.y, 3, rect.h, { fill: palette.accent, name: "cursor" }),
  );
  const words = "votes";
  const wide = textWidth(words, size, palette.fonts) + 4;
  // It stands beside the pointer.
  const x = t < 0.1 * run.span ? timeX(run, rect, t) + 5 : rect.x + 10;
  const plate = { fill: palette.paper, alpha: 0.85, radius: 2, name: "plate" };
  moving.push(chart.rect(x - 2, rect.y, wide, 1.3 * size, plate));
  moving.push(chart.text(x, rect.y + size, words, { size, fill: palette.quiet, name: "votes" }));
  return {
    still: [
      { key, marks: foot },
      {
        key,
        marks: () => bars(all, place, { fill: palette.quiet, name: "behind" }),
        upTo: place.x(begun),
        before: now,
      },
    ],
    moving,
  };
}

/**
 * One bar for each hypothesis, as wide and as high as it lasted; where several fall on a pixel, the
 * highest.
 */
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
  const h = Math.max((to - from) * scale, LOWEST_BAR);
  const w = x(to) - x(from);
  const target = { kind: "hypothesis", tells: aboutHypothesis, index: k, reach: [1, Infinity] };
  const rectLook = { hypothesis: k + 1, votes: to - from, target, ...look };
  return chart.rect(x(from), base - h, Math.max(w - (w > 4 ? 1 : 0), 0.8), h, rectLook);
}

/** A version of f, with the votes that it has so far. @param {Pointed} pointed */
function aboutHypothesis({ run, t, hit }) {
  const k = Number(hit.index);
  const { from, counts } = run.hypotheses();
  const name = `v${subscript(k + 1)}${k || !run.trace.fromZero ? "" : " = 0"}`;
  const votes = whole.format(Math.min(counts[k], t - from[k]));
  return { time: k ? from[k] + 1 : 0, lines: [`${name}: cₖ = ${votes} of ${counted(t, "vote")}`] };
}

/** @type {PanelObject} */
export const timelinePanel = { name: "timeline", marks: timelineMarks, summary, walkable: true };

/** @type {PanelObject} */
export const votesPanel = { name: "votes", marks: votesMarks, walkable: true };
