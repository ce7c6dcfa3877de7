"""How fast the picture follows the hand: a point that is dragged, a number that is turned."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from benchmarks.timing import line

WATCH = """root => {
  const stage = root.kpviz, seen = { runs: 0, frames: 0 };
  const show = stage.show.bind(stage), draw = stage.draw.bind(stage);
  stage.show = (envelope, rest) => {
    const before = stage.player.run;
    show(envelope, rest);
    seen.runs += stage.player.run !== before;
  };
  stage.draw = (now) => { draw(now); seen.frames += 1; };
  seen.first = stage.session.socket.n;
  window.seen = seen;
}"""

# A hand moves on by itself every 8 ms, as a mouse tells it, whether the page keeps up or not.
HAND = """([root, ms, x, y]) => new Promise(done => {
  const input = root.querySelector(".dock input[type=range]");
  const { canvas } = root.kpviz, start = performance.now();
  let moves = 0;
  const turn = () => {
    const share = 0.5 + 0.2 * Math.sin(moves / 20);
    input.value = String(Number(input.min) + (input.max - input.min) * share);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const drag = () => canvas.dispatchEvent(new PointerEvent("pointermove", {
    clientX: x + 50 * Math.sin(moves / 30), clientY: y + 50 * (1 - Math.cos(moves / 30)),
    pointerId: 1, isPrimary: true, pointerType: "mouse", buttons: 1, bubbles: true, composed: true,
  }));
  const timer = setInterval(() => {
    moves += 1;
    (x === null ? turn : drag)();
    const gone = performance.now() - start;
    if (gone < ms) return;
    clearInterval(timer);
    const sent = root.kpviz.session.socket.n - window.seen.first;
    done({ ...window.seen, moves, sent, gone: gone / 1000 });
  }, 8);
})"""


def dragging(page: Page, root: Any, what: str) -> None:
    """Drag the first point in a circle."""
    page.keyboard.press("End")
    page.keyboard.press("Shift+e")
    root.evaluate(WATCH)
    x, y = root.evaluate(
        "r => { const { player: { view, run }, canvas } = r.kpviz, box = "
        "canvas.getBoundingClientRect();"
        " return [box.x + view.x(run.X[0]), box.y + view.y(run.X[1])]; }"
    )
    page.mouse.move(x, y)
    page.mouse.down()
    _move(page, root, f"dragging a point, {what}", x, y)
    page.mouse.up()
    page.keyboard.press("Shift+e")


def turning(page: Page, root: Any, what: str) -> None:
    """Turn σ to and fro."""
    page.keyboard.press("t")
    page.locator(".dock input[type=range]").first.wait_for()
    root.evaluate(WATCH)
    _move(page, root, f"turning σ, {what}")


def _move(page: Page, root: Any, what: str, x: float | None = None, y: float | None = None) -> None:
    """Move the point at a place, or turn the first number; print how many pictures came."""
    # The first picture may wait for what is loaded in the background.
    seen = page.evaluate(HAND, [root.element_handle(), 4000, x, y])
    assert seen["runs"] > 0, f"{what}: no picture came"
    note = (
        f"{seen['frames'] / seen['gone']:.0f} frames/s, {seen['moves']} moves, {seen['sent']} "
        f"messages"
    )
    line(what, f"{seen['runs'] / seen['gone']:.0f} runs/s", note, "≥ 30 runs/s at 200 points")
