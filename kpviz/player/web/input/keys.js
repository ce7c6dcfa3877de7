// The keyboard: the keys of the board and of Fisher’s page, who takes a key first, one listener on the document.

/** @import { Capabilities } from "../model/player.js" */
/** @import { Stage } from "../shell/stage.js" */

const EDIT = "edit: click adds (Shift: the other class), drag moves, right click removes";
const TAKEN = "export: Python, notebook, tables / image, video, web page, QR code";
const KNOBS = "presenting: turn two numbers (Shift: back) · linear or Gaussian kernel";
const LESSON = "presenting: words of the scene · code for phones · back to the scene’s own settings and panels";

const BY_MISTAKE = {
  "Shift+ArrowRight": "next-mistake",
  PageDown: "next-mistake",
  "Shift+ArrowLeft": "back-mistake",
  PageUp: "back-mistake",
};
const SETTINGS = {
  "Shift+d": "settings-data",
  "Shift+k": "settings-kernel",
  "Shift+l": "settings-learner",
  "Shift+s": "settings-compare",
};
const LIFT = { 4: "turn-left", 6: "turn-right", 8: "tilt-up", 2: "tilt-down", 5: "turn-home" };

/** What a key needs on its page, or it does nothing. @type {Record<string, (capabilities: Capabilities) => boolean>} */
const NEEDS = {
  server: ({ server }) => server,
  links: ({ links }) => links,
  similar: ({ panels }) => panels.includes("similar"),
};

/**
 * Each row: the keys and what they do in words, as the help has them, their actions (`Actions.press`) by names of keys, and
 * what they need.
 *
 * @type {[string, string, Record<string, string>, (keyof typeof NEEDS)?][]}
 */
export const KEYS = [
  ["→ / ←", "next / previous example", { ArrowRight: "next-example", ArrowLeft: "back-example" }],
  ["PageDown / PageUp", "next / previous mistake or update (Shift → / ←)", BY_MISTAKE],
  ["↓ / ↑", "next / previous epoch; of a stream: hundred", { ArrowDown: "next-epoch", ArrowUp: "back-epoch" }],
  ["Home / End", "start / end", { Home: "start", End: "end" }],
  ["Space", "play or pause", { " ": "play" }],
  ["F / S", "faster / slower", { f: "faster", s: "slower" }],
  ["M / V", "slow motion / full screen", { m: "slow", v: "full" }],
  ["H", "panels", { h: "panels" }],
  ["9 / 0", "panels that need several pages: previous / next page", { 9: "page-back", 0: "page-on" }],
  ["D / K", "next data set / kernel", { d: "data", k: "kernel" }, "server"],
  ["G / Shift G", "kernel wider / narrower", { g: "wider", "Shift+g": "narrower" }, "server"],
  ["N / O", "new data / new order", { n: "redraw", o: "reorder" }, "server"],
  ["1", "this example is shown first", { 1: "first" }, "server"],
  ["Shift D · K · L · S", "settings: data · kernel · learner · compare", SETTINGS, "server"],
  ["T", "sliders for the numbers, the picture follows", { t: "tune" }, "server"],
  ["Z / Shift Z", "undo / redo", { z: "undo", "Shift+z": "redo" }, "server"],
  ["Shift E", EDIT, { "Shift+e": "edit" }, "server"],
  ["X / B", "edit: the other class / brush", { x: "label", b: "brush" }, "server"],
  [
    "L / Delete",
    "edit: flip the nearest label / remove the point",
    { l: "flip", Delete: "remove", Backspace: "remove" },
    "server",
  ],
  ["E", "k(x, ·) of one example on the map, or f again", { e: "similar" }, "similar"],
  ["4 6 · 8 2 · 5", "turn · tilt · turn back the space of the lift", LIFT],
  ["P / Shift P", "pin this run beside / unpin all", { p: "pin", "Shift+p": "unpin" }, "server"],
  ["Q", "predict: then ← −1, → +1, or a range 1 to 4", { q: "predict" }],
  ["A / I", TAKEN, { a: "home", i: "picture" }, "server"],
  ["Y", "copy the link to this instant", { y: "link" }, "links"],
  ["U / Shift U", "set or change a cue of your lecture here / all cues as text", { u: "cue" }, "server"],
  ["", "", { "Shift+u": "cues" }, "server"],
  ["Shift N", "a window with your notes and the next cue", { "Shift+n": "notes" }, "server"],
  ["W", "present to a class", { w: "present" }],
  ["X · Y · Backspace", LESSON, {}, "server"],
  ["J · L · .", "presenting: shape of the stage · light at the pointer · blank", { j: "shape" }],
  ["G · T · K", KNOBS, {}, "server"],
  ["Shift I", "say where this is: step, epoch, mistakes", { "Shift+i": "place" }],
  ["Esc", "close one thing, the topmost; on a button: to the board", { Escape: "escape" }],
  [",", "preferences: patterns, flashing, what is spoken, keys", { ",": "preferences" }],
  ["?", "all keys and marks", { "?": "help", "Shift+?": "help" }],
];

/** On Fisher's page. @type {typeof KEYS} */
const FISHER_KEYS = [
  ["→ / ←", "turn F by 1°", { ArrowRight: "next-example", ArrowLeft: "back-example" }],
  ["Shift → / ← or PageDown / Up", "turn F by 10°", BY_MISTAKE],
  ["End or B", "the best direction", { End: "best", b: "best" }],
  ["Home", "between the means, or the second direction", { Home: "other" }],
  ["Space", "let F turn by itself, or stop", { " ": "play" }],
  ["↑ / ↓", "move the threshold", { ArrowUp: "raise", ArrowDown: "lower" }],
  ["T", "the threshold back to the middle", { t: "cut" }],
  ["D / N", "next data set / new data", { d: "data", n: "redraw" }],
  ["V / Shift D", "full screen / settings: data", { v: "full", "Shift+d": "settings-data" }],
  ["Shift I", "say where F points", { "Shift+i": "place" }],
];
const SHARED = ["9 / 0", "Z / Shift Z", "Y", "Shift N", "W", "Esc", ",", "?"]; // with the player
const PACE = ["faster", "slower", "slow"]; // what is said when a key does it: the button and the slider say it themselves

// What a key does again and again while it is held; any other does it once, or what it switches would flash.
const HELD = /^(Arrow|Page)|^(f|s|g|2|4|6|8)$/;
const ANYWHERE = new Set(["PageDown", "PageUp"]);
const SCROLLED = "textarea, [role=dialog]"; // where these are for reading
const CLOSES = new Set(["Escape", "?"]); // the help, in which all other keys are for reading
const TYPING =
  "input:not([type=checkbox]):not([type=radio]):not([type=button]):not([type=range]), textarea, select, [contenteditable=true]";
const OWN_KEYS =
  "[role=slider], [role=listbox], [role=option], [role=combobox], [role=menu], [role=menuitem], [role=radiogroup], [role=dialog]:not(.help), [role=tablist], input[type=radio], input[type=range]";
const TURNED = "input[type=radio], input[type=range]"; // nothing can be typed there: keys with Shift are free, and these
const FREE = new Set(["z", "Escape"]);
const MOVES = /^(Arrow|Home|End|Tab|Enter| )/;
const DOCK = ".dock, .chooser"; // what is beside the map: Esc closes it and nothing else
const DIALOG = "[role=dialog]:not(.menu, .explained)"; // Streamlit's
const POPOVER = ".popover"; // whose own are the keys that walk in it and close it
const CHOOSER = ".chooser"; // in which arrows go from panel to panel
const WALKS = new Set(["ArrowDown", "ArrowUp", "Home", "End"]);
const SCENE = ".lesson .scene"; // which the same keys scroll, and Space
const BUTTONS = ".bar *, .tools *, .pager *, .topbar *"; // from which Esc leads to the board
const CUE = ".menu.cue"; // the box in which one writes: no key typed there moves the player

/** How many steps a second, in words. */
export const paceOf = (rate) => rate.toFixed(rate < 1 ? 2 : rate < 10 ? 1 : 0);

/** The rows whose keys do something. @param {Capabilities} capabilities */
export const keysFor = (capabilities) =>
  capabilities.fisher
    ? [...FISHER_KEYS, ...KEYS.filter(([shown]) => SHARED.includes(shown))]
    : KEYS.filter(([, , , needs]) => !needs || NEEDS[needs](capabilities));

/** What is pressed most. */
export const OFTEN = [
  "→ / ←",
  "PageDown / PageUp",
  "Home / End",
  "Space",
  "D / K",
  "G / Shift G",
  "Z / Shift Z",
  "Q",
  "W",
  "Esc",
];

/** The others, by what one does; what is in no list comes last. @type {Record<string, string[]>} */
const BY_TASK = {
  Play: ["↓ / ↑", "F / S", "M / V", "H", "9 / 0", "E", "4 6 · 8 2 · 5", "P / Shift P"],
  "Settings and points": ["Shift D · K · L · S", "T", "N / O", "1", "Shift E", "X / B", "L / Delete"],
  "Present and share": ["U / Shift U", "Shift N", "J · L · .", "G · T · K", "A / I", "Y"],
  "And besides": [],
};

/** The rows of the help that are pressed less often, by what one does. @param {Capabilities} capabilities */
export function seldomFor(capabilities) {
  const others = keysFor(capabilities).filter(([shown]) => shown && !OFTEN.includes(shown));
  const listed = Object.values(BY_TASK).flat();
  return Object.entries(BY_TASK)
    .map(([task, names]) => ({
      task,
      rows: others.filter(([shown]) => (names.length ? names.includes(shown) : !listed.includes(shown))),
    }))
    .filter(({ rows }) => rows.length);
}

const LEFT = "left"; // to the browser, which nobody keeps from it

/**
 * Who may take a key, in this order: true where one has taken it, LEFT where nobody after it may.
 *
 * @type {((stage: Stage, press: { event: KeyboardEvent, name: string, shift: boolean }, rows: Map<string, string>) => boolean | "left" | "")[]}
 */
const MODES = [
  underDialog,
  ({ minute }, { event, name }) => minute.key(event, name),
  ({ player }) => !player.run && LEFT, // nothing to move yet
  onBoard,
  ({ controls }, { name }) => (!controls.hears(name) || (!controls.menus.help.hidden && !CLOSES.has(name))) && LEFT,
  (_, { event, name }) => !allowed(event, name) && LEFT,
  ({ predicting }, { name, shift }) => !shift && predicting.key(name),
  ({ present }, { name, shift }) => present.key(name, shift),
  fromTable,
];

/** Listen on the document; return a function that stops. @param {Stage} stage */
export function listen(stage) {
  const rows = new Map();
  for (const [, , keys] of keysFor(stage.player.capabilities)) {
    for (const [key, action] of Object.entries(keys)) rows.set(key, action);
  }
  const onKey = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    let taken;
    for (const mode of MODES) if ((taken = mode(stage, { event, name, shift: event.shiftKey }, rows))) break;
    if (!taken || taken === LEFT) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // Streamlit has keys of its own
  };
  const controller = new AbortController();
  const options = { capture: true, signal: controller.signal };
  document.addEventListener("keydown", onKey, options);
  const onPointerUp = (event) => {
    const path = event.composedPath(); // later it is empty
    setTimeout(() => giveBack(path), 0);
  };
  document.addEventListener("pointerup", onPointerUp, options);
  return () => controller.abort();
}

/**
 * A key while a dialog of Streamlit's has lost the focus, as it does when the button that had it is off for a moment:
 * nothing moves under it, and Escape closes it.
 *
 * @type {(typeof MODES)[number]}
 */
function underDialog(_, { event, name }) {
  const dialog = event.target === document.body ? document.querySelector(DIALOG) : null;
  if (dialog && name === "Escape") /** @type {HTMLElement} */ (dialog.querySelector("[aria-label=Close]")).click();
  return dialog && LEFT;
}

/**
 * A key that moves the editor's cursor or goes from object to object, while the canvas or a panel on it has the focus; or that
 * leads there.
 *
 * @type {(typeof MODES)[number]}
 */
function onBoard({ canvas, editor, walk, objects, actions }, { event, name, shift }) {
  const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
  if (name === "Escape" && target.matches?.(BUTTONS) && !target.matches(TYPING) && !actions.closes) {
    canvas.focus();
    return true;
  }
  if (target !== canvas) return !shift && objects.key(target, name);
  return editor.key(name, shift) || walk.key(name, shift);
}

/** A key of the table; Escape is the browser's and the page's, too. @type {(typeof MODES)[number]} */
function fromTable(stage, { event, name, shift }, rows) {
  const key = shift ? `Shift+${name}` : name;
  const action = rows.get(key);
  if (!action) return false;
  const { actions, player, spoken } = stage;
  if (!event.repeat || HELD.test(name)) actions.press(action);
  const { slow, rate } = player.clock;
  if (PACE.includes(action)) spoken.say(slow ? "Slow motion" : `${paceOf(rate)} examples a second`);
  return name === "Escape" ? LEFT : true;
}

function allowed(event, name) {
  const path = event.composedPath().filter((node) => node instanceof Element);
  if (path.some((node) => node.matches(CUE))) return false;
  if (name === "Escape" && path.some((node) => node.matches(`${DOCK}, ${POPOVER}`))) return false;
  if (WALKS.has(name) && path.some((node) => node.matches(`${CHOOSER}, ${POPOVER}`))) return false;
  if (ANYWHERE.has(name)) return !path.some((node) => node.matches(SCROLLED));
  const focused = path[0];
  const long = focused?.matches(SCENE) && focused.scrollHeight > focused.clientHeight;
  if (long && (WALKS.has(name) || name === " ")) return false;
  if (!focused) return true;
  if (focused.matches(TURNED)) return (event.shiftKey && !MOVES.test(name)) || FREE.has(name);
  if (focused.matches(TYPING) || path.some((node) => node.matches(OWN_KEYS))) return false;
  const pressed = focused.matches("button, a, summary, [role=button], input[type=checkbox]");
  return !(pressed && (name === " " || name === "Enter"));
}

/** A setting changed by pointer gives the focus back, unless one types in it; so do the others, but not a group just opened. */
function giveBack(path) {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (!active || active === document.body || active.matches(TYPING) || active.closest(`${CUE}, ${DIALOG}`)) return;
  if (active.closest(DOCK) && !path.some((node) => node instanceof Element && node.matches(DOCK))) return;
  if (path.includes(active) || active.matches("[role=slider], input, button")) {
    /** @type {HTMLElement} */ (active).blur();
  }
}
