"""The whole run on one line: a tick for each mistake, epochs with their mistakes as bars, the cursor at t."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.display import Display

TICKS = 0.28  # of the height: the strip of ticks at the bottom
_HIGHEST = 0.94  # of the height: the top of the highest bar above it
_NARROWEST = 4.0  # pixels of an epoch that gets a line


@dataclass(frozen=True, eq=False)
class Timeline(Display):
    """The run, with the ticks behind the cursor strong and those ahead of it faint.

    Parameters
    ----------
    t, n_steps : the cursor and the end.
    mistakes : the instants just after each mistake, ascending.
    epochs : (n_epochs + 1,) the instants at which epochs begin, and the end.
    counts : (n_epochs,) mistakes in each.
    free : the part of the width where epochs may be named.
    floor : of the height, where the bars begin. whose : stands before the names of epochs.
    """

    t: int
    n_steps: int
    mistakes: NDArray[np.intp]
    epochs: NDArray[np.int64]
    counts: NDArray[np.int64]
    theme: str = "light"
    free: float = 1.0
    floor: float = TICKS
    whose: str = ""

    @classmethod
    def of(cls, run: Run, t: int, *, theme: str = "light", free: float = 1.0) -> Timeline:
        """Read the timeline of a run."""
        epochs = np.append(run.epoch_start, run.n_steps).astype(np.int64)
        return cls(t, run.n_steps, np.flatnonzero(run.mistake) + 1, epochs, run.mistakes_per_epoch, theme, free)

    def frame(self, ax: Axes) -> None:
        """Draw bars and epochs."""
        style.panel(ax, self.theme)
        ax.set(xlim=(0, max(self.n_steps, 1)), ylim=(0, 1), yticks=[])
        ax.xaxis.set_major_locator(MaxNLocator(nbins=9, integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))
        ax.xaxis.set_major_formatter(lambda step, _: f"{int(step):,}")
        if len(self.counts):
            self._draw_epochs(ax)
            self._name_epochs(ax)

    def marks(self, ax: Axes) -> None:
        """Draw ticks and cursor."""
        self._draw_ticks(ax)
        self._draw_cursor(ax)

    def _draw_epochs(self, ax: Axes) -> None:
        paint = style.colours(self.theme)
        heights = self.floor + (_HIGHEST - self.floor) * self.counts / max(self.counts.max(), 1)
        bars: dict[str, Any] = {"color": paint["warning"], "alpha": 0.3, "linewidth": 0.0}
        ax.stairs(heights, self.epochs, baseline=self.floor, fill=True, **bars)
        if self._pixels(ax, np.diff(self.epochs).max()) >= _NARROWEST:
            ax.vlines(self.epochs[1:-1], 0, 1, color=paint["paper"], linewidth=style.pen(1.4))

    def _name_epochs(self, ax: Axes) -> None:
        """Write above each epoch how many mistakes it makes, or above some their numbers, where there is room."""
        numbers = range(1, len(self.counts) + 1)
        names = [
            f"{self.whose}epoch {e:,}: {explain.counted(int(n), 'mistake')}"
            for e, n in zip(numbers, self.counts, strict=True)
        ]
        room = 0.72 * self._pixels(ax, np.diff(self.epochs).max())
        every = 1
        if max(words.width(name, style.SMALL) for name in names) + style.SMALL > room:
            names = [f"{e:,}" for e in numbers]
            least = (words.width(names[-1], style.SMALL) + style.SMALL) / room
            every = next(k * 10**power for power in range(9) for k in (1, 2, 5) if k * 10**power >= least)
        quiet: dict[str, Any] = {"fontsize": "small", "va": "bottom", "color": style.colours(self.theme)["quiet"]}
        for start, name in list(zip(self.epochs, names, strict=False))[every - 1 :: every]:
            end = 0.72 * self._pixels(ax, start) + words.width(name, style.SMALL)
            if end < 0.72 * self.free * style.pixels(ax)[0]:
                ax.text(start, 1.06, name, parse_math=False, **quiet)

    def _draw_ticks(self, ax: Axes) -> None:
        """Draw at most one tick for each pixel."""
        paint = style.colours(self.theme)
        pixel = np.floor(self._pixels(ax, self.mistakes))
        steps = self.mistakes[np.unique(pixel, return_index=True)[1]]
        ahead: dict[str, Any] = {"color": paint["quiet"], "alpha": 0.55, "linewidth": style.pen(0.72)}
        behind: dict[str, Any] = {"color": paint["warning"], "linewidth": style.pen(1.3), "zorder": 5}
        draw_strip(ax, steps[steps > self.t], **ahead)
        draw_strip(ax, steps[steps <= self.t], **behind)

    def _draw_cursor(self, ax: Axes) -> None:
        cursor: dict[str, Any] = {"color": style.colours(self.theme)["accent"], "clip_on": False, "zorder": 4}
        ax.add_line(Line2D([self.t, self.t], [0, 1], linewidth=style.pen(2.2), **cursor))
        ax.add_line(Line2D([self.t], [0.94], marker="o", markersize=style.pen(8), markeredgewidth=0.0, **cursor))

    def _pixels(self, ax: Axes, steps: Any) -> Any:
        """Return how many pixels wide so many steps are."""
        return steps / max(self.n_steps, 1) * style.pixels(ax)[0]


def draw_strip(ax: Axes, steps: NDArray[np.intp], *, low: float = 0.04, high: float = TICKS - 0.05, **pen: Any) -> None:
    """Draw a tick at each step, as one line with gaps: lines of their own take matplotlib ten times as long."""
    x = np.repeat(steps.astype(float), 3)
    x[2::3] = np.nan
    ax.add_line(Line2D(x, np.tile([low, high, np.nan], len(steps)), solid_capstyle="butt", **pen))
