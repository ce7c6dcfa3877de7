// The Gram matrix of the training examples, ordered by class; beside each row what was learnt from
// its example.

import { reasonMarks, withoutAnswer } from "./answer.js";
import { chart, heading, whyNot } from "./chart.js";
import { firstWithin, textWidth } from "../paint/measure.js";
import { Pixels } from "../paint/colors.js";
import { topSoFar } from "../run/series.js";
import { perRun } from "../run/trace.js";
import { amount, brief, example, label, number, signed } from "../run/words.js";
import { step } from "../board/scale.js";

/** @import { Palette } from "../paint/colors.js" */
/** @import { Run } from "../run/run.js" */
/** @import { PanelScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject, Pointed } from "../board/types.d.ts" */

const RAMP_LENGTH = 64; // In px.
const FEWEST_MISTAKES = 4; // The bars have room for no fewer mistakes.
const CLASS_SIDE = 15; // In px, where the unit is 1.
const LEAST_BARS_SHARE = 0.2; // Relative to the width of the matrix.
const LETTERS_OF_NAME = 2.6; // So wide is the name of an example.
// In px, where the unit is 1: where the matrix is so large still, a panel says first what it comes
// to.
const LEAST_UNDER_ANSWER = 170;
const TITLE = 23;
// The words of a panel that is so much wider than high stand beside its matrix.
const WIDE = 2.2;
const WORDS_SHARE = 0.42;
/** @type {{ from: "title" | "body", most: number }} */
const ABOVE_MATRIX = { from: "title", most: 1 };
/** @type {typeof ABOVE_MATRIX} */
const BESIDE_MATRIX = { from: "body", most: 4 };
const HALO = 3.6; // In px: the width of what sets a frame off.
const LEAST_MATRIX = 40; // In px: a smaller matrix could not be read.

/** What Python sent of the Gram matrix: examples by place, and the value of a cell. */
class Gram {
  /** @type {{ dark: boolean, image: Pixels } | null} */
  #painted = null;

  /** @param {Run} run */
  constructor({ header, arrays: { gramOrder, gramUpper }, n }) {
    const { limit, signed: isSigned, shades } = header.extras.gram;
    this.n = n;
    this.limit = limit;
    this.signed = isSigned;
    this.shades = shades; // They go from 0 to the limit; 0 means that values are sent as they are.
    this.order = gramOrder;
    this.upper = gramUpper;
    this.place = new Uint16Array(n);
    gramOrder.forEach((i, at) => {
      this.place[i] = at;
    });
  }

  /** k of the examples in two places. */
  value(a, b) {
    const [row, column] = a < b ? [a, b] : [b, a];
    const sent = this.upper[row * this.n - (row * (row - 1)) / 2 + column - row];
    return this.shades ? (sent * this.limit) / this.shades : sent;
  }

  /** One pixel for each cell. @param {Palette} palette */
  image(palette) {
    if (this.#painted?.dark === palette.dark) return this.#painted.image;
    const { n } = this;
    const cells = new Float32Array(n * n); // The first row of an image is the last one of a field.
    for (let a = 0; a < n; a++) {
      for (let b = 0; b < n; b++) cells[(n - 1 - a) * n + b] = this.value(a, b);
    }
    const image = new Pixels(n, n);
    palette.paintField(cells, n, this.limit, image, null, palette.ofCells(this.signed));
    this.#painted = { dark: palette.dark, image };
    return image;
  }
}

const sentOf = perRun((run) => new Gram(run));

/** The matrix of a run; null until it is here, or where there is none. */
function gramOf(run) {
  const extra = run.header.extras.gram;
  return !extra || extra.why || !run.n ? null : sentOf(run);
}

/** Where the matrix lies in a rectangle, and its bars. */
function gramBox({ n }, rect, unit) {
  const mark = CLASS_SIDE * unit;
  const side = Math.max(
    Math.min(rect.h - mark, (rect.w - mark) / (1 + LEAST_BARS_SHARE) - 6 * unit),
    LEAST_MATRIX,
  );
  const x = rect.x + mark;
  const y = rect.y + mark;
  const from = x + side + 6 * unit + LETTERS_OF_NAME * step("small", unit);
  return {
    x,
    y,
    side,
    cell: side / n,
    // The name of a row stands between the row and its bar.
    bars: { x: from, w: rect.x + rect.w - from },
  };
}

/** The place of the examples' bars beside the matrix: each tells of the example of its row. */
const besideRows = ({ x, y, side }, rect) => ({
  x: x + side,
  y,
  w: rect.x + rect.w - x - side,
  h: side,
});

/** @param {PanelScene} scene @returns {Drawing} */
function gramMarks(scene) {
  const { run, palette, unit, rect, t } = scene;
  const isWide = !scene.bare && rect.w > WIDE * rect.h;
  const room = isWide ? { ...rect, w: WORDS_SHARE * rect.w } : rect;
  const title = heading({ ...scene, rect: room }, "Gram matrix");
  const extra = run.header.extras.gram;
  const gram = gramOf(run);
  if (!gram) {
    const why = extra?.why ?? (extra ? "There are no examples yet." : "Computing…");
    return [...title, ...whyNot(scene, why)];
  }
  const sentence = answerWords(run);
  const boxUnder = (above) => gramBox(run, { ...rect, y: rect.y + above, h: rect.h - above }, unit);
  const head = withoutAnswer(scene).h;
  const line = { ...room, y: rect.y + head };
  const how = isWide ? BESIDE_MATRIX : ABOVE_MATRIX;
  const answer = reasonMarks(scene, line, sentence, { ...how, name: "answer" });
  const under = boxUnder(head + answer.h + 4 * unit);
  const besideWords = { ...rect, x: rect.x + room.w, w: rect.w - room.w };
  const isAnswered = sentence !== "" && (isWide || under.side >= LEAST_UNDER_ANSWER * unit);
  const underWords = isAnswered ? under : boxUnder(TITLE * unit);
  const box = isWide ? gramBox(run, besideWords, unit) : underWords;
  const square = { x: box.x, y: box.y, w: box.side, h: box.side };
  /** @returns {Mark[]} */
  const background = () => [
    ...title,
    ...(isAnswered ? answer.marks : []),
    ...legend({ ...scene, rect: room }, gram, title[0]),
    { kind: "image", image: gram.image(palette), ...square, crisp: true, name: "gram" },
    ...classes(scene, gram, box),
    { kind: "rect", ...square, stroke: palette.rule, width: 1 },
    chart.area(square, { kind: "pair", tells: aboutPair, lattice: [run.n, run.n], stop: true }),
    chart.area(besideRows(box, rect), {
      kind: "example",
      lattice: [1, run.n],
      indices: gram.order,
      stop: true,
    }),
  ];
  const still = [
    { key: [run.id, palette.dark].join(), marks: background },
    {
      key: [run.id, palette.dark, run.trace.changesBefore(t)].join(),
      marks: () => bars(scene, gram, box),
    },
  ];
  return { still, moving: [...lit(scene, gram, box), ...ofStep(scene, gram, box)] };
}

/**
 * The scale of colours and what it means, as far as there is room beside the title.
 *
 * @returns {Mark[]}
 */
function legend({ rect, palette, unit }, gram, title) {
  const size = step("small", unit);
  const [low, high] = [
    gram.signed ? number(-gram.limit) : "0",
    gram.signed ? signed(gram.limit) : number(gram.limit),
  ].map(brief);
  const w = 56 * unit;
  const needed = textWidth(low + high, size, palette.fonts) + w + 12 * unit;
  const free = rect.w - textWidth(title.text, title.size, palette.fonts, 600) - 12 * unit;
  if (needed > free) return [];
  const ramp = palette.rampOf(palette.ofCells(gram.signed), gram.signed, RAMP_LENGTH);
  const right = rect.x + rect.w;
  const to = right - textWidth(high, size, palette.fonts) - 5 * unit;
  const alike = `${palette.dark ? "bright" : "dark"}: alike`;
  const wideAlike = textWidth(alike, size, palette.fonts) + 2 * size;
  const isTold = !gram.signed && needed + wideAlike <= free;
  /** @satisfies {Partial<Mark>} */
  const text = { kind: "text", y: title.y, size, fill: palette.quiet };
  const from = to - w - 5 * unit;
  return [
    ...(isTold
      ? [
          chart.text(from - textWidth(low, size, palette.fonts) - size, title.y, alike, {
            size,
            fill: palette.quiet,
            align: "right",
            name: "alike",
          }),
        ]
      : []),
    { ...text, x: from, align: "right", text: low, name: "low" },
    { kind: "image", image: ramp, x: to - w, y: title.y - 9 * unit, w, h: 9 * unit },
    chart.rect(to - w, title.y - 9 * unit, w, 9 * unit, { stroke: palette.rule, width: 1 }),
    { ...text, x: right, align: "right", text: high, name: "high" },
  ];
}

/**
 * The classes along the left and the upper side: a strip for each, and its shape.
 *
 * @returns {Mark[]}
 */
function classes({ run, palette, unit }, { order, n }, { x, y, cell }) {
  const { shapes } = run.header.tokens;
  const first = order.findIndex((i) => run.y[i] < 0);
  const cut = first < 0 ? n : first;
  const away = 4 * unit;
  return [
    [0, cut, 1],
    [cut, n, -1],
  ]
    .filter(([from, to]) => to > from)
    .flatMap(([from, to, sign]) => {
      const fill = palette.ofClass(sign);
      const long = (to - from) * cell;
      /** @satisfies {Partial<Mark>} */
      const mark = {
        kind: shapes[sign > 0 ? "positive" : "negative"],
        r: 4.4 * unit,
        fill,
        stroke: palette.paper,
        width: 1,
        y: y + (from + to) * 0.5 * cell,
      };
      return [
        chart.rect(x - away, y + from * cell, 3 * unit, long, { fill, name: "rows", from, to }),
        chart.rect(x + from * cell, y - away, long, 3 * unit, { fill, name: "columns", from, to }),
        { ...mark, x: x - 2.4 * away },
        { ...mark, x: x + (from + to) * 0.5 * cell, y: y - 2.4 * away },
      ];
    });
}

/** The round number that no bar exceeds now: what is to come has no part in it. */
function mostOf(run, t) {
  const { counts } = run.header.about;
  const levels = [...run.trace.support].map((i) =>
    counts ? run.trace.mistakesOn(i, t) : Math.abs(run.alphaOf(i, t)),
  );
  const most = topSoFar(levels.reduce((largest, level) => Math.max(largest, level), 0));
  return counts ? Math.max(most, FEWEST_MISTAKES) : most;
}

/** What the bar of an example shows, and its share of the longest one there may be. */
function barOf(run, i, t) {
  const value = run.header.about.counts ? run.trace.mistakesOn(i, t) : run.alphaOf(i, t);
  return { value, share: value ? Math.abs(value) / mostOf(run, t) : 0 };
}

/** A bar at the row of each support example, or, where bars have no room, a tick. */
function bars({ run, palette, unit, t }, { place }, { x, y, side, cell, bars: room }) {
  const hasRoom = room.w > 8;
  /** @type {Mark[]} */
  const marks = hasRoom ? [chart.rect(room.x, y, room.w, side, { fill: palette.panel })] : [];
  const { counts } = run.header.about;
  const most = mostOf(run, t);
  const gap = cell > 6 ? 1 : 0;
  for (const i of run.trace.support) {
    const { value, share } = barOf(run, i, t);
    if (!value) continue;
    const row = y + place[i] * cell;
    if (!hasRoom) {
      const tick = { fill: palette.ink, name: "support", i };
      marks.push(chart.rect(x + side + unit, row, 3.5 * unit, Math.max(cell, 1), tick));
    } else {
      const look = {
        fill: palette.ofClass(run.y[i]),
        alpha: value < 0 ? 0.5 : 1,
        i,
        value,
        name: "alpha",
      };
      marks.push(
        chart.rect(
          room.x,
          row + gap / 2,
          Math.max(share * room.w, 1),
          Math.max(cell - gap, 1),
          look,
        ),
      );
    }
  }
  if (!hasRoom) return marks;
  const size = step("small", unit);
  const look = { size, fill: palette.quiet };
  const highest = amount(counts ? most * run.trace.unit : most, run);
  const labels = [`α${counts ? ", mistakes" : ""}: 0 to ${highest}`, `α: 0 to ${highest}`];
  const label = firstWithin(labels, room.w, size, palette.fonts) ?? "α";
  marks.push(chart.text(room.x, y - 4 * unit, label, look));
  return marks;
}

/** The rows and columns of what the pointer touches. @returns {Mark[]} */
function lit({ run, palette, hot }, { place }, { x, y, side, cell }) {
  return [...hot]
    .filter((i) => i < run.n)
    .flatMap((i) => {
      const at = place[i] * cell;
      /** @satisfies {Partial<Mark>} */
      const frame = { kind: "rect", stroke: palette.on_map, width: 1.4, lit: i };
      /** @satisfies {Partial<Mark>} */
      const under = { kind: "rect", stroke: palette.field_zero, width: 4, alpha: 0.9 };
      const row = { x, y: y + at, w: side, h: cell };
      const column = { x: x + at, y, w: cell, h: side };
      return [
        { ...under, ...row },
        { ...under, ...column },
        { ...frame, ...row, name: "row" },
        { ...frame, ...column, name: "column" },
      ];
    });
}

/**
 * The row of this step's example, and of the other one that it changes.
 *
 * @param {PanelScene} scene
 */
function ofStep(scene, gram, box) {
  const { run, current, pair } = scene;
  if (current === null || current >= run.n) return [];
  const [first, partner] = pair ?? [current];
  const marks = rowOf(scene, first, gram, box, "current");
  if (partner === undefined) return marks;
  // Where the rows are near, the name of the second one stands beneath the first one's.
  const apart = (gram.place[partner] - gram.place[first]) * box.cell;
  const size = step("small", scene.unit);
  const down = Math.abs(apart) < size ? size - apart : 0;
  return [...marks, ...rowOf(scene, partner, gram, box, "partner", down)];
}

/**
 * A frame outside of the row, which hides none of its cells, and whose it is.
 *
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
function rowOf({ palette, unit }, i, { place }, { x, y, side, cell }, kind, down = 0) {
  const away = HALO / 2;
  const row = chart.rect(x - away, y + place[i] * cell - away, side + 2 * away, cell + 2 * away);
  const size = step("small", unit);
  const look = { size, fill: palette.ink, weight: 600 };
  const middle = row.y + row.h / 2 + 0.35 * size + down;
  const base = Math.min(Math.max(middle, y + 0.9 * size), y + side);
  return [
    { ...row, stroke: palette.field_zero, width: HALO },
    { ...row, stroke: palette.on_map, width: 1.6, name: kind, i },
    chart.text(x + side + 6 * unit, base, example(i), look),
  ];
}

/** A cell of the matrix, by its number row by row. @param {Pointed} pointed */
function aboutPair({ run, hit: { part: cell } }) {
  const gram = gramOf(run);
  const row = Math.floor(cell / run.n);
  const column = cell % run.n;
  const i = gram.order[row];
  const j = gram.order[column];
  const value = gram.value(row, column);
  const about = gram.shades ? "≈" : "=";
  return {
    hot: new Set([i, j]),
    lines: [
      `k(${example(i)}, ${example(j)}) ${about} ${number(value)}`,
      i === j
        ? `y = ${label(run.y[i])}`
        : `y = ${label(run.y[i])} and ${label(run.y[j])}: ${run.y[i] === run.y[j] ? "of one class" : "of two classes"}`,
    ],
    full: [`k(${i}, ${j})\t${value}`, `y\t${run.y[i]}\t${run.y[j]}`].join("\n"),
  };
}

/** The mean of k of two examples of one class, and of two classes; null where there are none. */
const meansOf = perRun((run) => {
  const gram = gramOf(run);
  const sums = { within: 0, between: 0 };
  const counts = { within: 0, between: 0 };
  for (let a = 0; a < run.n; a++) {
    for (let b = a + 1; b < run.n; b++) {
      const which = run.y[gram.order[a]] === run.y[gram.order[b]] ? "within" : "between";
      sums[which] += gram.value(a, b);
      counts[which] += 1;
    }
  }
  return counts.within && counts.between
    ? { within: sums.within / counts.within, between: sums.between / counts.between }
    : null;
});

/** What the matrix comes to, in a sentence; "" without two classes. */
function answerWords(run) {
  const means = meansOf(run);
  return means
    ? `k is ${number(means.within)} within a class, ${number(means.between)} between, on average.`
    : "";
}

/**
 * The mean of k within the classes and between them.
 *
 * @param {PanelScene} scene
 * @returns {string[]}
 */
function summary({ run }) {
  const { why } = run.header.extras.gram ?? { why: "" };
  if (!gramOf(run)) return why ? [why] : [];
  return [answerWords(run)].filter(Boolean);
}

/** @type {PanelObject} */
export const gramPanel = { name: "gram", marks: gramMarks, summary, walkable: true };
