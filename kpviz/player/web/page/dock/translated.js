// The fields of settings that a task of a lesson shows, in the language of that lesson: a field is
// translated before the terms in its words are marked, which would part its sentences.

import { spokenLanguage, translate } from "../../run/language.js";

/** @import { DockField } from "./types.d.ts" */

const WORDS = ["label", "words", "help", "title", "group"];

/**
 * A field with its words in the language that is spoken.
 *
 * @template {DockField} T
 * @param {T} field
 * @returns {T}
 */
export function inLanguage(field) {
  if (spokenLanguage() === "en") return field;
  const spoken = translatedParts(field);
  if ("options" in field) {
    spoken.options = field.options.map((option) =>
      Array.isArray(option) ? [option[0], translate(option[1])] : translatedParts(option),
    );
  }
  return spoken;
}

/** @param {Record<string, any>} parts @returns {any} */
function translatedParts(parts) {
  const entries = Object.entries(parts).map(([name, value]) => {
    if (name === "tip") return [name, ""]; // What is hidden beside it is not in a task.
    return [name, WORDS.includes(name) && typeof value === "string" ? translate(value) : value];
  });
  return Object.fromEntries(entries);
}
