// Bricks: one column for each support example, in the order in which they came, one brick for each
// mistake on it; bars where alpha is no count. In a high panel those of class −1 hang below the
// names, so that the bricks fill it and need not be stretched.

import { chart, heading, pixelOf } from "./chart.js";
import { textWidth, wrap } from "../paint/measure.js";
import { countBelow, perRun } from "../run/trace.js";
import {
  alphaTitle,
  amount,
  example,
  label,
  listed,
  number,
  subscript,
  typeset,
  whole,
} from "../run/words.js";
import { fittingStep, step } from "../board/scale.js";

/** @import { Run } from "../run/run.js" */
/** @import { PanelScene } from "../board/scene.js" */
/** @import { StyledText } from "./chart.js" */
/** @import { Mark, PanelObject, Pointed, Rect } from "../board/types.d.ts" */

const NARROWEST_COLUMN = 3; // In px: a narrower column shows no bricks.
// In px: in narrower columns the colours of neighbours mix, so each class stands for itself.
const CROWDED_COLUMN = 2;
const MOST_STACKED = 20; // More bricks in a column are hair lines: one bar stands for them.

const LEAST_GUTTER = 16; // In px, for the numbers beside the bricks.
const DIGIT_WIDTH = 6.2; // In px.

const LEAST_COLUMNS = 8; // There is room for so many from the start.
const LINE_HEIGHT = 1.25; // Relative to the type.
// In px, where the unit is 1: a brick is so high at least as long as there is room.
const LEAST_BRICK = 20;
const ALONE = 1.5; // So much higher is a brick as long as none lies on another.
const TALLEST = 1.5; // A brick that is taller, relative to its width, looks like a bar.
const MOSTLY = 0.8; // Two rows of bricks fill the panel if they have this share of its height.
// In px, where the unit is 1: the names under the columns, and the panel's title.
const FOOT = 18;
const HEAD = 24;
const TWO_SIDED = 0.5; // A higher panel, relative to its width, has class −1 below the names.

// At this share of a change that is shown happening the new brick is in its place.
const LANDED = 0.6;

// An example's place is its number among the support examples, that of its column in the order in
// which columns are painted is its position.

/** An order of places, and the position of each place in it. @param {number[]} order */
function withPositions(order) {
  const positionOf = Array(order.length);
  order.forEach((place, position) => {
    positionOf[place] = position;
  });
  return { order, positionOf };
}

/** The places of the examples by class, +1 first. */
const byClass = perRun((run) => {
  const { support } = run.trace;
  return withPositions(
    [1, -1].flatMap((sign) =>
      [...support.keys()].filter((place) => run.y[support[place]] * sign > 0),
    ),
  );
});

/** The places as they are taken, so that no gap tells what is to come. */
const asTheyCome = perRun(({ trace: { start, place, support } }) =>
  withPositions([...new Set([...start.place, ...place, ...support.keys()])]),
);

/**
 * α of an example with so many mistakes, for the scale: so exact that no bar shows the difference.
 */
const alphaOnScale = ({ trace }, count) => {
  const value = count * trace.unit;
  return typeset(String(Number.isInteger(value) ? value : Number(value.toPrecision(3))));
};

/** How many bricks the highest stack has, at least one. */
const highestStackAt = ({ trace }, t) =>
  trace.support.reduce((most, i) => Math.max(most, trace.mistakesOn(i, t)), 1);

/**
 * For how many bricks each column has room: for as many as fit, and if the highest stack has more,
 * for the next power of two.
 */
const roomFor = (highestStack, bricksThatFit) =>
  highestStack <= bricksThatFit ? bricksThatFit : 2 ** Math.ceil(Math.log2(highestStack));

/** px for the longest number that stands beside the bricks at any instant. */
const gutterOf = perRun((run) => {
  let longest = 0;
  // The scale has labels at the room and at its half, and the room doubles: these are all labels
  // that there can be.
  for (let room = roomFor(highestStackAt(run, run.nSteps), 1); room >= 1; room /= 2) {
    longest = Math.max(longest, alphaOnScale(run, room).length);
  }
  return Math.max(LEAST_GUTTER, DIGIT_WIDTH * (longest + 1));
});

/**
 * At which of the changes of single coefficients each column comes, without the columns that are
 * there at the start.
 */
const arrivals = perRun(({ trace: { start, place } }) => {
  const seen = new Set(start.place);
  /** @type {number[]} */
  const firstChanges = [];
  for (const [k, changedPlace] of place.entries()) {
    if (seen.has(changedPlace)) continue;
    seen.add(changedPlace);
    firstChanges.push(k);
  }
  return firstChanges;
});

/**
 * For how many columns there is room: for those that are there, and so many more that it is seldom
 * that all move. What is to come is not told.
 *
 * @param {Run} run
 */
function slotsAt(run, t) {
  const { trace } = run;
  // `pointer` has the number of changes of single coefficients before each change of the run.
  const changes = trace.pointer[trace.changesBefore(t)];
  const columnCount = new Set(trace.start.place).size + countBelow(arrivals(run), changes);
  const slots = 2 ** Math.ceil(Math.log2(Math.max(columnCount, LEAST_COLUMNS)));
  return Math.min(slots, Math.max(trace.support.length, 1));
}

/**
 * Where the columns of an instant are, in px.
 *
 * @typedef {object} ColumnGeometry
 * @property {number} w the width of a column
 * @property {boolean} crowded whether columns are so narrow that they stand by class
 * @property {number[]} order the places, from left to right: as they come, or by class
 * @property {(place: number) => number} x the left end of a column
 * @property {number} h the height of a brick; of bars, that of α = 1
 * @property {boolean} bars whether a column is one bar, in place of bricks
 * @property {number} base the y of the line on which columns stand
 * @property {number | null} under the y of the line from which those of class −1 hang; null: all
 *   stand
 * @property {(place: number) => boolean} hangs whether a column hangs
 * @property {(place: number, count: number) => number} topOf the y of the upper end of a column
 *   with so many bricks, or with this α: one that hangs begins at `under`, whatever it has
 * @property {number} room how many bricks the scale beside the columns goes up to; 0: there is none
 */

/**
 * So that bricks rarely move while one plays, the number of columns and the height of a stack are
 * doubled when they are too small. If a stack is higher than fits, there is a scale.
 *
 * @returns {ColumnGeometry}
 */
function columns(run, rect, unit, t) {
  const heightForBricks = rect.h - HEAD * unit - FOOT * unit;
  const { counts } = run.header.about;
  const isTwoSided = counts && heightForBricks > TWO_SIDED * rect.w;
  const heightPerClass = isTwoSided ? heightForBricks / 2 : heightForBricks;
  const slots = slotsAt(run, t);
  const tallestBrick = Math.max((TALLEST * rect.w) / slots, LEAST_BRICK * unit);
  // Two rows of bricks fill the panel; where columns are narrow they stand near its title.
  const brickSide = Math.min(Math.max(heightPerClass / 2, LEAST_BRICK * unit), tallestBrick);
  const bricksThatFit = Math.max(Math.floor(heightPerClass / brickSide), 1);
  const highestStack = counts ? highestStackAt(run, t) : 1;
  const hasScale = highestStack > bricksThatFit;
  const gutter = hasScale ? gutterOf(run) * unit : 0;
  const w = Math.min((rect.w - gutter) / slots, ALONE * brickSide + 2);
  const crowded = w < CROWDED_COLUMN;
  const { order, positionOf } = crowded ? byClass(run) : asTheyCome(run);
  const across = {
    w,
    crowded,
    order,
    x: (/** @type {number} */ place) => rect.x + gutter + positionOf[place] * w,
  };
  if (!counts) return { ...across, ...barHeights(run, rect, unit, heightForBricks) };
  // Room for two rows, or for one where no more fits; for a higher stack it doubles.
  const stackRoom = roomFor(highestStack, Math.min(bricksThatFit, 2));
  const sizes = { highestStack, stackRoom, heightPerClass, brickSide, tallestBrick };
  const { h, heightOfRows } = stackHeights(sizes);
  const base = rect.y + HEAD * unit + (isTwoSided ? heightPerClass : heightOfRows);
  const under = isTwoSided ? base + FOOT * unit : null;
  const hangs = (/** @type {number} */ place) => isTwoSided && run.y[run.trace.support[place]] < 0;
  return {
    ...across,
    h,
    bars: w < NARROWEST_COLUMN || h < NARROWEST_COLUMN || stackRoom > MOST_STACKED,
    base,
    under,
    hangs,
    topOf: (place, count) => (hangs(place) ? under : base - count * h),
    room: hasScale ? stackRoom : 0,
  };
}

/**
 * The height of a brick, and that of the rows which stand on the line. While no brick lies on
 * another, the line is where it will be under two rows. If two rows are much lower than the panel,
 * one row would stand in the middle of an empty panel there: the line is right under it.
 */
function stackHeights({ highestStack, stackRoom, heightPerClass, brickSide, tallestBrick }) {
  const isOneRow = highestStack === 1;
  const h = isOneRow
    ? Math.min(heightPerClass, ALONE * brickSide, tallestBrick)
    : Math.min(heightPerClass / stackRoom, brickSide);
  const isLineUnderOneRow = isOneRow && 2 * brickSide < MOSTLY * heightPerClass;
  const heightOfRows = isLineUnderOneRow ? h : Math.max(stackRoom, 2) * brickSide;
  return { h, heightOfRows: Math.min(heightPerClass, heightOfRows) };
}

/** The heights where α is no count: each column is a bar, from the line at α = 0 up or down. */
function barHeights(run, rect, unit, height) {
  const { alphaLimit, alphaLow } = run.header;
  const h = height / (alphaLimit - alphaLow);
  const base = rect.y + rect.h - FOOT * unit + alphaLow * h;
  return {
    h,
    bars: true,
    base,
    under: null,
    hangs: () => false,
    topOf: (/** @type {number} */ _place, /** @type {number} */ alpha) =>
      base - Math.max(alpha, 0) * h,
    room: 0,
  };
}

/** The y of the upper end of a brick of a column; the bricks are counted from the names. */
const topOfBrick = ({ topOf, hangs, h }, place, brick) =>
  hangs(place) ? topOf(place, 0) + brick * h : topOf(place, brick + 1);

/** @param {PanelScene} scene */
function alphaMarks(scene) {
  const { run, palette, hot, current, rect, unit } = scene;
  // Bricks come after t where steps come fast, and until the change of a step is shown.
  const t = scene.grown;
  const geometry = columns(run, rect, unit, t);
  const { w, h, bars, x, topOf } = geometry;
  const { trace } = run;
  const flight = flightOf(scene);
  const hasNewBrick = t > 0 && trace.mistake[t - 1] && !bars && !flight;
  const moving = [];
  trace.support.forEach((i, place) => {
    if (i !== current && !hot.has(i)) return;
    const count = levelOf(run, i, t);
    if (!count) return;
    const isNewest = hasNewBrick && i === current && i === trace.index[t - 1];
    if (isNewest) {
      const look = {
        radius: Math.min(2, h / 4),
        stroke: palette.ink,
        width: 2 * unit,
        name: "newest",
      };
      const top = topOfBrick(geometry, place, count - 1);
      moving.push(chart.rect(x(place) + 1, top + 0.5, w - 2, h - 1, look));
    }
    if (hot.has(i)) {
      const look = { stroke: palette.ink, width: 2, lit: i };
      moving.push(chart.rect(x(place), topOf(place, count) - 2, w, Math.abs(count) * h + 4, look));
    }
  });
  const hides = scene.covered().has("support");
  // Columns are painted again only if one of these changes. At the end of a run an empty panel says
  // that nothing came (see `toCome`).
  const key = [
    run.id,
    palette.dark,
    t === run.nSteps,
    run.trace.changesBefore(t),
    hides,
    run.symbols,
    flight !== null,
    scene.letter,
  ].join();
  return { still: [{ key, marks: () => columnMarks(scene, t, flight) }], moving };
}

/**
 * The brick of the step that is shown happening, on its way from its point to the panel: its place,
 * and how far it has come; null where none flies.
 *
 * @param {PanelScene} scene
 */
function flightOf({ run, beat, t, rect, unit }) {
  const { trace } = run;
  const isFlying = beat?.name === "change" && beat.share < LANDED;
  if (!isFlying || !run.plane || !run.header.about.counts || !trace.mistake[t - 1]) return null;
  if (columns(run, rect, unit, t).bars) return null;
  const progress = beat.share / LANDED;
  const share = progress * progress * (3 - 2 * progress); // It starts and lands softly.
  return { place: trace.support.indexOf(trace.index[t - 1]), share };
}

/**
 * The brick that flies, and what it touches on its whole way; null where none flies.
 *
 * @param {PanelScene} scene of the panel
 * @returns {{ rect: Rect, marks: Mark[] } | null}
 */
export function flyingBrick(scene) {
  const flight = flightOf(scene);
  if (!flight) return null;
  const { run, rect, palette, unit, t } = scene;
  const geometry = columns(run, rect, unit, t);
  const { w, h, x } = geometry;
  const i = run.trace.support[flight.place];
  const left = x(flight.place) + 1;
  const top = topOfBrick(geometry, flight.place, levelOf(run, i, t) - 1) + 0.5;
  const wide = w - 2;
  const high = h - 1;
  const [px, py] = pixelOf(scene, i);
  const along = (from, to) => from + flight.share * (to - from);
  const look = { fill: palette.ofClass(run.y[i]), stroke: palette.ink, width: 2 * unit, i };
  const brick = { ...look, radius: Math.min(2, h / 4), name: "newest" };
  const from = { x: px - wide / 2, y: py - high / 2 };
  const edge = 2 * unit;
  return {
    rect: {
      x: Math.min(from.x, left) - edge,
      y: Math.min(from.y, top) - edge,
      w: Math.abs(from.x - left) + wide + 2 * edge,
      h: Math.abs(from.y - top) + high + 2 * edge,
    },
    marks: [chart.rect(along(from.x, left), along(from.y, top), wide, high, brick)],
  };
}

/** All that is painted again only if the columns change. */
function columnMarks(scene, t, flight) {
  const { run, rect, palette, unit } = scene;
  const geometry = columns(run, rect, unit, t);
  const { w, h, base, under, bars, x, room, crowded, order } = geometry;
  const { counts } = run.header.about;
  const hides = scene.covered().has("support"); // A task asks how many there are.
  const note = hides ? null : (counts ? remembered : besideBars)(run, unit, t, crowded);
  /** @type {Mark[]} */
  const marks = [
    ...heading(scene, titleIn(scene, t, geometry, note), note),
    chart.rect(rect.x, base, rect.w, 1, { fill: palette.rule }),
  ];
  if (under) marks.push(chart.rect(rect.x, under - 1, rect.w, 1, { fill: palette.rule }));
  if (room) marks.push(...numbers(scene, { base, under, h, room }));
  let isEmpty = true;
  for (const [position, place] of order.entries()) {
    const count = levelOf(run, run.trace.support[place], t);
    if (!count) continue;
    isEmpty = false;
    if (bars) marks.push(bar(scene, geometry, place, count));
    else {
      const isFlying = flight?.place === place;
      marks.push(...bricks(scene, geometry, place, isFlying ? count - 1 : count));
    }
    marks.push(...nameBelow(scene, place, { w, base, x, position }));
  }
  if (!counts) marks.push(...optimum(run, { palette, w, h, base, x }));
  if (isEmpty && !run.optimum?.length) marks.push(...toCome(scene, base, t));
  return marks;
}

/**
 * A mistake on an example, or where these are not counted all that was learnt from it. Of what is
 * touched, `part` is the number of the brick in its column, from the foot.
 */
const BRICK = {
  kind: "brick",

  /** @param {Pointed} pointed */
  tells({ run, t, hit, known }) {
    const i = Number(hit.index);
    const at = stepOfBrick(run, i, hit.part, t);
    const when = at === null ? "before this run" : `step ${at + 1} (click to go there)`;
    const what = run.header.about.counts ? "this brick" : "last changed";
    const time = at === null ? null : at + 1;
    return { hot: new Set([i]), lines: [...known(i), `${what}: ${when}`], time };
  },
};

/** So many px above and below a column still touch it. */
const reachOf = ({ run, unit }, h) =>
  run.header.about.counts ? Math.max(2 * h, FOOT * unit) : Infinity;

/** A column as one bar. @param {ColumnGeometry} geometry */
function bar(scene, geometry, place, count) {
  const { run, palette } = scene;
  const { w, h, x, topOf, hangs } = geometry;
  const i = run.trace.support[place];
  const gap = w > 6 ? 2 : 0.5;
  const wide = Math.max(w - gap, 0.8);
  const high = Math.abs(count) * h;
  // `parts` is for bars that stand for bricks; what is undefined is not in the target.
  const target = {
    ...BRICK,
    index: i,
    parts: run.header.about.counts ? count : undefined,
    hangs: hangs(place) || undefined,
    reach: [gap / 2, reachOf(scene, h)],
  };
  const look = { fill: palette.ofClass(run.y[i]), i, value: count, target };
  return chart.rect(x(place) + gap / 2, topOf(place, count), wide, high, look);
}

/** The first so many bricks of a column. @param {ColumnGeometry} geometry @returns {Mark[]} */
function bricks(scene, geometry, place, brickCount) {
  const { run, palette } = scene;
  const { w, h, x } = geometry;
  const i = run.trace.support[place];
  const look = { fill: palette.ofClass(run.y[i]), radius: Math.min(2, h / 4), i };
  return Array.from({ length: brickCount }, (_, brick) => {
    const top = topOfBrick(geometry, place, brick) + 0.5;
    const target = { ...BRICK, index: i, part: brick, reach: [1, reachOf(scene, h)] };
    return { ...chart.rect(x(place) + 1, top, w - 2, h - 1, look), target };
  });
}

/**
 * The title, which says in what order the columns stand where that is not by index, and where which
 * class is, as far as both have room.
 *
 * @param {PanelScene} scene
 * @param {StyledText | null} note
 */
function titleIn({ run, rect, palette, unit }, t, { crowded, under }, note) {
  const title = alphaTitle(run);
  const { start, support } = run.trace;
  const examples = asTheyCome(run)
    .order.map((place) => support[place])
    .filter((i) => levelOf(run, i, t) !== 0);
  const isByIndex = examples.every((i, k) => k === 0 || examples[k - 1] < i);
  const first = run.header.about.counts ? "first mistake" : "first change";
  const hasOrder = !isByIndex && !crowded && !start.place.length;
  const order = hasOrder ? `, in order of ${first}` : "";
  const { inGrey, classes } = run.header.words;
  const [below, above] = palette.grey ? inGrey : classes;
  const sides = under ? `, ${above} above, ${below} below` : "";
  const size = step("label", unit);
  const noteWidth = note ? textWidth(note.text, note.size, palette.fonts) + 2 * size : 0;
  const isIn = (text) => textWidth(text, size, palette.fonts, 600) + noteWidth <= rect.w;
  const texts = [order + sides, order, sides, ""].map((more) => title.text + more);
  return { ...title, text: texts.find(isIn) ?? title.text };
}

/** The example of a column beneath it, as far as names have room. */
function nameBelow({ run, rect, palette, unit }, place, { w, base, x, position }) {
  const size = step("small", unit);
  const wide = textWidth(`x${subscript(run.n - 1)}`, size, palette.fonts);
  // Where names are wider than columns, every second or third column, or fewer, has its name.
  const columnsPerName = Math.ceil((1.35 * wide) / w);
  if (position % columnsPerName) return [];
  const middle = Math.max(x(place) + w / 2, rect.x + wide / 2);
  const isBeyondEnd = middle + wide / 2 > rect.x + rect.w;
  if (position && isBeyondEnd) return []; // Moved to the left it would lie on the name before it.
  const name = `x${subscript(run.trace.support[place])}`;
  return [
    chart.text(middle, base + 13 * unit, name, { size, align: "center", fill: palette.quiet }),
  ];
}

/** While nothing stands here: what will, or at the end of the run that nothing came. */
function toCome({ run, rect, palette, unit, least = 0 }, base, t) {
  const { counts } = run.header.about;
  const none = counts
    ? "No mistake in this run, so no brick."
    : "Nothing is added in this run, so no bar.";
  const some = counts
    ? "Each mistake adds a brick here."
    : "Each example that is added gets a bar here.";
  const text = t < run.nSteps || !run.n ? some : none;
  const fitting = fittingStep(
    "label",
    unit,
    (candidate) => textWidth(text, candidate, palette.fonts) <= 0.98 * rect.w,
  );
  const size = Math.max(fitting, least);
  const look = /** @type {const} */ ({
    baseline: "middle",
    align: "center",
    fill: palette.quiet,
    halo: palette.paper,
  });
  const lines = wrap(text, 0.98 * rect.w, size, palette.fonts);
  const middle = (rect.y + HEAD * unit + base) / 2;
  const high = LINE_HEIGHT * size * lines.length;
  if (high > base - rect.y - HEAD * unit) return []; // The title and its number come first.
  const first = middle - 0.5 * (high - LINE_HEIGHT * size);
  return chart.words(rect.x + rect.w / 2, first, lines, LINE_HEIGHT * size, { size, ...look });
}

/**
 * Lines at the end and in the middle of the columns, and between each and the names the α of a
 * column that reaches it.
 *
 * @returns {Mark[]}
 */
function numbers({ run, rect, palette, unit }, { base, under, h, room }) {
  const size = step("small", unit);
  const line = (y) => chart.rect(rect.x, y - 0.5, rect.w, 1, { fill: palette.rule, alpha: 0.6 });
  const value = (y, count) =>
    chart.text(rect.x, y, alphaOnScale(run, count), { size, fill: palette.quiet, name: "axis" });
  return [room / 2, room]
    .filter((count) => count * h > 13 * unit)
    .flatMap((count) => {
      const up = base - count * h;
      const marks = [line(up), value(up + size, count)];
      if (!under) return marks;
      const down = under + count * h;
      return [...marks, line(down), value(down - 0.3 * size, count)];
    });
}

const levelOf = (run, i, t) =>
  run.header.about.counts ? run.trace.mistakesOn(i, t) : run.alphaOf(i, t);

/**
 * How many examples f remembers.
 *
 * @type {(run: Run, unit: number, t: number, crowded: boolean) => StyledText | null}
 */
const remembered = (run, unit, t, crowded) => {
  const count = [...run.trace.support].filter((i) => levelOf(run, i, t) !== 0).length;
  const text = `${crowded ? "by class; " : ""}support: ${count}`;
  const longText = run.symbols ? `${text} of ${run.n} examples` : `${count} of ${run.n} remembered`;
  return count ? { text: longText, short: text, size: step("small", unit), name: "support" } : null;
};

/** The largest value now, and what the lines are. */
const besideBars = (run, unit, t, crowded) => {
  const levels = [...run.trace.support].map((i) => run.alphaOf(i, t));
  const largest = levels.reduce((most, level) => Math.max(most, level), 0);
  const short = `the largest ${number(largest)}`;
  const longText = `${crowded ? "by class; " : ""}${short}`;
  const text = run.optimum?.length ? `${longText}; lines: the batch optimum` : longText;
  return { text, short, size: step("small", unit) };
};

const optimum = (run, { palette, w, h, base, x }) =>
  [...(run.optimum ?? [])].map((coef, place) => {
    const value = coef * run.y[run.trace.support[place]];
    const look = { fill: palette.ink, value, name: "optimum" };
    return chart.rect(x(place), base - value * h - 1, Math.max(w - 0.5, 1), 2, look);
  });

/**
 * The step that laid a brick, counted from the foot of its column; null if a resumed run began with
 * it. Where bricks are not counted: the last step that changed the coefficient of its example.
 *
 * @param {Run} run
 */
export function stepOfBrick(run, i, brick, t) {
  const { trace } = run;
  if (!run.header.about.counts) return lastUpdate(trace, trace.support.indexOf(i), t);
  const before = trace.mistakesOn(i, t) - countBelow(trace.byExample[i], t);
  return trace.byExample[i][brick - before] ?? null;
}

/** The last step that changed the coefficient in this place, null for none. */
function lastUpdate(trace, place, t) {
  for (let j = countBelow(trace.step, t) - 1; j >= 0; j--) {
    for (let p = trace.pointer[j]; p < trace.pointer[j + 1]; p++) {
      if (trace.place[p] === place) return trace.step[j];
    }
  }
  return null;
}

/** What is remembered. @param {PanelScene} scene @returns {string[]} */
function summary({ run, t, covered }) {
  const remembering = [...run.trace.support]
    .filter((i) => run.alphaOf(i, t) !== 0)
    .sort((a, b) => a - b);
  if (!remembering.length) return ["Nothing is remembered: every α is 0."];
  if (covered().has("alpha")) return ["A task asks which examples are remembered."];
  const words = (i) => `${example(i)} (${label(run.y[i])}, α = ${amount(run.alphaOf(i, t), run)})`;
  // A task asks how many there are: one may count them.
  if (covered().has("support")) return [`Remembered: ${remembering.map(words).join(", ")}.`];
  return [`${whole.format(remembering.length)} remembered: ${listed(remembering, words)}.`];
}

/** @type {PanelObject} */
export const alphaPanel = {
  name: "alpha",
  marks: alphaMarks,
  summary,
  title: (run) => alphaTitle(run).text,
  walkable: true,
};
