// The scale of type: whatever is written on a board, beside it or in its pictures has one of these
// sizes, times one factor of the window.

/** In px, in a window of 1366×768. Nothing is smaller than the last, whatever the factor. */
export const STEPS = { display: 52, title: 28, large: 20, body: 16, label: 14, small: 12 };

const WIDTH = 1366; // In px, of the window that the steps are given for.
const HEIGHT = 768;

// In px, of the window that has two columns with type of the steps as they are.
const LEAST_WIDTH = 900;
const LEAST_HEIGHT = 560;

/** @typedef {keyof typeof STEPS} Step */

/**
 * The factor of a window, in px of its width and height: 1, or more where both sides have room, or
 * where its reader has chosen larger type in the browser, as far as two columns have room for it.
 *
 * @param {number} width
 * @param {number} height
 * @param {number} text the reader's type, relative to what is usual
 */
export const unitOf = (width, height, text = 1) =>
  forReader(
    Math.max(1, Math.min(width / WIDTH, height / HEIGHT)),
    text,
    Math.min(width / LEAST_WIDTH, height / LEAST_HEIGHT),
  );

/** A factor for larger type of its reader, up to the most that there is room for. */
export const forReader = (unit, text, most) => Math.max(unit, Math.min(unit * text, most));

/**
 * The size of a step in px, where the unit is the factor of the window, or on a stage that of its
 * layout.
 *
 * @param {Step} name
 * @param {number} unit
 */
export const step = (name, unit) => Math.max(STEPS.small, STEPS[name] * unit);

/**
 * The size of the largest step, from one down to another, that fits; else that of the last.
 *
 * @param {Step} from
 * @param {number} unit
 * @param {(size: number) => boolean} fits
 * @param {Step} to
 */
export function fittingStep(from, unit, fits, to = "small") {
  const names = /** @type {Step[]} */ (Object.keys(STEPS));
  const sizes = names
    .slice(names.indexOf(from), names.indexOf(to) + 1)
    .map((name) => step(name, unit));
  return sizes.find(fits) ?? sizes.at(-1);
}
