// One run as the browser has it: the words and names of its header, and the folds of its arrays.

import { Contributions } from "./field.js";
import { unpack } from "./payload.js";
import { Predictor } from "./predictors.js";
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
    this.trainError = arrays.trainError;
    this.testError = arrays.testError ?? null;
    this.trace = new Trace(header, arrays);
    this.contributions = new Contributions(header, arrays);
    this.predictor = new Predictor(header.settings.predictor, this.trace, this.contributions);
    this.cached = { version: null, reading: null };
  }

  /** The two features of a place in their own unit, as the axes have them. */
  own(x1, x2) {
    const { scaled, lows, highs } = this.header.names;
    return [x1, x2].map((value, k) => (scaled ? lows[k] + ((value + 1) / 2) * (highs[k] - lows[k]) : value));
  }

  /** What the predictor says at t: { coef, b, field, scores }. */
  reading(t) {
    const version = this.version(t);
    if (this.cached.version !== version) this.cached = { version, reading: this.predictor.at(t) };
    return this.cached.reading;
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
