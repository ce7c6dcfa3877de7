// What is seen while a run takes long: how far it is, and a way to give it up.

import { make, put } from "./dom.js";
import { whole } from "../model/words.js";

/** @import { Progress } from "../types.d.ts" */

export class Working {
  /**
   * @param {HTMLElement} root
   * @param {() => void} cancel
   */
  constructor(root, cancel) {
    this.bar = make(document, "progress", { max: 1 });
    this.words = make(document, "p", { "aria-live": "polite" });
    const button = make(document, "button", { type: "button" }, "Cancel");
    button.addEventListener("click", cancel);
    this.box = make(document, "div", { className: "working", hidden: true }, this.words, this.bar, button);
    root.append(this.box);
  }

  /** @param {Progress | null} progress null: the work is done, or given up */
  show(progress) {
    put(this.box, { hidden: progress === null });
    if (!progress) return;
    const [done, limit] = progress.progress ?? [0, 0];
    this.bar.value = limit ? Math.min(done / limit, 1) : 0;
    this.words.textContent = progress.place ? waiting(progress.place) : working(done, limit, progress.left);
  }
}

/** @param {number} place in the queue */
const waiting = (place) => `Waiting: ${place === 1 ? "one run comes" : `${whole.format(place)} runs come`} first`;

function working(done, limit, left) {
  if (limit <= 1) return "Working …"; // what is counted are not steps
  const steps = `Working: ${whole.format(done)} of at most ${whole.format(limit)} steps`;
  return left === null ? steps : `${steps}, about ${whole.format(Math.ceil(left))} s left`;
}
