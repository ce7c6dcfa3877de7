// Texts in which something is set lower or higher: the indices of S_W, S_B and S_T, and what stands
// in braces after _ or ^, as kpviz/lessons/file/words.py writes formulas.

import { SCRIPT, textWidth } from "./measure.js";

/** @import { Mark, TextMark } from "../board/types.d.ts" */
/** @import { Fonts } from "../run/types.d.ts" */

const LOWER_OR_HIGHER = /_([WBT])|([_^])\{([^{}]*)\}/g;
const LOWER = 0.2; // Relative to the size.
const HIGHER = 0.34; // Relative to the size.
const ALOUD = { _: " sub ", "^": " to the " };

/**
 * A text in parts: `at` is "_" for what is set lower, "^" for what is set higher, "" for the rest.
 *
 * @returns {{ text: string, at: "" | "_" | "^" }[]}
 */
function partsOf(text) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(LOWER_OR_HIGHER)) {
    parts.push({ text: text.slice(from, match.index), at: "" });
    parts.push({ text: match[1] ?? match[3], at: match[2] ?? "_" });
    from = match.index + match[0].length;
  }
  parts.push({ text: text.slice(from), at: "" });
  return parts.filter((part) => part.text);
}

/** Letters of indices as they are set lower: as a face has them they can hardly be read. */
export const indexed = (/** @type {string} */ text) =>
  text.replace(/[ᵢⱼ]+/g, (letters) => `_{${letters.normalize("NFKD")}}`);

/** The same as one says it, where nothing can be set lower or higher. @param {string} text */
export const aloud = (text) =>
  partsOf(text)
    .map((part) => (ALOUD[part.at] ?? "") + part.text)
    .join("");

/**
 * Marks of one line of text; `align` is "left" or "center".
 *
 * @param {Omit<TextMark, "kind"> & { align?: "left" | "center", weight?: number, fonts: Fonts }}
 *   line
 * @returns {Mark[]}
 */
export function rich({ text, x, align = "left", size, weight = 400, fonts, ...look }) {
  const parts = partsOf(text).map((part) => ({
    ...part,
    size: part.at ? size * SCRIPT : size,
  }));
  const widths = parts.map((part) => textWidth(part.text, part.size, fonts, weight));
  let from = align === "center" ? x - widths.reduce((sum, width) => sum + width, 0) / 2 : x;
  return parts.map((part, k) => {
    const down = { _: LOWER, "^": -HIGHER }[part.at] ?? 0;
    /** @satisfies {Partial<Mark>} */
    const mark = {
      kind: "text",
      ...look,
      x: from,
      y: look.y + down * size,
      size: part.size,
      weight,
      text: part.text,
    };
    from += widths[k];
    return mark;
  });
}
