// What is said over the board: a warning stays until it is closed, a hint goes by itself.

import { make } from "./dom.js";

/** @import { Notice } from "../types.d.ts" */

const HINT = 15_000; // ms

export class Notices {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.box = make(document, "div", { className: "notices", "aria-live": "polite" });
    root.append(this.box);
  }

  /** @param {Notice} notice */
  show({ kind, words }) {
    const shown = [...this.box.children].some(({ firstChild }) => firstChild.textContent === words);
    if (shown) return;
    const button = make(document, "button", { type: "button", title: "Close", "aria-label": "Close" }, "×");
    const notice = make(document, "p", { className: kind }, make(document, "span", {}, words), button);
    button.addEventListener("click", () => notice.remove());
    this.box.append(notice);
    if (kind === "hint") setTimeout(() => notice.remove(), HINT);
  }
}
