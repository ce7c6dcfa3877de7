// The first visit: on the address without settings three mistakes play by themselves, once in a browser. Then a tour is
// offered. Any input ends it at once, and the run waits at step 0, from where a key or a click does what it always does.

import { isNew } from "../service/keep.js";

/** @import { Stage } from "./stage.js" */

const NAME = "kpviz-opening";
const FIRST = 500; // ms before the first mistake
const BEAT = 1350; // ms for each: all in less than 5 s
const MISTAKES = 3;
const INPUT = ["keydown", "pointerdown", "touchstart", "wheel"];

export class Opening {
  on = false;
  /** @type {ReturnType<typeof setTimeout>[]} */
  timers = [];
  controller = new AbortController();

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    const { opened, extras } = stage.link;
    this.bare = opened === "" && !extras.lesson; // as the page was opened; the player soon writes its settings there
  }

  /** The first run is on the stage. */
  begin() {
    const { player, tour } = this.stage;
    if (!this.bare || player.t > 0 || player.presenting || window !== window.top || document.hidden) return;
    if (!isNew(NAME)) return;
    if (player.cursor.calm) tour.offer();
    else this.#play();
  }

  #play() {
    const { cursor } = this.stage.player;
    this.on = true;
    for (let k = 0; k < MISTAKES; k++) this.timers.push(setTimeout(() => cursor.step("mistake", 1), FIRST + k * BEAT));
    this.timers.push(setTimeout(() => this.end(), FIRST + MISTAKES * BEAT));
    const options = { signal: this.controller.signal, capture: true, passive: true };
    for (const kind of INPUT) window.addEventListener(kind, () => this.end(), options); // before the document's listeners
  }

  /** Back to the start. */
  end() {
    if (!this.on) return;
    this.stop();
    this.stage.player.cursor.go(0);
    this.stage.tour.offer();
  }

  stop() {
    this.on = false;
    for (const timer of this.timers) clearTimeout(timer);
    this.controller.abort();
  }
}
