"""A run as a film: MP4, WebM or GIF, at the pace of the player, with holds and words at the cues."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from kpviz import tokens
from kpviz.engine import checks, grid, ground
from kpviz.engine.checks import FloatArray
from kpviz.engine.readings import Readings
from kpviz.engine.run import Run
from kpviz.export import ffmpeg, script
from kpviz.export.formats import FASTEST_GIF, FORMATS, RATES
from kpviz.export.script import Shot
from kpviz.views import style
from kpviz.views.card import Card
from kpviz.views.look import Look
from kpviz.views.map import Bump
from kpviz.views.page import Page
from kpviz.views.plane import NOTHING, Motion, Said
from kpviz.views.reel import Reel

_SAID_EVERY = 0.25  # seconds
_SAMPLES = 12  # frames whose colours decide on a GIF's

Progress = Callable[[int, int], Any]
Frame = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Film:
    """All that a film shows.

    Parameters
    ----------
    shots : what is shown when, see `script.script`.
    width, height : of a frame in pixels, even numbers.
    fps : frames per second. card : what a shot without an instant shows.
    """

    run: Run
    look: Look
    shots: Sequence[Shot]
    width: int = 1920
    height: int = 1080
    fps: int = 30
    card: Card = field(default_factory=lambda: Card(""))

    def __post_init__(self) -> None:
        if self.fps not in RATES:
            raise ValueError(f"fps={self.fps} is not possible: fps must be one of {', '.join(map(str, RATES))}.")
        if self.width % 2 or self.height % 2:
            raise ValueError(f"A film of {self.width}x{self.height} pixels is not possible: give even numbers.")

    @property
    def n_frames(self) -> int:
        """How many frames there are."""
        return script.length(self.shots, self.fps)

    def frames(self) -> Iterator[Frame]:
        """Return the pictures in order, each (height, width, 4); none is kept."""
        return self._drawn([number / self.fps for number in range(self.n_frames)])

    def samples(self) -> Iterator[Frame]:
        """Return a few pictures spread over the film."""
        end = self.shots[-1].end
        return self._drawn([end * (k + 0.5) / _SAMPLES for k in range(_SAMPLES)])

    def _drawn(self, times: Sequence[float]) -> Iterator[Frame]:
        look = self.look.on(self.run)
        reel, stage = Reel(self.run, look, self.width, self.height), _Stages(self.run, look)
        shown: Any = None
        frame = np.zeros((self.height, self.width, 4), dtype=np.uint8)
        for at in times:
            shot = script.shot_at(self.shots, at)
            gone = 1000 * (at - shot.start)
            moving = shot.happens and gone < tokens.TIMINGS["ghost"]
            if moving or shown is not shot:
                motion = stage.motion(shot.t, gone) if moving and shot.t else None
                frame = self._title() if shot.t is None else reel.frame(shot.t, _said(shot), motion).copy()
                shown = None if moving else shot
            yield frame

    def _title(self) -> Frame:
        page = Page((self.width / 100, self.height / 100))
        figure = Figure(figsize=page.size, dpi=100, facecolor=style.colours(self.look.theme)["paper"])
        canvas: Any = FigureCanvasAgg(figure)
        with style.sheet(page.scale):
            self.card.draw(figure, page)
            canvas.draw()
        return np.asarray(canvas.buffer_rgba())


class _Stage:
    """How a step happens on the map: the bump appears, and melts into the field."""

    def __init__(self, run: Run, look: Look) -> None:
        self.run, self.look = run, look
        self._where = look.ground_of(run)
        self._readings = Readings(run)  # its own: it is asked for the instant before, which counts votes on
        self._t: int | None = None

    def motion(self, t: int, gone: float) -> Motion:
        """Return how far the step that led to t has happened `gone` milliseconds after its beginning."""
        if self._t != t:
            self._take(t)
            self._t = t
        gone = max(gone, 0.0)  # a frame may be so little early that rounding hides it
        hold, ghost, ring = (tokens.TIMINGS[name] for name in ("bump", "ghost", "ring"))
        share = min(max((gone - hold) / (ghost - hold), 0.0), 1.0)
        eased = share * share * (3 - 2 * share)
        between = self._before + eased * (self._after - self._before) if self._where.is_plane else None
        y = float(self.run.y[self.run.index[t - 1]])
        bump = Bump(self._before, self._kernel, y, tokens.BUMP["opacity"] * (1 - eased))
        return Motion(between, bump, gone / ring if gone < ring else None)

    def _take(self, t: int) -> None:
        predictor, i = self.look.predictor, self.run.index[t - 1]
        if not self._where.is_plane:
            self._before = self._after = np.zeros(0)
            self._kernel = self._similar[i] if predictor == "last" else None
            return
        x1, x2 = self._where.shown.axes(tokens.GRID)
        self._before, self._after = (self._readings.field(at, x1, x2, predictor) for at in (t - 1, t))
        alone = np.zeros(len(self.run.y))
        alone[i] = 1.0
        self._kernel = grid.expansion(self.run, alone, 0.0, x1, x2) if predictor == "last" else None

    @cached_property
    def _similar(self) -> FloatArray:
        """k(x_i, x_j) of each training example with all that are shown."""
        held = self.look.held_out(self.run)
        return np.asarray(ground.similar(self.run, None if held is None else held[0]))


class _Stages:
    """How a step happens on the map of each run that makes one."""

    def __init__(self, run: Run, look: Look) -> None:
        self._own = _Stage(run, look)
        pinned = () if look.others is None else look.others.pinned
        self._others = [_Stage(each.run, each.look) for each in pinned]

    def motion(self, t: int, gone: float) -> Motion:
        """Return how far the step that led to t has happened; nothing happens in a run that only looks or has ended."""
        moving = [stage.motion(t, gone) if script.changes(stage.run, t) else None for stage in self._others]
        own = self._own.motion(t, gone) if script.changes(self._own.run, t) else Motion(None, None, None)
        return replace(own, others=tuple(moving))


def _said(shot: Shot) -> Said:
    cue = shot.cue
    others = shot.others if shot.t == 0 else ()
    if cue is None:
        return Said(shot.words, others=others) if shot.t == 0 else NOTHING  # where nobody has a key to press
    return Said(shot.words if shot.t == 0 else cue.words, cue.examples, cue.panels, others)


class Left:
    """Says how far a film is, and how long the rest takes; "" when it has just been said."""

    def __init__(self) -> None:
        self._began = self._last = time.monotonic()

    def say(self, done: int, of: int) -> str:
        """Return what to say after `done` frames."""
        now = time.monotonic()
        if not done or now - self._last < _SAID_EVERY:
            return ""
        self._last = now
        return f"{done:,} of {of:,} frames, about {(now - self._began) * (of - done) / done:.0f} s left"


def save(film: Film, path: Path, progress: Progress = lambda done, of: None) -> None:
    """Write a film; its name's ending, .mp4, .webm or .gif, says how.

    `progress` is called with the frames done and all of them; what it raises cancels, and leaves no file.

    Raises
    ------
    ValueError
        One sentence: ffmpeg or a font is missing, or the film cannot be written.
    """
    kind = checks.choice("format", path.suffix[1:].lower(), FORMATS)
    if kind == "gif" and film.fps > FASTEST_GIF:
        raise ValueError(f"A GIF of {film.fps} frames per second plays too slowly: give at most {FASTEST_GIF}.")
    samples = film.samples() if kind == "gif" else None
    with ffmpeg.Writer(path, kind, film.width, film.height, film.fps, samples) as writer:
        for done, frame in enumerate(film.frames()):
            progress(done, film.n_frames)
            writer.write(frame)
    progress(film.n_frames, film.n_frames)
