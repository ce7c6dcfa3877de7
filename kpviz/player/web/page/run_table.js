// All numbers of the runs that are compared, at the instant that is shown.

import { make } from "./dom.js";
import { numbersOfRuns } from "../board/comparison.js";
import { LETTERS } from "../board/run_set.js";
import { counted } from "../run/words.js";

/** @import { Player } from "../board/player.js" */

/** The table with its title. @param {Player} player */
export function runTable(player) {
  const { t, runs } = player;
  const isOver = runs.all.every((run) => t >= run.nSteps);
  const heads = runs.all.map((_, k) =>
    make("th", { scope: "col" }, make("b", {}, LETTERS[k]), runs.names[k]),
  );
  const rows = numbersOfRuns(player).map(({ label, texts }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, label),
      ...texts.map((text) => make("td", {}, text)),
    ),
  );
  return [
    make(
      "h2",
      {},
      `The runs in numbers, ${isOver ? "at their end" : `after ${counted(t, "step")}`}`,
    ),
    make(
      "table",
      {},
      make("thead", {}, make("tr", {}, make("td"), ...heads)),
      make("tbody", {}, ...rows),
    ),
  ];
}
