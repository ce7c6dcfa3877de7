// An image as numbers, which the painter puts on a canvas.

export class Pixels {
  /**
   * @param {number} width
   * @param {number} height
   */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.data = new Uint8ClampedArray(4 * width * height); // red, green, blue, alpha of each pixel, row by row
    this.version = 0; // another one: the data have changed
  }

  /** The data have changed. */
  touch() {
    this.version += 1;
    return this;
  }
}
