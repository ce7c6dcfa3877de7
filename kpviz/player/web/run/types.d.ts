// What Python sends of runs, and what is read of them. The other sides of the contracts are
// kpviz/player/payload.py and kpviz/tokens.py.

/** A float, integer or byte array of a packet, with the shape that it has in Python. */
export type Numbers = (
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
) & { shape?: number[] };

/** Arrays by name; `payload.py` says what they are. What a run does not have is not sent. */
export interface Arrays {
  [name: string]: Numbers | undefined;
}

/** What a packet holds; whoever unpacks it knows which header it has. */
export interface Packet {
  header: unknown;
  arrays: Arrays;
  rest: Uint8Array;
}

/** The header round the runs: which ones they are, where to open, what is said of them. */
export interface Envelope {
  n: number; // of the question; 0: nobody asked
  id: string;
  dataId: string;
  view: {
    t: number;
    show: string[] | null;
    stage: string | null;
    turn: [number, number] | null;
    over: string | null;
  };
  editing: { origin: string | null }; // what can be turned and gone back to
  cues: { title: string; by: string; query: string; cues: Cue[] };
  pins: { ids: string[]; names: string[]; query: string; comparison: ReadyComparison | null };
  // The angle of F and its threshold on Fisher's page, where it was moved by hand.
  angle?: number | "best" | null;
  threshold?: number | null;
  runs: { id: string; size: number }[]; // the current one first; size 0: it is here already
}

/**
 * A ready comparison: its words, the letter of the run that is the right answer, the two numbers
 * that decide, the panels it switches on, and the scale of its colours.
 */
export interface ReadyComparison {
  name: string;
  question: string;
  words: string;
  right: string;
  decide: ("mistakes" | "epochs" | "support" | "margin" | "train_error" | "test_error")[];
  shows: string[];
  scale: "own" | "one" | "norm";
}

export interface Cue {
  place: string;
  words: string;
  hold: number | null;
  speed: number | null;
  light: string[];
  notes: string;
  seconds?: number;
}

/** A cue at the instant where the run has its place. */
export interface PlacedCue extends Cue {
  t: number;
}

/** The header of the data of Fisher's page; `start` is the direction that comes first. */
export interface FisherHeader {
  page: "fisher";
  query: string;
  many: boolean;
  start: "best" | "other";
  extent: [number, number, number, number];
  mean: [number, number];
  names: {
    data: string;
    kernel: string;
    lookFor: string;
    features: string[];
    classes: string[];
    axes: string[];
    scaled: boolean; // to ±1, from these ranges
    lows: number[];
    highs: number[];
  };
  words: { best: string; other: string; turned: string; moved?: string };
  notes: {
    sums: string;
    rank: string;
    threshold: string;
    scaling: string;
    ridge: string;
    pca?: string;
  };
  tokens: Tokens;
}

/** The header of one run. */
export interface Header {
  settings: {
    query: string;
    said: Record<string, [label: string, value: string, isDefault: boolean]>;
    elsewhere: string;
    predictor: PredictorKind;
    intercept: string;
    order: string;
    orderWhy: string | null;
    sigma: number | null;
  };
  n: number;
  nTest: number;
  nSteps: number;
  unit: number;
  end: string;
  open: boolean; // mistakes to its end: more can be found out
  extent: [number, number, number, number];
  grid: number;
  // Nodes for each width of the kernel, where they are too few to see its hills.
  coarse: number | null;
  limit: number;
  scales: [number, number][]; // steps from which the scale of f holds, and its end
  stream: { drift: number; moves: string; noise: number } | null;
  names: {
    data: string;
    lookFor: string;
    offer: string;
    features: string[];
    classes: string[];
    scaled: boolean;
    lows: number[];
    highs: number[];
    kernel: string;
    psd: string;
  };
  ground: { kind: string; caption: string; compares: string };
  // Why panels have nothing to show, as far as that is known without asking for them.
  lacks: Record<string, string>;
  objects: string[] | null;
  words: Words;
  extras: Extras;
  drawing: {
    why: string;
    axes?: { origin: number; step: number }[];
    frame?: string;
    most?: number;
  };
  tokens: Tokens;
  about: About;
  changed: { count: number; when: "each" | "mistakes" | "listed"; after: boolean; b: number };
  initial?: { w0: number[] | null; b0: number }; // of the fixed f₀ that is added to every score
  pointGain: number;
  alphaUnit: number;
  alphaLimit: number;
  alphaLow: number;
}

/** Templates and sentences that the browser fills in. */
export interface Words {
  described: Record<string, string>; // where it differs from `steps`
  verdicts: Record<string, string>;
  classes: string[]; // what −1 and +1 are called
  inGrey: string[]; // where there are no colours
  adds: string;
  brief: { start: string; correct: string; mistake: string; adds: string }; // in a few words
  scores: string;
  hardly: string;
  outcomes: string[]; // of a mistake, by the sign of its margin then
  worse: string;
  pair?: { rises: string[]; falls: string[] }; // of two that change together, by the label
  steps: Record<string, string>;
  step: string;
  start: string;
  end: string;
  code: string[];
  lines: { start: number; end: number };
  sentences: { key: string; line: number }[];
  particulars: string[];
  margin: string;
}

/** What panels asked for, by their names; each may say `why` there is nothing to show. */
/** What a number is on the map, in its coordinates; kpviz/lessons/figures.py makes them. */
export type Figure =
  | { kind: "arrow"; i: number; label: string; sides: string[] } // from the origin to an example
  | { kind: "circle"; radius: number; label: string } // about the origin
  | { kind: "strip"; normal: number[]; margin: number; label: string } // about a line through it
  | { kind: "between"; i: number; j: number; label: string } // two examples
  | { kind: "ring"; i: number }; // about an example that a number counts

export interface Extras {
  bound?: Bound[];
  figures?: Figure[]; // what a bound is made of, on the map
  readings?: { kinds: PredictorKind[]; note: string } | null;
  primal?: Primal;
  gram?: { why: string; limit?: number; signed?: boolean; shades?: number };
  similar?: { why: string; limit?: number; signed?: boolean };
  lift?: Lift;
  validity?: Validity;
  derivation?: {
    why: string;
    steps?: [depth: number, formula: string, rule: string, proof: string][];
  };
  /** Objects as drawings: nodes [text, x, y, ids of their parts] and edges between them. */
  remembered?: {
    why: string;
    drawn?: string;
    asked?: string;
    sketches?: { nodes: [string, number, number, number[]][]; edges: [number, number][] }[];
  };
  curve?: CurveNumbers;
  proof?: ProofNumbers;
}

/**
 * Whether k is a kernel: in a word and a sentence, the points that refute it in words and, where
 * they are examples, their numbers, and what rounding can make of an eigenvalue that is 0.
 */
export interface Validity {
  why: string;
  psd?: "yes" | "no" | "unknown";
  answer?: string;
  headline?: string; // the same where its question is not asked
  sentence?: string;
  points?: string; // what to take where k is no kernel, what they add up to, and what that is
  sum?: string;
  about?: string;
  examples?: number[];
  tolerance?: number;
}

/**
 * Novikoff's proof: best margin, radius and R²/γ², with the feature that the intercept adds; or
 * only `why` it says nothing.
 */
export interface ProofNumbers {
  why: string;
  margin?: number;
  radius?: number;
  bound?: number;
  constant?: string;
}

/**
 * The runs of a property's values, averaged over seeds; without settings there is no more than
 * `why`.
 */
export interface CurveNumbers {
  why: string;
  name: string;
  label: string;
  log: boolean;
  percent: boolean;
  default: number;
  seeds: number;
  most: number; // seeds that it may be averaged over
  choices: [name: string, label: string][];
  values: number[];
  mistakes: number[];
  support: number[];
  train: (number | null)[]; // null: there is no such error
  test: (number | null)[];
}

/**
 * A mistake bound: `values` are those after `times` presentations, and so are those of a quantity,
 * if it has more than one; a number that there is not is "infinite". `silent` is said where there
 * were no more presentations than mistakes.
 */
export interface Bound {
  name: string;
  key: string | null;
  formula: string;
  source: string;
  quantities: [symbol: string, words: string, values: (number | "infinite")[]][];
  value: number | "infinite";
  applies: boolean;
  why: string;
  silent: string;
  times: number[];
  values: (number | "infinite")[];
}

/** The primal form; where there is a `why` it has no more than `growth`. */
export interface Primal {
  why: string;
  growth: { dimensions: string[]; rows: [degree: string, sizes: string[]][]; kernel: string[] };
  dimension?: number;
  names?: string[];
  arrow?: { start: [number, number]; scale: number; moved: boolean } | null;
  apart?: string;
  perExample?: number;
  perPresentation?: number;
  storedPerExample?: number;
  storedPrimal?: number;
  storedIntercept?: number;
  learnsB?: boolean;
  startsAtW0?: boolean; // whether w begins with the weights of f₀
  startW?: number[] | null;
  breakEven?: number | null;
}

export interface Lift {
  why: string;
  offers?: boolean;
  names?: string[];
  low?: number[];
  high?: number[];
}

/** What a learner says of itself. */
export interface About {
  title: string;
  grain: "mistake" | "update";
  counts: boolean;
  probability: boolean;
  panel: string;
  parts: Part[];
  capacity: number | null; // So many presentations are remembered at most.
  details: Record<string, { first: number; lasts: boolean } | null>;
  chances: [number, number];
}

export interface Part {
  kind: "ages" | "line" | "pair" | "curve";
  label: string;
  detail: string;
  limit: string | number | null;
  at: "steps" | "mistakes";
  logarithmic: boolean;
}

export interface Theme {
  paper: string;
  panel: string;
  ink: string;
  quiet: string;
  rule: string;
  accent: string;
  positive: string;
  negative: string;
  field_positive: string;
  field_zero: string;
  field_negative: string;
  point_positive: string;
  point_negative: string;
  on_mark: string;
  on_map: string;
  ghost: string;
  good: string;
  warning: string;
  similar_zero: string;
  similar: string;
  cell_positive: string;
  cell_negative: string;
  cell: string;
}

export interface Fonts {
  canvas: string;
  code?: string;
}

export type Shape = "circle" | "square";

export interface Tokens {
  themes: { light: Theme; dark: Theme };
  shapes: { positive: Shape; negative: Shape };
  answers: [colour: string, letter: string][]; // of the answers A to E that a class holds up
  fonts: Fonts;
  timings: Timings;
  bump: { opacity: number };
  speed: SpeedLimits;
  point: { radius: number; gain: number; largest: number };
  stream: Record<
    | "lately"
    | "faintest"
    | "weak"
    | "strong"
    | "forgotten"
    | "memory"
    | "grown"
    | "window"
    | "first",
    number
  >;
  lift: { turn: number; tilt: number; plane: number };
}

/** Milliseconds. */
export type Timings = Record<
  | "correct"
  | "mistake"
  | "beat"
  | "spoken"
  | "example"
  | "score"
  | "bump"
  | "ghost"
  | "ring"
  | "blend"
  | "stretch"
  | "leap",
  number
>;

export interface SpeedLimits {
  slowest: number;
  fastest: number;
  bumps_up_to: number;
}

export type PredictorKind = "last" | "averaged" | "voted";

export type Grain = "example" | "mistake" | "epoch";

/**
 * f after some presentations: coefficients of the support, b, and f at the nodes and at the
 * examples.
 */
export interface Reading {
  coef: Float64Array;
  b: number;
  field: Float64Array;
  scores: Float64Array;
  // Of a vote: at which share of an edge of the grid, by its number, a field crosses a level.
  turns?: (field: Float64Array, edges: number[], level: number) => Map<number, number>;
}

/** What Python found out about a run with mistakes to its end (player/verdict.py). */
export interface VerdictHeader {
  no: string; // the answer where no line at all separates, else ""
  why: string;
  help: string;
  set: Record<string, unknown> | null; // settings that help
  title: string; // what they change
  ringed: number[]; // examples at which the classes cross
  crosses: boolean; // whether the lines between those of each class cross on the map
  separable: boolean | null; // whether some f separates the classes; null: that was not decided
  // These of the ringed are seen mirrored at the origin, which then lies between all of them.
  mirrored: number[] | null;
  weights: number[]; // of the ringed: so weighted, their y·φ(x) add up to 0
  grid: number;
}

export interface Verdict extends VerdictHeader {
  separating: Numbers | null; // an f without mistakes, on the grid
}
