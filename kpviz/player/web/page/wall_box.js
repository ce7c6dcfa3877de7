// A puzzle on the stage, in type for the back row: what is asked, the number of the board that is
// shown, and the records of the class, the best first.

import { make, put, renew } from "./dom.js";
import { nodesOf } from "./lesson/words.js";
import { spokenLanguage } from "../run/language.js";
import { fitType, lieOn } from "./stage_type.js";

/** @import { Stage } from "./stage.js" */
/** @import { Layout, Rect } from "../board/types.d.ts" */
/** @import { WallRecord } from "../modes/puzzle_wall.js" */
/** @import { Word } from "../modes/types.d.ts" */

const MOST_SEEN = 5; // Records that are seen; of the others it is said how many there are.

/**
 * What is seen. `beside`: what the number is of; `told`: why the board does not count, or what the
 * puzzle has taught.
 *
 * @typedef {{
 *   where: string, question: string, shown: string, beside: string[], told: (Word | string)[],
 *   isReached: boolean, records: WallRecord[], foot: string,
 * }} SeenWall
 */

export class WallBox {
  /** @type {{ box: Rect, layout: Layout } | null} */
  #placed = null;
  #fittedKey = ""; // What was fitted, as JSON.

  /** @param {Stage} stage @param {(text: string) => void} take what was typed or pasted */
  constructor(stage, take) {
    this.where = make("p", { className: "where" });
    this.question = make("p", { className: "question" });
    this.count = make("strong");
    this.besideCount = make("span", { className: "beside" });
    this.told = make("div", { className: "told" });
    this.records = make("ol", { ariaLabel: "Records" });
    this.field = make("input", {
      placeholder: "31 Anna, or the link of a record",
      ariaLabel: "A record: a number and a name, or its link",
      autocomplete: "off",
      hidden: true,
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
      event.stopPropagation();
      event.preventDefault();
      const text = this.field.value.trim();
      this.#close();
      if (event.key === "Enter" && text) take(text);
    });
    this.field.addEventListener("blur", () => this.#close());
    this.foot = make("p", { className: "foot" });
    this.element = make(
      "section",
      { className: "class-question wall", hidden: true, ariaLabel: "Puzzle" },
      this.where,
      this.question,
      make("p", { className: "count" }, this.count, this.besideCount),
      this.told,
      this.records,
      this.field,
      this.foot,
    );
    this.element.setAttribute("aria-live", "polite");
    stage.root.append(this.element);
  }

  hide() {
    put(this.element, { hidden: true });
    this.#placed = null;
  }

  /** What is typed next is a record. */
  listen() {
    put(this.field, { hidden: false });
    this.field.focus({ preventScroll: true });
    this.#fit();
  }

  #close() {
    this.field.value = "";
    this.field.blur();
    put(this.field, { hidden: true });
  }

  /** @param {SeenWall} seen */
  show({ where, question, shown, beside, told, isReached, records, foot }) {
    put(this.element, { lang: spokenLanguage() });
    put(this.where, { textContent: where });
    put(this.question, { textContent: question });
    put(this.count, { textContent: shown });
    put(this.foot, { textContent: foot });
    renew(this.besideCount, beside, () => beside.map((words) => make("span", {}, words)));
    renew(this.told, told, () => nodesOf(told));
    this.element.classList.toggle("reached", isReached);
    const others = records.length - MOST_SEEN;
    renew(this.records, [records, others], () => [
      ...records
        .slice(0, MOST_SEEN)
        .map(({ shown: number, by }) =>
          make("li", {}, make("b", {}, number), by || make("span", {}, "without a name")),
        ),
      ...(others > 0 ? [make("li", { className: "others" }, `and ${others} more`)] : []),
    ]);
    if (this.#placed) this.#fit();
  }

  /** @param {Rect} box of the board in the window @param {Layout} layout */
  place(box, layout) {
    this.#placed = { box, layout };
    this.#fittedKey = "";
    put(this.element, { hidden: false });
    this.#fit();
  }

  /** As large as it has room for. */
  #fit() {
    const { box, layout } = this.#placed;
    const key = JSON.stringify([box, layout.classBox, this.element.innerText, this.field.hidden]);
    if (key === this.#fittedKey) return;
    this.#fittedKey = key;
    lieOn(this.element, box, layout.classBox);
    fitType(this.element, layout);
  }
}
