"""The whole run on one line: a tick for each mistake, epochs with their mistakes as bars, the cursor at t."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine.run import Run
from kpviz.views import style, words

_TICKS = 0.32  # of the height: the strip of ticks at the bottom
_BARS = 0.6  # of the height: the highest bar above it
_NARROWEST = 4.0  # pixels of an epoch that gets a line


@dataclass(frozen=True, eq=False)
class Timeline:
    """The run, what is behind the cursor strong and what is ahead of it faint.

    Parameters
    ----------
    t, n_steps : the cursor and the end.
    mistakes : the instants just after each mistake, ascending, and `y` the label of each.
    epochs : (n_epochs + 1,) the instants at which epochs begin, and the end.
    counts : (n_epochs,) mistakes in each; `so_far`: those of them before t.
    """

    t: int
    n_steps: int
    mistakes: NDArray[np.intp]
    y: NDArray[np.float64]
    epochs: NDArray[np.int64]
    counts: NDArray[np.int64]
    so_far: NDArray[np.int64]
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, *, theme: str = "light") -> Timeline:
        """Read the timeline of a run."""
        steps = np.flatnonzero(run.mistake)
        epochs = np.append(run.epoch_start, run.n_steps).astype(np.int64)
        so_far = np.histogram(steps[steps < t], epochs)[0] if run.n_epochs else np.zeros(0, dtype=np.int64)
        return cls(t, run.n_steps, steps + 1, run.y[run.index[steps]], epochs, run.mistakes_per_epoch, so_far, theme)

    def draw(self, ax: Axes) -> None:
        """Draw bars, epochs, ticks and cursor."""
        style.panel(ax, self.theme)
        ax.set(xlim=(0, max(self.n_steps, 1)), ylim=(0, 1))
        ax.set_yticks([])
        ax.xaxis.set_major_locator(MaxNLocator(nbins=9, integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))
        ax.xaxis.set_major_formatter(lambda step, _: f"{int(step):,}")
        self._draw_epochs(ax)
        self._draw_ticks(ax)
        self._draw_cursor(ax)

    def _draw_epochs(self, ax: Axes) -> None:
        if not len(self.counts):
            return
        paint = style.colours(self.theme)
        tallest = max(self.counts.max(), 1) / _BARS
        for counts, colour in ((self.counts, paint["rule"]), (self.so_far, paint["ghost"])):
            ax.stairs(_TICKS + counts / tallest, self.epochs, baseline=_TICKS, fill=True, color=colour, linewidth=0.0)
        wide = style.pixels(ax)[0] / self.n_steps * float(np.diff(self.epochs).max())
        if wide >= _NARROWEST:
            ax.vlines(self.epochs[1:-1], 0, 1, color=paint["paper"], linewidth=style.pen(1.4))
        self._name_epochs(ax, 0.72 * wide)

    def _name_epochs(self, ax: Axes, wide: float) -> None:
        """Say how many mistakes each epoch makes, in as many words as there is room for."""
        quiet = style.colours(self.theme)["quiet"]
        long = [f"epoch {e}: {explain.counted(int(n), 'mistake')}" for e, n in enumerate(self.counts, 1)]
        for names in (long, [f"{n:,}" for n in self.counts]):
            if max(words.width(name, style.SMALL) for name in names) + style.SMALL < wide:
                break
        else:
            return
        for start, name in zip(self.epochs, names, strict=False):
            ax.text(start, 1.06, name, fontsize="small", color=quiet, va="bottom", parse_math=False)

    def _draw_ticks(self, ax: Axes) -> None:
        paint = style.colours(self.theme)
        per_pixel = max(self.n_steps, 1) / style.pixels(ax)[0]
        seen = _apart(self.mistakes, per_pixel / 4)
        steps, y, behind = self.mistakes[seen], self.y[seen], self.mistakes[seen] <= self.t
        pen = style.pen(0.72 * min(max(0.7 / per_pixel * self.n_steps / max(len(steps), 1), 0.5), 2.8))
        strip: dict[str, Any] = {"ymin": 0.04, "ymax": _TICKS - 0.06, "linewidth": pen}
        ax.vlines(steps[~behind], color=paint["rule"], **strip)
        ax.vlines(steps[behind], color=[paint[style.side(label)] for label in y[behind]], zorder=5, **strip)

    def _draw_cursor(self, ax: Axes) -> None:
        cursor: dict[str, Any] = {"color": style.colours(self.theme)["accent"], "clip_on": False, "zorder": 4}
        ax.plot([self.t, self.t], [0, 1], linewidth=style.pen(2.2), **cursor)
        ax.plot([self.t], [0.92], marker="v", markersize=style.pen(10), markeredgewidth=0.0, **cursor)


def _apart(steps: NDArray[np.intp], least: float) -> NDArray[np.intp]:
    """Return where to find steps that an eye tells apart: the first in each stretch of length `least`."""
    return np.unique(np.floor(steps / least), return_index=True)[1]
