// What kpviz itself says in a lesson, in the language of the lesson. A sentence is looked up as it
// is in English, in the table that comes with the lesson (kpviz/lessons/languages, whose rule this
// is): what a table lacks stays English, and so does what the author wrote.

const VALUE = /\{(\w+)\}/g;
const NUMBERS = ["n", "all"]; // Such values are whole numbers; others are within a sentence.
const SYMBOL = /^(?:[A-Za-z]|\S*[^A-Za-z\s]\S*)$/; // Nothing of it is a word.
const IN_LISTS = /([,;] | and | or )/;
const BETWEEN_SENTENCES = /(?<=[.?!])(\s+)/;
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** @type {Record<string, string>} */
let table = {};
let language = "en"; // That of the table.
/** @type {{ pattern: RegExp, template: string }[]} */
let patterns = []; // The phrases with values, those with most words of their own first.

/**
 * From now on phrases are those of this table, of a language.
 *
 * @param {Record<string, string>} [phrases]
 * @param {string} [name]
 */
export function speak(phrases = {}, name = "en") {
  table = phrases;
  language = name;
  const lengthOf = (phrase) => phrase.replace(VALUE, "").length;
  patterns = Object.keys(phrases)
    .filter((phrase) => phrase.search(VALUE) >= 0)
    .sort((one, other) => lengthOf(other) - lengthOf(one))
    .map((phrase) => ({ pattern: patternOf(phrase), template: phrases[phrase] }));
}

/** The language that is spoken. */
export const spokenLanguage = () => language;

/**
 * What kpviz says, in the language of the lesson that is open: a phrase, or sentences one after the
 * other.
 *
 * @param {string} english
 */
export function translate(english) {
  if (Object.keys(table).length === 0) return english;
  return (
    phraseOf(english) ??
    english
      .split(BETWEEN_SENTENCES)
      .map((part) => phraseOf(part) ?? part)
      .join("")
  );
}

/** Whether the language has the words of each of some sentences. @param {string} english */
export const speaks = (english) =>
  Object.keys(table).length === 0 ||
  english.split(BETWEEN_SENTENCES).every((part) => !part.trim() || phraseOf(part) !== null);

/** One phrase, null where the table lacks it. @param {string} english @returns {string | null} */
function phraseOf(english) {
  const words = english.trim();
  const inPlace = (phrase) => english.replace(words, () => phrase);
  if (Object.hasOwn(table, words)) return inPlace(table[words]);
  for (const { pattern, template } of patterns) {
    const values = pattern.exec(words)?.groups;
    if (values) {
      return inPlace(template.replace(VALUE, (_, name) => valueWords(values[name])));
    }
  }
  return null;
}

/** A value: a phrase, or several in a list. @param {string} english @returns {string} */
function valueWords(english) {
  const whole = phraseOf(english);
  if (whole !== null) return whole;
  const parts = english.split(IN_LISTS); // Words and what stands between them take turns.
  const translations = parts.map((part) => phraseOf(part) ?? part);
  const isWhole = parts.every((part, k) => k % 2 || translations[k] !== part || SYMBOL.test(part));
  return isWhole ? translations.join("") : english;
}

/** @param {string} phrase */
function patternOf(phrase) {
  const parts = phrase.split(VALUE); // Words and names of values take turns.
  const escaped = (words) => words.replace(SPECIAL, "\\$&");
  const valueOf = (name) => (NUMBERS.includes(name) ? "[0-9,]+" : "(?:(?![.?!]\\s).)+?");
  const source = parts
    .map((part, k) => (k % 2 ? `(?<${part}>${valueOf(part)})` : escaped(part)))
    .join("");
  return new RegExp(`^${source}$`, "su");
}
