// The record of a run, and what it says of an instant t: always a fold of the changes up to t.

import { withoutRounding } from "./rounding.js";

/** @import { Run } from "./run.js" */
/** @import { Arrays, Grain, Header, Numbers } from "./types.d.ts" */

// The changes of a run, written out again: kpviz/player/changes.py is the other side of this
// contract.

/**
 * @typedef {object} Start what a resumed run began with, oldest first; nothing of others
 * @property {Numbers} place of each entry's example in the support
 * @property {Numbers} weight of each
 * @property {Numbers | null} dies the change that evicts each; null where nothing is evicted
 * @property {number} b
 */

/**
 * @typedef {object} Changes
 * @property {Start} start
 * @property {Numbers} step the presentation that made each change
 * @property {Numbers} pointer where the entries of each change begin
 * @property {Numbers} place of each entry's example in the support
 * @property {Float64Array} delta what each entry adds
 * @property {Numbers | null} shift what each change adds to b; null where nothing is shifted
 * @property {Numbers | null} shrink by what each change multiplies; null where nothing shrinks
 * @property {Numbers | null} dies the change that evicts each one's entries; null where nothing is
 *   evicted
 */

/**
 * @typedef {{ coef: Float64Array, b: number, factor: number }} Sums coefficients and b in units,
 *   and their unit
 */

const NOTHING = new Float64Array(0);

/**
 * @param {Header} header
 * @param {Arrays} arrays
 * @param {Uint32Array} mistakeSteps
 * @returns {Changes}
 */
function changesOf({ changed, nSteps }, arrays, mistakeSteps) {
  const { count, when, after, b } = changed;
  const {
    startIndex: place = NOTHING,
    startWeight: weight = NOTHING,
    startDies: dies = null,
  } = arrays;
  const start = { place, weight, dies, b };
  const parts = entriesOf(arrays, count);
  if (after) differences(parts.place, parts.delta, begun(start, arrays.support.length));
  const steps = {
    each: () => counted(nSteps),
    mistakes: () => mistakeSteps,
    listed: () => arrays.changeStep,
  };
  return {
    start,
    step: steps[when](),
    ...parts,
    shift: arrays.changeShift ? (after ? gaps(arrays.changeShift, b) : arrays.changeShift) : null,
    shrink: spread(arrays.changeShrink, count),
    dies: arrays.changeDies ?? null,
  };
}

/**
 * One value for each step, from one for each change: between them the last one if it lasts, else
 * the first.
 */
export function bySteps(values, between, step, nSteps) {
  const Kind = values instanceof Float32Array ? Float32Array : Int32Array;
  if (!between) return new Kind(values);
  const result = new Kind(nSteps);
  let now = between.first;
  for (let at = 0, j = 0; at < nSteps; at++) {
    const changed = step[j] === at;
    if (changed) now = values[j++];
    result[at] = changed || between.lasts ? now : between.first;
  }
  return result;
}

function counted(length) {
  const steps = new Uint32Array(length);
  for (let k = 0; k < length; k++) steps[k] = k;
  return steps;
}

/** The entries of each change, where changes that repeat were sent once. @param {Arrays} arrays */
function entriesOf({ changeLike: like, changePointer, changeIndex, changeDelta }, count) {
  if (!like) {
    return {
      pointer: changePointer ?? counted(count + 1),
      place: changeIndex,
      delta: new Float64Array(changeDelta),
    };
  }
  const from = changePointer ?? counted(changeIndex.length + 1);
  const pointer = new Uint32Array(count + 1);
  for (let j = 0; j < count; j++) pointer[j + 1] = pointer[j] + from[like[j] + 1] - from[like[j]];
  const place = new Uint32Array(pointer[count]);
  const delta = new Float64Array(pointer[count]);
  for (let j = 0; j < count; j++) {
    place.set(changeIndex.subarray(from[like[j]], from[like[j] + 1]), pointer[j]);
    delta.set(changeDelta.subarray(from[like[j]], from[like[j] + 1]), pointer[j]);
  }
  return { pointer, place, delta };
}

/**
 * Coefficients after each entry become what it adds; added up again from the first they are the
 * same, to the last digit.
 */
function differences(place, delta, now) {
  for (let p = 0; p < place.length; p++) {
    const added = delta[p] - now[place[p]];
    delta[p] = added;
    now[place[p]] += added;
  }
}

function begun({ place, weight }, support) {
  const coef = new Float64Array(support);
  for (let k = 0; k < place.length; k++) coef[place[k]] += weight[k];
  return coef;
}

const gaps = (values, b) =>
  Float64Array.from(values, (value, j) => value - (j ? values[j - 1] : b));

/** One value stands for all. */
const spread = (values, length) =>
  !values ? null : values.length === length ? values : new Float64Array(length).fill(values[0]);

/** What is found out of a run once. @type {<T>(find: (run: Run) => T) => (run: Run) => T} */
export function perRun(find) {
  const known = new WeakMap();
  return (run) => {
    if (!known.has(run)) known.set(run, find(run));
    return known.get(run);
  };
}

/**
 * Sets a value in a map of at most so many; the one that was set longest ago makes way.
 *
 * @template Key
 * @param {Map<Key, unknown>} map
 * @param {Key} key
 */
export function putLatest(map, key, value, most) {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value);
}

/**
 * Number of entries of an ascending array that are below `value`.
 *
 * @param {ArrayLike<number>} ascending
 */
export function countBelow(ascending, value) {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Trace {
  /** @param {Header} header @param {Arrays} arrays */
  constructor(header, arrays) {
    this.n = header.n;
    this.nSteps = header.nSteps;
    this.hundreds = header.stream
      ? Uint32Array.from({ length: Math.ceil(header.nSteps / 100) }, (_, k) => 100 * k)
      : null;
    this.unit = header.unit;
    this.mistakeSteps = indicesOfOnes(arrays.mistake);
    // Steps change pairs that the learner selects: none is a mistake of the order.
    this.paired = "partner" in header.about.details;
    // The mistakes that the timeline has.
    this.counted = this.paired ? this.mistakeSteps.subarray(0, 0) : this.mistakeSteps;
    this.index = arrays.index ?? inTurn(header);
    this.score = arrays.score;
    this.mistake = arrays.mistake;
    this.epochStart = arrays.epochStart;
    this.support = arrays.support;
    const { start, step, pointer, place, delta, shift, shrink, dies } = changesOf(
      header,
      arrays,
      this.mistakeSteps,
    );
    this.start = start;
    this.step = step;
    this.scoreAfter = arrays.scoreAfter ?? this.#gained(arrays); // The score after each change.
    this.pointer = pointer;
    this.place = place;
    this.delta = delta;
    this.shift = shift;
    this.shrink = shrink;
    this.dies = dies;
    this.evicts = this.dies && inverse(this.dies, start.dies);
    this.stops = header.about.grain === "update" ? this.#updates() : this.mistakeSteps;
    this.byExample = stepsByExample(this.mistakeSteps, this.index, this.n);
    this.earlier = header.about.counts ? this.#bricksBefore(arrays.y) : null;
  }

  /** Scores with what each change adds to the margin of its example; one number stands for all. */
  #gained(arrays) {
    const { marginGain: gain, gainOf, y } = arrays;
    const place = (j) => (gainOf ? gainOf[j] : gain.length > 1 ? j : 0);
    const after = new Float64Array(this.step.length);
    for (let j = 0; j < after.length; j++) {
      after[j] = this.score[this.step[j]] + y[this.index[this.step[j]]] * gain[place(j)];
    }
    return after;
  }

  /** Of each example its mistakes before a resumed run. */
  #bricksBefore(y) {
    const { place, weight } = this.start;
    const bricks = new Uint32Array(this.n);
    for (let k = 0; k < place.length; k++) {
      bricks[this.support[place[k]]] += weight[k] * y[this.support[place[k]]];
    }
    return bricks;
  }

  /** Whether f = 0 before the first presentation: not where a run was resumed. */
  get fromZero() {
    return !this.start.place.length && this.start.b === 0;
  }

  /** The presentations that added something. */
  #updates() {
    return this.step.filter((_, j) => this.pointer[j + 1] > this.pointer[j]);
  }

  get nEpochs() {
    return this.epochStart.length;
  }

  /** Mistakes among the first t presentations. */
  mistakesBefore(t) {
    return countBelow(this.mistakeSteps, t);
  }

  /** Changes that the first t presentations made. */
  changesBefore(t) {
    return countBelow(this.step, t);
  }

  /** The score, after presentation t, of the example that was shown; null where nothing changed. */
  scoreNow(t) {
    const j = this.changesBefore(t) - 1;
    return j >= 0 && this.step[j] === t - 1 ? this.scoreAfter[j] : null;
  }

  /** Whether the step that leads to t adds to f, and does not only shrink it. */
  adds(t) {
    const j = this.changesBefore(t) - 1;
    return j >= 0 && this.step[j] === t - 1 && this.pointer[j + 1] > this.pointer[j];
  }

  /** Whether the middle grain of stepping stops after this presentation. */
  stopsAt(step) {
    return this.stops[countBelow(this.stops, step)] === step;
  }

  /** Mistakes on example i up to t, before a resumed run too where α counts them. */
  mistakesOn(i, t) {
    return (this.earlier ? this.earlier[i] : 0) + countBelow(this.byExample[i], t);
  }

  /** The epoch, from 1, of the presentation that led to t. */
  epochAt(t) {
    return countBelow(this.epochStart, Math.max(t, 1));
  }

  /**
   * How many presentations in a row up to t were right and added nothing, and how many with those
   * that follow.
   *
   * @returns {[number, number]}
   */
  rightAround(t) {
    let last = -1;
    let next = this.nSteps;
    for (const steps of [this.mistakeSteps, this.stops]) {
      const before = countBelow(steps, t);
      if (before > 0) last = Math.max(last, steps[before - 1]);
      if (before < steps.length) next = Math.min(next, steps[before]);
    }
    return last === t - 1 ? [0, 0] : [t - last - 1, next - last - 1];
  }

  mistakesInEpoch(epoch) {
    const end = epoch < this.nEpochs ? this.epochStart[epoch] : this.nSteps;
    return this.mistakesBefore(end) - this.mistakesBefore(this.epochStart[epoch - 1]);
  }

  /**
   * Where the coarsest grain of stepping leads: the beginnings of epochs, in a stream every
   * hundredth example.
   */
  get parts() {
    return this.hundreds ?? this.epochStart;
  }

  /**
   * The nearest instant after t (direction = 1) or before it (direction = -1), by "example",
   * "mistake" (or update) or "epoch".
   *
   * @param {Grain} grain
   */
  neighbour(t, grain, direction) {
    if (grain === "example") return Math.min(Math.max(t + direction, 0), this.nSteps);
    if (grain === "mistake") {
      const next = direction > 0 ? countBelow(this.stops, t) : countBelow(this.stops, t - 1) - 1;
      if (next < 0) return 0;
      return next < this.stops.length ? this.stops[next] + 1 : this.nSteps;
    }
    const starts = this.parts;
    const next = direction > 0 ? countBelow(starts, t + 1) : countBelow(starts, t) - 1;
    if (next < 0) return 0;
    return next < starts.length ? starts[next] : this.nSteps;
  }

  /**
   * Coefficients of the support and the intercept after t presentations, in data units.
   *
   * @returns {{ coef: Float64Array, b: number }}
   */
  state(t) {
    return scaled(this.sums(t));
  }

  /**
   * The same in units, which are whole numbers where they count, and what they are to be multiplied
   * by.
   *
   * @returns {Sums}
   */
  sums(t) {
    const coef = new Float64Array(this.support.length);
    this.#fold(t, (place, weight) => {
      coef[place] += weight;
    });
    return { coef, b: this.#shifted(t), factor: this.unit };
  }

  /**
   * What was added and is still there after t presentations, oldest first: { step, i, weight },
   * step < -1 if before them.
   */
  entries(t) {
    const entries = [];
    this.#fold(t, (place, weight, step) => {
      entries.push({ step, i: this.support[place], weight: weight * this.unit });
    });
    return this.shrink ? entries.reverse() : entries;
  }

  /**
   * Call `each(place, weight, step)` for all that the run began with or a change before t added,
   * and is alive, with what is left of it: from the first on, so that what comes back to zero is
   * zero, or, where changes shrink, from the last.
   *
   * @param {(place: number, weight: number, step: number) => void} visit
   */
  #fold(t, visit) {
    const { start, step, shrink, dies, pointer, place, delta } = this;
    const changes = this.changesBefore(t);
    const at = (j, left) => {
      if (dies && dies[j] < changes) return;
      for (let p = pointer[j]; p < pointer[j + 1]; p++) visit(place[p], delta[p] * left, step[j]);
    };
    const before = (k, left) => {
      if (start.dies && start.dies[k] < changes) return;
      visit(start.place[k], start.weight[k] * left, k - start.place.length - 1);
    };
    if (!shrink) {
      for (let k = 0; k < start.place.length; k++) before(k, 1);
      for (let j = 0; j < changes; j++) at(j, 1);
      return;
    }
    let left = 1;
    for (let j = changes - 1; j >= 0 && left !== 0; left *= shrink[j--]) at(j, left);
    for (let k = start.place.length - 1; k >= 0 && left !== 0; k--) before(k, left);
  }

  #shifted(t) {
    let { b } = this.start;
    let size = Math.abs(b);
    if (this.shift) {
      for (let j = this.changesBefore(t) - 1; j >= 0; j--) {
        b += this.shift[j];
        size += Math.abs(this.shift[j]);
      }
    }
    return withoutRounding(b, size);
  }

  /**
   * The mean of the states after 1, …, t presentations, as their sums in units and a factor.
   *
   * @returns {Sums}
   */
  averagedSums(t) {
    const { start, step, shrink, dies, pointer, place, delta, shift } = this;
    const total = new Float64Array(this.support.length);
    const changes = this.changesBefore(t);
    // For so many presentations what change j adds counts, as it shrinks.
    const lasting = new Float64Array(changes + 1);
    let b = t * start.b;
    let size = Math.abs(b);
    for (let j = changes - 1; j >= 0; j--) {
      const next = j + 1 < changes ? step[j + 1] : t;
      lasting[j] =
        next - step[j] + (shrink && j + 1 < changes ? shrink[j + 1] : 1) * lasting[j + 1];
      let share = lasting[j];
      if (dies && dies[j] < changes) share -= this.shrunk(j, dies[j]) * lasting[dies[j]];
      for (let p = pointer[j]; p < pointer[j + 1]; p++) total[place[p]] += share * delta[p];
      if (shift) {
        const term = (t - step[j]) * shift[j];
        b += term;
        size += Math.abs(term);
      }
    }
    const whole = changes ? step[0] + (shrink ? shrink[0] : 1) * lasting[0] : t;
    for (let k = 0; k < start.place.length; k++) {
      const by = start.dies ? start.dies[k] : changes;
      total[start.place[k]] +=
        start.weight[k] * (whole - (by < changes ? this.shrunk(-1, by) * lasting[by] : 0));
    }
    return { coef: total, b: withoutRounding(b, size), factor: this.unit / Math.max(t, 1) };
  }

  /**
   * c_k of Freund and Schapire after t presentations: v₁ is f = 0, or what a resumed run began
   * with, each change makes the next, and each counts the presentations after which it was in
   * force. Their sum is t.
   */
  survivals(t) {
    const { step } = this;
    const changes = this.changesBefore(t);
    const counts = new Uint32Array(changes + 1);
    for (let k = 0; k <= changes; k++) {
      counts[k] = (k < changes ? step[k] : t) - (k ? step[k - 1] : 0);
    }
    return counts;
  }

  /** What change j takes away, as pairs of place and weight. */
  taken(j) {
    const { start, evicts, pointer, place, delta } = this;
    const gone = evicts[j];
    if (gone === null) return [];
    const left = this.shrunk(Math.max(gone, -1), j);
    if (gone < 0) return [[start.place[-1 - gone], start.weight[-1 - gone] * left]];
    const pairs = [];
    for (let p = pointer[gone]; p < pointer[gone + 1]; p++) pairs.push([place[p], delta[p] * left]);
    return pairs;
  }

  /** By how much changes after j, up to change k, shrink. */
  shrunk(j, k) {
    let left = 1;
    if (this.shrink) for (let m = j + 1; m <= k; m++) left *= this.shrink[m];
    return left;
  }
}

/** What sums in units are in data units. @param {Sums} sums */
export const scaled = ({ coef, b, factor }) => ({
  coef: coef.map((value) => value * factor),
  b: b * factor,
});

/**
 * For each change the one whose entry it evicts, -1 - k for entry k of those that the run began
 * with, null for none.
 *
 * @param {Numbers} dies
 * @param {Numbers | null} before
 */
function inverse(dies, before) {
  // The last one stands for never.
  const evicts = /** @type {(number | null)[]} */ (Array(dies.length + 1).fill(null));
  dies.forEach((by, j) => (evicts[by] = j));
  before?.forEach((by, k) => (evicts[by] = -1 - k));
  return evicts;
}

function indicesOfOnes(flags) {
  const indices = new Uint32Array(flags.length);
  let count = 0;
  for (let i = 0; i < flags.length; i++) if (flags[i]) indices[count++] = i;
  return indices.slice(0, count);
}

/** The examples are shown one after the other, in each epoch. */
function inTurn({ n, nSteps }) {
  const index = new Uint32Array(nSteps);
  for (let step = 0; step < nSteps; step++) index[step] = step % n;
  return index;
}

function stepsByExample(steps, index, n) {
  const lists = Array.from({ length: n }, () => []);
  for (const step of steps) lists[index[step]].push(step);
  return lists;
}
