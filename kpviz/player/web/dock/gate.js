// What a field asked for stands in it until the answer comes: what was said of it before comes too late.

import { put } from "../shell/dom.js";
import { spell } from "../shell/terms.js";

/** @import { DockField, FieldContext } from "./types.d.ts" */

/** @typedef {Extract<DockField, { name: string }>} Named */

export class Gate {
  n = 0; // of what was asked for

  /** @param {FieldContext} context */
  constructor(context) {
    this.context = context;
  }

  /** Whether the answer is still to come. */
  get waits() {
    return this.context.awaits(this.n);
  }

  /** Give a command. */
  command(name, value) {
    this.n = this.context.command(name, value);
  }

  /**
   * A field has a new value.
   *
   * @param {Named} field
   * @param {unknown} value
   */
  set(field, value) {
    this.command(...given(field, value));
  }

  /**
   * A field has a new value, in the middle of a gesture or at its end.
   *
   * @param {Named} field
   * @param {unknown} value
   * @param {{ gesture: number, last: boolean }} when
   */
  stream(field, value, when) {
    this.n = this.context.stream(...given(field, value), when);
  }
}

/**
 * The command that gives a field a value: it sets the property of its name, unless the field says otherwise.
 *
 * @param {Named} field
 * @param {unknown} value
 * @returns {[string, unknown]}
 */
function given(field, value) {
  const command = ("command" in field && field.command) || "set";
  const key = ("key" in field && field.key) || null;
  if (key) return [command, { [key]: value }];
  return command === "set" ? [command, { [field.name]: value }] : [command, value];
}

/**
 * A field with its words: what stands in it is what was said of it last, unless more was asked for since.
 *
 * @template {Named & { label: string, help?: string }} T
 */
export class Labelled {
  /** @type {T | null} */
  now = null;

  /**
   * @param {FieldContext} context
   * @param {HTMLElement} element
   * @param {HTMLElement} words
   * @param {(now: T) => void} show puts the value in
   */
  constructor(context, element, words, show) {
    this.gate = new Gate(context);
    this.element = element;
    this.words = words;
    this.show = show;
  }

  /** @param {unknown} value */
  set(value) {
    this.gate.set(this.now, value);
  }

  /** @param {T} now */
  update(now) {
    this.now = now;
    labelled(this.words, now.label, now.help);
    if (!this.gate.waits) this.show(now);
  }
}

/** Say what a field is, its terms to be asked about, and more where the pointer rests on it. */
export function labelled(element, text, help = "") {
  spell(element, text);
  put(element, { title: help });
  element.classList.toggle("helped", help !== "");
}
