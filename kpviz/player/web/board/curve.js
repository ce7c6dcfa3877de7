// The curves of many runs over a setting: which one it is, and what came of it.

/** @import { Player } from "./player.js" */
/** @import { Run } from "../run/run.js" */
/** @import { CurveNumbers } from "../run/types.d.ts" */

export class Curve {
  /** @type {string | null} */
  over = null; // The property that was chosen by hand, or by the link.
  /** @type {string | null} */
  turned = null; // The property that was set last, which they follow until one is chosen.
  seeds = 1;
  /** @type {CurveNumbers | null} */
  answer = null; // The newest answer.
  answered = ""; // The key of what it answers.
  failed = ""; // The reason why there is none.

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
    const names = new Set(
      [...was.keys(), ...is.keys()].filter((name) => was.get(name) !== is.get(name)),
    );
    const [name] = names;
    const offered = this.numbers?.choices?.map(([choice]) => choice) ?? [];
    if (names.size === 1 && offered.includes(name)) this.turned = name;
  }

  /** @returns {CurveNumbers | null} those that came with the run, or that were asked for */
  get numbers() {
    return this.player.run.header.extras.curve ?? this.answer;
  }

  /**
   * What tells curves apart: all settings but the one that it runs over, so that turning that one
   * moves only the mark.
   */
  get key() {
    const { query } = this.player.run.header.settings;
    const prefix = this.answer ? `${this.answer.name}=` : null;
    const others = query.split("&").filter((part) => prefix === null || !part.startsWith(prefix));
    return [...others, this.#unusual, this.seeds].join("&");
  }

  /** @param {CurveNumbers | null} answer */
  take(answer, failed = "") {
    this.answer = answer ?? this.answer;
    this.failed = failed;
    this.answered = this.key;
  }

  get now() {
    const { numbers, player } = this;
    const prefix = `${numbers.name}=`;
    const part = player.run.header.settings.query
      .split("&")
      .find((pair) => pair.startsWith(prefix));
    return part ? Number(part.slice(prefix.length)) : numbers.default;
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
      asks: player.capabilities.server && !player.bare,
    };
  }
}
