// Turns the pages of panels where they have no room on one.

import { make, put } from "./dom.js";

/** @import { Layout } from "../types.d.ts" */

const [TYPE, LEAST] = [12.5, 14]; // px of its type where the unit is 1, and at least

export class Pager {
  /**
   * @param {HTMLElement} root
   * @param {(by: number) => void} turn
   */
  constructor(root, turn) {
    const button = (by, label, sign) => {
      const made = make(document, "button", { type: "button", title: label, ariaLabel: label }, sign);
      made.addEventListener("click", () => turn(by));
      return made;
    };
    this.words = make(document, "output");
    this.element = make(
      document,
      "div",
      { className: "pager", role: "group", "aria-label": "Pages of panels", hidden: true },
      button(-1, "Previous page of panels (9)", "←"),
      this.words,
      button(1, "Next page of panels (0)", "→"),
    );
    root.append(this.element);
  }

  /**
   * @param {Layout} layout
   * @param {{ left: number, top: number }} corner of the board
   */
  place({ turn, pages, page, unit }, { left, top }) {
    put(this.element, { hidden: !turn });
    if (!turn) return;
    const px = (length) => `${length}px`;
    Object.assign(this.element.style, {
      left: px(left + turn.x),
      top: px(top + turn.y),
      width: px(turn.w),
      height: px(turn.h),
      fontSize: px(Math.max(TYPE * unit, LEAST)),
    });
    const words = `${page + 1} / ${pages.length}`;
    if (this.words.textContent !== words) this.words.textContent = words;
    this.words.setAttribute("aria-label", `Panels, page ${page + 1} of ${pages.length}`);
  }
}
