// What the pointer touches: an example, a brick, a bin, a tick or a place on the map.

import { placeWords } from "./cues.js";
import { wrap } from "./paint.js";
import { brickAt } from "./panels/alpha.js";
import { gramAt } from "./panels/gram.js";
import { liftAt } from "./panels/lift.js";
import { aboutExample } from "./panels/map.js";
import { examplesAt, normOf } from "./panels/margins.js";
import { pointRadius } from "./panels/radius.js";
import { courseAt } from "./panels/stream.js";
import { cueAt, timeAt, timeX } from "./panels/timeline.js";
import { hypothesisAt } from "./panels/votes.js";
import { similarAt } from "./similar.js";
import { visible } from "./stream.js";
import { counted, example, number, signed, SIGNS } from "./words.js";

const NEAR = 5; // px
const TERMS = 5;
const TIP = 380; // px of a line of words

const inside = (rect, px, py) => rect && px >= rect.x && px <= rect.x + rect.w && py >= rect.y && py <= rect.y + rect.h;

/** { hot, lines, probe, time } under the pixel; `time` is where a click leads. */
export function touched(stage, px, py) {
  const { panels } = stage.layout;
  const { drag } = stage.reorder;
  if (drag?.moved) return { ...nothing(), hot: new Set([drag.i]) };
  for (const map of stage.maps) {
    if (inside(panels[map.name], px, py)) return { ...onMap(stage, map, px, py), map: map.name };
    const bricks = panels[map.name.replace("map", "alpha")];
    if (inside(bricks, px, py)) return onBricks(stage, map.run, bricks, px, py);
    const course = panels[map.name.replace("map", "margins")];
    if (map.run.stream && inside(course, px, py)) return { ...nothing(), ...courseAt(map.run, course, px) };
  }
  if (inside(panels.margins, px, py)) return onMargins(stage, px);
  if (inside(panels.gram, px, py)) return onGram(stage, px, py);
  if (inside(panels.lift, px, py)) return onLift(stage, px, py);
  if (inside(panels.sequence, px, py)) return { ...nothing(), ...stage.reorder.touched(px, py) };
  if (inside(panels.votes, px, py))
    return {
      ...nothing(),
      ...hypothesisAt(stage.run, panels.votes, px, stage.predict.on ? stage.t : stage.run.nSteps),
    };
  const cue = panels.timeline && cueUnder(stage, px, py);
  if (cue) return { ...nothing(), time: cue.t, lines: aboutCue(stage, cue) };
  if (inside(panels.timeline, px, py)) return onTimeline(stage, px);
  return nothing();
}

const nothing = () => ({ hot: new Set(), lines: [], probe: null, time: null, full: null, map: "map" });

function onMap(stage, { run, view }, px, py) {
  const { pointScale } = stage;
  const t = Math.min(stage.t, run.nSteps);
  const reading = run.reading(t);
  let nearest = -1;
  let least = Infinity;
  for (const i of run.stream ? visible(run, t).keys() : Array(run.n + run.nTest).keys()) {
    const distance = Math.hypot(view.x(run.X[2 * i]) - px, view.y(run.X[2 * i + 1]) - py);
    const reach = (i < run.n ? pointRadius(run, i, t, pointScale) : 4) + NEAR;
    if (distance < reach && distance < least) [nearest, least] = [i, distance];
  }
  if (stage.editor.on && (nearest < 0 || stage.editor.drag)) return nothing();
  if (nearest >= 0)
    return {
      ...nothing(),
      hot: new Set([nearest]),
      lines: aboutExample(run, reading, t, nearest),
      full: inFull(run, reading, t, nearest),
    };
  const node = run.plane ? view.node(px, py) : null;
  if (!node) return nothing();
  const similar = similarAt(stage, run, node);
  if (similar) return onSimilar(run, node, similar);
  const probe = probeAt(run, reading, node);
  return { ...nothing(), probe, lines: probe.lines };
}

/** k(x_i, ·) at a node, with a line to x_i. */
function onSimilar(run, node, { i, value }) {
  const own = run.own(node.x1, node.x2);
  const full = `k(${i}, (${own.join(", ")})) = ${value}`;
  const lines = [`k(${i < run.n ? example(i) : "x"}, (${own.map(number).join(", ")})) = ${number(value)}`];
  return {
    ...nothing(),
    similar: i,
    lines,
    probe: { ...node, terms: [{ i, value }], largest: Math.abs(value) || 1, lines, full },
  };
}

function onGram({ run, layout, t }, px, py) {
  const found = gramAt(run, layout.panels.gram, layout.unit, px, py);
  if (!found) return nothing();
  return { ...nothing(), ...(found.hot ? found : aboutOne(run, Math.min(t, run.nSteps), found.i)) };
}

function aboutOne(run, t, i) {
  const reading = run.reading(t);
  return { hot: new Set([i]), lines: aboutExample(run, reading, t, i), full: inFull(run, reading, t, i) };
}

/** A point in space, or the space itself, which can be turned. */
function onLift(stage, px, py) {
  const { run, layout, turning, pointScale } = stage;
  const told = run.header.extras.lift;
  if (told?.why) return { ...nothing(), ask: told.offers && stage.means.server && !stage.present.on ? "square" : null };
  const t = Math.min(stage.t, run.nSteps);
  const i = liftAt(run, layout.panels.lift, layout.unit, turning.now, t, pointScale, px, py);
  if (i < 0) return { ...nothing(), held: Boolean(told) };
  return { ...nothing(), ...aboutOne(run, t, i) };
}

/** All numbers of an example, to be copied. */
function inFull(run, reading, t, i) {
  const [x1, x2] = run.own(run.X[2 * i], run.X[2 * i + 1]);
  const where = run.objects ? [`x\t${run.objects[i]}`] : [`x1\t${x1}`, `x2\t${x2}`];
  const lines = [`example\t${i}`, ...where, `y\t${run.y[i]}`];
  if (reading.scores) lines.push(`f\t${reading.scores[i]}`, `margin\t${run.y[i] * reading.scores[i]}`);
  if (i < run.n) lines.push(`alpha\t${run.alphaOf(i, t)}`);
  return lines.join("\n");
}

/** f at a node as a sum, with its largest terms. */
function probeAt(run, reading, node) {
  const { header, trace, contributions } = run;
  const f = reading.field[node.row * header.grid + node.column];
  const { predictor } = header.settings;
  const own = run.own(node.x1, node.x2);
  const head = `${SIGNS[predictor]}(${own.map(number).join(", ")}) = ${number(f)}`;
  const first = `${SIGNS[predictor]}(${own.join(", ")}) = ${f}`;
  if (predictor === "voted") return { ...node, terms: [], largest: 1, lines: [head], full: first };
  const kernel = contributions.at(node.column, node.row);
  const terms = [];
  for (let place = 0; place < kernel.length; place++) {
    const value = reading.coef[place] * kernel[place];
    if (value !== 0) terms.push({ i: trace.support[place], value });
  }
  terms.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const shown = terms.slice(0, TERMS);
  const rest = terms.slice(TERMS).reduce((sum, { value }) => sum + value, 0);
  const lines = [head, ...shown.map(({ i, value }) => `${signed(value)}  from ${example(i)}`)];
  if (terms.length > TERMS) lines.push(`${signed(rest)}  from ${counted(terms.length - TERMS, "other")}`);
  if (reading.b !== 0) lines.push(`${signed(reading.b)}  intercept b`);
  const all = terms.map(({ i, value }) => `${value}\t${i}`);
  const full = [first, "term\texample", ...all, `b = ${reading.b}`].join("\n");
  return { ...node, terms: shown, largest: Math.abs(shown[0]?.value ?? 1), lines, full };
}

function onBricks(stage, run, rect, px, py) {
  const t = Math.min(stage.t, run.nSteps);
  const brick = brickAt(run, rect, stage.layout.unit, t, px, py);
  if (!brick) return nothing();
  const lines = [
    ...aboutExample(run, run.reading(t), t, brick.i),
    `${run.header.about.counts ? "this brick" : "last changed"}: step ${brick.step + 1} (click to go there)`,
  ];
  return { ...nothing(), hot: new Set([brick.i]), lines, time: brick.step + 1 };
}

function onMargins(stage, px) {
  const { run, layout, t } = stage;
  const found = examplesAt(run, run.reading(t), stage.normed, layout.panels.margins, px);
  if (!found.length) return { ...nothing(), lines: wrap(run.header.words.margin, TIP, 13, stage.palette.fonts) };
  const lines =
    found.length === 1 ? aboutExample(run, run.reading(t), t, found[0]) : [`${found.length} examples in this bin`];
  const norm = stage.normed ? normOf(run, run.reading(t)) : 0;
  if (norm > 0 && found.length === 1)
    lines.push(`margin/‖f‖ ${number((run.y[found[0]] * run.reading(t).scores[found[0]]) / norm)}`);
  return { ...nothing(), hot: new Set(found), lines };
}

function cueUnder({ run, layout, cues, predict, t }, px, py) {
  const flags = {
    run,
    rect: layout.panels.timeline,
    unit: layout.unit,
    cues: cues.placed,
    predicting: predict.on,
    time: t,
  };
  return cueAt(flags, px, py);
}

/** What the tip says of a cue: its place and its words. */
function aboutCue({ palette, size }, { place, words, t }) {
  const where = /^\d/.test(place) ? placeWords(place) : `${placeWords(place)}, step ${t}`;
  return [
    `cue: ${where} (click to go there)`,
    ...(words ? wrap(words, Math.min(TIP, size.width - 60), 13, palette.fonts) : []),
  ];
}

function onTimeline(stage, px) {
  const { run, layout } = stage;
  const rect = layout.panels.timeline;
  const time = timeAt(run, rect, px);
  const { mistakeSteps, index } = run.trace;
  let nearest = -1;
  for (const step of mistakeSteps) {
    if (stage.predict.on && step >= stage.t) break; // it would give the answer away
    const distance = Math.abs(timeX(run, rect, step + 1) - px);
    if (distance < NEAR && (nearest < 0 || distance < Math.abs(timeX(run, rect, nearest + 1) - px))) nearest = step;
  }
  if (nearest < 0) return { ...nothing(), time, lines: [`step ${time}`] };
  const i = index[nearest];
  return {
    ...nothing(),
    hot: new Set([i]),
    time: nearest + 1,
    lines: [`step ${nearest + 1}: mistake on ${example(i)}`],
  };
}
