// What one is doing: modes, and the lessons whose tasks are modes. The other side of lessons is kpviz/lessons/file/.

import type { Run } from "../run/run.js";
import type { Layout } from "../board/types.d.ts";
import type { Grain } from "../run/types.d.ts";

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
  asking?: boolean; // whether the coming step is asked about
  conceals?(): "now" | "ahead" | undefined; // what must not be seen, since it would be the answer: what follows from f now, or what is ahead
  speaks?: boolean; // it says itself what there is to say: neither cues nor the words of a comparison are said
  sentence?(run: Run): string | undefined; // in place of that of the step
  remark?(): string; // before the sentence of the step
  guides?: boolean; // one knows from it what to do next: nothing is suggested
  score?: string; // what the answers came to, beside the counter of steps
  row?(): Row | undefined; // its tools, under the bar
  layout?(width: number, height: number): Layout; // of the board, in place of its own
  points?(run: Run): PointsShown; // the points that are shown, in place of all
  namesPoints?: boolean; // whether examples are called by their numbers
  fillsPage?: boolean; // nothing else is there: no address says where it is, and it announces itself what is new
  everyKey?(press: KeyPress): boolean | "left" | undefined; // before who has the focus; true: it has taken the key, "left": it is the browser's
  keys?(press: KeyPress): boolean | undefined; // after who has the focus; true: it has taken the key
  wayOut?(): (() => void) | undefined; // what Escape does
  step?(grain: Grain, direction: number): boolean | undefined; // true: an arrow meant this
  went?(): void; // somebody went to another instant
  plays?(): void; // the player begins to play
  presents?(): void; // the board is shown to a class
  arrived?(): void; // another run is here
  drawn?(): void; // a frame was drawn
  covers?(): string[]; // numbers that the board keeps to itself
  names?(): number[]; // examples that are ringed
  showsSymbols?(): boolean; // whether f, y and α are shown beside the words for them
  cuesFit?(): boolean; // whether the words of cues were written for the run that is shown
  // What all modes of a page are told, be they on or not:
  opens?(): void; // the first run is here
  settled?(): void; // what was asked for has come
  stop?(): void; // the page goes
}

/** A row of tools under the bar. */
export interface Row {
  element: HTMLElement;
  update(): boolean; // what changes from frame to frame; whether the row may be of another height
  stop?(): void; // it goes
}

/** The examples of which points are shown; `unknown`: the one whose class is asked for, -1 for none. */
export interface PointsShown {
  seen: Set<number>;
  unknown: number;
}

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
