// The record of a run, and what it says of an instant t, after t presentations: always a fold of
// the changes before it. First the changes are written out as `Trace` reads them, then small
// functions that other files use, too, then `Trace`.

import { withoutRounding } from "./rounding.js";

/** @import { Run } from "./run.js" */
/** @import { Arrays, Grain, Header, Numbers } from "./types.d.ts" */

// The changes of a run are sent by kpviz/player/changes.py, without what can be worked out again.

/**
 * What a resumed run began with, oldest first; other runs begin without entries.
 *
 * @typedef {object} Start
 * @property {Numbers} place of each entry's example in the support
 * @property {Numbers} weight of each entry
 * @property {Numbers | null} evictedBy the change that evicts each entry; null where nothing is
 *   evicted
 * @property {number} b
 */

/**
 * A change is what one presentation does to the coefficients and to b. An entry is what it adds to
 * one coefficient.
 *
 * @typedef {object} Changes
 * @property {Start} start
 * @property {Numbers} step the presentation that made each change
 * @property {Numbers} pointer the entries of change j are those from pointer[j] to pointer[j + 1]
 * @property {Numbers} place of each entry's example in the support
 * @property {Float64Array} delta what each entry adds
 * @property {Numbers | null} shift what each change adds to b; null where nothing is shifted
 * @property {Numbers | null} shrink by what each change multiplies; null where nothing shrinks
 * @property {Numbers | null} evictedBy the change that evicts each one's entries; null where
 *   nothing is evicted
 */

/**
 * Coefficients and b in units (`Trace.unit`): where a learner counts mistakes they are whole
 * numbers, which add up exactly. Multiplied by `factor` they are in data units.
 *
 * @typedef {{ coef: Float64Array, b: number, factor: number }} Sums
 */

const NO_ENTRIES = new Float64Array(0);

/**
 * The changes as Python sent them, written out.
 *
 * @param {Header} header
 * @param {Arrays} arrays
 * @param {Uint32Array} mistakeSteps
 * @returns {Changes}
 */
function changesOf({ changed, nSteps }, arrays, mistakeSteps) {
  const { count, when, after, b } = changed;
  const start = {
    place: arrays.startIndex ?? NO_ENTRIES,
    weight: arrays.startWeight ?? NO_ENTRIES,
    evictedBy: arrays.startDies ?? null,
    b,
  };
  const entries = entriesOf(arrays, count);
  let shift = arrays.changeShift ?? null;
  // `after`: the values after each change were sent in place of what it adds.
  if (after) {
    const coefAtStart = new Float64Array(arrays.support.length);
    start.place.forEach((place, k) => (coefAtStart[place] += start.weight[k]));
    toDifferences(entries.place, entries.delta, coefAtStart);
    shift &&= Float64Array.from(shift, (value, j) => value - (j ? shift[j - 1] : b));
  }
  return {
    start,
    step: changeSteps(when, arrays, mistakeSteps, nSteps),
    ...entries,
    shift,
    shrink: oneForEach(arrays.changeShrink, count),
    evictedBy: arrays.changeDies ?? null,
  };
}

/** The steps that change something. @param {Header["changed"]["when"]} when */
function changeSteps(when, arrays, mistakeSteps, nSteps) {
  if (when === "each") return numbersFromZero(nSteps);
  return when === "mistakes" ? mistakeSteps : arrays.changeStep;
}

/**
 * One value for each step, from one for each change.
 *
 * @param {Numbers} values
 * @param {{ first: number, lasts: boolean } | null} between the value of steps without a change is
 *   `first`, or if it `lasts` that of the change before; null: `values` has all steps
 * @param {Numbers} changeStep the step of each change
 * @param {number} nSteps
 */
export function bySteps(values, between, changeStep, nSteps) {
  const Kind = values instanceof Float32Array ? Float32Array : Int32Array;
  if (!between) return new Kind(values);
  const result = new Kind(nSteps);
  let latest = between.first;
  let j = 0;
  for (let step = 0; step < nSteps; step++) {
    const isChange = changeStep[j] === step;
    if (isChange) latest = values[j++];
    result[step] = isChange || between.lasts ? latest : between.first;
  }
  return result;
}

/** 0, 1, …, length - 1. */
function numbersFromZero(length) {
  const numbers = new Uint32Array(length);
  for (let k = 0; k < length; k++) numbers[k] = k;
  return numbers;
}

/**
 * The entries of each change. Where changes repeat, each different one was sent once, and
 * `changeLike` says which of them a change is like.
 *
 * @param {Arrays} arrays
 * @param {number} count of the changes
 */
function entriesOf({ changeLike: like, changePointer, changeIndex, changeDelta }, count) {
  if (!like) {
    return {
      pointer: changePointer ?? numbersFromZero(count + 1),
      place: changeIndex,
      delta: new Float64Array(changeDelta),
    };
  }
  const from = changePointer ?? numbersFromZero(changeIndex.length + 1);
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
 * Replace coefficients after each entry by what it adds. Whoever adds that up again from the first
 * on gets the same, to the last digit: so rounding is added up here, too.
 *
 * @param {Numbers} place
 * @param {Float64Array} delta in: the coefficients; out: what is added
 * @param {Float64Array} coef those at the start
 */
function toDifferences(place, delta, coef) {
  for (let p = 0; p < place.length; p++) {
    const added = delta[p] - coef[place[p]];
    delta[p] = added;
    coef[place[p]] += added;
  }
}

/** A value for each change; one that is the same for all was sent once. */
function oneForEach(values, count) {
  if (!values) return null;
  return values.length === count ? values : new Float64Array(count).fill(values[0]);
}

/**
 * A function that works something out of each run once.
 *
 * @type {<T>(find: (run: Run) => T) => (run: Run) => T}
 */
export function perRun(find) {
  const results = new WeakMap();
  return (run) => {
    if (!results.has(run)) results.set(run, find(run));
    return results.get(run);
  };
}

/**
 * Set a value in a map of at most so many; the one that was set longest ago makes way.
 *
 * @template Key
 * @param {Map<Key, unknown>} map
 * @param {Key} key
 * @param {unknown} value
 * @param {number} most
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
    // Every hundredth presentation of a stream, which has no epochs.
    this.hundreds = header.stream
      ? Uint32Array.from({ length: Math.ceil(header.nSteps / 100) }, (_, k) => 100 * k)
      : null;
    this.unit = header.unit; // What coefficients are multiples of (`Sums`).
    this.mistakeSteps = indicesOfOnes(arrays.mistake);
    // Such a learner selects pairs itself: the timeline of its order marks no mistakes.
    this.paired = "partner" in header.about.details;
    this.timelineMistakes = this.paired ? this.mistakeSteps.subarray(0, 0) : this.mistakeSteps;
    this.index = arrays.index ?? indexInTurn(header); // The example of each presentation.
    this.score = arrays.score; // f(x) of it, before the change.
    this.mistake = arrays.mistake; // 1 where it is a mistake, else 0.
    this.epochStart = arrays.epochStart; // The first presentation of each epoch.
    this.support = arrays.support; // The examples that ever have a coefficient.
    const changes = changesOf(header, arrays, this.mistakeSteps);
    this.start = changes.start;
    this.step = changes.step;
    this.pointer = changes.pointer;
    this.place = changes.place;
    this.delta = changes.delta;
    this.shift = changes.shift;
    this.shrink = changes.shrink;
    this.evictedBy = changes.evictedBy;
    this.evicts = this.evictedBy && inverse(this.evictedBy, changes.start.evictedBy);
    this.scoreAfter = arrays.scoreAfter ?? this.#scoresAfterChanges(arrays);
    // The middle grain of stepping stops after these presentations.
    this.stops = header.about.grain === "update" ? this.#updates() : this.mistakeSteps;
    this.byExample = stepsByExample(this.mistakeSteps, this.index, this.n);
    this.mistakesBeforeStart = header.about.counts ? this.#mistakesAtStart(arrays.y) : null;
  }

  /**
   * The score, after each change, of the example that was shown. Python sends what a change adds to
   * the margin: one number for each change, one for all, or the different ones, of which `gainOf`
   * says which one a change adds.
   *
   * @param {Arrays} arrays
   */
  #scoresAfterChanges({ marginGain, gainOf, y }) {
    const isForEach = marginGain.length > 1;
    const scores = new Float64Array(this.step.length);
    for (let j = 0; j < scores.length; j++) {
      let place = isForEach ? j : 0;
      if (gainOf) place = gainOf[j];
      const step = this.step[j];
      scores[j] = this.score[step] + y[this.index[step]] * marginGain[place];
    }
    return scores;
  }

  /** The mistakes on each example before a resumed run: its coefficients count them. */
  #mistakesAtStart(y) {
    const { place, weight } = this.start;
    const mistakes = new Uint32Array(this.n);
    for (let k = 0; k < place.length; k++) {
      const i = this.support[place[k]];
      mistakes[i] += weight[k] * y[i];
    }
    return mistakes;
  }

  /** Whether f = 0 before the first presentation: not where a run was resumed. */
  get fromZero() {
    return !this.start.place.length && this.start.b === 0;
  }

  /** The presentations that added something; a change may only shrink f. */
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

  /** Mistakes on example i before t; where α counts mistakes, those before a resumed run, too. */
  mistakesOn(i, t) {
    const before = this.mistakesBeforeStart ? this.mistakesBeforeStart[i] : 0;
    return before + countBelow(this.byExample[i], t);
  }

  /** The epoch, from 1, of the presentation that led to t. */
  epochAt(t) {
    return countBelow(this.epochStart, Math.max(t, 1));
  }

  /**
   * The length of the stretch of presentations that were right and added nothing, from its
   * beginning to t, and to its end; 0 where the step that led to t is none of them.
   *
   * @returns {[number, number]}
   */
  rightAround(t) {
    let last = -1; // The last presentation before t that was no such one.
    let next = this.nSteps; // The first one after it.
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
   * The same in units, with their factor.
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
   * What was added and is still there after t presentations, oldest first. What the run began with
   * has steps below −1.
   */
  entries(t) {
    const entries = [];
    this.#fold(t, (place, weight, step) => {
      entries.push({ step, i: this.support[place], weight: weight * this.unit });
    });
    return this.shrink ? entries.reverse() : entries;
  }

  /**
   * Call `visit(place, weight, step)` for each entry of the start and of a change before t that is
   * not evicted, with what later changes leave of it. It goes from the first entry on, so that what
   * comes back to 0 is 0; where changes shrink from the last, so that `left` is what remains.
   *
   * @param {(place: number, weight: number, step: number) => void} visit
   */
  #fold(t, visit) {
    const { start, step, shrink, evictedBy, pointer, place, delta } = this;
    const changes = this.changesBefore(t);
    const visitChange = (j, left) => {
      if (evictedBy && evictedBy[j] < changes) return;
      for (let p = pointer[j]; p < pointer[j + 1]; p++) visit(place[p], delta[p] * left, step[j]);
    };
    const visitStart = (k, left) => {
      if (start.evictedBy && start.evictedBy[k] < changes) return;
      visit(start.place[k], start.weight[k] * left, k - start.place.length - 1);
    };
    if (!shrink) {
      for (let k = 0; k < start.place.length; k++) visitStart(k, 1);
      for (let j = 0; j < changes; j++) visitChange(j, 1);
      return;
    }
    let left = 1;
    for (let j = changes - 1; j >= 0 && left !== 0; j--) {
      visitChange(j, left);
      left *= shrink[j];
    }
    for (let k = start.place.length - 1; k >= 0 && left !== 0; k--) visitStart(k, left);
  }

  /** b after t presentations, in units. */
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
   * The mean of the states after 1, …, t presentations, as their sums in units and a factor. An
   * entry counts once for each presentation after which it was there, as much as is left of it.
   *
   * @returns {Sums}
   */
  averagedSums(t) {
    const { start, step, shrink, evictedBy, pointer, place, delta, shift } = this;
    const total = new Float64Array(this.support.length);
    const changes = this.changesBefore(t);
    // The sum, over the presentations from change j to t, of what is left of 1 that j adds.
    const lasting = new Float64Array(changes + 1);
    let b = t * start.b;
    let size = Math.abs(b);
    for (let j = changes - 1; j >= 0; j--) {
      const isLast = j + 1 === changes;
      const next = isLast ? t : step[j + 1];
      const left = shrink && !isLast ? shrink[j + 1] : 1;
      lasting[j] = next - step[j] + left * lasting[j + 1];
      let share = lasting[j];
      // What is evicted counts only until then.
      if (evictedBy && evictedBy[j] < changes) {
        share -= this.#leftAfter(j, evictedBy[j]) * lasting[evictedBy[j]];
      }
      for (let p = pointer[j]; p < pointer[j + 1]; p++) total[place[p]] += share * delta[p];
      if (shift) {
        const term = (t - step[j]) * shift[j];
        b += term;
        size += Math.abs(term);
      }
    }
    const lastingFromStart = changes ? step[0] + (shrink ? shrink[0] : 1) * lasting[0] : t;
    for (let k = 0; k < start.place.length; k++) {
      const eviction = start.evictedBy ? start.evictedBy[k] : changes;
      let share = lastingFromStart;
      if (eviction < changes) share -= this.#leftAfter(-1, eviction) * lasting[eviction];
      total[start.place[k]] += start.weight[k] * share;
    }
    return { coef: total, b: withoutRounding(b, size), factor: this.unit / Math.max(t, 1) };
  }

  /**
   * How many presentations each version of f survived, up to t: c_k of Freund and Schapire. The
   * first version is f = 0, or what a resumed run began with, and each change makes the next one.
   * The counts add up to t.
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

  /** What change j evicts, as pairs of a place and the weight that is left there. */
  taken(j) {
    const { start, evicts, pointer, place, delta } = this;
    const change = evicts[j];
    if (change === null) return [];
    const left = this.#leftAfter(Math.max(change, -1), j);
    if (change < 0) {
      const k = -1 - change; // It is an entry of the start (`inverse`).
      return [[start.place[k], start.weight[k] * left]];
    }
    const pairs = [];
    for (let p = pointer[change]; p < pointer[change + 1]; p++) {
      pairs.push([place[p], delta[p] * left]);
    }
    return pairs;
  }

  /** What changes after j, up to change k, leave of 1; j = −1: of 1 at the start. */
  #leftAfter(j, k) {
    let left = 1;
    if (this.shrink) for (let m = j + 1; m <= k; m++) left *= this.shrink[m];
    return left;
  }
}

/** Coefficients and b in data units. @param {Sums} sums */
export const scaled = ({ coef, b, factor }) => ({
  coef: coef.map((value) => value * factor),
  b: b * factor,
});

/**
 * For each change the one whose entries it evicts, −1 − k for entry k of the start, null where it
 * evicts nothing.
 *
 * @param {Numbers} evictedBy
 * @param {Numbers | null} startEvictedBy
 */
function inverse(evictedBy, startEvictedBy) {
  // What is never evicted is "evicted" by a change behind the last one.
  const evicts = /** @type {(number | null)[]} */ (Array(evictedBy.length + 1).fill(null));
  evictedBy.forEach((eviction, j) => (evicts[eviction] = j));
  startEvictedBy?.forEach((eviction, k) => (evicts[eviction] = -1 - k));
  return evicts;
}

function indicesOfOnes(flags) {
  const indices = new Uint32Array(flags.length);
  let count = 0;
  for (let i = 0; i < flags.length; i++) if (flags[i]) indices[count++] = i;
  return indices.slice(0, count);
}

/** The example of each presentation, where they come one after the other in each epoch. */
function indexInTurn({ n, nSteps }) {
  const index = new Uint32Array(nSteps);
  for (let step = 0; step < nSteps; step++) index[step] = step % n;
  return index;
}

/** The steps of each example. */
function stepsByExample(steps, index, n) {
  const lists = Array.from({ length: n }, () => []);
  for (const step of steps) lists[index[step]].push(step);
  return lists;
}
