"""Examples where a map puts them, without f: the data beside what the kernel makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from kpviz import tokens
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Kernel
from kpviz.engine.kernels.generative import Density, Ellipse, Mixture
from kpviz.engine.run.embedding import Embedding
from kpviz.picture.lab import style
from kpviz.picture.lab.examples import Looked
from kpviz.picture.lab.style import Display

_ROOM = 0.09  # of the span, on each side
_MARKERS = {"circle": "o", "square": "s"}
_RIM = 120  # points of an ellipse


@dataclass(frozen=True, eq=False)
class Arranged(Display):
    """Points of both classes on the light ground of the map, the same scale along both axes.

    Parameters
    ----------
    places, y : (n, 2) and (n,), labels -1 and +1. heading : what they are. axes : names of both.
    ellipses : of a mixture's components, drawn behind the points.
    """

    places: FloatArray
    y: FloatArray
    heading: str
    axes: tuple[str, str]
    ellipses: tuple[Ellipse, ...] = ()
    theme: str = "light"

    def draw(self, ax: Axes) -> None:
        """Draw frame and marks."""
        self._frame(ax)
        self._marks(ax)

    def _frame(self, ax: Axes) -> None:
        """Draw ground, title and the names of the axes; the limits hold all points and ellipses."""
        paint = style.colours(self.theme)
        style.panel(ax, self.theme, self.heading)
        ax.set_facecolor(paint["field_zero"])
        everything = np.concatenate([self.places, *(rim(ellipse) for ellipse in self.ellipses)])
        low, high = everything.min(axis=0), everything.max(axis=0)
        half = (0.5 + _ROOM) * (float((high - low).max()) or 1.0)
        middle = (low + high) / 2
        ax.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half))
        ax.set_aspect("equal")
        ax.set(xticks=[], yticks=[])
        ax.set_xlabel(self.axes[0], color=paint["quiet"], parse_math=False)
        ax.set_ylabel(self.axes[1], color=paint["quiet"], parse_math=False)
        style.outline(ax, self.theme)

    def _marks(self, ax: Axes) -> None:
        """Draw ellipses and points."""
        paint = style.colours(self.theme)
        for ellipse in self.ellipses:
            line: dict[str, Any] = {
                "color": paint["on_map"],
                "linewidth": style.pen(1.2 if ellipse.sigmas == 1 else 0.7),
            }
            ax.plot(*rim(ellipse).T, zorder=1.5, **line)
        for label, kind in ((1.0, "positive"), (-1.0, "negative")):
            those = self.y == label
            look: dict[str, Any] = {"marker": _MARKERS[tokens.SHAPES[kind]], "edgecolors": paint["on_mark"]}
            look |= {"facecolors": paint[f"point_{kind}"], "linewidths": style.pen(0.8), "s": style.pen(6.0) ** 2}
            ax.scatter(*self.places[those].T, zorder=2, **look)


def panels(kernel: Kernel, looked: Looked, found: Embedding, theme: str) -> list[Display]:
    """Return the data, where they are points of the plane, and their first two kernel principal components."""
    if looked.y is None:
        return []
    mapped = Arranged(found.places, looked.y, "Kernel PCA", ("first axis", "second axis"), (), theme)
    if kernel.compares != "vectors" or looked.X.shape[1] != 2:
        return [mapped]
    ellipses = kernel.ellipses() if isinstance(kernel, Mixture | Density) else ()
    return [Arranged(looked.X, looked.y, "The data", ("x₁", "x₂"), ellipses, theme), mapped]


def rim(ellipse: Ellipse) -> FloatArray:
    """Return points on an ellipse, (many, 2), the last one the first."""
    turn, round_ = np.deg2rad(ellipse.angle), np.linspace(0.0, 2 * np.pi, _RIM)
    x, y = ellipse.axes[0] * np.cos(round_), ellipse.axes[1] * np.sin(round_)
    places = np.array([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)]).T
    return np.asarray(places + np.array(ellipse.centre))
