// Fisher's discriminant in place of a run: its instant is the angle of F in degrees. Its numbers
// are read from the tables that Python sent (kpviz/player/fisher.py); only the points are projected
// here.

import { counted, exactly, fill, number, subscript } from "./words.js";

// The tables have a row for each half degree of half a turn, and behind these the rows of the
// special directions.
const HALF_DEGREES = 360;
// At the best direction J is largest; the other one goes from the mean of a class to that of the
// other, or is with more classes the second direction.
const ROWS = { best: HALF_DEGREES, other: HALF_DEGREES + 1 };
// Fisher's page has no steps: who reads the record of a run finds nothing.
const NO_STEPS = {
  index: [],
  mistake: [],
  stopsAt: () => true,
};
// The parts of a run's header that this one lacks.
const NOTHING = {
  nTest: 0,
  grid: 0,
  extras: {},
  lacks: {},
  drawing: { why: "These points are not edited." },
};
const DEGREES = (/** @type {number} */ angle) => `${Number((angle % 360).toFixed(1))}`;

/** @import { Arrays, FisherHeader } from "./types.d.ts" */

/** The same turn as a number from -180 to 180. */
export const turned = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** The classes in the order of their projected means. @param {number[]} means */
export const ranks = (means) => means.map((_, k) => k).sort((a, b) => means[a] - means[b] || a - b);

/**
 * A J and the best one, written with as many decimals as tell them apart.
 *
 * @param {number} J
 * @param {number} best
 */
export function toldFromBest(J, best) {
  const decimals = [2, 3, 4, 5, 6, 7, 8].find(
    (places) => J.toFixed(places) !== best.toFixed(places),
  );
  if (decimals === undefined) return [number(best), number(best)];
  if (decimals === 2) return [number(J), number(best)];
  return [J.toFixed(decimals), best.toFixed(decimals)];
}

/** It stands where others expect a `Run`, so it has what they read of one. */
export class Discriminant {
  fisher = this; // A run has null here.
  page = "fisher";
  hasSteps = false;
  hasFormulas = true; // Its sentences have formulas in them.
  probability = true; // As a run that shows probabilities, its map has no scale of f.
  id = "";
  dataId = "";
  nSteps = 360; // The instants are degrees.
  span = 360;
  nTest = 0;
  plane = true; // Its points lie in the plane of the map.
  stream = null;
  trace = NO_STEPS;
  grain = "10°"; // What the middle buttons go on by, where a run goes to the next mistake.
  /** @type {number | null} */
  movedThreshold = null; // The threshold that was moved by hand; null: those that Python computed.
  #latest = { key: "", reading: /** @type {ReturnType<Discriminant["project"]> | null} */ (null) };

  /** @param {FisherHeader} header @param {Arrays} arrays */
  constructor(header, arrays) {
    const settings = { query: header.query, said: {}, order: "", predictor: "last" };
    const about = { title: "Fisher’s discriminant", parts: [], counts: false, probability: false };
    const words = { ...header.words, code: [""], classes: ["blue", "orange"] };
    this.header = { ...NOTHING, ...header, settings, about, words };
    this.arrays = arrays;
    this.X = arrays.X;
    this.labels = arrays.labels;
    this.n = this.labels.length;
    this.many = header.many; // More than two classes, on the plane of the first two directions.
    this.counts = header.names.classes.map(
      (_, k) => this.labels.filter((label) => label === k).length,
    );
  }

  /** Panels ask whether a run has what they need. @param {string} part */
  provides(part) {
    return part === "many" ? this.many : false;
  }

  // Those of a run tell which examples were learnt from; here all points are alike.
  alphaOf = () => 1;
  pointRadius = (_i, _t, scale) => 5 * scale;
  version = () => 0; // Nothing is learnt.
  onAxis = (_axis, value) => value; // Its axes have the numbers that F is computed with.

  get axes() {
    return this.header.names.axes;
  }

  /** The classes as they are listed: of two +1 first, as on the player's map. */
  get listed() {
    const classes = [...this.counts.keys()];
    return this.many ? classes : classes.reverse();
  }

  /** The angle of a special direction. @param {"best" | "other"} name */
  angleOf(name) {
    return this.arrays.angles[ROWS[name]];
  }

  /** The special direction at an angle, null for none. @returns {"best" | "other" | null} */
  specialAt(angle) {
    const names = /** @type {("best" | "other")[]} */ (["best", "other"]);
    return names.find((name) => Math.abs(turned(angle - this.angleOf(name))) < 1e-9) ?? null;
  }

  /**
   * Where a link opens: at an angle, at the best direction, or, without one, where these data
   * begin.
   *
   * @param {number | string | null} angle
   */
  opening(angle = null) {
    return typeof angle === "number"
      ? angle
      : this.angleOf(angle === "best" ? angle : this.header.start);
  }

  /**
   * The angle of a cue's place ("start", "best", "angle 45"); null for one that only runs have, as
   * `angle_of` in kpviz/settings/fisher_link.py says.
   */
  instantOf(place) {
    const [kind, degrees] = place.split(" ");
    if (kind === "angle") return Number(degrees) <= 360 ? Number(degrees) % 360 : null;
    if (kind === "best") return this.opening("best");
    return kind === "start" ? this.opening() : null;
  }

  /** The nearest angle that has a row: a half degree, or the best direction. */
  nearest(angle) {
    const half = (Math.round(2 * angle) / 2 + 720) % 360;
    const best = this.angleOf("best");
    return Math.abs(turned(angle - best)) < Math.abs(turned(angle - half)) ? best : half;
  }

  /**
   * Move the threshold to a value, within what is shown and in short digits; null: back to where
   * Python has it. Several thresholds stay.
   */
  cut(value, t) {
    this.movedThreshold = null;
    if (value === null || this.many) return;
    const { low, high } = this.reading(t);
    this.movedThreshold = Number(Math.min(Math.max(value, low), high).toPrecision(4));
  }

  /**
   * All numbers of the direction at an angle. From 180° on an axis is the same one turned round.
   */
  reading(t) {
    const key = `${t} ${this.movedThreshold}`;
    if (this.#latest.key !== key) this.#latest = { key, reading: this.project(t) };
    return this.#latest.reading;
  }

  project(t) {
    const { angles, J, low, high, between, within } = this.arrays;
    const special = this.specialAt(t);
    const halfDegrees = ((Math.round(2 * t) % 720) + 720) % 720;
    const row = special ? ROWS[special] : halfDegrees % HALF_DEGREES;
    const isReversed = !special && halfDegrees >= HALF_DEGREES;
    const rowOf = (name, size) => [...this.arrays[name].subarray(row * size, (row + 1) * size)];
    // From 180° on what lies along the axis has the other sign.
    const directed = (name, size) =>
      rowOf(name, size).map((value) => (isReversed ? -value : value));
    const angle = angles[row] + (isReversed ? 180 : 0);
    const F = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
    const means = directed("means", this.counts.length);
    // With the other sign they come in the other order.
    const computed = directed("thresholds", this.counts.length - 1).sort((a, b) => a - b);
    const thresholds = this.movedThreshold === null ? computed : [this.movedThreshold];
    const values = Float64Array.from(
      this.labels,
      (_, i) => this.X[2 * i] * F[0] + this.X[2 * i + 1] * F[1],
    );
    const verdicts = sidesOf(values, means, thresholds);
    // Python has counted for its own thresholds.
    const wrong =
      this.movedThreshold === null
        ? rowOf("wrong", this.counts.length)
        : this.#countWrong(verdicts);
    return {
      special,
      angle,
      F,
      means,
      values,
      verdicts,
      J: J[row],
      between: between[row],
      within: within[row],
      low: isReversed ? -high[row] : low[row],
      high: isReversed ? -low[row] : high[row],
      thresholds,
      wrong,
    };
  }

  /** How many points of each class land on the wrong side. */
  #countWrong(verdicts) {
    return this.counts.map(
      (_, k) => this.labels.filter((label, i) => label === k && verdicts[i] !== k).length,
    );
  }

  // ---- in words --------------------------------------------------------------------------------

  counter(t) {
    return `${this.header.names.data} · F at ${DEGREES(this.reading(t).angle)}°`;
  }

  /**
   * What is said of a direction: a template of kpviz/player/fisher.py (“best”, “other”, “turned” or
   * “moved”), with its numbers; in short without what to look for.
   */
  sentence(t, isShort = false) {
    const { words, names, start } = this.header;
    // It has J of the p best directions, for p features: 0 after the first min(K − 1, p).
    const { criterion } = this.arrays;
    const { special, angle, wrong, thresholds, J } = this.reading(t);
    const [now, best] = toldFromBest(J, this.arrays.J[ROWS.best]);
    const direction = special ?? "turned";
    const template = this.movedThreshold === null ? direction : "moved";
    const sentence = fill(words[template], {
      J: now,
      best,
      angle: DEGREES(angle),
      at: DEGREES(this.angleOf("best") % 180), // The strip of J goes from 0° to 180° only.
      J2: number(criterion[1]),
      wrong: wrong.reduce((sum, count) => sum + count, 0),
      n: this.n,
      K: this.counts.length,
      p: criterion.length,
      r: Math.min(this.counts.length - 1, criterion.length),
      threshold: number(thresholds[0]),
      fp: counted(wrong[0], "false positive"),
      fn: counted(wrong[1], "false negative"),
    });
    const isAsOpened = special === start && this.movedThreshold === null;
    return isAsOpened && !this.many && !isShort ? `${names.lookFor} ${sentence}` : sentence;
  }

  /**
   * How a class is named, as on the player's map.
   *
   * @param {number} k
   * @param {boolean} [grey] whether colours are not told apart
   */
  classTitle(k, grey = false) {
    const name = this.header.names.classes[k];
    if (this.many) return name;
    const sign = k ? "+1" : "−1";
    if (name !== sign) return `${sign}  ${name}`;
    return grey ? `class ${sign}` : `${this.header.words.classes[k]}, ${sign}`;
  }

  /** How many points of a class land on the wrong side, in words. */
  missed(k, { wrong }) {
    if (this.many) return `${wrong[k]} of ${this.counts[k]} wrong`;
    return counted(wrong[k], k ? "false negative" : "false positive");
  }

  /** What is told of a point. */
  about(t, i) {
    const { values, verdicts } = this.reading(t);
    const k = this.labels[i];
    const verdict = this.header.names.classes[verdicts[i]];
    const { scaled, lows, highs } = this.header.names;
    const place = [this.X[2 * i], this.X[2 * i + 1]];
    const inUnits = place.map((value, d) =>
      scaled ? lows[d] + ((value + 1) / 2) * (highs[d] - lows[d]) : value,
    );
    const inPlane = scaled ? ` scaled (${place.map(number).join(", ")})` : "";
    const where = `(${inUnits.map(number).join(", ")})${inPlane}`;
    const line = this.arrays.lines ? `, line ${this.arrays.lines[i]}` : "";
    const falseSide = k ? "a false negative" : "a false positive";
    const wrongSide = this.many ? `nearer the mean of ${verdict}` : falseSide;
    return [
      `x${subscript(i)}${line}  ${where}  ·  ${this.classTitle(k)}`,
      `x·F = ${number(values[i])}: ${verdicts[i] === k ? "the right side" : wrongSide}`,
    ];
  }

  /** The page in words, for those who do not see it: titles with lines. */
  account(t) {
    const { header, counts } = this;
    const { names, notes } = header;
    const reading = this.reading(t);
    const classes = counts.map(
      (count, k) => `${count} of ${this.classTitle(k)}, ${this.missed(k, reading)}`,
    );
    const parts = ["within", "between"].map(
      (name) => `${number(reading[name])} ${name} the classes`,
    );
    const mean = (k) => `${this.classTitle(k)} at ${number(reading.means[k])}`;
    return [
      {
        title: "Map",
        lines: [
          `${names.data}: ${names.axes.join(", ")}.`,
          `${this.counter(t).split(" · ").at(-1)}.`,
        ],
      },
      {
        title: "Projections",
        lines: [
          `${classes.join("; ")}.`,
          `Their means: ${counts.map((_, k) => mean(k)).join(", ")}.`,
          `Thresholds: ${reading.thresholds.map(number).join(", ")}. ${this.thresholdNote}`,
        ],
      },
      {
        title: "Scatter along F",
        lines: [`${parts.join(", ")}. ${notes.sums} ${notes.ridge}`.trim()],
      },
      {
        title: "J",
        lines: [
          `J = ${number(reading.J)}; the best is ${number(this.arrays.J[ROWS.best])}. ${notes.rank}`,
          ...(this.many ? [] : [withoutSizes(this, reading)]),
        ],
      },
    ];
  }

  get thresholdNote() {
    const { threshold } = this.header.notes;
    return this.movedThreshold === null
      ? threshold
      : "The threshold was moved by hand; double-click puts it back.";
  }

  /** The query of the link that opens the page as it is. */
  query(t) {
    const { special, angle } = this.reading(t);
    const at = special === "best" ? "best" : Number(angle.toFixed(1));
    return [
      this.header.query,
      ...(special !== this.header.start ? [`angle=${at}`] : []),
      ...(this.movedThreshold === null ? [] : [`threshold=${this.movedThreshold}`]),
    ].join("&");
  }
}

/**
 * J without the sizes of both classes, from rounded numbers, so that it is so by hand; and with
 * variances.
 */
export function withoutSizes({ counts, labels }, { means, within, values }) {
  const gap = Number(((means[1] - means[0]) ** 2).toPrecision(3));
  const scatter = Number(within.toPrecision(3));
  const scatters = counts.map((_, k) =>
    values.reduce((sum, value, i) => (labels[i] === k ? sum + (value - means[k]) ** 2 : sum), 0),
  );
  const variances = scatters[0] / counts[0] + scatters[1] / counts[1];
  const ratio = exactly(Number((gap / scatter).toPrecision(2)));
  return (
    `Without the sizes: (m₊ − m₋)²/(s₊ + s₋) = ${exactly(gap)}/${exactly(scatter)} = ${ratio}; ` +
    `n₊n₋/n = ${counts[0]}·${counts[1]}/${counts[0] + counts[1]} times that is J. ` +
    `With variances s/n in place of scatters s: ${number((means[1] - means[0]) ** 2 / variances)}.`
  );
}

/**
 * The class on whose stretch of the axis each value lies; on a threshold, the class with the
 * smaller number.
 */
function sidesOf(values, means, thresholds) {
  const ranked = ranks(means);
  // Between the stretches k and k + 1 a value on the threshold stays before it if the class there
  // has the smaller number.
  const isBeyond = (value, threshold, k) =>
    ranked[k] < ranked[k + 1] ? value > threshold : value >= threshold;
  return Uint8Array.from(values, (value) => {
    const stretch = thresholds.filter((threshold, k) => isBeyond(value, threshold, k)).length;
    return ranked[stretch];
  });
}
