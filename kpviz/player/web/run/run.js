// One run as the browser has it: the words and names of its header, and the folds of its arrays.

import { Contributions } from "./field.js";
import { raised } from "./initial.js";
import { unpack } from "./payload.js";
import { ROUNDING } from "./rounding.js";
import { bySteps, putLatest, Trace } from "./trace.js";
import { counted, number, ordinal, whole } from "./words.js";

/** @import { Discriminant } from "./discriminant.js" */
/** @import { Header, Numbers, PredictorKind, Reading } from "./types.d.ts" */

const ORDINALS = ["", "first", "second", "third"];

/** Which epoch it is, in words. @param {number} epoch */
const epochWords = (epoch) => `${ORDINALS[epoch] ?? ordinal(epoch)} epoch`;

// Last, averaged and voted: three readings of the same run.

export const KINDS = /** @type {PredictorKind[]} */ (["last", "averaged", "voted"]);

/** In px: the radius of an example that is held out. */
export const HELD_OUT = 4.2;
const MOST_DIGITS = 15; // With more digits the rounding of a number shows.
const BETWEEN_KEYS = 32; // In changes, between two stored tallies of the vote.
const MOST_IN_KEYS = 16e6; // In all tallies.
const MOST_COLUMNS = 6e6; // In all that is remembered of k(x_i, ·).
// In all boundaries that are remembered; with more of them a vote changes in so small steps that it
// is as smooth as f.
const MOST_CROSSINGS = 1e6;
const PARTS = 32; // An edge of the grid has so many, as exactly as one can see where a vote turns.

/** The reading at t; a vote has no coefficients of its own. */
export class Predictor {
  /** @param {PredictorKind} kind @param {Trace} trace @param {Contributions} contributions */
  constructor(kind, trace, contributions) {
    this.kind = kind;
    this.trace = trace;
    this.contributions = contributions;
    this.votes = kind === "voted" ? new Votes(trace, contributions) : null;
  }

  /** @returns {Reading} */
  at(t) {
    if (this.votes) return { ...this.trace.state(t), ...this.votes.at(t) };
    return this.contributions.whole(
      this.kind === "averaged" ? this.trace.averagedSums(t) : this.trace.sums(t),
    );
  }
}

/** Shares of the votes sign(f) of the states after 1, …, t presentations, with sign(0) = +1. */
class Votes {
  /** @param {Trace} trace @param {Contributions} contributions */
  constructor(trace, contributions) {
    this.trace = trace;
    this.contributions = contributions;
    this.nodes = contributions.grid ** 2;
    this.size = this.nodes + contributions.examples;
    this.mostColumns = Math.floor(MOST_COLUMNS / this.size);
    // At the nodes, too; otherwise only at the examples.
    this.addsSizes = contributions.count <= this.mostColumns || trace.evicts !== null;
    // k(x_i, ·) by place, of the examples for which it was needed last.
    this.columns = /** @type {Map<number, Float64Array>} */ (new Map());
    this.keys = [{ change: 0, counted: 0, tally: new Int32Array(this.size) }];
    this.between = Math.max(
      BETWEEN_KEYS,
      Math.ceil((trace.step.length * this.size) / MOST_IN_KEYS),
    );
    // The next instant goes on from it.
    this.latest = /** @type {VoteWalk | null} */ (null);
    // The boundary of each version of f (`crossingsOf`); null where that is too much.
    this.crossings = /** @type {Int32Array[] | null} */ ([]);
    this.crossingCount = 0;
    this.counted = new Uint32Array(0); // The votes of each version that are in `gains`.
    // What votes gain on each part of each edge, added up when a boundary is first asked for.
    this.gains = /** @type {Int32Array | null} */ (null);
  }

  at(t) {
    const { trace } = this;
    let keyIndex = this.keys.length - 1;
    while (keyIndex > 0 && this.keys[keyIndex].counted > t) keyIndex--;
    const key = this.keys[keyIndex];
    const near = this.latest && this.latest.counted <= t && this.latest.counted >= key.counted;
    const walk = near ? this.latest : new VoteWalk(this, key);
    while (walk.change < trace.step.length && trace.step[walk.change] < t) {
      walk.advance();
      if (walk.change % this.between === 0 && walk.change / this.between === this.keys.length) {
        this.keys.push({ change: walk.change, counted: walk.counted, tally: walk.tally() });
      }
    }
    walk.counted = t;
    this.latest = walk;
    const shares = Float64Array.from(walk.tally(), (votes) => votes / Math.max(t, 1));
    const turns = (field, edges, level) => this.turns(t, field, { edges, level });
    return { field: shares.subarray(0, this.nodes), scores: shares.slice(this.nodes), turns };
  }

  /** Remember the boundary of the version of f to which a walk has come. @param {VoteWalk} walk */
  note({ change, f, sign }) {
    if (this.crossings?.length !== change) return;
    const crossings = crossingsOf(f, sign, this.contributions.grid);
    this.crossings.push(crossings);
    this.crossingCount += crossings.length;
    if (this.crossingCount > MOST_CROSSINGS) this.crossings = null;
  }

  /**
   * At which share of each of these edges, on whose ends a field lies on two sides of a level, the
   * votes bring it to the other side: where a version of f crosses it, between whose ends it is
   * taken for a line.
   *
   * @param {number} t
   * @param {Float64Array} field shares of the votes, which may be on their way
   * @param {{ edges: number[], level: number }} of
   */
  turns(t, field, { edges, level }) {
    const shares = new Map();
    if (!this.crossings) return shares;
    this.gains ??= new Int32Array(2 * this.nodes * PARTS);
    const votes = this.trace.survivals(t);
    for (let version = 0; version < Math.max(votes.length, this.counted.length); version++) {
      const more = (votes[version] ?? 0) - (this.counted[version] ?? 0);
      if (!more) continue;
      for (const crossing of this.crossings[version]) {
        this.gains[Math.abs(crossing) - 1] += crossing > 0 ? more : -more;
      }
    }
    this.counted = votes;
    for (const edge of edges) {
      const start = field[edge >> 1];
      let value = start;
      for (let part = 0; part < PARTS; part++) {
        value += (2 * this.gains[edge * PARTS + part]) / t;
        if (value > level === start > level) continue;
        shares.set(edge, (part + 0.5) / PARTS);
        break;
      }
    }
    return shares;
  }

  /**
   * Add so much of k(x_i, ·) to its values at the nodes and the examples, without its sign to
   * `added`.
   */
  add(i, weight, f, added) {
    const { contributions, nodes } = this;
    if (this.addsSizes) {
      const column = this.column(i);
      for (let q = 0; q < f.length; q++) {
        const term = weight * column[q];
        f[q] += term;
        added[q] += Math.abs(term);
      }
      return;
    }
    contributions.addOne(i, weight, f.subarray(0, nodes));
    const from = i * contributions.examples;
    for (let j = 0; j < contributions.examples; j++) {
      const term = weight * contributions.gram[from + j];
      f[nodes + j] += term;
      added[nodes + j] += Math.abs(term);
    }
  }

  column(i) {
    const column = this.columns.get(i) ?? this.#newColumn(i);
    putLatest(this.columns, i, column, this.mostColumns);
    return column;
  }

  #newColumn(i) {
    const { contributions, nodes, size } = this;
    const column = new Float64Array(size); // Far from a narrow hill values are tiny.
    contributions.addOne(i, 1, column.subarray(0, nodes));
    column.set(
      contributions.gram.subarray(i * contributions.examples, (i + 1) * contributions.examples),
      nodes,
    );
    return column;
  }
}

/**
 * Where f crosses the edges between neighbouring nodes: 1 + PARTS · the number of the edge (as in
 * board/view.js: 2 · node to the right, 2 · node + 1 upwards) + the part of it, negative where f
 * falls.
 *
 * @param {Float64Array} f
 * @param {Int8Array} sign of f, where what is but rounding is 0
 * @param {number} grid
 */
function crossingsOf(f, sign, grid) {
  /** @type {number[]} */
  const crossings = [];
  const cross = (edge, from, to) => {
    const part = Math.floor((PARTS * f[from]) / (f[from] - f[to])) || 0;
    crossings.push(sign[to] * (1 + PARTS * edge + Math.min(Math.max(part, 0), PARTS - 1)));
  };
  for (let node = 0; node < grid * grid - 1; node++) {
    if (sign[node] !== sign[node + 1] && (node + 1) % grid) cross(2 * node, node, node + 1);
  }
  for (let node = 0; node < grid * (grid - 1); node++) {
    if (sign[node] !== sign[node + grid]) cross(2 * node + 1, node, node + grid);
  }
  return Int32Array.from(crossings);
}

/**
 * The states one after the other, each with the votes until then. These are `before` + `sign` · the
 * presentations counted: so they change only where a sign does.
 */
class VoteWalk {
  /** @param {Votes} votes @param {{ change: number, counted: number, tally: Int32Array }} key */
  constructor(votes, { change, counted, tally }) {
    const { trace } = votes;
    const step = change < trace.step.length ? trace.step[change] : trace.nSteps;
    const { coef, b } = trace.state(step);
    this.votes = votes;
    this.change = change;
    this.counted = counted;
    this.b = b;
    this.f = new Float64Array(votes.size);
    // What was added up to f without b and f₀, without signs.
    this.added = new Float64Array(votes.size);
    this.fixed = fixedOf(votes);
    this.fixedSize = fixedOf(votes, "sizes");
    // In the first of these places f may be the rest of a subtraction.
    this.doubtful = new Int32Array(trace.evicts ? votes.size : 0);
    if (votes.addsSizes) this.addUp(coef, Int32Array.from(this.f.keys()));
    else {
      this.f.fill(b);
      raised(this.f, this.fixed);
      coef.forEach((weight, i) => weight && votes.add(i, weight, this.f, this.added));
    }
    this.sign = new Int8Array(votes.size); // Before anything is voted.
    this.before = tally.slice();
    this.turn();
  }

  tally() {
    return this.before.map((sum, q) => sum + this.sign[q] * this.counted);
  }

  advance() {
    const { votes, f, added, doubtful, fixed } = this;
    const { trace } = votes;
    const j = this.change++;
    this.counted = trace.step[j];
    const shift = trace.shift ? trace.shift[j] * trace.unit : 0;
    const shrink = trace.shrink ? trace.shrink[j] : 1;
    const unshrunk = (q) => this.b + (fixed ? fixed[q] : 0); // Nothing shrinks this.
    if (shrink !== 1) {
      for (let q = 0; q < f.length; q++) f[q] = (f[q] - unshrunk(q)) * shrink + unshrunk(q);
    }
    for (let p = trace.pointer[j]; p < trace.pointer[j + 1]; p++) {
      votes.add(trace.place[p], trace.delta[p] * trace.unit, f, added);
    }
    if (trace.evicts) {
      for (const [place, weight] of trace.taken(j)) {
        votes.add(place, -weight * trace.unit, f, added);
      }
      let count = 0;
      for (let q = 0; q < f.length; q++) {
        if (Math.abs(f[q] - unshrunk(q)) < ROUNDING * added[q]) doubtful[count++] = q;
      }
      if (count) this.addUp(trace.state(trace.step[j] + 1).coef, doubtful.subarray(0, count));
    }
    this.b += shift;
    if (shift) for (let q = 0; q < f.length; q++) f[q] += shift;
    this.turn();
  }

  /** Add f up anew at some places. @param {Float64Array} coef @param {Int32Array} places */
  addUp(coef, places) {
    const { votes, f, added, b, fixed } = this;
    for (const q of places) f[q] = b + (fixed ? fixed[q] : 0);
    for (const q of places) added[q] = 0;
    coef.forEach((weight, i) => {
      if (!weight) return;
      const column = votes.column(i);
      for (const q of places) {
        const term = weight * column[q];
        f[q] += term;
        added[q] += Math.abs(term);
      }
    });
  }

  /** Note whose sign has changed: sign(0) = +1, and what is but rounding is 0. */
  turn() {
    const { f, sign, before, counted, added, fixedSize } = this;
    const shift = Math.abs(this.b);
    for (let q = 0; q < f.length; q++) {
      const now = f[q] >= -ROUNDING * (added[q] + shift + (fixedSize ? fixedSize[q] : 0)) ? 1 : -1;
      if (now === sign[q]) continue;
      before[q] += (sign[q] - now) * counted;
      sign[q] = now;
    }
    this.votes.note(this);
  }
}

/**
 * f₀ at the nodes and the examples, or its terms without their signs; undefined where nothing is
 * added.
 *
 * @param {Votes} votes
 * @param {"scores" | "sizes"} what
 */
function fixedOf({ contributions: { initial }, nodes, size }, what = "scores") {
  if (!initial) return undefined;
  const fixed = new Float64Array(size);
  fixed.set(what === "scores" ? initial.field : initial.field.map(Math.abs));
  fixed.set(initial[what], nodes);
  return fixed;
}

/**
 * { train, test }: examples on the wrong side of a reading; a zero score is wrong, but a tied vote
 * says +1.
 */
export function errors({ n, nTest, y }, kind, { scores }) {
  const wrong = { train: 0, test: 0 };
  for (let i = 0; i < n + nTest; i++) {
    const says = kind === "voted" && scores[i] === 0 ? 1 : scores[i];
    if (y[i] * says <= 0) wrong[i < n ? "train" : "test"]++;
  }
  return wrong;
}

export class Run {
  /** @type {Discriminant | null} */
  fisher = null; // On Fisher's page it has the place of a run.
  /** @type {"fisher" | null} */
  page = null; // The page that shows it, where that is another than the board's.
  hasFormulas = false; // They would stand in its sentences.
  id = "";
  dataId = ""; // Runs with the same one have the same examples.
  mostGrown = Infinity; // Relative to the least radius: no point is larger.
  showsSymbols = () => true;
  span = 0; // The timeline has the steps of the longest run on the stage.
  /** @type {Predictor[] | undefined} */
  predictors; // They are made once they are compared.
  /** @type {{ from: number[], counts: Uint32Array } | undefined} */
  votes; // They are counted once they are shown.

  #latest = {
    version: /** @type {number | null} */ (null),
    reading: /** @type {Reading | null} */ (null),
  };
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
    this.arrays = arrays; // Arrays of extras are read by the panels that asked for them.
    this.X = arrays.X;
    this.y = arrays.y;
    this.lines = arrays.lines ?? null; // The line of each example in its file.
    this.n = this.header.n;
    this.nTest = this.header.nTest;
    this.nSteps = this.header.nSteps;
    this.span = this.nSteps;
    // Otherwise f has values at the examples only.
    this.plane = this.header.ground.kind === "plane";
    this.objects = this.header.objects; // How examples are written that are not points.
    this.stream = this.header.stream && {
      ...this.header.stream,
      angle: arrays.angle,
      support: arrays.supportSize,
    };
    this.optimum = arrays.optimum ?? null;
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
    const inUnits = (value, k) =>
      Number((lows[k] + ((value + 1) / 2) * (highs[k] - lows[k])).toPrecision(MOST_DIGITS));
    return scaled ? [x1, x2].map(inUnits) : [x1, x2];
  }

  /** The same of one axis, the first (0) or the second (1). @param {0 | 1} axis */
  onAxis(axis, value) {
    return this.inDataUnits(value, value)[axis];
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
   * The line of an example in its file, as what follows its name; "" without a file.
   *
   * @param {number} i
   */
  lineOf(i) {
    return this.lines ? `, line ${this.lines[i]}` : "";
  }

  /**
   * Where it is, in short: how many of its examples were shown, since a point's number is its name.
   * Where one may come twice in an epoch, steps are counted. What is covered is left out, since a
   * task asks for it.
   *
   * @param {Set<string>} [covered]
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
    const memory =
      stream && !covered.has("support") ? [`${whole.format(stream.support[t])} in memory`] : [];
    const mistakes =
      counted(trace.mistakesBefore(t), "mistake") + (t < trace.nSteps ? " so far" : "");
    return [
      where,
      ...memory,
      ...(covered.has("mistakes") || trace.paired ? [] : [mistakes]),
      ...norm,
    ].join(" · ");
  }

  /**
   * The instant of a place ("12", "start", "end", "mistake 3", "epoch 2"), null where it has none.
   *
   * @param {string} place
   */
  instantOf(place) {
    const { trace, nSteps } = this;
    const [kind, which] = place.split(" ");
    if (kind === "best" || kind === "angle") return null;
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
   * Whether it provides what a panel requires: the examples of a stream come once, so alpha counts
   * nothing, and none is a training error; where there is no order, its panel says why.
   */
  provides(part) {
    if (part === "parts") return this.header.about.parts.length > 0;
    return part === "order" || this.stream === null;
  }

  /** Where the scale of f ends after t presentations: of its colours and of margins. */
  limitAt(t) {
    return this.header.scales.filter(([since]) => since <= t).at(-1)[1];
  }

  /** The fixed f₀ that is added to every score; null for none. */
  get initial() {
    return this.contributions.initial;
  }

  /** Whether its order shows mistakes alone, so that what comes next is known to be one. */
  get onlyMistakes() {
    return ["first-mistake", "random-mistake"].includes(this.header.settings.order);
  }

  /** What the middle grain of stepping stops at. */
  get grain() {
    return this.header.about.grain;
  }

  /** Whether f, y and α are shown, beside the words for them. */
  get symbols() {
    return this.showsSymbols();
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
      kind === this.predictor.kind
        ? this.predictor
        : new Predictor(kind, this.trace, this.contributions),
    );
    if (this.#compared.t !== t) {
      const of = (predictor) => (predictor === this.predictor ? this.reading(t) : predictor.at(t));
      const entries = this.predictors.map((predictor) => [predictor.kind, of(predictor)]);
      this.#compared = { t, readings: Object.fromEntries(entries) };
    }
    return this.#compared.readings;
  }

  /** Of each hypothesis the step from which it is in force, and for how many presentations. */
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
    const at = Math.min(Math.max((f - low) / (high - low), 0), 1) * last;
    const k = Math.min(Math.floor(at), last - 1);
    return chances[k] + (at - k) * (chances[k + 1] - chances[k]);
  }

  /**
   * α = y·coef of each support example after t presentations, of f itself whatever the predictor.
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

  /** How large a point is: it grows with what was learnt from it, of one held out nothing. */
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
   * Whether the reading is 0 since it has not begun: f itself of a resumed run is what it began
   * with.
   */
  isBlank(t) {
    if (t !== 0 || (this.initial && this.predictor.kind !== "voted")) return false;
    return this.predictor.kind !== "last" || this.trace.fromZero;
  }

  /**
   * Two instants with the same version have the same reading: f itself only moves with a change.
   */
  version(t) {
    return this.predictor.kind === "last" ? this.trace.changesBefore(t) : t;
  }
}
