// A list of fields that is brought up to date in place: what stays keeps its element, and with it the focus and the caret.

/** @import { DockField, FieldContext, FieldView } from "./types.d.ts" */

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
