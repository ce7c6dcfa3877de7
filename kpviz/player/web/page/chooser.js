// The panels to choose from, in the place of the settings beside the map: an icon, a name and a
// line for each; what has nothing to show comes last.

import { hasSomething, PRESETS } from "../board/shown_panels.js";
import { ABOUT, PANELS } from "../board/panel_table.js";
import { STAGE_SHAPES } from "../board/projector_layout.js";
import { pictogram } from "./buttons.js";
import { closeByEscape, givingFocusBack } from "./dialog.js";
import { closing, make, put } from "./dom.js";
import { folded } from "./help.js";
import { PANEL_ICONS } from "./panel_icons.js";
import { capitalized } from "../run/words.js";

/** @import { Buttons } from "./buttons.js" */
/** @import { Player } from "../board/player.js" */
/** @import { PanelEntry } from "../board/types.d.ts" */

const MISSING = {
  "training set": "a stream has no training set",
  parts: "this learner has nothing of its own",
  order: "this run has no order",
};
const OF_PLANE = ["lines"];
const COMPARED = ["alpha", "margins"]; // These stand under compared maps.
const BOX = "input[type=checkbox]";
export const CLOSES_MENUS = { "data-do": "close" };

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
  return why.split(/[:;.](?:\s|$)/)[0]; // It says the first clause.
}

/**
 * A box to tick, an icon, the name of the panel, and what it shows.
 *
 * @param {PanelEntry} panel
 */
function tileOf({ name, title, key = "", line = "" }) {
  const described = `line-${name} why-${name}`;
  const box = { type: "checkbox", "data-panel": name, "aria-describedby": described };
  return make(
    "label",
    { className: "panel", title },
    make("input", box),
    pictogram(PANEL_ICONS[name]),
    make("b", {}, title.split(":")[0], ...(key ? [" ", make("kbd", {}, key.toUpperCase())] : [])),
    make(
      "span",
      {},
      make("small", { id: `line-${name}` }, line),
      make("em", { id: `why-${name}` }),
    ),
  );
}

/**
 * The panels that can be shown, by what they are about; the first group is open.
 *
 * @param {string[]} offered
 */
function groupsOf(offered) {
  const groups = Object.entries(ABOUT).flatMap(([about, words]) => {
    const panels = PANELS.filter((panel) => panel.about === about && offered.includes(panel.name));
    const tiles = { className: "tiles", role: "group", "aria-label": words };
    return panels.length ? [folded(words, make("div", tiles, ...panels.map(tileOf)))] : [];
  });
  groups[0].open = true;
  return groups;
}

/** Elements with a space between them. */
const inARow = (elements) => elements.flatMap((element) => [" ", element]).slice(1);

function partsOf(offered, buttons) {
  const plain = (names) => inARow(names.map((name) => buttons.plain(name)));
  const preset = (name, words) => make("button", { type: "button", "data-preset": name }, words);
  const shapes = Object.keys(STAGE_SHAPES).map((name) => `shape-${name}`);
  const presets = inARow([
    preset("explore", "The usual panels"),
    preset("present", "Map and sentence"),
  ]);
  const forClass = [
    make("p", { className: "stages" }, "Stage (W): ", ...plain(shapes)),
    make("p", {}, ...plain(["cue", "cues", "notes"])),
  ];
  return [
    make("div", { className: "top" }, make("h2", {}, "Panels"), closing(null, CLOSES_MENUS)),
    make(
      "div",
      { className: "list", tabIndex: -1 },
      make("p", {}, ...presets),
      ...groupsOf(offered),
      folded("For a class", ...forClass),
    ),
  ];
}

export class Chooser {
  writtenText = ""; // What it says.

  /**
   * @param {HTMLElement} root
   * @param {string[]} offered the panels that can be shown
   * @param {Buttons} buttons
   * @param {() => void} close
   */
  constructor(root, offered, buttons, close) {
    const look = { className: "menu panels chooser", hidden: true, "aria-label": "Panels" };
    this.element = make("section", look, ...partsOf(offered, buttons));
    root.append(this.element);
    closeByEscape(this.element, close);
    this.element.addEventListener("keydown", (event) => {
      if (event.isComposing || !this.#walk(event)) return;
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
    if (on) this.giveFocusBack = givingFocusBack(this.element);
    else this.giveFocusBack();
    this.element.hidden = !on;
    if (!on) return;
    const { seen } = this;
    (seen.find(({ checked }) => checked) ?? seen[0])?.focus({ preventScroll: true });
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
    const offered = PANELS.filter(({ inLinks }) => inLinks);
    const why = Object.fromEntries(offered.map((panel) => [panel.name, whyEmpty(panel, player)]));
    for (const button of this.element.querySelectorAll("[data-preset]")) {
      const panels = PRESETS[button.dataset.preset](player.run);
      put(button, { "aria-pressed": player.showsOnly(panels) });
    }
    const now = JSON.stringify([[...player.shown], why]);
    if (now === this.writtenText) return;
    this.writtenText = now;
    for (const box of this.boxes) {
      const { panel } = box.dataset;
      box.checked = player.shown.has(panel);
      box.closest("label").classList.toggle("empty", Boolean(why[panel]));
      this.element.querySelector(`#why-${panel}`).textContent =
        why[panel] && `${capitalized(why[panel])}.`;
    }
    for (const tiles of this.element.querySelectorAll(".tiles")) {
      const last = [...tiles.querySelectorAll(".empty:not(:focus-within)")];
      if (tiles.lastElementChild !== last.at(-1) || !tiles.contains(document.activeElement)) {
        tiles.append(...last);
      }
    }
  }
}
