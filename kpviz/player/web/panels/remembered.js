// What each remembered example says of one: f(x) as a sum over the support, each term beside its
// example, what both have in common marked.

import { chart, heading, listedWords, onOneLine, textsOf } from "./chart.js";
import { aboutExample } from "../run/example_words.js";
import { HEIGHTS, joined, middleOf, shares } from "./sketch.js";
import { shortened, textWidth, wrap } from "../paint/measure.js";
import { tapped } from "../board/narration.js";
import { perRun } from "../run/trace.js";
import { withoutRounding } from "../run/rounding.js";
import { comparedWith, termsOf } from "../run/votes.js";
import {
  SIGNS,
  example,
  isNegligible,
  leastOf,
  number,
  orLess,
  powerOfTen,
  signed,
} from "../run/words.js";
import { fittingStep, step } from "../board/scale.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Mark, PanelObject } from "../board/types.d.ts" */

// Heights and widths are in letters.
const TEXT_ROW = 1.4;
const MOST_ROW = 2.6; // Rows that have room lie so far apart at most.
const HEAD = 2;
const LEAST_HEAD = 28; // In px where the unit is 1: the title is no smaller than a label.
const NAME_WIDTH = 2.3;
const VALUE_WIDTH = 3.4;
const BAR_WIDTH = 3.6; // The least.
const OBJECT_WIDTH = { "": 11, texts: 24, trees: 20, graphs: 20 }; // What stands beside a bar.
const BESIDE_OBJECT = NAME_WIDTH + VALUE_WIDTH + BAR_WIDTH + 1;
const CHARACTER = 0.52; // So wide is one of a text.
const LETTERS_WIDE = 26; // A panel of this width shows all.

/**
 * The example of which the sum tells: what is asked about, else what the pointer touches, else the
 * current one.
 */
function explainedExample({ run, hot, current }) {
  const { asked } = run.header.extras.remembered;
  const touched = [...hot][0];
  if (touched !== undefined) return touched;
  return asked ? run.n + run.nTest : current;
}

/** How wide what stands beside a bar is, in letters: short texts leave more to the bars. */
const widthOf = perRun(({ header }) => {
  const { drawn, sketches } = header.extras.remembered;
  if (drawn !== "texts") return OBJECT_WIDTH[drawn];
  const longest = sketches.map(({ nodes }) =>
    nodes.reduce((sum, [text]) => sum + text.length + 1, 0),
  );
  return Math.min(OBJECT_WIDTH.texts, CHARACTER * Math.max(...longest));
});

/** How high the title is, with what keeps the rest clear of it. */
const titleHigh = (size, unit) => Math.max(HEAD * size, LEAST_HEAD * unit);

const isLine = (drawn) => !drawn || drawn === "texts";

const rowOf = (drawn) => HEIGHTS[drawn] ?? TEXT_ROW;
const votes = (run) => run.header.settings.predictor === "voted";

/** { i, f, b, terms: [{ i, value }] }, the largest terms first; null where there is no such sum. */
function sumOf(scene) {
  const { run, reading } = scene;
  const i = explainedExample(scene);
  if (i === null || votes(run)) return null;
  const terms = termsOf(
    run,
    reading,
    comparedWith(run, i) ?? ((place) => run.arrays.askedGram[place]),
  );
  const size = terms.reduce((sum, { value }) => sum + Math.abs(value), Math.abs(reading.b));
  const f = withoutRounding(
    terms.reduce((sum, { value }) => sum + value, reading.b),
    size,
  );
  return { i, f, b: reading.b, terms };
}

/** @param {PanelScene} scene */
function rememberedMarks(scene) {
  const { run, unit, rect } = scene;
  const extra = run.header.extras.remembered;
  // The example that is told of, and what is left of the sum, always have room.
  const high = rowOf(extra?.drawn) + TEXT_ROW;
  const { drawn = "" } = extra ?? {};
  const wide = Math.min(
    LETTERS_WIDE,
    BESIDE_OBJECT + (extra && !extra.why ? widthOf(run) : LETTERS_WIDE),
  );
  const rowsHigh = high + run.trace.support.length * rowOf(drawn);
  // It is larger than a label where all that is ever remembered has room so.
  const fits = (candidate) =>
    wide * candidate <= rect.w &&
    titleHigh(candidate, unit) + (candidate > step("label", unit) ? rowsHigh : high) * candidate <=
      rect.h;
  const size = fittingStep("large", unit, fits);
  const title = (note = null) => heading(scene, "What is remembered", note);
  if (!extra || extra.why) {
    return [...title(), ...words(scene, extra?.why ?? "Computing…", rect.y + size * 2, size)];
  }
  const sum = sumOf(scene);
  if (!sum) {
    const why = votes(run)
      ? `A vote is not a sum of terms${scene.server ? ": choose another predictor" : ""}.`
      : tapped(scene, "Press →. Each misclassified example is remembered here.");
    return [...title(), ...words(scene, why, rect.y + size * 2, size)];
  }
  const head = nameOf(run, sum.i);
  const { marks, h } = aboutMarks(scene, sum, size);
  const total = message(scene, sum, head, size);
  const line = { x: rect.x, y: rect.y + 0.2 * size, w: rect.w, h: 1.4 * size };
  return [
    ...title(total),
    chart.area(line, { kind: "words", index: "sum", stop: true }, () => [total.text]),
    ...marks,
    ...rows(scene, sum, rect.y + titleHigh(size, unit) + h, size),
  ];
}

const nameOf = (run, i) =>
  i < run.n ? example(i) : i < run.n + run.nTest ? `held-out ${i - run.n}` : "new";

function words({ rect, palette }, text, top, size) {
  const look = { size, fill: palette.quiet, name: "remembered" };
  return chart.words(
    rect.x,
    top + 1.35 * size,
    wrap(text, rect.w, size, palette.fonts),
    1.35 * size,
    look,
  );
}

function message({ palette, run, unit }, sum, name, size) {
  const f = `${SIGNS[run.header.settings.predictor]}(${name})`;
  const least = leastOf(run);
  const says = isNegligible(sum.f, least)
    ? `|${f}| < ${powerOfTen(least)}`
    : `${f} = ${sum.f === 0 ? "0: a tie" : signed(sum.f)}`;
  return {
    text: `${says} now`,
    size: Math.min(size, step("label", unit)),
    weight: 600,
    fill: sum.f === 0 ? palette.quiet : palette.ofClass(sum.f),
    name: "sum",
  };
}

/**
 * What the sum tells of, in the column of what it is compared with if it has room there. A drawing
 * that would take the room of the only row, or stands in a row itself, is left out: the title names
 * it.
 *
 * @returns {{ marks: Mark[], h: number }}
 */
function aboutMarks(scene, sum, size) {
  const { rect, run, unit, palette } = scene;
  const { drawn, sketches } = run.header.extras.remembered;
  const top = rect.y + titleHigh(size, unit);
  if (!drawn) return pointLine(scene, headOf(scene, sum.i), { ...rect, y: top - 0.3 * size }, size);
  const isText = isLine(drawn);
  const termsFrom = (y) => columnsOf(scene, sum, y, size).shownTerms;
  const high = isText ? linesHigh(1, size) : HEIGHTS[drawn] * size;
  const { right, shownTerms } = columnsOf(scene, sum, top + high, size);
  if (!isText) {
    const alone = termsFrom(top);
    const isInRow = alone.some(({ i }) => i === sum.i);
    if (isInRow || shownTerms.length < Math.min(alone.length, 1)) return { marks: [], h: 0 };
  }
  const { nodes } = sketches[sum.i];
  const text = nodes.map(([word]) => word).join(areCharacters(nodes) ? "" : " ");
  const isIn = !isText || textWidth(text, size, palette.fonts) <= rect.x + rect.w - right;
  if (shownTerms.length && isIn) return about(scene, sum, size, right, shownTerms);
  const behindName = rect.x + textWidth(nameOf(run, sum.i), size, palette.fonts, 600) + 0.8 * size;
  const { h } = about(scene, sum, size, behindName, []);
  return about(scene, sum, size, behindName, termsFrom(top + h));
}

/**
 * What the sum tells of, drawn from `left` on; what it shares with other examples that have a row
 * is marked. `h` is how far down it goes.
 */
function about(scene, sum, size, left, shownTerms) {
  const { rect, run, unit, palette } = scene;
  const { sketches, drawn } = run.header.extras.remembered;
  const others = shownTerms.filter(({ i }) => i !== sum.i);
  const theirParts = new Set(others.flatMap(({ i }) => [...idsOf(sketches[i])]));
  const y = rect.y + titleHigh(size, unit) - 0.3 * size;
  const box = { x: left, y, w: rect.x + rect.w - left };
  const { marks, h } = drawing(scene, sketches[sum.i], theirParts, box, size, drawn);
  const look = { size, weight: 600, fill: palette.ink, name: "explained" };
  const base = y + (isLine(drawn) ? 1.25 : middleOf(drawn) + 0.35) * size;
  return { marks: [chart.text(rect.x, base, nameOf(run, sum.i), look), ...marks], h };
}

/** What stands over the rows. @param {PanelScene} scene */
function headOf({ run }, i) {
  const place = atPlace(run, i);
  return `${nameOf(run, i)}${place.startsWith("at ") ? " " : ", "}${place}: its score is the sum of these`;
}

/** Where a point is, or what another example is. */
const atPlace = (run, i) => placeOf(run, i).replace(/^(?=\()/, "at ");
const placeOf = (run, i) => run.objects?.[i] || `${run.exampleInWords(i, number)}${run.lineOf(i)}`;

/** The terms that have room from `top` on, and where their bars and what is drawn of them begin. */
function columnsOf(scene, sum, top, size) {
  const { run, rect, palette } = scene;
  const { drawn } = run.header.extras.remembered;
  const free = rect.y + rect.h - top - TEXT_ROW * size;
  const room = Math.max(Math.floor(free / (size * rowOf(drawn))), 0);
  const least = leastOf(run);
  const shownTerms = sum.terms
    .slice(0, room)
    .filter(({ value }) => value !== 0 && !isNegligible(value, least));
  const rowHeight = Math.max(
    size * rowOf(drawn),
    isLine(drawn) ? Math.min(free / Math.max(shownTerms.length, 1), MOST_ROW * size) : 0,
  );
  // Each sign has as much of the width as its longest bar needs.
  const [negative, positive] = [-1, 1].map((sign) =>
    Math.max(...sum.terms.map(({ value }) => sign * value), 0),
  );
  const widest = (texts) =>
    Math.max(...texts.map((text) => textWidth(text, size, palette.fonts, 600)), 0);
  const names = widest(shownTerms.map(({ i }) => example(i)));
  const values = widest(shownTerms.map(({ value }) => signed(value)));
  const usual = size * (NAME_WIDTH + VALUE_WIDTH);
  const besideBars = Math.max(usual, names + values + 0.9 * size); // A power of ten is long.
  const most = rect.w - usual - (1 + widthOf(run)) * size;
  const bars = Math.max(most, BAR_WIDTH * size) + usual - besideBars;
  const perUnit = bars / Math.max(negative + positive, 1e-30);
  const left = rect.x + besideBars;
  const zero = left + negative * perUnit;
  const right = left + bars + 0.6 * size;
  return { shownTerms, rowHeight, perUnit, left, zero, right };
}

function rows(scene, sum, top, size) {
  const { run, rect, palette, reading, t } = scene;
  const { sketches, drawn } = run.header.extras.remembered;
  const columns = columnsOf(scene, sum, top, size);
  const { shownTerms, rowHeight, perUnit, left, zero, right } = columns;
  const explainedParts = drawn ? idsOf(sketches[sum.i]) : null;
  const marks = [];
  shownTerms.forEach(({ i, value }, k) => {
    const y = top + k * rowHeight;
    const base = y + (isLine(drawn) ? rowHeight / 2 : middleOf(drawn) * size) + 0.35 * size;
    const told = () => [`${signed(value)} from ${example(i)}`, ...aboutExample(run, reading, t, i)];
    marks.push(
      chart.area(
        { x: rect.x, y, w: rect.w, h: rowHeight },
        { kind: "words", index: i, stop: true },
        told,
      ),
    );
    const wide = Math.abs(value) * perUnit;
    marks.push(
      chart.text(rect.x, base, example(i), {
        size,
        weight: 600,
        fill: palette.ofClass(run.y[i]),
        name: "term",
        i,
      }),
    );
    const look = /** @type {const} */ ({
      align: "right",
      size,
      fill: palette.ink,
      name: "value",
      value,
    });
    marks.push(chart.text(left - 0.4 * size, base, signed(value), look));
    marks.push(
      chart.rect(value < 0 ? zero - wide : zero, base - 0.8 * size, wide, size * 0.8, {
        fill: palette.ofClass(value),
        name: "bar",
      }),
    );
    const box = {
      x: right,
      y: isLine(drawn) ? base - 1.25 * size : y,
      w: rect.x + rect.w - right,
      h: rowHeight,
    };
    marks.push(
      ...(drawn
        ? drawing(scene, sketches[i], explainedParts, box, size, drawn, 1)
        : pointLine(scene, atPlace(run, i), box, size)
      ).marks,
    );
  });
  marks.push(
    chart.line([zero, top, zero, top + shownTerms.length * rowHeight], {
      stroke: palette.rule,
      width: 1,
    }),
  );
  return [
    ...marks,
    ...remainderMarks(scene, sum, shownTerms, top + shownTerms.length * rowHeight, size),
  ];
}

/** So many remembered examples, those that have no row. */
function othersInWords(count, haveRows) {
  if (!haveRows) return count === 1 ? "the one remembered" : `the ${count} remembered`;
  return count === 1 ? "the other one" : `the ${count} others`;
}

/** What is left of the sum: smaller terms, and b; and what is grey. */
function remainderMarks({ run, rect, palette, unit }, sum, shownTerms, y, rowSize) {
  const size = Math.min(rowSize, step("label", unit));
  const left = sum.terms.slice(shownTerms.length);
  const parts = [];
  if (left.length) {
    const value = left.reduce((all, term) => all + term.value, 0);
    const others = othersInWords(left.length, shownTerms.length > 0);
    parts.push(`${orLess(value, leastOf(run), signed)} from ${others}`);
  }
  if (sum.b) parts.push(`${signed(sum.b)} intercept b`);
  const remainder = { text: parts.join("  ·  "), size, fill: palette.quiet, name: "rest" };
  const line = { x: rect.x, y: y + rowSize * 1.1, w: rect.w };
  const { drawn } = run.header.extras.remembered;
  const shared = `grey: shared by ${nameOf(run, sum.i)} and a row`;
  const text = drawn === "texts" ? shared : `${shared}, stronger where more is shared`;
  const grey = { text, short: drawn === "texts" ? "grey: shared" : shared, size, name: "grey" };
  const texts = [
    ...(remainder.text ? [remainder] : []),
    ...(drawn && shownTerms.length ? [grey] : []),
  ];
  return texts.length ? onOneLine(palette, line, texts[0], texts[1] ?? null) : [];
}

/** @returns {{ marks: Mark[], h: number }} */
function pointLine({ palette }, text, { x, y, w }, size) {
  return {
    marks: [
      chart.text(x, y + size * 1.25, shortened(text, w, size, palette.fonts), {
        size,
        fill: palette.ink,
      }),
    ],
    h: TEXT_ROW * size,
  };
}

const idsOf = ({ nodes }) => new Set(nodes.flatMap(([, , , ids]) => ids));

function drawing(scene, sketch, others, box, size, drawn, lines = 3) {
  return drawn === "texts"
    ? written(scene, sketch, others, box, size, lines)
    : joined(scene, sketch, others, box, size, drawn);
}

const areCharacters = (nodes) => nodes.every(([text]) => text.length <= 1);

/** A text, word by word or character by character, with a background under what is lit. */
function written({ palette }, sketch, others, { x, y, w }, size, most) {
  const lit = shares(sketch, others);
  const words = areCharacters(sketch.nodes)
    ? bySpaces(sketch.nodes, lit)
    : sketch.nodes.map(([text], k) => [{ text, lit: lit[k] > 0 }]);
  const space = textWidth(" ", size, palette.fonts);
  const marks = [];
  const dots = space + textWidth("…", size, palette.fonts);
  let at = x;
  let line = 0;
  for (const [k, word] of words.entries()) {
    const wide = word.reduce((sum, { text }) => sum + textWidth(text, size, palette.fonts), 0);
    const dotsRoom = line === most - 1 && k < words.length - 1 ? dots : 0;
    if (at > x && at + wide > x + w - dotsRoom) {
      if (line === most - 1) {
        marks.push(
          chart.text(at, y + size * (1.25 + 1.35 * line), "…", { size, fill: palette.quiet }),
        );
        break;
      }
      line += 1;
      at = x;
    }
    for (const { text, lit: on } of word) {
      const width = textWidth(text, size, palette.fonts);
      const base = y + size * (1.25 + 1.35 * line);
      if (on) {
        const look = { fill: palette.ghost, alpha: 0.4, radius: 3, name: "shared" };
        marks.push(chart.rect(at - 1, base - size * 0.95, width + 2, size * 1.25, look));
      }
      marks.push(chart.text(at, base, text, { size, fill: palette.ink }));
      at += width;
    }
    at += space;
  }
  return { marks, h: linesHigh(line + 1, size) };
}

const linesHigh = (count, size) => size * (0.5 + 1.35 * count);

/** Signs as words, each a list of stretches that are lit or not. */
function bySpaces(nodes, lit) {
  const words = [[]];
  nodes.forEach(([text], k) => {
    if (text === " ") {
      words.push([]);
      return;
    }
    const last = words.at(-1).at(-1);
    if (last && last.lit === lit[k] > 0) last.text += text;
    else words.at(-1).push({ text, lit: lit[k] > 0 });
  });
  return words.filter((word) => word.length);
}

/**
 * What the sum comes to, and its terms, each with its example.
 *
 * @param {PanelScene} scene
 * @returns {string[]}
 */
function summary(scene) {
  const drawing = rememberedMarks(scene);
  const why = textsOf(drawing)("remembered").map(({ text }) => text);
  return [...(why.length ? [why.join(" ")] : []), ...listedWords(drawing)];
}

/** @type {PanelObject} */
export const rememberedPanel = {
  name: "remembered",
  marks: rememberedMarks,
  summary,
  walkable: true,
};
