// What the pointer touches: an example, a brick, a bin, a tick or a place on the map.

import { placeWords } from "../model/cues.js";
import { BY_NAME } from "../model/panel_table.js";
import { normOf, normTitle, visible } from "../model/series.js";
import { kernelAt } from "../model/field.js";
import { wrap } from "../model/measure.js";
import { holdable } from "./turning.js";
import { listedIn } from "../panels/account.js";
import { brickAt } from "../panels/alpha.js";
import { curveAt } from "../panels/curve.js";
import { gramAt } from "../panels/gram.js";
import { liftAt, spaceOf } from "../panels/lift.js";
import { aboutExample } from "../panels/map.js";
import { examplesAt } from "../panels/margins.js";
import { cellsOf, draggable, placeAt } from "../panels/sequence.js";
import { courseAt } from "../panels/stream.js";
import { timeAt, timeX } from "../panels/chart.js";
import { cueAt, hypothesisAt, mistakeAt } from "../panels/timeline.js";
import { untouched } from "../model/player.js";
import { comparedWith, fixedAt, fixedTerm, sumWords, termsOf } from "../model/votes.js";
import {
  coordinate,
  example,
  isNegligible,
  leastOf,
  number,
  orLess,
  powerOfTen,
  signed,
  SIGNS,
  whole,
} from "../model/words.js";
import { colour } from "../model/first_minute.js";

const NEAR = 5; // px
const TIP = 380; // px of a line of words
const MARGINS = "How far each point is on the right side of 0.";

const inside = (rect, px, py) => rect && px >= rect.x && px <= rect.x + rect.w && py >= rect.y && py <= rect.y + rect.h;

/** @import { Discriminant } from "../model/discriminant.js" */
/** @import { Player } from "../model/player.js" */
/** @import { RunMap } from "../model/run_set.js" */
/** @import { Touch } from "../types.d.ts" */

/** What is under a pixel of the board. @param {Player} player @param {number} px @param {number} py @returns {Touch} */
export function touched(player, px, py) {
  return { ...untouched(), ...under(player, px, py) };
}

/** @typedef {Partial<Touch>} Found */

/** @type {(player: Player, px: number, py: number) => Found} */
function under(player, px, py) {
  const { panels } = player.layout;
  const { drag } = player.order;
  if (player.run.fisher) return onFisher(player, player.run.fisher, px, py);
  if (drag?.moved) return { hot: new Set([drag.i]) };
  for (const map of player.maps) {
    if (inside(panels[map.name], px, py)) return { ...onMap(player, map, px, py), map: map.name };
    const bricks = panels[map.name.replace("map", "alpha")];
    if (inside(bricks, px, py)) return onBricks(player, map.run, bricks, px, py);
    const course = panels[map.name.replace("map", "margins")];
    if (map.run.stream && inside(course, px, py) && !player.predict.on) {
      return courseAt(map.run, course, px, player.t);
    }
  }
  const name = Object.keys(ON_PANEL).find((panel) => inside(panels[panel], px, py));
  if (name && player.hidesF && BY_NAME[name].reveals) return {};
  if (name) return ON_PANEL[name](player, px, py);
  const cue = panels.timeline && cueUnder(player, px, py);
  if (cue) return { time: cue.t, lines: aboutCue(player, cue) };
  return inside(panels.timeline, px, py) ? onTimeline(player, px) : {};
}

/** On Fisher's page: a point, an entry of a matrix, or an angle. @type {(player: Player, fisher: Discriminant, px: number, py: number) => Found} */
function onFisher(player, fisher, px, py) {
  const { panels } = player.layout;
  if (fisher.held) return {};
  if (inside(panels.timeline, px, py)) {
    const time = fisher.nearest(timeAt(player.run, panels.timeline, px));
    const { angle, J } = fisher.reading(time);
    return { time, lines: [`F at ${Number(angle.toFixed(1))}°: J = ${number(J)}`] };
  }
  if (inside(panels.scatter, px, py)) return onList("scatter")(player, px, py);
  const touch = inside(panels.map, px, py) ? onMap(player, player.maps[0], px, py) : {};
  return { ...touch, held: holdable(player, { px, py }) !== null };
}

/** @type {Record<string, (player: Player, px: number, py: number) => Found>} */
const ON_PANEL = {
  margins: onMargins,
  gram: onGram,
  lift: onLift,
  sequence: onSequence,
  curve: onCurve,
  votes: onVotes,
  remembered: onList("remembered"),
  primal: onList("primal"),
  validity: onList("validity"),
  derivation: onList("derivation"),
};

function onList(name) {
  return (player, px, py) => {
    const { lines = [], hot = new Set() } = listedIn(player, name).find((each) => inside(each, px, py)) ?? {};
    return { lines, hot };
  };
}

/** @type {(player: Player, map: RunMap, px: number, py: number) => Found} */
function onMap(player, { run, view }, px, py) {
  if (player.editing.drag) return {};
  const { pointScale } = player;
  const t = Math.min(player.t, run.nSteps);
  const reading = run.reading(t);
  let nearest = -1;
  let least = Infinity;
  for (const i of run.stream ? visible(run, t).keys() : Array(run.n + run.nTest).keys()) {
    const distance = Math.hypot(view.x(run.X[2 * i]) - px, view.y(run.X[2 * i + 1]) - py);
    const reach = (i < run.n ? run.pointRadius(i, t, pointScale) : 4) + NEAR;
    if (distance < reach && distance < least) [nearest, least] = [i, distance];
  }
  if (player.editing.on && nearest < 0) return {};
  if (nearest >= 0) return aboutOne(player, run, t, nearest);
  const node = run.plane && !run.fisher ? view.node(px, py) : null;
  if (!node) return {};
  const similar = kernelAt(player, run, node);
  if (similar) return onSimilar(run, node, similar);
  if (player.hidesF) return {};
  const probe = probeAt(player, run, reading, node);
  return { probe, lines: probe.lines };
}

/** k(x_i, ·) at a node, with a line to x_i. */
function onSimilar(run, node, { i, value }) {
  const full = `k(${i}, ${run.placeInWords(node.x1, node.x2, String)}) = ${value}`;
  const place = run.placeInWords(node.x1, node.x2, coordinate);
  const lines = [`k(${i < run.n ? example(i) : "x"}, ${place}) = ${orLess(value, leastOf(run))}`];
  return { similar: i, lines, probe: { ...node, terms: [{ i, value }], largest: Math.abs(value) || 1, lines, full } };
}

function onGram(player, px, py) {
  if (player.covered().has("k")) return {};
  const { run, layout, t } = player;
  const found = gramAt(run, layout.panels.gram, layout.unit, px, py);
  if (!found) return {};
  return found.hot ? found : aboutOne(player, run, Math.min(t, run.nSteps), found.i);
}

function aboutOne(player, run, t, i) {
  return { hot: new Set([i]), ...about(player, run, t, i) };
}

/** The lines about an example, its score as a sum, and its numbers; while a question stands without f. */
function about({ hidesF, verdicts, palette, maps, width, minute }, run, t, i) {
  if (run.fisher) return { lines: run.fisher.about(t, i), full: null };
  const reading = run.reading(t);
  const known = minute
    ? [`This point is ${colour(run.y[i])}`]
    : [...aboutExample(run, reading, t, i, hidesF), ...verdicts.lines(run, t, i)];
  if (hidesF) return { lines: known, full: null };
  const full = inFull(run, reading, t, i);
  const kernel = run.isBlank(t) ? null : comparedWith(run, i);
  const map = maps.find((each) => each.run === run);
  if (!kernel || !map) return { lines: known, full };
  const { shown, formula, each } = sumWords(run, reading, termsOf(run, reading, kernel), fixedAt(run, i));
  const terms = minute ? [] : each; // its points have no names
  const lines = [...known, ...wrap(formula, Math.min(TIP, width - 60), 13, palette.fonts), ...terms];
  const [x1, x2] = [run.X[2 * i], run.X[2 * i + 1]];
  const probe = { i, x1, x2, terms: shown, largest: Math.abs(shown[0]?.value ?? 1), lines, full };
  return { lines, full, probe, map: map.name };
}

/** An example of the current run, as if the pointer were on it. */
export function atExample(player, i) {
  const { run, t } = player;
  return { ...untouched(), ...aboutOne(player, run, Math.min(t, run.nSteps), i) };
}

/** A point in space, or the space itself, which can be turned. */
function onLift(player, px, py) {
  const { run, layout, lift, pointScale } = player;
  const extra = run.header.extras.lift;
  const space = spaceOf(player);
  if (!space || py < space.y) {
    return { ask: extra.offers && player.capabilities.server && !player.presenting ? "square" : null };
  }
  const t = Math.min(player.t, run.nSteps);
  const i = liftAt(run, space, layout.unit, lift.now, t, pointScale, px, py);
  return i < 0 ? { held: Boolean(extra) } : aboutOne(player, run, t, i);
}

/** All numbers of an example, to be copied. */
function inFull(run, reading, t, i) {
  const [x1, x2] = run.inDataUnits(run.X[2 * i], run.X[2 * i + 1]);
  const where = run.objects ? [`x\t${run.objects[i]}`] : [`x1\t${x1}`, `x2\t${x2}`];
  if (run.header.names.scaled) where.push(`scaled x1\t${run.X[2 * i]}`, `scaled x2\t${run.X[2 * i + 1]}`);
  const line = run.lines ? [`line\t${run.lines[i]}`] : [];
  const lines = [`example\t${i}`, ...line, ...where, `y\t${run.y[i]}`];
  if (reading.scores) lines.push(`f\t${reading.scores[i]}`, `margin\t${run.y[i] * reading.scores[i]}`);
  if (i < run.n) lines.push(`alpha\t${run.alphaOf(i, t)}`);
  return lines.join("\n");
}

/** What the score of a place is. */
function headOf(run, place, f) {
  const least = leastOf(run);
  if (!isNegligible(f, least)) return run.symbols ? `${place} = ${number(f)}` : `${place} ${signed(f)}`;
  return run.symbols ? `|${place}| < ${powerOfTen(least)}` : `${place}: less than ${powerOfTen(least)} from 0`;
}

/** f at a node as a sum, with its largest terms. */
function probeAt({ palette: { fonts }, width, minute }, run, reading, node) {
  const { header, contributions } = run;
  const f = reading.field[node.row * header.grid + node.column];
  const { predictor } = header.settings;
  const sign = SIGNS[predictor];
  const isScaled = run.header.names.scaled;
  const place = run.placeInWords(node.x1, node.x2, coordinate);
  const exactPlace = run.placeInWords(node.x1, node.x2, String);
  const scoreName = isScaled ? sign : `${sign}${place}`;
  const scoreHead = headOf(run, run.symbols ? scoreName : "score", f);
  const head = run.symbols && isScaled ? `${scoreHead} at ${place}` : scoreHead;
  const first = isScaled ? `${sign} = ${f} at ${exactPlace}` : `${sign}${exactPlace} = ${f}`;
  if (predictor === "voted") return { ...node, terms: [], largest: 1, lines: [head], full: first };
  const kernel = contributions.at(node.column, node.row);
  const terms = termsOf(run, reading, (place) => kernel[place]);
  const at = node.row * header.grid + node.column;
  const fixed = fixedTerm(run, run.initial?.field[at], [node.x1, node.x2]);
  const { shown, formula, each } = sumWords(run, reading, terms, fixed);
  const there = terms.filter(({ value }) => value !== 0);
  const all = there.map(({ i, value, coef, k }) => [value, i, coef, k].join("\t"));
  const full = [
    first,
    "term\texample\tcoefficient\tk",
    ...all,
    `b = ${reading.b}`,
    ...(fixed ? [`f₀ = ${fixed.value}`] : []),
  ].join("\n");
  return {
    ...node,
    terms: shown,
    largest: Math.abs(shown[0]?.value ?? 1),
    lines: [head, ...wrap(formula, Math.min(TIP, width - 60), 13, fonts), ...(minute ? [] : each)],
    full,
  };
}

/** The cell of an example in the order's panel; a hand can take hold of it. */
function onSequence(player, px, py) {
  const { run, order, layout } = player;
  const cells = !order.why && run.n ? cellsOf(layout.panels.sequence, layout.unit, run.n) : null;
  const k = cells ? placeAt(cells, px, py) : -1;
  if (k < 0) return {};
  const { start, t } = order.epoch;
  const i = order.at(k);
  if (i === undefined) return {};
  const place = `number ${whole.format(k + 1)} of the epoch: step ${whole.format(start + k + 1)}`;
  const lines = [...aboutExample(run, run.reading(t), t, i, player.hidesF), place];
  return { hot: new Set([i]), lines, held: player.capabilities.server && draggable(cells) && !run.onlyMistakes };
}

/** A value of the curve over a setting, or what chooses another curve. */
function onCurve({ layout, palette, curve }, px, py) {
  return curveAt({ rect: layout.panels.curve, unit: layout.unit, palette, curve: curve.scene }, px, py);
}

function onVotes({ run, layout, t }, px) {
  return hypothesisAt(run, layout.panels.votes, px, t);
}

function onBricks(player, run, rect, px, py) {
  const t = Math.min(player.t, run.nSteps);
  const brick = brickAt(run, rect, player.layout.unit, t, px, py);
  if (!brick) return {};
  const { i, step } = brick;
  const when = step === null ? "before this run" : `step ${step + 1} (click to go there)`;
  const lines = [
    ...aboutExample(run, run.reading(t), t, i, player.hidesF),
    `${run.header.about.counts ? "this brick" : "last changed"}: ${when}`,
  ];
  return { hot: new Set([i]), lines, time: step === null ? null : step + 1 };
}

function onMargins(player, px) {
  const { run, layout, t } = player;
  const found = examplesAt(run, t, player.normed, layout.panels.margins, px);
  if (!found.length) {
    const words = run.symbols ? run.header.words.margin : MARGINS;
    return { lines: wrap(words, TIP, 13, player.palette.fonts) };
  }
  const norm = player.normed ? normOf(run, run.reading(t)) : 0;
  const lines =
    found.length === 1 ? aboutExample(run, run.reading(t), t, found[0]) : aboutBin(run, run.reading(t), found, norm);
  if (norm > 0 && found.length === 1) {
    lines.push(`margin/${normTitle(run)} ${number((run.y[found[0]] * run.reading(t).scores[found[0]]) / norm)}`);
  }
  return { hot: new Set(found), lines };
}

const NAMED = 6; // examples of a bin

/** Which examples a bin has, and their smallest and largest margin. */
function aboutBin(run, { scores }, found, norm) {
  const { y } = run;
  const margins = found.map((i) => (y[i] * scores[i]) / (norm || 1));
  const named = found.slice(0, NAMED).map(example).join(", ");
  return [
    `${found.length} examples in this bin: ${named}${found.length > NAMED ? " …" : ""}`,
    `${norm ? `margin/${normTitle(run)}` : "margin"} ${number(Math.min(...margins))} to ${number(Math.max(...margins))}`,
  ];
}

function cueUnder({ run, layout, cues, predict, t }, px, py) {
  const { panels, unit } = layout;
  const { placed } = cues;
  return cueAt({ run, rect: panels.timeline, unit, cues: placed, predicting: predict.on, time: t }, px, py);
}

/** What the tip says of a cue: its place and its words. */
function aboutCue({ palette, width }, { place, words, t }) {
  const where = /^\d/.test(place) ? placeWords(place) : `${placeWords(place)}, step ${t}`;
  return [
    `cue: ${where} (click to go there)`,
    ...(words ? wrap(words, Math.min(TIP, width - 60), 13, palette.fonts) : []),
  ];
}

function onTimeline(player, px) {
  const { run, layout } = player;
  const rect = layout.panels.timeline;
  const time = timeAt(run, rect, px);
  const { counted, index } = run.trace;
  let nearest = -1;
  for (const step of counted) {
    if (step >= player.t) break; // it has not happened
    const distance = Math.abs(timeX(run, rect, step + 1) - px);
    if (distance < NEAR && (nearest < 0 || distance < Math.abs(timeX(run, rect, nearest + 1) - px))) nearest = step;
  }
  if (nearest < 0) return { time, lines: [`step ${time}`] };
  return { hot: new Set([index[nearest]]), time: nearest + 1, lines: [mistakeAt(run, nearest)] };
}
