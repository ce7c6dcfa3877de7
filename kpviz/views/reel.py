"""The board of a run drawn over and over, for films: what stands still once, what changes above it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from numpy.typing import NDArray

from kpviz.engine.run import Run
from kpviz.views import board, style
from kpviz.views.display import Display, artists
from kpviz.views.look import Look
from kpviz.views.plane import NOTHING, Motion, Said
from kpviz.views.stamps import Stamps

_DPI = 100.0


class Reel:
    """Frames of one run, each the picture that `board.figure` draws.

    Parameters
    ----------
    width, height : of a frame in pixels; they take the place of the look's size.
    """

    def __init__(self, run: Run, look: Look, width: int, height: int) -> None:
        self.run, self.look = run, replace(look, size=(width / _DPI, height / _DPI)).on(run)
        self.page = self.look.page(run)
        self.figure = Figure(figsize=self.look.size, dpi=_DPI, facecolor=look.ground)
        self.canvas: Any = FigureCanvasAgg(self.figure)
        self._stamps = Stamps(self.figure)
        self._displays: dict[str, Display] = {}
        self._stills: dict[str, Hashable] = {}
        self._ground: Any = None
        self._under: Any = None  # all but the map, at one instant
        self._known: Hashable = None

    def frame(self, t: int, said: Said = NOTHING, motion: Motion | None = None) -> NDArray[np.uint8]:
        """Return a picture, (height, width, 4); the next call writes over it."""
        with style.sheet(self.page.scale):
            if self._known != (t, said):
                self._displays = board.describe(self.run, t, self.look, said)
                self._draw_around()
                self._known = (t, said)
            self.canvas.restore_region(self._under)
            shown = self._displays
            moved = {} if motion is None else board.moved(self.run, t, self.look, said, motion, shown)
            for place, display in shown.items():
                if _of_map(place):
                    self._mark(place, moved.get(place, display))
        return np.asarray(self.canvas.buffer_rgba())

    def _draw_around(self) -> None:
        """Draw what is around the map."""
        stills = {place: display.still for place, display in self._displays.items() if not place.endswith("/light")}
        if stills != self._stills:
            self._draw_ground()
            self._stills = stills
        self.canvas.restore_region(self._ground)
        for place, display in self._displays.items():
            if not _of_map(place):
                self._mark(place, display)
        self._under = self.canvas.copy_from_bbox(self.figure.bbox)

    def _draw_ground(self) -> None:
        """Draw what stands still, on new axes."""
        self.figure.clear()
        for place, display in self._displays.items():
            display.frame(board.axes_of(self.figure, self.page, place))
        self.canvas.draw()
        self._ground = self.canvas.copy_from_bbox(self.figure.bbox)

    def _mark(self, place: str, display: Display) -> None:
        """Draw the marks of a panel above what is there, and forget them."""
        ax = board.axes_of(self.figure, self.page, place)
        before = set(artists(ax))
        display.marks(ax)
        new = [artist for artist in artists(ax) if artist not in before]
        for artist in sorted(new, key=Artist.get_zorder):
            if isinstance(artist, Text):
                self._stamps.draw(artist, self.canvas.get_renderer())
            else:
                artist.draw(self.canvas.get_renderer())
            artist.remove()


def _of_map(place: str) -> bool:
    return place.partition("/")[0].partition("-")[0] == "map"  # those of pinned runs are "map-0" and so on
