// Editing the points: gestures become commands that hold all points; until the answer is here the points lead.

/** @import { Player } from "../board/player.js" */
/** @import { Session } from "../service/session.js" */

const REMOVES = 48; // px within which the nearest point is removed or flipped
const APART = 10; // px between two points of the brush
const JITTER = 13; // px, standard deviation of the brush
const BY_MOUSE = "Drag moves a point, right click removes it. Keys: Tab to the map, arrows, Enter.";
const BY_FINGER = "Tap adds a point, drag moves it, a long press removes it.";
const FINE = 0.004; // of the map's side, a step of the keyboard's cursor with Shift
const COARSE = 0.025;

export class Editor {
  sent = 0;
  /** @type {{ act: () => void, edits: boolean }[]} */
  later = []; // what must wait for the server's points, in turn
  waits = 0;
  gesture = 0;
  seed = 1;

  /**
   * @param {Player} player
   * @param {Session} session
   * @param {(on: boolean) => void} toggled called when editing begins and ends
   */
  constructor(player, session, toggled) {
    this.player = player;
    this.editing = player.editing;
    this.session = session;
    this.toggled = toggled;
  }

  toggle(on = !this.editing.on) {
    const { editing, player } = this;
    if (on && editing.why) {
      player.page.say(editing.why);
      return;
    }
    this.end();
    editing.on = editing.fresh = on;
    editing.follow(player.run);
    editing.brush = false;
    editing.cursor = null;
    player.pinned = null;
    player.clock.stop();
    this.toggled(on);
    if (on && !player.layout?.narrow) player.page.say(player.byTouch ? BY_FINGER : BY_MOUSE);
    player.page.arrange();
  }

  /** Everything up to command n was answered, and the run is here. */
  acknowledge(n) {
    if (this.editing.why) this.toggle(false);
    this.editing.follow(this.player.run);
    if (!this.editing.drag && n >= this.sent) this.editing.points = null;
    this.#goOn();
  }

  /** Go back, forward or to the original: the points are the server's to say, so edits wait for its answer. */
  ask(name) {
    this.end();
    this.#inTurn(
      () => {
        this.waits = name === "original" ? this.session.command(name) : this.session[name]();
        this.editing.points = null;
      },
      { edits: false },
    );
  }

  /** Whether a gesture is under way, or waits for its turn. */
  get busy() {
    return this.editing.drag !== null || this.later.length > 0;
  }

  #inTurn(act, { edits = true } = {}) {
    this.later.push({ act, edits });
    this.#goOn();
  }

  #goOn() {
    const free = ({ edits }) => !edits || !this.session.awaits(this.waits);
    while (this.later.length && free(this.later[0])) this.later.shift().act();
  }

  // ---- gestures -------------------------------------------------------------------------------

  #place(px, py) {
    const { rect } = this.player.view;
    return this.player.view.place(
      Math.min(Math.max(px, rect.x), rect.x + rect.w),
      Math.min(Math.max(py, rect.y), rect.y + rect.h),
    );
  }

  /** The pointer goes down: take hold of a point, or make one. */
  begin(px, py, { other = false } = {}) {
    this.#inTurn(() => {
      this.#open();
      const near = this.editing.brush ? -1 : this.editing.nearest(px, py);
      const label = other ? -this.editing.label : this.editing.label;
      const [x1, x2] = near < 0 ? this.#place(px, py) : this.editing.points.at(near);
      /** @type {[number, number]} */
      const off = [this.player.view.x(x1) - px, this.player.view.y(x2) - py]; // a point does not jump to the pointer
      this.editing.drag = {
        i: near,
        label,
        at: [px, py],
        off,
        moved: false,
        before: this.editing.points.copy(),
        brush: this.editing.brush,
      };
      if (near < 0) this.#lay(px, py, label);
    });
  }

  move(px, py) {
    if (this.busy) this.#inTurn(() => this.#move(px, py));
  }

  #move(px, py) {
    const { drag } = this.editing;
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
      this.editing.points.move(drag.i, this.#place(px + drag.off[0], py + drag.off[1]));
      this.#send(false);
    }
  }

  end() {
    if (this.busy) this.#inTurn(() => this.#end());
  }

  #end() {
    const { drag } = this.editing;
    this.editing.drag = null;
    if (drag?.sent) this.#send(true);
    else if (drag) this.#drop();
  }

  /** Leave everything as it was before the pointer went down. */
  cancel() {
    if (this.busy) this.#inTurn(() => this.#cancel());
  }

  #cancel() {
    const { drag } = this.editing;
    if (!drag) return;
    this.editing.drag = null;
    this.editing.points = drag.before;
    if (drag.sent) this.sent = this.waits = this.session.abandon(this.gesture);
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
      this.editing.points.clear();
      this.#send(true);
    });
  }

  #change(px, py, change) {
    this.#inTurn(() => {
      this.#open();
      const i = this.editing.nearest(px, py, REMOVES);
      if (i < 0) {
        this.#drop();
        return;
      }
      change(this.editing.points, i);
      this.#send(true);
    });
  }

  #open() {
    this.#end();
    this.player.clock.stop();
    this.editing.points = this.editing.shownPoints.copy();
    this.gesture = Math.max(Date.now(), this.gesture + 1);
  }

  /** Nothing came of the gesture. */
  #drop() {
    if (this.session.acknowledged >= this.sent) this.editing.points = null;
    this.player.page.redraw();
  }

  #lay(px, py, label) {
    if (this.editing.points.full) {
      this.player.page.say(
        `There is room for ${this.editing.points.grid.most} points: remove some first.`,
      );
      return;
    }
    this.editing.drag.i = this.editing.points.add(this.#place(px, py), label);
    this.#send(false);
  }

  #send(last) {
    this.editing.fresh = false;
    if (this.editing.drag) this.editing.drag.sent = true;
    const { code, order } = this.editing.points;
    const value = { code, ...(order ? { order } : {}) };
    this.sent = this.session.drag("points", value, { gesture: this.gesture, last });
    this.player.page.redraw();
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

  /** The canvas has the focus or loses it: arrows then move a cursor over the map. */
  focus(here) {
    this.editing.cursor = here && this.editing.on ? [0.5, 0.5] : null;
    if (!here) this.end();
    this.player.page.redraw();
  }

  /** A key while the canvas has the focus; returns whether it meant something. */
  key(name, shift) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!this.editing.on || !this.editing.cursor || !(name in steps || name === "Enter")) {
      return false;
    }
    if (name === "Enter") {
      const held = !this.editing.drag && this.editing.nearest(...this.editing.spot) >= 0;
      if (!this.editing.drag) this.begin(...this.editing.spot, { other: shift }); // take up the point there, or put one
      if (!held) this.end();
    } else {
      const size = shift ? FINE : COARSE;
      const [across, down] = steps[name].map((step, k) =>
        Math.min(Math.max(this.editing.cursor[k] + step * size, 0), 1),
      );
      this.editing.cursor = [across, down];
      if (this.editing.drag) this.move(...this.editing.spot);
    }
    this.player.page.redraw();
    return true;
  }

  /** Whether one edits; else it is said how one begins. */
  get #edits() {
    if (!this.editing.on) this.player.page.say("Press Draw or Shift E first.");
    return this.editing.on;
  }

  atSpot(act) {
    if (this.#edits && this.editing.spot) this[act](...this.editing.spot);
  }

  /** Draw points of this class. @param {number} label */
  draw(label) {
    if (!this.#edits) return;
    this.editing.label = label;
    this.player.page.redraw();
  }

  toggleBrush() {
    if (!this.#edits) return;
    this.editing.brush = !this.editing.brush;
    this.player.page.redraw();
  }
}
