// Streamlit calls this when it shows the page, and again after each of its runs; the stage stays
// mounted.

import { mainOf } from "./dom.js";
import { Served, Streamlit } from "./serve.js";
import { settingsOf } from "./settings.js";
import { Stage } from "./stage.js";
import { HOME } from "./top_bar.js";
import { addTypeface } from "./typeface.js";
import { Export } from "./export.js";
import { openFiles } from "./drop.js";
import { Capabilities } from "../board/player.js";
import { readingModes } from "../modes/reading.js";
import { Lessons } from "../service/lessons.js";
import { Link } from "../service/link.js";
import { RECORD } from "./lesson/record.js";
import { fetchOpenedFile, OPEN } from "../service/opened_file.js";
import { addressOf, ServiceSocket } from "../service/socket.js";

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
  const leadsHome = link.takeOut(HOME) !== null;
  const served = new Served(page, {
    link,
    socket: new ServiceSocket(addressOf(import.meta.url, location)),
    outside: (session) => new Streamlit(session, link),
  });
  const parts = {
    settings: settingsOf,
    reading: (stage) => readingModes(stage, new Lessons(stage)),
    capabilities: new Capabilities({ page }),
    exporting: page === "play" ? (stage) => new Export(stage) : null,
  };
  const stage = new Stage(root, { ...served, ...parts });
  served.start(stage);
  if (leadsHome) stage.player.modes.tell("home");
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
