// The rows under the bar: one with the tools for editing the points, while one edits.

import { put, make, pressable } from "./dom.js";
import { number, example } from "../run/words.js";
import { ACTIONS, buttonOf } from "../modes/actions.js";

/** @import { Player } from "../board/player.js" */
/** @import { Envelope } from "../run/types.d.ts" */

// The row of buttons with which one predicts, and the pause after an answer.

const READ = { right: 2600, wrong: 4600 }; // ms that an answer stays before the next question
const AGAIN = 500; // ms after which to look again whether somebody still reads

export class Predicting {
  updated = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {HTMLElement} box that the row is added to
   * @param {Player} player
   */
  constructor(box, player) {
    this.player = player;
    const part = (tag, className, ...children) => make(tag, { className }, ...children);
    const { predict } = player;
    const kinds = /** @type {const} */ (["side", "margin"]).map((kind) =>
      pressable(kind, () => predict.askFor(kind), { "data-ask": kind }),
    );
    this.asked = part("b", "ask");
    this.answers = part("span", "answers");
    this.kinds = part("span", "kinds", ...kinds);
    this.score = make("output", { "aria-live": "off" });
    const look = {
      className: "row predict",
      role: "group",
      "aria-label": "Your prediction",
      hidden: true,
    };
    this.stopping = pressable("Stop guessing", () => predict.toggle(), {
      className: "stops",
      title: "Stop guessing (Esc)",
    });
    this.row = make(
      "div",
      look,
      this.asked,
      this.answers,
      part("span", "apart"),
      this.kinds,
      this.stopping,
      this.score,
    );
    box.append(this.row);
  }

  /** What changes from frame to frame. Returns whether the row takes more room than before, or less. */
  update() {
    const { predict, minute } = this.player;
    if (minute) return false; // it has buttons of its own
    const now = this.#now();
    if (now === this.updated) return false;
    this.updated = now;
    clearTimeout(this.timer);
    const before = this.row.offsetHeight;
    this.row.hidden = !predict.on;
    if (predict.on) this.#show();
    return this.row.offsetHeight !== before;
  }

  /** What the row shows, in a word. */
  #now() {
    const { predict, palette, run, t } = this.player;
    return predict.on
      ? [predict.phase, predict.kind, t, predict.score, palette.dark, run.id].join()
      : "off";
  }

  #show() {
    const { predict, run, t } = this.player;
    const asked = predict.kind === "side" ? "which side?" : "which range of y·f?";
    this.asked.textContent = predict.asking
      ? `${example(run.trace.index[t])}: ${asked}`
      : predict.verdict;
    const focused = this.answers.matches(":focus-within");
    const buttons = this.#buttons();
    this.answers.replaceChildren(...buttons);
    if (focused) (buttons[0] ?? this.stopping).focus(); // the one that was pressed is gone
    this.score.textContent = predict.score;
    for (const one of this.kinds.querySelectorAll("button")) {
      one.setAttribute("aria-pressed", String(one.dataset.ask === predict.kind));
    }
    const { phase, verdict } = predict;
    if (phase === "answered" && verdict) this.#wait(verdict === "Right." ? READ.right : READ.wrong);
  }

  #buttons() {
    const { predict, palette, run, t } = this.player;
    const next = (words) => pressable(words, () => predict.nextQuestion());
    if (predict.phase === "answered") return [next("Next question →")];
    if (!predict.asking) return predict.next(t) === null ? [] : [next("Go on →")];
    const answer = (guess, ...words) =>
      make("button", { type: "button", onclick: () => predict.answer(guess) }, ...words);
    if (predict.kind === "margin") {
      return predict.ranges.map((words, k) => answer(k, make("kbd", {}, `${k + 1} `), words));
    }
    const { positive, negative } = run.header.tokens.shapes;
    return [-1, 1].map((y) => {
      const shape = make("i", { className: y > 0 ? positive : negative });
      const one = answer(y, ...(y > 0 ? [shape, " orange, +1 →"] : ["← ", shape, " blue, −1"]));
      one.style.color = one.style.borderColor = palette.ofClass(y);
      return one;
    });
  }

  /** The next question comes by itself, unless somebody reads, a class listens, or nothing is to move by itself. */
  #wait(time) {
    const { player } = this;
    if (player.cursor.reducedMotion || player.presenting) return;
    const read = this.updated;
    this.timer = setTimeout(() => {
      if (this.#now() !== read) return; // something else was answered, and no frame has shown it yet
      const reads = player.pinned !== null || player.touch.lines.length > 0 || document.hidden;
      if (reads) this.#wait(AGAIN);
      else player.predict.nextQuestion();
    }, time);
  }

  stop() {
    clearTimeout(this.timer);
  }
}

/** A button of the row for editing. @param {Player} player @param {string} name @param {string} [body] */
function toolOf(player, name, body) {
  return buttonOf(ACTIONS.get(name), player, { body, attribute: "data-edit" });
}

/** @param {Player} player */
function editTools(player) {
  const tools = (...names) => names.map((name) => toolOf(player, name)).join("");
  return `
  <span class="classes" role="group" aria-label="Class that a click adds">
    ${toolOf(player, "plus", '<i class="dot"></i>orange, +1')}${toolOf(player, "minus", '<i class="box"></i>blue, −1')}
  </span>
  ${tools("brush")}
  <span class="apart"></span>
  ${tools("undo", "redo")}
  <span class="apart"></span>
  ${tools("table", "clear", "original")}
  ${tools("done")}
  <output class="where" aria-live="off"></output>`;
}

/**
 * The coordinates under the pointer, or of the point in hand, in words; "" while one does not edit.
 *
 * @param {Player} player
 */
function whereOf({ editing, view, run }) {
  if (!editing.on) return "";
  const { drag, points, spot } = editing;
  const place = drag && drag.i >= 0 ? points.at(drag.i) : spot && view.place(...spot);
  return place
    ? `(${run
        .inDataUnits(...place)
        .map((value) => number(value))
        .join(", ")})`
    : "";
}

export class Tools {
  updated = "";

  /** @param {HTMLElement} root @param {Player} player */
  constructor(root, player) {
    this.player = player;
    this.box = document.createElement("div");
    this.box.className = "tools";
    this.box.innerHTML = `<div class="row edit" role="toolbar" aria-label="Edit the points" hidden>${editTools(player)}</div>`;
    root.append(this.box);
    this.edit = /** @type {HTMLElement} */ (this.box.firstElementChild);
  }

  /** Show the row for editing, or not; returns how high all rows are. */
  place(width, editing) {
    put(this.edit, { hidden: !editing });
    this.box.style.width = `${width}px`;
    return this.box.offsetHeight;
  }

  /** What Python says of what can be gone back to. @param {Envelope["editing"]} editing */
  take({ origin }) {
    put(this.#button("original"), { hidden: origin === null, textContent: `Back to ${origin}` });
  }

  /** What changes from frame to frame. */
  update({ label, brush, undo, redo }) {
    const where = whereOf(this.player);
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
}
