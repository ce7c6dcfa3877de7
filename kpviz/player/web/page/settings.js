// The settings beside the board, wired to the page: what is set goes to the run service, what
// Python says comes back.

import { put } from "./dom.js";
import { Dock, ID } from "./dock/dock.js";
import { openFiles } from "./drop.js";
import { HOME } from "./top_bar.js";
import { KERNELS, shownByDefault } from "../board/shown_panels.js";

/** @import { Stage } from "./stage.js" */

/**
 * The dock of a stage with a server, and the bar above the board that opens it.
 *
 * @param {Stage} stage
 */
export function settingsOf(stage) {
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
  topBar.element.addEventListener("settings", () => dock.toggle());
  topBar.element.addEventListener("home", () => {
    if (player.capabilities.page === "play") player.modes.tell("home");
    else outside.open("", `${HOME}=1`);
  });
  topBar.element.addEventListener("go", (/** @type {CustomEvent<string>} */ { detail: page }) => {
    if (player.modes.ask("belongsTo") && page in places) player.modes.ask("wayOut")();
    if (player.capabilities.page !== "play" || !(page in places)) {
      outside.go(page, page === "fisher" && topBar.ownData ? topBar.ownData : null);
    } else if (!topBar.isHere(page)) places[page]();
  });
  const shows = (name) => new RegExp(`[?&]show=[^&]*\\b${name}\\b`).test(location.search);
  // An older link, or the place of the kernels.
  if (shows("tune")) dock.turn(shows("validity") ? ["kernel"] : undefined);
  return dock;
}
