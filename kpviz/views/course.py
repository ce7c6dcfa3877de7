"""The course of a stream: mistakes, error rate and support over time, as strips and on the timeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from kpviz import tokens
from kpviz.engine import streams
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.display import Display
from kpviz.views.timeline import TICKS, Timeline

TITLE = "Mistakes and support over time"
_COLOURS = {"mistakes": "warning", "rate": "warning", "support": "accent"}
_SHARES = {"mistakes": 1.35, "rate": 1.0, "support": 1.0}  # of the height
_LOWEST = 38.0  # pixels that a strip needs
_LABEL, _GAP = 17.0, 5.0  # pixels: the words above a strip, and what is free below it
_NUMBERED = 24.0  # pixels of a strip that says what its top stands for
_BOLD = 1.3  # times as wide as plain type, at most
_HIGHEST = 0.66  # of the timeline: its curve above the ticks

Switches = NDArray[np.intp]

_sizes: WeakKeyDictionary[Run, NDArray[np.int64]] = WeakKeyDictionary()  # of the support: a film asks at every step


def no_switches() -> Switches:
    """Return what a target that stays or turns steadily has."""
    return np.zeros(0, dtype=np.intp)


def switches(turned: FloatArray | None) -> Switches:
    """Return the examples at which a target that stays otherwise turns at once."""
    moves = np.zeros(0, dtype=bool) if turned is None else np.diff(turned) != 0
    return no_switches() if moves.all() else np.flatnonzero(moves) + 1


def error_rate(mistake: NDArray[np.bool_]) -> FloatArray:
    """Return the share of mistakes among the last 100 presentations, after 0, 1, … of them: (n_steps + 1,)."""
    so_far = np.concatenate([[0], np.cumsum(mistake)])
    after = np.arange(len(so_far))
    first = np.maximum(after - int(tokens.STREAM["window"]), 0)
    return np.asarray((so_far - so_far[first]) / np.maximum(after - first, 1))


@dataclass(frozen=True)
class _Strip:
    """Where a strip lies, in parts of the panel's height, and the value at its top."""

    name: str
    bottom: float
    height: float
    top: float

    def y(self, values: Any) -> Any:
        """Return how high values are."""
        return self.bottom + self.height * np.minimum(np.asarray(values) / self.top, 1.0)


@dataclass(frozen=True, eq=False)
class Course(Display):
    """What happened so far strong, what is ahead faint.

    Parameters
    ----------
    t : the instant.
    mistakes, rate, support : (n_steps + 1,) mistakes so far, the share of them lately, and examples in memory.
    switches : examples at which the target turns at once.
    flipped : the share of labels that are turned, which costs mistakes whatever is learnt.
    tops : the value at the top of each strip, None: its own; n_shown : steps across, None: its own.
    """

    t: int
    mistakes: NDArray[np.int64]
    rate: FloatArray
    support: NDArray[np.int64]
    switches: Switches = field(default_factory=no_switches)
    flipped: float = 0.0
    theme: str = "light"
    tops: Mapping[str, float] | None = None
    n_shown: int | None = None

    @classmethod
    def of(
        cls, run: Run, t: int, *, turned: FloatArray | None = None, flipped: float = 0.0, theme: str = "light"
    ) -> Course:
        """Read the course of a run."""
        if run not in _sizes:
            _sizes[run] = streams.support_sizes(run)
        mistakes = np.concatenate([[0], np.cumsum(run.mistake)])
        return cls(t, mistakes, error_rate(run.mistake), _sizes[run], switches(turned), flipped, theme)

    @classmethod
    def beside(cls, courses: Sequence[Course]) -> list[Course]:
        """Return the courses of several runs on one scale, that of the largest and the longest."""
        tops = {name: max(each.top(name) for each in courses) for name in _SHARES}
        longest = max(each.n_steps for each in courses)
        return [replace(each, tops=tops, n_shown=longest) for each in courses]

    @property
    def n_steps(self) -> int:
        """Number of presentations."""
        return len(self.mistakes) - 1

    @property
    def _lately(self) -> str:
        window = int(tokens.STREAM["window"])
        return "wrong so far" if self.t < window else f"wrong of the last {window}"

    def strips(self, high: float) -> list[_Strip]:
        """Return the strips from the highest to the lowest in a panel so many pixels high."""
        room = int(high / _LOWEST)
        names = [name for name in _SHARES if name != "rate" or room >= len(_SHARES)][: max(room, 1)]
        all_shares = sum(_SHARES[name] for name in names)
        found, above = [], 1.0
        for number, name in enumerate(names):
            share = _SHARES[name] / all_shares
            below = _GAP / high if number + 1 < len(names) else 0.0
            height = max(share - _LABEL / high - below, 0.02)
            found.append(_Strip(name, above - _LABEL / high - height, height, self.top(name)))
            above -= share
        return found

    def top(self, name: str) -> float:
        """Return the value at the top of a strip."""
        if self.tops is not None:
            return self.tops[name]
        if name == "rate":
            most = float(self.rate[int(tokens.STREAM["first"]) :].max(initial=0.0))
            return min(max(float(np.ceil(10 * most)) / 10, 0.1), 1.0)
        expected = self.flipped * self.n_steps if name == "mistakes" else 0.0
        return float(max(getattr(self, name).max(), expected, 1.0))

    def frame(self, ax: Axes) -> None:
        """Draw ground and scale of each strip, what is ahead, and what label noise alone would make."""
        style.panel(ax, self.theme, TITLE)
        ax.patch.set_visible(False)
        ax.set(xlim=(0, max(self.n_shown or self.n_steps, 1)), ylim=(0, 1), xticks=[], yticks=[])
        for strip in self.strips(style.pixels(ax)[1]):
            self._draw_ground(ax, strip)
            self._draw_curve(ax, strip, self.n_steps, color=style.colours(self.theme)["quiet"], alpha=0.45, width=0.9)

    def marks(self, ax: Axes) -> None:
        """Draw what is behind, and above each strip what it shows and its number now."""
        paint = style.colours(self.theme)
        for strip in self.strips(style.pixels(ax)[1]):
            colour = paint[_COLOURS[strip.name]]
            self._draw_curve(ax, strip, self.t, color=colour, width=1.4)
            now = strip.y(getattr(self, strip.name)[self.t])
            dot: dict[str, Any] = {"markersize": style.pen(5.2), "markeredgewidth": style.pen(1.0), "clip_on": False}
            ax.plot([self.t], [now], marker="o", color=colour, markeredgecolor=paint["paper"], zorder=5, **dot)
            self._write(ax, strip)

    def _draw_ground(self, ax: Axes, strip: _Strip) -> None:
        paint = style.colours(self.theme)
        box: dict[str, Any] = {"transform": ax.transAxes, "facecolor": paint["panel"], "linewidth": 0.0, "zorder": 0.5}
        ax.add_artist(Rectangle((0.0, strip.bottom), 1.0, strip.height, **box))
        thin: dict[str, Any] = {"color": paint["quiet"], "linewidth": style.pen(0.8)}
        ax.vlines(self.switches, strip.bottom, strip.bottom + strip.height, linestyles=(0, (2, 3)), **thin)
        if self.flipped > 0 and strip.name != "support":
            ends = (self.flipped, self.flipped) if strip.name == "rate" else (0.0, self.flipped * self.n_steps)
            ax.plot((0, self.n_steps), strip.y(ends), linestyle=(0, (5, 4)), **thin)
        if strip.height * style.pixels(ax)[1] > _NUMBERED:
            at, top = (0.0, strip.bottom + strip.height), _written(strip.name, strip.top)
            place: dict[str, Any] = {"transform": ax.transAxes, "va": "top", "fontsize": style.pen(0.9 * style.SMALL)}
            halo: dict[str, Any] = {"path_effects": style.halo(self.theme), "zorder": 1.5}
            style.beside(ax, top, at, (3.0, -1.5), color=paint["quiet"], **place, **halo)

    def _draw_curve(self, ax: Axes, strip: _Strip, upto: int, *, width: float, **paint: Any) -> None:
        first = int(tokens.STREAM["first"]) if strip.name == "rate" else 0
        steps = np.arange(first, upto + 1)
        ax.plot(steps, strip.y(getattr(self, strip.name)[steps]), linewidth=style.pen(width), **paint)

    def _write(self, ax: Axes, strip: _Strip) -> None:
        """Write what a strip shows at the left, and the number of the instant at the right."""
        paint, wide = style.colours(self.theme), 0.72 * style.pixels(ax)[0]
        value = _written(strip.name, float(getattr(self, strip.name)[self.t])) if self.t else ""
        at, by = strip.bottom + strip.height, (0.0, 3.5)
        place: dict[str, Any] = {"transform": ax.transAxes, "va": "baseline"}
        strong: dict[str, Any] = {"ha": "right", "fontweight": "bold", "fontsize": "small"}
        style.beside(ax, value, (1.0, at), by, color=paint[_COLOURS[strip.name]], **strong, **place)
        room = wide - _BOLD * words.width(value, style.SMALL) - style.SMALL
        label = self.label(strip.name)
        size = style.SMALL * min(room / words.width(label, style.SMALL), 1.0)
        style.beside(ax, label, (0.0, at), by, color=paint["quiet"], fontsize=style.pen(size), **place)

    def label(self, name: str) -> str:
        """Return what a strip shows, in words."""
        if name == "support":
            return "examples in memory (support)"
        said, noise = ("mistakes so far", "from label noise alone")
        if name == "rate":
            said, noise = self._lately, f"label noise {_percent(self.flipped)}"
        return f"{said}  (dashed: {noise})" if self.flipped else said


@dataclass(frozen=True, eq=False)
class Mistakes(Timeline):
    """The timeline of a stream: the mistakes so far as a curve, in place of epochs, and where the target switches."""

    switches: Switches = field(default_factory=no_switches)

    @classmethod
    def of_stream(cls, run: Run, t: int, *, turned: FloatArray | None = None, theme: str = "light") -> Mistakes:
        """Read the timeline of a stream."""
        return cls(**vars(Timeline.of(run, t, theme=theme)), switches=switches(turned))

    def _draw_epochs(self, ax: Axes) -> None:
        paint, steps = style.colours(self.theme), np.arange(self.n_steps + 1)
        so_far = np.searchsorted(self.mistakes, steps, side="right")
        curve: dict[str, Any] = {"color": paint["warning"], "alpha": 0.75, "linewidth": style.pen(1.3), "zorder": 1.5}
        ax.plot(steps, TICKS + _HIGHEST * so_far / max(len(self.mistakes), 1), **curve)
        dashed: dict[str, Any] = {"color": paint["quiet"], "linewidth": style.pen(0.8), "linestyles": (0, (2, 3))}
        ax.vlines(self.switches, 0, 1, **dashed)

    def _name_epochs(self, ax: Axes) -> None:
        quiet: dict[str, Any] = {"fontsize": "small", "va": "bottom", "color": style.colours(self.theme)["quiet"]}
        ax.text(0, 1.06, f"mistakes so far, at the end: {len(self.mistakes):,}", parse_math=False, **quiet)


def _percent(share: float) -> str:
    return f"{int(100 * share + 0.5)} %"


def _written(name: str, value: float) -> str:
    """Return a number of a strip as it is read."""
    return _percent(value) if name == "rate" else f"{round(value):,}"
