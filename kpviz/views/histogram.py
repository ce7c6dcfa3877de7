"""The margins of all examples: what is left of zero is a mistake, or is about to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from kpviz.engine import predictors
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.views import style

TITLE = "Margins y·f of all examples"
EMPTY = "Every margin is 0."
_BINS, _MOST_BINS = 24, 100  # over the margins at the end, and over all that the run has seen
_INSTANTS = 33  # of the run, whose margins decide on the width of a bin


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts per bin.

    Parameters
    ----------
    edges, count : (bins + 1,) and (bins,). 0 is an edge, and a bin holds its upper edge, so that a margin of
        exactly 0 is left of zero.
    lit : the bin of the current example, None for none.
    """

    edges: FloatArray
    count: NDArray[np.int64]
    lit: int | None = None
    empty: bool = False
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, *, theme: str = "light") -> Histogram:
        """Count the margins of an instant, in bins that are the same at all instants of the run."""
        margins = run.margins_at(t)
        edges = _edges(run, margins)
        count = np.histogram(-margins, -edges[::-1])[0][::-1]
        lit = _bin(edges, margins[run.index[t - 1]]) if t else None
        return cls(edges, count, lit, bool((margins == 0).all()), theme)

    def draw(self, ax: Axes) -> None:
        """Draw the bars and the line at zero."""
        paint = style.colours(self.theme)
        style.panel(ax, self.theme, TITLE)
        fill = [paint["accent"] if b == self.lit else paint["ghost"] for b in range(len(self.count))]
        gaps: dict[str, Any] = {"edgecolor": paint["panel"], "linewidth": style.pen(0.8)}
        ax.bar(self.edges[:-1], self.count, np.diff(self.edges), align="edge", color=fill, **gaps)
        ax.axvline(0.0, color=paint["ink"], linewidth=style.pen(1.6))
        ax.set(xlim=(self.edges[0], self.edges[-1]), ylim=(0, 1.08 * max(self.count.max(), 1)))
        ax.xaxis.set_major_locator(MaxNLocator(nbins=7, steps=[1, 2, 5, 10]))
        style.whole_numbers(ax, int(self.count.max()))
        if self.empty:
            style.hint(ax, self.theme, EMPTY)


def _edges(run: Run, margins: FloatArray) -> FloatArray:
    """Multiples of a round width that reach over the margins of the run, and over these."""
    times = np.unique(np.linspace(0, run.n_steps, _INSTANTS).astype(int)).tolist()
    seen = run.y * predictors.scores(run, run.X, times)
    spread, widest = (float(np.ptp(np.append(values, 0.0))) for values in (seen[-1], seen))
    width = _round_width(max(spread / _BINS, widest / _MOST_BINS))
    reach = np.append(seen, [*margins, -width, width])
    first, last = np.floor(reach.min() / width), np.ceil(reach.max() / width)
    # A bin holds its upper edge only: a margin on the lowest edge needs one bin more.
    return width * np.arange(first - (first * width >= reach.min()), last + 1)


def _bin(edges: FloatArray, margin: float) -> int:
    return int(np.searchsorted(edges, margin, side="left")) - 1


def _round_width(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10, … times a power of ten that is at least `least`; 1 for 0."""
    if least == 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(least))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= least))
