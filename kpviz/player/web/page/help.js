// The help: what one sees on the board, each mark drawn beside its word, and all keys.

import { TERMS } from "../board/term_table.js";
import { helpOf } from "../modes/actions.js";
import { pictogram } from "./buttons.js";
import { byKeys, drawingOf, make } from "./dom.js";
import { PANEL_ICONS } from "./panel_icons.js";

/** @import { Player } from "../board/player.js" */

/** The drawing of a term. @param {string} name */
const term = (name) => () => drawingOf(TERMS.find((one) => one.name === name).picture);

/** The icon of a panel. @param {string} name */
const icon = (name) => () => pictogram(PANEL_ICONS[name]);

/** A drawing of its own. @param {string} parts */
const drawn = (parts) => () => drawingOf(parts);

/**
 * What everybody sees at first: the drawing of each mark, what it means, and what is said of keys
 * where there are any.
 *
 * @type {Record<string, [() => Element, string, string?]>}
 */
const FIRST = {
  Colours: [term("score"), "orange where f says +1, blue where −1, none where f is 0"],
  Boundary: [term("separable"), "where f is 0; for a moment its old place is dashed"],
  Points: [
    term("support"),
    "a circle is +1, a square −1; larger with each mistake; hollow ones are held out",
  ],
  Ring: [term("example"), "the example of this step; it spreads at a mistake"],
  Bricks: [icon("alpha"), "one for each mistake on an example; click one to go to its step"],
  Margins: [icon("margins"), "bars count the examples by y·f(x); left of 0 is the wrong side"],
  Timeline: [term("step"), "a tick for each mistake; drag to go anywhere"],
  Pointing: [
    term("kernel"),
    "on the map: f there as a sum, with lines to its largest terms; a click keeps it",
  ],
  "Dotted words": [
    drawn(
      '<text x="19" y="32">word</text><path class="line" stroke-dasharray="2 4" d="M18 42H78"/>',
    ),
    "have an explanation: click or tap",
    ", or Tab and Enter",
  ],
};

/** @type {typeof FIRST} */
const OTHERS = {
  Scale: [
    drawn(
      '<path class="n" d="M4 18H26V38H4Z"/><path class="wash n" d="M26 18H48V38H26Z"/><path class="wash p" d="M48 18H70V38H48Z"/><path class="p" d="M70 18H92V38H70Z"/>',
    ),
    "one scale for the whole run; ≤ and ≥: some values go beyond it",
  ],
  Outlined: [
    drawn(
      '<circle cx="48" cy="28" r="4"/><circle class="line a" cx="48" cy="28" r="10"/><circle class="line q" stroke-dasharray="2 4" cx="48" cy="28" r="25"/>',
    ),
    "what you point at; the dotted circle has the radius σ",
  ],
  "Framed bar": [
    drawn(
      '<path class="q" d="M18 30H34V50H18ZM62 36H78V50H62Z"/><path class="line a" d="M40 10H56V50H40Z"/>',
    ),
    "contains this step’s example; the end bars contain all beyond",
  ],
  Epochs: [
    term("converged"),
    "on the timeline: bars count an epoch’s mistakes; lines: error, dashed: held out",
  ],
  "Margin lines": [icon("lines"), "where f is ± the smallest margin, once all margins are above 0"],
  "Bars of α": [
    term("alpha"),
    "each example’s weight, where α is no count; thin lines: the best solution",
  ],
  Learner: [icon("own"), "what the learner remembers, the oldest left, and its numbers over time"],
  Hatching: [
    drawn('<path class="line" d="M8 46L38 10M28 46L58 10M48 46L78 10"/>'),
    "where compared runs disagree about the class",
  ],
  Stream: [
    term("stream"),
    "the last 60 arrivals, fading; hollow: in memory; dial: how far the data turned",
  ],
  Votes: [term("voted"), "a bar for each version of f, as wide as the steps it stayed in force"],
  Arrow: [term("primal"), "the weight vector w; this mistake added its thin part"],
  "Gram matrix": [term("gram"), "k of each pair of examples, sorted by class; framed: this step"],
  Lift: [term("features"), "φ(x) of each example, and the plane w·φ(x) + b = 0; drag to turn it"],
  "k(x, ·)": [icon("similar"), "in place of f: how similar each place is to one example", " (E)"],
  Order: [term("budget"), "the examples of an epoch; underlined: shown so far; strong: a mistake"],
  Rule: [icon("code"), "the learner as code; η is the learning rate, s what the intercept adds"],
  "x₁₂": [
    drawn('<circle class="p" cx="20" cy="28" r="8"/><text x="38" y="37">x₁₂</text>'),
    "the example with index 12, counted from 0",
  ],
};

/** @type {typeof FIRST} */
const WITH_SERVER = {
  Reordering: [
    icon("sequence"),
    "drag a cell of the order",
    "; key 1: this step’s example comes first",
  ],
  Drawing: [
    drawn('<path class="line a" d="M20 6H76V50H20Z"/><circle class="p" cx="48" cy="28" r="5"/>'),
    "a frame round the map",
    "; by keys: Tab to the map, arrows (Shift: finely), Enter",
  ],
};

/** Names, and what they mean. */
const listOf = (rows) =>
  make(
    "dl",
    {},
    ...rows.map(([name, words, ofKeys = ""]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, words, byKeys(ofKeys))),
    ),
  );

/** Marks, each drawn beside its name. @param {typeof FIRST} marks */
const drawnList = (marks) => {
  const list = listOf(Object.entries(marks).map(([name, [, ...words]]) => [name, ...words]));
  list.className = "marks";
  const drawings = Object.values(marks).map(([draw]) => draw());
  for (const [k, row] of [...list.children].entries()) {
    drawings[k].setAttribute("aria-hidden", "true");
    row.firstElementChild.prepend(drawings[k]);
  }
  return list;
};

/** What is folded away at first; unfolded, as much of it is seen as has room. */
export const folded = (words, ...children) => {
  const fold = make("details", {}, make("summary", {}, words), ...children);
  fold.addEventListener("toggle", () => fold.open && fold.scrollIntoView({ block: "nearest" }));
  return fold;
};

/** What one sees. @param {Player} player */
export function seenOn({ capabilities, modes }) {
  const marks = modes.ask("marks");
  const others = { ...OTHERS, ...(capabilities.server && WITH_SERVER) };
  const lists = marks
    ? [listOf(Object.entries(marks))]
    : [drawnList(FIRST), folded("All other marks", drawnList(others))];
  return make("section", {}, make("h2", {}, "What you see"), ...lists);
}

/** The keys of a mode, or of the board. @param {Player} player */
export function keysOn({ capabilities, modes }) {
  const help = modes.ask("help");
  if (help) return [make("h2", {}, help.title), listOf(help.rows)];
  const [often, ...others] = helpOf(capabilities);
  const seldom = others.flatMap(({ title, rows }) => [make("h3", {}, title), listOf(rows)]);
  return [
    make("h2", {}, "Keys"),
    listOf(often.rows),
    ...(seldom.length ? [folded("All other keys", ...seldom)] : []),
  ];
}
