// What one can do on the board: one row for each action, read by `actions.js`.

import { finestGrain } from "../board/narration.js";
import { STAGE_SHAPES } from "../board/projector_layout.js";
import { paceOf, placeOf } from "../run/words.js";
import { TO_EDIT } from "./edit_actions.js";
import { spins } from "./spin.js";

/** @import { Action } from "./actions.js" */
/** @import { Player } from "../board/player.js" */
/** @import { Stage } from "../page/stage.js" */
/** @import { Grain } from "../run/types.d.ts" */

/** @type {(grain: Grain, direction: 1 | -1) => (stage: Stage) => void} */
const steps =
  (grain, direction) =>
  ({ player }) =>
    player.cursor.step(grain, direction);

/**
 * The middle grain stops at mistakes, or at updates where these are something else; the coarsest at
 * epochs, or at hundreds.
 */
const middleGrain = ({ run }) => run?.grain ?? "mistake";
const coarsestGrain = ({ run }) => (run?.stream ? "hundred" : "epoch");

/** There is nothing before the start, and nothing after the end. @param {Player} player */
const isAtStart = ({ run, t }) => run !== null && t === 0;
/** @param {Player} player */
const isAtEnd = ({ run, runs, t }) => run !== null && t >= runs.end;

/** @param {Player} player */
const playLabel = (player) => {
  if (player.clock.playing) return "Pause";
  return isAtEnd(player) && player.t > 0 ? "Play again" : "Play";
};

const pace = ({ clock }) =>
  clock.slow ? "Slow motion" : `${paceOf(clock.rate)} examples a second`;

const EXPORT = "export: code, tables, web page, QR code / image or video";

/** What one can do on the board. @type {Action[]} */
export const ON_BOARD = [
  {
    name: "next-example",
    keys: ["ArrowRight"],
    label: (player) => `Next ${finestGrain(player)}`,
    help: ["→ / ←", "next / previous example (SVM: pair)"],
    group: "often",
    disabled: isAtEnd,
    held: true,
    run: steps("example", 1),
  },
  {
    name: "back-example",
    keys: ["ArrowLeft"],
    label: (player) => `Previous ${finestGrain(player)}`,
    disabled: isAtStart,
    held: true,
    run: steps("example", -1),
  },
  {
    name: "next-mistake",
    keys: ["PageDown", "Shift+ArrowRight"],
    label: (player) => `Next ${middleGrain(player)}`,
    help: ["PageDown / PageUp", "next / previous mistake or update (Shift → / ←)"],
    group: "often",
    disabled: isAtEnd,
    held: true,
    run: steps("mistake", 1),
  },
  {
    name: "back-mistake",
    keys: ["PageUp", "Shift+ArrowLeft"],
    label: (player) => `Previous ${middleGrain(player)}`,
    disabled: isAtStart,
    held: true,
    run: steps("mistake", -1),
  },
  {
    name: "next-epoch",
    keys: ["ArrowDown"],
    label: (player) => `Next ${coarsestGrain(player)}`,
    help: ["↓ / ↑", "next / previous epoch (stream: 100 examples)"],
    group: "play",
    disabled: isAtEnd,
    held: true,
    run: steps("epoch", 1),
  },
  {
    name: "back-epoch",
    keys: ["ArrowUp"],
    label: (player) => `Previous ${coarsestGrain(player)}`,
    disabled: isAtStart,
    held: true,
    run: steps("epoch", -1),
  },
  {
    name: "start",
    keys: ["Home"],
    label: "Start",
    help: ["Home / End", "start / end"],
    group: "often",
    run: ({ player }) => player.cursor.go(0),
  },
  { name: "end", keys: ["End"], label: "End", run: ({ player }) => player.cursor.go(Infinity) },
  {
    name: "play",
    keys: [" "],
    label: playLabel,
    help: ["Space", "play or pause"],
    group: "often",
    run: ({ player }) => player.cursor.toggle(),
  },
  {
    name: "faster",
    keys: ["f"],
    help: ["F / S", "faster / slower"],
    group: "play",
    held: true,
    told: pace,
    run: ({ player }) => player.cursor.faster(1.5),
  },
  {
    name: "slower",
    keys: ["s"],
    held: true,
    told: pace,
    run: ({ player }) => player.cursor.faster(1 / 1.5),
  },
  {
    name: "slow",
    keys: ["m"],
    label: "Slow motion",
    help: ["M / V", "slow motion / full screen"],
    group: "play",
    pressed: ({ clock }) => clock.slow,
    told: pace,
    run: ({ player }) => player.cursor.toggleSlow(),
  },
  {
    name: "full",
    keys: ["v"],
    label: "Full screen",
    early: true,
    run: ({ actions }) => actions.fullScreen(),
  },
  {
    name: "panels",
    keys: ["h"],
    label: "Panels",
    help: ["H", "choose panels"],
    group: "play",
    run: ({ controls }) => controls.menu("panels"),
  },
  {
    name: "page-back",
    keys: ["9"],
    label: "Previous page of panels",
    help: ["9 / 0", "previous / next page of panels"],
    group: "play",
    run: ({ actions }) => actions.turnPage(-1),
  },
  {
    name: "page-on",
    keys: ["0"],
    label: "Next page of panels",
    run: ({ actions }) => actions.turnPage(1),
  },
  {
    name: "data",
    keys: ["d"],
    help: ["D / K", "next data set / kernel"],
    group: "often",
    needs: "server",
  },
  { name: "kernel", keys: ["k"], needs: "server" },
  {
    name: "wider",
    keys: ["g"],
    help: ["G / Shift G", "kernel wider / narrower"],
    group: "often",
    needs: "server",
    held: true,
  },
  { name: "narrower", keys: ["Shift+g"], needs: "server", held: true },
  {
    name: "redraw",
    keys: ["n"],
    label: "New data",
    help: ["N / O", "draw new data / a new order of the examples"],
    group: "settings",
    needs: "server",
  },
  { name: "reorder", keys: ["o"], label: "New order", needs: "server" },
  {
    name: "first",
    keys: ["1"],
    help: ["1", "show first the example you point at"],
    group: "settings",
    needs: "server",
    run: ({ standing }) => standing.reorder.first(),
  },
  {
    name: "settings-data",
    keys: ["Shift+d"],
    help: ["Shift D · K · L · S", "settings: data · kernel · learner · compare"],
    group: "settings",
    needs: "server",
    run: ({ dock }) => dock?.show("data"),
  },
  {
    name: "settings-kernel",
    keys: ["Shift+k"],
    needs: "server",
    run: ({ dock }) => dock?.show("kernel"),
  },
  {
    name: "settings-learner",
    keys: ["Shift+l"],
    needs: "server",
    run: ({ dock }) => dock?.show("learner"),
  },
  {
    name: "settings-compare",
    keys: ["Shift+s"],
    needs: "server",
    run: ({ dock }) => dock?.show("compare"),
  },
  {
    name: "tune",
    keys: ["t"],
    help: ["T", "sliders for the numbers: the picture follows"],
    group: "settings",
    needs: "server",
    run: ({ dock }) => dock?.turn(),
  },
  {
    name: "undo",
    keys: ["z"],
    label: "Undo",
    help: ["Z / Shift Z", "undo / redo"],
    group: "often",
    needs: "server",
    run: ({ standing }) => standing.edit.goBack("undo"),
  },
  {
    name: "redo",
    keys: ["Shift+z"],
    label: "Redo",
    needs: "server",
    run: ({ standing }) => standing.edit.goBack("redo"),
  },
  ...TO_EDIT,
  {
    name: "similar",
    keys: ["e"],
    help: ["E", "the map shows k(x, ·) of one example, or f again"],
    group: "play",
    needs: "similar",
    run: ({ actions, player }) => actions.show("similar", !player.shown.has("similar")),
  },
  {
    name: "turn-left",
    keys: ["4"],
    help: ["4 / 6, 8 / 2, 5", "turn / tilt / reset the lifted space"],
    group: "play",
    held: true,
    run: spins(-1, 0),
  },
  { name: "turn-right", keys: ["6"], held: true, run: spins(1, 0) },
  { name: "tilt-up", keys: ["8"], held: true, run: spins(0, 1) },
  { name: "tilt-down", keys: ["2"], held: true, run: spins(0, -1) },
  { name: "turn-home", keys: ["5"], run: spins(0, 0) },
  {
    name: "pin",
    keys: ["p"],
    help: ["P / Shift P", "keep this run beside others to compare / remove those kept"],
    group: "play",
    needs: "server",
  },
  { name: "unpin", keys: ["Shift+p"], needs: "server" },
  {
    name: "predict",
    keys: ["q"],
    label: "Guess first",
    help: ["Q", "guess first: ← orange, → blue, or 1 to 4"],
    group: "often",
    pressed: ({ modes }) => modes.isOn("question"),
    run: ({ standing }) => standing.question.toggle(),
  },
  {
    name: "export",
    keys: ["a"],
    label: "Export: code, tables, web page, QR code",
    help: ["A / I", EXPORT],
    group: "share",
    needs: "server",
    run: (stage) => stage.export?.show(),
  },
  { name: "picture", keys: ["i"], label: "Image or video", needs: "server" },
  {
    name: "link",
    keys: ["y"],
    label: "Copy the link",
    help: ["Y", "copy the link to this instant"],
    group: "share",
    needs: "links",
    run: ({ actions }) => actions.copyLink(),
  },
  {
    name: "cue",
    keys: ["u"],
    label: "Cue here",
    tip: "Set a cue at this step",
    help: ["U / Shift U", "set or change a cue of your lecture here / all cues as text"],
    group: "share",
    needs: "server",
    run: ({ cueBox }) => cueBox.show(),
  },
  {
    name: "cues",
    keys: ["Shift+u"],
    label: "All cues",
    tip: "All cues as text",
    needs: "server",
    run: ({ actions }) => actions.send("lecture"),
  },
  {
    name: "notes",
    keys: ["Shift+n"],
    label: "Notes window",
    tip: "A window with your notes",
    help: ["Shift N", "a window with your notes and the next cue"],
    group: "share",
    needs: "server",
    run: ({ standing }) => standing.present.openNotes(),
  },
  {
    name: "present",
    keys: ["w"],
    label: "Present",
    tip: "Present: the stage alone, for a class",
    help: ["W", "present to a class"],
    group: "often",
    run: ({ standing }) => standing.present.toggle(),
  },
  {
    name: "shape",
    keys: ["j"],
    run: ({ standing }) => standing.present.cycle(),
  },
  ...Object.entries(STAGE_SHAPES).map(([shape, [words]]) => ({
    name: `shape-${shape}`,
    label: words,
    run: ({ standing }) => standing.present.begin(shape),
  })),
  {
    name: "place",
    keys: ["Shift+i"],
    help: ["Shift I", "say where the run is: step, epoch, mistakes"],
    group: "besides",
    run: (stage) => stage.say(placeOf(stage.player)),
  },
  {
    name: "escape",
    keys: ["Escape"],
    help: ["Esc", "close what is on top; on a button: back to the board"],
    group: "often",
    run: ({ actions }) => actions.escape(),
  },
  {
    name: "numbers",
    label: "Table",
    tip: "Table: all numbers of these runs",
    hidden: ({ runs }) => !runs?.pinned.length,
    run: ({ controls }) => controls.menu("numbers"),
  },
  {
    name: "preferences",
    keys: [","],
    label: "Preferences",
    help: [",", "preferences: patterns, flashing, what is spoken, keys"],
    group: "besides",
    early: true,
    run: ({ controls }) => controls.menu("preferences"),
  },
  {
    name: "help",
    keys: ["?", "Shift+?"],
    label: "Help",
    tip: "What you see, and all keys",
    help: ["?", "this help: marks and keys"],
    group: "besides",
    early: true,
    run: ({ controls }) => controls.menu("help"),
  },
  {
    name: "close",
    label: "×",
    tip: "Close (Esc)",
    early: true,
    run: ({ controls }) => controls.menu(null),
  },
  {
    name: "first-minute",
    label: "Play the first minute again",
    needs: "server",
    run: ({ standing }) => standing.firstMinute.again(),
  },
  { name: "rescale", run: ({ player }) => player.colourLimit.rescale() },
  { name: "copy-probe", label: "Copy these numbers", run: ({ actions }) => actions.copyProbe() },
  {
    name: "terms",
    label: "f, term by term",
    tip: "A panel with each term of f, and its example",
    needs: "server",
    run: ({ actions }) => actions.show("remembered", true),
  },
  {
    name: "forget",
    label: "Forget my tables, drawings and progress",
    tip: "All that this browser keeps: tables and drawings, so that links which name them go on working, and what was done in lessons",
    needs: "server",
    run: ({ actions }) => actions.forget(),
  },
];
