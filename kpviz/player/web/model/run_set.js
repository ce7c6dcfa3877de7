// All runs on the stage: the current one, and the pinned ones beside it, which share its time.

import { hatching } from "./hatching.js";
import { Images } from "./images.js";
import { Run } from "./run.js";
import { roomy, View } from "./view.js";

/** @import { Envelope, Grain, Layout, ReadyComparison } from "../types.d.ts" */

/**
 * The map of a run.
 * @typedef {{ name: string, run: Run, view: View }} RunMap
 */

export const LETTERS = "ABCD";
const MOST = 24; // runs that are kept
const LARGEST = 100_000_000; // bytes of all of them
const ROUGH = /&rough$/; // of the middle of a gesture, by its id
const GROWN = 1.9; // times the radius of a point that was not learnt from: on small maps none is larger

export class RunSet {
  /** @type {Run | null} */
  current = null;
  /** @type {Run[]} */
  pinned = [];
  /** @type {string[]} */
  names = []; // of the pinned runs and of the current one
  query = ""; // the pins' part of the address
  /** @type {ReadyComparison | null} */
  comparison = null; // what is said of a ready comparison
  /** @type {{ fields: Float64Array[], apart: number, lines: Float64Array[] } | null} */
  hatched = null;

  /** @type {Map<Run, Images>} */
  #images = new Map();
  /** @type {Map<string, { run: Run, size: number }>} */
  #kept = new Map(); // by id, those that were shown last at the end
  /** @type {Images | null} */
  #spare = null; // those of a run that is gone: the next one writes over them

  /** Whether all of these runs are here. @param {Envelope["runs"]} runs */
  has(runs) {
    return runs?.every(({ id }) => this.#kept.has(id)) ?? false;
  }

  /** The runs that are here. */
  get ids() {
    return [...this.#kept.keys()];
  }

  /** The run of an id, which brings its bytes where it is not here. */
  #run({ id, size }, bytes) {
    const run = this.#kept.get(id)?.run ?? Object.assign(new Run(bytes), { id });
    size ||= this.#kept.get(id).size;
    this.#kept.delete(id);
    this.#kept.set(id, { run, size });
    return run;
  }

  /** Let go of the runs that were not shown for longest. */
  #forget(shown) {
    let [count, total] = [0, 0];
    for (const [id, { run, size }] of [...this.#kept].reverse()) {
      count += 1;
      total += size;
      const goes = count > MOST || total > LARGEST || ROUGH.test(id);
      if (goes && !shown.includes(run)) this.#kept.delete(id);
    }
  }

  /**
   * Take what an envelope brings; runs that are here already stay. Returns whether the current run changed.
   *
   * @param {Envelope} envelope
   * @param {Uint8Array} bytes
   */
  take({ pins, runs: sent }, bytes) {
    const before = this.current;
    let from = 0;
    const runs = sent.map((each) => this.#run(each, bytes.subarray(from, (from += each.size))));
    this.#forget(runs);
    [this.current, ...this.pinned] = runs;
    this.names = pins.names;
    this.query = pins.query;
    this.comparison = pins.comparison ?? null;
    for (const [run, images] of this.#images) {
      if (runs.includes(run)) continue;
      this.#spare = images;
      this.#images.delete(run);
    }
    for (const run of runs) {
      run.span = this.end;
      run.mostGrown = runs.length > 1 ? GROWN : Infinity;
    }
    return before !== this.current;
  }

  /** How long the question and the words of a ready comparison are, in characters.
   *
   * @returns {[number, number] | null}
   */
  get questionLength() {
    return this.comparison && [this.comparison.question.length, this.comparison.words.length];
  }

  /** In the order of their letters: the current one is the last. */
  get all() {
    return [...this.pinned, this.current];
  }

  /** The instant at which the longest run ends. */
  get end() {
    return Math.max(...this.all.map((run) => run.nSteps));
  }

  /**
   * The example or epoch of the current run, the nearest mistake of any.
   *
   * @param {number} t
   * @param {Grain} grain
   * @param {number} way
   */
  neighbour(t, grain, way) {
    if (grain === "example") return Math.min(Math.max(t + way, 0), this.end);
    const found = this.all.map(({ trace, nSteps }) => {
      const to = trace.neighbour(Math.min(t, nSteps), grain, way);
      return way > 0 && (to <= t || (to === nSteps && !trace.stopsAt(to - 1))) ? this.end : to;
    });
    return way > 0 ? Math.min(...found) : Math.max(...found.filter((to) => to < t), 0);
  }

  /** @param {Run} run */
  imagesOf(run) {
    const { grid } = run.header;
    if (!this.#images.has(run)) {
      this.#images.set(run, this.#spare?.grid === grid ? this.#spare : new Images(grid));
      this.#spare = null;
    }
    return this.#images.get(run);
  }

  /**
   * Where the runs disagree, in shares of the side, by lines so far `apart`; found once for an instant, except for
   * fields in motion, which are written over.
   *
   * @param {Float64Array[]} fields
   * @param {number} apart
   */
  hatching(fields, apart, moving = false) {
    const { hatched } = this;
    const same = hatched?.apart === apart && hatched.fields.every((field, k) => field === fields[k]);
    if (same && !moving) return hatched.lines;
    const sized = fields.map((values) => ({ values, grid: Math.sqrt(values.length) })); // a narrow kernel's is finer
    const lines = hatching(sized, apart);
    this.hatched = moving ? null : { fields, apart, lines };
    return lines;
  }

  /**
   * The run and the view of each map.
   *
   * @param {Layout} layout
   * @returns {RunMap[]}
   */
  maps({ panels, unit }) {
    return this.all.map((run, k) => {
      const name = run === this.current ? "map" : `map-${k}`;
      return { name, run, view: new View(panels[name], roomy(run, panels[name], unit), run.header.grid) };
    });
  }
}
