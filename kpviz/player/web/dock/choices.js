// Fields in which one chooses: tiles and cards with pictures, rows of radio buttons, lists that open, switches.

import { Labelled, commandOf, labelled } from "./labelled.js";
import { make } from "../shell/dom.js";

/** @import { CardsField, ChoiceField, FieldContext, FieldView, SelectField, TilesField, ToggleField } from "./types.d.ts" */

let groups = 0; // radio buttons of one name belong together

/**
 * A choice with pictures.
 *
 * @param {TilesField} first
 * @param {FieldContext} context
 * @returns {FieldView<TilesField>}
 */
export function tiles(first, context) {
  const element = make(document, "fieldset", { className: "field tiles" });
  const radios = new Radios(element, context, tile);
  const legend = make(document, "legend", { className: "unseen" }, first.name);
  walkByKeys(element, () => radios.inputs);
  return {
    element,
    update(field) {
      element.classList.toggle(
        "lines",
        field.options.some(({ words }) => words),
      );
      radios.update(field, field.options, legend);
    },
  };
}

/** @param {TilesField["options"][number]} option */
function tile({ value, title, tip, image, words }) {
  const picture = make(document, "span", { className: `picture ${image ?? ""}`, "aria-hidden": "true" });
  const name = make(document, "span", { className: "title" }, title);
  const why = words ? [make(document, "span", { className: "why" }, words)] : [];
  return { value, tip, parts: [picture, make(document, "span", { className: "text" }, name, ...why)] };
}

/**
 * One of a few, in a row.
 *
 * @param {ChoiceField} _
 * @param {FieldContext} context
 * @returns {FieldView<ChoiceField>}
 */
export function choice(_, context) {
  const element = make(document, "fieldset", { className: "field choice" });
  const radios = new Radios(element, context, ([value, title]) => ({
    value,
    tip: "",
    parts: [make(document, "span", { className: "title" }, title)],
  }));
  const legend = make(document, "legend");
  return {
    element,
    update(field) {
      labelled(legend, field.label, field.help);
      radios.update(field, field.options, legend);
    },
  };
}

/** Native radio buttons with something to see beside each; they are made anew only where their options are others. */
class Radios {
  options = "";
  /** @type {unknown[]} */
  values = [];
  /** @type {HTMLInputElement[]} */
  inputs = [];
  asked = 0;

  /**
   * @param {HTMLElement} element
   * @param {FieldContext} context
   * @param {(option: any) => { value: unknown, tip: string, parts: Node[] }} shown
   */
  constructor(element, { session }, shown) {
    this.element = element;
    this.session = session;
    this.shown = shown;
    this.name = `choice-${++groups}`;
    element.addEventListener("change", ({ target }) => {
      const value = this.values[Number(/** @type {HTMLInputElement} */ (target).value)];
      this.asked = session.command(...commandOf(this.field, value));
    });
  }

  update(field, options, legend) {
    this.field = field;
    const text = JSON.stringify(options);
    if (text !== this.options) this.#make(options, legend);
    this.options = text;
    if (this.session.awaits(this.asked)) return;
    for (const [k, input] of this.inputs.entries()) input.checked = this.values[k] === field.value;
  }

  #make(options, legend) {
    const shown = options.map(this.shown);
    this.values = shown.map(({ value }) => value);
    this.inputs = shown.map((_, k) => make(document, "input", { type: "radio", name: this.name, value: String(k) }));
    const labels = shown.map(({ tip, parts }, k) =>
      make(document, "label", { title: tip }, this.inputs[k], make(document, "span", { className: "seen" }, ...parts)),
    );
    this.element.replaceChildren(legend, make(document, "div", { className: "options" }, ...labels));
  }
}

/**
 * One of many.
 *
 * @param {SelectField} _
 * @param {FieldContext} context
 * @returns {FieldView<SelectField>}
 */
export function select(_, context) {
  const words = make(document, "span", { className: "label" });
  const input = make(document, "select");
  const element = make(document, "label", { className: "field line" }, words, input);
  /** @param {SelectField} now */
  const show = (now) => (input.selectedIndex = now.options.findIndex(([value]) => value === now.value));
  const field = new Labelled(context, element, words, show);
  let options = "";
  input.addEventListener("change", () => field.set(field.now.options[input.selectedIndex][0]));
  return {
    element,
    update(now) {
      const text = JSON.stringify(now.options);
      if (text !== options) {
        input.replaceChildren(...now.options.map(([, title]) => make(document, "option", {}, title)));
      }
      options = text;
      field.update(now);
    },
  };
}

/**
 * Something that is on or off.
 *
 * @param {ToggleField} _
 * @param {FieldContext} context
 * @returns {FieldView<ToggleField>}
 */
export function toggle(_, context) {
  const input = make(document, "input", { type: "checkbox" });
  const words = make(document, "span");
  const element = make(document, "label", { className: "field toggle" }, input, words);
  /** @param {ToggleField} now */
  const show = (now) => (input.checked = now.value);
  const field = new Labelled(context, element, words, show);
  input.addEventListener("change", () => field.set(input.checked ? field.now.on : field.now.off));
  return field;
}

/**
 * Buttons with a picture and a line that says why.
 *
 * @param {CardsField} _
 * @param {FieldContext} context
 * @returns {FieldView<CardsField>}
 */
export function cards(_, context) {
  const element = make(document, "div", { className: "field cards" });
  let options = "";
  return {
    element,
    update(field) {
      const text = JSON.stringify(field.options);
      if (text !== options) element.replaceChildren(...field.options.map((option) => card(option, context)));
      options = text;
    },
  };
}

/**
 * @param {CardsField["options"][number]} option
 * @param {FieldContext} context
 */
function card({ title, words, image, command, value }, context) {
  const { parts } = tile({ value: "", title, tip: "", image, words });
  const button = make(document, "button", { type: "button" }, ...parts);
  button.addEventListener("click", () => context.session.command(command, value));
  return button;
}

// Tiles in rows and columns, walked by keys as one sees them. Right and Left go from each to the next by themselves, as
// radio buttons do, and so go along the rows.

const WAYS = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Which tile a key leads to: the one above or below, from an end of a column to the other; the first or the last; null:
 * where the browser leads by itself.
 *
 * @param {string} key
 * @param {number} at
 * @param {{ left: number, top: number }[]} boxes
 */
function tileAt(key, at, boxes) {
  if (key === "Home") return 0;
  if (key === "End") return boxes.length - 1;
  if (!(key in WAYS) || boxes.every(({ top }) => top === boxes[0].top)) return null;
  const column = boxes.map((_, k) => k).filter((k) => Math.abs(boxes[k].left - boxes[at].left) < 1);
  const place = column.indexOf(at) + WAYS[key] + column.length;
  return column[place % column.length];
}

/**
 * Let keys walk radio buttons so.
 *
 * @param {HTMLElement} element
 * @param {() => HTMLInputElement[]} inputs in it
 */
function walkByKeys(element, inputs) {
  element.addEventListener("keydown", (event) => {
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    const all = inputs();
    const at = all.indexOf(/** @type {HTMLInputElement} */ (event.target));
    if (at < 0) return;
    const to = tileAt(
      event.key,
      at,
      all.map((input) => input.parentElement.getBoundingClientRect()),
    );
    if (to === null) return;
    event.preventDefault();
    all[to].focus();
    if (to !== at) all[to].click(); // as the arrows of radio buttons do
  });
}
