// The keyboard: one table of keys, one list of those who take them, one listener on the document.

import { placeOf } from "../model/account.js";
import { number } from "../model/words.js";

/** @import { Capabilities, Player } from "../model/player.js" */
/** @import { Stage } from "../shell/stage.js" */

/** @typedef {(stage: Stage) => void} Action */

const EDIT = "edit: click adds (Shift: the other class), drag moves, right click removes";
const TAKEN = "take home: Python, notebook, tables, code for phones / picture, storyboard, film, page";
const KNOBS = "presenting a lesson: turn its two numbers (Shift: back) · linear or Gaussian kernel";

/** @type {(grain: "example" | "mistake" | "epoch", by: 1 | -1) => Action} */
const step = (grain, by) => (stage) => stage.player.cursor.step(grain, by);

/** How fast it plays, which is said: the button and the slider say it themselves. @type {(change: (player: Player) => void) => Action} */
const paced =
  (change) =>
  ({ player, spoken }) => {
    change(player);
    const { slow, rate } = player.clock;
    spoken.say(slow ? "Slow motion" : `${number(rate)} examples a second`);
  };

/** @type {(name: "panels" | "preferences" | "help") => Action} */
const menu = (name) => (stage) => stage.actions.menu(name);

/** @type {(name: string) => Action} */
const send = (name) => (stage) => stage.actions.send(name);

/** What a button does. @type {(name: string) => Action} */
const press = (name) => (stage) => stage.actions.press(name);

/** @type {(name: "data" | "kernel" | "learner" | "compare") => Action} */
const settings = (name) => (stage) => stage.dock?.show(name);

/**
 * What a key needs on its page, or it does nothing. `change`: a server, since it changes data, settings or notes; such keys
 * are off in front of a class.
 *
 * @type {Record<string, (capabilities: Capabilities) => boolean>}
 */
const NEEDS = {
  server: ({ server }) => server,
  change: ({ server }) => server,
  links: ({ links }) => links,
  similar: ({ panels }) => panels.includes("similar"),
};

/**
 * Each row: the keys, what they do in words, their names, the action on the stage, and what they need. Rows without words go
 * with the one above.
 *
 * @type {[string | null, string | null, string[], Action, (keyof typeof NEEDS)?][]}
 */
export const KEYS = [
  ["→ / ←", "next / previous example", ["ArrowRight"], step("example", 1)],
  [null, null, ["ArrowLeft"], step("example", -1)],
  [
    "PageDown / PageUp",
    "next / previous mistake or update (Shift → / ←)",
    ["Shift+ArrowRight", "PageDown"],
    step("mistake", 1),
  ],
  [null, null, ["Shift+ArrowLeft", "PageUp"], step("mistake", -1)],
  ["↓ / ↑", "next / previous epoch; of a stream: hundred", ["ArrowDown"], step("epoch", 1)],
  [null, null, ["ArrowUp"], step("epoch", -1)],
  ["Home / End", "start / end", ["Home"], ({ player }) => player.cursor.go(0)],
  [null, null, ["End"], ({ player }) => player.cursor.go(Infinity)],
  ["Space", "play or pause", [" "], ({ player }) => player.cursor.toggle()],
  ["F / S", "faster / slower", ["f"], paced(({ cursor }) => cursor.faster(1.5))],
  [null, null, ["s"], paced(({ cursor }) => cursor.faster(1 / 1.5))],
  ["M / V", "slow motion / full screen", ["m"], paced(({ cursor }) => cursor.toggleSlow())],
  [null, null, ["v"], ({ actions }) => actions.fullScreen()],
  ["H", "panels", ["h"], menu("panels")],
  ["9 / 0", "panels that need several pages: previous / next page", ["0"], ({ actions }) => actions.turnPage(1)],
  [null, null, ["9"], ({ actions }) => actions.turnPage(-1)],
  ["D / K", "next data set / kernel", ["d"], send("data"), "change"],
  [null, null, ["k"], send("kernel"), "change"],
  ["G / Shift G", "kernel wider / narrower", ["g"], send("wider"), "change"],
  [null, null, ["Shift+g"], send("narrower"), "change"],
  ["N / O", "new data / new order", ["n"], send("redraw"), "change"],
  [null, null, ["o"], send("reorder"), "change"],
  ["1", "this example is shown first", ["1"], ({ reorder }) => reorder.first(), "change"],
  ["Shift D · K · L · S", "settings: data · kernel · learner · compare", ["Shift+d"], settings("data"), "change"],
  [null, null, ["Shift+k"], settings("kernel"), "change"],
  [null, null, ["Shift+l"], settings("learner"), "change"],
  [null, null, ["Shift+s"], settings("compare"), "change"],
  ["T", "sliders for the numbers, the picture follows", ["t"], ({ dock }) => dock?.turn(), "change"],
  ["Z / Shift Z", "undo / redo", ["z"], ({ actions }) => actions.undo("undo"), "change"],
  [null, null, ["Shift+z"], ({ actions }) => actions.undo("redo"), "change"],
  ["Shift E", EDIT, ["Shift+e"], ({ editor }) => editor.toggle(), "change"],
  ["X / B", "edit: the other class / brush", ["x"], ({ editor }) => editor.toggleLabel(), "change"],
  [null, null, ["b"], ({ editor }) => editor.toggleBrush(), "change"],
  [
    "L / Delete",
    "edit: flip the nearest label / remove the point",
    ["l"],
    ({ editor }) => editor.atSpot("flip"),
    "change",
  ],
  [null, null, ["Delete", "Backspace"], ({ editor }) => editor.atSpot("remove"), "change"],
  [
    "E",
    "k(x, ·) of one example on the map, or f again",
    ["e"],
    ({ actions }) => actions.turnOver("similar"),
    "similar",
  ],
  ["4 6 · 8 2 · 5", "turn · tilt · turn back the space of the lift", ["4"], ({ turning }) => turning.key(-1, 0)],
  [null, null, ["6"], ({ turning }) => turning.key(1, 0)],
  [null, null, ["8"], ({ turning }) => turning.key(0, 1)],
  [null, null, ["2"], ({ turning }) => turning.key(0, -1)],
  [null, null, ["5"], ({ turning }) => turning.key(0, 0)],
  ["P / Shift P", "pin this run beside / unpin all", ["p"], send("pin"), "change"],
  [null, null, ["Shift+p"], send("unpin"), "change"],
  ["Q", "predict: then ← −1, → +1, or a range 1 to 4", ["q"], ({ player }) => player.cursor.togglePredict()],
  ["A / I", TAKEN, ["a"], send("take home"), "change"],
  [null, null, ["i"], send("picture"), "change"],
  ["Y", "copy the link to this instant", ["y"], ({ actions }) => actions.copyLink(), "links"],
  [
    "U / Shift U",
    "set or change a cue of your lecture here / all cues as text",
    ["u"],
    ({ cueBox }) => cueBox.show(),
    "server",
  ],
  [null, null, ["Shift+u"], send("lecture"), "change"],
  ["Shift N", "a window with your notes and the next cue", ["Shift+n"], ({ notes }) => notes.open(), "server"],
  ["W", "present to a class", ["w"], ({ present }) => present.toggle()],
  [
    "J · L · .",
    "presenting: shape of the stage · light at the pointer · blank",
    ["j"],
    ({ present }) => present.cycle(),
  ],
  ["G · T · K", KNOBS, ["Shift+t"], ({ lesson }) => lesson?.sayKnobs(), "server"],
  [
    "Shift I",
    "say where this is: step, epoch, mistakes",
    ["Shift+i"],
    ({ player }) => player.page.say(placeOf(player)),
  ],
  ["Esc", "close, unpin what is pinned; on a button: to the board", ["Escape"], ({ actions }) => actions.escape()],
  [",", "preferences: patterns, flashing, what is spoken, keys", [","], menu("preferences")],
  ["?", "all keys and marks", ["?", "Shift+?"], menu("help")],
];

/** On Fisher's page. @type {typeof KEYS} */
const FISHER_KEYS = [
  ["→ / ←", "turn F by 1°", ["ArrowRight"], step("example", 1)],
  [null, null, ["ArrowLeft"], step("example", -1)],
  ["Shift → / ← or PageDown / Up", "turn F by 10°", ["Shift+ArrowRight", "PageDown"], step("mistake", 1)],
  [null, null, ["Shift+ArrowLeft", "PageUp"], step("mistake", -1)],
  ["End or B", "the best direction", ["End", "b"], press("best")],
  ["Home", "between the means, or the second direction", ["Home"], press("other")],
  ["Space", "let F turn by itself, or stop", [" "], press("play")],
  ["↑ / ↓", "move the threshold", ["ArrowUp"], press("raise")],
  [null, null, ["ArrowDown"], press("lower")],
  ["T", "the threshold back to the middle", ["t"], press("cut")],
  ["D / N", "next data set / new data", ["d"], send("data")],
  [null, null, ["n"], send("redraw")],
  ["V / Shift D", "full screen / settings: data", ["v"], press("full")],
  [null, null, ["Shift+d"], settings("data")],
  ["Shift I", "say where F points", ["Shift+i"], ({ player }) => player.page.say(placeOf(player))],
];
const SHARED = new Set(["0", "9", "z", "Shift+z", "y", "Escape", ",", "?"]); // with the player

// What a key does again and again while it is held; any other does it once, or what it switches would flash.
const HELD = /^(Arrow|Page)|^(f|s|g|2|4|6|8)$/;
const ANYWHERE = new Set(["PageDown", "PageUp"]);
const SCROLLED = "textarea, [role=dialog]:not(.tour)"; // where these are for reading
const CLOSES = new Set(["Escape", "?"]); // the help, in which all other keys are for reading
const TYPING =
  "input:not([type=checkbox]):not([type=radio]):not([type=button]):not([type=range]), textarea, select, [contenteditable=true]";
const OWN_KEYS =
  "[role=slider], [role=listbox], [role=option], [role=combobox], [role=menu], [role=menuitem], [role=radiogroup], [role=dialog]:not(.help, .tour), [role=tablist], input[type=radio], input[type=range]";
const DOCK = ".dock, .chooser"; // what is beside the map: Esc closes it and nothing else
const CHOOSER = ".chooser"; // in which arrows go from panel to panel
const WALKS = new Set(["ArrowDown", "ArrowUp", "Home", "End"]);
const SCENE = ".lesson .scene"; // which the same keys scroll, and Space
const BUTTONS = ".bar *, .tools *, .pager *"; // from which Esc leads to the board
const CUE = ".menu.cue"; // the box in which one writes: no key typed there moves the player

/** The rows whose keys do something. @param {Capabilities} capabilities */
export const keysFor = (capabilities) =>
  capabilities.fisher
    ? [...FISHER_KEYS, ...KEYS.filter(([, , [key]]) => SHARED.has(key))]
    : KEYS.filter(([, , , , needs]) => !needs || NEEDS[needs](capabilities));

const LEFT = "left"; // to the browser, which nobody keeps from it

/**
 * Who may take a key, in this order: true where one has taken it, LEFT where nobody after it may.
 *
 * @type {((stage: Stage, press: { event: KeyboardEvent, name: string, shift: boolean }, rows: Map<string, (typeof KEYS)[number]>) => boolean | "left" | "")[]}
 */
const MODES = [
  ({ tour }, { event, name }) => tour.key(event, name),
  onBoard,
  ({ controls }, { name }) => (!controls.hears(name) || (!controls.menus.help.hidden && !CLOSES.has(name))) && LEFT,
  (_, { event, name }) => !allowed(event, name) && LEFT,
  ({ predicting }, { name, shift }) => !shift && predicting.key(name),
  ({ present }, { name, shift }) => present.key(name, shift),
  fromTable,
];

/** Listen on the document; return a function that stops. @param {Stage} stage */
export function listen(stage) {
  const rows = new Map(keysFor(stage.player.capabilities).flatMap((row) => row[2].map((key) => [key, row])));
  const onKey = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    let taken;
    for (const mode of MODES) if ((taken = mode(stage, { event, name, shift: event.shiftKey }, rows))) break;
    if (!taken || taken === LEFT) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // Streamlit has keys of its own
  };
  const onPointerUp = (event) => {
    const path = event.composedPath(); // later it is empty
    setTimeout(() => giveBack(path), 0);
  };
  document.addEventListener("keydown", onKey, { capture: true });
  document.addEventListener("pointerup", onPointerUp, { capture: true });
  return () => {
    document.removeEventListener("keydown", onKey, { capture: true });
    document.removeEventListener("pointerup", onPointerUp, { capture: true });
  };
}

/**
 * A key that moves the editor's cursor or goes from object to object, while the canvas or a panel on it has the focus; or that
 * leads there.
 *
 * @type {(typeof MODES)[number]}
 */
function onBoard({ canvas, editor, walk, objects, actions }, { event, name, shift }) {
  const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
  if (name === "Escape" && target.matches?.(BUTTONS) && !actions.closes) {
    canvas.focus();
    return true;
  }
  if (target !== canvas) return !shift && objects.key(target, name);
  return editor.key(name, shift) || walk.key(name, shift);
}

/** A key of the table; Escape is the browser's and the page's, too. @type {(typeof MODES)[number]} */
function fromTable(stage, { event, name, shift }, rows) {
  const key = shift ? `Shift+${name}` : name;
  const [, , , action, needs] = rows.get(key) ?? [];
  if (!action) return false;
  if (needs === "change" && stage.present.on) stage.say("Off while presenting: W ends it.");
  else if (!event.repeat || HELD.test(name)) action(stage);
  return name === "Escape" ? LEFT : true;
}

function allowed(event, name) {
  const path = event.composedPath().filter((node) => node instanceof Element);
  if (path.some((node) => node.matches(CUE))) return false;
  if (name === "Escape" && path.some((node) => node.matches(DOCK))) return false;
  if (WALKS.has(name) && path.some((node) => node.matches(CHOOSER))) return false;
  if (ANYWHERE.has(name)) return !path.some((node) => node.matches(SCROLLED));
  const focused = path[0];
  const long = focused?.matches(SCENE) && focused.scrollHeight > focused.clientHeight;
  if (long && (WALKS.has(name) || name === " ")) return false;
  if (!focused) return true;
  if (focused.matches(TYPING) || path.some((node) => node.matches(OWN_KEYS))) return false;
  const pressed = focused.matches("button, a, summary, [role=button], input[type=checkbox]");
  return !(pressed && (name === " " || name === "Enter"));
}

/** A setting changed by pointer gives the focus back, unless one types in it; so do the others, but not a group just opened. */
function giveBack(path) {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (!active || active === document.body || active.matches(TYPING) || active.closest(CUE)) return;
  if (active.closest(DOCK) && !path.some((node) => node instanceof Element && node.matches(DOCK))) return;
  if (path.includes(active) || active.matches("[role=slider], input, button")) {
    /** @type {HTMLElement} */ (active).blur();
  }
}
