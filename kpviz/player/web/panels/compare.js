// Runs side by side: what each is called, what each says, and a table of them.

import { shortened, textWidth, wrap } from "../model/measure.js";
import { number, whole } from "../model/words.js";

/** @import { Column, PanelScene } from "../model/scene.js" */
/** @import { Mark, PanelMarks, Summary } from "../types.d.ts" */

/**
 * The name of a map's run above it.
 *
 * @param {PanelScene} scene
 * @returns {PanelMarks}
 */
export function captionMarks({ rect, palette, unit, compared: { letter, name } }) {
  const size = 13.5 * unit;
  const text = shortened(name, rect.w - 26 * unit, size, palette.fonts);
  return {
    still: [],
    moving: [
      {
        kind: "text",
        x: rect.x,
        y: rect.y + rect.h - 6 * unit,
        size: size * 1.15,
        weight: 700,
        fill: palette.accent,
        text: letter,
        name: "letter",
      },
      {
        kind: "text",
        x: rect.x + 20 * unit,
        y: rect.y + rect.h - 6 * unit,
        size,
        fill: palette.ink,
        text,
        name: "caption",
      },
    ],
  };
}

/**
 * What happened in each run in this step.
 *
 * @param {PanelScene} scene
 * @returns {PanelMarks}
 */
export function sentencesMarks({ rect, palette, unit, compared: { others }, least = 10 }) {
  const each = rect.h / others.length;
  const marks = others.flatMap(({ letter, sentence, tone, counter }, k) => {
    const top = rect.y + k * each;
    const small = 12.5 * unit;
    const room = each - small * 2;
    let size = Math.min(21 * unit, room / 2.4);
    let lines = wrap(sentence, rect.w - 14, size, palette.fonts, 500);
    while (lines.length * size * 1.25 > room && size > least) {
      size = Math.max(0.94 * size, Math.min(least, size - 0.1));
      lines = wrap(sentence, rect.w - 14, size, palette.fonts, 500);
    }
    /** @type {Mark[]} */
    const shown = [
      { kind: "text", x: rect.x, y: top + small, size: small, weight: 700, fill: palette.accent, text: letter },
      {
        kind: "text",
        x: rect.x + 14 * unit,
        y: top + small,
        size: small,
        weight: 600,
        fill: palette.quiet,
        text: counter,
        name: "counter",
        letter,
      },
      ...lines.map(
        /** @returns {Mark} */ (text, line) => ({
          kind: "text",
          x: rect.x + 14,
          y: top + small * 1.5 + size * (0.95 + 1.25 * line),
          size,
          weight: 500,
          fill: palette.ink,
          text,
          name: "sentence",
          letter,
        }),
      ),
    ];
    const h = lines.length * size * 1.25;
    if (sentence) shown.push({ kind: "rect", x: rect.x, y: top + small * 1.5, w: 4, h, fill: tone, radius: 2 });
    return shown;
  });
  return { still: [], moving: marks };
}

const percent = (share) => `${(100 * share).toFixed(1)}%`;
const seconds = (value) => (value < 1 ? `${number(1000 * value)} ms` : `${number(value)} s`);
/**
 * Rows of the table: a number of the instant, or one of the run's end by its key, and how it is written.
 *
 * @type {{ label: string, live?: (column: Column) => string, key?: keyof Summary, form?: (value: number) => string }[]}
 */
const ROWS = [
  { label: "mistakes so far", live: ({ run, t }) => whole.format(run.trace.mistakesBefore(t)) },
  { label: "support so far", live: ({ run, t }) => whole.format(run.alphas(t).filter((alpha) => alpha !== 0).length) },
  { label: "at the end (a zero counts as wrong):" },
  { label: "mistakes", key: "mistakes", form: whole.format },
  { label: "epochs", key: "epochs", form: whole.format },
  { label: "support", key: "support", form: whole.format },
  { label: "margin y·f/‖f‖", key: "margin", form: number },
  { label: "norm ‖f‖", key: "norm", form: number },
  { label: "training error", key: "train_error", form: percent },
  { label: "held-out error", key: "test_error", form: percent },
  { label: "training time", key: "seconds", form: seconds },
];

/**
 * One row for each number, one column for each run, and scikit-learn's SVC for reference.
 *
 * @param {PanelScene} scene
 * @returns {PanelMarks}
 */
export function tableMarks({ rect, palette, unit, compared: { others, reference } }) {
  const columns = [...others, ...(reference ? [{ letter: "SVC", summary: reference }] : [])];
  const head = rect.w * 0.3;
  const w = (rect.w - head) / columns.length;
  const h = Math.min(rect.h / (ROWS.length + 1.2), 24 * unit);
  const size = Math.min(13 * unit, h * 0.72, w / 5);
  const y = (row) => rect.y + h * (row + 0.8);
  const room = head + w - textWidth("100.0 %", size, palette.fonts, 500) - 12;
  const name = (label) => (textWidth(label, size, palette.fonts) > room ? label.replace(/ \(.*\)$/, "") : label);
  const marks = columns.map(
    /** @returns {Mark} */ ({ letter }, k) => ({
      kind: "text",
      x: rect.x + head + (k + 1) * w,
      y: y(0),
      size: size * 1.05,
      weight: 700,
      align: "right",
      fill: letter.length === 1 ? palette.accent : palette.quiet,
      text: letter === "SVC" && w > 80 * unit ? `SVC, C = ${reference.cost}` : letter,
    }),
  );
  ROWS.forEach(({ label, live, key, form }, row) => {
    const at = y(row + 1);
    if (row % 2) marks.push({ kind: "rect", x: rect.x, y: at - h * 0.72, w: rect.w, h, fill: palette.panel });
    marks.push({
      kind: "text",
      x: rect.x + 4,
      y: at,
      size,
      fill: palette.quiet,
      weight: live || key ? 400 : 600,
      text: name(label),
    });
    columns.forEach((column, k) => {
      const text = live ? ("run" in column ? live(column) : "") : key ? shown(column.summary?.[key], form) : "";
      if (text) {
        marks.push({
          kind: "text",
          x: rect.x + head + (k + 1) * w - 2,
          y: at,
          size,
          weight: 500,
          align: "right",
          fill: palette.ink,
          text,
          name: key ?? label,
          letter: column.letter,
        });
      }
    });
  });
  return { still: [], moving: marks };
}

const shown = (value, form) => (value === null || value === undefined ? "–" : form(value));
