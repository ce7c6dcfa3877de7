// What the service says of the controls, and what shows them. The other side is
// kpviz/service/dock/fields.py.

import type { Modes } from "../../modes/modes.js";
import type { Session } from "../../service/session.js";

/** All that the controls show. */
export interface DockTree {
  tabs: { group: string; label: string; set: string; tip: string }[];
  buttons: { command: string; tip: string; disabled: string | null }[];
  quick: (SliderField & { ends: string[] }) | null; // the number above the buttons
  groups: Record<string, DockField[]>; // those that were asked for
}

/** What was typed and cannot be used: why, and where it is wrong. */
export interface Draft {
  text: string;
  why: string;
  at: number | null; // index of a character
}

type Value = string | number | boolean | null;

interface Picture {
  title: string;
  image?: string; // class of thumbnails.css
  words?: string;
}

/** A value of its own: it sets the property of its name, unless there is a command or a key. */
interface ValueField {
  name: string;
  label: string;
  help?: string;
  command?: string;
  key?: string;
}

export interface TilesField {
  kind: "tiles";
  name: string;
  value: Value;
  options: (Picture & { value: Value; tip: string; group?: string })[]; // group: its heading
  few?: number; // how many are seen at once; the others are behind a button
}

interface Listed extends ValueField {
  value: Value;
  options: [Value, string][];
}

export type ChoiceField = Listed & { kind: "choice" };
export type SelectField = Listed & { kind: "select" };

export interface SliderField extends ValueField {
  kind: "slider";
  value: number;
  low: number;
  high: number;
  log: boolean;
  integer: boolean;
  step: number | null;
  percent: boolean;
  words: string;
  limited?: boolean; // what is typed beyond its ends is refused
}

export interface NumberField extends ValueField {
  kind: "number";
  value: number;
  low: number;
  high: number;
}

export interface ToggleField extends ValueField {
  kind: "toggle";
  value: boolean;
  on: Value;
  off: Value;
}

export interface TextField extends ValueField {
  kind: "text";
  value: string;
  max: number;
  placeholder: string;
  draft: Draft | null;
}

export interface MathField {
  kind: "math";
  mathml: string;
}

export interface WordsField {
  kind: "words" | "warning" | "info" | "heading";
  text: string;
}

interface Pressed {
  label: string;
  tip: string;
  disabled: string | null;
}

export type ButtonField = Pressed & {
  kind: "button";
  command: string;
  value?: unknown;
  primary?: boolean;
};
export type DialogField = Pressed & { kind: "dialog"; dialog: string };

/** Something to write or to bring, and what is wrong with it. */
interface Brought {
  label: string;
  help?: string;
  draft?: Draft | null;
}

export type FileField = Brought & { kind: "file"; accept: string };
export type PasteField = Brought & { kind: "paste"; placeholder: string };

export interface ListField {
  kind: "list";
  items: { title: string; text: string; command: string; value: unknown; label: string }[];
}

export interface AddField extends Brought {
  kind: "add";
  placeholder: string;
  button?: string;
  command: string;
  classes: [number, string][];
}

export interface CardsField {
  kind: "cards";
  options: (Picture & { command: string; value: unknown })[];
}

export interface MoreField {
  kind: "more";
  key?: string;
  label: string;
  open: boolean;
  fields: DockField[];
}

export type DockField =
  | TilesField
  | ChoiceField
  | SelectField
  | SliderField
  | NumberField
  | ToggleField
  | TextField
  | MathField
  | WordsField
  | ButtonField
  | DialogField
  | FileField
  | PasteField
  | ListField
  | AddField
  | CardsField
  | MoreField;

/** What a field is on the page. */
export interface FieldView<Field extends DockField = DockField> {
  element: HTMLElement;
  update(field: Field): void;
}

/** What makes the view of a field of one kind. */
export type Shows<Field extends DockField> = (
  field: Field,
  context: FieldContext,
) => FieldView<Field>;

/** The page round the dock. */
export interface DockHost {
  session: Pick<Session, "command" | "drag" | "awaits" | "see">;
  modes: Pick<Modes, "enter" | "leave">;
  dialog(name: string): void;
  open(files: File[]): void;
  arrange(): void; // the board has more room, or less
  opened(group: string | null): void; // which group is open
  opener(): HTMLElement; // what opens the dock, and has the focus after it
  taken(tree: DockTree, link: string): void; // what is set, and its link
}

export interface FieldContext extends DockHost {
  gesture(): number; // the number of a new one
}
