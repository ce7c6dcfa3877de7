// How the examples that are remembered vote on the one that a task asks about: lines to them, with
// the vote of each beside it.

import { boxesOf, chart, circlesOfPoints, freest, pixelOf } from "./chart.js";
import { step } from "../board/scale.js";
import { textWidth } from "../paint/measure.js";
import { example, signed } from "../run/words.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Mark } from "../board/types.d.ts" */

// Where the number of a vote may stand, in sizes of its type from the voter.
/** @type {[number, number][]} */
const AROUND = [
  [0, -1.1],
  [0, 1.1],
  [1, 0],
  [-1, 0],
  [1, -1.1],
  [-1, -1.1],
  [1, 1.1],
  [-1, 1.1],
];

/** @param {PanelScene} scene @returns {Mark[]} */
export function voteMarks(scene) {
  const { run, votes, palette, rect, unit } = scene;
  if (!votes?.shown.length || !run.plane) return [];
  const place = pixelOf(scene, votes.i);
  const largest = Math.abs(votes.shown[0].value);
  const size = step("large", unit);
  const taken = boxesOf(circlesOfPoints(scene));
  return votes.shown.flatMap(({ i, value }) => {
    const [x, y] = pixelOf(scene, i);
    const ink = palette.point[value > 0 ? "positive" : "negative"];
    const words = signed(value);
    const w = textWidth(words, size, palette.fonts, 700);
    const fromLine = ([across, down]) =>
      (across * (x - place[0]) + down * (y - place[1])) / Math.hypot(across, down);
    const places = [...AROUND]
      .sort((one, other) => fromLine(other) - fromLine(one))
      .map(([across, down]) => ({
        x: x - w / 2 + across * (w / 2 + 0.7 * size),
        y: y - size / 2 + down * size,
        w,
        h: size,
      }));
    const label = freest(places, taken, rect);
    taken.push(label);
    return /** @type {Mark[]} */ ([
      chart.line([...place, x, y], {
        stroke: ink,
        width: 1 + (4 * Math.abs(value)) / largest,
        name: "vote",
      }),
      chart.text(label.x, label.y + size / 2, words, {
        size,
        weight: 700,
        fill: ink,
        halo: palette.field_zero,
        baseline: "middle",
        name: "vote",
      }),
    ]);
  });
}

/** The same in words. @param {PanelScene} scene @returns {string[]} */
export const votesInWords = ({ votes }) =>
  votes ? [`Votes on ${example(votes.i)}: ${votes.each.join("; ")}.`] : [];
