// The live sentence: Python's templates, filled with the numbers that are shown.

import { textWidth, wrap } from "../model/measure.js";
import { counted, number } from "../model/words.js";
import { rich } from "../model/rich.js";
import { apart, BEST, OTHER } from "./table.js";

/** @import { Mark } from "../types.d.ts" */

const fill = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const degrees = (angle) => String(Number((angle % 360).toFixed(1)));

export function sentence({ header, table, reading, moved }) {
  const { words, names } = header;
  const key = moved !== null ? "moved" : reading.row === BEST ? "best" : reading.row === OTHER ? "other" : "turned";
  const wrong = reading.wrong.reduce((sum, count) => sum + count, 0);
  const [J, best] = apart(reading.J, table.J[BEST]);
  const message = fill(words[key], {
    J,
    best,
    angle: degrees(reading.angle),
    at: degrees(table.angles[BEST]),
    J2: number(table.criterion[1]),
    wrong,
    n: table.n,
    K: table.K,
    p: table.criterion.length,
    r: Math.min(table.K - 1, table.criterion.length),
    threshold: number(reading.thresholds[0]),
    fp: counted(reading.wrong[0], "false positive"),
    fn: counted(reading.wrong[1], "false negative"),
  });
  return reading.row === header.start && moved === null && !header.many ? `${names.lookFor} ${message}` : message;
}

/** @returns {Mark[]} */
export function wordMarks({ rect, unit, palette, header, reading, message }) {
  const small = 13.5 * unit;
  const { fonts } = palette;
  const { scaling } = header.notes;
  const title = `${header.names.title} · F at ${degrees(reading.angle)}°`;
  const whole = scaling ? `${title} · ${scaling}` : title;
  const alone = textWidth(whole, small, fonts, 600) > rect.w;
  const notes = alone ? wrap(`${scaling[0].toUpperCase()}${scaling.slice(1)}.`, rect.w, small * 0.9, fonts) : [];
  const top = rect.y + small * 1.9;
  const room = rect.h - small * 1.9 - notes.length * small * 1.15;
  let size = Math.min(26 * unit, room / 2.6);
  let lines = wrap(message, rect.w - 14, size, fonts, 500);
  while (lines.length * size * 1.26 > room && size > 11) {
    size *= 0.95;
    lines = wrap(message, rect.w - 14, size, fonts, 500);
  }
  return [
    {
      kind: "text",
      x: rect.x,
      y: rect.y + small + 2,
      size: small,
      weight: 600,
      fill: palette.quiet,
      text: alone ? title : whole,
      name: "counter",
    },
    {
      kind: "rect",
      x: rect.x,
      y: top,
      w: 4,
      h: lines.length * size * 1.26,
      fill: reading.row === BEST ? palette.good : palette.accent,
      radius: 2,
    },
    ...lines.flatMap((text, k) =>
      rich({
        x: rect.x + 14,
        y: top + size * (0.97 + 1.26 * k),
        size,
        weight: 500,
        fill: palette.ink,
        text,
        fonts,
        name: "sentence",
      }),
    ),
    ...notes.map(
      /** @returns {Mark} */ (text, k) => ({
        kind: "text",
        x: rect.x,
        y: rect.y + rect.h - 4 - (notes.length - 1 - k) * small * 1.15,
        size: small * 0.9,
        fill: palette.quiet,
        text,
        name: "note",
      }),
    ),
  ];
}
