// The curve over a setting: which one, over how many seeds, and what Python answered.

import { exactly, whole } from "./words.js";

/** @import { Player } from "./player.js" */
/** @import { Run } from "./run.js" */
/** @import { CurveNumbers } from "../types.d.ts" */

export const BUSY = "Each value of the setting has a run of its own: they are being trained.";

/** A value of the setting as one reads it. */
export const written = ({ percent }, value) =>
  percent ? `${Number((100 * value).toFixed(4))} %` : exactly(Number(value.toPrecision(6)));

export const share = (value) => `${Number((100 * value).toFixed(1))}%`;

export const mean = (value) => (value < 1000 ? String(Number(value.toFixed(1))) : whole.format(value));

export class Curve {
  /** @type {string | null} */
  over = null; // the property that was chosen by hand, or by the link
  /** @type {string | null} */
  turned = null; // the one that was set last, which they follow until one is chosen
  seeds = 1;
  /** @type {CurveNumbers | null} */
  answer = null; // the newest
  answered = ""; // the key of what it answers
  failed = ""; // why there is none

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
  }

  /** The property that they run over; null: the default one. */
  get name() {
    return this.over ?? this.turned;
  }

  /** The property that they run over; "" where it is the default one. */
  get #unusual() {
    return this.name === this.numbers?.choices?.[0]?.[0] ? "" : (this.name ?? "");
  }

  /** What the address says of it; "" for the default one. */
  get query() {
    return this.#unusual && this.player.shows("curve") ? `over=${this.#unusual}` : "";
  }

  /**
   * Run over the one number that was set, where a run differs from the one before in nothing else.
   *
   * @param {Run} before
   * @param {Run} now
   */
  follow(before, now) {
    const [was, is] = [before, now].map(({ header }) => new URLSearchParams(header.settings.query));
    const names = new Set([...was.keys(), ...is.keys()].filter((name) => was.get(name) !== is.get(name)));
    const [name] = names;
    const offered = this.numbers?.choices?.map(([each]) => each) ?? [];
    if (names.size === 1 && offered.includes(name)) this.turned = name;
  }

  /** @returns {CurveNumbers | null} those that came with the run, or that were asked for */
  get numbers() {
    return this.player.run.header.extras.curve ?? this.answer;
  }

  /** What tells curves apart: all settings but the one that it runs over, so that turning that one moves only the mark. */
  get key() {
    const { query } = this.player.run.header.settings;
    const own = this.answer ? `${this.answer.name}=` : null;
    const others = query.split("&").filter((part) => own === null || !part.startsWith(own));
    return [...others, this.#unusual, this.seeds].join("&");
  }

  /** @param {CurveNumbers | null} answer */
  take(answer, failed = "") {
    this.answer = answer ?? this.answer;
    this.failed = failed;
    this.answered = this.key;
  }

  /** The value that is set. */
  get now() {
    const { numbers, player } = this;
    const own = `${numbers.name}=`;
    const part = player.run.header.settings.query.split("&").find((each) => each.startsWith(own));
    return part ? Number(part.slice(own.length)) : numbers.default;
  }

  get scene() {
    const { numbers, player, failed } = this;
    const packed = numbers !== null && numbers !== this.answer;
    const there = numbers !== null && !numbers.why && !(failed && !packed);
    return {
      numbers: there ? numbers : null,
      why: numbers?.why || failed,
      stale: !packed && this.answered !== this.key,
      now: there ? this.now : null,
      place: player.touch.place ?? null,
      asks: player.capabilities.server && !player.presenting,
    };
  }
}
