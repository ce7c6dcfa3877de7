// Under the headline of an end: why it is so, and what would help, each behind a button. Under the
// short sentences of runs that are compared: their reasons.

import { foldsReasons } from "../board/comparison.js";
import { foldsOf } from "../board/narration.js";
import { FOLDS_HIGH } from "../panels/text.js";
import { make, pressable, put } from "./dom.js";

/** @import { Stage } from "./stage.js" */

/** @type {[name: "why" | "help", words: string][]} */
const FOLDS = [
  ["why", "Why?"],
  ["help", "What helps?"],
];

const DISTANCE = 16; // In px, from the suggestions.

export class Folds {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    const { verdicts } = stage.player;
    verdicts.folds = true;
    this.buttons = FOLDS.map(([name, words]) => pressable(words, () => this.#turn(name)));
    this.row = make(
      "div",
      { className: "folds", role: "group", ariaLabel: "About the end", hidden: true },
      ...this.buttons,
    );
    stage.root.append(this.row);
  }

  #turn(name) {
    const { verdicts } = this.stage.player;
    verdicts.open = verdicts.open === name ? "" : name;
    this.stage.redraw();
  }

  /** What changes from frame to frame. */
  update() {
    const { player } = this.stage;
    const { sentences } = player.layout.panels;
    const folds = foldsReasons(player) ? { why: true, help: false } : foldsOf(player);
    const words = player.layout.panels.words ?? sentences;
    const hidden = !folds || !words;
    if (!folds) player.verdicts.open = "";
    put(this.row, { hidden });
    if (hidden) return;
    FOLDS.forEach(([name], k) => {
      put(this.buttons[k], {
        hidden: !folds[name],
        "aria-expanded": String(player.verdicts.open === name),
      });
    });
    const { narrow, unit } = player.layout;
    const end = narrow ? null : this.stage.next.end; // The end of the suggestions.
    const [x, y] = end
      ? [end.x + DISTANCE, end.y]
      : [words.x + 14, words.y + words.h - FOLDS_HIGH * unit];
    const size = end ? this.stage.next.row.style.fontSize : `${Math.max(13.5 * unit, 13.5)}px`;
    Object.assign(this.row.style, { left: `${x}px`, top: `${y}px`, fontSize: size });
    this.row.classList.toggle("beside", end !== null);
  }
}
