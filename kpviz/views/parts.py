"""The parts of a learner's own panel, one Display for each kind of `kpviz.engine.learners.about.Part`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine import scales
from kpviz.engine.checks import FloatArray
from kpviz.engine.learners import about
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.columns import GAP
from kpviz.views.display import Display

_WIDEST = 34.0  # pixels of an age's column
_EDGE = 2.0  # pixels between a line's extremes and the frame
_TINY = 1e-12  # on a logarithmic axis


class Part(Protocol):
    """One part: what it is, its number of this instant ("" for none), and its picture."""

    @property
    def label(self) -> str:
        """What is shown."""
        ...

    @property
    def value(self) -> str:
        """The number of this instant."""
        ...

    def frame(self, ax: Axes) -> None:
        """Draw what stands still."""
        ...

    def marks(self, ax: Axes) -> None:
        """Draw what changes."""
        ...


@dataclass(frozen=True, eq=False)
class Ages(Display):
    """What each remembered presentation still weighs, oldest first.

    Parameters
    ----------
    step, y, weight : of each its presentation, its example's label, and what is left of what it added, signed.
    limit : the height of the panel. newest : the present step, framed. victim : the example it forgot, None for none.
    """

    label: str
    step: NDArray[np.int64]
    y: FloatArray
    weight: FloatArray
    limit: float
    newest: int
    victim: int | None = None
    theme: str = "light"
    value: str = ""

    @classmethod
    def of(cls, run: Run, t: int, part: about.Part, *, theme: str = "light") -> Ages:
        """Read the entries of an instant."""
        alive = run.entries_at(t)
        last = int(run.details["victim"][t - 1]) if t and "victim" in run.details else -1
        victim = None if last < 0 else last
        limit = scales.alpha_scale(run).high
        return cls(part.label, alive.step, run.y[alive.index], alive.weight, limit, t - 1, victim, theme)

    def marks(self, ax: Axes) -> None:
        """Draw a column for each, and the victim's name."""
        paint, (wide, high) = style.colours(self.theme), style.pixels(ax)
        columns = max(len(self.weight), wide / _WIDEST)
        gap = min(GAP * columns / wide, 0.3) / 2
        ax.set(xlim=(0, columns), ylim=(0, self.limit * high / max(high - _EDGE, 1.0)))
        left = np.arange(len(self.weight))
        tall = np.minimum(np.abs(self.weight), self.limit)
        x = np.array([left + gap, left + 1 - gap, left + 1 - gap, left + gap])
        places = np.stack([x, np.outer([0.0, 0.0, 1.0, 1.0], tall)], axis=-1).transpose(1, 0, 2)
        ages = PolyCollection(list(places), snap=False, **style.fills(self.theme, self.y))
        ax.add_collection(ages, autolim=False)
        frame: dict[str, Any] = {"edgecolors": paint["ink"], "linewidths": style.pen(1.4), "clip_on": False}
        newest = places[self.step == self.newest]
        if len(newest):
            ax.add_collection(PolyCollection(list(newest), facecolors="none", **frame), autolim=False)
        if self.victim is not None:
            text = f"{explain.example(self.victim)} forgotten"
            strong: dict[str, Any] = {"color": paint["warning"], "fontweight": "bold"}
            place: dict[str, Any] = {"ha": "right", "va": "top", "transform": ax.transAxes, "fontsize": "small"}
            ax.text(0.99, 0.95, text, path_effects=style.halo(self.theme), **place, **strong)


@dataclass(frozen=True, eq=False)
class Line(Display):
    """A particular over the whole run, its limit dashed, the present value as a dot.

    Parameters
    ----------
    values : (n_steps,) after each presentation. t : the instant.
    limit : one number, or one after each presentation; None for none.
    shown : (n_steps,) where the values mean something: dots there; None: everywhere, as a line.
    logarithmic : whether the axis is.
    """

    label: str
    values: FloatArray
    t: int
    limit: FloatArray | float | None = None
    shown: NDArray[np.bool_] | None = None
    logarithmic: bool = False
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, part: about.Part, *, theme: str = "light") -> Line:
        """Read a particular of a run."""
        limit = run.details[part.limit] if isinstance(part.limit, str) else part.limit
        shown = run.mistake if part.at == "mistakes" else None
        return cls(part.label, run.details[part.detail], t, limit, shown, part.logarithmic, theme)

    @property
    def now(self) -> float | None:
        """The present value, None where there is none."""
        seen = self.t > 0 and (self.shown is None or self.shown[self.t - 1])
        return float(self.values[self.t - 1]) if seen else None

    @property
    def value(self) -> str:
        """The present value, with the limit that goes with it."""
        if self.now is None:
            return ""
        number = explain.number(self.now)
        return f"{number} ≤ {explain.number(self.limit[self.t - 1])}" if isinstance(self.limit, np.ndarray) else number

    def height(self, values: Any) -> FloatArray:
        """Return where values are on the axis."""
        return np.asarray(np.log10(np.maximum(values, _TINY)) if self.logarithmic else values, dtype=float)

    def ends(self) -> tuple[float, float]:
        """Return the lowest and the highest place that is needed."""
        values = self.values if self.shown is None else self.values[self.shown]
        heights = self.height(values if self.limit is None else np.append(values, self.limit))
        if not len(heights):
            return 0.0, 1.0
        low, high = float(heights.min()), float(heights.max())
        if low == high:
            low, high = min(low, 0.0), max(high, 0.0) or 1.0
        return low, high

    def frame(self, ax: Axes) -> None:
        """Draw it from the start to the end of the run, as wide as the panel."""
        paint, (low, high) = style.colours(self.theme), self.ends()
        edge = (high - low) * _EDGE / max(style.pixels(ax)[1] - 2 * _EDGE, 1.0)
        ax.set(xlim=(0, max(len(self.values), 1)), ylim=(low - edge, high + edge))
        times = np.arange(1, len(self.values) + 1)
        dashed: dict[str, Any] = {"color": paint["warning"], "linestyle": (0, (4, 3)), "linewidth": style.pen(1.1)}
        if isinstance(self.limit, np.ndarray):
            ax.plot(times, self.height(self.limit), **dashed)
        elif self.limit is not None:
            ax.axhline(float(self.height(self.limit)), **dashed)
        pen = self._pen
        if self.shown is None:
            ax.plot(times, self.height(self.values), **pen)
        else:
            dots: dict[str, Any] = {"marker": "s", "markersize": style.pen(2.6), "markeredgewidth": 0.0}
            ax.plot(times[self.shown], self.height(self.values[self.shown]), linestyle="none", **dots, **pen)

    def marks(self, ax: Axes) -> None:
        """Draw the present value as a dot."""
        if self.now is not None:
            paper = style.colours(self.theme)["paper"]
            dot: dict[str, Any] = {"markeredgecolor": paper, "markeredgewidth": style.pen(1.1), "zorder": 5}
            dot |= {"marker": "o", "markersize": style.pen(7), "clip_on": False}
            ax.add_line(Line2D([self.t], self.height([self.now]), **dot, **self._pen))

    @property
    def _pen(self) -> dict[str, Any]:
        return {"color": style.colours(self.theme)["accent"], "linewidth": style.pen(1.2)}


@dataclass(frozen=True, eq=False)
class Pair(Display):
    """The coefficients that a step moves, before and after, in their box.

    Parameters
    ----------
    index, y, before, after : of each its example, label, and alpha; empty at the start.
    limit : the largest alpha that the box allows.
    """

    label: str
    index: NDArray[np.intp]
    y: FloatArray
    before: FloatArray
    after: FloatArray
    limit: float
    theme: str = "light"
    value: str = ""

    @classmethod
    def of(cls, run: Run, t: int, part: about.Part, *, theme: str = "light") -> Pair:
        """Read the pair of the step that led to t; `part.detail` is the second of the two."""
        pair = [int(run.index[t - 1]), int(run.details[part.detail][t - 1])] if t else []
        index = np.array(pair, dtype=np.intp)
        before, after = (run.state_at(at).alpha[index] for at in (max(t - 1, 0), t))
        if not isinstance(part.limit, float | int):
            raise TypeError(f"a pair needs a number as its limit, not {part.limit!r}")
        return cls(part.label, index, run.y[index], before, after, float(part.limit), theme)

    def marks(self, ax: Axes) -> None:
        """Draw two boxes side by side, as full as alpha is; the dashed line is where it was."""
        wide, high = style.pixels(ax)
        ax.set(xlim=(0, wide), ylim=(high, 0))
        for place, i in enumerate(self.index):
            self._draw_box(ax, place, 44.0 + place * wide / 2, min(wide / 2 - 70.0, 200.0), explain.example(int(i)))

    def _draw_box(self, ax: Axes, place: int, left: float, w: float, name: str) -> None:
        paint, high = style.colours(self.theme), style.pixels(ax)[1]
        before, after = (float(alpha[place]) for alpha in (self.before, self.after))
        at = [left + w * min(max(alpha / self.limit, 0.0), 1.0) for alpha in (before, after)]
        top, tall = 0.18 * high, 0.34 * high
        box: dict[str, Any] = {"left": left, "height": tall, "align": "edge"}
        ax.barh(top, at[1] - left, color=paint[style.side(self.y[place])], alpha=0.85, **box)
        ax.barh(top, w, color="none", edgecolor=paint["quiet"], linewidth=style.pen(0.9), **box)
        ax.plot(
            [at[0]] * 2, [top - 4, top + tall + 4], color=paint["ink"], linewidth=style.pen(1.4), linestyle=(0, (3, 2))
        )
        strong: dict[str, Any] = {"color": paint["ink"], "fontweight": "bold", "ha": "right", "va": "center"}
        ax.text(left - 6, top + tall / 2, name, **strong)
        text = f"α: {explain.number(before)} → {explain.number(after)} of C = {explain.number(self.limit)}"
        room = 0.72 * (style.pixels(ax)[0] / 2 - 50.0)
        size = style.SMALL * min(room / words.width(text, style.SMALL), 1.0)
        quiet: dict[str, Any] = {"color": paint["quiet"], "fontsize": style.pen(size), "va": "top"}
        ax.text(left, top + tall + 5, text, **quiet)


@dataclass(frozen=True, eq=False)
class Curve(Display):
    """How much a step adds at each margin; dashed: the perceptron's, all or nothing.

    Parameters
    ----------
    margins, added : the curve, margins ascending from -margins[-1]. whole : what the perceptron adds.
    now : margin and addition of the present step, and its example's label; None at the start.
    """

    label: str
    margins: FloatArray
    added: FloatArray
    whole: float
    now: tuple[float, float, float] | None = None
    theme: str = "light"
    value: str = ""

    @classmethod
    def of(cls, run: Run, t: int, part: about.Part, *, theme: str = "light") -> Curve:
        """Read the curve of a run, and the step that led to t; `part.detail` is what it added."""
        now, (margins, added) = None, scales.added_by_margin(run)
        if t:
            y = float(run.y[run.index[t - 1]])
            now = (y * float(run.score[t - 1]), float(run.details[part.detail][t - 1]), y)
        if not isinstance(part.limit, (int, float)):
            raise TypeError("the limit of a curve is a number: what the perceptron adds")
        return cls(part.label, margins, added, float(part.limit), now, theme)

    def frame(self, ax: Axes) -> None:
        """Draw the curve and the perceptron's step."""
        paint, end = style.colours(self.theme), self.margins[-1]
        most = 1.08 * self.whole
        ax.set(xlim=(-end, end), ylim=(-0.03 * most, 1.03 * most))
        step: dict[str, Any] = {"color": paint["quiet"], "linestyle": (0, (4, 3)), "linewidth": style.pen(1.0)}
        ax.plot([-end, 0, 0, end], [self.whole] * 2 + [0.0] * 2, **step)
        ax.plot(self.margins, self.added, color=paint["accent"], linewidth=style.pen(1.5))
        text: dict[str, Any] = {"color": paint["quiet"], "fontsize": "small", "va": "bottom", "ha": "left"}
        ax.text(0.012 * end, 0.05 * most, "y f = 0", path_effects=style.halo(self.theme), **text)

    def marks(self, ax: Axes) -> None:
        """Draw the present step as a dot."""
        if self.now is not None:
            paint, end = style.colours(self.theme), self.margins[-1]
            margin, value, y = self.now
            dot: dict[str, Any] = {"markeredgecolor": paint["ink"], "markeredgewidth": style.pen(1.1), "zorder": 5}
            at, face = min(max(margin, -end), end), paint[style.side(y)]
            dot |= {"marker": "o", "markersize": style.pen(7), "clip_on": False}
            ax.add_line(Line2D([at], [value], color=face, **dot))
