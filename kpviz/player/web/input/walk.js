// The keyboard on the map: while the board has the focus, arrows walk from example to example, or with Shift to any place,
// and say what pointing there would.

import { atExample } from "./hover.js";
import { visible } from "../model/series.js";

/** @import { Stage } from "../shell/stage.js" */

const STEP = 1 / 32; // of the map's side, with Shift
/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Walk {
  /** @type {number | null} */
  i = null; // the example

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  /** What is touched while one walks; null: the pointer says it. */
  get touch() {
    const { player } = this.stage;
    return this.i === null || this.i >= player.run.n ? null : atExample(player, this.i);
  }

  /** A key while the board has the focus, with Shift or without; returns whether it meant something. */
  key(name, shift = false) {
    const { player, root } = this.stage;
    if (player.presenting || player.editing.on || player.order.drag || !player.run?.n) return false;
    if (shift && !(name in WAYS)) return false;
    if (shift) this.#look(WAYS[name]);
    else if (name === "Escape") root.focus({ preventScroll: true });
    else if (name === "Enter") this.#pin();
    else {
      const to = this.#to(name);
      if (to === undefined) return false;
      this.#go(to);
    }
    return true;
  }

  /** The board loses the focus. */
  leave() {
    this.i = null;
    this.stage.objects.leave();
  }

  /** The example to which a key leads: → ← the next by index, ↑ ↓ the next that is remembered. */
  #to(name) {
    const { run, t } = this.stage.player;
    const shown = run.stream ? [...visible(run, t).keys()].sort((a, b) => a - b) : [...Array(run.n).keys()];
    const remembered = shown.filter((i) => run.alphaOf(i, t) !== 0);
    const from = this.i ?? -1;
    const after = (found) => found.find((i) => i > from) ?? found[0];
    const before = (found) => found.findLast((i) => i < from) ?? found.at(-1);
    const moves = {
      ArrowRight: () => after(shown),
      ArrowLeft: () => before(shown),
      ArrowDown: () => after(remembered) ?? from,
      ArrowUp: () => before(remembered) ?? from,
      Home: () => shown[0],
      End: () => shown.at(-1),
    };
    return moves[name]?.();
  }

  #go(i) {
    const { stage } = this;
    const { player } = stage;
    if (i < 0) {
      player.page.say("Nothing is remembered yet.");
      return;
    }
    this.i = i;
    const { view, run } = player;
    stage.objects.show({ px: view.x(run.X[2 * i]), py: view.y(run.X[2 * i + 1]) });
  }

  /** Any place of the map, from the one pointed at or its middle. */
  #look([across, up]) {
    const { stage } = this;
    const { pointer, view } = stage.player;
    const { x, y, w, h } = view.rect;
    const from = stage.objects.on ? pointer : { px: x + w / 2, py: y + h / 2 };
    const within = (value, low, length) => Math.min(Math.max(value, low + 1), low + length - 1);
    this.i = null;
    stage.objects.show({ px: within(from.px + across * STEP * w, x, w), py: within(from.py - up * STEP * h, y, h) });
  }

  /** Enter: the example is the answer of a task that asks for one; else it stays pinned, or is let go. */
  #pin() {
    const { player, objects, lesson } = this.stage;
    const answer = this.i === null ? undefined : lesson?.pick(this.i);
    if (answer !== undefined) {
      player.page.say(`Your answer: ${answer || "none"}.`);
      return;
    }
    player.pinned = !objects.on || player.pinned ? null : { ...player.touch, ...player.pointer };
    if (objects.on) player.page.say(player.pinned ? "It stays pinned: Enter or Esc lets it go." : "No longer pinned.");
    this.stage.redraw();
  }
}
