// The DOM round the canvas: buttons, help, and the sentence that screen readers hear.

import { KEYS } from "./keys.js";
import { isOn, Preferences } from "../shell/preferences.js";
import { Status } from "../shell/status.js";

export const MENUS = ["help", "preferences"];

const MARKS = [
  ["Arrow", "the direction F, through the mean of all points; drag it, or drag anywhere on the map"],
  ["Thin lines", "each point’s way to its projection x·F on the line of F"],
  ["Dashed line", "the threshold, across F; with three classes there are two"],
  ["Large marks", "the means of the classes; dashed: their projections"],
  ["Rings", "points that land on the wrong side of the threshold; hollow bars in the histograms"],
  ["Histograms", "the projections of each class; drag the threshold there, double-click puts it back"],
  ["Strip below", "J for every direction; drag in it to turn F"],
  [
    "Scatter",
    "S_W within the classes, S_B between their means, S_T of all; under each its value FᵀSF along F. The bar: S_T along F, split into S_W and S_B",
  ],
  ["J", "between over within, along F"],
  ["Colours of a matrix", "orange above 0, blue below; point at an entry to read it"],
];

/** An element with attributes and children. */
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const button = (name, title, text, extra = {}) =>
  make("button", { type: "button", "data-do": name, title, "aria-label": title, ...extra }, text);

const pair = (words, [before, back, after, next]) =>
  make(
    "span",
    { class: "grain", role: "group", "aria-label": words },
    button(before, `${words} back (${back})`, "‹"),
    make("b", {}, words),
    button(after, `${words} on (${next})`, "›"),
  );

const list = (title, rows, name) =>
  make(
    "div",
    {},
    make("h2", {}, title),
    make(
      "dl",
      { class: name },
      ...rows.map(([term, words]) => make("div", {}, make("dt", {}, term), make("dd", {}, words))),
    ),
  );

export class Controls {
  /** @type {string | null} */
  message = null; // the sentence that was last said

  constructor(root, stage) {
    this.root = root;
    Object.assign(root, { tabIndex: -1, role: "group", ariaLabel: "Fisher’s discriminant" }); // has the focus where no part has it
    this.canvas = make("canvas", {
      tabindex: "0",
      role: "application",
      "aria-label":
        "The board: the plane with the direction F, the projections, and J. The sentence below it is read aloud. Right and left walk from point to point and over the matrices, Escape leaves.",
    });
    this.best = button("best", "The best direction (End)", "Best direction", {
      class: "play",
      style: "padding: 0 18px; font-weight: 600",
    });
    this.other = button("other", "", "");
    this.play = button("toggle", "Let F turn by itself (Space)", "Turn", { "aria-pressed": "false" });
    this.cut = button("cut", "The threshold back to the middle (T)", "Threshold to the middle");
    this.bar = make(
      "div",
      { class: "bar", role: "toolbar", "aria-label": "Direction" },
      this.best,
      pair("1°", ["back-1", "←", "on-1", "→"]),
      pair("10°", ["back-10", "PageUp", "on-10", "PageDown"]),
      this.other,
      this.play,
      this.cut,
      make("span", { class: "space" }),
      button("link", "Copy the link (Y)", "Link"),
      button("full", "Full screen (V)", "Full screen"),
      button("preferences", "Preferences (,)", "Preferences", { "aria-expanded": "false" }),
      button("help", "All keys and marks (?)", "?", { "aria-expanded": "false" }),
    );
    this.help = make(
      "div",
      { class: "menu help", hidden: "", tabindex: "-1", role: "dialog", "aria-label": "All keys and marks" },
      make(
        "div",
        { class: "sheet" },
        list(
          "Keys",
          KEYS.filter(([keys]) => keys),
          "keys",
        ),
        list("What you see", MARKS, "marks"),
      ),
      button("close", "Close", "Close"),
    );
    this.preferences = make("div", {
      class: "menu preferences",
      hidden: "",
      tabindex: "-1",
      role: "dialog",
      "aria-label": "Preferences",
    });
    new Preferences(
      this.preferences,
      ["shortcuts"],
      () => {},
      () => this.menu(null),
    );
    this.live = make("p", { class: "live", "aria-live": "polite" });
    this.statusLine = make("p", { class: "status", role: "status", hidden: "" });
    this.line = new Status(this.statusLine);
    root.replaceChildren(this.canvas, this.bar, this.help, this.preferences, this.live, this.statusLine);
    root.addEventListener("click", (event) => {
      const target = event.composedPath().find((node) => node.dataset?.do);
      if (target) stage.press(target.dataset.do);
    });
  }

  /** Say something for a moment. */
  status(text, { persist = false } = {}) {
    this.line.say(text, { persist });
  }

  /** Whether a key is free to do something. */
  hears(name) {
    return isOn(name);
  }

  /** Open one menu, or close it if it is open; null closes all. */
  menu(name) {
    for (const key of MENUS) {
      const menu = this[key];
      const { activeElement } = /** @type {ShadowRoot} */ (this.root.getRootNode());
      if (menu.contains(activeElement)) /** @type {HTMLElement} */ (activeElement).blur();
      menu.hidden = key !== name || !menu.hidden;
      this.bar.querySelector(`[data-do=${key}]`).setAttribute("aria-expanded", String(!menu.hidden));
      if (!menu.hidden) menu.focus();
    }
  }

  place({ bar, narrow }) {
    this.root.classList.toggle("narrow", narrow);
    Object.assign(this.bar.style, { top: `${bar.y}px`, height: `${bar.h}px` });
  }

  update({ many, playing, moved, atBest, message }) {
    const name = many ? "Second direction" : "Between the means";
    if (this.other.textContent !== name) {
      this.other.textContent = name;
      this.other.title = `${many ? "The second direction" : "The line between the means"} (Home)`;
      this.other.setAttribute("aria-label", this.other.title);
    }
    this.play.setAttribute("aria-pressed", String(playing));
    this.cut.hidden = moved === null;
    this.best.disabled = atBest;
    this.best.style.opacity = atBest ? "0.45" : "";
    if (message === null || message === this.message) return;
    this.message = message;
    this.tell(message);
  }

  /** Say something to those who do not see it. */
  tell(words) {
    this.live.textContent = words;
  }
}
