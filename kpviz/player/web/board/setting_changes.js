// What changed in the settings, in words.

import { BY_NAME } from "./panel_table.js";
import { MINUS, counted, whole } from "../run/words.js";

/** @import { Player } from "./player.js" */
/** @import { Run } from "../run/run.js" */

/**
 * @typedef {Record<string, [label: string, value: string, usual: boolean]>} Said the settings that
 *   apply
 */

const LONGEST_VALUE = 12; // In characters: a longer value is not said.

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
  const changes = ["data", "kernel", "learner"]
    .filter((name) => before[name] !== after[name])
    .map((name) => after[name]);
  if (before.n !== after.n) {
    changes.push(`${counted(after.n, "example")} instead of ${whole.format(before.n)}`);
  }
  if (before.pins !== after.pins) {
    changes.push(
      after.pins
        ? `${counted(after.pins, "run")} pinned beside this one`
        : "no run is pinned any more",
    );
  }
  changes.push(...panelsSaid(before.shown, after.shown));
  if (!changes.length) changes.push(...settingsSaid(before.settings, after.settings));
  return changes.length ? `Now: ${changes.join("; ")}.` : "";
}

/** @param {string[]} before, @param {string[]} after */
function panelsSaid(before, after) {
  const others = (/** @type {string[]} */ some, /** @type {string[]} */ than) =>
    some.filter((name) => !than.includes(name));
  const panelWords = (names, how) => names.map((name) => `${BY_NAME[name].short} ${how}`);
  return [
    ...panelWords(others(after, before), "shown"),
    ...panelWords(others(before, after), "hidden"),
  ];
}

/** @param {Said} before, @param {Said} after */
function settingsSaid(before, after) {
  const usual = (/** @type {Said[string]} */ one) => !one || one[2];
  return Object.entries(after)
    .filter(([name, now]) => before[name]?.[1] !== now[1] && !(usual(before[name]) && usual(now)))
    .map(([, [label, value, isUsual]]) => {
      const settingWords =
        value.length > LONGEST_VALUE || !value
          ? `other ${label}`
          : `${label} ${value.replace(/^-/, MINUS)}`;
      return isUsual ? `${settingWords}, the default` : settingWords;
    });
}

const OF_POINTS = ["data", "points"];

/**
 * Whether two runs have all settings in common that apply to both, except those of the points.
 *
 * @param {Run} before
 * @param {Run} now
 */
export function onlyPointsDiffer(before, now) {
  const [was, is] = [before, now].map(({ header }) => header.settings.said);
  return Object.keys(is).every(
    (name) => OF_POINTS.includes(name) || !was[name] || was[name][1] === is[name][1],
  );
}
