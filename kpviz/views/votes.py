"""The votes, under the timeline: for how many presentations each hypothesis of the run was in force."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.lines import Line2D
from matplotlib.path import Path
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine import votes
from kpviz.engine.run import Run
from kpviz.views import style
from kpviz.views.display import Display

LABEL = "votes cₖ"
NONE_YET = "Each presentation gives one vote to the hypothesis then in force."
_LEAST = 1.5  # px of the lowest bar
_TOP = 2.0  # px above the highest
_GAPPED = 4.0  # px of a bar that leaves one px to the next


@dataclass(frozen=True, eq=False)
class Votes(Display):
    """A bar for each hypothesis, as wide and as high as it lasted: those ahead of the cursor are faint.

    Parameters
    ----------
    t, n_steps : the cursor and the end.
    counts : (n_changes + 1,) votes of each hypothesis of the whole run: their sum is n_steps.
    """

    t: int
    n_steps: int
    counts: NDArray[np.int64]
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, *, theme: str = "light") -> Votes:
        """Count the votes of a run."""
        return cls(run.time(t), run.n_steps, votes.survivals(run, run.n_steps), theme)

    @property
    def starts(self) -> NDArray[np.int64]:
        """The presentation from which on each was in force, (n_changes + 1,)."""
        return np.concatenate([[0], np.cumsum(self.counts)[:-1]])

    @property
    def now(self) -> int:
        """Which hypothesis is in force after t presentations: an index."""
        return int(np.searchsorted(self.starts[1:], self.t))

    def frame(self, ax: Axes) -> None:
        """Draw what this is, the base and all bars."""
        ax.set_axis_off()
        ax.set(xlim=(0, max(self.n_steps, 1)), ylim=(0, style.pixels(ax)[1]))
        paint = style.colours(self.theme)
        ax.axhline(0.0, color=paint["rule"], linewidth=style.pen(1.0), clip_on=False)
        self._draw(ax, self.starts, self.counts, color=paint["quiet"], alpha=0.32, zorder=2)
        small: dict[str, Any] = {"fontsize": style.pen(0.9 * style.SMALL), "ha": "right", "va": "center_baseline"}
        style.beside(ax, LABEL, (0.0, 0.5), (-8.0, 0.0), transform=ax.transAxes, color=paint["quiet"], **small)

    def marks(self, ax: Axes) -> None:
        """Draw the bars behind the cursor, the present one as far as it has come, and the cursor."""
        paint, now = style.colours(self.theme), self.now
        begun = int(self.starts[now]) if len(self.starts) else 0
        before = self.starts < begun
        self._draw(ax, self.starts[before], self.counts[before], color=paint["quiet"], zorder=2.1)
        if self.t > begun:
            current = np.array([begun]), np.array([self.t - begun])
            self._draw(ax, *current, color=paint["quiet"], zorder=2.1, gid="current")
        cursor: dict[str, Any] = {"color": paint["accent"], "linewidth": style.pen(2.2), "clip_on": False, "zorder": 4}
        high = style.pixels(ax)[1]
        ax.add_line(Line2D([self.t, self.t], [0, high], **cursor))

    def _draw(self, ax: Axes, starts: NDArray[Any], counts: NDArray[Any], **paint: Any) -> None:
        """Draw bars as one path: patches of their own take matplotlib ten times as long."""
        voted = counts > 0
        left, many = starts[voted].astype(float), counts[voted].astype(float)
        if not len(left):
            return
        wide, high = style.pixels(ax)
        px = wide / max(self.n_steps, 1)
        gap = np.where(many * px > _GAPPED, 1.0, 0.0)
        right = left + np.maximum(many * px - gap, 0.8) / px
        top = np.maximum(many * (high - _TOP) / max(self.counts.max(), 1), _LEAST)
        zero = np.zeros(len(left))
        corners = np.array([(left, zero), (right, zero), (right, top), (left, top), (left, zero)])
        codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
        path = Path(corners.transpose(2, 0, 1).reshape(-1, 2), np.tile(codes, len(left)))
        ax.add_collection(PathCollection([path], linewidths=0.0, clip_on=False, **paint), autolim=False)  # fast


def told(run: Run, t: int) -> str:
    """Return the votes of the first t presentations in words.

    >>> import kpviz
    >>> X, y = [[1.0], [2.0], [-1.0]], [1, 1, -1]
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Linear(), epochs=1)
    >>> told(run, 3)
    'Σ cₖ = 3 votes, one for each presentation; one hypothesis has some, v₂ most: 3.'
    """
    if t == 0:
        return NONE_YET
    counts = votes.survivals(run, t)
    return _sentence(t, int((counts > 0).sum()), int(np.argmax(counts)) + 1, int(counts.max()))


def longest(run: Run) -> str:
    """Return a sentence as long as any that `told` returns of a run."""
    hypotheses = len(run.changes) + 1
    return _sentence(max(run.n_steps, 2), max(hypotheses, 2), hypotheses, run.n_steps)


def _sentence(total: int, used: int, most: int, its: int) -> str:
    name = explain.example(most).replace("x", "v")
    some = "one hypothesis has" if used == 1 else f"{used:,} hypotheses have"
    votes_ = explain.counted(total, "vote")
    return f"Σ cₖ = {votes_}, one for each presentation; {some} some, {name} most: {its:,}."
