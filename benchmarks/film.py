"""Pictures and films: a still board; 300 frames of 1280x720 to MP4, beside matplotlib's
FuncAnimation; memory.
"""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import tempfile
import time
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.animation import FFMpegWriter, FuncAnimation
from matplotlib.figure import Figure

from benchmarks.timing import full, line, seconds
from kpviz import experiment, tokens
from kpviz.engine.run import grid
from kpviz.export import ffmpeg, films, pace
from kpviz.export.films import Film, FilmOptions
from kpviz.lessons import explain
from kpviz.picture.reel import Page
from kpviz.picture.stage import RenderOptions, Stage
from kpviz.player.comparison import Comparison
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

_WIDE = 1280
_HIGH = 720
_FPS = 30
_SECONDS = 10.0
_PACES = (("at the default pace", 1.0, "≥ 20 ×"), ("a new step in each frame", 4.5, "≥ 12 ×"))
_STILL = (1920, 1080)
_MEMORY = """
import resource, sys, tempfile
from pathlib import Path
from benchmarks.film import cut
from kpviz.export import films
with tempfile.TemporaryDirectory() as folder:
    films.save(cut(1.0, float(sys.argv[1])), Path(folder) / "film.mp4")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def cut(speed: float, length: float) -> Film:
    """Return a film of so many seconds of XOR with noise, which makes mistakes to its end."""
    settings = Settings.of(noise=0.3, epochs=20)
    split = experiment.prepare(settings)
    experiments = Comparison.of(settings, split, experiment.run(settings, split))
    whole = films.film(
        experiments,
        Cues(),
        FilmOptions(width=_WIDE, height=_HIGH, fps=_FPS, speed=speed, title=None),
    )
    first = whole.shots[1].start  # The opening, which stands still, is left out.
    shots = [dataclasses.replace(shot, start=shot.start - first) for shot in whole.shots[1:]]
    shots = [shot for shot in shots if shot.start < length]
    shots[-1] = dataclasses.replace(shots[-1], seconds=length - shots[-1].start)
    return dataclasses.replace(whole, shots=shots)


def naive(made: Film, path: Path) -> None:
    """Show the same numbers with matplotlib's own artists, drawn anew for each frame of its
    animation.
    """
    run = made.experiments.current.run
    x1, x2 = made.experiments.current.where.visible.axes(tokens.GRID)
    figure = Figure(figsize=(_WIDE / 100, _HIGH / 100), dpi=100)

    def draw(number: int) -> list[object]:
        t = pace.shot_at(made.shots, number / made.fps).t or 0
        figure.clear()
        rows = [["map", "words"], ["map", "alpha"], ["map", "margins"], ["time", "time"]]
        axes: Any = figure.subplot_mosaic(rows, height_ratios=[2, 3, 3, 1])
        field = grid.field(run, t, x1, x2)
        state = run.state_at(t)
        axes["map"].imshow(
            field, origin="lower", extent=(x1[0], x1[-1], x2[0], x2[-1]), cmap="PuOr"
        )
        if (field > 0).any() and (field < 0).any():
            axes["map"].contour(x1, x2, field, [0.0], colors="k")
        for label, marker in ((1.0, "o"), (-1.0, "s")):
            those = run.y == label
            axes["map"].scatter(
                *run.X[those].T, s=20 + 20 * state.alpha[those], marker=marker, edgecolors="w"
            )
        axes["words"].text(0, 0.5, explain.explain(run, t).sentence, wrap=True)
        axes["words"].set_axis_off()
        axes["alpha"].bar(range(len(run.y)), state.alpha)
        axes["margins"].hist(run.margins_at(t), bins=50)
        axes["time"].vlines(np.flatnonzero(run.mistake), 0, 1)
        axes["time"].axvline(t)
        return []

    matplotlib.rcParams["animation.ffmpeg_path"] = ffmpeg.executable()
    animation = FuncAnimation(
        figure, draw, frames=made.n_frames, init_func=list, cache_frame_data=False
    )
    animation.save(str(path), writer=FFMpegWriter(fps=made.fps, codec="libx264"), dpi=100)


@cache
def _memory(length: float) -> float:
    """Return the largest memory of a process that makes a film so long, in MB."""
    completed = subprocess.run(
        [sys.executable, "-c", _MEMORY, str(length)], capture_output=True, text=True, check=True
    )
    return int(completed.stdout) / (1024 if sys.platform != "darwin" else 1024**2)


def still() -> None:
    """A board of the start page from the player's modules to pixels, at 1080p."""
    settings = Settings.of()
    look = RenderOptions()
    split = experiment.prepare(settings)
    stage = Stage(Comparison.of(settings, split, experiment.run(settings, split)), look, _STILL)
    page = Page(*_STILL, look.scale(*_STILL), look.colours["paper"])
    instants = cycle(range(1, 60))

    def paint() -> None:
        page.clear(None)
        page.painter.board(stage.board(next(instants)))

    took = seconds(paint, 99, time.process_time)
    line(
        "still board of {} x {}".format(*_STILL),
        f"{took * 1e3:.1f} ms",
        "of the processor's time",
        "≤ 25 ms",
    )


def lasting() -> None:
    """Seconds, and how many times faster it is."""
    with tempfile.TemporaryDirectory() as folder:
        for pace, speed, promised in full(_PACES, _PACES[1:]):
            made = cut(speed, full(_SECONDS, 0.1))
            for first in full((cut(speed, 0.5),), ()):  # The first film loads what is loaded once.
                films.save(first, Path(folder) / "first.mp4")
            taken = []
            for make in (films.save, naive):
                begun = time.perf_counter()
                make(made, Path(folder) / f"{make.__name__}.mp4")
                taken.append(time.perf_counter() - begun)
            ours, theirs = taken
            steps = len({shot.t for shot in made.shots})
            line(
                f"{made.n_frames} frames of {_WIDE}x{_HIGH}, {steps} steps, {pace}",
                f"{ours:.1f} s",
                "< 10 s, as it lasts",
            )
            line(
                "  FuncAnimation.save of the same numbers",
                f"{theirs:.1f} s = {theirs / ours:.1f} ×",
                promised,
            )


def memory() -> None:
    """What a film ten times as long needs more."""
    lengths = full((5.0, 60.0), (0.1, 0.1))
    short, long = map(_memory, lengths)
    line(
        "memory for a film of {:g} s, of {:g} s".format(*lengths),
        f"{short:.0f} MB, {long:.0f} MB",
        "the same",
    )


def main() -> None:
    """Print the table."""
    still()
    lasting()
    memory()
