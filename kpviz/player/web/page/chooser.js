// The panels to choose from, in the place of the settings beside the map: a picture, a name and a line for each; what has nothing to show comes last.

import { hasSomething } from "../board/layout.js";
import { ABOUT, PANELS } from "../board/panel_table.js";
import { STAGE_SHAPES } from "../board/present_layout.js";
import { make } from "./dom.js";

/** @import { Player } from "../board/player.js" */
/** @import { PanelEntry } from "../board/types.d.ts" */

const MISSING = {
  "training set": "a stream has no training set",
  parts: "this learner has nothing of its own",
  order: "this run has no order",
};
const OF_PLANE = ["lines"];
const COMPARED = ["alpha", "margins"]; // panels that stand under compared maps
const BOX = "input[type=checkbox]";

/**
 * Why a panel has nothing to show of what is on the stage, in a clause; "" where it has.
 *
 * @param {PanelEntry} panel
 * @param {Player} player
 */
export function whyEmpty({ name, group, requires }, { run, runs }) {
  const compared = runs.pinned.length > 0;
  if (!hasSomething(name, run)) return MISSING[requires.find((part) => !run.provides(part))];
  if (name === "unhatched" && !compared) return "no runs are compared";
  if (OF_PLANE.includes(name) && !run.plane) return "these examples have no plane";
  if (name === "normed" && run.predictor.kind === "voted") return "a vote has no norm";
  if (compared && group !== "on map" && !COMPARED.includes(name)) return "not beside compared runs";
  const why = run.header.lacks[name] ?? run.header.extras[name]?.why ?? "";
  return why.split(/[:;.](?:\s|$)/)[0]; // its first clause
}

/** A picture with a box to tick, the name of the panel, and what it shows. */
const tile = ({ name, title, key = "", line = "" }) => `
  <label class="panel" title="${title}">
    <i class="picture panel-${name}" aria-hidden="true"></i>
    <span><input type="checkbox" data-panel="${name}" aria-describedby="line-${name} why-${name}"> <b>${title.split(":")[0]}</b>${key ? ` <kbd>${key.toUpperCase()}</kbd>` : ""}<small id="line-${name}">${line}</small><em id="why-${name}"></em></span>
  </label>`;

const folded = (words, body, open = false) =>
  `<details${open ? " open" : ""}><summary>${words}</summary>${body}</details>`;

const groups = (offered) =>
  Object.entries(ABOUT)
    .map(([about, words]) => ({
      words,
      panels: PANELS.filter((panel) => panel.about === about && offered.includes(panel.name)),
    }))
    .filter(({ panels }) => panels.length)
    .map(({ words, panels }, k) =>
      folded(
        words,
        `<div class="tiles" role="group" aria-label="${words}">${panels.map(tile).join("")}</div>`,
        k === 0,
      ),
    )
    .join("");

const forClass = (buttons) => `
    <p class="stages">Stage (W): ${Object.keys(STAGE_SHAPES)
      .map((name) => buttons.plain(`shape-${name}`))
      .join(" ")}</p>
    <p>${["cue", "cues", "notes"].map((name) => buttons.plain(name)).join(" ")}</p>`;

const markup = (offered, buttons) => `
  <div class="top"><h2>Panels</h2><button type="button" class="close" data-do="close" title="Close (Esc)" aria-label="Close">×</button></div>
  <div class="list" tabindex="-1">
    <p><button type="button" data-preset="explore">The usual panels</button> <button type="button" data-preset="present">Map and sentence</button></p>
    ${groups(offered)}
    ${folded("For a class", forClass(buttons))}
    <p>${buttons.plain("forget")}</p>
  </div>`;

export class Chooser {
  shown = ""; // what it says, as a text
  /** @type {HTMLElement | null} */
  before = null; // what had the focus

  /**
   * @param {HTMLElement} root
   * @param {string[]} offered the panels that can be shown
   * @param {{ plain(name: string): string }} buttons makes the markup of an action's button
   * @param {() => void} close
   */
  constructor(root, offered, buttons, close) {
    this.element = make("section", {
      className: "menu panels chooser",
      hidden: true,
      "aria-label": "Panels",
    });
    this.element.innerHTML = markup(offered, buttons);
    root.append(this.element);
    this.element.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      if (event.key === "Escape") close();
      else if (!this.#walk(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  get boxes() {
    return /** @type {HTMLInputElement[]} */ ([...this.element.querySelectorAll(BOX)]);
  }

  /** Those that are not folded away. */
  get seen() {
    return this.boxes.filter((box) => box.closest("details").open);
  }

  get open() {
    return !this.element.hidden;
  }

  /** Open it with the focus on the first panel that is on; or close it, and give the focus back. */
  show(on) {
    if (on === this.open) return;
    const inside = /** @type {HTMLElement | null} */ (this.element.querySelector(":focus"));
    this.element.hidden = !on;
    if (on) {
      const root = /** @type {ShadowRoot} */ (this.element.getRootNode());
      this.before = /** @type {HTMLElement | null} */ (root.activeElement);
      const { seen } = this;
      (seen.find(({ checked }) => checked) ?? seen[0])?.focus({ preventScroll: true });
    } else if (inside) {
      inside.blur(); // what is hidden would keep it until the next frame
      this.before?.focus();
    }
  }

  /** Arrows go from panel to panel. */
  #walk({ key, target }) {
    const { seen } = this;
    const at = seen.indexOf(target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: seen.length - 1 }[key];
    if (at < 0 || to === undefined) return false;
    seen[Math.min(Math.max(to, 0), seen.length - 1)].focus();
    return true;
  }

  /** Say what is on, and of each panel why it has nothing to show. @param {Player} player */
  update(player) {
    if (!this.open) return;
    this.element.classList.toggle("dark", player.palette.dark);
    const offered = PANELS.filter(({ inLinks }) => inLinks);
    const why = Object.fromEntries(offered.map((panel) => [panel.name, whyEmpty(panel, player)]));
    const now = JSON.stringify([[...player.shown], why]);
    if (now === this.shown) return;
    this.shown = now;
    for (const box of this.boxes) {
      const { panel } = box.dataset;
      box.checked = player.shown.has(panel);
      box.closest("label").classList.toggle("empty", Boolean(why[panel]));
      this.element.querySelector(`#why-${panel}`).textContent = why[panel];
    }
    for (const tiles of this.element.querySelectorAll(".tiles")) {
      const last = [...tiles.querySelectorAll(".empty:not(:focus-within)")];
      if (tiles.lastElementChild !== last.at(-1) || !tiles.contains(document.activeElement)) {
        tiles.append(...last);
      }
    }
  }
}
