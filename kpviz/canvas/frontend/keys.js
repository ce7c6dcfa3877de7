// The keyboard: one table, one listener on the document.

/** Each row: the keys, what they do in words, and the action on the stage. */
export const KEYS = [
  ["→ / ←", "next / previous example", ["ArrowRight"], (stage) => stage.step("example", 1)],
  [null, null, ["ArrowLeft"], (stage) => stage.step("example", -1)],
  [
    "PageDown / PageUp",
    "next / previous mistake or update, as Shift → / Shift ←",
    ["Shift+ArrowRight", "PageDown"],
    (stage) => stage.step("mistake", 1),
  ],
  [null, null, ["Shift+ArrowLeft", "PageUp"], (stage) => stage.step("mistake", -1)],
  ["↓ / ↑", "next / previous epoch; of a stream: hundred", ["ArrowDown"], (stage) => stage.step("epoch", 1)],
  [null, null, ["ArrowUp"], (stage) => stage.step("epoch", -1)],
  ["Home / End", "start / end", ["Home"], (stage) => stage.go(0)],
  [null, null, ["End"], (stage) => stage.go(Infinity)],
  ["Space", "play or pause", [" "], (stage) => stage.toggle()],
  ["F / S", "faster / slower", ["f"], (stage) => stage.faster(1.5)],
  [null, null, ["s"], (stage) => stage.faster(1 / 1.5)],
  ["M / V", "slow motion / full screen", ["m"], (stage) => stage.toggleSlow()],
  [null, null, ["v"], (stage) => stage.fullScreen()],
  ["H", "panels", ["h"], (stage) => stage.menu("panels")],
  ["D / K", "next data set / kernel", ["d"], (stage) => stage.send("data")],
  [null, null, ["k"], (stage) => stage.send("kernel")],
  ["G / Shift G", "kernel wider / narrower", ["g"], (stage) => stage.send("wider")],
  [null, null, ["Shift+g"], (stage) => stage.send("narrower")],
  ["N / O", "new data / new order", ["n"], (stage) => stage.send("redraw")],
  [null, null, ["o"], (stage) => stage.send("reorder")],
  ["1", "this example is shown first", ["1"], (stage) => stage.reorder.first()],
  ["T", "numbers to turn while you watch", ["t"], (stage) => stage.show("tune", !stage.shown.has("tune"))],
  ["Z / Shift Z", "undo / redo", ["z"], (stage) => stage.undo("undo")],
  [null, null, ["Shift+z"], (stage) => stage.undo("redo")],
  [
    "Shift E",
    "edit: click adds (Shift: the other class), drag moves, right click removes",
    ["Shift+e"],
    (stage) => stage.editor.toggle(),
  ],
  ["X / B", "edit: the other class / brush", ["x"], (stage) => stage.editor.toggleLabel()],
  [null, null, ["b"], (stage) => stage.editor.toggleBrush()],
  ["L / Delete", "edit: turn the nearest label / remove the point", ["l"], (stage) => stage.editor.atSpot("flip")],
  [null, null, ["Delete", "Backspace"], (stage) => stage.editor.atSpot("remove")],
  [
    "E",
    "k(x, ·) of one example on the map, or f again",
    ["e"],
    (stage) => stage.show("similar", !stage.shown.has("similar")),
  ],
  ["4 6 · 8 2 · 5", "turn · tilt · turn back the space of the lift", ["4"], (stage) => stage.turning.key(-1, 0)],
  [null, null, ["6"], (stage) => stage.turning.key(1, 0)],
  [null, null, ["8"], (stage) => stage.turning.key(0, 1)],
  [null, null, ["2"], (stage) => stage.turning.key(0, -1)],
  [null, null, ["5"], (stage) => stage.turning.key(0, 0)],
  ["P / Shift P", "pin this run beside / let go of all pins", ["p"], (stage) => stage.send("pin")],
  [null, null, ["Shift+p"], (stage) => stage.send("unpin")],
  ["Q", "predict: then ← correct, → mistake", ["q"], (stage) => stage.togglePredict()],
  [
    "A / I",
    "take home: Python, notebook, tables, code for phones / picture, storyboard, film, page",
    ["a"],
    (stage) => stage.send("take home"),
  ],
  [null, null, ["i"], (stage) => stage.send("picture")],
  ["Y", "copy the link to this instant", ["y"], (stage) => stage.copyLink()],
  ["U / Shift U", "set or change a cue of your lecture here / all cues as text", ["u"], (stage) => stage.cueBox.show()],
  [null, null, ["Shift+u"], (stage) => stage.send("lecture")],
  ["Shift N", "a window with your notes and the next cue", ["Shift+n"], (stage) => stage.notes.open()],
  ["W / Shift W", "present to a class / record what one sees as a film", ["w"], (stage) => stage.present.toggle()],
  [null, null, ["Shift+w"], (stage) => stage.recorder.toggle()],
  [
    "J · L · .",
    "presenting: shape of the stage · light at the pointer · blank",
    ["j"],
    (stage) => stage.present.cycle(),
  ],
  ["Esc", "close, let go of what is pinned", ["Escape"], (stage) => stage.escape()],
  ["?", "all keys and marks", ["?", "Shift+?"], (stage) => stage.menu("help")],
];

const ANYWHERE = new Set(["PageDown", "PageUp"]);
const TYPING =
  "input:not([type=checkbox]):not([type=radio]):not([type=button]):not([type=range]), textarea, select, [contenteditable=true]";
const OWN_KEYS =
  "[role=slider], [role=listbox], [role=option], [role=combobox], [role=menu], [role=menuitem], [role=radiogroup], [data-testid=stDialog], [role=tablist], input[type=radio], input[type=range]";
const CUE = ".menu.cue"; // the box in which one writes: no key typed there moves the player

/** The rows of what there are the means for. */
export const keysFor = (means) => KEYS.filter(([, , keys]) => keys.every((key) => means.key(key)));

/** Listen on the document; return a function that stops. */
export function listen(stage) {
  const actions = new Map(keysFor(stage.means).flatMap(([, , keys, action]) => keys.map((key) => [key, action])));
  const onKey = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (editingKey(stage, event, name)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (allowed(event, name) && stage.present.key(name, event.shiftKey)) {
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
  const path = event.composedPath().filter((node) => node instanceof Element);
  if (path.some((node) => node.matches(CUE))) return false;
  if (ANYWHERE.has(name)) return true;
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
  if (!active || active === document.body || active.matches(TYPING) || active.closest(CUE)) return;
  if (event.composedPath().includes(active) || active.matches("[role=slider], input, button")) active.blur();
}
