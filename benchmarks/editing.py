"""How fast the picture follows the hand: a point that is dragged, a number that is turned."""

from __future__ import annotations

import math
import time
from typing import Any

from playwright.sync_api import Page

from benchmarks.timing import full, line

_SECONDS = 4.0
_LITTLE = 0.2

WATCH = """root => {
  const stage = root.kpviz, seen = { runs: 0, frames: 0, bytes: 0 };
  const update = stage.update.bind(stage), draw = stage.draw.bind(stage);
  stage.update = (data) => {
    const before = stage.player.run;
    seen.bytes += data.length;
    update(data);
    seen.runs += stage.player.run !== before;
  };
  stage.draw = (now) => { draw(now); seen.frames += 1; };
  seen.first = stage.session.n;
  window.seen = seen;
}"""

TURN = """(root, share) => {
  const input = root.querySelector(".dock input[type=range]");
  input.value = String(Number(input.min) + (input.max - input.min) * share);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def dragging(page: Page, root: Any, what: str) -> None:
    """Drag the first point in a circle."""
    page.keyboard.press("End")
    page.keyboard.press("Shift+e")
    root.evaluate(WATCH)
    x, y = root.evaluate(
        "r => { const { player: { view, run }, canvas } = r.kpviz, box = canvas.getBoundingClientRect();"
        " return [box.x + view.x(run.X[0]), box.y + view.y(run.X[1])]; }"
    )
    page.mouse.move(x, y)
    page.mouse.down()
    start, moves = time.perf_counter(), 0
    while time.perf_counter() - start < full(_SECONDS, _LITTLE):
        moves += 1
        page.mouse.move(x + 50 * math.sin(moves / 15), y + 50 * (1 - math.cos(moves / 15)))
        time.sleep(0.004)
    gone = time.perf_counter() - start
    seen = root.evaluate("r => ({ ...window.seen, sent: r.kpviz.session.n - window.seen.first })")
    page.mouse.up()
    page.keyboard.press("Shift+e")
    _report(f"dragging a point, {what}", seen, gone, f"{moves} moves")


def turning(page: Page, root: Any, what: str) -> None:
    """Turn σ to and fro."""
    page.keyboard.press("t")
    page.locator(".dock input[type=range]").first.wait_for()
    root.evaluate(WATCH)
    start, turns = time.perf_counter(), 0
    while time.perf_counter() - start < full(_SECONDS, _LITTLE):
        turns += 1
        root.evaluate(TURN, 0.5 + 0.2 * math.sin(turns / 20))
        time.sleep(0.012)
    gone = time.perf_counter() - start
    seen = root.evaluate("r => ({ ...window.seen, sent: r.kpviz.session.n - window.seen.first })")
    _report(f"turning σ, {what}", seen, gone, f"{turns} turns")


def _report(what: str, seen: dict[str, int], gone: float, made: str) -> None:
    note = f"{seen['frames'] / gone:.0f} frames/s, {made}, {seen['sent']} messages"
    line(what, f"{seen['runs'] / gone:.0f} runs/s", note, "≥ 30 runs/s at 200 points")
