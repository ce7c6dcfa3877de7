// What is said under the board, which leaves it room: a warning stays until it is closed, a hint goes by itself.

import { make } from "./dom.js";

/** @import { Notice } from "../types.d.ts" */

const HINT = 15_000; // ms

export class Notices {
  /**
   * @param {HTMLElement} root
   * @param {() => void} [changed] what lays the page out for another height
   */
  constructor(root, changed = () => {}) {
    this.changed = changed;
    this.box = make(document, "div", { className: "notices", "aria-live": "polite" });
    root.append(this.box);
  }

  /** @param {Notice} notice */
  show({ kind, words }) {
    const shown = [...this.box.children].some(({ firstChild }) => firstChild.textContent === words);
    if (shown) return;
    const button = make(document, "button", { type: "button", title: "Close", "aria-label": "Close" }, "×");
    const notice = make(document, "p", { className: kind }, make(document, "span", {}, words), button);
    const close = () => {
      notice.remove();
      this.changed();
    };
    button.addEventListener("click", close);
    this.box.append(notice);
    if (kind === "hint") setTimeout(close, HINT);
    this.changed();
  }

  /** px that they need. */
  get height() {
    return this.box.offsetHeight;
  }

  /** Let them begin at a height of the page. @param {number} y px */
  place(y) {
    Object.assign(this.box.style, { top: `${y}px`, bottom: "auto" });
  }
}
