// The tour of the board: what each of its five stops says of a run, at which instant, and where.

import { counted, example, number, signed } from "./words.js";

/** @import { Rect } from "../types.d.ts" */
/** @import { Run } from "./run.js" */

/**
 * A stop: the instant, the panel, the mark in it that is meant (none: the panel), and the words. `button` names a button
 * instead of a panel; `happens`: the step that leads there is shown happening.
 * @typedef {{ name: string, t: number, title: string, lines: [string, string], panel?: string, mark?: string, button?: string, happens?: boolean }} Stop
 */

const GAP = 14; // px between a card and its place

/**
 * The step of the mistake that the tour shows: the first one with a score that says the other class clearly; null: the
 * run has none, or is of another kind than the tour speaks of.
 *
 * @param {Run} run
 * @returns {number | null}
 */
export function mistakeOf({ plane, stream, header, predictor, trace }) {
  if (!plane || stream || !header.about.counts || predictor.kind !== "last" || header.names.psd === "no") return null;
  const { score } = trace;
  const wrong = [...trace.mistakeSteps].filter((step) => score[step] !== 0);
  return wrong.find((step) => Math.abs(score[step]) >= 0.1) ?? wrong[0] ?? null;
}

/**
 * The five stops of a run; null where it cannot show them.
 *
 * @param {Run} run
 * @param {object} options
 * @param {number} options.from the instant at which the tour ends
 * @param {boolean} options.touch whether the screen is touched
 * @returns {Stop[] | null}
 */
export function stopsOf(run, { from, touch }) {
  const step = mistakeOf(run);
  if (step === null) return null;
  const t = step + 1;
  const { trace, y, n } = run;
  const i = trace.index[step];
  const x = example(i);
  const [own, other] = y[i] > 0 ? ["orange", "blue"] : ["blue", "orange"];
  const { scores } = run.reading(t);
  const wrong = Array.from({ length: n }, (_, j) => y[j] * scores[j]).filter((margin) => margin <= 0).length;
  const { intercept } = run.header.settings;
  const rate = trace.unit === 1 ? "" : "η·";
  const alpha = `${rate ? "η times the" : "The"} number of bricks on an example is its α`;
  const b = intercept === "none" ? "" : ", and the intercept b";
  return [
    {
      name: "f",
      t: run.nSteps,
      panel: "map",
      title: "This is f",
      lines: [
        `The colour shows f, here after ${counted(trace.mistakesBefore(run.nSteps), "mistake")}: orange where f is above 0, blue where it is below.`,
        "The line between them is the boundary, f = 0. On one side f says +1 (orange), on the other −1 (blue).",
      ],
    },
    {
      name: "mistake",
      t,
      panel: "map",
      mark: "current",
      happens: true,
      title: "A mistake",
      lines: [
        `Back to step ${t}: ${x} is ${own}, but its score was ${signed(trace.score[step])}, which says ${other}: a mistake.`,
        `So f moves towards ${own} around ${x}: the score is now ${number(scores[i])}.`,
      ],
    },
    {
      name: "brick",
      t,
      panel: "alpha",
      mark: "newest",
      title: "A brick",
      lines: [
        `This brick is that mistake. ${alpha}: ${rate ? number(run.alphaOf(i, t)) : trace.mistakesOn(i, t)} on ${x}.`,
        `f is the sum of all bricks: each adds ${rate}y·k(x, ·) of its example${b}.`,
      ],
    },
    {
      name: "margin",
      t,
      panel: "margins",
      mark: "current",
      title: "The margin",
      lines: [
        `The margin y·f(x) is above 0 where f says the right class. The framed bar holds ${x}.`,
        `Left of the dashed line are the margins that are not above 0: ${wrong} of ${n}.`,
      ],
    },
    {
      name: "turn",
      t: from,
      button: "next-example",
      title: "Your turn",
      lines: touch
        ? [
            "Tap here for the next example, and the arrow after “mistake” for the next mistake.",
            "“predict” hides f and asks you; ? explains everything else.",
          ]
        : [
            "Press → for the next example, PageDown for the next mistake, Space to play.",
            "Q hides f and asks you; ? explains everything else.",
          ],
    },
  ];
}

/**
 * Where a card of this size stands so that it leaves a panel free: on the side of it that is nearest to the place in it that
 * is meant, inside a room.
 *
 * @param {Rect} panel
 * @param {Rect} place
 * @param {{ w: number, h: number }} card
 * @param {Rect} room
 */
export function beside(panel, place, card, room) {
  const within = (value, low, high) => Math.max(Math.min(value, high), low);
  const [right, bottom] = [room.x + room.w - card.w, room.y + room.h - card.h]; // the last places inside
  const middle = { x: place.x + place.w / 2 - card.w / 2, y: place.y + place.h / 2 - card.h / 2 };
  const [x, y] = [within(middle.x, room.x, right), within(middle.y, room.y, bottom)];
  const far = ({ x: across, y: down }) => Math.hypot(across - middle.x, down - middle.y);
  const [best] = [
    { x: panel.x + panel.w + GAP, y },
    { x: panel.x - GAP - card.w, y },
    { x, y: panel.y + panel.h + GAP },
    { x, y: panel.y - GAP - card.h },
  ]
    .filter((one) => one.x >= room.x && one.x <= right && one.y >= room.y && one.y <= bottom)
    .sort((one, other) => far(one) - far(other));
  return best ?? { x, y: bottom };
}
