// A puzzle on the stage, in type for the back row: what is asked, the number of the board that is
// shown, and the records of the class, the best first.

import { make, put, renew } from "./dom.js";
import { nodesOf } from "./lesson/words.js";
import { StageBox } from "./stage_box.js";

/** @import { Stage } from "./stage.js" */
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

export class WallBox extends StageBox {
  count = make("strong");
  besideCount = make("span", { className: "beside" });
  records = make("ol", { ariaLabel: "Records" });

  /** @param {Stage} stage @param {(text: string) => void} hear takes what was typed or pasted */
  constructor(stage, hear) {
    const field = make("input", {
      placeholder: "31 Anna, or the link of a record",
      ariaLabel: "A record: a number and a name, or its link",
      autocomplete: "off",
      hidden: true,
    });
    field.addEventListener("blur", () => {
      field.value = "";
      put(field, { hidden: true });
    });
    super(stage, { label: "Puzzle", field, hear });
    this.element.classList.add("wall");
    const count = make("p", { className: "count" }, this.count, this.besideCount);
    this.fill(this.question, count, this.told, this.records, field);
  }

  listen() {
    put(this.field, { hidden: false });
    super.listen();
    this.fit();
  }

  /** @param {SeenWall} seen */
  show({ where, question, shown, beside, told, isReached, records, foot }) {
    put(this.question, { textContent: question });
    put(this.count, { textContent: shown });
    renew(this.besideCount, beside, () => beside.map((words) => make("span", {}, words)));
    renew(this.told, told, () => nodesOf(told));
    this.element.classList.toggle("reached", isReached);
    const others = records.length - MOST_SEEN;
    renew(this.records, [records, others], () => [
      ...records.slice(0, MOST_SEEN).map(({ shown: number, by, board }) =>
        make(
          "li",
          { className: board ? "checked" : "" },
          make("b", {}, number),
          by ? make("span", { className: "name" }, by) : make("span", {}, "without a name"),
          make("small", {}, board ? "checked" : "not checked"), // One that is typed is but said.
        ),
      ),
      ...(others > 0 ? [make("li", { className: "others" }, `and ${others} more`)] : []),
    ]);
    this.say({ where, foot });
  }
}
