// The tools for editing the points, in a row under the sentence.

import { ACTIONS, labelOf, tipOf } from "./actions.js";
import { make, put } from "../page/dom.js";
import { number } from "../run/words.js";

/** @import { Edit } from "./edit.js" */
/** @import { Row } from "./types.d.ts" */

/** @implements {Row} */
export class EditRow {
  /** @type {Record<string, HTMLButtonElement>} */
  buttons = {};
  where = make("output", { className: "where", "aria-live": "off" });
  content = ""; // What the row shows, in a word.

  /** @param {Edit} edit */
  constructor(edit) {
    this.edit = edit;
    const tools = (...names) => names.map((name) => this.#tool(name));
    const look = { className: "classes", role: "group", ariaLabel: "Class that a click adds" };
    const plus = this.#tool("plus", make("i", { className: "dot" }), "orange, +1");
    const minus = this.#tool("minus", make("i", { className: "box" }), "blue, −1");
    const apart = { className: "apart" };
    this.element = make(
      "div",
      { className: "row edit", role: "toolbar", ariaLabel: "Edit the points" },
      ...tools("done"),
      make("span", look, plus, minus),
      ...tools("brush"),
      make("span", apart),
      ...tools("undo", "redo"),
      make("span", apart),
      ...tools("table", "clear", "original"),
      this.where,
    );
  }

  #tool(name, ...body) {
    const { player } = this.edit;
    const action = ACTIONS[player.capabilities.page].get(name);
    const tip = tipOf(action, player);
    const look = { type: "button", "data-edit": name, title: tip, "aria-label": tip };
    const words = body.length ? body : [labelOf(action, player)];
    this.buttons[name] = make("button", look, ...words);
    return this.buttons[name];
  }

  update() {
    const { label, brush, stage } = this.edit;
    const { undo, redo } = stage.session.counts;
    const { origin } = stage.answer.editing;
    const where = this.#where;
    const content = [label, brush, where, undo, redo, origin].join();
    if (content === this.content) return false;
    this.content = content;
    const { buttons } = this;
    put(buttons.plus, { "aria-pressed": String(label > 0) });
    put(buttons.minus, { "aria-pressed": String(label < 0) });
    put(buttons.brush, { "aria-pressed": String(brush) });
    put(buttons.undo, { disabled: undo === 0 });
    put(buttons.redo, { disabled: redo === 0 });
    put(buttons.original, { hidden: origin === null, textContent: `Back to ${origin}` });
    put(this.where, { textContent: where });
    return false; // It is as high as before.
  }

  /** The coordinates under the pointer, or of the point in hand, in words. */
  get #where() {
    const { drag, spot, player } = this.edit;
    const { pointsAhead, run, view } = player;
    const underPointer = spot && view.place(...spot);
    const place = drag && drag.i >= 0 ? pointsAhead.at(drag.i) : underPointer;
    if (!place) return "";
    const coordinates = run.inDataUnits(...place).map((value) => number(value));
    return `(${coordinates.join(", ")})`;
  }
}
