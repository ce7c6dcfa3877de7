"""The mistake bounds of a run: what each says at an instant, what it is made of, and why it may say nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from kpviz import explain
from kpviz.engine import boolean_bound
from kpviz.engine.dnf import Dnf
from kpviz.engine.guarantee import Bound, Quantity
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.display import Display

TITLE = "Mistake bounds"
_NAME, _SAID, _QUANTITY = "name", "said", "quantity"  # kinds of text
_SIZES = {_NAME: 1.0, _SAID: 1.0, _QUANTITY: 0.88}  # of the largest
_LARGEST, _SMALLEST, _LEAST = 11.0, 9.0, 6.0  # points; the last where not even one bound has room otherwise
_STEP = 0.25  # points between two sizes that are tried
_BOLD = 1.2  # times as wide as plain type, at most
_EDGE = 5.0  # points within the panel
_APART = 0.5  # between two bounds, in sizes of the type


class Text(NamedTuple):
    """Some lines about one bound: of what kind, how many points below the panel's top they begin, and their size."""

    bound: int
    kind: str
    lines: tuple[str, ...]
    down: float
    size: float


@dataclass(frozen=True, eq=False)
class Bounds(Display):
    """All bounds that may apply, the one to look at first on top; those that find no room are left out.

    Parameters
    ----------
    bounds : with their values over the run. t : the instant. mistakes : made so far, and in `total`.
    """

    bounds: tuple[Bound, ...]
    t: int
    mistakes: int
    total: int
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, *, predictor: str = "last", dnf: Dnf | None = None, theme: str = "light") -> Bounds:
        """Read the bounds, also that for the Boolean function `dnf`; only the first time for a run takes long."""
        mistakes = int(run.mistake[:t].sum())
        return cls(boolean_bound.bounds_of(run, predictor, dnf), t, mistakes, int(run.mistake.sum()), theme)

    def frame(self, ax: Axes) -> None:
        """Draw ground, title, and for each bound its name and what it is made of."""
        style.panel(ax, self.theme, TITLE)
        ax.set(xticks=[], yticks=[])
        paint = style.colours(self.theme)
        for text in self.texts(ax):
            if text.kind != _SAID:
                self._write(ax, text, paint["ink" if text.kind == _NAME else "quiet"])

    def marks(self, ax: Axes) -> None:
        """Draw what each bound says now."""
        paint = style.colours(self.theme)
        for text in self.texts(ax):
            if text.kind == _SAID:
                bound = self.bounds[text.bound]
                now = text._replace(lines=_lines(said(bound, self.mistakes, self.t), text.size, _room(ax)))
                self._write(ax, now, paint["ink" if bound.applies and not bound.vacuous else "quiet"])

    def texts(self, ax: Axes) -> list[Text]:
        """Return what there is room for, in type as large as it may be; no instant needs more of it than another."""
        most = len(self._fitting(ax, _SMALLEST))
        sizes = np.arange(_LARGEST, _LEAST - _STEP, -_STEP).tolist()
        return next((found for size in sizes if len(found := self._fitting(ax, size)) >= max(most, 1)), [])

    def _fitting(self, ax: Axes, largest: float) -> list[Text]:
        room = 0.72 * style.pixels(ax)[1] - _EDGE
        found = [text for text in self._all(ax, largest) if _bottom(text) <= room]
        return found[:-1] if found and found[-1].kind == _NAME else found

    def _all(self, ax: Axes, largest: float) -> list[Text]:
        found: list[Text] = []
        down, room = _EDGE, _room(ax)
        for number, bound in enumerate(self.bounds):
            for kind, told in self._told(bound):
                size = _SIZES[kind] * largest
                text = Text(number, kind, _lines(told, size * (_BOLD if kind == _NAME else 1.0), room), down, size)
                found.append(text)
                down = _bottom(text)
            down += _APART * largest
        return found

    def _told(self, bound: Bound) -> list[tuple[str, str]]:
        """Return what is told of a bound, by kind, what it says as long as it ever is."""
        times = (0, *bound.times.tolist())
        longest = max((said(bound, self.total, t) for t in times), key=lambda text: words.width(text, style.TEXT))
        name = f"{bound.name}: {bound.formula}" if bound.applies else bound.name
        parts = [quantity(part) for part in bound.quantities if part.symbol != "M"]
        return [*([(_NAME, name)] if name else []), (_SAID, longest), *((_QUANTITY, part) for part in parts)]

    def _write(self, ax: Axes, text: Text, colour: str) -> None:
        how: dict[str, Any] = {"transform": ax.transAxes, "va": "baseline", "fontsize": style.pen(text.size)}
        how |= {"color": colour, "fontweight": "bold" if text.kind == _NAME else "normal"}
        for number, line in enumerate(text.lines):
            down = text.down + text.size * (words.LINE * number + 1.0)
            style.beside(ax, line, (0.0, 1.0), (1.2 * _EDGE, -down), **how)


def said(bound: Bound, mistakes: int, t: int) -> str:
    """Return what a bound says after t presentations and so many mistakes, or why it says nothing.

    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Polynomial(degree=2, coef0=1.0))
    >>> said(boolean_bound.bounds_of(run)[0], mistakes=1, t=2)
    'At most 4 mistakes; 1 made so far.'
    """
    if not bound.applies or math.isinf(bound.value):
        return bound.why
    at = int(np.searchsorted(bound.times, t))
    now = float(bound.values[min(at, len(bound.values) - 1)]) if len(bound.values) else bound.value
    if bound.key == "voted":
        told = f"The vote errs on new examples with probability at most {explain.number(now)}."
    else:
        told = f"At most {_whole(math.floor(now)) if math.isfinite(now) else '∞'} mistakes; {mistakes:,} made so far."
    return f"{told} {bound.why}".strip()


def quantity(part: Quantity) -> str:
    """Return a number of a formula with what it is.

    >>> quantity(Quantity("γ", "best margin", 0.25)), quantity(Quantity("n", "bits", 4.0))
    ('γ = 0.25, best margin', 'n = 4, bits')
    """
    exact = math.isinf(part.value) or part.value.is_integer()
    return f"{part.symbol} = {_whole(part.value) if exact else explain.number(part.value)}, {part.words}"


def _whole(value: float) -> str:
    return f"{int(value):,}" if math.isfinite(value) else "∞"


def _lines(text: str, size: float, room: float) -> tuple[str, ...]:
    return tuple(words.wrapped(text, size, room).split("\n"))


def _room(ax: Axes) -> float:
    """Return how wide a line may be, in points."""
    return 0.72 * style.pixels(ax)[0] - 2.4 * _EDGE


def _bottom(text: Text) -> float:
    return text.down + text.size * words.LINE * len(text.lines)
