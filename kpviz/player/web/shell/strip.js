// A row of buttons that is pushed sideways where the window is small: arrows at its ends say that there are more.

import { make } from "./dom.js";

const WAYS = /** @type {const} */ ([
  ["back", -1, "‹"],
  ["on", 1, "›"],
]);

export class Strip {
  /** @param {HTMLElement} bar */
  constructor(bar) {
    this.bar = bar;
    const ends = WAYS.map(([className, way, mark]) => {
      const end = make(document, "button", { type: "button", className: `more ${className}`, tabIndex: -1 }, mark);
      end.setAttribute("aria-hidden", "true"); // Tab leads to what is out of sight, and it comes into view
      end.addEventListener("click", () => bar.scrollBy({ left: way * 0.7 * bar.clientWidth }));
      return end;
    });
    bar.prepend(ends[0]);
    bar.append(ends[1]);
    bar.addEventListener("scroll", () => this.look(), { passive: true });
    bar.addEventListener("focusin", ({ target }) => this.#bring(/** @type {HTMLElement} */ (target)));
    new ResizeObserver(() => this.look()).observe(bar);
  }

  /** What the keyboard comes to stands clear of the arrows; what a finger touches stays where it is. */
  #bring(target) {
    const beyond = this.bar.scrollWidth > this.bar.clientWidth;
    if (beyond && target.matches(":focus-visible")) target.scrollIntoView({ block: "nearest", inline: "center" });
  }

  /** Show at which ends there is more. */
  look() {
    const { scrollLeft, scrollWidth, clientWidth } = this.bar;
    this.bar.classList.toggle("left", scrollLeft > 1);
    this.bar.classList.toggle("right", scrollLeft + clientWidth < scrollWidth - 1);
  }
}
