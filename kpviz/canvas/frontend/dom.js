// Elements made by calls: what a stranger wrote becomes text, never html; and the full screen for one of them.

/** An element of the page `page` with properties or attributes, and with children; a text among these stays text. */
export function make(page, tag, properties = {}, ...children) {
  const element = page.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "role" || name.includes("-")) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/** The family of a FontFace, which some browsers give in quotes. */
export const familyOf = ({ family }) => family.replace(/["']/g, "");

/** Fill the screen with an element; an error where the page may not. Who asks all the same gets one in the console besides. */
export async function fillScreen(element) {
  if (document.fullscreenEnabled === false) throw new TypeError("no full screen here");
  await element.requestFullscreen();
}
