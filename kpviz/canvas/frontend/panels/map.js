// The map: field, boundary, points, and what happens to them in a step.

import { contour } from "../contour.js";
import { textWidth } from "../paint.js";
import { aboutArrival, dial, lately, memory } from "./arrivals.js";
import { weightArrow } from "./primal.js";
import { boundaries, boundaryLegend } from "./readings.js";
import { edited } from "./edited.js";
import { namedMarks, placesMarks } from "./places.js";
import { pointRadius } from "./radius.js";
import { similarMarks } from "../similar.js";
import { brief, counted, example, label, number, signed, SIGNS } from "../words.js";

/** Pixel coordinates of the plane in a panel. */
export class View {
  constructor(rect, extent, grid) {
    Object.assign(this, { rect, grid });
    [this.low1, this.high1, this.low2, this.high2] = extent;
  }

  x(value) {
    return this.rect.x + ((value - this.low1) / (this.high1 - this.low1)) * this.rect.w;
  }

  y(value) {
    return this.rect.y + this.rect.h - ((value - this.low2) / (this.high2 - this.low2)) * this.rect.h;
  }

  /** The coordinates of a pixel. */
  place(px, py) {
    const { rect } = this;
    const across = (px - rect.x) / rect.w;
    const up = 1 - (py - rect.y) / rect.h;
    return [this.low1 + across * (this.high1 - this.low1), this.low2 + up * (this.high2 - this.low2)];
  }

  /** The grid's node nearest to a pixel, with its coordinates; null outside the panel. */
  node(px, py) {
    const { rect, grid } = this;
    const across = (px - rect.x) / rect.w;
    const up = 1 - (py - rect.y) / rect.h;
    if (across < 0 || across > 1 || up < 0 || up > 1) return null;
    const column = Math.round(across * (grid - 1));
    const row = Math.round(up * (grid - 1));
    const x1 = this.low1 + ((this.high1 - this.low1) * column) / (grid - 1);
    const x2 = this.low2 + ((this.high2 - this.low2) * row) / (grid - 1);
    return { column, row, x1, x2 };
  }

  /** Lines in grid units, in pixels. */
  pixels(lines) {
    const { rect, grid } = this;
    return lines.map((line) => {
      const points = new Float32Array(line.length);
      for (let k = 0; k < line.length; k += 2) {
        points[k] = rect.x + (line[k] / (grid - 1)) * rect.w;
        points[k + 1] = rect.y + rect.h - (line[k + 1] / (grid - 1)) * rect.h;
      }
      return points;
    });
  }
}

/** Whether the field shows σ(f), the probability of class +1. */
export const probability = ({ header }) => header.about.probability && header.settings.predictor !== "voted";

/** Marks of the map at the instant of `scene` (see stage.js). In motion nothing stands still. */
export function mapMarks(scene) {
  const { run, t, palette, limit, margin, bump, moving } = scene;
  const ground = () => [
    { kind: "rect", ...scene.rect, fill: palette.field_zero },
    ...(!run.plane ? placesMarks(scene) : scene.alike ? similarMarks(scene) : plane()),
    ...(run.stream ? memory(scene) : scene.edited ? [] : points(scene)),
    ...frame(scene),
  ];
  const plane = () => [
    { kind: "image", image: scene.fieldImage(), ...scene.rect, inset: 0.5 },
    ...(scene.compared ? [{ kind: "image", image: scene.compared.shade, ...scene.rect, inset: 0.5, name: "shade" }] : []),
    ...(bump ? [{ kind: "image", image: scene.bumpImage, ...scene.rect, inset: 0.5, alpha: bump.alpha, name: "bump" }] : []),
    ...lines(scene),
    ...(scene.readings ? boundaryLegend(scene) : []), // under the points
  ];
  const above = [...edited(scene), ...arrivals(scene), ...disc(scene), ...probeLines(scene), ...weightArrow(scene), ...lit(scene), ...rings(scene), ...namedMarks(scene)];
  if (moving || scene.compared) return { still: [], moving: [...ground(), ...above] };
  const key = [run.id, palette.dark, run.version(t), run.trace.changesBefore(t), limit, margin, t === 0, scene.readings ? t : "", scene.edited === null, scene.similar?.i, scene.similar?.note].join();
  return { still: [{ key, marks: ground }], moving: above };
}

function arrivals(scene) {
  const { run, t, pointScale } = scene;
  return run.stream ? [...lately(scene, (i) => pointRadius(run, i, t, pointScale)), ...dial(scene)] : [];
}

function lines(scene) {
  const { view, shownField, palette, ghost, margin, run, optimum, readings } = scene;
  const size = run.header.grid;
  const marks = [];
  if (ghost) {
    marks.push({
      kind: "lines", lines: view.pixels(ghost.lines), stroke: palette.ghost, width: 2, dash: [5, 5], alpha: ghost.alpha,
    });
  }
  if (readings) marks.push(...boundaries(scene));
  else {
    const boundary = view.pixels(contour(shownField, size, 0));
    marks.push({ kind: "lines", lines: boundary, stroke: palette.field_zero, width: 5, alpha: 0.85, name: "halo" });
    marks.push({ kind: "lines", lines: boundary, stroke: palette.on_map, width: 2.4, name: "boundary" });
  }
  if (optimum) marks.push({ kind: "lines", lines: view.pixels(contour(optimum, size, 0)), stroke: palette.accent, width: 2, dash: [2, 4], name: "optimum" });
  if (run.outlines) {
    marks.push({ kind: "lines", lines: outlines(run.outlines, view), stroke: palette.on_map, width: 1.2, dash: [6, 4], alpha: 0.6, name: "outline" });
  }
  if (margin > 0) {
    for (const level of [margin, -margin]) {
      marks.push({
        kind: "lines", lines: view.pixels(contour(shownField, size, level)), stroke: palette.on_map, width: 1.4,
        dash: [3, 6], name: "margin",
      });
    }
  }
  return marks;
}

/** Closed lines of the plane in pixels. */
function outlines(values, view) {
  const [count, points] = values.shape;
  return Array.from({ length: count }, (_, k) => Float32Array.from({ length: 2 * points }, (_, at) => {
    const value = values[2 * points * k + at];
    return at % 2 ? view.y(value) : view.x(value);
  }));
}

/** The Gaussian's width as a disc at the pointer. */
function disc({ run, view, pointer, palette }) {
  const { sigma } = run.header.settings;
  if (!sigma || !pointer) return [];
  const rx = view.x(sigma) - view.x(0);
  const ry = view.y(0) - view.y(sigma);
  return [
    { kind: "ellipse", x: pointer.px, y: pointer.py, rx, ry, stroke: palette.on_map, width: 1, dash: [2, 4], alpha: 0.55, name: "sigma" },
  ];
}

function probeLines({ run, view, probe, palette }) {
  if (!probe) return [];
  const at = [view.x(probe.x1), view.y(probe.x2)];
  const marks = probe.terms.map(({ i, value }) => ({
    kind: "line",
    points: [...at, view.x(run.X[2 * i]), view.y(run.X[2 * i + 1])],
    stroke: value > 0 ? palette.point.positive : palette.point.negative,
    width: 1 + (3 * Math.abs(value)) / probe.largest,
    alpha: 0.75,
  }));
  marks.push({ kind: "circle", x: at[0], y: at[1], r: 3.5, fill: palette.on_map, stroke: palette.field_zero, width: 1.5 });
  return marks;
}

/** Where example i is: under the hand it may be ahead of the run. */
const placeOf = ({ run, edited: points }, i) => (points && i < points.n ? points.at(i) : [run.X[2 * i], run.X[2 * i + 1]]);

/** Those held out, then the others, small ones on top, so that none is hidden. */
function points(scene) {
  const { run, t, pointScale } = scene;
  const radius = Array.from({ length: run.n }, (_, i) => pointRadius(run, i, t, pointScale));
  const order = Array.from(radius, (_, i) => i).sort((i, j) => radius[j] - radius[i] || i - j);
  return [...Array.from({ length: run.nTest }, (_, k) => run.n + k), ...order].map((i) => point(scene, i));
}

function point({ run, view, t, palette, pointScale }, i) {
  const held = i >= run.n;
  const kind = run.y[i] > 0 ? "positive" : "negative";
  const mark = {
    kind: run.header.tokens.shapes[kind], x: view.x(run.X[2 * i]), y: view.y(run.X[2 * i + 1]), i,
    r: held ? 4.2 * pointScale : pointRadius(run, i, t, pointScale), width: 1.4,
  };
  if (held) return { ...mark, stroke: palette.point[kind], width: 1.7, alpha: 0.9 };
  return { ...mark, fill: palette.point[kind], stroke: palette.on_mark };
}

/** The outlines of what the pointer touches, here or in another panel. */
function lit(scene) {
  const { run, view, t, palette, pointScale, hot } = scene;
  const { shapes } = run.header.tokens;
  return [...hot].map((i) => ({
    kind: shapes[run.y[i] > 0 ? "positive" : "negative"], x: view.x(placeOf(scene, i)[0]), y: view.y(placeOf(scene, i)[1]), lit: i,
    r: (i < run.n ? pointRadius(run, i, t, pointScale) : 4.2 * pointScale) + 4, stroke: palette.on_map, width: 2.4,
  }));
}

function rings(scene) {
  const { run, view, current, t, palette, pointScale, ring } = scene;
  if (current === null) return [];
  const [x, y] = [view.x(placeOf(scene, current)[0]), view.y(placeOf(scene, current)[1])];
  const r = pointRadius(run, current, t, pointScale) + 5 * pointScale;
  const onTop = run.stream || scene.edited ? [] : [{ ...point(scene, current), i: undefined }]; // which stands elsewhere already
  const marks = [
    ...onTop,
    { kind: "circle", x, y, r, stroke: palette.field_zero, width: 5.5, alpha: 0.9 },
    { kind: "circle", x, y, r, stroke: palette.on_map, width: 2.8, name: "current" },
  ];
  if (ring !== null) {
    marks.push({ kind: "circle", x, y, r: r + 34 * ring * pointScale, stroke: palette.on_map, width: 3 * (1 - ring) + 0.5, alpha: 1 - ring });
  }
  return marks;
}

function frame({ run, rect, view, palette, unit, limit, scaleImage, boundaryMissing, compared, alike, similar, bare }) {
  const size = 12.5 * unit;
  const { features } = run.header.names;
  const halo = palette.field_zero;
  const quiet = { kind: "text", size, fill: palette.on_map, halo, alpha: 0.85 };
  const own = (value, k) => run.own(value, value)[k];
  const tick = (value) => number(value).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  const marks = [{ kind: "rect", ...rect, stroke: palette.rule, width: 1 }];
  if (bare) return marks;
  const bottom = rect.y + rect.h - Math.max(7, 0.4 * size);
  for (const share of run.plane ? [0.1, 0.5, 0.9] : []) {
    const x1 = view.low1 + share * (view.high1 - view.low1);
    const x2 = view.low2 + share * (view.high2 - view.low2);
    const name = share === 0.5 ? 1 : 0;
    marks.push({ ...quiet, x: view.x(x1), y: bottom, align: "center", text: name ? features[0] : tick(own(x1, 0)), weight: name ? 600 : 400 });
    if (share !== 0.9) marks.push({ ...quiet, x: rect.x + 7, y: view.y(x2), baseline: "middle", text: name ? features[1] : tick(own(x2, 1)), weight: name ? 600 : 400 });
  }
  if (!run.plane) marks.push({ ...quiet, x: rect.x + rect.w / 2, y: bottom, align: "center", text: run.header.ground.told });
  if (!compared || compared.letter === "A") marks.push(...legend({ run, rect, palette, size, halo, unit }));
  const w = (alike || !run.plane ? 122 : 92) * unit;
  const x = rect.x + rect.w - w - 10;
  const y = rect.y + 10;
  marks.push({ kind: "rect", x: x - 6, y: y - 5, w: w + 12, h: 27 * unit, fill: palette.field_zero, alpha: 0.93, radius: 4 });
  marks.push({ kind: "image", image: alike ? similar.ramp : scaleImage, x, y, w, h: 8 * unit });
  marks.push({ kind: "rect", x, y, w, h: 8 * unit, stroke: palette.on_map, width: 0.7, alpha: 0.5 });
  const below = y + 20 * unit;
  const f = probability(run) ? ["0", "P(+1)", "1"] : [brief(number(-limit)), `${run.plane ? "" : "halo: "}${SIGNS[run.header.settings.predictor]}`, brief(signed(limit))];
  const [low, name, high] = alike ? similar.words : f;
  const text = { kind: "text", size: size * 0.9, fill: palette.on_map, y: below };
  marks.push({ ...text, x, text: low }, { ...text, x: x + w / 2, text: name, align: "center", weight: 600, name: "scale" }, { ...text, x: x + w, text: high, align: "right" });
  if (!compared) marks.push(...kernelName(run, { rect, palette, unit, x: x + w, y: below + 1.6 * size, size: 0.9 * size }));
  if (boundaryMissing) {
    marks.push({ ...quiet, x: rect.x + rect.w / 2, y: rect.y + rect.h - 34 * unit, align: "center", text: boundaryMissing });
  }
  return marks;
}

/** The kernel under the scale, as far as it has room. */
function kernelName({ header }, { rect, palette, unit, x, y, size }) {
  const { kernel } = header.names;
  let text = kernel;
  while (text.length > 8 && textWidth(text, size, palette.fonts) > rect.w - 150 * unit) text = `${text.slice(0, -2)}…`;
  return [{ kind: "text", x, y, size, align: "right", fill: palette.on_map, halo: palette.field_zero, alpha: 0.85, text, name: "kernel" }];
}

function legend({ run, rect, palette, size, halo, unit }) {
  const { shapes } = run.header.tokens;
  const { classes } = run.header.names;
  const plain = classes[1] === "+1";
  return [["positive", 1], ["negative", 0]].flatMap(([kind, which], k) => {
    const y = rect.y + 16 + k * size * 1.45;
    const words = plain ? `class ${label(which ? 1 : -1)}` : `${label(which ? 1 : -1)}  ${classes[which]}`;
    if (15 + size + textWidth(words, size, palette.fonts) > rect.w - 92 * unit - 16) return []; // the scale is there
    return [
      { kind: shapes[kind], x: rect.x + 15, y, r: size * 0.42, fill: palette.point[kind], stroke: palette.on_mark, width: 1.2 },
      { kind: "text", x: rect.x + 15 + size, y, baseline: "middle", size, fill: palette.on_map, text: words, halo },
    ];
  }).concat(run.nTest || run.stream ? [
    { kind: "circle", x: rect.x + 15, y: rect.y + 16 + 2 * size * 1.45, r: size * 0.38, stroke: palette.on_map, width: 1.5 },
    { kind: "text", x: rect.x + 15 + size, y: rect.y + 16 + 2 * size * 1.45, baseline: "middle", size, fill: palette.on_map, text: run.stream ? "hollow: in memory" : "hollow: held out", halo },
  ] : []);
}

/** What is known about example i at the instant, for its tooltip. */
export function aboutExample(run, reading, t, i) {
  if (run.stream) return aboutArrival(run, t, i, probability(run));
  const y = run.y[i];
  const [x1, x2] = run.own(run.X[2 * i], run.X[2 * i + 1]);
  const what = run.objects ? run.objects[i] : `(${number(x1)}, ${number(x2)})`;
  const sign = SIGNS[run.header.settings.predictor];
  const f = reading.scores[i];
  const name = i < run.n ? example(i) : `held-out ${run.objects ? "example" : "point"} ${i - run.n}`;
  const head = `${name}  ${what}  ·  y = ${label(y)}`;
  const score = `${sign} = ${number(f)}  ·  margin ${number(y * f)}`;
  if (i >= run.n) return [head, score];
  const probable = probability(run) ? `  ·  P(+1) = ${number(run.chance(f))}` : "";
  if (!run.header.about.counts) return [head, `α = ${number(run.alphaOf(i, t))}  ·  ${counted(run.trace.mistakesOn(i, t), "mistake")}`, score + probable];
  const steps = run.trace.byExample[i].filter((step) => step < t).map((step) => step + 1);
  const listed = steps.length > 6 ? `${steps.slice(0, 6).join(", ")}, …` : steps.join(", ");
  const alpha = `α = ${number(steps.length * run.trace.unit)}${steps.length ? `  (mistakes at steps ${listed})` : ""}`;
  return [head, alpha, score];
}
