// What stands round the map: axes, legend, the scale of the colours.

import { allPixels, chart, pixelOf } from "./chart.js";
import { boxOf, overlap, shortened, textWidth } from "../paint/measure.js";
import { brief, label, number, signed, signOf } from "../run/words.js";
import { step } from "../board/scale.js";

/** @import { Run } from "../run/run.js" */
/** @import { PanelScene } from "../board/scene.js" */
/** @import { Mark, Rect, TextMark } from "../board/types.d.ts" */
/** @import { Verdict } from "../run/types.d.ts" */

const FEW_POINTS = 12; // None of so few points may be hidden, or be read as a row of the legend.
const HALO = 17; // In px round an example without a plane, where the unit is 1.
const PLATE = { alpha: 0.93, radius: 4 }; // It lies under words.
const PLATE_MARGIN = 3; // In px.
const CROSSED = [
  "ringed: these cannot all be on the right side",
  "their margins cannot all be > 0",
  "margins: never all > 0",
];
const CROSSING = ["ringed: the lines between them cross", "these lines cross", "they cross"];
const MIRRORED = ["ringed; hollow: reflected through the origin", "hollow: reflected", "reflected"];
const BETWEEN = [
  "ringed: the origin lies between them",
  "the origin between them",
  "origin between",
];
const SEPARATES = [
  "dashed: an f that separates the classes",
  "dashed: it separates",
  "it separates",
];
const SMALL_MAP = 420; // In px: on a smaller map no words are written over points.
const SMALLER_MAP = 250; // In px: on a smaller map not even the scale of colours is.
const INWARDS = 0.2; // Relative to the map's width: legend and scale give way so far to a point.

/**
 * What is written, and under it, and under the points, `plates` of the background, so that no line
 * of the map crosses a word.
 *
 * @param {PanelScene} scene
 * @returns {{ plates: Mark[], marks: Mark[] }}
 */
export function frame(scene) {
  const { run, rect, view, palette, unit, limit, over, scale, scaleImage, fHidden, verdict } =
    scene;
  const { boundaryMissing, compared, showsKernel, kernelRow } = scene;
  const size = step("small", unit);
  const halo = palette.field_zero;
  /** @satisfies {Partial<Mark>} */
  const quiet = { kind: "text", size, fill: palette.on_map, halo, alpha: 0.85 };
  /** @type {Mark[]} */
  const marks = [{ kind: "rect", ...rect, stroke: palette.rule, width: 1 }];
  const bottom = rect.y + rect.h - Math.max(7, 0.52 * size); // An index goes below its letter.
  const pen = { run, rect, view, palette, size, halo, unit };
  /** @type {Mark[][]} */
  const plated = axes({ ...pen, quiet, bottom }).map((mark) => [mark]);
  const past = !showsKernel && !fHidden && over.some(Boolean);
  const w = (showsKernel || !run.plane || past ? 122 : 92) * unit;
  const corner = legendCorner(pen, w);
  const named = !compared; // Compared runs have the legend above the maps.
  const row = named ? (run.nTest || run.stream ? 3 : 2) : 0;
  const y = rect.y + 10;
  const usual = { x: rect.x + rect.w - w - 10, y, w, h: 20 * unit + 1.6 * size };
  const free = scaleLeft(pen, usual, Boolean(compared));
  const x = free ?? usual.x;
  const under = y + 20 * unit;
  const line = boundaryMissing && freeLine(pen, boundaryMissing);
  const showsLine = line && (line.free || !compared);
  const missing = /** @type {const} */ ({ ...quiet, align: "center", name: "missing" });
  const written = showsLine ? [chart.text(line.x, line.y, line.text, missing)] : [];
  const ends = { x: x - 6, y: y - 5, w: w + 12, h: 27 * unit };
  const isScaled =
    (!fHidden || showsKernel) &&
    // Runs are compared by the scale.
    (Boolean(compared) || (free !== null && !covers(pen, ends, SMALLER_MAP)));
  const top = isScaled ? [ends] : [];
  const taken = [
    ...top,
    ...[...plated, written].filter(({ length }) => length).map((group) => plate(group, palette)),
  ];
  const rows = named ? legendOf(pen, corner, taken) : [];
  const scaled = { left: x - 6, bottom: y + 22 * unit };
  if (run.plane && !showsKernel) rows.push(...verdictRow({ ...pen, corner }, row, verdict, scaled));
  plated.push(rows);
  marks.push(...plated.flat());
  if (isScaled) {
    const pens = {
      run,
      palette,
      unit,
      size,
      limit,
      over,
      shared: scale,
      scaleImage,
      showsKernel,
      kernelRow,
    };
    marks.push(...scaleMarks(pens, { x, y, w, below: under }));
  }
  if (!compared && free !== null) {
    const name = kernelName(pen, { x: x + w, y: under + 1.6 * size, size });
    const box = boxOf(name, palette.fonts);
    if (name.text && !covers(pen, box) && !(rows.length && overlap(box, plate(rows, palette)))) {
      marks.push(name);
      plated.push([name]);
    }
  }
  marks.push(...written);
  const plates = plated
    .filter((group) => group.length)
    .map((group) => toEdge(plate(group, palette), rect, size));
  return { plates, marks };
}

/** A plate that nearly touches the edge of the map reaches it: no piece of a line stays between. */
function toEdge(box, rect, near) {
  const left = box.x - rect.x;
  const bottom = rect.y + rect.h - box.y - box.h;
  const x = left < near ? rect.x : box.x;
  return { ...box, x, w: box.w + box.x - x, h: box.h + (bottom < near ? bottom : 0) };
}

/** Whether a box lies on points of a small map. */
function covers({ run, rect, view }, { x, y, w, h }, small = SMALL_MAP) {
  if (rect.w >= small || !run.plane || run.stream) return false;
  return allPixels({ run, view }).some(
    ([px, py]) =>
      px > x - PLATE_MARGIN &&
      px < x + w + PLATE_MARGIN &&
      py > y - PLATE_MARGIN &&
      py < y + h + PLATE_MARGIN,
  );
}

/**
 * The legend in its corner; on a small map where it covers neither points nor what is `taken`, or
 * not at all.
 */
function legendOf(pen, corner, taken) {
  const { rect, palette } = pen;
  const usual = legend({ ...pen, corner });
  if (!usual.length || !covers(pen, plate(usual, palette))) return usual;
  const { w } = plate(usual, palette);
  const places = [0, 0.2, 0.3, 0.4, 0.5, 0.6].flatMap((down) =>
    [rect.x, rect.x + rect.w - w - 2 * PLATE_MARGIN].map((x) => ({ x, y: rect.y + down * rect.h })),
  );
  const free = (marks) => {
    const box = plate(marks, palette);
    return !covers(pen, box) && !taken.some((other) => overlap(box, other));
  };
  return places.map((place) => legend({ ...pen, corner: place })).find(free) ?? [];
}

/** The background under words and their marks. @param {Mark[]} marks @returns {Mark & Rect} */
export function plate(marks, { fonts, field_zero: fill }) {
  const boxes = marks.flatMap((mark) => {
    if (mark.kind === "text") return [boxOf(mark, fonts)];
    return "r" in mark
      ? [{ x: mark.x - mark.r, y: mark.y - mark.r, w: 2 * mark.r, h: 2 * mark.r }]
      : [];
  });
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.w));
  const bottom = Math.max(...boxes.map((box) => box.y + box.h));
  const around = {
    x: x - PLATE_MARGIN,
    y: y - PLATE_MARGIN,
    w: right - x + 2 * PLATE_MARGIN,
    h: bottom - y + 2 * PLATE_MARGIN,
  };
  return { kind: "rect", ...around, ...PLATE, fill, name: "plate" };
}

/**
 * The names of both axes and a few numbers along them, those at the corners where no point of few
 * is in the way; on a small map none that would cover a point. Without a plane what its positions
 * mean.
 */
function axes(pen) {
  const { run, rect, view, palette, size, quiet, bottom } = pen;
  const { caption } = run.header.ground ?? {};
  if (!run.plane) {
    const fits = (words) => textWidth(words, size, palette.fonts) < rect.w - size;
    const text =
      [caption, caption.split("; ")[0]].find(fits) ??
      shortened(caption, rect.w - size, size, palette.fonts);
    return [{ ...quiet, x: rect.x + rect.w / 2, y: bottom, align: "center", text }];
  }
  const at1 = (share) => view.low1 + share * (view.high1 - view.low1);
  const at2 = (share) => view.low2 + share * (view.high2 - view.low2);
  const below = (share) => ({ ...quiet, x: view.x(at1(share)), y: bottom, align: "center" });
  const atLeft = (share) => ({
    ...quiet,
    x: rect.x + 7,
    y: view.y(at2(share)),
    baseline: "middle",
  });
  const across = (share) => ({
    ...below(share),
    text: run.coordinateInWords(0, at1(share), tick),
    weight: 400,
  });
  const up = (share) => ({
    ...atLeft(share),
    text: run.coordinateInWords(1, at2(share), tick),
    weight: 400,
  });
  const box = (mark) => boxOf(mark, palette.fonts);
  const first = (marks) => {
    const clear = marks.filter((mark) => !covers(pen, box(mark)));
    return clear.find((mark) => !touched(run, view, box(mark), 0.9 * size)) ?? clear[0];
  };
  const named = (at, text) =>
    first([0.5, 0.6, 0.4].map((share) => ({ ...at(share), text, weight: 600 })));
  const [name1, name2] = run.header.names.features;
  const low = first([across(0.1), across(0.3)]);
  const apart = [up(0.1), up(0.3)].filter((mark) => !low || !overlap(box(mark), box(low)));
  return [
    low,
    first(apart.length ? apart : [up(0.3)]),
    // "x₁" is an example, too.
    ...(run.symbols || name1 !== "x₁" ? [named(below, name1), named(atLeft, name2)] : []),
    first([across(0.9), across(0.7)]),
  ].filter(Boolean);
}

/** A number at an axis, without zeros at its end. */
const tick = (value) =>
  number(value)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");

/** The scale of the colours, with what its ends mean. @returns {Mark[]} */
function scaleMarks(
  { run, palette, unit, size, limit, over, shared, scaleImage, showsKernel, kernelRow },
  { x, y, w, below },
) {
  const f = run.probability
    ? ["0", "P(+1)", "1"]
    : [
        `${over[0] ? "≤ " : ""}${brief(number(-(shared?.shown ?? limit)))}`,
        `${run.plane ? "" : "halo: "}${signOf(run)}${shared?.over ? "/‖f‖" : ""}`,
        `${over[1] ? "≥ " : ""}${brief(signed(shared?.shown ?? limit))}`,
      ];
  const [low, name, high] = showsKernel ? kernelRow.words : f;
  /** @satisfies {Partial<Mark>} */
  const text = { kind: "text", size, fill: palette.on_map, y: below };
  const center = /** @type {const} */ ("center");
  const wide = (/** @type {string} */ words) => textWidth(words, size, palette.fonts);
  return [
    chart.rect(x - 6, y - 5, w + 12, 27 * unit, { ...PLATE, fill: palette.field_zero }),
    { kind: "image", image: showsKernel ? kernelRow.ramp : scaleImage, x, y, w, h: 8 * unit },
    chart.rect(x, y, w, 8 * unit, { stroke: palette.on_map, width: 0.7, alpha: 0.5 }),
    { ...text, x, text: low },
    ...(wide(low) + wide(name) + wide(high) < w - 12
      ? [{ ...text, x: x + w / 2, text: name, align: center, weight: 600, name: "scale" }]
      : []),
    { ...text, x: x + w, text: high, align: "right" },
  ];
}

/**
 * The kernel under the scale, or its kind, where there is room; where examples without a plane are
 * there, lower on the map.
 */
function kernelName({ run, rect, view, palette, unit }, { x, y, size }) {
  const { names, coarse } = run.header;
  const says = [
    names.kernel + (coarse ? " · coarse map" : ""),
    names.kernel,
    names.kernel.split(",")[0],
  ];
  const text =
    says.find((candidate) => textWidth(candidate, size, palette.fonts) <= rect.w - 150 * unit) ??
    "";
  const look = { fill: palette.on_map, halo: palette.field_zero, alpha: 0.85 };
  /** @type {TextMark} */
  const usual = chart.text(x, y, text, { size, align: "right", name: "kernel", ...look });
  if (run.plane) return usual;
  const places = allPixels({ run, view });
  const free = (mark) => {
    const box = boxOf(mark, palette.fonts);
    return !places.some(
      ([px, py]) => Math.hypot(beyond(px, box.x, box.w), beyond(py, box.y, box.h)) < HALO * unit,
    );
  };
  const lower = [58, 78].map((up) => rect.y + rect.h - up * unit);
  const others = lower.flatMap((at) => [
    { ...usual, y: at },
    { ...usual, y: at, x: rect.x + 10, align: "left" },
  ]);
  return /** @type {TextMark} */ ([usual, ...others].find(free) ?? usual);
}

/** How far a number is outside of a span. */
const beyond = (at, from, length) => Math.max(from - at, at - from - length, 0);

/**
 * Whether one of few points is in a box, or as near as `gap`.
 *
 * @param {Run} run
 * @param {PanelScene["view"]} view
 * @param {Rect} box
 * @param {number} gap px
 */
function touched({ plane, n, X }, view, { x, y, w, h }, gap) {
  if (!plane || n > FEW_POINTS) return false;
  return Array.from({ length: n }, (_, i) => [view.x(X[2 * i]), view.y(X[2 * i + 1])]).some(
    ([px, py]) => px > x - gap && px < x + w + gap && py > y - gap && py < y + h + gap,
  );
}

/**
 * Where a line of words covers no point, as near as can be to the lower edge of the map and to its
 * middle; on small maps only what stands before the colon, or nearer to points. Of compared runs it
 * is said beside the maps, too.
 *
 * @returns {{ x: number, y: number, text: string, free: boolean }}
 */
function freeLine(pen, words) {
  const { run, rect, unit } = pen;
  const usual = { x: rect.x + rect.w / 2, y: rect.y + rect.h - 34 * unit, text: words, free: true };
  if (!run.plane || run.stream) return usual;
  const short = words.replace(/(:| until ).*/, "");
  for (const gap of [0.6, 0.4, 0.25]) {
    for (const text of [words, short]) {
      const place = freePlace(pen, usual, text, gap);
      if (place) return { ...place, text, free: true };
    }
  }
  return { ...usual, text: short, free: false };
}

/** @returns {{ x: number, y: number } | null} */
function freePlace({ run, rect, view, palette, size }, usual, words, letters) {
  const w = textWidth(words, size, palette.fonts);
  const gap = letters * size;
  const points = allPixels({ run, view });
  const free = ({ x, y }) =>
    !points.some(
      ([px, py]) =>
        Math.abs(px - x) < w / 2 + gap && py > y - 0.74 * size - gap && py < y + 0.2 * size + gap,
    );
  const aside = [0, -0.06, 0.06, -0.12, 0.12, -0.18, 0.18].filter(
    (share) => w / rect.w < 0.8 - 2 * Math.abs(share),
  );
  for (let up = 0; up < 0.7 * rect.h; up += size / 2) {
    const place = aside
      .map((share) => ({ x: usual.x + share * rect.w, y: usual.y - up }))
      .find(free);
    if (place) return place;
  }
  return null;
}

/**
 * Where the legend begins: where it would be beside one of few points farther right, or lower where
 * the scale is.
 */
function legendCorner({ run, rect, view, palette, size }, scale) {
  const { x, y, w, h } = rect;
  const [left, top] = placeOf({ corner: { x: 0, y: 0 }, size }, 0);
  const wide =
    left +
    size +
    Math.max(
      ...[0, 1].map((which) => textWidth(className(run, which, palette), size, palette.fonts)),
    );
  if (!touched(run, view, { x, y, w: wide, h: top + 2.9 * size }, size)) return { x, y };
  const right = x + INWARDS * w;
  return right + wide < x + w - INWARDS * w - scale - 16
    ? { x: right, y }
    : { x, y: y + INWARDS * h };
}

/**
 * Where the scale begins: as far to the left as none of few points is under it, or under the
 * kernel's name; null: nowhere on the map of one run.
 */
function scaleLeft({ run, rect, view, size }, box, compared) {
  const least = compared ? 6 : 9 * size; // In px: right of the legend, if that is on the map.
  const places = [0, 1, 2]
    .map((step) => box.x - step * INWARDS * rect.w)
    .filter((x) => x > rect.x + least);
  return (
    places.find((x) => !touched(run, view, { ...box, x }, size)) ??
    (compared ? (places[1] ?? box.x) : null)
  );
}

/** "orange, +1", in print "class +1", or with the name that the class has. */
function className({ header }, which, { grey }) {
  const names = header.names.classes;
  const y = label(which ? 1 : -1);
  if (names[1] !== "+1") return `${y}  ${names[which]}`;
  return grey ? `class ${y}` : `${header.words.classes[which]}, ${y}`;
}

/** The marks of points and what they mean; in short their labels only. */
export function keyOf(run, palette, short) {
  const { shapes } = run.header.tokens;
  const words = (which) => (short ? label(which ? 1 : -1) : className(run, which, palette));
  const look = (kind) => ({ fill: palette.point[kind], stroke: palette.on_mark, width: 1.2 });
  const hollow = { kind: "circle", r: 0.38, stroke: palette.on_map, width: 1.5 };
  return [
    { mark: { kind: shapes.positive, r: 0.42, ...look("positive") }, words: words(1) },
    { mark: { kind: shapes.negative, r: 0.42, ...look("negative") }, words: words(0) },
    { mark: hollow, words: run.stream ? "hollow: in memory" : "hollow: held out" },
  ].slice(0, run.nTest || run.stream ? 3 : 2);
}

/** @returns {Mark[]} */
function legend(pen) {
  const { run, rect, unit, size, palette } = pen;
  const room = rect.w - 92 * unit - 3 * size - 16;
  const short = [0, 1].some(
    (which) => textWidth(className(run, which, palette), size, palette.fonts) > room,
  );
  return keyOf(run, palette, short).flatMap(({ mark, words }, row) =>
    legendRow(pen, row, mark, words),
  );
}

/** @param {Pick<PanelScene, "run" | "view">} scene @param {Verdict} verdict */
function wordsOf(scene, verdict) {
  if (verdict.separating) return scene.run.symbols ? SEPARATES : SEPARATES.slice(1);
  if (mirroredAt(scene, verdict)) return verdict.mirrored.length ? MIRRORED : BETWEEN;
  return verdict.crosses ? CROSSING : CROSSED;
}

/**
 * Where the ringed examples are, some mirrored at the origin, which then lies between all; null
 * where that is not to be seen.
 *
 * @param {Pick<PanelScene, "run" | "view">} scene
 * @param {Verdict} verdict
 */
export function mirroredAt({ run, view }, { ringed, mirrored }) {
  if (!mirrored) return null;
  const origin = [view.x(0), view.y(0)];
  const places = ringed.map((i) => {
    const [x, y] = pixelOf({ run, view }, i);
    return mirrored.includes(i) ? [2 * origin[0] - x, 2 * origin[1] - y] : [x, y];
  });
  return [origin, ...places].every(([x, y]) => view.contains(x, y)) ? { origin, places } : null;
}

/**
 * What the rings, or the dashed boundary, say at the end of a run that made mistakes; under the
 * scale of the colours, where it has no room beside it, and in fewer words, where those cover fewer
 * points.
 */
function verdictRow({ run, view, rect, palette, size, halo, corner }, row, verdict, scale) {
  if (!verdict?.ringed.length && !verdict?.separating) return [];
  const words = wordsOf({ run, view }, verdict);
  const pen = { stroke: palette.on_map, width: 2 };
  const places = [row, Math.max(row, 2)].map((at) => {
    const [x, y] = placeOf({ corner, size }, at);
    const right = y - 0.6 * size < scale.bottom ? scale.left : rect.x + rect.w;
    return { x, y, room: right - x - size - PLATE_MARGIN };
  });
  const points = allPixels({ run, view });
  const covered = ({ x, y, w }) =>
    points.filter(([px, py]) => px > x - size && px < x + size + w && Math.abs(py - y) < 1.3 * size)
      .length; // Some points are large.
  const [best] = words
    .flatMap((text) =>
      places.map((place) => ({ ...place, text, w: textWidth(text, size, palette.fonts) })),
    )
    .filter(({ w, room }) => w < room)
    .map((candidate) => ({ ...candidate, covers: covered(candidate) }))
    .sort((one, other) => one.covers - other.covers);
  if (!best) return [];
  const { x, y, text } = best;
  return [
    verdict.separating
      ? chart.line([x - 0.7 * size, y, x + 0.7 * size, y], { dash: [8, 5], ...pen })
      : chart.circle(x, y, 0.5 * size, { dash: [4, 3], ...pen }),
    chart.text(x + size, y, text, {
      baseline: "middle",
      size,
      fill: palette.on_map,
      halo,
      name: "verdict",
    }),
  ];
}

/** The middle of a row's mark. */
const placeOf = ({ corner, size }, row) => [
  corner.x + Math.max(15, 0.95 * size),
  corner.y + Math.max(16, 1.05 * size) + row * size * 1.45,
];

/** A mark and its words; the first two rows only where the scale leaves room for them. */
function legendRow({ rect, palette, size, halo, unit, corner }, row, mark, words) {
  const [x, y] = placeOf({ corner, size }, row);
  const room = rect.w - 92 * unit - 16;
  if (row < 2 && x - corner.x + size + textWidth(words, size, palette.fonts) > room) return [];
  return [
    { ...mark, x, y, r: size * mark.r },
    chart.text(x + size, y, words, { baseline: "middle", size, fill: palette.on_map, halo }),
  ];
}
