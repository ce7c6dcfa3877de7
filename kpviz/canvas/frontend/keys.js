// The keyboard: one table, one listener on the document.

/** Each row: the keys, what they do in words, and the action on the stage. */
export const KEYS = [
  ["→", "next example", ["ArrowRight"], (stage) => stage.step("example", 1)],
  ["←", "previous example", ["ArrowLeft"], (stage) => stage.step("example", -1)],
  ["Shift → or PageDown", "next mistake (or update)", ["Shift+ArrowRight", "PageDown"], (stage) => stage.step("mistake", 1)],
  ["Shift ← or PageUp", "previous mistake (or update)", ["Shift+ArrowLeft", "PageUp"], (stage) => stage.step("mistake", -1)],
  ["↓", "next epoch (of a stream: the next hundred)", ["ArrowDown"], (stage) => stage.step("epoch", 1)],
  ["↑", "previous epoch (or hundred)", ["ArrowUp"], (stage) => stage.step("epoch", -1)],
  ["Home", "start", ["Home"], (stage) => stage.go(0)],
  ["End", "end", ["End"], (stage) => stage.go(Infinity)],
  ["Space", "play or pause", [" "], (stage) => stage.toggle()],
  ["F / S", "faster / slower", ["f"], (stage) => stage.faster(1.5)],
  [null, null, ["s"], (stage) => stage.faster(1 / 1.5)],
  ["M", "slow motion", ["m"], (stage) => stage.toggleSlow()],
  ["V", "full screen", ["v"], (stage) => stage.fullScreen()],
  ["H", "panels", ["h"], (stage) => stage.menu("panels")],
  ["D", "next data set", ["d"], (stage) => stage.send("data")],
  ["K", "next kernel", ["k"], (stage) => stage.send("kernel")],
  ["G / Shift G", "kernel wider / narrower", ["g"], (stage) => stage.send("wider")],
  [null, null, ["Shift+g"], (stage) => stage.send("narrower")],
  ["N", "new data", ["n"], (stage) => stage.send("redraw")],
  ["O", "new order", ["o"], (stage) => stage.send("reorder")],
  ["T", "numbers to turn while you watch", ["t"], (stage) => stage.show("tune", !stage.shown.has("tune"))],
  ["Z / Shift Z", "undo / redo what was set or edited", ["z"], (stage) => stage.undo("undo")],
  [null, null, ["Shift+z"], (stage) => stage.undo("redo")],
  ["Shift E", "edit the points: click adds, Shift click the other class, drag moves, right click removes", ["Shift+e"], (stage) => stage.editor.toggle()],
  ["X / B", "editing: the other class / brush", ["x"], (stage) => stage.editor.toggleLabel()],
  [null, null, ["b"], (stage) => stage.editor.toggleBrush()],
  ["L / Delete", "editing: turn the label of the nearest point / remove it", ["l"], (stage) => stage.editor.atSpot("flip")],
  [null, null, ["Delete", "Backspace"], (stage) => stage.editor.atSpot("remove")],
  [null, null, ["e"], (stage) => stage.controls.status("Shift E begins to edit the points.")],
  ["P / Shift P", "pin this run beside / let go of all pins", ["p"], (stage) => stage.send("pin")],
  [null, null, ["Shift+p"], (stage) => stage.send("unpin")],
  ["Q", "predict: then ← correct, → mistake", ["q"], (stage) => stage.togglePredict()],
  ["Y", "copy the link", ["y"], (stage) => stage.copyLink()],
  ["I", "this instant as a picture", ["i"], (stage) => stage.send("picture")],
  ["Esc", "close, let go of what is pinned", ["Escape"], (stage) => stage.escape()],
  ["?", "all keys and marks", ["?", "Shift+?"], (stage) => stage.menu("help")],
];

const ANYWHERE = new Set(["PageDown", "PageUp"]);
const TYPING = "input:not([type=checkbox]):not([type=radio]):not([type=button]):not([type=range]), textarea, select, [contenteditable=true]";
const OWN_KEYS = "[role=slider], [role=listbox], [role=option], [role=combobox], [role=menu], [role=menuitem], [role=radiogroup], [data-testid=stDialog], [role=tablist], input[type=radio], input[type=range]";

/** Listen on the document; return a function that stops. */
export function listen(stage) {
  const actions = new Map(KEYS.flatMap(([, , keys, action]) => keys.map((key) => [key, action])));
  const onKey = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (editingKey(stage, event, name)) {
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
    action(stage);
  };
  const onPointerUp = (event) => setTimeout(() => giveBack(event), 0);
  document.addEventListener("keydown", onKey, { capture: true });
  document.addEventListener("pointerup", onPointerUp, { capture: true });
  return () => {
    document.removeEventListener("keydown", onKey, { capture: true });
    document.removeEventListener("pointerup", onPointerUp, { capture: true });
  };
}

/** A key that moves the editor's cursor, while the canvas has the focus. */
function editingKey(stage, event, name) {
  return event.composedPath()[0] === stage.canvas && stage.editor.key(name, event.shiftKey);
}

function allowed(event, name) {
  if (ANYWHERE.has(name)) return true;
  const path = event.composedPath().filter((node) => node instanceof Element);
  const focused = path[0];
  if (!focused) return true;
  if (focused.matches(TYPING) || path.some((node) => node.matches(OWN_KEYS))) return false;
  const pressed = focused.matches("button, a, summary, [role=button], input[type=checkbox]");
  return !(pressed && (name === " " || name === "Enter"));
}

/** A setting changed by pointer gives the focus back, unless one types in it. */
function giveBack(event) {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (!active || active === document.body || active.matches(TYPING)) return;
  if (event.composedPath().includes(active) || active.matches("[role=slider], input, button")) active.blur();
}
