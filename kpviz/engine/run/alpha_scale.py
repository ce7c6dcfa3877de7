"""The scale of alpha, shared by the pictures of a run at all instants, and the optimum that alpha
is compared with.

Tests: tests/player/test_readers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kpviz import tokens
from kpviz.engine import theory
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import fold, predictors
from kpviz.engine.run.run import Run

_SIZES = 9  # The largest point is that of so many mistakes, where alpha does not count them.
_INSTANTS = 32
_CURVE = 121  # The curve has so many samples.
_WIDE_ENOUGH = 3.0  # So many margins are shown beside the largest.
_MOST = 1000  # Up to so many examples the batch optimum is worth the wait.

_optima: WeakKeyDictionary[Run, FloatArray] = WeakKeyDictionary()


@dataclass(frozen=True)
class AlphaScale:
    """How points and bars show alpha.

    Attributes
    ----------
    gain : px that the square root of |alpha| / unit adds to a point's radius. unit : the learner's,
        where alpha counts mistakes; else a ninth of the largest |alpha|.
    low, high : the ends of the bars' axis, low at most 0.
    """

    gain: float
    unit: float
    low: float
    high: float


def counts(run: Run) -> bool:
    """Return whether alpha counts mistakes, so that bricks show it."""
    return mistakes_before(run) is not None


def mistakes_before(run: Run) -> NDArray[np.int64] | None:
    """Return the mistakes on each example, (n,), with which a run began: 0 unless it was resumed;
    None where alpha does not count mistakes: that of most learners, and what is no whole number of
    updates.

    >>> import kpviz
    >>> first = kpviz.train(kpviz.learners.Perceptron(0.5), [[1.0], [2.0]], [1, -1], epochs=3)
    >>> end = first.state_at(first.n_steps)
    >>> mistakes_before(kpviz.train(first.learner, first.X, first.y, start=end))
    array([3, 2])
    """
    alpha = run.y * fold.start_in_units(run)[0]
    whole = alpha.astype(np.int64)
    counted = run.learner.about.counts and bool((whole == alpha).all()) and bool((whole >= 0).all())
    return whole if counted else None


def alpha_scale(run: Run) -> AlphaScale:
    """Return how alpha is shown, fixed for the run; the axis includes the batch optimum."""
    before = mistakes_before(run)
    if before is not None:
        most = int(
            (np.bincount(run.index[run.mistake], minlength=len(run.y)) + before).max(initial=0)
        )
        return AlphaScale(tokens.point_gain(most), run.unit, 0.0, max(most, 1) * run.unit)
    low, high = alpha_limits(run)
    best = float((run.y * optimum(run)).max()) if len(optimum(run)) else 0.0
    return AlphaScale(
        tokens.point_gain(_SIZES),
        max(high, -low) / _SIZES,
        low,
        max(high, float(f"{best * 1.02:.1e}")),
    )


def alpha_limits(run: Run) -> tuple[float, float]:
    """Return the least alpha, at most 0, and the largest at 32 instants, to two digits; 1.0 where
    nothing is learnt.
    """
    times = sorted(
        {-(-run.n_steps * part // _INSTANTS) for part in range(run.start is None, _INSTANTS + 1)}
    )
    alphas = predictors.coefficients(run, times)[0] * run.y
    low, high = (
        float(f"{end * 1.02:.1e}") + 0.0
        for end in (alphas.min(initial=0.0), alphas.max(initial=0.0))
    )
    return low, high or 1.0


def optimum(run: Run) -> FloatArray:
    """Return the (n,) coefficients of the batch optimum, where n λ weighs all examples at once;
    (0,) if there is none.

    Only a learner of probabilities converges to one; an indefinite kernel has none, and every
    example must have been shown. It is not computed for more than 1,000 examples.
    """
    if run not in _optima:
        _optima[run] = _optimum(run)
    return _optima[run]


def _optimum(run: Run) -> FloatArray:
    weight = run.learner.regularization * len(run.y)
    known = run.learner.about.probability and weight > 0.0 and len(run.y) <= _MOST
    if not known or len(np.unique(run.changes.index)) < len(run.y):
        return np.zeros(0)
    try:
        return theory.logistic_optimum(run.gram, run.y, weight)
    except ValueError:
        return np.zeros(0)


def added_by_margin(run: Run) -> FloatArray:
    """Return margins and how much the learner adds at each (its `added`), shape (2, samples)."""
    margins = run.y[run.index] * run.score
    end = float(np.abs(margins).max(initial=0.0)) or 1.0
    end = min(max(end, _WIDE_ENOUGH), 2.0 * _WIDE_ENOUGH)
    places = np.linspace(-end, end, _CURVE)
    return np.array([places, [run.learner.added(place) for place in places.tolist()]])
