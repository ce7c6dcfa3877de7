"""The weight vector of the primal perceptron on the map, where the features of φ are those of x."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from kpviz import tokens
from kpviz.engine import primal_shown
from kpviz.engine.checks import FloatArray
from kpviz.engine.primal_shown import Arrow as Reach
from kpviz.engine.run import Run
from kpviz.views import style
from kpviz.views.display import Display

_HEAD, _OPEN = 9.0, 0.5  # px of the arrow's head, and its angle to either side in radians
_SHORTEST = 1.0  # px


@dataclass(frozen=True, eq=False)
class Arrow(Display):
    """w as an arrow; what this step's mistake added is its thin part.

    Parameters
    ----------
    start, tip : where it begins and ends on the map, (2,). before : where it ended before the step, None where that
        was no mistake. y : the label of the step's example.
    """

    start: FloatArray
    tip: FloatArray
    before: FloatArray | None = None
    y: float = 1.0
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, place: Reach, *, theme: str = "light") -> Arrow:
        """Return the arrow of an instant; `place` says where it begins and how long it is."""
        start = np.array(place.start)
        tips = start + place.scale * primal_shown.shown(run).path
        tip = tips[run.changes.before(run.time(t))]
        if t == 0 or not run.mistake[t - 1]:
            return cls(start, tip, theme=theme)
        return cls(start, tip, tips[run.changes.before(t - 1)], float(run.y[run.index[t - 1]]), theme)

    def marks(self, ax: Axes) -> None:
        """Draw it, from its beginning on."""
        paint = style.colours(self.theme if self.theme == tokens.PRINT else "light")  # the map's ground is light
        (x0, x1), (y0, y1), (wide, high) = ax.get_xlim(), ax.get_ylim(), style.pixels(ax)
        to_px = np.array([wide / (x1 - x0), high / (y1 - y0)])
        dot: dict[str, Any] = {"marker": "o", "markersize": style.pen(5.0), "markeredgewidth": style.pen(1.1)}
        dot |= {"markerfacecolor": paint["on_map"], "markeredgecolor": paint["field_zero"], "zorder": 3.4}
        ax.add_line(Line2D(*self.start[:, None], gid="origin", **dot))
        if np.linalg.norm((self.tip - self.start) * to_px) > _SHORTEST:
            ends = (self.start, self.tip)
            ax.add_collection(_lines(ends, to_px, paint["field_zero"], 5.0, alpha=0.85, zorder=3.5), autolim=False)
            ax.add_collection(_lines(ends, to_px, paint["accent"], 2.6, gid="w", zorder=3.6), autolim=False)
        if self.before is not None:
            colour = style.points(self.theme, [self.y])[0][0]
            added = _lines((self.before, self.tip), to_px, colour, 1.3, gid="added", zorder=3.7)
            ax.add_collection(added, autolim=False)


def _lines(
    ends: tuple[FloatArray, FloatArray], to_px: FloatArray, colour: str, points: float, **more: Any
) -> LineCollection:
    """Return a line from one end to the other with two short ones at its tip, as long on any map."""
    start, tip = ends
    across, up = (tip - start) * to_px
    angle = np.arctan2(up, across)
    sides = [tip - _HEAD * np.array([np.cos(angle + turn), np.sin(angle + turn)]) / to_px for turn in (_OPEN, -_OPEN)]
    segments = [np.array([start, tip]), np.array([sides[0], tip, sides[1]])]
    pen: dict[str, Any] = {"colors": colour, "linewidths": style.pen(points), "joinstyle": "round", **more}
    return LineCollection(segments, **pen)
