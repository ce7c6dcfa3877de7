// Undo and redo of what was not answered yet, without asking for it.

/** @import { Entry, Undone } from "../types.d.ts" */

/**
 * What remains of the entries: how far to go in the history, and then changes; `undone` is what can be redone after them.
 *
 * @param {Entry[]} entries
 * @param {{ undo: number, redo: number }} counts how often one can undo and redo in the history
 */
export function unwound(entries, counts) {
  /** @type {Entry[]} */
  const changes = [];
  /** @type {{ of: Undone, entry: Entry | null }[]} */
  let undone = [];
  let by = 0;
  const undo = (of) => {
    const entry = changes.pop() ?? null;
    if (!entry && counts.undo + by === 0) return;
    undone.push({ of, entry });
    if (!entry) by -= 1;
  };
  const redo = () => {
    const last = undone.pop();
    if (last?.entry) changes.push(last.entry);
    else if (!changes.length && by < counts.redo) by += 1;
  };
  for (const entry of entries) {
    if (entry.way === "undo") undo(entry.of);
    else if (entry.way === "redo") redo();
    else if (!entry.way) {
      if (!entry.again) undone = [];
      changes.push(entry);
    }
  }
  return { by, changes, undone };
}
