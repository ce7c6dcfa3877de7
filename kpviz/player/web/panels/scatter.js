// The scatter matrices with what they are along F, and J of all directions that there are.

import { rgb } from "../paint/colors.js";
import { apart } from "../run/discriminant.js";
import { chart } from "./chart.js";
import { textWidth, wrap } from "../paint/measure.js";
import { rich } from "../paint/rich.js";
import { exactly, number, subscript, typeset } from "../run/words.js";
import { fittingStep, step } from "../board/scale.js";

/** @import { FisherScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject, TextMark } from "../board/types.d.ts" */

const PARTS = { SW: ["S_W", "within"], SB: ["S_B", "between"], ST: ["S_T", "total"] };

/** @param {{ header: { notes: { sums: string, ridge: string } } }} run */
const noteOf = ({ header: { notes } }) => `${notes.sums} ${notes.ridge}`.trim();

const NOTHING = 1e-9; // Relative to the largest J: in such a direction the classes do not differ.

/** Where the three matrices lie, and the size of their cells. */
function matrices({ rect, unit, run, palette }) {
  const p = run.arrays.criterion.length;
  const note = step("small", unit);
  const lines = wrap(noteOf(run), rect.w, note, palette.fonts).length;
  const room = rect.h - (25 + 42) * unit - lines * note * 1.25;
  const gap = (p > 2 ? 18 : 24) * unit;
  const third = (rect.w - 2 * gap) / 3;
  const h = Math.min(room, p === 2 ? 84 * unit : third);
  const w = p === 2 ? Math.min(third, 190 * unit) : h;
  const first = rect.x + (third - w) / 2;
  return Object.entries(PARTS).map(([name, [symbol, words]], k) => ({
    name,
    symbol,
    words,
    x: first + k * (third + gap),
    y: rect.y + 25 * unit,
    w,
    h,
    p,
    cell: [w / p, h / p],
  }));
}

/** @param {FisherScene} scene @returns {Drawing} */
function scatterMarks(scene) {
  const { rect, unit, palette, run, reading } = scene;
  const places = matrices(scene);
  const along = [reading.within, reading.between, reading.within + reading.between];
  const fills = [palette.quiet, palette.ink, palette.ink];
  const size = step("label", unit);
  const title = {
    y: rect.y + 15 * unit,
    size: step("label", unit),
    weight: 600,
    fill: palette.ink,
    fonts: palette.fonts,
  };
  /** @type {{ size: number, fill: string } & Partial<TextMark>} */
  const sign = {
    size: step("large", unit),
    fill: palette.ink,
    align: "center",
    baseline: "middle",
  };
  const moving = places.flatMap(({ symbol, words, x, y, w, h, ...place }, k) => {
    const middle = x + w / 2;
    const value = number(along[k]);
    const fits = textWidth(`along F: ${value}`, size, palette.fonts, 600) < rect.w / 3 - 12;
    const valueLook = {
      size,
      weight: 600,
      fill: fills[k],
      align: /** @type {const} */ ("center"),
      name: words,
    };
    const next = places[k + 1];
    return [
      ...matrixMarks(scene, { words, x, y, w, h, ...place }),
      ...rich({ ...title, x: middle, align: "center", text: `${symbol}  ${words}` }),
      chart.text(middle, y + h + 1.3 * size, fits ? `along F: ${value}` : value, valueLook),
      ...(next ? [chart.text((x + w + next.x) / 2, y + h / 2, k ? "=" : "+", sign)] : []),
    ];
  });
  const y = places[0].y + places[0].h + size * 1.75;
  const h = 9 * unit;
  // So the scatter along F divides: J is the second part over the first.
  const share = (rect.w * reading.within) / along[2];
  const shares = [
    chart.rect(rect.x, y, share, h, { fill: palette.ghost, name: "within-share" }),
    chart.rect(rect.x + share, y, rect.w - share, h, {
      fill: palette.ink,
      name: "between-share",
    }),
  ];
  return [...moving, ...shares, ...remark(scene, noteOf(run))];
}

/** What is said at the foot of a panel. @param {FisherScene} scene @returns {Mark[]} */
function remark({ rect, unit, palette: { fonts, quiet: fill } }, words) {
  const size = step("small", unit);
  const lines = wrap(words, rect.w, size, fonts);
  const y = (k) => rect.y + rect.h - 4 - (lines.length - 1 - k) * size * 1.25;
  return lines.flatMap((text, k) =>
    rich({ x: rect.x, y: y(k), size, fill, text, fonts, name: "note" }),
  );
}

/** @param {FisherScene} scene @returns {Mark[]} */
function matrixMarks({ palette, run, unit }, { name, words, x, y, w, h, p, cell }) {
  const largest = Math.max(...run.arrays.ST.map(Math.abs), 1e-12);
  const hasRoom = (/** @type {number} */ candidate) =>
    candidate * (p > 2 ? 3 : 4.2) <= cell[0] && candidate <= 0.6 * cell[1];
  const size = fittingStep("large", unit, hasRoom);
  /** @type {{ size: number, fill: string } & Partial<TextMark>} */
  const writing = { align: "center", baseline: "middle", size, fill: palette.on_map, name };
  const { features } = run.header.names;
  const cells = Array.from(run.arrays[name], (value, k) => {
    const left = x + (k % p) * cell[0];
    const top = y + Math.floor(k / p) * cell[1];
    const tone = value < 0 ? palette.field_negative : palette.field_positive;
    const fill = mix(palette.field_zero, tone, Math.min(Math.abs(value) / largest, 1));
    const written = p > 2 ? typeset(value.toFixed(Math.abs(value) < 9.95 ? 1 : 0)) : number(value);
    const row = Math.floor(k / p);
    const what = row === k % p ? features[row] : `${features[row]} with ${features[k % p]}`;
    const cellWords = () => [`${name}, ${words}: ${number(value)}`, what];
    const look = {
      fill,
      name: "cell",
      target: { kind: "words", index: `${name}${k}`, stop: true },
      words: cellWords,
    };
    const entry = chart.rect(left, top, cell[0], cell[1], look);
    return hasRoom(size)
      ? [entry, chart.text(left + cell[0] / 2, top + cell[1] / 2, written, writing)]
      : [entry];
  });
  return [...cells.flat(), chart.rect(x, y, w, h, { stroke: palette.quiet, width: 1 })];
}

function mix(from, to, share) {
  const a = rgb(from);
  const b = rgb(to);
  return `rgb(${a.map((value, k) => Math.round(value + (b[k] - value) * share)).join(" ")})`;
}

// ---- J -----------------------------------------------------------------------------------------

/** @param {FisherScene} scene @returns {Drawing} */
function criterionMarks(scene) {
  const { rect, unit, palette, run, reading } = scene;
  const { fonts } = palette;
  const small = step("label", unit);
  const size = step("body", unit);
  const big = step("title", unit);
  const y = rect.y + 42 * unit;
  const [J, most] = apart(reading.J, run.reading(run.angleOf("best")).J);
  const fraction = `${number(reading.between)} / ${number(reading.within)} = `;
  const before = textWidth(fraction, size, fonts);
  const wide = textWidth(J, big, fonts, 700);
  const end = textWidth(`best ${most}`, small, fonts, 600) + 12 * unit;
  const from = before + wide + end < rect.w ? before : 0; // J begins here.
  const best = { size: small, weight: 600, fill: palette.quiet, name: "best" };
  const head = {
    x: rect.x,
    y: rect.y + 15 * unit,
    size: small,
    weight: 600,
    fill: palette.ink,
    fonts,
  };
  const { rank } = run.header.notes;
  const note = run.many ? rank : `${rank} ${withoutSizes(run, reading)}`;
  return [
    ...rich({ ...head, text: "J = FᵀS_B F / FᵀS_W F" }),
    ...(from ? [chart.text(rect.x, y, fraction, { size, fill: palette.quiet })] : []),
    chart.text(rect.x + from, y, J, { size: big, weight: 700, fill: palette.ink, name: "J" }),
    ...(from + wide + end < rect.w
      ? [chart.text(rect.x + from + wide + 12 * unit, y, `best ${most}`, best)]
      : []),
    ...directionBars(scene, y + 12 * unit, note),
    ...remark(scene, note),
  ];
}

/**
 * J without the sizes of both classes, from rounded numbers, so that it is so by hand; and with
 * variances.
 */
export function withoutSizes({ counts, labels }, { means, within, values }) {
  const [gap, scatter] = [(means[1] - means[0]) ** 2, within].map((value) =>
    Number(value.toPrecision(3)),
  );
  const scatters = counts.map((_, k) =>
    values.reduce((sum, value, i) => (labels[i] === k ? sum + (value - means[k]) ** 2 : sum), 0),
  );
  const variances = scatters[0] / counts[0] + scatters[1] / counts[1];
  const ratio = exactly(Number((gap / scatter).toPrecision(2)));
  return (
    `Without the sizes: (m₊ − m₋)²/(s₊ + s₋) = ${exactly(gap)}/${exactly(scatter)} = ${ratio}; ` +
    `n₊n₋/n = ${counts[0]}·${counts[1]}/${counts[0] + counts[1]} times that is J. ` +
    `With variances s/n in place of scatters s: ${number((means[1] - means[0]) ** 2 / variances)}.`
  );
}

/**
 * One bar for each direction in which the classes differ, and how many there are besides.
 *
 * @param {FisherScene} scene
 * @returns {Mark[]}
 */
function directionBars({ rect, unit, palette, run }, top, note) {
  const J = [...run.arrays.criterion];
  const size = step("small", unit);
  const base =
    rect.y + rect.h - wrap(note, rect.w, size, palette.fonts).length * size * 1.25 - 20 * unit;
  const room = base - top - 14 * unit;
  if (room < 3 * unit) return []; // The numbers say it.
  const differing = J.filter((value) => value > NOTHING * J[0]);
  const zeros = J.length - differing.length;
  const slot = Math.min(rect.w / (differing.length + 2), 84 * unit);
  const look = /** @type {const} */ ({ align: "center", size, fill: palette.quiet });
  const bars = differing.flatMap((value, k) => {
    const h = Math.max((value / J[0]) * room, 1.5);
    const x = rect.x + (k + 0.16) * slot;
    const middle = rect.x + (k + 0.5) * slot;
    return [
      chart.rect(x, base - h, slot * 0.68, h, { fill: palette.ink, name: "direction" }),
      chart.text(middle, base - h - 4, number(value), { ...look, weight: 600, fill: palette.ink }),
      chart.text(middle, base + 14 * unit, `J${subscript(k + 1)}`, look),
    ];
  });
  const others = zeros === 1 ? "the other is 0" : `the other ${zeros} are 0`;
  const end = rect.x + slot * differing.length;
  return [
    chart.rect(rect.x, base, rect.w, 1, { fill: palette.quiet }),
    ...bars,
    ...(zeros ? [chart.text(end + 4, base - 4, others, { size, fill: palette.quiet })] : []),
  ];
}

/** @type {PanelObject} */
export const scatterPanel = { name: "scatter", marks: scatterMarks, walkable: true };

/** @type {PanelObject} */
export const criterionPanel = { name: "criterion", marks: criterionMarks };
