// Mouse, pen and touch on the canvas; dragging on the timeline scrubs.

import { timeAt } from "./panels/timeline.js";

export function listenToPointer(stage) {
  const { canvas } = stage;
  const controller = new AbortController();
  const options = { signal: controller.signal };
  let scrubbing = false;

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return { px: event.clientX - box.left, py: event.clientY - box.top };
  };
  const scrub = (event) => {
    const { px } = place(event);
    stage.go(timeAt(stage.run, stage.layout.panels.timeline, px));
  };
  const onTimeline = ({ py, px }) => {
    const { timeline } = stage.layout.panels;
    return py >= timeline.y - 4 && py <= timeline.y + timeline.h && px >= timeline.x && px <= timeline.x + timeline.w;
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !stage.run) return;
    stage.point(place(event));
    stage.controls.menu(null);
    if (onTimeline(stage.pointer)) {
      scrubbing = true;
      canvas.setPointerCapture(event.pointerId);
      if (stage.touch.time !== null) stage.go(stage.touch.time);
      else scrub(event);
    } else stage.pick();
  }, options);
  canvas.addEventListener("pointermove", (event) => {
    if (!stage.run) return;
    if (scrubbing) scrub(event);
    else stage.point(place(event));
    canvas.style.cursor = scrubbing || stage.touch.time !== null ? "pointer" : stage.touch.probe ? "crosshair" : "default";
  }, options);
  const end = () => {
    scrubbing = false;
  };
  canvas.addEventListener("pointerup", end, options);
  canvas.addEventListener("pointercancel", end, options);
  canvas.addEventListener("pointerleave", () => {
    if (!scrubbing) stage.point(null);
  }, options);
  return () => controller.abort();
}
