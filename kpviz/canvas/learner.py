"""What the player needs of a run's learner: its panel, its particulars, and how large its coefficients get."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz import explain, tokens
from kpviz.engine import predictors, theory
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run

_SIZES = 9  # the largest point is that of so many mistakes, where alpha does not count them
_INSTANTS = 32
_CURVE = 121  # samples
_CERTAIN, _CHANCES = (-16.0, 16.0), 513  # scores between which probabilities are looked up, and how many of them
_WIDE_ENOUGH = 3.0  # margins shown beside the largest


def about(run: Run) -> dict[str, Any]:
    """Return what the header says of the learner."""
    told = explain.about_of(run)
    return {
        "title": told.title,
        "grain": told.grain,
        "counts": told.counts,
        "probability": told.probability,
        "panel": told.panel,
        "parts": [vars(part) for part in told.parts],
        "details": sorted(_named(run)),
        "chances": list(_CERTAIN),
    }


def sizes(run: Run) -> dict[str, Any]:
    """Return how points and bars are scaled: by counts of mistakes, or by the largest |alpha| at 32 instants."""
    if explain.about_of(run).counts:
        most = int(np.bincount(run.index[run.mistake]).max(initial=0))
        return {"pointGain": tokens.point_gain(most), "alphaUnit": 1.0, "alphaLimit": 1.0, "alphaLow": 0.0}
    low, limit = alpha_limits(run)
    return {"pointGain": tokens.point_gain(_SIZES), "alphaUnit": limit / _SIZES, "alphaLimit": limit, "alphaLow": low}


def alpha_limits(run: Run) -> tuple[float, float]:
    """Return the least alpha, at most 0, and the largest at 32 instants, to two digits; 1.0 where nothing is learnt."""
    times = sorted({-(-run.n_steps * part // _INSTANTS) for part in range(1, _INSTANTS + 1)})
    alphas = predictors.coefficients(run, times)[0] * run.y
    return float(f"{alphas.min(initial=0.0) * 1.02:.1e}"), float(f"{alphas.max(initial=0.0) * 1.02:.1e}") or 1.0


def particulars(run: Run) -> dict[str, NDArray[Any]]:
    """Return the arrays of the learner's panel and words, and those to compare it with."""
    arrays = {f"detail_{name}": _compact(run.details[name]) for name in _named(run)}
    told = explain.about_of(run)
    if any(part.kind == "curve" for part in told.parts):
        arrays["curve"] = _curve(run)
    if told.probability:
        arrays["optimum"] = optimum(run)
        arrays["chances"] = 1.0 / (1.0 + np.exp(-np.linspace(*_CERTAIN, _CHANCES)))
    return arrays


def optimum(run: Run) -> FloatArray:
    """Return the coefficients of the support at the batch optimum: n λ weighs all examples at once."""
    support = np.unique(run.changes.index)
    weight = getattr(run.learner, "regularization", 0.0) * len(run.y)
    if weight <= 0.0 or len(support) < len(run.y):
        return np.zeros(0)
    try:
        return theory.logistic_optimum(run.gram, run.y, weight)
    except ValueError:  # an indefinite kernel has none
        return np.zeros(0)


def _named(run: Run) -> set[str]:
    parts = {name for part in explain.about_of(run).parts for name in (part.detail, part.limit)}
    return {name for name in (*parts, *explain.particulars(run)) if isinstance(name, str) and name in run.details}


def _curve(run: Run) -> FloatArray:
    """Return margins and how much is added at each, shape (2, samples)."""
    margins = run.y[run.index] * run.score
    end = float(np.abs(margins).max(initial=0.0)) or 1.0
    end = min(max(end, _WIDE_ENOUGH), 2.0 * _WIDE_ENOUGH)
    places = np.linspace(-end, end, _CURVE)
    return np.array([places, [run.learner.added(place) for place in places.tolist()]])  # type: ignore[attr-defined]


def _compact(values: NDArray[Any]) -> NDArray[Any]:
    return values.astype(np.uint8 if values.dtype == np.bool_ else np.int32 if values.dtype.kind == "i" else np.float64)
