// Editing the points: a press on the map adds one, a drag moves one, and letters change the one at
// the pointer. A gesture becomes a command that holds all points; until its answer is here, they
// are ahead of the run.

import { fewer } from "../board/narration.js";
import { onlyPointsDiffer } from "../board/setting_changes.js";
import { colour, coordinate, counted, whole } from "../run/words.js";
import { EditRow } from "./edit_row.js";
import { chart } from "../panels/chart.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Points } from "../run/points.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Stage } from "../page/stage.js" */
/** @import { Mark, Pointer } from "../board/types.d.ts" */
/** @import { KeyPress, Mode } from "./types.d.ts" */

const NEAR = 7; // Pixels beyond a point's edge that still touch it.
const HARDLY = 1e-6; // By so much of a step a place may be off by rounding.
const REMOVES = 48; // Pixels within which the nearest point is removed or flipped.
const LONG = 550; // Milliseconds that a finger rests to remove a point.
const RESTS = 9; // Pixels within which it rests.
const STILL = 3; // Pixels within which a point in hand stays where it is.
const APART = 10; // Pixels between two points of the brush.
const JITTER = 13; // Pixels: the standard deviation of the brush.
const UNKNOWN = 5; // Pixels: the radius of a point that no run has.
const FINE = 0.004; // A step of the keyboard's cursor with Shift, as a share of the map's side.
const COARSE = 0.025;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const CROSS = 14; // Pixels from the keyboard's cursor to the ends of its lines.
const BESIDE = 15; // Pixels across and up from it to the point that a press would add.

const PINNED = "Unpin the pinned runs first (Shift P): a comparison cannot be edited.";
const CLICKS =
  "Draw points: click on the map. Can you make it fail? Drag to move a point, right-click to " +
  "remove it. With the keyboard: Tab to the map, then arrow keys and Enter.";
const TAPS = "Draw points: tap on the map; a long press removes one. Can you make it fail?";

/**
 * A point in hand, or the brush; i is -1 where no point is, `offset` how far its middle is from the
 * pointer.
 * @typedef {object} Drag
 * @property {number} i
 * @property {number} label
 * @property {[number, number]} at
 * @property {[number, number]} offset
 * @property {boolean} moved
 * @property {Points} before
 * @property {boolean} brush
 * @property {boolean} [sent]
 */

/** @implements {Mode} */
export class Edit {
  name = "edit";
  takesMap = true;
  putsPoints = true;
  guides = true;
  /** @type {EditRow | undefined} */
  tools;
  isFresh = false; // Nothing was drawn since it is on.
  /** @type {Run | null} */
  learnt = null; // The last run without mistakes at its end, since it is on.
  /** @type {Run | null} */
  first = null; // The first of those.
  label = 1; // A point that is added has it.
  brush = false;
  /** @type {Drag | null} */
  drag = null;
  /** @type {[number, number] | null} */
  keyboard = null; // Shares of the map, at which the cursor of the keyboard stands.
  sent = 0;
  /** @type {{ act: () => void, edits: boolean }[]} */
  later = []; // What must wait for the server's points, in turn.
  waits = 0;
  gesture = 0;
  seed = 1;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.player = stage.player;
    this.session = stage.session;
    /** What a hand holds, or a key: a point, or the brush. @type {Mode} */
    this.hand = {
      name: "drag",
      holds: true,
      pointerShape: "grabbing",
      still: true,
      lights: () => [],
      move: ({ px, py }) => this.#inTurn(() => this.#move(px, py)),
      end: () => this.#inTurn(() => this.#end()),
      cancel: () => this.#inTurn(() => this.#cancel()),
    };
  }

  get on() {
    return this.player.modes.has(this);
  }

  /** Why the points cannot be edited, "" if they can. */
  get why() {
    const { run, runs } = this.player;
    return runs.pinned.length ? PINNED : run.header.drawing.why;
  }

  toggle(on = !this.on) {
    const { player, stage } = this;
    if (on && this.why) {
      player.page.say(this.why);
      return;
    }
    this.end();
    player.state.together(() => {
      if (on) player.modes.enter(this);
      else player.modes.leave(this);
      player.state.change({ pinned: null });
      this.isFresh = on;
      this.#follow();
      this.brush = false;
      this.keyboard = null;
      player.clock.stop();
      stage.controls.takeMap(on);
    });
  }

  /** Draw points of this class. @param {number} label */
  start(label) {
    this.toggle(true);
    this.draw(label);
  }

  draws() {
    this.toggle(true);
  }

  row() {
    this.tools ??= new EditRow(this);
    return this.tools;
  }

  makeWay() {
    if (this.on) this.toggle(false);
  }

  escape() {
    this.toggle(false);
    return true;
  }

  // ---- what is said ----------------------------------------------------------------------------

  invitation() {
    if (!this.isFresh) return undefined;
    return this.player.byTouch ? TAPS : CLICKS;
  }

  /**
   * What came of the points that somebody drew, before what is said of the end of the run.
   *
   * @param {string} end
   */
  ending(end) {
    const { run } = this.player;
    const { trace, nSteps } = run;
    const before = this.#mistakesBefore;
    if (end && before !== null) return notYet(end, trace.mistakesBefore(nSteps), before);
    const isBroken = this.learnt !== null && run.header.open && onlyPointsDiffer(this.learnt, run);
    if (!isBroken) return undefined;
    const mistakes = counted(trace.mistakesInEpoch(trace.nEpochs), "mistake");
    const broke = `You broke it: the last of ${counted(trace.nEpochs, "epoch")} still has ${mistakes}.`;
    return broke + end.slice(fewer(end).at(-1).length);
  }

  /**
   * How many mistakes the run made with which drawing began; null where only more of them do not
   * follow from what was drawn.
   */
  get #mistakesBefore() {
    const { first, learnt, player } = this;
    const counts =
      first !== null &&
      first !== learnt &&
      learnt === player.run &&
      onlyPointsDiffer(first, learnt);
    return counts ? first.trace.mistakesBefore(first.nSteps) : null;
  }

  /** It is on, or there is another run meanwhile. */
  #follow() {
    const { run } = this.player;
    if (!this.on) {
      this.learnt = null;
      this.first = null;
    } else if (!run.header.open) {
      this.learnt = run;
      this.first ??= run;
    }
  }

  // ---- what is drawn ---------------------------------------------------------------------------

  /**
   * A frame round the map, and what a press would add there.
   *
   * @param {PanelScene} scene
   * @returns {Mark[]}
   */
  over({ rect, palette, run }) {
    const look = { stroke: palette.accent, width: 3, name: "editing" };
    const frame = chart.rect(rect.x + 1.5, rect.y + 1.5, rect.w - 3, rect.h - 3, look);
    if (this.drag || !this.spot) return [frame];
    const [x, y] = this.spot;
    const lines = { stroke: palette.on_map, width: 1.5 };
    const cross = [
      chart.line([x - CROSS, y, x + CROSS, y], lines),
      chart.line([x, y - CROSS, x, y + CROSS], lines),
    ];
    const { shapes, point } = run.header.tokens;
    const kind = this.label > 0 ? "positive" : "negative";
    const added = {
      kind: shapes[kind],
      x: x + BESIDE,
      y: y - BESIDE,
      r: point.radius,
      stroke: palette.point[kind],
      width: 2,
      alpha: 0.8,
      name: "brush",
    };
    return [frame, ...(this.keyboard ? cross : []), added];
  }

  /**
   * Where the keyboard or the pointer is on the map, in pixels, null if nowhere.
   *
   * @returns {[number, number] | null}
   */
  get spot() {
    const { view, pointer } = this.player;
    const { rect } = view;
    if (this.keyboard) {
      return [rect.x + this.keyboard[0] * rect.w, rect.y + this.keyboard[1] * rect.h];
    }
    return pointer && view.contains(pointer.px, pointer.py) ? [pointer.px, pointer.py] : null;
  }

  /**
   * The point nearest to a pixel, -1 if none is within reach; `beyond` is what is added to its
   * radius, and `first` the first that counts: a puzzle has points that stay.
   */
  nearest(px, py, beyond = NEAR, first = this.player.modes.ask("fixedPoints") ?? 0) {
    const { run, view, points, pointScale, t } = this.player;
    let nearest = -1;
    let least = Infinity;
    for (let i = first; i < points.n; i++) {
      const [x1, x2] = points.at(i);
      const distance = Math.hypot(view.x(x1) - px, view.y(x2) - py);
      const radius = i < run.n ? run.pointRadius(i, Math.min(t, run.nSteps), pointScale) : UNKNOWN;
      if (distance < radius + beyond && distance < least) {
        nearest = i;
        least = distance;
      }
    }
    return nearest;
  }

  // ---- what is asked of the server, in turn ----------------------------------------------------

  /** Commands were answered, and the run is here. */
  settled() {
    if (!this.session) return; // A page without a server has no points to edit.
    if (this.on && this.why) this.toggle(false);
    this.#follow();
    if (!this.drag && this.session.acknowledged >= this.sent) this.player.pointsAhead = null;
    this.#goOn();
  }

  /**
   * Go back, forward or to the original: the points are the server's to say, so edits wait for its
   * answer.
   */
  ask(name) {
    this.end();
    this.#inTurn(
      () => {
        this.waits = name === "original" ? this.session.command(name) : this.session[name]();
        this.player.pointsAhead = null;
      },
      { edits: false },
    );
  }

  /** Undo or redo what was set or edited. @param {"undo" | "redo"} name */
  goBack(name) {
    if (this.session?.counts[name]) this.ask(name);
    else this.player.page.say(`Nothing to ${name}.`);
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
    const isFree = ({ edits }) => !edits || !this.session.awaits(this.waits);
    while (this.later.length && isFree(this.later[0])) this.later.shift().act();
  }

  /** Begin a gesture; what was in hand is put down before. @param {() => void} act */
  #begin(act) {
    this.end();
    this.#inTurn(() => {
      this.player.clock.stop();
      this.player.pointsAhead = this.player.points.copy();
      this.gesture = Math.max(Date.now(), this.gesture + 1);
      act();
    });
  }

  #send(last) {
    this.isFresh = false;
    if (this.drag) this.drag.sent = true;
    const { code, order } = this.player.pointsAhead;
    const value = { code, ...(order ? { order } : {}) };
    this.sent = this.session.drag("points", value, { gesture: this.gesture, last });
    this.player.page.redraw();
  }

  /** Nothing came of the gesture. */
  #drop() {
    if (this.session.acknowledged >= this.sent) this.player.pointsAhead = null;
    this.player.page.redraw();
  }

  // ---- the pointer -----------------------------------------------------------------------------

  /** @param {Pointer} pointer */
  takesPress({ px, py }) {
    return this.player.view.contains(px, py) || undefined;
  }

  /**
   * The right button, Alt and a finger that rests remove the nearest point.
   *
   * @param {PointerEvent} event
   * @param {Pointer} pointer
   */
  press(event, { px, py }) {
    if (event.button === 2 || event.altKey) this.remove(px, py);
    else if (event.pointerType === "touch") this.player.modes.enter(this.#finger(px, py));
    else this.begin(px, py, { other: event.shiftKey });
  }

  pointerShape() {
    if (!this.player.pointer || !this.takesPress(this.player.pointer)) return undefined;
    const { px, py } = this.player.pointer;
    return !this.brush && this.nearest(px, py) >= 0 ? "grab" : "crosshair";
  }

  /** A finger that is lifted points at nothing. */
  fingerLifted() {
    this.stage.point(null);
  }

  /** A finger that went down on the map, and is neither a tap nor a drag yet. @returns {Mode} */
  #finger(px, py) {
    const { modes } = this.player;
    const timer = setTimeout(() => {
      modes.leave(finger);
      this.remove(px, py);
    }, LONG);
    const begin = () => {
      clearTimeout(timer);
      this.begin(px, py);
    };
    /** @type {Mode} */
    const finger = {
      name: "finger",
      holds: true,
      still: true,
      move: (pointer) => {
        if (Math.hypot(pointer.px - px, pointer.py - py) <= RESTS) return;
        modes.leave(finger);
        begin();
        this.#inTurn(() => this.#move(pointer.px, pointer.py));
      },
      end: () => {
        begin();
        this.end();
      },
      cancel: () => clearTimeout(timer),
    };
    return finger;
  }

  #place(px, py) {
    const { rect } = this.player.view;
    const place = this.player.view.place(
      Math.min(Math.max(px, rect.x), rect.x + rect.w),
      Math.min(Math.max(py, rect.y), rect.y + rect.h),
    );
    const grid = this.player.modes.ask("grid");
    return grid ? place.map((value) => nearestMultiple(value, grid)) : place;
  }

  /** Take hold of a point, or make one. */
  begin(px, py, { other = false } = {}) {
    this.#begin(() => {
      const { pointsAhead, view } = this.player;
      const near = this.brush ? -1 : this.nearest(px, py);
      const label = other ? -this.label : this.label;
      const [x1, x2] = near < 0 ? this.#place(px, py) : pointsAhead.at(near);
      this.drag = {
        i: near,
        label,
        at: [px, py],
        offset: [view.x(x1) - px, view.y(x2) - py], // A point does not jump to the pointer.
        moved: false,
        before: pointsAhead.copy(),
        brush: this.brush,
      };
      if (near < 0) this.#lay(px, py, label);
    });
    this.player.modes.enter(this.hand);
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
      if (!drag.moved && gone < STILL) return;
      drag.moved = true;
      if (drag.i < 0) return;
      const [across, down] = drag.offset;
      this.player.pointsAhead.move(drag.i, this.#place(px + across, py + down));
      this.#send(false);
    }
  }

  #lay(px, py, label) {
    const { modes, page, pointsAhead } = this.player;
    const most = modes.ask("mostPoints") ?? pointsAhead.grid.most;
    if (pointsAhead.n >= most) {
      page.say(`There is room for ${counted(most, "point")}: remove some first.`);
      return;
    }
    this.drag.i = pointsAhead.add(this.#place(px, py), label);
    this.#send(false);
  }

  /** Put down what is in hand. */
  end() {
    if (this.player.modes.has(this.hand)) this.player.modes.end();
  }

  #end() {
    const { drag } = this;
    this.drag = null;
    if (drag?.sent) this.#send(true);
    else if (drag) this.#drop();
  }

  /** Leave everything as it was before. */
  #cancel() {
    const { drag } = this;
    if (!drag) return;
    this.drag = null;
    this.player.pointsAhead = drag.before;
    if (drag.sent) {
      this.waits = this.session.abandon(this.gesture);
      this.sent = this.waits;
    }
    this.#drop();
  }

  /**
   * Jitter of the brush, the same in every session: the sum of twelve uniform numbers is nearly
   * normal.
   */
  #normal() {
    let sum = -6;
    for (let k = 0; k < 12; k++) {
      this.seed = (this.seed * 48271) % 2147483647;
      sum += this.seed / 2147483647;
    }
    return sum * JITTER;
  }

  // ---- changes of the nearest point, and of all ------------------------------------------------

  remove(px, py) {
    this.#change(px, py, (points, i) => points.remove(i));
  }

  flip(px, py) {
    this.#change(px, py, (points, i) => points.flip(i));
  }

  clear() {
    this.#begin(() => {
      this.player.pointsAhead.clear();
      this.#send(true);
    });
  }

  #change(px, py, change) {
    this.#begin(() => {
      const i = this.nearest(px, py, REMOVES);
      if (i < 0) {
        this.#drop();
        return;
      }
      change(this.player.pointsAhead, i);
      this.#send(true);
    });
  }

  // ---- the keyboard ---------------------------------------------------------------------------

  /** The canvas has the focus or loses it: arrows then move a cursor over the map. */
  focused(isHere) {
    this.keyboard = isHere ? [0.5, 0.5] : null;
    if (!isHere) this.end();
    this.player.page.redraw();
  }

  /**
   * Arrows move the cursor, with Shift finely; Enter takes up the point there or puts one, with
   * Shift of the other class.
   *
   * @param {KeyPress} press
   */
  mapKeys({ name, shift }) {
    if (!this.keyboard || !(name in STEPS || name === "Enter")) return undefined;
    const [px, py] = this.spot;
    if (name === "Enter") {
      const takesUp = !this.drag && this.nearest(px, py) >= 0;
      if (!this.drag) this.begin(px, py, { other: shift });
      if (!takesUp) this.end();
    } else {
      this.keyboard = this.#sharesAfter(STEPS[name], shift ? FINE : COARSE);
      this.stage.spoken.say(this.#spotInWords);
      if (this.drag) this.#inTurn(() => this.#move(...this.spot));
    }
    this.player.page.redraw();
    return true;
  }

  /**
   * Where the cursor is after a step, in shares of the map: `size` farther, or at the next place of
   * the grid if there is one.
   *
   * @param {number[]} direction
   * @param {number} size
   * @returns {[number, number]}
   */
  #sharesAfter([across, down], size) {
    const { modes, view } = this.player;
    const within = (share) => Math.min(Math.max(share, 0), 1);
    const grid = modes.ask("grid");
    if (!grid) {
      const [left, top] = this.keyboard;
      return [within(left + across * size), within(top + down * size)];
    }
    const [x1, x2] = this.#place(...this.spot);
    const px = view.x(x1 + across * grid);
    const py = view.y(x2 - down * grid);
    const [onMapX, onMapY] = view.contains(px, py) ? [px, py] : [view.x(x1), view.y(x2)];
    const { rect } = view;
    return [within((onMapX - rect.x) / rect.w), within((onMapY - rect.y) / rect.h)];
  }

  /** Where the cursor is, and which point is there, for those who do not see it. */
  get #spotInWords() {
    const { points } = this.player;
    const [px, py] = this.spot;
    const place = this.#place(px, py).map(coordinate).join(", ");
    const i = this.drag ? -1 : this.nearest(px, py, NEAR, 0);
    return i < 0 ? `(${place})` : `(${place}): ${colour(points.labels[i])} point`;
  }

  /** Whether one edits; else it is said how one begins. */
  get #edits() {
    if (!this.on) this.player.page.say("Press Draw or Shift E first.");
    return this.on;
  }

  /** @param {"flip" | "remove"} name */
  atSpot(name) {
    if (this.#edits && this.spot) this[name](...this.spot);
  }

  /** Points that are added are of this class. @param {number} label */
  draw(label) {
    if (!this.#edits) return;
    this.label = label;
    this.player.page.redraw();
  }

  toggleBrush() {
    if (!this.#edits) return;
    this.brush = !this.brush;
    this.player.page.redraw();
  }
}

/**
 * The answer to “Can you make it fail?” while it does not.
 *
 * @param {string} end
 * @param {number} now
 * @param {number} before
 */
function notYet(end, now, before) {
  const lead = fewer(end).at(-1);
  const headline = lead.replace(/^An? [^:]*: (?=converged)/, "").replace(/\.$/, "");
  const than = now === before ? ", as before" : ` instead of ${whole.format(before)}`;
  const words = /mistakes?$/.test(headline) ? `${headline}${than}.` : lead;
  return `Not yet: ${words[0].toLowerCase()}${words.slice(1)}${end.slice(lead.length)}`;
}

/**
 * The multiple of a step that is nearest; of two the one nearer to 0, which lies on the map.
 *
 * @param {number} value
 * @param {number} step
 */
function nearestMultiple(value, step) {
  const steps = Math.ceil(Math.abs(value) / step - 0.5 - HARDLY);
  return Math.sign(value) * Math.max(steps, 0) * step;
}
