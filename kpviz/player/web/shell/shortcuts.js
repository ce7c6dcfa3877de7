// Whether keys of a single character do something: who speaks to the computer, or types without seeing, turns them off.

import { make } from "./dom.js";
import { prefer, preferred } from "../service/keep.js";

const NAME = "shortcuts";
const WORDS = "Keys of one character (letters, digits, ?) do something";

/**
 * Whether a key is free to do something here.
 *
 * @param {string} name of the key
 */
export const isOn = (name) => name.length > 1 || name === " " || preferred(NAME) !== "off";

/** The switch, for the help. */
export function shortcutSwitch() {
  const box = make(document, "input", { type: "checkbox", checked: preferred(NAME) !== "off" });
  box.addEventListener("change", () => prefer(NAME, box.checked ? null : "off"));
  return make(document, "label", { className: "shortcuts" }, box, ` ${WORDS}`);
}
