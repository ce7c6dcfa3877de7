// The line above the board: what is set, in few words, what draws anew, and the ways to the other pages.

import { make, put } from "../shell/dom.js";

/** @import { DockHost, DockTree } from "./types.d.ts" */

/** @typedef {{ name: string, label: string, part?: string, own?: boolean }} Way to another page; `own`: its link is another than the settings'; `part` of its label is enough on a phone */

export class Chips {
  names = ""; // of the chips and buttons that are there
  /** @type {DockTree["buttons"]} */
  buttons = [];

  /**
   * @param {HTMLElement} root before which the line stands
   * @param {Pick<DockHost, "session" | "go">} host
   * @param {(group: string) => void} toggle
   * @param {Way[]} ways
   * @param {string} page what this one is about
   */
  constructor(root, { session, go }, toggle, ways, page) {
    this.groups = make(document, "div", { className: "groups" });
    this.actions = make(document, "div", { className: "actions" });
    this.ways = ways;
    this.anchors = ways.map(({ name, label, part = label }) => {
      const [before, after] = label.split(part).map((words) => make(document, "span", { className: "more" }, words));
      const anchor = make(document, "a", { href: name || "./", target: "_self" }, before, part, after, arrow());
      anchor.dataset.page = name;
      return anchor;
    });
    const about = make(document, "span", { className: "unseen" }, page && `: ${page}`);
    const name = make(document, "h1", { className: "name" }, "kpviz", about);
    const pages = make(document, "nav", { ariaLabel: "Pages" }, ...this.anchors);
    this.element = make(document, "header", { className: "chips" }, name, this.groups, this.actions, pages);
    root.before(this.element);
    this.groups.addEventListener("click", ({ target }) => {
      const chip = pressed(target);
      if (chip) toggle(chip.dataset.group);
    });
    this.actions.addEventListener("click", ({ target }) => {
      const button = pressed(target);
      if (button && button.getAttribute("aria-disabled") !== "true") session.command(button.dataset.command);
    });
    pages.addEventListener("click", (event) => {
      const anchor = /** @type {HTMLElement} */ (event.target).closest("a");
      if (!anchor || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return; // a tab or window of its own
      event.preventDefault();
      go(anchor.dataset.page);
    });
  }

  /**
   * @param {DockTree} tree
   * @param {string} link the settings' link
   */
  take({ chips, buttons }, link) {
    const names = JSON.stringify([chips.map(({ group }) => group), buttons.map(({ command }) => command)]);
    if (names !== this.names) {
      this.groups.replaceChildren(...chips.map(({ group }) => chipOf(group)));
      this.actions.replaceChildren(...buttons.map(({ command }) => buttonOf(command)));
    }
    this.names = names;
    for (const { group, label, tip } of chips) {
      const chip = this.chip(group);
      put(chip.querySelector("span"), { textContent: label });
      put(chip, { title: `${tip}: ${label}` });
    }
    for (const [k, { label, tip, disabled }] of buttons.entries()) {
      put(this.actions.children[k], { textContent: label, title: tip, "aria-disabled": Boolean(disabled) });
    }
    for (const [k, { name, own }] of this.ways.entries()) {
      put(this.anchors[k], { href: (name || "./") + (own ? "" : `?${link}`) });
    }
  }

  /** Out of reach of the focus, or back; the heading stays. */
  hide(off) {
    for (const part of this.element.querySelectorAll(":scope > :not(h1)")) part.toggleAttribute("inert", off);
  }

  /**
   * The chip of a group.
   *
   * @param {string} group
   * @returns {HTMLElement | null}
   */
  chip(group) {
    return this.groups.querySelector(`[data-group="${group}"]`);
  }

  /**
   * Say which group is open, in the element of this id.
   *
   * @param {string | null} open
   * @param {string} id
   */
  mark(open, id) {
    for (const chip of /** @type {Iterable<HTMLElement>} */ (this.groups.children)) {
      put(chip, { "aria-expanded": chip.dataset.group === open, "aria-controls": id });
    }
  }
}

const arrow = () => make(document, "span", { className: "arrow" }, " →");

/** @returns {HTMLElement | null} */
const pressed = (target) => /** @type {HTMLElement} */ (target).closest("button");

function chipOf(group) {
  const chip = make(document, "button", { type: "button", className: "chip" }, make(document, "span"));
  chip.dataset.group = group;
  return chip;
}

function buttonOf(command) {
  const button = make(document, "button", { type: "button", className: "chip plain" });
  button.dataset.command = command;
  return button;
}
