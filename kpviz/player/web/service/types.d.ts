// What is asked and answered, and what is outside of the player. The other side is
// kpviz/service/answer.py.

import type { DockTree } from "../page/dock/types.d.ts";
import type { Envelope } from "../run/types.d.ts";
import type { LessonSource, TaskAnswer } from "../modes/types.d.ts";

/**
 * What a page shows: settings and pins as a link, the settings before the points became the
 * reader's own, the data.
 */
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

/**
 * What a page asks besides: for its curve over a setting, name null: over the default one; or for
 * what is known of a run, or for extras.
 */
export interface Request {
  link: string;
  curve?: { name: string | null; seeds: number };
  verdict?: true;
  asked?: string[];
  lesson?: LessonSource;
  join?: { address: string; lesson?: LessonSource; scene?: number; turned?: boolean };
  file?: FileWanted;
  task?: {
    scene: number;
    task: number;
    tried: number;
    answer: TaskAnswer;
    live?: boolean;
    after?: string;
  };
  // In a link; own: the board of who has beaten it.
  record?: { record: string; by: string; proof: string; own?: string };
  made?: { board: string; by: string }; // a record of which a link is to be made
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

/** What is sent while one waits. */
export interface Progress {
  progress: [number, number]; // steps done, and their limit
  left: number | null; // seconds
  place: number | null; // in the queue
  words?: string; // that say it in another way
}

export interface Notice {
  // A fact is so of the present settings, until an answer does not say it.
  kind: "warning" | "hint" | "fact";
  words: string;
  topic?: string; // what a fact is about, its file included: there is one of each
  // Buttons, and the settings that they change.
  actions?: { label: string; changes: Record<string, unknown> }[];
  menu?: string; // the name of a list that holds them instead
}

/** What is answered where there is a run to show. */
export interface AnswerHeader extends Envelope, PageState {
  dock: DockTree;
  steps: PageState[]; // the state after each command
  notices: Notice[];
  facts: Notice[] | null; // null: as they were, in the middle of a gesture
  // To be kept; a number: the command of that place.
  store: Record<string, Stored | { command: number }>;
  drafts: Record<string, string>;
  edit: boolean; // the pencil is wanted
  stem: string; // of the names of files that are saved
}

/** What is answered where there is none: why, or what the service needs first. */
export interface Refusal {
  n: number;
  failed?: string | null;
  needs?: string[];
  join?: { address: string; rows: string[]; why: string | null; said: string | null };
  file?: SavedFile; // its content is the array of that name, compressed
}

/**
 * A place in the history: what is shown there, null until an answer says it, and the change that
 * led there from the one before.
 */
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
export interface PendingQuestion {
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
  needs(): Pick<Question, "asked" | "have" | "shown">; // what a question says of the page
  has(header: AnswerHeader): boolean; // whether it can show an answer again without its bytes
  // Show an answer: `rest` are the runs that the page did not have.
  take(header: AnswerHeader, rest: Uint8Array): void;
  settle(): void; // commands were answered or given up: what was shown ahead of that goes
  notice(notice: Notice, command?: string): void; // of which command it is said
  working(progress: Progress | null): void; // null: no longer
  away(away: boolean): void; // whether no server answers
  fail(error: Error): void;
  recolour?(): void; // the page's theme may be another one
}

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
