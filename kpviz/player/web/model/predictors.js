// Last, averaged and voted: three readings of the same run.

export const KINDS = /** @type {PredictorKind[]} */ (["last", "averaged", "voted"]);

const BETWEEN_KEYS = 128; // changes between two stored tallies of the vote
const MOST_IN_KEYS = 16e6; // numbers in all of them
const MOST_COLUMNS = 6e6; // numbers in what is remembered of k(x_i, ·)
const ROUNDING = 1e-12; // of the largest k(u, v): so much may be left of 0 after subtracting what was evicted

/** @import { Contributions } from "./field.js" */
/** @import { Trace } from "./trace.js" */
/** @import { PredictorKind, Reading } from "../types.d.ts" */

/** The reading at t; a vote has no coefficients of its own. */
export class Predictor {
  /**
   * @param {PredictorKind} kind
   * @param {Trace} trace
   * @param {Contributions} contributions
   */
  constructor(kind, trace, contributions) {
    this.kind = kind;
    this.trace = trace;
    this.contributions = contributions;
    this.votes = kind === "voted" ? new Votes(trace, contributions) : null;
  }

  /**
   * @param {number} t
   * @returns {Reading}
   */
  at(t) {
    const last = this.trace.state(t);
    if (this.votes) return { ...last, ...this.votes.at(t) };
    const { coef, b } = this.kind === "averaged" ? this.trace.averaged(t) : last;
    return { coef, b, field: this.contributions.field(coef, b), scores: this.contributions.scores(coef, b) };
  }
}

/** Shares of the votes sign(f) of the states after 1, …, t presentations, with sign(0) = +1. */
class Votes {
  /**
   * @param {Trace} trace
   * @param {Contributions} contributions
   */
  constructor(trace, contributions) {
    this.trace = trace;
    this.contributions = contributions;
    this.nodes = contributions.grid ** 2;
    this.size = this.nodes + contributions.examples;
    this.remembers = contributions.count * this.size <= MOST_COLUMNS;
    this.columns = /** @type {Float64Array[]} */ ([]); // k(x_i, ·) by place, worked out when it is needed
    this.keys = [{ change: 0, counted: 0, tally: new Int32Array(this.size) }];
    this.between = Math.max(BETWEEN_KEYS, Math.ceil((trace.step.length * this.size) / MOST_IN_KEYS));
    this.latest = /** @type {Walk | null} */ (null); // from which one goes on where a step costs more
  }

  at(t) {
    const { trace } = this;
    let wanted = this.keys.length - 1;
    while (wanted > 0 && this.keys[wanted].counted > t) wanted--;
    const key = this.keys[wanted];
    const near = this.latest && this.latest.counted <= t && this.latest.counted >= key.counted;
    const walk = near ? this.latest : new Walk(this, key);
    while (walk.change < trace.step.length && trace.step[walk.change] < t) {
      walk.advance();
      if (walk.change % this.between === 0 && walk.change / this.between === this.keys.length) {
        this.keys.push({ change: walk.change, counted: walk.counted, tally: walk.tally() });
      }
    }
    walk.counted = t;
    if (!this.remembers) this.latest = walk;
    const shares = Float64Array.from(walk.tally(), (votes) => votes / Math.max(t, 1));
    return { field: shares.subarray(0, this.nodes), scores: shares.slice(this.nodes) };
  }

  /** Add so much of k(x_i, ·) to its values at the nodes and the examples. */
  add(i, weight, f) {
    const { contributions } = this;
    if (this.remembers) {
      const column = this.column(i);
      for (let q = 0; q < f.length; q++) f[q] += weight * column[q];
      return;
    }
    contributions.addOne(i, weight, f.subarray(0, this.nodes));
    const from = i * contributions.examples;
    for (let j = 0; j < contributions.examples; j++) f[this.nodes + j] += weight * contributions.gram[from + j];
  }

  /** k(x_i, ·) at the nodes and the examples. */
  column(i) {
    if (!this.columns[i]) {
      const { contributions } = this;
      const column = new Float64Array(this.size); // far from a narrow hill values are tiny
      column.set(contributions.bump(i));
      column.set(contributions.gram.subarray(i * contributions.examples, (i + 1) * contributions.examples), this.nodes);
      this.columns[i] = column;
    }
    return this.columns[i];
  }
}

/**
 * The states one after the other, each with the votes until then. These are `before` + `sign` · the presentations
 * counted: so they change only where a sign does.
 */
class Walk {
  /**
   * @param {Votes} votes
   * @param {{ change: number, counted: number, tally: Int32Array }} key
   */
  constructor(votes, { change, counted, tally }) {
    const { trace, contributions, nodes } = votes;
    const step = change < trace.step.length ? trace.step[change] : trace.nSteps;
    const { coef, b } = trace.state(step);
    this.votes = votes;
    this.change = change;
    this.counted = counted;
    this.b = b;
    this.rest = trace.evicts ? ROUNDING * contributions.largest : 0;
    this.alive = trace.evicts ? trace.entries(step).length : 0;
    this.f = new Float64Array(votes.size);
    contributions.field(coef, b, this.f.subarray(0, nodes));
    this.f.set(contributions.scores(coef, b), nodes);
    this.sign = Int8Array.from(this.f, (value) => (value >= -this.rest ? 1 : -1));
    this.before = tally.map((sum, q) => sum - this.sign[q] * counted);
  }

  tally() {
    return this.before.map((sum, q) => sum + this.sign[q] * this.counted);
  }

  advance() {
    const { votes, f } = this;
    const { trace } = votes;
    const j = this.change++;
    this.counted = trace.step[j];
    const shift = trace.shift ? trace.shift[j] * trace.unit : 0;
    const shrink = trace.shrink ? trace.shrink[j] : 1;
    if (shrink !== 1) for (let q = 0; q < f.length; q++) f[q] = (f[q] - this.b) * shrink + this.b;
    for (let p = trace.pointer[j]; p < trace.pointer[j + 1]; p++) {
      votes.add(trace.place[p], trace.delta[p] * trace.unit, f);
    }
    if (trace.evicts) {
      const gone = trace.taken(j);
      for (const [place, weight] of gone) votes.add(place, -weight * trace.unit, f);
      this.alive += trace.pointer[j + 1] - trace.pointer[j] - gone.length;
      if (this.alive === 0) f.fill(this.b); // exactly, not the rest of a subtraction
    }
    this.b += shift;
    if (shift) for (let q = 0; q < f.length; q++) f[q] += shift;
    this.turn();
  }

  /** Note whose sign has changed. */
  turn() {
    const { f, sign, before, counted, rest } = this;
    for (let q = 0; q < f.length; q++) {
      const now = f[q] >= -rest ? 1 : -1;
      if (now === sign[q]) continue;
      before[q] += (sign[q] - now) * counted;
      sign[q] = now;
    }
  }
}

/** { train, test }: examples on the wrong side of a reading; a zero score is wrong, but a tied vote says +1. */
export function errors({ n, nTest, y }, kind, { scores }) {
  const found = { train: 0, test: 0 };
  for (let i = 0; i < n + nTest; i++) {
    const says = kind === "voted" && scores[i] === 0 ? 1 : scores[i];
    if (y[i] * says <= 0) found[i < n ? "train" : "test"]++;
  }
  return found;
}
