"""The timeline of several runs: a lane of ticks for each, above them the epochs of the current one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kpviz.engine.run import Run
from kpviz.views import style
from kpviz.views.course import Switches, no_switches
from kpviz.views.timeline import Timeline, draw_strip

_APART = 0.16  # of a lane's height, what is free above and below its ticks
_LETTER = 8.0  # points of the letter beside a lane
_NAMED = 0.985, 0.025  # where on its curve a run's letter stands, as a share of its steps, and how far from the next


@dataclass(frozen=True, eq=False)
class Lanes(Timeline):
    """The runs in the order of their letters, the current one last; the longest one's end is that of the timeline.

    Parameters
    ----------
    lanes : of each run the instants just after its mistakes, ascending.
    letters : of each.
    """

    lanes: tuple[NDArray[np.intp], ...] = ()
    letters: str = ""

    @classmethod
    def beside(
        cls,
        runs: Sequence[Run],
        letters: str,
        t: int,
        *,
        floor: float,
        free: float = 1.0,
        theme: str = "light",
        **more: Any,
    ) -> Lanes:
        """Read the lanes of some runs; `floor` is the part of the height that they take."""
        own = vars(Timeline.of(runs[-1], t, theme=theme, free=free))
        lanes = tuple(np.flatnonzero(run.mistake) + 1 for run in runs)
        shared = {"n_steps": max(run.n_steps for run in runs), "floor": floor, "whose": f"{letters[-1]} "}
        return cls(**{**own, **shared}, lanes=lanes, letters=letters, **more)

    def frame(self, ax: Axes) -> None:
        """Draw bars and epochs, and the letters at the left."""
        super().frame(ax)
        bold: dict[str, Any] = {"ha": "right", "va": "center", "fontweight": "bold", "fontsize": style.pen(_LETTER)}
        for k, letter in enumerate(self.letters):
            place, paint = (0.0, (np.add(*self._lane(k)) / 2)), style.colours(self.theme)["accent"]
            style.beside(ax, letter, place, (-5.0, 0.0), transform=ax.transAxes, color=paint, **bold)

    def _lane(self, k: int) -> tuple[float, float]:
        """Return the lower and the upper end of the ticks of a run; the first lane is the highest."""
        each = self.floor / len(self.letters)
        low = self.floor - (k + 1) * each
        return low + _APART * each, low + (1 - _APART) * each

    def _draw_ticks(self, ax: Axes) -> None:
        """Draw at most one tick for each pixel."""
        paint = style.colours(self.theme)
        ahead: dict[str, Any] = {"color": paint["quiet"], "alpha": 0.55, "linewidth": style.pen(0.72)}
        behind: dict[str, Any] = {"color": paint["warning"], "linewidth": style.pen(1.3), "zorder": 5}
        for k, lane in enumerate(self.lanes):
            low, high = self._lane(k)
            pixel = np.floor(self._pixels(ax, lane))
            steps = lane[np.unique(pixel, return_index=True)[1]]
            draw_strip(ax, steps[steps > self.t], low=low, high=high, **ahead)
            draw_strip(ax, steps[steps <= self.t], low=low, high=high, **behind)


@dataclass(frozen=True, eq=False)
class Courses(Lanes):
    """Of a stream: the mistakes so far of each run as a curve, and where the target switches."""

    switches: Switches = field(default_factory=no_switches)

    def _draw_epochs(self, ax: Axes) -> None:
        paint, most = style.colours(self.theme), max(1, *(len(lane) for lane in self.lanes))
        curve: dict[str, Any] = {"color": paint["warning"], "alpha": 0.75, "linewidth": style.pen(1.3), "zorder": 1.5}
        steps = np.arange(self.n_steps + 1)
        first, apart = _NAMED
        bold: dict[str, Any] = {"ha": "center", "va": "center", "fontweight": "bold", "fontsize": "small", "zorder": 4}
        for k, (letter, lane) in enumerate(zip(self.letters, self.lanes, strict=True)):
            high = self.floor + (0.94 - self.floor) * np.searchsorted(lane, steps, side="right") / most
            ax.plot(steps, high, **curve)
            at = round(self.n_steps * (first - apart * k))
            halo = style.halo(self.theme)
            ax.text(at, high[at], letter, color=paint["accent"], path_effects=halo, **bold)
        dashed: dict[str, Any] = {"color": paint["quiet"], "linewidth": style.pen(0.8), "linestyles": (0, (2, 3))}
        ax.vlines(self.switches, self.floor, 1, **dashed)

    def _name_epochs(self, ax: Axes) -> None:
        ends = " · ".join(f"{letter} {len(lane):,}" for letter, lane in zip(self.letters, self.lanes, strict=True))
        quiet: dict[str, Any] = {"fontsize": "small", "va": "bottom", "color": style.colours(self.theme)["quiet"]}
        ax.text(0, 1.06, f"mistakes so far, at the end: {ends}", parse_math=False, **quiet)
