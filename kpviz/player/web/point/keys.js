// The keyboard: who takes a key first, one listener on the document. `modes/actions.js` says which
// key does what.

import { actionsByKey } from "../modes/actions.js";
import { focusedElement } from "../page/dom.js";
import { isKeyOn } from "../page/preferences.js";

/** @import { Action } from "../modes/actions.js" */
/** @import { Stage } from "../page/stage.js" */
/** @import { KeyPress } from "../modes/types.d.ts" */

const ANYWHERE = new Set(["PageDown", "PageUp"]);
const SCROLLED = "textarea, [role=dialog]"; // There these two keys are for reading.
const CLOSES = new Set(["Escape", "?"]); // All other keys are for reading in the help.
const TYPING =
  "input:not([type=checkbox]):not([type=radio]):not([type=button]):not([type=range]), textarea, select, [contenteditable=true]";
const OWN_KEYS =
  "[role=slider], [role=listbox], [role=option], [role=combobox], [role=menu], [role=menuitem], [role=radiogroup], [role=dialog]:not(.help, .numbers), [role=tablist], input[type=radio], input[type=range]";
// Nothing can be typed there: keys with Shift are free, and these.
const TURNED = "input[type=radio], input[type=range]";
const FREE = new Set(["z", "Escape"]);
const MOVES = /^(Arrow|Home|End|Tab|Enter| )/;
// They lie beside the map: Esc closes them and does nothing else.
const DOCK = ".dock:not(.beside-board), .chooser";
// Export and other dialogs of the page, and those of Streamlit: open or, after a press beside it,
// just closed.
const DIALOG = "[role=dialog]:not(.menu, .explained)";
const OPEN_DIALOG = `${DIALOG}:not(dialog:not([open]))`;
const POPOVER = ".popover"; // It has the keys that walk in it and close it.
const CHOOSER = ".chooser"; // Arrows go from panel to panel in it.
const WALKS = new Set(["ArrowDown", "ArrowUp", "Home", "End"]);
const SCENE = ".beside-board .scene"; // The same keys scroll it, and Space does.
const BUTTONS = ".bar *, .knob *, .tools *, .pager *, .topbar *"; // Esc leads from them to the board.
const CUE = ".menu.cue"; // One writes in this box: no key that is typed there moves the player.

const LEFT = "left"; // The key is left to the browser.

/**
 * Who may take a key, in this order: a mode that takes all, the focus, the stack of modes, the
 * table of actions. True where one has taken it, LEFT where nobody after it may.
 *
 * @type {((
 *   stage: Stage, press: KeyPress, actions: Map<string, Action>,
 * ) => boolean | "left" | "" | undefined)[]}
 */
const TAKERS = [
  underDialog,
  ({ naming }, press) => naming.key(press),
  ({ player }, press) => player.modes.ask("everyKey", press),
  ({ player }) => !player.run && LEFT, // Nothing can move yet.
  onBoard,
  ({ controls }, { name }) =>
    (!isKeyOn(name) || (!controls.menus.help.hidden && !CLOSES.has(name))) && LEFT,
  (_, { event, name }) => !allowed(event, name) && LEFT,
  ({ player }, press) => player.modes.ask("keys", press),
  fromTable,
];

/** Listen on the document; return a function that stops. @param {Stage} stage */
export function listen(stage) {
  const actions = actionsByKey(stage.player.capabilities);
  const onKey = (event) => {
    const { modes } = stage.player;
    if (modes.ask("endsAtKey", event.key)) modes.end();
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    let taken;
    for (const take of TAKERS) {
      if ((taken = take(stage, { event, name, shift: event.shiftKey }, actions))) break;
    }
    if (!taken || taken === LEFT) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // Streamlit has keys of its own
  };
  const controller = new AbortController();
  const options = { capture: true, signal: controller.signal };
  document.addEventListener("keydown", onKey, options);
  const onPointerUp = (event) => {
    const path = event.composedPath(); // After the event it is empty.
    setTimeout(() => giveBack(path), 0);
  };
  document.addEventListener("pointerup", onPointerUp, options);
  return () => controller.abort();
}

/**
 * A key while a dialog is open: it is the dialog's. One of Streamlit's may have lost the focus, as
 * it does when the button that had it is off for a moment: nothing moves under it, and Escape
 * closes it.
 *
 * @type {(typeof TAKERS)[number]}
 */
function underDialog(stage, { event, name }) {
  if (stage.export?.open) return LEFT;
  const dialog = event.target === document.body ? document.querySelector(OPEN_DIALOG) : null;
  if (dialog && name === "Escape") {
    /** @type {HTMLElement} */ (dialog.querySelector("[aria-label=Close]")).click();
  }
  return dialog && LEFT;
}

/**
 * A key that a mode has on the map or that goes from object to object, while the canvas or a panel
 * on it has the focus; or that leads there.
 *
 * @type {(typeof TAKERS)[number]}
 */
function onBoard({ canvas, player, walk, objects, actions }, press) {
  const { event, name, shift } = press;
  const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
  if (
    name === "Escape" &&
    target.matches?.(BUTTONS) &&
    !target.matches(TYPING) &&
    !actions.closes
  ) {
    canvas.focus();
    return true;
  }
  if (target !== canvas) return !shift && objects.key(target, name);
  return player.modes.ask("mapKeys", press) || walk.key(name, shift);
}

/**
 * A key of the table of actions; Escape is the browser's and the page's, too.
 *
 * @type {(typeof TAKERS)[number]}
 */
function fromTable(stage, { event, name, shift }, actions) {
  const action = actions.get(shift ? `Shift+${name}` : name);
  if (!action) return false;
  if (!event.repeat || action.held) stage.actions.press(action.name);
  if (action.told) stage.spoken.say(action.told(stage.player));
  return name === "Escape" ? LEFT : true;
}

/** Whether not all of an element is seen: it scrolls, or the page does. @param {Element} element */
function isCut(element) {
  const { top, bottom } = element.getBoundingClientRect();
  const scrolls = element.scrollHeight > element.clientHeight;
  return scrolls || top < 0 || bottom > window.innerHeight;
}

function allowed(event, name) {
  const path = event.composedPath().filter((node) => node instanceof Element);
  if (path.some((node) => node.matches(CUE))) return false;
  if (name === "Escape" && path.some((node) => node.matches(`${DOCK}, ${POPOVER}`))) return false;
  if (WALKS.has(name) && path.some((node) => node.matches(`${CHOOSER}, ${POPOVER}`))) return false;
  if (ANYWHERE.has(name)) return !path.some((node) => node.matches(SCROLLED));
  const focused = path[0];
  const isRead = focused?.matches(SCENE) && isCut(focused);
  if (isRead && (WALKS.has(name) || name === " ")) return false;
  if (!focused) return true;
  if (focused.matches(TURNED)) return (event.shiftKey && !MOVES.test(name)) || FREE.has(name);
  if (focused.matches(TYPING) || path.some((node) => node.matches(OWN_KEYS))) return false;
  const pressed = focused.matches("button, a, summary, [role=button], input[type=checkbox]");
  return !(pressed && (name === " " || name === "Enter"));
}

/**
 * A setting changed by pointer gives the focus back, unless one types in it; so do the others, but
 * not a group just opened.
 */
function giveBack(path) {
  // What was closed has given it back.
  if (path.some((node) => node instanceof Element && node.matches(DIALOG))) return;
  const active = focusedElement();
  if (!active || active.matches(TYPING) || active.closest(`${CUE}, ${DIALOG}`)) return;
  if (active.closest(DOCK) && !path.some((node) => node instanceof Element && node.matches(DOCK))) {
    return;
  }
  if (path.includes(active) || active.matches("[role=slider], input, button")) {
    active.blur();
  }
}
