// What lies on the board: panels, marks, what is pointed at, and the tables of panels and terms.

import type { Order } from "./order.js";
import type { RunMap } from "./run_set.js";
import type { FisherScene, PanelScene } from "./scene.js";
import type { Step } from "./scale.js";
import type { Pixels } from "../paint/colors.js";
import type { Mode } from "../modes/types.d.ts";
import type { Run } from "../run/run.js";
import type { ScoreSum } from "../run/votes.js";
import type { PredictorKind, ReadyComparison, Shape } from "../run/types.d.ts";

/**
 * What the board shows: the values of its state (board/state.js), of which none is changed in
 * place.
 */
export interface BoardValues {
  runs: ShownRuns;
  t: number; // the instant; on Fisher's page the angle of F in degrees
  mode: readonly Mode[]; // what one is doing: a stack (modes/modes.js), the topmost mode last
  shown: ReadonlySet<string>; // the panels that are on
  pinned: BoardPointer | null; // what a click keeps
  pointer: BoardPointer | null; // on the board
}

/** The runs on the board. */
export interface ShownRuns {
  readonly all: readonly Run[]; // in the order of their letters: the current one is the last
  readonly names: string[]; // of the pinned runs and of the current one
  readonly query: string; // the pins' part of the address
  readonly comparison: ReadyComparison | null; // what is said of a ready comparison
}

/** CSS pixels. */
export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
  // In px: before the first step of a timeline, or of an image that are left out on each side.
  inset?: number;
}

export interface Pointer {
  px: number;
  py: number;
}

/** The pointer on the board, and what it points at; by keys it stays on its thing. */
export interface BoardPointer extends Pointer {
  byKey?: boolean;
  hit?: Hit | null;
  name?: string | null; // within a text, as a cue lights it, where it points at that
}

/**
 * What a layout depends on besides the panels; `layoutOf` (board/layout.js) has defaults for what
 * is left out.
 */
export interface BoardShape {
  kind: "board" | "projector" | "question" | "single";
  width: number;
  height: number;
  runs: number;
  stream: boolean; // whether examples come one by one, and none comes again
  // How many characters a ready comparison's question and words have.
  question: [number, number] | null;
  page: number; // of the panels beside the map, where they need several
  tools: number; // how high the rows of tools are
  notices: number; // how high what is said until it is closed is
  slot: "" | "settings" | "reading"; // what takes room of the column
  lit: string[]; // the panels that the cue of this instant lights
  // How large type is that the reader has chosen in the browser, relative to what is usual.
  text: number;
  touch: boolean; // whether fingers press the buttons
  knob: boolean; // whether there is a number to turn
  view: number; // how high the window is, 0 where that is not said
  // A row under the sentence: at least so wide, and so high where the unit is 1.
  next: { w: number; h: number } | null;
  words: boolean; // whether the sentence is shown
  // How many characters that of a lesson's scene has, which then has a line above it.
  heading: number;
  turns: boolean; // whether there is a control that turns pages
  together: string[][]; // the panels that each cue lights
  say: number; // how high a question is, with its answers and what is said of them
  margin: number; // px round the only panel of a picture
  bar: boolean; // whether a question is about a run that one plays
  hand: string; // the panel in which a question is answered; "": there is none
}

/** Where something is asked. */
export interface AskingPlace extends Rect {
  lead: number; // px that are free above its words, below where one is
  isUnder: boolean; // under the map, as on a phone
  // In px: the width that the map has, beside which it begins; 0: it lies elsewhere.
  mapWidth: number;
  runAnswers: "" | "list" | "columns"; // of runs side by side, how their answers stand
  answersGap: number; // px between those that stand in columns
}

/** Where everything lies: panels by name, and what else is a slot of the column or the page. */
export interface Layout {
  narrow: boolean; // all in one column
  low?: boolean; // two columns with the least lengths
  touch?: boolean; // fingers press its buttons
  isTiny?: boolean; // only map, one line and the buttons are in view
  begins?: number; // the y from which these are in view, where it is tiny
  unit: number; // 1 on a board of 1350 × 712 px or a smaller one; type and marks grow with it
  height: number;
  bar: Rect; // the buttons
  knob: Rect | null; // the number that is turned
  tools: Rect; // the rows of tools
  notices?: Rect | null; // what is said until it is closed, where it has a room of its own
  // Round a map its strip above, its axis under and its gutter left of it, where they have room.
  panels: Record<string, Rect>;
  classBox?: Rect; // a question to a class
  least?: number; // px of the smallest type while presenting
  // In this type or a larger one is said what is the case; a long sentence says less there.
  leastVerdictStep?: Step | null;
  without?: string[]; // panels that found no room
  pages?: string[][]; // the panels beside the map, page by page
  page?: number; // the one that is shown
  panelUnit?: number; // the unit of the panels on it
  turn?: Rect | null; // the control that turns them
  next?: Rect; // the suggestions under the sentence
  taken?: number; // px of its height that the suggestions take
  alone?: boolean; // no panel but map and words
  panelsHidden?: boolean; // settings, or the list of panels, stand in their place
  // The line of a scene's heading, at its right end or its left.
  heading?: (Rect & { right: boolean }) | null;
  dock?: Rect | null; // the settings, or the scene of a lesson
  say?: AskingPlace; // where something is asked
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

/**
 * What a mark is about, to whoever points at it; `point/kinds.js` says what a kind tells that
 * several panels have.
 */
export interface Target {
  kind: string;
  index?: number | number[] | string; // which one, or several; by its name where it has no number
  // An index of each place of a mark that has many, or of each cell of a lattice.
  indices?: ArrayLike<number>;
  part?: number; // which of several places of one thing this is
  parts?: number; // of a bar that is made of several, counted from its foot
  hangs?: boolean; // of such a bar: its foot is above
  lattice?: [columns: number, rows: number]; // of an area that is cut into equal cells
  count?: number; // cells that are filled, where the last row is not full
  // The values at the left end of an area that is a scale, and at its right one.
  across?: [number, number];
  // The share of its width at which another scale begins, and the value there.
  bend?: [number, number];
  reach?: number[]; // px across and down beyond the mark that still touch it
  hold?: Hold; // what a hand begins that presses there
  stop?: boolean; // of an area: arrows stop there
  first?: boolean; // arrows find it before what lies at its left
  tells?: (pointed: Pointed) => Partial<Touch>; // of a kind that one panel alone has
}

/**
 * To go through time, to turn the space of the lift or F, to put an example elsewhere in the order.
 */
export type Hold = "scrub" | "spin" | "direct" | "order";

/** A thing that was found under a pixel, or by keys: `part` of its mark, which lies in a panel. */
export interface Hit extends Pointer {
  panel: string;
  kind: string;
  index: Target["index"];
  part: number;
  mark: TargetMark;
}

/** What was hit, with what those may need who tell of it. */
export interface Pointed {
  map: RunMap;
  run: Run;
  t: number; // the instant of this run
  order: Order;
  hidesNumbers: boolean;
  hit: Hit;
  target: Target;
  value: number; // on a scale; else the part of the mark
  words: string[]; // those of the mark, in lines
  known: (i: number) => string[]; // what may be said of an example
  // k(x_i, ·) at a node, where the map shows it.
  similarAt: (node: { column: number; row: number }) => { i: number; value: number } | null;
  inTerms: (sum: ScoreSum, away: string[]) => string[]; // a score as a sum
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
export type Coordinates = ArrayLike<number>;

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
  points: Coordinates;
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

export type LinesMark = Painted & { kind: "lines"; lines: Coordinates[] };

export interface LineMark extends Painted {
  kind: "line";
  points: Coordinates;
  x?: number; // where what it stands for is
  y?: number;
}

export interface PolygonMark extends Painted {
  kind: "polygon";
  points: Coordinates;
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
  up?: boolean; // written upwards
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

/**
 * Marks that stay as they are while their key does; `upTo`: the x at which they are cut off;
 * `before`: an index from which on what they are about has not happened, and cannot be pointed at.
 */
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
 * A panel: its marks, for canvas, page and paper, and what it says in words to those who do not see
 * it. `alone`: not where runs are compared; `title`: above its words, where that is not the one of
 * the table of panels; `walkable`: it is a stop of Tab, and arrows go through what lies in it.
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

/**
 * Set a property, or choose what the curve shows: over which property, averaged over how many
 * seeds.
 */
export interface CurveAct {
  set?: Record<string, number>;
  over?: string;
  seeds?: number;
}

/** A line of the table of terms, which says what each field means (board/term_table.js). */
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
  flat?: number;
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
