// What each kind of target tells to whoever points at it: which examples light up, what is said,
// where a click leads. Words of the mark itself come after these.

import { kernelAt } from "../board/kernel_row.js";
import { wrap } from "../paint/measure.js";
import { distanceWords, fixedTerm, sumWords, termsOf, votesOn } from "../run/votes.js";
import {
  colour,
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
} from "../run/words.js";
import { stepOfBrick } from "../panels/alpha.js";
import { pairAt } from "../panels/gram.js";
import { knownOf } from "../panels/map.js";
import { draggable } from "../panels/sequence.js";
import { hypothesisWords, mistakeAt } from "../panels/timeline.js";
import { valueAt } from "./targets.js";

/** @import { Player } from "../board/player.js" */
/** @import { Run } from "../run/run.js" */
/** @import { RunMap } from "../board/run_set.js" */
/** @import { Hit, Target, Touch } from "../board/types.d.ts" */

const TIP = 380; // In px: the width of a line of words.
const MARGIN = 60; // In px: no line of words fills so much of a narrow board, or of its map.
const LEAST_TIP = 220; // In px: on a smaller map the box has lines of this width, and juts out.

/**
 * What was hit, with what its kind may need: `words` are those of the mark, `t` is the instant of
 * this run.
 * @typedef {{
 *   player: Player, map: RunMap, run: Run, t: number, hit: Hit, target: Target, words: string[],
 * }} Pointed
 */

/**
 * A sentence in lines of the box at the pointer.
 *
 * @param {Player} player
 * @param {string} line
 * @param {number} [room]
 */
const inLines = ({ palette, width }, line, room = width - MARGIN) =>
  wrap(line, Math.min(TIP, room), 13, palette.fonts);

/**
 * What a hit means now.
 *
 * @param {Player} player
 * @param {Hit} hit
 * @returns {Partial<Touch>}
 */
export function meaningOf(player, hit) {
  const { target, words } = hit.mark;
  const map =
    player.maps.find(({ name }) => name === hit.panel.replace(/^[a-z]+/, "map")) ??
    player.maps.at(-1);
  const { run } = map;
  const targetWords =
    words && !target.across ? words(hit.part).flatMap((line) => inLines(player, line)) : [];
  const t = Math.min(player.t, run.nSteps);
  return {
    map: map.name,
    ...KINDS[target.kind]({ player, map, run, t, hit, target, words: targetWords }),
  };
}

/** @type {Record<string, (pointed: Pointed) => Partial<Touch>>} */
const KINDS = {
  /** An example; where its mark says more, that comes in place of its score as a sum. */
  example({ player, run, t, hit, target, words }) {
    const i = Number(hit.index);
    const lit = { hot: new Set([i]), held: Boolean(target.hold) };
    if (!hit.mark.words) return { ...lit, ...about(player, run, t, i) };
    return {
      ...lit,
      lines: [...knownLines(player, run, t, i), ...words],
    };
  },

  /** Several examples, as far as they are lit: all that is said are the words of the mark. */
  examples: ({ hit, words }) => ({
    hot: new Set(/** @type {number[]} */ (hit.index)),
    lines: words,
  }),

  /** A mistake on an example, or where these are not counted all that was learnt from it. */
  brick({ player, run, t, hit }) {
    const i = Number(hit.index);
    const step = stepOfBrick(run, i, hit.part, t);
    const when = step === null ? "before this run" : `step ${step + 1} (click to go there)`;
    const what = run.header.about.counts ? "this brick" : "last changed";
    const lines = [...knownLines(player, run, t, i), `${what}: ${when}`];
    return { hot: new Set([i]), lines, time: step === null ? null : step + 1 };
  },

  /** The presentation of an example in this epoch. */
  presentation({ player, run, hit, target }) {
    const { start, t } = player.order.epoch;
    const i = player.order.at(hit.part);
    if (i === undefined) return {};
    const place = `number ${whole.format(hit.part + 1)} of the epoch: step ${whole.format(start + hit.part + 1)}`;
    const lines = [...knownLines(player, run, t, i), place];
    return {
      hot: new Set([i]),
      lines,
      held: Boolean(target.hold) && draggable(hit.mark.w / target.lattice[0]),
    };
  },

  /** The tick of a mistake. */
  mistake({ run, hit }) {
    const step = Number(hit.index);
    return { hot: new Set([run.trace.index[step]]), time: step + 1, lines: [mistakeAt(run, step)] };
  },

  /** An instant on a scale. */
  time({ player, hit }) {
    const time = Math.round(valueAt(hit));
    return {
      time,
      lines: hit.mark.words?.(time).flatMap((line) => inLines(player, line)) ?? [`step ${time}`],
    };
  },

  /** An angle of F on its scale, or a special one. */
  angle({ run: { fisher }, hit, target }) {
    const time = target.across ? fisher.nearest(Math.round(valueAt(hit))) : Number(hit.index);
    const { angle, J } = fisher.reading(time);
    return { time, lines: [`F at ${Number(angle.toFixed(1))}°: J = ${number(J)}`] };
  },

  /** An instant to which a click leads. */
  step: ({ hit, words }) => ({ time: Number(hit.index), lines: words }),

  /** A version of f, with the votes that it has so far. */
  hypothesis({ player, run, hit }) {
    const k = Number(hit.index);
    return { time: k ? run.hypotheses().from[k] + 1 : 0, lines: hypothesisWords(run, k, player.t) };
  },

  /** A place of the map: f there as a sum, or k(x_i, ·). */
  place({ player, map, hit }) {
    const { run, view } = map;
    const node = run.plane ? view.node(hit.px, hit.py) : null;
    if (!node) return {};
    const similar = kernelAt(player, run, node);
    if (similar) return similarTo(run, node, similar);
    if (player.hidesNumbers) return {};
    const probe = probeAt(player, map, node);
    return { probe, lines: probe.lines };
  },

  /** A cell of the Gram matrix. */
  pair: ({ run, hit }) => pairAt(run, hit.part),

  /** A value of a curve, or what chooses another curve; a click carries it out. */
  choice: ({ hit, target, words }) => ({
    place: /** @type {number} */ (hit.index),
    lines: words,
    act: target.act ?? null,
  }),

  /** What a click asks the server for. */
  offer: () => ({ ask: "square" }),

  words: ({ words }) => ({ lines: words }),

  /** Nothing is said: it can only be held. */
  ground: () => ({ held: true }),
};

/** Whether examples are called by their numbers. @param {Player} player */
const namesPoints = ({ modes }) => modes.ask("namesPoints") ?? true;

/**
 * The lines about an example, its score as a sum, and its numbers; while a question stands without
 * f.
 *
 * @param {Player} player
 * @param {Run} run
 */
function about(player, run, t, i) {
  const { hidesNumbers, verdicts, maps } = player;
  const told = player.modes.ask("exampleLines", i);
  if (told) return { lines: told, full: null };
  const reading = run.reading(t);
  const ownLines = namesPoints(player)
    ? [...knownLines(player, run, t, i), ...verdicts.lines(run, t, i)]
    : [`This point is ${colour(run.y[i])}`];
  if (hidesNumbers) return { lines: ownLines, full: null };
  const full = inFull(run, reading, t, i);
  const votes = run.isBlank(t) ? null : votesOn(run, reading, i);
  const map = maps.find((other) => other.run === run);
  if (!votes || !map) return { lines: ownLines, full };
  const { shown } = votes;
  const x1 = run.X[2 * i];
  const x2 = run.X[2 * i + 1];
  const away = distanceWords(run, [x1, x2], shown[0]);
  const lines = [...ownLines, ...sumLines(player, map.name, votes, away)];
  const probe = { i, x1, x2, terms: shown, largest: Math.abs(shown[0]?.value ?? 1), lines, full };
  return { lines, full, probe, map: map.name };
}

/** @param {Player} player @param {Run} run */
function knownLines({ covered, hidesNumbers }, run, t, i) {
  return knownOf({ run, reading: run.reading(t), t, covered, numbersHidden: hidesNumbers }, i);
}

/** All numbers of an example, to be copied. */
function inFull(run, reading, t, i) {
  const [x1, x2] = run.inDataUnits(run.X[2 * i], run.X[2 * i + 1]);
  const where = run.objects ? [`x\t${run.objects[i]}`] : [`x1\t${x1}`, `x2\t${x2}`];
  if (run.header.names.scaled) {
    where.push(`scaled x1\t${run.X[2 * i]}`, `scaled x2\t${run.X[2 * i + 1]}`);
  }
  const line = run.lines ? [`line\t${run.lines[i]}`] : [];
  const lines = [`example\t${i}`, ...line, ...where, `y\t${run.y[i]}`];
  if (reading.scores) {
    lines.push(`f\t${reading.scores[i]}`, `margin\t${run.y[i] * reading.scores[i]}`);
  }
  if (i < run.n) lines.push(`alpha\t${run.alphaOf(i, t)}`);
  return lines.join("\n");
}

/** k(x_i, ·) at a node, with a line to x_i. */
function similarTo(run, node, { i, value }) {
  const full = `k(${i}, ${run.placeInWords(node.x1, node.x2, String)}) = ${value}`;
  const place = run.placeInWords(node.x1, node.x2, coordinate);
  const lines = [`k(${i < run.n ? example(i) : "x"}, ${place}) = ${orLess(value, leastOf(run))}`];
  return {
    similar: i,
    lines,
    probe: { ...node, terms: [{ i, value }], largest: Math.abs(value) || 1, lines, full },
  };
}

/** What the score of a place is. */
function headOf(run, place, f) {
  const least = leastOf(run);
  if (!isNegligible(f, least)) {
    return run.symbols ? `${place} = ${number(f)}` : `${place} ${signed(f)}`;
  }
  return run.symbols
    ? `|${place}| < ${powerOfTen(least)}`
    : `${place}: less than ${powerOfTen(least)} from 0`;
}

/**
 * A score as a sum, each example of it once: on a phone in few lines that the map has room for, so
 * that the box covers few of the examples that it speaks of, else a line for each.
 *
 * @param {Player} player
 * @param {string} mapName
 * @param {ReturnType<typeof sumWords>} sum
 * @param {string[]} away how far the example of the largest term is
 */
function sumLines(player, mapName, { formula, list, inShort }, away) {
  if (!namesPoints(player)) return inLines(player, formula);
  const { narrow, low, panels } = player.layout;
  if (!(narrow || low) || !inShort) return [...list, ...away];
  const room = Math.max((panels[mapName]?.w ?? player.width) - MARGIN, LEAST_TIP);
  return [inShort, ...away].flatMap((line) => inLines(player, line, room));
}

/** f at a node as a sum, with its largest terms. @param {Player} player @param {RunMap} map */
function probeAt(player, { run, name }, node) {
  const { header, contributions } = run;
  const reading = run.reading(Math.min(player.t, run.nSteps));
  const at = node.row * header.grid + node.column;
  const f = reading.field[at];
  const { predictor } = header.settings;
  const sign = SIGNS[predictor];
  const isScaled = header.names.scaled;
  const place = run.placeInWords(node.x1, node.x2, coordinate);
  const exactPlace = run.placeInWords(node.x1, node.x2, String);
  const scoreName = isScaled ? sign : `${sign}${place}`;
  const scoreHead = headOf(run, run.symbols ? scoreName : "score", f);
  const head = run.symbols && isScaled ? `${scoreHead} at ${place}` : scoreHead;
  const first = isScaled ? `${sign} = ${f} at ${exactPlace}` : `${sign}${exactPlace} = ${f}`;
  if (predictor === "voted") return { ...node, terms: [], largest: 1, lines: [head], full: first };
  const kernel = contributions.at(node.column, node.row);
  const terms = termsOf(run, reading, (index) => kernel[index]);
  const fixed = fixedTerm(run, run.initial?.field[at], [node.x1, node.x2]);
  const sum = sumWords(run, reading, terms, fixed);
  const { shown } = sum;
  const away = distanceWords(run, [node.x1, node.x2], shown[0]);
  return {
    ...node,
    terms: shown,
    largest: Math.abs(shown[0]?.value ?? 1),
    lines: [head, ...sumLines(player, name, sum, away)],
    // All terms are written out for whoever copies them, not at each move of the pointer.
    get full() {
      const all = terms
        .filter(({ value }) => value !== 0)
        .map(({ i, value, coef, k }) => [value, i, coef, k].join("\t"));
      return [
        first,
        "term\texample\tcoefficient\tk",
        ...all,
        `b = ${reading.b}`,
        ...(fixed ? [`f₀ = ${fixed.value}`] : []),
      ].join("\n");
    },
  };
}
