"""The boundaries of all three readings on one map, and which line is whose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch
from matplotlib.transforms import Affine2D

from kpviz import tokens
from kpviz.engine.checks import FloatArray
from kpviz.engine.predictors import PREDICTORS
from kpviz.engine.readings import Readings
from kpviz.views import lines, style, words
from kpviz.views.map import Map

# How each reading is drawn: its colour, and its dashes in pixels; a full line has none.
COLOURS = {"last": "ink", "averaged": "accent", "voted": "good"}
DASHES: dict[str, tuple[float, float] | None] = {"last": None, "averaged": (9.0, 5.0), "voted": (2.0, 4.0)}
_WIDTH, _HALO = 1.75, 3.6  # points
_TIED = 1e-9  # of the votes: where they are tied over an area its rim is a boundary, as that of no sum of bumps is
_LINE, _SAMPLE, _EDGE, _NEAR = 19.0, 34.0, 6.0, 8.0  # px of the legend: a line, its sample, free space, and points near
_FOOT = 30.0  # px below it, where it may be said that there is no boundary yet


@dataclass(frozen=True, eq=False)
class Boundaries(Map):
    """The map of one reading with the boundaries of all.

    Parameters
    ----------
    others : of the other readings, their names and fields at the nodes. chosen : the name of the map's own.
    places : (n, 2) all examples: the legend lies where fewest of them are.
    """

    others: tuple[tuple[str, FloatArray], ...] = ()
    chosen: str = "last"
    places: FloatArray = field(default_factory=lambda: np.zeros((0, 2)))

    @classmethod
    def over(cls, shown: Map, readings: Readings, t: int, chosen: str, places: FloatArray) -> Boundaries:
        """Return a map with the boundaries of an instant, that of the chosen reading where the map itself has it."""
        kinds = [kind for kind in PREDICTORS if kind != chosen]
        others = tuple((kind, readings.field(t, shown.x1, shown.x2, kind)) for kind in kinds)
        return cls(**vars(shown), others=others, chosen=chosen, places=places)

    def marks(self, ax: Axes) -> None:
        """Draw the map, and the legend under the examples."""
        super().marks(ax)
        self._draw_legend(ax)

    def _draw_boundary(self, ax: Axes) -> bool:
        around: dict[str, Any] = {"colors": style.colours(self.theme)["field_zero"], "linewidths": style.pen(_HALO)}
        found = False
        for kind, values in (*self.others, (self.chosen, self.field)):
            level = _TIED if kind == "voted" else 0.0
            lines.draw(ax, self.x1, self.x2, values, level, alpha=0.85, **around)
            found |= lines.draw(ax, self.x1, self.x2, values, level, gid=kind, **on_map(self.theme, kind, "s"))
        return found

    def _draw_legend(self, ax: Axes) -> None:
        """Draw a sample of each line and its name, in the corner with the fewest examples."""
        paint, (wide, high) = style.colours(self.theme), style.pixels(ax)
        size = min(style.SMALL, style.SMALL * wide / 300.0)
        each = size / style.SMALL
        across = each * (_SAMPLE + 4 * _EDGE) + max(words.width(kind, size) for kind in PREDICTORS) / 0.72
        left, bottom = self._emptiest((across, each * _LINE * len(PREDICTORS) + _EDGE), (wide, high))
        tall = each * _LINE * len(PREDICTORS) + _EDGE
        px: Any = _pixels(ax)
        box: dict[str, Any] = {"facecolor": paint["field_zero"], "alpha": 0.93, "linewidth": 0.0, "zorder": 2.4}
        rounded = "round,pad=0,rounding_size=4"
        ax.add_artist(FancyBboxPatch((left, bottom), across, tall, boxstyle=rounded, transform=px, **box))
        for k, kind in enumerate(PREDICTORS):
            middle = bottom + tall - _EDGE / 2 - each * _LINE * (k + 0.5)
            ends = [left + _EDGE, left + _EDGE + each * _SAMPLE]
            ax.add_line(Line2D(ends, [middle] * 2, transform=px, zorder=2.5, **on_map(self.theme, kind, "")))
            place: dict[str, Any] = {"va": "center_baseline", "fontsize": style.pen(size), "transform": px}
            place |= {"gid": "legend", "zorder": 2.5, "parse_math": False}
            ax.text(ends[1] + _EDGE, middle, kind, color=paint["on_map"], **place)

    def _emptiest(self, box: tuple[float, float], panel: tuple[float, float]) -> tuple[float, float]:
        """Return where a box lies in the panel, from the lower left corner, all in pixels."""
        (w, h), (wide, high) = box, panel
        right, top = wide - w - _EDGE, high - h - _EDGE
        corners = np.array([(right, top), (right, _FOOT), (_EDGE, _FOOT), ((wide - w) / 2, top)])
        spans = np.array([np.ptp(self.x1), np.ptp(self.x2)])
        points = (self.places - [self.x1[0], self.x2[0]]) / spans * [wide, high]
        low, end = corners[:, None] - _NEAR, corners[:, None] + np.array([w, h]) + _NEAR
        counts = ((points > low) & (points < end)).all(axis=2).sum(axis=1) + np.array([0.0, 0.0, 0.0, 0.5])
        x, y = corners[int(np.argmin(counts))]
        return float(x), float(y)


def colour(theme: str, kind: str) -> str:
    """Return a reading's colour in a panel."""
    return style.colours(theme)[COLOURS[kind]]


def dashes(kind: str, points: float) -> Any:
    """Return a reading's dashes for a line so many points wide, as matplotlib counts them: in widths of the line."""
    pattern = DASHES[kind]
    return "solid" if pattern is None else (0.0, tuple(0.72 * part / points for part in pattern))


def on_map(theme: str, kind: str, plural: str) -> dict[str, Any]:
    """Return how a reading's line is drawn on the map, whose ground is light in all themes; "s" for collections."""
    shade = style.colours(theme)["on_map"] if theme == tokens.PRINT else colour("light", kind)  # grey needs dashes only
    pen = {"color": shade, "linewidth": style.pen(_WIDTH), "linestyle": dashes(kind, _WIDTH)}
    return {f"{name}{plural}": [value] if plural and name == "linestyle" else value for name, value in pen.items()}


def _pixels(ax: Axes) -> Any:
    """Return what puts pixels, from the lower left corner of the axes, on the page."""
    wide, high = style.pixels(ax)
    return Affine2D().scale(1.0 / wide, 1.0 / high) + ax.transAxes
