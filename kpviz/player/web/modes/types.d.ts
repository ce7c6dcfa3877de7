// What one is doing: modes, and the lessons whose tasks are modes. The other side of lessons is
// kpviz/lessons/file/.

import type { Figure } from "../run/types.d.ts";

/** A key that was pressed; of letters the small one. */
export interface KeyPress {
  event: KeyboardEvent;
  name: string;
  shift: boolean;
}

/** What modes are asked, or told: with what, and what they answer. */
export type ModeQuestion =
  // Told to all modes that there are, on the stack or not.
  | "opens" // (view: Envelope["view"]) the first run is here
  | "arrived" // (envelope: Envelope, before: Run | null) another run is here
  | "settled" // what was asked for has come
  | "draws" // the server begins a drawing
  | "equip" // (tree: DockTree | null) the fields of settings came
  | "fontsArrived"
  | "pointed" // (pointer: Pointer | null) where the pointer is; null: it has left
  // (box: Rect & { panels: Record<string, Rect> }) where the board lies in the window.
  | "placeWords"
  | "read" // (source: LessonSource, at?, how?) somebody wants to read a lesson, from a scene on
  // (back?: () => void) somebody wants to know whether a line can part the classes; `back` leads to
  // where that was suggested.
  | "askForLine"
  | "home" // () ask once more what one can do now
  | "pageMade" // all its parts are there
  | "unkept" // the browser keeps no answers
  | "stop" // the page goes
  // The board as a whole.
  | "blank" // true: nothing of it is seen
  | "bare" // true: it stands alone and offers nothing to press
  | "room" // { left, top, width, height } of it in the window
  | "layout" // (shape: Partial<BoardShape>) → Layout, in place of its own
  | "boardShape" // Partial<BoardShape>: what is other for its own
  | "settings" // Pick<Layout, "dock" | "sheet">: where the settings lie
  | "silences" // true: it says itself what a step was, whose sentence is not spoken
  | "beside" // { open, element, place(layout, below) }: what lies beside the board
  | "sceneOf" // (map: RunMap) → what its panels are given
  | "finish" // (board: Board) puts over it what lies there
  | "boardLabel" // a text
  | "marks" // Record<string, string>: what each means
  | "account" // → { title: string; lines: string[] }[]: the board in words
  | "help" // → { title: string; rows: string[][] }: its keys, in place of those of the page
  | "keysOnStage" // string[][]: what keys do while it is shown to a class, for the help there
  | "buttons" // names of actions in place of the coarsest step
  | "about" // the title of the page
  | "belongsTo" // the page that is marked in the bar above, in place of that of the panels
  | "wordsFill" // true: words of its own cover the board
  // The address.
  | "link" // → in place of that of the run
  | "query" // → a part of it
  // True: nothing else is there, no address says where it is, and it announces itself what is new.
  | "fillsPage"
  // → { lesson: LessonSource, scene, turned }: what those who join open; null: what is shown.
  | "joined"
  | "lessonScene" // → ShownScene: what the stage and the lecturer's window know of it
  | "handout" // { source: LessonSource, title, solved }: what is read, and can be saved for others
  // Time.
  | "lastTime" // → the last instant to which one may go; the smallest holds
  // → string[]: what a class is asked, its answers and the right one, for its lecturer.
  | "classAsked"
  | "leaps" // true: what plays for long without a change worth seeing is passed over
  | "refusal" // what is said to who wants to go beyond it
  | "step" // (grain: Grain, direction: number) → true: an arrow meant this
  | "went" // somebody went to another instant
  | "plays" // the player begins to play
  | "moved" // somebody or something has gone to an instant
  | "drawn" // a frame was drawn
  | "presents" // the board is shown to a class
  | "asking" // whether the coming step is asked about
  // What is seen and said.
  // → "now" | "numbers" | "ahead": what must not be seen, since it would be the answer: what
  // follows from f now, its numbers alone, or what is ahead.
  | "conceals"
  | "covers" // → string[]: numbers that the board keeps to itself
  | "names" // → number[]: examples that are ringed
  | "extras" // → string[]: what the run has to bring besides, by names of kpviz/player/extras.py
  | "figures" // → Figure[]: what numbers are on the map
  | "answered" // → RingedExample[]: those that are asked about, or were answered
  | "votes" // → number: the example on which the map shows the votes of what is remembered
  | "grid" // → the step on whose multiples points are placed
  | "fixedPoints" // → how many points, the first ones, no hand can take
  | "mostPoints" // → how many points there may be
  | "showsSymbols" // → whether f, y and α are shown beside the words for them
  | "namesFit" // → whether the names in its words are those of the run that is shown
  | "cuesFit" // → whether the words of cues were written for the run that is shown
  | "judges" // true: what is known of the whole run is wanted before its end
  // True: it says itself what there is to say, neither cues nor the words of a comparison are said.
  | "speaks"
  | "narration" // → Narration, in place of all that is said of the step
  | "sentence" // (run: Run) → in place of that of the step
  | "sentenceAt" // (t: number) → that of another instant
  | "guides" // true: one knows from it what to do next, nothing is suggested
  | "score" // what the answers came to, beside the counter of steps
  | "row" // → Row | undefined: its tools, under the sentence
  | "points" // (run: Run) → PointsShown, in place of all
  | "showsVerdict" // whether what is asked about the whole run is told, so that its proof is drawn
  | "namesRuns" // true: it names the runs side by side itself
  | "namesPoints" // whether examples are called by their numbers
  | "wayOut" // → what Escape does
  | "remark" // → before the sentence of the step
  | "exampleLines" // (i: number) → string[]: what is told of an example
  // Keys and the pointer.
  // (press: KeyPress) → true: it has taken the key before who has the focus, "left": it is the
  // browser's.
  | "everyKey"
  | "keys" // (press: KeyPress) → true: it has taken the key after who has the focus
  // (i: number) → the answer of which the example that was chosen on the map is part, null: it was
  // that already.
  | "pick"
  | "hidesPointer" // true: nothing is told of what lies under it
  | "pointerShape" // → the shape of the pointer
  | "putsPoints" // true: a press on the map puts a point there
  // True: the pointer and the arrows on the map are its own, and others make way before it is
  // entered.
  | "takesMap"
  // (pointer: Pointer) → true: what is pressed there is its own, with the right button, too.
  | "takesPress"
  | "press" // (event: PointerEvent, pointer: Pointer) one that it takes
  | "fingerLifted"
  | "focused" // (isHere: boolean) the canvas has the focus or loses it
  | "mapKeys" // (press: KeyPress) while the canvas has the focus; true: it has taken the key
  | "over" // (scene: PanelScene) → Mark[]: what it lays over the map
  // → what one may do there, in place of the sentence of the step until one has begun.
  | "invitation"
  | "ending" // (end: string) → what has led to the end of the run, with what is said of that
  | "escape" // Esc ends it, where nothing lies over the board; true: it is over
  | "makeWay" // another mode takes the map, or something is shown that has no place for it
  // What a hand holds: a mode that lasts until it lets go. Others last until one leaves them.
  | "holds" // true: a hand holds something
  | "move" // (pointer: Pointer) the hand moves
  | "end" // the hand lets go, and the mode has left the stack
  | "cancel" // as by Esc: what the hand held is given up
  | "endsAtKey" // (key: string) → true: the hand lets go before this key does something
  | "stepsInHand" // → how many steps had the width of the timeline when the hand took hold of it
  | "reset" // a double click where the hand took hold
  | "lights" // → number[]: all examples that light up, whatever is pointed at
  | "panel" // in which the hand holds something
  | "stays" // true: the pointer still points where the hand took hold
  | "still"; // true: the page does not move with the finger

/**
 * What one is doing, as long as it is on the stack of modes; who has no answer leaves it to the
 * others.
 */
export type Mode = { name: string } & { [question in ModeQuestion]?: unknown };

/** A row of tools under the sentence. */
export interface Row {
  element: HTMLElement;
  update(): boolean; // what changes from frame to frame; whether the row may be of another height
  stop?(): void; // it goes
}

/**
 * The examples of which points are shown; `unknown`: the one whose class is asked for, -1 for none.
 */
export interface PointsShown {
  seen: Set<number>;
  unknown: number; // the one whose class is asked for
}

/**
 * An example with a ring: it is asked about, the answer of the person about it was right or wrong,
 * or it was passed on the way to where the answer went wrong. `numbered` has its name alone.
 */
export interface RingedExample {
  i: number;
  was: "asked" | "right" | "wrong" | "passed" | "numbered";
  answer?: string; // what the person said; of a question the longest that one may say
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

/**
 * A task without what gives its answer away; which of the optional parts it has, its kind tells.
 */
export interface LessonTask {
  kind:
    "predict" | "choose" | "number" | "click" | "reach" | "draw" | "puzzle" | "perform" | "explain";
  mark: string; // what tells it from others: of what its author wrote
  ask: Word[];
  hints: Word[][];
  start: LessonLink[]; // one for each seed
  tries: number | null;
  count?: number | null;
  choices?: Word[][];
  stage?: number[]; // the choices that a class votes on, where these are not all
  one?: boolean;
  covers?: string[]; // counts that the board keeps to itself
  votes?: number; // the example on which the map shows each vote
  // What is asked changes from step to step: the board plays up to it when it was answered.
  plays?: boolean;
  ahead?: number; // how many of the examples that come next are numbered on the map
  draws?: boolean; // what is asked for is a length on the map, which follows the points
  may?: string; // what one may change, as a sentence
  within?: {
    name: string;
    label: string;
    low: number | null;
    high: number | null;
    choices: string[];
  }[];
  // Of a puzzle: what is counted, whether more is better, what one should reach, and the number of
  // the start, "" where that does not count.
  unit?: string;
  unitOfOne?: string; // what one of it is called
  more?: boolean;
  par?: string;
  first?: string;
  placed?: number; // points at the start
  fixed?: number; // that stay there
  most?: number; // points that there may be
  line?: number; // a line is drawn by so many heights
  heights?: [number, number]; // the lowest and the highest
  grid?: number | null; // the step on which points and settings lie
  elsewhere?: Elsewhere; // in a page that does not check it
}

/**
 * Where something is that needs kpviz: its address, if it is known, and the command that opens it.
 */
export interface Elsewhere {
  address: string | null;
  command: string;
  isSecret?: boolean; // the page does not say what is right
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
  way?: number[]; // the examples that come before the right one
  value?: number;
  allowed?: number; // how far off a number may be
  near?: number; // how far off one may be that is called near
  more?: string; // asks one who rounded too much for more digits
  // Wrong numbers that are explained.
  slips?: { value: number; allowed: number; said: string; drawn?: Figure[] }[];
  hint?: { drawn?: Figure[] }; // what the number is on the map, for one who does not know it yet
  drawn?: Figure[]; // and for one who does
  answer?: TaskAnswer; // a right one, of what is not compared in the page
}

export interface LessonScene {
  heading: string;
  minutes: number | null;
  link: LessonLink; // with its cues
  words: Word[];
  notes: Word[]; // for the lecturer, of a file that was opened here
  knobs: string[];
  tasks: LessonTask[];
  asked_first: number; // so many of them stand before the cues
  elsewhere?: Elsewhere; // of another page, where there is none to go to
}

/** What the stage and the lecturer's window know of a scene, in words. */
export interface ShownScene {
  heading: string;
  number: number; // from 1
  count: number; // of scenes
  words: string;
  notes: string;
  wordNodes: () => (Node | string)[]; // the words with their formulas, for another window
  noteNodes: () => (Node | string)[];
  minutes: number | null; // that are planned
  all: number | null; // minutes of the lesson
  following: string; // what comes after its cues
}

export interface PlainLesson {
  title: string;
  language: string;
  phrases: Record<string, string>; // what kpviz says, in this language, by what it says in English
  objectives: string[];
  minutes: number | null;
  symbols: boolean; // whether the board shows f, y and α
  next?: { name: string; title: string } | null; // the lesson that follows it
  previous?: { name: string; title: string } | null; // the puzzle before it
  solved?: boolean; // whether it may be saved with its solutions
  told?: boolean; // whether one may be shown what is right
  puzzle?: PuzzlePlace; // it is one
  scenes: LessonScene[];
}

/** The number of a puzzle among those that come along, and the lesson to which it leads. */
export interface PuzzlePlace {
  number: number | null;
  lesson: { name: string; title: string } | null;
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
  // What is right after the last try, and the author's reason, once they give nothing away.
  because: Word[];
  detail: {
    step?: number;
    wrong?: number[]; // choices or examples
    passed?: number[]; // examples that come before the one that is right, and before the wrong one
    drawn?: Figure[]; // what the number is on the map
    unreadable?: true;
    value?: number; // the number of a puzzle
    shown?: string; // the same as it is written
    best?: string; // said where nothing surpasses it
    goals?: Goal[]; // of a board
  };
}

/** Whether one of the things that are asked of a board is so, and what is so. */
export type Goal = [boolean, string];

/** What the engine says of a friend's record; `board` to who has beaten it. */
export interface CheckedRecord {
  challenge?: string;
  value?: number;
  by?: string;
  board?: string;
}

/** What a student did of a task, as the browser keeps it. */
export interface TaskDone {
  tries: number;
  hints: number;
  right: boolean | null;
  shown?: boolean; // what is right was shown, before an answer was right
  answers: {
    answer: TaskAnswer;
    right: boolean | null;
    link: string;
    at: string;
    try: number;
  }[];
}
