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

TITLE = "α: mistakes on each example"
EMPTY = "Each mistake will lay a brick here."
NONE = "No mistake in this run, so no brick."
_WIDEST, _HIGHEST = 46.0, 26.0  # pixels of a column and a brick
_SMALLEST = 3.0  # pixels; below it bars take the place of bricks
_GAP = 2.0  # pixels between bricks, but at most a quarter of them


@dataclass(frozen=True, eq=False)
class Bricks:
    """Columns in index order: all that the run will have, so that none moves from one instant to the next.

    Parameters
    ----------
    index, y, count : of each support example its index, label and number of mistakes so far, that is alpha in the
        learner's unit.
    highest : the largest count at the end of the run.
    current : index of the current example; its name is lit.
    laid : whether the current step laid the topmost brick of the current example.
    """

    index: NDArray[np.intp]
    y: FloatArray
    count: FloatArray
    highest: float
    current: int | None = None
    laid: bool = False
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, *, theme: str = "light") -> Bricks:
        """Read the bricks of an instant."""
        start = run.state_at(0).support
        index = np.union1d(start, run.changes.index).astype(np.intp)
        count, end = (_whole(run.state_at(at).alpha[index] / run.unit) for at in (t, run.n_steps))
        current = int(run.index[t - 1]) if t else None
        laid = bool(t and run.mistake[t - 1])
        return cls(index, run.y[index], count, float(end.max(initial=0.0)), current, laid, theme)

    def draw(self, ax: Axes) -> None:
        """Draw the columns, as bars where bricks would be too small to count."""
        style.panel(ax, self.theme, TITLE)
        ax.set(xticks=[], yticks=[])
        if not self.count.any():
            style.hint(ax, self.theme, EMPTY if len(self.index) else NONE)
            return
        wide, high = style.pixels(ax)
        most = max(self.highest, self.count.max())
        columns, rows = max(len(self.index), wide / _WIDEST), max(1.04 * most, high / _HIGHEST)
        ax.set(xlim=(-0.5, columns - 0.5), ylim=(min(1.04 * self.count.min(), 0.0), rows))
        style.whole_numbers(ax, int(most))
        whole = (self.count >= 0).all() and (self.count == np.rint(self.count)).all()
        if whole and min(wide / columns, high / rows) >= _SMALLEST:
            self._draw_bricks(ax, wide / columns, high / rows)
        else:
            self._draw_bars(ax, wide / columns)
        self._name_columns(ax, wide / columns)

    def _draw_bars(self, ax: Axes, wide: float) -> None:
        paint = style.colours(self.theme)
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
        newest = np.flatnonzero(self.laid & (self.index[column] == self.current))[-1:]
        frame: dict[str, Any] = {"edgecolors": paint["ink"], "linewidths": style.pen(1.6), "clip_on": False}
        for k in newest:
            ax.add_collection(PolyCollection([places[k]], facecolors="none", **frame), autolim=False)

    def _name_columns(self, ax: Axes, column: float) -> None:
        """Name as many columns as there is room for, and the current one."""
        ink = style.colours(self.theme)["ink"]
        names = [explain.example(int(i)) for i in self.index]
        every = int(np.ceil(1.4 * max(words.width(name, style.SMALL) for name in names) / (0.72 * column)))
        lit = [int(j) for j in np.flatnonzero(self.index == self.current) if self.count[j]]
        named = [j for j in range(0, len(names), every) if self.count[j] and all(abs(j - k) >= every for k in lit)]
        ax.set_xticks([*named, *lit], [names[j] for j in [*named, *lit]])
        for label in ax.get_xticklabels()[len(named) :]:
            label.set(color=ink, fontweight="bold")


def _whole(count: FloatArray) -> FloatArray:
    """Undo the rounding of a multiple of the learning rate."""
    return np.where(np.isclose(count, np.rint(count)), np.rint(count), count)
