// The settings beside the board, wired to the page: what is set goes to the run service, what Python says comes back.

import { Dock } from "../dock/dock.js";
import { openFiles } from "../input/drop.js";

/** @import { Stage } from "./stage.js" */

const WAYS = [
  { name: "lab", label: "Kernel lab", part: "lab" },
  { name: "fisher", label: "Fisher’s discriminant", part: "Fisher", own: true },
  { name: "lessons", label: "Lessons", own: true },
];

/** Whether the link is an older one that shows the numbers to turn. */
const numbersAsked = () => /[?&]show=[^&]*\btune\b/.test(location.search);

/** The dock of a stage with a server. @param {Stage} stage */
export function settingsOf(stage) {
  const { root, session, streamlit, actions } = stage;
  const dock = new Dock(
    root,
    {
      session,
      dialog: (name) => actions.send(name),
      open: (files) => openFiles(stage, files),
      go: (page) => streamlit.go(page, page === "lab" ? session.state.link : null),
      arrange: () => {
        if (dock.open) actions.menu(null);
        stage.arrange();
      },
    },
    WAYS,
    "kernel perceptron",
  );
  if (numbersAsked()) dock.turn();
  return dock;
}
