"""The eigenvalues of a Gram matrix, from the largest to the smallest, and what rounding makes of a zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.validity import Verdict
from kpviz.lessons import explain
from kpviz.picture.lab import style
from kpviz.picture.lab.style import Display

TITLE = "Eigenvalues of K"
_NARROW = 40  # eigenvalues, from which on there are no gaps between bars
_ROOM = 1.08  # above the largest and below the smallest
_DECADES = 3.0  # between numbers of the logarithmic axis


@dataclass(frozen=True, eq=False)
class Spectrum(Display):
    """A bar for each eigenvalue; those below -tolerance stand out.

    Parameters
    ----------
    eigenvalues : (n,) in descending order. tolerance : up to it an eigenvalue counts as 0.
    logarithmic : whether decades are as far apart from each other, above the tolerance and below its negative; in
        between the axis is straight.
    """

    eigenvalues: FloatArray
    tolerance: float
    logarithmic: bool = False
    theme: str = "light"

    @classmethod
    def of(cls, verdict: Verdict, *, logarithmic: bool = False, theme: str = "light") -> Spectrum:
        """Read the bars of a verdict."""
        return cls(verdict.eigenvalues, verdict.tolerance, logarithmic, theme)

    @property
    def below(self) -> NDArray[np.bool_]:
        """Whether each eigenvalue is below -tolerance, (n,)."""
        return np.asarray(self.eigenvalues < -self.tolerance)

    def draw(self, ax: Axes) -> None:
        """Draw frame and marks."""
        self._frame(ax)
        self._marks(ax)

    def _frame(self, ax: Axes) -> None:
        """Draw ground, title and how many are below."""
        style.panel(ax, self.theme, TITLE)
        count = int(self.below.sum())
        style.aside(ax, self.theme, f"{count} of {len(self.below):,} below −tolerance" if count else "", "medium")
        ax.set(xlim=(-0.7, len(self.eigenvalues) - 0.3), xticks=[])
        self._scale(ax)

    def _marks(self, ax: Axes) -> None:
        """Draw the bars, zero, and the line of the tolerance."""
        paint = style.colours(self.theme)
        width = 0.8 if len(self.eigenvalues) < _NARROW else 1.0
        left = np.arange(len(self.eigenvalues)) - width / 2
        edge: dict[str, Any] = {"linewidths": 0.0}
        for those, colour in ((~self.below, "accent"), (self.below, "warning")):
            style.bars(ax, left[those], self.eigenvalues[those], width, facecolors=paint[colour], **edge)
        ax.axhline(0.0, color=paint["rule"], linewidth=style.pen(1.0))
        dashes: dict[str, Any] = {"linewidth": style.pen(1.2), "linestyle": (0, (4, 3))}
        ax.axhline(-self.tolerance, color=paint["ink"], **dashes)
        label = f"−tolerance = {explain.number(-self.tolerance)}"
        quiet: dict[str, Any] = {"ha": "right", "va": "top" if self.below.sum() == 0 else "bottom", "fontsize": "small"}
        above = (0.0, -4.0) if quiet["va"] == "top" else (0.0, 4.0)
        style.beside(
            ax, label, (0.99, -self.tolerance), above, transform=ax.get_yaxis_transform(), color=paint["ink"], **quiet
        )

    def _scale(self, ax: Axes) -> None:
        """Set the vertical axis: a little more than from the smallest to the largest, with zero on it."""
        high, low = max(float(self.eigenvalues[0]), 0.0), min(float(self.eigenvalues[-1]), 0.0)
        if not self.logarithmic or not self.tolerance:
            room = 0.14 * ((high - low) or 1.0)  # for the words about the tolerance
            ax.set_ylim(low - room if low > -room else _ROOM * low - 0.04 * (high - low), _ROOM * high + 0.02 * room)
            ax.set_yticks([low, 0.0, high] if low < -0.1 * (high - low) else [0.0, high])
            ax.set_yticklabels([explain.number(float(tick)) for tick in ax.get_yticks()])
            return
        ax.set_yscale("symlog", linthresh=self.tolerance)
        ax.set_ylim(min(3 * low, -30 * self.tolerance), max(3 * high, 30 * self.tolerance))
        ax.minorticks_off()
        decades = 10.0 ** np.arange(np.ceil(np.log10(self.tolerance)) + 1, np.log10(max(high, -low)) + 1, _DECADES)
        ticks = [*(-decades[decades <= -low][::-1]), 0.0, *decades[decades <= high]]
        ax.set_yticks(ticks, [explain.number(float(tick)) for tick in ticks])
