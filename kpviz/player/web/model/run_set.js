// All runs on the stage: the current one, and the pinned ones beside it, which share its time.

import { Images } from "./images.js";
import { Pixels } from "./pixels.js";
import { Run } from "./run.js";
import { View } from "./view.js";

/** @import { Palette } from "./colors.js" */
/** @import { Envelope, Grain, Layout } from "../types.d.ts" */

/**
 * The map of a run.
 * @typedef {{ name: string, run: Run, view: View }} RunMap
 */

export const LETTERS = "ABCD";

export class RunSet {
  /** @type {Run | null} */
  current = null;
  /** @type {Run[]} */
  pinned = [];
  /** @type {string[]} */
  names = []; // of the pinned runs and of the current one
  query = ""; // the pins' part of the address
  /** @type {{ fields: Float64Array[], palette: Palette, mask: Uint8Array } | null} */
  shaded = null;

  /** @type {Map<Run, Images>} */
  #images = new Map();
  /** @type {Images | null} */
  #spare = null; // those of a run that is gone: the next one writes over them
  /** @type {Pixels | null} */
  #shade = null;

  /**
   * Take what an envelope brings; runs that are here already stay. Returns whether the current run changed.
   *
   * @param {Envelope} envelope
   * @param {Uint8Array} bytes
   */
  take({ pins, runs: sent }, bytes) {
    const before = this.current;
    const known = [before, ...this.pinned].filter(Boolean);
    let from = 0;
    const runs = sent.map(({ id, size }) => {
      const part = bytes.slice(from, (from += size));
      return known.find((run) => run.id === id) ?? Object.assign(new Run(part), { id });
    });
    [this.current, ...this.pinned] = runs;
    this.names = pins.names;
    this.query = pins.query;
    for (const [run, images] of this.#images) {
      if (runs.includes(run)) continue;
      this.#spare = images;
      this.#images.delete(run);
    }
    for (const run of runs) run.span = this.end;
    return before !== this.current;
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
   * An image of where the runs disagree; one for the same instant, except for those `moving`, whose fields are written over.
   *
   * @param {Float64Array[]} fields
   * @param {Palette} palette
   */
  shade(fields, palette, moving = false) {
    const { shaded } = this;
    const same = shaded?.palette === palette && shaded.fields.every((field, k) => field === fields[k]);
    if (!moving && same) return this.#shade;
    const grid = Math.max(...this.all.map(({ header }) => header.grid)); // that of a narrow kernel is finer
    const mask = disagreement(fields.map((field) => onGrid(field, grid)));
    this.#shade ??= new Pixels(grid, grid);
    palette.paintMask(mask, grid, this.#shade.touch());
    this.shaded = moving ? null : { fields, palette, mask };
    return this.#shade;
  }

  /**
   * The run and the view of each map.
   *
   * @param {Layout} layout
   * @returns {RunMap[]}
   */
  maps({ panels }) {
    return this.all.map((run, k) => {
      const name = run === this.current ? "map" : `map-${k}`;
      return { name, run, view: new View(panels[name], run.header.extent, run.header.grid) };
    });
  }
}

/**
 * A field on a grid of so many nodes an axis: the value of the nearest node.
 *
 * @param {Float64Array} field
 * @param {number} grid
 */
function onGrid(field, grid) {
  const own = Math.sqrt(field.length);
  if (own === grid) return field;
  const nearest = Array.from({ length: grid }, (_, k) => Math.round((k * (own - 1)) / (grid - 1)));
  return Float64Array.from(
    { length: grid * grid },
    (_, k) => field[nearest[Math.floor(k / grid)] * own + nearest[k % grid]],
  );
}

/**
 * Where the runs disagree about the side: 1 at a node of the grid, row by row from the lowest x₂.
 *
 * @param {Float64Array[]} fields
 */
function disagreement(fields) {
  const mask = new Uint8Array(fields[0].length);
  for (let k = 0; k < mask.length; k++) {
    let [least, most] = [Infinity, -Infinity];
    for (const field of fields) {
      least = Math.min(least, field[k]);
      most = Math.max(most, field[k]);
    }
    mask[k] = least < 0 && most > 0 ? 1 : 0;
  }
  return mask;
}
