// What fields share: the command that gives one a value, and its words.

import { make, put } from "../dom.js";
import { spell } from "../terms.js";

/** @import { DockField, Draft, FieldContext } from "./types.d.ts" */

/** @typedef {Extract<DockField, { name: string }>} NamedField */

/**
 * The command that gives a field a value, and what comes with it: it sets the property of its name,
 * unless the field says otherwise.
 *
 * @param {NamedField} field
 * @param {unknown} value
 * @returns {[string, unknown]}
 */
export function commandOf(field, value) {
  const command = ("command" in field && field.command) || "set";
  const key = ("key" in field && field.key) || null;
  if (key) return [command, { [key]: value }];
  return command === "set" ? [command, { [field.name]: value }] : [command, value];
}

/**
 * A field with its words: what stands in it is what was said of it last, unless more was asked for
 * since.
 *
 * @template {NamedField & { label: string, help?: string }} T
 */
export class Labelled {
  serial = 0; // The number of the newest command.
  /** @type {T | null} */
  now = null;

  /**
   * @param {FieldContext} context
   * @param {HTMLElement} element
   * @param {HTMLElement} words
   * @param {(now: T) => void} show puts the value in
   */
  constructor({ session }, element, words, show) {
    this.session = session;
    this.element = element;
    this.words = words;
    this.show = show;
  }

  /** @param {unknown} value */
  set(value) {
    this.serial = this.session.command(...commandOf(this.now, value));
  }

  /** @param {T} now */
  update(now) {
    this.now = now;
    labelled(this.words, now.label, now.help);
    if (!this.session.awaits(this.serial)) this.show(now);
  }
}

/**
 * Say what a field is, and more where the pointer rests on it. `write` puts the text into the
 * element: by default with buttons on its terms.
 */
export function labelled(element, text, help = "", write = spell) {
  write(element, text);
  put(element, { title: help });
  element.classList.toggle("helped", help !== "");
}

// Why what was typed cannot be used, with a mark under the wrong character.

const CHARACTERS_BEFORE = 20; // So many characters are seen before the wrong one.

export class Wrong {
  /** @param {HTMLElement | null} [input] in which it was typed */
  constructor(input = null) {
    this.input = input;
    this.why = make("p", { className: "wrong", role: "alert" });
    this.place = make("pre", { className: "place", "aria-hidden": "true" });
    this.elements = [this.why, this.place];
    this.show(null);
  }

  get isVisible() {
    return !this.why.hidden;
  }

  /** @param {Draft | null} [draft] */
  show(draft = null) {
    const { at = null, text = "", why = "" } = draft ?? {};
    const from = Math.max((at ?? 0) - CHARACTERS_BEFORE, 0);
    const place = at === null ? "" : `${text.slice(from)}\n${" ".repeat(at - from)}^`;
    put(this.why, { textContent: why, hidden: !draft });
    put(this.place, { textContent: place, hidden: !place });
    this.input?.setAttribute("aria-invalid", String(!!draft));
  }
}
