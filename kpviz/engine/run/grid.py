"""The field f on a grid of the plane, the part of the plane that is shown, and the scales of
colours.

Legend: the nodes of a grid are the points (u₁, u₂) with u₁ of `x1` and u₂ of `x2`.

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
_ONE_UNIT = 3.0  # Spans that differ by a smaller factor share one unit.

_LEAST_GROWTH = 5.0  # A scale grows by at least this factor.
_FIRST_GROWTH = 10  # It does not grow before so many steps.
_LOOKS = 32  # At so many instants of a run f is looked at for its scale.

# The scales of runs, by predictor: player, pictures and films ask for them.
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

    It is a fixed square for data within it, so that the picture stands still from one data set to
    the next; else a square about the data, or a rectangle where the features are of different
    magnitude.
    """
    if np.abs(X).max() < _USUAL - 0.05:
        return Extent(-_USUAL, _USUAL, -_USUAL, _USUAL)
    low = X.min(axis=0)
    high = X.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    if span.max() < _ONE_UNIT * span.min():
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

    Above the usual number it is at most `most`, and no more than `_MOST_ADDED` additions allow for
    so many `terms` at each node.
    """
    needed = PER_WIDTH / per_width(kernel, extent, 2) + 1
    most_for_terms = math.isqrt(_MOST_ADDED // max(terms, 1))
    return max(usual, math.ceil(min(needed, most, most_for_terms)))


def per_width(kernel: Kernel | None, extent: Extent, nodes: int) -> float:
    """Return how many steps between so many nodes make the narrowest width of a kernel; infinite if
    it has no width.
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
        times = [checked_time(run, t)]
        # A row of the grid at a time, so that not all kernel values are in memory at once.
        rows = [predictors.scores(run, _nodes(x1, u2), times, predictor)[0] for u2 in x2[:, None]]
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
        predictors.kernel_columns(run, _nodes(x1, u2), support) @ coef[support]
        for u2 in x2[:, None]
    ]
    return np.array(rows).reshape(len(x2), len(x1)) + intercept


def _nodes(x1: FloatArray, x2: FloatArray) -> FloatArray:
    """Return the nodes x1 × x2, row by row, (len(x2) * len(x1), 2)."""
    return np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])


def scales(
    run: Run, predictor: str = "last", progress: Progress | None = None
) -> list[tuple[int, float]]:
    """Return the ends of the scale of f, of its colours and of margins: each with the step from
    which it holds.

    An end is the largest |f| at the training examples up to then, that of a resumed run's beginning
    too, rounded up to two digits. There is one for the whole run, unless f grows so much that its
    beginning would not be seen: then a smaller one comes first, by a factor of `_LEAST_GROWTH` or
    more. It is 1.0 where nothing was learnt, and for a vote, whose shares lie in [-1, 1].
    `progress` is called as by `predictors.scores`.

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
        # At the start f is 0, unless it goes on from something.
        first = 1 if run.start is None and run.initial is None else 0
        times = sorted({math.ceil(run.n_steps * k / _LOOKS) for k in range(first, _LOOKS + 1)})
        scores = predictors.scores(run, run.X, times, predictor, progress)
        known[predictor] = _growing_scales(times, np.abs(scores).max(axis=1))
    return known[predictor]


def _growing_scales(times: Sequence[int], largest: FloatArray) -> list[tuple[int, float]]:
    """Return `scales` from the largest |f| at some instants.

    They are found from the end: before the scale that is needed there comes the last one that is
    smaller by `_LEAST_GROWTH`, and so on.
    """
    largest_so_far = np.maximum.accumulate(largest)
    is_late_enough = np.array(times) >= _FIRST_GROWTH
    steps: list[tuple[int, float]] = []
    place = len(times) - 1
    while place >= 0 and largest_so_far[place] > 0.0:
        is_smaller = _LEAST_GROWTH * largest_so_far < largest_so_far[place]
        smaller = np.flatnonzero((largest_so_far > 0.0) & is_smaller & is_late_enough)
        place_before = int(smaller[-1]) if len(smaller) else -1
        since = times[place_before] + 1 if len(smaller) else 0
        steps.append((since, _rounded_up(float(largest_so_far[place]))))
        place = place_before
    return steps[::-1] or [(0, 1.0)]


def _rounded_up(value: float) -> float:
    """Return the number of two digits that is not below a value, up to rounding."""
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

    There is one scale for all of them, so that two can be compared. It is signed where k falls
    below 0 at a node, too.
    """
    scale = Scale.of(predictors.kernel_columns(run, X, np.arange(len(run.y))))
    if scale.signed or run.kernel is None:
        return scale
    some_nodes = _nodes(x1[::_LOOK_EVERY], x2[::_LOOK_EVERY])
    return Scale(scale.limit, Scale.of(run.kernel.evaluate(X, some_nodes)).signed)


def _to_three_digits(value: float) -> float:
    """Return the number of three digits that is not below a value, up to rounding; 0.0 if the value
    is too small.
    """
    if value < _VANISHING:
        return 0.0
    digit = math.floor(math.log10(value)) - 2
    return float(f"{math.ceil(value / 10.0**digit * (1.0 - _ROUNDING))}e{digit}")
