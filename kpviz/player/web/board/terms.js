// Where the words on the board say a term that kpviz explains.

import { textWidth } from "../paint/measure.js";
import { PANELS } from "./panel_table.js";
import { TERMS } from "./term_table.js";

/** @import { BoardPanel, Mark, Term, TextMark } from "./types.d.ts" */
/** @import { Fonts } from "../run/types.d.ts" */

/**
 * A term within a text: where it begins and ends.
 * @typedef {{ term: Term, from: number, to: number }} Said
 */

/**
 * A term on the board, and the letters that say it; `x` and `y` are the left end of their base line.
 * @typedef {{ term: Term, key: string, text: string, x: number, y: number, w: number, size: number }} Spot
 */

const EXPLAINED = new Set(["title", "counter", "sentence", "formula", "bound", "rule", "support"]); // names of marks whose words are

const END = "(?![\\p{L}\\p{Nd}_])";
const isWord = (phrase) => /^[a-z][a-z -]{2,}$/.test(phrase);

const literally = (phrase) => phrase.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A word may begin a sentence, and be a plural; what stands behind "…" must follow, and is no part of the term. */
function patternOf(phrase) {
  const [said, following] = phrase.split("…");
  if (following) return `${literally(said)}(?=${literally(following)})`;
  if (!isWord(phrase)) return literally(phrase) + (/\p{L}$/u.test(phrase) ? END : "");
  const [first, rest] = [phrase[0], phrase.slice(1)];
  return `[${first}${first.toUpperCase()}]${rest}s?${END}`;
}

const OF_FISHER = new Set(PANELS.filter(({ page }) => page === "fisher").map(({ name }) => name));

/**
 * A text without the names of classes, as long as before: a class may be called “noise”, or “B”. A line may begin or end
 * within a name.
 *
 * @param {string} text
 */
const withoutNames = (text) =>
  text.replace(/^[^“]*”|“[^”]*(?:”|$)/g, (name) => "·".repeat(name.length));

/**
 * @param {boolean} symbols whether letters that stand for something are terms
 * @param {"play" | "fisher"} [page] on which they are said
 */
function finderOf(symbols, page = "play") {
  const all = TERMS.filter((term) => (term.page ?? page) === page)
    .flatMap((term) => term.says.map((phrase) => ({ term, phrase })))
    .filter(({ phrase }) => symbols || isWord(phrase))
    .sort((a, b) => b.phrase.length - a.phrase.length);
  const groups = all.map(({ phrase }) => `(${patternOf(phrase)})`).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${groups})`, "gu");
  return { pattern, terms: all.map(({ term }) => term) };
}

const WITH_SYMBOLS = finderOf(true);
const WORDS = finderOf(false);
const ON_FISHER = finderOf(true, "fisher");

/**
 * The terms that a text says, each where it is said first.
 *
 * @param {string} text
 * @param {{ symbols?: boolean, page?: "play" | "fisher" }} [options]
 */
export function termsIn(text, { symbols = true, page = "play" } = {}) {
  const { pattern, terms } = page === "fisher" ? ON_FISHER : symbols ? WITH_SYMBOLS : WORDS;
  /** @type {Map<Term, Said>} */
  const found = new Map();
  for (const match of withoutNames(text).matchAll(pattern)) {
    const term = terms[match.slice(1).findIndex((group) => group !== undefined)];
    if (!found.has(term)) {
      found.set(term, { term, from: match.index, to: match.index + match[0].length });
    }
  }
  return [...found.values()];
}

/**
 * The terms on a board: in each panel each where it is said first. What stands still is looked through once: `kept` holds
 * what was found.
 *
 * @param {BoardPanel[]} panels
 * @param {Fonts} fonts
 * @param {Map<string, { key: string, marks: TextMark[] }>} [kept]
 */
export function termsOn(panels, fonts, kept = new Map()) {
  const page = panels.some(({ name }) => OF_FISHER.has(name)) ? "fisher" : "play";
  return panels
    .filter(({ name }) => !name.startsWith("map"))
    .flatMap((panel) => {
      /** @type {Map<Term, Spot>} */
      const found = new Map();
      for (const mark of [...stillTexts(panel, kept), ...texts(panel.moving)]) {
        for (const said of termsIn(mark.text, { page })) {
          const { term } = said;
          if (!found.has(term)) {
            found.set(term, spotOf(mark, said, `${panel.name} ${term.name}`, fonts));
          }
        }
      }
      return [...found.values()];
    });
}

/** @param {Mark[]} marks */
const texts = (marks) =>
  marks.flatMap((mark) => (mark.kind === "text" && EXPLAINED.has(mark.name ?? "") ? [mark] : []));

/**
 * @param {BoardPanel} panel
 * @param {Map<string, { key: string, marks: TextMark[] }>} kept
 */
function stillTexts({ name, rect, still }, kept) {
  const key = [JSON.stringify(rect), ...still.map((each) => each.key)].join();
  if (kept.get(name)?.key !== key) {
    kept.set(name, { key, marks: still.flatMap(({ marks }) => texts(marks())) });
  }
  return kept.get(name).marks;
}

/**
 * @param {TextMark} mark
 * @param {Said} said
 * @param {Fonts} fonts
 * @returns {Spot}
 */
function spotOf(
  { x, y, text, size, weight = 400, align = "left" },
  { term, from, to },
  key,
  fonts,
) {
  const width = (part) => textWidth(part, size, fonts, weight);
  const start = x - { left: 0, center: 0.5, right: 1 }[align] * width(text);
  const said = text.slice(from, to);
  return { term, key, text: said, x: start + width(text.slice(0, from)), y, w: width(said), size };
}
