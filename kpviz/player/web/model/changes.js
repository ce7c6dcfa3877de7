// The changes of a run, written out again: kpviz/player/changes.py is the other side of this contract.

/** @import { Arrays, Header, Numbers } from "../types.d.ts" */

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
 * @property {Numbers | null} dies the change that evicts each one's entries; null where nothing is evicted
 */

const NOTHING = new Float64Array(0);

/**
 * @param {Header} header
 * @param {Arrays} arrays
 * @param {Uint32Array} mistakeSteps
 * @returns {Changes}
 */
export function changesOf({ changed, nSteps }, arrays, mistakeSteps) {
  const { count, when, after, b } = changed;
  const { startIndex: place = NOTHING, startWeight: weight = NOTHING, startDies: dies = null } = arrays;
  const start = { place, weight, dies, b };
  const parts = entriesOf(arrays, count);
  if (after) differences(parts.place, parts.delta, begun(start, arrays.support.length));
  const steps = { each: () => counted(nSteps), mistakes: () => mistakeSteps, listed: () => arrays.changeStep };
  return {
    start,
    step: steps[when](),
    ...parts,
    shift: arrays.changeShift ? (after ? gaps(arrays.changeShift, b) : arrays.changeShift) : null,
    shrink: spread(arrays.changeShrink, count),
    dies: arrays.changeDies ?? null,
  };
}

/** One value for each step, from one for each change: between them the last one if it lasts, else the first. */
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

/**
 * The entries of each change, where changes that repeat were sent once.
 *
 * @param {Arrays} arrays
 * @param {number} count
 */
function entriesOf({ changeLike: like, changePointer, changeIndex, changeDelta }, count) {
  if (!like) {
    return { pointer: changePointer ?? counted(count + 1), place: changeIndex, delta: new Float64Array(changeDelta) };
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

/** Coefficients after each entry become what it adds; added up again from the first they are the same, to the last digit. */
function differences(place, delta, now) {
  for (let p = 0; p < place.length; p++) {
    const added = delta[p] - now[place[p]];
    delta[p] = added;
    now[place[p]] += added;
  }
}

/** The coefficients that a run began with. */
function begun({ place, weight }, support) {
  const coef = new Float64Array(support);
  for (let k = 0; k < place.length; k++) coef[place[k]] += weight[k];
  return coef;
}

const gaps = (values, b) => Float64Array.from(values, (value, j) => value - (j ? values[j - 1] : b));

/** One value stands for all. */
const spread = (values, length) =>
  !values ? null : values.length === length ? values : new Float64Array(length).fill(values[0]);
