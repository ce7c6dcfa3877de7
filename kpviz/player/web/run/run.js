// One run as the browser has it: the header and the arrays that Python sent (kpviz/player), and
// what they say of an instant t, after t presentations.

import { Contributions } from "./field.js";
import { unpack } from "./payload.js";
import { bySteps, Trace } from "./trace.js";
import { VotedPredictor } from "./voted.js";
import { counted, number, ordinal, whole } from "./words.js";

/** @import { Discriminant } from "./discriminant.js" */
/** @import { Header, Numbers, PredictorKind, Reading } from "./types.d.ts" */

const ORDINALS = ["", "first", "second", "third"];

/** The epoch in words: "first epoch", "4th epoch". @param {number} epoch */
const epochWords = (epoch) => `${ORDINALS[epoch] ?? ordinal(epoch)} epoch`;

/** The predictors: three readings of the same run. */
export const KINDS = /** @type {PredictorKind[]} */ (["last", "averaged", "voted"]);

/** In px: the radius of an example that is held out. */
export const HELD_OUT = 4.2;
const MOST_DIGITS = 15; // With more digits the rounding of a number shows.

/** What a run answers at an instant, as its last f, as the mean of all, or as their vote. */
export class Predictor {
  /** @param {PredictorKind} kind @param {Trace} trace @param {Contributions} contributions */
  constructor(kind, trace, contributions) {
    this.kind = kind;
    this.trace = trace;
    this.contributions = contributions;
    this.voted = kind === "voted" ? new VotedPredictor(trace, contributions) : null;
  }

  /** The reading at t. @param {number} t @returns {Reading} */
  at(t) {
    const { trace, contributions } = this;
    // A vote has no coefficients of its own: they are those of the last f.
    if (this.voted) return { ...trace.state(t), ...this.voted.readingAt(t) };
    const sums = this.kind === "averaged" ? trace.averagedSums(t) : trace.sums(t);
    return contributions.whole(sums);
  }
}

/**
 * How many examples are on the wrong side of a reading: of the training set, and of those that are
 * held out. A score of 0 is wrong, but a tied vote says +1.
 *
 * @param {Pick<Run, "n" | "nTest" | "y">} run
 * @param {string} kind of the predictor
 * @param {Pick<Reading, "scores">} reading
 */
export function errors({ n, nTest, y }, kind, { scores }) {
  const wrong = { train: 0, test: 0 };
  for (let i = 0; i < n + nTest; i++) {
    const isTiedVote = kind === "voted" && scores[i] === 0;
    const answer = isTiedVote ? 1 : scores[i];
    const set = i < n ? "train" : "test";
    if (y[i] * answer <= 0) wrong[set] += 1;
  }
  return wrong;
}

export class Run {
  /** @type {Discriminant | null} */
  fisher = null; // Fisher's page shows a `Discriminant` in place of a run; there it is set.
  /** @type {"fisher" | null} */
  page = null; // The page that shows the run; null: the board does.
  hasSteps = true; // On Fisher's page t is the angle of F.
  hasFormulas = false; // Its sentences have formulas.
  id = "";
  dataId = ""; // Runs with the same `dataId` have the same examples.
  mostGrown = Infinity; // The largest radius of a point, relative to the least one.
  showsSymbols = () => true;
  span = 0; // In steps: the length of its timeline, which is that of the longest run on the stage.
  /** @type {Predictor[] | undefined} */
  predictors; // `readings` makes them.
  /** @type {{ from: number[], counts: Uint32Array } | undefined} */
  votes; // `hypotheses` counts them.

  // What was worked out last, with the instant to which it belongs.
  #latest = {
    version: /** @type {number | null} */ (null),
    reading: /** @type {Reading | null} */ (null),
  };
  #compared = { t: -1, readings: /** @type {Record<PredictorKind, Reading> | null} */ (null) };
  #weights = { changes: -1, values: /** @type {Float64Array | null} */ (null) };
  /** @type {Map<number, number> | undefined} */
  #places; // The place in the support of each of its examples.
  /** @type {Float64Array | undefined} */
  #optimumField;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    const { header, arrays } = unpack(bytes);
    this.header = /** @type {Header} */ (header);
    this.arrays = arrays; // The panels read those of the extras for which they asked.
    this.X = arrays.X; // Two coordinates for each example: of the training set, then held out.
    this.y = arrays.y; // −1 or +1.
    this.lines = arrays.lines ?? null; // The line of each example in its file.
    this.n = this.header.n; // Examples of the training set.
    this.nTest = this.header.nTest; // Examples that are held out.
    this.nSteps = this.header.nSteps;
    this.span = this.nSteps;
    // Examples are points of a plane; otherwise f has values at the examples only.
    this.plane = this.header.ground.kind === "plane";
    this.objects = this.header.objects; // How examples are written that are not points.
    // After each presentation: the angle between f and the truth, and the size of the support.
    this.stream = this.header.stream && {
      ...this.header.stream,
      angle: arrays.angle,
      support: arrays.supportSize,
    };
    this.optimum = arrays.optimum ?? null; // Coefficients of the batch solution.
    this.trace = new Trace(this.header, arrays);
    this.details = this.#detailsBySteps();
    this.contributions = new Contributions(this.header, arrays);
    this.predictor = new Predictor(this.header.settings.predictor, this.trace, this.contributions);
  }

  /** The learner's particulars, one value for each step. @returns {Record<string, Numbers>} */
  #detailsBySteps() {
    const { details } = this.header.about;
    return Object.fromEntries(
      Object.entries(details).map(([name, between]) => [
        name,
        bySteps(this.arrays[`detail_${name}`], between, this.trace.step, this.nSteps),
      ]),
    );
  }

  /** The two features of a place in their own unit, as the axes have them. */
  inDataUnits(x1, x2) {
    return [this.onAxis(0, x1), this.onAxis(1, x2)];
  }

  /**
   * A feature in its own unit: the first (0) or the second (1). Features that are scaled lie
   * between −1 and 1.
   *
   * @param {0 | 1} axis
   * @param {number} value
   */
  onAxis(axis, value) {
    const { scaled, lows, highs } = this.header.names;
    if (!scaled) return value;
    const share = (value + 1) / 2;
    const inUnit = lows[axis] + share * (highs[axis] - lows[axis]);
    return Number(inUnit.toPrecision(MOST_DIGITS));
  }

  /** What the axes are called. */
  get axes() {
    return this.header.names.features;
  }

  /**
   * A place in words: as the axes have it, and where features are scaled also as k, f and w are
   * computed with it.
   *
   * @param {number} x1
   * @param {number} x2
   * @param {(value: number) => string} write
   */
  placeInWords(x1, x2, write) {
    const inUnits = `(${this.inDataUnits(x1, x2).map(write).join(", ")})`;
    return this.header.names.scaled
      ? `${inUnits} scaled (${[x1, x2].map(write).join(", ")})`
      : inUnits;
  }

  /**
   * A coordinate in words, of the first axis (0) or the second (1), as `placeInWords` has both.
   *
   * @param {0 | 1} axis
   * @param {number} value
   * @param {(value: number) => string} write
   */
  coordinateInWords(axis, value, write) {
    const inUnits = write(this.onAxis(axis, value));
    return this.header.names.scaled ? `${inUnits} (scaled ${write(value)})` : inUnits;
  }

  /**
   * The place of an example in words.
   *
   * @param {number} i
   * @param {(value: number) => string} write
   */
  exampleInWords(i, write) {
    return this.placeInWords(this.X[2 * i], this.X[2 * i + 1], write);
  }

  /**
   * Words to append to the name of an example: its line in its file; "" without a file.
   *
   * @param {number} i
   */
  lineOf(i) {
    return this.lines ? `, line ${this.lines[i]}` : "";
  }

  /**
   * Where the run is after t presentations, in short: "3 of 12 examples, first epoch · 1 mistake so
   * far". It says "3 of" and no ordinal number, since the number of a point is its name. Where an
   * example may come twice in an epoch, steps are counted.
   *
   * @param {number} t
   * @param {Set<string>} [covered] what is left out, since a task asks for it
   */
  counter(t, covered = new Set()) {
    const { trace, stream, details, n, onlyMistakes } = this;
    const countsSteps = details.partner || onlyMistakes || this.header.settings.order === "random";
    const norm = this.arrays.squaredNorm
      ? [`‖f‖² = ${number(this.arrays.squaredNorm[trace.changesBefore(t)])}`]
      : [];
    if (!t) return ["Not started", ...norm].join(" · ");
    const epoch = trace.epochAt(t);
    const step = whole.format(t - trace.epochStart[epoch - 1]);
    const where = countsSteps
      ? `Step ${step}, ${epochWords(epoch)}`
      : `${step} of ${counted(n, "example")}${stream ? "" : `, ${epochWords(epoch)}`}`;
    const parts = [where];
    if (stream && !covered.has("support")) {
      parts.push(`${whole.format(stream.support[t])} in memory`);
    }
    if (!covered.has("mistakes") && !trace.paired) {
      const mistakes = counted(trace.mistakesBefore(t), "mistake");
      parts.push(t < trace.nSteps ? `${mistakes} so far` : mistakes);
    }
    return [...parts, ...norm].join(" · ");
  }

  /**
   * The instant of a place ("12", "start", "end", "mistake 3", "epoch 2": its end), null where it
   * has none.
   *
   * @param {string} place
   */
  instantOf(place) {
    const { trace, nSteps } = this;
    const [kind, which] = place.split(" ");
    if (kind === "best" || kind === "angle") return null; // These are places of Fisher's page.
    if (kind === "start") return 0;
    if (kind === "end") return nSteps;
    if (which === undefined) return Number(kind) <= nSteps ? Number(kind) : null;
    const count = Number(which);
    if (count < 1) return null;
    if (kind === "epoch") {
      if (count > trace.nEpochs) return null;
      return count < trace.nEpochs ? trace.epochStart[count] : nSteps;
    }
    const step = trace.mistakeSteps[count - 1];
    return step === undefined ? null : step + 1;
  }

  /**
   * Whether the run has what a panel requires ("parts", "order", "training set"). The examples of a
   * stream come once, so it has no training set: α counts nothing, and there is no training error.
   * Every run has "order": where there is none, the panel says why.
   *
   * @param {string} part
   */
  provides(part) {
    if (part === "parts") return this.header.about.parts.length > 0;
    return part === "order" || this.stream === null;
  }

  /** The largest |f| of the scale after t presentations, for colours and for margins. */
  limitAt(t) {
    return this.header.scales.filter(([since]) => since <= t).at(-1)[1];
  }

  /** The fixed f₀ that is added to every score; null for none. */
  get initial() {
    return this.contributions.initial;
  }

  /** Whether only mistakes are presented, so that what comes next is known to be one. */
  get onlyMistakes() {
    return ["first-mistake", "random-mistake"].includes(this.header.settings.order);
  }

  /** What the middle grain of stepping stops at. */
  get grain() {
    return this.header.about.grain;
  }

  /** Whether words have the symbols f, y and α beside them. */
  get symbols() {
    return this.showsSymbols();
  }

  /** Whether the field shows σ(f), the probability of class +1. */
  get probability() {
    return this.header.about.probability && this.predictor.kind !== "voted";
  }

  /** What the predictor of the settings says at t. @param {number} t */
  reading(t) {
    const version = this.version(t);
    if (this.#latest.version !== version) this.#latest = { version, reading: this.predictor.at(t) };
    return this.#latest.reading;
  }

  /** What each predictor says at t, by its kind. @param {number} t */
  readings(t) {
    this.predictors ??= KINDS.map((kind) =>
      kind === this.predictor.kind
        ? this.predictor
        : new Predictor(kind, this.trace, this.contributions),
    );
    if (this.#compared.t !== t) {
      const entries = this.predictors.map((predictor) => [
        predictor.kind,
        predictor === this.predictor ? this.reading(t) : predictor.at(t),
      ]);
      this.#compared = { t, readings: Object.fromEntries(entries) };
    }
    return this.#compared.readings;
  }

  /** From which step each hypothesis is in force, and for how many presentations. */
  hypotheses() {
    if (!this.votes) {
      const counts = this.trace.survivals(this.nSteps);
      this.votes = { from: [0, ...this.trace.step], counts };
    }
    return this.votes;
  }

  /** The field of the batch optimum, null if there is none. */
  get optimumField() {
    if (!this.optimum?.length || !this.plane) return null;
    return (this.#optimumField ??= this.contributions.field(Float64Array.from(this.optimum), 0));
  }

  /**
   * The probability of class +1 at a score, looked up between its neighbours in what Python sent.
   */
  chance(f) {
    const [low, high] = this.header.about.chances;
    const { chances } = this.arrays;
    const last = chances.length - 1;
    const place = Math.min(Math.max((f - low) / (high - low), 0), 1) * last;
    const k = Math.min(Math.floor(place), last - 1);
    return chances[k] + (place - k) * (chances[k + 1] - chances[k]);
  }

  /**
   * α = y·coef of each support example after t presentations. It is that of the last f, whatever
   * the predictor.
   *
   * @param {number} t
   */
  alphas(t) {
    const changes = this.trace.changesBefore(t);
    if (this.#weights.changes !== changes) {
      const { coef } = this.trace.state(t);
      this.#weights = {
        changes,
        values: coef.map((value, place) => value * this.y[this.trace.support[place]]),
      };
    }
    return this.#weights.values;
  }

  /** The place of example i in the support; undefined for others. @param {number} i */
  placeOf(i) {
    this.#places ??= new Map([...this.trace.support].map((j, place) => [j, place]));
    return this.#places.get(i);
  }

  /** k(x_i, ·) at all examples; null where x_i is not in the support. */
  similarTo(i) {
    const place = this.placeOf(i);
    const { gram, examples } = this.contributions;
    return place === undefined ? null : gram.subarray(place * examples, (place + 1) * examples);
  }

  /** α of example i after t presentations. */
  alphaOf(i, t) {
    if (this.header.about.counts) return this.trace.mistakesOn(i, t) * this.trace.unit;
    const place = this.placeOf(i);
    return place === undefined ? 0 : this.alphas(t)[place];
  }

  /**
   * The radius of a point in px: it grows with what was learnt from the example. Nothing is learnt
   * from an example that is held out.
   */
  pointRadius(i, t, scale) {
    if (i >= this.n) return HELD_OUT * scale;
    const { tokens, pointGain, alphaUnit, about } = this.header;
    if (this.stream) {
      return tokens.point.radius * (this.alphaOf(i, t) ? tokens.stream.grown : 1) * scale;
    }
    const level = about.counts
      ? this.trace.mistakesOn(i, t)
      : Math.abs(this.alphaOf(i, t)) / alphaUnit;
    const { radius } = tokens.point;
    return Math.min(radius + pointGain * Math.sqrt(level), radius * this.mostGrown) * scale;
  }

  /**
   * Whether the reading is 0 because the run has not begun. f₀ is added from the beginning, and the
   * last f may begin with that of a run that was resumed; a mean or a vote has no states yet.
   */
  isBlank(t) {
    if (t !== 0 || (this.initial && this.predictor.kind !== "voted")) return false;
    return this.predictor.kind !== "last" || this.trace.fromZero;
  }

  /**
   * A number for the reading at t: instants with the same one have the same reading. The last f
   * moves only with a change, the mean and the vote with each presentation.
   */
  version(t) {
    return this.predictor.kind === "last" ? this.trace.changesBefore(t) : t;
  }
}
