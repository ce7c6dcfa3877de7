// From a scene that is another page back to its lesson: that page shows the scene's number, and buttons back and on.

import { keep, kept } from "../service/keep.js";
import { make } from "../shell/dom.js";

/** @import { Link } from "../service/link.js" */

const STORED = "kpviz-lesson-way";
const KEYS = { PageDown: 1, PageUp: -1 };
const TYPING = "textarea, select, input, [role=listbox], [role=slider], [role=dialog]";

/**
 * Where a lesson was left: the page that was opened, the lesson's name in addresses and its title, the scene, of how many,
 * the address of the board without the lesson, and the shape in which it was presented. `address`: what the page had in its
 * own when one came back from it, by which a return there through the browser's history is recognized.
 *
 * @typedef {{ page: string, lesson: string, title: string, at: number, count: number, query: string, stage: string | null, address?: string, over?: boolean }} LeftScene
 */

/** @param {LeftScene} left */
export function leave(left) {
  keep(STORED, JSON.stringify(left));
}

/** Where it was left: of the board, to which one has come back. @returns {LeftScene | null} */
export function cameBack() {
  const left = JSON.parse(kept(STORED) ?? "null");
  if (!left || left.over) return null;
  leave({ ...left, over: true });
  return left;
}

/** The line on the other page, if a lesson was left for it. */
export class LessonReturn {
  controller = new AbortController();

  /**
   * @param {HTMLElement} root
   * @param {{ page: string, link: Link }} served
   */
  constructor(root, { page, link }) {
    this.link = link;
    /** @type {LeftScene | null} */
    this.left = JSON.parse(kept(STORED) ?? "null");
    if (this.left?.page !== page) return;
    if (!this.left.over || this.left.address === location.search) this.#show(root);
  }

  #show(root) {
    const { at, count, title, stage } = this.left;
    const button = (words, to) => {
      const found = make("button", { type: "button", disabled: to < 0 || to >= count }, words);
      found.addEventListener("click", () => this.#go(to));
      return found;
    };
    this.element = make(
      "nav",
      { className: "way", ariaLabel: "Lesson" },
      make("span", {}, `${title}: ${at + 1} of ${count}`),
      button("← Previous scene", at - 1),
      button("Back to the lesson", at),
      button("Next scene →", at + 1),
    );
    root.append(this.element);
    if (stage === null) return; // one reads alone: these keys scroll the page
    const options = { signal: this.controller.signal, capture: true };
    window.addEventListener("keydown", (event) => this.#key(event), options); // before those of the page
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const direction = KEYS[event.key];
    if (!direction || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.composedPath().some((node) => node instanceof Element && node.matches(TYPING))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#go(this.left.at + direction);
  }

  #go(to) {
    const { at, count, lesson, query, stage } = this.left;
    if (to < 0 || to >= count) return;
    leave({ ...this.left, over: false, address: location.search });
    const board = to === at ? query : `v=1${stage === null ? "" : `&stage=${stage}`}`;
    this.link.open("", `${board}&lesson=${encodeURIComponent(lesson)}&scene=${to + 1}`);
  }

  stop() {
    this.controller.abort();
    this.element?.remove();
  }
}
