// The histogram of margins y f(x) of the training examples.

import { chart, heading } from "./chart.js";
import { BINS, binOf, histogram, normTitle } from "../run/series.js";
import { textWidth, wrap } from "../paint/measure.js";
import { brief, counted, number, SIGNS, example, listed, whole } from "../run/words.js";
import { streamMarks } from "./stream.js";
import { errors } from "../run/run.js";
import { fittingStep, step } from "../board/scale.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Mark, PanelObject } from "../board/types.d.ts" */

const LEAST_BARS = 12; // In px, where the unit is 1: lower bars could not be seen.
const MOST_NAMED = 6; // So many examples of a bin are named.
const MARGINS = "How far each point is on the right side of 0.";

/** @param {PanelScene} scene */
function marginsMarks(scene) {
  if (scene.run.stream) return streamMarks(scene);
  const { run, rect, palette, standing, hot, current, pair, unit, normed, learnt, asking, beat } =
    scene;
  // The scale is that of t: so it stands still until the change of a step is shown.
  const { margins, limit, counts } = histogram(run, standing, normed, scene.t);
  const { base, w, room } = geometry(rect, unit);
  // Bars that stand still are painted again only if one of these changes.
  const key = [
    run.id,
    palette.dark,
    run.version(learnt),
    normed,
    limit,
    run.isBlank(learnt),
  ].join();
  const highest = Math.max(...counts, 1);
  const heights = Float64Array.from(counts, (count) => count / highest);
  // Bars on their way to new heights are made in each frame.
  const blended = learnt > 0 ? scene.blended(heights, key) : null;
  const barMarks = () => bars(scene, { limit, counts, margins }, blended ?? heights);
  /** @type {Mark[]} */
  const moving = blended ? barMarks() : [];
  const hasRoom = room >= LEAST_BARS * unit;
  const showsCurrent = !beat && !scene.fast && !asking && current !== null && learnt > 0;
  // The bar of the step's example has an outline, unless the example is shown hopping.
  if (showsCurrent && hasRoom) {
    const bins = new Set((pair ?? [current]).map((i) => binOf(margins[i], limit)));
    for (const bin of bins) {
      const bar = barOf(scene, bin, counts, blended ?? heights);
      moving.push({ ...bar, stroke: palette.ink, width: 2.5, name: "current" });
    }
  }
  // Examples that are touched have a wedge on their bar; those held out are in none.
  for (const i of hot) {
    if (i >= run.n) continue;
    const x = rect.x + (binOf(margins[i], limit) + 0.5) * w;
    // It stands on its bar, since words stand below.
    const points = [x, base - 9, x - 5, base - 2, x + 5, base - 2, x, base - 9];
    moving.push(chart.line(points, { stroke: palette.paper, width: 5 }));
    moving.push(chart.line(points, { stroke: palette.ink, width: 2, lit: i }));
  }
  if (beat && hasRoom) moving.push(...hopping(scene, heights));
  return { still: blended ? [] : [{ key, marks: barMarks }], moving };
}

function geometry(rect, unit) {
  const foot = 18 * unit;
  return {
    top: rect.y + 24 * unit,
    base: rect.y + rect.h - foot,
    room: rect.h - 24 * unit - foot,
    w: rect.w / (2 * BINS),
  };
}

/**
 * The margin of this step's example as a dot; at the change it hops to where it is then, and an
 * outline keeps the bars that were there before.
 */
function hopping(scene, heights) {
  const { run, rect, palette, unit, normed, beat, current, earlier } = scene;
  if (beat.name === "example") return [];
  const { base, w, room, top } = geometry(rect, unit);
  const before = histogram(run, earlier, normed, scene.t);
  const countsBefore = [...before.counts];
  const heightsBefore = countsBefore.map((count) => count / Math.max(...countsBefore, 1));
  const r = 4.5 * unit;
  const placed = (margin, bars) => {
    const bin = binOf(margin, before.limit);
    return [rect.x + (bin + 0.5) * w, base - bars[bin] * room - r];
  };
  const [x, y] = placed(before.margins[current], heightsBefore);
  /** @satisfies {Partial<Mark>} */
  const dot = { kind: "circle", r, stroke: palette.ink, width: 1.5 * unit, name: "dot" };
  if (beat.name === "score") return [{ ...dot, x, y: Math.max(y, top + r), fill: palette.warning }];
  const after = histogram(run, scene.reading, normed, scene.t);
  const marginAfter = after.margins[current];
  const [toX, toY] = placed(marginAfter, heights);
  const share = Math.min(2 * beat.share, 1); // It lands half way through the beat.
  // In the middle of its way it is half the room higher than on a straight line.
  const dotY = y + share * (toY - y) - 2 * room * share * (1 - share);
  const highest = Math.max(...after.counts, 1);
  const outline = countsBefore
    .map((count) => Math.min(count / highest, 1))
    .flatMap((part, bin) => {
      const barTop = base - part * room;
      return [rect.x + bin * w, barTop, rect.x + (bin + 1) * w, barTop];
    });
  return [
    chart.line(outline, { stroke: palette.quiet, width: 1.2 * unit, name: "before" }),
    {
      ...dot,
      x: x + share * (toX - x),
      y: Math.max(dotY, top + r),
      fill: share < 0.5 || marginAfter <= 0 ? palette.warning : palette.good,
    },
  ];
}

function barOf({ rect, palette, unit }, bin, counts, heights) {
  const { base, room, w } = geometry(rect, unit);
  const h = heights[bin] * room;
  const fill = bin < BINS ? palette.warning : palette.good;
  return chart.rect(rect.x + bin * w + 0.5, base - h, w - 1, h, { fill, bin, count: counts[bin] });
}

/** @returns {Mark[]} */
function bars(
  { run, rect, palette, unit, normed, learnt: t },
  { limit, counts, margins },
  heights,
) {
  const { top, base, room } = geometry(rect, unit);
  const highest = Math.max(...counts, 1);
  const blank = run.isBlank(t);
  const size = step("small", unit);
  const on = margins.reduce((sum, margin) => sum + (margin === 0), 0);
  const wrong = counts.subarray(0, BINS).reduce((sum, count) => sum + count, 0);
  const wrongWords = `${wrong} of ${run.n} wrong`;
  const note = t === 0 ? "" : on ? `${wrongWords} or on the boundary` : wrongWords;
  const sign = SIGNS[run.header.settings.predictor];
  const symbols = normed
    ? ` y·${sign}(x) / ${run.initial ? normTitle(run) : `‖${sign}‖`}`
    : ` y·${sign}(x)`;
  const title = `Margins${run.symbols ? symbols : ""}`;
  /** @type {Mark[]} */
  const marks = [
    ...heading({ rect, unit, palette }, title, {
      text: note,
      short: note.replace(/ wrong.*/, " ≤ 0"),
      size,
    }),
  ];
  marks.push(
    chart.area(rect, { kind: "words" }, () => [run.symbols ? run.header.words.margin : MARGINS]),
  );
  if (room < LEAST_BARS * unit) return marks;
  marks.push(
    chart.rect(rect.x, top, rect.w / 2, room, { fill: palette.panel }),
    chart.rect(rect.x, base, rect.w, 1, { fill: palette.rule }),
  );
  const ids = membersOf(margins, limit);
  for (let bin = 0; bin < 2 * BINS && !blank; bin++) {
    const bar = barOf({ rect, palette, unit }, bin, counts, heights);
    if (bar.h >= 0.05) {
      marks.push({ ...bar, alpha: 0.72, ...aboutBin(run, ids[bin], margins, normed) });
    }
  }
  const halves = highest % 2 === 0 && highest >= 4 && room > 26 * unit;
  const axisCounts = halves ? [highest / 2, highest] : [highest];
  for (const count of blank ? [] : axisCounts) {
    const look = {
      size: step("small", unit),
      fill: palette.quiet,
      halo: palette.panel,
      name: "axis",
    };
    marks.push(
      chart.text(rect.x + 4, base - (count / highest) * room + 11 * unit, `${count}`, look),
    );
  }
  const middle = rect.x + rect.w / 2;
  const below = base + 13 * unit;
  const limits = [-limit, limit].map((value) => brief(number(value)));
  marks.push(
    chart.line([middle, top, middle, base], { stroke: palette.ink, width: 1.5, dash: [4, 3] }),
    chart.text(middle, below, "0", { size, align: "center", fill: palette.ink, weight: 600 }),
    chart.text(rect.x, below, limits[0], { size, fill: palette.quiet }),
    chart.text(rect.x + rect.w, below, limits[1], { size, align: "right", fill: palette.quiet }),
    ...sides(rect, below, size, palette, limits),
  );
  return blank
    ? marks.concat(
        emptyWords(
          rect,
          palette,
          unit,
          run.n ? `${sign} = 0: every margin is still 0.` : `${sign} = 0`,
        ),
      )
    : marks;
}

/** What each side of 0 means, where there is room beside the numbers. */
function sides(rect, y, size, palette, limits) {
  const wide = (text) => textWidth(text, size, palette.fonts);
  const words = ["wrong side", "right side"];
  if (Math.max(...limits.map(wide)) + Math.max(...words.map(wide)) / 2 + 0.4 * size > rect.w / 4) {
    return [];
  }
  return words.map((text, k) =>
    chart.text(rect.x + rect.w * (0.25 + 0.5 * k), y, text, {
      size,
      align: "center",
      fill: palette.quiet,
    }),
  );
}

/** While f is 0: this on the left of the line at 0, and on the right what the bars will show. */
function emptyWords(rect, palette, unit, zero) {
  const { top, room } = geometry(rect, unit);
  const sides = [zero, "Bars will count the examples here."];
  const size = fittingStep("label", unit, (candidate) =>
    sides.every((words) => textWidth(words, candidate, palette.fonts) <= 0.47 * rect.w),
  );
  return sides.flatMap((words, k) => {
    const lines = wrap(words, 0.48 * rect.w, size, palette.fonts);
    if (lines.length * 1.25 * size > room) return [];
    return lines.map((text, line) =>
      chart.text(
        rect.x + rect.w * (0.25 + 0.5 * k),
        top + room / 2 + (line - (lines.length - 1) / 2) * 1.25 * size,
        text,
        { baseline: "middle", size, align: "center", fill: palette.quiet, name: "to come" },
      ),
    );
  });
}

/** The examples of each bin. @param {Float64Array} margins @returns {number[][]} */
function membersOf(margins, limit) {
  const members = Array.from({ length: 2 * BINS }, () => []);
  margins.forEach((margin, i) => members[binOf(margin, limit)].push(i));
  return members;
}

/**
 * What a bar is about; nothing, where it is on its way down in a bin that is empty already.
 *
 * @param {number[]} ids
 */
function aboutBin(run, ids, margins, normed) {
  if (!ids.length) return {};
  const target =
    ids.length === 1 ? { kind: "example", index: ids[0] } : { kind: "examples", index: ids };
  return {
    target: { ...target, reach: [0.5, Infinity] },
    words: () => binWords(run, ids, margins, normed),
  };
}

/**
 * What a bin tells: of one example nothing but its normed margin, of several which they are, and
 * their ends.
 */
function binWords(run, ids, margins, normed) {
  const what = normed ? `margin/${normTitle(run)}` : "margin";
  if (ids.length === 1) return normed ? [`${what} ${number(margins[ids[0]])}`] : [];
  const named = ids.slice(0, MOST_NAMED).map(example).join(", ");
  const values = ids.map((i) => margins[i]);
  return [
    `${counted(ids.length, "example")} in this bin: ${named}${ids.length > MOST_NAMED ? " …" : ""}`,
    `${what} ${number(Math.min(...values))} to ${number(Math.max(...values))}`,
  ];
}

/** Which margins are not above 0, and their ends. @param {PanelScene} scene @returns {string[]} */
function summary({ run, t, covered, reading: { scores } }) {
  if (run.stream) return [];
  const margins = Float64Array.from({ length: run.n }, (_, i) => run.y[i] * scores[i]);
  const order = [...margins.keys()].sort((a, b) => margins[a] - margins[b]);
  const wrong = order.filter((i) => margins[i] <= 0);
  const least = order[0];
  const most = order.at(-1);
  if (t === 0 && run.isBlank(t)) return ["Not started: every margin is 0."];
  const first = `${wrong.length} of ${run.n} not above 0`;
  const held = errors(run, run.predictor.kind, { scores }).test;
  const tells = run.nTest > 0 && !covered().has("heldout"); // Unless a task asks for it.
  return [
    wrong.length && wrong.length < run.n ? `${first}: ${listed(wrong)}.` : `${first}.`,
    `The smallest is ${number(margins[least])}, of ${example(least)}; the largest ${number(margins[most])}, of ${example(most)}.`,
    ...(tells
      ? [`Of those held out ${whole.format(held)} of ${whole.format(run.nTest)} are wrong.`]
      : []),
  ];
}

/** @type {PanelObject} */
export const marginsPanel = { name: "margins", marks: marginsMarks, summary, walkable: true };
