// The terms that one can ask about: buttons on the words of the board, and the box that explains.

import { closing, drawingOf, lay, make, put } from "./dom.js";
import { shared } from "../paint/measure.js";
import { examplesOn, termsIn, termsOn } from "../board/terms.js";
import { TERMS } from "../board/term_table.js";

/** @import { BoardPanel, Rect, Term } from "../board/types.d.ts" */
/** @import { Fonts } from "../run/types.d.ts" */
/** @import { Palette } from "../paint/colors.js" */
/** @import { Spot } from "../board/terms.js" */

// In ms: the pointer is on a term for so long before it is explained, and off it for as long before
// its box closes.
const REST_BEFORE_CHANGE = 350;
const BOX_WIDTH = 586; // In px: where there is room for it, no line of an explanation is broken.
// How high the box of a word is, relative to the size of its type; the bars of a norm end lower.
const WORD_HEIGHT = 1.28;
const WORD_HEIGHT_WITH_BARS = 1.5;
const LEAST_TARGET = 24; // In px, both ways: what one presses is at least so large.
const MARGIN = 4; // In px: so much is free left of the canvas.
// What one presses is larger than its word: this share of the surplus lies left of the word, or
// above it. They are tried in this order.
const SURPLUS_SHARES = [0.5, 1, 0];
const BOX_GAP = 6; // In px, between a term and its box.
const BY_NAME = new Map(TERMS.map((term) => [term.name, term]));
const PAGE_AT_END = /(?:lab|fisher|lessons|puzzles)\/?$/; // One of these may end a path.

/**
 * A text with its terms as buttons. They are spans: the label of a field would take a button for
 * what it labels.
 *
 * @param {Element} element
 */
export function spell(element, text) {
  if (element.textContent === text) return;
  let at = 0;
  element.replaceChildren();
  for (const { term, from, to } of termsIn(text, { symbols: false })) {
    const look = { className: "term", role: "button", tabIndex: 0, "data-term": term.name };
    const button = make("span", look, text.slice(from, to));
    element.append(text.slice(at, from), button);
    at = to;
  }
  element.append(text.slice(at));
}

/** A title without the symbol that it ends with. @param {string} title */
function wordsOf(title) {
  const words = title.split(" ");
  const symbol = words.findIndex((word) => /[^\p{L}-]|^\p{Script=Greek}/u.test(word));
  return symbol > 0 ? words.slice(0, symbol).join(" ") : title;
}

/**
 * The box that explains a term, and what opens it: resting on a button of class "term", pressing
 * it, and Enter.
 */
export class TermBox {
  /** @type {HTMLElement | null} */
  opener = null; // The button whose term is explained.
  pressed = false; // It stays until it is closed.
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {HTMLElement} root
   * @param {string | null} address of the app, "" for this page's, null where nobody knows it
   * @param {Record<string, string>} places the addresses of the places, seen from there
   * @param {() => boolean} symbols whether symbols are shown beside the words for them
   */
  constructor(root, address, places, symbols = () => true) {
    this.root = root;
    this.places = places;
    this.symbols = symbols;
    this.address = address;
    this.element = make("div", {
      className: "explained",
      hidden: true,
      role: "dialog",
      tabIndex: -1,
    });
    root.append(this.element);
    root.addEventListener(
      "pointerover",
      ({ target, pointerType }) => pointerType !== "touch" && this.#over(target),
    );
    root.addEventListener("click", (event) => this.#click(event));
    root.addEventListener("keydown", (event) => this.#key(event), { capture: true });
  }

  #over(target) {
    const button = target.closest(".term");
    clearTimeout(this.timer);
    if (this.element.contains(target) || (button && button === this.opener) || this.pressed) return;
    this.timer = setTimeout(() => (button ? this.show(button) : this.close()), REST_BEFORE_CHANGE);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const button = /** @type {HTMLElement | null} */ (target.closest(".term"));
    if (button) {
      event.preventDefault(); // A label round it would press its field.
      clearTimeout(this.timer);
      if (this.pressed && button === this.opener) this.close();
      else this.show(button, { pressed: true, focus: event.detail === 0 });
    } else if (!this.element.contains(target) || target.closest(".close")) this.close();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const press = ["Enter", " "].includes(event.key) && target.matches("span.term");
    if (press) target.click();
    else if (event.key === "Escape" && this.open) this.close();
    else return;
    event.preventDefault();
    event.stopPropagation(); // Escape closes one thing at a time
  }

  /**
   * Explain the term of a button.
   *
   * @param {HTMLElement} button
   * @param {{ pressed?: boolean, focus?: boolean }} [how]
   */
  show(button, { pressed = false, focus = false } = {}) {
    if (!button.isConnected) return;
    Object.assign(this, { opener: button, pressed });
    this.element.replaceChildren(...this.#parts(BY_NAME.get(button.dataset.term)));
    this.element.hidden = false;
    this.#place(button);
    if (focus) this.element.focus();
  }

  /** @param {Term} term */
  #parts({ title, lines, link, picture }) {
    const name = this.symbols() ? title : wordsOf(title);
    this.element.setAttribute("aria-label", name);
    const drawing = make(
      "span",
      { className: "drawing", "aria-hidden": "true" },
      drawingOf(picture),
    );
    const close = closing(null);
    const words = lines.map((line) => make("p", {}, line));
    const links = this.address === null ? [] : [this.#link(link)];
    return [drawing, make("div", {}, make("b", {}, name), ...words, ...links), close];
  }

  /** @param {string} link */
  #link(link) {
    const [page, query] = link.split("?");
    const here = this.address || location.href.split(/[?#]/)[0].replace(PAGE_AT_END, "");
    const place = this.places[page === "play" ? "" : page];
    const href = `${new URL(place, here).href}?${query}`;
    return make("a", { href, target: "_blank", rel: "noopener" }, "Try it in a new tab");
  }

  /** Below the term, or above it where there is more room. */
  #place(button) {
    const at = button.getBoundingClientRect();
    const root = this.root.getBoundingClientRect();
    const { style } = this.element;
    const width = Math.min(BOX_WIDTH, window.innerWidth - 16);
    style.width = `${width}px`;
    const left = Math.min(Math.max(at.left, 8), window.innerWidth - width - 8);
    const { height } = this.element.getBoundingClientRect();
    const below = at.bottom + BOX_GAP + height < window.innerHeight - 8;
    style.left = `${left - root.left}px`;
    const top = below ? at.bottom + BOX_GAP : Math.max(at.top - BOX_GAP - height, 4);
    style.top = `${top - root.top}px`;
  }

  get open() {
    return !this.element.hidden;
  }

  /** Close it; the focus goes back to the term, if it was in here. */
  close() {
    clearTimeout(this.timer);
    if (!this.open) return;
    const inside = this.element.matches(":focus-within");
    this.element.hidden = true;
    if (inside) this.opener?.focus();
    Object.assign(this, { opener: null, pressed: false });
  }
}

/**
 * The box of a word. @param {Spot} spot @returns {Rect}
 */
const boxOf = ({ x, y, w, size, text }) => ({
  x,
  y: Math.max(y - size, 0),
  w,
  h: (text.includes("‖") ? WORD_HEIGHT_WITH_BARS : WORD_HEIGHT) * size,
});

/**
 * What is pressed for each word: as large as it should be, where it meets no other word.
 *
 * @param {Spot[]} spots
 * @returns {Rect[]}
 */
function targetsOf(spots) {
  const boxes = spots.map(boxOf);
  boxes.forEach((box, k) => {
    const across = Math.max(LEAST_TARGET - box.w, 0);
    const along = Math.max(LEAST_TARGET - box.h, 0);
    const larger = SURPLUS_SHARES.flatMap((left) =>
      SURPLUS_SHARES.map((above) => ({
        x: Math.max(box.x - left * across, 0),
        y: Math.max(box.y - above * along, 0),
        w: box.w + across,
        h: box.h + along,
      })),
    );
    const isFree = (target) => !boxes.some((other, j) => j !== k && meet(other, target));
    // A short word at the edge has room on that side, where it is farther from the next one.
    const aside = { ...box, x: box.x - MARGIN, w: box.w + MARGIN };
    boxes[k] = larger.find(isFree) ?? (box.x < MARGIN ? aside : box);
  });
  return boxes;
}

/** @param {Rect} one @param {Rect} other */
const meet = (one, other) => shared(one, other).every((length) => length > 0);

/**
 * Buttons on the words of the board that say terms: they lie over the canvas, with nothing of their
 * own but dots.
 */
export class BoardTerms {
  /** @type {Map<string, HTMLElement>} */
  buttons = new Map();
  written = "";

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.element = make("div", {
      className: "terms",
      role: "group",
      "aria-label": "Terms on the board",
    });
    root.append(this.element);
  }

  /** @param {Palette} palette whose colours the pictures have */
  recolour({ positive, negative }) {
    this.root.style.setProperty("--positive", positive);
    this.root.style.setProperty("--negative", negative);
  }

  /**
   * @param {BoardPanel[] | null} panels null where there are no terms now
   * @param {Fonts} fonts
   */
  update(panels, fonts) {
    put(this.element, { hidden: !panels });
    if (!panels) return;
    const tip = panels.find(({ name }) => name === "tip");
    const [tipBox] = /** @type {Rect[]} */ (tip?.moving ?? []);
    const spots = [...termsOn(panels, fonts), ...examplesOn(panels, fonts)].filter(
      (spot) => !tipBox || !meet(boxOf(spot), tipBox),
    );
    const written = spots.map(({ key, text, x, y, w }) => [key, text, x, y, w].join(" ")).join();
    if (written === this.written) return;
    this.written = written;
    const there = new Set(spots.map(({ key }) => key));
    for (const [key, button] of this.buttons) {
      if (there.has(key)) continue;
      button.remove();
      this.buttons.delete(key);
    }
    const boxes = targetsOf(spots);
    spots.forEach((spot, k) => this.#put(spot, boxes[k]));
  }

  /**
   * Where the bar floats over the board, those that it covers are not there.
   *
   * @param {{ top: number, bottom: number } | null} covered
   */
  keepClear(covered) {
    for (const { style } of this.buttons.values()) {
      const top = covered && parseFloat(style.top);
      const bottom = covered && top + parseFloat(style.height);
      const isCovered = covered !== null && top < covered.bottom && bottom > covered.top;
      put(style, { visibility: isCovered ? "hidden" : "" });
    }
  }

  /** @param {Spot} spot @param {Rect} target what is pressed */
  #put(spot, target) {
    const { term, name, key, text } = spot;
    if (!this.buttons.has(key)) {
      const button = term
        ? make("button", { type: "button", className: "term", "data-term": term.name }, make("i"))
        : make("span", { className: "naming", "data-names": name, role: "img" }, make("i"));
      this.buttons.set(key, this.element.appendChild(button));
    }
    const button = this.buttons.get(key);
    button.setAttribute("aria-label", term ? `${text}: what is that?` : text);
    lay(button, target);
    const box = boxOf(spot); // The dots are as wide as the word.
    lay(/** @type {HTMLElement} */ (button.firstChild), {
      ...box,
      x: box.x - target.x,
      y: box.y - target.y,
    });
  }
}
