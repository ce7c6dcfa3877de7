// All runs on the stage: the current one, and the pinned ones beside it, which share its time.

import { Pixels } from "../paint/colors.js";
import { Discriminant } from "../run/discriminant.js";
import { headerOf, unpack } from "../run/payload.js";
import { Run } from "../run/run.js";
import { View } from "./view.js";

/** @import { Palette } from "../paint/colors.js" */
/** @import { Motion } from "./motion.js" */
/** @import { BoardState } from "./state.js" */
/** @import { Layout } from "./types.d.ts" */
/** @import { Envelope, FisherHeader, Grain } from "../run/types.d.ts" */

// Where compared runs disagree: fine slanting lines, as segments in shares of the map's side.

const SAMPLES = 150; // Along the side of the map.
const ROUNDING = 1e-12; // Relative to the values around: what is no more is 0.
const HALVINGS = 5; // The end of a segment is found by them, between two samples.

/**
 * A field and the number of its nodes along an axis.
 *
 * @typedef {{ values: Float64Array, grid: number }} Field
 */

function valueAt({ values, grid }, x, y) {
  const across = x * (grid - 1);
  const up = y * (grid - 1);
  const column = Math.min(Math.floor(across), grid - 2);
  const row = Math.min(Math.floor(up), grid - 2);
  const right = across - column;
  const above = up - row;
  const at = row * grid + column;
  const corners = [values[at], values[at + 1], values[at + grid], values[at + grid + 1]];
  const low = corners[0] * (1 - right) + corners[1] * right;
  const high = corners[2] * (1 - right) + corners[3] * right;
  const value = low * (1 - above) + high * above;
  return corners.every((corner) => Math.abs(value) > ROUNDING * Math.abs(corner)) ? value : 0;
}

/**
 * Whether some of the fields are above zero at a place, and others below.
 *
 * @param {Field[]} fields
 */
export function disagree(fields, x, y) {
  let least = Infinity;
  let most = -Infinity;
  for (const field of fields) {
    const value = valueAt(field, x, y);
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return least < 0 && most > 0;
}

/**
 * The segments [x, y, x, y] of lines that rise to the right, `apart` from each other, where the
 * fields disagree.
 *
 * @param {Field[]} fields
 * @returns {Float64Array[]}
 */
export function hatching(fields, apart) {
  const segments = [];
  const first = Math.floor(-1 / (Math.SQRT2 * apart));
  for (let k = first; k * Math.SQRT2 * apart < 1; k++) {
    const offset = k * Math.SQRT2 * apart; // y = x + offset
    const from = Math.max(0, -offset);
    const to = Math.min(1, 1 - offset);
    segments.push(
      ...onLine((x) => disagree(fields, x, x + offset), from, to).map(([a, b]) => [
        a,
        a + offset,
        b,
        b + offset,
      ]),
    );
  }
  return segments.map((segment) => Float64Array.from(segment));
}

/**
 * The stretches between two places along which something holds.
 *
 * @param {(x: number) => boolean} holds
 * @returns {[number, number][]}
 */
function onLine(holds, from, to) {
  const count = Math.max(Math.ceil((to - from) * SAMPLES), 1);
  const stretches = [];
  let start = null;
  let before = from;
  let was = false;
  for (let k = 0; k <= count; k++) {
    const x = from + ((to - from) * k) / count;
    const is = holds(x);
    if (is !== was) {
      const edge = k ? border(holds, before, x, is) : x;
      if (is) start = edge;
      else stretches.push([start, edge]);
    }
    before = x;
    was = is;
  }
  return was ? [...stretches, [start, to]] : stretches;
}

/** Where, between two places, something begins to hold, or ceases to. */
function border(holds, before, after, begins) {
  let low = before;
  let high = after;
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2;
    if (holds(middle) === begins) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}

// Small images of fields, which the map draws large.

const RAMP = 64; // In px, of the colour scale.
const ROW = Float64Array.from({ length: RAMP }, (_, k) => (k / (RAMP - 1)) * 2 - 1);
// The values of that scale.
const VALUES = new Float64Array(RAMP * RAMP).map((_, k) => ROW[k % RAMP]);

class Images {
  /** @type {Motion | null} */
  #motion = null;
  /** @type {Palette | null} */
  #palette = null;

  /** @param {number} grid */
  constructor(grid) {
    this.field = new Pixels(grid, grid);
    this.bump = new Pixels(grid, grid);
    this.scale = new Pixels(RAMP, RAMP);
    this.grid = grid;
  }

  /** @param {Palette} palette */
  fieldOf(palette, field, limit, chance = null, scale = undefined) {
    palette.paintField(field, this.grid, limit, this.field, chance, scale);
    return this.field.touch();
  }

  /**
   * What the step that is shown adds; painted once for a motion.
   *
   * @param {Palette} palette
   * @param {Motion} motion
   */
  bumpOf(palette, motion) {
    if (this.#motion !== motion) {
      palette.paintBump(motion.bump, this.grid, motion.y, this.bump.touch());
    }
    this.#motion = motion;
    return this.bump;
  }

  /** @param {Palette} palette */
  scaleOf(palette) {
    if (this.#palette !== palette) palette.paintField(VALUES, RAMP, 1, this.scale.touch());
    this.#palette = palette;
    return this.scale;
  }
}

/** The map of a run. @typedef {{ name: string, run: Run, view: View }} RunMap */

export const LETTERS = "ABCD";
// So long is at most what was right, and what was guessed, before the words of a comparison.
const VERDICT_LENGTH = "✓ A, you said B. ".length;
const MOST_RUNS = 24; // No more runs are remembered.
const MOST_BYTES = 100_000_000; // In bytes, of all runs.
const ROUGH_ID = /&rough$/; // The id of a run in the middle of a gesture.
// Times the radius of a point that was not learnt from: on small maps none is larger.
const GROWN = 1.9;

/** The run in some bytes, or what Fisher's page has in its place. @param {Uint8Array} bytes */
function runOf(bytes) {
  if (/** @type {{ page?: string }} */ (headerOf(bytes)).page !== "fisher") return new Run(bytes);
  const { header, arrays } = unpack(bytes);
  const discriminant = new Discriminant(/** @type {FisherHeader} */ (header), arrays);
  return /** @type {Run} */ (/** @type {unknown} */ (discriminant));
}

export class RunSet {
  /** @type {{ fields: Float64Array[], apart: number, lines: Float64Array[] } | null} */
  hatched = null;
  guess = ""; // The letter of the run that was said to be right; "": none was.

  /** @type {Map<Run, Images>} */
  #images = new Map();
  /** @type {Map<string, { run: Run, size: number }>} */
  #runsById = new Map(); // By id, those that were shown last at the end.
  /** @type {Images | null} */
  #spare = null; // The images of a run that is gone: the next one writes over them.

  /**
   * @param {BoardState} state
   * @param {() => boolean} showsSymbols f, y and α stand beside the words for them
   */
  constructor(state, showsSymbols) {
    this.state = state;
    this.showsSymbols = showsSymbols;
  }

  /** In the order of their letters: the current one is the last. */
  get all() {
    return this.state.runs.all;
  }

  get current() {
    return this.all.at(-1) ?? null;
  }

  get pinned() {
    return this.all.slice(0, -1);
  }

  /** The names of the pinned runs and of the current one. */
  get names() {
    return this.state.runs.names;
  }

  /** The pins' part of the address. */
  get query() {
    return this.state.runs.query;
  }

  /** What is said of a ready comparison. */
  get comparison() {
    return this.state.runs.comparison;
  }

  /** Whether all of these runs are here. @param {Envelope["runs"]} runs */
  has(runs) {
    return runs?.every(({ id }) => this.#runsById.has(id)) ?? false;
  }

  get ids() {
    return [...this.#runsById.keys()];
  }

  /** Let go of the runs that were not shown for longest. */
  #forget(shownRuns) {
    let count = 0;
    let total = 0;
    for (const [id, { run, size }] of [...this.#runsById].reverse()) {
      count += 1;
      total += size;
      const goes = count > MOST_RUNS || total > MOST_BYTES || ROUGH_ID.test(id);
      if (goes && !shownRuns.includes(run)) this.#runsById.delete(id);
    }
  }

  /**
   * Take what an envelope brings; runs that are here already stay. Returns whether the current run
   * changed.
   *
   * @param {Envelope} envelope
   * @param {Uint8Array} bytes
   */
  take({ pins, runs: sent }, bytes) {
    const before = this.current;
    let from = 0;
    const runs = sent.map(({ id, size }) => {
      const runBytes = bytes.subarray(from, (from += size));
      const entry = this.#runsById.get(id) ?? {
        run: Object.assign(runOf(runBytes), { id, showsSymbols: this.showsSymbols }),
        size,
      };
      this.#runsById.delete(id); // The newest are the last.
      this.#runsById.set(id, entry);
      return entry.run;
    });
    this.#forget(runs);
    const [current, ...pinned] = runs;
    const { names, query, comparison = null } = pins;
    this.state.change({ runs: { all: [...pinned, current], names, query, comparison } });
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
    if (!this.comparison) return null;
    const { question, words } = this.comparison;
    return [question.length, VERDICT_LENGTH + words.length];
  }

  get end() {
    return Math.max(...this.all.map((run) => run.nSteps));
  }

  /** The example or epoch of the current run, the nearest mistake of any. @param {Grain} grain */
  neighbour(t, grain, direction) {
    if (grain === "example") return Math.min(Math.max(t + direction, 0), this.end);
    const instants = this.all.map(({ trace, nSteps }) => {
      const to = trace.neighbour(Math.min(t, nSteps), grain, direction);
      return direction > 0 && (to <= t || (to === nSteps && !trace.stopsAt(to - 1)))
        ? this.end
        : to;
    });
    return direction > 0 ? Math.min(...instants) : Math.max(...instants.filter((to) => to < t), 0);
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
   * Where the runs disagree, in shares of the side, by lines so far `apart`; found once for an
   * instant, except for fields in motion, which are written over.
   *
   * @param {Float64Array[]} fields
   */
  hatching(fields, apart, moving = false) {
    const { hatched } = this;
    const same =
      hatched?.apart === apart && hatched.fields.every((field, k) => field === fields[k]);
    if (same && !moving) return hatched.lines;
    // A narrow kernel's is finer.
    const sized = fields.map((values) => ({ values, grid: Math.sqrt(values.length) }));
    const lines = hatching(sized, apart);
    this.hatched = moving ? null : { fields, apart, lines };
    return lines;
  }

  /** The run and the view of each map. @param {Layout} layout @returns {RunMap[]} */
  maps({ panels }) {
    return this.all.flatMap((run, k) => {
      // A run may be pinned beside itself.
      const name = k === this.pinned.length ? "map" : `map-${k}`;
      if (!panels[name]) return []; // Where something is asked, the run that it is about is alone.
      return { name, run, view: new View(panels[name], run.header.extent, run.header.grid) };
    });
  }
}
