// Fields in which one chooses: tiles and cards with pictures, rows of radio buttons, lists that
// open, switches.

import { Labelled, commandOf, labelled } from "./labelled.js";
import { make, pressable, put, renew } from "../dom.js";

/**
 * @import { CardsField, ChoiceField, FieldContext, SelectField, Shows, TilesField, ToggleField
 *   } from "./types.d.ts"
 */

/** @typedef {{ value: unknown, tip: string, group?: string, parts: Node[] }} ChoiceButton */

// Where a window is so large all tiles are seen at once.
const HAS_ROOM = "(min-width: 900px) and (min-height: 700px)";

let groups = 0; // Radio buttons of one name belong together.

/** A choice with pictures. @type {Shows<TilesField>} */
export function tiles({ name }, context) {
  const element = make("fieldset", { className: "field tiles" });
  const radios = new Radios(element, context, ({ value, tip, group, ...option }) => ({
    value,
    tip,
    group,
    parts: tile(option),
  }));
  const legend = make("legend", { className: "unseen" }, name);
  walkByKeys(element, radios);
  let few = Infinity; // So many are seen at once.
  const fold = () => {
    for (const [k, input] of radios.inputs.entries()) {
      put(input.parentElement, { hidden: k >= few });
    }
    put(all, { hidden: few === Infinity });
  };
  const all = pressable("", () => {
    const { length } = radios.inputs.slice(0, few);
    few = Infinity;
    fold();
    radios.inputs[length].focus();
  });
  return {
    element,
    update(field) {
      const first = !all.parentElement && field.few;
      element.classList.toggle(
        "lines",
        field.options.some(({ words }) => words),
      );
      radios.update(field, legend);
      if (first && !matchMedia(HAS_ROOM).matches) few = first;
      if (field.options.findIndex(({ value }) => value === field.value) >= few) few = Infinity;
      if (field.few && !all.parentElement) element.append(all);
      all.textContent = `All ${field.options.length}`;
      if (field.options.length <= field.few) few = Infinity;
      fold();
    },
  };
}

/** @param {{ title: string, image?: string, words?: string }} option */
function tile({ title, image, words }) {
  const picture = make("span", { className: `picture ${image ?? ""}`, "aria-hidden": "true" });
  const name = make("span", { className: "title" }, title);
  const why = words ? [make("span", { className: "why" }, words)] : [];
  return [picture, make("span", { className: "text" }, name, ...why)];
}

/** One of a few, in a row. @type {Shows<ChoiceField>} */
export function choice(_, context) {
  const element = make("fieldset", { className: "field choice" });
  const title = (words) => [make("span", { className: "title" }, words)];
  const radios = new Radios(element, context, ([value, words]) => ({
    value,
    tip: "",
    parts: title(words),
  }));
  const legend = make("legend");
  return {
    element,
    update(field) {
      labelled(legend, field.label, field.help);
      radios.update(field, legend);
    },
  };
}

/**
 * Native radio buttons with something to see beside each; they are made anew only where their
 * options are others.
 */
class Radios {
  /** @type {unknown[]} */
  values = [];
  /** @type {HTMLInputElement[]} */
  inputs = [];
  serial = 0; // The number of the newest command.
  name = `choice-${++groups}`;

  /**
   * @param {HTMLElement} element
   * @param {FieldContext} context
   * @param {(option: any) => ChoiceButton} buttonOf
   */
  constructor(element, { session }, buttonOf) {
    this.element = element;
    this.session = session;
    this.buttonOf = buttonOf;
    element.addEventListener("change", ({ target }) => {
      const value = this.values[Number(/** @type {HTMLInputElement} */ (target).value)];
      this.serial = session.command(...commandOf(this.field, value));
    });
  }

  update(field, legend) {
    this.field = field;
    renew(this.element, field.options, (options) => [legend, this.#make(options)]);
    if (this.session.awaits(this.serial)) return;
    for (const [k, input] of this.inputs.entries()) input.checked = this.values[k] === field.value;
  }

  #make(options) {
    const buttons = options.map(this.buttonOf);
    this.values = buttons.map(({ value }) => value);
    this.inputs = buttons.map((_, k) =>
      make("input", { type: "radio", name: this.name, value: String(k) }),
    );
    const labels = buttons.map(({ tip, parts }, k) =>
      make("label", { title: tip }, this.inputs[k], make("span", { className: "seen" }, ...parts)),
    );
    // Each group stands in a column of its own, under its name.
    const names = [...new Set(buttons.map(({ group }) => group))];
    const columns = names.map((name) => {
      const inGroup = labels.filter((_, k) => buttons[k].group === name);
      if (!name) return inGroup;
      const heading = make("p", { className: "group" }, name);
      return [make("div", { className: "of-group" }, heading, ...inGroup)];
    });
    return make("div", { className: "options" }, ...columns.flat());
  }
}

/** One of many. @type {Shows<SelectField>} */
export function select(_, context) {
  const words = make("span", { className: "label" });
  const input = make("select", {
    onchange: () => field.set(field.now.options[input.selectedIndex][0]),
  });
  const element = make("label", { className: "field line" }, words, input);
  /** @param {SelectField} now */
  const show = (now) =>
    (input.selectedIndex = now.options.findIndex(([value]) => value === now.value));
  const field = new Labelled(context, element, words, show);
  return {
    element,
    update(now) {
      renew(input, now.options, (options) => options.map(([, title]) => make("option", {}, title)));
      field.update(now);
    },
  };
}

/** Something that is on or off. @type {Shows<ToggleField>} */
export function toggle(_, context) {
  const input = make("input", {
    type: "checkbox",
    onchange: () => field.set(input.checked ? field.now.on : field.now.off),
  });
  const words = make("span");
  const element = make("label", { className: "field toggle" }, input, words);
  /** @param {ToggleField} now */
  const show = (now) => (input.checked = now.value);
  const field = new Labelled(context, element, words, show);
  return field;
}

/** Buttons with a picture and a line that says why. @type {Shows<CardsField>} */
export function cards(_, { session }) {
  const element = make("div", { className: "field cards" });
  /** @param {CardsField["options"][number]} option */
  const card = ({ command, value, ...option }) =>
    make(
      "button",
      { type: "button", onclick: () => session.command(command, value) },
      ...tile(option),
    );
  return { element, update: ({ options }) => renew(element, options, () => options.map(card)) };
}

/**
 * Let keys walk tiles as one sees them, in rows and columns: up and down, from an end of a column
 * to the other, and to the first and the last. Right and Left go along the rows by themselves, as
 * radio buttons do.
 *
 * @param {HTMLElement} element
 * @param {Radios} radios in it
 */
function walkByKeys(element, radios) {
  element.addEventListener("keydown", (event) => {
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    const inputs = radios.inputs.filter(({ parentElement }) => !parentElement.hidden);
    const at = inputs.indexOf(/** @type {HTMLInputElement} */ (event.target));
    const direction = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    let to = { Home: 0, End: inputs.length - 1 }[event.key];
    if (at >= 0 && direction) {
      const boxes = inputs.map((input) => input.parentElement.getBoundingClientRect());
      if (boxes.every(({ top }) => top === boxes[0].top)) return;
      const column = inputs
        .map((_, k) => k)
        .filter((k) => Math.abs(boxes[k].left - boxes[at].left) < 1);
      to = column.at((column.indexOf(at) + direction) % column.length);
    }
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    inputs[to].focus();
    if (to !== at) inputs[to].click(); // The arrows of radio buttons do the same.
  });
}
