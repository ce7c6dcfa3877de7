// The keyboard on the map: while the board has the focus, arrows walk from example to example, or
// with Shift to any place, and say what pointing there would.

/** @import { Hit } from "../board/types.d.ts" */
/** @import { Stage } from "../page/stage.js" */

const STEP = 1 / 32; // A step with Shift goes over this share of the map's side.
/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Walk {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  /** The example at which one stands, null for none. */
  get #i() {
    const { objects, player } = this.stage;
    const hit = objects.on ? player.pointer?.hit : null;
    return hit?.panel === player.maps.at(-1).name && hit.kind === "example"
      ? Number(hit.index)
      : null;
  }

  /**
   * A key while the board has the focus, with Shift or without; returns whether it meant something.
   */
  key(name, shift = false) {
    const { player, root } = this.stage;
    const isTaken = player.modes.held || player.modes.ask("takesMap");
    if (player.bare || isTaken || !player.run?.n) return false;
    if (shift && !(name in WAYS)) return false;
    if (shift) this.#look(WAYS[name]);
    else if (name === "Escape") root.focus({ preventScroll: true });
    else if (name === "Enter") return this.#pin();
    else {
      const to = this.#to(name);
      if (to === undefined) return false;
      if (to) this.stage.objects.show(to);
      else player.page.say("Nothing is remembered yet.");
    }
    return true;
  }

  /** The board loses the focus. */
  leave() {
    this.stage.objects.leave();
  }

  /**
   * The example to which a key leads: → ← the next by index, ↑ ↓ the next that is remembered.
   *
   * @returns {Hit | null | undefined}
   */
  #to(name) {
    if (!(name in WAYS || name === "Home" || name === "End")) return undefined;
    const { targets, player } = this.stage;
    const { run, t } = player;
    const onMap = targets
      .list(player.maps.at(-1).name)
      .filter(({ index }) => Number(index) < run.n);
    const remembered = onMap.filter(({ index }) => run.alphaOf(Number(index), t) !== 0);
    const from = this.#i ?? -1;
    const after = (/** @type {Hit[]} */ hits) =>
      hits.find(({ index }) => Number(index) > from) ?? hits[0];
    const before = (/** @type {Hit[]} */ hits) =>
      hits.filter(({ index }) => Number(index) < from).at(-1) ?? hits.at(-1);
    const moves = {
      ArrowRight: () => after(onMap),
      ArrowLeft: () => before(onMap),
      ArrowDown: () => after(remembered),
      ArrowUp: () => before(remembered),
      Home: () => onMap[0],
      End: () => onMap.at(-1),
    };
    return moves[name]() ?? null;
  }

  /** Any place of the map, from the one pointed at or its middle. */
  #look([across, up]) {
    const { stage } = this;
    const { targets } = stage;
    const { pointer, view } = stage.player;
    const { x, y, w, h } = view.rect;
    const from = stage.objects.on ? pointer : { px: x + w / 2, py: y + h / 2 };
    const within = (value, low, length) => Math.min(Math.max(value, low + 1), low + length - 1);
    const px = within(from.px + across * STEP * w, x, w);
    const hit = targets.at(px, within(from.py - up * STEP * h, y, h));
    if (hit) stage.objects.show(hit);
  }

  /**
   * Enter: the example is the answer of a task that asks for one; else it stays pinned, or is let
   * go. Returns false where it was the answer already: the key is for who checks that.
   */
  #pin() {
    const { player, objects } = this.stage;
    const answer = this.#i === null ? undefined : player.modes.ask("pick", this.#i);
    if (answer === null) return false;
    if (answer !== undefined) {
      player.page.say(`Your answer: ${answer || "none"}.`);
      return true;
    }
    player.state.change({ pinned: !objects.on || player.pinned ? null : player.pointer });
    if (objects.on) {
      player.page.say(
        player.pinned ? "It stays pinned: Enter or Esc lets it go." : "No longer pinned.",
      );
    }
    this.stage.redraw();
    return true;
  }
}
