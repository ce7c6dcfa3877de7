"""Alpha of learners that do not count: one bar for each support example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine import scales
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.columns import WIDEST, draw_columns, name_columns
from kpviz.views.display import Display

TITLE, SHORT = "α: weight of each example", "α: weights"
EMPTY = "Each example that is added gets a bar here."
NONE = "Nothing is added in this run, so no bar."
_OPTIMUM = "lines: the batch optimum"


@dataclass(frozen=True, eq=False)
class Bars(Display):
    """Columns in index order: all that the run will have, so that none moves from one instant to the next.

    Parameters
    ----------
    index, y, alpha : of each support example its index, label and y·coef; below 0 a bar hangs from the base line.
    low, high : the ends of the axis, one for the whole run, low at most 0.
    optimum : alpha at the batch optimum, as `alpha`, drawn as lines; empty for none.
    current : index of the current example; its name is lit.
    """

    index: NDArray[np.intp]
    y: FloatArray
    alpha: FloatArray
    low: float
    high: float
    optimum: FloatArray
    current: int | None = None
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, *, theme: str = "light") -> Bars:
        """Read the bars of an instant."""
        index = np.union1d(run.state_at(0).support, run.changes.index).astype(np.intp)
        scale, best = scales.alpha_scale(run), scales.optimum(run)
        optimum = run.y[index] * best[index] if len(best) else best
        current = int(run.index[t - 1]) if t else None
        alpha = run.state_at(t).alpha[index]
        return cls(index, run.y[index], alpha, scale.low, scale.high, optimum, current, theme)

    def frame(self, ax: Axes) -> None:
        """Draw ground and title."""
        besides = words.width(self._limit, style.SMALL) + style.SMALL
        style.panel(ax, self.theme, TITLE, SHORT, besides=besides if len(self.index) else 0.0)
        ax.set(xticks=[], yticks=[])

    def marks(self, ax: Axes) -> None:
        """Draw the columns, and above them how high they may get."""
        if not len(self.index):
            style.hint(ax, self.theme, NONE)
            return
        paint, wide = style.colours(self.theme), style.pixels(ax)[0]
        columns = max(len(self.index), wide / WIDEST)
        ax.set(xlim=(-0.5, columns - 0.5), ylim=(self.low, self.high))
        style.aside(ax, self.theme, self._besides(0.72 * wide))
        if self.low < 0:
            ax.axhline(0.0, color=paint["rule"], linewidth=style.pen(1.0))
        draw_columns(ax, self.theme, self.alpha, self.y, wide / columns)
        if len(self.optimum):
            places = np.arange(len(self.index))
            lines: dict[str, Any] = {"color": paint["ink"], "linewidth": style.pen(1.6)}
            ax.hlines(self.optimum, places - 0.46, places + 0.46, **lines)
        if not self.alpha.any():
            style.hint(ax, self.theme, EMPTY)
        else:
            name_columns(ax, self.theme, self.index, self.alpha != 0, self.current, wide / columns)

    def _besides(self, wide: float) -> str:
        """Return as much as there is room for beside the title, on a panel `wide` points wide."""
        texts = [f"{self._limit}; {_OPTIMUM}", _OPTIMUM] if len(self.optimum) else []
        room = wide - words.width(TITLE, style.TEXT) - style.SMALL
        return next((text for text in texts if words.width(text, style.SMALL) <= room), self._limit)

    @property
    def _limit(self) -> str:
        return f"up to {explain.number(self.high)}"
