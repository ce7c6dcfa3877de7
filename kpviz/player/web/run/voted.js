// The voted predictor: each f of a run votes sign(f) once for every presentation after which it was
// in force. `VotedPredictor` answers for an instant; it walks over the changes of the run with a
// `VoteWalk`, and remembers where each f is 0 (`crossingsOf`), so that the boundary of a vote can
// move smoothly.

import { raised } from "./initial.js";
import { ROUNDING } from "./rounding.js";
import { putLatest } from "./trace.js";

/** @import { Contributions } from "./field.js" */
/** @import { Trace } from "./trace.js" */

/**
 * The state of a walk that a later one can begin with.
 *
 * @typedef {object} Checkpoint
 * @property {number} change so many changes are made
 * @property {number} counted so many presentations have voted
 * @property {Int32Array} tally the sum of the votes at each node, then at each example
 */

const LEAST_BETWEEN = 32; // In changes, from one checkpoint to the next.
const MOST_IN_CHECKPOINTS = 16e6; // Numbers in all tallies.
const MOST_IN_COLUMNS = 6e6; // Numbers in all columns k(x_i, ·) that are remembered.
// In all boundaries that are remembered; with more of them a vote changes in so small steps that it
// is as smooth as f.
const MOST_CROSSINGS = 1e6;
// An edge of the grid has so many parts: more exactly one cannot see where a vote turns.
const EDGE_PARTS = 32;

/** Shares of the votes sign(f) of the states after 1, …, t presentations, with sign(0) = +1. */
export class VotedPredictor {
  /** @param {Trace} trace @param {Contributions} contributions */
  constructor(trace, contributions) {
    this.trace = trace;
    this.contributions = contributions;
    this.nodeCount = contributions.grid ** 2;
    // Values of f: at the nodes, then at the examples.
    this.valueCount = this.nodeCount + contributions.examples;
    this.mostColumns = Math.floor(MOST_IN_COLUMNS / this.valueCount);
    // A walk knows at the nodes, too, how large rounding may be, if the columns of all examples
    // are remembered, or if it needs them anyway since examples are evicted.
    this.boundsRoundingAtNodes = contributions.count <= this.mostColumns || trace.evicts !== null;
    // k(x_i, ·) of the examples for which it was needed last, by their places in the support.
    this.columns = /** @type {Map<number, Float64Array>} */ (new Map());
    /** @type {Checkpoint[]} */
    this.checkpoints = [{ change: 0, counted: 0, tally: new Int32Array(this.valueCount) }];
    this.changesBetween = Math.max(
      LEAST_BETWEEN,
      Math.ceil((trace.step.length * this.valueCount) / MOST_IN_CHECKPOINTS),
    );
    // The walk to the last instant that was asked for: the next instant goes on from it.
    this.latestWalk = /** @type {VoteWalk | null} */ (null);
    // The boundary of each version of f (`crossingsOf`); null where they are too many.
    this.crossings = /** @type {Int32Array[] | null} */ ([]);
    this.crossingCount = 0;
    // What votes gain on each part of each edge, added up when a boundary is first asked for.
    this.gains = /** @type {Int32Array | null} */ (null);
    this.votesInGains = new Uint32Array(0); // The votes of each version that are in `gains`.
  }

  /** The shares at the nodes and the examples, and where they turn. @param {number} t */
  readingAt(t) {
    const walk = this.#walkTo(t);
    const shares = Float64Array.from(walk.tally(), (sum) => sum / Math.max(t, 1));
    return {
      field: shares.subarray(0, this.nodeCount),
      scores: shares.slice(this.nodeCount),
      turns: (field, edges, level) => this.turns(t, field, { edges, level }),
    };
  }

  /** The walk that has counted t presentations. @param {number} t */
  #walkTo(t) {
    const { trace, checkpoints, latestWalk, changesBetween } = this;
    const checkpoint = checkpoints.filter(({ counted }) => counted <= t).at(-1);
    const isNearer =
      latestWalk && latestWalk.counted <= t && latestWalk.counted >= checkpoint.counted;
    const walk = isNearer ? latestWalk : new VoteWalk(this, checkpoint);
    while (walk.change < trace.step.length && trace.step[walk.change] < t) {
      walk.advance();
      if (walk.change === checkpoints.length * changesBetween) {
        checkpoints.push({ change: walk.change, counted: walk.counted, tally: walk.tally() });
      }
    }
    walk.counted = t;
    this.latestWalk = walk;
    return walk;
  }

  /** Remember the boundary of the version of f to which a walk has come. @param {VoteWalk} walk */
  noteCrossings({ change, f, sign }) {
    if (this.crossings?.length !== change) return;
    const crossings = crossingsOf(f, sign, this.contributions.grid);
    this.crossings.push(crossings);
    this.crossingCount += crossings.length;
    if (this.crossingCount > MOST_CROSSINGS) this.crossings = null;
  }

  /**
   * At which share of each of these edges the votes come to the other side of a level. The ends of
   * each edge lie on the two sides of it. A version of f turns its votes where it is 0, if between
   * the ends it is taken for a line.
   *
   * @param {number} t
   * @param {Float64Array} field shares of the votes, which may be on their way
   * @param {{ edges: number[], level: number }} asked
   */
  turns(t, field, { edges, level }) {
    /** @type {Map<number, number>} */
    const shares = new Map();
    if (!this.crossings) return shares;
    this.#updateGains(t);
    for (const edge of edges) {
      const start = field[edge >> 1]; // An edge begins at the node of half its number.
      let value = start;
      for (let part = 0; part < EDGE_PARTS; part++) {
        // A vote that turns from −1 to +1 changes the sum by 2.
        value += (2 * this.gains[edge * EDGE_PARTS + part]) / t;
        if (value > level === start > level) continue;
        shares.set(edge, (part + 0.5) / EDGE_PARTS);
        break;
      }
    }
    return shares;
  }

  /** Let `gains` be those after t presentations. @param {number} t */
  #updateGains(t) {
    this.gains ??= new Int32Array(2 * this.nodeCount * EDGE_PARTS);
    const votes = this.trace.survivals(t);
    const versions = Math.max(votes.length, this.votesInGains.length);
    for (let version = 0; version < versions; version++) {
      const difference = (votes[version] ?? 0) - (this.votesInGains[version] ?? 0);
      if (!difference) continue;
      for (const crossing of this.crossings[version]) {
        this.gains[Math.abs(crossing) - 1] += crossing > 0 ? difference : -difference;
      }
    }
    this.votesInGains = votes;
  }

  /**
   * Add weight · k(x_i, ·) to the values of f, and its size to `added`, which bounds the rounding.
   *
   * @param {number} place of the example in the support
   * @param {number} weight
   * @param {Float64Array} f
   * @param {Float64Array} added
   */
  add(place, weight, f, added) {
    const { contributions, nodeCount } = this;
    if (this.boundsRoundingAtNodes) {
      const column = this.column(place);
      for (let q = 0; q < f.length; q++) {
        const term = weight * column[q];
        f[q] += term;
        added[q] += Math.abs(term);
      }
      return;
    }
    contributions.addOne(place, weight, f.subarray(0, nodeCount));
    const from = place * contributions.examples;
    for (let j = 0; j < contributions.examples; j++) {
      const term = weight * contributions.gram[from + j];
      f[nodeCount + j] += term;
      added[nodeCount + j] += Math.abs(term);
    }
  }

  /** k(x_i, ·) at the nodes and the examples. @param {number} place of x_i in the support */
  column(place) {
    const column = this.columns.get(place) ?? this.#newColumn(place);
    putLatest(this.columns, place, column, this.mostColumns);
    return column;
  }

  #newColumn(place) {
    const { contributions, nodeCount, valueCount } = this;
    const column = new Float64Array(valueCount); // Far from a narrow hill values are tiny.
    contributions.addOne(place, 1, column.subarray(0, nodeCount));
    const { gram, examples } = contributions;
    column.set(gram.subarray(place * examples, (place + 1) * examples), nodeCount);
    return column;
  }

  /** f₀ at the nodes and the examples; undefined where nothing is added. */
  get initialValues() {
    const { initial } = this.contributions;
    return initial ? this.#joined(initial.field, initial.scores) : undefined;
  }

  /** What the terms of f₀ add up to without their signs, in the same order. */
  get initialSizes() {
    const { initial } = this.contributions;
    return initial ? this.#joined(initial.field.map(Math.abs), initial.sizes) : undefined;
  }

  /** @param {Float64Array} atNodes @param {Float64Array} atExamples */
  #joined(atNodes, atExamples) {
    const values = new Float64Array(this.valueCount);
    values.set(atNodes);
    values.set(atExamples, this.nodeCount);
    return values;
  }
}

/**
 * Where f crosses the edges between neighbouring nodes. The number of an edge is, as in
 * board/view.js, 2 · node to the right and 2 · node + 1 upwards. A crossing is
 * 1 + EDGE_PARTS · edge + the part of it, negative where f falls.
 *
 * @param {Float64Array} f
 * @param {Int8Array} sign of f, where what is only rounding counts as 0
 * @param {number} grid
 */
function crossingsOf(f, sign, grid) {
  /** @type {number[]} */
  const crossings = [];
  const cross = (edge, from, to) => {
    // Where both ends are 0, there is no share of the edge: `|| 0` takes its first part.
    const part = Math.floor((EDGE_PARTS * f[from]) / (f[from] - f[to])) || 0;
    const partOnEdge = Math.min(Math.max(part, 0), EDGE_PARTS - 1);
    crossings.push(sign[to] * (1 + EDGE_PARTS * edge + partOnEdge));
  };
  for (let node = 0; node < grid * grid - 1; node++) {
    const isLastInRow = (node + 1) % grid === 0;
    if (sign[node] !== sign[node + 1] && !isLastInRow) cross(2 * node, node, node + 1);
  }
  for (let node = 0; node < grid * (grid - 1); node++) {
    if (sign[node] !== sign[node + grid]) cross(2 * node + 1, node, node + grid);
  }
  return Int32Array.from(crossings);
}

/**
 * The states of a run one after the other, each with the votes until then. At each place the sum of
 * the votes is `base` + `sign` · the presentations counted, so `base` changes only where a sign
 * does.
 */
class VoteWalk {
  /** @param {VotedPredictor} votes @param {Checkpoint} checkpoint */
  constructor(votes, { change, counted, tally }) {
    const { trace } = votes;
    const step = change < trace.step.length ? trace.step[change] : trace.nSteps;
    const { coef, b } = trace.state(step);
    this.votes = votes;
    this.change = change;
    this.counted = counted;
    this.b = b;
    this.f = new Float64Array(votes.valueCount);
    // The terms of f except b and f₀, added up without their signs.
    this.added = new Float64Array(votes.valueCount);
    this.initialValues = votes.initialValues;
    this.initialSizes = votes.initialSizes;
    // Places at which f may be the remainder of a subtraction; `advance` fills the first of them.
    this.doubtful = new Int32Array(trace.evicts ? votes.valueCount : 0);
    if (votes.boundsRoundingAtNodes) this.sumAnew(coef, Int32Array.from(this.f.keys()));
    else {
      this.f.fill(b);
      raised(this.f, this.initialValues);
      coef.forEach((weight, place) => weight && votes.add(place, weight, this.f, this.added));
    }
    this.sign = new Int8Array(votes.valueCount); // 0 until `noteSigns` knows them.
    this.base = tally.slice();
    this.noteSigns();
  }

  /** The sum of the votes at each place. */
  tally() {
    return this.base.map((sum, q) => sum + this.sign[q] * this.counted);
  }

  /** Make the next change. */
  advance() {
    const { votes, f, added, initialValues } = this;
    const { trace } = votes;
    const j = this.change++;
    this.counted = trace.step[j];
    const shrink = trace.shrink ? trace.shrink[j] : 1;
    if (shrink !== 1) {
      for (let q = 0; q < f.length; q++) {
        const unshrunk = this.b + (initialValues ? initialValues[q] : 0); // Nothing shrinks this.
        f[q] = (f[q] - unshrunk) * shrink + unshrunk;
      }
    }
    for (let p = trace.pointer[j]; p < trace.pointer[j + 1]; p++) {
      votes.add(trace.place[p], trace.delta[p] * trace.unit, f, added);
    }
    if (trace.evicts) this.#evict(j);
    const shift = trace.shift ? trace.shift[j] * trace.unit : 0;
    this.b += shift;
    if (shift) for (let q = 0; q < f.length; q++) f[q] += shift;
    this.noteSigns();
  }

  /**
   * Take away what change j evicts. Where that leaves little more than rounding, f is summed anew.
   *
   * @param {number} j
   */
  #evict(j) {
    const { votes, f, added, doubtful, initialValues } = this;
    const { trace } = votes;
    for (const [place, weight] of trace.taken(j)) {
      votes.add(place, -weight * trace.unit, f, added);
    }
    let count = 0;
    for (let q = 0; q < f.length; q++) {
      const unshrunk = this.b + (initialValues ? initialValues[q] : 0);
      if (Math.abs(f[q] - unshrunk) < ROUNDING * added[q]) doubtful[count++] = q;
    }
    if (count) this.sumAnew(trace.state(trace.step[j] + 1).coef, doubtful.subarray(0, count));
  }

  /** Sum f anew at some places. @param {Float64Array} coef @param {Int32Array} places */
  sumAnew(coef, places) {
    const { votes, f, added, b, initialValues } = this;
    for (const q of places) f[q] = b + (initialValues ? initialValues[q] : 0);
    for (const q of places) added[q] = 0;
    coef.forEach((weight, place) => {
      if (!weight) return;
      const column = votes.column(place);
      for (const q of places) {
        const term = weight * column[q];
        f[q] += term;
        added[q] += Math.abs(term);
      }
    });
  }

  /** Note which signs have changed: sign(0) = +1, and what is only rounding counts as 0. */
  noteSigns() {
    const { f, sign, base, counted, added, initialSizes } = this;
    const sizeOfB = Math.abs(this.b);
    for (let q = 0; q < f.length; q++) {
      const size = added[q] + sizeOfB + (initialSizes ? initialSizes[q] : 0);
      const newSign = f[q] >= -ROUNDING * size ? 1 : -1;
      if (newSign === sign[q]) continue;
      base[q] += (sign[q] - newSign) * counted;
      sign[q] = newSign;
    }
    this.votes.noteCrossings(this);
  }
}
