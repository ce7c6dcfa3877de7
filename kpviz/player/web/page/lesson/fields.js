// The fields of a task, by its kind: each knows its elements, reads the answer, and may take what
// the pointer chooses.

import { make, pressable } from "../dom.js";
import { example } from "../../run/words.js";
import { readings, whyNot } from "../typed_number.js";
import { nodesOf } from "./words.js";

/** @import { Dock } from "../dock/dock.js" */
/** @import { DockField } from "../dock/types.d.ts" */
/** @import { LessonTask, TaskAnswer } from "../../modes/types.d.ts" */

/**
 * The fields of one task; `read` returns the answer, or a sentence that says what is missing.
 * @typedef {object} Fields
 * @property {Node[]} nodes
 * @property {() => TaskAnswer | string} read
 * @property {(locked: boolean) => void} lock
 * @property {(i: number) => string} [pick] an example of the map; returns the answer as it is then
 * @property {(example: (step: number) => number | null) => void} [begun] the start is shown: steps
 *   have examples
 * @property {(step: number) => boolean} [more] goes on to a step; returns whether there was none
 *   before
 * @property {() => number} [done] how many steps are, of those that one performs
 * @property {(count: number) => void} [grow] to so many controls
 * @property {string} [group] of the dock's fields that are shown here
 * @property {(fields: DockField[]) => void} [equip] shows them as they are now
 * @property {() => number[]} [chosen] examples that are named in the fields
 * @property {(choices: number[]) => void} [cross] out what was ticked and is not true
 */

let made = 0; // The names of groups of radio buttons must differ.

/**
 * @typedef {{ link: () => string, go: (address: string) => void, dock: () => Dock | null, draw: (y:
 *   number, byKey: boolean) => void }} Host
 */
/** @typedef {(task: LessonTask, host: Host) => Fields} Kind */

/** @type {Kind} */
export const fieldsOf = (task, host) => (KINDS[task.kind] ?? boardFields)(task, host);

/** @type {Record<string, Kind>} */
const KINDS = { predict, choose, number, click, perform, explain };

/** What is shown is the answer: the settings that may change are turned here. @type {Kind} */
function boardFields({ kind, may, within = [] }, { link, dock, draw }) {
  const nodes = may ? [make("p", { className: "may" }, may)] : [];
  const fields = { nodes, read: () => ({ link: link() }), lock: () => {} };
  if (!dock()) return fields;
  const points = within.filter(({ name }) => COUNTED.includes(name));
  const settings = within.filter((limit) => !points.includes(limit));
  if (kind === "draw" && (points.length || !settings.some(({ name }) => name === "order"))) {
    const colours = [1, -1].map((y) =>
      pressable(`Draw ${y > 0 ? "orange" : "blue"}`, ({ detail }) => draw(y, detail === 0), {
        className: "draw",
      }),
    );
    nodes.push(make("div", { className: "ways" }, ...colours));
  }
  if (!settings.length) return fields;
  const { box, group, update } = dock().only(settings.map(({ name }) => name));
  nodes.push(box);
  const equip = (/** @type {DockField[]} */ dockFields) =>
    update(dockFields.map((field) => narrowed(field, settings)));
  return { ...fields, group, equip };
}

const COUNTED = ["points", "added", "removed"];

/**
 * A field that offers what a task allows.
 *
 * @param {DockField} field
 * @param {LessonTask["within"]} limits
 * @param {number | null} [grid] the step on which its numbers lie
 * @returns {DockField}
 */
export function narrowed(field, limits, grid) {
  const { low, high, choices } = limits.find(({ name }) => "name" in field && name === field.name);
  if (low !== null && field.kind === "slider") {
    return {
      ...field,
      low: Math.max(field.low, low),
      high: Math.min(field.high, high),
      limited: true,
      ...(grid ? { log: false, step: grid } : {}),
    };
  }
  if (!choices.length || !("options" in field)) return field;
  const offered = (option) =>
    choices.includes(String(Array.isArray(option) ? option[0] : option.value));
  return /** @type {DockField} */ ({ ...field, options: field.options.filter(offered) });
}

/** @param {LessonTask} task */
function predict({ count, start }) {
  const first = start[0].t ?? 0;
  const verdicts = Array.from({ length: count }, (_, k) => verdictOf(first + k + 1));
  return {
    nodes: verdicts.map(({ node }) => node),
    read: () => {
      const values = verdicts.map(({ value }) => value());
      return values.includes(null) ? "Predict each step." : { verdicts: values };
    },
    begun: (exampleOf) => verdicts.forEach(({ begun }) => begun(exampleOf)),
    lock: locker(verdicts.map(({ node }) => node)),
  };
}

/** @type {Kind} */
function choose({ choices }, host) {
  const rows = choices.map((choice, k) => {
    const box = make("input", { type: "checkbox" });
    const words = make("span", {}, make("b", {}, `${LETTERS[k]} `), ...nodesOf(choice, host));
    return { box, node: make("label", { className: "choice" }, box, words) };
  });
  return {
    nodes: rows.map(({ node }) => node),
    read: () => {
      const ticked = rows.flatMap(({ box }, k) => (box.checked ? [k] : []));
      return ticked.length ? { choices: ticked } : "Select all that apply.";
    },
    cross: (wrong) =>
      rows.forEach(({ node }, k) => node.classList.toggle("false", wrong.includes(k))),
    lock: locker(rows.map(({ node }) => node)),
  };
}

const LONGEST_ECHO = 40; // In characters: what is longer is not said again.

function number() {
  const input = make("input", { type: "text", inputMode: "decimal", autocomplete: "off" });
  const node = make("label", { className: "number" }, "Your number ", input);
  return {
    nodes: [node],
    read: () => {
      const numbers = readings(input.value);
      if (numbers.length !== 1) {
        return whyNot(input.value, numbers, "number, such as 0.25, 1/4 or exp(-0.5)");
      }
      const typed = input.value.trim();
      return { number: numbers[0], ...(typed.length <= LONGEST_ECHO ? { typed } : {}) };
    },
    lock: locker([node]),
  };
}

/** @param {LessonTask} task */
function click({ one }) {
  const input = make("input", { type: "text", autocomplete: "off" });
  const prompt = one
    ? "Click or tap the example on the map, or write its number "
    : "Click or tap on the map, or write the number (several with commas) ";
  const node = make("label", { className: "examples" }, prompt, input);
  const chosen = () => input.value.match(/[0-9₀-₉]+/g)?.map(plainNumber) ?? [];
  return {
    nodes: [node],
    read: () => {
      const examples = chosen();
      return examples.length
        ? { examples: [...new Set(examples)] }
        : one
          ? "Click an example."
          : "Nothing is chosen yet.";
    },
    chosen,
    pick: (i) => {
      const before = chosen();
      const now = one
        ? [i]
        : before.includes(i)
          ? before.filter((other) => other !== i)
          : [...before, i];
      input.value = now.map(example).join(", ");
      return input.value;
    },
    lock: locker([node]),
  };
}

/** @param {LessonTask} task */
function perform({ start }) {
  const first = start[0].t ?? 0;
  const rows = [];
  const list = make("div", { className: "steps" });
  const add = () => {
    const verdict = verdictOf(first + rows.length + 1);
    const bricks = make("input", { type: "text", autocomplete: "off", placeholder: "nothing" });
    verdict.node.append(make("label", {}, "changes ", bricks));
    rows.push({ verdict, bricks });
    list.append(verdict.node);
  };
  add();
  const how = make(
    "p",
    {},
    "Click or tap what changes: once for +1, twice for −1. Or write it: x3 +1, b −1.",
  );
  const pick = (name) => {
    const { bricks } = rows.at(-1);
    bricks.value = cycled(bricks.value, name);
    bricks.dispatchEvent(new Event("input", { bubbles: true }));
    return bricks.value;
  };
  const moves = new URLSearchParams(start[0].query).has("intercept");
  const b = pressable("b", () => pick("b"));
  return {
    nodes: [how, list, ...(moves ? [b] : [])],
    pick: (i) => pick(example(i)),
    read: () => {
      const steps = rows.map(({ verdict, bricks }) => ({
        verdict: verdict.value(),
        ...changesOf(bricks.value),
      }));
      if (steps.some(({ verdict }) => verdict === null)) {
        return "Say of each step whether it is a mistake.";
      }
      if (steps.some(({ bricks }) => bricks === null)) {
        return "Write changes like x3 +1, with commas between them; leave it empty where nothing changes.";
      }
      return { steps };
    },
    begun: (exampleOf) => rows.forEach(({ verdict }) => verdict.begun(exampleOf)),
    more: (step) => {
      if (step !== first + rows.length + 1) return false;
      add();
      return true;
    },
    done: () => rows.length - 1,
    grow: (controls) => {
      while (controlsOf([list]).length < controls) add();
    },
    lock: (locked) => {
      locker([list])(locked);
      b.disabled = locked;
    },
  };
}

function explain() {
  const area = make("textarea", { rows: 5, maxLength: 4000 });
  const node = make("label", { className: "words" }, "In your own words ", area);
  return {
    nodes: [node],
    read: () => (area.value.trim() ? { text: area.value } : "Write what you think."),
    lock: locker([node]),
  };
}

// ---- parts -------------------------------------------------------------------------------------

/** Mistake or correct: what a step will be. */
function verdictOf(step) {
  made += 1;
  const of = (value, words) => {
    const radio = make("input", { type: "radio", name: `verdict-${made}`, value });
    return { radio, node: make("label", {}, radio, ` ${words}`) };
  };
  const wrong = of("mistake", "a mistake");
  const right = of("correct", "right");
  const legend = make("legend", {}, `Step ${step}`);
  const node = make("fieldset", {}, legend, wrong.node, right.node);
  const value = () => (wrong.radio.checked ? "mistake" : right.radio.checked ? "correct" : null);
  const begun = (exampleOf) => {
    const i = exampleOf(step);
    if (i !== null) legend.textContent = `Step ${step}: ${example(i)}`;
  };
  return { node, value, begun };
}

/** A function that locks all that one can use in some elements. */
const locker = (nodes) => (locked) => {
  for (const control of controlsOf(nodes)) control.disabled = locked;
};

/** @returns {any[]} inputs and areas */
const controlsOf = (nodes) =>
  nodes.flatMap((node) => [...(node.querySelectorAll?.("input, textarea") ?? [])]);

const LETTERS = "ABCDEFGHIJ"; // These are also in kpviz/lessons/file/kinds/statements.py.

const isTicked = ({ type }) => type === "radio" || type === "checkbox";

/** What is in some fields, to be put there again. @param {Fields} fields */
export const valuesOf = ({ nodes }) =>
  controlsOf(nodes).map((control) => (isTicked(control) ? control.checked : control.value));

/**
 * Put there again what was in some fields.
 *
 * @param {Fields} fields
 * @param {(string | boolean)[]} values
 */
export function fill({ nodes, grow }, values) {
  grow?.(values.length);
  controlsOf(nodes).forEach((control, k) => {
    const value = values[k];
    const isFlag = typeof value === "boolean";
    // This is another version of the task.
    if (value === undefined || isFlag !== isTicked(control)) return;
    if (isFlag) control.checked = value;
    else control.value = value;
  });
}

/** A number that may have small digits. */
export const plainNumber = (text) =>
  Number(text.replace(/[₀-₉]/g, (digit) => String("₀₁₂₃₄₅₆₇₈₉".indexOf(digit))));

const CHANGE = /^(?:(b)|[xα]?([0-9₀-₉]+))\s*:?\s*(.*)$/i;

const partsOf = (text) =>
  text
    .split(/,(?!\d+\s*(?:[,;\n]|$))|[;\n]/) // A comma may be that of a decimal.
    .map((part) => part.trim())
    .filter(Boolean);

/** With one more of an example, or of b; where it was one more, one less; else without it. */
function cycled(text, name) {
  const parts = partsOf(text);
  const nameOf = (part) => {
    const [, b, i] = CHANGE.exec(part) ?? [];
    return b ? "b" : i && example(plainNumber(i));
  };
  const at = parts.findIndex((part) => nameOf(part) === name);
  if (at < 0) parts.push(`${name} +1`);
  else if (/\+\s*1$/.test(parts[at])) parts[at] = `${name} −1`;
  else parts.splice(at, 1);
  return parts.join(", ");
}

/** What changes in a step, as one wrote it: bricks null where it cannot be read. */
export function changesOf(text) {
  const bricks = [];
  let b = 0;
  for (const part of partsOf(text)) {
    const change = CHANGE.exec(part);
    const [gain] = change ? readings(change[3]) : [];
    if (gain === undefined) return { bricks: null };
    if (change[1]) b = gain;
    else bricks.push([plainNumber(change[2]), gain]);
  }
  return b ? { bricks, b } : { bricks };
}
