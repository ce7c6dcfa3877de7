// The app's typeface, from the files in the folder of fonts.

import { familyOf } from "./dom.js";

/** Family, least and largest weight, and file: FACES of kpviz/fonts. */
const FACES = [
  ["kpviz Sans", "1 549", "sans-400"],
  ["kpviz Sans", "550 1000", "sans-600"],
  ["kpviz Code", "1 549", "code-400"],
  ["kpviz Code", "550 1000", "code-600"],
  ["kpviz Signs", "1 1000", "signs-400"],
];

/**
 * Load the faces into the page, once; until they are there, the next family of the list stands in.
 */
export function addTypeface() {
  const known = new Set(Array.from(document.fonts, familyOf));
  for (const [family, weight, file] of FACES.filter(([name]) => !known.has(name))) {
    const source = new URL(`../fonts/${file}.woff2`, import.meta.url);
    const face = new FontFace(family, `url("${source}")`, { weight });
    document.fonts.add(face);
    face.load().catch(() => {}); // The browser's console names what is missing.
  }
}
