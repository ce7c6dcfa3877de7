// The scatter matrices with what they are along F, and J of all directions that there are.

import { rgb } from "../paint/colors.js";
import { apart } from "../run/discriminant.js";
import { chart } from "./chart.js";
import { textWidth, wrap } from "../paint/measure.js";
import { rich } from "../paint/rich.js";
import { exactly, number, subscript, typeset } from "../run/words.js";

/** @import { FisherScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject, TextMark } from "../board/types.d.ts" */

const PARTS = { SW: ["S_W", "within"], SB: ["S_B", "between"], ST: ["S_T", "total"] };
const NOTE_SIZE = 12; // In px, where the unit is 1.
const READABLE_CELL = 22; // In px: numbers do not fit into a smaller cell.

/** @param {{ header: { notes: { sums: string, ridge: string } } }} run */
const noteOf = ({ header: { notes } }) => `${notes.sums} ${notes.ridge}`.trim();

/** Where the three matrices lie, and the size of their cells. */
function matrices({ rect, unit, run, palette }) {
  const p = run.arrays.criterion.length;
  const lines = wrap(noteOf(run), rect.w, NOTE_SIZE * unit, palette.fonts).length;
  const room = rect.h - (25 + 42 + lines * NOTE_SIZE * 1.25) * unit;
  const gap = (p > 2 ? 18 : 24) * unit;
  const third = (rect.w - 2 * gap) / 3;
  const h = Math.min(room, p === 2 ? 84 * unit : third);
  const w = p === 2 ? Math.min(third, 190 * unit) : h;
  const first = rect.x + (third - w) / 2;
  return Object.entries(PARTS).map(([name, [symbol, words]], k) => ({
    ...{
      name,
      symbol,
      words,
      x: first + k * (third + gap),
      y: rect.y + 25 * unit,
      w,
      h,
      p,
      cell: [w / p, h / p],
    },
  }));
}

/** @param {FisherScene} scene @returns {Drawing} */
function scatterMarks(scene) {
  const { rect, unit, palette, run, reading } = scene;
  const places = matrices(scene);
  const along = [reading.within, reading.between, reading.within + reading.between];
  const fills = [palette.quiet, palette.accent, palette.ink];
  const size = 13.5 * unit;
  const title = {
    y: rect.y + 15 * unit,
    size: 14 * unit,
    weight: 600,
    fill: palette.ink,
    fonts: palette.fonts,
  };
  /** @type {{ size: number, fill: string } & Partial<TextMark>} */
  const sign = { size: 20 * unit, fill: palette.ink, align: "center", baseline: "middle" };
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
      fill: palette.accent,
      name: "between-share",
    }),
  ];
  return [...moving, ...shares, ...remark(scene, noteOf(run))];
}

/** What is said at the foot of a panel. @param {FisherScene} scene @returns {Mark[]} */
function remark({ rect, unit, palette: { fonts, quiet: fill } }, words) {
  const size = NOTE_SIZE * unit;
  const lines = wrap(words, rect.w, size, fonts);
  const y = (k) => rect.y + rect.h - 4 - (lines.length - 1 - k) * size * 1.25;
  return lines.flatMap((text, k) =>
    rich({ x: rect.x, y: y(k), size, fill, text, fonts, name: "note" }),
  );
}

/** @param {FisherScene} scene @returns {Mark[]} */
function matrixMarks({ palette, run, unit }, { name, words, x, y, w, h, p, cell }) {
  const largest = Math.max(...run.arrays.ST.map(Math.abs), 1e-12);
  const size = Math.min(cell[0] / (p > 2 ? 3 : 4.2), cell[1] * 0.6, 14 * unit);
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
    const fits = cell[0] >= READABLE_CELL;
    return fits
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
  const small = 14 * unit;
  const size = 15 * unit;
  const big = 26 * unit;
  const y = rect.y + 42 * unit;
  const [J, most] = apart(reading.J, run.reading(run.angleOf("best")).J);
  const fraction = `${number(reading.between)} / ${number(reading.within)} = `;
  const before = textWidth(fraction, size, fonts);
  const wide = textWidth(J, big, fonts, 700);
  const end = textWidth(`best ${most}`, small, fonts, 600) + 12 * unit;
  const from = before + wide + end < rect.w ? before : 0; // J begins here.
  const best = { size: small, weight: 600, fill: palette.good, name: "best" };
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
    chart.text(rect.x + from, y, J, { size: big, weight: 700, fill: palette.accent, name: "J" }),
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
 * One bar for each direction that there is: most of them are 0.
 *
 * @param {FisherScene} scene
 * @returns {Mark[]}
 */
function directionBars({ rect, unit, palette, run }, top, note) {
  const J = [...run.arrays.criterion];
  const size = NOTE_SIZE * unit;
  const base =
    rect.y + rect.h - wrap(note, rect.w, size, palette.fonts).length * size * 1.25 - 20 * unit;
  const room = base - top - 14 * unit;
  if (room < 3 * unit) return []; // The numbers say it.
  const slot = Math.min(rect.w / J.length, 84 * unit);
  /** @type {{ size: number, fill: string } & Partial<TextMark>} */
  const look = { align: "center", size: Math.min(size, slot * 0.42), fill: palette.quiet };
  const bars = J.flatMap((value, k) => {
    const h = Math.max(J[0] > 0 ? (value / J[0]) * room : 0, value > 0 ? 1.5 : 0);
    const x = rect.x + (k + 0.16) * slot;
    const middle = rect.x + (k + 0.5) * slot;
    return [
      chart.rect(x, base - h, slot * 0.68, h, { fill: palette.good, name: "direction" }),
      chart.text(middle, base - h - 4, number(value), { ...look, weight: 600, fill: palette.ink }),
      chart.text(middle, base + 14 * unit, `J${subscript(k + 1)}`, look),
    ];
  });
  return [chart.rect(rect.x, base, slot * J.length, 1, { fill: palette.quiet }), ...bars];
}

/** @type {PanelObject} */
export const scatterPanel = { name: "scatter", marks: scatterMarks, walkable: true };

/** @type {PanelObject} */
export const criterionPanel = { name: "criterion", marks: criterionMarks };
