"""Films: 300 frames of 1280x720 to MP4, beside matplotlib's FuncAnimation drawing the same, and how memory grows."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import matplotlib
from matplotlib.animation import FFMpegWriter, FuncAnimation
from matplotlib.figure import Figure

from benchmarks.timing import full, line
from kpviz import experiment, tokens
from kpviz.export.film import ffmpeg, film, lecture, script
from kpviz.export.film.film import Film
from kpviz.export.film.lecture import Wishes
from kpviz.picture.figure import BoardArtist
from kpviz.picture.stage import Stage
from kpviz.player.lineup import Lineup
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

_WIDE, _HIGH, _FPS, _SECONDS = 1280, 720, 30, 10.0
_PACES = (("at the usual pace", 1.0), ("a new step in each frame", 4.5))
_MEMORY = """
import resource, sys, tempfile
from pathlib import Path
from benchmarks.film import cut
from kpviz.export import film
with tempfile.TemporaryDirectory() as folder:
    film.save(cut(1.0, float(sys.argv[1])), Path(folder) / "film.mp4")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def cut(speed: float, seconds: float) -> Film:
    """Return a film of so many seconds of XOR with noise, which makes mistakes to its end."""
    settings = Settings.of(noise=0.3, epochs=20)
    split = experiment.prepare(settings)
    lineup = Lineup.of(settings, split, experiment.run(settings, split))
    whole = lecture.film(lineup, Cues(), Wishes(width=_WIDE, height=_HIGH, fps=_FPS, speed=speed, title=None))
    first = whole.shots[1].start  # without the opening, which stands still
    shots = [dataclasses.replace(shot, start=shot.start - first) for shot in whole.shots[1:]]
    shots = [shot for shot in shots if shot.start < seconds]
    shots[-1] = dataclasses.replace(shots[-1], seconds=seconds - shots[-1].start)
    return dataclasses.replace(whole, shots=shots)


def naive(made: Film, path: Path) -> None:
    """Draw the same frames with matplotlib's animation, the board anew for each."""
    figure = Figure(figsize=(_WIDE / 100, _HIGH / 100), dpi=100)
    stage = Stage(made.lineup, made.look, (_WIDE, _HIGH))

    def draw(number: int) -> list[object]:
        at = number / made.fps
        shot = script.shot_at(made.shots, at)
        gone = 1000 * (at - shot.start)
        moving = shot.happens and gone < tokens.TIMINGS["ghost"]
        figure.clear()
        figure.add_artist(BoardArtist(stage.board(shot.t or 0, gone if moving else None)))
        return []

    matplotlib.rcParams["animation.ffmpeg_path"] = ffmpeg.executable()
    animation = FuncAnimation(figure, draw, frames=made.n_frames, init_func=list, cache_frame_data=False)
    animation.save(str(path), writer=FFMpegWriter(fps=made.fps, codec="libx264"), dpi=100)


def _memory(seconds: float) -> float:
    """Return the largest memory of a process that makes a film so long, in MB."""
    said = subprocess.run([sys.executable, "-c", _MEMORY, str(seconds)], capture_output=True, text=True, check=True)
    return int(said.stdout) / (1024 if sys.platform != "darwin" else 1024**2)


def main() -> None:
    """Print seconds, ratios and memory."""
    with tempfile.TemporaryDirectory() as folder:
        for pace, speed in full(_PACES, _PACES[1:]):
            made = cut(speed, full(_SECONDS, 0.1))
            film.save(cut(speed, full(0.5, 0.1)), Path(folder) / "first.mp4")  # what is loaded once
            seconds = []
            for make in (film.save, naive):
                begun = time.perf_counter()
                make(made, Path(folder) / f"{make.__name__}.mp4")
                seconds.append(time.perf_counter() - begun)
            ours, theirs = seconds
            steps = len({shot.t for shot in made.shots})
            line(
                f"{made.n_frames} frames of {_WIDE}x{_HIGH}, {steps} steps, {pace}",
                f"{ours:.1f} s",
                "< 10 s, as it lasts",
            )
            line("  FuncAnimation.save of the same", f"{theirs:.1f} s = {theirs / ours:.0f} ×", "≥ 15 ×")
    lengths = full((5.0, 60.0), (0.1, 0.2))
    short, long = map(_memory, lengths)
    line("memory for a film of {:g} s, of {:g} s".format(*lengths), f"{short:.0f} MB, {long:.0f} MB", "the same")
