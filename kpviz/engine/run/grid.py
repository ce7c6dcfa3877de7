"""The field f on a grid of the plane, the part of the plane that is shown, and the scales of
colours.

Tests: tests/engine/test_run.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel, simple_kernels
from kpviz.engine.run import predictors
from kpviz.engine.run.predictors import Progress
from kpviz.engine.run.run import Run, checked_time

_MARGIN = 0.1  # This share of the span is left free on each side.
_USUAL = 1.25  # Toy data sets are shown in a square; this is half its side.
_ROUNDING = 1e-12  # This is relative to the largest k.
_VANISHING = 1e-290  # Below it there are no three digits.
_LOOK_EVERY = 8  # One of so many nodes is looked at for the sign of k(x, ·).
PER_WIDTH = 3.0  # A hill is seen with so many nodes for each width of a kernel.
_MOST_NODES = 1000
_MOST_ADDED = 200_000_000  # 200 terms on the finest grid need so many.
_LIKE = 3.0  # Spans that differ by a smaller factor share one unit.

_LEAST_GROWTH = 5.0  # A scale grows by at least this factor.
_FIRST_GROWTH = 10  # It does not grow before so many steps.

_scales: WeakKeyDictionary[Run, dict[str, list[tuple[int, float]]]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Extent:
    """The rectangle low_1 <= u₁ <= high_1, low_2 <= u₂ <= high_2."""

    low_1: float
    high_1: float
    low_2: float
    high_2: float

    def axes(self, nodes: int) -> tuple[FloatArray, FloatArray]:
        """Return the coordinates of the grid's nodes along each axis, ends included."""
        return np.linspace(self.low_1, self.high_1, nodes), np.linspace(
            self.low_2, self.high_2, nodes
        )


def extent(X: FloatArray) -> Extent:
    """Return what to show of the plane so that all rows of X, shape (n, 2), lie well inside.

    A fixed square for data within it, so that the picture stands still from one data set to the
    next; else a square about the data, or a rectangle where the features are of different
    magnitude.
    """
    if np.abs(X).max() < _USUAL - 0.05:
        return Extent(-_USUAL, _USUAL, -_USUAL, _USUAL)
    low = X.min(axis=0)
    high = X.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    if span.max() < _LIKE * span.min():
        span = np.full(2, span.max())
    half = (0.5 + _MARGIN) * span
    middle = (low + high) / 2.0
    (low_1, low_2) = middle - half
    (high_1, high_2) = middle + half
    return Extent(float(low_1), float(high_1), float(low_2), float(high_2))


def nodes(
    kernel: Kernel | None, extent: Extent, usual: int, terms: int = 0, most: int = _MOST_NODES
) -> int:
    """Return how many nodes an axis needs: the usual number, or `PER_WIDTH` for each width of a
    narrow kernel.

    Fewer than `most`, and fewer where that takes more than `_MOST_ADDED` additions for so many
    `terms` at each node.
    """
    needed = PER_WIDTH / per_width(kernel, extent, 2) + 1
    return max(usual, math.ceil(min(needed, most, math.isqrt(_MOST_ADDED // max(terms, 1)))))


def per_width(kernel: Kernel | None, extent: Extent, nodes: int) -> float:
    """Return how many of the steps between nodes make the narrowest width of a kernel, infinite if
    it has none.
    """
    parts = () if kernel is None else simple_kernels(kernel)
    width = min((float(part.parameters.get("sigma", math.inf)) for part in parts), default=math.inf)
    span = max(extent.high_1 - extent.low_1, extent.high_2 - extent.low_2)
    return (nodes - 1) * width / span


def field(run: Run, t: int, x1: FloatArray, x2: FloatArray, predictor: str = "last") -> FloatArray:
    """Return the predictor's score at the grid's nodes after t presentations, shape (len(x2),
    len(x1)).

    A vote is divided by the number of presentations, so that it lies in [-1, 1].
    """
    if predictor != "voted":
        at_time = checked_time(run, t)
        rows = [
            predictors.scores(run, _nodes(x1, at), [at_time], predictor)[0] for at in x2[:, None]
        ]
        return np.array(rows).reshape(len(x2), len(x1))
    votes = run.decision_function(_nodes(x1, x2), t, "voted")
    return votes.reshape(len(x2), len(x1)) / max(t, 1)


def expansion(
    run: Run, coef: FloatArray, intercept: float, x1: FloatArray, x2: FloatArray
) -> FloatArray:
    """Return the sum of coef_i k(x_i, x) + intercept at the grid's nodes, shape
    (len(x2), len(x1)).
    """
    support = np.flatnonzero(coef)
    rows = [
        predictors.kernel_columns(run, _nodes(x1, at), support) @ coef[support]
        for at in x2[:, None]
    ]
    return np.array(rows).reshape(len(x2), len(x1)) + intercept


def _nodes(x1: FloatArray, x2: FloatArray) -> FloatArray:
    return np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])


def scales(
    run: Run, predictor: str = "last", progress: Progress | None = None
) -> list[tuple[int, float]]:
    """Return the ends of the scale of f, of its colours and of margins: each with the step from
    which it holds.

    An end is the largest |f| at the training examples up to then, that of a resumed run's beginning
    too, rounded up to two digits. There is one for the whole run, unless f grows so much that its
    beginning would not be seen: then a smaller one comes first, by a factor of `_LEAST_GROWTH` or
    more. 1.0 where nothing was learnt, and for a vote, whose shares lie in [-1, 1]. `progress` is
    called as by `predictors.scores`.

    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> kernel = kpviz.kernels.Gaussian(sigma=0.5)
    >>> scales(kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel))
    [(0, 1.0)]
    """
    if predictor == "voted" or not len(run.y):
        return [(0, 1.0)]
    known = _scales.setdefault(run, {})
    if predictor not in known:
        n = run.n_steps
        times = sorted(
            {-(-n * part // 32) for part in range(run.start is None and run.initial is None, 33)}
        )
        known[predictor] = _steps(times, _largest(run, times, predictor, progress))
    return known[predictor]


def _steps(times: Sequence[int], largest: FloatArray) -> list[tuple[int, float]]:
    so_far = np.maximum.accumulate(largest)
    steps: list[tuple[int, float]] = []
    at = len(times) - 1
    while at >= 0 and so_far[at] > 0.0:
        small = np.flatnonzero(
            (so_far > 0.0)
            & (_LEAST_GROWTH * so_far < so_far[at])
            & (np.array(times) >= _FIRST_GROWTH)
        )
        before = int(small[-1]) if len(small) else -1
        steps.append((times[before] + 1 if before >= 0 else 0, _rounded_up(float(so_far[at]))))
        at = before
    return steps[::-1] or [(0, 1.0)]


def _largest(run: Run, times: list[int], predictor: str, progress: Progress | None) -> FloatArray:
    """Return the largest |f| at the training examples at some instants."""
    return np.asarray(np.abs(predictors.scores(run, run.X, times, predictor, progress)).max(axis=1))


def _rounded_up(value: float) -> float:
    digit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(f"{math.ceil(value / digit - 1e-9) * digit:.1e}")


def limit(run: Run, t: int, predictor: str = "last") -> float:
    """Return the end of the scale of f after t presentations, see `scales`."""
    return next(end for since, end in reversed(scales(run, predictor)) if since <= t)


@dataclass(frozen=True)
class Scale:
    """The end of a scale of colours, above 0, and whether it goes to -limit as well or
    begins at 0.
    """

    limit: float
    signed: bool

    @classmethod
    def of(cls, values: FloatArray) -> Scale:
        """Return the scale that holds all values, its end to three digits; 1.0 where they are all
        0, or there are none.

        >>> Scale.of(np.array([[2.0008, -0.5], [-0.5, 1.0]]))
        Scale(limit=2.01, signed=True)
        """
        limit = _to_three_digits(float(np.abs(values).max(initial=0.0))) or 1.0
        return cls(limit, bool(values.min(initial=0.0) < -_ROUNDING * limit))


def by_class(y: FloatArray) -> NDArray[np.intp]:
    """Return the examples ordered by class, +1 first, and within a class by index, shape (n,).

    >>> by_class(np.array([-1.0, 1.0, -1.0, 1.0])).tolist()
    [1, 3, 0, 2]
    """
    return np.argsort(-y, kind="stable")


def scale_of_map(run: Run, X: NDArray[Any], x1: FloatArray, x2: FloatArray) -> Scale:
    """Return the scale of k(x_i, ·) over the nodes x1 × x2 for all examples X: that of k between
    examples.

    One scale for all of them, so that two can be compared; where k falls below 0 between examples,
    the scale shows it.
    """
    scale = Scale.of(predictors.kernel_columns(run, X, np.arange(len(run.y))))
    if scale.signed or run.kernel is None:
        return scale
    first = x1[::_LOOK_EVERY]
    second = x2[::_LOOK_EVERY]
    nodes = np.column_stack([np.tile(first, len(second)), np.repeat(second, len(first))])
    return Scale(scale.limit, Scale.of(run.kernel.evaluate(X, nodes)).signed)


def _to_three_digits(value: float) -> float:
    """Return the number of three digits that is not below a value, up to rounding; 0.0 for what is
    too small.
    """
    if value < _VANISHING:
        return 0.0
    digit = math.floor(math.log10(value)) - 2
    return float(f"{math.ceil(value / 10.0**digit * (1.0 - _ROUNDING))}e{digit}")
