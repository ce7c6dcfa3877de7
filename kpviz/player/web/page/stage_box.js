// What stands beside the map on the stage: where one is, what is asked, what is said of it and a
// field for what the class says, in the largest type in which all of it is seen.

import { STEPS, step } from "../board/scale.js";
import { spokenLanguage } from "../run/language.js";
import { lay, make, put } from "./dom.js";

/** @import { Layout, Rect } from "../board/types.d.ts" */
/** @import { Stage } from "./stage.js" */

const SMALLER = 0.94; // Each size that is tried is so much of the one before.
const SMALLEST = 0.4;
const ROUNDED = 1; // In px: so much a browser rounds.

export class StageBox {
  /** @type {{ box: Rect, layout: Layout } | null} */
  #placed = null;
  #fittedKey = ""; // What was fitted, as JSON.
  /** @type {Rect | null} */
  room = null; // Its place on the board.
  where = make("p", { className: "where" });
  question = make("p", { className: "question" });
  told = make("div", { className: "told" });
  foot = make("p", { className: "foot" });

  /**
   * @param {Stage} stage
   * @param {{ label: string, field: HTMLInputElement, hear: (text: string) => void }} what `hear`
   *   takes what was typed into the field
   */
  constructor(stage, { label, field, hear }) {
    this.stage = stage;
    this.field = field;
    field.addEventListener("keydown", (event) => {
      if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
      event.stopPropagation();
      event.preventDefault();
      const text = field.value.trim();
      field.value = "";
      field.blur();
      if (event.key === "Enter" && text) hear(text);
    });
    this.element = make("section", {
      className: "class-question",
      hidden: true,
      ariaLabel: label,
    });
    this.element.setAttribute("aria-live", "polite");
    stage.root.append(this.element);
  }

  /** Take parts, which stand between where one is and the foot. @param {HTMLElement[]} parts */
  fill(...parts) {
    this.element.append(this.where, ...parts, this.foot);
  }

  hide() {
    put(this.element, { hidden: true });
    this.#placed = null;
  }

  /** What is typed next is for the field. */
  listen() {
    this.field.focus({ preventScroll: true });
  }

  /** Say where one is, and at the foot what one can do, once all else was put there. */
  say({ where, foot }) {
    put(this.element, { lang: spokenLanguage() });
    put(this.where, { textContent: where });
    put(this.foot, { textContent: foot });
    this.fit();
  }

  /**
   * @param {Rect} box of the board in the window
   * @param {Layout} layout
   */
  place(box, layout) {
    this.#placed = { box, layout };
    this.#fittedKey = "";
    put(this.element, { hidden: false });
    this.fit();
  }

  /** As large as it has room for, where it has a place. */
  fit() {
    if (!this.#placed) return;
    const { box, layout } = this.#placed;
    const key = JSON.stringify([box, layout.classBox, this.element.innerText, this.field.hidden]);
    if (key === this.#fittedKey) return;
    this.#fittedKey = key;
    this.room = layout.classBox ?? { x: 0, y: 0, w: box.w, h: box.h };
    this.#lieIn(box);
    this.useRoom();
    for (const isTight of [false, true]) {
      this.element.classList.toggle("tight", isTight);
      if (this.#fitType(layout)) break;
    }
  }

  /** Arrange the parts in the room: usually they lie one below the other. */
  useRoom() {}

  /** @param {Rect} box of the board in the window */
  #lieIn(box) {
    const { x, y, w, h } = this.room;
    lay(this.element, { x: box.x + x, y: box.y + y, w, h });
  }

  /**
   * Set the largest type in which all is seen; returns whether there is one.
   *
   * @param {Layout} layout
   */
  #fitType({ unit, least }) {
    const { element } = this;
    for (let share = 1; share > SMALLEST; share *= SMALLER) {
      for (const name of /** @type {(keyof typeof STEPS)[]} */ (Object.keys(STEPS))) {
        const size = Math.max(step(name, unit) * share, least);
        element.style.setProperty(`--kpviz-${name}`, `${size}px`);
      }
      const isWhole =
        element.scrollHeight - element.clientHeight <= ROUNDED &&
        element.scrollWidth - element.clientWidth <= ROUNDED;
      if (isWhole) return true;
    }
    return false;
  }
}
