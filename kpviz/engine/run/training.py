"""The state of a learner while it is trained: coefficients, and f on all examples.

Everything is in the learner's unit (counts for the perceptron), so that ties stay exact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.learners.protocol import Change, Learner, ResumeState
from kpviz.engine.run.active import ActiveEntries
from kpviz.engine.run.fold import entries_before
from kpviz.engine.run.record import State
from kpviz.engine.run.recorder import ChangeLog, Presentations

_MANY = 4  # coefficients changed at once, from which one product is faster than a sum of rows
_ROUNDING = 1e-12  # of the largest k(u, v): a score nearer to zero may be what a subtraction left


class Training:
    """The state while it is being trained, and its record as it grows."""

    def __init__(self, learner: Learner, gram: FloatArray, y: FloatArray, seed: int, start: State | None) -> None:
        self.gram, self.y, self.rows, self.product = gram, y, list(gram), np.empty(len(y))
        self.memory = learner.start(gram, y, np.random.default_rng([seed, 1]))
        coef, self.b = (np.zeros(len(y)), 0.0) if start is None else start.in_units(learner.unit)
        self.both = np.zeros((2, len(y)))  # coef and scores shrink together
        self.coef, self.scores = self.both
        self.coef[:] = coef
        if start is not None:
            self.scores[:] = gram @ coef + self.b
        self.coef_of = cast("memoryview[float]", self.coef.data)  # the same numbers, read and written twice as fast
        self.factor = np.zeros(())  # an array multiplies faster than a float
        before = entries_before(start, learner.unit)
        self.active = ActiveEntries(before, len(y)) if learner.evicts else None
        self.cancellation_error = 0.0 if self.active is None else _ROUNDING * float(np.abs(gram).max())
        if start is not None:
            born = before.step if start.entries is None else start.entries.step
            learner.resume(self.memory, ResumeState(start.t, before, born, start.details))
        self.presentations, self.changes = Presentations(), ChangeLog()

    @property
    def score_of(self) -> Callable[[int], float]:
        """The function that returns f(x_i): read from `scores`, or summed anew where a subtraction loses digits."""
        return cast("memoryview[float]", self.scores.data).__getitem__ if self.active is None else self._exact_score

    def _exact_score(self, i: int) -> float:
        score = self.scores.item(i)
        if self.active is not None and abs(score) < self.cancellation_error:
            score = self.scores[i] = self.active.score(self.gram[i]) + self.b
        return score

    def apply(self, change: Change, t: int) -> None:
        """Change the state, and record the change."""
        self.changes.add(t, change)
        indices, deltas, shift, shrink, evicted = change
        if shrink != 1.0:
            self._shrink(shrink)
        if len(indices) > _MANY:
            self.scores += np.array(deltas) @ self.gram[list(indices)]
            for i, delta in zip(indices, deltas, strict=True):
                self.coef_of[i] += delta
        else:
            for i, delta in zip(indices, deltas):  # noqa: B905 - strict costs a tenth of a mistake
                self.coef_of[i] += delta
                self._add_row(i, delta)
        if self.active is not None:
            self.active.add(t, change)
            if evicted is not None:
                self._evict(self.active, evicted)
        if shift:
            self.b += shift
            self._lift(shift)

    def _shrink(self, shrink: float) -> None:
        """Multiply the coefficients; b stays."""
        self.factor[()] = shrink
        np.multiply(self.both, self.factor, self.both)
        if self.b:
            self._lift(self.b - shrink * self.b)

    def _add_row(self, i: int, delta: float) -> None:
        """Add delta · k(x_i, ·) to all scores."""
        if delta == 1.0:  # spares a product per example; the sums are the same
            np.add(self.scores, self.rows[i], self.scores)
        elif delta == -1.0:
            np.subtract(self.scores, self.rows[i], self.scores)
        else:
            self.factor[()] = delta
            np.add(self.scores, np.multiply(self.rows[i], self.factor, self.product), self.scores)

    def _lift(self, height: float) -> None:
        """Add the same number to all scores."""
        self.factor[()] = height
        np.add(self.scores, self.factor, self.scores)

    def _evict(self, active: ActiveEntries, step: int) -> None:
        """Remove what remains of the entry of presentation `step`."""
        for i, weight in active.take(step):
            self._add_row(i, -weight)
            self.coef_of[i] = self.coef_of[i] - weight if active.count[i] else 0.0
        if not active.added:
            self.scores.fill(self.b)  # exactly, without what subtracting left
