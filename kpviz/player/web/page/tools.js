// The rows under the bar: those of the modes that are on, and one with the tools for editing the
// points, while one edits.

import { make, put } from "./dom.js";
import { number } from "../run/words.js";
import { ACTIONS, buttonOf } from "../modes/actions.js";

/** @import { Player } from "../board/player.js" */
/** @import { Session } from "../service/session.js" */
/** @import { Row } from "../modes/types.d.ts" */
/** @import { Envelope } from "../run/types.d.ts" */

/**
 * A button of the row for editing.
 *
 * @param {Player} player
 * @param {string} name
 * @param {string} [body]
 */
function toolOf(player, name, body) {
  return buttonOf(ACTIONS.get(name), player, { body, attribute: "data-edit" });
}

/** @param {Player} player */
function editTools(player) {
  const tools = (...names) => names.map((name) => toolOf(player, name)).join("");
  return `
  <span class="classes" role="group" aria-label="Class that a click adds">
    ${toolOf(player, "plus", '<i class="dot"></i>orange, +1')}${toolOf(player, "minus", '<i class="box"></i>blue, −1')}
  </span>
  ${tools("brush")}
  <span class="apart"></span>
  ${tools("undo", "redo")}
  <span class="apart"></span>
  ${tools("table", "clear", "original")}
  ${tools("done")}
  <output class="where" aria-live="off"></output>`;
}

/**
 * The coordinates under the pointer, or of the point in hand, in words.
 *
 * @param {Player} player
 */
function whereOf({ editing, view, run }) {
  const { drag, points, spot } = editing;
  const underPointer = spot && view.place(...spot);
  const place = drag && drag.i >= 0 ? points.at(drag.i) : underPointer;
  if (!place) return "";
  const coordinates = run.inDataUnits(...place).map((value) => number(value));
  return `(${coordinates.join(", ")})`;
}

/** The tools for editing the points. @implements {Row} */
export class EditRow {
  content = ""; // What the row shows, in a word.

  /** @param {Player} player @param {Session | null} session */
  constructor(player, session) {
    this.player = player;
    this.session = session;
    this.element = make("div", {
      className: "row edit",
      role: "toolbar",
      ariaLabel: "Edit the points",
      innerHTML: editTools(player),
    });
    this.where = this.element.querySelector(".where");
  }

  /** What Python says of what can be gone back to. @param {Envelope["editing"]} editing */
  take({ origin }) {
    put(this.#button("original"), { hidden: origin === null, textContent: `Back to ${origin}` });
  }

  update() {
    const { label, brush } = this.player.editing;
    const { undo, redo } = this.session?.counts ?? { undo: 0, redo: 0 };
    const where = whereOf(this.player);
    const content = [label, brush, where, undo, redo].join();
    if (content === this.content) return false;
    this.content = content;
    this.#press("plus", label > 0);
    this.#press("minus", label < 0);
    this.#press("brush", brush);
    this.#button("undo").disabled = undo === 0;
    this.#button("redo").disabled = redo === 0;
    this.where.textContent = where;
    return false; // It is as high as before.
  }

  #press(name, on) {
    this.#button(name).setAttribute("aria-pressed", String(on));
  }

  /** @returns {HTMLButtonElement} */
  #button(name) {
    return this.element.querySelector(`[data-edit=${name}]`);
  }
}

export class Tools {
  /** @type {Row[]} */
  rows = []; // The rows that are there.
  height = 0; // In px, all of them, when they were laid out.

  /** @param {HTMLElement} root @param {Player} player @param {Session | null} session */
  constructor(root, player, session) {
    this.player = player;
    this.edit = new EditRow(player, session);
    this.box = make("div", { className: "tools" });
    root.append(this.box);
  }

  /** Lay the rows out; returns how high all of them are. */
  place(width) {
    this.#renew();
    this.box.style.width = `${width}px`;
    this.height = this.box.offsetHeight;
    return this.height;
  }

  /**
   * What changes from frame to frame. Returns whether the rows take more room than before, or less.
   */
  update() {
    return this.#renew() && this.box.offsetHeight !== this.height;
  }

  /**
   * The rows of the modes that are on come, and others go. Returns whether they may be of another
   * height.
   */
  #renew() {
    const { modes, editing } = this.player;
    const before = this.rows;
    this.rows = [...(editing.on ? [this.edit] : []), ...modes.all("row")];
    let isOther = false;
    for (const row of before) {
      if (this.rows.includes(row)) continue;
      row.element.remove();
      row.stop?.();
      isOther = true;
    }
    this.rows.forEach((row, k) => {
      if (!before.includes(row)) this.box.insertBefore(row.element, this.box.children[k] ?? null);
      isOther = row.update() || isOther || !before.includes(row);
    });
    return isOther;
  }

  stop() {
    for (const row of this.rows) row.stop?.();
  }
}
