// A run by ear: a step sounds as high as the score of its example, and a mistake ticks.

import { limitOf } from "../model/scene.js";

/** @import { Player } from "../model/player.js" */

const MIDDLE = 440; // Hz, of a score of 0
const LENGTH = 0.09; // s of a note
const LOUD = 0.12;
const TICK = { height: 1760, length: 0.03, loud: 0.08 };
const APART = 100; // ms between two steps that can be told apart

/**
 * How high a score sounds, in Hz: an octave up or down at the limit of the colours, and no farther.
 *
 * @param {number} score
 * @param {number} limit
 */
export const heightOf = (score, limit) => MIDDLE * 2 ** Math.min(Math.max(score / limit, -1), 1);

export class Sound {
  on = false;
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {unknown} */
  #run = null;
  #t = 0; // the instant that was heard, or came before there was anything to be heard
  #moved = -Infinity; // ms, when it came
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
  }

  /** A frame was drawn. */
  update(now = performance.now()) {
    const { run, t } = this.player;
    if (run === this.#run && t === this.#t) return;
    const another = run !== this.#run;
    const soon = now - this.#moved < APART;
    this.#run = run;
    this.#t = t;
    this.#moved = now;
    clearTimeout(this.#timer);
    if (another || !this.on) return;
    if (soon) this.#timer = setTimeout(() => this.#play(), APART);
    else this.#play();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#context?.close();
    this.#context = null;
  }

  /** The step that led to this instant. */
  #play() {
    const { run, t } = this.player;
    const allowed = navigator.userActivation?.hasBeenActive ?? true;
    if (t === 0 || t > run.nSteps || !allowed) return;
    this.#context ??= new AudioContext();
    if (this.#context.state === "suspended") this.#context.resume();
    this.#note("sine", {
      height: heightOf(run.trace.score[t - 1], limitOf(this.player, run)),
      length: LENGTH,
      loud: LOUD,
    });
    if (run.trace.mistake[t - 1]) this.#note("square", TICK);
  }

  /**
   * @param {OscillatorType} type
   * @param {{ height: number, length: number, loud: number }} note
   */
  #note(type, { height, length, loud }) {
    const context = this.#context;
    const from = context.currentTime;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = type;
    tone.frequency.value = height;
    volume.gain.setValueAtTime(loud, from);
    volume.gain.exponentialRampToValueAtTime(loud / 1000, from + length); // without a click at its end
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}
