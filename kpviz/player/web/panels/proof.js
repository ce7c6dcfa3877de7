// Novikoff's proof as a picture: ⟨w, u⟩ above Mγ, ‖w‖ below √M·R, and where the two sides meet.

import { sceneWith } from "../board/scene.js";
import { answerMarks, foldMarks, foldsHeight, reasonMarks } from "./answer.js";
import { boxesOf, chart, heading, isIn, whyNot } from "./chart.js";
import { boxOf, firstWithin, overlap, textWidth } from "../paint/measure.js";
import { counted, exactly, example, number, whole } from "../run/words.js";
import { fittingStep, step } from "../board/scale.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject, TextMark } from "../board/types.d.ts" */
/** @import { ProofNumbers } from "../run/types.d.ts" */

const LOGARITHMIC_FROM = 40; // In mistakes: a larger bound is shown on logarithmic scales.
const CURVE_POINTS = 80;
/**
 * Where the name of a dot may stand: to its right or left, and so many lines below.
 *
 * @type {[number, number][]}
 */
const NEAR = [
  [1, -0.5],
  [-1, -0.5],
  [1, 1.2],
  [1, 0.4],
  [1, -0.3],
  [-1, 1.2],
  [1, -1.6],
  [-1, -1.6],
  [1, 2.3],
];
const HEAD = 60; // In px, where the unit is 1: title, inequality and letters.
const HEAD_LINE = 17; // The same of a further line.
const LEAST_WITH_ANSWER = 240; // In px, where the unit is 1.
const LEAST_WITH_LETTERS = 150; // The same of a panel with its answer in one line.
const U = "The vector of length 1 whose least y·⟨u, φ(x)⟩ over the examples is largest: that is γ.";
const NAMES = 0.75; // Relative to the bound on its scale: the two sides are named there.

/** A number with so many digits that the others of the panel follow from it by hand. */
const exact = (value, digits) => exactly(Number(value.toPrecision(digits)));

/** @param {PanelScene} scene @returns {Drawing} */
function proofMarks(scene) {
  const { run, t, palette, unit } = scene;
  const title = heading(scene, "Novikoff’s proof");
  const numbers = run.header.extras.proof;
  const along = run.arrays.proofAlong;
  const norm = run.arrays.proofNorm;
  if (!numbers || numbers.why || !along) {
    return [...title, ...whyNot(scene, numbers?.why ?? "Computing…")];
  }
  const k = run.trace.mistakesBefore(t);
  const at = { k, along: along[k], norm: norm[k] };
  const inequality = inequalityMarks(scene, numbers, at);
  const hasAnswer = !scene.bare && scene.rect.h >= LEAST_WITH_ANSWER * unit;
  const answer = hasAnswer ? answerMarks(scene, answerWords(numbers)) : null;
  const folds = [
    { question: "Why can there be no more?", lines: inequality.map(({ text }) => text) },
    { question: "What is u?", lines: [U] },
  ];
  const head = scene.bare ? inequality : inShort(scene, numbers, inequality);
  const lowHead = HEAD + (head.length - inequality.length) * HEAD_LINE;
  const top = answer ? answer.h + 6 * unit : lowHead * unit;
  const foot = answer ? foldsHeight(scene) : 0;
  const { rect } = scene;
  const box = { ...rect, y: rect.y + top, h: rect.h - top - foot };
  const frame = frameOf(sceneWith(scene, { rect: box }), numbers);
  const sums = paths(scene, frame, along, norm, k);
  const moving = [
    ...heading(scene, "Novikoff’s proof", {
      text: `M = ${whole.format(k)}`,
      size: step("small", unit),
      name: "mistakes now",
    }),
    ...(answer ? [...answer.marks, ...foldMarks(scene, folds)] : head),
    ...sums,
    ...(k ? namesOfDots(scene, frame, at, sums) : []),
  ];
  const key = [run.id, palette.dark, box.y].join();
  return { still: [{ key, marks: () => frame.marks }], moving };
}

/** What the proof comes to, in a sentence. @param {ProofNumbers} numbers */
const answerWords = ({ bound }) =>
  `At most ${bound < 1e6 ? counted(Math.floor(bound), "mistake") : `${number(bound)} mistakes`}: there the lines meet.`;

/**
 * The answer and the inequality in two lines of a low panel, and the letters, if it has room.
 *
 * @param {PanelScene} scene
 * @param {ProofNumbers} numbers
 * @param {TextMark[]} inequality
 */
function inShort(scene, numbers, [inequality, letters]) {
  const line = { ...scene.rect, y: scene.rect.y + 19 * scene.unit };
  const how = /** @type {const} */ ({ from: "body", most: 1, name: "answer" });
  const { marks } = reasonMarks(scene, line, answerWords(numbers), how);
  const hasLetters = scene.rect.h >= LEAST_WITH_LETTERS * scene.unit;
  return [
    ...marks,
    { ...inequality, y: letters.y, weight: 400 },
    ...(hasLetters ? [{ ...letters, y: letters.y + HEAD_LINE * scene.unit }] : []),
  ];
}

/**
 * The inequality of this instant, and what its letters are; each of its numbers follows from those
 * beside it.
 *
 * @param {PanelScene} scene
 * @param {ProofNumbers} numbers
 * @param {{ k: number, along: number, norm: number }} at
 * @returns {TextMark[]}
 */
function inequalityMarks(
  { run, t, rect, palette, unit },
  { margin, radius, constant },
  { k, along, norm },
) {
  const { unit: eta } = run.trace;
  const per = eta === 1 ? "" : "/η";
  const upper = Math.sqrt(k) * radius;
  const words = `Mγ = ${number(k * margin)} ≤ ⟨w, u⟩${per} = ${number(along)} ≤ ‖w‖${per} = ${number(norm)} ≤ √M·R = ${number(upper)}`;
  // A narrow panel has only these.
  const numbers = [k * margin, along, norm, upper].map(number).join(" ≤ ");
  const letters = `γ = ${exact(margin, 6)}, R = ${exact(radius, 6)}`;
  const added = constant ? `, with ${constant}` : "";
  const i = t > 0 && run.trace.mistake[t - 1] ? run.trace.index[t - 1] : null;
  const why = i === null ? "" : ` · the mistake on ${example(i)} adds y·φ(x) to w${per}`;
  const isIn = (size) => textWidth(words, size, palette.fonts, 600) <= rect.w;
  const size = fittingStep("label", unit, isIn);
  const small = step("small", unit);
  const facts = firstWithin([letters + added + why, letters + added], rect.w, small, palette.fonts);
  return [
    chart.text(rect.x, rect.y + 34 * unit, isIn(size) ? words : numbers, {
      size,
      weight: 600,
      fill: palette.ink,
      name: "inequality",
    }),
    chart.text(rect.x, rect.y + 51 * unit, facts ?? letters, {
      size: small,
      fill: palette.quiet,
      name: "letters",
    }),
  ];
}

/**
 * Axes, both sides of the inequality, and where they meet; `x` and `y` place what the proof has
 * after k mistakes.
 *
 * @param {PanelScene} scene
 * @param {ProofNumbers} numbers
 */
function frameOf({ rect, palette, unit }, { margin, radius, bound }) {
  const { fonts } = palette;
  const size = step("small", unit);
  const far = bound > LOGARITHMIC_FROM;
  const end = 1.08 * bound;
  const high = Math.max(radius * Math.sqrt(end), margin * end);
  const left = rect.x + textWidth(number(high), size, fonts) + 6 * unit;
  const top = rect.y;
  const base = rect.y + rect.h - 20 * unit;
  const right = rect.x + rect.w - 4 * unit;
  const share = (value, low, last) =>
    far ? Math.log(value / low) / Math.log(last / low) : value / last;
  const x = (k) => left + share(k, 1, end) * (right - left);
  const y = (value) => base - Math.min(Math.max(share(value, margin, high), 0), 1) * (base - top);
  const ks = Array.from({ length: CURVE_POINTS + 1 }, (_, j) =>
    far ? end ** (j / CURVE_POINTS) : end * (j / CURVE_POINTS) ** 2,
  );
  const points = (value) => ks.flatMap((k) => [x(k), y(value(k))]);
  const curve = (value, name, dash = null) =>
    chart.line(points(value), { stroke: palette.ink, width: 1.75 * unit, dash, name });
  const write = (text, px, py, look) =>
    chart.text(px, py, text, { size, fill: palette.quiet, ...look });
  const ends = `R²/γ² = ${exact(bound, 4)}`;
  const wide = textWidth(ends, size, fonts, 600) / 2;
  const meets = Math.min(x(bound), right - wide);
  const counts = [
    ...(far ? ["mistakes M (both scales are logarithmic)", "mistakes M (logarithmic)"] : []),
    ...["mistakes M", "M"],
  ];
  const count = firstWithin(counts, meets - wide - left - 3 * size, size, fonts);
  const middle = far ? end ** NAMES : end * NAMES;
  const strong = { weight: 600, fill: palette.ink, name: "curve" };
  const worded = (words, room) => firstWithin(words, room, size, fonts, 600) ?? words.at(-1);
  const nameAbove = (k) =>
    write(
      worded(["‖w‖ is at most √M·R", "at most √M·R", "√M·R"], x(k) - left),
      x(k),
      y(radius * Math.sqrt(k)) - 0.6 * size,
      { ...strong, align: "right" },
    );
  const nameBelow = (k) =>
    write(
      worded(["⟨w, u⟩ is at least Mγ", "at least Mγ", "Mγ"], right - x(k) - 0.6 * size),
      x(k) + 0.6 * size,
      y(margin * k) + 1.1 * size,
      strong,
    );
  const plot = { x: left, y: top, w: right - left, h: base - top };
  // A low plot has room above its upper curve farther to the left.
  const places = [middle, ...ks.filter((k) => k < middle).reverse()];
  const sides = [nameAbove, nameBelow].flatMap((nameAt) => {
    const place = places.find((k) => isIn(boxOf(nameAt(k), fonts), plot));
    return place === undefined ? [] : [nameAt(place)];
  });
  const marks = [
    chart.rect(left, top, plot.w, plot.h, { fill: palette.panel, name: "plot" }),
    chart.line([x(bound), top, x(bound), base], {
      stroke: palette.rule,
      width: 1.5 * unit,
      name: "bound",
    }),
    curve((k) => margin * k, "below"),
    curve((k) => radius * Math.sqrt(k), "above", [7, 4]),
    chart.circle(x(bound), y(margin * bound), 4 * unit, {
      stroke: palette.ink,
      width: 1.5 * unit,
      name: "meet",
    }),
    ...sides,
    write(number(high), left - 4 * unit, top + size, { align: "right" }),
    write(far ? "1" : "0", left, base + 14 * unit),
    ...(count ? [write(count, left + 2 * size, base + 14 * unit, { name: "count" })] : []),
    write(ends, meets, base + 14 * unit, {
      align: "center",
      weight: 600,
      fill: palette.ink,
      name: "meets",
    }),
  ];
  const taken = marks.flatMap((mark) => (mark.kind === "text" ? [boxOf(mark, fonts)] : []));
  const lines = ks.map((k) => [x(k), y(margin * k), y(radius * Math.sqrt(k))]);
  return { marks, x, y, plot, taken, lines, first: far ? 1 : 0 };
}

/**
 * What the two dots of this instant are, ‖w‖ above its own and ⟨w, u⟩ below, in the plot, where
 * neither a name nor a line of a side is, nor a dot of an earlier mistake.
 */
function namesOfDots({ palette, unit }, { x, y, plot, taken, lines }, { k, along, norm }, marks) {
  const { fonts, ink, panel } = palette;
  const size = step("small", unit);
  const dots = marks.filter((mark) => mark.kind === "circle");
  const obstacles = [...boxesOf(dots), ...taken];
  const write = (text, value, [side, down]) => {
    const end = x(k) + 0.5 * size + textWidth(text, size, fonts, 600);
    const isLeft = side < 0 || end > plot.x + plot.w;
    const look = { size, weight: 600, fill: ink, halo: panel, name: "side" };
    return chart.text(x(k) + (isLeft ? -0.5 : 0.5) * size, y(value) + down * size, text, {
      ...look,
      align: isLeft ? "right" : "left",
    });
  };
  const isFree = (mark, value, others) => {
    const box = boxOf(mark, fonts);
    const crossed = lines.some(([px, ...ys]) =>
      ys.some((py) => overlap(box, { x: px - 2, y: py - 2, w: 4, h: 4 })),
    );
    // A name stands on the same side of each line as its dot.
    const middle = box.y + box.h / 2;
    const isApart = lines.some(
      ([px, ...ys]) =>
        px >= box.x && px <= box.x + box.w && ys.some((py) => py < y(value) !== py < middle),
    );
    const isTaken = others.some((other) => overlap(box, other));
    return isIn(box, plot) && !crossed && !isApart && !isTaken;
  };
  const placed = (text, value, places, others = obstacles) =>
    places.map((place) => write(text, value, place)).find((mark) => isFree(mark, value, others));
  const below = [...NEAR.slice(2), ...NEAR];
  const sums = placed("⟨w, u⟩", along, below);
  const named = sums ? [boxOf(sums, fonts)] : [];
  const norms = placed("‖w‖", norm, NEAR, [...obstacles, ...named]);
  if (norms && sums) return [norms, sums];
  const both = placed("‖w‖, ⟨w, u⟩", along, below);
  return [both ?? norms ?? sums].filter((mark) => mark !== undefined);
}

/** ⟨w, u⟩ and ‖w‖ up to a number of mistakes. @returns {Mark[]} */
function paths({ palette, unit }, { x, y, first }, along, norm, to) {
  if (to < first) return [];
  const ks = Array.from({ length: to - first + 1 }, (_, j) => first + j);
  const sides = /** @type {const} */ ([
    [norm, false, "‖w‖ so far"],
    [along, true, "⟨w, u⟩ so far"],
  ]);
  return sides.flatMap(([values, isFilled, title]) => {
    const points = ks.flatMap((k) => [x(k), y(values[k])]);
    const dots = ks.length > 60 ? [to] : ks;
    // The dot of ⟨w, u⟩ may lie within that of ‖w‖.
    const radius = (k) => (k === to && !isFilled ? 4.5 : 2.6) * unit;
    const look = isFilled
      ? { fill: palette.ink, stroke: palette.paper, width: unit, name: title }
      : { fill: palette.paper, stroke: palette.ink, width: 1.4 * unit, name: title };
    return [
      chart.line(points, { stroke: palette.ink, width: 1.2 * unit, dash: [2, 3], name: title }),
      ...dots.map((k) =>
        chart.circle(x(k), y(values[k]), radius(k), { ...look, value: values[k] }),
      ),
    ];
  });
}

/** @type {PanelObject} */
export const proofPanel = { name: "proof", marks: proofMarks };
