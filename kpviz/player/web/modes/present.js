// Present: the stage alone, over everything else, for a class.

import { ClassVotes } from "./class_votes.js";
import { Join } from "../page/join.js";
import { Slides } from "../page/slides.js";
import { Panel } from "../panels/board.js";
import { fillScreen, focusedElement } from "../page/dom.js";
import { chart } from "../panels/chart.js";
import { Legible, shortened } from "../paint/measure.js";
import { STAGE_SHAPES } from "../board/projector_layout.js";
import { helpOfStage, stageAction } from "./present_actions.js";
import { step } from "../board/scale.js";
import { capitalized } from "../run/words.js";
import { keep, recall, PLACES } from "../service/texts.js";

const BY_TOUCH = "Tap right to go on, left to go back.";
const EDGE = 0.44; // The width of the settings over the stage's height.
const REST = 2000; // In ms: a pointer that rests for so long is hidden.
const READ = 8000; // In ms: if a card says what it points at, both are hidden after so long.
const MODIFIERS = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta"]);
// While words fill the stage: these keys turn them, forwards and backwards.
const TURNS = /** @type {Record<string, 1 | -1>} */ ({
  PageDown: 1,
  ArrowRight: 1,
  ArrowDown: 1,
  " ": 1,
  Enter: 1,
  PageUp: -1,
  ArrowLeft: -1,
  ArrowUp: -1,
});
// These would step through the run: they show the board, and do no more.
const KEYS_THAT_SHOW_BOARD = /^(x|Home|End|Shift\+Arrow(Left|Right))$/;
// These change the board: they show it first.
const KEYS_THAT_CHANGE_RUN = /^((Shift\+)?([1024568degkmnotz]|Backspace)|q)$/;

/** @import { Stage } from "../page/stage.js" */
/** @import { Palette } from "../paint/colors.js" */
/** @import { Board, Layout, Mark, Pointer, Rect, SpotlightMark } from "../board/types.d.ts" */
/** @import { KeyPress, Mode } from "./types.d.ts" */
/** @import { Envelope } from "../run/types.d.ts" */
/** @import { PageState } from "../service/types.d.ts" */

/** @implements {Mode} */
export class Present {
  name = "present";
  // What the board asks a mode, see `ModeQuestion` (types.d.ts).
  guides = true;
  bare = true;
  leaps = true; // Nobody waits before a class while nothing happens.
  boardShape = { kind: "projector" };

  shape = "window"; // While one does not present, this is the shape to begin with.
  blank = false;
  full = false; // It has filled the screen: if the browser leaves that, presenting ends.
  // It filled the screen before a reload or the notes, so the next key may fill it again.
  mayFillAgain = false;
  legible = new Legible();
  /** @type {PageState | null} */
  stateBefore = null; // The settings that were there when presenting began.
  /** @type {Set<string>} */
  panelsBefore = new Set(); // The panels that were on then.
  /** @type {HTMLElement | null} */
  focusBefore = null; // The element that had the focus then.
  /** @type {number | undefined} */
  timer;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.spotlight = new Spotlight(stage);
    this.slides = new Slides(stage);
    this.join = new Join(stage);
    this.classVotes = new ClassVotes(stage);
    const controller = new AbortController();
    const options = { signal: controller.signal };
    document.addEventListener("fullscreenchange", () => this.#screenChanged(), options);
    stage.root.addEventListener("pointermove", () => this.#awake(), options);
    stage.root.addEventListener("pointerdown", (event) => this.#pressed(event), {
      ...options,
      capture: true,
    });
    this.stop = () => {
      controller.abort();
      this.spotlight.stop();
      clearTimeout(this.timer);
      this.#showPresenting(false);
    };
  }

  get on() {
    return this.stage.player.modes.has(this);
  }

  toggle() {
    if (this.on) this.end();
    else this.begin();
  }

  /**
   * Present in a shape. With `ask` it asks for the full screen, and says what keys do: a link that
   * presents cannot, since that takes a key.
   */
  begin(shape = this.shape, { ask = true } = {}) {
    const { dock, controls, player } = this.stage;
    player.modes.all("makeWay");
    controls.menu(null);
    player.modes.all("presents"); // Those that make no way, as the first minute, end too.
    const fresh = !this.on;
    if (fresh) {
      dock?.close();
      this.focusBefore = focusedElement();
      this.stateBefore = this.stage.session?.state ?? null;
      this.panelsBefore = new Set(player.shown);
      this.stage.walk.leave();
      this.stage.point(null); // What was touched before is no matter of the class.
      player.state.change({ pinned: null });
    }
    this.shape = shape;
    this.mayFillAgain = !ask && recall(PLACES.full) !== null;
    this.#showPresenting(true);
    if (fresh) {
      player.state.together(() => {
        player.modes.enter(this);
        this.stage.standing.lesson?.presented();
      });
    } else this.stage.arrange();
    this.stage.link.sayStage(shape);
    this.#awake();
    if (ask && fresh) this.fillScreen();
    if (ask) this.stage.say(this.#announcement(fresh));
  }

  end() {
    if (!this.on) return;
    const { modes, state } = this.stage.player;
    clearTimeout(this.timer);
    state.together(() => {
      modes.leave(this);
      this.blank = false;
      this.full = false;
      this.spotlight.toggle(false);
      this.#showPresenting(false);
      keep(PLACES.full, null);
      this.slides.end();
      this.classVotes.end();
      this.join.close();
      this.stage.controls.menu(null);
    });
    this.stage.link.sayStage(null);
    const { focusBefore } = this;
    const left = document.fullscreenElement ? document.exitFullscreen() : Promise.resolve();
    left.then(() => focusBefore?.focus()); // Around a full screen nothing takes the focus.
    this.focusBefore = null;
  }

  /** The next shape. */
  cycle() {
    const names = Object.keys(STAGE_SHAPES);
    if (this.on) this.begin(names[(names.indexOf(this.shape) + 1) % names.length]);
    else this.stage.say("W presents; then J changes the shape of the stage.");
  }

  #announcement(fresh) {
    if (!fresh) return `${capitalized(STAGE_SHAPES[this.shape][0])}.`;
    const { byTouch, capabilities } = this.stage.player;
    if (byTouch) return BY_TOUCH;
    const next = capabilities.page === "fisher" ? "turn F" : "go on";
    return `→: ${next} · W or Esc: stop · J: shape of the stage · L: spotlight`;
  }

  /**
   * Open the window of notes; browsers leave the full screen for that, and the next key here fills
   * it again.
   */
  openNotes() {
    this.mayFillAgain = this.full;
    this.full = false;
    this.stage.notes.open();
  }

  // ---- what the board asks a mode --------------------------------------------------------------

  /** Begin with a link that presents. @param {Envelope["view"]} view */
  opens({ stage: shape }) {
    if (shape) this.begin(shape, { ask: false });
  }

  query() {
    return `stage=${this.shape}`;
  }

  /** @param {Pointer | null} pointer */
  pointed(pointer) {
    this.spotlight.follow(pointer);
  }

  /** A light shows the place of the pointer: nothing is told of it. */
  get hidesPointer() {
    return this.spotlight.on;
  }

  /** The keys of the stage. */
  help() {
    return { title: "Keys while presenting", rows: helpOfStage(this.stage) };
  }

  fontsArrived() {
    this.slides.refit();
  }

  /** @param {Rect & { panels: Record<string, Rect> }} box of the board in the window */
  placeWords(box) {
    this.slides.place(box);
  }

  // ---- the screen -----------------------------------------------------------------------------

  async fillScreen(on = true) {
    this.mayFillAgain = false;
    this.full = false;
    keep(PLACES.full, null);
    try {
      // A scene of the other page is opened in the same document: the screen may be full already.
      if (on && !document.fullscreenElement) await fillScreen(document.documentElement);
      this.full = on && this.on;
      // It was not wanted, or presenting has ended while the browser was asked.
      if (!this.full) await document.exitFullscreen();
      keep(PLACES.full, this.full ? "yes" : null);
    } catch {
      this.full = false; // The browser does not allow it: the stage covers the window.
    }
  }

  /** The browser left the full screen by itself, as by its own Esc. */
  #screenChanged() {
    if (this.full && !document.fullscreenElement) this.end();
    else this.stage.arrange();
  }

  #showPresenting(on) {
    this.stage.root.classList.toggle("presenting", on);
    this.stage.controls.topBar?.hide(on); // It is behind the stage.
  }

  /** The pointer moved: it is seen for a while. */
  #awake() {
    clearTimeout(this.timer);
    this.stage.root.classList.remove("resting");
    if (this.on) this.timer = setTimeout(() => this.#hidePointer(), REST);
  }

  /** The pointer hides, and its card with it, which takes longer to read. */
  #hidePointer(waited = REST) {
    const { root, player } = this.stage;
    if (player.touch.lines.length && waited < READ) {
      this.timer = setTimeout(() => this.#hidePointer(READ), READ - waited);
      return;
    }
    root.classList.add("resting");
    if (player.pointer && !this.spotlight.on) this.stage.point(null);
  }

  /** A press on a blank stage shows it again; one on the map may become a light, if it is held. */
  #pressed(event) {
    if (!this.on) return;
    this.#awake();
    if (this.blank) {
      event.stopPropagation();
      this.cover(false);
    } else if (event.target === this.stage.canvas && event.button === 0 && this.#isFree) {
      const box = this.stage.canvas.getBoundingClientRect();
      const at = { px: event.clientX - box.left, py: event.clientY - box.top };
      if (event.pointerType === "touch" && !this.spotlight.on) this.#tapped(at, event);
      else this.spotlight.hold(at);
    }
  }

  /** Whether no other mode has the map. */
  get #isFree() {
    const { run, modes } = this.stage.player;
    return run !== null && !modes.ask("takesMap");
  }

  /**
   * A finger has no keys: the right half is the next example, the left one the previous; the
   * timeline stays itself.
   */
  #tapped({ px, py }, event) {
    const { player } = this.stage;
    if (!event.isPrimary || py >= (player.layout.panels.timeline?.y ?? Infinity) - 4) return;
    event.stopPropagation();
    player.cursor.step("example", px > player.width / 2 ? 1 : -1);
  }

  // ---- keys -----------------------------------------------------------------------------------

  /** Whether a key means something of its own here, which is then done. @param {KeyPress} press */
  keys({ name, shift }) {
    if (MODIFIERS.has(name) || /^F\d/.test(name)) return undefined;
    if (this.stage.notices.clear() && name === "Escape") return true;
    // A key that was pressed in the window of notes may not fill the screen.
    const mayFill = this.mayFillAgain && navigator.userActivation?.isActive !== false;
    if (mayFill && name !== "Escape" && name !== "w") this.fillScreen();
    if (this.blank) {
      this.cover(false);
      return true;
    }
    // A pointer that is hidden points at nothing.
    if (this.stage.root.classList.contains("resting") && this.stage.player.pointer) {
      this.stage.point(null);
    }
    const pressed = shift ? `Shift+${name}` : name;
    if (this.join.on && pressed !== "y") {
      this.join.close();
      if (name === "Escape") return true;
    }
    if (this.slides.full && this.#onWords(pressed)) return true;
    const action = stageAction(this.stage, pressed);
    action?.run(this.stage);
    return action ? true : undefined;
  }

  /**
   * While words fill the stage, keys that step turn them or show the board, and the key is done
   * with; others that change the run show it first. Returns whether the key is done with.
   */
  #onWords(pressed) {
    if (pressed in TURNS) this.stage.standing.lesson.turn(TURNS[pressed]);
    else if (KEYS_THAT_SHOW_BOARD.test(pressed)) this.slides.hide();
    else {
      if (KEYS_THAT_CHANGE_RUN.test(pressed)) this.slides.hide();
      return false;
    }
    return true;
  }

  /**
   * Esc ends one thing: what is open, then the light, then words over the panels, and the stage
   * last.
   */
  endOne() {
    if (this.stage.actions.escape()) return;
    if (this.spotlight.on) this.spotlight.toggle(false);
    else if (this.slides.over === "panels") this.slides.hide();
    else this.end();
  }

  /** Back to the settings of the scene, or to those with which presenting began. */
  restore() {
    const { player, session, standing } = this.stage;
    player.modes.all("makeWay");
    if (standing.lesson?.restore()) return;
    const sameLink = session.state.link === this.stateBefore.link;
    if (sameLink && player.showsOnly(this.panelsBefore)) {
      this.stage.say("Nothing has been changed.");
    }
    if (!sameLink) session.command("replace", this.stateBefore);
    this.restorePanels(this.panelsBefore);
  }

  /** Show the panels that the scene has, and no other. @param {Iterable<string>} names */
  restorePanels(names) {
    const { player } = this.stage;
    if (player.showsOnly(names)) return;
    player.showOnly([...names]);
    this.stage.session?.again();
  }

  cover(on) {
    this.blank = on;
    this.stage.root.classList.toggle("blank", on);
    this.stage.redraw();
  }

  // ---- what is drawn --------------------------------------------------------------------------

  /** Where the canvas lies in the window: { left, top, width, height }, the last two even. */
  room() {
    const w = window.innerWidth;
    const h = window.innerHeight - this.stage.notices.heightIn(w);
    const [, shape] = STAGE_SHAPES[this.shape];
    const even = (length) => Math.max(2 * Math.floor(length / 2), 2);
    const width = even(shape ? Math.min(w, h * shape) : w);
    const height = even(shape ? Math.min(h, w / shape) : h);
    return { left: Math.floor((w - width) / 2), top: Math.floor((h - height) / 2), width, height };
  }

  /**
   * Where settings lie over the right edge of the stage.
   *
   * @returns {Pick<Layout, "dock" | "sheet">}
   */
  settings() {
    const { left, top, width, height } = this.room();
    const right = left + width;
    const w = Math.min(EDGE * height, right);
    return { dock: { x: right - w, y: top, w, h: height }, sheet: false };
  }

  /**
   * Make a board one for a class: an opaque background, large type, and what lies over it.
   *
   * @param {Board} board
   */
  finish(board) {
    const { layout, modes, palette, run } = this.stage.player;
    board.background = palette.paper;
    const dark = run.header.tokens.themes.dark.paper;
    for (const panel of board.panels) {
      this.legible.fit(panel, { least: layout.least, fonts: palette.fonts, ...board });
    }
    if (layout.heading) {
      board.panels.push(headingOf(modes.ask("lessonScene").heading, layout, palette));
    }
    /** @type {Mark[]} */
    const over = this.blank
      ? [{ kind: "rect", x: 0, y: 0, w: board.width, h: board.height, fill: dark, name: "blank" }]
      : this.spotlight.marks(board, dark);
    if (over.length) board.panels.push(new Panel("over", null, { still: [], moving: over }));
  }
}

/**
 * The scene's heading, a line above the sentence.
 *
 * @param {string} text
 * @param {Layout} layout
 * @param {Palette} palette
 */
function headingOf(text, { heading: { x, y, w, h, right }, unit, least }, { ink, fonts }) {
  const align = /** @type {"left" | "right"} */ (right ? "right" : "left");
  const size = Math.max(step("label", unit), least);
  const look = { size, weight: 600, fill: ink, align };
  const moving = [
    chart.text(right ? x + w : x, y + 0.68 * h, shortened(text, w, size, fonts, 600), look),
  ];
  return new Panel("heading", null, { still: [], moving });
}

// A light that follows the pointer while the rest of the stage dims.

const HELD = 350; // In ms: a button that is held for so long becomes a light.
const RADIUS = 0.17; // The radius of the light over the stage's height.
const SMALLEST = 0.05;
const LARGEST = 0.6;
const PER_WHEEL = 580; // In px: so far the wheel turns to double the radius.
const STILL = 9; // In px: the pointer counts as at rest within this distance.

class Spotlight {
  on = false;
  /** @type {Pointer | null} */
  at = null;
  radius = RADIUS;
  /** @type {Pointer & { timer: number } | null} */
  press = null; // It is there while the button is down.
  isOnWhileHeld = false; // The light goes with the button; else it is on until a key ends it.

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    const controller = new AbortController();
    const options = { signal: controller.signal };
    this.wheel = (event) => this.#wheel(event);
    for (const name of ["pointerup", "pointercancel"]) {
      window.addEventListener(name, () => this.#release(), options);
    }
    this.stop = () => controller.abort();
  }

  toggle(on = !this.on) {
    this.on = on;
    this.isOnWhileHeld = false;
    const { canvas } = this.stage;
    if (on) canvas.addEventListener("wheel", this.wheel, { passive: false });
    else canvas.removeEventListener("wheel", this.wheel); // A page that scrolls would wait for it.
    if (on) this.stage.player.state.change({ pinned: null });
    this.at ??= this.stage.player.pointer;
    this.stage.point(this.at);
  }

  /** The pointer is here. @param {Pointer | null} pointer */
  follow(pointer) {
    if (pointer) this.at = pointer;
    const { press } = this;
    const distance =
      press && pointer ? Math.hypot(pointer.px - press.px, pointer.py - press.py) : 0;
    if (distance > STILL && !this.isOnWhileHeld) this.#release();
  }

  /** The button went down: it may be held. */
  hold(pointer) {
    const timer = setTimeout(() => {
      this.toggle(true);
      this.isOnWhileHeld = true;
    }, HELD);
    this.press = { ...pointer, timer };
  }

  #release() {
    if (!this.press) return;
    clearTimeout(this.press.timer);
    this.press = null;
    if (this.isOnWhileHeld) this.toggle(false);
  }

  #wheel(event) {
    event.preventDefault();
    this.radius = Math.min(
      Math.max(this.radius * 2 ** (-event.deltaY / PER_WHEEL), SMALLEST),
      LARGEST,
    );
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
    return [
      { kind: "spotlight", x, y, r, w: width, h: height, fill, alpha: 0.72, name: "spotlight" },
    ];
  }
}
