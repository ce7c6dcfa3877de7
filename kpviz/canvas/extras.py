"""What the player is sent only when its panel asks for it: each a part of the header, and arrays.

A new one is a function here and a line in EXTRAS; its panel has the same name (frontend/layout.js).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz import comparison, experiment, explain
from kpviz.canvas import lab_extras
from kpviz.canvas.remembered import remembered
from kpviz.engine import predictors, primal
from kpviz.engine.checks import FloatArray
from kpviz.engine.learners import Perceptron
from kpviz.engine.predictors import PREDICTORS, Progress
from kpviz.engine.run import Run
from kpviz.experiment import Split
from kpviz.settings import BOOLEAN, Settings
from kpviz.slips import SLIPS

Extra = tuple[Any, dict[str, NDArray[Any]]]

_DEGREES, _DIMENSIONS = (2, 3, 5, 10), (2, 10, 100, 784)  # of the table of growth
_EXACT = 10**6  # larger numbers are told by their size
_REACH = 0.4  # of the map, for the longest w of a run


def encode(
    names: Collection[str], settings: Settings, split: Split, run: Run, progress: Progress | None
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header's parts by name, and all arrays."""
    parts: dict[str, Any] = {}
    arrays: dict[str, NDArray[Any]] = {}
    for name in EXTRAS:
        if name in names:
            parts[name], more = EXTRAS[name](settings, split, run, progress)
            arrays |= more
    return parts, arrays


def _bounds(settings: Settings, split: Split, run: Run, progress: Progress | None) -> Extra:
    """The mistake bounds that may apply, and why some do not."""
    told = [
        {
            "name": bound.name,
            "key": bound.key,
            "formula": bound.formula,
            "source": bound.source,
            "quantities": [[part.symbol, part.words, _finite(part.value)] for part in bound.quantities],
            "value": _finite(bound.value),
            "applies": bound.applies,
            "vacuous": bound.vacuous,
            "why": bound.why,
            "times": [int(time) for time in bound.times],
            "values": [_finite(value) for value in bound.values],
        }
        for bound in experiment.bounds(settings, run)
    ]
    return told, {}


def _summary(settings: Settings, split: Split, run: Run, progress: Progress | None) -> Extra:
    """The run's column of the comparison's table."""
    return asdict(comparison.summary(settings, split, run)), {}


def _reference(settings: Settings, split: Split, run: Run, progress: Progress | None) -> Extra:
    """The column of scikit-learn's SVC."""
    cost = settings.C if settings.reason_against("C") is None else 1.0
    found = comparison.reference(settings, split, cost)
    return (None if found is None else {**asdict(found), "cost": cost}), {}


def _readings(settings: Settings, split: Split, run: Run, progress: Progress | None) -> Extra:
    """Training and held-out error of each predictor at the end of each epoch, (3, n_epochs), by PREDICTORS."""
    if settings.stream == "on":  # each example is seen once: there is no training set
        return None, {}

    def errors(X: FloatArray, y: FloatArray) -> FloatArray:
        return np.array([predictors.errors_per_epoch(run, X, y, kind, progress) for kind in PREDICTORS])

    arrays = {"readingsTrain": errors(split.X, split.y)}
    if len(split.y_test):
        arrays["readingsTest"] = errors(split.X_test, split.y_test)
    return {"kinds": list(PREDICTORS), "note": _lost(arrays["readingsTrain"], len(split.y))}, arrays


def _lost(errors: FloatArray, n: int) -> str:
    """Say whether the training set is separated by the last hypothesis or by the mean, and not by both."""
    if not errors.size:
        return ""
    last, averaged, voted = (round(float(share) * n) for share in errors[:, -1])
    if last == 0 < averaged:
        return (
            f"Averaging lost the separation: at the end f makes no error on the training set, its mean makes {averaged}"
            f" and the vote {voted}."
        )
    if averaged == 0 < last:
        return f"At the end the mean of all f separates the training set; the last f does not: it makes {last}."
    return ""


def _primal(settings: Settings, split: Split, run: Run, progress: Progress | None) -> Extra:
    """The run in the primal form, the features with the largest weights only; or `why` there is none."""
    part: dict[str, Any] = {"why": _why_not_primal(run), "growth": _growth(), "slip": SLIPS["cost"].note}
    if part["why"]:
        return part, {}
    try:
        reading = primal.read(run)
    except ValueError as error:  # of features too large to be written out
        return {**part, "why": str(error)}, {}
    spent, shown = primal.costs(run), reading.columns_shown()
    path, b = reading.path(shown), int(getattr(run.learner, "intercept", "none") != "none")
    part |= {
        "dimension": reading.dimension,
        "names": [reading.names[column] for column in shown],
        "largest": float(np.abs(path).max(initial=0.0)) or 1.0,
        "arrow": _arrow(split, path) if reading.names == ("x₁", "x₂") and settings.data != BOOLEAN else None,
        "apart": reading.why,
        "perExample": spent.per_example,
        "perPresentation": spent.per_presentation,
        "storedPerExample": run.X.shape[1] + 1,
        "storedPrimal": reading.dimension + b,
        "storedIntercept": b,
        "breakEven": spent.break_even,
    }
    arrays = {
        "primalPhi": reading.phi[np.ix_(np.unique(run.changes.index), shown)],
        "primalScore": explain.as_sent(reading.score),
        "primalAgrees": reading.agrees.astype(np.uint8),
    }
    return part, arrays


def _why_not_primal(run: Run) -> str:
    if not isinstance(run.learner, Perceptron):
        title = explain.about_of(run).title
        return (
            f"Only the plain perceptron is told in the primal form here: {title} changes its weights by another rule."
        )
    return primal.missing(run.kernel)


def _arrow(split: Split, path: FloatArray) -> dict[str, Any]:
    """Where w begins on the map, and its length there per unit: one scale, by which the longest of the run fits."""
    shown = split.shown
    low, high = np.array([shown.low_1, shown.low_2]), np.array([shown.high_1, shown.high_2])
    reach = _REACH * float((high - low).min())
    longest = float(np.linalg.norm(path, axis=1).max(initial=0.0))
    moved = bool(((low > 0.0) | (high < 0.0)).any())
    start = (low + high) / 2.0 if moved else np.zeros(2)
    return {"start": start.tolist(), "scale": reach / longest if longest else 1.0, "moved": moved}


def _growth() -> dict[str, Any]:
    """Entries of φ for (u·v + 1)^q, a row for each degree, and multiplications of one such kernel; in words."""
    rows = {(row.degree, row.n_features): row for row in primal.growth(_DEGREES, _DIMENSIONS)}
    return {
        "dimensions": [_size(d) for d in _DIMENSIONS],
        "rows": [[_size(q), [_size(rows[q, d].up_to) for d in _DIMENSIONS]] for q in _DEGREES],
        "kernel": [_size(rows[_DEGREES[-1], d].kernel) for d in _DIMENSIONS],
    }


def _size(value: int) -> str:
    """Return an exact number, or one of two digits and a power of ten; whole numbers above 2⁵³ are none in JSON."""
    if value < _EXACT:
        return f"{value:,}"
    digits, power = f"{value:.1e}".split("e")
    return f"{digits}e{int(power)}"


def _finite(value: float) -> float | str:
    return float(value) if math.isfinite(value) else "infinite"


EXTRAS: dict[str, Callable[[Settings, Split, Run, Progress | None], Extra]] = {
    "bound": _bounds,
    "summary": _summary,
    "reference": _reference,
    "readings": _readings,
    "primal": _primal,
    "gram": lab_extras.gram,
    "similar": lab_extras.similar,
    "lift": lab_extras.lift,
    "remembered": remembered,
}
