// The keyboard: one table, one listener on the document.

import { placeOf } from "../model/account.js";
import { number } from "../model/words.js";

/** @import { Capabilities } from "../model/capabilities.js" */
/** @import { Stage } from "../shell/stage.js" */

/**
 * Each row: the keys, what they do in words, their names, and the action on the stage. Rows without words go with the one above.
 *
 * @type {[string | null, string | null, string[], (stage: Stage) => void][]}
 */
export const KEYS = [
  ["→ / ←", "next / previous example", ["ArrowRight"], ({ player }) => player.cursor.step("example", 1)],
  [null, null, ["ArrowLeft"], ({ player }) => player.cursor.step("example", -1)],
  [
    "PageDown / PageUp",
    "next / previous mistake or update (Shift → / ←)",
    ["Shift+ArrowRight", "PageDown"],
    ({ player }) => player.cursor.step("mistake", 1),
  ],
  [null, null, ["Shift+ArrowLeft", "PageUp"], ({ player }) => player.cursor.step("mistake", -1)],
  [
    "↓ / ↑",
    "next / previous epoch; of a stream: hundred",
    ["ArrowDown"],
    ({ player }) => player.cursor.step("epoch", 1),
  ],
  [null, null, ["ArrowUp"], ({ player }) => player.cursor.step("epoch", -1)],
  ["Home / End", "start / end", ["Home"], ({ player }) => player.cursor.go(0)],
  [null, null, ["End"], ({ player }) => player.cursor.go(Infinity)],
  ["Space", "play or pause", [" "], ({ player }) => player.cursor.toggle()],
  ["F / S", "faster / slower", ["f"], (stage) => paced(stage, () => stage.player.cursor.faster(1.5))],
  [null, null, ["s"], (stage) => paced(stage, () => stage.player.cursor.faster(1 / 1.5))],
  ["M / V", "slow motion / full screen", ["m"], (stage) => paced(stage, () => stage.player.cursor.toggleSlow())],
  [null, null, ["v"], ({ actions }) => actions.fullScreen()],
  ["H", "panels", ["h"], ({ actions }) => actions.menu("panels")],
  ["9 / 0", "panels that need several pages: previous / next page", ["0"], ({ actions }) => actions.turnPage(1)],
  [null, null, ["9"], ({ actions }) => actions.turnPage(-1)],
  ["D / K", "next data set / kernel", ["d"], ({ actions }) => actions.send("data")],
  [null, null, ["k"], ({ actions }) => actions.send("kernel")],
  ["G / Shift G", "kernel wider / narrower", ["g"], ({ actions }) => actions.send("wider")],
  [null, null, ["Shift+g"], ({ actions }) => actions.send("narrower")],
  ["N / O", "new data / new order", ["n"], ({ actions }) => actions.send("redraw")],
  [null, null, ["o"], ({ actions }) => actions.send("reorder")],
  ["1", "this example is shown first", ["1"], ({ reorder }) => reorder.first()],
  ["Shift D · K · L · S", "settings: data · kernel · learner · compare", ["Shift+d"], ({ dock }) => dock?.show("data")],
  [null, null, ["Shift+k"], ({ dock }) => dock?.show("kernel")],
  [null, null, ["Shift+l"], ({ dock }) => dock?.show("learner")],
  [null, null, ["Shift+s"], ({ dock }) => dock?.show("compare")],
  ["T", "sliders for the numbers, the picture follows", ["t"], ({ dock }) => dock?.turn()],
  ["Z / Shift Z", "undo / redo", ["z"], ({ actions }) => actions.undo("undo")],
  [null, null, ["Shift+z"], ({ actions }) => actions.undo("redo")],
  [
    "Shift E",
    "edit: click adds (Shift: the other class), drag moves, right click removes",
    ["Shift+e"],
    ({ editor }) => editor.toggle(),
  ],
  ["X / B", "edit: the other class / brush", ["x"], ({ editor }) => editor.toggleLabel()],
  [null, null, ["b"], ({ editor }) => editor.toggleBrush()],
  ["L / Delete", "edit: flip the nearest label / remove the point", ["l"], ({ editor }) => editor.atSpot("flip")],
  [null, null, ["Delete", "Backspace"], ({ editor }) => editor.atSpot("remove")],
  ["E", "k(x, ·) of one example on the map, or f again", ["e"], ({ actions }) => actions.turnOver("similar")],
  ["4 6 · 8 2 · 5", "turn · tilt · turn back the space of the lift", ["4"], ({ turning }) => turning.key(-1, 0)],
  [null, null, ["6"], ({ turning }) => turning.key(1, 0)],
  [null, null, ["8"], ({ turning }) => turning.key(0, 1)],
  [null, null, ["2"], ({ turning }) => turning.key(0, -1)],
  [null, null, ["5"], ({ turning }) => turning.key(0, 0)],
  ["P / Shift P", "pin this run beside / unpin all", ["p"], ({ actions }) => actions.send("pin")],
  [null, null, ["Shift+p"], ({ actions }) => actions.send("unpin")],
  ["Q", "predict: then ← −1, → +1, or a range 1 to 4", ["q"], ({ player }) => player.cursor.togglePredict()],
  [
    "A / I",
    "take home: Python, notebook, tables, code for phones / picture, storyboard, film, page",
    ["a"],
    ({ actions }) => actions.send("take home"),
  ],
  [null, null, ["i"], ({ actions }) => actions.send("picture")],
  ["Y", "copy the link to this instant", ["y"], ({ actions }) => actions.copyLink()],
  ["U / Shift U", "set or change a cue of your lecture here / all cues as text", ["u"], ({ cueBox }) => cueBox.show()],
  [null, null, ["Shift+u"], ({ actions }) => actions.send("lecture")],
  ["Shift N", "a window with your notes and the next cue", ["Shift+n"], ({ notes }) => notes.open()],
  ["W", "present to a class", ["w"], ({ present }) => present.toggle()],
  [
    "J · L · .",
    "presenting: shape of the stage · light at the pointer · blank",
    ["j"],
    ({ present }) => present.cycle(),
  ],
  [
    "G · T · K",
    "presenting a lesson: turn its two numbers (Shift: back) · linear or Gaussian kernel",
    ["Shift+t"],
    ({ lesson }) => lesson?.sayKnobs(),
  ],
  [
    "Shift I",
    "say where this is: step, epoch, mistakes",
    ["Shift+i"],
    ({ player }) => player.page.say(placeOf(player)),
  ],
  ["Esc", "close, unpin what is pinned; on a button: to the board", ["Escape"], ({ actions }) => actions.escape()],
  [",", "preferences: patterns, flashing, what is spoken, keys", [","], ({ actions }) => actions.menu("preferences")],
  ["?", "all keys and marks", ["?", "Shift+?"], ({ actions }) => actions.menu("help")],
];

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

/**
 * The rows whose keys do something.
 *
 * @param {Capabilities} capabilities
 */
export const keysFor = (capabilities) => KEYS.filter(([, , keys]) => keys.every((key) => capabilities.key(key)));

/**
 * Listen on the document; return a function that stops.
 *
 * @param {Stage} stage
 */
export function listen(stage) {
  const { capabilities } = stage.player;
  const actions = new Map(keysFor(capabilities).flatMap(([, , keys, action]) => keys.map((key) => [key, action])));
  const onKey = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (stage.tour.key(event, name) || boardKey(stage, event, name)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    const { controls } = stage;
    if (!controls.hears(name) || (!controls.menus.help.hidden && !CLOSES.has(name))) return;
    const taken = () => (!event.shiftKey && stage.predicting.key(name)) || stage.present.key(name, event.shiftKey);
    if (allowed(event, name) && taken()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    const action = actions.get(event.shiftKey ? `Shift+${name}` : name);
    if (!action || !allowed(event, name)) return;
    if (name !== "Escape") {
      event.preventDefault();
      event.stopImmediatePropagation(); // Streamlit has keys of its own, Escape among them
    }
    if (!event.repeat || HELD.test(name)) action(stage);
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
 */
function boardKey(stage, event, name) {
  const { canvas, editor, walk, objects } = stage;
  const [target] = event.composedPath();
  if (name === "Escape" && target.matches?.(BUTTONS) && !stage.actions.closes) {
    canvas.focus();
    return true;
  }
  if (target !== canvas) return !event.shiftKey && objects.key(target, name);
  return editor.key(name, event.shiftKey) || walk.key(name, event.shiftKey);
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

/** A key changes how fast it plays, which is said: the button and the slider say it themselves. @param {Stage} stage */
function paced({ player, spoken }, change) {
  change();
  const { slow, rate } = player.clock;
  spoken.say(slow ? "Slow motion" : `${number(rate)} examples a second`);
}
