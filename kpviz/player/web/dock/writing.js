// Fields in which one writes, and those that bring a whole file; what is typed is never replaced while one types.

import { make } from "../shell/dom.js";
import { labelled } from "./labelled.js";
import { Wrong } from "./wrong.js";

/** @import { AddField, FieldContext, FieldView, FileField, PasteField, TextField } from "./types.d.ts" */

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
