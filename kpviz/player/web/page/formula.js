// Formulas as the browser sets them: MathML comes as a text, and nothing but its own elements gets
// into the page.

const SPACE = "http://www.w3.org/1998/Math/MathML";
const ELEMENTS = new Set(
  "math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup mover munder munderover mtable mtr mtd mstyle mpadded".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  "display displaystyle scriptlevel mathvariant stretchy fence form separator lspace rspace width height depth accent accentunder minsize maxsize symmetric largeop movablelimits linethickness columnalign rowspacing columnspacing".split(
    " ",
  ),
);

/**
 * The formula as elements; what is not MathML is shown as the text that it is.
 *
 * @param {string} text
 * @returns {Node}
 */
export function formula(text) {
  const { documentElement } = new DOMParser().parseFromString(text, "application/xml");
  const math = documentElement.localName === "math" ? copy(documentElement) : null;
  return math ?? document.createTextNode(text);
}

/**
 * A part of a formula; null: there is something in it that is none.
 *
 * @param {Element} element
 * @returns {Element | null}
 */
function copy(element) {
  if (!ELEMENTS.has(element.localName)) return null;
  const made = document.createElementNS(SPACE, element.localName);
  for (const { name, value } of element.attributes) {
    if (ATTRIBUTES.has(name)) made.setAttribute(name, value);
  }
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) made.append(child.textContent);
    if (child.nodeType !== Node.ELEMENT_NODE) continue;
    const part = copy(/** @type {Element} */ (child));
    if (!part) return null;
    made.append(part);
  }
  return made;
}
