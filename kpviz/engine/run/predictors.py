"""Three readings of one run: last, averaged and voted (Freund & Schapire 1999)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, IntArray
from kpviz.engine.run import fold, state_sums
from kpviz.engine.run.votes import Progress as Progress
from kpviz.engine.run.votes import Votes

if TYPE_CHECKING:
    from kpviz.engine.run.run import Run

PREDICTORS = ("last", "averaged", "voted")
_CHUNK = 2048


def coefficients(
    run: Run, times: Sequence[int], predictor: str = "last", progress: Progress | None = None
) -> tuple[FloatArray, FloatArray]:
    """Fold the changes up to each of the ascending times.

    Returns coef of shape (len(times), n) and the intercepts (len(times),), in data units, not in `run.unit`.
    "averaged" is the mean over the states after each presentation; before the first one it is 0. `progress` is called
    where it takes long, as progress(time, steps); its exceptions propagate.
    """
    averaged = predictor == "averaged"
    if not run.changes.shrinks and not run.changes.evicts and run.start is None:
        coef, intercept = _sums(run, times, averaged=averaged)
    else:
        coef, intercept = np.empty((len(times), len(run.X))), np.empty(len(times))
        for row, (time, total, b) in enumerate(state_sums.sums(run, times) if averaged else fold.states(run, times)):
            coef[row], intercept[row] = total, b
            if progress is not None:
                progress(time, run.n_steps)
    scale = run.unit / np.maximum(times, 1) if averaged else np.full(len(times), run.unit)
    return coef * scale[:, None], intercept * scale


def scores(
    run: Run, Z: FloatArray, times: Sequence[int], predictor: str = "last", progress: Progress | None = None
) -> FloatArray:
    """Return the predictor's score of each row of Z at each of the ascending times: (len(times), n_Z).

    `progress` is called now and then, as progress(done, limit); its exceptions propagate.
    """
    checks.choice("predictor", predictor, PREDICTORS)
    if not len(Z):
        return np.zeros((len(times), 0))
    if predictor == "voted":
        parts = [_votes(run, Z[low : low + _CHUNK], times, progress) for low in range(0, len(Z), _CHUNK)]
        return np.concatenate(parts, axis=1)
    coef, intercept = coefficients(run, times, predictor, progress)
    support = np.flatnonzero((coef != 0).any(axis=0))
    return np.asarray(coef[:, support] @ run.columns(Z, support).T + intercept[:, None])


def errors_per_epoch(
    run: Run, Z: FloatArray, y: FloatArray, predictor: str = "last", progress: Progress | None = None
) -> FloatArray:
    """Return the share of wrong signs on (Z, y), n_Z > 0, at the end of each epoch, (n_epochs,); a zero is wrong.

    A vote has no zero: sign(0) = +1 within it, and a tied vote predicts +1.
    """
    times = run.epoch_ends.tolist()
    if not times:
        return np.zeros(0)
    values = scores(run, Z, times, predictor, progress)
    if predictor == "voted":
        values = np.where(values >= 0, 1.0, -1.0)
    return np.asarray((values * y <= 0).mean(axis=1))


def _sums(run: Run, times: Sequence[int], *, averaged: bool) -> tuple[FloatArray, FloatArray]:
    """Sums in units, all changes of a stretch at once; valid where nothing shrinks.

    A change at presentation s is in the states after s + 1, …, t presentations, that is in t - s of t.
    """
    changes, until = run.changes, np.asarray(times)[:, None]
    row = np.searchsorted(until[:, 0], changes.step, side="right")  # the first of the times that comes after it
    owner = np.repeat(np.arange(len(changes)), np.diff(changes.pointer))

    def summed(factor: IntArray | float) -> tuple[FloatArray, FloatArray]:
        total, b = np.zeros((len(times) + 1, len(run.X))), np.zeros(len(times) + 1)
        weights = np.broadcast_to(factor, len(changes))
        np.add.at(total, (row[owner], changes.index), changes.delta * weights[owner])
        np.add.at(b, row, changes.shift * weights)
        return total[:-1].cumsum(axis=0), b[:-1].cumsum()

    coef, b = summed(1.0)
    if averaged:
        weighted, b_weighted = summed(changes.step)
        coef, b = until * coef - weighted, until[:, 0] * b - b_weighted
    return coef, b


def _votes(run: Run, Z: FloatArray, times: Sequence[int], progress: Progress | None) -> FloatArray:
    """Sum of the signs of f after each presentation; sign(0) = +1."""
    support = fold.ever_in_support(run)
    place = np.zeros(len(run.X), dtype=np.intp)
    place[support] = np.arange(len(support))
    columns = np.ascontiguousarray(run.columns(Z, support).T)
    votes = Votes(run, lambda index: columns[place[index]], len(Z), float(np.abs(columns).max(initial=0.0)))
    return np.array([votes.at(time, progress) for time in times]).reshape(len(times), len(Z))
