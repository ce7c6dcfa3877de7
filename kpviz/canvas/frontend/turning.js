// How the panel of the lift is turned: by dragging it; a double click turns it back.

const PER_PX = 0.5; // degrees
const STEEPEST = 89;
const STILL = 3; // px within which a press is a click

export class Turning {
  constructor(stage) {
    this.stage = stage;
    this.angles = null; // null: as it is at first
    this.drag = null;
  }

  get now() {
    return this.angles ?? this.stage.run.header.tokens.lift;
  }

  #over({ px, py }) {
    const { lift } = this.stage.layout.panels;
    return Boolean(lift) && px >= lift.x && px <= lift.x + lift.w && py >= lift.y && py <= lift.y + lift.h;
  }

  /** Take hold of the space at a pixel; returns whether it is there. */
  begin(pointer) {
    const told = this.stage.run.header.extras.lift;
    if (!told || told.why || !this.#over(pointer)) return false;
    const { turn, tilt } = this.now;
    this.drag = { ...pointer, turn, tilt, moved: false };
    return true;
  }

  move({ px, py }) {
    const { drag } = this;
    if (!drag) return;
    drag.moved ||= Math.hypot(px - drag.px, py - drag.py) > STILL;
    if (!drag.moved) return;
    const tilt = drag.tilt + PER_PX * (py - drag.py);
    this.angles = { turn: (drag.turn - PER_PX * (px - drag.px)) % 360, tilt: Math.min(Math.max(tilt, -STEEPEST), STEEPEST) };
    this.stage.redraw();
  }

  /** Let go; a press that did not move was a click. */
  end() {
    const { drag } = this;
    this.drag = null;
    if (drag && !drag.moved) this.stage.pick();
  }

  cancel() {
    this.drag = null;
  }

  reset(pointer) {
    if (!this.#over(pointer)) return;
    this.angles = null;
    this.stage.redraw();
  }
}
