// What a reader prefers, in one panel: kept by the browser, never in a link, and applied when it
// changes.

import { closeByEscape } from "./dialog.js";
import { closing, make } from "./dom.js";
import { keep, recall, PLACES } from "../service/texts.js";

/** @import { Stage } from "./stage.js" */

/**
 * What can be preferred: its words, what it does, and its values, of which the first is the
 * default.
 * @typedef {{ name: string, words: string, why: string, values: string[], says?: string[] }}
 *   Preference
 */

/** @type {Preference[]} */
const ALL = [
  {
    name: "formula",
    words: "Formula first",
    why: "The sentence of a step begins with its formula.",
    values: ["off", "on"],
  },
  {
    name: "patterns",
    words: "Patterns beside the colours",
    why: "The map, bricks and bars have + and −, too.",
    values: ["off", "on"],
  },
  {
    name: "flashes",
    words: "At most three flashes a second",
    why: "Fast steps blend into each other. Flashes can bring on seizures in people with photosensitive epilepsy.",
    values: ["on", "off"],
  },
  {
    name: "questions",
    words: "Questions on the stage",
    why: "A lecture stops at each question of its lesson for the votes of the class.",
    values: ["on", "off"],
  },
  {
    name: "shortcuts",
    words: "Single keys as commands",
    why: "A letter, a digit or ? does something at once. Turn this off if you dictate text.",
    values: ["on", "off"],
  },
  {
    name: "spoken",
    words: "A screen reader is told",
    why: "Press Shift I at any time to hear which step is shown.",
    values: ["everything", "changes", "off"],
    says: ["every step", "only what changes f or the settings", "nothing by itself"],
  },
];

const BY_NAME = Object.fromEntries(ALL.map((one) => [one.name, one]));

/** The value that a reader prefers. */
export function valueOf(name) {
  const { values } = BY_NAME[name];
  const preferred = recall(PLACES.preference, name);
  return values.includes(preferred) ? preferred : values[0];
}

/** Whether a key does something here: a reader may turn single letters off. @param {string} name */
export const isKeyOn = (name) => name.length > 1 || name === " " || valueOf("shortcuts") === "on";

/**
 * The preferences of a stage: in their menu, and each where it has its effect, at once and whenever
 * it becomes another.
 *
 * @param {Stage} stage
 */
export function preferencesOf(stage) {
  const { player, controls, spoken } = stage;
  /** @type {Record<string, (value: string) => void>} */
  const effects = {
    formula: (value) => (player.formulaFirst = value === "on"),
    patterns: (value) => (player.patterns = value === "on"),
    flashes: (value) => (player.cursor.dampsFlashes = value === "on"),
    spoken: (value) => (spoken.tells = value),
    questions: () => {},
    shortcuts: () => {},
  };
  const set = (name, value) => {
    keep(PLACES.preference, value === BY_NAME[name].values[0] ? null : value, name);
    effects[name](value);
    if (player.run) stage.redraw();
  };
  const menu = controls.menus.preferences;
  const close = () => controls.menu(null);
  closeByEscape(menu, close); // From a field, too.
  menu.replaceChildren(
    closing(close),
    make("h2", {}, "Preferences"),
    ...ALL.map((one) => fieldOf(one, set)),
    make("p", {}, controls.buttons.plain("forget")),
  );
  for (const { name } of ALL) effects[name](valueOf(name));
}

/** @param {Preference} preference */
function fieldOf({ name, words, why, values, says }, set) {
  const more = make("p", { className: "why", id: `why-${name}` }, why);
  if (!says) {
    const box = make("input", {
      type: "checkbox",
      checked: valueOf(name) === "on",
      "data-prefers": name,
      "aria-describedby": more.id,
      onchange: () => set(name, box.checked ? "on" : "off"),
    });
    return make("div", {}, make("label", {}, box, words), more);
  }
  const choices = values.map((value, k) => {
    const checked = valueOf(name) === value;
    const onchange = () => set(name, value);
    return make(
      "label",
      {},
      make("input", { type: "radio", name: `prefers-${name}`, checked, onchange }),
      says[k],
    );
  });
  return make("fieldset", {}, make("legend", {}, words), ...choices, more);
}
