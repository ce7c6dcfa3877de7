// Texts with the indices of S_W, S_B and S_T set lower.

import { textWidth } from "../model/measure.js";

/** @import { Mark } from "../types.d.ts" */

const SMALL = 0.72;

/**
 * Marks of one line of text; `align` is "left" or "center".
 *
 * @returns {Mark[]}
 */
export function rich({ text, x, align = "left", size, weight = 400, fonts, ...rest }) {
  const parts = text.split(/_([WBT])/); // odd ones are indices
  const widths = parts.map((part, k) => textWidth(part, k % 2 ? size * SMALL : size, fonts, weight));
  let at = align === "center" ? x - widths.reduce((sum, width) => sum + width, 0) / 2 : x;
  return parts.flatMap((part, k) => {
    const low = k % 2 === 1;
    /** @satisfies {Partial<Mark>} */
    const mark = {
      kind: "text",
      ...rest,
      x: at,
      y: rest.y + (low ? size * 0.2 : 0),
      size: low ? size * SMALL : size,
      weight,
      text: part,
    };
    at += widths[k];
    return part ? [mark] : [];
  });
}
