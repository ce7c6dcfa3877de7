// What one can do while one edits the points; `board_actions.js` lists it among what one can do on
// the board.

/** @import { Action } from "./actions.js" */

const EDIT = "edit: click adds (Shift: the other class), drag moves, right-click removes";

/** @type {Action[]} */
export const TO_EDIT = [
  {
    name: "edit",
    keys: ["Shift+e"],
    label: "Draw",
    tip: "Draw: add, move and remove points",
    help: ["Shift E", EDIT],
    group: "settings",
    needs: "server",
    pressed: ({ modes }) => modes.isOn("edit"),
    run: ({ standing }) => standing.edit.toggle(),
  },
  {
    name: "label",
    keys: ["x"],
    help: ["X / B", "edit: draw the other class / with a brush"],
    group: "settings",
    needs: "server",
    run: ({ standing }) => standing.edit.draw(-standing.edit.label),
  },
  {
    name: "brush",
    keys: ["b"],
    label: "Brush",
    tip: "Brush: drag paints many",
    needs: "server",
    run: ({ standing }) => standing.edit.toggleBrush(),
  },
  {
    name: "flip",
    keys: ["l"],
    help: ["L / Delete", "edit: flip the nearest label / remove the point"],
    group: "settings",
    needs: "server",
    run: ({ standing }) => standing.edit.atSpot("flip"),
  },
  {
    name: "remove",
    keys: ["Delete", "Backspace"],
    needs: "server",
    run: ({ standing }) => standing.edit.atSpot("remove"),
  },
  {
    name: "done",
    label: "Done",
    tip: "Done: end editing (Shift E)",
    run: ({ standing }) => standing.edit.toggle(false),
  },
  {
    name: "original",
    label: "Back",
    tip: "Back to the data before editing",
    run: ({ standing }) => standing.edit.ask("original"),
  },
  {
    name: "clear",
    label: "Clear",
    tip: "Clear: remove all points",
    run: ({ standing }) => standing.edit.clear(),
  },
  {
    name: "plus",
    tip: "Draw orange, +1 (X changes)",
    run: ({ standing }) => standing.edit.draw(1),
  },
  {
    name: "minus",
    tip: "Draw blue, −1 (X changes)",
    run: ({ standing }) => standing.edit.draw(-1),
  },
  { name: "draw-plus", run: ({ standing }) => standing.edit.start(1) },
  { name: "draw-minus", run: ({ standing }) => standing.edit.start(-1) },
  { name: "table", label: "Table", tip: "Table: edit the numbers" },
];
