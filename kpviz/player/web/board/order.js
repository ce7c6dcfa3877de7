// The order in which an epoch shows the examples, as its panel has it: that of the run, or one by
// hand that is ahead of it.

import { looksAhead } from "./narration.js";
import { capitalized, whole } from "../run/words.js";

/** @import { Player } from "./player.js" */
/** @import { Pointer } from "./types.d.ts" */

/** Orders that differ from epoch to epoch. */
export const DRAWN = ["shuffled", "random", "first-mistake", "random-mistake"];
const TITLES = {
  cyclic: "Order: cyclic",
  hand: "Order by hand",
  shuffled: "Order: shuffled",
  random: "Order: random",
  "first-mistake": "Order: the first mistake",
  "random-mistake": "Order: a random mistake",
};

/** An example in hand, and where the pointer is. @typedef {Pointer & { i: number }} InHand */

/**
 * What the panel of the order shows.
 * @typedef {object} OrderScene
 * @property {string} title
 * @property {string} [whyEmpty] the sentence that stands in place of all else
 * @property {{ i: number, missed: boolean }[]} [examples] in their order, `missed` where this epoch
 *   made a mistake
 * @property {number} [places] how many examples an epoch has room for
 * @property {boolean} [onlyMistakes] whether only mistakes are shown: no hand can order them
 * @property {number} [shown] how many of the examples this epoch has shown
 * @property {number} [current] the place of the step's example, -1 for none
 * @property {boolean} [ahead] whether it is an order by hand that the run does not have yet
 * @property {InHand | null} [inHand]
 */

export class Order {
  /** @type {number[] | null} */
  ahead = null; // The order by hand, while the run does not have it yet.
  /** @type {InHand | null} */
  inHand = null;

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
  }

  /** Why there is no order by hand, in a sentence; "" where there is. */
  get why() {
    const { orderWhy } = this.player.run.header.settings;
    return orderWhy ? `${capitalized(orderWhy)}.` : "";
  }

  /** Which order it is, as it will be once the server knows. */
  get kind() {
    return this.ahead ? "hand" : this.player.run.header.settings.order;
  }

  /**
   * The permutation that is shown now; of an epoch with repetitions that in which the examples
   * first come.
   *
   * @returns {number[]}
   */
  get now() {
    const { n, onlyMistakes } = this.player.run;
    const first = onlyMistakes ? [] : this.epoch.index;
    return this.ahead ?? [...new Set([...first, ...Array(n).keys()])];
  }

  /**
   * The epoch on the board: its number, its first step, the examples it shows, and the instant that
   * counts. Where only mistakes are shown, those that are still to come would tell which examples
   * will be mistakes.
   */
  get epoch() {
    const { player } = this;
    const { trace, nSteps, onlyMistakes } = player.run;
    const t = Math.min(player.t, nSteps);
    const at = looksAhead(player) ? t + 1 : t; // What is asked about may begin an epoch.
    const number = nSteps ? trace.epochAt(at) : 0;
    const start = nSteps ? trace.epochStart[number - 1] : 0;
    const last = number < trace.nEpochs ? trace.epochStart[number] : nSteps;
    const end = onlyMistakes ? Math.max(Math.min(at, last), start) : last;
    return { number, start, t, at, index: trace.index.subarray(start, end) };
  }

  /** The example in place k of what is shown. */
  at(k) {
    return this.ahead ? this.ahead[k] : this.epoch.index[k];
  }

  /** The example of the step, null for none. */
  get ofStep() {
    const { at } = this.epoch;
    return at > 0 ? this.player.run.trace.index[at - 1] : null;
  }

  /** @returns {OrderScene} */
  get scene() {
    if (this.why) return { title: "Order", whyEmpty: this.why };
    const { number, start, t, at, index } = this.epoch;
    const { trace, n, onlyMistakes } = this.player.run;
    const { mistake } = trace;
    const { kind } = this;
    const missed = (k) => start + k < t && mistake[start + k] === 1;
    const examples = Array.from(index, (i, k) => ({ i, missed: missed(k) }));
    const bad = new Set(examples.filter((one) => one.missed).map(({ i }) => i));
    return {
      title: TITLES[kind] + (DRAWN.includes(kind) ? `, epoch ${whole.format(number)}` : ""),
      examples: this.ahead ? this.ahead.map((i) => ({ i, missed: bad.has(i) })) : examples,
      places: onlyMistakes ? n : examples.length,
      onlyMistakes,
      shown: Math.max(t - start, 0),
      current: at - 1 - start,
      ahead: this.ahead !== null,
      inHand: this.inHand,
    };
  }
}
