// The names and numbers of the axes, under the map and left of it, where they cover no point.

import { chart, sizeIn } from "./chart.js";
import { namesCurrent } from "./objects.js";
import { boxOf, firstWithin, overlap, shortened, textWidth } from "../paint/measure.js";
import { example, number, objectInWords, typeset } from "../run/words.js";
import { roundedUp } from "../run/series.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Drawing, Mark, PanelObject, TextMark } from "../board/types.d.ts" */

// Numbers stand near these shares of the map's side, and so far from its ends.
const SHARES = [0.1, 0.9];
const LEAST_FROM_END = 0.03;
const MOST_FROM_END = 0.25;

const MOST_BETWEEN_NUMBERS = 0.65; // Relative to the map's side.
const AT_MAP = 0.3; // In letters, between the map and what stands left of it.

/** A number at an axis, without zeros at its end. */
const tick = (value) =>
  number(value)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");

/** @param {string} text */
const decimalsOf = (text) => /\.(\d+)$/.exec(text)?.[1].length ?? 0;

/** Numbers at an axis with as many decimals as the longest has. @param {number[]} values */
function ticks(values) {
  const texts = values.map(tick);
  const most = Math.max(...texts.map(decimalsOf));
  return texts.map((text, k) =>
    decimalsOf(text) < most && /\d$/.test(text) ? typeset(values[k].toFixed(most)) : text,
  );
}

/**
 * Numbers with few digits, as round as they can be near two places of a range.
 *
 * @param {number} low
 * @param {number} high
 */
function roundNumbers(low, high) {
  const near = SHARES.map((share) => low + share * (high - low));
  const candidates = [2, 4, 8, 16].map((parts) => {
    const step = roundedUp((high - low) / parts);
    return near.map((value) => Math.round(value / step) * step);
  });
  const isNear = (values) =>
    values.every((value, k) => {
      const fromEnd = (k ? high - value : value - low) / (high - low);
      return fromEnd >= LEAST_FROM_END && fromEnd <= MOST_FROM_END;
    });
  return candidates.find(isNear) ?? near;
}

/**
 * The places on an axis that have a number, each with it, in the units of its feature.
 *
 * @param {PanelScene} scene
 * @param {0 | 1} axis
 */
function numbersAt({ run, view }, axis) {
  const { low1, high1, low2, high2 } = view;
  const [low, high] = axis ? [low2, high2] : [low1, high1];
  const from = run.onAxis(axis, low);
  const to = run.onAxis(axis, high);
  const numbers = roundNumbers(from, to);
  const texts = ticks(numbers);
  return numbers.map((number, k) => {
    const value = low + ((number - from) / (to - from)) * (high - low);
    return { value, text: texts[k] };
  });
}

/** @param {PanelScene} scene @returns {Drawing} */
function axisMarks(scene) {
  const { run, rect, view, palette, only } = scene;
  if (only) return [];
  const size = sizeIn(scene, "small");
  const y = rect.y + rect.h / 2;
  const look = {
    size,
    fill: palette.quiet,
    name: "axis",
    ...{ align: /** @type {const} */ ("center"), baseline: /** @type {const} */ ("middle") },
  };
  if (!run.plane) return placesInWords(scene, { size, y });
  const [name, upwards] = run.axes;
  // Where nothing stands left of the map both names stand under it, if they leave room to numbers
  // and to the button that rescales.
  const both = `${name} across, ${upwards} up`;
  const areBoth =
    !scene.stands("gutter") &&
    !scene.canRescale &&
    textWidth(both, size, palette.fonts, 600) <= MOST_BETWEEN_NUMBERS * rect.w;
  const text = upwards && areBoth ? both : shortened(name, rect.w, size, palette.fonts, 600);
  const named = name ? [chart.text(rect.x + rect.w / 2, y, text, { ...look, weight: 600 })] : [];
  return withNumbers(named, scene, 0, (text, value) => {
    const half = textWidth(text, size, palette.fonts) / 2;
    const x = Math.min(Math.max(view.x(value), rect.x + half), rect.x + rect.w - half);
    return chart.text(x, y, text, look);
  });
}

/**
 * What stands at an axis, with as many numbers as have room; `markOf` writes one of them.
 *
 * @param {TextMark[]} named
 * @param {PanelScene} scene
 * @param {0 | 1} axis
 * @param {(text: string, value: number) => TextMark} markOf
 */
function withNumbers(named, scene, axis, markOf) {
  return numbersAt(scene, axis).reduce((marks, { text, value }) => {
    const mark = markOf(text, value);
    return isFree(mark, marks, scene) ? [...marks, mark] : marks;
  }, named);
}

/** Whether a text lies on no other and keeps a letter's distance. @param {TextMark} mark */
function isFree(mark, others, { palette }) {
  const { x, y, w, h } = boxOf(mark, palette.fonts);
  const apart = mark.size;
  const box = { x: x - apart, y: y - apart, w: w + 2 * apart, h: h + 2 * apart };
  return others.every((other) => !overlap(box, boxOf(other, palette.fonts)));
}

/** @param {PanelScene} scene @returns {Drawing} */
function gutterMarks(scene) {
  const { run, rect, view, palette, only } = scene;
  if (only || !run.plane) return [];
  const size = sizeIn(scene, "small");
  const right = rect.x + rect.w - AT_MAP * size;
  const look = {
    size,
    fill: palette.quiet,
    name: "axis",
    ...{ baseline: /** @type {const} */ ("middle") },
  };
  const isAcross = (text, weight) => textWidth(text, size, palette.fonts, weight) <= right - rect.x;
  /** Written across where it has the room, else upwards. */
  const atTheMap = (text, y, weight, across = isAcross(text, weight)) =>
    across
      ? chart.text(right, y, text, { ...look, weight, align: "right" })
      : chart.text(rect.x + size / 2, y, text, { ...look, weight, align: "center", up: true });
  const [, name] = run.axes;
  const room = rect.h - 2 * size;
  const named = name
    ? [atTheMap(shortened(name, room, size, palette.fonts, 600), rect.y + rect.h / 2, 600)]
    : [];
  // All numbers in one way.
  const areAcross = numbersAt(scene, 1).every(({ text }) => isAcross(text, 400));
  return withNumbers(named, scene, 1, (text, value) =>
    within(atTheMap(text, view.y(value), 400, areAcross), scene),
  );
}

/** A text that is written upwards, moved so far that it does not leave the panel. */
function within(mark, { rect, palette }) {
  const { h } = boxOf(mark, palette.fonts);
  const y = Math.min(Math.max(mark.y, rect.y + h / 2), rect.y + rect.h - h / 2);
  return { ...mark, y };
}

/**
 * Under examples without a plane: the current one as it is written, and what their places mean,
 * which gives way to it.
 *
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
function placesInWords(scene, { size, y }) {
  const { run, current, rect, palette } = scene;
  const { caption } = run.header.ground;
  const { fonts } = palette;
  const look = { size, fill: palette.quiet, baseline: /** @type {const} */ ("middle") };
  const meaning = caption.replace(/;[^)]*/, "");
  const captions = [caption, meaning, meaning.replace(/ \(.*\)$/, "")];
  const isWritten = run.objects?.[current]; // Rows of numbers are not written out.
  if (!isWritten || namesCurrent(scene)) {
    const fittingCaption = firstWithin(captions, rect.w, size, fonts);
    const text = fittingCaption ?? shortened(caption, rect.w, size, fonts);
    return [chart.text(rect.x, y, text, { ...look, name: "axis" })];
  }
  const object = `${example(current)}: ${objectInWords(run, current)}`;
  const text = shortened(object, rect.w, size, fonts, 600);
  const free = rect.w - textWidth(text, size, fonts, 600) - 2 * size;
  const fittingCaption = firstWithin(captions, free, size, fonts);
  return [
    chart.text(rect.x, y, text, { ...look, weight: 600, fill: palette.ink, name: "object" }),
    ...(fittingCaption
      ? [chart.text(rect.x + rect.w, y, fittingCaption, { ...look, align: "right", name: "axis" })]
      : []),
  ];
}

/** @type {PanelObject} */
export const axisPanel = { name: "axis", marks: axisMarks };

/** @type {PanelObject} */
export const gutterPanel = { name: "gutter", marks: gutterMarks };
