// The rows under the bar: one with the tools for editing the points, while one edits.

import { put } from "./dom.js";
import { number } from "../model/words.js";

const button = (name, title, body) =>
  `<button type="button" data-edit="${name}" title="${title}" aria-label="${title}">${body}</button>`;

const EDIT = `
  <span class="classes" role="group" aria-label="Class that a click adds">
    ${button("plus", "Draw class +1 (X changes)", '<i class="dot"></i>+1')}${button("minus", "Draw class −1 (X changes)", '<i class="box"></i>−1')}
  </span>
  ${button("brush", "Brush: drag paints many (B)", "brush")}
  <span class="apart"></span>
  ${button("undo", "Undo (Z)", "undo")}${button("redo", "Redo (Shift Z)", "redo")}
  <span class="apart"></span>
  ${button("table", "Table: edit the numbers", "table")}${button("clear", "Clear: remove all points", "clear")}${button("original", "Back to the data before editing", "back")}
  ${button("done", "Done: end editing (Shift E)", "done")}
  <output class="where" aria-live="off"></output>`;

/** @import { Actions } from "./actions.js" */
/** @import { Editor } from "../input/edit.js" */
/** @import { Player } from "../model/player.js" */
/** @import { Editing } from "../types.d.ts" */

/**
 * The coordinates under the pointer, or of the point in hand, in words; "" while one does not edit.
 *
 * @param {Player} player
 */
function whereOf({ editing, view, run }) {
  if (!editing.on) return "";
  const { drag, points, spot } = editing;
  const place = drag && drag.i >= 0 ? points.at(drag.i) : spot && view.place(...spot);
  return place
    ? `(${run
        .inDataUnits(...place)
        .map(number)
        .join(", ")})`
    : "";
}

export class Tools {
  updated = "";

  /**
   * @param {HTMLElement} root
   * @param {Player} player
   * @param {Editor} editor
   * @param {Actions} actions
   */
  constructor(root, player, editor, actions) {
    this.player = player;
    this.editor = editor;
    this.actions = actions;
    this.box = document.createElement("div");
    this.box.className = "tools";
    this.box.innerHTML = `<div class="row edit" role="toolbar" aria-label="Edit the points" hidden>${EDIT}</div>`;
    root.append(this.box);
    this.edit = /** @type {HTMLElement} */ (this.box.firstElementChild);
    this.box.addEventListener("click", ({ target }) => {
      const pressed = /** @type {HTMLElement} */ (target).closest("[data-edit]");
      if (pressed) this.press(/** @type {HTMLElement} */ (pressed).dataset.edit);
    });
  }

  press(name) {
    const { editor } = this;
    const { editing } = this.player;
    const actions = {
      plus: () => (editing.label = 1),
      minus: () => (editing.label = -1),
      brush: () => editor.toggleBrush(),
      undo: () => editor.ask("undo"),
      redo: () => editor.ask("redo"),
      original: () => editor.ask("original"),
      table: () => this.actions.send("table"),
      clear: () => editor.clear(),
      done: () => editor.toggle(false),
    };
    actions[name]();
    this.player.page.redraw();
  }

  /** Show the row for editing, or not; returns how high all rows are. */
  place(width, editing) {
    put(this.edit, { hidden: !editing });
    this.box.style.width = `${width}px`;
    return this.box.offsetHeight;
  }

  /** What Python says of what can be gone back to. @param {Editing} editing */
  take({ origin }) {
    put(this.#button("original"), { hidden: origin === null, textContent: `back to ${origin}` });
  }

  /** What changes from frame to frame. */
  update({ label, brush, undo, redo }) {
    const where = whereOf(this.player);
    const now = [label, brush, where, undo, redo].join();
    if (now === this.updated) return;
    this.updated = now;
    for (const [name, on] of [
      ["plus", label > 0],
      ["minus", label < 0],
      ["brush", brush],
    ]) {
      this.#button(name).setAttribute("aria-pressed", String(on));
    }
    this.#button("undo").disabled = undo === 0;
    this.#button("redo").disabled = redo === 0;
    this.edit.querySelector(".where").textContent = where;
  }

  /** @returns {HTMLButtonElement} */
  #button(name) {
    return this.edit.querySelector(`[data-edit=${name}]`);
  }
}
