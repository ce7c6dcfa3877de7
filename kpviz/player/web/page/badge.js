// The badge of an answer that a class holds up: its letter on its shape and colour, on the stage
// and on a phone.

import { make, makeSvg } from "./dom.js";

/** @import { Tokens } from "../run/types.d.ts" */

export const LETTERS = "ABCDE"; // So many answers have a badge.
// Each is a path in a square of 100 × 100, unlike the shapes of the classes.
const SHAPES = [
  "M50 6 96 92H4Z",
  "M50 2 98 50 50 98 2 50Z",
  "M32 4H68V32H96V68H68V96H32V68H4V32H32Z",
  "M26 8H74L98 50 74 92H26L2 50Z",
  "M4 6H96L64 50 96 94H4L36 50Z",
];
const LOW = 0; // In the triangle the letter stands lower.

/** The shape of an answer alone, in a colour. @param {number} k @param {string} fill */
export const answerShape = (k, fill) =>
  makeSvg(
    "svg",
    { viewBox: "0 0 100 100", "aria-hidden": "true" },
    makeSvg("path", { d: SHAPES[k], fill }),
  );

/** The badge of answer `k`, from 0. @param {number} k @param {Tokens["answers"]} colours */
export function badgeOf(k, colours) {
  const [fill, color] = colours[k];
  const letter = make("span", { className: k === LOW ? "low" : "" }, LETTERS[k]);
  const badge = make(
    "span",
    { className: "badge", ariaHidden: "true" },
    answerShape(k, fill),
    letter,
  );
  badge.style.color = color;
  return badge;
}
