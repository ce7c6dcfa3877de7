// The keyboard on the panels: each one is a stop of Tab, arrows go from one thing to the next, and
// what pointing at it tells is said; Enter does what a click does, Escape leaves.

import { BY_NAME } from "../board/panel_table.js";
import { LETTERS } from "../board/run_set.js";
import { lay, make } from "../page/dom.js";
import { PANEL_OBJECTS } from "../panels/index.js";

/** @import { Hit, Layout } from "../board/types.d.ts" */
/** @import { Stage } from "../page/stage.js" */
/** @import { WalkColumn } from "./targets.js" */

/** @typedef {(column: number, row: number, grid: WalkColumn[]) => [number, number]} Move */

const HOW = "arrows go from one to the next, Enter does what a click does, Escape leaves.";
const RING = 18; // In px: how wide the ring is round what a key points at.
// Marks of panels that have nothing to show.
const SENTENCES = new Set(["why", "offer", "remembered"]);

export class Objects {
  /** @type {Map<string, HTMLElement>} */
  stops = new Map(); // They are kept by the names of their panels.
  /** @type {Map<string, [number, number]>} */
  at = new Map(); // In each panel the column and the row where one was last.
  panel = ""; // The panel where one was last.
  on = false; // An object is pointed at by key.

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.ring = make("i", { className: "object" });
    this.ring.hidden = true;
    this.box = make("div", { className: "objects" });
    this.box.append(this.ring);
    stage.spoken.element.after(this.box);
  }

  /**
   * Put a stop where each panel is that has objects.
   *
   * @param {Layout} layout
   */
  place({ panels }) {
    const { canvas, player } = this.stage;
    this.box.hidden = player.bare || Boolean(player.modes.ask("takesMap"));
    Object.assign(this.box.style, { left: canvas.style.left || 0, top: canvas.style.top || 0 });
    const names = Object.keys(panels).filter((name) => PANEL_OBJECTS[name.split("-")[0]]?.walkable);
    for (const [name, stop] of this.stops) {
      if (!names.includes(name)) (stop.remove(), this.stops.delete(name));
    }
    for (const name of names) {
      lay(this.#stop(name), panels[name]);
    }
  }

  #stop(name) {
    if (!this.stops.has(name)) {
      const [kind, which] = name.split("-");
      const title = BY_NAME[kind]?.title ?? "Timeline";
      const whose = which === undefined ? "" : ` of run ${LETTERS[which]}`;
      const stop = make("div", { className: "stop" });
      stop.tabIndex = 0;
      stop.setAttribute("role", "application");
      stop.setAttribute("aria-label", `${title}${whose}: ${HOW}`);
      stop.addEventListener("blur", () => this.leave());
      this.stops.set(name, stop);
      this.box.append(stop);
    }
    return this.stops.get(name);
  }

  /** A key while a panel has the focus; returns whether it meant something. */
  key(target, name) {
    const panel = [...this.stops].find(([, stop]) => stop === target)?.[0];
    if (!panel) return false;
    if (name === "Escape") this.stage.root.focus({ preventScroll: true });
    else if (name === "Enter") this.#pick();
    else if (name in MOVES) this.#go(panel, MOVES[name]);
    else return false;
    return true;
  }

  /** The focus goes elsewhere, or the pointer takes over. */
  leave({ byPointer = false } = {}) {
    if (!this.on) return;
    this.on = false;
    this.ring.hidden = true;
    if (!byPointer) this.stage.point(null);
  }

  #pick() {
    if (!this.on) return;
    this.stage.pick();
    this.stage.spoken.say(this.#words);
  }

  /** Go on from where one was, over what is empty. */
  #go(panel, move) {
    const grid = this.stage.targets.columns(panel);
    if (!grid.length) {
      this.stage.say(this.#written(panel) || "Nothing is here yet.");
      return;
    }
    const before = this.on ? this.at.get(panel) : null;
    // In a list all arrows go up and down.
    const step = grid.length === 1 ? (DOWN.get(move) ?? move) : move;
    const [column, row] = before ? step(...before, grid) : (this.at.get(panel) ?? [0, 0]);
    const c = Math.min(Math.max(column, 0), grid.length - 1);
    const r = Math.min(Math.max(row, 0), grid[c].length - 1);
    this.at.set(panel, [c, r]);
    this.panel = panel;
    this.show(grid[c].at(r));
  }

  /** What a panel that has nothing to show says of it. */
  #written(panel) {
    const { panels } = this.stage.board;
    const texts = (panels.find(({ name }) => name === panel)?.moving ?? []).filter(
      (mark) => mark.kind === "text",
    );
    return texts
      .filter(({ name }) => SENTENCES.has(name))
      .map(({ text }) => text)
      .join(" ");
  }

  /** Point at a thing by key: it has a ring, and is said. @param {Hit} hit */
  show(hit) {
    this.on = true;
    this.stage.point({ px: hit.px, py: hit.py, byKey: true, hit });
    this.follow();
    this.stage.spoken.say(this.#words);
  }

  /** Where keys point the ring lies; nowhere, where the thing is gone. */
  follow() {
    if (!this.on) return;
    const { pointer } = this.stage.player;
    this.ring.hidden = !pointer;
    if (pointer) {
      const corner = { left: `${pointer.px - RING / 2}px`, top: `${pointer.py - RING / 2}px` };
      Object.assign(this.ring.style, corner);
    }
  }

  get #words() {
    const { lines } = this.stage.player.touch;
    return lines.length ? `${lines.join(", ")}.` : this.#written(this.panel);
  }
}

/** @type {Record<string, Move>} */
const MOVES = {
  ArrowRight: (column, row) => [column + 1, row],
  ArrowLeft: (column, row) => [column - 1, row],
  ArrowUp: (column, row) => [column, row - 1],
  ArrowDown: (column, row) => [column, row + 1],
  Home: (_, row) => [0, row],
  End: (_, row, grid) => [grid.length - 1, row],
};

/** In a list all arrows go up and down. @type {Map<Move, Move>} */
const DOWN = new Map([
  [MOVES.ArrowRight, MOVES.ArrowDown],
  [MOVES.ArrowLeft, MOVES.ArrowUp],
  [MOVES.Home, () => [0, 0]],
  [MOVES.End, (_column, _row, [list]) => [0, list.length - 1]],
]);
