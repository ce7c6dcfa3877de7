// A light that follows the pointer while the rest of the stage dims.

const HELD = 350; // ms that the button is held until it is a light
const DEFAULT = 0.17; // radius over the stage's height
const [SMALLEST, LARGEST] = [0.05, 0.6];
const PER_WHEEL = 580; // px of the wheel that double it
const STILL = 9; // px within which the pointer rests while the button is held

/** @import { Stage } from "../shell/stage.js" */
/** @import { Board, Pointer, SpotlightMark } from "../types.d.ts" */

export class Spotlight {
  on = false;
  /** @type {Pointer | null} */
  at = null;
  radius = DEFAULT;
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

  /**
   * The pointer is here: what it touches is told by no tip while the light is on.
   *
   * @param {Pointer | null} pointer
   */
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
