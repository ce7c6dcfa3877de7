"""The examples on the map: class as shape and colour, mistakes as area, a ring about the current one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from kpviz import tokens
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.views import style

MARKERS = {"circle": "o", "square": "s"}
KINDS = ("positive", "negative")
_SIDE = 600.0  # pixels of the map that `tokens.POINT` is meant for
_RING = 5.0  # of those, from a point's edge to the ring


@dataclass(frozen=True, eq=False)
class Points:
    """Examples in the plane.

    Parameters
    ----------
    X, y : (n, 2) and (n,), labels -1 and +1.
    count : (n,) mistakes on each, that is alpha in the learner's unit.
    current : the example with a ring, None for none.
    X_test, y_test : held-out examples, drawn hollow.
    """

    X: FloatArray
    y: FloatArray
    count: FloatArray
    current: int | None = None
    X_test: FloatArray | None = None
    y_test: FloatArray | None = None
    theme: str = "light"

    @classmethod
    def of(
        cls,
        run: Run,
        t: int,
        *,
        X_test: FloatArray | None = None,
        y_test: FloatArray | None = None,
        theme: str = "light",
    ) -> Points:
        """Read the points of an instant."""
        count = run.state_at(t).alpha / run.unit
        return cls(run.X, run.y, count, int(run.index[t - 1]) if t else None, X_test, y_test, theme)

    def radius(self) -> FloatArray:
        """Return the (n,) radius of each point, in pixels of a map 600 pixels wide."""
        grown = tokens.POINT["radius"] + tokens.POINT["per_alpha"] * np.sqrt(np.abs(self.count))
        return np.minimum(grown, tokens.POINT["largest"])

    def draw(self, ax: Axes) -> None:
        """Draw the points, and the ring above them."""
        halo = style.colours(self.theme)["field_zero"]
        for kind in KINDS:
            colour = tokens.MAP_POINTS[kind]
            if self.X_test is not None and self.y_test is not None:
                held = self.X_test[(self.y_test > 0) == (kind == "positive")]
                radius = np.full(len(held), tokens.POINT["radius"])
                _scatter(ax, kind, held, radius, facecolors="none", edgecolors=colour, linewidths=1.3)
            here = (self.y > 0) == (kind == "positive")
            _scatter(ax, kind, self.X[here], self.radius()[here], facecolors=colour, edgecolors=halo, linewidths=0.7)
        if self.current is not None:
            self._draw_ring(ax, self.current)

    def draw_legend(self, ax: Axes) -> None:
        """Draw what the marks mean, above the axes at the right."""
        paint = style.colours(self.theme)
        marks = [_mark(kind, paint[kind], paint[kind], label) for kind, label in zip(KINDS, ("+1", "−1"), strict=True)]
        if self.X_test is not None:
            marks.append(_mark("positive", "none", paint["quiet"], "held out"))
        ax.legend(
            handles=marks,
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            ncols=len(marks),
            frameon=False,
            labelcolor=paint["quiet"],
            fontsize="medium",
            borderpad=0.0,
            borderaxespad=0.4,
            handletextpad=0.0,
            handlelength=1.6,
            columnspacing=0.8,
        )

    def _draw_ring(self, ax: Axes, i: int) -> None:
        # The light theme's accent in both themes: the field is light in both.
        accent, halo = tokens.THEMES["light"]["accent"], style.colours(self.theme)["field_zero"]
        radius, around = self.radius()[[i]] + _RING, [withStroke(linewidth=5.0, foreground=halo)]
        ring = {"edgecolors": accent, "linewidths": 2.6, "path_effects": around}
        _scatter(ax, "positive", self.X[[i]], radius, facecolors="none", **ring)


def _scatter(ax: Axes, kind: str, X: FloatArray, radius: FloatArray, **paint: Any) -> None:
    """Draw marks; matplotlib wants the square of a mark's width in points. A square is as large as its circle."""
    shape = tokens.SHAPES[kind]
    points = 0.72 * radius * min(style.pixels(ax)) / _SIDE
    area = points**2 * (4.0 if shape == "circle" else np.pi)
    ax.scatter(X[:, 0], X[:, 1], s=area, marker=MARKERS[shape], clip_on=False, zorder=3, **paint)


def _mark(kind: str, face: str, edge: str, label: str) -> Line2D:
    marker = MARKERS[tokens.SHAPES[kind]]
    return Line2D([], [], linestyle="none", marker=marker, markerfacecolor=face, markeredgecolor=edge, label=label)
