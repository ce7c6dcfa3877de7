// The page: elements made by calls, so that what a stranger wrote becomes text, never html; the
// focus; the full screen; the theme.

import { LEAST_HEIGHT } from "../board/lengths.js";
import { STEPS, step, unitOf } from "../board/scale.js";

/** @import { Layout } from "../board/types.d.ts" */
/** @import { Step } from "../board/scale.js" */

// The room that a page leaves to its stage.

const LEAST_WIDTH = 280; // In px.
const USUAL_TEXT = 16; // In px: the size of "medium" where nobody has chosen another.

/**
 * Where a stage may lie on its page, from its own corner, and the type of its bars, which grows
 * with the window.
 *
 * @param {HTMLElement} root
 */
export function roomOf(root) {
  const around =
    root.parentElement ??
    /** @type {HTMLElement} */ (/** @type {ShadowRoot} */ (root.getRootNode()).host);
  const text = textOf(root);
  const unit = unitOf(window.innerWidth, window.innerHeight, text);
  // First: the bar above has its height by it.
  for (const name of /** @type {Step[]} */ (Object.keys(STEPS))) {
    around.style.setProperty(`--kpviz-${name}`, `${step(name, unit)}px`);
  }
  const box = root.getBoundingClientRect();
  const width = Math.max(box.width, LEAST_WIDTH);
  const full = document.fullscreenElement !== null;
  const above = Math.max(box.top + scrolled(root), 0);
  const height = full ? window.innerHeight : Math.max(window.innerHeight - above - 6, LEAST_HEIGHT);
  return { left: 0, top: 0, width, height, view: window.innerHeight, text };
}

/**
 * By each stage the element whose type is measured. It stays on the page: to put one there at each
 * measurement, and take it away, would cost a layout.
 *
 * @type {WeakMap<HTMLElement, HTMLElement>}
 */
const samples = new WeakMap();

/**
 * How large the type is that the reader has chosen in the browser, relative to what is usual: a
 * page that gives its root a size hides it, and the keyword does not.
 *
 * @param {HTMLElement} root
 */
function textOf(root) {
  if (!samples.has(root)) {
    const sample = make("i", { className: "unseen", ariaHidden: "true" });
    sample.style.fontSize = "medium";
    root.append(sample);
    samples.set(root, sample);
  }
  const size = parseFloat(getComputedStyle(samples.get(root)).fontSize);
  return Math.max(size / USUAL_TEXT, 1);
}

/**
 * Let an element lie beside the map or under it, where the layout leaves room; null: where its
 * style says.
 *
 * @param {HTMLElement} element
 * @param {Pick<Layout, "dock" | "sheet">} layout
 */
export function lie(element, { dock, sheet }) {
  element.classList.toggle("sheet", Boolean(dock && sheet));
  const px = (length) => (!dock || sheet ? "" : `${length}px`);
  const [left, top, width] = [dock?.x, dock?.y, dock?.w].map(px);
  Object.assign(element.style, { left, top, width, height: dock ? `${dock.h}px` : "" });
}

/**
 * Streamlit's main part, which scrolls in place of the page.
 *
 * @param {HTMLElement} root
 * @returns {HTMLElement | null}
 */
export const mainOf = (root) =>
  /** @type {ShadowRoot} */ (root.getRootNode()).host?.closest(".stMain") ?? null;

/**
 * By how much the page is scrolled.
 *
 * @param {HTMLElement} root
 */
function scrolled(root) {
  return window.scrollY + (mainOf(root)?.scrollTop ?? 0);
}

const isAttribute = (name) => name === "role" || name === "href" || name.includes("-");

/** An element with properties or attributes, and with children; a text among these stays text. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (isAttribute(name)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/** Words about keys, which are not seen where there is no keyboard. @param {string} words */
export const byKeys = (words) => make("span", { className: "by-keys" }, words);

/**
 * An element of a picture, with attributes. Its namespace is asked for, since it is written as an
 * address, and a page that is sent has none.
 */
export function makeSvg(tag, attributes, ...children) {
  const { namespaceURI } = new DOMParser().parseFromString("<svg></svg>", "text/html").body
    .firstElementChild;
  const element = document.createElementNS(namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A drawing from our own table of terms. @param {string} parts what is in its svg */
export function drawingOf(parts) {
  const page = new DOMParser().parseFromString(
    `<svg viewBox="0 0 96 56">${parts}</svg>`,
    "text/html",
  );
  return page.body.firstElementChild;
}

/** A button that does something. */
export const pressable = (words, onclick, properties = {}) =>
  make("button", { type: "button", onclick, ...properties }, words);

/**
 * The button that closes what it stands in; style.css lets those of Streamlit look like it.
 *
 * @param {(() => void) | null} onclick
 */
export const closing = (onclick, properties = {}) =>
  pressable("×", onclick, {
    className: "close",
    ariaLabel: "Close",
    title: "Close (Esc)",
    ...properties,
  });

/**
 * Give an element children anew where what they show is not what it was. Returns whether it is not.
 */
export function renew(element, content, make) {
  const now = JSON.stringify(content);
  if (element.kpvizShown === now) return false;
  element.kpvizShown = now;
  element.replaceChildren(...make(content));
  return true;
}

/**
 * Give an element properties or attributes that it does not have: one that is set again costs style
 * and layout all the same.
 */
export function put(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (isAttribute(name)) {
      if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
    } else if (element[name] !== value) element[name] = value;
  }
}

/**
 * Lay an element over a rectangle, in px.
 *
 * @param {HTMLElement} element
 * @param {{ x: number, y: number, w: number, h: number }} place
 */
export function lay({ style }, { x, y, w, h }) {
  Object.assign(style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
}

/**
 * Copy text to the clipboard; works without https too. Returns whether it is there.
 *
 * @param {HTMLElement} place where focus may be
 */
export async function copyText(text, place = document.body) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", { value: text });
    area.style.cssText = "position:fixed;opacity:0";
    place.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/** The family of a FontFace, which some browsers give in quotes. */
export const familyOf = ({ family }) => family.replace(/["']/g, "");

/** What has the focus, in whichever root; null for nothing. @returns {HTMLElement | null} */
export function focusedElement() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element === document.body ? null : /** @type {HTMLElement | null} */ (element);
}

/**
 * Fill the screen with an element; an error where the page may not. Who asks all the same gets one
 * in the console besides.
 */
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
