// The scatter matrices with what they are along F, and J of all directions that there are.

import { rgb } from "../model/colors.js";
import { textWidth, wrap } from "../model/measure.js";
import { exactly, number, subscript, typeset } from "../model/words.js";
import { rich } from "../model/rich.js";
import { apart, BEST } from "./table.js";

/** @import { Mark } from "../types.d.ts" */

const PARTS = [
  ["SW", "S_W", "within"],
  ["SB", "S_B", "between"],
  ["ST", "S_T", "total"],
];
const NOTE = 12; // px
const READABLE = 26; // px of a cell from which on numbers fit

/** Where the three matrices lie: { x, y, w, h, cell }[]; `cell` is [width, height]. */
export function matrices({ rect, unit, table, header, palette }) {
  const p = table.criterion.length;
  const top = rect.y + 25 * unit;
  const noteLines = wrap(noteOf(header), rect.w, NOTE * unit, palette.fonts).length;
  const room = rect.h - (25 + 42 + noteLines * NOTE * 1.25) * unit;
  const gap = (p > 2 ? 18 : 24) * unit;
  const each = (rect.w - 2 * gap) / 3;
  const h = Math.min(room, p === 2 ? 84 * unit : each);
  const w = p === 2 ? Math.min(each, 190 * unit) : h;
  return PARTS.map(([name, symbol, words], k) => ({
    name,
    symbol,
    words,
    x: rect.x + k * (each + gap) + (each - w) / 2,
    y: top,
    w,
    h,
    p,
    cell: [w / p, h / p],
  }));
}

const noteOf = ({ notes }) => `${notes.sums} ${notes.ridge}`.trim();

/** @returns {Mark[]} */
export function scatterMarks(scene) {
  const { rect, unit, palette, header, reading } = scene;
  const places = matrices(scene);
  /** @type {Mark[]} */
  const marks = [];
  const values = [reading.within, reading.between, reading.within + reading.between];
  const size = 13.5 * unit;
  const { fonts } = palette;
  places.forEach((place, k) => {
    marks.push(...matrixMarks(scene, place));
    const x = place.x + place.w / 2;
    const fill = [palette.quiet, palette.accent, palette.ink][k];
    const head = `${place.symbol}  ${place.words}`;
    marks.push(
      ...rich({
        x,
        y: rect.y + 15 * unit,
        size: 14 * unit,
        weight: 600,
        align: "center",
        fill: palette.ink,
        text: head,
        fonts,
      }),
    );
    const along = `along F: ${number(values[k])}`;
    const fitting = textWidth(along, size, fonts, 600) < rect.w / 3 - 12 ? along : number(values[k]);
    marks.push({
      kind: "text",
      x,
      y: place.y + place.h + size * 1.3,
      size,
      weight: 600,
      align: "center",
      fill,
      text: fitting,
      name: place.words,
    });
    if (k < 2) {
      marks.push({
        kind: "text",
        x: (place.x + place.w + places[k + 1].x) / 2,
        y: place.y + place.h / 2,
        size: 20 * unit,
        align: "center",
        baseline: "middle",
        fill: palette.ink,
        text: k ? "=" : "+",
      });
    }
  });
  return [
    ...marks,
    ...shares(scene, places[0].y + places[0].h + size * 1.75),
    ...remark(rect, unit, palette, noteOf(header)),
  ];
}

/**
 * How the scatter along F divides: J is the second part over the first.
 *
 * @returns {Mark[]}
 */
function shares({ rect, unit, palette, reading }, y) {
  const { within, between } = reading;
  const w = (rect.w * within) / (within + between);
  const h = 9 * unit;
  return [
    { kind: "rect", x: rect.x, y, w, h, fill: palette.ghost, name: "within-share" },
    { kind: "rect", x: rect.x + w, y, w: rect.w - w, h, fill: palette.accent, name: "between-share" },
  ];
}

function remark(rect, unit, palette, text) {
  const size = NOTE * unit;
  const { fonts } = palette;
  const lines = wrap(text, rect.w, size, fonts);
  return lines.flatMap((line, k) =>
    rich({
      x: rect.x,
      y: rect.y + rect.h - 4 - (lines.length - 1 - k) * size * 1.25,
      size,
      fill: palette.quiet,
      text: line,
      fonts,
      name: "note",
    }),
  );
}

/** @returns {Mark[]} */
function matrixMarks({ palette, table, unit }, { name, x, y, w, h, p, cell }) {
  const values = table[name];
  const largest = Math.max(...table.ST.map(Math.abs), 1e-12);
  /** @type {Mark[]} */
  const marks = [];
  const inside = Math.min(cell[0] / (p > 2 ? 3 : 4.6), cell[1] * 0.6, 14 * unit);
  for (let k = 0; k < p * p; k++) {
    const share = Math.min(Math.abs(values[k]) / largest, 1);
    const at = { x: x + (k % p) * cell[0], y: y + Math.floor(k / p) * cell[1] };
    const tone = values[k] < 0 ? palette.field_negative : palette.field_positive;
    marks.push({
      kind: "rect",
      ...at,
      w: cell[0],
      h: cell[1],
      fill: mix(palette.field_zero, tone, share),
      name: "cell",
    });
    if (cell[0] >= READABLE) {
      marks.push({
        kind: "text",
        x: at.x + cell[0] / 2,
        y: at.y + cell[1] / 2,
        align: "center",
        baseline: "middle",
        size: inside,
        fill: palette.on_map,
        text: p > 2 ? short(values[k]) : number(values[k]),
        name,
      });
    }
  }
  marks.push({ kind: "rect", x, y, w, h, stroke: palette.quiet, width: 1 });
  return marks;
}

/** As much of a number as a small cell holds. */
const short = (value) => typeset(value.toFixed(Math.abs(value) < 9.95 ? 1 : 0));

function mix(from, to, share) {
  const [a, b] = [rgb(from), rgb(to)];
  return `rgb(${a.map((value, k) => Math.round(value + (b[k] - value) * share)).join(" ")})`;
}

/** What the pointer is over: an entry of a matrix in words, or null. */
export function entryAt(scene, px, py) {
  const { table, header } = scene;
  for (const { name, symbol, words, x, y, w, h, p, cell } of matrices(scene)) {
    if (px < x || px >= x + w || py < y || py >= y + h) continue;
    const [row, column] = [Math.floor((py - y) / cell[1]), Math.floor((px - x) / cell[0])];
    const { features } = header.names;
    return [
      `${symbol[0]}${symbol[2]}, ${words}: ${number(table[name][row * p + column])}`,
      row === column ? features[row] : `${features[row]} with ${features[column]}`,
    ];
  }
  return null;
}

/** @returns {Mark[]} */
export function spectrumMarks(scene) {
  const { rect, unit, palette, header, reading, table } = scene;
  const { fonts } = palette;
  const [size, big] = [14 * unit, 26 * unit];
  const y = rect.y + 42 * unit;
  const [J, most] = apart(reading.J, table.J[BEST]);
  const best = `best ${most}`;
  const [wide, end] = [textWidth(J, big, fonts, 700), textWidth(best, size, fonts, 600) + 12 * unit];
  const fraction = `${number(reading.between)} / ${number(reading.within)} = `;
  const room = textWidth(fraction, 15 * unit, fonts);
  const x = rect.x + (room + wide + end < rect.w ? room : 0);
  /** @type {Mark[]} */
  const marks = [
    ...rich({
      text: "J = FᵀS_B F / FᵀS_W F",
      x: rect.x,
      y: rect.y + 15 * unit,
      size,
      weight: 600,
      fill: palette.ink,
      fonts,
    }),
    { kind: "text", x, y, size: big, weight: 700, fill: palette.accent, text: J, name: "J" },
  ];
  if (x > rect.x) marks.push({ kind: "text", x: rect.x, y, size: 15 * unit, fill: palette.quiet, text: fraction });
  if (x + wide + end < rect.x + rect.w) {
    marks.push({
      kind: "text",
      x: x + wide + 12 * unit,
      y,
      size,
      weight: 600,
      fill: palette.good,
      text: best,
      name: "best",
    });
  }
  const note = header.many ? header.notes.rank : `${header.notes.rank} ${withoutSizes(scene)}`;
  return [...marks, ...directionBars(scene, y + 12 * unit, note), ...remark(rect, unit, palette, note)];
}

/** J as notes have it that leave the sizes of both classes out, from rounded numbers, so that it is so by hand. */
export function withoutSizes({ table: { counts }, reading }) {
  const [gap, within] = [(reading.means[1] - reading.means[0]) ** 2, reading.within].map((x) =>
    Number(x.toPrecision(3)),
  );
  const sizes = `${counts[0]}·${counts[1]}/${counts[0] + counts[1]}`;
  return (
    `Some notes leave the sizes out: (m₊ − m₋)²/(s₊ + s₋) = ${exactly(gap)}/${exactly(within)} = ${exactly(Number((gap / within).toPrecision(2)))}, ` +
    `with the means and scatters along F; n₊n₋/n = ${sizes} times that is J.`
  );
}

/**
 * One bar for each direction that there is: most of them are 0.
 *
 * @returns {Mark[]}
 */
function directionBars({ rect, unit, palette, table }, top, note) {
  const size = 12 * unit;
  const lines = wrap(note, rect.w, size, palette.fonts).length;
  const base = rect.y + rect.h - lines * size * 1.25 - 20 * unit;
  const J = table.criterion;
  const each = Math.min(rect.w / J.length, 84 * unit);
  const room = Math.max(base - top - 14 * unit, 6);
  /** @type {Mark[]} */
  const marks = [{ kind: "rect", x: rect.x, y: base, w: each * J.length, h: 1, fill: palette.quiet }];
  J.forEach((value, k) => {
    const x = rect.x + k * each;
    const h = J[0] > 0 ? (value / J[0]) * room : 0;
    /** @satisfies {Partial<Mark>} */
    const text = {
      kind: "text",
      align: "center",
      x: x + each / 2,
      size: Math.min(size, each * 0.42),
      fill: palette.ink,
    };
    marks.push({
      kind: "rect",
      x: x + each * 0.16,
      y: base - Math.max(h, value > 0 ? 1.5 : 0),
      w: each * 0.68,
      h: Math.max(h, value > 0 ? 1.5 : 0),
      fill: palette.good,
      name: "direction",
      J: value,
    });
    marks.push({ ...text, y: base - h - 4, weight: 600, text: number(value) });
    marks.push({ ...text, y: base + 14 * unit, fill: palette.quiet, text: `J${subscript(k + 1)}` });
  });
  return marks;
}
