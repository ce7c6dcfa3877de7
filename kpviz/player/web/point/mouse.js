// Mouse, pen and touch on the canvas: a mode may take a press, a mark may begin one that lasts as
// long as it is held, and what else is pressed is picked.

import { HOLDS, isHeldUnderLight } from "../modes/holds.js";

/** @import { Touch } from "../board/types.d.ts" */
/** @import { Mode } from "../modes/types.d.ts" */
/** @import { Stage } from "../page/stage.js" */

const LEFT = 0;
const RIGHT = 2;

/** Listen on the canvas; return a function that stops. @param {Stage} stage */
export function listenToPointer(stage) {
  const { canvas, player, targets } = stage;
  const { modes } = player;
  const controller = new AbortController();
  const on = (name, listener, options = {}) =>
    canvas.addEventListener(name, listener, { ...options, signal: controller.signal });
  /** @type {Mode | null} */
  let newest = null; // It was begun by the last press on a mark.

  const place = ({ clientX, clientY }) => {
    const box = canvas.getBoundingClientRect();
    return { px: clientX - box.left, py: clientY - box.top };
  };

  on("pointerdown", (event) => {
    if (!player.run || !event.isPrimary) return;
    const pointer = place(event);
    const isTaken = modes.ask("takesPress", pointer) && [LEFT, RIGHT].includes(event.button);
    if (!isTaken && event.button !== LEFT) return;
    stage.controls.clear();
    stage.point(pointer);
    const hit = targets.at(pointer.px, pointer.py);
    const hold = hit ? targets.holdAt(hit) : undefined;
    newest = null;
    if (isTaken) {
      event.preventDefault(); // The canvas takes no focus by the pointer.
      modes.ask("press", event, pointer);
    } else if (!isHeldUnderLight(hold) && modes.ask("hidesPointer")) return;
    else newest = hold ? HOLDS[hold](stage, hit) : null;
    if (newest) modes.enter(newest);
    if (isTaken || newest) canvas.setPointerCapture(event.pointerId);
    else stage.pick();
  });
  on("pointermove", (event) => {
    if (!player.run || !event.isPrimary) return;
    const pointer = place(event);
    const { held } = modes;
    modes.ask("move", pointer);
    if (!held?.stays) {
      stage.objects.leave({ byPointer: true });
      stage.point(pointer);
    }
    canvas.style.cursor = modes.ask("pointerShape") ?? cursorOver(player.touch);
  });
  on("pointerup", (event) => {
    if (!event.isPrimary) return;
    modes.end();
    if (event.pointerType === "touch") modes.all("fingerLifted");
    stage.redraw();
  });
  on("pointercancel", (event) => {
    if (!event.isPrimary) return;
    modes.cancel();
    stage.redraw();
  });
  on("pointerleave", () => stage.point(null));
  const keepStill = (event) => {
    // A page would pan, and a fling swallow the next tap.
    if (modes.held?.still) event.preventDefault();
  };
  on("touchstart", keepStill, { passive: false });
  on("dblclick", () => /** @type {{ reset?(): void } | undefined} */ (newest)?.reset?.());
  on("contextmenu", (event) => modes.ask("takesPress", place(event)) && event.preventDefault());
  on("focus", () => modes.all("focused", true));
  on("blur", () => {
    modes.all("focused", false);
    stage.walk.leave();
  });
  return () => controller.abort();
}

/** The shape of the pointer over what it touches, where no mode has one. @param {Touch} touch */
function cursorOver({ held, time, ask, act, probe }) {
  if (held) return "grab";
  if (time !== null || ask || act) return "pointer";
  return probe ? "crosshair" : "default";
}
