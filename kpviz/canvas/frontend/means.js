// What a player has the means for: in the app everything, on a page that stands alone what asks no server.

import { PANELS } from "./panels/index.js";

const KEYS = new Set([
  "d",
  "k",
  "g",
  "Shift+g",
  "n",
  "o",
  "1",
  "t",
  "z",
  "Shift+z",
  "Shift+e",
  "x",
  "b",
  "l",
  "Delete",
  "Backspace",
  "p",
  "Shift+p",
  "a",
  "i",
  "u",
  "Shift+u",
  "Shift+n",
]);
const BUTTONS = new Set(["edit", "tune", "picture", "home", "cue", "cues", "notes"]);

export class Means {
  /** `server`: there is one to ask; `panels`: the ones that can be shown; `address`: that of the app for links, null where nobody knows it. */
  constructor({ server = true, panels = PANELS.map(({ name }) => name), address = null } = {}) {
    Object.assign(this, { server, panels, address });
  }

  /** Whether links can be made. */
  get links() {
    return this.server || this.address !== null;
  }

  key(name) {
    if (name === "e") return this.panels.includes("similar");
    return name === "y" ? this.links : this.server || !KEYS.has(name);
  }

  button(name) {
    return name === "link" ? this.links : this.server || !BUTTONS.has(name);
  }
}
