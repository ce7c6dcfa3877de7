// The rows under the bar, while they are wanted: tools for editing the points, and numbers to turn.

const NOTCHES = 1000;

const button = (name, title, body) =>
  `<button type="button" data-edit="${name}" title="${title}" aria-label="${title}">${body}</button>`;

const EDIT = `
  <span class="classes" role="group" aria-label="Class that a click adds">
    ${button("plus", "Draw class +1 (X changes)", '<i class="dot"></i>+1')}${button("minus", "Draw class −1 (X changes)", '<i class="box"></i>−1')}
  </span>
  ${button("brush", "Brush: drag paints many (B)", "brush")}
  <span class="apart"></span>
  ${button("undo", "Undo (Z)", "undo")}${button("redo", "Redo (Shift Z)", "redo")}
  <span class="apart"></span>
  ${button("table", "Edit the numbers in a table", "table")}${button("clear", "Remove all points", "clear")}${button("original", "Back to the data before editing", "back")}
  ${button("done", "End editing (Shift E)", "done")}
  <output class="where" aria-live="off"></output>`;

/** @import { Actions } from "./actions.js" */
/** @import { Editor } from "../input/edit.js" */
/** @import { Player } from "../model/player.js" */
/** @import { Session } from "../service/session.js" */
/** @import { Editing, Knob } from "../types.d.ts" */

export class Tools {
  /** @type {Knob[]} */
  knobs = [];
  names = ""; // of the knobs, with their ranges
  updated = "";
  gesture = 0;
  /** @type {string | null} */
  turning = null; // the knob under the hand: what the server says of it comes too late

  /**
   * @param {HTMLElement} root
   * @param {Player} player
   * @param {Session} session
   * @param {Editor} editor
   * @param {Actions} actions
   */
  constructor(root, player, session, editor, actions) {
    this.player = player;
    this.session = session;
    this.editor = editor;
    this.actions = actions;
    this.box = document.createElement("div");
    this.box.className = "tools";
    this.box.innerHTML = `<div class="row edit" role="toolbar" aria-label="Edit the points" hidden>${EDIT}</div><div class="row tune" role="group" aria-label="Numbers to turn" hidden></div>`;
    root.append(this.box);
    const [edit, tune] = /** @type {HTMLElement[]} */ ([...this.box.children]);
    this.edit = edit;
    this.tune = tune;
    this.box.addEventListener("click", ({ target }) => {
      const pressed = /** @type {HTMLElement} */ (target).closest("[data-edit]");
      if (pressed) this.press(/** @type {HTMLElement} */ (pressed).dataset.edit);
    });
    for (const [kind, last] of /** @type {const} */ ([
      ["input", false],
      ["change", true],
    ])) {
      this.tune.addEventListener(kind, ({ target }) => this.#turn(/** @type {HTMLInputElement} */ (target), last));
    }
  }

  press(name) {
    const { editor } = this;
    const { editing } = this.player;
    const actions = {
      plus: () => (editing.label = 1),
      minus: () => (editing.label = -1),
      brush: () => editor.toggleBrush(),
      undo: () => editor.ask("undo"),
      redo: () => editor.ask("redo"),
      original: () => editor.ask("original"),
      table: () => this.actions.send("table"),
      clear: () => editor.clear(),
      done: () => editor.toggle(false),
    };
    actions[name]();
    this.player.page.redraw();
  }

  /** Show the rows that are wanted; returns how high they are. */
  place(width, { editing, tuning }) {
    this.edit.hidden = !editing;
    this.tune.hidden = !tuning || !this.knobs.length;
    this.box.style.width = `${width}px`;
    return this.edit.hidden && this.tune.hidden ? 0 : this.box.offsetHeight;
  }

  /**
   * What Python says of what can be turned and gone back to.
   *
   * @param {Editing} editing
   */
  take({ knobs = [], origin }) {
    const names = JSON.stringify(knobs.map((knob) => ({ ...knob, value: undefined })));
    if (names !== this.names) {
      this.names = names;
      this.knobs = knobs;
      this.tune.replaceChildren(...knobs.map(knobOf));
    }
    this.knobs = knobs;
    for (const input of this.tune.querySelectorAll("input")) {
      if (input.dataset.knob !== this.turning) this.#show(input, this.#knob(input).value, true);
    }
    const back = this.#button("original");
    back.hidden = origin === null;
    back.textContent = `back to ${origin}`;
  }

  /** What changes from frame to frame. */
  update({ label, brush, where, undo, redo }) {
    const now = [label, brush, where, undo, redo].join();
    if (now === this.updated) return;
    this.updated = now;
    for (const [name, on] of [
      ["plus", label > 0],
      ["minus", label < 0],
      ["brush", brush],
    ]) {
      this.#button(name).setAttribute("aria-pressed", String(on));
    }
    this.#button("undo").disabled = undo === 0;
    this.#button("redo").disabled = redo === 0;
    this.edit.querySelector(".where").textContent = where;
  }

  /** @returns {HTMLButtonElement} */
  #button(name) {
    return this.edit.querySelector(`[data-edit=${name}]`);
  }

  /** @param {HTMLInputElement} input */
  #knob(input) {
    return this.knobs.find(({ name }) => name === input.dataset.knob);
  }

  /**
   * A knob was turned to where its slider is.
   *
   * @param {HTMLInputElement} input
   * @param {boolean} last
   */
  #turn(input, last) {
    const knob = this.#knob(input);
    if (!knob) return;
    if (this.turning !== knob.name) {
      this.turning = knob.name;
      this.gesture = Math.max(Date.now(), this.gesture + 1);
    }
    const to = valueAt(knob, Number(input.value) / NOTCHES);
    this.#show(input, to, false);
    this.session.stream("set", { [knob.name]: to }, { gesture: this.gesture, last });
    if (last) this.turning = null;
  }

  /**
   * @param {HTMLInputElement} input
   * @param {number} value
   * @param {boolean} moved whether the slider is put there
   */
  #show(input, value, moved) {
    if (moved) input.value = String(Math.round(NOTCHES * shareOf(this.#knob(input), value)));
    input.parentElement.querySelector("output").textContent = String(value); // as the chips and the link have it
    input.setAttribute("aria-valuetext", String(value));
  }
}

/** @param {Knob} knob */
function knobOf({ name, label }) {
  const whole = document.createElement("label");
  whole.className = "knob";
  const [words, output] = ["span", "output"].map((tag) => document.createElement(tag));
  const input = document.createElement("input");
  words.textContent = label;
  Object.assign(input, { type: "range", min: "0", max: String(NOTCHES), step: "1", ariaLabel: label });
  input.dataset.knob = name;
  whole.append(words, input, output);
  return whole;
}

/** The value at a share of a knob's range, rounded to what one can read. */
export function valueAt({ low, high, log, integer }, share) {
  const value = log ? low * (high / low) ** share : low + share * (high - low);
  if (integer) return Math.round(value);
  return log ? Number(value.toPrecision(3)) : Number(value.toFixed(3));
}

/** The share of a knob's range at which a value lies. */
export function shareOf({ low, high, log }, value) {
  return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}
