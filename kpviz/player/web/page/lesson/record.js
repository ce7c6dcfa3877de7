// A friend's record of a puzzle, as the address has it.

/** The keys of a record in the address. */
export const RECORD = ["record", "by", "proof"];

/**
 * What an address has of a friend's record of a puzzle.
 *
 * @param {Record<string, string>} extras
 * @param {string} name of the puzzle
 * @returns {Record<string, string>}
 */
export function recordIn(extras, name) {
  if (extras.lesson !== name || !extras.record) return {};
  return Object.fromEntries(RECORD.flatMap((key) => (extras[key] ? [[key, extras[key]]] : [])));
}
