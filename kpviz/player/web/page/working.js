// What is seen while something takes long: how far it is, and a way to give it up.

import { make, pressable, put } from "./dom.js";
import { whole } from "../run/words.js";

/** @import { Progress } from "../service/types.d.ts" */

export class Working {
  /**
   * @param {HTMLElement} root
   * @param {() => void} cancel
   * @param {string} name its class
   */
  constructor(root, cancel, name = "working") {
    this.bar = make("progress", { max: 1 });
    this.words = make("p", { "aria-live": "polite" });
    const button = pressable("Cancel", cancel);
    this.box = make("div", { className: name, hidden: true }, this.words, this.bar, button);
    root.append(this.box);
  }

  /**
   * @param {Progress | null} progress null: the work is done, or given up
   * @param {string} counted what is done one after the other: steps, of which nobody knows how many
   *   it takes, or scenes
   */
  show(progress, counted = "steps") {
    put(this.box, { hidden: progress === null });
    if (!progress) return;
    const [done, limit] = progress.progress ?? [0, 0];
    this.bar.value = limit ? Math.min(done / limit, 1) : 0;
    this.words.textContent = wordsOf(progress, done, limit, counted);
  }
}

/** @param {Progress} progress */
function wordsOf({ place, left, words: told }, done, limit, counted) {
  if (told) return told;
  if (place) {
    return `Waiting: ${place === 1 ? "one run comes" : `${whole.format(place)} runs come`} first`;
  }
  // What is counted are not steps, or all are done.
  if (limit <= 1 || done >= limit) return "Working …";
  const most = counted === "steps" ? "at most " : "";
  const words = `Working: ${whole.format(done)} of ${most}${whole.format(limit)} ${counted}`;
  return left === null ? words : `${words}, about ${whole.format(Math.ceil(left))} s left`;
}
