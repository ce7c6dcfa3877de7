// What passes between the modules: what Python sends, what panels return, what is sent back.
// The other sides of the contracts are kpviz/player/payload.py and kpviz/tokens.py.

import type { DockTree } from "./page/dock/types.d.ts";
import type { Pixels } from "./paint/colors.js";
import type { Run } from "./run/run.js";
import type { FisherScene, PanelScene } from "./board/scene.js";

// ---- what Python sends ------------------------------------------------------------------------

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
  angle?: number | "best" | null; // of F, on Fisher's page, and its threshold, where it was moved by hand
  threshold?: number | null;
  runs: { id: string; size: number }[]; // the current one first; size 0: it is here already
}

/** A ready comparison: its words, the two numbers that decide, the panels it switches on, and the scale of its colours. */
export interface ReadyComparison {
  name: string;
  question: string;
  words: string;
  decide: (keyof Summary)[];
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
    said: Record<string, [label: string, value: string, usual: boolean]>;
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
  coarse: number | null; // nodes for each width of the kernel, where they are too few to see its hills
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
  ground: { kind: string; caption: string };
  lacks: Record<string, string>; // why panels have nothing to show, as far as that is known without asking for them
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
export interface Extras {
  bound?: Bound[];
  summary?: Summary;
  reference?: (Summary & { cost: number }) | null;
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

/** Whether k is a kernel: in a word and a sentence, the points that refute it in words and, where they are examples, their
 * numbers, and what rounding can make of an eigenvalue that is 0. */
export interface Validity {
  why: string;
  psd?: "yes" | "no" | "unknown";
  answer?: string;
  sentence?: string;
  points?: string;
  examples?: number[];
  tolerance?: number;
}

/** Novikoff's proof: best margin, radius and R²/γ², with the feature that the intercept adds; or only `why` it says nothing. */
export interface ProofNumbers {
  why: string;
  margin?: number;
  radius?: number;
  bound?: number;
  constant?: string;
}

/** The runs of a property's values, averaged over seeds; without settings there is no more than `why`. */
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

/** A mistake bound: `values` are those after `times` presentations, and so are those of a quantity, if it has more than
 * one; a number that there is not is "infinite". `silent` is said where there were no more presentations than mistakes. */
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
  largest?: number;
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

/** A column of the comparison's table; null: there is no such number. */
export interface Summary {
  mistakes: number | null;
  epochs: number | null;
  support: number | null;
  margin: number | null;
  norm: number | null;
  train_error: number | null;
  test_error: number | null;
  seconds: number | null;
}

/** What a learner says of itself. */
export interface About {
  title: string;
  grain: "mistake" | "update";
  counts: boolean;
  probability: boolean;
  panel: string;
  parts: Part[];
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
  | "blend",
  number
>;

export interface SpeedLimits {
  slowest: number;
  fastest: number;
  bumps_up_to: number;
}

// ---- readings of a run ------------------------------------------------------------------------

export type PredictorKind = "last" | "averaged" | "voted";
export type Grain = "example" | "mistake" | "epoch";

/** f after some presentations: coefficients of the support, b, and f at the nodes and at the examples. */
export interface Reading {
  coef: Float64Array;
  b: number;
  field: Float64Array;
  scores: Float64Array;
}

// ---- where things lie, and what is drawn --------------------------------------------------------

/** CSS pixels. */
export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
  inset?: number; // px before the first step of a timeline, or of an image that are left out on each side
}

export interface Pointer {
  px: number;
  py: number;
}

/** The pointer on the board, and what it points at; by keys it stays on its thing. */
export interface BoardPointer extends Pointer {
  byKey?: boolean;
  hit?: Hit | null;
}

/** Where everything lies: panels by name, the buttons, the tabs of a narrow board. */
export interface Layout {
  narrow: boolean;
  low?: boolean; // narrow, with the panel beside the map
  strip?: boolean; // narrow, with the buttons in one row that is pushed sideways
  unit: number; // 1 on a board 640 px high; type and marks grow with it
  height: number;
  bar: Rect;
  tabs?: Rect;
  tools: number; // y of the rows under the bar
  panels: Record<string, Rect>;
  least?: number; // px of the smallest type while presenting
  without?: string[]; // panels that found no room
  pages?: string[][]; // the panels beside the map, page by page
  page?: number; // the one that is shown
  turn?: Rect | null; // the control that turns them
  next?: Rect; // the suggestions under the sentence
  alone?: boolean; // no panel but map and words
  heading?: (Rect & { right: boolean }) | null; // the line of a scene's heading, at its right end or its left
  dock?: Rect | null; // the settings beside the map
  sheet?: boolean; // they are a sheet at the bottom of the window
  covered?: Rect[]; // what lies over the canvas while a box at the pointer is drawn
}

/** What a mark is about: read by tests and never drawn. */
interface Tags {
  name?: string;
  i?: number;
  lit?: number;
  value?: number;
  t?: number;
  step?: number;
  count?: number;
  bin?: number;
  epoch?: number;
  mistakes?: number;
  hypothesis?: number;
  votes?: number;
  letter?: string;
  place?: string;
  predictor?: PredictorKind;
  set?: "train" | "test";
  values?: number[];
  strip?: string;
  part?: string;
  detail?: string;
  before?: number;
  after?: number;
  margin?: number;
  from?: number;
  to?: number;
  towards?: number;
  angle?: number;
  class?: number;
  right?: number;
  wrong?: number;
  J?: number;
}

interface Drawn extends Tags {
  alpha?: number;
  target?: Target; // what one points at there
  words?: (part: number) => string[]; // what is said there besides; of a scale, at a value
}

/** What a mark is about, to whoever points at it; `point/kinds.js` says what each kind tells. */
export interface Target {
  kind: string;
  index?: number | number[] | string; // which one, or several; by its name where it has no number
  indices?: ArrayLike<number>; // of each place of a mark that has many, or of each cell of a lattice
  part?: number; // which of several places of one thing this is
  parts?: number; // of a bar that is made of several, counted from its foot
  lattice?: [columns: number, rows: number]; // of an area that is cut into equal cells
  count?: number; // cells that are filled, where the last row is not full
  across?: [number, number]; // of an area that is a scale: the values at its left end and at its right one
  reach?: number[]; // px across and down beyond the mark that still touch it
  hold?: Hold; // what a hand begins that presses there
  stop?: boolean; // of an area: arrows stop there
  first?: boolean; // arrows find it before what lies at its left
  act?: CurveAct; // what a click there does
}

/** To go through time, to turn the space of the lift or F, to put an example elsewhere in the order. */
export type Hold = "scrub" | "spin" | "direct" | "order";

/** A thing that was found under a pixel, or by keys: `part` of its mark, which lies in a panel. */
export interface Hit extends Pointer {
  panel: string;
  kind: string;
  index: Target["index"];
  part: number;
  mark: TargetMark;
}

/** A mark, or one of its places, as it can be pointed at. */
export interface TargetMark {
  kind: string;
  x: number;
  y: number;
  w?: number;
  h?: number;
  r?: number;
  target: Target;
  words?: (part: number) => string[];
}

/** A place that can be pointed at, and paints nothing. */
export interface AreaMark extends Drawn, Rect {
  kind: "area";
  target: Target;
}

interface Painted extends Drawn {
  fill?: string;
  stroke?: string;
  width?: number;
  dash?: number[];
}

/** Coordinates x, y, x, y, … */
export type Points = ArrayLike<number>;

export interface ImageMark extends Drawn, Rect {
  kind: "image";
  image: Pixels;
  crisp?: boolean;
}

export interface RectMark extends Painted, Rect {
  kind: "rect";
  radius?: number;
  weight?: number; // of what it stands for, not drawn
}

/** Many rectangles of one size and colour. */
export interface RectsMark extends Drawn {
  kind: "rects";
  points: Points;
  w: number;
  h: number;
  fill: string;
}

interface Round extends Painted {
  x: number;
  y: number;
  r: number;
}

export type CircleMark = Round & { kind: "circle" };
export type SquareMark = Round & { kind: "square" }; // with the area of the circle
export type PointMark = Round & { kind: Shape };
export type EllipseMark = Painted & {
  kind: "ellipse";
  x: number;
  y: number;
  rx: number;
  ry: number;
};
export type LinesMark = Painted & { kind: "lines"; lines: Points[] };

export interface LineMark extends Painted {
  kind: "line";
  points: Points;
  x?: number; // where what it stands for is
  y?: number;
}

export interface PolygonMark extends Painted {
  kind: "polygon";
  points: Points;
  corners?: number[][]; // in space, not drawn
}

/** Dims everything but a soft disc. */
export interface SpotlightMark extends Drawn, Rect {
  kind: "spotlight";
  r: number;
  fill: string;
}

export interface TextMark extends Drawn {
  kind: "text";
  x: number;
  y: number;
  text: string;
  size: number;
  fill: string;
  weight?: number;
  align?: "left" | "center" | "right";
  baseline?: "alphabetic" | "middle";
  code?: boolean; // in the font of code
  halo?: string;
  tints?: [number, number, string][]; // letters in colours of their own, of a text at the left
  w?: number[]; // what it tells of, not drawn
  b?: number;
}

export type Mark =
  | AreaMark
  | ImageMark
  | RectMark
  | RectsMark
  | CircleMark
  | SquareMark
  | EllipseMark
  | LineMark
  | LinesMark
  | PolygonMark
  | SpotlightMark
  | TextMark;

export type MarkOf<Kind extends Mark["kind"]> = Extract<Mark, { kind: Kind }>;

/** Marks that stay as they are while their key does; `upTo`: the x at which they are cut off; `before`: an index from which on
 * what they are about has not happened, and cannot be pointed at. */
export interface StillMarks {
  key: string;
  marks(): Mark[];
  upTo?: number;
  before?: number;
}

/** The layers of a panel: `still` lies under `moving`. */
export interface PanelMarks {
  still: StillMarks[];
  moving: Mark[];
}

export type Drawing = Mark[] | PanelMarks; // what a panel returns: marks alone all move

/**
 * A panel: its marks, for canvas, page and paper, and what it says in words to those who do not see it. `alone`: not where
 * runs are compared; `title`: above its words, where that is not the one of the table of panels; `walkable`: it is a stop of
 * Tab, and arrows go through what lies in it.
 */
export interface PanelObject {
  name: string;
  marks(scene: PanelScene & FisherScene): Drawing;
  summary?(scene: PanelScene): string[];
  title?(run: Run): string;
  alone?: true;
  walkable?: true;
}

export interface BoardPanel extends PanelMarks {
  name: string;
  rect: Rect | null;
  clip: Rect | null;
  readonly marks: Mark[]; // that are painted
  readonly painted?: Omit<BoardPanel, "marks" | "painted">; // for those that only paint
}

export interface Board {
  width: number;
  height: number;
  panels: BoardPanel[];
  background?: string | null;
}

/** A node of the map, or example i, at which f is told as a sum; `terms` are its largest ones. */
export interface Probe {
  i?: number;
  column?: number;
  row?: number;
  x1: number;
  x2: number;
  terms: { i: number; value: number }[];
  largest: number;
  lines: string[];
  full: string;
}

/** A key that was pressed; of letters the small one. */
export interface KeyPress {
  event: KeyboardEvent;
  name: string;
  shift: boolean;
}

/** What one is doing, as long as it is on the stack of modes; who has no answer leaves it to the others. */
export interface Mode {
  name: string;
  lastTime?(): number; // the last instant to which one may go; the smallest holds
  refusal?: string; // what is said to who wants to go beyond it
  conceals?(): "now" | "ahead" | undefined; // what must not be seen, since it would be the answer: what follows from f now, or what is ahead
  speaks?: boolean; // it says itself what there is to say: neither cues nor the words of a comparison are said
  sentence?(run: Run): string | undefined; // in place of that of the step
  remark?(): string; // before the sentence of the step
  everyKey?(press: KeyPress): boolean | "left" | undefined; // before who has the focus; true: it has taken the key, "left": it is the browser's
  keys?(press: KeyPress): boolean | undefined; // after who has the focus; true: it has taken the key
  step?(grain: Grain, direction: number): boolean | undefined; // true: an arrow meant this
  went?(): void; // somebody went to another instant
  plays?(): void; // the player begins to play
  arrived?(): void; // another run is here
  covers?(): string[]; // numbers that the board keeps to itself
  names?(): number[]; // examples that are ringed
  showsSymbols?(): boolean; // whether f, y and α are shown beside the words for them
  cuesFit?(): boolean; // whether the words of cues were written for the run that is shown
}

/** What the pointer touches. */
export interface Touch {
  hot: Set<number>; // examples
  lines: string[]; // of the tip
  probe: Probe | null;
  time: number | null; // where a click leads
  full?: string | null; // all numbers, to be copied
  map?: string; // the name of the map
  similar?: number;
  ask: string | null; // what a click asks the server for
  held?: boolean; // a hand can take hold of it
  place?: number; // of a value on the curve over a setting
  act?: CurveAct | null; // what a click there does
}

/** Set a property, or choose what the curve shows: over which property, averaged over how many seeds. */
export interface CurveAct {
  set?: Record<string, number>;
  over?: string;
  seeds?: number;
}

// ---- what is asked, and what is answered ----------------------------------------------------------

/** What a page shows: settings and pins as a link, the settings before the points became the reader's own, the data. */
export interface PageState {
  link: string;
  origin: string | null;
  data: string | null; // while it stays the same the player keeps its place
}

export interface Command {
  name: string;
  value: unknown;
}

/** What makes a table or a drawing again that links only name. */
export interface Stored {
  name: string;
  value: unknown;
}

/** What the page asks: commands, carried out one after the other on what a link shows. */
export interface Question extends PageState {
  page: string;
  commands: Command[];
  drafts: Record<string, string>; // typed into fields, and not valid
  asked: string[] | null; // what panels need besides; null: what the link shows
  have: string[]; // ids of runs that are not to be sent again
  dock: string[]; // groups of controls to be sent
  live: boolean; // in the middle of a gesture
  shown: boolean; // whether the page shows a run
  bring: Record<string, Stored | null>; // what the service needs; null: it is not here either
}

/** What a page asks besides: for its curve over a setting, name null: over the default one; or for what is known of a run, or for extras. */
export interface Request {
  link: string;
  curve?: { name: string | null; seeds: number };
  verdict?: true;
  asked?: string[];
  lesson?: LessonSource;
  join?: { address: string };
  file?: FileWanted;
  task?: { scene: number; task: number; tried: number; answer: TaskAnswer; after?: string };
}

/** A file that is to be made (kpviz/service/files.py); of a lesson, where one is named. */
export interface FileWanted {
  ending: string; // of its name
  lesson?: LessonSource;
  t?: number; // where a page opens, and a worksheet begins
  shown?: string; // the address of what is shown
  address?: string; // of the app
  theme?: string;
  autoplay?: boolean;
  loop?: boolean;
}

/** The name and type of a file that was made, and a phrase for all that it cannot show. */
export interface SavedFile {
  name: string;
  mime: string;
  missing: string[];
}

// ---- lessons ----

/** A lesson by the name that the server has for it, or the text of a file. */
export type LessonSource = { name: string } | { text: string };

/** A word of a lesson: a text, or an element; `kpviz/lessons/file/words.py` has the kinds. */
export type Word =
  | string
  | {
      kind: string;
      children?: Word[];
      text?: string;
      shown?: string; // of a formula, as a line of text
      mathml?: string[]; // the same as the browser sets it
      href?: string;
      level?: number;
      ordered?: boolean;
      start?: number;
      head?: boolean;
      number?: number;
    };

export interface LessonLink {
  page: "play" | "fisher";
  query: string; // the settings; "": what is shown stays
  t: number | null; // where it opens, null where the link does not say
  show: string[] | null; // the panels
}

/** A task without what gives its answer away; which of the optional parts it has, its kind tells. */
export interface LessonTask {
  kind: "predict" | "choose" | "number" | "click" | "reach" | "draw" | "perform" | "explain";
  mark: string; // what tells it from others: of what its author wrote
  ask: Word[];
  hints: Word[][];
  start: LessonLink[]; // one for each seed
  tries: number | null;
  count?: number | null;
  choices?: Word[][];
  one?: boolean;
  covers?: string[]; // counts that the board keeps to itself
  plays?: boolean; // what is asked changes from step to step: the board plays up to it when it was answered
  ahead?: number; // how many of the examples that come next are numbered on the map
  may?: string; // what one may change, as a sentence
  within?: {
    name: string;
    label: string;
    low: number | null;
    high: number | null;
    choices: string[];
  }[];
  elsewhere?: Elsewhere; // in a page that cannot check it
}

/** Where something is that needs kpviz: its address, if it is known, and the command that opens it. */
export interface Elsewhere {
  address: string | null;
  command: string;
}

/** What a page without Python checks answers by, try by try. */
export interface PackedTask {
  kind: LessonTask["kind"];
  tries: number | null;
  answers: PackedAnswer[];
}

/** What is right, and what is said; the parts depend on the kind. */
export interface PackedAnswer {
  because: Word[];
  missed?: Word[]; // told in its place after the last try
  right?: (number | string)[];
  t?: number; // the step before the first that is asked for
  said?: string[]; // of each step, choice or example to one who is wrong about it
  yes?: string; // to one who is right
  look?: string; // at what
  count?: number; // of examples
  value?: number;
  allowed?: number; // how far off a number may be
  near?: number; // how far off one may be that is called near
  more?: string; // asks one who rounded too much for more digits
}

export interface LessonScene {
  heading: string;
  minutes: number | null;
  link: LessonLink; // with its cues
  words: Word[];
  notes: Word[]; // for the lecturer, of a file that was opened here
  knobs: string[];
  tasks: LessonTask[];
  elsewhere?: Elsewhere; // of another page, where there is none to go to
}

/** What the stage and the lecturer's window know of a scene, in words. */
export interface ShownScene {
  heading: string;
  number: number; // from 1
  count: number; // of scenes
  words: string;
  notes: string;
  minutes: number | null; // that are planned
  all: number | null; // minutes of the lesson
  following: string; // what comes after its cues
}

export interface PlainLesson {
  title: string;
  language: string;
  objectives: string[];
  minutes: number | null;
  symbols: boolean; // whether the board shows f, y and α
  next?: { name: string; title: string } | null; // the lesson that follows it
  solved?: boolean; // whether it may be saved with its solutions
  scenes: LessonScene[];
}

export type TaskAnswer =
  | { verdicts: string[] }
  | { choices: number[] }
  | { number: number; typed?: string }
  | { examples: number[] }
  | { link: string }
  | { steps: { verdict: string; bricks: number[][]; b?: number }[] }
  | { text: string };

/** What the engine says of an answer; right is null where nothing is graded. */
export interface CheckedTask {
  right: boolean | null;
  why: string;
  because: Word[]; // what is right after the last try, and the author's reason, once they give nothing away
  detail: { step?: number; wrong?: number[]; unreadable?: true }; // wrong: choices or examples
}

/** What a student did of a task, as the browser keeps it. */
export interface TaskDone {
  tries: number;
  hints: number;
  right: boolean | null;
  answers: {
    answer: TaskAnswer;
    right: boolean | null;
    link: string;
    at: string;
    try: number;
  }[];
}

/** What is sent while one waits. */
export interface Progress {
  progress: [number, number]; // steps done, and their limit
  left: number | null; // seconds
  place: number | null; // in the queue
}

export interface Notice {
  kind: "warning" | "hint" | "fact"; // a fact is so of the present settings, until an answer does not say it
  words: string;
  topic?: string; // what a fact is about, its file included: there is one of each
  actions?: { label: string; changes: Record<string, unknown> }[]; // buttons, and the settings that they change
  menu?: string; // the name of a list that holds them instead
}

/** What is answered where there is a run to show. */
export interface AnswerHeader extends Envelope, PageState {
  dock: DockTree;
  steps: PageState[]; // the state after each command
  notices: Notice[];
  facts: Notice[] | null; // null: as they were, in the middle of a gesture
  store: Record<string, Stored | { command: number }>; // to be kept; a number: the command of that place
  drafts: Record<string, string>;
  edit: boolean; // the pencil is wanted
  stem: string; // of the names of files that are saved
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
  mirrored: number[] | null; // which of the ringed are seen mirrored at the origin, which then lies between all of them
  weights: number[];
  grid: number;
}

export interface Verdict extends VerdictHeader {
  separating: Numbers | null; // an f without mistakes, on the grid
}

/** What is answered where there is none: why, or what the service needs first. */
export interface Refusal {
  n: number;
  failed?: string | null;
  needs?: string[];
  join?: { address: string; rows: string[]; why: string | null };
  file?: SavedFile; // its content is the array of that name, compressed
}

/** A place in the history: what is shown there, null until an answer says it, and the change that led there from the one before. */
export interface Entry {
  index: number;
  state: PageState | null;
  change: Command | null; // null as soon as the state is known
  serial?: number; // of what was asked for
  extras?: Record<string, string>; // what its address has besides settings
  stays?: boolean; // it is an entry although nothing else changes
  passed?: boolean; // it shows what the entry before it shows
  made: boolean; // the browser has it
}

/** A question without its answer. */
export interface Asked {
  serial: number; // of the newest that it answers
  from: PageState; // the newest state that was known
  entries: Entry[]; // those after it
  changes: Command[]; // as they were then
  goal: Entry; // the last of them, or the one with the state
  wanted: boolean; // it was asked although there was no change
  long: boolean; // its answer takes more than a moment
  bring: Record<string, Stored | null>;
}

/** What shows the answers of a session. */
export interface Host {
  readonly query: string; // of the page's address
  wanted(): Pick<Question, "asked" | "have" | "shown">; // what a question says of the page
  has(header: AnswerHeader): boolean; // whether it can show an answer again without its bytes
  take(header: AnswerHeader, rest: Uint8Array): void; // show an answer: `rest` are the runs that the page did not have
  settle(): void; // commands were answered or given up: what was shown ahead of that goes
  notice(notice: Notice): void;
  working(progress: Progress | null): void; // null: no longer
  away(away: boolean): void; // whether no server answers
  fail(error: Error): void;
  recolour?(): void; // the page's theme may be another one
}

// ---- what is sent to Streamlit --------------------------------------------------------------------

/** The command with which a dialog ended. */
export interface Reply extends Command {
  n: number;
}

export type Trigger = (name: string, value: unknown) => void;

/** What is outside of the stage: other pages, and dialogs that are not the player's own. */
export interface Outside {
  dialog(name: string, t: number, address: string, lesson?: LessonSource | null): void;
  go(page: string, link?: string | null): void; // to another page as it was left
  open(page: string, query: string): void; // another page at a query
  leave(query: string): void; // this page is left, with this query in its address
  take(data: { reply?: Reply | null; closed?: number } | null, trigger: Trigger): void;
  stop(): void;
}

/** A line of the table of terms, which says what each field means (model/term_table.js). */
export interface Term {
  name: string;
  title: string;
  lines: string[];
  link: string;
  says: string[]; // "σ…(" is σ where a bracket follows
  page?: "play"; // the one on which the words mean this; without it on every page
  picture: string; // what is in its svg
}

/** A line of the table of panels: kpviz/panels.py says what each field means. */
export interface PanelEntry {
  name: string;
  title: string;
  short: string;
  group: "board" | "default" | "more" | "compared" | "on map" | "tool";
  page?: "fisher"; // the board on which it stands, where that is not the player's
  instead?: string; // the panel whose place it takes there
  requires: string[];
  onRequest?: boolean;
  key?: string;
  noPlane?: boolean;
  text?: boolean;
  share?: number;
  streamShare?: number;
  square?: boolean;
  tabHeight?: number;
  rows?: number;
  columns?: number;
  shape?: [number, number];
  lights?: boolean;
  inLinks?: boolean;
  reveals?: "now" | "ahead";
  about?: string;
  line?: string;
}
