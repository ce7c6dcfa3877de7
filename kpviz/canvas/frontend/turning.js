// How the panel of the lift is turned: by dragging it or by keys; a double click turns it back.

const PER_PX = 0.5; // degrees
const STEEPEST = 89;
const STILL = 3; // px within which a press is a click
const BY_KEY = 10; // degrees

export class Turning {
  constructor(stage) {
    this.stage = stage;
    this.angles = null; // null: as it is at first
    this.drag = null;
  }

  get now() {
    return this.angles ?? this.stage.run.header.tokens.lift;
  }

  /** What the address says of it, in whole degrees; "" as it is at first. */
  get query() {
    return this.angles && this.stage.shows("lift")
      ? `turn=${Math.round(this.angles.turn)},${Math.round(this.angles.tilt)}`
      : "";
  }

  /** Turn to these degrees, [turn, tilt]; null: back to how it is at first. */
  to(angles) {
    const [turn, tilt] = angles ?? [];
    this.angles = angles && {
      turn: ((((turn + 180) % 360) + 360) % 360) - 180,
      tilt: Math.min(Math.max(tilt, -STEEPEST), STEEPEST),
    };
    this.stage.redraw();
  }

  /** Turn by keys, a step to the right and up, or back. */
  key(right, up) {
    const told = this.stage.run.header.extras.lift;
    if (!this.stage.shows("lift") || !told || told.why) return;
    const { turn, tilt } = this.now;
    this.to(right || up ? [turn + BY_KEY * right, tilt + BY_KEY * up] : null);
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
    this.to([drag.turn - PER_PX * (px - drag.px), drag.tilt + PER_PX * (py - drag.py)]);
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
    if (this.#over(pointer)) this.to(null);
  }
}
