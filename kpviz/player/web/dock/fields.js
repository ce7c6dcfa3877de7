// The kinds of fields, by name; here those that are only read or pressed.

import { make } from "../shell/dom.js";
import { spell } from "../shell/terms.js";
import { cards, choice, select, tiles, toggle } from "./choices.js";
import { FieldList } from "./field_list.js";
import { formula } from "./mathml.js";
import { number, slider } from "./numbers.js";
import { add, file, paste, text } from "./writing.js";

/** @import { ButtonField, DialogField, DockField, FieldContext, FieldView, ListField, MathField, MoreField, WordsField } from "./types.d.ts" */

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
