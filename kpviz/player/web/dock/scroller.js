// A box that scrolls: it says when there is more above or below, and comes back to its place.

import { make } from "../shell/dom.js";

export class Scroller {
  top = 0;

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.box = make(document, "div", { className: "fields", tabIndex: -1 });
    this.frame = make(document, "div", { className: "frame", hidden: true }, this.box);
    parent.append(this.frame);
    this.box.addEventListener("scroll", () => this.shade(), { passive: true });
    this.box.addEventListener("toggle", () => this.shade(), { capture: true }); // something is unfolded
  }

  show(on) {
    if (this.frame.hidden === !on) return;
    if (!on) this.top = this.box.scrollTop;
    this.frame.hidden = !on;
    if (on) this.box.scrollTop = this.top;
    this.shade();
  }

  /** A shade lies on an edge behind which there is more. */
  shade() {
    const { scrollTop, scrollHeight, clientHeight } = this.box;
    this.frame.classList.toggle("above", scrollTop > 1);
    this.frame.classList.toggle("below", scrollTop + clientHeight < scrollHeight - 1);
  }
}

/**
 * Change what is in a box; what one looks at in it stays where it is.
 *
 * @param {HTMLElement} box
 * @param {HTMLElement | null} used what was used last
 * @param {() => void} change
 */
export function keepPlace(box, used, change) {
  const frame = box.getBoundingClientRect();
  const seen = ({ top, bottom }) => bottom > frame.top && top < frame.bottom;
  const anchors = [used, ...box.children].filter((each) => each && seen(each.getBoundingClientRect()));
  const before = anchors.map((each) => each.getBoundingClientRect().top);
  change();
  const k = anchors.findIndex((each) => each.isConnected);
  if (k >= 0) box.scrollTop += anchors[k].getBoundingClientRect().top - before[k];
}
