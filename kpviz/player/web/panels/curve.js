// Curves over a setting: mistakes and support, and below them the errors, as one property runs
// through its range.

import { chart, heading, whyNot } from "./chart.js";
import { BUSY, mean, roundedUp, share, ticks, written } from "../run/series.js";
import { firstWithin, textWidth } from "../paint/measure.js";
import { NUMBERS } from "../board/comparison.js";
import { capitalized, whole } from "../run/words.js";
import { step } from "../board/scale.js";

/** @import { Palette } from "../paint/colors.js" */
/** @import { PanelScene } from "../board/scene.js" */
/** @import { CurveAct, Mark, PanelObject, Rect, Target } from "../board/types.d.ts" */
/** @import { CurveNumbers } from "../run/types.d.ts" */

/**
 * What the places of this panel follow from.
 * @typedef {{ rect: Rect, unit: number, palette: Palette, curve: PanelScene["curve"] }} Frame
 */

// The lines. `soFar` names the number of this run that its dot shows, as in the table that compares
// runs; the dot is hidden while a task covers what `task` names.
const LINES = {
  mistakes: { label: "mistakes", dash: null, soFar: "mistakes", task: "mistakes" },
  support: { label: "support", dash: [9, 5], soFar: "support", task: "support" },
  train: { label: "training error", dash: [2, 4], soFar: "train_error", task: "" },
  test: { label: "held-out error", dash: [12, 4, 2, 4], soFar: "test_error", task: "heldout" },
};
// What properties with a symbol are called, where there is room for words.
const PROPERTY_WORDS = {
  sigma: "width σ",
  n: "examples n",
  eta: "rate η",
  degree: "degree d",
};
const COUNTS = ["mistakes", "support"];
const ERRORS = ["train", "test"];
const LOGARITHMIC_FROM = 60; // From this count on the scale is logarithmic.
const LOGARITHMIC = "counts on a log scale";
const STALE_OPACITY = 0.3; // The opacity of an answer that is out of date.
const LEAST_HEIGHT = 170; // In px, where the unit is 1: a lower panel has its lines alone.
const BETWEEN_PLOTS = 20; // In px, where the unit is 1: the ends of both axes are apart.
const BETWEEN_MARKS = 1.4; // In letters, from one number beside an axis to the next.
const BETWEEN_POWERS = 1; // The same between powers of ten, which show that it is logarithmic.
const LEAST_REACH = 4; // In px: so far from its middle a value is still touched.

/**
 * Where the plots are: { x, left, right, top, bottom, size, plots }, and of each plot { keys, top,
 * base, share, marks }, the last two as `scaleOf` has them.
 *
 * @param {Frame} frame
 */
function placesOf({ rect, unit, palette, curve }) {
  const { numbers } = curve;
  const size = step("small", unit);
  const wide = (text) => textWidth(text, size, palette.fonts);
  const has = (key) => numbers[key].some((value) => value !== null);
  const keyGroups = [COUNTS, ERRORS].map((keys) => keys.filter(has)).filter((keys) => keys.length);
  // On an upright stage the least type is that of labels.
  const largest = step("label", unit) / size;
  const labels = largest * Math.max(...keyGroups.flat().map((key) => wide(LINES[key].label)));
  const left = rect.x + wide("1,000") + 6 * unit;
  const right = rect.x + rect.w - labels - 10 * unit;
  const frame = { rect, unit, palette, curve };
  // Names of lines and numbers may reach above their plot.
  const top = headEnd(frame) + (captionOf(frame) ? 2 * size : 0) + 6 * unit;
  const bottom = rect.y + rect.h - 19 * unit;
  const gap = BETWEEN_PLOTS * unit;
  const room = bottom - top - gap * (keyGroups.length - 1);
  const plots = keyGroups.map((keys, k) => {
    const base = top + (k + 1) * (room / keyGroups.length) + k * gap;
    return { keys, top: base - room / keyGroups.length, base, ...scaleOf(numbers, keys) };
  });
  const { log, values } = numbers;
  const scale = log ? Math.log : Number;
  const low = scale(values[0]);
  const high = scale(values.at(-1));
  const x = (value) =>
    left + (high > low ? (scale(value) - low) / (high - low) : 0.5) * (right - left);
  return { x, left, right, top, bottom, size, plots };
}

/** The highest value of some lines. @param {CurveNumbers} numbers @param {string[]} keys */
const largestOf = (numbers, keys) =>
  Math.max(...keys.flatMap((key) => numbers[key]).filter((value) => value !== null));

/** Whether counts lie on a logarithmic scale. @param {CurveNumbers} numbers */
const isLogarithmic = (numbers) => largestOf(numbers, COUNTS) >= LOGARITHMIC_FROM;

/** { share, marks }: how high a number lies, from 0 to 1, and what is written beside the axis. */
function scaleOf(numbers, keys) {
  const largest = largestOf(numbers, keys);
  if (keys.every((key) => ERRORS.includes(key))) {
    const top = Math.min(roundedUp(Math.max(largest, 0.01)), 1);
    return { share: (value) => value / top, marks: [0, top].map((value) => [value, share(value)]) };
  }
  const top = Math.max(largest, 1);
  if (top < LOGARITHMIC_FROM) {
    const nice = roundedUp(top);
    return {
      share: (value) => value / nice,
      marks: [0, nice].map((value) => [value, String(value)]),
    };
  }
  const powers = Array.from({ length: Math.floor(Math.log10(top)) + 1 }, (_, k) => 10 ** k);
  return {
    share: (value) => Math.log1p(value) / Math.log1p(top),
    marks: [0, ...powers].map((value) => [value, whole.format(value)]),
  };
}

/**
 * The names of the properties, in rows under the title: a click chooses one. { name, label, x, y,
 * w, h }
 */
function chipsOf({ rect, unit, palette, curve }) {
  const { numbers, asks } = curve;
  if (!asks || !numbers || rect.h < LEAST_HEIGHT * unit) return [];
  const size = step("label", unit);
  const named = numbers.choices.map(([name, label]) => [name, PROPERTY_WORDS[name] ?? label]);
  const wide = ([, label]) => textWidth(label, size, palette.fonts, 600) + 14 * unit;
  const areOnALine = named.reduce((sum, choice) => sum + wide(choice), 0) <= rect.w;
  let x = rect.x;
  let y = rect.y + 24 * unit;
  return (areOnALine ? named : numbers.choices).map(([name, label]) => {
    const w = textWidth(label, size, palette.fonts, 600) + 12 * unit;
    if (x + w > rect.x + rect.w) {
      x = rect.x;
      y = y + 24 * unit;
    }
    const chip = { name, label, x, y, w, h: 23 * unit };
    x += w + 2 * unit;
    return chip;
  });
}

const headEnd = (frame) => {
  const last = chipsOf(frame).at(-1);
  return last ? last.y + last.h : frame.rect.y + 24 * frame.unit;
};

/** What a value of a line is, and what the dots are, which move with this run; "": no room. */
function captionOf({ rect, unit, palette, curve: { numbers } }) {
  if (rect.h < LEAST_HEIGHT * unit) return "";
  const dots = "dots: this run so far";
  const count = whole.format(numbers.values.length);
  const runs = numbers.seeds > 1 ? `${count} means of ${numbers.seeds} runs` : `${count} runs`;
  const inFull = `lines: ${runs}, each to its end · ${dots}`;
  const captions = isLogarithmic(numbers)
    ? [`${inFull} · ${LOGARITHMIC}`, `${runs} · ${dots} · ${LOGARITHMIC}`, `${dots} · log scale`]
    : [inFull, dots];
  return firstWithin(captions, rect.w, step("small", unit), palette.fonts) ?? "";
}

/**
 * The box that averages over seeds, at the right end of the title; null where it makes no sense.
 */
function toggleOf({ rect, unit, palette, curve: { numbers, asks } }) {
  if (!asks || !numbers || numbers.most < 2) return null;
  const text = `mean of ${numbers.most} seeds`;
  const side = 11 * unit;
  const w = textWidth(text, step("small", unit), palette.fonts) + side + 6 * unit;
  return { text, side, x: rect.x + rect.w - w, y: rect.y, w, h: 20 * unit };
}

/**
 * A value of a curve, or what chooses another curve; a click carries out `act`.
 *
 * @param {number | string} index
 * @param {CurveAct | null} act
 * @returns {Target}
 */
const choosing = (index, act) => ({
  kind: "choice",
  index,
  tells: ({ words }) => ({ place: /** @type {number} */ (index), lines: words, act }),
});

/**
 * What chooses another curve can be pointed at: the box of the seeds, and the names of the
 * properties.
 */
function choiceAreas({ curve: { numbers } }, toggle, chips) {
  const isMean = numbers.seeds > 1;
  const choice = (box, index, act, words) =>
    chart.area(box, { ...choosing(index, act), stop: true, first: true }, () => [words]);
  const seedsWords = isMean ? "click for this seed alone" : `click for the ${toggle?.text}`;
  return [
    ...(toggle ? [choice(toggle, "seeds", { seeds: isMean ? 1 : numbers.most }, seedsWords)] : []),
    ...chips.map((box) =>
      choice(box, box.name, { over: box.name }, `click for curves over ${box.label}`),
    ),
  ];
}

/**
 * Each value can be pointed at in the stretch of the axis that is nearest to it; a click sets it.
 */
function valueAreas({ curve: { numbers, asks } }, { x, top, bottom }) {
  const places = numbers.values.map(x);
  const gaps = places.slice(1).map((place, k) => place - places[k]);
  const reach = [Math.max(LEAST_REACH, ...gaps.map((gap) => gap / 2)), 0];
  return numbers.values.map((value, index) => {
    const act = asks ? { set: { [numbers.name]: value } } : null;
    const words = () => [...aboutValue(numbers, index), ...(asks ? ["click to set it"] : [])];
    const line = { x: places[index], y: top, w: 0, h: bottom - top };
    return chart.area(line, { ...choosing(index, act), stop: true, reach }, words);
  });
}

/** A value of a line. @param {string} key */
const inWords = (key, value) => (ERRORS.includes(key) ? share : mean)(value);

/** @param {CurveNumbers} numbers */
function aboutValue(numbers, place) {
  const { label, seeds, values } = numbers;
  const lines = Object.entries(LINES).filter(([key]) => numbers[key][place] !== null);
  return [
    `${label} = ${written(numbers, values[place])}${seeds > 1 ? `, mean of ${seeds} seeds` : ""}`,
    ...lines.map(([key, line]) => `${line.label} ${inWords(key, numbers[key][place])}`),
  ];
}

/** @param {PanelScene} scene */
function curveMarks(scene) {
  const { rect, unit, palette, curve } = scene;
  const { numbers, why, stale } = curve;
  const scale = numbers && isLogarithmic(numbers) && !captionOf(scene) ? `, ${LOGARITHMIC}` : "";
  const over = numbers ? `Curves over ${numbers.label}` : "Curves over a setting";
  const waiting = numbers && stale ? ": …" : "";
  const toggle = toggleOf(scene);
  // The title leaves the room free that the box of the seeds takes.
  const roomOfToggle = toggle
    ? " ".repeat(Math.ceil(toggle.w / textWidth(" ", step("small", unit), palette.fonts)))
    : "";
  const averaged = numbers && !toggle && numbers.seeds > 1;
  const atRight = averaged ? `mean of ${numbers.seeds} seeds` : roomOfToggle;
  const titles = { text: over + scale + waiting, short: over + waiting };
  const title = heading(scene, titles, { text: atRight, size: step("small", unit) });
  if (!numbers) return [...title, ...whyNot(scene, why || BUSY)];
  const chips = chipsOf(scene);
  const moving = [
    ...title,
    ...(toggle ? toggleMarks(scene, toggle) : []),
    ...chips.flatMap((place) => chipMarks(scene, place)),
    ...choiceAreas(scene, toggle, chips),
  ];
  const places = placesOf(scene);
  if (places.plots.some(({ top, base }) => base - top < 2 * places.size)) return moving;
  const key = JSON.stringify([numbers, stale, palette.dark, rect]);
  return {
    still: [{ key, marks: () => plots(scene, places) }],
    moving: [
      ...moving,
      ...caption(scene),
      ...(stale ? [] : [...valueAreas(scene, places), ...marker(scene, places)]),
    ],
  };
}

/** @param {PanelScene} scene @returns {Mark[]} */
function caption(scene) {
  const { rect, unit, palette } = scene;
  const size = step("small", unit);
  const look = { size, fill: palette.quiet, name: "caption" };
  return [chart.text(rect.x, headEnd(scene) + 4 * unit + size, captionOf(scene), look)];
}

function toggleMarks({ unit, palette, curve: { numbers } }, { text, side, x, y }) {
  const top = y + 4.5 * unit;
  const middle = y + 10 * unit;
  const tick = [
    x + 2 * unit,
    middle,
    x + 4.5 * unit,
    middle + 3 * unit,
    x + 9 * unit,
    middle - 3.5 * unit,
  ];
  const look = /** @type {const} */ ({
    baseline: "middle",
    size: step("small", unit),
    fill: palette.quiet,
    name: "seeds",
  });
  return [
    chart.rect(x, top, side, side, { stroke: palette.quiet, width: 1.2 * unit, radius: 2 * unit }),
    ...(numbers.seeds > 1
      ? [chart.line(tick, { stroke: palette.accent, width: 2 * unit, name: "ticked" })]
      : []),
    chart.text(x + side + 5 * unit, middle, text, look),
  ];
}

function chipMarks({ unit, palette, curve: { numbers } }, { name, label, x, y, w, h }) {
  const on = name === numbers.name;
  const middle = /** @type {const} */ ({ align: "center", baseline: "middle" });
  const look = { ...middle, size: step("label", unit), weight: on ? 600 : 400 };
  return [
    ...(on
      ? [
          chart.rect(x, y, w, h, {
            fill: palette.panel,
            stroke: palette.accent,
            width: 1,
            radius: h / 2,
          }),
        ]
      : []),
    chart.text(x + w / 2, y + h / 2, label, {
      ...look,
      fill: on ? palette.accent : palette.quiet,
      name: "over",
    }),
  ];
}

function plots(scene, places) {
  const { palette, unit, curve } = scene;
  const { left, right, plots: all, size } = places;
  const alpha = curve.stale ? STALE_OPACITY : 1;
  return [
    ...all.flatMap((plot) => [
      chart.rect(left, plot.top, right - left, plot.base - plot.top, { fill: palette.panel }),
      chart.rect(left, plot.base, right - left, 1, { fill: palette.rule }),
      ...besideAxis(plot, palette, left, size),
      ...plot.keys.map((key) => line(scene, places, plot, key, alpha)),
      ...labels(scene, places, plot, alpha),
    ]),
    ...underAxis(scene, places, unit),
  ];
}

/** What is written beside an axis, 0 and the highest first where there is no room for all. */
function besideAxis({ marks, share: shareOf, top, base }, { quiet: fill }, left, size) {
  const labelMarks = [];
  const taken = [];
  for (const [value, text] of [marks[0], ...marks.slice(1).reverse()]) {
    const y = base - shareOf(value) * (base - top);
    const apart = value > 1 ? BETWEEN_POWERS : BETWEEN_MARKS;
    if (taken.some((other) => Math.abs(other - y) < apart * size)) continue;
    taken.push(y);
    labelMarks.push(
      chart.text(left - 4, y, text, { align: "right", baseline: "middle", size, fill }),
    );
  }
  return labelMarks;
}

/** @returns {Mark} */
function line(
  { palette, unit, curve: { numbers } },
  { x },
  { share: shareOf, top, base },
  key,
  alpha,
) {
  const points = numbers.values.flatMap((value, k) => {
    const measured = numbers[key][k];
    return measured === null ? [] : [x(value), base - shareOf(measured) * (base - top)];
  });
  const { dash } = LINES[key];
  return chart.line(points, { stroke: palette.ink, dash, width: 2 * unit, alpha, name: key });
}

/** The names of the lines at their ends, apart from each other. */
function labels(
  { palette, unit, curve: { numbers } },
  { right, size },
  { keys, share: shareOf, top, base },
  alpha,
) {
  const ends = keys
    .map((key) => ({
      key,
      y: Math.min(
        base - shareOf(numbers[key].findLast((value) => value !== null)) * (base - top),
        base - 0.6 * size, // Below it the axis has its name.
      ),
    }))
    .sort((a, b) => a.y - b.y);
  const apart = 1.15 * size;
  if (ends.length > 1 && ends[1].y - ends[0].y < apart) {
    const middle = Math.min(Math.max((ends[0].y + ends[1].y) / 2, top + apart / 2), base - apart);
    ends[0].y = middle - apart / 2;
    ends[1].y = middle + apart / 2;
  }
  return ends.map(({ key, y }) =>
    chart.text(right + 6 * unit, y, LINES[key].label, {
      baseline: "middle",
      size,
      fill: palette.ink,
      alpha,
      name: "label",
    }),
  );
}

/** Round values under the axis, as many as there is room for, and at its end its name. */
function underAxis({ palette, curve: { numbers } }, { x, left, right, bottom, size }, unit) {
  const tickMarks = [];
  const taken = [];
  for (const value of ticks(numbers)) {
    const text = written(numbers, value);
    const half = textWidth(text, size, palette.fonts) / 2 + 5 * unit;
    const at = x(value);
    if (
      at < left - 1 ||
      at > right + 1 ||
      taken.some(([place, room]) => Math.abs(place - at) < room + half)
    ) {
      continue;
    }
    taken.push([at, half]);
    tickMarks.push(chart.rect(at - 0.5, bottom, 1, 4 * unit, { fill: palette.quiet }));
    tickMarks.push(
      chart.text(at, bottom + 15 * unit, text, { align: "center", size, fill: palette.quiet }),
    );
  }
  const look = { size: Math.max(size, step("label", unit)), weight: 600, fill: palette.ink };
  const name = chart.text(right + 14 * unit, bottom + 15 * unit, numbers.label, look);
  return [...tickMarks, { ...name, name: "axis" }];
}

/** A line at the value that is set, with this run so far, and dots where the pointer touches. */
function marker(scene, { x, top, bottom, plots: all }) {
  const { palette, unit, curve, run, t, covered } = scene;
  const { numbers, now, place } = curve;
  const low = numbers.values[0];
  const high = numbers.values.at(-1);
  const at = x(Math.min(Math.max(now, low), high));
  /** @type {Mark[]} */
  const marks = [
    chart.line([at, top, at, bottom], { stroke: palette.ink, width: 1.5 * unit, name: "now" }),
  ];
  const hidden = covered();
  const dotsAt = (px, name, valueOf) =>
    all.flatMap(({ keys, share: shareOf, top: plotTop, base }) =>
      keys.flatMap((key) => {
        const value = valueOf(key);
        if (value === null) return [];
        const look = { fill: palette.ink, stroke: palette.paper, width: 1.5 * unit, name, value };
        const y = base - Math.min(shareOf(value), 1) * (base - plotTop);
        return [chart.circle(px, y, 4 * unit, look)];
      }),
    );
  const soFar = (key) => {
    const { soFar: name, task } = LINES[key];
    return hidden.has(task) ? null : NUMBERS[name].at(run, t);
  };
  if (captionOf(scene)) marks.push(...dotsAt(at, "so far", soFar));
  if (place === null) return marks;
  const touched = dotsAt(x(numbers.values[place]), "touched", (key) => numbers[key][place]);
  return [...marks, ...touched];
}

/**
 * Each curve by its ends, where it is least, and what it is at the value that is set.
 *
 * @param {PanelScene} scene
 * @returns {string[]}
 */
function summary({ curve }) {
  const { numbers, why, stale, now } = curve;
  if (!numbers || stale) return [why || BUSY];
  const { label, values, seeds } = numbers;
  const ends = [values[0], values.at(-1)].map((value) => written(numbers, value));
  const averaged = seeds > 1 ? `, means of ${seeds} seeds` : "";
  return [
    `Over ${label} from ${ends[0]} to ${ends[1]}, ${values.length} values${averaged}.`,
    ...Object.keys(LINES).flatMap((key) => alongCurve(numbers, key, now)),
  ];
}

/** @param {CurveNumbers} numbers */
function alongCurve(numbers, key, now) {
  const { label, log, values } = numbers;
  const line = numbers[key];
  if (line.some((value) => value === null)) return [];
  const scale = log ? Math.log : Number;
  const far = values.map((value) => Math.abs(scale(value) - scale(now)));
  const near = far.indexOf(Math.min(...far));
  const least = line.indexOf(Math.min(...line));
  const at = (place) =>
    `${inWords(key, line[place])} at ${label} = ${written(numbers, values[place])}`;
  return [
    `${capitalized(LINES[key].label)}: ${at(0)}, ${at(values.length - 1)}; least ${at(least)}; nearest to the value that is set, ${at(near)}.`,
  ];
}

/** @type {PanelObject} */
export const curvePanel = {
  name: "curve",
  marks: curveMarks,
  summary,
  alone: true,
  walkable: true,
};
