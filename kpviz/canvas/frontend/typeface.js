// The app's typeface. kpviz/fonts says which faces there are; their files are beside this module.

import { familyOf } from "./dom.js";

/** Load the faces into the page, once; until they are there, the next family of the list stands in. */
export function addTypeface(faces) {
  const known = new Set(Array.from(document.fonts, familyOf));
  for (const { family, weights, file } of faces.filter((face) => !known.has(face.family))) {
    const source = new URL(`./fonts/${file}.woff2`, import.meta.url);
    const face = new FontFace(family, `url("${source}")`, { weight: weights.join(" ") });
    document.fonts.add(face);
    face.load().catch(() => {}); // the browser's console names what is missing
  }
}
