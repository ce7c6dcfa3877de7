// What is known of a run that made mistakes to its end: asked for once its end is shown, and kept
// with the run.

import { unpack } from "../run/payload.js";
import { number, whole } from "../run/words.js";

/** @import { Player } from "./player.js" */
/** @import { Run } from "../run/run.js" */
/** @import { Verdict, VerdictHeader } from "../run/types.d.ts" */

export class Verdicts {
  /** @type {WeakMap<Run, Verdict>} */
  #known = new WeakMap();
  folds = false; // A page has buttons for what is behind the headline of an end.
  open = ""; // The one that is open: "why", "help" or none.

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
  }

  /**
   * The run that something may be found out about: at its end, while nothing moves, or before it
   * where a mode judges the whole run.
   *
   * @returns {Run | null}
   */
  get openRun() {
    const { run, t, clock, cursor, modes } = this.player;
    const rests = t === run.nSteps && !clock.playing && !cursor.motion;
    return run.header.open && (rests || modes.ask("judges")) && !this.#known.has(run) ? run : null;
  }

  /**
   * The settings that help the current run, to be set by a reader; null where there are none, or a
   * class watches.
   */
  get advice() {
    const { run, t, bare } = this.player;
    return bare ? null : (this.at(run, t)?.set ?? null);
  }

  /**
   * What is drawn of it: the proof by mirrored points, which takes explaining, only beside the
   * words for it.
   *
   * @param {Run} run
   */
  drawnAt(run, t) {
    const known = this.at(run, t);
    const waits = known?.mirrored && this.folds && this.open !== "why" && !this.player.bare;
    return waits ? { ...known, ringed: [], weights: [], mirrored: null } : known;
  }

  /** What is shown of a run at an instant. @param {Run} run */
  at(run, t) {
    return (t === run.nSteps && this.#known.get(run)) || null;
  }

  /**
   * What an example weighs where the classes cross, as a proof that one can check.
   *
   * @param {Run} run
   * @returns {string[]}
   */
  lines(run, t, i) {
    const { ringed = [], weights = [] } = this.at(run, t) ?? {};
    const k = ringed.indexOf(i);
    if (k < 0) return [];
    if (ringed.length === 1) return ["its margin is 0 for every f"];
    return [
      `weight ${number(weights[k])}, one of ${whole.format(ringed.length)}: their margins, so weighted,`,
      "sum to 0 for every f; so they cannot all be positive",
    ];
  }

  /**
   * @param {Run} run
   * @param {Uint8Array | null} bytes null: nothing could be found out
   */
  take(run, bytes) {
    if (!bytes) {
      this.#known.set(run, {
        no: "",
        why: "",
        help: "",
        set: null,
        title: "",
        crosses: false,
        mirrored: null,
        separable: null,
        ringed: [],
        weights: [],
        grid: 0,
        separating: null,
      });
      return;
    }
    const { header, arrays } = unpack(bytes);
    const known = /** @type {VerdictHeader} */ (header);
    this.#known.set(run, { ...known, separating: arrays.separating ?? null });
  }
}
