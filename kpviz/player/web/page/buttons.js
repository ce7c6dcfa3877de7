// The buttons of a page's actions.

import { make, makeSvg } from "./dom.js";
import { keyOf, labelOf, tipOf } from "../modes/actions.js";

/** @import { Player } from "../board/player.js" */
/** @import { Action } from "../modes/actions.js" */
/** @import { Grain } from "../run/types.d.ts" */

const ICONS = {
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  again: "M19 12a7 7 0 1 1-2-5M17 2v5h-5",
  previous: "M15 5l-7 7 7 7",
};

const OUTLINED = ["again", "previous"];

/**
 * A small picture of lines, in a square of 24.
 *
 * @param {string} path
 */
export function pictogram(path, fill = "none") {
  const line = {
    stroke: "currentColor",
    "stroke-width": 2,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  };
  const look = { viewBox: "0 0 24 24", "aria-hidden": "true", fill, ...line };
  return makeSvg("svg", look, makeSvg("path", { d: path }));
}

/** @param {string} name */
export const icon = (name) =>
  pictogram(ICONS[name], OUTLINED.includes(name) ? "none" : "currentColor");

/** Makes the buttons of a page; that of an action which it does not have is nothing. */
export class Buttons {
  /** @param {Player} player @param {Map<string, Action>} actions of its page */
  constructor(player, actions) {
    this.player = player;
    this.actions = actions;
  }

  /**
   * One that is called by its tip.
   *
   * @param {string} name
   * @param {object} [look]
   * @param {(string | Node)[]} body in place of its label
   */
  one(name, look = {}, ...body) {
    const action = this.actions.get(name);
    return action ? this.#of(action, look, body) : "";
  }

  /** Those of a mode, where one has any. @param {object} [look] */
  ofMode(look) {
    return this.player.modes.ask("buttons")?.map((name) => this.one(name, look));
  }

  /** One among others that say all in their label. @param {string} name */
  item(name, look = {}) {
    const action = this.actions.get(name);
    return action ? this.#of({ ...action, tip: undefined }, look, []) : "";
  }

  /** One that is called as it is labelled. @param {string} name */
  plain(name) {
    const action = this.actions.get(name);
    if (!action) return "";
    const title = action.tip || action.keys ? { title: tipOf(action, this.player) } : {};
    const look = { type: "button", "data-do": name, ...title };
    return make("button", look, labelOf(action, this.player));
  }

  /** A step back and one on. @param {Grain} grain */
  steps(grain) {
    const back = this.one(`back-${grain}`, { className: "back" }, icon("previous"));
    const [, unit] = this.#parts(`next-${grain}`);
    const look = { className: `step ${grain}`, role: "group", "aria-label": unit };
    return make("span", look, back, this.next(grain));
  }

  /** A step on. @param {Grain} grain */
  next(grain) {
    const [way, unit] = this.#parts(`next-${grain}`);
    // A narrow bar hides the way of a step, but an angle alone would not say what it does.
    const lead = make("span", { className: unit.endsWith("°") ? "" : "lead" }, `${way} `);
    return this.one(`next-${grain}`, { className: "next" }, lead, make("b", {}, unit));
  }

  /** One whose label has its unit apart: that may become another. @param {string} name */
  step(name, look = {}) {
    const [way, unit] = this.#parts(name);
    return this.one(name, look, `${way} `, make("b", {}, unit));
  }

  #parts(name) {
    return labelOf(this.actions.get(name), this.player).split(/ (.*)/);
  }

  /** @param {Action} action @param {object} look @param {(string | Node)[]} body */
  #of(action, look, body) {
    const tip = tipOf(action, this.player);
    const called = { type: "button", title: tip, "aria-label": tip, "data-do": action.name };
    const key = keyOf(action);
    const hidden = action.hidden?.(this.player);
    return make(
      "button",
      { ...called, ...look, ...(key && { "data-key": key }), ...(hidden && { hidden }) },
      ...(body.length ? body : [labelOf(action, this.player)]),
    );
  }
}
