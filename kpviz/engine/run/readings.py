"""The errors of the three readings of a run side by side, in the order of PREDICTORS."""

from __future__ import annotations

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.run import predictors
from kpviz.engine.run.predictors import PREDICTORS, Progress
from kpviz.engine.run.run import Run


def errors_per_epoch(run: Run, X: FloatArray, y: FloatArray, progress: Progress | None = None) -> FloatArray:
    """Return the share of errors on (X, y) of each reading at the end of each epoch, (3, n_epochs)."""
    return np.array([predictors.errors_per_epoch(run, X, y, kind, progress) for kind in PREDICTORS])


def lost(errors: FloatArray, n: int) -> str:
    """Return a sentence if exactly one of the last hypothesis and the mean separates the training set, else "".

    `errors`, (3, n_epochs), are shares of the n training examples.

    >>> lost(np.array([[0.0], [0.1], [0.2]]), 20)
    'Averaging lost the separation: at the end f makes no error on the training set, its mean makes 2 and the vote 4.'
    """
    if not errors.size:
        return ""
    last, averaged, voted = (round(float(share) * n) for share in errors[:, -1])
    if last == 0 < averaged:
        return (
            f"Averaging lost the separation: at the end f makes no error on the training set, its mean makes {averaged}"
            f" and the vote {voted}."
        )
    if averaged == 0 < last:
        errors_made = f"{last} error{'s' * (last != 1)}"
        return f"At the end the mean of all f separates the training set; the last f does not: it makes {errors_made}."
    return ""
