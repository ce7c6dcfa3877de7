// Last, averaged and voted: three readings of the same run.

export const KINDS = /** @type {PredictorKind[]} */ (["last", "averaged", "voted"]);

const BETWEEN_KEYS = 128; // changes between two stored tallies of the vote
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
    this.columns = /** @type {(Float32Array | Float64Array)[]} */ ([]); // k(x_i, ·) by place, worked out when it is needed
    this.keys = [{ change: 0, counted: 0, tally: new Int32Array(this.size) }];
  }

  at(t) {
    const { trace } = this;
    let wanted = this.keys.length - 1;
    while (wanted > 0 && this.keys[wanted].counted > t) wanted--;
    const walk = this.walkFrom(this.keys[wanted]);
    while (walk.change < trace.step.length && trace.step[walk.change] < t) {
      walk.advance();
      if (walk.change % BETWEEN_KEYS === 0 && walk.change / BETWEEN_KEYS === this.keys.length) {
        this.keys.push({ change: walk.change, counted: walk.counted, tally: walk.tally.slice() });
      }
    }
    walk.count(t - walk.counted);
    const shares = Float64Array.from(walk.tally, (votes) => votes / Math.max(t, 1));
    return { field: shares.subarray(0, this.nodes), scores: shares.slice(this.nodes) };
  }

  walkFrom({ change, counted, tally }) {
    const { trace, contributions } = this;
    const { coef, b } = trace.state(change < trace.step.length ? trace.step[change] : trace.nSteps);
    const f = new Float64Array(this.size);
    contributions.field(coef, b, f.subarray(0, this.nodes));
    f.set(contributions.scores(coef, b), this.nodes);
    const votes = this;
    const rest = trace.evicts ? ROUNDING * contributions.largest : 0;
    return {
      change,
      counted,
      b,
      alive: trace.evicts ? trace.entries(change < trace.step.length ? trace.step[change] : trace.nSteps).length : 0,
      tally: tally.slice(),
      count(gap) {
        if (gap > 0) for (let j = 0; j < f.length; j++) this.tally[j] += f[j] >= -rest ? gap : -gap;
        this.counted += gap;
      },
      advance() {
        const j = this.change++;
        this.count(trace.step[j] - this.counted);
        const shift = trace.shift ? trace.shift[j] * trace.unit : 0;
        const shrink = trace.shrink ? trace.shrink[j] : 1;
        if (shrink !== 1) for (let q = 0; q < f.length; q++) f[q] = (f[q] - this.b) * shrink + this.b;
        const add = (place, weight) => {
          const column = votes.column(place);
          const added = weight * trace.unit;
          for (let q = 0; q < f.length; q++) f[q] += added * column[q];
        };
        for (let p = trace.pointer[j]; p < trace.pointer[j + 1]; p++) add(trace.place[p], trace.delta[p]);
        if (trace.evicts) {
          const gone = trace.taken(j);
          for (const [place, weight] of gone) add(place, -weight);
          this.alive += trace.pointer[j + 1] - trace.pointer[j] - gone.length;
          if (this.alive === 0) f.fill(this.b); // exactly, not the rest of a subtraction
        }
        this.b += shift;
        if (shift) for (let q = 0; q < f.length; q++) f[q] += shift;
      },
    };
  }

  /** k(x_i, ·) at the nodes and the examples. */
  column(i) {
    if (!this.columns[i]) {
      const { contributions } = this;
      const column =
        contributions.gram instanceof Float64Array ? new Float64Array(this.size) : new Float32Array(this.size);
      column.set(contributions.bump(i));
      column.set(contributions.gram.subarray(i * contributions.examples, (i + 1) * contributions.examples), this.nodes);
      this.columns[i] = column;
    }
    return this.columns[i];
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
