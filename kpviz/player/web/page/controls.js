// The DOM round the canvas: transport, menus, and the sentence that screen readers hear.

import { Buttons, icon } from "./buttons.js";
import { Chooser, CLOSES_MENUS } from "./chooser.js";
import { givingFocusBack } from "./dialog.js";
import { closing, lay, lie, make, pressable, put } from "./dom.js";
import { keysOn, seenOn } from "./help.js";
import { Popover } from "./popover.js";
import { runTable } from "./run_table.js";
import { TopBar } from "./top_bar.js";
import { layoutOf } from "../board/layout.js";
import { step } from "../board/scale.js";
import { boxOf, textWidth } from "../paint/measure.js";
import { needsRescaling } from "../board/scene.js";
import { paceOf } from "../run/words.js";
import { actionsOf, labelOf, tipOf } from "../modes/actions.js";

/** @import { roomOf } from "./dom.js" */
/** @import { Capabilities, Player } from "../board/player.js" */
/** @import { Actions } from "./actions.js" */
/** @import { Action } from "../modes/actions.js" */
/** @import { Board, BoardPanel, Layout, RectMark } from "../board/types.d.ts" */
/** @import { Fonts } from "../run/types.d.ts" */

const MOMENT = 2600; // In ms: the time for which something is said.

// ---- where what is said for a moment stands --------------------------------------------------
// It stands beside the counter or a comparison's words, so that it covers nothing.

const STATUS_SIDES = 12; // In px: the room on either side of what is said.
const STATUS_TYPE = 12.5; // In px, where the unit is 1: the type of what is said.
const LEAST_STATUS_TYPE = 13; // In px: it has this size at least.
const COUNTER_TYPE = 13.5; // In px, where the unit is 1: the type of the counter on the board.

/**
 * A place that is free: its right end, its upper end, its width, and the type that suits it, in px.
 * @typedef {{ right: number, top: number, w: number, size: number }} FreePlace
 */

/**
 * The free end of the first line of the board, in px of the board; null where it has none.
 *
 * @param {Pick<Player, "layout" | "palette" | "run" | "t" | "runs" | "modes">} player
 * @returns {FreePlace | null}
 */
function freeHead({ layout, palette, run, t, runs, modes }) {
  if (!layout || layout.narrow || !palette || modes.ask("speaks")) return null;
  const { unit } = layout;
  const { words, question } = layout.panels;
  const line = question ?? words;
  if (!line) return null;
  const wide = (text, size, weight = 400) => textWidth(text, size, palette.fonts, weight);
  const taken = question
    ? wide(runs.comparison.question, step("title", unit), 500) +
      wide(runs.comparison.words, step("label", unit))
    : wide(run.counter(Math.min(t, run.nSteps)), COUNTER_TYPE * unit, 600);
  return {
    right: line.x + line.w,
    top: line.y,
    w: line.w - taken - 2 * STATUS_SIDES,
    size: Math.max(STATUS_TYPE * unit, LEAST_STATUS_TYPE),
  };
}

/**
 * The free end of the row of tools under the bar, in px of the root; null where there is none.
 *
 * @param {HTMLElement} root
 * @param {Pick<Player, "layout">} player
 * @returns {FreePlace | null}
 */
function freeTools(root, { layout }) {
  if (layout?.narrow !== false) return null;
  const row = root.querySelector(".tools .row:not([hidden])");
  const tools = /** @type {HTMLElement[]} */ ([...(row?.children ?? [])]);
  const last = tools.filter((tool) => tool.offsetWidth > 0).at(-1);
  if (!last) return null;
  const { x, w } = layout.tools;
  const rootBox = root.getBoundingClientRect();
  return {
    right: x + w - STATUS_SIDES / 2,
    top: row.getBoundingClientRect().top - rootBox.top + STATUS_SIDES / 2,
    w: rootBox.left + x + w - last.getBoundingClientRect().right - 2 * STATUS_SIDES,
    size: LEAST_STATUS_TYPE + 1,
  };
}

// ---- where the button stands that rescales the colours ---------------------------------------
// It rescales the colours of the map to a step, and back. It lies beside their scale in the strip;
// where that is full, at the end of the first line of the board or among the numbers under the map.

const STATUS_GAP = 4; // In px: from the edge of the map to what is said over it.
const RESCALE_HEIGHT = 24; // In px: the height of the button.
const RESCALE_SIDES = 22; // In px: what the button has beside its words.
const RESCALE_GAP = 10; // In px: the distance from the button to what stands beside it.
const SIGN_ROOM = 22; // In px: left of a text is the sign that it explains, at most so wide.

/**
 * The right end of the first gap of a line of marks, from the right, that is wide enough; null
 * where none is.
 *
 * @param {BoardPanel | undefined} panel
 * @param {number} width
 * @param {Fonts} fonts
 */
function freeEnd(panel, width, fonts) {
  if (!panel) return null;
  const { rect, marks } = panel;
  const boxes = marks.filter((mark) => mark.kind === "text").map((mark) => boxOf(mark, fonts));
  const scale = marks.filter((mark) => mark.kind === "image").map(({ x, w }) => ({ x, w }));
  const fromTheRight = [...boxes, ...scale].sort((one, other) => other.x - one.x);
  let end = rect.x + rect.w;
  for (const { x, w } of fromTheRight) {
    if (end - x - w >= width + RESCALE_GAP) return end;
    end = Math.min(end, x - SIGN_ROOM);
  }
  return end - rect.x >= width ? end : null;
}

// ---- what the controls are made of -----------------------------------------------------------

const PAGER_TYPE = 12.5; // In px, where the unit is 1: the type of the pager.
const LEAST_PAGER_TYPE = 14; // In px: it has this size at least.

/** The pages of panels where they have no room on one. */
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
    const sizes = { ...lengths, fontSize: Math.max(PAGER_TYPE * unit, LEAST_PAGER_TYPE) };
    for (const [name, length] of Object.entries(sizes)) this.element.style[name] = `${length}px`;
    const label = `Panels, page ${page + 1} of ${pages.length}`;
    put(this.words, {
      textContent: `panels ${page + 1}\u00a0/\u00a0${pages.length}`,
      "aria-label": label,
    });
  }
}

/** The icon of the button that plays, and its words, by what it is called. */
const PLAY_FACES = {
  Play: ["play", "Play"],
  Pause: ["pause", "Pause"],
  "Play again": ["again", "Again"],
};

const DIALOGS = ["help", "preferences", "numbers"]; // These menus take the focus.

const MENU = { hidden: true, tabIndex: -1, role: "dialog" };
const PRESSED = { "aria-pressed": "false" };
const EXPANDED = { "aria-expanded": "false" };
const IN_SMALL_BAR = { className: "also small" }; // The bar above has no room for these.
const ALSO = { className: "also" }; // Where there is room, these buttons stand elsewhere.
const UNDER_HELP = "canvas, .objects, .terms, .what-next";

// `Buttons` makes the button of an action, by its name: `one` is called by its tip, `item` is a row
// of a menu, `plain` has its label; `step`, `next` and `steps` go by a step, on, or back and on;
// `ofMode` has those of a mode that are there in place of the usual ones.

/** @param {Buttons} buttons */
const epochs = (buttons) => [
  buttons.step("back-epoch"),
  buttons.item("start"),
  buttons.item("end"),
];

/**
 * The menu *More*: what nine in ten readers never touch.
 *
 * @param {Capabilities} capabilities
 * @param {Buttons} buttons
 */
function moreFor({ server }, buttons) {
  const range = { type: "range", min: "0", max: "100", step: "1", "aria-label": "Speed" };
  const speed = [make("span", {}, "Speed"), make("input", range), make("output")];
  return make(
    "div",
    { className: "popover", role: "group", "aria-label": "More" },
    buttons.item("back-example", { className: "also slim" }),
    buttons.step("back-mistake"),
    ...(buttons.ofMode(ALSO) ?? epochs(buttons)),
    make("hr"),
    make("label", { className: "speed", title: "Slower (S), faster (F)" }, ...speed),
    buttons.item("slow", PRESSED),
    buttons.item("predict", PRESSED),
    make("hr"),
    buttons.item("redraw"),
    buttons.item("reorder"),
    buttons.item("edit", { ...ALSO, ...PRESSED }),
    buttons.item("panels", { ...ALSO, ...EXPANDED }),
    buttons.item("numbers", { ...ALSO, ...EXPANDED }),
    make("hr"),
    buttons.item("full"),
    buttons.item("preferences", EXPANDED),
    buttons.item("present", server ? IN_SMALL_BAR : {}),
    ...(server ? [] : [buttons.item("link")]),
    buttons.item("help", server ? { ...IN_SMALL_BAR, ...EXPANDED } : EXPANDED),
  );
}

const ON_BOARD =
  "The board: map, mistakes, margins and timeline, in words below. Right and left walk from example to example, down and " +
  "up over those that are remembered, with Shift to any place; Enter keeps one, Escape leaves.";

/** @param {Capabilities} capabilities @param {Buttons} buttons */
function barFor(capabilities, buttons) {
  const play = {
    className: "play",
    "data-do": "play",
    title: "Play (Space)",
    "aria-label": "Play",
  };
  return make(
    "div",
    { className: "bar", role: "group", "aria-label": "Player" },
    make("button", { type: "button", ...play }, icon("play"), make("span", {}, "Play")),
    buttons.steps("example"),
    buttons.next("mistake"),
    ...(buttons.ofMode() ?? [buttons.next("epoch")]),
    buttons.one("edit", PRESSED),
    buttons.one("panels", EXPANDED),
    buttons.one("numbers", EXPANDED),
    make("button", { type: "button", className: "opens more" }, "More"),
    moreFor(capabilities, buttons),
  );
}

/** @param {Player} player @param {Buttons} buttons */
function helpFor(player, buttons) {
  const keys = make("section", { className: "keys" }, ...keysOn(player));
  return make(
    "div",
    { ...MENU, className: "menu help", "aria-label": "What you see, and all keys" },
    closing(null, CLOSES_MENUS),
    make(
      "div",
      { className: "sheet" },
      seenOn(player),
      keys,
      make("p", { className: "around" }, buttons.plain("first-minute")),
    ),
  );
}

/** @param {Player} player @param {Buttons} buttons */
function partsFor(player, buttons) {
  const label = player.modes.ask("boardLabel") ?? ON_BOARD;
  const board = { tabIndex: 0, role: "application", "aria-label": label };
  const leave = { className: "leave", "data-do": "present", title: "End presenting (W)" };
  const pinned = { className: "copy", role: "group", "aria-label": "What is pinned", hidden: true };
  return [
    make("canvas", board),
    barFor(player.capabilities, buttons),
    make("div", { className: "knob", hidden: true }),
    make("button", { type: "button", className: "go", "data-do": "play" }, "Play or pause"),
    make("button", { type: "button", ...leave }, "End"),
    helpFor(player, buttons),
    make("div", { ...MENU, className: "menu preferences", "aria-label": "Preferences" }),
    make(
      "div",
      { ...MENU, className: "menu numbers", "aria-label": "The runs in numbers" },
      closing(null, CLOSES_MENUS),
      make("div"),
    ),
    make("div", pinned, buttons.plain("copy-probe"), buttons.plain("terms")),
    make("button", { type: "button", className: "rescale", "data-do": "rescale", hidden: true }),
    make("p", { className: "live", "aria-live": "polite" }),
    make("p", { className: "status", role: "status", hidden: true }),
  ];
}

/** @param {Element} root */
const elements = (root, selector) =>
  /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);

export class Controls {
  speedKey = ""; // The speed that the menu shows, as a text.
  buttonsKey = ""; // The labels of the buttons, and which are pressed, as a text.
  barPlace = { y: 0, h: 0 }; // The place that the layout gives to the bar.
  bottomInset = 0; // In px: so much of the window is covered at its bottom.
  corner = { left: 0, top: 0 }; // The left upper corner of the board.
  /** @type {{ top: number, bottom: number } | null} */
  floatsOver = null; // What the bar covers of the board, in px of it.
  /** @type {HTMLElement[]} */
  ghosts = []; // Before there is a run, they stand where its maps and timeline will be.
  giveFocusBack = () => {}; // Called where a dialog closes: to what had the focus before it.
  numbersKey = ""; // The runs and the instant whose numbers are in their table, as a text.
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  statusTimer; // It ends what is said for a moment.

  /** @param {HTMLElement} root @param {Actions} actions @param {Player} player */
  constructor(root, actions, player) {
    const { capabilities, cursor } = player;
    this.root = root;
    this.player = player;
    this.actions = actions;
    const listed = new Map(actionsOf(capabilities).map((action) => [action.name, action]));
    this.buttons = new Buttons(player, listed);
    const { buttons } = this;
    root.replaceChildren(...partsFor(player, buttons));
    this.chooser = new Chooser(root, capabilities.panels, buttons, () => this.menu(null));
    // The pages have different actions: buttons for which this page has none are taken out.
    for (const button of elements(root, "[data-do]")) {
      if (!listed.has(button.dataset.do)) button.remove();
    }
    this.changing = [...listed.values()].filter(
      ({ label, pressed, disabled, hidden }) =>
        pressed || disabled || hidden || typeof label === "function",
    );
    const find = (selector) => elements(root, selector)[0];
    this.canvas = root.querySelector("canvas");
    this.bar = find(".bar");
    this.more = new Popover(
      /** @type {HTMLButtonElement} */ (find(".bar .more")),
      find(".bar .popover"),
    );
    this.bar.append(this.more.place);
    this.knob = find(".knob"); // Where there is a server, its number is always in sight.
    this.topBar = capabilities.server
      ? new TopBar(root, player, (name) => actions.press(name))
      : null;
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
      numbers: find(".menu.numbers"),
    };
    this.pager = new Pager(root, (by) => actions.turnPage(by));
    root.addEventListener("click", (event) => {
      const path = /** @type {HTMLElement[]} */ (event.composedPath());
      const pressed = path.find(
        ({ dataset }) => dataset && (dataset.do || dataset.edit || dataset.preset),
      );
      if (!pressed) return;
      const { do: name, edit, preset } = pressed.dataset;
      if (preset) actions.preset(preset);
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
    if (!persist) this.statusTimer = setTimeout(() => this.#show(null), MOMENT);
  }

  #show(text) {
    clearTimeout(this.statusTimer);
    this.statusLine.textContent = text ?? "";
    this.statusLine.hidden = text === null;
    if (text !== null) this.#placeStatus();
  }

  /** Open one menu, or close it if it is open; null closes all. */
  menu(name) {
    const { chooser } = this;
    const wasChooserOpen = chooser.open;
    if (name === "help") this.#listKeys();
    if (name === "numbers") this.#listNumbers();
    this.closePopovers();
    chooser.show(name === "panels" && !wasChooserOpen);
    if (this.#isDialogOpen) this.giveFocusBack();
    for (const [key, menu] of Object.entries(this.menus)) {
      // The chooser of panels was shown or hidden above.
      if (key !== "panels") menu.hidden = key !== name || !menu.hidden;
      for (const button of this.#buttonsOf(key)) put(button, { "aria-expanded": !menu.hidden });
    }
    if (wasChooserOpen !== chooser.open) this.actions.chooserTurned();
    for (const element of elements(this.root, UNDER_HELP)) element.inert = !this.menus.help.hidden;
    if (!this.#isDialogOpen) return;
    this.giveFocusBack = givingFocusBack(this.menus[name]);
    this.menus[name].focus();
  }

  /** On the stage keys do other things than on the board. */
  #listKeys() {
    this.menus.help.querySelector(".keys").replaceChildren(...keysOn(this.player));
  }

  /** The numbers of the runs that are compared follow the instant while they are open. */
  #listNumbers() {
    const { t, runs } = this.player;
    const key = [t, ...runs.all.map(({ id }) => id)].join();
    if (key === this.numbersKey) return;
    this.numbersKey = key;
    this.menus.numbers.lastElementChild.replaceChildren(...runTable(this.player));
  }

  /** The buttons that open a menu. */
  #buttonsOf(name) {
    const bars = [this.root, this.topBar?.element].filter(Boolean);
    return bars.flatMap((bar) => elements(bar, `[data-do=${name}][aria-expanded]`));
  }

  get popovers() {
    return [this.more, this.topBar?.share, this.topBar?.places].filter((one) => one?.open);
  }

  closePopovers() {
    for (const one of this.popovers) one.show(false);
  }

  /** Close what lies over the board. */
  clear() {
    if (this.player.bare || this.#isDialogOpen) this.menu(null);
  }

  get #isDialogOpen() {
    return DIALOGS.some((name) => !this.menus[name].hidden);
  }

  get open() {
    return this.popovers.length > 0 || Object.values(this.menus).some((menu) => !menu.hidden);
  }

  /**
   * Before there is a run the bar is where it will be, and so are ghosts of the maps and the
   * timeline.
   *
   * @param {ReturnType<typeof roomOf>} room
   * @param {number} runs
   */
  frame(room, runs) {
    const shape = { ...room, touch: this.player.byTouch, runs, knob: true };
    const layout = layoutOf(new Set(), shape);
    this.root.style.height = `${layout.height}px`;
    this.place({ ...layout, sheet: false }, room);
    for (const ghost of this.ghosts) ghost.remove();
    const mapsAndTimeline = Object.entries(layout.panels).filter(
      ([name]) => name.startsWith("map") || name.startsWith("timeline"),
    );
    this.ghosts = mapsAndTimeline.map(([, place]) => {
      const ghost = make("i", { className: "ghost", ariaHidden: "true" });
      lay(ghost, place);
      return ghost;
    });
    this.root.append(...this.ghosts);
  }

  /** @param {Layout} layout @param {{ left: number, top: number }} corner of the board */
  place(layout, corner) {
    const { bar, knob, narrow, low } = layout;
    this.pager.place(layout, corner);
    if (this.chooser.open) lie(this.chooser.element, layout);
    this.root.classList.toggle("narrow", narrow);
    this.root.classList.toggle("low", Boolean(low));
    this.root.classList.toggle("compared", this.player.runs.all.length > 1);
    this.topBar?.mark(this.player.shown);
    this.barPlace = bar;
    this.bottomInset = layout.sheet ? layout.dock.h : 0;
    lay(this.bar, bar);
    put(this.knob, { hidden: !knob });
    if (knob) lay(this.knob, knob);
    this.corner = corner;
    if (!this.statusLine.hidden) this.#placeStatus();
    this.keepInView();
  }

  /**
   * At the free end of the first line, or of the tools, where there is room; else over the bar, or
   * a narrow board's panel. A stage has no bar: there it lies on the lower edge of the map, where
   * points are rare.
   */
  #placeStatus() {
    const { statusLine: line, corner, player } = this;
    const head = freeHead(player);
    const headInRoot = head && {
      ...head,
      right: corner.left + head.right,
      top: corner.top + head.top,
    };
    for (const free of [headInRoot, freeTools(this.root, player)]) {
      if (!free) continue;
      line.className = "status head";
      line.style.fontSize = `${free.size}px`;
      line.style.setProperty("--left", `${free.right}px`);
      line.style.setProperty("--top", `${free.top}px`);
      if (line.offsetWidth <= free.w) return;
    }
    line.removeAttribute("style");
    line.className = player.layout?.narrow === false ? "status over" : "status";
    const isOnStage = player.layout && player.bare && player.runs.all.length === 1;
    if (!isOnStage) return;
    const { x, y, w, h } = player.layout.panels.map;
    const under = this.root.clientHeight - corner.top - y - h;
    line.style.setProperty("--left", `${corner.left + x + w / 2}px`);
    line.style.setProperty("--bottom", `${under + STATUS_GAP}px`);
  }

  /**
   * Where the page, or what is seen of it, ends above the place of the bar, it floats over the
   * board.
   */
  keepInView() {
    const { y, h } = this.barPlace;
    const visible = Math.max(
      window.innerHeight - this.bottomInset - this.root.getBoundingClientRect().top - h,
      0,
    );
    this.bar.style.top = `${Math.min(y, visible)}px`;
    this.floatsOver = visible < y ? { top: visible, bottom: visible + h } : null;
    this.bar.classList.toggle("floating", visible < y);
  }

  /**
   * A mode has the map, and with it the arrows of the canvas, or gives it back.
   *
   * @param {boolean} on
   */
  takeMap(on) {
    if (!on && this.canvas.matches(":focus")) this.root.focus({ preventScroll: true });
    this.root.classList.toggle("editing", on);
    this.#updateButtons();
  }

  /** What changes from frame to frame. @param {Player} player */
  update(player) {
    const { clock } = player;
    for (const ghost of this.ghosts.splice(0)) ghost.remove();
    this.chooser.update(player);
    if (!this.menus.numbers.hidden) this.#listNumbers();
    const { slowest, fastest } = clock.limits;
    const share = Math.log(clock.speed / slowest) / Math.log(fastest / slowest);
    this.#updateButtons();
    const speedKey = [clock.speed, clock.rate].join();
    if (speedKey === this.speedKey) return;
    this.speedKey = speedKey;
    this.speed.value = String(Math.round(100 * share));
    const pace = paceOf(clock.rate);
    this.output.textContent = `${pace}/s`;
    put(this.speed, { "aria-valuetext": `${pace} steps a second` });
  }

  /**
   * What can be done with what is pinned stands under its box, or above it.
   *
   * @param {Board} board
   */
  placePinned({ panels, height }) {
    const { player, pinned: box, corner } = this;
    const tip = /** @type {RectMark | undefined} */ (
      panels.find(({ name }) => name === "tip")?.marks[0]
    );
    put(box, { hidden: !tip || !(player.pinnedTouch?.probe || player.pinnedTouch?.full) });
    if (!tip || box.hidden) return;
    const terms = box.querySelector("[data-do=terms]");
    const isExample = player.pinnedTouch?.hot.size === 1;
    if (terms) put(terms, { hidden: !isExample || player.shows("remembered") });
    const under = tip.y + tip.h + 4;
    const high = box.offsetHeight;
    const y =
      under + high < Math.min(height, this.barPlace.y) ? under : Math.max(tip.y - high - 4, 0);
    const left = Math.min(corner.left + tip.x, this.root.clientWidth - box.offsetWidth);
    Object.assign(box.style, { left: `${left}px`, top: `${corner.top + y}px` });
  }

  /**
   * The button that rescales is there where it helps, and to go back, if there is room for it.
   *
   * @param {Board} board
   */
  placeRescale({ panels }) {
    const { rescale: button, player, corner } = this;
    const byHand = player.colourLimit.value !== null;
    const words = byHand ? "Scale of the run" : "Rescale";
    put(button, {
      hidden: !byHand && !needsRescaling(player),
      title: byHand ? "Colours as they are for the whole run" : "Rescale the colours to this step",
    });
    if (button.hidden) return;
    const { fonts } = player.palette;
    const widthOf = (text) =>
      textWidth(text, step("small", player.layout.unit), fonts) + RESCALE_SIDES;
    const width = widthOf(words);
    const head = freeHead(player);
    const lines = ["strip", "axis"].map((name) => panels.find((panel) => panel.name === name));
    const [inStrip, underMap] = lines.map((line) => {
      const end = freeEnd(line, width, fonts);
      const h = Math.min(line?.rect.h ?? 0, RESCALE_HEIGHT);
      return end === null ? null : { x: end, y: line.rect.y + (line.rect.h - h) / 2, h };
    });
    const hasRoomInHead = head !== null && head.w >= width;
    const inHead = hasRoomInHead ? { x: head.right, y: head.top, h: RESCALE_HEIGHT } : null;
    const isInHead = inHead !== null && !inStrip;
    // Away from the scale it says what it rescales.
    const long = byHand ? words : "Rescale the colours";
    put(button, { textContent: isInHead && head.w >= widthOf(long) ? long : words });
    const place = inStrip ?? inHead ?? underMap; // Beside the scale if that can be.
    put(button, { hidden: place === null });
    if (place === null) return;
    const { x, y, h } = place;
    put(button.style, {
      left: `${corner.left + x}px`,
      top: `${corner.top + y}px`,
      height: `${h}px`,
    });
  }

  /** Buttons whose label changes with what is shown, or that stay pressed, say how it is now. */
  #updateButtons() {
    const { player } = this;
    const changing = this.changing.map((action) => ({
      action,
      label: labelOf(action, player),
      pressed: action.pressed?.(player),
      // It is not `disabled`, since a button would lose the focus by that.
      states: { "aria-disabled": action.disabled?.(player), hidden: action.hidden?.(player) },
    }));
    const buttonsKey = JSON.stringify(
      changing.map(({ label, pressed, states }) => [label, pressed, states]),
    );
    if (buttonsKey === this.buttonsKey) return;
    this.buttonsKey = buttonsKey;
    for (const { action, label, pressed, states } of changing) {
      for (const button of elements(this.root, `[data-do=${action.name}]`)) {
        for (const [name, state] of Object.entries(states)) {
          if (state !== undefined) put(button, { [name]: state });
        }
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
      const [name, words] = PLAY_FACES[label];
      button.replaceChildren(icon(name), make("span", {}, words));
      put(button, { "aria-label": label, title: tipOf(action, this.player) });
      return;
    }
    if (!this.bar.contains(button)) return;
    const tip = tipOf(action, this.player);
    put(button, { title: tip, "aria-label": tip });
    // The button of a step has a sign and, in bold, what one goes by: "mistake" of "Next mistake".
    const unit = button.querySelector("b");
    if (unit) {
      const [, grain] = label.split(/ (.*)/);
      unit.textContent = grain;
      const group = button.closest(".step");
      if (group) put(group, { "aria-label": grain });
    }
    if (!unit && !button.querySelector("svg")) button.textContent = label;
  }

  /**
   * Set the tips of the buttons that draw data or an order anew: what they do, or why nothing.
   *
   * @param {{ command: string, tip: string, disabled: string | null }[]} buttons
   */
  showCommands(buttons) {
    for (const { command, tip, disabled } of buttons) {
      const button = this.bar.querySelector(`[data-do=${command}]`);
      if (button) put(button, { title: tip, "aria-disabled": Boolean(disabled) });
    }
  }
}
