// Where the words on the board say a term that kpviz explains.

import { textWidth } from "../paint/measure.js";
import { BY_NAME, PANELS } from "./panel_table.js";
import { LETTERS } from "./run_set.js";
import { TERMS } from "./term_table.js";
import { namesIn } from "./text_names.js";
import { literally } from "../run/words.js";

/** @import { BoardPanel, Mark, Term, TextMark } from "./types.d.ts" */
/** @import { Fonts } from "../run/types.d.ts" */

/**
 * A term within a text, or the name of an example: where it begins and ends.
 * @typedef {{ term?: Term, name?: string, from: number, to: number }} TermSpan
 */

/**
 * A term on the board, or an example that is named there (by its name), and the letters that say
 * it; `x` and `y` are the left end of their base line.
 * @typedef {{ term?: Term, name?: string, key: string, text: string, x: number, y: number,
 *   w: number, size: number }} Spot
 */

// The marks, by name, in whose words terms are explained.
const EXPLAINED_MARKS = new Set([
  "title",
  "counter",
  "sentence",
  "formula",
  "bound",
  "rule",
  "support",
  "answer",
]);

const MOST_TERMS = 10; // More dotted words than these make a board restless.
const WORD_END = "(?![\\p{L}\\p{Nd}_])";
const isWord = (phrase) => /^[a-z][a-z -]{2,}$/.test(phrase);

/**
 * A word may begin a sentence, and be a plural; what stands behind "…" must follow, and is no part
 * of the term.
 */
function patternOf(phrase) {
  const [beginning, following] = phrase.split("…");
  if (following) return `${literally(beginning)}(?=${literally(following)})`;
  if (!isWord(phrase)) return literally(phrase) + (/\p{L}$/u.test(phrase) ? WORD_END : "");
  const first = phrase[0];
  const laterLetters = phrase.slice(1);
  return `[${first}${first.toUpperCase()}]${laterLetters}s?${WORD_END}`;
}

const NAMES = new RegExp(`^[${LETTERS}] · |^[^“]*”|“[^”]*(?:”|$)`, "g");

/**
 * A text without the names of runs and classes, as long as before: a run is called B in the titles
 * of its panels, and a class may be called “noise”. A line may begin or end within a name.
 *
 * @param {string} text
 */
const withoutNames = (text) => text.replace(NAMES, (name) => "·".repeat(name.length));

/**
 * @param {boolean} symbols whether letters that stand for something are terms
 * @param {string} page on which they are said
 */
function finderOf(symbols, page) {
  const all = TERMS.filter((term) => (term.page ?? page) === page)
    .flatMap((term) => term.says.map((phrase) => ({ term, phrase })))
    .filter(({ phrase }) => symbols || isWord(phrase))
    .sort((a, b) => b.phrase.length - a.phrase.length);
  const groups = all.map(({ phrase }) => `(${patternOf(phrase)})`).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${groups})`, "gu");
  return { pattern, terms: all.map(({ term }) => term) };
}

const PLAY = "play"; // The page of the panels that do not name theirs.
const PAGES = new Set([PLAY, ...PANELS.flatMap(({ page }) => page ?? [])]);
const ON_PAGE = Object.fromEntries([...PAGES].map((page) => [page, finderOf(true, page)]));
const WORDS = finderOf(false, PLAY);

/**
 * The terms that a text says, each where it is said first.
 *
 * @param {string} text
 * @param {{ symbols?: boolean, page?: string }} [options]
 */
export function termsIn(text, { symbols = true, page = PLAY } = {}) {
  const { pattern, terms } = symbols ? ON_PAGE[page] : WORDS;
  /** @type {Map<Term, TermSpan>} */
  const spans = new Map();
  for (const match of withoutNames(text).matchAll(pattern)) {
    const term = terms[match.slice(1).findIndex((group) => group !== undefined)];
    if (!spans.has(term)) {
      spans.set(term, { term, from: match.index, to: match.index + match[0].length });
    }
  }
  return [...spans.values()];
}

/**
 * What the texts of each list of marks say, looked for once: what stands still keeps its marks.
 *
 * @type {WeakMap<Mark[], { mark: TextMark, spots: Spot[] }[]>}
 */
const known = new WeakMap();

/**
 * The terms on a board, each where it is said first from its top: the first of them.
 *
 * @param {BoardPanel[]} panels
 * @param {Fonts} fonts
 */
export const termsOn = (panels, fonts) =>
  spotsOn(panels, fonts, ({ term }) => term).slice(0, MOST_TERMS);

/**
 * The examples that the sentence of a board names.
 *
 * @param {BoardPanel[]} panels
 * @param {Fonts} fonts
 */
export const examplesOn = (panels, fonts) => spotsOn(panels, fonts, ({ name }) => name);

/**
 * Where something is said first from the top of a board.
 *
 * @param {BoardPanel[]} panels
 * @param {Fonts} fonts
 * @param {(spot: Spot) => Term | string | undefined} whatOf what of a text is wanted
 * @returns {Spot[]}
 */
function spotsOn(panels, fonts, whatOf) {
  const page = panels.map(({ name }) => BY_NAME[name]?.page).find(Boolean) ?? PLAY;
  const texts = panels
    .filter(({ name }) => !name.startsWith("map"))
    .flatMap(({ name, still, moving }) => {
      const layers = [...still.map(({ marks }) => marks()), moving];
      return layers.flatMap((marks) => textsIn(marks, name, page, fonts));
    })
    .sort((one, other) => one.mark.y - other.mark.y || one.mark.x - other.mark.x);
  /** @type {Map<Term | string, Spot>} */
  const spots = new Map();
  for (const spot of texts.flatMap((text) => text.spots).filter(whatOf)) {
    if (!spots.has(whatOf(spot))) spots.set(whatOf(spot), spot);
  }
  return [...spots.values()];
}

/** The examples that the sentence names. @param {TextMark} mark @returns {TermSpan[]} */
const examplesNamed = ({ name, text }) =>
  name === "sentence" ? namesIn(text).filter((named) => /^x\d/.test(named.name)) : [];

/**
 * @param {Mark[]} marks
 * @param {string} panel
 * @param {string} page
 * @param {Fonts} fonts
 */
function textsIn(marks, panel, page, fonts) {
  if (!known.has(marks)) {
    const texts = marks.flatMap((mark) =>
      mark.kind === "text" && EXPLAINED_MARKS.has(mark.name ?? "") ? [mark] : [],
    );
    known.set(
      marks,
      texts.map((mark) => ({
        mark,
        spots: [...termsIn(mark.text, { page }), ...examplesNamed(mark)].map((span) =>
          spotOf(mark, span, `${panel} ${span.term?.name ?? span.name}`, fonts),
        ),
      })),
    );
  }
  return known.get(marks);
}

/**
 * @param {TextMark} mark
 * @param {TermSpan} said
 * @param {string} key
 * @param {Fonts} fonts
 * @returns {Spot}
 */
function spotOf(
  { x, y, text, size, weight = 400, align = "left" },
  { from, to, ...what },
  key,
  fonts,
) {
  // Words return, whole lines do not: so each is measured by itself.
  const width = (part) =>
    part.split(/(?= )/).reduce((sum, word) => sum + textWidth(word, size, fonts, weight), 0);
  const shareBefore = { left: 0, center: 0.5, right: 1 }[align];
  const start = shareBefore ? x - shareBefore * width(text) : x;
  const spoken = text.slice(from, to);
  return {
    ...what,
    key,
    text: spoken,
    x: start + width(text.slice(0, from)),
    y,
    w: width(spoken),
    size,
  };
}
