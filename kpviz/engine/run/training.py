"""The state of a learner while it is trained: coefficients, f on all examples, entries that are alive; and its record.

Everything is in the learner's unit (counts for the perceptron), so that ties stay exact.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from itertools import chain
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from kpviz.engine.checks import FloatArray, IntArray
from kpviz.engine.learners.protocol import Change, Entries, Learner, ResumeState
from kpviz.engine.rounding import DOUBTFUL, settled, weighted_sums
from kpviz.engine.run.fold import entries_before, in_units
from kpviz.engine.run.run import Changes, State

_AT_ONCE = 1024  # changes that are split into columns together: one by one takes three times as long


class Presentations:
    """Which example was shown, what its score was, and where the epochs begin."""

    def __init__(self) -> None:
        self.index, self.score, self.epoch_start = array("i"), array("d"), array("i")

    def begin_epoch(self) -> int:
        """Note that an epoch begins, and return the number of presentations so far."""
        t = len(self.score)
        self.epoch_start.append(t)
        return t

    def arrays(self) -> tuple[IntArray, FloatArray, IntArray]:
        """Return index, score and epoch_start, as far as examples were shown."""
        n_steps = len(self.score)
        starts = np.array(self.epoch_start, dtype=np.int32)
        return np.array(self.index[:n_steps], dtype=np.int32), np.array(self.score), starts[starts < n_steps]


class ChangeLog:
    """The changes in the order in which they were made."""

    def __init__(self) -> None:
        self.step, self.length, self.index = array("i"), array("i"), array("i")
        self.delta, self.shift, self.shrink = array("d"), array("d"), array("d")
        self.evicted = array("i")
        self._pending: list[Change] = []

    def __len__(self) -> int:
        return len(self.step)

    def add(self, t: int, change: Change) -> None:
        """Record what presentation t changed."""
        self.step.append(t)
        self._pending.append(change)
        if len(self._pending) >= _AT_ONCE:
            self._split()

    def extend(self, step: ArrayLike, index: ArrayLike, delta: ArrayLike, shift: ArrayLike) -> None:
        """Record changes that each add to one coefficient, and to b."""
        ones = np.ones(np.shape(step))
        columns: tuple[array[Any], ...] = (
            self.step,
            self.length,
            self.index,
            self.delta,
            self.shift,
            self.shrink,
            self.evicted,
        )
        for column, values in zip(columns, (step, ones, index, delta, shift, ones, -ones), strict=True):
            column.frombytes(np.asarray(values, dtype=column.typecode).tobytes())

    def _split(self) -> None:
        if self._pending:
            indices, deltas, shifts, shrinks, evicted = zip(*self._pending, strict=True)
            self.length.extend(map(len, indices))
            self.index.extend(chain.from_iterable(indices))
            self.delta.extend(chain.from_iterable(deltas))
            self.shift.extend(shifts)
            self.shrink.extend(shrinks)
            self.evicted.extend(-1 if step is None else step for step in evicted)
            self._pending.clear()

    def changes(self) -> Changes:
        """Return them as flat arrays."""
        self._split()
        pointer = np.append(0, np.cumsum(self.length))
        return Changes.of(self.step, pointer, self.index, self.delta, self.shift, self.shrink, self.evicted)


class ActiveEntries:
    """What remains of the addition by each presentation."""

    def __init__(self, before: Entries, n: int) -> None:
        self.count = np.bincount(before.index, minlength=n).tolist()  # of each example
        self.added: dict[int, tuple[tuple[int, ...], tuple[float, ...], int]] = {
            step: ((i,), (weight,), 0) for step, i, weight in before.rows()
        }
        self.shrinks = array("d")  # those other than 1

    def add(self, t: int, change: Change) -> None:
        """Remember what presentation t adds."""
        if change.shrink != 1.0:
            self.shrinks.append(change.shrink)
        if change.indices:
            self.added[t] = change.indices, change.deltas, len(self.shrinks)
            for i in change.indices:
                self.count[i] += 1

    def take(self, step: int) -> Iterable[tuple[int, float]]:
        """Remove the entry of presentation `step`; return its current weight, after shrinking."""
        indices, deltas, born = self.added.pop(step, ((), (), 0))
        for i in indices:
            self.count[i] -= 1
        if born == len(self.shrinks):
            return zip(indices, deltas, strict=True)
        since = self.shrinks[born:]
        return [(i, math.prod(since, start=delta)) for i, delta in zip(indices, deltas, strict=True)]

    def score(self, row: FloatArray) -> float:
        """Return f(x_i) without the intercept as a sum over the entries; `row` is row i of the Gram matrix."""
        f = 0.0
        for indices, deltas, born in self.added.values():
            since = self.shrinks[born:]
            for j, delta in zip(indices, deltas, strict=True):
                f += math.prod(since, start=delta) * row[j]  # in the order of `take`, so that the roundings agree
        return float(f)


_MANY = 4  # coefficients changed at once, from which one product is faster than a sum of rows


class Training:
    """The state while it is being trained, and its record as it grows."""

    def __init__(self, learner: Learner, gram: FloatArray, y: FloatArray, seed: int, start: State | None) -> None:
        self.learner, self.labels = learner, y.tolist()
        self.gram, self.y, self.rows, self.product = gram, y, list(gram), np.empty(len(y))
        self.memory = learner.start(gram, y, np.random.default_rng([seed, 1]))
        coef, self.b = (np.zeros(len(y)), 0.0) if start is None else in_units(start, learner.unit)
        self.both = np.zeros((2, len(y)))  # coef and scores shrink together
        self.coef, self.scores = self.both
        self.coef[:] = coef
        self.largest = float(max(gram.max(initial=0.0), -gram.min(initial=0.0)))
        self.doubtful_below = DOUBTFUL * (
            float(np.abs(coef).sum()) * self.largest + abs(self.b)
        )  # grows with each change
        if start is not None:
            self.scores[:] = weighted_sums(coef, gram, self.b)
        self.coef_of = cast("memoryview[float]", self.coef.data)  # the same numbers, read and written twice as fast
        self.scores_of = cast("memoryview[float]", self.scores.data)
        self.factor = np.zeros(())  # an array multiplies faster than a float
        before = entries_before(start, learner.unit)
        self.active = ActiveEntries(before, len(y)) if learner.evicts else None
        if start is not None:
            born = before.step if start.entries is None else start.entries.step
            learner.resume(self.memory, ResumeState(start.t, before, born, start.details))
        self.presentations, self.changes = Presentations(), ChangeLog()
        self.fixed: FloatArray | None = None  # f₀ on all examples, where something is added to every score
        self.fixed_sizes = np.zeros(0)

    def add_fixed(self, scores: FloatArray, sizes: FloatArray) -> None:
        """Add f₀, in units, to the scores; `sizes` is what its terms amount to without their signs."""
        self.fixed = scores
        self.fixed_sizes = sizes
        self.scores += scores
        self.doubtful_below += DOUBTFUL * float(sizes.max())

    def learnt_scores(self) -> FloatArray:
        """Return f without f₀ on all examples."""
        return self.scores if self.fixed is None else self.scores - self.fixed

    def score_of(self, i: int) -> float:
        """Return f(x_i): as it is kept, or what remains of that without rounding errors."""
        f = self.scores_of[i]
        near = self.labels[i] * self.learner.turning_margin(self.memory)
        rounding = self.doubtful_below + DOUBTFUL * abs(near)
        if f and (-rounding < f < rounding or -rounding < f - near < rounding):
            f = self.scores_of[i] = self.settled(i, f, near)
        return f

    def settled(self, i: int, f: float, near: float) -> float:
        """Return f(x_i), which may be a rounding error beside 0 or `near`, or what was forgotten has left."""
        row = self.rows[i]
        size = float(np.abs(self.coef) @ np.abs(row)) + abs(self.b)
        if self.fixed is not None:
            size += self.fixed_sizes.item(i)
        if abs(f) < DOUBTFUL * (size + self.largest) and (self.active is not None or self.learner.projects):
            f = self._summed_anew(i)
        return settled(f, size, near)

    def _summed_anew(self, i: int) -> float:
        """Return f(x_i) as a sum over what is remembered, without what subtracting has left."""
        row = self.rows[i]
        if self.active is not None:
            f = self.active.score(row) + self.b
        else:
            f = sum(self.coef_of[j] * row.item(j) for j in np.flatnonzero(self.coef).tolist())
        return f if self.fixed is None else f + self.fixed.item(i)

    def current_scores(self) -> FloatArray:
        """Return f on all examples, each as `score_of` has it."""
        for i in np.flatnonzero((self.scores != 0.0) & (np.abs(self.scores) < self.doubtful_below)).tolist():
            self.score_of(i)
        return self.scores

    def apply(self, change: Change, t: int) -> None:
        """Change the state, and record the change."""
        self.changes.add(t, change)
        indices, deltas, shift, shrink, evicted = change
        self.doubtful_below += DOUBTFUL * (sum(map(abs, deltas)) * self.largest + abs(shift))
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
        """Multiply the coefficients; b and f₀ stay."""
        self.factor[()] = shrink
        np.multiply(self.both, self.factor, self.both)
        if self.b:
            self._lift(self.b - shrink * self.b)
        if self.fixed is not None:
            self.scores += (1.0 - shrink) * self.fixed

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
            if self.fixed is not None:
                self.scores += self.fixed
