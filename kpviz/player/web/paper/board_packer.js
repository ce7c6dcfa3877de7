// Boards as plain data for a painter outside the browser: JSON, with numbers and pixels as bytes
// beside it.

export class BoardPacker {
  constructor() {
    this.numbers = [];
    this.images = [];
    this.numberCount = 0;
    this.byteCount = 0;
  }

  /**
   * { text, numbers, pixels }: in the text `points` are [first, length] of the numbers, an `image`
   * is [first byte, width, height].
   */
  wrapped(board) {
    const text = JSON.stringify(board);
    const numbers = new Float32Array(this.numberCount);
    const pixels = new Uint8Array(this.byteCount);
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
      packedMark.image = [this.byteCount, image.width, image.height];
      this.images.push([this.byteCount, image.data.slice()]); // The next frame writes over it.
      this.byteCount += image.data.length;
    }
    return packedMark;
  }

  #put(values) {
    const place = [this.numberCount, values.length];
    this.numbers.push([this.numberCount, values]);
    this.numberCount += values.length;
    return place;
  }
}
