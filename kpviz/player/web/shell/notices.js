// What is said under the board, which leaves it room: a warning stays until it is closed, a hint goes by itself, and so does
// either before a class; what is so for a while stays for as long as it is.

import { make, pressable } from "./dom.js";

/** @import { Notice } from "../types.d.ts" */

const HINT = 15_000; // ms
const STAGE = 8000; // ms before a class, where the next key sends it away, too

export class Notices {
  patience = 2000; // ms after which what is so for a while is said: a connection that is lost is often back by then
  standing = make("p", { className: "warning" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting; // for it to be said

  /** @param {HTMLElement} root @param {() => void} [changed] what lays the page out for another height */
  constructor(root, changed = () => {}) {
    this.root = root;
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
    if (this.root.classList.contains("presenting")) setTimeout(close, STAGE);
    else if (kind === "hint") setTimeout(close, HINT);
    this.changed();
  }

  /** All that was said goes, but not what is still so. */
  clear() {
    const said = [...this.box.children].filter((each) => each !== this.standing);
    for (const each of said) each.remove();
    if (said.length) this.changed();
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
