// The rows under the sentence, of the modes that are on.

import { make } from "./dom.js";

/** @import { Modes } from "../modes/modes.js" */
/** @import { Row } from "../modes/types.d.ts" */

export class Tools {
  /** @type {Row[]} */
  rows = []; // The rows that are there.
  height = 0; // In px, all of them, when they were laid out.

  /** @param {HTMLElement} root @param {Modes} modes */
  constructor(root, modes) {
    this.modes = modes;
    this.box = make("div", { className: "tools" });
    root.append(this.box);
  }

  /** Lay the rows out; returns how high all of them are. */
  place(width) {
    this.#renew();
    this.box.style.width = `${width}px`;
    this.height = this.box.offsetHeight;
    return this.height;
  }

  /**
   * What changes from frame to frame. Returns whether the rows take more room than before, or less.
   */
  update() {
    return this.#renew() && this.box.offsetHeight !== this.height;
  }

  /**
   * The rows of the modes that are on come, and others go. Returns whether they may be of another
   * height.
   */
  #renew() {
    const before = this.rows;
    this.rows = this.modes.all("row");
    let isOther = false;
    for (const row of before) {
      if (this.rows.includes(row)) continue;
      row.element.remove();
      row.stop?.();
      isOther = true;
    }
    this.rows.forEach((row, k) => {
      if (!before.includes(row)) this.box.insertBefore(row.element, this.box.children[k] ?? null);
      isOther = row.update() || isOther || !before.includes(row);
    });
    return isOther;
  }

  stop() {
    for (const row of this.rows) row.stop?.();
  }
}
