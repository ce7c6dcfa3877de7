"""Make contact sheets of the running app: its states in all sizes and both themes, one sheet for
each state, to be looked at.

`python scripts/sheets.py FOLDER [--only WORD …] [--theme light] [--size 1366x768]` starts the app,
needs `KPVIZ_BROWSER`, and takes some seconds for each picture; `--port` takes an app that runs.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import nullcontext
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.image import imread
from pictures import FLAGS, app
from playwright.sync_api import Browser, Error, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from windows import TOUCHED, WINDOWS

THEMES = ("light", "dark")
COLUMNS = 5
PATIENCE = 30_000  # In ms.
CLICK = "click "
LOSE = "lose the connection"
BAD_FILE = "open a bad file"
POINT = "point at a place of the map"
GUESS = "click .asking .answers button"
NEXT = "click .asking .main"
FIRST_LESSON = "/?v=1&lesson=lesson-01-first-steps"
RIGHT = "click .task .answers button >> nth=0"
A_MISTAKE = "click .task .answers button >> nth=1"
# A state is a link, and the steps that lead to it there: keys, and what is clicked.
STATES: dict[str, tuple[str, ...]] = {
    "minute-asked": ("/",),
    "minute-answered": ("/", GUESS),
    "minute-end": ("/", *[GUESS, NEXT] * 4, "PageDown"),
    "board-start": ("/?v=1",),
    "board-middle": ("/?v=1&t=12",),
    "board-end": ("/?v=1", "End"),
    "line-end": ("/?v=1&kernel=linear", "End"),
    "settings-data": ("/?v=1&t=12", "click .topbar .settings", "click [data-group=data]"),
    "settings-kernel": ("/?v=1&t=12", "click .topbar .settings", "click [data-group=kernel]"),
    "settings-learner": ("/?v=1&t=12", "click .topbar .settings", "click [data-group=learner]"),
    "settings-compare": ("/?v=1&t=12", "click .topbar .settings", "click [data-group=compare]"),
    "chooser": ("/?v=1&t=12", "click .bar .more", "click [data-do=panels]"),
    "more": ("/?v=1&t=12", "click .bar .more"),
    "share": ("/?v=1&t=12", "click .topbar .does .opens"),
    "take-home": ("/?v=1&t=12", "a"),
    "picture": ("/?v=1&t=12", "i", "click [data-testid=stDialog] h2"),
    "preferences": ("/?v=1&t=12", ","),
    "help": ("/?v=1&t=12", "?"),
    "help-marks": ("/?v=1&t=12", "?", "click .help summary >> nth=0"),
    "help-keys": ("/?v=1&t=12", "?", "click .help summary >> nth=1"),
    "guess": ("/?v=1&t=12", "q"),
    "draw": ("/?v=1&t=12", "Shift+E"),
    "order": ("/?v=1&n=30&t=12&order=hand&show=sequence.alpha",),
    "cue": ("/?v=1&t=12", "u"),
    "pointed": ("/?v=1&t=30", POINT),
    "skip": ("/?v=1&t=30", "Tab"),
    "bad-link": ("/?v=1&kernel=gausian&sigma=-3",),
    "bad-file": (
        "/?v=1&t=12",
        "click .topbar .settings",
        "click [data-group=data]",
        "click .dock .more summary",
        BAD_FILE,
    ),
    "bad-place": ("/nowhere",),
    "lost": ("/?v=1&t=12", LOSE),
    "four-panels": ("/?v=1&t=12&show=alpha.margins.bound.gram",),
    "code": ("/?v=1&t=12&show=alpha.code.lines",),
    "bound": ("/?v=1&t=60&show=bound",),
    "primal": ("/?v=1&data=linear&kernel=linear&t=30&show=primal",),
    "lift": ("/?v=1&data=circles&kernel=monomial&degree=2&t=30&show=lift",),
    "lift-offer": ("/?v=1&t=30&show=lift",),
    "gram": ("/?v=1&t=30&show=gram",),
    "validity": ("/?v=1&kernel=sigmoid&t=30&show=validity.derivation",),
    "readings": ("/?v=1&t=60&held=0.3&show=readings",),
    "norm": ("/?v=1&t=60&show=norm.sequence",),
    "curve": ("/?v=1&t=60&show=curve",),
    "proof": ("/?v=1&data=linear&kernel=linear&t=60&show=proof",),
    "remembered": ("/?v=1&t=30&show=remembered",),
    "similar": ("/?v=1&t=30&show=similar.alpha",),
    "own-forgetron": ("/?v=1&learner=forgetron&t=60&show=own.alpha",),
    "own-svm": ("/?v=1&learner=svm&t=60&show=own.alpha",),
    "stream": ("/?v=1&stream=on&data=moons&n=300&noise=0.2&t=200",),
    "cancer": ("/?v=1&data=breast_cancer&t=60",),
    "texts": ("/?v=1&data=texts&t=30",),
    "trees": ("/?v=1&data=trees&t=30&show=remembered",),
    "graphs": ("/?v=1&data=graphs&t=30",),
    "bits": ("/?v=1&data=bits&t=30",),
    "line-asked": ("/?v=1", "click .what-next .line"),
    "compare-asked": ("/?v=1&compare=widths",),
    "compare-2": ("/?v=1&compare=ties", "End", "Enter"),
    "compare-3": ("/?v=1&pins=2&p1.kernel=linear&p2.kernel=polynomial&t=60",),
    "compare-4": ("/?v=1&pins=3&p1.kernel=linear&p2.kernel=polynomial&p3.learner=svm&t=60",),
    "presenting": ("/?v=1&t=12&stage=window",),
    "presenting-compare": ("/?v=1&pins=1&p1.kernel=linear&t=60&stage=window",),
    "presenting-words": (FIRST_LESSON, "w"),
    "presenting-board": (FIRST_LESSON, "w", "x"),
    "lesson": ("/?v=1&lesson=lesson-07-width",),
    "lesson-task": (FIRST_LESSON,),
    "lesson-wrong": (FIRST_LESSON, A_MISTAKE),
    "lesson-right": (FIRST_LESSON, RIGHT),
    "lessons": ("/lessons",),
    "kernels": ("/lab",),
    "fisher": ("/fisher?v=1",),
    "fisher-wine": ("/fisher?v=1&data=wine",),
    "fisher-best": ("/fisher?v=1", "b"),
}
# Where something is asked its answers are awake, and a picture that is offered is drawn.
_AT_REST = """() => {
  const roots = [...document.querySelectorAll("*")].map(({ shadowRoot }) => shadowRoot);
  const asleep = '.answers:not(:has(.right, .wrong, .left)) [aria-disabled="true"]';
  const waiting = `${asleep}, .kpviz-drawing`;
  return ![document, ...roots].some((root) => root?.querySelector(waiting)?.checkVisibility());
}"""
MAP = """root => {
  const { x, y } = root.querySelector("canvas").getBoundingClientRect();
  const map = root.kpviz.player.layout.panels.map;
  return [x + map.x + 0.4 * map.w, y + map.y + 0.4 * map.h];
}"""
AWAY = "root => { root.kpviz.notices.patience = 0; root.kpviz.away(true); }"


def main() -> None:
    """Make the sheets that are asked for."""
    options = _options()
    options.folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in STATES if any(word in name for word in options.only)]
    running = app() if options.port is None else nullcontext(options.port)
    with running as port, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ["KPVIZ_BROWSER"], args=list(FLAGS)
        )
        for theme in options.theme:
            for name in names:
                shots = [
                    _shot(browser, port, name, size, theme, options.folder) for size in options.size
                ]
                _sheet(shots, options.folder / f"{name}-{theme}.png")
        browser.close()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", default=[""], help="states whose name has such a word")
    parser.add_argument("--theme", nargs="+", choices=THEMES, default=THEMES)
    parser.add_argument("--size", nargs="+", type=_size, default=WINDOWS, help="as 1366x768")
    parser.add_argument("--port", type=int, help="of an app that runs")
    return parser.parse_args()


def _size(text: str) -> tuple[int, int]:
    width, height = text.split("x")
    return int(width), int(height)


def _shot(
    browser: Browser, port: int, name: str, size: tuple[int, int], theme: str, folder: Path
) -> Path:
    """Save a picture of a state in a window of its own, and return where it is."""
    link, *steps = STATES[name]
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        has_touch=size in TOUCHED,
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"http://localhost:{port}{link}")
    arrives = ".lesson .scene" if "lesson=" in link else ".kpviz, .kpviz-lessons, p > a"
    page.locator(arrives).first.wait_for(state="attached")
    _settled(page)
    for step in steps:
        try:
            _take(page, step)
        except Error:
            print(f"{name} at {width}x{height}: there is nothing to {step}")
        _settled(page)
    path = folder / f"{name}-{width}x{height}-{theme}.png"
    page.screenshot(path=path)
    context.close()
    return path


def _take(page: Page, step: str) -> None:
    """Press a key, click on the first thing that a selector finds, or let something go wrong."""
    if step.startswith(CLICK):
        page.locator(step.removeprefix(CLICK)).locator("visible=true").first.click()
    elif step == LOSE:
        page.locator(".kpviz").first.evaluate(AWAY)
    elif step == POINT:
        page.mouse.move(*page.locator(".kpviz").first.evaluate(MAP))
    elif step == BAD_FILE:
        no_table = {"name": "notes.csv", "mimeType": "text/csv", "buffer": b"no table"}
        page.locator("input[type=file]").first.set_input_files(no_table)
    else:
        page.keyboard.press(step)


def _settled(page: Page) -> None:
    """Wait until a board is drawn, where the page has one, and its motions have come to rest."""
    page.wait_for_load_state("networkidle")
    if page.locator(".kpviz").count():
        root = page.locator(".kpviz").first.element_handle()
        page.wait_for_function(
            "root => root.kpviz?.board && !root.kpviz.player.verdicts.openRun", arg=root
        )
    page.wait_for_timeout(1500)
    page.wait_for_function(_AT_REST)


def _sheet(shots: list[Path], path: Path) -> None:
    """Put the pictures side by side, each with its name."""
    rows = -(-len(shots) // COLUMNS)
    figure = Figure(figsize=(4.6 * COLUMNS, 3.4 * rows), dpi=100, layout="constrained")
    for k, shot in enumerate(shots):
        axes = figure.add_subplot(rows, COLUMNS, k + 1)
        axes.imshow(imread(shot), interpolation="antialiased")
        axes.set_title(shot.stem, fontsize=8)
        axes.set_axis_off()
    figure.savefig(path)


if __name__ == "__main__":
    main()
