"""The examples on the map: class as shape and colour, alpha as area, a ring about the current one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from matplotlib.transforms import IdentityTransform

from kpviz import tokens
from kpviz.engine import scales
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.display import Display

MARKERS = {"circle": "o", "square": "s"}
KINDS = ("positive", "negative")
SIDE = 600.0  # pixels of the map that `tokens.POINT` is meant for
_HELD_OUT = 4.2  # of those, the radius of a hollow point
_LIT = 4.0  # of those, from a point's edge to the outline of what a cue speaks of
_RING = 5.0  # of those, from a point's edge to the ring
_LEAST = 60.0  # px of a title, less of which says nothing
_SMALLER = 0.75  # as large as usual a title is at least, before it is cut
_NAME = 90.0  # points of a class's name
_SPREAD = 34.0  # of those, how far a step's ring spreads


@dataclass(frozen=True, eq=False)
class Points(Display):
    """Examples in the plane.

    Parameters
    ----------
    X, y : (n, 2) and (n,), labels -1 and +1.
    level : (n,) what the size shows: mistakes on each, or its share of the largest alpha, see `scales.alpha_scale`.
    current : the example with a ring, None for none.
    held_out : (X, y) of the examples held out, drawn hollow.
    gain : px that the square root of a level adds to the radius.
    spread : how far the ring of a step has spread, 0 to 1; None: there is none.
    lit : examples that a cue speaks of.
    larger : times as large as the map's size asks for.
    """

    X: FloatArray
    y: FloatArray
    level: FloatArray
    current: int | None = None
    held_out: tuple[FloatArray, FloatArray] | None = None
    theme: str = "light"
    gain: float = tokens.POINT["gain"]
    spread: float | None = None
    lit: tuple[int, ...] = ()
    larger: float = 1.0

    @classmethod
    def of(
        cls,
        run: Run,
        t: int,
        *,
        held_out: tuple[FloatArray, FloatArray] | None = None,
        places: FloatArray | None = None,
        theme: str = "light",
    ) -> Points:
        """Read the points of an instant; `places`, (n, 2), is where they are shown, None: in their own plane."""
        at = run.X if places is None else places
        scale = scales.alpha_scale(run)
        level = run.state_at(t).alpha / scale.unit
        return cls(at, run.y, level, int(run.index[t - 1]) if t else None, held_out, theme, scale.gain)

    def radius(self) -> FloatArray:
        """Return the (n,) radius of each point, in pixels of a map 600 pixels wide."""
        return np.asarray(tokens.POINT["radius"] + self.gain * np.sqrt(np.abs(self.level)))

    def marks(self, ax: Axes) -> None:
        """Draw the points, and the rings above them."""
        if self.held_out is not None:
            X, y = self.held_out
            radius = np.full(len(X), self.larger * _HELD_OUT)
            hollow = {"facecolors": "none", "edgecolors": self._hollow(y), "linewidths": style.pen(1.3)}
            draw_marks(ax, X, y, radius, **hollow)
        self.draw_examples(ax)
        if self.lit:
            those = np.array(self.lit)
            ink: dict[str, Any] = {"facecolors": "none", "edgecolors": style.colours(self.theme)["on_map"]}
            radius = self.larger * (self.radius()[those] + _LIT)
            draw_marks(ax, self.X[those], self.y[those], radius, linewidths=style.pen(1.7), **ink)
        if self.current is not None:
            self._draw_ring(ax, self.current)
            if self.spread is not None:
                self._draw_spread(ax, self.current, self.spread)

    def draw_examples(self, ax: Axes) -> None:
        """Draw the examples themselves, small ones on top, so that none is hidden, and the current one above all."""
        order = np.lexsort((-self.radius(), np.arange(len(self.y)) == self.current))
        X, y, radius = self.X[order], self.y[order], self.larger * self.radius()[order]
        faces, rims = style.points(self.theme, y)
        width = style.pen(1.2 if self.theme == tokens.PRINT else 0.8)
        draw_marks(ax, X, y, radius, facecolors=faces, edgecolors=rims, linewidths=width)

    def _hollow(self, y: FloatArray) -> list[str] | str:
        """Return the colours of those held out."""
        return style.colours(self.theme)["ghost"] if self.theme == tokens.PRINT else style.points(self.theme, y)[0]

    def _draw_ring(self, ax: Axes, i: int) -> None:
        paint = style.colours(self.theme)
        ring: dict[str, Any] = {"facecolors": "none", "edgecolors": paint["on_map"], "linewidths": style.pen(2.0)}
        ring["path_effects"] = [withStroke(linewidth=style.pen(4.6), foreground=paint["field_zero"])]
        draw_marks(ax, self.X[[i]], np.ones(1), self.larger * (self.radius()[[i]] + _RING), **ring)

    def _draw_spread(self, ax: Axes, i: int, share: float) -> None:
        width = style.pen((3 * (1 - share) + 0.5) * 0.72)
        ring: dict[str, Any] = {"facecolors": "none", "linewidths": width, "alpha": 1 - share}
        ring["edgecolors"] = style.colours(self.theme)["on_map"]
        radius = self.larger * (self.radius()[[i]] + _RING + _SPREAD * share)
        draw_marks(ax, self.X[[i]], np.ones(1), radius, clip_on=True, **ring)


@dataclass(frozen=True)
class Legend(Display):
    """The map's title, and what its marks mean.

    Parameters
    ----------
    held_out : whether there are hollow marks. hollow : what these mean.
    classes : what −1 and +1 are called.
    """

    title: str = ""
    held_out: bool = False
    theme: str = "light"
    hollow: str = "held out"
    classes: tuple[str, str] = ("−1", "+1")

    @property
    def names(self) -> tuple[str, str]:
        """What the marks of +1 and of −1 mean."""
        minus, plus = self.classes
        if plus == "+1":
            return "+1", "−1"
        return f"+1 {words.shortened(plus, style.TEXT, _NAME)}", f"−1 {words.shortened(minus, style.TEXT, _NAME)}"

    def frame(self, ax: Axes) -> None:
        """Draw both above the axes."""
        taken = sum(words.width(name, style.TEXT) / 0.72 + 38 for name in self.names)  # by the legend
        room = style.pixels(ax)[0] - taken - (130 if self.held_out else 10)
        if self.title and room > _LEAST:
            size = style.TEXT * min(max(0.72 * room / words.width(self.title, style.TEXT), _SMALLER), 1.0)
            style.title(ax, self.theme, words.shortened(self.title, size, 0.72 * room), size)
        paint = style.colours(self.theme)
        faces = [paint[kind] for kind in KINDS]
        edges = faces
        if self.theme == tokens.PRINT:
            faces, edges = [paint["on_map"], paint["on_mark"]], [paint["on_map"]] * 2
        marks = [_mark(*mark) for mark in zip(KINDS, faces, edges, self.names, strict=True)]
        if self.held_out:
            marks.append(_mark("positive", "none", paint["quiet"], self.hollow))
        ax.legend(
            handles=marks,
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            ncols=len(marks),
            frameon=False,
            labelcolor=paint["quiet"],
            fontsize="medium",
            borderpad=0.0,
            borderaxespad=0.3,
            handletextpad=0.0,
            handlelength=1.6,
            columnspacing=0.8,
        )


def draw_marks(ax: Axes, X: FloatArray, y: FloatArray, radius: FloatArray, **paint: Any) -> None:
    """Draw circles and squares in the order given, a square as large as a circle of its radius."""
    shapes = [tokens.SHAPES[style.side(label)] for label in y]
    paths = [_path(shape) for shape in shapes]
    points = style.pen(0.72 * min(style.pixels(ax)) / SIDE) * radius
    sizes = points**2 * np.where([shape == "circle" for shape in shapes], 4.0, np.pi)  # width squared
    marks = PathCollection(
        paths, sizes=sizes, offsets=X, offset_transform=ax.transData, **{"clip_on": False, "zorder": 3, **paint}
    )
    marks.set_transform(IdentityTransform())
    ax.add_collection(marks, autolim=False)


def _mark(kind: str, face: str, edge: str, label: str) -> Line2D:
    marker = MARKERS[tokens.SHAPES[kind]]
    mark: dict[str, Any] = {"marker": marker, "markersize": style.pen(7), "markeredgewidth": style.pen(1.3)}
    return Line2D([], [], linestyle="none", markerfacecolor=face, markeredgecolor=edge, label=label, **mark)


@cache
def _path(shape: str) -> Path:
    marker = MarkerStyle(MARKERS[shape])
    path: Path = marker.get_path().transformed(marker.get_transform())
    return path
