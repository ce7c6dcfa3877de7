"""How fast the number of a puzzle follows the hand: a point that is dragged, a width, an order."""

from __future__ import annotations

import os
import shutil
import time
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benchmarks.browser import FLAGS, ready, server, wait_until_up
from benchmarks.timing import full, line

_PROMISED = "≥ 20 numbers/s"

# A hand moves on by itself every 8 ms, whether the page keeps up or not; what is counted are the
# numbers that came, each of another board.
HAND = """([root, ms, kind]) => new Promise((done) => {
  const stage = root.kpviz;
  const puzzle = stage.standing.puzzle;
  const start = performance.now();
  let numbers = 0;
  let moves = 0;
  let checked = puzzle.checked;
  const draw = stage.draw;
  stage.draw = (now) => {
    draw.call(stage, now);
    numbers += puzzle.checked !== checked;
    checked = puzzle.checked;
  };
  const at = (x, y) => ({ clientX: x, clientY: y, pointerId: 1, isPrimary: true,
    pointerType: "mouse", buttons: 1, bubbles: true, composed: true });
  const { view } = stage.player;
  const corner = stage.canvas.getBoundingClientRect();
  const hands = {
    point: () => {
      const angle = moves / 4; // Each move leads to another place of the grid.
      const x = corner.x + view.x(0.6 * Math.sin(angle));
      const y = corner.y + view.y(0.6 * Math.cos(angle));
      stage.canvas.dispatchEvent(new PointerEvent("pointermove", at(x, y)));
    },
    width: () => {
      const input = root.querySelector(".puzzle input[type=range]");
      const share = 0.5 + 0.4 * Math.sin(moves / 6);
      input.value = String(Number(input.min) + (input.max - input.min) * share);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    },
    order: () => {
      const cells = root.querySelector(".puzzle .cells");
      const { left, width, top, height } = cells.getBoundingClientRect();
      const x = left + width * (0.5 + 0.45 * Math.sin(moves / 6));
      cells.dispatchEvent(new PointerEvent("pointermove", at(x, top + height / 2)));
    },
  };
  const timer = setInterval(() => {
    moves += 1;
    hands[kind]();
    const gone = performance.now() - start;
    if (gone < ms) return;
    clearInterval(timer);
    stage.draw = draw;
    done({ numbers, moves, gone: gone / 1000 });
  }, 8);
})"""


def following(page: Page, address: str, name: str, kind: str, what: str) -> None:
    """Move the hand of a puzzle; print how many numbers came."""
    root = ready(page, f"{address}/?lesson={name}")
    page.locator(".puzzle .count strong").wait_for()
    page.wait_for_function("r => r.kpviz.standing.puzzle.checked", arg=root.element_handle())
    if kind == "point":
        page.mouse.move(*_first_point(page, root))
        page.mouse.down()
    if kind == "order":
        page.locator(".puzzle .cells button").first.hover()
        page.mouse.down()
    seen: dict[str, Any] = page.evaluate(HAND, [root.element_handle(), full(4000, 1500), kind])
    page.mouse.up()
    assert seen["numbers"] > 0, f"{what}: no number came"
    rate = f"{seen['numbers'] / seen['gone']:.0f} numbers/s"
    line(f"puzzle, {what}", rate, f"{seen['moves']} moves", _PROMISED)


def _first_point(page: Page, root: Any) -> tuple[float, float]:
    """Return where the first point lies that may be moved; one is put where there is none."""
    x, y = root.evaluate(
        "r => { const { player, canvas } = r.kpviz, { view, points } = player,"
        " { x, y } = canvas.getBoundingClientRect(),"
        " place = player.modes.ask('fixedPoints') ? [0, 0.6] : points.at(0);"
        " return [x + view.x(place[0]), y + view.y(place[1])]; }"
    )
    return float(x), float(y)


def main() -> None:
    """Print the table."""
    path = (
        os.environ.get("KPVIZ_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    )
    cases = (
        ("puzzle-01-break-it", "point", "a point among eleven"),
        ("puzzle-04-two-points", "point", "one of two points"),
        ("puzzle-02-repair-it", "width", "the width"),
        ("puzzle-05-worst-order", "order", "an order"),
    )
    with sync_playwright() as playwright, server() as (address, _, _):
        wait_until_up(address)
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        time.sleep(5.5)  # Until then the processes of the pool have started.
        for case in cases:
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            following(page, address, *case)
            page.close()
        browser.close()
