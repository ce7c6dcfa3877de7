// The order by hand: drag a cell of the order's panel, or put one example first.

import { aboutExample } from "./panels/map.js";
import { cellsOf, draggable, placeAt } from "./panels/sequence.js";
import { askingOf } from "./scene.js";
import { example, whole } from "./words.js";

const STILL = 3; // px within which a press is a click
const DRAWN = ["shuffled", "random"]; // orders that differ from epoch to epoch
const TITLES = { cyclic: "Order: cyclic", hand: "Order by hand", shuffled: "Order: shuffled", random: "Order: random" };

export class Reorder {
  constructor(stage) {
    this.stage = stage;
    this.ahead = null; // the order by hand, while it is ahead of the run
    this.drag = null;
    this.sent = 0;
    this.gesture = 0;
  }

  /** Why there is no order by hand, in a sentence; "" where there is. */
  get why() {
    const { orderWhy } = this.stage.run.header.settings;
    return orderWhy ? `${orderWhy[0].toUpperCase()}${orderWhy.slice(1)}.` : "";
  }

  /** The permutation that is shown now; of an epoch with repetitions that in which the examples first come. */
  get order() {
    const { n } = this.stage.run;
    return this.ahead ?? [...new Set([...this.#epoch.index, ...Array(n).keys()])];
  }

  /** The server has carried out everything up to message `sent`, and its run is here. */
  acknowledge(sent) {
    const { n } = this.stage.run;
    const gone = this.why || (this.ahead?.length ?? n) !== n || this.drag?.i >= n; // other settings came in between
    if (gone) this.drag = null;
    if (gone || (!this.drag && sent >= this.sent)) this.ahead = null;
  }

  /** The epoch on the board: its number, its first step, the examples it shows, and the instant that counts. */
  get #epoch() {
    const { stage } = this;
    const { trace, nSteps } = stage.run;
    const t = Math.min(stage.t, nSteps);
    const at = askingOf(stage) ? t + 1 : t; // what is asked about may begin an epoch
    const number = nSteps ? trace.epochAt(at) : 0;
    const start = nSteps ? trace.epochStart[number - 1] : 0;
    return {
      number,
      start,
      t,
      at,
      index: trace.index.subarray(start, number < trace.nEpochs ? trace.epochStart[number] : nSteps),
    };
  }

  /** The example in place k of what is shown. */
  #at(k) {
    return this.ahead ? this.ahead[k] : this.#epoch.index[k];
  }

  // ---- dragging -------------------------------------------------------------------------------

  get #panel() {
    const { panels, unit } = this.stage.layout;
    return panels.sequence && !this.why && this.stage.run.n ? cellsOf(panels.sequence, unit, this.stage.run.n) : null;
  }

  /** Take hold of the cell at a pixel; returns whether there is one. */
  begin({ px, py }) {
    const cells = this.#panel;
    const k = cells && !this.drag ? placeAt(cells, px, py) : -1;
    if (k < 0 || !this.stage.means.server) return false;
    if (!draggable(cells)) {
      this.stage.controls.status("There is no room to drag so many: hide other panels (H), or show fewer points.");
      return false;
    }
    this.stage.clock.stop();
    this.drag = { i: this.#at(k), px, py, from: [px, py], moved: false, sent: false };
    return true;
  }

  move({ px, py }) {
    const { drag } = this;
    const cells = drag && this.#panel;
    if (!cells) return;
    if (!drag.moved) {
      if (Math.hypot(px - drag.from[0], py - drag.from[1]) < STILL) return;
      Object.assign(drag, { moved: true, before: this.order, was: this.#kind });
      this.#open();
    }
    Object.assign(drag, { px, py });
    const { order } = this;
    const to = cells.near(px, py);
    this.ahead = moved(order, drag.i, to);
    if (order[to] !== drag.i) {
      drag.sent = true;
      this.#send(false);
    }
  }

  end() {
    const { drag } = this;
    if (!drag) return;
    if (!drag.moved || same(this.order, drag.before)) {
      this.cancel();
      return;
    }
    this.drag = null;
    this.#send(true);
    if (DRAWN.includes(drag.was))
      this.stage.controls.status("The order is by hand now: every epoch shows the examples like this.");
  }

  /** Leave everything as it was before the drag. */
  cancel() {
    const { drag } = this;
    if (!drag) return;
    this.drag = null;
    if (drag.sent) this.#takeBack(drag);
    else if (this.stage.messages.acknowledged >= this.sent) this.ahead = null;
    this.stage.redraw();
  }

  /** Undo what a drag has sent; where it is back where it was, the server may never have seen another order. */
  #takeBack({ before, was }) {
    const home = same(this.ahead, before);
    this.ahead = before;
    if (home && was === "hand") this.#send(true);
    else this.sent = this.stage.messages.add("cancel", this.stage.t, this.gesture);
  }

  // ---- by key ---------------------------------------------------------------------------------

  /** Put the example under the pointer first, else that of the step. */
  first() {
    const { run, controls } = this.stage;
    if (this.drag) return;
    const drawn = DRAWN.includes(this.#kind);
    const i = this.#pointedAt ?? this.#ofStep;
    if (this.why) controls.status(this.why);
    else if (i === null) controls.status("Point at an example, or step to one: 1 shows it first.");
    else if (i >= run.n) controls.status("This point is held out: the learner is never shown it.");
    else if (this.order[0] === i && !drawn) controls.status(`${example(i)} is shown first already.`);
    else {
      this.ahead = moved(this.order, i, 0);
      this.#open();
      this.#send(true);
      controls.status(`${example(i)} is shown first${drawn ? ", in every epoch" : ""}.`);
    }
  }

  get #pointedAt() {
    const { hot } = this.stage.touch;
    return hot.size === 1 ? [...hot][0] : null;
  }

  get #ofStep() {
    const { at } = this.#epoch;
    return at > 0 ? this.stage.run.trace.index[at - 1] : null;
  }

  // ---- what is said and sent ------------------------------------------------------------------

  /** Which order it is, as it will be once the server knows. */
  get #kind() {
    return this.ahead ? "hand" : this.stage.run.header.settings.order;
  }

  #open() {
    this.gesture = Math.max(Date.now(), this.gesture + 1);
  }

  #send(last) {
    this.sent = this.stage.messages.stream("order", this.stage.t, { value: this.ahead, gesture: this.gesture, last });
    this.stage.redraw();
  }

  /** { hot, lines, held } of the cell at a pixel; `held` where a hand can take hold of it. */
  touched(px, py) {
    const cells = this.#panel;
    const k = cells ? placeAt(cells, px, py) : -1;
    if (k < 0) return {};
    const { run } = this.stage;
    const { start, t } = this.#epoch;
    const i = this.#at(k);
    const place = `number ${whole.format(k + 1)} of the epoch: step ${whole.format(start + k + 1)}`;
    return {
      hot: new Set([i]),
      lines: [...aboutExample(run, run.reading(t), t, i), place],
      held: this.stage.means.server && draggable(cells),
    };
  }

  /**
   * What the panel shows: { title, why, examples, shown, current, ahead, drag }. `examples` are { i, missed } in their order, `missed` where this
   * epoch made a mistake; `shown` is how many it has shown, `current` the place of the step's example, -1 for none.
   */
  get scene() {
    if (this.why) return { title: "Order", why: this.why };
    const { number, start, t, at, index } = this.#epoch;
    const { mistake } = this.stage.run.trace;
    const kind = this.#kind;
    const missed = (k) => start + k < t && mistake[start + k] === 1;
    const examples = Array.from(index, (i, k) => ({ i, missed: missed(k) }));
    const bad = new Set(examples.filter((one) => one.missed).map(({ i }) => i));
    return {
      title: TITLES[kind] + (DRAWN.includes(kind) ? `, epoch ${whole.format(number)}` : ""),
      examples: this.ahead ? this.ahead.map((i) => ({ i, missed: bad.has(i) })) : examples,
      shown: Math.max(t - start, 0),
      current: at - 1 - start,
      ahead: this.ahead !== null,
      drag: this.drag?.moved ? this.drag : null,
    };
  }
}

const same = (one, other) => one.every((i, k) => i === other[k]);

/** An order with example i in place `to`. */
function moved(order, i, to) {
  const rest = order.filter((j) => j !== i);
  return [...rest.slice(0, to), i, ...rest.slice(to)];
}
