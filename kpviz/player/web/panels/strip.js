// What stands above the map, where it covers no point: the classes, what else the marks of the map
// mean, and the scale of the colours.

import { chart, pixelOf } from "./chart.js";
import { boundaryKeys } from "./readings.js";
import { dialKey, fadedKey } from "./stream.js";
import { isFlat } from "../board/comparison.js";
import { placed } from "../board/scene.js";
import { step } from "../board/scale.js";
import { firstWithin, shortened, textWidth } from "../paint/measure.js";
import { brief, label, number, signed, signOf } from "../run/words.js";

/** @import { KernelRow } from "../board/kernel_row.js" */
/** @import { Run } from "../run/run.js" */
/** @import { PanelScene } from "../board/scene.js" */
/** @import { Palette } from "../paint/colors.js" */
/** @import { Drawing, Mark, PanelObject } from "../board/types.d.ts" */
/** @import { Verdict } from "../run/types.d.ts" */

/** @typedef {(x: number, y: number, size: number) => Mark[]} LegendSign */

/**
 * An entry of the legend: its words, from the longest to the shortest, and its sign, `wide` in
 * letters, as marks about a middle.
 * @typedef {{ words: string[], wide: number, sign: LegendSign, name?: string }} Key
 */

const CROSSED = [
  "ringed: these cannot all be on the right side",
  "their margins cannot all be > 0",
  "margins: never all > 0",
];
const CROSSING = ["ringed: the lines between them cross", "their lines cross", "lines cross"];
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

// Lengths in letters.
const HIGH = 3; // A strip that is so high has the classes above what else there is.
const IN_ONE_ROW = 36; // What else there is of a stream has room in a row that is so wide.
const BEFORE_WORDS = 0.35;
const BETWEEN_KEYS = 1.2;
const RAMP = 7.5;
const LEAST_RAMP = 3;
const RAMP_HEIGHT = 0.7;
const AT_RAMP = 0.5;
const WIDEST_RAMP = 0.26; // Relative to the strip.
const LEVEL = { width: 1, dash: [2, 2] }; // A line of equal similarity, on the scale.
/**
 * What may stand at the right end of a strip, from the longest: how wide the scale of the colours
 * is, in letters, whether it says in words that f goes beyond it, and whether what stands in its
 * place is in few words.
 *
 * @typedef {{ ramp?: number, inWords?: boolean, isBrief?: boolean }} EndForm
 * @type {EndForm[]}
 */
const END_FORMS = [{ inWords: true }, {}, { ramp: LEAST_RAMP, isBrief: true }];
// In px where the unit is 1: so far from the left end of its map the name of a run begins.
export const BEFORE_NAME = 20;

/**
 * What there is room for, from all of it to the least: which words the classes, hollow points and
 * the other keys have at most, Infinity for none, and whether there is a scale.
 */
const STAGES = [
  { classes: 0, hollow: 0, others: 0, scale: true },
  { classes: 1, hollow: 0, others: 0, scale: true },
  { classes: 1, hollow: 0, others: 1, scale: true },
  { classes: 1, hollow: 1, others: 1, scale: true },
  { classes: 1, hollow: 1, others: 2, scale: true },
  { classes: 1, hollow: 1, others: 0, scale: false },
  { classes: 1, hollow: 1, others: 1, scale: false },
  { classes: 1, hollow: 1, others: 2, scale: false },
  { classes: 1, hollow: 2, others: 2, scale: false },
  { classes: 1, hollow: 1, others: Infinity, scale: true },
  { classes: 1, hollow: Infinity, others: 2, scale: false },
  { classes: 1, hollow: 1, others: Infinity, scale: false },
  { classes: 1, hollow: Infinity, others: Infinity, scale: true },
  { classes: 1, hollow: Infinity, others: Infinity, scale: false },
  { classes: 2, hollow: Infinity, others: Infinity, scale: false },
];

/** @param {PanelScene} scene @returns {Drawing} */
function stripMarks(scene) {
  if (scene.only) return [];
  const { run, palette, rect, verdict, showsKernel } = scene;
  const size = step("label", scene.unit);
  const [positive, negative, ...hollow] = classKeys(run, palette);
  const others = [
    // Each of compared runs has a verdict of its own beside its name.
    ...(run.plane && !showsKernel && !scene.compared ? verdictKeys(scene, verdict) : []),
    ...(scene.readings ? boundaryKeys(scene) : []),
    ...(scene.optimum ? [optimumKey(palette)] : []),
    ...(showsKernel && run.plane ? [levelsKey(palette)] : []),
    ...(run.stream ? [...fadedKey(scene), ...dialKey(scene)] : []),
    ...(scene.compared?.hatching.length ? [hatchedKey(palette)] : []),
  ];
  // Where the scale has no room, a key says what the halos are.
  const isTold = scene.compared ? scene.fHidden : scene.boundaryMissing;
  const hasHalos = !run.plane && !isTold;
  const halos = hasHalos ? [haloKey(scene)] : [];
  // A run that is asked about alone is called nowhere else.
  const endWith = scene.compared && scene.stands("caption") ? rightOfCompared : rightEnd;
  const rows = rect.h < HIGH * size ? 1 : rect.w < IN_ONE_ROW * size ? 3 : 2;
  const h = rect.h / rows;
  const [upper, ...lower] = Array.from({ length: rows }, (_, k) =>
    placed(scene, { rect: { ...rect, y: rect.y + k * h, h }, unit: scene.unit }),
  );
  const ends = END_FORMS.map((form) => endWith(upper, size, form));
  const classes = [positive, negative];
  if (rows === 1) return rowOf(upper, { classes, hollow, others, halos }, ends);
  const keysBelow = rows === 3 ? [hollow, others] : [[...hollow, ...others]];
  return [
    ...rowOf(upper, { classes }, ends),
    ...keysBelow.flatMap((keys, k) => rowOf(lower[k], { others: keys }, [null])),
  ];
}

/**
 * A row of the legend, with as much as it has room for.
 *
 * @param {Pick<PanelScene, "rect" | "palette" | "unit" | "showsKernel">} scene
 * @param {Partial<Record<"classes" | "hollow" | "others" | "halos", Key[]>>} keys
 * @param {(ReturnType<typeof rightEnd> | null)[]} ends what may stand at its right end
 * @returns {Mark[]}
 */
function rowOf(scene, { classes = [], hollow = [], others = [], halos = [] }, ends) {
  const { palette, rect, showsKernel, unit } = scene;
  const size = step("label", unit);
  const candidates = STAGES.flatMap((stage) =>
    (stage.scale ? ends : [null]).map((end) => {
      const entries = [
        ...classes.map((key) => worded(key, stage.classes)),
        ...(stage.hollow < Infinity ? hollow.map((key) => worded(key, stage.hollow)) : []),
        ...(stage.others < Infinity ? others.map((key) => worded(key, stage.others)) : []),
        ...(end ? [] : halos.map((key) => worded(key, stage.others))),
      ];
      const beyond = end?.w ?? -BETWEEN_KEYS * size;
      return { entries, end, w: widthOf(entries, size, palette) + beyond };
    }),
  );
  const fitting = candidates.filter(({ w }) => w <= rect.w);
  // The scale of a kernel has its levels, too.
  const scaled = showsKernel ? fitting.find(({ end }) => end) : null;
  const { entries, end } = scaled ?? fitting[0] ?? candidates.at(-1);
  return [...entriesOnALine(entries, scene), ...(end?.marks ?? [])];
}

/** A key with one of its words, the last one where it has not so many. @param {Key} key */
const worded = ({ words, ...key }, k) => ({ ...key, text: words[Math.min(k, words.length - 1)] });

/** @typedef {ReturnType<typeof worded>} WordedKey */

/** The width of entries on a line, with the gap that follows them. @param {WordedKey[]} entries */
const widthOf = (entries, size, { fonts }) =>
  entries.reduce(
    (sum, { text, wide }) =>
      sum + (wide + BEFORE_WORDS + BETWEEN_KEYS) * size + textWidth(text, size, fonts),
    0,
  );

/**
 * Keys at the right end of a panel, in at most so many px; null where they have no words as short.
 *
 * @param {Key[]} keys
 * @param {Pick<PanelScene, "rect" | "palette" | "unit">} scene
 */
export function keysAtTheRight(keys, { rect, palette, unit }, size, room) {
  if (!keys.length) return null;
  const lines = [0, 1, 2].map((k) => keys.map((key) => worded(key, k)));
  const wide = (entries) => widthOf(entries, size, palette) - BETWEEN_KEYS * size;
  const fitting = lines.find((entries) => wide(entries) <= room);
  if (!fitting) return null;
  const w = wide(fitting) + 1;
  const place = { rect: { ...rect, x: rect.x + rect.w - w, w }, palette, unit };
  return { marks: entriesOnALine(fitting, place, size), w };
}

/**
 * Keys on one line, from the left end of a panel, with the longest words that fit; where none do,
 * without the last key.
 *
 * @param {Key[]} keys
 * @param {Pick<PanelScene, "rect" | "palette" | "unit">} scene
 */
export function keysOnALine(keys, scene) {
  const lines = [0, 1, 2].map((k) => keys.map((key) => worded(key, k)));
  const { rect, palette } = scene;
  const fits = (entries) => widthOf(entries, step("label", scene.unit), palette) <= rect.w;
  return entriesOnALine(lines.find(fits) ?? lines.at(-1).slice(0, -1), scene);
}

const LEAST_ROOM = 3; // In letters of words, for an entry to be there at all.

/**
 * Entries of a legend on one line, from the left end of a panel, as many as have room.
 *
 * @param {WordedKey[]} entries
 * @param {Pick<PanelScene, "rect" | "palette" | "unit">} scene
 * @param {number} [size]
 * @returns {Mark[]}
 */
function entriesOnALine(entries, { rect, palette, unit }, size = step("label", unit)) {
  const y = rect.y + rect.h / 2;
  let { x } = rect;
  return entries.flatMap(({ text, wide, sign, name = "key" }) => {
    const look = {
      size,
      fill: palette.ink,
      baseline: /** @type {const} */ ("middle"),
      name,
    };
    const room = rect.x + rect.w - x - (wide + BEFORE_WORDS) * size;
    if (room < Math.min(LEAST_ROOM * size, textWidth(text, size, palette.fonts))) return [];
    const words = shortened(text, room, size, palette.fonts);
    const marks = [
      ...sign(x + (wide * size) / 2, y, size),
      chart.text(x + (wide + BEFORE_WORDS) * size, y, words, look),
    ];
    x += widthOf([{ text, wide, sign }], size, palette);
    return marks;
  });
}

/**
 * The marks of points and what they mean.
 *
 * @param {Run} run
 * @param {Palette} palette
 * @returns {Key[]}
 */
export function classKeys(run, palette) {
  const { shapes } = run.header.tokens;
  const point = (kind) => (x, y, size) => [
    {
      kind: shapes[kind],
      x,
      y,
      r: 0.42 * size,
      width: 1.2,
      fill: palette.point[kind],
      stroke: palette.on_mark,
    },
  ];
  const hollow = (x, y, size) => [
    chart.circle(x, y, 0.38 * size, { stroke: palette.ink, width: 1.5 }),
  ];
  // An example that came lately is filled, and larger if it is in memory.
  const hollowOrLarge = (x, y, size) => [
    ...hollow(x - 0.55 * size, y, size),
    chart.circle(x + 0.42 * size, y, 0.54 * size, { fill: palette.ink }),
  ];
  return [
    { words: classNames(run, 1, palette), wide: 0.84, sign: point("positive") },
    { words: classNames(run, 0, palette), wide: 0.84, sign: point("negative") },
    run.stream
      ? {
          words: ["in memory: older, newer", "memory: older, newer", "memory: old, new"],
          wide: 1.95,
          sign: hollowOrLarge,
        }
      : { words: ["hollow: held out", "held out"], wide: 0.84, sign: hollow },
  ].slice(0, run.nTest || run.stream ? 3 : 2);
}

/**
 * What a class is called, from the longest: "orange, +1", "orange", "+1"; in print "class +1"; with
 * a name of its own "+1  setosa".
 */
function classNames({ header }, which, { grey }) {
  const names = header.names.classes;
  const y = label(which ? 1 : -1);
  if (names[1] !== "+1") return [`${y}  ${names[which]}`, names[which], y];
  return grey
    ? [`class ${y}`, y]
    : [`${header.words.classes[which]}, ${y}`, header.words.classes[which], y];
}

/** @returns {Key["sign"]} a piece of a line in a key: its width and its dashes */
const pieceOfLine = (palette, width, dash) => (x, y, size) => [
  chart.line([x - 0.7 * size, y, x + 0.7 * size, y], { stroke: palette.ink, width, dash }),
];

/** What the discs under points without a plane say. @param {PanelScene} scene @returns {Key} */
function haloKey(scene) {
  const { run, palette, showsKernel, kernelRow } = scene;
  const { limit, scale } = showsKernel ? kernelRow : { limit: scene.limit, scale: undefined };
  const colour = (side) => palette.ofField(side * limit, limit, scale);
  const sign = (x, y, size) =>
    [-1, 1].map((side) => {
      const look = { fill: colour(side), stroke: palette.rule, width: 1 };
      return chart.circle(x + 0.5 * side * size, y, 0.45 * size, look);
    });
  const name = showsKernel ? "halo: k" : nameOfScale(run);
  return { words: [`${name}, fainter near 0`, name], wide: 1.9, sign, name: "halos" };
}

/** The `LEVELS` of board/kernel_row.js, as lines. @param {Palette} palette @returns {Key} */
const levelsKey = (palette) => ({
  words: ["dashed: 75%, 50% and 25% as similar", "75%, 50%, 25% as similar", "75%, 50%, 25%"],
  wide: 1.4,
  sign: pieceOfLine(palette, 1, [5, 4]),
});

/** The boundary of what training goes towards. @param {Palette} palette @returns {Key} */
const optimumKey = (palette) => ({
  words: ["dotted: the batch optimum", "dotted: optimum", "optimum"],
  wide: 1.4,
  sign: pieceOfLine(palette, 2, [2, 4]),
});

/** Where compared runs disagree. @param {Palette} palette @returns {Key} */
export const hatchedKey = (palette) => ({
  words: ["hatched: they disagree", "disagree"],
  wide: 1.2,
  sign: (x, y, size) => [
    chart.lines(
      [-0.4, 0, 0.4].map((at) =>
        Float32Array.of(
          ...[x + (at - 0.3) * size, y + 0.35 * size],
          ...[x + (at + 0.3) * size, y - 0.35 * size],
        ),
      ),
      { stroke: palette.ink, width: 0.1 * size, alpha: 0.7 },
    ),
  ],
});

/**
 * What the rings, or the dashed boundary, say at the end of a run that made mistakes.
 *
 * @param {PanelScene} scene
 * @param {Verdict} verdict
 * @returns {Key[]}
 */
export function verdictKeys({ run, view, palette }, verdict) {
  if (!verdict?.ringed.length && !verdict?.separating) return [];
  const pen = { stroke: palette.ink, width: 2 };
  const sign = (x, y, size) => [
    verdict.separating
      ? chart.line([x - 0.7 * size, y, x + 0.7 * size, y], { dash: [8, 5], ...pen })
      : chart.circle(x, y, 0.45 * size, { dash: [4, 3], ...pen }),
  ];
  const wide = verdict.separating ? 1.4 : 1;
  return [{ words: verdictWords({ run, view }, verdict), wide, sign, name: "verdict" }];
}

/** @param {Pick<PanelScene, "run" | "view">} scene @param {Verdict} verdict */
function verdictWords(scene, verdict) {
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

const OWN_SCALES = "colours: each map its own scale";
const WIDEST_ENDS = "f ≤ −0.88≥ +0.88"; // As wide as what stands about the colours.

/**
 * At the right end above compared runs: the scale that all share, else that each has its own, where
 * it does not stand beside its name.
 *
 * @param {PanelScene} scene
 * @param {number} size
 * @param {EndForm} form
 */
function rightOfCompared(scene, size, form) {
  const { compared, scale, fHidden } = scene;
  if (scale && compared.others.some(hasColours)) return scaleAtTheRight(scene, size, form);
  const isSaid = !scale && !fHidden && compared.others.filter(hasColours).length > 1;
  return isSaid && !scalesAreBesideNames(scene) ? wordsAtTheRight(scene, OWN_SCALES, size) : null;
}

/** Whether f is other than zero somewhere. @param {PanelScene["compared"]["others"][number]} run */
const hasColours = ({ run, t }) => run.plane && !isFlat(run.reading(t).field, run.header.limit);

/**
 * Whether compared runs, each with a scale of its own, have it beside their names: all or none.
 *
 * @param {PanelScene} scene
 */
export function scalesAreBesideNames(scene) {
  const { compared, scale, fHidden, palette, unit, layout } = scene;
  const { panels } = layout;
  const { others } = compared;
  const haveOwn = !scale && !fHidden && !scene.hasVerdict && others.every(hasColours);
  if (!panels.strip || !haveOwn) return false;
  const { w } = panels.caption;
  const small = step("small", unit);
  const label = step("label", unit);
  const names = others.map(({ name }) => textWidth(name, label, palette.fonts));
  const ramp = Math.min(RAMP * small, WIDEST_RAMP * w);
  const wide = textWidth(WIDEST_ENDS, small, palette.fonts, 600) + ramp + 3 * AT_RAMP * small;
  return BEFORE_NAME * unit + Math.max(...names) + label + wide <= w;
}

/** @param {PanelScene} scene @param {string} text @param {number} size */
function wordsAtTheRight({ rect, palette }, text, size) {
  const mark = chart.text(rect.x + rect.w, rect.y + rect.h / 2, text, {
    size,
    fill: palette.quiet,
    baseline: "middle",
    align: "right",
    name: "missing",
  });
  return { marks: [mark], w: textWidth(text, size, palette.fonts) };
}

/**
 * At the right end why there is no boundary, or the scale of the colours.
 *
 * @param {PanelScene} scene
 * @param {number} size
 * @param {EndForm} form
 * @returns {{ marks: Mark[], w: number }}
 */
function rightEnd(scene, size, form) {
  const { rect, palette, boundaryMissing } = scene;
  if (!boundaryMissing) return scaleAtTheRight(scene, size, form);
  const room = 0.6 * rect.w;
  const short = boundaryMissing.replace(/(:| until ).*/, "");
  const texts = form.isBrief ? [short] : [boundaryMissing, short];
  const text =
    firstWithin(texts, room, size, palette.fonts) ?? shortened(short, room, size, palette.fonts);
  return wordsAtTheRight(scene, text, size);
}

/**
 * The scale of the colours, with what its ends mean, at the right end of a panel.
 *
 * @param {PanelScene} scene
 * @param {number} size
 * @param {EndForm} form
 * @returns {{ marks: Mark[], w: number }}
 */
export function scaleAtTheRight(scene, size, { ramp = RAMP, inWords = false }) {
  const { rect, palette, kernelRow, showsKernel, scaleImage } = scene;
  const [low, name, high] = showsKernel ? kernelRow.words : scaleWords(scene, inWords);
  const y = rect.y + rect.h / 2;
  const wide = (text, weight = 400) => textWidth(text, size, palette.fonts, weight);
  const h = RAMP_HEIGHT * size;
  const w = Math.min(ramp * size, WIDEST_RAMP * rect.w);
  const right = rect.x + rect.w;
  const x = right - wide(high) - AT_RAMP * size - w;
  const atLow = x - AT_RAMP * size;
  const atName = atLow - wide(low) - AT_RAMP * size;
  const look = {
    size,
    fill: palette.quiet,
    name: "end",
    ...{ align: /** @type {const} */ ("right"), baseline: /** @type {const} */ ("middle") },
  };
  const image = showsKernel ? kernelRow.ramp : scaleImage;
  const levels = showsKernel ? levelsOn(kernelRow, x, w) : [];
  /** @type {Mark[]} */
  const marks = [
    { kind: "image", image, x, y: y - h / 2, w, h },
    ...levels.map((at) =>
      chart.line([at, y - h / 2, at, y + h / 2], { ...LEVEL, stroke: palette.ink }),
    ),
    chart.rect(x, y - h / 2, w, h, { stroke: palette.ink, width: 0.7, alpha: 0.5 }),
    chart.text(right, y, high, look),
    chart.text(atLow, y, low, look),
    chart.text(atName, y, name, { ...look, weight: 600, fill: palette.ink, name: "scale" }),
  ];
  return { marks, w: right - atName + wide(name, 600) };
}

/** Where the lines of equal similarity are on the scale of a kernel. @param {KernelRow} row */
function levelsOn({ levels = [], limit }, x, w) {
  const low = Math.min(...levels) < 0 ? -limit : 0;
  return levels.map((level) => x + ((level - low) / (limit - low)) * w);
}

/**
 * The lower end of the scale of f, what it is of, and its upper end: where f goes beyond an end, in
 * words or as a sign, which is no relation of f and that number.
 *
 * @param {PanelScene} scene
 * @param {boolean} inWords
 */
function scaleWords({ run, over, limit, scale: shared }, inWords) {
  if (run.probability) return ["0", "P(+1)", "1"];
  const end = shared?.shown ?? limit;
  const low = brief(number(-end));
  const high = brief(signed(end));
  const below = inWords ? `${low} or less` : `≤ ${low}`;
  const beyond = inWords ? `${high} or more` : `≥ ${high}`;
  const name = `${nameOfScale(run)}${shared?.over ? "/‖f‖" : ""}`;
  return [over[0] ? below : low, name, over[1] ? beyond : high];
}

/** What the colours of a run are of. @param {Run} run */
const nameOfScale = (run) => `${run.plane ? "" : "halo: "}${signOf(run)}`;

/** @type {PanelObject} */
export const stripPanel = { name: "strip", marks: stripMarks };
