// What is said under the board, which leaves it room: a warning stays until it is closed, a hint goes by itself, and what
// is so for a while stays for as long as it is.

import { make, pressable } from "./dom.js";

/** @import { Notice } from "../types.d.ts" */

const HINT = 15_000; // ms

export class Notices {
  patience = 2000; // ms after which what is so for a while is said: a connection that is lost is often back by then
  standing = make("p", { className: "warning" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting; // for it to be said

  /** @param {HTMLElement} root @param {() => void} [changed] what lays the page out for another height */
  constructor(root, changed = () => {}) {
    this.changed = changed;
    this.box = make("div", { className: "notices", "aria-live": "polite" });
    root.append(this.box);
  }

  /** @param {Notice} notice */
  show({ kind, words }) {
    const shown = [...this.box.children].some(({ firstChild }) => firstChild.textContent === words);
    if (shown) return;
    const close = () => {
      notice.remove();
      this.changed();
    };
    const button = pressable("×", close, { title: "Close", "aria-label": "Close" });
    const notice = make("p", { className: kind }, make("span", {}, words), button);
    this.box.append(notice);
    if (kind === "hint") setTimeout(close, HINT);
    this.changed();
  }

  /** Say something for as long as it is so, unless it is soon over; null: it is so no longer. @param {string | null} words */
  stand(words) {
    clearTimeout(this.waiting);
    const say = () => {
      this.standing.replaceChildren(make("span", {}, words));
      this.box.prepend(this.standing);
      this.changed();
    };
    if (words !== null) this.waiting = setTimeout(say, this.patience);
    else if (this.standing.isConnected) {
      this.standing.remove();
      this.changed();
    }
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
