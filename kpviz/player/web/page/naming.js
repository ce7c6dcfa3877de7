// Names in texts ring what they name on the board, when one points at them, taps them or has the
// focus on one. By Tab all of them are one stop, within which arrows go from one to the next.

import { namesIn } from "../board/text_names.js";
import { aboutExample } from "../run/example_words.js";
import { make } from "./dom.js";

/** @import { KeyPress } from "../modes/types.d.ts" */
/** @import { Stage } from "./stage.js" */

const NAMED = ".naming";
const PRESSED = "button, a, label"; // A name within these is a part of what is pressed.

/**
 * A text with its names as elements.
 *
 * @param {string} text
 * @returns {(string | HTMLElement)[]}
 */
export function withNames(text) {
  const names = namesIn(text);
  let at = 0;
  const parts = names.flatMap(({ name, from, to }) => {
    const before = text.slice(at, from);
    at = to;
    const element = make("span", { className: "naming", "data-names": name }, text.slice(from, to));
    return before ? [before, element] : [element];
  });
  return at < text.length ? [...parts, text.slice(at)] : parts;
}

export class Naming {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    const { root } = stage;
    root.addEventListener("pointerover", ({ target, pointerType }) => {
      if (pointerType !== "touch") this.#point(nameAt(target));
    });
    root.addEventListener("focusin", ({ target }) => {
      const element = nameAt(target);
      if (!element) return;
      this.#point(element);
      this.#say(element.dataset.names);
    });
    root.addEventListener("focusout", ({ target }) => nameAt(target) && this.#point(null));
    root.addEventListener("click", ({ target }) => {
      const element = nameAt(target);
      this.#point(element?.closest(PRESSED) ? null : element);
    });
  }

  /** Ring what a name names; null: nothing. @param {HTMLElement | null} element */
  #point(element) {
    const { player } = this.stage;
    const { pointer } = player;
    const isOfShownRun =
      !element?.closest(".beside-board") || player.modes.all("namesFit").every(Boolean);
    const name = (isOfShownRun && element?.dataset.names) || null;
    if (name === (pointer?.name ?? null)) return;
    const place = pointer ?? NOWHERE;
    const isAnywhere = name !== null || place.px !== NOWHERE.px;
    player.state.change({ pointer: isAnywhere ? { ...place, name } : null });
    this.stage.redraw();
  }

  /** @param {string} name */
  #say(name) {
    const { player, spoken } = this.stage;
    const { run, t } = player;
    const i = exampleOf(name);
    if (i === null || i >= run.n) return;
    spoken.say(aboutExample(run, run.reading(Math.min(t, run.nSteps)), t, i, { fHidden: true })[0]);
  }

  /**
   * From a name that has the focus an arrow goes to another one, and Enter says it again; by Tab
   * one comes to one of them. Returns true where that is all that the key does.
   *
   * @param {KeyPress} press
   */
  key({ event, name }) {
    const by = STEPS[name];
    if (!by && name !== "Tab" && name !== "Enter") return undefined;
    const names = this.#stops;
    const at = names.indexOf(nameAt(event.composedPath()[0]));
    if (name === "Tab") {
      names.forEach((stop, k) => (stop.tabIndex = k === Math.max(at, 0) ? 0 : -1));
      return undefined;
    }
    if (at < 0) return undefined;
    if (name === "Enter") {
      this.stage.spoken.say(""); // What was said last is not said twice.
      this.#say(names[at].dataset.names);
      return true;
    }
    names[(at + by + names.length) % names.length].focus();
    return true;
  }

  /** The names that can have the focus. @returns {HTMLElement[]} */
  get #stops() {
    /** @type {NodeListOf<HTMLElement>} */
    const all = this.stage.root.querySelectorAll(NAMED);
    return [...all].filter((name) => !name.closest(PRESSED) && name.checkVisibility());
  }
}

const NOWHERE = { px: -1, py: -1, byKey: true };
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** @returns {HTMLElement | null} */
const nameAt = (target) => target.closest?.(NAMED) ?? null;

/** Which example a name is, null where it is none. @param {string} name */
const exampleOf = (name) => (/^x\d+$/.test(name) ? Number(name.slice(1)) : null);
