// The sentence, the counter, the pseudo-code and the bound.

import { wrap } from "../model/measure.js";
import { codeWidth, number, whole } from "../model/words.js";
import { heading, onOneLine } from "./heading.js";

/** @import { PanelScene } from "../model/scene.js" */
/** @import { Mark, PanelMarks } from "../types.d.ts" */

/**
 * @param {PanelScene} scene
 * @returns {PanelMarks}
 */
export function wordsMarks({
  rect,
  palette,
  unit,
  counter,
  sentence,
  tone,
  score,
  alone,
  cued,
  presenting,
  least = 11,
}) {
  const small = 13.5 * unit;
  /** @type {Mark[]} */
  const marks = onOneLine(
    palette,
    { ...rect, y: rect.y + small + 2 },
    { text: counter, size: small, weight: 600, name: "counter" },
    { text: score, size: small, weight: 600, fill: palette.accent },
  );
  if (!sentence) return { still: [], moving: marks };
  const room = rect.h - small * 1.9;
  let size = Math.min((alone || cued ? 46 : 30) * unit, room / (cued || presenting ? 2.2 : 3.2));
  let lines = wrap(sentence, rect.w - 14, size, palette.fonts, 500);
  while (lines.length * size * 1.28 > room && size > least) {
    size = Math.max(0.94 * size, Math.min(least, size - 0.1));
    lines = wrap(sentence, rect.w - 14, size, palette.fonts, 500);
  }
  const top = rect.y + small * 1.9;
  marks.push({ kind: "rect", x: rect.x, y: top, w: 4, h: lines.length * size * 1.28, fill: tone, radius: 2 });
  lines.forEach((text, k) => {
    marks.push({
      kind: "text",
      x: rect.x + 14,
      y: top + size * (0.98 + 1.28 * k),
      size,
      weight: 500,
      fill: palette.ink,
      text,
      name: "sentence",
    });
  });
  return { still: [], moving: marks };
}

/**
 * @param {PanelScene} scene
 * @returns {PanelMarks}
 */
export function codeMarks({ rect, palette, unit, run, line, live }) {
  const { code } = run.header.words;
  const size = Math.min(13 * unit, (rect.w - 8) / codeWidth(run), (rect.h - 24 * unit) / (1.75 * code.length + 1.8));
  /** @type {Mark[]} */
  const marks = heading({ rect, unit, palette }, "The rule");
  code.forEach((text, k) => {
    const y = rect.y + 24 * unit + size * (1.2 + 1.75 * k);
    const on = k === line;
    if (on) {
      marks.push({
        kind: "rect",
        x: rect.x - 2,
        y: y - size * 1.25,
        w: rect.w + 2,
        h: size * 1.75,
        fill: palette.panel,
        radius: 3,
        name: "active",
      });
    }
    if (on) marks.push({ kind: "rect", x: rect.x - 2, y: y - size * 1.25, w: 3, h: size * 1.75, fill: palette.accent });
    marks.push({
      kind: "text",
      code: true,
      x: rect.x + 8,
      y,
      size,
      fill: on ? palette.ink : palette.quiet,
      weight: on ? 600 : 400,
      text,
    });
  });
  if (live) {
    const y = rect.y + 24 * unit + size * (1.6 + 1.75 * code.length);
    marks.push({ kind: "text", code: true, x: rect.x + 8, y, size, fill: palette.accent, text: live });
  }
  return { still: [], moving: marks };
}

/**
 * The bounds of these mistakes: what each says now, what it is made of, and when it says nothing.
 *
 * @param {PanelScene} scene
 * @returns {PanelMarks}
 */
export function boundMarks({ rect, palette, unit, run, mistakes, t }) {
  const bounds = run.header.extras.bound;
  const size = 13 * unit;
  /** @type {Mark[]} */
  const marks = [];
  let y = rect.y + 15 * unit;
  const write = (text, look = {}) => {
    for (const line of wrap(text, rect.w, look.size ?? size, palette.fonts, look.weight)) {
      if (y > rect.y + rect.h) return;
      marks.push({ kind: "text", x: rect.x, y, size, fill: palette.quiet, text: line, ...look });
      y += (look.size ?? size) * 1.35;
    }
  };
  write("Mistake bounds", { size: 14 * unit, weight: 600, fill: palette.ink });
  if (!bounds) write("Computing…");
  for (const bound of bounds ?? []) {
    if (bound.name) {
      write(bound.applies ? `${bound.name}: ${bound.formula}` : bound.name, { fill: palette.ink, weight: 600 });
    }
    write(boundWords(bound, mistakes, t), {
      fill: bound.applies && !bound.vacuous ? palette.ink : palette.quiet,
      name: "bound",
    });
    for (const [symbol, words, value] of bound.quantities) {
      if (symbol !== "M") {
        write(
          `${symbol} = ${value === "infinite" ? "∞" : Number.isInteger(value) ? whole.format(value) : number(value)}, ${words}`,
          { size: size * 0.88 },
        );
      }
    }
    y += size * 0.5;
  }
  return { still: [], moving: marks };
}

function boundWords({ key, applies, why, value, times, values }, mistakes, t) {
  if (!applies || value === "infinite") return why;
  const at = times.findIndex((time) => time >= t);
  const now = values.length ? values[at < 0 ? values.length - 1 : at] : value;
  const words =
    key === "voted"
      ? `The vote errs on new examples with probability at most ${number(now)}.`
      : `At most ${now === "infinite" ? "∞" : whole.format(Math.floor(now))} mistakes; ${whole.format(mistakes)} made so far.`;
  return `${words} ${why}`.trim();
}
