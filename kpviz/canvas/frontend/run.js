// One run as the browser has it: the words and names of its header, and the folds of its arrays.

import { bySteps } from "./changes.js";
import { Contributions } from "./field.js";
import { unpack } from "./payload.js";
import { KINDS, Predictor } from "./predictors.js";
import { normOf } from "./panels/margins.js";
import { Trace } from "./trace.js";

export class Run {
  constructor(bytes) {
    const { header, arrays } = unpack(bytes);
    this.header = header;
    this.X = arrays.X;
    this.y = arrays.y;
    this.n = header.n;
    this.nTest = header.nTest;
    this.nSteps = header.nSteps;
    this.span = header.nSteps; // of the timeline: that of the longest run on the stage
    this.trainError = arrays.trainError;
    this.testError = arrays.testError ?? null;
    this.plane = header.ground.kind === "plane"; // else f has values at the examples only
    this.edges = arrays.edges ?? [];
    this.outlines = arrays.outlines?.length ? arrays.outlines : null; // of a mixture's components
    this.objects = header.objects; // how examples are written that are no points
    this.stream = header.stream && { ...header.stream, angle: arrays.angle, support: arrays.supportSize };
    this.said = arrays.said;
    this.curve = arrays.curve ?? null;
    this.optimum = arrays.optimum ?? null;
    this.chances = arrays.chances ?? null;
    this.arrays = arrays; // of extras, by the panels that asked for them
    this.trace = new Trace(header, arrays);
    const byStep = ([name, between]) => [
      name,
      bySteps(arrays[`detail_${name}`], between, this.trace.step, this.nSteps),
    ];
    this.details = Object.fromEntries(Object.entries(header.about.details).map(byStep));
    this.contributions = new Contributions(header, arrays);
    this.predictor = new Predictor(header.settings.predictor, this.trace, this.contributions);
    this.cached = { version: null, reading: null };
  }

  /** The two features of a place in their own unit, as the axes have them. */
  own(x1, x2) {
    const { scaled, lows, highs } = this.header.names;
    return [x1, x2].map((value, k) => (scaled ? lows[k] + ((value + 1) / 2) * (highs[k] - lows[k]) : value));
  }

  /** What it has of that which panels need: the examples of a stream come once, so alpha counts nothing, and none is a training error. */
  has(need) {
    return need === "parts" ? this.header.about.parts.length > 0 : this.stream === null;
  }

  /** What the predictor says at t: { coef, b, field, scores }. */
  reading(t) {
    const version = this.version(t);
    if (this.cached.version !== version) this.cached = { version, reading: this.predictor.at(t) };
    return this.cached.reading;
  }

  /** What each predictor says at t, by its kind. */
  readings(t) {
    this.predictors ??= KINDS.map((kind) =>
      kind === this.predictor.kind ? this.predictor : new Predictor(kind, this.trace, this.contributions),
    );
    if (this.cachedReadings?.t !== t) {
      const of = (predictor) => (predictor === this.predictor ? this.reading(t) : predictor.at(t));
      this.cachedReadings = {
        t,
        readings: Object.fromEntries(this.predictors.map((predictor) => [predictor.kind, of(predictor)])),
      };
    }
    return this.cachedReadings.readings;
  }

  /** The field of the batch optimum, null if there is none. */
  get optimumField() {
    if (!this.optimum?.length || !this.plane) return null;
    return (this.cachedOptimum ??= this.contributions.field(this.optimum, 0));
  }

  /** The probability of class +1 at a score, looked up between its neighbours in what Python sent. */
  chance(f) {
    const [low, high] = this.header.about.chances;
    const last = this.chances.length - 1;
    const at = Math.min(Math.max((f - low) / (high - low), 0), 1) * last;
    const k = Math.min(Math.floor(at), last - 1);
    return this.chances[k] + (at - k) * (this.chances[k + 1] - this.chances[k]);
  }

  /** α = y·coef of each support example after t presentations, of f itself whatever the predictor. */
  alphas(t) {
    const changes = this.trace.changesBefore(t);
    if (this.cachedAlphas?.changes !== changes) {
      const { coef } = this.trace.state(t);
      this.cachedAlphas = { changes, values: coef.map((value, place) => value * this.y[this.trace.support[place]]) };
    }
    return this.cachedAlphas.values;
  }

  /** k(x_i, ·) at all examples, for one of the support; null for others. */
  similarTo(i) {
    this.places ??= new Map([...this.trace.support].map((j, place) => [j, place]));
    const { gram, examples } = this.contributions;
    return this.places.has(i)
      ? gram.subarray(this.places.get(i) * examples, (this.places.get(i) + 1) * examples)
      : null;
  }

  /** ‖f‖ after t presentations, of f itself whatever the predictor: the square root of Σ coef_i (f(x_i) − b), 0 where rounding or no kernel makes that negative. */
  normAt(t) {
    const { coef, b } = this.trace.state(t);
    return normOf(this, { coef, b, scores: this.contributions.scores(coef, b) });
  }

  /** α of example i after t presentations. */
  alphaOf(i, t) {
    if (this.header.about.counts) return this.trace.mistakesOn(i, t) * this.trace.unit;
    this.places ??= new Map([...this.trace.support].map((j, place) => [j, place]));
    return this.places.has(i) ? this.alphas(t)[this.places.get(i)] : 0;
  }

  /** Two instants with the same version have the same reading: f itself only moves with a change. */
  version(t) {
    return this.predictor.kind === "last" ? this.trace.changesBefore(t) : t;
  }

  /** The largest |margin| / ‖f‖ at the sixteenths of the run, for the scale of the histogram. */
  get normedLimit() {
    this.cachedLimit ??= this.#normedLimit();
    return this.cachedLimit;
  }

  #normedLimit() {
    let largest = 0;
    for (let k = 1; k <= 16; k++) {
      const { coef, b, scores } = this.predictor.at(Math.ceil((this.nSteps * k) / 16));
      const norm = normOf(this, { coef, b, scores });
      for (let i = 0; i < this.n && norm > 0; i++) largest = Math.max(largest, Math.abs(scores[i]) / norm);
    }
    return Number(largest.toPrecision(2)) || 1;
  }
}
