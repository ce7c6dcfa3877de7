// What changed in the settings, in words.

import { BY_NAME } from "./panel_table.js";
import { MINUS, counted, whole } from "../run/words.js";

/** @import { Player } from "./player.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Header } from "../run/types.d.ts" */

/** The settings that apply, by name. @typedef {Header["settings"]["said"]} AppliedSettings */

/**
 * What is shown, in the words that a change of it is told with.
 * @typedef {object} ShownState
 * @property {string} data
 * @property {string} kernel
 * @property {string} learner
 * @property {number} n how many examples
 * @property {number} pins how many runs are pinned
 * @property {string[]} panelNames the panels that are on and have something to show
 * @property {AppliedSettings} settings
 */

const LONGEST_VALUE = 12; // In characters: a longer value is not said.

/**
 * The state that is shown, a `ShownState` as JSON, so that two can be compared as texts.
 *
 * @param {Player} player
 */
export function stateOf({ run, runs, there }) {
  const { names, settings, about } = run.header;
  /** @type {ShownState} */
  const state = {
    data: names.data,
    kernel: names.kernel,
    learner: about.title,
    n: run.n,
    pins: runs.pinned.length,
    panelNames: [...there],
    settings: settings.said,
  };
  return JSON.stringify(state);
}

/**
 * One sentence about what changed: data, kernel, learner, examples, pins and panels; only if none
 * of these changed, single settings. "": nothing changed.
 *
 * @param {ShownState} before
 * @param {ShownState} after
 */
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
  changes.push(...panelChanges(before.panelNames, after.panelNames));
  if (!changes.length) changes.push(...settingChanges(before.settings, after.settings));
  return changes.length ? `Now: ${changes.join("; ")}.` : "";
}

/** @param {string[]} before, @param {string[]} after */
function panelChanges(before, after) {
  const addedNames = after.filter((name) => !before.includes(name));
  const removedNames = before.filter((name) => !after.includes(name));
  return [
    ...addedNames.map((name) => `${BY_NAME[name].short} shown`),
    ...removedNames.map((name) => `${BY_NAME[name].short} hidden`),
  ];
}

/**
 * What is said of single settings. One that begins to apply with its default is not spoken of, and
 * neither is a default that is another value now.
 *
 * @param {AppliedSettings} before
 * @param {AppliedSettings} after
 */
function settingChanges(before, after) {
  const changes = [];
  for (const [name, [label, value, isDefault]] of Object.entries(after)) {
    const [, valueBefore, wasDefault] = before[name] ?? ["", undefined, true];
    if (value === valueBefore || (wasDefault && isDefault)) continue;
    const isSayable = value && value.length <= LONGEST_VALUE;
    const words = isSayable ? `${label} ${value.replace(/^-/, MINUS)}` : `other ${label}`;
    changes.push(isDefault ? `${words}, the default` : words);
  }
  return changes;
}

// The settings of which points there are.
const POINT_SETTINGS = ["data", "points"];

/**
 * Whether two runs have all settings in common that apply to both, except those of their points.
 *
 * @param {Run} before
 * @param {Run} now
 */
export function onlyPointsDiffer(before, now) {
  const settingsBefore = before.header.settings.said;
  return Object.entries(now.header.settings.said).every(
    ([name, [, value]]) =>
      POINT_SETTINGS.includes(name) || !settingsBefore[name] || settingsBefore[name][1] === value,
  );
}
