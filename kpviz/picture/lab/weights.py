"""How much each degree weighs in the polynomial kernel (u·v + c)^q."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from kpviz.engine.theory.spaces import Weight, degree_weights
from kpviz.picture.lab import style
from kpviz.picture.lab.style import Display

TITLE = "Share of each degree"
_NAMED = 7  # bars that have room for all their numbers
_LEAST = 0.001  # of the sum: where there are many bars, negligible weights are left out
_LABELLED = 13  # bars that have room for their share


@dataclass(frozen=True, eq=False)
class Weights(Display):
    """A bar for each degree, as high as its share; above it the share, below it the degree and its weight."""

    rows: Sequence[Weight]
    aside: str = ""
    theme: str = "light"

    @classmethod
    def of(cls, q: int, c: float, *, theme: str = "light") -> Weights:
        """Read the bars of a degree and a constant."""
        return cls(degree_weights(q, c), f"q = {q}, c = {c:g}", theme)

    def draw(self, ax: Axes) -> None:
        """Draw frame and marks."""
        self._frame(ax)
        self._marks(ax)

    def _frame(self, ax: Axes) -> None:
        """Draw ground, title and the names of the degrees."""
        style.panel(ax, self.theme, TITLE)
        style.aside(ax, self.theme, self.aside, "medium")
        ax.set(xlim=(-0.7, len(self.rows) - 0.3), ylim=(0.0, 1.14), yticks=[])
        few = len(self.rows) <= _NAMED
        names = [f"{row.degree}\n×{row.weight:.4g}" if few else f"{row.degree}" for row in self.rows]
        every = 1 if len(self.rows) <= _LABELLED else 2
        ax.set_xticks(range(0, len(self.rows), every), names[::every])

    def _marks(self, ax: Axes) -> None:
        """Draw the bars, and how much each is."""
        paint = style.colours(self.theme)
        heights = np.array([row.share for row in self.rows])
        style.bars(ax, np.arange(len(heights)) - 0.38, heights, 0.76, facecolors=paint["accent"], linewidths=0.0)
        if len(self.rows) > _LABELLED:
            return
        digits = 3 if len(self.rows) <= _NAMED else 2
        above: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": "small", "color": paint["ink"]}
        for degree, share in enumerate(heights.tolist()):
            style.beside(
                ax,
                _percent(share, digits) if share >= _LEAST or digits > 2 else "",
                (degree, share),
                (0.0, 3.0),
                **above,
            )


def _percent(share: float, digits: int) -> str:
    return "<0.1%" if 0.0 < share < _LEAST else f"{100 * share:.{digits}g}%"
