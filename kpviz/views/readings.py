"""Last, averaged and voted side by side: their errors now, at the end of each epoch, and whose votes are counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.predictors import PREDICTORS
from kpviz.engine.readings import Readings
from kpviz.views import boundaries, style, votes, words
from kpviz.views.display import Display

TITLE = "Last, averaged, voted"
_EDGE = 9.0  # px within the panel
_TYPE, _LETTERS, _ROWS = style.SMALL / 0.72, 21.0, 5.9  # px of the type, of which so many fit across and down at least
_SMALL = 0.92  # of the type: words that are quiet
_LONG = 28.0  # sizes of the type from which on there is room for the longer words
_INDENT = 3.0  # sizes of the type from a line to its reading's name
_TABLE, _LINE = 6.1, 1.35  # heights of the table, and of a line of words, in sizes of the type
_LEAST = 42.0  # px of a chart that says something
_WIDTHS = {"last": 2.5, "averaged": 1.6, "voted": 0.95}  # points: where curves coincide, all are seen
_HELD_OUT = (5.0, 4.0)  # px of the dashes
_LOWEST = 0.05  # share of errors at the chart's top, at least
_BOLD = 1.15  # times as wide as plain type
_GAP = 0.8  # of the type, between a reading's name and its errors, at least


@dataclass(frozen=True)
class _Chart:
    """Where the chart lies, in pixels from the panel's upper left corner, and what its axes show."""

    left: float
    top: float
    width: float
    height: float
    n_steps: int
    highest: float

    def x(self, steps: Any) -> Any:
        """Return where instants are."""
        return self.left + 4.0 + np.asarray(steps) / max(self.n_steps, 1) * (self.width - 8.0)

    def y(self, shares: Any) -> Any:
        """Return where shares of errors are."""
        part = np.minimum(np.asarray(shares) / self.highest, 1.0)
        return self.top + self.height - 2.0 - part * (self.height - 5.0)


@dataclass(frozen=True, eq=False)
class Errors(Display):
    """A table of the errors of an instant, the chart of those of all epochs, and words.

    Parameters
    ----------
    t, n_steps : the instant and the end. ends : (n_epochs,) the instants at which the epochs end.
    wrong : (3, 1) errors on the training set, or (3, 2) with those held out. sizes : how many examples these are.
    training, testing : (3, n_epochs) shares of errors at the end of each epoch; of those held out None for none.
    votes, longest : what is said of the votes, and as much as may be said of them at another instant.
    note : what averaging did to the separation, "" for nothing. chosen : the reading that the map shows.
    """

    t: int
    n_steps: int
    ends: NDArray[np.int64]
    wrong: NDArray[np.int64]
    sizes: tuple[int, ...]
    training: FloatArray
    testing: FloatArray | None = None
    votes: str = votes.NONE_YET
    longest: str = ""
    note: str = ""
    chosen: str = "last"
    theme: str = "light"

    @classmethod
    def of(cls, readings: Readings, t: int, *, predictor: str = "last", theme: str = "light") -> Errors:
        """Read the errors of an instant."""
        run = readings.run
        ends = run.epoch_ends
        said = (votes.told(run, t), votes.longest(run), readings.note)
        errors = (readings.training, readings.testing)
        return cls(t, run.n_steps, ends, readings.wrong(t), readings.sizes, *errors, *said, predictor, theme)

    @property
    def heads(self) -> tuple[str, ...]:
        """The columns of the table, as long as they may be."""
        return ("training errors", "held-out errors")[: len(self.sizes)]

    @property
    def cells(self) -> list[list[str]]:
        """The table, a row for each reading."""
        if not self.t:
            return [["–"] * len(self.sizes) for _ in PREDICTORS]
        return [[f"{n} of {of}" for n, of in zip(row, self.sizes, strict=True)] for row in self.wrong.tolist()]

    @property
    def top(self) -> str:
        """What the chart's top stands for."""
        return f"top {int(100 * self.highest + 0.5)} %" + ("; held out dashed" if self.testing is not None else "")

    @property
    def highest(self) -> float:
        """The share of errors at the chart's top."""
        both = [self.training, *(() if self.testing is None else (self.testing,))]
        return max(float(np.max([part.max(initial=0.0) for part in both])), _LOWEST)

    def type(self, ax: Axes) -> float:
        """Return how large the type is, in pixels: names and errors, however many there are, do not touch."""
        wide, high = style.pixels(ax)
        names = _INDENT + _BOLD * max(words.width(kind, 1.0) for kind in PREDICTORS)
        cell = _BOLD * words.width(f"{self.sizes[0]} of {self.sizes[0]}", 1.0)
        fits = (self._rights(wide)[0] - _EDGE) / (names + _GAP + cell)
        return min(_TYPE, wide / _LETTERS, high / _ROWS, fits)

    def frame(self, ax: Axes) -> None:
        """Draw ground, title, what the lines are, the curves, and the note."""
        style.panel(ax, self.theme, TITLE)
        wide, high = style.pixels(ax)
        ax.set(xlim=(0.0, wide), ylim=(high, 0.0), xticks=[], yticks=[])
        size, paint = self.type(ax), style.colours(self.theme)
        for name, right in zip(self._heads(wide, size), self._rights(wide), strict=True):
            small: dict[str, Any] = {"color": paint["quiet"], "ha": "right", **_type(_SMALL * size)}
            ax.text(right, 1.35 * size, name, **small)
        for k, kind in enumerate(PREDICTORS):
            base = _base(k, size)
            pen: dict[str, Any] = {"color": boundaries.colour(self.theme, kind), "linewidth": style.pen(1.75)}
            ends = [_EDGE, _EDGE + 2.4 * size]
            ax.add_line(Line2D(ends, [base - 0.33 * size] * 2, linestyle=boundaries.dashes(kind, 1.75), **pen))
            weight = "bold" if kind == self.chosen else "normal"
            ink: dict[str, Any] = {"color": paint["ink"], "fontweight": weight, "gid": "kind", **_type(size)}
            ax.text(_EDGE + _INDENT * size, base, kind, **ink)
        if chart := self._chart(ax):
            self._draw_curves(ax, chart)
        _, note = self._words(ax)
        for text, down in zip(note, self._downs(ax, len(note)), strict=True):
            ax.text(_EDGE, down, text, color=paint["warning"], gid="note", **_type(_SMALL * size))

    def marks(self, ax: Axes) -> None:
        """Draw the errors of the instant, in numbers and on the chart, and what is said of the votes."""
        size, paint, wide = self.type(ax), style.colours(self.theme), style.pixels(ax)[0]
        for k, row in enumerate(self.cells):
            for text, right in zip(row, self._rights(wide), strict=True):
                strong: dict[str, Any] = {"color": paint["ink"], "ha": "right", "fontweight": "bold"}
                ax.text(right, _base(k, size), text, gid="errors", **strong, **_type(size))
        if chart := self._chart(ax):
            self._draw_now(ax, chart)
        said, note = self._words(ax)
        downs = self._downs(ax, said + len(note))
        lines = self._wrapped(ax, self.votes) if said else []
        for text, down in zip(lines, downs, strict=False):
            quiet = paint["quiet"]
            style.row(ax, _EDGE, down, text, color=quiet, gid="votes", fontsize=style.pen(0.72 * _SMALL * size))

    def _heads(self, wide: float, size: float) -> tuple[str, ...]:
        if wide > _LONG * size:
            return self.heads
        return ("training", "held out")[: len(self.heads)]

    def _rights(self, wide: float) -> list[float]:
        """Return where the columns of the table end."""
        left, right = _EDGE + 0.7 * (wide - 2 * _EDGE), wide - _EDGE
        return [left if len(self.sizes) > 1 else right, right][: len(self.sizes)]

    def _words(self, ax: Axes) -> tuple[int, list[str]]:
        """Return how many lines are kept for the votes, and the lines of the note: as many as there is room for."""
        high = style.pixels(ax)[1]
        said = len(self._wrapped(ax, max(self.longest, self.votes, key=len)))
        size = self.type(ax)
        least = _LEAST if self.training.size else 0.0

        def left(lines: int) -> float:
            return high - _TABLE * size - _SMALL * size * (_LINE * lines + 0.6)

        if left(said) < 0:
            said = 0
        note = self._wrapped(ax, self.note) if self.note else []
        fits = left(said + len(note)) > least or (left(said) < least and left(said + len(note)) > 0)
        return said, note if fits else []

    def _downs(self, ax: Axes, lines: int) -> list[float]:
        """Return the baselines of so many lines at the bottom of the panel."""
        high, small = style.pixels(ax)[1], _SMALL * self.type(ax)
        return [high - small * (0.55 + _LINE * (lines - 1 - k)) for k in range(lines)]

    def _wrapped(self, ax: Axes, text: str) -> list[str]:
        room = 0.72 * (style.pixels(ax)[0] - 2 * _EDGE)
        return words.wrapped(text, 0.72 * _SMALL * self.type(ax), room).split("\n")

    def _chart(self, ax: Axes) -> _Chart | None:
        """Return where the chart lies; None where there is no room or nothing to draw."""
        (wide, high), size = style.pixels(ax), self.type(ax)
        said, note = self._words(ax)
        top = _TABLE * size
        room = high - top - _SMALL * size * (_LINE * (said + len(note)) + 0.6)
        if room <= _LEAST or not self.training.size:
            return None
        below = 1.5 * _SMALL * size  # what its top stands for
        return _Chart(_EDGE, top, wide - 2 * _EDGE, room - below, self.n_steps, self.highest)

    def _draw_curves(self, ax: Axes, chart: _Chart) -> None:
        """Draw the chart's ground and the curves, those of the training set full."""
        paint, size = style.colours(self.theme), self.type(ax)
        ground: dict[str, Any] = {"facecolor": paint["paper"], "linewidth": 0.0, "zorder": 0.5}
        ax.add_patch(Rectangle((chart.left, chart.top), chart.width, chart.height, **ground))
        for shares, held in ((self.training, False), (self.testing, True)):
            for k, kind in enumerate(PREDICTORS if shares is not None else ()):
                width = _WIDTHS[kind]
                pen: dict[str, Any] = {"color": boundaries.colour(self.theme, kind), "linewidth": style.pen(width)}
                if len(self.ends) == 1:
                    pen |= {"marker": "o", "markersize": style.pen(2.5 + 2 * width)}
                    pen |= {"markerfacecolor": "none"} if held else {}
                elif held:
                    pen |= {"linestyle": (0.0, tuple(0.72 * part / width for part in _HELD_OUT))}
                x, y = chart.x(self.ends), chart.y(shares[k]) if shares is not None else ()
                ax.add_line(Line2D(x, y, gid="held out" if held else "training", **pen))
        long = f"errors at each epoch's end; {self.top}"
        small = 0.72 * _SMALL * size
        text = long if words.width(long, small) < 0.72 * chart.width else self.top
        down = chart.top + chart.height + 1.15 * _SMALL * size
        ax.text(_EDGE, down, text, color=paint["quiet"], gid="top", **_type(_SMALL * size))

    def _draw_now(self, ax: Axes, chart: _Chart) -> None:
        """Draw the cursor, and the errors of the instant as dots, those held out hollow."""
        paint, x = style.colours(self.theme), float(chart.x(self.t))
        cursor: dict[str, Any] = {"color": paint["accent"], "alpha": 0.6, "linewidth": style.pen(1.5), "zorder": 4}
        ax.add_line(Line2D([x, x], [chart.top, chart.top + chart.height], **cursor))
        for k, kind in enumerate(PREDICTORS if self.t else ()):
            colour = boundaries.colour(self.theme, kind)
            for n, of, held in zip(self.wrong[k].tolist(), self.sizes, (False, True), strict=False):
                face, rim, width = ("none", colour, 1.2) if held else (colour, paint["paper"], 1.0)
                dot: dict[str, Any] = {"marker": "o", "markersize": style.pen(5.2), "markeredgewidth": style.pen(width)}
                dot |= {"markerfacecolor": face, "markeredgecolor": rim, "zorder": 5}
                ax.add_line(Line2D([x], [float(chart.y(n / max(of, 1)))], **dot))


def _base(row: int, size: float) -> float:
    """Return the baseline of a row of the table."""
    return size * (2.75 + _LINE * row)


def _type(size: float) -> dict[str, Any]:
    """Return what writes letters so many pixels high."""
    return {"fontsize": style.pen(0.72 * size), "va": "baseline", "parse_math": False}
