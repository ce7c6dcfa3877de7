// What one can do on the page of Fisher’s discriminant: steps turn F, and one moves the threshold.

import { ON_BOARD } from "./board_actions.js";

/** @import { AngleCursor } from "./angle_cursor.js" */
/** @import { Action } from "./actions.js" */
/** @import { Stage } from "../page/stage.js" */

const BY_NAME = new Map(ON_BOARD.map((action) => [action.name, action]));

/**
 * An action of the board that does the same here, unless something of it is another.
 *
 * @param {string} name
 * @param {Partial<Action>} [other]
 */
const shared = (name, other = {}) => ({ ...BY_NAME.get(name), ...other });

/** F may always turn on. */
const ENDLESS = { disabled: undefined };

/** @param {Stage} stage */
const angleOf = ({ player }) => /** @type {AngleCursor} */ (player.cursor);

/** @type {Action[]} */
export const ON_FISHER = [
  shared("next-example", { ...ENDLESS, label: "Turn 1°", help: ["→ / ←", "turn F by 1°"] }),
  shared("back-example", { ...ENDLESS, label: "Turn back 1°" }),
  shared("next-mistake", {
    ...ENDLESS,
    label: "Turn 10°",
    help: ["Shift → / ← or PageDown / Up", "turn F by 10°"],
  }),
  shared("back-mistake", { ...ENDLESS, label: "Turn back 10°" }),
  {
    name: "best",
    keys: ["End", "b"],
    label: "Best direction",
    tip: "The best direction",
    help: ["End or B", "the best direction"],
    disabled: ({ run, t }) =>
      Boolean(run) && run.fisher.specialAt(t) === "best" && run.fisher.movedThreshold === null,
    run: (stage) => angleOf(stage).goTo("best"),
  },
  {
    name: "other",
    keys: ["Home"],
    label: ({ run }) => (run?.fisher.many ? "Second direction" : "Between the means"),
    tip: ({ run }) => (run?.fisher.many ? "The second direction" : "The line between the means"),
    help: ["Home", "between the means, or the second direction"],
    run: (stage) => angleOf(stage).goTo("other"),
  },
  shared("play", {
    label: ({ clock }) => (clock.playing ? "Pause" : "Play"),
    help: ["Space", "let F turn by itself, or stop"],
  }),
  {
    name: "raise",
    keys: ["ArrowUp"],
    help: ["↑ / ↓", "move the threshold"],
    held: true,
    run: (stage) => angleOf(stage).shift(1),
  },
  { name: "lower", keys: ["ArrowDown"], held: true, run: (stage) => angleOf(stage).shift(-1) },
  {
    name: "cut",
    keys: ["t"],
    label: "Threshold to the middle",
    tip: "The threshold back to the middle",
    help: ["T", "the threshold back to the middle"],
    hidden: ({ run }) => !run || run.fisher.movedThreshold === null,
    run: (stage) => angleOf(stage).cut(null),
  },
  shared("data", { help: ["D / N", "next data set / new data"] }),
  shared("redraw", { help: undefined }),
  shared("full", { help: ["V / Shift D", "full screen / settings: data"] }),
  shared("settings-data", { help: undefined }),
  shared("place", { help: ["Shift I", "say where F points"] }),
  ...[
    ...[
      "page-back",
      "page-on",
      "undo",
      "redo",
      "link",
      "notes",
      "present",
      "escape",
      "preferences",
      "help",
    ],
    ...["close", "copy-probe", "rescale"],
  ].map((name) => shared(name)),
];
