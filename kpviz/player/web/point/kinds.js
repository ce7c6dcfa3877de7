// What the kinds of targets that several panels have tell to whoever points at them: which examples
// light up, what is said, where a click leads. A target that one panel alone has `tells` it itself.

import { kernelAt } from "../board/kernel_row.js";
import { wrap } from "../paint/measure.js";
import { knownOf } from "../run/example_words.js";
import { distanceWords, votesOn } from "../run/votes.js";
import { colour } from "../run/words.js";
import { valueAt } from "./targets.js";

/** @import { Player } from "../board/player.js" */
/** @import { Run } from "../run/run.js" */
/** @import { ScoreSum } from "../run/votes.js" */
/** @import { Hit, Pointed, Touch } from "../board/types.d.ts" */

const TIP = 380; // In px: the width of a line of words.
const MARGIN = 60; // In px: no line of words fills so much of a narrow board, or of its map.
const LEAST_TIP = 220; // In px: on a smaller map the box has lines of this width, and juts out.

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
  const value = target.across ? Math.round(valueAt(hit)) : hit.part;
  const t = Math.min(player.t, run.nSteps);
  /** @type {Pointed} */
  const pointed = {
    map,
    run,
    t,
    order: player.order,
    hidesNumbers: player.hidesNumbers,
    hit,
    target,
    value,
    words: words?.(value).flatMap((line) => inLines(player, line)) ?? [],
    known: (i) => knownLines(player, run, t, i),
    similarAt: (node) => kernelAt(player, run, node),
    inTerms: (sum, away) => sumLines(player, map.name, sum, away),
  };
  const told = target.tells?.(pointed) ?? KINDS[target.kind](pointed, player);
  return { map: map.name, ...told };
}

/** @type {Record<string, (pointed: Pointed, player: Player) => Partial<Touch>>} */
const KINDS = {
  /** An example; where its mark says more, that comes in place of its score as a sum. */
  example({ run, t, hit, target, words, known }, player) {
    const i = Number(hit.index);
    const lit = { hot: new Set([i]), held: Boolean(target.hold) };
    const told = hit.mark.words ? { lines: [...known(i), ...words] } : about(player, run, t, i);
    return { ...lit, ...told };
  },

  /** Several examples, as far as they are lit: all that is said are the words of the mark. */
  examples: ({ hit, words }) => ({
    hot: new Set(/** @type {number[]} */ (hit.index)),
    lines: words,
  }),

  /** An instant on a scale. */
  time: ({ hit, value, words }) => ({
    time: value,
    lines: hit.mark.words ? words : [`step ${value}`],
  }),

  /** An instant to which a click leads. */
  step: ({ hit, words }) => ({ time: Number(hit.index), lines: words }),

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

/**
 * A score as a sum, each example of it once: on a phone in few lines that the map has room for, so
 * that the box covers few of the examples that it speaks of, else a line for each.
 *
 * @param {Player} player
 * @param {string} mapName
 * @param {ScoreSum} sum
 * @param {string[]} away how far the example of the largest term is
 */
function sumLines(player, mapName, { formula, list, inShort }, away) {
  if (!namesPoints(player)) return inLines(player, formula);
  const { narrow, low, panels } = player.layout;
  if (!(narrow || low) || !inShort) return [...list, ...away];
  const room = Math.max((panels[mapName]?.w ?? player.width) - MARGIN, LEAST_TIP);
  return [inShort, ...away].flatMap((line) => inLines(player, line, room));
}
