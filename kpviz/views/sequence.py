"""The order of the examples: a cell for each presentation of the epoch, row by row."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from numpy.typing import NDArray

from kpviz import tokens
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.views import style
from kpviz.views.display import Display
from kpviz.views.points import SIDE, draw_marks

TITLE = "Order"
TITLES = {
    "cyclic": "Order: cyclic",
    "hand": "Order by hand",
    "shuffled": "Order: shuffled",
    "random": "Order: random",
}
EMPTY = "There is no example yet."
_DRAWN = ("shuffled", "random")  # orders that differ from epoch to epoch
# Pixels and shares of a cell, as in the player (panels/sequence.js).
_LARGEST, _SMALLEST, _LABELLED = 36.0, 5.0, 22.0
_TALL, _RADIUS, _PALE = 1.2, 0.42, 0.34
_EDGE = 6.0  # px within the panel


@dataclass(frozen=True)
class Cells:
    """Where n cells lie: `size` px wide, so many columns, from a corner in px."""

    size: float
    columns: int
    left: float
    top: float

    @classmethod
    def of(cls, wide: float, high: float, n: int) -> Cells:
        """Return the largest cells that fit a panel of so many px; they are taller than wide."""
        across, room, size = wide - 2 * _EDGE, high - 2 * _EDGE, 0.0
        for rows in range(1, n + 1):
            if room / rows / _TALL <= size:
                break
            size = max(size, min(across / -(-n // rows), room / rows / _TALL, _LARGEST))
        size = max(size, 1.0)
        return cls(size, max(int(across / size + 1e-6), 1), _EDGE, _EDGE)

    def places(self, k: NDArray[np.intp]) -> FloatArray:
        """Return the middles of the shapes in some cells, (len(k), 2)."""
        across = (k % self.columns + 0.5) * self.size
        return np.column_stack([self.left + across, self.top + (k // self.columns * _TALL + 0.5) * self.size])


@dataclass(frozen=True, eq=False)
class Sequence(Display):
    """The presentations of one epoch.

    Parameters
    ----------
    index, y, missed : of each presentation its example, its label, and whether a mistake has been made on it.
    shown : how many have been shown. title : which order it is. why : why there is none, "" where there is.
    """

    index: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    y: FloatArray = field(default_factory=lambda: np.zeros(0))
    missed: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    shown: int = 0
    title: str = TITLE
    why: str = ""
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, *, order: str = "", why: str = "", theme: str = "light") -> Sequence:
        """Read the epoch of an instant.

        `order` is that of the settings, "" where it is not known; `why` says why these have none.
        """
        if why or not run.n_steps:
            return cls(why=f"{why[0].upper()}{why[1:]}." if why else EMPTY, theme=theme)
        epoch = max(int(np.searchsorted(run.epoch_start, t, side="left")), 1)
        start, end = (*run.epoch_start.tolist(), run.n_steps)[epoch - 1 : epoch + 1]
        missed = run.mistake[start:end] & (np.arange(start, end) < t)
        title = TITLES.get(order, TITLE) + (f", epoch {epoch:,}" if order in _DRAWN else "")
        index = np.asarray(run.index[start:end], dtype=np.intp)
        return cls(index, run.y[index], missed, max(t - start, 0), title, theme=theme)

    @property
    def still(self) -> Hashable:
        """Epochs of the same order have the same frame."""
        return self.title, self.why, self.index.tobytes()

    def frame(self, ax: Axes) -> None:
        """Draw ground, title and all examples, pale as those without a mistake."""
        style.panel(ax, self.theme, self.title)
        wide, high = style.pixels(ax)
        ax.set(xlim=(0.0, wide), ylim=(high, 0.0), xticks=[], yticks=[])
        if self.why:
            style.hint(ax, self.theme, self.why)
        else:
            self._draw(ax, np.arange(len(self.index)), strong=False)

    def marks(self, ax: Axes) -> None:
        """Draw the mistakes, a line below what has been shown, and a ring about the example of the step."""
        if self.why:
            return
        if self.missed.any():
            self._draw(ax, np.flatnonzero(self.missed), strong=True)
        cells, paint = self.cells(ax), style.colours(self.theme)
        if not self.shown:
            return
        first = np.arange(0, self.shown, cells.columns)
        last = np.minimum(first + cells.columns, self.shown) - 1
        ends = np.stack([cells.places(first), cells.places(last)], axis=1)
        ends += [[-cells.size / 2 + 1, (_TALL - 0.56) * cells.size], [cells.size / 2 - 1, (_TALL - 0.56) * cells.size]]
        thick = style.pen(0.72 * min(max(0.07 * cells.size, 1.0), 2.4))
        lines: dict[str, Any] = {"colors": paint["accent"], "linewidths": thick, "zorder": 3.5, "gid": "shown"}
        ax.add_collection(LineCollection(list(ends), capstyle="butt", **lines), autolim=False)
        at, radius = cells.places(np.array([self.shown - 1])), _RADIUS * cells.size
        radius += min(max(0.09 * cells.size, 1.5), 3.0)
        for colour, width in (("panel", 4.5), ("ink", 2.4)):
            ring: dict[str, Any] = {"edgecolors": paint[colour], "linewidths": style.pen(0.72 * width), "zorder": 6}
            _shapes(ax, at, np.ones(1), radius, facecolors="none", **ring)

    def cells(self, ax: Axes) -> Cells:
        """Return where the cells lie."""
        return Cells.of(*style.pixels(ax), len(self.index))

    def _draw(self, ax: Axes, those: NDArray[np.intp], *, strong: bool) -> None:
        """Draw some cells: shapes with their index, or bars where there is no room for shapes."""
        cells, y = self.cells(ax), self.y[those]
        fills = {**style.fills(self.theme, y), "zorder": 4.0 if strong else 2.0}
        places, alpha = cells.places(those), 1.0 if strong else _PALE
        if cells.size < _SMALLEST:
            half = 0.5 * cells.size * np.array([0.7, 0.8])
            corners = half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
            bars = {**fills, **style.fills(self.theme, y, narrow=True)}
            ax.add_collection(PolyCollection(list(places[:, None] + corners), alpha=alpha, **bars), autolim=False)
            return
        _shapes(ax, places, y, _RADIUS * cells.size, alpha=alpha, **fills)
        if cells.size >= _LABELLED:
            self._label(ax, those, places, strong=strong)

    def _label(self, ax: Axes, those: NDArray[np.intp], places: FloatArray, *, strong: bool) -> None:
        paint, radius = style.colours(self.theme), _RADIUS * self.cells(ax).size
        middle: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontweight": "bold", "parse_math": False}
        for k, (x, down) in zip(those.tolist(), places, strict=True):
            label = str(self.index[k])
            hollow = self.theme == tokens.PRINT and self.y[k] < 0
            colour = paint["paper" if strong and not hollow else "ink"]
            size = style.pen(0.72 * radius * (0.96 if len(label) > 2 else 1.16))
            ax.text(x, down, label, color=colour, fontsize=size, zorder=5 if strong else 2.5, **middle)


def _shapes(ax: Axes, places: FloatArray, y: FloatArray, radius: float, **paint: Any) -> None:
    """Draw the shapes of the classes `y` at places (n, 2), with a radius in px of the panel."""
    draw_marks(ax, places, y, np.full(len(y), SIDE / min(style.pixels(ax)) * radius), **paint)
