// The kinds of fields, by name; here those that are only read or pressed.

import { cards, choice, select, tiles, toggle } from "./choices.js";
import { Wrong, labelled } from "./labelled.js";
import { number, slider } from "./numbers.js";
import { make } from "../shell/dom.js";
import { spell } from "../shell/terms.js";

/** @import { AddField, ButtonField, DialogField, DockField, FieldContext, FieldView, FileField, ListField, MathField, MoreField, PasteField, TextField, WordsField } from "./types.d.ts" */

const SET = [16, 10.5]; // px: the type of a formula, as in dock.css, and the least that it is set in

/** @type {Record<DockField["kind"], (field: any, context: FieldContext) => FieldView<any>>} */
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

/**
 * What shows a field.
 *
 * @param {DockField} field
 * @param {FieldContext} context
 * @returns {FieldView}
 */
export const viewOf = (field, context) => KINDS[field.kind](field, context);

/**
 * A paragraph, or the heading of what follows.
 *
 * @param {WordsField} field
 * @returns {FieldView<WordsField>}
 */
function words({ kind }) {
  const element = make(document, kind === "heading" ? "h3" : "p", { className: `field words ${kind}` });
  return {
    element,
    update(field) {
      spell(element, field.text);
    },
  };
}

/**
 * A formula, in smaller type where it is too long for its line.
 *
 * @returns {FieldView<MathField>}
 */
function math() {
  const element = make(document, "div", { className: "field math" });
  let written = "";
  const fit = () => {
    element.style.fontSize = "";
    const share = element.clientWidth / element.scrollWidth;
    if (share < 1) element.style.fontSize = `${Math.max(share * SET[0] - 0.2, SET[1])}px`;
  };
  new ResizeObserver(fit).observe(element);
  return {
    element,
    update({ mathml }) {
      if (mathml === written) return;
      element.replaceChildren(formula(document, mathml));
      written = mathml;
      if (element.isConnected) fit();
    },
  };
}

/**
 * A button that gives a command or opens a dialog; one that cannot be pressed now says why.
 *
 * @param {ButtonField | DialogField} _
 * @param {FieldContext} context
 * @returns {FieldView<ButtonField | DialogField>}
 */
function button(_, context) {
  const element = make(document, "button", { type: "button" });
  let field = /** @type {ButtonField | DialogField | null} */ (null);
  element.addEventListener("click", () => {
    if (field.disabled) return;
    if (field.kind === "dialog") context.dialog(field.dialog);
    else context.session.command(field.command, field.value ?? null);
  });
  return {
    element,
    update(now) {
      field = now;
      element.textContent = now.label;
      element.title = now.disabled ?? now.tip;
      element.className = `field ${now.kind === "button" && now.primary ? "primary" : ""}`;
      element.setAttribute("aria-disabled", String(!!now.disabled));
    },
  };
}

/**
 * Lines with a button behind each.
 *
 * @param {ListField} _
 * @param {FieldContext} context
 * @returns {FieldView<ListField>}
 */
function list(_, context) {
  const element = make(document, "ul", { className: "field list" });
  let items = "";
  return {
    element,
    update(field) {
      const now = JSON.stringify(field.items);
      if (now === items) return;
      items = now;
      element.replaceChildren(...field.items.map((item) => line(item, context)));
    },
  };
}

/**
 * @param {ListField["items"][number]} item
 * @param {FieldContext} context
 */
function line({ title, text: extra, command, value, label }, context) {
  const away = make(document, "button", { type: "button", ariaLabel: `${label}: ${title} ${extra}` }, label);
  away.addEventListener("click", () => context.session.command(command, value));
  const message = make(document, "span", {}, make(document, "b", {}, title), ` ${extra}`);
  return make(document, "li", {}, message, away);
}

/**
 * Fields that can be folded away; whether they are is the reader's to say, until they are wanted open.
 *
 * @param {MoreField} _
 * @param {FieldContext} context
 * @returns {FieldView<MoreField>}
 */
function more(_, context) {
  const summary = make(document, "summary");
  const box = make(document, "div", { className: "fields" });
  const element = make(document, "details", { className: "field more" }, summary, box);
  const inside = new FieldList(box, context);
  let open = false;
  return {
    element,
    update(field) {
      summary.textContent = field.label;
      if (field.open && !open) element.open = true;
      ({ open } = field);
      inside.update(field.fields);
    },
  };
}

// A list of fields that is brought up to date in place: what stays keeps its element, and with it the focus and the caret.

export class FieldList {
  /** @type {Map<string, FieldView>} */
  views = new Map();

  /**
   * @param {HTMLElement} element
   * @param {FieldContext} context
   */
  constructor(element, context) {
    this.element = element;
    this.context = context;
  }

  /** @param {DockField[]} fields */
  update(fields) {
    const keyed = keysOf(fields);
    for (const [key, view] of this.views) {
      if (keyed.has(key)) continue;
      view.element.remove();
      this.views.delete(key);
    }
    let place = this.element.firstElementChild;
    for (const [key, field] of keyed) {
      const view = this.#view(key, field);
      view.update(field);
      if (view.element === place) place = place.nextElementSibling;
      else this.element.insertBefore(view.element, place);
    }
  }

  /**
   * @param {string} key
   * @param {DockField} field
   */
  #view(key, field) {
    const { views, context } = this;
    if (!views.has(key)) {
      const view = context.make(field, context);
      view.element.dataset.field = key;
      views.set(key, view);
    }
    return views.get(key);
  }
}

/**
 * Fields by a name that stays the same while their values change.
 *
 * @param {DockField[]} fields
 */
function keysOf(fields) {
  /** @type {Map<string, DockField>} */
  const keyed = new Map();
  for (const field of fields) {
    const name = nameOf(field);
    let key = name;
    for (let k = 2; keyed.has(key); k++) key = `${name} ${k}`;
    keyed.set(key, field);
  }
  return keyed;
}

/** @param {DockField} field */
function nameOf(field) {
  if ("key" in field && field.key) return `${field.kind} ${field.key}`;
  if ("name" in field) return `${field.kind} ${field.name}`;
  if ("command" in field) return `${field.kind} ${field.command}`;
  return field.kind === "dialog" ? `dialog ${field.dialog}` : field.kind;
}

// Fields in which one writes, and those that bring a whole file; what is typed is never replaced while one types.

/**
 * A text that Python reads.
 *
 * @param {TextField} _
 * @param {FieldContext} context
 * @returns {FieldView<TextField>}
 */
export function text(_, context) {
  const label = make(document, "span", { className: "label" });
  const input = make(document, "input", { type: "text", className: "code", spellcheck: false, autocomplete: "off" });
  const wrong = new Wrong();
  const words = make(document, "label", {}, label, input);
  const element = make(document, "div", { className: "field text" }, words, ...wrong.elements);
  const { session } = context;
  let asked = 0;
  let name = "";
  let half = false; // something is typed and not yet said
  input.addEventListener("input", () => (half = true));
  input.addEventListener("change", () => {
    half = false;
    asked = session.command("type", { name, text: input.value });
  });
  return {
    element,
    update({ draft, ...field }) {
      name = field.name;
      labelled(label, field.label, field.help);
      Object.assign(input, { maxLength: field.max, placeholder: field.placeholder });
      if (half || session.awaits(asked)) return;
      const now = draft?.text ?? field.value;
      if (input.value !== now) input.value = now;
      input.setAttribute("aria-invalid", String(!!draft));
      wrong.show(draft);
    },
  };
}

/**
 * A file to open.
 *
 * @param {FileField} _
 * @param {FieldContext} context
 * @returns {FieldView<FileField>}
 */
export function file(_, context) {
  const input = make(document, "input", { type: "file", className: "unseen" });
  const face = make(document, "span", { className: "face" }, "Open a file …");
  const button = make(document, "label", { className: "button" }, input, face);
  const label = make(document, "span", { className: "label" });
  const wrong = new Wrong();
  input.addEventListener("change", () => {
    if (input.files.length) context.open([...input.files]);
    input.value = ""; // so that the same one can be opened again
  });
  return {
    element: make(document, "div", { className: "field file" }, label, button, ...wrong.elements),
    update(field) {
      label.textContent = field.label;
      input.accept = field.accept;
      wrong.show(field.draft ?? null);
    },
  };
}

/**
 * A table to paste.
 *
 * @param {PasteField} _
 * @param {FieldContext} context
 * @returns {FieldView<PasteField>}
 */
export function paste(_, context) {
  const label = make(document, "span", { className: "label" });
  const area = make(document, "textarea", { rows: 3, className: "code", spellcheck: false });
  const wrong = new Wrong();
  const words = make(document, "label", {}, label, area);
  const send = () => area.value.trim() && context.session.command("paste", { text: area.value });
  area.addEventListener("paste", () => setTimeout(send)); // when the text is there
  area.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
    if (key === "Enter" && (ctrlKey || metaKey)) send();
  });
  return {
    element: make(document, "div", { className: "field text" }, words, ...wrong.elements),
    update(field) {
      labelled(label, field.label, field.help);
      area.placeholder = field.placeholder;
      area.setAttribute("aria-invalid", String(!!field.draft));
      wrong.show(field.draft ?? null);
    },
  };
}

/**
 * An example to write, and its class.
 *
 * @param {AddField} _
 * @param {FieldContext} context
 * @returns {FieldView<AddField>}
 */
export function add(_, context) {
  const label = make(document, "span", { className: "label" });
  const input = make(document, "input", { type: "text", autocomplete: "off" });
  const classes = make(document, "select", { ariaLabel: "Class" });
  const button = make(document, "button", { type: "button" });
  const wrong = new Wrong();
  const line = make(document, "div", { className: "adding" }, classes, button);
  const words = make(document, "label", {}, label, input);
  const { session } = context;
  let asked = 0;
  let field = /** @type {AddField | null} */ (null);
  let sent = false;
  const send = () => {
    asked = session.command(field.command, { text: input.value, y: field.classes[classes.selectedIndex][0] });
    sent = true;
  };
  button.addEventListener("click", send);
  input.addEventListener("keydown", ({ key, isComposing }) => {
    if (key === "Enter" && !isComposing) send();
  });
  return {
    element: make(document, "div", { className: "field text" }, words, line, ...wrong.elements),
    update(now) {
      labelled(label, now.label, now.help);
      input.placeholder = now.placeholder;
      button.textContent = now.button ?? "Add it";
      const options = now.classes.map(([, title]) => title);
      if (options.join("\n") !== field?.classes.map(([, title]) => title).join("\n")) {
        classes.replaceChildren(...options.map((title) => make(document, "option", {}, title)));
      }
      field = now;
      if (session.awaits(asked)) return;
      if (sent) input.value = now.draft?.text ?? "";
      sent = false;
      input.setAttribute("aria-invalid", String(!!now.draft));
      wrong.show(now.draft ?? null);
    },
  };
}

// Formulas as the browser sets them: MathML comes as a text, and nothing but its own elements gets into the page.

const SPACE = "http://www.w3.org/1998/Math/MathML";
const ELEMENTS = new Set(
  "math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup mover munder munderover mtable mtr mtd mstyle mpadded".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  "display displaystyle scriptlevel mathvariant stretchy fence form separator lspace rspace width height depth accent accentunder minsize maxsize symmetric largeop movablelimits linethickness columnalign rowspacing columnspacing".split(
    " ",
  ),
);

/**
 * The formula as elements; what is not MathML is shown as the text that it is.
 *
 * @param {Document} page
 * @param {string} text
 * @returns {Node}
 */
export function formula(page, text) {
  const { documentElement } = new DOMParser().parseFromString(text, "application/xml");
  const found = documentElement.localName === "math" ? copy(page, documentElement) : null;
  return found ?? page.createTextNode(text);
}

/**
 * @param {Document} page
 * @param {Element} element
 * @returns {Element | null} null: there is something in it that is no part of a formula
 */
function copy(page, element) {
  if (!ELEMENTS.has(element.localName)) return null;
  const made = page.createElementNS(SPACE, element.localName);
  for (const { name, value } of element.attributes) if (ATTRIBUTES.has(name)) made.setAttribute(name, value);
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) made.append(child.textContent);
    if (child.nodeType !== Node.ELEMENT_NODE) continue;
    const part = copy(page, /** @type {Element} */ (child));
    if (!part) return null;
    made.append(part);
  }
  return made;
}
