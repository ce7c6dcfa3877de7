"""The votes of a run (Freund & Schapire 1999): how long each hypothesis was in force, and what it predicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.run import fold

if TYPE_CHECKING:
    from kpviz.engine.run.run import Run

Columns = Callable[[NDArray[np.intp]], FloatArray]
Progress = Callable[[int, int], Any]

_OFTEN = 2048  # changes between two calls of `progress`
_ROUNDING = 1e-12  # of the largest k(u, v): so much may be left of 0 after subtracting what was evicted


class Votes:
    """The votes sign(f) of the states after 1, …, t presentations, sign(0) = +1, counted incrementally.

    Parameters
    ----------
    columns : returns k(x_i, ·) at the places for some examples i, (len(i), size).
    size : how many places there are.
    largest : the largest |k(x_i, ·)| there, which matters only where changes evict.
    """

    def __init__(self, run: Run, columns: Columns, size: int, largest: float = 0.0) -> None:
        self._run, self._columns, self._size = run, columns, size
        self._cancellation_error = _ROUNDING * largest if run.changes.evicts else 0.0
        self._begin()

    def at(self, t: int, progress: Progress | None = None) -> FloatArray:
        """Return the sum of the votes of the first t presentations at each place, (size,).

        An instant before the last one asked for is counted from the start. `progress` is called now and then, as
        progress(done, limit) with changes; its exceptions propagate.
        """
        changes = self._run.changes
        if t < self._counted:
            self._begin()
        while self._done < len(changes) and changes.step[self._done] < t:
            self._count(int(changes.step[self._done]))
            self._advance()
            if progress is not None and self._done % _OFTEN == 0:
                progress(self._done, len(changes))
        self._count(t)
        return self._votes.copy()

    def _begin(self) -> None:
        """Go back to the start."""
        self._walk = fold.Walk(self._run)
        support = np.flatnonzero(self._walk.coef)
        self._f = self._walk.coef[support] @ self._columns(support)  # without b, in units
        self._votes = np.zeros(self._size)
        self._done = self._counted = 0

    def _count(self, t: int) -> None:
        """Let the hypothesis in force vote for the presentations up to t."""
        gap, self._counted = t - self._counted, t
        if gap:
            self._votes += np.where(self._f + self._walk.b >= -self._cancellation_error, gap, -gap)

    def _advance(self) -> None:
        """Apply the next change."""
        changes = self._run.changes
        self._f *= changes.shrink[self._done]
        index, weights = self._walk.advance(self._done)
        for weight, column in zip(weights, self._columns(np.asarray(index, dtype=np.intp)), strict=True):
            self._f += weight * column
        if changes.evicts and not self._walk.coef.any():
            self._f[:] = 0.0  # exactly, not the rest of a subtraction
        self._done += 1
