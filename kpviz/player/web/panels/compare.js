// Runs side by side: what they are compared for, what each is called and says, the numbers that
// decide, and a table.

import { chart } from "./chart.js";
import { classKeys, hatchedKey, keysAtTheRight, scaleAtTheRight, verdictKeys } from "./strip.js";
import { shortened, textWidth, wrap } from "../paint/measure.js";
import { whole, withoutTotals } from "../run/words.js";
import { tintsOf } from "./text.js";
import { fittingStep, step } from "../board/scale.js";

/** @import { Column } from "../board/comparison.js" */
/** @import { PanelScene } from "../board/scene.js" */
/** @import { Mark, PanelObject } from "../board/types.d.ts" */
/** @import { Summary } from "../run/types.d.ts" */

const LINE_HEIGHT = 1.25; // In letters, from one line to the next.
// Relative to the type of a run's place: where the sentences do not fit in it, less is said.
const RESERVED_LINES = 3; // The runs before one leave it so many lines.
const LABEL_INDENT = 4; // In px, in the table.
const COLUMN_GAP = 0.8; // In letters, in the table.
// Panels wider than this, relative to their height, have the sentences of the runs side by side.
const SIDE_BY_SIDE_RATIO = 5;

/**
 * The name of a map's run above it, in two lines of smaller type where it is long. Behind it, where
 * there is room, what its rings or its dashed boundary say, or the scale of its colours where it is
 * not that of all maps.
 *
 * @param {PanelScene} scene
 */
function captionMarks(scene) {
  const { rect, palette, unit, compared } = scene;
  const { letter, name } = compared;
  const usual = step("label", unit);
  const smaller = step("small", unit);
  const base = rect.y + rect.h - 6 * unit;
  const before = 20 * unit;
  const all = rect.w - before;
  const wide = textWidth(name, usual, palette.fonts);
  const free = all - wide - usual;
  const keyMarks = keysAtTheRight(captionKeys(scene), scene, smaller, free);
  const scale = scene.scale || scene.fHidden || keyMarks ? null : scaleAtTheRight(scene, smaller);
  const isLong = wide > all;
  const size = isLong ? smaller : usual;
  const [first, ...laterLines] = wrap(name, all, size, palette.fonts);
  const lines = isLong ? [first, laterLines.join(" ")].filter(Boolean) : [name];
  const foot = lines.length > 1 ? rect.y + rect.h - 2.5 * unit : base;
  const captionLines = lines.map((text) => shortened(text, all, size, palette.fonts));
  const top = foot - (lines.length - 1) * 1.12 * size;
  return [
    chart.text(rect.x, base, letter, {
      size: step("body", unit),
      weight: 700,
      fill: palette.ink,
      name: "letter",
    }),
    ...chart.words(rect.x + before, top, captionLines, 1.12 * size, {
      size,
      fill: palette.ink,
      name: "caption",
    }),
    ...(keyMarks ?? (scale && scale.w <= free ? scale.marks : [])),
  ];
}

/**
 * What stands behind the name of a run: what its rings or its dashed boundary say, or a part of the
 * legend, where that has no line of its own above all maps.
 *
 * @param {PanelScene} scene
 */
function captionKeys(scene) {
  const { run, palette, player, compared, verdict } = scene;
  const verdictEntries = run.plane ? verdictKeys(scene, verdict) : [];
  if (verdictEntries.length || player.layout.panels.strip) return verdictEntries;
  if (compared.letter === "A") return classKeys(run, palette).slice(0, 2);
  return compared.letter === "B" && compared.hatching.length ? [hatchedKey(palette)] : [];
}

/** What a ready comparison asks, and what there is to see. @param {PanelScene} scene */
function questionMarks({ rect, palette, unit, compared: { comparison, others } }) {
  if (!comparison) return [];
  // What there is to see is not said before it has been seen.
  const areOver = others.every(({ run, t }) => t >= run.nSteps);
  const { question, words } = comparison;
  const wrapped = (size) => [
    wrap(question, rect.w - 8, size, palette.fonts, 700),
    wrap(words, rect.w - 8, size, palette.fonts),
  ];
  const isIn = (lines, size) => lines.length * size * LINE_HEIGHT <= rect.h;
  const size = fittingStep("body", unit, (candidate) => isIn(wrapped(candidate).flat(), candidate));
  const [questionLines, allTold] = wrapped(size);
  // In a low window only the question has room.
  const told = isIn([...questionLines, ...allTold], size) ? allTold : [];
  const look = { size, fill: palette.ink };
  const y = rect.y + size;
  const lineHeight = LINE_HEIGHT * size;
  const moving = [
    ...chart.words(rect.x + 4, y, questionLines, lineHeight, {
      ...look,
      weight: 700,
      name: "question",
    }),
    ...chart.words(
      rect.x + 4,
      y + lineHeight * questionLines.length,
      areOver ? told : [],
      lineHeight,
      {
        ...look,
        weight: 400,
        name: "comparison",
      },
    ),
  ];
  return moving;
}

/**
 * The two numbers that decide, at this instant, under the map of their run; what they are is in
 * short under all maps where it has no room under one.
 *
 * @param {PanelScene} scene
 */
function decideMarks({ rect, palette, unit, compared: { decide, letter, others } }) {
  const w = rect.w / decide.length;
  const small = step("small", unit);
  // As large as lets all say what their numbers are.
  const large = fittingStep("large", unit, (size) =>
    others.every((column) =>
      column.decide.every(
        ({ text, short }) =>
          textWidth(text, size, palette.fonts, 700) + textWidth(short, small, palette.fonts) <
          w - 0.45 * small,
      ),
    ),
  );
  const y = rect.y + rect.h / 2 + 0.35 * large;
  const marks = decide.flatMap(({ key, label, short, text }, k) => {
    const x = rect.x + k * w;
    const value = chart.text(x, y, text, {
      size: large,
      weight: 700,
      fill: palette.ink,
      name: key,
      letter,
    });
    const from = x + textWidth(text, large, palette.fonts, 700) + 0.45 * small;
    const room = x + w - from;
    const all = others.map((column) => column.decide[k]);
    const wide = (one) =>
      textWidth(one.text, large, palette.fonts, 700) + textWidth(one.label, small, palette.fonts);
    const words = Math.max(...all.map(wide)) + 0.45 * small > w ? short : label;
    const shortWords = shortened(words, room, small, palette.fonts);
    return [
      value,
      chart.text(from, y, shortWords, { size: small, fill: palette.quiet, name: "decide", letter }),
    ];
  });
  return marks;
}

/**
 * What happened in this step: a sentence for all runs, and what is left to say of each, in one
 * size; one below the other, or in a low and wide panel side by side. Where there is no room for
 * all, the longest says less.
 *
 * @param {PanelScene} scene
 */
function sentencesMarks({ rect, palette, unit, compared }) {
  const { others, shared } = compared;
  const small = step("small", unit);
  const sideBySide = rect.w > SIDE_BY_SIDE_RATIO * rect.h;
  const w = sideBySide ? (rect.w - small * (others.length - 1)) / others.length : rect.w;
  const highOf = (text, wide, size) =>
    text ? linesOf(text, wide, size, palette).length * size * LINE_HEIGHT : 0;
  const high = (texts, size) => {
    const heights = texts.map((text) => highOf(text, w, size) + small * 1.6);
    const all = sideBySide ? Math.max(...heights) : heights.reduce((sum, h) => sum + h, 0);
    return highOf(shared, rect.w, size) + all + small;
  };
  const sentences = fitting(compared, (texts) => high(texts, step("label", unit)) <= rect.h);
  const size = fittingStep("large", unit, (candidate) => high(sentences, candidate) <= rect.h);
  const pen = { palette, unit, small, size, bottom: rect.y + rect.h };
  const first = paragraph(pen, shared, others[0].run, {
    x: rect.x,
    y: rect.y,
    w: rect.w,
    name: "shared",
  });
  const top = rect.y + first.h + (shared ? 0.4 * small : 0);
  let y = top;
  const runMarks = others.flatMap((column, k) => {
    const x = rect.x + (sideBySide ? k * (w + small) : 0);
    const later = sideBySide ? [] : sentences.slice(k + 1);
    const under = later.reduce(
      (sum, text) =>
        sum + Math.min(highOf(text, w, size), RESERVED_LINES * size * LINE_HEIGHT) + small * 1.6,
      0,
    );
    const from = sideBySide ? top : y;
    const bottom = Math.max(pen.bottom - under, from + small * 1.6 + size * LINE_HEIGHT);
    const { marks, h } = ofRun({ ...pen, bottom }, column, sentences[k], { x, y: from, w });
    y += h;
    return marks;
  });
  return [...first.marks, ...runMarks];
}

/** What is said of each run: of the longest less, as long as that helps. */
function fitting({ said, shorter }, fits) {
  const now = [...said];
  const left = said.map((_, k) => [...(shorter[k] ?? [])]);
  while (!fits(now)) {
    const open = now.map((_, k) => k).filter((k) => left[k].length);
    if (!open.length) return now;
    const longest = open.reduce((most, k) => (now[k].length > now[most].length ? k : most));
    now[longest] = left[longest].shift();
  }
  return now;
}

const linesOf = (text, w, size, { fonts }) => wrap(text, w - 14, size, fonts, 500);

/** Lines of words, as many as there is room for. @returns {{ marks: Mark[], h: number }} */
function paragraph({ palette, size, bottom }, text, run, { x, y, w, ...tag }) {
  const all = text ? linesOf(text, w, size, palette) : [];
  const most = Math.max(Math.floor((bottom - y) / (size * LINE_HEIGHT)), 1);
  const last =
    all.length > most
      ? shortened(all.slice(most - 1).join(" "), w - 14, size, palette.fonts, 500)
      : "";
  const lines = last ? [...all.slice(0, most - 1), last] : all;
  const look = { size, weight: 500, fill: palette.ink, name: "sentence", ...tag };
  const marks = chart.words(x + 14, y + 0.95 * size, lines, LINE_HEIGHT * size, look);
  return {
    marks: marks.map((mark) => ({ ...mark, tints: tintsOf(mark.text, run, palette) })),
    h: lines.length * size * LINE_HEIGHT,
  };
}

/** Where a run is, and what is said of it. @returns {{ marks: Mark[], h: number }} */
function ofRun(pen, { letter, tone, counter, run }, sentence, { x, y, w }) {
  const { palette, unit, small } = pen;
  const room = w - 16 * unit;
  const [place] = counter.split(" · "); // The number of mistakes may stand under the map, too.
  const all = [counter, place, withoutTotals(place), place.replace(/,.*/, "")];
  const chosen =
    all.find((candidate) => textWidth(candidate, small, palette.fonts, 600) <= room - 1) ??
    all.at(-1);
  const text = shortened(chosen, room, small, palette.fonts, 600);
  /** @satisfies {Partial<Mark>} */
  const look = { kind: "text", y: y + small };
  const from = y + small * 1.45;
  const words = paragraph(pen, sentence, run, { x, y: from, w, letter });
  /** @type {Mark[]} */
  const marks = [
    { ...look, x, size: small, weight: 700, fill: palette.ink, text: letter },
    {
      ...look,
      x: x + 14 * unit,
      size: small,
      weight: 600,
      fill: palette.quiet,
      text,
      name: "counter",
      letter,
    },
    ...words.marks,
  ];
  if (sentence) marks.push(chart.rect(x, from, 4, words.h, { fill: tone, radius: 2 }));
  return { marks, h: small * 1.75 + words.h };
}

const percent = (share) => `${(100 * share).toFixed(1)}%`;

/**
 * Rows of the table: a number of the instant, or one of the run's end by its key, and how it is
 * written.
 *
 * @typedef {{ label: string, live?: (column: Column) => string, key?: keyof Summary, form?: (value:
 *   number) => string }} Row
 */

/** @type {Row[]} */
const ROWS = [
  {
    label: "mistakes so far",
    live: ({ run, t }) => (run.trace.paired ? "–" : whole.format(run.trace.mistakesBefore(t))),
  },
  {
    label: "support so far",
    live: ({ run, t }) => whole.format(run.alphas(t).filter((alpha) => alpha !== 0).length),
  },
  { label: "at the end (a zero counts as wrong):" },
  { label: "mistakes", key: "mistakes", form: whole.format },
  { label: "epochs", key: "epochs", form: whole.format },
  { label: "support", key: "support", form: whole.format },
  { label: "training error", key: "train_error", form: percent },
  { label: "held-out error", key: "test_error", form: percent },
];

/** A column before its run is over. @type {Summary} */
const UNTOLD = {
  mistakes: null,
  epochs: null,
  support: null,
  margin: null,
  norm: null,
  train_error: null,
  test_error: null,
  seconds: null,
};

/**
 * One row for each number, one column for each run, and scikit-learn's SVC for reference.
 *
 * @param {PanelScene} scene
 */
function tableMarks({ rect, palette, unit, compared: { others, reference } }) {
  const areOver = others.every(({ run, t }) => t >= run.nSteps);
  const every = [
    ...others,
    ...(reference === null ? [] : [{ letter: "SVC", summary: areOver ? reference : UNTOLD }]),
  ];
  const h = Math.min(rect.h / (ROWS.length + 1.2), 24 * unit);
  const { columns, rows, size, head, w } = fitted(every, rect.w, unit, h, palette.fonts);
  const y = (row) => rect.y + h * (row + 0.8);
  const long = reference && `SVC, C = ${reference.cost}`;
  const named = (letter) =>
    letter === "SVC" && long && textWidth(long, size, palette.fonts, 700) < w - COLUMN_GAP * size
      ? long
      : letter;
  const marks = columns.map(({ letter }, k) =>
    chart.text(rect.x + head + (k + 1) * w, y(0), named(letter), {
      size,
      weight: 700,
      align: "right",
      fill: letter.length === 1 ? palette.ink : palette.quiet,
    }),
  );
  rows.forEach(({ label, name, texts }, row) => {
    const at = y(row + 1);
    if (row % 2) marks.push(chart.rect(rect.x, at - h * 0.72, rect.w, h, { fill: palette.panel }));
    const weight = texts ? 400 : 600;
    marks.push(chart.text(rect.x + LABEL_INDENT, at, label, { size, fill: palette.quiet, weight }));
    texts?.forEach((text, k) => {
      if (!text) return;
      const x = rect.x + head + (k + 1) * w - 2;
      const { letter } = columns[k];
      marks.push(
        chart.text(x, at, text, {
          size,
          weight: 500,
          align: "right",
          fill: palette.ink,
          name,
          letter,
        }),
      );
    });
  });
  return marks;
}

/**
 * The table, without the SVC where it has no room beside the runs.
 *
 * @param {(Column | { letter: string, summary: Summary })[]} every
 */
function fitted(every, width, unit, rowHeight, fonts) {
  const runs = every.filter(({ letter }) => letter.length === 1);
  const tried = [every, runs].map((columns) => laidOut(columns, width, unit, rowHeight, fonts));
  return tried.find(({ fits }) => fits) ?? tried[1];
}

function laidOut(columns, width, unit, rowHeight, fonts) {
  const rows = ROWS.map((row) => rowOf(row, columns));
  const wide = (text, weight) => textWidth(text, 100, fonts, weight) / 100; // Measured in letters.
  const labels =
    Math.max(...rows.map(({ label, texts }) => (texts ? wide(label, 400) : 0))) + COLUMN_GAP;
  const written = rows.flatMap(({ texts }) => texts ?? []);
  const values = Math.max(...written.map((text) => wide(text, 500))) + COLUMN_GAP;
  const hasRoom = (/** @type {number} */ size) =>
    LABEL_INDENT + (labels + values * columns.length) * size <= width;
  const size = fittingStep(
    "label",
    unit,
    (candidate) => hasRoom(candidate) && candidate <= 0.72 * rowHeight,
  );
  const head = Math.max(
    LABEL_INDENT + labels * size,
    Math.min(0.3 * width, width - values * size * columns.length),
  );
  const title = rows.find(({ texts }) => !texts);
  if (LABEL_INDENT + size * wide(title.label, 600) > width) {
    title.label = title.label.replace(/ \(.*\)$/, "");
  }
  const w = (width - head) / columns.length;
  return { columns, rows, size, head, w, fits: hasRoom(size) };
}

/** A row of the table: its label, and what stands in each column. @param {Row} row */
function rowOf({ label, live, key, form }, columns) {
  // Until then its end is not told.
  const isOver = (column) => !("run" in column) || column.t >= column.run.nSteps;
  // The summary may come later.
  const end = ({ summary }) => (!summary ? "…" : summary[key] === null ? "–" : form(summary[key]));
  const text = (column) =>
    live ? ("run" in column ? live(column) : "") : isOver(column) ? end(column) : "–";
  return { label, name: key ?? label, texts: live || key ? columns.map(text) : null };
}

/** @type {PanelObject} */
export const captionPanel = { name: "caption", marks: captionMarks };

/** @type {PanelObject} */
export const decidePanel = { name: "decide", marks: decideMarks };

/** @type {PanelObject} */
export const questionPanel = { name: "question", marks: questionMarks };

/** @type {PanelObject} */
export const sentencesPanel = { name: "sentences", marks: sentencesMarks };

/** @type {PanelObject} */
export const tablePanel = { name: "table", marks: tableMarks };
