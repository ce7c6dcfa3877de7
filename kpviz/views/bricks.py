"""Alpha: one column for each support example, one brick for each mistake on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.views import style, words

TITLE = "α: a brick for each mistake"
TITLE_OF_BARS = "α: mistakes on each example"
EMPTY = "Bricks will pile up here, one for each mistake."
_WIDEST, _HIGHEST = 44.0, 26.0  # pixels of a column and a brick
_SMALLEST = 3.0  # pixels; below it bars take the place of bricks
_GAP = 2.4  # pixels between bricks, but at most a quarter of them


@dataclass(frozen=True, eq=False)
class Bricks:
    """Columns in index order.

    Parameters
    ----------
    index, y, count : of each support example its index, label and number of mistakes, that is alpha in the
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
        state = run.state_at(t)
        support = state.support
        count = state.alpha[support] / run.unit
        count = np.where(np.isclose(count, np.rint(count)), np.rint(count), count)
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
        columns, rows = max(len(self.index), wide / _WIDEST), max(1.06 * self.count.max(), high / _HIGHEST)
        ax.set(xlim=(-0.5, columns - 0.5), ylim=(min(1.06 * self.count.min(), 0.0), rows))
        style.whole_numbers(ax, int(self.count.max()))
        whole = (self.count >= 1).all() and (self.count == np.rint(self.count)).all()
        if whole and min(wide / columns, high / rows) >= _SMALLEST:
            self._draw_bricks(ax, wide / columns, high / rows)
        else:
            self._draw_bars(ax, wide / columns)
        self._name_columns(ax, wide / columns)

    def _draw_bars(self, ax: Axes, wide: float) -> None:
        """Draw bars, with gaps where they are not hair-thin."""
        paint = style.colours(self.theme)
        style.title(ax, self.theme, TITLE_OF_BARS)
        width = 1.0 if wide < 2 * _SMALLEST else 1.0 - min(_GAP / wide, 0.25)
        ax.bar(np.arange(len(self.index)), self.count, width, color=[paint[style.side(y)] for y in self.y])

    def _draw_bricks(self, ax: Axes, wide: float, high: float) -> None:
        """Draw bricks that are `wide` times `high` pixels large, gaps included."""
        paint, count = style.colours(self.theme), self.count.astype(int)
        column = np.repeat(np.arange(len(self.index)), count)
        row = np.concatenate([np.arange(n) for n in count])
        right, up = (0.5 - min(_GAP / size, 0.25) / 2 for size in (wide, high))
        corners = np.array([[-right, 0.5 - up], [right, 0.5 - up], [right, 0.5 + up], [-right, 0.5 + up]])
        places = np.column_stack([column, row])[:, None, :] + corners
        faces = [paint[style.side(self.y[j])] for j in column]
        # Snapped to pixels, gaps would differ.
        bricks = PolyCollection(list(places), facecolors=faces, linewidths=0.0, snap=False)
        ax.add_collection(bricks, autolim=False)
        if self.laid:
            last = np.flatnonzero(self.index[column] == self.current)[-1]
            ring: dict[str, Any] = {"facecolors": "none", "edgecolors": paint["accent"], "linewidths": style.pen(2.4)}
            ax.add_collection(PolyCollection([places[last]], clip_on=False, **ring), autolim=False)

    def _name_columns(self, ax: Axes, column: float) -> None:
        """Name all columns where there is room, else the current one."""
        paint = style.colours(self.theme)
        names = [explain.example(int(i)) for i in self.index]
        room = 0.72 * column > 1.15 * max(words.width(name, style.SMALL) for name in names)
        named = np.arange(len(names)) if room else np.flatnonzero(self.index == self.current)
        ax.set_xticks(named, [names[j] for j in named])
        for j, label in zip(named, ax.get_xticklabels(), strict=True):
            if self.index[j] == self.current:
                label.set(color=paint["accent"], fontweight="bold")
