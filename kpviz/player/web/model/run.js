// One run as the browser has it: the words and names of its header, and the folds of its arrays.

import { bySteps } from "./changes.js";
import { Contributions } from "./field.js";
import { unpack } from "./payload.js";
import { KINDS, Predictor } from "./predictors.js";
import { Trace } from "./trace.js";

/** @import { Header, Numbers, PredictorKind, Reading } from "../types.d.ts" */

export class Run {
  id = "";
  dataId = ""; // runs with the same one have the same examples
  mostGrown = Infinity; // times the least radius that a point has at most
  span = 0; // of the timeline: steps of the longest run on the stage
  /** @type {Predictor[] | undefined} */
  predictors; // once they are compared
  /** @type {{ from: number[], counts: Uint32Array, most: number } | undefined} */
  votes; // once they are shown

  #latest = { version: /** @type {number | null} */ (null), reading: /** @type {Reading | null} */ (null) };
  #compared = { t: -1, readings: /** @type {Record<PredictorKind, Reading> | null} */ (null) };
  #weights = { changes: -1, values: /** @type {Float64Array | null} */ (null) };
  /** @type {Map<number, number> | undefined} */
  #places;
  /** @type {Float64Array | undefined} */
  #optimumField;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    const { header, arrays } = unpack(bytes);
    this.header = /** @type {Header} */ (header);
    this.arrays = arrays; // those of extras are read by the panels that asked for them
    this.X = arrays.X;
    this.y = arrays.y;
    this.n = this.header.n;
    this.nTest = this.header.nTest;
    this.nSteps = this.header.nSteps;
    this.span = this.nSteps;
    this.trainError = arrays.trainError;
    this.testError = arrays.testError ?? null;
    this.plane = this.header.ground.kind === "plane"; // else f has values at the examples only
    this.edges = arrays.edges ?? new Int32Array(0);
    this.outlines = arrays.outlines?.length ? arrays.outlines : null; // of a mixture's components
    this.objects = this.header.objects; // how examples are written that are no points
    this.stream = this.header.stream && { ...this.header.stream, angle: arrays.angle, support: arrays.supportSize };
    this.sentenceIndex = arrays.sentenceIndex;
    this.curve = arrays.curve ?? null;
    this.optimum = arrays.optimum ?? null;
    this.chances = arrays.chances ?? null;
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
    const { scaled, lows, highs } = this.header.names;
    return [x1, x2].map((value, k) => (scaled ? lows[k] + ((value + 1) / 2) * (highs[k] - lows[k]) : value));
  }

  /**
   * What it has of that which panels need: the examples of a stream come once, so alpha counts nothing, and none is a
   * training error; where there is no order, its panel says why.
   *
   * @param {string} need
   */
  has(need) {
    if (need === "parts") return this.header.about.parts.length > 0;
    return need === "order" || this.stream === null;
  }

  /** Where the scale of f ends after t presentations: of its colours and of margins. */
  limitAt(t) {
    return this.header.scales.filter(([since]) => since <= t).at(-1)[1];
  }

  /** What the middle grain of stepping stops at. */
  get grain() {
    return this.header.about.grain;
  }

  /** Whether the field shows σ(f), the probability of class +1. */
  get probability() {
    return this.header.about.probability && this.predictor.kind !== "voted";
  }

  /** What the predictor says at t. @param {number} t */
  reading(t) {
    const version = this.version(t);
    if (this.#latest.version !== version) this.#latest = { version, reading: this.predictor.at(t) };
    return this.#latest.reading;
  }

  /** What each predictor says at t, by its kind. @param {number} t */
  readings(t) {
    this.predictors ??= KINDS.map((kind) =>
      kind === this.predictor.kind ? this.predictor : new Predictor(kind, this.trace, this.contributions),
    );
    if (this.#compared.t !== t) {
      const of = (predictor) => (predictor === this.predictor ? this.reading(t) : predictor.at(t));
      const entries = this.predictors.map((predictor) => [predictor.kind, of(predictor)]);
      this.#compared = { t, readings: Object.fromEntries(entries) };
    }
    return this.#compared.readings;
  }

  /** Of each hypothesis the step from which it is in force, and for how many presentations; and the most of these. */
  hypotheses() {
    if (!this.votes) {
      const counts = this.trace.survivals(this.nSteps);
      const most = counts.reduce((largest, count) => Math.max(largest, count), 1);
      this.votes = { from: [0, ...this.trace.step], counts, most };
    }
    return this.votes;
  }

  /** The field of the batch optimum, null if there is none. */
  get optimumField() {
    if (!this.optimum?.length || !this.plane) return null;
    return (this.#optimumField ??= this.contributions.field(Float64Array.from(this.optimum), 0));
  }

  /** The probability of class +1 at a score, looked up between its neighbours in what Python sent. */
  chance(f) {
    const [low, high] = this.header.about.chances;
    const last = this.chances.length - 1;
    const at = Math.min(Math.max((f - low) / (high - low), 0), 1) * last;
    const k = Math.min(Math.floor(at), last - 1);
    return this.chances[k] + (at - k) * (this.chances[k + 1] - this.chances[k]);
  }

  /** α = y·coef of each support example after t presentations, of f itself whatever the predictor. @param {number} t */
  alphas(t) {
    const changes = this.trace.changesBefore(t);
    if (this.#weights.changes !== changes) {
      const { coef } = this.trace.state(t);
      this.#weights = { changes, values: coef.map((value, place) => value * this.y[this.trace.support[place]]) };
    }
    return this.#weights.values;
  }

  /** The place of example i in the support; undefined for others. @param {number} i */
  placeOf(i) {
    this.#places ??= new Map([...this.trace.support].map((j, place) => [j, place]));
    return this.#places.get(i);
  }

  /** k(x_i, ·) at all examples, for one of the support; null for others. */
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

  /** How large a point is: it grows with what was learnt from it. */
  pointRadius(i, t, scale) {
    const { tokens, pointGain, alphaUnit, about } = this.header;
    if (this.stream) return tokens.point.radius * (this.alphaOf(i, t) ? tokens.stream.grown : 1) * scale;
    const level = about.counts ? this.trace.mistakesOn(i, t) : Math.abs(this.alphaOf(i, t)) / alphaUnit;
    const { radius } = tokens.point;
    return Math.min(radius + pointGain * Math.sqrt(level), radius * this.mostGrown) * scale;
  }

  /** Whether the reading is 0 since it has not begun: f itself of a resumed run is what it began with. */
  isBlank(t) {
    return t === 0 && (this.predictor.kind !== "last" || this.trace.fromZero);
  }

  /** Two instants with the same version have the same reading: f itself only moves with a change. */
  version(t) {
    return this.predictor.kind === "last" ? this.trace.changesBefore(t) : t;
  }
}
