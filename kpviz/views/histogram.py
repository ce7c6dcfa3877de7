"""The margins of all examples: those not above zero are on the wrong side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine import grid
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.columns import draw_bars
from kpviz.views.display import Display

TITLE, NORMED = "Margins y·{name}(x)", "Margins y·{name}(x) / ‖{name}‖"
EMPTY = "f = 0: every margin is still 0."
_BINS = 25  # on each side of zero


@dataclass(frozen=True, eq=False)
class Histogram(Display):
    """Counts in bins from -limit to limit.

    Parameters
    ----------
    count : (2 * bins,). A bin holds its upper edge, so that a margin of exactly 0 is on the wrong side; the first and
        the last hold what lies beyond the limit, too.
    limit : the end of the scale, one for the whole run.
    lit : the bin of the current example, None for none.
    name : what the reading is called. normed : whether margins are divided by its norm.
    """

    count: NDArray[np.int64]
    limit: float
    lit: int | None = None
    started: bool = True
    theme: str = "light"
    name: str = "f"
    normed: bool = False

    @classmethod
    def of(cls, run: Run, t: int, *, predictor: str = "last", normed: bool = False, theme: str = "light") -> Histogram:
        """Count the margins of an instant, of the same reading as the map's; a vote has no norm to be `normed` by."""
        normed = normed and predictor != "voted"
        if normed:
            margins, limit = run.y * grid.normed(run, [t], predictor)[0], grid.normed_limit(run, predictor)
        else:
            margins, limit = run.y * run.decision_function(run.X, t, predictor), grid.margin_limit(run, predictor)
        if predictor == "voted":
            margins = margins / max(t, 1)
        bins = _bins(margins, limit)
        lit = int(bins[run.index[t - 1]]) if t else None
        count, started = np.bincount(bins, minlength=2 * _BINS), t > 0 or bool(margins.any())
        return cls(count, limit, lit, started, theme, style.READINGS[predictor], normed)

    @property
    def title(self) -> str:
        """What is counted."""
        return (NORMED if self.normed else TITLE).format(name=self.name)

    @property
    def edges(self) -> FloatArray:
        """The (2 * bins + 1,) edges of the bins."""
        return np.linspace(-self.limit, self.limit, 2 * _BINS + 1)

    def frame(self, ax: Axes) -> None:
        """Draw ground, title and the names of both sides."""
        style.panel(ax, self.theme, *self._headings, besides=self._least)
        limit = self.limit
        ax.set(xlim=(-limit, limit), yticks=[])
        ends = [explain.number(value) for value in (-limit, 0.0, limit)]
        room = 0.72 * style.pixels(ax)[0] / 4 - words.width(ends[0], style.SMALL) - style.SMALL / 2
        sides = (("wrong side", "right side"), ("wrong", "right"), ("", ""))
        wrong, right = next(pair for pair in sides if words.width(pair[0], style.SMALL) / 2 <= max(room, 0.0))
        ax.set_xticks([-limit, -limit / 2, 0, limit / 2, limit], [ends[0], wrong, ends[1], right, ends[2]])
        ax.get_xticklabels()[0].set_horizontalalignment("left")
        ax.get_xticklabels()[-1].set_horizontalalignment("right")

    def marks(self, ax: Axes) -> None:
        """Draw the bars on both sides of zero."""
        ax.set_ylim(0, 1.06 * max(self.count.max(), 1))
        if not self.started:
            style.hint(ax, self.theme, EMPTY)
            return
        self._draw_bars(ax)
        paint = style.colours(self.theme)
        ax.axvline(0.0, color=paint["ink"], linewidth=style.pen(1.2), linestyle=(0, (3, 2)))
        style.whole_numbers(ax, self.theme, int(self.count.max()))
        wrong = f"{self.count[:_BINS].sum():,} of {self.count.sum():,} not above 0"
        room = 0.72 * style.pixels(ax)[0] - words.width(self._heading(ax), style.TEXT) - style.SMALL / 2
        large = words.width(wrong, style.TEXT) < room
        short = wrong if words.width(wrong, style.SMALL) < room else wrong.replace("not above", "≤")
        style.aside(ax, self.theme, *((wrong, "medium") if large else (short,)))

    @property
    def _headings(self) -> tuple[str, ...]:
        return self.title, TITLE.partition(" ")[0]

    @property
    def _least(self) -> float:
        """Points that the number of mistakes takes at least."""
        every = f"{self.count.sum():,}"
        return words.width(f"{every} of {every} ≤ 0", style.SMALL) + style.SMALL / 2

    def _heading(self, ax: Axes) -> str:
        room = 0.72 * style.pixels(ax)[0] - self._least
        return next((text for text in self._headings if words.width(text, style.TEXT) <= room), self._headings[-1])

    def _draw_bars(self, ax: Axes) -> None:
        paint, width = style.colours(self.theme), self.limit / _BINS
        sides = ("warning", "good")
        for side, colour in enumerate(sides):
            those = slice(side * _BINS, (side + 1) * _BINS)
            bars: dict[str, Any] = {"edgecolors": paint["panel"], "linewidths": style.pen(0.8), "alpha": 0.72}
            draw_bars(ax, self.edges[:-1][those], self.count[those], width, facecolors=paint[colour], **bars)
        if self.lit is not None:
            ink: dict[str, Any] = {"edgecolors": paint["ink"], "linewidths": style.pen(1.8)}
            those = slice(self.lit, self.lit + 1)
            face = paint[sides[self.lit // _BINS]]
            draw_bars(ax, self.edges[:-1][those], self.count[those], width, facecolors=face, **ink)


def _bins(margins: FloatArray, limit: float) -> NDArray[np.intp]:
    share = np.clip(margins / limit, -1.0, 1.0)
    return np.asarray(np.clip(_BINS + np.ceil(share * _BINS) - 1, 0, 2 * _BINS - 1), dtype=np.intp)
