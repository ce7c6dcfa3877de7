// The names within a text of what is on the board: examples, as x₂₆, and panels by the words for
// them.

/**
 * A name within a text: as a cue lights it, and where it begins and ends.
 * @typedef {{ name: string, from: number, to: number }} TextName
 */

const DIGITS = "₀₁₂₃₄₅₆₇₈₉";
const EXAMPLE = `x[${DIGITS}]+`;

/** The words for what a panel shows. @type {Record<string, string>} */
const PANEL_WORDS = {
  brick: "alpha",
  bricks: "alpha",
  margins: "margins",
  timeline: "timeline",
  "Gram matrix": "gram",
  "mistake bounds": "bound",
  "order of the examples": "sequence",
};
const WORDS = Object.keys(PANEL_WORDS).sort((one, other) => other.length - one.length);
const NAMES = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${EXAMPLE}|(?:${WORDS.join("|")})(?!\\p{L}))`,
  "gu",
);

/** @param {string} text @returns {TextName[]} */
export const namesIn = (text) =>
  [...text.matchAll(NAMES)].map(({ 0: words, index }) => ({
    name: PANEL_WORDS[words] ?? plainName(words),
    from: index,
    to: index + words.length,
  }));

/** The name of an example without small digits. @param {string} words */
const plainName = (words) => words.replace(/[₀-₉]/g, (digit) => String(DIGITS.indexOf(digit)));
