// The tour: a ring round the place that is meant, and a card beside it, over the real board.

import { make, pressable } from "./dom.js";
import { counted, example, number, signed } from "../model/words.js";

/** @import { Run } from "../model/run.js" */
/** @import { Stage } from "./stage.js" */
/** @import { Rect } from "../types.d.ts" */

// The tour of the board: what each of its five stops says of a run, at which instant, and where.

/**
 * A stop: the instant, the panel, the mark in it that is meant (none: the panel), and the words. `button` names a button
 * instead of a panel; `happens`: the step that leads there is shown happening.
 * @typedef {{ name: string, t: number, title: string, lines: [string, string], panel?: string, mark?: string, button?: string, happens?: boolean }} Stop
 */

const GAP = 14; // px between a card and its place

/**
 * The step of the mistake that the tour shows: the first one with a score that says the other class clearly; null: the
 * run has none, or is of another kind than the tour speaks of.
 *
 * @param {Run} run
 * @returns {number | null}
 */
function mistakeOf({ plane, stream, header, predictor, trace }) {
  if (!plane || stream || !header.about.counts || predictor.kind !== "last" || header.names.psd === "no") return null;
  const { score } = trace;
  const wrong = [...trace.mistakeSteps].filter((step) => score[step] !== 0);
  return wrong.find((step) => Math.abs(score[step]) >= 0.1) ?? wrong[0] ?? null;
}

/**
 * The five stops of a run; null where it cannot show them.
 *
 * @param {Run} run
 * @param {object} options
 * @param {number} options.from the instant at which the tour ends
 * @param {boolean} options.touch whether the screen is touched
 * @returns {Stop[] | null}
 */
export function stopsOf(run, { from, touch }) {
  const step = mistakeOf(run);
  if (step === null) return null;
  const t = step + 1;
  const { trace, y, n } = run;
  const i = trace.index[step];
  const x = example(i);
  const [own, other] = y[i] > 0 ? ["orange", "blue"] : ["blue", "orange"];
  const { scores } = run.reading(t);
  const wrong = Array.from({ length: n }, (_, j) => y[j] * scores[j]).filter((margin) => margin <= 0).length;
  const { intercept } = run.header.settings;
  const rate = trace.unit === 1 ? "" : "η·";
  const alpha = `${rate ? "η times the" : "The"} number of bricks on an example is its α`;
  const b = intercept === "none" ? "" : ", and the intercept b";
  return [
    {
      name: "f",
      t: run.nSteps,
      panel: "map",
      title: "This is f",
      lines: [
        `The colour shows f, here after ${counted(trace.mistakesBefore(run.nSteps), "mistake")}: orange where f is above 0, blue where it is below.`,
        "The line between them is the boundary, f = 0. On one side f says +1 (orange), on the other −1 (blue).",
      ],
    },
    {
      name: "mistake",
      t,
      panel: "map",
      mark: "current",
      happens: true,
      title: "A mistake",
      lines: [
        `Back to step ${t}: ${x} is ${own}, but its score was ${signed(trace.score[step])}, which says ${other}: a mistake.`,
        `So f moves towards ${own} around ${x}: the score is now ${number(scores[i])}.`,
      ],
    },
    {
      name: "brick",
      t,
      panel: "alpha",
      mark: "newest",
      title: "A brick",
      lines: [
        `This brick is that mistake. ${alpha}: ${rate ? number(run.alphaOf(i, t)) : trace.mistakesOn(i, t)} on ${x}.`,
        `f is the sum of all bricks: each adds ${rate}y·k(x, ·) of its example${b}.`,
      ],
    },
    {
      name: "margin",
      t,
      panel: "margins",
      mark: "current",
      title: "The margin",
      lines: [
        `The margin y·f(x) is above 0 where f says the right class. The framed bar holds ${x}.`,
        `Left of the dashed line are the margins that are not above 0: ${wrong} of ${n}.`,
      ],
    },
    {
      name: "turn",
      t: from,
      button: "next-example",
      title: "Your turn",
      lines: touch
        ? [
            "Tap here for the next example, and the arrow after “mistake” for the next mistake.",
            "“predict” hides f and asks you; ? explains everything else.",
          ]
        : [
            "Press → for the next example, PageDown for the next mistake, Space to play.",
            "Q hides f and asks you; ? explains everything else.",
          ],
    },
  ];
}

/**
 * Where a card of this size stands so that it leaves a panel free: on the side of it that is nearest to the place in it that
 * is meant, inside a room.
 *
 * @param {Rect} panel
 * @param {Rect} place
 * @param {{ w: number, h: number }} card
 * @param {Rect} room
 */
export function beside(panel, place, card, room) {
  const within = (value, low, high) => Math.max(Math.min(value, high), low);
  const [right, bottom] = [room.x + room.w - card.w, room.y + room.h - card.h]; // the last places inside
  const middle = { x: place.x + place.w / 2 - card.w / 2, y: place.y + place.h / 2 - card.h / 2 };
  const [x, y] = [within(middle.x, room.x, right), within(middle.y, room.y, bottom)];
  const far = ({ x: across, y: down }) => Math.hypot(across - middle.x, down - middle.y);
  const [best] = [
    { x: panel.x + panel.w + GAP, y },
    { x: panel.x - GAP - card.w, y },
    { x, y: panel.y + panel.h + GAP },
    { x, y: panel.y - GAP - card.h },
  ]
    .filter((one) => one.x >= room.x && one.x <= right && one.y >= room.y && one.y <= bottom)
    .sort((one, other) => far(one) - far(other));
  return best ?? { x, y: bottom };
}

const AROUND = 6; // px between a place and its ring
const ROOM = 158; // px that the offer needs between the buttons
const UNMOVED = new Set(["Tab", "Shift", "CapsLock"]); // they leave the card where it is
const NONE = "The tour needs a perceptron’s run on the plane, with a mistake in it. The first page has one.";

export class Tour {
  /** @type {Stop[]} */
  stops = [];
  at = 0;
  on = false;
  /** @type {{ shown: Set<string>, tab: string, t: number, focus: Element | null } | null} */
  before = null; // what was there before the tour
  /** @type {HTMLElement | null} */
  offered = null;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.title = make("h2", { id: "tour-title" });
    this.words = make("div", { id: "tour-words" });
    this.back = pressable("Back", () => this.#go(this.at - 1));
    this.next = pressable("Next", () => this.#forward(), { className: "main" });
    this.skip = pressable("End", () => this.end());
    this.ring = make("div", { className: "tour-ring", hidden: true });
    this.card = make(
      "section",
      {
        className: "tour",
        hidden: true,
        tabIndex: -1,
        role: "dialog",
        "aria-modal": "false",
        "aria-labelledby": "tour-title",
        "aria-describedby": "tour-words",
      },
      this.title,
      this.words,
      make("div", { className: "buttons" }, this.back, this.next, this.skip),
    );
    stage.root.append(this.ring, this.card);
  }

  // ---- the offer ----------------------------------------------------------------------------------

  /** Offer the tour, beside the buttons or under them, among them where they are one row, until somebody goes on. */
  offer() {
    const { controls, tools, player } = this.stage;
    if (this.offered || !stopsOf(player.run, { from: 0, touch: false })) return;
    const strip = player.layout?.strip;
    const name = "Show me around";
    const start = pressable(strip ? "Tour" : name, () => this.start(), {
      title: "Five steps on this board",
      "aria-label": name,
    });
    const no = pressable("×", () => this.#withdraw(), { title: "No, thanks", "aria-label": "No, thanks" });
    this.offered = make("div", { className: "offer" }, start, no);
    const space = /** @type {HTMLElement} */ (controls.bar.querySelector(".space"));
    if (strip) controls.bar.querySelector(".play + *").after(this.offered);
    else (space.offsetWidth >= ROOM ? space : tools.box).append(this.offered);
    this.stage.arrange();
  }

  #withdraw() {
    if (!this.offered) return;
    this.offered.remove();
    this.offered = null;
    this.stage.arrange();
  }

  // ---- going through it ---------------------------------------------------------------------------

  start() {
    const { player, controls, dock, editor } = this.stage;
    if (player.presenting) return;
    const touch = window.matchMedia("(pointer: coarse)").matches;
    const from = player.t < player.runs.end ? player.t : 0;
    const stops = player.runs.pinned.length ? null : stopsOf(player.run, { from, touch });
    this.#withdraw();
    controls.menu(null);
    if (!stops) {
      this.stage.say(NONE);
      return;
    }
    dock?.close();
    if (player.editing.on) editor.toggle(false);
    player.predict.end();
    const { activeElement: focus } = /** @type {ShadowRoot} */ (this.stage.root.getRootNode());
    this.before = { shown: player.shown, tab: player.tab, t: player.t, focus };
    Object.assign(this, { stops, on: true });
    this.controller = new AbortController();
    const options = { signal: this.controller.signal, capture: true };
    window.addEventListener("pointerdown", (event) => event.composedPath().includes(this.card) || this.end(), options);
    this.#go(0);
  }

  #go(to) {
    const { player } = this.stage;
    const stop = this.stops[to];
    const forward = to > this.at;
    this.at = to;
    player.shown = new Set([...this.before.shown, ...(stop.panel && stop.panel !== "map" ? [stop.panel] : [])]);
    player.tab = stop.panel && stop.panel !== "map" ? stop.panel : "words";
    player.pinned = null;
    if (stop.happens && forward) {
      player.cursor.go(stop.t - 1);
      player.cursor.step("example", 1);
    } else player.cursor.go(stop.t);
    this.title.textContent = `${to + 1} of ${this.stops.length} · ${stop.title}`;
    this.words.replaceChildren(...stop.lines.map((line) => make("p", {}, line)));
    this.back.hidden = to === 0;
    this.next.textContent = to + 1 < this.stops.length ? "Next" : "Done";
    this.skip.hidden = to + 1 === this.stops.length;
    this.ring.hidden = this.card.hidden = false;
    this.stage.arrange();
    this.stage.draw();
    this.ring.scrollIntoView({ block: "nearest" });
    this.follow();
    this.card.focus({ preventScroll: true });
  }

  #forward() {
    if (this.at + 1 < this.stops.length) this.#go(this.at + 1);
    else this.end();
  }

  /** What it showed goes; at its last stop the run stays there, else it is back where it was. */
  end() {
    if (!this.on) return;
    const { t, focus } = this.before;
    const held = this.card.matches(":focus-within");
    this.stop();
    if (this.at + 1 < this.stops.length) this.stage.player.cursor.go(t);
    if (held) /** @type {HTMLElement | null} */ (focus)?.focus();
    this.stage.arrange();
  }

  /** Go without a word: the run is another one, or a class comes. */
  stop() {
    this.#withdraw();
    if (!this.on) return;
    this.on = false;
    this.controller.abort();
    Object.assign(this.stage.player, { shown: this.before.shown, tab: this.before.tab });
    this.ring.hidden = this.card.hidden = true;
  }

  /** A key of the tour. Returns whether it took it; any other key ends the tour and does what it always does. */
  key(event, name) {
    if (!this.on || UNMOVED.has(name)) return false;
    const [pressed] = event.composedPath();
    if ((name === "Enter" || name === " ") && pressed instanceof HTMLButtonElement && this.card.contains(pressed)) {
      return false;
    }
    const last = this.at + 1 === this.stops.length;
    if (name === "ArrowLeft") {
      if (this.at > 0) this.#go(this.at - 1);
    } else if (name === "Enter" || name === " " || (name === "ArrowRight" && !last)) this.#forward();
    else {
      this.end();
      return name === "Escape";
    }
    return true;
  }

  // ---- where it stands ----------------------------------------------------------------------------

  /** After each frame: the ring stays on what it means, and the offer goes once somebody has gone on. */
  follow() {
    if (this.offered && (this.stage.player.t > 0 || this.stage.player.presenting)) this.#withdraw();
    if (!this.on) return;
    const { panel, place } = this.#place();
    const wider = ({ x, y, w, h }) => ({ x: x - AROUND, y: y - AROUND, w: w + 2 * AROUND, h: h + 2 * AROUND });
    const round = wider(place);
    put(this.ring, round);
    const box = this.stage.root.getBoundingClientRect();
    const top = Math.max(-box.top, 0);
    const room = { x: 0, y: top, w: box.width, h: window.innerHeight - box.top - top };
    put(this.card, beside(wider(panel), round, { w: this.card.offsetWidth, h: this.card.offsetHeight }, room));
  }

  /** What is meant, and the panel that it is in. @returns {{ panel: Rect, place: Rect }} */
  #place() {
    const { board, controls, root } = this.stage;
    const { button, panel: name, mark } = this.stops[this.at];
    if (button) {
      const from = root.getBoundingClientRect();
      const box = controls.bar.querySelector(`[data-do=${button}]`).getBoundingClientRect();
      const place = { x: box.x - from.x, y: box.y - from.y, w: box.width, h: box.height };
      return { panel: place, place };
    }
    const { rect: panel, moving } = board.panels.find((one) => one.name === name);
    const meant = moving.find((one) => one.name === mark);
    if (meant?.kind === "circle") {
      return { panel, place: { x: meant.x - meant.r, y: meant.y - meant.r, w: 2 * meant.r, h: 2 * meant.r } };
    }
    return { panel, place: meant?.kind === "rect" ? meant : panel };
  }
}

function put({ style }, { x, y, w = null, h = null }) {
  const px = (length) => (length === null ? "" : `${length}px`);
  Object.assign(style, { left: px(x), top: px(y), width: px(w), height: px(h) });
}
