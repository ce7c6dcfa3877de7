"""The page that plays itself: its size, its start from disk, its frames, beside matplotlib's page
of the same run.
"""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, sync_playwright

from benchmarks.browser import FLAGS, FRAMES
from benchmarks.timing import full, line
from kpviz import experiment, tokens
from kpviz.engine.run import grid
from kpviz.engine.run.run import Run
from kpviz.experiment import Split
from kpviz.export.page.page import page
from kpviz.lessons import explain
from kpviz.player.comparison import Comparison
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

_RUNS = {
    "XOR": {},
    "spirals": {"data": "spirals"},
    "Forgetron": {"data": "moons", "learner": "forgetron"},
    "SVM": {"data": "linear", "kernel": "linear", "learner": "svm"},
}
_LARGE = {"data": "circles", "n": 500, "noise": 0.25, "epochs": 15}
_LOADS = 5

# Notes when the page has drawn its first picture, in ms since it was asked for.
SEEN = """(() => {
  const look = () => {
    const image = document.querySelector("img"), player = document.querySelector(".kpviz")?.kpviz;
    if (player?.board || (image?.src && image.complete && image.naturalWidth)) {
      window.seen = performance.now();
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""


def of(arguments: dict[str, Any]) -> tuple[Settings, Split, Run]:
    """Return settings, examples and run."""
    settings = Settings.of(**arguments)
    split = experiment.prepare(settings)
    return settings, split, experiment.run(settings, split)


def naive(split: Split, run: Run) -> str:
    """Return matplotlib's page of a run: a frame for each step, with field, boundary, points,
    alpha, margins, words.
    """
    import matplotlib
    from matplotlib.animation import FuncAnimation
    from matplotlib.figure import Figure

    matplotlib.rcParams["animation.embed_limit"] = 500
    figure = Figure(figsize=(12.8, 7.2), dpi=100)
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(figure)
    plane = figure.add_subplot(121)
    bars = figure.add_subplot(222)
    histogram = figure.add_subplot(224)
    axes = split.extent.axes(tokens.GRID)

    def draw(t: int) -> None:
        for panel in (plane, bars, histogram):
            panel.clear()
        field = grid.field(run, t, *axes, "last")
        plane.imshow(
            field,
            extent=(axes[0][0], axes[0][-1], axes[1][0], axes[1][-1]),
            origin="lower",
            cmap="RdBu_r",
        )
        if np.ptp(field):
            plane.contour(*axes, field, levels=[0.0], colors="black")
        for label, marker in ((1.0, "o"), (-1.0, "s")):
            plane.scatter(*split.X[split.y == label].T, marker=marker, s=20)
        bars.bar(np.arange(len(run.y)), run.state_at(t).alpha)
        histogram.hist(run.margins_at(t), bins=50)
        figure.suptitle(explain.explain(run, t).sentence, wrap=True)

    return str(FuncAnimation(figure, draw, frames=full(run.n_steps + 1, 2)).to_jshtml(fps=30))


def loading(browser: Browser, path: Path) -> float:
    """Return the median of seconds from asking for a file to its first picture, each time in a new
    profile.
    """
    taken = []
    for _ in range(full(_LOADS, 1)):
        context = browser.new_context(viewport={"width": 1366, "height": 768}, offline=True)
        context.add_init_script(SEEN)
        tab = context.new_page()
        tab.goto(path.as_uri())
        seen = None
        while not seen:
            time.sleep(0.02)
            seen = tab.evaluate("window.seen")
        taken.append(seen / 1000)
        context.close()
    return statistics.median(taken)


def playing(browser: Browser, path: Path, what: str) -> None:
    """Print how many frames a second it plays at 60 steps a second."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, offline=True)
    tab = context.new_page()
    tab.goto(path.as_uri())
    root = tab.wait_for_selector(".kpviz")
    while not tab.evaluate("Boolean(document.querySelector('.kpviz').kpviz?.board)"):
        time.sleep(0.02)
    gaps = tab.evaluate(FRAMES, [root, full(3000, 200)])["gaps"]
    late = 100 * sum(gap > 25 for gap in gaps) / len(gaps)
    line(
        f"page, playing {what} at 60 steps/s",
        f"{1000 / statistics.median(gaps):.0f} frames/s",
        f"{late:.0f} % late",
        "60",
    )
    context.close()


def main() -> None:
    """Print the table."""
    path = (
        os.environ.get("KPVIZ_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        file = Path(folder) / "page.html"
        plain = Path(folder) / "naive.html"
        _, split, run = of({})
        began = time.perf_counter()
        text = naive(split, run)
        made = time.perf_counter() - began
        plain.write_text(f"<!doctype html><meta charset='utf-8'>{text}", encoding="utf-8")
        slow = loading(browser, plain)
        for name, arguments in full(_RUNS, {"SVM": _RUNS["SVM"]}).items():
            parts = of(arguments)
            began = time.perf_counter()
            file.write_text(page(Comparison.of(*parts), Cues(), autoplay=False), encoding="utf-8")
            taken = time.perf_counter() - began
            is_compared = name == "XOR"
            size = file.stat().st_size / 1e6
            naively = plain.stat().st_size / 1e6
            line(
                f"page of {name}, size",
                f"{size:.2f} MB",
                f"matplotlib {naively:.1f} MB" * is_compared,
                "≤ 2 MB",
            )
            line("  to make it", f"{taken:.2f} s", f"matplotlib {made:.0f} s" * is_compared, "")
            line(
                "  from disk to the first picture",
                f"{loading(browser, file):.2f} s",
                f"matplotlib {slow:.2f} s" * is_compared,
                "≤ 1 s",
            )
        playing(browser, file, "an SVM")
        file.write_text(
            page(Comparison.of(*of(full(_LARGE, _RUNS["SVM"]))), Cues(), autoplay=False),
            encoding="utf-8",
        )
        playing(browser, file, "500 points")
        browser.close()
