// Present: the stage alone, over everything else, for a class.

import { Panel } from "../panels/board.js";
import { fillScreen } from "../shell/dom.js";
import { Legible } from "../model/measure.js";
import { BY_NAME } from "../model/panel_table.js";
import { keep, kept } from "../service/keep.js";

/** Shapes of the stage: their words, and width over height; null: that of the window. */
export const SHAPES = /** @type {Record<string, [string, number | null]>} */ ({
  window: ["window", null],
  "16x9": ["16:9", 16 / 9],
  "4x3": ["4:3", 4 / 3],
  "1x1": ["square", 1],
  "9x16": ["vertical", 9 / 16],
});

const BY_TOUCH = "Tap the right half for the next example, the left half for the previous one.";
const REST = 2000; // ms after which a pointer at rest is hidden
const MODIFIERS = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta"]);
const FULL = "kpviz-full"; // a reload leaves the full screen: the next key asks for it again

/** @import { Player } from "../model/player.js" */
/** @import { Stage } from "../shell/stage.js" */
/** @import { Board, Mark, Pointer, SpotlightMark } from "../types.d.ts" */

export class Present {
  shape = "window"; // also while it is off: the one to begin with
  blank = false;
  full = false; // it filled the screen
  again = false; // it filled the screen before a reload, and may again at the next key
  legible = new Legible();
  /** @type {number | undefined} */
  timer;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.spotlight = new Spotlight(stage);
    const controller = new AbortController();
    const options = { signal: controller.signal };
    document.addEventListener("fullscreenchange", () => this.#screenChanged(), options);
    stage.root.addEventListener("pointermove", () => this.#awake(), options);
    stage.root.addEventListener("pointerdown", (event) => this.#pressed(event), { ...options, capture: true });
    this.stop = () => {
      controller.abort();
      this.spotlight.stop();
      clearTimeout(this.timer);
      this.#chrome(false);
    };
  }

  get on() {
    return this.stage.player.presenting;
  }

  toggle() {
    if (this.on) this.end();
    else this.begin();
  }

  /** Present in a shape; a link that does so cannot ask for the full screen: that takes a key. */
  begin(shape = this.shape, { ask = true } = {}) {
    const { editor, controls, player } = this.stage;
    if (player.editing.on) editor.toggle(false);
    controls.menu(null);
    this.stage.tour.stop();
    const fresh = !this.on;
    player.stage = this.shape = shape;
    this.again = !ask && kept(FULL) !== null;
    this.#chrome(true);
    this.#awake();
    if (ask && fresh) this.#fillScreen();
    this.stage.arrange();
    if (ask) this.stage.say(this.#announcement(fresh));
  }

  end() {
    if (!this.on) return;
    this.stage.player.stage = null;
    this.blank = this.full = false;
    this.spotlight.toggle(false);
    this.#chrome(false);
    keep(FULL, null);
    if (document.fullscreenElement) document.exitFullscreen();
    this.stage.controls.menu(null);
    this.stage.arrange();
  }

  /** The next shape. */
  cycle() {
    const names = Object.keys(SHAPES);
    if (this.on) this.begin(names[(names.indexOf(this.shape) + 1) % names.length]);
    else this.stage.say("W presents; then J changes the shape of the stage.");
  }

  #announcement(fresh) {
    const { without = [], pages = [] } = this.stage.player.layout;
    const later = pages.flat();
    const missing = without.filter((name) => !later.includes(name));
    const words = fresh
      ? [this.stage.player.byTouch ? BY_TOUCH : "W or Esc ends it, J changes its shape, L is a light."]
      : [`${SHAPES[this.shape][0][0].toUpperCase()}${SHAPES[this.shape][0].slice(1)}.`];
    if (pages.length > 1) words.push("9 and 0 turn the pages of panels.");
    if (missing.length) words.push(`No room here for: ${missing.map((name) => BY_NAME[name].short).join(", ")}.`);
    return words.join(" ");
  }

  // ---- the screen -----------------------------------------------------------------------------

  async #fillScreen(on = true) {
    this.again = false;
    this.full = false;
    keep(FULL, null);
    try {
      if (on && !document.fullscreenElement) await fillScreen(this.stage.root);
      this.full = on && this.on;
      if (!this.full) await document.exitFullscreen(); // it may have ended meanwhile
      keep(FULL, this.full ? "yes" : null);
    } catch {
      this.full = false; // not allowed here: the stage covers the window
    }
  }

  /** The browser left the full screen by itself, as by its own Esc. */
  #screenChanged() {
    if (this.full && !document.fullscreenElement) this.end();
    else this.stage.arrange();
  }

  #chrome(off) {
    this.stage.root.classList.toggle("presenting", off);
    this.stage.controls.topBar?.hide(off); // they are behind the stage
  }

  /** The pointer moved: it is seen for a while. */
  #awake() {
    clearTimeout(this.timer);
    this.stage.root.classList.remove("resting");
    if (this.on) this.timer = setTimeout(() => this.stage.root.classList.add("resting"), REST);
  }

  /** A blank stage comes back; else the button may be held for a light. */
  #pressed(event) {
    if (!this.on) return;
    this.#awake();
    if (this.blank) {
      event.stopPropagation();
      this.#cover(false);
    } else if (event.target === this.stage.canvas && event.button === 0 && this.stage.player.run) {
      const box = this.stage.canvas.getBoundingClientRect();
      const at = { px: event.clientX - box.left, py: event.clientY - box.top };
      if (event.pointerType === "touch" && !this.spotlight.on) this.#tapped(at, event);
      else this.spotlight.press(at);
    }
  }

  /** A finger has no keys: the right half is the next example, the left one the previous; the timeline stays itself. */
  #tapped({ px, py }, event) {
    const { player } = this.stage;
    if (!event.isPrimary || py >= (player.layout.panels.timeline?.y ?? Infinity) - 4) return;
    event.stopPropagation();
    player.cursor.step("example", px > player.width / 2 ? 1 : -1);
  }

  // ---- keys -----------------------------------------------------------------------------------

  /** Whether a key means something of its own here, which is then done. */
  key(name, shift) {
    if (!this.on || MODIFIERS.has(name) || /^F\d/.test(name)) return false;
    if (this.again && name !== "Escape" && name !== "w") this.#fillScreen();
    if (this.blank) {
      this.#cover(false);
      return true;
    }
    if (this.stage.root.classList.contains("resting") && this.stage.player.pointer) this.stage.point(null); // its tip goes with it
    const action = this.#actions()[shift ? `Shift+${name}` : name];
    action?.();
    return Boolean(action);
  }

  #actions() {
    const { controls, actions, player } = this.stage;
    const { cues, cursor, pinned } = player;
    const closes = controls.open || pinned;
    const { lesson } = this.stage;
    const turn = (direction) => () => lesson?.turn(direction) || cursor.toCue(direction);
    const clicker = cues.placed.length || lesson?.open ? { PageDown: turn(1), PageUp: turn(-1) } : {};
    return {
      ...clicker,
      ...lesson?.keys,
      Escape: () => (closes ? actions.escape() : this.end()),
      ".": () => this.#cover(true),
      b: () => this.#cover(true),
      l: () => this.spotlight.toggle(),
      v: () => this.#fillScreen(!this.full),
    };
  }

  #cover(on) {
    this.blank = on;
    this.stage.root.classList.toggle("blank", on);
    this.stage.redraw();
  }

  // ---- what is drawn --------------------------------------------------------------------------

  /** Where the canvas lies in the window: { left, top, width, height }, the last two even. */
  box() {
    const [w, h] = [window.innerWidth, window.innerHeight - this.stage.notices.height];
    const [, shape] = SHAPES[this.shape];
    const even = (length) => Math.max(2 * Math.floor(length / 2), 2);
    const width = even(shape ? Math.min(w, h * shape) : w);
    const height = even(shape ? Math.min(h, w / shape) : h);
    return { left: Math.floor((w - width) / 2), top: Math.floor((h - height) / 2), width, height };
  }

  /**
   * Make a board one for a class: an opaque background, large type, and what lies over it.
   *
   * @param {Board} board
   * @param {Player} player
   */
  finish(board, { layout, palette, run }) {
    if (!this.on) return board;
    const dark = run.header.tokens.themes.dark.paper;
    for (const panel of board.panels) this.legible.fit(panel, { least: layout.least, fonts: palette.fonts, ...board });
    /** @type {Mark[]} */
    const over = this.blank
      ? [{ kind: "rect", x: 0, y: 0, w: board.width, h: board.height, fill: dark, name: "blank" }]
      : this.spotlight.marks(board, dark);
    if (over.length) board.panels.push(new Panel("over", null, { still: [], moving: over }));
    return board;
  }
}

// A light that follows the pointer while the rest of the stage dims.

const HELD = 350; // ms that the button is held until it is a light
const RADIUS = 0.17; // its radius over the stage's height
const [SMALLEST, LARGEST] = [0.05, 0.6];
const PER_WHEEL = 580; // px of the wheel that double it
const STILL = 9; // px within which the pointer rests while the button is held

class Spotlight {
  on = false;
  /** @type {Pointer | null} */
  at = null;
  radius = RADIUS;
  /** @type {Pointer & { timer: number } | null} */
  held = null; // while the button is down
  lent = false; // on only while the button is held

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    const controller = new AbortController();
    const options = { signal: controller.signal };
    this.wheel = (event) => this.#wheel(event);
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, () => this.#release(), options);
    this.stop = () => controller.abort();
  }

  toggle(on = !this.on) {
    this.on = on;
    this.lent = false;
    const { canvas } = this.stage;
    if (on) canvas.addEventListener("wheel", this.wheel, { passive: false });
    else canvas.removeEventListener("wheel", this.wheel); // a page that scrolls would wait for it
    if (on) this.stage.player.pinned = null;
    this.at ??= this.stage.player.pointer;
    this.stage.point(this.at);
  }

  /** The pointer is here: what it touches is told by no tip while the light is on. @param {Pointer | null} pointer */
  follow(pointer) {
    if (pointer) this.at = pointer;
    const gone = this.held && pointer ? Math.hypot(pointer.px - this.held.px, pointer.py - this.held.py) : 0;
    if (gone > STILL && !this.lent) this.#release();
    return this.on ? null : pointer;
  }

  /** The button went down: it may be held. */
  press(pointer) {
    const timer = setTimeout(() => {
      this.toggle(true);
      this.lent = true;
    }, HELD);
    this.held = { ...pointer, timer };
  }

  #release() {
    if (!this.held) return;
    clearTimeout(this.held.timer);
    this.held = null;
    if (this.lent) this.toggle(false);
  }

  #wheel(event) {
    event.preventDefault();
    this.radius = Math.min(Math.max(this.radius * 2 ** (-event.deltaY / PER_WHEEL), SMALLEST), LARGEST);
    this.stage.redraw();
  }

  /**
   * What lies over the board; of a light that has no place yet nothing.
   *
   * @param {Board} board
   * @param {string} fill
   * @returns {SpotlightMark[]}
   */
  marks({ width, height }, fill) {
    if (!this.on || !this.at) return [];
    const { px: x, py: y } = this.at;
    const r = this.radius * height;
    return [{ kind: "spotlight", x, y, r, w: width, h: height, fill, alpha: 0.72, name: "spotlight" }];
  }
}
