// The code with which phones open an address.

import { makeSvg } from "./dom.js";

const QUIET = 4; // squares of paper round a code, without which phones do not find it

/** A code for phones as a picture. @param {string[]} rows */
export function codeOf(rows) {
  const side = rows.length + 2 * QUIET;
  const squares = rows.flatMap((squaresOfRow, y) =>
    [...squaresOfRow].map((square, x) =>
      square === "1" ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "",
    ),
  );
  const look = { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": "QR code" };
  return makeSvg("svg", look, makeSvg("path", { d: squares.join("") }));
}
