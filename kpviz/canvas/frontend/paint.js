// Draw a board: a list of marks, each a plain object with a `kind`. This file knows nothing of perceptrons.

export function paint(context, board, fonts) {
  context.clearRect(0, 0, board.width, board.height);
  for (const panel of board.panels) {
    context.save();
    if (panel.clip) {
      context.beginPath();
      context.rect(panel.clip.x, panel.clip.y, panel.clip.w, panel.clip.h);
      context.clip();
    }
    for (const mark of panel.marks) {
      context.globalAlpha = mark.alpha ?? 1;
      DRAW[mark.kind](context, mark, fonts);
    }
    context.restore();
  }
}

const DRAW = {
  image(context, { image, x, y, w, h, inset = 0 }) {
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = "medium";
    const { width, height } = image;
    context.drawImage(image, inset, inset, width - 2 * inset, height - 2 * inset, x, y, w, h);
  },
  rect(context, { x, y, w, h, fill, stroke, width = 1, radius = 0 }) {
    context.beginPath();
    if (radius) context.roundRect(x, y, w, h, radius);
    else context.rect(x, y, w, h);
    finish(context, fill, stroke, width);
  },
  circle(context, { x, y, r, fill, stroke, width = 1, dash }) {
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    finish(context, fill, stroke, width, dash);
  },
  ellipse(context, { x, y, rx, ry, fill, stroke, width = 1, dash }) {
    context.beginPath();
    context.ellipse(x, y, rx, ry, 0, 0, 2 * Math.PI);
    finish(context, fill, stroke, width, dash);
  },
  square(context, { x, y, r, fill, stroke, width = 1, dash }) {
    const half = r * 0.886; // the area of the circle
    context.beginPath();
    context.rect(x - half, y - half, 2 * half, 2 * half);
    finish(context, fill, stroke, width, dash);
  },
  segments(context, { points, stroke, width = 1, dash }) {
    context.beginPath();
    for (let k = 0; k < points.length; k += 4) {
      context.moveTo(points[k], points[k + 1]);
      context.lineTo(points[k + 2], points[k + 3]);
    }
    finish(context, null, stroke, width, dash);
  },
  line(context, { points, stroke, width = 1, dash }) {
    context.beginPath();
    for (let k = 0; k < points.length; k += 2) context.lineTo(points[k], points[k + 1]);
    finish(context, null, stroke, width, dash);
  },
  text(context, { x, y, text, size, weight = 400, fill, align = "left", baseline = "alphabetic", code, halo }, fonts) {
    context.font = `${weight} ${size}px ${code ? fonts.code : fonts.canvas}`;
    context.textAlign = align;
    context.textBaseline = baseline;
    if (halo) {
      context.strokeStyle = halo;
      context.lineWidth = 3;
      context.lineJoin = "round";
      context.strokeText(text, x, y);
    }
    context.fillStyle = fill;
    context.fillText(text, x, y);
  },
};

function finish(context, fill, stroke, width, dash) {
  if (fill) {
    context.fillStyle = fill;
    context.fill();
  }
  if (stroke) {
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.lineJoin = "round";
    context.lineCap = "round";
    context.setLineDash(dash ?? []);
    context.stroke();
    if (dash) context.setLineDash([]);
  }
}

const measuring = typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");

/** Break a text into lines of at most `width` px. */
export function wrap(text, width, size, fonts, weight = 400) {
  measuring.font = `${weight} ${size}px ${fonts.canvas}`;
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && measuring.measureText(longer).width > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line ? [...lines, line] : lines;
}

export function textWidth(text, size, fonts, weight = 400) {
  measuring.font = `${weight} ${size}px ${fonts.canvas}`;
  return measuring.measureText(text).width;
}
