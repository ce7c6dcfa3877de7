"""The three readings of a run side by side: their scores, their errors, and their fields, at successive instants.

Legend: n training and n_test held-out examples; the readings are in the order of PREDICTORS.
"""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.run import fold, grid, predictors
from kpviz.engine.run.predictors import PREDICTORS, Progress
from kpviz.engine.run.run import Run
from kpviz.engine.run.votes import Votes

_AT_ONCE = 64  # examples whose columns are on a grid at the same time


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


class Readings:
    """All three readings for pictures and films: constants are computed once, votes are counted incrementally.

    Parameters
    ----------
    held_out : (X, y) of the examples held out, None for none.
    """

    def __init__(self, run: Run, held_out: tuple[FloatArray, FloatArray] | None = None) -> None:
        self.run, self.held_out = run, held_out
        self._fields: dict[bytes, Votes] = {}
        self._shares: dict[str, tuple[FloatArray, ...]] = {}

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many training and, where there are any, held-out examples there are."""
        n = len(self.run.y)
        return (n,) if self.held_out is None else (n, len(self.held_out[1]))

    def shares(self, kind: str) -> tuple[FloatArray, ...]:
        """Return a reading's shares of errors at the end of each epoch, (n_epochs,), on the training set.

        Where examples are held out, those on them as well.
        """
        if kind not in self._shares:
            sets = [(self.run.X, self.run.y), *([] if self.held_out is None else [self.held_out])]
            self._shares[kind] = tuple(predictors.errors_per_epoch(self.run, X, y, kind) for X, y in sets)
        return self._shares[kind]

    @cached_property
    def training(self) -> FloatArray:
        """Shares of errors on the training set at the end of each epoch, (3, n_epochs)."""
        return np.array([self.shares(kind)[0] for kind in PREDICTORS])

    @cached_property
    def testing(self) -> FloatArray | None:
        """The same on the examples held out; None if there are none."""
        return None if self.held_out is None else np.array([self.shares(kind)[1] for kind in PREDICTORS])

    @cached_property
    def note(self) -> str:
        """What averaging did to the separation of the training set, in words."""
        return lost(self.training, len(self.run.y))

    def scores(self, t: int) -> FloatArray:
        """Return the score of each training and held-out example after t presentations, (3, n + n_test).

        That of the vote is the sum of the signs.
        """
        found = []
        for kind in ("last", "averaged"):
            (coef,), (b,) = predictors.coefficients(self.run, [self.run.time(t)], kind)
            found.append(coef[self._support] @ self._columns + b)
        return np.array([*found, self._votes.at(t)])

    def wrong(self, t: int) -> NDArray[np.int64]:
        """Return how many examples each reading is wrong on, (3, 1), or (3, 2) with those held out.

        A zero is wrong, but a tied vote says +1.
        """
        verdicts = self.scores(t)
        verdicts[-1] = np.where(verdicts[-1] >= 0, 1.0, -1.0)
        wrong, n = verdicts * self._y <= 0, len(self.run.y)
        parts = (wrong[:, :n], wrong[:, n:])[: len(self.sizes)]
        return np.array([part.sum(axis=1) for part in parts]).T

    def field(self, t: int, x1: FloatArray, x2: FloatArray, kind: str) -> FloatArray:
        """Return what `grid.field` does, (len(x2), len(x1)); a vote is continued from the instant last asked for."""
        if kind != "voted":
            return grid.field(self.run, t, x1, x2, kind)
        key = x1.tobytes() + x2.tobytes()
        if key not in self._fields:
            columns = partial(grid.columns, self.run, x1=x1, x2=x2)
            parts = np.split(self._support, range(_AT_ONCE, len(self._support), _AT_ONCE))
            largest = max(np.abs(columns(part)).max(initial=0.0) for part in parts) if self.run.changes.evicts else 0.0
            self._fields[key] = Votes(self.run, columns, len(x1) * len(x2), float(largest))
        return self._fields[key].at(t).reshape(len(x2), len(x1)) / max(t, 1)

    @cached_property
    def _y(self) -> FloatArray:
        return self.run.y if self.held_out is None else np.concatenate([self.run.y, self.held_out[1]])

    @cached_property
    def _support(self) -> NDArray[np.intp]:
        """The examples that ever have a coefficient."""
        return fold.ever_in_support(self.run)

    @cached_property
    def _columns(self) -> FloatArray:
        """Return k between these and all examples, (len(support), n + n_test)."""
        run = self.run
        everything = run.X if self.held_out is None else np.concatenate([run.X, self.held_out[0]])
        return np.ascontiguousarray(run.columns(everything, self._support).T)

    @cached_property
    def _votes(self) -> Votes:
        largest = float(np.abs(self._columns).max(initial=0.0))
        return Votes(self.run, self._of, self._columns.shape[1], largest)

    def _of(self, index: NDArray[np.intp]) -> FloatArray:
        """Return k between some of the support and all examples."""
        return np.asarray(self._columns[np.searchsorted(self._support, index)])
