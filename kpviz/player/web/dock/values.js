// Numbers as a slider has them, as one reads them, and as one types them.

import { readings, whyNot } from "../shell/typed_number.js";

/** @import { SliderField } from "./types.d.ts" */

/** @typedef {Pick<SliderField, "low" | "high" | "log" | "integer" | "step">} Range */

const NOTCHES = 200; // of a slider whose steps are not seen
const DIGITS = 3; // of a value on a logarithmic scale

/**
 * How many steps the slider of a range has.
 *
 * @param {Range} range
 */
export const notchesOf = ({ low, high, log, step }) =>
  log || !step ? NOTCHES : Math.max(Math.round((high - low) / step), 1);

/**
 * The value at a share of a range, rounded to what one can read.
 *
 * @param {Range} range
 * @param {number} share
 */
export function valueAt({ low, high, log, integer, step }, share) {
  const value = log ? low * (high / low) ** share : low + share * (high - low);
  const near = log || !step ? value : Math.min(low + Math.round((value - low) / step) * step, high);
  if (integer) return Math.round(near);
  return log ? Number(near.toPrecision(DIGITS)) : Number(near.toFixed(6));
}

/**
 * The share of a range at which a value lies.
 *
 * @param {Range} range
 * @param {number} value
 */
export function shareOf({ low, high, log }, value) {
  return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

/**
 * The notch on this side of another one at which the value is another: whole numbers on a logarithmic scale share many.
 *
 * @param {Range} range
 * @param {number} notch
 * @param {number} from the notch before
 */
export function nextNotch(range, notch, from) {
  const notches = notchesOf(range);
  const before = valueAt(range, from / notches);
  let next = notch;
  while (next > 0 && next < notches && valueAt(range, next / notches) === before) next += Math.sign(notch - from);
  return next;
}

/** A number as one reads and types it. */
export const written = (value, percent) => String(percent ? Number((100 * value).toFixed(6)) : value);

/**
 * What was typed, as a value of the range, or why it is none, as a sentence. Where it can be read in two ways, the range
 * may decide.
 *
 * @param {string} text
 * @param {Pick<SliderField, "low" | "high" | "integer"> & { percent?: boolean }} range
 * @returns {number | string}
 */
export function typedValue(text, { low, high, integer, percent = false }) {
  const own = (value) => (percent ? Number((value / 100).toFixed(8)) : value);
  const fits = (value) => own(value) >= low && own(value) <= high && (!integer || Number.isInteger(value));
  const found = readings(text);
  const [value, ...others] = found.length > 1 ? found.filter(fits) : found;
  if (value === undefined || others.length) return whyNot(text, found, integer ? "whole number" : undefined);
  return Math.min(Math.max(integer ? Math.round(own(value)) : own(value), low), high);
}
