// Texts in which something is set lower or higher: the indices of S_W, S_B and S_T, and what stands in braces after _ or ^,
// as kpviz/lessons/file/words.py writes formulas.

import { SCRIPT as SMALL, textWidth } from "./measure.js";

/** @import { Mark, TextMark } from "../board/types.d.ts" */
/** @import { Fonts } from "../run/types.d.ts" */

const SCRIPT = /_([WBT])|([_^])\{([^{}]*)\}/g;
const LOWER = 0.2; // of the size, that what is set lower is below the line,
const HIGHER = 0.34; // and what is set higher above it
const ALOUD = { _: " sub ", "^": " to the " };

/**
 * A text in parts: `at` is "_" for what is set lower, "^" for what is set higher, "" for the rest.
 *
 * @returns {{ text: string, at: "" | "_" | "^" }[]}
 */
export function partsOf(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(SCRIPT)) {
    parts.push({ text: text.slice(from, found.index), at: "" });
    parts.push({ text: found[1] ?? found[3], at: found[2] ?? "_" });
    from = found.index + found[0].length;
  }
  parts.push({ text: text.slice(from), at: "" });
  return parts.filter(({ text: own }) => own);
}

/** The same as one says it, where nothing can be set lower or higher. @param {string} text */
export const aloud = (text) =>
  partsOf(text)
    .map((part) => (ALOUD[part.at] ?? "") + part.text)
    .join("");

/**
 * Marks of one line of text; `align` is "left" or "center".
 *
 * @param {Omit<TextMark, "kind"> & { align?: "left" | "center", weight?: number, fonts: Fonts }} line
 * @returns {Mark[]}
 */
export function rich({ text, x, align = "left", size, weight = 400, fonts, ...rest }) {
  const parts = partsOf(text).map(({ text: own, at }) => ({
    own,
    at,
    size: at ? size * SMALL : size,
  }));
  const widths = parts.map((part) => textWidth(part.own, part.size, fonts, weight));
  let from = align === "center" ? x - widths.reduce((sum, width) => sum + width, 0) / 2 : x;
  return parts.map((part, k) => {
    const down = { _: LOWER, "^": -HIGHER }[part.at] ?? 0;
    /** @satisfies {Partial<Mark>} */
    const mark = {
      kind: "text",
      ...rest,
      x: from,
      y: rest.y + down * size,
      size: part.size,
      weight,
      text: part.own,
    };
    from += widths[k];
    return mark;
  });
}
