// The keyboard of Fisher's page: one table, one listener on the document.

import { Walk } from "./walk.js";

/** @import { FisherStage } from "./stage.js" */

/**
 * Each row: the keys, what they do in words, their names, and the action on the stage.
 *
 * @type {[string | null, string | null, string[], (stage: FisherStage) => void][]}
 */
export const KEYS = [
  ["→ / ←", "turn F by 1°", ["ArrowRight"], (stage) => stage.turn(1)],
  [null, null, ["ArrowLeft"], (stage) => stage.turn(-1)],
  ["Shift → / ← or PageDown / Up", "turn F by 10°", ["Shift+ArrowRight", "PageDown"], (stage) => stage.turn(10)],
  [null, null, ["Shift+ArrowLeft", "PageUp"], (stage) => stage.turn(-10)],
  ["End or B", "the best direction", ["End", "b"], (stage) => stage.best()],
  ["Home", "between the means, or the second direction", ["Home"], (stage) => stage.other()],
  ["Space", "let F turn by itself, or stop", [" "], (stage) => stage.toggle()],
  ["↑ / ↓", "move the threshold", ["ArrowUp"], (stage) => stage.shift(1)],
  [null, null, ["ArrowDown"], (stage) => stage.shift(-1)],
  ["T", "the threshold back to the middle", ["t"], (stage) => stage.cut(null)],
  ["D", "next data set", ["d"], (stage) => stage.session.command("data")],
  ["N", "new data", ["n"], (stage) => stage.session.command("redraw")],
  ["Z / Shift Z", "undo / redo", ["z"], (stage) => stage.session.undo()],
  [null, null, ["Shift+z"], (stage) => stage.session.redo()],
  ["Y", "copy the link", ["y"], (stage) => stage.copyLink()],
  ["V", "full screen", ["v"], (stage) => stage.fullScreen()],
  ["Esc", "close the help", ["Escape"], (stage) => stage.controls.menu(null)],
  [",", "preferences", [","], (stage) => stage.controls.menu("preferences")],
  ["?", "all keys and marks", ["?", "Shift+?"], (stage) => stage.controls.menu("help")],
];

const ANYWHERE = new Set(["PageDown", "PageUp"]);
const CLOSES = new Set(["Escape", "?"]); // the help, in which all other keys are for reading
const OWN_KEYS =
  "input:not([type=checkbox]):not([type=button]), textarea, select, [contenteditable=true], [role=slider], [role=listbox], [role=option], [role=combobox], [role=menu], [role=radiogroup], [role=radio]";

/** Listen on the document; return a function that stops. */
export function listen(stage) {
  const actions = new Map(KEYS.flatMap(([, , names, action]) => names.map((name) => [name, action])));
  const walk = new Walk(stage);
  const controller = new AbortController();
  const options = { capture: true, signal: controller.signal };
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || !stage.table) return;
      const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (event.composedPath()[0] === stage.canvas && !event.shiftKey && walk.key(name)) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      const action = actions.get(event.shiftKey ? `Shift+${name}` : name);
      if (!action || !stage.controls.hears(name) || !allowed(event, name)) return;
      if (!stage.controls.help.hidden && !CLOSES.has(name)) return;
      if (name !== "Escape") {
        event.preventDefault();
        event.stopImmediatePropagation(); // Streamlit has keys of its own
      }
      action(stage);
    },
    options,
  );
  document.addEventListener("pointerup", (event) => setTimeout(() => giveBack(event), 0), options);
  return () => controller.abort();
}

function allowed(event, name) {
  const path = event.composedPath().filter((node) => node instanceof Element);
  if (path.some((node) => node.matches(".preferences"))) return false; // Esc closes them
  if (ANYWHERE.has(name)) return true;
  if (path.some((node) => node.matches(OWN_KEYS))) return false;
  return !(path[0]?.matches("button, a, summary, [role=button]") && name === " ");
}

/** A setting changed by pointer gives the focus back, unless one types in it. */
function giveBack(event) {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (!active) return;
  const inDock = (node) => node instanceof Element && node.matches(".dock");
  if (active.closest(".dock") && !event.composedPath().some(inDock)) return; // it was just opened
  const lets = active.matches("button, a, canvas, input[type=range], input[type=radio]");
  if (lets) /** @type {HTMLElement} */ (active).blur();
}
