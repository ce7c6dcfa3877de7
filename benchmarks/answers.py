"""How soon the map answers: from an answer to the first picture in which its step moves."""

from __future__ import annotations

import os
import shutil
import statistics

from playwright.sync_api import Browser, sync_playwright

from benchmarks.browser import FLAGS, ready, server, wait_until_up
from benchmarks.timing import full, line

_PROMISED = "≤ 50 ms"
_TASK = ".lesson .task"
# Each way to ask has its address, the key that begins it, its answers and what goes on from one.
_CASES = {
    "the first minute": ("/", "", ".asking .answers button", ".asking .main"),
    "Guess first": ("/?v=1", "q", ".asking .answers button", ".asking .main"),
    "a lesson": (
        "/?lesson=lesson-01-first-steps",
        "",
        f"{_TASK} .answers button",
        f"{_TASK} .goes-on .main",
    ),
}

# Presses an answer; the ms until a picture is drawn with the motion that it begins, or of the step
# itself where nothing moves.
ANSWER = """([root, selector]) => new Promise((done) => {
  const stage = root.kpviz;
  const { draw } = stage;
  const { cursor } = stage.player;
  const before = cursor.t;
  const start = performance.now();
  stage.draw = (now) => {
    draw.call(stage, now);
    if (!cursor.motion && cursor.t === before) return;
    stage.draw = draw;
    done(performance.now() - start);
  };
  root.querySelector(selector).click();
})"""


def answering(browser: Browser, address: str, what: str) -> None:
    """Answer some questions; print how soon the map moved."""
    path, key, answer, goes_on = _CASES[what]
    times: list[float] = []
    for _ in range(full(3, 1)):
        # In a new profile one begins with the first question again.
        context = browser.new_context(viewport={"width": 1366, "height": 768})
        page = context.new_page()
        root = ready(page, f"{address}{path}")
        if key:
            page.keyboard.press(key)
        for number in range(3):
            button = page.locator(f"{answer}:not([aria-disabled=true]):visible")
            button.first.wait_for()
            times.append(page.evaluate(ANSWER, [root.element_handle(), answer]))
            page.wait_for_function("r => !r.kpviz.player.cursor.motion", arg=root.element_handle())
            if number < 2:
                page.locator(f"{goes_on}:visible").click()
        context.close()
    _print(what, times)


def _print(what: str, times: list[float]) -> None:
    worst = f"at most {max(times):.0f} ms, of {len(times)}"
    line(
        f"first motion after an answer, {what}",
        f"{statistics.median(times):.0f} ms",
        worst,
        _PROMISED,
    )


def main() -> None:
    """Print the table."""
    path = (
        os.environ.get("KPVIZ_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    )
    with sync_playwright() as playwright, server() as (address, _, _):
        wait_until_up(address)
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        for what in _CASES:
            answering(browser, address, what)
        browser.close()
