"""Alpha: one column for each support example, one brick for each mistake on it."""

from __future__ import annotations

from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.views import style, words

TITLE = "α: a brick for each mistake"
EMPTY = "Bricks will pile up here, one for each mistake."
_WIDEST, _HIGHEST = 40.0, 20.0  # pixels of a column and a brick
_SMALLEST = 3.0  # pixels; below it bars take the place of bricks
_GAP = 0.06  # of a brick, on each side


@dataclass(frozen=True, eq=False)
class Bricks:
    """Columns in index order.

    Parameters
    ----------
    index, y, count : of each support example its index, label and number of mistakes.
    current : index of the current example; its name is lit.
    laid : whether the current step laid the topmost brick of the current example.
    """

    index: NDArray[np.intp]
    y: FloatArray
    count: NDArray[np.int64]
    current: int | None = None
    laid: bool = False
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, *, theme: str = "light") -> Bricks:
        """Read the bricks of an instant."""
        state = run.state_at(t)
        support = state.support
        count = np.rint(state.alpha[support] / run.unit).astype(np.int64)
        current = int(run.index[t - 1]) if t else None
        return cls(support, run.y[support], count, current, bool(t and run.mistake[t - 1]), theme)

    def draw(self, ax: Axes) -> None:
        """Draw the columns, as bars where bricks would be too small to count."""
        style.panel(ax, self.theme, TITLE)
        ax.set_xticks([])
        if not len(self.index):
            ax.set_yticks([])
            style.hint(ax, self.theme, EMPTY)
            return
        wide, high = style.pixels(ax)
        columns, rows = max(len(self.index), wide / _WIDEST), max(self.count.max() * 1.06, high / _HIGHEST)
        ax.set(xlim=(-0.5, columns - 0.5), ylim=(0, rows))
        style.whole_numbers(ax)
        if min(wide / columns, high / rows) < _SMALLEST:
            self._draw_bars(ax)
        else:
            self._draw_bricks(ax)
        self._name_columns(ax, wide / columns)

    def _draw_bars(self, ax: Axes) -> None:
        paint = style.colours(self.theme)
        ax.bar(np.arange(len(self.index)), self.count, width=1.0, color=[paint[style.side(y)] for y in self.y])

    def _draw_bricks(self, ax: Axes) -> None:
        paint = style.colours(self.theme)
        column = np.repeat(np.arange(len(self.index)), self.count)
        row = np.concatenate([np.arange(count) for count in self.count])
        corners = np.array([[-0.5 + _GAP, _GAP], [0.5 - _GAP, _GAP], [0.5 - _GAP, 1 - _GAP], [-0.5 + _GAP, 1 - _GAP]])
        places = np.column_stack([column, row])[:, None, :] + corners
        faces = [paint[style.side(self.y[j])] for j in column]
        ax.add_collection(PolyCollection(list(places), facecolors=faces, linewidths=0.0), autolim=False)
        if self.laid:
            last = np.flatnonzero(self.index[column] == self.current)[-1]
            ring = {"facecolors": "none", "edgecolors": paint["accent"], "linewidths": 2.4}
            ax.add_collection(PolyCollection([places[last]], clip_on=False, **ring), autolim=False)

    def _name_columns(self, ax: Axes, column: float) -> None:
        """Name all columns where there is room, else the current one."""
        paint, size = style.colours(self.theme), 0.833 * float(mpl.rcParams["font.size"])
        names = [explain.example(int(i)) for i in self.index]
        room = 0.72 * column > 1.15 * max(words.width(name, size) for name in names)
        named = np.arange(len(names)) if room else np.flatnonzero(self.index == self.current)
        ax.set_xticks(named, [names[j] for j in named])
        for j, label in zip(named, ax.get_xticklabels(), strict=True):
            if self.index[j] == self.current:
                label.set(color=paint["accent"], fontweight="bold")
