// Fields of numbers: a slider that moves the picture while it moves, with a field to type the
// number in; and that field alone.

import { Labelled, Wrong, commandOf, labelled } from "./labelled.js";
import { make, put } from "../dom.js";
import { spell } from "../terms.js";
import { readings, whyNot } from "../typed_number.js";
import { MOVES, sliding } from "../../modes/holds.js";

/** @import { FieldContext, NumberField, Shows, SliderField } from "./types.d.ts" */

// In ms after a key: the next key within this time goes on with the same gesture.
const GESTURE_PAUSE = 700;

/** @type {Shows<SliderField>} */
export const slider = (_, context) => new Slider(context);

class Slider {
  /** @type {SliderField | null} */
  field = null;
  serial = 0; // The number of the newest command.
  gesture = 0;
  inHand = false; // It is under the hand: what the server says of it comes too late.
  byKeys = false; // Keys that follow each other are one gesture.
  notch = 0;
  mode = sliding(() => this.#end());
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  pause; // The gesture of keys ends with it.

  /**
   * @param {FieldContext} context
   * @param {(element: HTMLElement, text: string) => void} write puts its words into an element, by
   *   default with buttons on the terms among them
   */
  constructor(context, write = spell) {
    this.context = context;
    this.write = write;
    this.label = make("span");
    this.words = make("small");
    this.name = make("span", { className: "label" }, this.label, this.words);
    this.range = make("input", { type: "range", min: "0", step: "1" });
    this.typed = new Typed(
      (value) => (this.serial = context.session.command(...commandOf(this.field, value))),
    );
    this.unit = make("span", { className: "unit" });
    const value = make("span", { className: "value" }, this.typed.input, this.unit);
    const { elements } = this.typed.wrong;
    this.element = make(
      "div",
      { className: "field slider" },
      this.name,
      this.range,
      value,
      ...elements,
    );
    const { range } = this;
    range.addEventListener("keydown", ({ key }) => {
      this.byKeys = MOVES.test(key);
      clearTimeout(this.pause);
    });
    range.addEventListener("pointerdown", () => (this.byKeys = false));
    range.addEventListener("input", () => this.#turn(false));
    range.addEventListener("change", () => this.byKeys || this.#turn(true));
    range.addEventListener(
      "keyup",
      () => this.byKeys && (this.pause = setTimeout(() => this.#end(), GESTURE_PAUSE)),
    );
    range.addEventListener("blur", () => this.#end());
  }

  #end() {
    clearTimeout(this.pause);
    if (this.inHand) this.#turn(true);
  }

  /** The slider was moved: say so, and stay ahead of the answers. */
  #turn(last) {
    const { field, range } = this;
    if (!this.inHand) {
      this.gesture = this.context.gesture();
      this.context.modes.enter(this.mode);
    }
    this.inHand = !last;
    if (last) this.context.modes.leave(this.mode);
    const notch = Number(range.value);
    this.notch = this.byKeys && notch !== this.notch ? nextNotch(field, notch, this.notch) : notch;
    put(range, { value: String(this.notch) });
    const value = valueAt(field, this.notch / notchesOf(field));
    this.#say(value);
    const when = { gesture: this.gesture, last };
    this.serial = this.context.session.drag(...commandOf(field, value), when);
  }

  #say(value) {
    const { percent } = this.field;
    this.typed.show(value, this.field);
    this.range.setAttribute("aria-valuetext", `${written(value, percent)}${percent ? "%" : ""}`);
  }

  /** @param {SliderField} field */
  update(field) {
    if (this.inHand) return;
    this.field = field;
    const { label, words, percent, value } = field;
    labelled(this.label, label, field.help, this.write);
    this.write(this.words, words);
    put(this.unit, { textContent: percent ? "%" : "" });
    const name = words ? `${label}: ${words}` : label;
    put(this.range, { "aria-label": name, max: String(notchesOf(field)) });
    put(this.typed.input, { "aria-label": `${name}, as a number` });
    if (this.context.session.awaits(this.serial)) return;
    this.notch = Math.round(notchesOf(field) * shareOf(field, value));
    put(this.range, { value: String(this.notch) });
    this.#say(value);
  }
}

const writePlainly = (element, text) => put(element, { textContent: text });

/**
 * The slider that is always in sight: the dock's own, with what its ends mean. It stands beside the
 * sentence, whose terms can be asked about: its own cannot.
 */
export class Quick {
  /** @param {FieldContext} context */
  constructor(context) {
    this.slider = new Slider(context, writePlainly);
    const { name, range, typed } = this.slider;
    this.ends = [0, 1].map(() => make("span", { className: "end", ariaHidden: "true" }));
    const [low, high] = this.ends;
    const { why } = typed.wrong;
    this.element = make(
      "span",
      { className: "quick", hidden: true },
      name,
      low,
      range,
      high,
      typed.input,
      why,
    );
  }

  /** @param {(SliderField & { ends: string[] }) | null} field */
  update(field) {
    put(this.element, { hidden: !field });
    if (!field) return;
    this.slider.update(field);
    this.ends.forEach((end, k) => put(end, { textContent: field.ends[k] }));
  }
}

/** A number to type, such as a seed. @type {Shows<NumberField>} */
export function number(_, context) {
  const typed = new Typed((value) => field.set(value));
  const words = make("span", { className: "label" });
  const line = make("label", { className: "line" }, words, typed.input);
  const element = make("div", { className: "field" }, line, ...typed.wrong.elements);
  /** @param {NumberField} now */
  const show = (now) => typed.show(now.value, { ...now, integer: true, step: 1 });
  const field = new Labelled(context, element, words, show);
  return field;
}

/** A field to type a number in; what is half typed, or is no number, stays as it is. */
class Typed {
  value = 0;
  half = false; // Something is typed and not yet said.

  /** @param {(value: number) => void} send is called with each new value */
  constructor(send) {
    this.send = send;
    // In a field of type "number" Chromium drops a decimal comma while one types.
    this.input = make("input", {
      type: "text",
      className: "number",
      inputMode: "decimal",
      autocomplete: "off",
    });
    this.wrong = new Wrong(this.input);
    this.input.oninput = () => (this.half = true);
    this.input.onchange = () => this.#take(this.input.value);
    this.input.onkeydown = (event) => {
      // It is taken before a form is submitted by Enter.
      if (event.key === "Enter" && this.half) this.#take(this.input.value);
      if (event.key === "Escape") this.#leave(event);
      this.#step(event);
    };
  }

  /**
   * Escape takes back what is half typed; only where nothing is, it leaves the field.
   *
   * @param {KeyboardEvent} event
   */
  #leave(event) {
    const isHalf = this.half || this.wrong.isVisible;
    this.half = false;
    this.wrong.show(null);
    this.show(this.value, this.range);
    if (isHalf) event.stopPropagation();
    else this.input.blur();
  }

  #take(text) {
    const value = text.trim() ? typedValue(text, this.range) : this.value;
    const refused = typeof value === "string";
    this.wrong.show(refused ? { text, why: value, at: null } : null);
    if (refused) return;
    this.half = false;
    if (value !== this.value) this.send(value);
    this.show(value, this.range);
  }

  /** @param {KeyboardEvent} event */
  #step(event) {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const { low, high, step } = this.range;
    if (!direction || !step || this.half) return;
    event.preventDefault();
    const value = Math.min(Math.max(Number((this.value + direction * step).toFixed(6)), low), high);
    if (value !== this.value) this.send(value);
    this.show(value, this.range);
  }

  /**
   * @param {number} value
   * @param {{ low: number, high: number, integer: boolean, step: number | null, percent?: boolean,
   *   limited?: boolean }} range
   */
  show(value, range) {
    if (value !== this.value && this.wrong.isVisible) {
      this.half = false; // The slider was moved since.
      this.wrong.show(null);
    }
    this.range = range;
    this.value = value;
    const text = written(value, range.percent);
    if (!this.half && this.input.value !== text) this.input.value = text;
  }
}

// Numbers as a slider has them, as one reads them, and as one types them.

/** @typedef {Pick<SliderField, "low" | "high" | "log" | "integer" | "step">} Range */

const NOTCHES = 200; // For a slider whose steps are not seen.
const DIGITS = 3; // For a value on a logarithmic scale.

/** How many steps the slider of a range has. @param {Range} range */
export const notchesOf = ({ low, high, log, step }) =>
  log || !step ? NOTCHES : Math.max(Math.round((high - low) / step), 1);

/**
 * The value at a share of a range, rounded to what one can read.
 *
 * @param {Range} range
 * @param {number} share
 */
export function valueAt({ low, high, log, integer, step }, share) {
  const value = log ? low * (high / low) ** share : low + share * (high - low);
  const near = log || !step ? value : Math.min(low + Math.round((value - low) / step) * step, high);
  if (integer) return Math.round(near);
  return log ? Number(near.toPrecision(DIGITS)) : Number(near.toFixed(6));
}

/** The share of a range at which a value lies. @param {Range} range @param {number} value */
export function shareOf({ low, high, log }, value) {
  return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

/**
 * The notch on this side of another one at which the value is another: whole numbers on a
 * logarithmic scale share many.
 *
 * @param {Range} range
 * @param {number} notch
 * @param {number} from the notch before
 */
export function nextNotch(range, notch, from) {
  const notches = notchesOf(range);
  const before = valueAt(range, from / notches);
  let next = notch;
  while (next > 0 && next < notches && valueAt(range, next / notches) === before) {
    next += Math.sign(notch - from);
  }
  return next;
}

/** A number as one reads and types it. */
export const written = (value, percent) =>
  String(percent ? Number((100 * value).toFixed(6)) : value);

/**
 * What was typed, as a value of the range, or why it is none, as a sentence. Where it can be read
 * in two ways, the range may decide.
 *
 * @param {string} text
 * @param {Pick<SliderField, "low" | "high" | "integer"> & { percent?: boolean, limited?: boolean }}
 *   range `limited`: a value beyond it is refused, and not brought to its end
 * @returns {number | string}
 */
export function typedValue(text, { low, high, integer, percent = false, limited = false }) {
  const asValue = (value) => (percent ? Number((value / 100).toFixed(8)) : value);
  const fits = (value) =>
    asValue(value) >= low && asValue(value) <= high && (!integer || Number.isInteger(value));
  const candidates = readings(percent ? text.trim().replace(/%$/, "") : text);
  const [value, ...others] = candidates.length > 1 ? candidates.filter(fits) : candidates;
  if (value === undefined || others.length) {
    return whyNot(text, candidates, integer ? "whole number" : undefined);
  }
  if (limited && !(asValue(value) >= low && asValue(value) <= high)) {
    return `Here it goes from ${written(low, percent)} to ${written(high, percent)}.`;
  }
  return Math.min(Math.max(integer ? Math.round(asValue(value)) : asValue(value), low), high);
}
