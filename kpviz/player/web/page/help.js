// The help: what one sees on the board, and all keys.

import { make } from "./dom.js";
import { actionsOf, helpOf } from "../modes/actions.js";

/** @import { Player } from "../board/player.js" */

/** What each mark means. */
const MARKS = {
  Field: "orange where it says +1, blue where −1, no colour where the score f is 0",
  Line: "the boundary f = 0; dashed grey for a moment: where it was before the last mistake",
  Points:
    "circle +1, square −1; the more mistakes were made on one, the larger it is; hollow: held out for testing",
  Ring: "the example of this step; it spreads when a mistake is made",
  Bricks: "one for each mistake on an example; click one to go to its step",
  Histogram: "y·f(x) of all training examples; left of 0 is the wrong side",
  Timeline: "a tick for each mistake; drag to go anywhere",
  Pointer:
    "anywhere on the map: f there as a sum, its five largest terms as lines to their examples; click to pin",
  Dots: "dotted words have explanations: hover, tap, or Tab and Enter",
  Scale:
    "colour scale of the whole run (it grows fivefold if needed); ≤ and ≥ mark values outside it",
  Outlines: "what you point at; the dotted disc is the Gaussian’s σ",
  Bins: "of the histogram: the outlined one holds this step’s example, a triangle what you point at; those at the ends hold all beyond",
  Epochs:
    "on the timeline: bars for mistakes, lines for the error at the end, held-out dashed; a flag is a cue",
  "Dotted lines":
    "margin lines, on request: f = ± the smallest margin, while all margins are above 0",
  "Bars of α":
    "where α is no count of mistakes: the weight of each example; thin lines on them, and a dotted boundary: the batch optimum",
  Learner:
    "its own panel: weights by age, oldest left; numbers over time, limits dashed; an SVM’s pair in its box; how much is added at each margin",
  Hatching:
    "comparing: where the runs disagree about the side; the timeline has a row of ticks for each run",
  Stream:
    "the last 60 arrivals, fading; hollow ones are in memory; the dial says how far the target has turned",
  Votes:
    "a bar for each version of f; width and height: for how many steps it stayed in force, its votes cₖ; with the boundaries of the last one, of their mean and of their vote",
  Arrow:
    "the primal weight vector w, at one scale for the run; the thin part was added by this step’s mistake",
  Gram: "k of all pairs, by class; framed: this step; at the side: α",
  Lift: "φ of each example, and w·φ + b = 0; drag to turn it",
  "k(x, ·)": "in place of f, with E: how similar each place is to one example; a click keeps it",
  Order:
    "a cell for each example as the epoch shows them; underlined: shown so far; strong: a mistake in this epoch",
  Editing: "",
  Rule: "s is what an intercept adds: 0 for none, 1 for unit, R² for radius; η is the learning rate",
  Numbers: "x₁₂ is the example with index 12, counted from 0 as in the arrays",
};

/** What one can do with a mark where there is a server. */
const WITH_SERVER = {
  Order: "; drag one elsewhere, or press 1: the example you point at, or the step’s, comes first",
  Editing:
    "a frame round the map. By keyboard: Tab to the map, then arrows (Shift: finely) and Enter; by touch: tap, drag, long press. A file dropped on the board is opened",
};

const marksFor = ({ server }) =>
  Object.entries(MARKS)
    .map(([name, words]) => [name, words + ((server && WITH_SERVER[name]) || "")])
    .filter(([, words]) => words);

/** What everybody sees at first. */
const FIRST = [
  "Field",
  "Line",
  "Points",
  "Ring",
  "Bricks",
  "Histogram",
  "Timeline",
  "Pointer",
  "Dots",
];

/** Names, and what they mean. */
const listOf = (pairs) =>
  make(
    "dl",
    {},
    ...pairs.map(([name, words]) => make("div", {}, make("dt", {}, name), make("dd", {}, words))),
  );

/** What is folded away at first. */
export const folded = (words, ...children) =>
  make("details", {}, make("summary", {}, words), ...children);

/** What one sees. @param {Player} player */
export function seenOn({ capabilities, modes }) {
  const all = marksFor(capabilities);
  const [first, others] = [true, false].map((at) =>
    all.filter(([name]) => FIRST.includes(name) === at),
  );
  const marks = modes.ask("marks");
  const lists = marks
    ? [listOf(Object.entries(marks))]
    : [listOf(first), folded("All other marks", listOf(others))];
  return make("section", {}, make("h2", {}, "What you see"), ...lists);
}

/** The keys of a mode, or of the board. @param {Player} player */
export function keysOn({ capabilities, modes }) {
  const help = modes.ask("help");
  if (help) return [make("h2", {}, help.title), listOf(help.rows)];
  const [often, ...others] = helpOf(actionsOf(capabilities));
  const seldom = others.flatMap(({ title, rows }) => [make("h3", {}, title), listOf(rows)]);
  return [
    make("h2", {}, "Keys"),
    listOf(often.rows),
    ...(seldom.length ? [folded("All other keys", ...seldom)] : []),
  ];
}
