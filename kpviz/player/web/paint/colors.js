// Colours of the theme, and the scale of the field. All colours come from kpviz/tokens.py.

/** @import { Theme, Tokens } from "../run/types.d.ts" */

// An image as numbers, which the painter puts on a canvas.

export class Pixels {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    // Red, green, blue, alpha of each pixel, row by row.
    this.data = new Uint8ClampedArray(4 * width * height);
    this.version = 0; // A new version means that the data have changed.
  }

  /** The data have changed. */
  touch() {
    this.version += 1;
    return this;
  }
}

const STEPS = 255; // On each side of zero.
// Below 1 the colours of small values differ more, so that the first hills are seen.
const GAMMA = { light: 0.8, dark: 0.5 };
// A power alone is steepest at 0, where the ground would have an edge: it begins so far up.
const START = 0.02;

/** How far a value, of 0 to 1, is from the colour of 0 to that of 1. */
const along = (value, gamma) =>
  ((value + START) ** gamma - START ** gamma) / ((1 + START) ** gamma - START ** gamma);

/**
 * Lookup table of 2 * STEPS + 1 colours, RGBA, from the most negative to the most positive.
 *
 * @param {string[]} colours of the most negative value, of 0, and of the most positive one
 */
function scaleOf(colours, gamma = 1) {
  const [low, zero, high] = colours.map(rgb);
  const table = new Uint8ClampedArray(4 * (2 * STEPS + 1));
  for (let k = -STEPS; k <= STEPS; k++) {
    const end = k < 0 ? low : high;
    const share = along(Math.abs(k) / STEPS, gamma);
    for (let c = 0; c < 3; c++) table[4 * (k + STEPS) + c] = zero[c] + (end[c] - zero[c]) * share;
    table[4 * (k + STEPS) + 3] = 255;
  }
  return table;
}

export function rgb(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

class Colours {
  /** @type {Map<Uint8ClampedArray, Pixels>} */
  #ramps = new Map();

  /** @param {Tokens} tokens */
  constructor(tokens, dark) {
    const theme = tokens.themes[dark ? "dark" : "light"];
    Object.assign(this, theme);
    this.theme = theme;
    this.dark = dark;
    this.grey = false; // Set for print: then words do not name colours.
    // Points have these colours on the map.
    this.point = { positive: theme.point_positive, negative: theme.point_negative };
    this.fonts = tokens.fonts;
    const { field_negative, field_zero, field_positive, similar_zero } = theme;
    const gamma = GAMMA[dark ? "dark" : "light"];
    this.scale = scaleOf([field_negative, field_zero, field_positive], gamma);
    this.kernelScale = scaleOf([similar_zero, similar_zero, theme.similar]);
    this.cells = scaleOf([theme.cell_negative, field_zero, theme.cell_positive]);
    this.calmCells = scaleOf([theme.cell_negative, similar_zero, theme.cell]);
  }

  ofClass(y) {
    return y > 0 ? this.theme.positive : this.theme.negative;
  }

  /** The colour of one value of a field. @param {Uint8ClampedArray} scale */
  ofField(value, limit, scale = this.scale) {
    const from = 4 * (Math.round(Math.min(Math.max(value / limit, -1), 1) * STEPS) + STEPS);
    return `rgb(${scale.slice(from, from + 3).join(" ")})`;
  }

  /**
   * The colours of a kernel's values: those of the field where some are below 0, else of one calm
   * hue.
   */
  ofKernel(isSigned) {
    return isSigned ? this.scale : this.kernelScale;
  }

  /** The same for the cells of a matrix, where no point needs a quiet background. */
  ofCells(isSigned) {
    return isSigned ? this.cells : this.calmCells;
  }

  /**
   * A scale of a kernel's values as an image, one pixel high; it begins at 0 where none is below
   * it.
   */
  rampOf(scale, isSigned, width) {
    const known = this.#ramps.get(scale);
    if (known?.width === width) return known;
    const ramp = new Pixels(width, 1);
    for (let k = 0; k < width; k++) {
      const share = k / (width - 1);
      const from = 4 * (Math.round((isSigned ? 2 * share - 1 : share) * STEPS) + STEPS);
      for (let c = 0; c < 4; c++) ramp.data[4 * k + c] = scale[from + c];
    }
    this.#ramps.set(scale, ramp);
    return ramp;
  }

  /**
   * Write the colours of a field, or of its probabilities `chance(f)`, into pixels, whose first row
   * is the highest x₂.
   */
  paintField(field, size, limit, image, chance = null, scale = this.scale) {
    // Four bytes at once.
    const [pixels, colours] = [image.data, scale].map(({ buffer }) => new Uint32Array(buffer));
    for (let row = 0; row < size; row++) {
      let to = size * (size - 1 - row);
      for (let column = 0; column < size; column++, to++) {
        const value = field[row * size + column];
        const share = chance ? 2 * chance(value) - 1 : value / limit;
        pixels[to] = colours[Math.round((share > 1 ? 1 : share < -1 ? -1 : share) * STEPS) + STEPS];
      }
    }
  }

  /** The colour towards which y·k moves the field, k being the kernel's value there. */
  ofBump(y, kernelValue) {
    const isRaised = kernelValue < 0 === y < 0;
    return isRaised ? this.theme.field_positive : this.theme.field_negative;
  }

  /**
   * The bump of one example, y·k: the colour of its sign, as opaque as its share of the largest
   * value.
   */
  paintBump(bump, size, y, image) {
    const along = rgb(this.ofBump(y, 1));
    const against = rgb(this.ofBump(y, -1));
    let largest = 1e-12;
    for (const value of bump) largest = Math.max(largest, Math.abs(value));
    for (let row = 0; row < size; row++) {
      let to = 4 * size * (size - 1 - row);
      for (let column = 0; column < size; column++, to += 4) {
        const value = bump[row * size + column];
        [image.data[to], image.data[to + 1], image.data[to + 2]] = value < 0 ? against : along;
        image.data[to + 3] = (255 * Math.abs(value)) / largest;
      }
    }
  }
}

/**
 * The colours of a theme, by its names, and what is made of them.
 *
 * @typedef {Colours & Theme} Palette
 */
export const Palette = /** @type {new (tokens: Tokens, dark: boolean) => Colours & Theme} */ (
  Colours
);
