// The DOM round the canvas: transport, menus, and the sentence that screen readers hear.

import { Chooser } from "./chooser.js";
import { lie, make, pressable, put } from "./dom.js";
import { Popover } from "./popover.js";
import { isOn } from "./preferences.js";
import { TopBar } from "./top_bar.js";
import { besideMap, layout } from "../board/layout.js";
import { textWidth } from "../paint/measure.js";
import { BY_NAME } from "../board/panel_table.js";
import { needsRescaling } from "../board/scene.js";
import { counter, paceOf } from "../run/words.js";
import { actionsOf, buttonOf, helpOf, labelOf, tipOf } from "../modes/actions.js";
import { helpOfStage } from "../modes/present_actions.js";

/** @import { Discriminant } from "../run/discriminant.js" */
/** @import { Capabilities, Player } from "../board/player.js" */
/** @import { RunMap } from "../board/run_set.js" */
/** @import { Actions } from "./actions.js" */
/** @import { Action } from "../modes/actions.js" */
/** @import { Board, Layout, RectMark } from "../board/types.d.ts" */
/** @import { Grain } from "../run/types.d.ts" */

const MOMENT = 2600; // ms for which something is said

// Where what is said for a moment stands: beside the counter or a comparison's words, so that it covers nothing.

const APART = 12; // px
const SMALLEST = 13; // px of its type

/**
 * The free end of the first line of the board; null where it has none.
 *
 * @param {Pick<Player, "layout" | "palette" | "run" | "t" | "runs" | "modes">} player
 * @returns {{ right: number, y: number, w: number, size: number } | null} px of the board
 */
function freeHead({ layout, palette, run, t, runs, modes }) {
  if (!layout || layout.narrow || !palette || modes.ask("speaks")) return null;
  const { unit } = layout;
  const { words, question } = layout.panels;
  const line = question ?? words;
  if (!line) return null;
  const wide = (text, size, weight = 400) => textWidth(text, size, palette.fonts, weight);
  const taken = question
    ? Math.max(
        wide(runs.comparison.question, 15.5 * unit, 700),
        wide(runs.comparison.words, 15.5 * unit),
      )
    : wide(counter(run, Math.min(t, run.nSteps)), 13.5 * unit, 600);
  return {
    right: line.x + line.w,
    y: line.y,
    w: line.w - taken - 2 * APART,
    size: Math.max(12.5 * unit, SMALLEST),
  };
}

/**
 * The free end of the row of tools under the bar; null where there is none.
 *
 * @param {HTMLElement} root
 * @param {Pick<Player, "layout">} player
 */
function freeTools(root, { layout }) {
  const row = layout?.narrow === false && root.querySelector(".tools .row:not([hidden])");
  const last =
    row &&
    [...row.children].filter((child) => /** @type {HTMLElement} */ (child).offsetWidth > 0).at(-1);
  if (!last) return null;
  const [whole, own, end] = [root, row, last].map((each) => each.getBoundingClientRect());
  const room = whole.right - end.right - 2 * APART;
  return {
    right: whole.width - APART / 2,
    top: own.top - whole.top + APART / 2,
    w: room,
    size: SMALLEST + 1,
  };
}

// The button that rescales the colours of the map to a step, and back: on the map, where it covers no point.

const EDGE = 10; // px between it and the edges of the map
const POINT = 9; // px round a point that stay free, where the unit is 1
const STRIDE = 8; // px from one place that is tried to the next
const FEW = 12; // points for which the scale of the colours may be farther left
const [COLOURS, LEGEND] = [138, 110]; // px of width, where the unit is 1

/**
 * The right upper corner of a box that covers no point: under the scale of the colours, left of it, farther down, or anywhere.
 *
 * @param {RunMap} map
 * @param {number} unit
 * @param {{ w: number, h: number }} box
 */
function freeCorner({ run, view }, unit, { w, h }) {
  const { rect } = view;
  const under = rect.y + EDGE + (20 + 1.6 * 12.5) * unit + 8; // the scale, and the name of the kernel
  const usual = { x: rect.x + rect.w - EDGE, y: under };
  if (!run.plane) return usual;
  const points = Array.from({ length: run.n + run.nTest }, (_, i) => [
    view.x(run.X[2 * i]),
    view.y(run.X[2 * i + 1]),
  ]);
  const gap = POINT * unit;
  const free = ({ x, y }) =>
    !points.some(
      ([px, py]) => px > x - w - gap && px < x + gap && py > y - gap && py < y + h + gap,
    );
  const places = [usual];
  const besides = usual.x - COLOURS * unit - (run.n > FEW ? 0 : 0.2 * rect.w);
  for (let x = besides; x - w > rect.x + LEGEND * unit; x -= STRIDE) {
    places.push({ x, y: rect.y + EDGE });
  }
  const left = Math.max(usual.x - w - rect.x - EDGE, 0);
  for (let away = 0; away <= left; away += STRIDE) {
    for (let y = under; y < rect.y + 0.7 * rect.h; y += STRIDE) {
      places.push({ x: usual.x - away, y });
    }
  }
  return places.find(free) ?? usual;
}

// The pages of panels where they have no room on one.

const [LETTERS, LEAST] = [12.5, 14]; // px of its type where the unit is 1, and at least

class Pager {
  /** @param {HTMLElement} root @param {(by: number) => void} turn */
  constructor(root, turn) {
    const button = (by, title, sign) =>
      pressable(sign, () => turn(by), { title, ariaLabel: title });
    this.words = make("output");
    this.element = make(
      "div",
      { className: "pager", role: "group", "aria-label": "Pages of panels", hidden: true },
      button(-1, "Previous page of panels (9)", "←"),
      this.words,
      button(1, "Next page of panels (0)", "→"),
    );
    root.append(this.element);
  }

  /** @param {Layout} layout @param {{ left: number, top: number }} corner of the board */
  place({ turn, pages, page, unit }, { left, top }) {
    put(this.element, { hidden: !turn });
    if (!turn) return;
    const lengths = { left: left + turn.x, top: top + turn.y, width: turn.w, height: turn.h };
    const sizes = { ...lengths, fontSize: Math.max(LETTERS * unit, LEAST) };
    for (const [name, length] of Object.entries(sizes)) this.element.style[name] = `${length}px`;
    const label = `Panels, page ${page + 1} of ${pages.length}`;
    put(this.words, { textContent: `${page + 1} / ${pages.length}`, "aria-label": label });
  }
}

const ICONS = {
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  previous: "M15 5l-7 7 7 7",
};

const DIALOGS = ["help", "preferences"]; // which take the focus
function icon(name) {
  const fill = ["play", "pause"].includes(name) ? "currentColor" : "none";
  return `<svg viewBox="0 0 24 24" aria-hidden="true" fill="${fill}" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="${ICONS[name]}"/></svg>`;
}

/** What each mark means. */
const MARKS = {
  Field: "orange where it says +1, blue where −1, no colour where the score f is 0",
  Line: "the boundary f = 0; dashed grey for a moment: where it was before the last mistake",
  Points:
    "circle +1, square −1; the more mistakes were made on one, the larger it is; hollow: held out for testing",
  Ring: "the example of this step; it spreads when a mistake is made",
  Bricks: "one for each mistake on an example; click one to go to its step",
  Histogram: "y·f(x) of all training examples; left of 0 is the wrong side",
  Timeline: "a tick for each mistake; drag to go anywhere",
  Pointer:
    "anywhere on the map: f there as a sum, its five largest terms as lines to their examples; click to pin",
  Dots: "dotted words have explanations: hover, tap, or Tab and Enter",
  Scale:
    "colour scale of the whole run (it grows fivefold if needed); ≤ and ≥ mark values outside it",
  Outlines: "what you point at; the dotted disc is the Gaussian’s σ",
  Bins: "of the histogram: the outlined one holds this step’s example, a triangle what you point at; those at the ends hold all beyond",
  Epochs:
    "on the timeline: bars for mistakes, lines for the error at the end, held-out dashed; a flag is a cue",
  "Dotted lines":
    "margin lines, on request: f = ± the smallest margin, while all margins are above 0",
  "Bars of α":
    "where α is no count of mistakes: the weight of each example; thin lines on them, and a dotted boundary: the batch optimum",
  Learner:
    "its own panel: weights by age, oldest left; numbers over time, limits dashed; an SVM’s pair in its box; how much is added at each margin",
  Hatching:
    "comparing: where the runs disagree about the side; the timeline has a row of ticks for each run",
  Stream:
    "the last 60 arrivals, fading; hollow ones are in memory; the dial says how far the target has turned",
  Votes:
    "a bar for each version of f; width and height: for how many steps it stayed in force, its votes cₖ; with the boundaries of the last one, of their mean and of their vote",
  Arrow:
    "the primal weight vector w, at one scale for the run; the thin part was added by this step’s mistake",
  Gram: "k of all pairs, by class; framed: this step; at the side: α",
  Lift: "φ of each example, and w·φ + b = 0; drag to turn it",
  "k(x, ·)": "in place of f, with E: how similar each place is to one example; a click keeps it",
  Order:
    "a cell for each example as the epoch shows them; underlined: shown so far; strong: a mistake in this epoch",
  Editing: "",
  Rule: "s is what an intercept adds: 0 for none, 1 for unit, R² for radius; η is the learning rate",
  Numbers: "x₁₂ is the example with index 12, counted from 0 as in the arrays",
};

/** What one can do with a mark where there is a server. */
const WITH_SERVER = {
  Order: "; drag one elsewhere, or press 1: the example you point at, or the step’s, comes first",
  Editing:
    "a frame round the map. By keyboard: Tab to the map, then arrows (Shift: finely) and Enter; by touch: tap, drag, long press. A file dropped on the board is opened",
};

const ON_FISHER = {
  Arrow: "the direction F, through the mean of all points; drag it, or drag anywhere on the map",
  "Thin lines": "each point’s way to its projection x·F on the line of F",
  "Dashed line": "the threshold, across F; with three classes there are two",
  "Large marks": "the means of the classes; dashed: their projections",
  Rings: "points that land on the wrong side of the threshold; hollow bars in the histograms",
  Histograms: "the projections of each class; drag the threshold there, double-click puts it back",
  "Strip below": "J for every direction; drag in it to turn F",
  Scatter:
    "S_W within the classes, S_B between their means, S_T of all; under each its value FᵀSF along F. The bar: S_T along F, split into S_W and S_B",
  J: "between over within, along F",
  "Colours of a matrix": "orange above 0, blue below; point at an entry to read it",
};

const marksFor = ({ server, fisher }) =>
  Object.entries(fisher ? ON_FISHER : MARKS)
    .map(([name, words]) => [name, words + ((server && !fisher && WITH_SERVER[name]) || "")])
    .filter(([, words]) => words);

/** What everybody sees at first. */
const FIRST = [
  "Field",
  "Line",
  "Points",
  "Ring",
  "Bricks",
  "Histogram",
  "Timeline",
  "Pointer",
  "Dots",
];

const list = (pairs) => `<dl>${rows(pairs)}</dl>`;
const folded = (words, body) =>
  body ? `<details><summary>${words}</summary>${body}</details>` : "";

function seenFor(capabilities) {
  const all = marksFor(capabilities);
  const [first, others] = [true, false].map((at) =>
    all.filter(([name]) => FIRST.includes(name) === at),
  );
  const shown = capabilities.fisher
    ? list(all)
    : list(first) + folded("All other marks", list(others));
  return `<section><h2>What you see</h2>${shown}</section>`;
}

const stageKeys = (/** @type {string[][]} */ keys) => `<h2>Keys while presenting</h2>${list(keys)}`;

function keysOf(capabilities) {
  const actions = actionsOf(capabilities);
  if (capabilities.fisher) {
    return `<h2>Keys</h2>${list(actions.map(({ help }) => help).filter(Boolean))}`;
  }
  const [often, ...others] = helpOf(actions);
  const seldom = others.map(({ title, rows: keys }) => `<h3>${title}</h3>${list(keys)}`);
  return `<h2>Keys</h2>${list(often.rows)}${folded("All other keys", seldom.join(""))}`;
}

const rows = (pairs) =>
  pairs.map(([name, words]) => `<div><dt>${name}</dt><dd>${words}</dd></div>`).join("");

/** What makes the markup of buttons on the page of a player; of an action that it does not have nothing. */
class Buttons {
  /** @param {Player} player @param {Map<string, Action>} actions of its page */
  constructor(player, actions) {
    this.player = player;
    this.actions = actions;
  }

  /** @param {string} name @param {{ body?: string, more?: string }} [options] */
  one(name, options) {
    const action = this.actions.get(name);
    return action ? buttonOf(action, this.player, options) : "";
  }

  /** One among others that say all in their label. @param {string} name */
  item(name, more = "") {
    const action = this.actions.get(name);
    return action ? buttonOf({ ...action, tip: undefined }, this.player, { more }) : "";
  }

  /** One that is called as it is labelled. @param {string} name */
  plain(name) {
    const action = this.actions.get(name);
    if (!action) return "";
    const title = action.tip || action.keys ? `title="${tipOf(action, this.player)}"` : "";
    return `<button type="button" data-do="${name}" ${title}>${labelOf(action, this.player)}</button>`;
  }

  /** A step back and one on. @param {Grain} grain */
  steps(grain) {
    const [way, unit] = this.#parts(`next-${grain}`);
    return `
  <span class="step ${grain}" role="group" aria-label="${unit}">
    ${this.one(`back-${grain}`, { body: icon("previous") })}${this.one(`next-${grain}`, { body: `<span class="lead">${way} </span><b>${unit}</b>` })}
  </span>`;
  }

  /** One whose label has its unit apart: that may become another. @param {string} name */
  step(name, more = "") {
    const [way, unit] = this.#parts(name);
    return this.one(name, { body: `${way} <b>${unit}</b>`, more });
  }

  #parts(name) {
    return labelOf(this.actions.get(name), this.player).split(/ (.*)/);
  }
}

/** The special directions of Fisher's page. @param {Buttons} buttons */
const specials = (buttons, more = "") =>
  `${buttons.one("best", { more })}${buttons.one("other", { more })}${buttons.one("cut", { more: `${more} hidden` })}`;

/** @param {Buttons} buttons */
const epochs = (buttons) => `
  ${buttons.item("back-mistake", 'class="also slim"')}
  ${buttons.step("back-epoch", 'class="also small"')}${buttons.step("next-epoch", 'class="also tiny"')}
  ${buttons.item("start")}${buttons.item("end")}`;

/**
 * What nine in ten never touch; those of a class `also` are elsewhere where there is room.
 *
 * @param {Capabilities} capabilities
 * @param {Buttons} buttons
 */
const moreFor = ({ fisher, server }, buttons) => `
  <div class="popover" role="group" aria-label="More">
    ${fisher ? specials(buttons, 'class="also"') : epochs(buttons)}
    <label class="speed" title="Slower (S), faster (F)"><span>Speed</span><input type="range" min="0" max="100" step="1" aria-label="Speed"><output></output></label>
    ${buttons.item("slow", 'aria-pressed="false"')}${buttons.item("predict", 'aria-pressed="false"')}
    ${buttons.item("redraw")}${buttons.item("reorder")}
    ${buttons.item("full")}${buttons.item("preferences", 'aria-expanded="false"')}
    ${buttons.item("edit", 'class="also" aria-pressed="false"')}${buttons.item("panels", 'class="also" aria-expanded="false"')}
    ${buttons.item("present", server ? 'class="also small"' : "")}
    ${server ? "" : `${buttons.item("link")}${buttons.item("help", 'aria-expanded="false"')}`}
  </div>`;

/** @param {Capabilities} capabilities @param {Buttons} buttons */
const markupFor = (capabilities, buttons) => `
  <canvas tabindex="0" role="application" aria-label="${capabilities.fisher ? "The board: the plane with the direction F, the projections, and J, in words below. Right and left walk from point to point, Escape leaves." : "The board: map, mistakes, margins and timeline, in words below. Right and left walk from example to example, down and up over those that are remembered, with Shift to any place; Enter keeps one, Escape leaves."}"></canvas>
  <div class="bar" role="group" aria-label="Player">
    <button type="button" class="play" data-do="play" title="Play (Space)" aria-label="Play">${icon("play")}<span>Play</span></button>
    ${buttons.steps("example")}${buttons.steps("mistake")}${capabilities.fisher ? specials(buttons) : buttons.steps("epoch")}
    <span class="space"></span>
    <span class="turns"></span>
    ${buttons.one("edit", { more: 'aria-pressed="false"' })}${buttons.one("panels", { more: 'aria-expanded="false"' })}
    <button type="button" class="opens more">More</button>
    ${moreFor(capabilities, buttons)}
  </div>
  <div class="tabs" role="group" aria-label="Panel"></div>
  <button type="button" class="go" data-do="play">Play or pause</button>
  <button type="button" class="leave" data-do="present" title="End presenting (W)">End</button>
  <div class="menu help" hidden tabindex="-1" role="dialog" aria-label="What you see, and all keys">
    <button type="button" class="close" data-do="close" title="Close (Esc)" aria-label="Close">×</button>
    <div class="sheet">${seenFor(capabilities)}<section class="keys">${keysOf(capabilities)}</section></div>
    <p class="around">${buttons.plain("first-minute")}</p>
  </div>
  <div class="menu preferences" hidden tabindex="-1" role="dialog" aria-label="Preferences"></div>
  <div class="copy" role="group" aria-label="What is pinned" hidden>${buttons.plain("copy-probe")}${buttons.plain("terms")}</div>
  <button type="button" class="rescale" data-do="rescale" hidden></button>
  <p class="live" aria-live="polite"></p>
  <p class="status" role="status" hidden></p>
`;

const COVERED = "canvas, .objects, .terms, .what-next"; // by the help

/** @param {Element} root */
const elements = (root, selector) =>
  /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);

export class Controls {
  updated = ""; // what it shows, as a text
  followed = ""; // the labels of its buttons, and which are pressed
  below = { y: 0, h: 0 }; // the place of the bar
  covered = 0; // px of the window's height, by what lies at its bottom
  corner = { left: 0, top: 0 }; // of the board
  /** @type {HTMLElement | null} */
  before = null; // what had the focus when a dialog opened
  hears = isOn; // whether a key is free to do something
  /** @type {HTMLElement[]} */
  ghosts = []; // of what there will be
  scale = ""; // for what the button that rescales was placed
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  moment; // until what is said goes

  /** @param {HTMLElement} root @param {Actions} actions @param {Player} player */
  constructor(root, actions, player) {
    const { capabilities, cursor } = player;
    this.root = root;
    this.player = player;
    this.actions = actions;
    const listed = new Map(actionsOf(capabilities).map((action) => [action.name, action]));
    const buttons = new Buttons(player, listed);
    root.innerHTML = markupFor(capabilities, buttons);
    this.chooser = new Chooser(root, capabilities.panels, buttons, () => this.menu(null));
    for (const one of elements(root, "[data-do]")) if (!listed.has(one.dataset.do)) one.remove();
    this.changing = [...listed.values()].filter(
      ({ label, pressed }) => pressed || typeof label === "function",
    );
    const find = (selector) => elements(root, selector)[0];
    this.canvas = root.querySelector("canvas");
    this.bar = find(".bar");
    this.more = new Popover(
      /** @type {HTMLButtonElement} */ (find(".bar .more")),
      find(".bar .popover"),
    );
    this.bar.append(this.more.place);
    this.turns = find(".turns"); // the number that is always in sight, where there is a server
    this.topBar = capabilities.server
      ? new TopBar(root, player, (name) => actions.press(name))
      : null;
    this.tabs = find(".tabs");
    this.play = find(".play");
    this.speed = /** @type {HTMLInputElement} */ (find(".speed input"));
    this.output = find(".speed output");
    this.live = find(".live");
    this.statusLine = find(".status");
    this.pinned = find(".copy");
    this.rescale = find(".rescale");
    this.menus = {
      panels: this.chooser.element,
      help: find(".menu.help"),
      preferences: find(".menu.preferences"),
    };
    this.pager = new Pager(root, (by) => actions.turnPage(by));
    root.addEventListener("click", (event) => {
      const path = /** @type {HTMLElement[]} */ (event.composedPath());
      const pressed = path.find(
        ({ dataset }) => dataset && (dataset.do || dataset.edit || dataset.preset || dataset.tab),
      );
      if (!pressed) return;
      const { do: name, edit, preset, tab } = pressed.dataset;
      if (preset) actions.preset(preset);
      else if (tab) actions.setTab(tab);
      else actions.press(name ?? edit);
    });
    root.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement && target.dataset.panel) {
        actions.show(target.dataset.panel, target.checked);
      }
    });
    this.speed.addEventListener("input", () => cursor.setSpeed(Number(this.speed.value) / 100));
    this.speed.addEventListener("pointerup", () => this.speed.blur());
  }

  /** Say something for a moment. */
  status(text, { persist = false } = {}) {
    this.#show(text);
    if (!persist) this.moment = setTimeout(() => this.#show(null), MOMENT);
  }

  #show(text) {
    clearTimeout(this.moment);
    this.statusLine.textContent = text ?? "";
    this.statusLine.hidden = text === null;
    if (text !== null) this.#placeStatus();
  }

  /** Open one menu, or close it if it is open; null closes all. */
  menu(name) {
    const { chooser } = this;
    const root = /** @type {ShadowRoot} */ (this.root.getRootNode());
    const focused = /** @type {HTMLElement | null} */ (root.activeElement);
    const was = chooser.open;
    if (name === "help") this.#listKeys();
    this.closePopovers();
    chooser.show(name === "panels" && !was);
    for (const [key, menu] of Object.entries(this.menus)) {
      if (key !== "panels") {
        if (menu.contains(focused)) {
          focused.blur();
          this.before?.focus(); // where one came from
        }
        menu.hidden = key !== name || !menu.hidden;
      }
      for (const one of this.#opening(key)) put(one, { "aria-expanded": !menu.hidden });
    }
    if (was !== chooser.open) this.actions.beside();
    for (const one of elements(this.root, COVERED)) one.inert = !this.menus.help.hidden;
    if (!DIALOGS.includes(name) || this.menus[name].hidden) return;
    this.before = focused?.matches(":focus-visible") ? focused : null;
    this.menus[name].focus();
  }

  /** On the stage keys do other things than on the board. */
  #listKeys() {
    const { present } = this.actions.stage;
    const { capabilities } = this.player;
    const keys = this.menus.help.querySelector(".keys");
    keys.innerHTML = present.on ? stageKeys(helpOfStage(this.actions.stage)) : keysOf(capabilities);
  }

  /** The buttons that open a menu. */
  #opening(name) {
    const bars = [this.root, this.topBar?.element].filter(Boolean);
    return bars.flatMap((bar) => elements(bar, `[data-do=${name}][aria-expanded]`));
  }

  get popovers() {
    return [this.more, this.topBar?.share].filter((one) => one?.open);
  }

  closePopovers() {
    for (const one of this.popovers) one.show(false);
  }

  /** Close what lies over the board. */
  clear() {
    const covered = DIALOGS.some((name) => !this.menus[name].hidden);
    if (this.root.classList.contains("presenting") || covered) this.menu(null);
  }

  get open() {
    return this.popovers.length > 0 || Object.values(this.menus).some((menu) => !menu.hidden);
  }

  /**
   * Before there is a run the bar is where it will be, and so are ghosts of the maps and the timeline.
   *
   * @param {{ left: number, top: number, width: number, height: number, type: number }} room
   * @param {number} runs
   */
  frame(room, runs) {
    const { width, height, type } = room;
    const found = layout(width, height, new Set(), "words", { type, runs });
    this.root.style.height = `${found.height}px`;
    this.place({ ...found, sheet: false }, room);
    for (const ghost of this.ghosts) ghost.remove();
    const solid = Object.entries(found.panels).filter(([name]) => /^(map|timeline)/.test(name));
    this.ghosts = solid.map(([, { x, y, w, h }]) => {
      const ghost = make("i", { className: "ghost", ariaHidden: "true" });
      Object.assign(ghost.style, {
        left: `${x}px`,
        top: `${y}px`,
        width: `${w}px`,
        height: `${h}px`,
      });
      return ghost;
    });
    this.root.append(...this.ghosts);
  }

  /** @param {Layout} layout @param {{ left: number, top: number }} corner of the board */
  place(layout, corner) {
    const { bar, tabs, narrow, low, strip } = layout;
    this.pager.place(layout, corner);
    if (this.chooser.open) lie(this.chooser.element, layout);
    this.root.classList.toggle("narrow", narrow);
    this.root.classList.toggle("low", Boolean(low));
    this.root.classList.toggle("strip", Boolean(strip));
    this.topBar?.mark(this.player.shown);
    this.below = bar;
    this.covered = layout.sheet ? layout.dock.h : 0;
    this.bar.style.height = `${bar.h}px`;
    if (narrow) {
      Object.assign(this.tabs.style, {
        top: `${tabs.y}px`,
        left: `${tabs.x}px`,
        width: `${tabs.w}px`,
      });
    }
    this.corner = corner;
    if (!this.statusLine.hidden) this.#placeStatus();
    this.keepInView();
  }

  /** At the free end of the first line, or of the tools, where there is room; else over the bar, or a narrow board's panel. */
  #placeStatus() {
    const { statusLine: line, corner, player } = this;
    const head = freeHead(player);
    const first = head && { ...head, right: corner.left + head.right, top: corner.top + head.y };
    for (const free of [first, freeTools(this.root, player)]) {
      if (!free) continue;
      line.className = "status head";
      Object.assign(line.style, {
        fontSize: `${free.size}px`,
        left: `${free.right}px`,
        top: `${free.top}px`,
      });
      if (line.offsetWidth <= free.w) return;
    }
    line.removeAttribute("style");
    line.className = player.layout?.narrow === false ? "status over" : "status";
  }

  /** Where the page, or what is seen of it, ends above the place of the bar, it floats over the board. */
  keepInView() {
    const { y, h } = this.below;
    const visible = Math.max(
      window.innerHeight - this.covered - this.root.getBoundingClientRect().top - h,
      0,
    );
    this.bar.style.top = `${Math.min(y, visible)}px`;
    this.bar.classList.toggle("floating", visible < y);
  }

  /** The canvas has the keyboard's cursor while one edits. */
  editing(on) {
    if (!on && this.canvas.matches(":focus")) this.root.focus({ preventScroll: true });
    this.root.classList.toggle("editing", on);
    this.#follow();
  }

  /** What changes from frame to frame. @param {Player} player */
  update(player) {
    const { clock, there, tab, run, runs } = player;
    for (const ghost of this.ghosts.splice(0)) ghost.remove();
    this.chooser.update(player);
    this.#rescale(player);
    const { slowest, fastest } = clock.limits;
    const share = Math.log(clock.speed / slowest) / Math.log(fastest / slowest);
    if (run.fisher) this.#direct(run.fisher, player.t);
    this.#follow();
    const compared = runs.pinned.length > 0;
    const stream = run.stream !== null;
    const now = [clock.speed, clock.rate, [...there], tab, compared, stream].join();
    if (now === this.updated) return;
    this.updated = now;
    this.speed.value = String(Math.round(100 * share));
    const pace = paceOf(clock.rate);
    this.output.textContent = `${pace}/s`;
    put(this.speed, { "aria-valuetext": `${pace} steps a second` });
    this.#showTabs(compared ? ["words", "table"] : ["words", ...besideMap(there)], tab, stream);
  }

  /** What can be done with what is pinned stands under its box, or above it. @param {Board} board */
  placePinned({ panels, height }) {
    const { player, pinned: box, corner } = this;
    const tip = /** @type {RectMark | undefined} */ (
      panels.find(({ name }) => name === "tip")?.marks[0]
    );
    put(box, { hidden: !tip || !(player.pinned?.probe || player.pinned?.full) });
    if (!tip || box.hidden) return;
    const terms = box.querySelector("[data-do=terms]");
    if (terms) put(terms, { hidden: player.pinned.hot.size !== 1 || player.shows("remembered") });
    const [under, high] = [tip.y + tip.h + 4, box.offsetHeight];
    const y = under + high < Math.min(height, this.below.y) ? under : Math.max(tip.y - high - 4, 0);
    const left = Math.min(corner.left + tip.x, this.root.clientWidth - box.offsetWidth);
    Object.assign(box.style, { left: `${left}px`, top: `${corner.top + y}px` });
  }

  /** The special directions of Fisher's page. @param {Discriminant} fisher */
  #direct(fisher, t) {
    const all = (which, properties) => {
      for (const one of elements(this.bar, `[data-do=${which}]`)) put(one, properties);
    };
    all("best", { disabled: fisher.specialAt(t) === "best" && fisher.moved === null });
    all("cut", { hidden: fisher.moved === null });
  }

  #showTabs(names, tab, stream) {
    const words = (name) => (stream && name === "margins" ? "Course" : BY_NAME[name].short);
    const button = (name) =>
      `<button type="button" data-tab="${name}" aria-pressed="${name === tab}">${words(name)}</button>`;
    const markup = names.map(button).join("");
    if (this.tabs.innerHTML !== markup) this.tabs.innerHTML = markup;
  }

  /** The button that rescales is there where it helps, and to go back. @param {Player} player */
  #rescale(player) {
    const { rescale: button } = this;
    const { limit, maps, layout } = player;
    const byHand = limit !== null;
    put(button, {
      hidden: !byHand && !needsRescaling(player),
      textContent: byHand ? "Scale of the run" : "Rescale",
      title: byHand ? "Colours as they are for the whole run" : "Rescale the colours to this step",
    });
    const map = maps.find(({ name }) => name === "map");
    if (button.hidden || !map) return;
    const key = [map.run.id, byHand, ...Object.values(map.view.rect), layout.unit].join();
    if (key === this.scale) return;
    this.scale = key;
    const corner = freeCorner(map, layout.unit, { w: button.offsetWidth, h: button.offsetHeight });
    Object.assign(button.style, { left: `${corner.x}px`, top: `${corner.y}px` });
  }

  /** Buttons whose label changes with what is shown, or that stay pressed, say how it is now. */
  #follow() {
    const { player } = this;
    const changing = this.changing.map((action) => ({
      action,
      label: labelOf(action, player),
      pressed: action.pressed?.(player),
    }));
    const now = changing.map(({ label, pressed }) => `${label} ${pressed}`).join();
    if (now === this.followed) return;
    this.followed = now;
    for (const { action, label, pressed } of changing) {
      for (const button of elements(this.root, `[data-do=${action.name}]`)) {
        if (pressed !== undefined && button.ariaPressed !== null) {
          put(button, { "aria-pressed": pressed });
        }
        if (typeof action.label === "function") this.#relabel(button, action, label);
      }
    }
  }

  /** @param {HTMLElement} button @param {Action} action @param {string} label */
  #relabel(button, action, label) {
    if (button === this.play) {
      button.innerHTML = icon(label.toLowerCase());
      button.append(make("span", {}, label));
      put(button, { "aria-label": label, title: tipOf(action, this.player) });
      return;
    }
    if (!this.bar.contains(button)) return;
    const tip = tipOf(action, this.player);
    put(button, { title: tip, "aria-label": tip });
    const unit = button.querySelector("b");
    if (unit) unit.textContent = label.split(/ (.*)/)[1];
    else if (!button.querySelector("svg")) button.textContent = label;
  }

  /** Of what draws anew: what it does, or why it does nothing. @param {{ command: string, tip: string, disabled: string | null }[]} buttons */
  anew(buttons) {
    for (const { command, tip, disabled } of buttons) {
      const one = this.bar.querySelector(`[data-do=${command}]`);
      if (one) put(one, { title: tip, "aria-disabled": Boolean(disabled) });
    }
  }
}
