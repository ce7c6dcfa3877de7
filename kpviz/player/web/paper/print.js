// Grey for paper: what has the colour of class −1 is hollow instead, as greys are hard to tell
// apart.

const SHAPES = ["circle", "square", "ellipse", "rect", "polygon"];
const NARROW_BAR = 3; // In px: a narrower bar has no room for an outline.

/** Marks as they are printed with a palette of greys. */
export function printed(marks, palette) {
  return marks.map((mark) => (SHAPES.includes(mark.kind) ? shape(mark, palette) : mark));
}

function shape(mark, palette) {
  if (mark.fill === palette.point.negative) {
    return { ...mark, fill: palette.on_mark, stroke: palette.on_map, width: 1.2 };
  }
  if (!mark.fill && mark.i !== undefined && Object.values(palette.point).includes(mark.stroke)) {
    return { ...mark, stroke: palette.ghost };
  }
  if (mark.fill !== palette.negative || mark.w < NARROW_BAR || mark.h < NARROW_BAR) return mark;
  const width = 0.8;
  const inner =
    mark.kind === "rect"
      ? { x: mark.x + width / 2, y: mark.y + width / 2, w: mark.w - width, h: mark.h - width }
      : {};
  return { ...mark, ...inner, fill: palette.paper, stroke: palette.positive, width };
}
