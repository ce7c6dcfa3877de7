// Streamlit calls this when it shows the page, and again after each of its runs; the stage stays mounted.

import { Served } from "./serve.js";
import { Stage } from "./stage.js";
import { addTypeface } from "./typeface.js";
import { Dock } from "../dock/dock.js";
import { openFiles } from "../input/drop.js";
import { AngleCursor } from "../model/angle_cursor.js";
import { Capabilities } from "../model/player.js";
import { Lesson } from "../lesson/lesson.js";
import { Lessons } from "../service/lessons.js";
import { Link } from "../service/link.js";

// The settings beside the board, wired to the page: what is set goes to the run service, what Python says comes back.

const WAYS_OF_FISHER = [
  { name: "", label: "Perceptron", own: true },
  { name: "lab", label: "Kernels", own: true },
];
const WAYS = [
  { name: "lab", label: "Kernels" }, // the address leads to the board as it is shown here
  { name: "fisher", label: "Fisher’s discriminant", part: "Fisher", own: true },
  { name: "lessons", label: "Lessons", own: true },
];

const KERNELS = ["gram", "validity", "derivation"]; // panels of that place

/** The dock of a stage with a server. @param {Stage} stage */
function settingsOf(stage) {
  const { root, session, streamlit, actions } = stage;
  const { fisher } = stage.player.capabilities;
  const dock = new Dock(
    root,
    {
      session,
      dialog: (name) => actions.send(name),
      open: (files) => openFiles(stage, files),
      go: (page) => (page === "lab" && !fisher ? kernels() : streamlit.go(page)),
      arrange: () => {
        if (dock.open) stage.controls.menu(null);
        stage.arrange();
      },
    },
    fisher ? WAYS_OF_FISHER : WAYS,
    fisher ? "Fisher’s discriminant" : "kernel perceptron",
  );
  const kernels = () => {
    stage.player.showOnly(KERNELS);
    session.again();
    dock.show("kernel");
  };
  const shows = (name) => new RegExp(`[?&]show=[^&]*\\b${name}\\b`).test(location.search);
  if (shows("tune")) dock.turn(shows("validity") ? ["kernel"] : undefined); // an older link, or the place of the kernels
  return dock;
}

/** @type {WeakMap<Element, Served>} */
const pages = new WeakMap();

const FISHER = /\/fisher\/?$/; // at the end of a path

function open(parentElement) {
  addTypeface();
  const root = parentElement.querySelector(".kpviz");
  if (FISHER.test(location.pathname)) {
    const served = new Served("fisher");
    const parts = { capabilities: new Capabilities({ fisher: true }), CursorClass: AngleCursor, settings: settingsOf };
    served.start(new Stage(root, { ...served, ...parts }), root);
    return served;
  }
  const served = new Served("play", new Link(["lesson", "scene"]));
  const parts = { settings: settingsOf, lessons: (stage) => new Lesson(stage, new Lessons(stage)) };
  served.start(new Stage(root, { ...served, ...parts }));
  return served;
}

export default function mount({ data, parentElement, setTriggerValue }) {
  if (!pages.has(parentElement)) pages.set(parentElement, open(parentElement));
  pages.get(parentElement).take(data, setTriggerValue);
  return () => {
    pages.get(parentElement)?.stop();
    pages.delete(parentElement);
  };
}
