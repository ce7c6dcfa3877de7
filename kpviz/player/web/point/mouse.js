// Mouse, pen and touch on the canvas; dragging on the timeline scrubs, on the map it edits, if that is on.

import { valueAt } from "./targets.js";

const LONG = 550; // ms that a finger rests to remove a point
const STILL = 9; // px within which it rests

/** @import { TargetMark } from "../board/types.d.ts" */
/** @import { Stage } from "../page/stage.js" */

/** Listen on the canvas; return a function that stops. @param {Stage} stage */
export function listenToPointer(stage) {
  const { canvas, player } = stage;
  const controller = new AbortController();
  const on = (name, listener, options = {}) =>
    canvas.addEventListener(name, listener, { ...options, signal: controller.signal });
  /** @type {TargetMark | null} */
  let scale = null; // of the time, while a hand goes through it
  /** @type {{ px: number, py: number, timer: number } | null} */
  let finger = null; // that went down on the map and is neither a tap nor a drag yet

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return { px: event.clientX - box.left, py: event.clientY - box.top };
  };
  const scrub = (event) =>
    player.cursor.go(Math.round(valueAt({ mark: scale, px: place(event).px })));
  /** What is drawn at a pixel, and what a hand begins that presses it. */
  const pressed = ({ px, py }) => {
    const hit = stage.targets.at(px, py);
    return { hit, hold: hit ? stage.targets.holdAt(hit) : undefined };
  };
  const hands = { spin: stage.turning, direct: stage.turning, order: stage.reorder };
  const edits = ({ px, py }) => player.editing.on && player.view.contains(px, py);

  const beginEdit = (event) => {
    const { editor } = stage;
    const { px, py } = place(event);
    event.preventDefault(); // the canvas takes no focus by the pointer
    canvas.setPointerCapture(event.pointerId);
    if (event.button === 2 || event.altKey) editor.remove(px, py);
    else if (event.pointerType === "touch") {
      const timer = setTimeout(() => {
        finger = null;
        editor.remove(px, py);
      }, LONG);
      finger = { px, py, timer };
    } else editor.begin(px, py, { other: event.shiftKey });
  };
  const moveFinger = ({ px, py }) => {
    if (finger && Math.hypot(px - finger.px, py - finger.py) > STILL) dropFinger();
    if (!finger) stage.editor.move(px, py);
  };
  const dropFinger = () => {
    clearTimeout(finger.timer);
    stage.editor.begin(finger.px, finger.py);
    finger = null;
  };

  const capture = (event) => canvas.setPointerCapture(event.pointerId);

  on("pointerdown", (event) => {
    if (!player.run || !event.isPrimary) return;
    const at = place(event);
    const edit = edits(at) && (event.button === 0 || event.button === 2);
    if (!edit && event.button !== 0) return;
    stage.controls.clear();
    stage.point(at);
    const { hit, hold } = pressed(at);
    if (edit) beginEdit(event);
    else if (hold === "scrub") {
      scale = stage.targets.scaleOf(hit.panel);
      capture(event);
      if (player.touch.time !== null) player.cursor.go(player.touch.time);
      else scrub(event);
    } else if (player.modes.ask("hidesPointer")) return;
    else if (hold && hands[hold].begin(hit)) capture(event);
    else stage.pick();
  });
  on("pointermove", (event) => {
    if (!player.run || !event.isPrimary) return;
    if (scale) scrub(event);
    else {
      const at = place(event);
      if (finger || stage.editor.busy) moveFinger(at);
      stage.reorder.move(at);
      stage.turning.move(at);
      stage.objects.leave({ byPointer: true });
      stage.point(at);
    }
    canvas.style.cursor = cursorOf(stage, scale !== null);
  });
  on("pointerup", (event) => {
    if (!event.isPrimary) return;
    scale = null;
    if (finger) dropFinger();
    for (const hand of [stage.editor, stage.reorder, stage.turning]) hand.end();
    if (event.pointerType === "touch" && player.editing.on) stage.point(null); // a finger that is lifted points at nothing
  });
  on("pointercancel", (event) => {
    if (!event.isPrimary) return;
    if (finger) clearTimeout(finger.timer);
    finger = null;
    scale = null;
    for (const hand of [stage.editor, stage.reorder, stage.turning]) hand.cancel();
  });
  on("pointerleave", () => !scale && !player.editing.drag && stage.point(null));
  const keepStill = (event) => {
    if (player.order.drag || edits(place(event.touches[0]))) event.preventDefault(); // a page would pan, a fling swallow the next tap
  };
  on("touchstart", keepStill, { passive: false });
  on("dblclick", (event) => {
    const { hit, hold } = pressed(place(event));
    if (hold === "spin" || hold === "direct") stage.turning.reset(hit);
  });
  on("contextmenu", (event) => edits(place(event)) && event.preventDefault());
  on("focus", () => stage.editor.focus(true));
  on("blur", () => {
    stage.editor.focus(false);
    stage.walk.leave();
  });
  return () => controller.abort();
}

/** The shape of the pointer over what it touches. @param {Stage} stage @param {boolean} scrubbing */
function cursorOf({ player, turning }, scrubbing) {
  const { touch, editing, pointer, order, view } = player;
  if (order.drag || turning.drag) return "grabbing";
  if (touch.held) return "grab";
  if (scrubbing || touch.time !== null || touch.ask || touch.act) return "pointer";
  if (editing.on && pointer && view.contains(pointer.px, pointer.py)) {
    if (editing.drag) return "grabbing";
    return !editing.brush && editing.nearest(pointer.px, pointer.py) >= 0 ? "grab" : "crosshair";
  }
  return touch.probe ? "crosshair" : "default";
}
