// The fields of a task, by its kind: each knows its elements, reads the answer, and may take what
// the pointer chooses.

import { make, pressable, renew } from "../dom.js";
import { MINUS, colour, example, shortNumber } from "../../run/words.js";
import { answerButton } from "../asking.js";
import { readings, whyNot } from "../typed_number.js";
import { nodesOf } from "./words.js";

/** @import { Dock } from "../dock/dock.js" */
/** @import { DockField } from "../dock/types.d.ts" */
/** @import { LessonTask, PackedAnswer, TaskAnswer } from "../../modes/types.d.ts" */

/**
 * The answer to one task while it is given; `read` returns it, or a sentence that says what is
 * missing.
 * @typedef {object} Fields
 * @property {Node[]} nodes
 * @property {() => TaskAnswer | string} read
 * @property {(locked: boolean) => void} lock
 * @property {() => (string | boolean)[]} [values] what is in them, in place of that of the controls
 * @property {(values: (string | boolean)[]) => void} [refill] puts that there again
 * @property {() => void} [show] draws anew what depends on the run, and on what was answered
 * @property {() => string} [question] in place of the task's own words
 * @property {(k: number) => boolean} [press] gives the answer of this number; returns whether there
 *   is one
 * @property {boolean} [answersAtOnce] an answer is one press: nothing is left to be checked
 * @property {() => Judged | null} [judged] what came of the newest of several answers
 * @property {() => Guess[]} [guesses] so far
 * @property {() => void} [goOn] from the answer that is shown to the next question
 * @property {(i: number) => string | null} [pick] takes an example of the map; returns the answer
 *   as it is then, null where it is that example already
 * @property {(exampleOf: (step: number) => number | null) => void} [showExamples] names the
 *   examples of the steps, once the run of the start is shown
 * @property {(step: number) => boolean} [addStep] adds the fields of a step; returns false where
 *   they are there already
 * @property {() => number} [stepsDone] how many steps are answered, of those that one predicts or
 *   performs
 * @property {(count: number) => void} [grow] adds steps until there are so many controls
 * @property {string} [group] the name of the dock's fields that are shown here
 * @property {(fields: DockField[]) => void} [equip] shows the dock's fields as they are now
 * @property {() => number[]} [namedExamples] the examples that are named in the fields
 * @property {(solution: PackedAnswer) => string} [reveal] puts there what is right; returns that in
 *   words
 * @property {(choices: number[]) => void} [strikeOut] strikes out what was ticked and is not true
 */

/**
 * What came of one answer of several: whether it was right, the step that it was about, what was
 * there, and whether another question follows.
 * @typedef {{ right: boolean, step: number, example: number | null, told: string,
 *   hasNext: boolean }} Judged
 */

/**
 * One of the answers of a row, and what came of it; `right` null: it is still to be given.
 * @typedef {{ words: string, right: boolean | null, isNow: boolean }} Guess
 */

let groupCount = 0; // The names of groups of radio buttons must differ.

/**
 * What the fields of a task need: `answered` is told of an answer that one press gives,
 * `askedNext` that another question is asked.
 *
 * @typedef {object} FieldsHost
 * @property {() => string} link
 * @property {(address: string) => void} go
 * @property {() => Dock | null} dock
 * @property {(y: number, byKey: boolean) => void} draw
 * @property {(step: number) => StepAsked | null} step
 * @property {() => void} answered
 * @property {() => void} askedNext
 * @property {() => boolean | null} wasRight whether the newest answer was
 * @property {() => boolean} showsRight whether what is right is shown in place of an answer
 */

/**
 * A step of the run that is shown: its example, the class of that, whether it is a mistake, what is
 * said of it, and what happens at a right answer and at a mistake, "" where that cannot be said in
 * a few words.
 * @typedef {{ example: number, y: number, isMistake: boolean, told: string,
 *   follows: { right: string, mistake: string } }} StepAsked
 */
/** @typedef {(task: LessonTask, host: FieldsHost) => Fields} Kind */

/** @type {Kind} */
export const fieldsOf = (task, host) => (KINDS[task.kind] ?? boardFields)(task, host);

/** @type {Record<string, Kind>} */
const KINDS = { predict, choose, number, click, perform, explain };

// The limits of a task on how many points there may be: they are drawn, not set in a field.
export const POINT_LIMITS = ["points", "added", "removed"];

/**
 * What is shown is the answer: the settings that may change are turned here. `within` has the
 * limits of these settings (`LessonTask`).
 *
 * @type {Kind}
 */
function boardFields({ kind, may, within = [] }, { link, dock, draw }) {
  const nodes = may ? [make("p", { className: "may" }, may)] : [];
  const reveal = () => "This board is one solution.";
  const fields = { nodes, read: () => ({ link: link() }), lock: () => {}, reveal };
  if (!dock()) return fields;
  const drawsPoints = within.some(({ name }) => POINT_LIMITS.includes(name));
  const hasOrder = within.some(({ name }) => name === "order");
  // An order is drawn in its panel.
  const isShownElsewhere = ({ name }) =>
    POINT_LIMITS.includes(name) || (kind === "draw" && name === "order");
  const settings = within.filter((limit) => !isShownElsewhere(limit));
  if (kind === "draw" && (drawsPoints || !hasOrder)) {
    const colours = [1, -1].map((y) =>
      pressable(`Draw ${y > 0 ? "orange" : "blue"}`, ({ detail }) => draw(y, detail === 0), {
        className: "draw",
      }),
    );
    nodes.push(make("div", { className: "ways" }, ...colours));
  }
  if (!settings.length) return fields;
  const { box, group, update } = dock().only(settings.map(({ name }) => name));
  nodes.push(make("div", { className: "dock" }, box));
  const equip = (/** @type {DockField[]} */ dockFields) =>
    update(dockFields.map((field) => narrowed(field, settings)));
  return { ...fields, group, equip };
}

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
  const isOffered = (option) =>
    choices.includes(String(Array.isArray(option) ? option[0] : option.value));
  return /** @type {DockField} */ ({ ...field, options: field.options.filter(isOffered) });
}

/**
 * One predicts step after step; each answer shows what the step does.
 *
 * @type {Kind}
 */
function predict({ count, start }, host) {
  const first = start[0].t ?? 0;
  /** @type {boolean[]} */
  let saidMistake = []; // An entry for each step that was answered.
  let showsAnswer = false; // The step of the newest answer is still shown.
  let isLocked = false;
  const answers = make("div", { className: "answers" });
  const stepOf = (k) => host.step(first + k + 1);
  const isRight = (k) => {
    const step = stepOf(k);
    return step && saidMistake[k] === step.isMistake;
  };
  // The number of the step on the page: that of the newest answer, or that of the next question.
  const stepShown = () => saidMistake.length - (showsAnswer ? 1 : 0);
  const answer = (isMistake) => {
    if (showsAnswer || isLocked || !stepOf(saidMistake.length)) return;
    saidMistake.push(isMistake);
    showsAnswer = true;
    host.answered();
  };
  const buttonFor = (isMistake, k) => {
    const step = stepOf(k);
    const isChosen = saidMistake[k] === isMistake;
    const outcome = isRight(k) ? "right" : "wrong";
    const outcomeOrLeft = isChosen ? outcome : "left";
    const was = showsAnswer ? outcomeOrLeft : "";
    return answerButton(
      {
        words: isMistake ? "a mistake" : "right",
        note: step?.follows[isMistake ? "mistake" : "right"],
        key: isMistake ? "ArrowRight 2" : "ArrowLeft 1",
        was,
        act: () => answer(isMistake),
      },
      {},
    );
  };
  return {
    nodes: [answers],
    read: () =>
      saidMistake.length < count
        ? "Predict each step."
        : { verdicts: saidMistake.map((wrong) => (wrong ? "mistake" : "correct")) },
    answersAtOnce: true,
    press: (k) => {
      if (k > 1) return false;
      answer(k === 1);
      return true;
    },
    question: () => {
      const step = stepOf(stepShown());
      if (!step || count === 1) return "";
      const { example: i, y } = step;
      const words = `${example(i)} comes next. It is ${colour(y)}: `;
      return `${words}will the machine be right, or make a mistake?`;
    },
    show: () => {
      const k = stepShown();
      const step = stepOf(k);
      renew(answers, [k, showsAnswer, saidMistake, step?.example, step?.follows], () => [
        buttonFor(false, k),
        buttonFor(true, k),
      ]);
    },
    judged: () => {
      const k = saidMistake.length - 1;
      const step = stepOf(k);
      if (!showsAnswer || !step) return null;
      return {
        right: isRight(k),
        step: first + k + 1,
        example: step.example,
        told: step.told,
        hasNext: k + 1 < count,
      };
    },
    guesses: () => {
      if (count === 1) return [];
      return Array.from({ length: count }, (_, k) => {
        const step = stepOf(k);
        return {
          words: step ? example(step.example) : String(k + 1),
          right: k < saidMistake.length ? isRight(k) : null,
          isNow: k === stepShown(),
        };
      });
    },
    goOn: () => {
      showsAnswer = false;
      host.askedNext();
    },
    // Kept as two flags for each step, “a mistake” and “right”: each step had two radio buttons
    // once, and what was kept of them is read, too. A step that was not answered had neither.
    values: () => saidMistake.flatMap((isMistake) => [isMistake, !isMistake]),
    refill: (values) => {
      saidMistake = [];
      for (let k = 0; k < count; k++) {
        const [isMistake, isCorrect] = values.slice(2 * k, 2 * k + 2);
        if (isMistake || isCorrect) saidMistake.push(Boolean(isMistake));
      }
      showsAnswer = saidMistake.length === count;
    },
    stepsDone: () => saidMistake.length,
    lock: (locked) => {
      isLocked = locked;
    },
  };
}

/** @type {Kind} */
function choose(task, host) {
  return (task.one ? chooseOne : chooseSeveral)(task, host);
}

/**
 * One of two to five is true: a press answers. What is wrong is struck out, and once it is right
 * those that nobody chose fold away.
 *
 * @type {Kind}
 */
function chooseOne({ choices }, host) {
  const answers = make("div", { className: "answers rows" });
  /** @type {number | null} */
  let chosen = null;
  let isLocked = false;
  let struck = /** @type {number[]} */ ([]);
  const choose = (k) => {
    if (isLocked || struck.includes(k)) return;
    chosen = k;
    host.answered();
  };
  const buttons = choices.map((words, k) =>
    make(
      "button",
      { type: "button", "aria-keyshortcuts": String(k + 1), onclick: () => choose(k) },
      make("b", {}, LETTERS[k]),
      make("span", {}, ...nodesOf(words, host)),
      make("i", { ariaHidden: "true" }),
    ),
  );
  answers.append(...buttons);
  return {
    nodes: [answers],
    read: () => (chosen === null ? "Select an answer." : { choices: [chosen] }),
    answersAtOnce: true,
    press: (k) => {
      if (!choices[k]) return false;
      choose(k);
      return true;
    },
    show: () => {
      const isShown = host.showsRight();
      const isKnown = isShown || host.wasRight() === true;
      buttons.forEach((button, k) => {
        const isRight = isKnown && k === chosen;
        const isStruck = struck.includes(k);
        button.className = isStruck ? "false" : "";
        if (isRight) button.className = isShown ? "shown" : "right";
        button.hidden = isKnown && !isRight && !isStruck;
        button.setAttribute("aria-disabled", String(isLocked || isStruck));
        // What was shown in place of an answer gets no tick.
        const tick = isRight && !isShown ? "✓" : "";
        button.lastElementChild.textContent = isStruck ? "✗" : tick;
      });
    },
    reveal: ({ right }) => {
      chosen = Number(right[0]);
      return whatIsRight([LETTERS[chosen]]);
    },
    strikeOut: (wrong) => {
      struck = [...struck, ...wrong];
    },
    values: () => choices.map((_, k) => k === chosen),
    refill: (values) => {
      const k = values.indexOf(true);
      chosen = k < 0 ? null : k;
    },
    lock: (locked) => {
      isLocked = locked;
    },
  };
}

/** @type {Kind} */
function chooseSeveral({ choices }, host) {
  const rows = choices.map((choice, k) => {
    const box = make("input", { type: "checkbox", "aria-keyshortcuts": String(k + 1) });
    const words = make("span", {}, make("b", {}, `${LETTERS[k]} `), ...nodesOf(choice, host));
    return { box, node: make("label", { className: "choice" }, box, words) };
  });
  return {
    nodes: rows.map(({ node }) => node),
    read: () => {
      const ticked = rows.flatMap(({ box }, k) => (box.checked ? [k] : []));
      return ticked.length ? { choices: ticked } : "Select all that apply.";
    },
    press: (k) => {
      rows[k]?.box.click();
      return k in rows;
    },
    strikeOut: (wrong) =>
      rows.forEach(({ node }, k) => node.classList.toggle("false", wrong.includes(k))),
    reveal: ({ right }) => {
      rows.forEach(({ box, node }, k) => {
        box.checked = right.includes(k);
        node.classList.remove("false");
      });
      return whatIsRight(right.map((k) => LETTERS[k]));
    },
    lock: locker(rows.map(({ node }) => node)),
  };
}

const LONGEST_ECHO = 40; // In characters: what is longer is not said again.

/** @type {Kind} */
function number() {
  const input = make("input", {
    type: "text",
    inputMode: "decimal",
    autocomplete: "off",
    placeholder: "a number, such as 0.25 or 1/4",
  });
  const node = labelled("number", "Your number", input);
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
    reveal: ({ value }) => {
      input.value = shortNumber(value);
      return whatIsRight([input.value]);
    },
    lock: locker([node]),
  };
}

/** @type {Kind} */
function click({ one }) {
  const prompt = one
    ? "Click or tap the example on the map, or write its number"
    : "Click or tap on the map, or write the numbers, with commas";
  const placeholder = one ? "click on the map, or write x3" : "click on the map, or write x3, x5";
  const input = make("input", { type: "text", autocomplete: "off", placeholder });
  const node = labelled("examples", prompt, input);
  const namedExamples = () => input.value.match(/[0-9₀-₉]+/g)?.map(plainNumber) ?? [];
  return {
    nodes: [node],
    read: () => {
      const examples = namedExamples();
      if (examples.length) return { examples: [...new Set(examples)] };
      return one ? "Click an example." : "Nothing is chosen yet.";
    },
    namedExamples,
    pick: (i) => {
      const before = namedExamples();
      if (one && before.length === 1 && before[0] === i) return null;
      const others = before.filter((other) => other !== i);
      const toggled = before.includes(i) ? others : [...before, i];
      const now = one ? [i] : toggled;
      input.value = now.map(example).join(", ");
      return input.value;
    },
    reveal: ({ right }) => {
      const names = right.map(example);
      input.value = names.join(", ");
      return whatIsRight(names);
    },
    lock: locker([node]),
  };
}

/** @type {Kind} */
function perform({ start }, host) {
  const first = start[0].t ?? 0;
  const rows = [];
  const list = make("div", { className: "steps" });
  const add = () => {
    const verdict = verdictFields(first + rows.length + 1);
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
  const hasIntercept = new URLSearchParams(start[0].query).has("intercept");
  const b = pressable("b", () => pick("b"));
  return {
    nodes: [how, list, ...(hasIntercept ? [b] : [])],
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
    showExamples: (exampleOf) => rows.forEach(({ verdict }) => verdict.showExample(exampleOf)),
    addStep: (step) => {
      if (step !== first + rows.length + 1) return false;
      const { activeElement } = /** @type {ShadowRoot} */ (list.getRootNode());
      const hadFocus = list.contains(activeElement);
      add();
      // The fields of the step before are seen no more: keys go on in those of this one.
      if (hadFocus) rows.at(-1).verdict.node.querySelector("input").focus({ preventScroll: true });
      return true;
    },
    guesses: () => {
      const last = rows.length - 1;
      const lastIsRight = host.wasRight() === true || null;
      return rows.map((_, k) => ({
        words: String(k + 1),
        right: k < last ? true : lastIsRight,
        isNow: k === last,
      }));
    },
    stepsDone: () => rows.length - 1,
    reveal: ({ answer }) => {
      if (!("steps" in answer)) return "";
      while (rows.length < answer.steps.length) add();
      answer.steps.forEach(({ verdict, bricks, b = 0 }, k) => {
        const changes = bricks.map(([i, gain]) => `${example(i)} ${signed(gain)}`);
        rows[k].verdict.choose(verdict);
        rows[k].bricks.value = [...changes, ...(b ? [`b ${signed(b)}`] : [])].join(", ");
        rows[k].verdict.showExample((step) => host.step(step)?.example ?? null);
      });
      return "These are the machine’s steps.";
    },
    grow: (controls) => {
      while (controlsOf([list]).length < controls) add();
    },
    lock: (locked) => {
      locker([list])(locked);
      b.disabled = locked;
    },
  };
}

/** @type {Kind} */
function explain(_, host) {
  const area = make("textarea", { rows: 5, maxLength: 4000 });
  area.onkeydown = ({ key, ctrlKey, metaKey }) => {
    if (key === "Enter" && (ctrlKey || metaKey)) host.answered();
  };
  const node = labelled("words", "In your own words", area);
  return {
    nodes: [node],
    read: () => (area.value.trim() ? { text: area.value } : "Write what you think."),
    lock: locker([node]),
  };
}

// ---- parts -------------------------------------------------------------------------------------

/** @param {number} gain */
const signed = (gain) => `${gain < 0 ? MINUS : "+"}${Math.abs(gain)}`;

/** @param {string[]} names */
const whatIsRight = (names) => `What is right: ${names.join(", ")}.`;

/** A field whose label is the question above it: by ear it has words of its own. */
const labelled = (className, words, field) =>
  make("label", { className }, make("span", { className: "unseen" }, words), field);

/** The two choices of what a step will be: a mistake, or right. */
function verdictFields(step) {
  groupCount += 1;
  const name = `verdict-${groupCount}`;
  const radioFor = (value, words) => {
    const radio = make("input", { type: "radio", name, value });
    return { radio, node: make("label", {}, radio, ` ${words}`) };
  };
  const choices = [radioFor("mistake", "a mistake"), radioFor("correct", "right")];
  const legend = make("legend", {}, `Step ${step}`);
  const node = make("fieldset", {}, legend, ...choices.map((choice) => choice.node));
  const value = () => choices.find(({ radio }) => radio.checked)?.radio.value ?? null;
  const choose = (verdict) => {
    for (const { radio } of choices) radio.checked = radio.value === verdict;
  };
  const showExample = (exampleOf) => {
    const i = exampleOf(step);
    if (i !== null) legend.textContent = `Step ${step}: ${example(i)}`;
  };
  return { node, value, choose, showExample };
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
export const valuesOf = ({ nodes, values }) =>
  values?.() ??
  controlsOf(nodes).map((control) => (isTicked(control) ? control.checked : control.value));

/**
 * Put there again what was in some fields.
 *
 * @param {Fields} fields
 * @param {(string | boolean)[]} values
 */
export function fill({ nodes, grow, refill }, values) {
  if (refill) {
    refill(values);
    return;
  }
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

// One change of a step, as “x3 +1”, “α₃: −1” or “b 0.5”.
const CHANGE = /^(?:(b)|[xα]?([0-9₀-₉]+))\s*:?\s*(.*)$/i;

/** The changes that a text lists. @param {string} text */
const partsOf = (text) =>
  text
    .split(/,(?!\d+\s*(?:[,;\n]|$))|[;\n]/) // A comma may be that of a decimal.
    .map((part) => part.trim())
    .filter(Boolean);

/**
 * The text after another press on a name: a name that is not in it gets +1, +1 becomes −1, and any
 * other change is removed.
 */
function cycled(text, name) {
  const parts = partsOf(text);
  const nameOf = (part) => {
    const [, b, i] = CHANGE.exec(part) ?? [];
    return b ? "b" : i && example(plainNumber(i));
  };
  const index = parts.findIndex((part) => nameOf(part) === name);
  if (index < 0) parts.push(`${name} +1`);
  else if (/\+\s*1$/.test(parts[index])) parts[index] = `${name} −1`;
  else parts.splice(index, 1);
  return parts.join(", ");
}

/** What changes in a step, as one wrote it: bricks null where it cannot be read. */
function changesOf(text) {
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
