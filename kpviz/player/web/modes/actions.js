// What one can do: the tables of actions, read once. Keys, buttons with their tips, the help and
// the reference of keys come from them.

import { ON_BOARD } from "./board_actions.js";
import { ON_FISHER } from "./fisher_actions.js";
import { ABOUT_STAGE } from "./present_actions.js";

/** @import { Capabilities, Player } from "../board/player.js" */
/** @import { Stage } from "../page/stage.js" */

/**
 * One thing to do. `keys`: those that do it, the first of them in its tip. `label`: what its button
 * says, by the state where that changes it; `tip`: in place of that in the tip. `help`: the keys,
 * and what they do in words, of a row of the help, which is one for all actions that follow without
 * help; `group`: where that row stands. `needs`: what the page must have, or the action is not
 * there. `early`: also before there is a run. `held`: again and again while the key is held, any
 * other does it once, or what it switches would flash. `pressed`, `disabled`, `hidden`: whether its
 * button is that. `told`: what is said when a key did it, since a button and a slider say it
 * themselves. What has no `run` the server does.
 *
 * @typedef {object} Action
 * @property {string} name
 * @property {string[]} [keys]
 * @property {string | ((player: Player) => string)} [label]
 * @property {string | ((player: Player) => string)} [tip]
 * @property {[keys: string, words: string]} [help]
 * @property {"often" | "play" | "settings" | "share" | "besides"} [group]
 * @property {"server" | "links" | "similar"} [needs]
 * @property {boolean} [early]
 * @property {boolean} [held]
 * @property {(player: Player) => boolean} [pressed]
 * @property {(player: Player) => boolean} [disabled]
 * @property {(player: Player) => boolean} [hidden]
 * @property {(player: Player) => string} [told]
 * @property {(stage: Stage) => void} [run]
 */

/** The groups of the help, and what they are called there. */
export const GROUPS = {
  often: "Most used",
  play: "Play",
  settings: "Settings and points",
  share: "Present and share",
  besides: "Other",
};

/** @type {Record<string, (capabilities: Capabilities) => boolean>} */
const NEEDS = {
  server: ({ server }) => server,
  links: ({ links }) => links,
  similar: ({ panels }) => panels.includes("similar"),
};

/** @type {(capabilities: Capabilities) => (row: Pick<Action, "needs">) => boolean} */
const isThere =
  (capabilities) =>
  ({ needs }) =>
    !needs || NEEDS[needs](capabilities);

/** The actions of a page. @param {Capabilities} capabilities */
export const actionsOf = (capabilities) =>
  (capabilities.page === "fisher" ? ON_FISHER : ON_BOARD).filter(isThere(capabilities));

/** @param {Action[]} actions @returns {Map<string, Action>} */
const byName = (actions) => new Map(actions.map((action) => [action.name, action]));

/** The actions by their names; a page has its own in place of those of the board. */
export const ACTIONS = { play: byName(ON_BOARD), fisher: byName([...ON_BOARD, ...ON_FISHER]) };

/**
 * The actions of a page by the keys that do them.
 *
 * @param {Capabilities} capabilities
 * @returns {Map<string, Action>}
 */
export const actionsByKey = (capabilities) =>
  new Map(
    actionsOf(capabilities).flatMap((action) => (action.keys ?? []).map((key) => [key, action])),
  );

// ---- buttons -----------------------------------------------------------------------------------

const SIGNS = { ArrowRight: "→", ArrowLeft: "←", ArrowDown: "↓", ArrowUp: "↑", " ": "Space" };

/** How a key is written: `Shift+e` as Shift E. @param {string} key */
const written = (key) =>
  key
    .split("+")
    .map((part) => SIGNS[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(" ");

const textOf = (text, player) => (typeof text === "function" ? text(player) : text);

/** What the button of an action says. @param {Action} action @param {Player} player */
export const labelOf = ({ label }, player) => textOf(label, player);

/**
 * What it is called where one points at it: with its key.
 *
 * @param {Action} action
 * @param {Player} player
 */
export function tipOf({ keys, label, tip = label }, player) {
  const words = textOf(tip, player);
  return keys ? `${words} (${keyOf({ keys })})` : words;
}

/** The first of its keys, as it is written; "" for none. @param {Pick<Action, "keys">} action */
export const keyOf = ({ keys }) => (keys ? written(keys[0]) : "");

// ---- the help, and the reference of keys -------------------------------------------------------

/**
 * The rows of a help by their groups, the empty ones left out.
 *
 * @param {Pick<Action, "help" | "group">[]} told
 */
const inGroups = (told) =>
  Object.entries(GROUPS)
    .map(([name, title]) => ({
      title,
      often: name === "often",
      rows: told.filter(({ group }) => group === name).map(({ help }) => help),
    }))
    .filter(({ rows }) => rows.length);

/** The help of a page. @param {Capabilities} capabilities */
export const helpOf = (capabilities) =>
  inGroups([...actionsOf(capabilities), ...ABOUT_STAGE.filter(isThere(capabilities))]);

/**
 * All keys, as the documentation lists them: those of the board, and what is another on Fisher’s
 * page.
 */
export function referenceOfKeys() {
  const onBoard = new Set(ON_BOARD.map(({ help }) => help));
  const onFisher = ON_FISHER.map(({ help }) => help).filter((help) => help && !onBoard.has(help));
  return { board: inGroups([...ON_BOARD, ...ABOUT_STAGE]), fisher: onFisher };
}
