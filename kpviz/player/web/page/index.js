// Streamlit calls this when it shows the page, and again after each of its runs; the stage stays
// mounted.

import { mainOf, put } from "./dom.js";
import { Served, Streamlit } from "./serve.js";
import { Stage } from "./stage.js";
import { KERNELS } from "./top_bar.js";
import { addTypeface } from "./typeface.js";
import { Dock, ID } from "./dock/dock.js";
import { Export } from "./export.js";
import { openFiles } from "./drop.js";
import { AngleCursor } from "../modes/angle_cursor.js";
import { shownByDefault } from "../board/shown_panels.js";
import { Capabilities } from "../board/player.js";
import { Lesson } from "../modes/lesson.js";
import { Puzzle } from "../modes/puzzle.js";
import { Lessons } from "../service/lessons.js";
import { Link } from "../service/link.js";
import { RECORD } from "./lesson/record.js";
import { fetchOpenedFile, OPEN } from "../service/opened_file.js";
import { addressOf, ServiceSocket } from "../service/socket.js";

// The settings beside the board, wired to the page: what is set goes to the run service, what
// Python says comes back.

/**
 * The dock of a stage with a server, and the bar above the board that opens it.
 *
 * @param {Stage} stage
 */
function settingsOf(stage) {
  const { root, session, outside, actions, controls, player } = stage;
  const { topBar } = controls;
  // The curves are a panel: settings that stand in the place of the panels, or over them, close.
  const showCurve = () => {
    actions.show("curve", true);
    const { panelsHidden, sheet } = player.layout;
    if (panelsHidden || sheet) dock.close();
    if (!sheet) return;
    stage.draw(); // The suggestions, which the settings hid, take their room.
    stage.scrollTo(player.layout.panels.curve.y);
  };
  const dock = new Dock(root, {
    session,
    modes: player.modes,
    dialog: (name) => {
      if (name === "curve") showCurve();
      else actions.send(name);
    },
    open: (files) => openFiles(stage, files),
    arrange: () => {
      if (dock.open) controls.menu(null);
      stage.arrange();
    },
    opened: (group) => put(topBar.button, { "aria-expanded": group !== null, "aria-controls": ID }),
    opener: () => topBar.button,
    taken: (tree, link) => {
      topBar.take(tree, link);
      controls.showCommands(tree.buttons);
    },
  });
  controls.knob.append(dock.quick.element);
  const places = {
    "": () => {
      player.showOnly(shownByDefault(player.run));
    },
    lab: () => {
      player.showOnly(KERNELS);
      session.again();
      dock.show("kernel");
    },
  };
  topBar.settings = () => dock.toggle();
  topBar.go = (page) => {
    if (player.modes.ask("belongsTo") && page in places) player.modes.ask("wayOut")();
    if (player.capabilities.page !== "play" || !(page in places)) {
      outside.go(page, page === "fisher" && topBar.ownData ? topBar.ownData : null);
    } else if (!topBar.isHere(page)) places[page]();
  };
  const shows = (name) => new RegExp(`[?&]show=[^&]*\\b${name}\\b`).test(location.search);
  // An older link, or the place of the kernels.
  if (shows("tune")) dock.turn(shows("validity") ? ["kernel"] : undefined);
  return dock;
}

/** @type {WeakMap<Element, Served>} */
const pages = new WeakMap();

const FISHER = /\/fisher\/?$/; // It may end a path.

/**
 * Open the file that `kpviz app FILE` was given, as if it had been dropped.
 *
 * @param {Stage} stage
 * @param {string} place
 */
async function openFile(stage, place) {
  const { name, file } = await fetchOpenedFile(place);
  if (file) openFiles(stage, [file]);
  else stage.say(`${name} could not be fetched: drop it on the board.`);
}

function open(parentElement) {
  addTypeface();
  const root = parentElement.querySelector(".kpviz");
  // It would be a stop of Tab at which there is nothing to do.
  mainOf(root)?.setAttribute("tabindex", "-1");
  const page = FISHER.test(location.pathname) ? "fisher" : "play";
  const link = new Link(["lesson", "scene", ...RECORD]);
  const openedFile = link.takeOut(OPEN);
  const served = new Served(page, {
    link,
    socket: new ServiceSocket(addressOf(import.meta.url, location)),
    outside: (session) => new Streamlit(session, link),
  });
  const parts = {
    settings: settingsOf,
    lessons: (stage) => new Lesson(stage, new Lessons(stage), new Puzzle(stage)),
    ...(page === "fisher"
      ? { capabilities: new Capabilities({ page }), CursorClass: AngleCursor }
      : { exporting: (stage) => new Export(stage) }),
  };
  const stage = new Stage(root, { ...served, ...parts });
  served.start(stage);
  if (openedFile) openFile(stage, openedFile);
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
