// Small images of fields, which the map draws large.

const RAMP = 64; // px of the colour scale

export class Images {
  constructor(grid) {
    this.field = drawable(grid);
    this.bump = drawable(grid);
    this.scale = drawable(RAMP);
    this.ramp = Float64Array.from({ length: RAMP * RAMP }, (_, k) => ((k % RAMP) / (RAMP - 1)) * 2 - 1);
    this.grid = grid;
  }

  paintField(palette, field, limit, chance, scale) {
    palette.paintField(field, this.grid, limit, this.field.data, chance, scale);
    return put(this.field);
  }

  /** A further image of the grid. */
  plain() {
    return drawable(this.grid);
  }

  paintBump(palette, bump, y) {
    palette.paintBump(bump, this.grid, y, this.bump.data);
    return put(this.bump);
  }

  paintScale(palette) {
    palette.paintField(this.ramp, RAMP, 1, this.scale.data);
    return put(this.scale);
  }
}

/** What can be drawn on, one pixel for each node. */
export function drawable(size) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  return { canvas, context, data: context.createImageData(size, size) };
}

export function put({ canvas, context, data }) {
  context.putImageData(data, 0, 0);
  return canvas;
}
