// A light that follows the pointer while the rest of the stage dims.

const HELD = 350; // ms that the button is held until it is a light
const USUAL = 0.17; // radius over the stage's height
const [SMALLEST, LARGEST] = [0.05, 0.6];
const PER_WHEEL = 580; // px of the wheel that double it
const STILL = 9; // px within which the pointer rests while the button is held

export class Spotlight {
  constructor(stage) {
    this.stage = stage;
    this.on = false;
    this.at = null;
    this.radius = USUAL;
    this.held = null; // { px, py, timer } while the button is down
    this.lent = false; // on only while the button is held
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const { canvas } = stage;
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { ...options, passive: false });
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, () => this.#release(), options);
    this.stop = () => controller.abort();
  }

  toggle(on = !this.on) {
    this.on = on;
    this.lent = false;
    if (on) this.stage.pinned = null;
    this.at ??= this.stage.pointer;
    this.stage.point(this.at);
  }

  /** The pointer is here: what it touches is told by no tip while the light is on. */
  follow(pointer) {
    if (pointer) this.at = pointer;
    if (this.held && pointer && Math.hypot(pointer.px - this.held.px, pointer.py - this.held.py) > STILL && !this.lent)
      this.#release();
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
    if (!this.on) return;
    event.preventDefault();
    this.radius = Math.min(Math.max(this.radius * 2 ** (-event.deltaY / PER_WHEEL), SMALLEST), LARGEST);
    this.stage.redraw();
  }

  /** What lies over the board; of a light that has no place yet nothing. */
  marks({ width, height }, fill) {
    if (!this.on || !this.at) return [];
    return [
      {
        kind: "spotlight",
        x: this.at.px,
        y: this.at.py,
        r: this.radius * height,
        w: width,
        h: height,
        fill,
        alpha: 0.72,
        name: "spotlight",
      },
    ];
  }
}
