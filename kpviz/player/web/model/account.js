// The board of an instant in words, for those who do not see it: under the headings that its panels have, with their numbers.

import { ofCode, ofCurve, ofDerivation, ofPrimal, ofValidity } from "./account_panels.js";
import { boundsOf } from "./bounds.js";
import { BY_NAME } from "./panel_table.js";
import { errors } from "./run.js";
import { LETTERS } from "./run_set.js";
import {
  MINUS,
  SIGNS,
  alphaTitle,
  amount,
  counted,
  counter,
  derivationTitle,
  example,
  label,
  number,
  toldApart,
  whole,
} from "./words.js";

/** @import { Player } from "./player.js" */
/** @import { Run } from "./run.js" */

/** @typedef {{ title: string, lines: string[] }} Part of the account */

const MOST = 30; // examples that are listed
const EPOCHS = 10; // that are listed: the last ones
const HEIGHTS = [0.9, 0.7, 0.5, 0.3, 0.1]; // at which the map is crossed, in shares of it

/** @param {number[]} found examples, @param {(i: number) => string} [words] */
function listed(found, words = example) {
  const rest = found.length - MOST;
  return [...found.slice(0, MOST).map(words), ...(rest > 0 ? [`and ${whole.format(rest)} more`] : [])].join(", ");
}

/**
 * @param {Player} player
 * @returns {Part[]}
 */
export function accountOf(player) {
  const { run, runs } = player;
  if (run.fisher) return run.fisher.account(player.t);
  const t = Math.min(player.t, run.nSteps);
  return [
    { title: "Map", lines: [...onMap(run, t), ...(player.predict.asking ? [] : acrossMap(run, t))] },
    {
      title: alphaTitle(run).text,
      lines: ofAlpha(run, t),
    },
    ...(run.stream || player.predict.asking ? [] : [{ title: "Margins", lines: ofMargins(run, t) }]),
    { title: "Timeline", lines: ofTime(run, t) },
    ...(player.shows("gram") ? [{ title: "Gram matrix", lines: ofGram(run) }] : []),
    ...(player.shows("validity") ? [{ title: "Is it a kernel?", lines: ofValidity(run) }] : []),
    ...(player.shows("derivation") ? [{ title: derivationTitle(run), lines: ofDerivation(run) }] : []),
    ...(player.shows("bound") ? [{ title: "Mistake bounds", lines: ofBounds(run, t) }] : []),
    ...(player.shows("readings") && !runs.pinned.length && !player.predict.asking
      ? [{ title: "Last, averaged, voted", lines: ofReadings(run, t) }]
      : []),
    ...(runs.pinned.length ? [] : ofOthers(player, t)),
    ...(runs.pinned.length
      ? [{ title: "Runs side by side", lines: runs.all.map((one, k) => ofRun(player, one, k)) }]
      : []),
  ].filter(({ lines }) => lines.length);
}

/** Of the panels that stand beside a single run. @param {Player} player */
function ofOthers(player, t) {
  const { run, predict } = player;
  return [
    ...(player.shows("code") ? [{ title: "Pseudo-code", lines: ofCode(run, t) }] : []),
    ...(player.shows("curve") ? [{ title: "Curves over a setting", lines: ofCurve(player) }] : []),
    ...(player.shows("primal") && !predict.asking ? [{ title: "The primal perceptron", lines: ofPrimal(run, t) }] : []),
  ];
}

/** Where the player is, in a line. */
export const placeOf = ({ run, t }) => `${counter(run, Math.min(t, run.nSteps)).replaceAll(" · ", ", ")}.`;

/** @param {Run} run */
function onMap(run, t) {
  const { names } = run.header;
  const up = Array.from(run.y).filter((y, i) => i < run.n && y > 0).length;
  const held = run.nTest ? `; ${whole.format(run.nTest)} held out` : "";
  const lines = [
    `${names.data}, ${names.kernel}, ${run.header.about.title}.`,
    `${counted(run.n, "example")}: ${whole.format(up)} of class +1, ${whole.format(run.n - up)} of class ${label(-1)}${held}.`,
  ];
  const { coarse } = run.header;
  if (coarse) lines.push(`The map is coarse: ${number(coarse)} nodes of its grid for each σ.`);
  const blank = run.isBlank(t) ? [`${SIGNS[run.header.settings.predictor]} = 0 everywhere.`] : [];
  if (t === 0) return [...lines, ...blank];
  const i = run.trace.index[t - 1];
  const verdict = run.trace.mistake[t - 1] ? "a mistake" : "no mistake";
  const [score, after] = [run.trace.score[t - 1], run.trace.scoreNow(t)];
  const [was, now] = after === null ? [number(score), ""] : toldApart(score, after, run.header.words, true);
  return [
    ...lines,
    `This step showed ${where(run, i)}: its score was ${was}, ${verdict}${now && `; it is ${now} now`}.`,
  ];
}

/** On which side the score is, from left to right, at some heights of the map. @param {Run} run */
function acrossMap(run, t) {
  if (!run.plane || run.isBlank(t)) return [];
  const { field } = run.reading(t);
  const { extent, grid } = run.header;
  const [left, right, low, high] = extent;
  const sign = SIGNS[run.header.settings.predictor];
  if (!field.some(Boolean)) return [`${sign} = 0 everywhere.`];
  return HEIGHTS.map((share) => {
    const row = Math.round(share * (grid - 1));
    const { first, turns } = turnsOf(field.subarray(row * grid, (row + 1) * grid));
    const at = (column, r) =>
      run.inDataUnits(left + ((right - left) * column) / (grid - 1), low + ((high - low) * r) / (grid - 1));
    const from = `At x₂ = ${number(at(0, row)[1])}, from left to right:`;
    if (!first) return `${from} ${sign} = 0.`;
    const parts = turns.map((column, k) => `${label(k % 2 ? -first : first)} up to x₁ = ${number(at(column, row)[0])}`);
    const last = label(turns.length % 2 ? -first : first);
    return `${from} class ${parts.length ? `${parts.join(", ")}, then ${last}` : `${last} throughout`}.`;
  });
}

/** The sign that a row of the field begins with, and the columns, with fractions, where it changes. */
function turnsOf(row) {
  let first = 0;
  let before = -1; // the last column with a sign
  const turns = [];
  row.forEach((value, column) => {
    if (!value) return;
    first ||= Math.sign(value);
    if (before >= 0 && value > 0 !== row[before] > 0) {
      turns.push(before + ((column - before) * row[before]) / (row[before] - value));
    }
    before = column;
  });
  return { first, turns };
}

/** An example, its place and its class. */
function where(run, i) {
  const own = run
    .inDataUnits(run.X[2 * i], run.X[2 * i + 1])
    .map(number)
    .join(", ");
  return `${example(i)} at ${run.objects ? `“${run.objects[i]}”` : `(${own})`}, class ${label(run.y[i])}`;
}

/** @param {Run} run */
function ofAlpha(run, t) {
  const found = [...run.trace.support].filter((i) => run.alphaOf(i, t) !== 0).sort((a, b) => a - b);
  if (!found.length) return ["Nothing is remembered: every α is 0."];
  const words = (i) => `${example(i)} (${label(run.y[i])}, α = ${amount(run.alphaOf(i, t), run)})`;
  return [`${whole.format(found.length)} remembered: ${listed(found, words)}.`];
}

/** @param {Run} run */
function ofMargins(run, t) {
  const { scores } = run.reading(t);
  const margins = Float64Array.from({ length: run.n }, (_, i) => run.y[i] * scores[i]);
  const order = [...margins.keys()].sort((a, b) => margins[a] - margins[b]);
  const wrong = order.filter((i) => margins[i] <= 0);
  const [least, most] = [order[0], order.at(-1)];
  const first = `${wrong.length} of ${run.n} not above 0`;
  const held = errors(run, run.predictor.kind, { scores }).test;
  return [
    wrong.length && wrong.length < run.n ? `${first}: ${listed(wrong)}.` : `${first}.`,
    `The smallest is ${number(margins[least])}, of ${example(least)}; the largest ${number(margins[most])}, of ${example(most)}.`,
    ...(run.nTest ? [`Of those held out ${whole.format(held)} of ${whole.format(run.nTest)} are wrong.`] : []),
  ];
}

/** The errors of each predictor. @param {Run} run */
function ofReadings(run, t) {
  if (t === 0) return [];
  return Object.entries(run.readings(t)).map(([kind, reading]) => {
    const { train, test } = errors(run, kind, reading);
    const held = run.nTest ? `, on ${whole.format(test)} of ${whole.format(run.nTest)} held out` : "";
    return `${kind}: wrong on ${whole.format(train)} of ${whole.format(run.n)} training examples${held}.`;
  });
}

/** What each bound says, with its quantities. @param {Run} run */
function ofBounds(run, t) {
  return (boundsOf(run, t, run.trace.mistakesBefore(t)) ?? []).map(({ head, words, quantities }) =>
    [head && `${head}.`, words, ...quantities.map((quantity) => `${quantity}.`)].filter(Boolean).join(" "),
  );
}

/** @param {Run} run */
function ofTime(run, t) {
  const { trace } = run;
  const lines = [placeOf({ run, t })];
  const before = trace.mistakeSteps.filter((step) => step < t).at(-1);
  if (before !== undefined) {
    lines.push(`The last mistake was step ${whole.format(before + 1)}, on ${example(trace.index[before])}.`);
  }
  if (run.stream || !trace.nSteps || t === 0) return lines;
  const epoch = trace.epochAt(t);
  const first = Math.max(epoch - EPOCHS, 1);
  const done = Array.from({ length: epoch - first }, (_, k) => trace.mistakesInEpoch(first + k));
  if (done.length) lines.push(`Mistakes in each epoch from epoch ${first} on: ${done.join(", ")}.`);
  lines.push(
    `In epoch ${epoch} so far: ${counted(trace.mistakesBefore(t) - trace.mistakesBefore(trace.epochStart[epoch - 1]), "mistake")}.`,
  );
  return lines;
}

/** The mean of k within the classes and between them. @param {Run} run */
function ofGram(run) {
  const { gramOrder: order, gramUpper: upper } = run.arrays;
  const { why, limit, shades } = run.header.extras.gram ?? { why: "" };
  if (why || !upper) return why ? [why] : [];
  const [within, between] = [[], []];
  let at = 0;
  for (let a = 0; a < run.n; a++) {
    for (let b = a; b < run.n; b++, at++) {
      const value = shades ? (upper[at] * limit) / shades : upper[at];
      if (a !== b) (run.y[order[a]] === run.y[order[b]] ? within : between).push(value);
    }
  }
  const mean = (values) => number(values.reduce((sum, value) => sum + value, 0) / values.length);
  return within.length && between.length
    ? [`k is ${mean(within)} on average between examples of one class, ${mean(between)} between the classes.`]
    : [];
}

/** @param {Player} player */
function ofRun({ t, runs }, run, k) {
  return `${LETTERS[k]}, ${runs.names[k]}: ${placeOf({ run, t })}`;
}

// ---- what changed ---------------------------------------------------------------------------------------------------

/** @typedef {Record<string, [label: string, value: string, usual: boolean]>} Said the settings that apply */

const LONGEST = 12; // characters of a value that is said

/** The settings that are shown, as a text. @param {Player} player */
export function stateOf({ run, runs, there }) {
  const { names, settings, about } = run.header;
  return JSON.stringify({
    data: names.data,
    kernel: names.kernel,
    learner: about.title,
    n: run.n,
    pins: runs.pinned.length,
    shown: [...there],
    settings: settings.said,
  });
}

/** What is another than before, in words: the setting with its new value, or what came of it. */
export function changeOf(before, after) {
  const said = ["data", "kernel", "learner"].filter((name) => before[name] !== after[name]).map((name) => after[name]);
  if (before.n !== after.n) said.push(`${counted(after.n, "example")} instead of ${whole.format(before.n)}`);
  if (before.pins !== after.pins) {
    said.push(after.pins ? `${counted(after.pins, "run")} pinned beside this one` : "no run is pinned any more");
  }
  said.push(...panelsSaid(before.shown, after.shown));
  if (!said.length) said.push(...settingsSaid(before.settings, after.settings));
  return said.length ? `Now: ${said.join("; ")}.` : "";
}

/** @param {string[]} before, @param {string[]} after */
function panelsSaid(before, after) {
  const others = (/** @type {string[]} */ some, /** @type {string[]} */ than) =>
    some.filter((name) => !than.includes(name));
  const said = (names, how) => names.map((name) => `${BY_NAME[name].short} ${how}`);
  return [...said(others(after, before), "shown"), ...said(others(before, after), "hidden")];
}

/** @param {Said} before, @param {Said} after */
function settingsSaid(before, after) {
  const usual = (/** @type {Said[string]} */ one) => !one || one[2];
  return Object.entries(after)
    .filter(([name, now]) => before[name]?.[1] !== now[1] && !(usual(before[name]) && usual(now)))
    .map(([, [label, value, isUsual]]) => {
      const said = value.length > LONGEST || !value ? `other ${label}` : `${label} ${value.replace(/^-/, MINUS)}`;
      return isUsual ? `${said}, the default` : said;
    });
}
