// Boards as plain data for a painter outside the browser: JSON, with numbers and pixels as bytes
// beside it.

export class BoardPacker {
  constructor() {
    this.numbers = [];
    this.images = [];
    this.sizes = [0, 0];
  }

  /**
   * { text, numbers, pixels }: in the text `points` are [first, length] of the numbers, an `image`
   * is [first byte, width, height].
   */
  wrapped(board) {
    const text = JSON.stringify(board);
    const numbers = new Float32Array(this.sizes[0]);
    const pixels = new Uint8Array(this.sizes[1]);
    for (const [at, part] of this.numbers) numbers.set(part, at);
    for (const [at, part] of this.images) pixels.set(part, at);
    return { text, numbers: numbers.buffer, pixels: pixels.buffer };
  }

  /** Marks with their arrays and images put aside. */
  marks(marks) {
    return marks.map((mark) => this.#mark(mark));
  }

  #mark(mark) {
    if (!mark.points && !mark.lines && !mark.image) return mark;
    const { points, lines, image, ...packedMark } = mark;
    if (points) packedMark.points = this.#put(points);
    if (lines) packedMark.lines = lines.map((line) => this.#put(line));
    if (image) {
      packedMark.image = [this.sizes[1], image.width, image.height];
      this.images.push([this.sizes[1], image.data.slice()]); // The next frame writes over it.
      this.sizes[1] += image.data.length;
    }
    return packedMark;
  }

  #put(values) {
    const place = [this.sizes[0], values.length];
    this.numbers.push([this.sizes[0], values]);
    this.sizes[0] += values.length;
    return place;
  }
}
