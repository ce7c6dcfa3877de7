// What is known of runs side by side at an instant: what each says, the numbers that decide, where
// they disagree.

import { normOf } from "../run/series.js";
import { narrationOf } from "./narration.js";
import { errors } from "../run/run.js";
import { LETTERS } from "./run_set.js";
import { example, number, SIGNS, signed, toldApart, what, whole } from "../run/words.js";

/** @import { Layout } from "./types.d.ts" */
/** @import { Player } from "./player.js" */
/** @import { Run } from "../run/run.js" */
/** @import { RunMap } from "./run_set.js" */
/** @import { Narration } from "./narration.js" */

/**
 * A run of a comparison and what is said of it.
 * @typedef {Narration & { letter: string, name: string, run: Run, t: number, counter: string,
 *   decide: Deciding[] }} Column
 */

/**
 * One of the two numbers that decide, at an instant.
 * @typedef {{ key: string, label: string, short: string, text: string }} Deciding
 */

export const NO_NUMBER = "–"; // Where a run has none, or none yet.
// In px: where there is less room for what is said, nothing is folded; a button for fingers needs
// more.
const LEAST_WITH_REASONS = 52;
const LEAST_WITH_FINGER = 90;
const HATCH = 7; // In px, where the unit is 1.

const percent = (share) => `${(100 * share).toFixed(1)}%`;

/**
 * The numbers that may decide: their labels, and their values at an instant, null where there is
 * none.
 */
export const NUMBERS = {
  mistakes: { label: "mistakes", one: "mistake", at: mistakesAt, form: whole.format },
  epochs: {
    label: "epochs",
    one: "epoch",
    at: (run, t) => (run.nSteps ? run.trace.epochAt(t) : 0),
    form: whole.format,
  },
  support: {
    label: "remembered",
    at: (run, t) => run.alphas(t).reduce((sum, alpha) => sum + (alpha !== 0 ? 1 : 0), 0),
    form: whole.format,
  },
  margin: { label: "margin y·f/‖f‖", short: "margin", at: marginAt, form: number },
  train_error: {
    label: "training error",
    short: "wrong",
    at: (run, t) => errorOf(run, t, "train", run.n),
    form: percent,
  },
  test_error: {
    label: "held-out error",
    short: "held out",
    at: (run, t) => errorOf(run, t, "test", run.nTest),
    form: percent,
  },
};

/** @param {Run} run @param {number} t */
function mistakesAt({ trace }, t) {
  return trace.paired ? null : trace.mistakesBefore(t);
}

/** The smallest y·f/‖f‖; a vote has no norm. */
function marginAt(run, t) {
  const reading = run.reading(t);
  // f₀ has none.
  const norm = run.predictor.kind === "voted" || run.initial ? 0 : normOf(run, reading);
  let least = Infinity;
  for (let i = 0; i < run.n; i++) least = Math.min(least, run.y[i] * reading.scores[i]);
  return norm > 0 ? least / norm : null;
}

/** Of a predictor that has not seen an example there is no error, whatever it says. */
const errorOf = (run, t, set, count) =>
  t && count && !run.stream ? errors(run, run.predictor.kind, run.reading(t))[set] / count : null;

/** @param {Player} player @param {Run} run @returns {Deciding[]} */
function decidingOf({ runs }, run, t) {
  const error = run.nTest ? "test_error" : "train_error";
  const usual = ["mistakes", run.stream ? "support" : error];
  return (runs.comparison?.decide ?? usual).map((named) => {
    // A learner that solves for its weights counts no mistakes.
    const key = named === "mistakes" && run.trace.paired ? "support" : named;
    const { label: many, one = many, at, form, ...other } = NUMBERS[key];
    const value = at(run, t);
    const words = value === 1 ? one : many;
    return {
      key,
      label: words,
      short: other.short ?? words,
      text: value === null ? NO_NUMBER : form(value),
    };
  });
}

/**
 * All numbers of the runs at this instant, a row for each; none that no run has.
 *
 * @param {Player} player
 */
export function numbersOfRuns({ runs, t }) {
  const rows = Object.values(NUMBERS).map(({ label, at, form }) => ({
    label,
    values: runs.all.map((run) => at(run, Math.min(t, run.nSteps))),
    form,
  }));
  return rows
    .filter(({ values }) => values.some((value) => value !== null))
    .map(({ label, values, form }) => ({
      label,
      texts: values.map((value) => (value === null ? NO_NUMBER : form(value))),
    }));
}

/**
 * What the panels of a comparison need; null where only one run is on the stage.
 *
 * @param {Player} player
 * @param {string} name of the map
 * @param {(run: Run) => Float64Array | null} moving the field of a run that is not at rest
 */
export function comparisonOf(player, name, now, moving) {
  const { runs, maps, shown } = player;
  if (!runs.pinned.length) return null;
  const others = columnsOf(player, now);
  const namedMap = maps.find((map) => map.name === name);
  const column = name === "map" ? others.at(-1) : others[maps.indexOf(namedMap)];
  const { letter, name: caption, decide } = column;
  // A run that is asked about stands alone.
  const isHatched = maps.length > 1 && namedMap.run.plane && !shown.has("unhatched");
  const hatching = isHatched ? hatchingOf(player, moving) : [];
  const { comparison } = runs;
  const together = sharedOf(player, others);
  // Each then has its score under its map.
  const hasScore = together.shared && verdictIsUnderMap(player.layout) && !concealsOutcome(player);
  return {
    others,
    letter,
    name: caption,
    decide,
    outcome:
      (hasScore && isGoing(player, column) && scoreInShort(column)) || outcomeOf(player, column),
    tone: column.tone,
    hatching,
    comparison,
    samePlace: samePlaceOf(player, namedMap),
    ...together,
    ...(hasScore && {
      sentences: together.sentences.map((words, k) => (isGoing(player, others[k]) ? "" : words)),
    }),
  };
}

const VERDICT_FROM = 40; // In px where the unit is 1: with more room numbers have a verdict below.

/**
 * Whether what a step was stands under the map of each run, as on a phone.
 *
 * @param {Layout | null} layout
 */
export const verdictIsUnderMap = (layout) =>
  Boolean(layout?.narrow && layout.panels.decide?.h > VERDICT_FROM * layout.unit);

/** Whether a run has shown an example, and shows others. @param {Player} player */
const isGoing = (player, /** @type {Column} */ { run }) =>
  player.t > 0 && player.t < run.nSteps && !run.trace.paired;

/** The lines where the signs of f differ, in shares of the side. */
function hatchingOf({ runs, cursor, t, view, layout }, moving) {
  const fields = runs.all.map((run) => {
    const field = moving(run) ?? run.reading(Math.min(t, run.nSteps)).field;
    return isFlat(field, run.header.limit) ? flat(field.length) : field;
  });
  return runs.hatching(
    fields,
    (HATCH * layout.unit) / view.rect.w,
    Boolean(cursor.motion) || cursor.swift,
  );
}

/** @type {Map<number, Float64Array>} */
const zeros = new Map();

/** A field that is zero everywhere: one for each size. */
function flat(length) {
  if (!zeros.has(length)) zeros.set(length, new Float64Array(length));
  return zeros.get(length);
}

export const isFlat = (field, limit) => field.every((value) => Math.abs(value) < 1e-9 * limit);

/**
 * f on this map at the place that the pointer has on another one.
 *
 * @param {Player} player
 * @param {RunMap} map
 */
function samePlaceOf({ touch, pinnedTouch, pinned, pointer, maps, t }, { name, run, view }) {
  const { hot, probe, map, similar } = pinnedTouch ?? touch;
  const at = pinned ?? pointer;
  if (
    map === name ||
    !run.plane ||
    !at ||
    !maps.some((other) => other.view.contains(at.px, at.py))
  ) {
    return null;
  }
  const reading = run.reading(Math.min(t, run.nSteps));
  const sign = SIGNS[run.header.settings.predictor];
  const valueMark = (x1, x2, f) => ({
    px: view.x(x1),
    py: view.y(x2),
    text: `${sign} = ${number(f)}`,
  });
  if (probe && probe.i === undefined && similar === undefined) {
    const node = view.node(view.x(probe.x1), view.y(probe.x2));
    return (
      node && valueMark(probe.x1, probe.x2, reading.field[node.row * run.header.grid + node.column])
    );
  }
  if (hot.size !== 1 || run.stream) return null;
  const [i] = hot;
  return valueMark(run.X[2 * i], run.X[2 * i + 1], reading.scores[i]);
}

/** The runs in the order of their letters. @param {Player} player @returns {Column[]} */
function columnsOf(player, now) {
  const { cued } = narrationOf(player); // The words of a cue stand alone.
  return player.runs.all.map((run, k) => {
    const t = Math.min(player.t, run.nSteps);
    const narration = player.voice.narrationAt(player, run, now);
    return {
      letter: LETTERS[k],
      name: player.runs.names[k],
      run,
      t,
      ...narration,
      sentence: cued && run !== player.run ? "" : narration.sentence,
      counter: run.counter(t),
      decide: decidingOf(player, run, t),
    };
  });
}

/**
 * What is said of all runs together, and what is left to say of each: `shared` is "" where they
 * have no example in common. `shorter` is what says less of each, the longest first.
 *
 * @param {Player} player
 * @param {Column[]} columns
 */
function sharedOf(player, columns) {
  const { cued } = narrationOf(player);
  const sentences = columns.map(({ sentence }) => sentence);
  const shorter = columns.map((column) => column.shorter ?? []);
  if (cued) return { shared: "", sentences, shorter: sentences.map(() => []) };
  if (sentences.every((sentence) => sentence === sentences[0])) {
    return { shared: sentences[0], sentences: sentences.map(() => ""), shorter: [] };
  }
  // These ask, and answer, in their own words; while a score is covered, none is said.
  const asking = player.modes.ask("speaks") || player.cursor.looking || player.coversScore;
  const folds = foldsReasons(player);
  if (asking || (folds && player.verdicts.open === "why")) {
    return { shared: "", sentences, shorter };
  }
  const runSentences = player.bare || folds ? columns.map(inShort) : sentences;
  const going = columns.filter((column) => isGoing(player, column));
  const shownIndices = new Set(going.map(({ run, t }) => run.trace.index[t - 1]));
  if (going.length < 2 || shownIndices.size > 1) {
    return { shared: "", sentences: runSentences, shorter };
  }
  const [i] = shownIndices;
  const [{ run }] = going;
  const wrong = going.filter((column) => column.run.trace.mistake[column.t - 1]);
  const right = going.filter((column) => !wrong.includes(column));
  const parts = [
    ...(wrong.length ? [`a mistake for ${listed(wrong, columns)}`] : []),
    ...(right.length ? [`right for ${listed(right, columns)}`] : []),
  ];
  const className = what(run.header.words.classes[run.y[i] > 0 ? 1 : 0]);
  return {
    shared: `${example(i)} is ${className}: ${parts.join(", ")}.`,
    sentences: columns.map((column, k) =>
      going.includes(column) ? scoreOf(column) : runSentences[k],
    ),
    shorter: columns.map((column, k) => (going.includes(column) ? [] : shorter[k])),
  };
}

/** @param {Column} column */
const verdictOf = ({ run, t }) => (run.trace.mistake[t - 1] ? "A mistake" : "Right");

/** The verdict, with the score that decided; and what it is now, if the step changed it. */
const scoreOf = (/** @type {Column} */ column) =>
  `${verdictOf(column)}: score ${scoreWords(column)}.`;

/** The same in few words: "Right: −1.72". @param {Column} column */
const scoreInShort = (column) => `${verdictOf(column)}: ${scoreWords(column)}`;

function scoreWords({ run: { trace }, t }) {
  const score = trace.score[t - 1];
  const after = trace.scoreNow(t);
  if (after === null) return signed(score);
  const [was, now] = toldApart(score, after);
  return `${was}${now ? `, now ${now}` : ", which hardly changes"}`;
}

/** Whether what a step was would answer a question. @param {Player} player */
const concealsOutcome = ({ cursor, modes, coversScore }) =>
  cursor.looking || coversScore || modes.ask("conceals");

/**
 * What the step was or the run came to, in up to three words; "" where nothing is to be said of it.
 *
 * @param {Player} player
 * @param {Column} column
 */
function outcomeOf(player, column) {
  const { run, t, headline, cued } = column;
  if (!t || cued || concealsOutcome(player)) return "";
  if (headline) return headline.split(/[:,.]| after | within /)[0];
  if (t >= run.nSteps) return "";
  return run.trace.paired ? "A pair changes" : verdictOf(column);
}

/** The step or the end in one short sentence. @param {Column} column */
function inShort({ t, sentence, brief, headline }) {
  return (t > 0 && (headline || brief)) || sentence;
}

/**
 * Whether the reasons of compared runs are behind a button, so that each has one short sentence.
 *
 * @param {Player} player
 */
export function foldsReasons({ verdicts, bare, runs, t, modes, cursor, coversScore, layout }) {
  const isSaid = t > 0 && !modes.ask("speaks") && !cursor.looking && !coversScore;
  const least = buttonIsUnder(layout) ? LEAST_WITH_FINGER : LEAST_WITH_REASONS;
  const isRoom = (layout?.panels.sentences?.h ?? 0) >= least;
  return verdicts.folds && !bare && runs.pinned.length > 0 && isSaid && isRoom;
}

/**
 * Whether that button stands under all sentences: else it is as high as a line, behind the first.
 *
 * @param {Layout | null} layout
 */
export const buttonIsUnder = (layout) => Boolean(layout?.narrow || layout?.touch);

/** The letters of some of all columns. */
function listed(some, columns) {
  if (some.length === columns.length) return some.length === 2 ? "both" : "all";
  const letters = some.map(({ letter }) => letter);
  const last = letters.pop();
  return letters.length ? `${letters.join(", ")} and ${last}` : last;
}

/**
 * The scale of the colours of a run where several share one: `limit` is what colours it now,
 * `shown` what stands at the ends, `over` whether f is divided by ‖f‖. Null: it has its own.
 *
 * @param {Player} player
 * @param {Run} run
 */
export function sharedScale({ runs, colourLimit, t: time }, run, t) {
  const scale = runs.comparison?.scale ?? "own";
  if (
    scale === "own" ||
    !runs.pinned.length ||
    runs.all.some(({ predictor }) => predictor.kind === "voted")
  ) {
    return null;
  }
  if (scale === "one") {
    const most =
      colourLimit.value ??
      Math.max(...runs.all.map((other) => other.limitAt(Math.min(time, other.nSteps))));
    return { limit: most, shown: most, over: false };
  }
  const most = Math.max(
    ...runs.all.map(
      (other) => other.header.limit / (normOf(other, other.reading(other.nSteps)) || Infinity),
    ),
  );
  const norm = normOf(run, run.reading(t));
  return { limit: norm > 0 ? most * norm : run.limitAt(t), shown: most, over: true };
}
