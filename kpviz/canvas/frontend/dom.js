// Elements made by calls: what a stranger wrote becomes text, never html.

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
