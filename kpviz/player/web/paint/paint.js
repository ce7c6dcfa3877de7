// Draw a board: a list of marks, each a plain object with a `kind`. This file knows nothing of
// perceptrons.

import { PRECISE } from "./measure.js";

const LAYER_MARGIN = 10; // In px, round a panel: its still marks may reach so far.

/** @import { Board, BoardPanel, Mark, MarkOf, StillMarks } from "../board/types.d.ts" */
/** @import { Fonts } from "../run/types.d.ts" */
/** @import { Pixels } from "./colors.js" */

/**
 * What is kept of a panel's still marks: `whole` once they are on the canvas, `drawn` how often
 * they were since they changed.
 * @typedef {{ canvas: HTMLCanvasElement, key: string | null, whole: boolean, drawn: number }} Layer
 */

/** @typedef {CanvasRenderingContext2D} Context */

/** A canvas with what is kept for it. */
export class Surface {
  /** @type {Map<string, Layer>} */
  layers = new Map();
  arrives = false; // A run that was not drawn yet is wanted soon.

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.context = canvas.getContext("2d");
    canvas.addEventListener("contextrestored", () => this.layers.clear());
  }

  /** Draw a board with `ratio` px of the canvas in one px; `passing`: see `paint`. */
  draw(/** @type {Board} */ board, /** @type {Fonts} */ fonts, ratio, passing = false) {
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(this.context, board, fonts, this.layers, passing || this.arrives);
    this.arrives = false;
  }
}

/**
 * Draw the board; what stands still is kept in `layers` and drawn again only when its key changes.
 * In `passing` pictures, as while a number is turned or when a run arrives, what stood still for
 * one frame only is drawn as it is: a layer would cost more than it saves.
 *
 * @param {Context} context
 * @param {Board} board
 * @param {Fonts} fonts
 * @param {Map<string, Layer>} layers
 * @param {boolean} [passing]
 */
export function paint(context, board, fonts, layers, passing = false) {
  const { width, height, background } = board;
  context.clearRect(0, 0, width, height);
  if (background) {
    DRAW.rect(context, { kind: "rect", x: 0, y: 0, w: width, h: height, fill: background });
  }
  for (const panel of board.panels) {
    context.save();
    try {
      paintPanel(context, panel, fonts, layers, passing);
    } finally {
      context.restore(); // The clip of a panel that fails would hide all others from then on.
    }
  }
}

/**
 * @param {Context} context
 * @param {BoardPanel} panel
 * @param {Fonts} fonts
 * @param {Map<string, Layer>} layers
 * @param {boolean} passing
 */
function paintPanel(context, panel, fonts, layers, passing) {
  if (panel.clip) {
    context.beginPath();
    context.rect(panel.clip.x, panel.clip.y, panel.clip.w, panel.clip.h);
    context.clip();
  }
  panel.still.forEach((still, k) =>
    drawStill(context, panel, still, `${panel.name}${k}`, fonts, layers, passing),
  );
  drawMarks(context, panel.moving, fonts);
}

/** @param {Context} context @param {Mark[]} marks @param {Fonts} fonts */
function drawMarks(context, marks, fonts) {
  context.lineJoin = "round";
  context.textRendering = PRECISE;
  let font = "";
  for (const mark of marks) {
    const markFont = mark.kind === "text" ? fontOf(mark, fonts) : font;
    // Setting a font takes longer than drawing a short text.
    if (markFont !== font) context.font = font = markFont;
    const alpha = mark.alpha ?? 1;
    if (context.globalAlpha !== alpha) context.globalAlpha = alpha;
    /** @type {(context: Context, mark: Mark) => void} */ (DRAW[mark.kind])(context, mark);
  }
}

/**
 * @param {Context} context
 * @param {BoardPanel} panel
 * @param {StillMarks} still
 * @param {string} name
 * @param {Fonts} fonts
 * @param {Map<string, Layer>} layers
 * @param {boolean} passing
 */
function drawStill(context, { rect }, { key, marks, upTo }, name, fonts, layers, passing) {
  const ratio = context.getTransform().a;
  const x = Math.floor(rect.x) - LAYER_MARGIN;
  const y = Math.floor(rect.y) - LAYER_MARGIN;
  const w = Math.ceil(rect.w) + 2 * LAYER_MARGIN;
  const h = Math.ceil(rect.h) + 2 * LAYER_MARGIN;
  const visibleWidth = upTo === undefined ? w : Math.min(Math.max(upTo - x, 0), w);
  const full = [key, x, y, w, h, ratio].join();
  const layer = layers.get(name) ?? {
    canvas: document.createElement("canvas"),
    key: null,
    whole: false,
    drawn: 0,
  };
  layers.set(name, layer);
  const isNew = layer.key !== full;
  const once = passing && isNew && layer.drawn < 2;
  if (isNew) Object.assign(layer, { key: null, whole: false, drawn: 0 });
  if (once && visibleWidth > 0) drawWithin(context, { x, y, w: visibleWidth, h }, marks(), fonts);
  else if (visibleWidth > 0) {
    if (!layer.whole) {
      const layerContext = cleared(layer.canvas, Math.floor(w * ratio), Math.floor(h * ratio));
      layerContext.setTransform(ratio, 0, 0, ratio, -x * ratio, -y * ratio);
      drawMarks(layerContext, marks(), fonts);
      layer.whole = true;
    }
    context.drawImage(layer.canvas, 0, 0, visibleWidth * ratio, h * ratio, x, y, visibleWidth, h);
  }
  Object.assign(layer, { key: full, drawn: layer.drawn + 1 });
}

/**
 * @param {Context} context
 * @param {{ x: number, y: number, w: number, h: number }} place
 * @param {Mark[]} marks
 * @param {Fonts} fonts
 */
function drawWithin(context, { x, y, w, h }, marks, fonts) {
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  try {
    drawMarks(context, marks, fonts);
  } finally {
    context.restore();
  }
}

/**
 * The context of a canvas of a size, with nothing on it: one that has this size already keeps its
 * memory.
 *
 * @param {HTMLCanvasElement} canvas
 */
function cleared(canvas, width, height) {
  const context = canvas.getContext("2d");
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  else {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
  }
  return context;
}

/** @type {WeakMap<Pixels, { canvas: HTMLCanvasElement, version: number }>} */
const canvases = new WeakMap();

/** A canvas with an image on it, kept until the image changes. @param {Pixels} image */
function canvasOf(image) {
  const { width, height, data, version } = image;
  const known = canvases.get(image) ?? { canvas: document.createElement("canvas"), version: -1 };
  if (known.version !== version) {
    if (known.version < 0) Object.assign(known.canvas, { width, height });
    known.canvas.getContext("2d").putImageData(new ImageData(data, width, height), 0, 0);
    canvases.set(image, Object.assign(known, { version }));
  }
  return known.canvas;
}

// Outlines of points are two fills and rectangles are filled: where the processor draws, strokes
// cost most.
/** @type {{ [K in Mark["kind"]]: (context: Context, mark: MarkOf<K>) => void }} */
const DRAW = {
  area() {}, // An area can be pointed at, and is not seen.
  image(context, { image, x, y, w, h, inset = 0, crisp = false }) {
    context.imageSmoothingEnabled = !crisp;
    const { width, height } = image;
    context.drawImage(
      canvasOf(image),
      inset,
      inset,
      width - 2 * inset,
      height - 2 * inset,
      x,
      y,
      w,
      h,
    );
  },
  rect(context, { x, y, w, h, fill, stroke, width = 1, radius = 0 }) {
    if (fill && !radius) {
      context.fillStyle = fill;
      context.fillRect(x, y, w, h);
    }
    if (!stroke && !(fill && radius)) return;
    context.beginPath();
    if (radius) context.roundRect(x, y, w, h, radius);
    else context.rect(x, y, w, h);
    finish(context, radius ? fill : null, stroke, width);
  },
  rects(context, { points, w, h, fill }) {
    context.fillStyle = fill;
    for (let k = 0; k < points.length; k += 2) context.fillRect(points[k], points[k + 1], w, h);
  },
  circle(context, { x, y, r, fill, stroke, width = 1, dash }) {
    if (fill && stroke) {
      disc(context, x, y, r + width / 2, stroke);
      disc(context, x, y, r - width / 2, fill);
      return;
    }
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    finish(context, fill, stroke, width, dash);
  },
  ellipse(context, { x, y, rx, ry, fill, stroke, width = 1, dash }) {
    context.beginPath();
    context.ellipse(x, y, rx, ry, 0, 0, 2 * Math.PI);
    finish(context, fill, stroke, width, dash);
  },
  square(context, { x, y, r, fill, stroke, width = 1 }) {
    const half = r * 0.886; // The square has the area of the circle.
    if (fill && stroke) {
      context.fillStyle = stroke;
      context.fillRect(
        x - half - width / 2,
        y - half - width / 2,
        2 * half + width,
        2 * half + width,
      );
      context.fillStyle = fill;
      context.fillRect(
        x - half + width / 2,
        y - half + width / 2,
        2 * half - width,
        2 * half - width,
      );
      return;
    }
    if (fill) context.fillStyle = fill;
    if (fill) context.fillRect(x - half, y - half, 2 * half, 2 * half);
    if (stroke) context.strokeStyle = stroke;
    context.lineWidth = width;
    if (stroke) context.strokeRect(x - half, y - half, 2 * half, 2 * half);
  },
  lines(context, { lines, stroke, width = 1, dash }) {
    context.beginPath();
    for (const points of lines) along(context, points);
    finish(context, null, stroke, width, dash);
  },
  polygon(context, { points, fill, stroke, width }) {
    context.beginPath();
    along(context, points);
    context.closePath();
    finish(context, fill, stroke, width);
  },
  line(context, { points, ...mark }) {
    DRAW.lines(context, { ...mark, kind: "lines", lines: [points] });
  },
  spotlight(context, { x, y, r, w, h, fill }) {
    const edge = context.createRadialGradient(x, y, 0.75 * r, x, y, r);
    edge.addColorStop(0, `${fill}00`);
    edge.addColorStop(1, fill);
    context.fillStyle = edge;
    context.fillRect(0, 0, w, h);
  },
  text(context, mark) {
    const { text, fill, align = "left", baseline = "alphabetic", halo, tints, up } = mark;
    if (up) {
      context.save();
      context.translate(mark.x, mark.y);
      context.rotate(-Math.PI / 2);
    }
    const x = up ? 0 : mark.x;
    const y = up ? 0 : mark.y;
    context.textAlign = align;
    context.textBaseline = baseline;
    if (halo) {
      context.strokeStyle = halo;
      context.lineWidth = 3;
      context.strokeText(text, x, y);
    }
    context.fillStyle = fill;
    if (tints?.length) fillTinted(context, mark);
    else context.fillText(text, x, y);
    if (up) context.restore();
  },
};

/** @type {(mark: MarkOf<"text">, fonts: Fonts) => string} */
const fontOf = ({ weight = 400, size, code }, fonts) =>
  `${weight} ${size}px ${code ? fonts.code : fonts.canvas}`;

/**
 * A text at the left, some of its letters in colours of their own.
 *
 * @param {Context} context
 * @param {MarkOf<"text">} mark
 */
function fillTinted(context, { text, x, y, fill, tints }) {
  let at = 0;
  let left = x;
  const write = (to, colour) => {
    const part = text.slice(at, to);
    context.fillStyle = colour;
    context.fillText(part, left, y);
    left += context.measureText(part).width;
    at = to;
  };
  for (const [from, to, tint] of tints) {
    write(from, fill);
    write(to, tint);
  }
  write(text.length, fill);
}

function disc(context, x, y, r, fill) {
  context.fillStyle = fill;
  context.beginPath();
  context.arc(x, y, r, 0, 2 * Math.PI);
  context.fill();
}

/** Lead the path along a line. @param {ArrayLike<number>} points */
function along(context, points) {
  context.moveTo(points[0], points[1]);
  for (let k = 2; k < points.length; k += 2) context.lineTo(points[k], points[k + 1]);
}

function finish(context, fill, stroke, width, dash) {
  if (fill) {
    context.fillStyle = fill;
    context.fill();
  }
  if (stroke) {
    context.strokeStyle = stroke;
    context.lineWidth = width;
    if (dash) context.setLineDash(dash);
    context.stroke();
    if (dash) context.setLineDash([]);
  }
}
