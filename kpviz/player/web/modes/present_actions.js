// What keys do while one presents, before those of the board: one row for each thing. The help of
// the stage lists them, and that of the board some of them.

/** @import { Action } from "./actions.js" */
/** @import { Stage } from "../page/stage.js" */

/**
 * `keys` do `run` where `there` holds; a row without `run` is done by the board. `help`: the keys
 * and what they do in words, of this row and of those without help that follow, where `listed`
 * holds, or else `there`.
 *
 * @typedef {object} StageAction
 * @property {string[]} [keys]
 * @property {[keys: string, words: string]} [help]
 * @property {(stage: Stage) => boolean} [there]
 * @property {(stage: Stage) => boolean} [listed]
 * @property {(stage: Stage) => void} [run]
 */

const always = () => true;
const onServer = ({ session }) => session !== null;
const onFisher = ({ player }) => player.capabilities.page === "fisher";
const onBoard = ({ player }) => player.capabilities.page === "play";
const ofSettings = (stage) => onServer(stage) && onBoard(stage);
const inLesson = ({ standing: { lesson } }) => Boolean(lesson?.open);
const outsideLesson = ({ standing: { lesson } }) => !lesson?.open;
const amongCues = (stage) => !inLesson(stage) && stage.player.cues.placed.length > 0;
const withoutCues = (stage) => !inLesson(stage) && stage.player.cues.placed.length === 0;
const hasKnobs = ({ standing: { lesson } }) => Boolean(lesson?.hasKnobs);
const asksNothing = ({ player }) => player.modes.ask("keysOnStage") === undefined;
const betweenQuestions = (stage) => inLesson(stage) && asksNothing(stage);
const withoutTools = ({ player }) => !player.modes.ask("takesMap");

/**
 * A clicker turns pages of a lesson, or goes from cue to cue.
 *
 * @type {(direction: 1 | -1) => (stage: Stage) => void}
 */
const turnsPage =
  (direction) =>
  ({ standing, player }) =>
    standing.lesson?.turn(direction) || player.cursor.toCue(direction);

/** @type {StageAction[]} */
const ON_STAGE = [
  {
    keys: ["PageDown"],
    help: ["PageDown / PageUp", "next / previous page, cue, question or scene"],
    there: inLesson,
    listed: betweenQuestions,
    run: turnsPage(1),
  },
  { keys: ["PageUp"], there: inLesson, run: turnsPage(-1) },
  {
    keys: ["PageDown"],
    help: ["PageDown / PageUp", "play to the next cue / the cue before"],
    there: amongCues,
    run: turnsPage(1),
  },
  { keys: ["PageUp"], there: amongCues, run: turnsPage(-1) },
  {
    help: ["PageDown / PageUp", "next / previous mistake or update"],
    there: (stage) => withoutCues(stage) && onBoard(stage),
  },
  {
    help: ["PageDown / PageUp", "turn F by 10°"],
    there: (stage) => withoutCues(stage) && onFisher(stage),
  },
  { help: ["→ / ←", "next / previous example"], there: onBoard },
  { help: ["→ / ←", "turn F by 1°"], there: onFisher },
  {
    help: ["↓ / ↑", "next / previous epoch"],
    there: (stage) => onBoard(stage) && !stage.player.run.stream,
  },
  { help: ["Home / End", "start / end"], there: onBoard },
  { help: ["Home / End", "the other special direction / the best one"], there: onFisher },
  { help: ["Space", "play or pause"] },
  {
    keys: ["x"],
    help: ["X", "words of the scene over the panels"],
    there: withoutTools,
    listed: inLesson,
    run: ({ standing }) => standing.present.slides.toggle(),
  },
  {
    keys: ["Backspace"],
    help: ["Backspace", "back to the scene’s own settings and panels"],
    there: onServer,
    listed: (stage) => onServer(stage) && inLesson(stage),
    run: ({ standing }) => standing.present.restore(),
  },
  {
    help: ["Backspace", "back to the settings and panels you began with"],
    there: (stage) => onServer(stage) && outsideLesson(stage),
  },
  {
    keys: ["g"],
    help: ["G / Shift G", "turn the first number up / down"],
    there: hasKnobs,
    run: ({ standing: { lesson } }) => lesson.turnKnob(0, 1),
  },
  { keys: ["Shift+g"], there: hasKnobs, run: ({ standing: { lesson } }) => lesson.turnKnob(0, -1) },
  {
    keys: ["t"],
    help: ["T / Shift T", "turn the second number up / down"],
    there: hasKnobs,
    run: ({ standing: { lesson } }) => lesson.turnKnob(1, 1),
  },
  { keys: ["Shift+t"], there: hasKnobs, run: ({ standing: { lesson } }) => lesson.turnKnob(1, -1) },
  {
    keys: ["k"],
    help: ["K", "linear kernel, and back"],
    there: hasKnobs,
    run: ({ standing: { lesson } }) => lesson.straighten(),
  },
  {
    help: ["G / Shift G", "kernel wider / narrower"],
    there: (stage) => ofSettings(stage) && !hasKnobs(stage),
  },
  { help: ["D / N", "next data set / new data"], there: onServer },
  {
    help: ["Shift D · K · L · S", "settings: data · kernel · learner · compare"],
    there: ofSettings,
  },
  {
    help: ["Shift E", "draw points (then X changes the class, B is the brush, L flips a label)"],
    there: ofSettings,
  },
  { help: ["Z / Shift Z", "undo / redo"], there: onServer },
  { help: ["H", "choose panels"], there: onBoard },
  { help: ["Q", "guess first"], there: onBoard },
  {
    keys: ["Shift+q"],
    help: ["Shift Q", "questions of the lesson, on or off"],
    there: inLesson,
    run: ({ standing }) => standing.classVotes.switch(),
  },
  {
    keys: ["l"],
    help: ["L", "light at the pointer; hold the button for a moment’s light"],
    there: withoutTools,
    listed: always,
    run: ({ standing }) => standing.present.spotlight.toggle(),
  },
  {
    keys: ["."],
    help: [". or B", "blank; the next key brings it back"],
    run: ({ standing }) => standing.present.cover(true),
  },
  { keys: ["b"], there: withoutTools, run: ({ standing }) => standing.present.cover(true) },
  { help: ["J", "shape of the stage"] },
  {
    keys: ["y"],
    help: ["Y", "code for phones"],
    there: onServer,
    run: ({ standing }) => standing.present.join.toggle(),
  },
  { help: ["Shift N", "your notes in another window"], there: onServer },
  {
    keys: ["v"],
    help: ["V", "full screen, or not"],
    run: ({ standing }) => standing.present.fillScreen(!standing.present.full),
  },
  {
    keys: ["Escape"],
    help: ["Esc", "close one thing; with nothing open, stop presenting"],
    run: ({ standing }) => standing.present.endOne(),
  },
  { help: ["W", "stop presenting"] },
];

/**
 * What a key does on the stage; undefined where that is the board's.
 *
 * @param {Stage} stage
 * @param {string} key
 */
export const stageAction = (stage, key) =>
  ON_STAGE.find(({ keys = [], there = always }) => keys.includes(key) && there(stage));

/**
 * The help of the stage: what keys do in this lecture and on this page, and no others; what asks
 * the class says first what keys do there.
 *
 * @param {Stage} stage
 */
export const helpOfStage = (stage) => [
  ...stage.player.modes.all("keysOnStage").flat(),
  ...ON_STAGE.filter(({ help, there = always, listed = there }) => help && listed(stage)).map(
    ({ help }) => help,
  ),
];

/**
 * What the help of the board says of some keys of the stage: of each its first row.
 *
 * @param {string[]} keys
 * @returns {Action["help"]}
 */
function inOneRow(keys) {
  const rows = keys.map((key) => ON_STAGE.find(({ help }) => help?.[0].split(" ")[0] === key));
  const [shownKeys, words] = [0, 1].map((part) => rows.map(({ help }) => help[part]).join(" · "));
  return [shownKeys, `presenting: ${words}`];
}

/** Rows of the help of the board. @type {Pick<Action, "help" | "group" | "needs">[]} */
export const ABOUT_STAGE = [
  { help: inOneRow(["X", "Y", "Backspace"]), group: "share", needs: "server" },
  { help: inOneRow(["J", "L", "."]), group: "share" },
  { help: inOneRow(["G", "T"]), group: "share", needs: "server" },
  { help: inOneRow(["K"]), group: "share", needs: "server" },
];
