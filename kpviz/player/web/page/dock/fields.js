// The kinds of fields, by name; here those that are only read or pressed, or in which one writes.

import { cards, choice, select, tiles, toggle } from "./choices.js";
import { Wrong, labelled } from "./labelled.js";
import { number, slider } from "./numbers.js";
import { make, pressable, put, renew } from "../dom.js";
import { formula } from "../formula.js";
import { spell } from "../terms.js";

/**
 * @import { AddField, ButtonField, DialogField, DockField, FieldContext, FieldView, FileField,
 *   ListField, MathField, MoreField, PasteField, Shows, TextField, WordsField } from "./types.d.ts"
 */

const FORMULA_SIZE = 16; // In px, as in dock.css.
const LEAST_FORMULA_SIZE = 10.5; // In px.
const FORMULA_SLACK = 0.2; // In px: widths in px are rounded, so a formula is so much smaller.
const KEY_IN_LABEL = / \((Shift )?[A-Z]\)$/; // A finger has no keys.

/** @type {Record<DockField["kind"], Shows<any>>} */
const KINDS = {
  tiles,
  choice,
  select,
  slider,
  number,
  toggle,
  text,
  math,
  words,
  warning: words,
  info: words,
  heading: words,
  button,
  dialog: button,
  file,
  paste,
  list,
  add,
  cards,
  more,
};

/** A paragraph, or the heading of what follows. @type {Shows<WordsField>} */
function words({ kind }) {
  const element = make(kind === "heading" ? "h3" : "p", { className: `field words ${kind}` });
  return { element, update: (field) => spell(element, field.text) };
}

/** A formula, in smaller type where it is too long for its line. @type {Shows<MathField>} */
function math() {
  const element = make("div", { className: "field math" });
  const fit = () => {
    element.style.fontSize = "";
    const share = element.clientWidth / element.scrollWidth;
    if (share >= 1) return;
    const size = Math.max(share * FORMULA_SIZE - FORMULA_SLACK, LEAST_FORMULA_SIZE);
    element.style.fontSize = `${size}px`;
  };
  new ResizeObserver(fit).observe(element);
  return {
    element,
    update({ mathml }) {
      const isNew = renew(element, mathml, () => [formula(mathml)]);
      if (isNew && element.isConnected) fit();
    },
  };
}

/**
 * A button that gives a command or opens a dialog; one that cannot be pressed now says why.
 *
 * @type {Shows<ButtonField | DialogField>}
 */
function button(_, context) {
  /** @type {ButtonField | DialogField} */
  let field;
  const element = pressable("", () => {
    if (field.disabled) return;
    if (field.kind === "dialog") context.dialog(field.dialog);
    else context.session.command(field.command, field.value ?? null);
  });
  return {
    element,
    update(now) {
      field = now;
      const keyless = matchMedia("(pointer: coarse) and (hover: none)").matches;
      element.textContent = keyless ? now.label.replace(KEY_IN_LABEL, "") : now.label;
      put(element, {
        title: now.disabled ?? now.tip,
        className: `field ${now.kind === "button" && now.primary ? "primary" : ""}`,
        "aria-disabled": String(!!now.disabled),
      });
    },
  };
}

/** Lines with a button behind each. @type {Shows<ListField>} */
function list(_, { session }) {
  const element = make("ul", { className: "field list" });
  const line = ({ title, text: extra, command, value, label }) =>
    make(
      "li",
      {},
      make("span", {}, make("b", {}, title), ` ${extra}`),
      pressable(label, () => session.command(command, value), {
        ariaLabel: `${label}: ${title} ${extra}`,
      }),
    );
  return { element, update: ({ items }) => renew(element, items, () => items.map(line)) };
}

/**
 * Fields that can be folded away. The reader opens and closes them; they also open by themselves
 * when `open` becomes true.
 *
 * @type {Shows<MoreField>}
 */
function more(_, context) {
  const summary = make("summary");
  const box = make("div", { className: "fields" });
  const element = make("details", { className: "field more" }, summary, box);
  const inside = new FieldList(box, context);
  let wasOpen = false;
  return {
    element,
    update(field) {
      summary.textContent = field.label;
      if (field.open && !wasOpen) element.open = true;
      wasOpen = field.open;
      inside.update(field.fields);
    },
  };
}

// A list of fields that is brought up to date in place: what stays keeps its element, and with it
// the focus and the caret.

export class FieldList {
  /** @type {Map<string, FieldView>} */
  views = new Map();

  /** @param {HTMLElement} element @param {FieldContext} context */
  constructor(element, context) {
    this.element = element;
    this.context = context;
  }

  /** @param {DockField[]} fields */
  update(fields) {
    const { element, context, views } = this;
    const keyed = keysOf(fields);
    for (const [key, view] of views) {
      if (keyed.has(key)) continue;
      view.element.remove();
      views.delete(key);
    }
    let place = element.firstElementChild;
    for (const [key, field] of keyed) {
      if (!views.has(key)) {
        views.set(key, KINDS[field.kind](field, context));
        views.get(key).element.dataset.field = key;
      }
      const view = views.get(key);
      view.update(field);
      if (view.element === place) place = place.nextElementSibling;
      else element.insertBefore(view.element, place);
    }
  }
}

/** Fields by a name that stays the same while their values change. @param {DockField[]} fields */
function keysOf(fields) {
  /** @type {Map<string, DockField>} */
  const keyed = new Map();
  for (const field of fields) {
    const { kind, key: ownKey, name, command, dialog } = /** @type {Record<string, any>} */ (field);
    const shortKey = [kind, ownKey || name || command || dialog].filter(Boolean).join(" ");
    let key = shortKey;
    for (let k = 2; keyed.has(key); k++) key = `${shortKey} ${k}`;
    keyed.set(key, field);
  }
  return keyed;
}

// Fields in which one writes, and those that bring a whole file; what is typed is never replaced
// while one types.

/**
 * A text that Python reads. Its draft is the text that was sent and is refused, with what is wrong
 * in it.
 *
 * @type {Shows<TextField>}
 */
function text(_, { session }) {
  const label = make("span", { className: "label" });
  const input = make("input", {
    type: "text",
    className: "code",
    spellcheck: false,
    autocomplete: "off",
  });
  const wrong = new Wrong(input);
  let serial = 0;
  let name = "";
  let isTyping = false;
  input.oninput = () => {
    isTyping = true;
  };
  input.onchange = () => {
    isTyping = false;
    serial = session.command("type", { name, text: input.value });
  };
  return {
    element: make(
      "div",
      { className: "field text" },
      make("label", {}, label, input),
      ...wrong.elements,
    ),
    update({ draft, ...field }) {
      name = field.name;
      labelled(label, field.label, field.help);
      Object.assign(input, { maxLength: field.max, placeholder: field.placeholder });
      if (isTyping || session.awaits(serial)) return;
      const now = draft?.text ?? field.value;
      if (input.value !== now) input.value = now;
      wrong.show(draft);
    },
  };
}

/**
 * Let a field say why what it brought was refused, until the next answer. `Dock.refuse` finds it by
 * its `data-brings` and sends it the event.
 *
 * @param {HTMLElement} element
 * @param {Wrong} wrong
 */
function refusable(element, wrong) {
  element.addEventListener("refused", (/** @type {CustomEvent} */ { detail: why }) =>
    wrong.show({ text: "", at: null, why }),
  );
  return element;
}

/** A file to open. @type {Shows<FileField>} */
function file(_, context) {
  const input = make("input", { type: "file", className: "unseen" });
  const face = make("span", { className: "face" }, "Open a file …");
  const opener = make("label", { className: "button" }, input, face);
  const label = make("span", { className: "label" });
  const wrong = new Wrong();
  input.onchange = () => {
    if (input.files.length) context.open([...input.files]);
    input.value = ""; // Now the same file can be opened again.
  };
  const attributes = { className: "field file", "data-brings": "open" };
  return {
    element: refusable(make("div", attributes, label, opener, ...wrong.elements), wrong),
    update(field) {
      label.textContent = field.label;
      input.accept = field.accept;
      wrong.show(field.draft);
    },
  };
}

/** A table to paste. @type {Shows<PasteField>} */
function paste(_, { session }) {
  const label = make("span", { className: "label" });
  const area = make("textarea", { rows: 3, className: "code", spellcheck: false });
  const wrong = new Wrong(area);
  const send = () => {
    if (area.value.trim()) session.command("paste", { text: area.value });
  };
  area.onpaste = () => setTimeout(send); // The text is there only then.
  area.onkeydown = ({ key, ctrlKey, metaKey }) => {
    if (key === "Enter" && (ctrlKey || metaKey)) send();
  };
  const element = make(
    "div",
    { className: "field text", "data-brings": "paste" },
    make("label", {}, label, area),
    ...wrong.elements,
  );
  return {
    element: refusable(element, wrong),
    update(field) {
      labelled(label, field.label, field.help);
      area.placeholder = field.placeholder;
      wrong.show(field.draft);
    },
  };
}

/** An example to write, and its class. @type {Shows<AddField>} */
function add(_, { session }) {
  const label = make("span", { className: "label" });
  const input = make("input", { type: "text", autocomplete: "off" });
  const classes = make("select", { ariaLabel: "Class" });
  const wrong = new Wrong(input);
  let serial = 0;
  let waitsForAnswer = false;
  /** @type {AddField} */
  let field;
  const send = () => {
    serial = session.command(field.command, {
      text: input.value,
      y: field.classes[classes.selectedIndex][0],
    });
    waitsForAnswer = true;
  };
  const addButton = pressable("", send);
  input.onkeydown = ({ key, isComposing }) => {
    if (key === "Enter" && !isComposing) send();
  };
  const line = make("div", { className: "adding" }, classes, addButton);
  return {
    element: make(
      "div",
      { className: "field text" },
      make("label", {}, label, input),
      line,
      ...wrong.elements,
    ),
    update(now) {
      field = now;
      labelled(label, now.label, now.help);
      input.placeholder = now.placeholder;
      addButton.textContent = now.button ?? "Add it";
      renew(classes, now.classes, (options) =>
        options.map(([, title]) => make("option", {}, title)),
      );
      if (session.awaits(serial)) return;
      // After an answer the input is empty, or has what was refused; else it has what is typed.
      if (waitsForAnswer) input.value = now.draft?.text ?? "";
      waitsForAnswer = false;
      wrong.show(now.draft);
    },
  };
}
