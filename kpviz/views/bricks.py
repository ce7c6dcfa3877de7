"""Alpha: one column for each support example, one brick for each mistake on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.views import style
from kpviz.views.columns import GAP, SMALLEST, WIDEST, draw_columns, name_columns
from kpviz.views.display import Display

TITLE, SHORT = "α: mistakes on each example", "α: mistakes"
EMPTY = "Each mistake will lay a brick here."
NONE = "No mistake in this run, so no brick."
_HIGHEST = 26.0  # pixels of a brick
_FEWEST = 4.0  # bricks that a column has room for; then for twice as many, and so on


@dataclass(frozen=True, eq=False)
class Bricks(Display):
    """Columns in index order: all that the run will have, so that none moves from one instant to the next.

    Parameters
    ----------
    index, y, count : of each support example its index, label and number of mistakes so far, that is alpha in the
        learner's unit.
    current : index of the current example; its name is lit.
    laid : whether the current step laid the topmost brick of the current example.
    """

    index: NDArray[np.intp]
    y: FloatArray
    count: FloatArray
    current: int | None = None
    laid: bool = False
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, *, theme: str = "light") -> Bricks:
        """Read the bricks of an instant."""
        start = run.state_at(0).support
        index = np.union1d(start, run.changes.index).astype(np.intp)
        count = _whole(run.state_at(t).alpha[index] / run.unit)
        current = int(run.index[t - 1]) if t else None
        laid = bool(t and run.mistake[t - 1])
        return cls(index, run.y[index], count, current, laid, theme)

    def frame(self, ax: Axes) -> None:
        """Draw ground and title."""
        style.panel(ax, self.theme, TITLE, SHORT)
        ax.set(xticks=[], yticks=[])

    def marks(self, ax: Axes) -> None:
        """Draw the columns, as bars where bricks would be too small to count."""
        if not self.count.any():
            style.hint(ax, self.theme, EMPTY if len(self.index) else NONE)
            return
        wide, high = style.pixels(ax)
        most = max(_FEWEST, 2.0 ** np.ceil(np.log2(max(self.count.max(), 1.0))))
        columns, rows = max(len(self.index), wide / WIDEST), max(1.04 * most, high / _HIGHEST)
        ax.set(xlim=(-0.5, columns - 0.5), ylim=(min(1.04 * self.count.min(), 0.0), rows))
        style.whole_numbers(ax, self.theme, int(most))
        whole = (self.count >= 0).all() and (self.count == np.rint(self.count)).all()
        if whole and min(wide / columns, high / rows) >= SMALLEST:
            self._draw_bricks(ax, wide / columns, high / rows)
        else:
            draw_columns(ax, self.theme, self.count, self.y, wide / columns)
        name_columns(ax, self.theme, self.index, self.count != 0, self.current, wide / columns)

    def _draw_bricks(self, ax: Axes, wide: float, high: float) -> None:
        """Draw bricks that are `wide` times `high` pixels large, gaps included."""
        paint, count = style.colours(self.theme), self.count.astype(int)
        column = np.repeat(np.arange(len(self.index)), count)
        row = np.concatenate([np.arange(n) for n in count])
        right, up = (0.5 - min(GAP / size, 0.25) / 2 for size in (wide, high))
        corners = np.array([[-right, 0.5 - up], [right, 0.5 - up], [right, 0.5 + up], [-right, 0.5 + up]])
        places = np.column_stack([column, row])[:, None, :] + corners
        # Snapped to pixels, gaps would differ.
        bricks = PolyCollection(list(places), snap=False, **style.fills(self.theme, self.y[column]))
        ax.add_collection(bricks, autolim=False)
        newest = np.flatnonzero(self.laid & (self.index[column] == self.current))[-1:]
        frame: dict[str, Any] = {"edgecolors": paint["ink"], "linewidths": style.pen(1.6), "clip_on": False}
        for k in newest:
            ax.add_collection(PolyCollection([places[k]], facecolors="none", **frame), autolim=False)


def _whole(count: FloatArray) -> FloatArray:
    """Undo the rounding of a multiple of the learning rate."""
    return np.where(np.isclose(count, np.rint(count)), np.rint(count), count)
