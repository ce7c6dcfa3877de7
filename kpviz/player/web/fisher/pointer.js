// Mouse, pen and touch: the map and the strip turn F, the histograms move the threshold.

import { angleUnder } from "./strip.js";

const STILL = 3; // px from the mean within which a pointer has no direction

const inside = (rect, { px, py }, slack = 0) =>
  px >= rect.x - slack && px <= rect.x + rect.w + slack && py >= rect.y - slack && py <= rect.y + rect.h + slack;

export function listenToPointer(stage) {
  const { canvas } = stage;
  const controller = new AbortController();
  const options = { signal: controller.signal };
  let held = null;

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return { px: event.clientX - box.left, py: event.clientY - box.top };
  };
  const under = (at) => {
    const { map, strip, lanes } = stage.layout.panels;
    if (inside(map, at)) return "map";
    if (inside(strip, at, 3)) return "strip";
    return inside(lanes, at) && !stage.header.many ? "lanes" : null;
  };
  const follow = (at) => {
    if (held === "map") turnTo(stage, at);
    else if (held === "strip") stage.aim(onStrip(stage, at));
    else if (held === "lanes") stage.cut(stage.lanes().value(at.px));
  };

  canvas.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0 || !stage.table) return;
      const at = place(event);
      stage.controls.menu(false);
      held = under(at);
      stage.grab(held);
      if (held === null) return;
      canvas.setPointerCapture(event.pointerId);
      follow(at);
    },
    options,
  );
  canvas.addEventListener(
    "pointermove",
    (event) => {
      if (!stage.table) return;
      const at = place(event);
      if (held) follow(at);
      else stage.point(at);
      canvas.style.cursor = held
        ? "grabbing"
        : ({ map: "grab", strip: "ew-resize", lanes: "ew-resize" }[under(at)] ?? "default");
    },
    options,
  );
  const end = () => {
    held = null;
    stage.grab(null);
  };
  canvas.addEventListener("pointerup", end, options);
  canvas.addEventListener("pointercancel", end, options);
  canvas.addEventListener("pointerleave", () => held || stage.point(null), options);
  canvas.addEventListener(
    "dblclick",
    (event) => stage.table && under(place(event)) === "lanes" && stage.cut(null),
    options,
  );
  return () => controller.abort();
}

function turnTo(stage, { px, py }) {
  const { view, header } = stage;
  const [dx, dy] = [px - view.x(header.mean[0]), view.y(header.mean[1]) - py];
  if (Math.abs(dx) + Math.abs(dy) > STILL) stage.aim((Math.atan2(dy, dx) * 180) / Math.PI);
}

/** The angle under the pointer, on the half-circle that F is on now. */
function onStrip(stage, { px }) {
  const angle = angleUnder(stage.layout.panels.strip, stage.layout.unit, px);
  return stage.reading.angle % 360 >= 180 ? Math.min(angle, 179.5) + 180 : Math.min(angle, 179.5);
}
