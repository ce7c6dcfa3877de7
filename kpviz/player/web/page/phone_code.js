// The code with which phones open an address.

import { makeSvg } from "./dom.js";

const QUIET_MARGIN = 4; // In squares: phones do not find a code without so much paper round it.

/** A code for phones as a picture. @param {string[]} rows */
export function codeOf(rows) {
  const side = rows.length + 2 * QUIET_MARGIN;
  const squares = rows.flatMap((squaresOfRow, y) =>
    [...squaresOfRow].map((square, x) =>
      square === "1" ? `M${x + QUIET_MARGIN} ${y + QUIET_MARGIN}h1v1h-1z` : "",
    ),
  );
  const look = { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": "QR code" };
  return makeSvg("svg", look, makeSvg("path", { d: squares.join("") }));
}
