// A kernel as similarity: k(x_i, ·) of one example on the map in place of f. Python sends it for every example once it is asked.

import { contour } from "./contour.js";
import { Contributions } from "./field.js";
import { example, number, signed } from "./words.js";

const PART = "_similar_"; // in the names of the arrays, before the number of the block
const RAMP = 64; // px of the colour scale's image
const ASKED = "Point at an example to see k(x, ·).";
const LEVELS = [0.25, 0.5, 0.75]; // of the limit, drawn as lines
const found = new WeakMap();

/** k(x_i, ·) at the nodes, for any example; the last one is kept. */
export class Similarity {
  constructor(run) {
    const { n, nTest, header, arrays } = run;
    Object.assign(this, header.extras.similar);
    const named = Object.entries(arrays)
      .filter(([name]) => name.includes(PART))
      .map(([name, array]) => [name.replace(PART, "_"), array]);
    this.sums = new Contributions(
      { grid: header.grid, stream: true },
      { ...Object.fromEntries(named), support: { length: n + nTest } },
    );
    this.known = { i: null, field: null };
  }

  field(i) {
    if (this.known.i !== i) this.known = { i, field: this.sums.bump(i) };
    return this.known.field;
  }
}

function similarityOf(run) {
  if (!found.has(run)) found.set(run, new Similarity(run));
  return found.get(run);
}

/** Which example it is about: the one that is pinned, else the one pointed at, else that of the step; null for none. */
export function similarExample({ pinned }, hot, current) {
  const one = (examples) => (examples?.size === 1 || examples?.size === 2 ? [...examples][0] : null); // a cell of the Gram matrix: its row
  return pinned?.similar ?? one(pinned?.hot) ?? one(hot) ?? current;
}

/** k of the example at a node: { i, value } while it is shown, else null. */
export function similarAt(stage, run, { column, row }) {
  if (run !== stage.run || !stage.shows("similar")) return null;
  const told = run.header.extras.similar;
  const t = Math.min(stage.t, run.nSteps);
  const i = similarExample(stage, null, t > 0 ? run.trace.index[t - 1] : null);
  return !told || told.why || i === null
    ? null
    : { i, value: similarityOf(run).field(i)[row * run.header.grid + column] };
}

/** What the map shows in place of f: { i, field (without a plane `at`, k at each example), limit, scale, ramp, levels, words, note }; null where f is shown; i null: a note only. */
export function similarOf(stage, run, current) {
  if (run !== stage.run || !stage.shows("similar")) return null;
  const told = run.header.extras.similar;
  const i = similarExample(stage, stage.touch.hot, current);
  const note = told ? told.why || (i === null ? ASKED : "") : "Computing…";
  if (note) return { i: null, note };
  const { limit, signed: both } = told;
  const words = [
    both ? number(-limit) : "0",
    `k(${i < run.n ? example(i) : "x"}, ·)`,
    both ? signed(limit) : number(limit),
  ];
  const levels = LEVELS.flatMap((share) => (both ? [share * limit, -share * limit] : [share * limit]));
  const { palette } = stage;
  const shown = { i, limit, scale: palette.ofKernel(both), ramp: palette.rampOf(both, RAMP), levels, words, note };
  if (run.plane) return { ...shown, field: similarityOf(run).field(i) };
  const all = run.n + run.nTest;
  return { ...shown, at: run.arrays.similarGram.subarray(i * all, (i + 1) * all) };
}

/** k(x_i, ·) on the map, with lines of equal similarity. */
export function similarMarks({ rect, view, palette, run, similar, similarImage }) {
  const { field, levels } = similar;
  return [
    { kind: "image", image: similarImage(), ...rect, inset: 0.5, name: "similar", i: similar.i },
    {
      kind: "lines",
      lines: levels.flatMap((level) => view.pixels(contour(field, run.header.grid, level))),
      stroke: palette.on_map,
      width: 1,
      dash: [5, 4],
      alpha: 0.5,
      name: "levels",
    },
  ];
}
