// Editing the points: gestures become messages that hold all points; until the answer is here the points lead.

import { Points } from "./drawn.js";
import { pointRadius } from "./panels/radius.js";

const NEAR = 7; // px beyond a point's edge that still touch it
const REMOVES = 48; // px within which the nearest point is removed or flipped
const APART = 10; // px between two points of the brush
const JITTER = 13; // px, standard deviation of the brush
const BY_MOUSE = "Click adds a point, drag moves it, right click removes it. Shift E or Esc ends.";
const BY_FINGER = "Tap adds a point, drag moves it, a long press removes it.";
const FINE = 0.004; // of the map's side, a step of the keyboard's cursor with Shift
const COARSE = 0.025;

export class Editor {
  constructor(stage) {
    this.stage = stage;
    this.on = false;
    this.label = 1;
    this.brush = false;
    this.points = null; // while they are ahead of the run
    this.drag = null;
    this.cursor = null; // of the keyboard, as shares of the map
    this.sent = 0;
    this.later = []; // what must wait for the server's points, in turn
    this.waits = 0;
    this.gesture = 0;
    this.seed = 1;
  }

  /** Why the points cannot be edited, "" if they can. */
  get why() {
    if (this.stage.cast.pinned.length)
      return "Let go of the pinned runs first (Shift P): a comparison cannot be edited.";
    return this.stage.run.header.drawing.why;
  }

  toggle(on = !this.on) {
    if (on && this.why) {
      this.stage.controls.status(this.why);
      return;
    }
    this.end();
    this.on = on;
    this.brush = false;
    this.cursor = null;
    this.stage.pinned = null;
    this.stage.clock.stop();
    this.stage.controls.editing(on);
    if (on) this.stage.controls.status(matchMedia("(pointer: coarse)").matches ? BY_FINGER : BY_MOUSE);
    this.stage.resize();
  }

  /** The points as they are shown now. */
  get shown() {
    return this.points ?? Points.of(this.stage.run);
  }

  /** The server has carried out everything up to message n, and its run is here. */
  acknowledge(n) {
    if (this.why) this.toggle(false);
    if (!this.drag && n >= this.sent) this.points = null;
    this.#goOn();
  }

  /** Go back, forward or to the original: the points are the server's to say, so edits wait for its answer. */
  ask(name) {
    this.end();
    this.#inTurn(
      () => {
        this.waits = this.stage.messages.add(name, this.stage.t);
        this.points = null;
      },
      { edits: false },
    );
  }

  /** Whether a gesture is under way, or waits for its turn. */
  get busy() {
    return this.drag !== null || this.later.length > 0;
  }

  #inTurn(act, { edits = true } = {}) {
    this.later.push({ act, edits });
    this.#goOn();
  }

  #goOn() {
    const free = ({ edits }) => !edits || !this.stage.messages.awaits(this.waits);
    while (this.later.length && free(this.later[0])) this.later.shift().act();
  }

  // ---- gestures -------------------------------------------------------------------------------

  get #view() {
    return this.stage.view;
  }

  #place(px, py) {
    const { rect } = this.#view;
    return this.#view.place(
      Math.min(Math.max(px, rect.x), rect.x + rect.w),
      Math.min(Math.max(py, rect.y), rect.y + rect.h),
    );
  }

  /** The point nearest to a pixel, -1 if none is within reach; `beyond` is what is added to its radius. */
  nearest(px, py, beyond = NEAR, points = this.shown) {
    const { run, pointScale, t } = this.stage;
    const view = this.#view;
    let [found, least] = [-1, Infinity];
    for (let i = 0; i < points.n; i++) {
      const [x1, x2] = points.at(i);
      const distance = Math.hypot(view.x(x1) - px, view.y(x2) - py);
      const reach = (i < run.n ? pointRadius(run, i, Math.min(t, run.nSteps), pointScale) : 5) + beyond;
      if (distance < reach && distance < least) [found, least] = [i, distance];
    }
    return found;
  }

  /** The pointer goes down: take hold of a point, or make one. */
  begin(px, py, { other = false } = {}) {
    this.#inTurn(() => {
      this.#open();
      const near = this.brush ? -1 : this.nearest(px, py);
      const label = other ? -this.label : this.label;
      const [x1, x2] = near < 0 ? this.#place(px, py) : this.points.at(near);
      const off = [this.#view.x(x1) - px, this.#view.y(x2) - py]; // a point does not jump to the pointer
      this.drag = { i: near, label, at: [px, py], off, moved: false, before: this.points.copy(), brush: this.brush };
      if (near < 0) this.#lay(px, py, label);
    });
  }

  move(px, py) {
    if (this.busy) this.#inTurn(() => this.#move(px, py));
  }

  #move(px, py) {
    const { drag } = this;
    if (!drag) return;
    const gone = Math.hypot(px - drag.at[0], py - drag.at[1]);
    if (drag.brush) {
      if (gone < APART) return;
      drag.at = [px, py];
      this.#lay(px + this.#normal(), py + this.#normal(), drag.label);
    } else {
      if (!drag.moved && gone < 3) return;
      drag.moved = true;
      if (drag.i < 0) return;
      this.points.move(drag.i, this.#place(px + drag.off[0], py + drag.off[1]));
      this.#send(false);
    }
  }

  end() {
    if (this.busy) this.#inTurn(() => this.#end());
  }

  #end() {
    const { drag } = this;
    this.drag = null;
    if (drag?.sent) this.#send(true);
    else if (drag) this.#drop();
  }

  /** Leave everything as it was before the pointer went down. */
  cancel() {
    if (this.busy) this.#inTurn(() => this.#cancel());
  }

  #cancel() {
    const { drag } = this;
    if (!drag) return;
    this.drag = null;
    this.points = drag.before;
    if (drag.sent) this.sent = this.waits = this.stage.messages.add("cancel", this.stage.t, this.gesture);
    this.#drop();
  }

  remove(px, py) {
    this.#change(px, py, (points, i) => points.remove(i));
  }

  flip(px, py) {
    this.#change(px, py, (points, i) => points.flip(i));
  }

  clear() {
    this.#inTurn(() => {
      this.#open();
      this.points.clear();
      this.#send(true);
    });
  }

  #change(px, py, change) {
    this.#inTurn(() => {
      this.#open();
      const i = this.nearest(px, py, REMOVES);
      if (i < 0) {
        this.#drop();
        return;
      }
      change(this.points, i);
      this.#send(true);
    });
  }

  #open() {
    this.#end();
    this.stage.clock.stop();
    this.points = this.shown.copy();
    this.gesture = Math.max(Date.now(), this.gesture + 1);
  }

  /** Nothing came of the gesture. */
  #drop() {
    if (this.stage.messages.acknowledged >= this.sent) this.points = null;
    this.stage.redraw();
  }

  #lay(px, py, label) {
    if (this.points.full) {
      this.stage.controls.status(`There is room for ${this.points.grid.most} points: remove some first.`);
      return;
    }
    this.drag.i = this.points.add(this.#place(px, py), label);
    this.#send(false);
  }

  #send(last) {
    if (this.drag) this.drag.sent = true;
    const value = { code: this.points.code, ...(this.points.order ? { order: this.points.order } : {}) };
    this.sent = this.stage.messages.stream("points", this.stage.t, { value, gesture: this.gesture, last });
    this.stage.redraw();
  }

  /** Jitter of the brush, the same in every session: the sum of twelve uniform numbers is nearly normal. */
  #normal() {
    let sum = -6;
    for (let k = 0; k < 12; k++) {
      this.seed = (this.seed * 48271) % 2147483647;
      sum += this.seed / 2147483647;
    }
    return sum * JITTER;
  }

  // ---- the keyboard ---------------------------------------------------------------------------

  /** Where the keyboard or the pointer is on the map, in pixels, null if nowhere. */
  get spot() {
    const { rect } = this.#view;
    if (this.cursor) return [rect.x + this.cursor[0] * rect.w, rect.y + this.cursor[1] * rect.h];
    const { pointer } = this.stage;
    return pointer && this.onMap(pointer.px, pointer.py) ? [pointer.px, pointer.py] : null;
  }

  onMap(px, py) {
    const { rect } = this.#view;
    return px >= rect.x && px <= rect.x + rect.w && py >= rect.y && py <= rect.y + rect.h;
  }

  /** The canvas has the focus or loses it: arrows then move a cursor over the map. */
  focus(here) {
    this.cursor = here && this.on ? [0.5, 0.5] : null;
    if (!here) this.end();
    this.stage.redraw();
  }

  /** A key while the canvas has the focus; returns whether it meant something. */
  key(name, shift) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!this.on || !this.cursor || !(name in steps || name === "Enter")) return false;
    if (name === "Enter") {
      if (this.drag) this.end();
      else this.#press(shift);
    } else {
      const size = shift ? FINE : COARSE;
      this.cursor = this.cursor.map((share, k) => Math.min(Math.max(share + steps[name][k] * size, 0), 1));
      if (this.drag) this.move(...this.spot);
    }
    this.stage.redraw();
    return true;
  }

  /** Take up the point under the cursor, or put one there. */
  #press(other) {
    const held = this.nearest(...this.spot) >= 0;
    this.begin(...this.spot, { other });
    if (!held) this.end();
  }

  atSpot(act) {
    if (!this.on) this.stage.controls.status("Shift E, or the pencil, begins to edit.");
    else if (this.spot) this[act](...this.spot);
  }

  toggleLabel() {
    if (!this.on) return this.atSpot("");
    this.label = -this.label;
    return this.stage.redraw();
  }

  toggleBrush() {
    if (!this.on) return this.atSpot("");
    this.brush = !this.brush;
    return this.stage.redraw();
  }
}
