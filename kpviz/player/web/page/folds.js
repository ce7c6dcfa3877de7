// Under the headline of an end: why it is so, and what would help, each behind a button. Under the
// short sentences of runs that are compared: their reasons.

import { buttonIsUnder, foldsReasons } from "../board/comparison.js";
import { foldsOf } from "../board/narration.js";
import { LETTERS } from "../board/run_set.js";
import { textWidth } from "../paint/measure.js";
import { make, pressable, put } from "./dom.js";

/** @import { Stage } from "./stage.js" */

/** @type {[name: "why" | "help", words: string][]} */
const FOLDS = [
  ["why", "Why?"],
  ["help", "What helps?"],
];

const DISTANCE = 16; // In px, from the suggestions.
const UNDER = 8; // In px, under sentences.

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

  /**
   * Where the button of runs side by side stands: behind the first sentence, whose line it is as
   * high as; under all of them where a finger presses it.
   *
   * @returns {[number, number]} x and y, in px
   */
  #besideSentences() {
    const { player, board } = this.stage;
    const { layout, palette } = player;
    const { marks } = board.panels.find(({ name }) => name === "sentences");
    const lines = marks.filter((mark) => mark.kind === "text");
    if (buttonIsUnder(layout)) {
      const ends = lines.map(({ y, size }) => y + 0.35 * size);
      return [layout.panels.sentences.x, Math.max(...ends) + UNDER];
    }
    const shared = lines.filter(({ name }) => name === "shared");
    const ofFirst = lines.filter(
      ({ name, letter }) => name === "sentence" && letter === LETTERS[0],
    );
    const last = (shared.length ? shared : ofFirst).at(-1) ?? lines.at(-1);
    const x = last.x + textWidth(last.text, last.size, palette.fonts, last.weight);
    return [x + DISTANCE, last.y - 0.35 * last.size - this.row.offsetHeight / 2];
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
      : sentences
        ? this.#besideSentences()
        : [words.x + 14, words.y + words.h];
    const size = end ? this.stage.next.row.style.fontSize : `${Math.max(13.5 * unit, 13.5)}px`;
    Object.assign(this.row.style, { left: `${x}px`, top: `${y}px`, fontSize: size });
    this.row.classList.toggle("beside", end !== null);
    this.row.classList.toggle("under", !end && !sentences); // It ends where the words do.
  }
}
