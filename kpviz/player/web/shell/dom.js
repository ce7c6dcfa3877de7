// The page: elements made by calls, so that what a stranger wrote becomes text, never html; the full screen; the theme.

const isAttribute = (name) => name === "role" || name === "href" || name.includes("-");

/** An element of the page `page` with properties or attributes, and with children; a text among these stays text. */
export function make(page, tag, properties = {}, ...children) {
  const element = page.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (isAttribute(name)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/** Give an element properties or attributes that it does not have: one that is set again costs style and layout all the same. */
export function put(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (isAttribute(name)) {
      if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
    } else if (element[name] !== value) element[name] = value;
  }
}

/** The family of a FontFace, which some browsers give in quotes. */
export const familyOf = ({ family }) => family.replace(/["']/g, "");

/** Fill the screen with an element; an error where the page may not. Who asks all the same gets one in the console besides. */
export async function fillScreen(element) {
  if (document.fullscreenEnabled === false) throw new TypeError("no full screen here");
  await element.requestFullscreen();
}

/** Whether the page's theme is dark. @param {Element} root */
export function isDark(root) {
  const colour = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  const hex = /^#([0-9a-f]{6})/i.exec(colour);
  if (!hex) return false;
  const value = parseInt(hex[1], 16);
  return ((value >> 16) + ((value >> 8) & 255) + (value & 255)) / 3 < 128;
}
