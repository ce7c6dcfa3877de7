// The words of a lesson's scene: as slides that fill the stage before its board is shown, or laid
// over the panels beside the map. Nothing scrolls and nothing is cut: the type shrinks, and what is
// too long for one slide is split.

import { keep, recall, PLACES } from "../service/texts.js";
import { lay, make, put } from "./dom.js";
import { smallestOnStage } from "../board/lengths.js";
import { translate } from "../run/language.js";

/**
 * Type over the stage's height: the largest, and the least before words are split; [of slides, over
 * the panels].
 */
const LARGEST = { stage: 72 / 1080, panels: 36 / 1080 };
const LEAST = { stage: 34 / 1080, panels: 25 / 1080 };
const TITLE = 92 / 1080; // The largest type of the first slide, which has few words.
const SMALLER = 0.95; // Each size that is tried is so much of the one before.
const NARROWEST = 0.3; // Words over the panels have at least this share of the stage's width.
const LEADS = /:\s*$/; // So ends a block that belongs to the one after it.

/** @import { Stage } from "./stage.js" */
/** @import { Rect } from "../board/types.d.ts" */
/** @import { LessonScene, PlainLesson } from "../modes/types.d.ts" */

export class Slides {
  /** @type {"stage" | "panels" | null} */
  over = null; // Words fill the stage, lie over its panels, or are not there.
  page = 0;
  /** @type {{ nodes: Node[], size: number }[]} */
  pages = [];
  /** @type {LessonScene | null} */
  scene = null;
  placeUnknown = false; // Until it is known, a reload may have left the scene at another place.
  pagesKey = ""; // For this place and size the pages were made, as JSON.
  name = ""; // The name of lesson and scene, by which a reload finds its page again.

  /** @type {Node[]} */
  titleWords = []; // Slides begin with them at the first scene.
  title = "";
  sceneCount = ""; // In words: its number among how many scenes.
  words = () => /** @type {(Node | string)[]} */ ([]); // It makes the words of the scene again.

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.sheet = make("div", { className: "sheet" });
    this.where = make("p", { className: "where" });
    this.element = make(
      "section",
      {
        className: "slides",
        hidden: true,
        "aria-live": "polite",
        "aria-label": "Words of the scene",
      },
      this.sheet,
      this.where,
    );
    stage.root.append(this.element);
  }

  /** Whether words fill the stage. */
  get full() {
    return this.over === "stage";
  }

  /** A scene's words come: `first` are those before the words of the first one. */
  take(/** @type {PlainLesson} */ lesson, at, name, { words, first }) {
    this.scene = lesson.scenes[at];
    this.name = name;
    this.title = lesson.title;
    this.sceneCount = translate(`Scene ${at + 1} of ${lesson.scenes.length}`);
    this.element.lang = lesson.language;
    this.where.dataset.waits = translate("Working …");
    this.titleWords = first;
    this.words = words;
    this.placeUnknown = true;
    this.pagesKey = "";
  }

  /** Show the words, from their first slide or the last one. */
  show({ last = false, over = /** @type {"stage" | "panels"} */ ("stage") } = {}) {
    this.placeUnknown = false;
    this.over = over;
    this.page = last ? Infinity : 0;
    this.stage.arrange();
  }

  /** The board is seen. */
  hide() {
    this.placeUnknown = false;
    this.over = null;
    this.stage.arrange();
  }

  /** Lay the words over the panels, or take them away. */
  toggle() {
    if (!this.scene) this.stage.say("No lesson is open, so there are no words to show.");
    else if (this.over) this.hide();
    else this.show({ over: "panels" });
  }

  /** Turn a page of slides that fill the stage; returns whether there is one. */
  turn(direction) {
    const to = this.page + direction;
    if (!this.pages[to]) return false;
    this.page = to;
    this.stage.arrange();
    return true;
  }

  /**
   * As a reload left it; where nothing did, words come first unless one is within the scene.
   *
   * @param {boolean} within
   */
  resume(within) {
    const [name, page] = recall(PLACES.slide) ?? [];
    const known = name === this.name;
    this.placeUnknown = false;
    this.over = (known ? page === null : within) ? null : "stage";
    this.page = known ? (page ?? 0) : 0;
  }

  /** Nobody presents any more. */
  end() {
    this.over = null;
    keep(PLACES.slide, null);
  }

  /** Another page shows the scene of this name: at its words, or at the end of its board. */
  leave(name, atEnd) {
    this.scene = null; // What is kept now belongs to the next scene.
    keep(PLACES.slide, [name, atEnd ? null : 0]);
  }

  /** No lesson is open any more. */
  close() {
    this.scene = null;
    this.end();
  }

  // ---- where they lie, and how large -----------------------------------------------------------

  /**
   * Lay the words out on the stage, which lies in this box of the window.
   *
   * @param {Rect & { panels: Record<string, Rect> }} box
   */
  place(box) {
    const on = this.stage.player.bare && this.scene !== null;
    const over = on || this.scene?.elsewhere ? this.over : null;
    put(this.element, { hidden: !over });
    this.element.classList.toggle("beside", over === "panels");
    this.stage.root.classList.toggle("reading", over === "stage");
    if (on && !this.placeUnknown) keep(PLACES.slide, [this.name, this.full ? this.page : null]);
    if (!over) return;
    const { x, y, w, h } = over === "panels" ? besideMap(box) : { ...box, x: 0, y: 0 };
    const [high, wide] = [0.06, 0.09].map(
      (share) => share * Math.min(w, h) * (over === "panels" ? 0.4 : 1),
    );
    this.element.style.paddingBlock = `${high}px`;
    this.element.style.paddingInline = `${wide}px`;
    // What is said there begins or ends on a line of the slide.
    this.stage.root.style.setProperty("--slide-edge", `${box.x + wide}px`);
    lay(this.element, { x: box.x + x, y: box.y + y, w, h });
    this.where.style.fontSize = `${smallestOnStage({ width: box.w, height: box.h })}px`;
    // The line takes its room before the words are measured.
    put(this.where, { textContent: this.title });
    const now = JSON.stringify([over, w, h, box.h]);
    if (now !== this.pagesKey) this.#lay(over, box.h);
    this.pagesKey = now;
    this.page = Math.min(this.page, this.pages.length - 1);
    const { nodes, size } = this.pages[this.page];
    this.element.style.fontSize = `${size}px`;
    // Nodes that are put there again would be read aloud again.
    const there = this.sheet.childNodes;
    if (nodes.length !== there.length || nodes.some((node, k) => node !== there[k])) {
      this.sheet.replaceChildren(...nodes);
    }
    put(this.where, { textContent: this.#placeWords });
  }

  /** Which scene and which slide of it is shown; the first slide is the title of the lesson. */
  get #placeWords() {
    const pages = this.pages.filter(({ nodes }) => nodes !== this.titleWords);
    const at = pages.indexOf(this.pages[this.page]) + 1;
    if (!at) return this.sceneCount;
    const count = pages.length > 1 ? `, ${translate(`slide ${at} of ${pages.length}`)}` : "";
    return `${this.title} · ${this.sceneCount}${count}`;
  }

  /** Type arrived: what was laid out for another is so no more. */
  refit() {
    this.pagesKey = "";
  }

  /**
   * Split the words into as many pages as they need, those of the scene in the largest type in
   * which all fit.
   */
  #lay(over, height) {
    const { scene } = this;
    const heading = () => make("h2", {}, scene.heading);
    // Where the board does not stand alone, the words stand beside it.
    const words = this.stage.player.bare ? this.words() : [];
    const blocks = words.filter((node) => node instanceof Element);
    for (const block of blocks) setColumns(block);
    const least = LEAST[over] * height;
    const split = this.#split(blocks, heading, least);
    const title =
      words.length && this.titleWords.length && over === "stage" ? [this.titleWords] : [];
    const scenes = split.map((page) => [heading(), ...page]);
    this.pages = [title, scenes].flatMap((pages) => {
      let size = (pages === title ? TITLE : LARGEST[over]) * height;
      while (size > 8 && !pages.every((nodes) => this.#fits(nodes, size))) size *= SMALLER;
      return pages.map((nodes) => ({ nodes, size }));
    });
  }

  /** @param {Element[]} blocks @returns {Element[][]} */
  #split(blocks, heading, size) {
    if (blocks.length < 2 || this.#fits([heading(), ...blocks], size)) return [blocks];
    const bottoms = blocks.map(
      (block) => /** @type {HTMLElement} */ (block).offsetTop + block.clientHeight,
    );
    const top = /** @type {HTMLElement} */ (blocks[0]).offsetTop;
    const end = bottoms.at(-1);
    const apart = (k) =>
      Math.abs(bottoms[k - 1] - (top + end) / 2) + (leads(blocks[k - 1]) ? end : 0);
    const places = blocks.slice(1).map((_, k) => k + 1);
    const at = places.reduce((best, k) => (apart(k) < apart(best) ? k : best));
    return [blocks.slice(0, at), blocks.slice(at)].flatMap((some) =>
      this.#split(some, heading, size),
    );
  }

  #fits(nodes, size) {
    const { sheet } = this;
    this.element.style.fontSize = `${size}px`;
    sheet.replaceChildren(...nodes);
    return sheet.scrollHeight <= sheet.clientHeight && sheet.scrollWidth <= sheet.clientWidth;
  }
}

/** Whether a part belongs to the one after it. @param {Element} block */
const leads = (block) => /^h\d$/i.test(block.tagName) || LEADS.test(block.textContent);

/** A program is as large as lets its longest line be seen. @param {Element} block */
function setColumns(block) {
  const columns = Math.max(...block.textContent.split("\n").map((line) => line.length));
  if (block.matches("pre"))
  /** @type {HTMLElement} */ {
    block.style.setProperty("--columns", `${columns}`);
  }
}

/** The room at the right of the map and above the timeline, or all where that is too narrow. */
function besideMap({ w, h, panels }) {
  const { map, timeline } = panels;
  const x = map && !panels["map-0"] ? map.x + map.w : 0;
  return w - x < NARROWEST * w || !timeline
    ? { x: 0, y: 0, w, h }
    : { x, y: 0, w: w - x, h: timeline.y };
}
