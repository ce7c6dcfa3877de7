"""What each remembered example says of one: f(x) as a sum over the support, each term beside its example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine import checks, predictors
from kpviz.engine.checks import FloatArray
from kpviz.engine.ground import written
from kpviz.engine.objects.counting import sketches
from kpviz.engine.objects.sketch import Sketch, of_bits
from kpviz.engine.predictors import PREDICTORS
from kpviz.engine.run import Run
from kpviz.views import sketches as drawing
from kpviz.views import style, words
from kpviz.views.display import Display
from kpviz.views.sketches import Box

TITLE, SHORT = "What is remembered", "Remembered"
_BOLD = "(x₈₈₈) = −88.88"  # behind f or mean f: as long as what the sum comes to mostly is
EMPTY = "What is mistaken will be remembered here."
_VOTED = "A vote is no sum of terms: choose another predictor."
_MOST = 40  # terms that are drawn at most
_EDGE = 9.0  # px within the panel
_TYPE, _LETTERS = style.SMALL / 0.72, 24.0  # px of the type, of which at least so many fit into the panel's width
_FITTING, _SMALLEST = (3, 2), (11.3, 10.5)  # drawings that fit below the first, if the type is so many px then
_LINE = 1.5  # height of a row that is a text, in sizes of the type
_NAME, _VALUE, _BAR = 2.7, 4.5, 3.2  # widths, in sizes of the type


@dataclass(frozen=True, eq=False)
class Remembered(Display):
    """The terms of one example's sum, the largest first.

    Parameters
    ----------
    name : of the example that the sum tells of, "" for none yet. f : what it comes to; b : the intercept in it.
    index, value, y : (m,) of each term the example, coef · k and label, from the largest |value| to the smallest.
    drawn : "texts", "trees" or "graphs", which are drawn; "" where examples are written.
    one, others : the example and those of the terms as they are drawn; of many terms the first.
    title : what the sum is. why : why there is none, "" where there is.
    """

    name: str = ""
    f: float = 0.0
    b: float = 0.0
    index: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    value: FloatArray = field(default_factory=lambda: np.zeros(0))
    y: FloatArray = field(default_factory=lambda: np.zeros(0))
    drawn: str = ""
    one: Sketch | str = ""
    others: tuple[Sketch | str, ...] = ()
    title: str = "f"
    why: str = ""
    theme: str = "light"

    @classmethod
    def of(
        cls,
        run: Run,
        t: int,
        *,
        ask: str = "",
        bits: bool = False,
        own: Any = None,
        predictor: str = "last",
        theme: str = "light",
    ) -> Remembered:
        """Read the sum of what is asked about, an object as it is written, else of the current example.

        `bits` says that rows are the bits of a number; `own` is (lows, highs) of features that were scaled.
        """
        if checks.choice("predictor", predictor, PREDICTORS) == "voted":
            return cls(why=_VOTED, theme=theme)
        if t == 0 and not ask:
            return cls(why=EMPTY, theme=theme)
        (coef,), (b,) = predictors.coefficients(run, [run.time(t)], predictor)
        index, i = np.flatnonzero(coef), int(run.index[t - 1]) if t else 0
        x = run.examples("ask", [ask]) if ask else run.X[[i]]
        value = coef[index] * (run.columns(x, index)[0] if ask else run.gram[index, i])
        f = float(value.sum() + b)
        order = np.argsort(-np.abs(value), kind="stable")
        index, value = index[order], value[order]
        drawn, shown = _drawn(run, np.concatenate([x, run.X[index[:_MOST]]]), bits, own)
        found: dict[str, Any] = {"drawn": drawn, "one": shown[0], "others": tuple(shown[1:]), "theme": theme}
        name, title = "new" if ask else explain.example(i), style.READINGS[predictor]
        return cls(name, f, float(b), index, value, run.y[index], title=title, **found)

    @property
    def told(self) -> str:
        """What the sum tells of, and what it comes to."""
        return f"{self.title}({self.name}) = {'0: a tie' if self.f == 0 else signed(self.f)}"

    @property
    def best(self) -> Sketch | None:
        """The largest term's example, but for the one that the sum tells of."""
        pairs = zip(self.index.tolist(), self.others, strict=False)
        return next((o for i, o in pairs if isinstance(o, Sketch) and explain.example(i) != self.name), None)

    def frame(self, ax: Axes) -> None:
        """Draw ground and title."""
        style.panel(ax, self.theme, TITLE, SHORT, besides=1.15 * words.width(self.title + _BOLD, style.SMALL))
        wide, high = style.pixels(ax)
        ax.set(xlim=(0.0, wide), ylim=(high, 0.0), xticks=[], yticks=[])

    def marks(self, ax: Axes) -> None:
        """Draw the sum, the example it tells of, and its terms."""
        wide, high = style.pixels(ax)
        if self.why:
            style.hint(ax, self.theme, words.wrapped(self.why, style.TEXT, 0.72 * 0.85 * wide))
            return
        size = self.type(ax)
        paint = style.colours(self.theme)
        colour = paint["quiet" if self.f == 0 else style.side(self.f)]
        bold: dict[str, Any] = {"transform": ax.transAxes, "ha": "right", "va": "baseline", "fontweight": "bold"}
        style.beside(ax, self.told, (1.0, 1.0), (0.0, 6.0), color=colour, fontsize="small", gid="sum", **bold)
        box = Box(_EDGE, 0.35 * size, wide - 2 * _EDGE, drawing.DRAWING * size)
        top = box.y + self._draw(ax, self.one, self.best, box, size, most=3) + 0.35 * size
        shown = self.rows(top, high, size)
        self._draw_rows(ax, shown, top, size)
        if rest := self.rest(shown):
            down = top + shown * self.each * size + 1.1 * size
            text = words.shortened(rest, 0.72 * size, 0.72 * (wide - 2 * _EDGE))
            ax.text(_EDGE, down, text, color=paint["quiet"], **_type(size))

    def type(self, ax: Axes) -> float:
        """Return how large the type is, in pixels."""
        wide, high = style.pixels(ax)
        size = min(_TYPE, wide / _LETTERS)
        if self.each == _LINE:
            return size
        fitting = [high / (drawing.DRAWING * (rows + 1) + _LINE + 0.8) for rows in _FITTING]
        enough = (type_ for type_, least in zip(fitting, _SMALLEST, strict=True) if type_ >= least)
        return min(size, next(enough, _SMALLEST[-1]))

    @property
    def each(self) -> float:
        """How high a row is, in sizes of the type."""
        return drawing.DRAWING if self.drawn in ("trees", "graphs") else _LINE

    def rows(self, top: float, high: float, size: float) -> int:
        """Return how many terms are shown below `top` in a panel so high."""
        room = int((high - top - _LINE * size) // (self.each * size))
        return min(max(room, 1), len(self.others))

    def rest(self, shown: int) -> str:
        """Return what is left of the sum: smaller terms, and b."""
        left = self.value[shown:]
        parts = [f"{signed(float(left.sum()))} from {len(left)} more"] if len(left) else []
        return "  ·  ".join([*parts, *([f"{signed(self.b)} intercept b"] if self.b else [])])

    def _draw_rows(self, ax: Axes, shown: int, top: float, size: float) -> None:
        """Draw the first terms: name, value, bar and example."""
        paint, wide = style.colours(self.theme), style.pixels(ax)[0]
        zero, each = _EDGE + size * (_NAME + _VALUE + _BAR / 2), self.each * size
        across = (_BAR / 2) * size * self.value[:shown] / max(np.abs(self.value).max(initial=0.0), 1e-30)
        base = top + each * np.arange(shown) + 1.1 * size
        left = zero + (_BAR / 2 + 0.6) * size
        for k in range(shown):
            kind = paint[style.side(self.y[k])]
            ax.text(_EDGE, base[k], explain.example(int(self.index[k])), color=kind, fontweight="bold", **_type(size))
            told = signed(float(self.value[k]))
            right = zero - (_BAR / 2 + 0.4) * size
            ax.text(right, base[k], told, color=paint["ink"], ha="right", gid="value", **_type(size))
            box = Box(left, base[k] - 1.25 * size, wide - _EDGE - left, each)
            self._draw(ax, self.others[k], self.one if isinstance(self.one, Sketch) else None, box, size, most=1)
        bars = [_bar(zero, a, b, size) for a, b in zip(across, base, strict=True)]
        fills = style.fills(self.theme, self.value[:shown])
        ax.add_collection(PolyCollection(bars, gid="bars", **fills), autolim=False)
        line = [[(zero, top), (zero, top + shown * each)]]
        ax.add_collection(LineCollection(line, colors=paint["rule"], linewidths=style.pen(0.72)), autolim=False)

    def _draw(self, ax: Axes, what: Sketch | str, other: Sketch | None, box: Box, size: float, *, most: int) -> float:
        """Draw an example, at most so many lines of it; return how high it is."""
        if isinstance(what, Sketch):
            if self.drawn == "texts":
                return drawing.write(ax, self.theme, what, other, box, size, most=most)
            return drawing.join(ax, self.theme, what, other, box, size)
        text = words.shortened(what, 0.72 * size, 0.72 * box.w)
        ax.text(box.x, box.y + 1.25 * size, text, color=style.colours(self.theme)["ink"], **_type(size))
        return _LINE * size


def signed(value: float) -> str:
    """Return a number with its sign.

    >>> signed(0.5), signed(-2.0)
    ('+0.50', '−2.00')
    """
    return explain.number(value) if value < 0 else f"+{explain.number(value)}"


def _drawn(run: Run, X: NDArray[Any], bits: bool, own: Any) -> tuple[str, Sequence[Sketch | str]]:
    """Return of what kind drawings are, and the examples as drawings, or as they are written."""
    if bits:
        return "texts", [of_bits(x) for x in X.tolist()]
    if run.kernel is None:
        return "", ["" for _ in X]  # a row of a Gram matrix says nothing of its example
    if run.kernel.compares != "vectors":
        return run.kernel.compares, sketches(run.kernel, X)
    if own is not None:
        low, high = np.array(own)
        X = low + (X + 1.0) / 2.0 * (high - low)
    flat = X.shape[1] == 2
    return "", [("" if flat else written(x)) or f"({', '.join(map(explain.number, x.tolist()))})" for x in X]


def _type(size: float) -> dict[str, Any]:
    return {"fontsize": style.pen(0.72 * size), "va": "baseline", "parse_math": False}


def _bar(zero: float, across: float, base: float, size: float) -> list[tuple[float, float]]:
    top = base - 0.8 * size
    return [(zero, top), (zero + across, top), (zero + across, base), (zero, base)]
