// What a player can do: in the app everything, on a page that stands alone nothing that asks a server.

import { PANELS } from "./panel_table.js";

const KEYS = new Set([
  ...["d", "k", "g", "Shift+g", "n", "o", "1", "t", "Shift+t", "z", "Shift+z"],
  ...["Shift+d", "Shift+k", "Shift+l", "Shift+s"],
  ...["Shift+e", "x", "b", "l", "Delete", "Backspace"],
  ...["p", "Shift+p", "a", "i", "u", "Shift+u", "Shift+n"],
]);
const BUTTONS = new Set(["edit", "tune", "picture", "home", "cue", "cues", "notes", "forget", "advice"]);

export class Capabilities {
  /**
   * @param {object} [options]
   * @param {boolean} [options.server] whether there is one to ask
   * @param {string[]} [options.panels] the ones that can be shown
   * @param {string | null} [options.address] that of the app for links, null where nobody knows it
   */
  constructor({ server = true, panels = PANELS.map(({ name }) => name), address = null } = {}) {
    this.server = server;
    this.panels = panels;
    this.address = address;
  }

  /** Whether links can be made. */
  get links() {
    return this.server || this.address !== null;
  }

  /** Whether a key does something. */
  key(name) {
    if (name === "e") return this.panels.includes("similar");
    return name === "y" ? this.links : this.server || !KEYS.has(name);
  }

  /** Whether a button does something. */
  button(name) {
    return name === "link" ? this.links : this.server || !BUTTONS.has(name);
  }
}
