"""The state of a run while it is being trained, and its record as it grows.

Legend: n examples; t presentations so far; i the example shown; f its score. Everything is in the learner's unit until
it is recorded (counts for the perceptron), so that ties stay exact.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from itertools import accumulate, chain
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.fold import entries_before
from kpviz.engine.learners.protocol import Change, Entries, Learner, ResumeState
from kpviz.engine.run import Changes, State

_add, _multiply, _subtract = np.add, np.multiply, np.subtract
_MANY = 4  # coefficients changed at once, from which one product is faster than a sum of rows
Indices = NDArray[np.intp]


class Training:
    """The state while it is being trained, and the record as it grows."""

    def __init__(self, learner: Learner, gram: FloatArray, y: FloatArray, seed: int, start: State | None) -> None:
        self.learner, self.gram, self.y = learner, gram, y
        self.memory = learner.start(gram, y, np.random.default_rng([seed, 1]))
        coef, self.b = (np.zeros(len(y)), 0.0) if start is None else start.in_units(learner.unit)
        self.both = np.zeros((2, len(y)))  # coef and scores shrink together
        self.coef, self.scores = self.both
        self.coef[:] = coef
        self.factor = np.zeros(())  # an array multiplies faster than a float
        before = entries_before(start, learner.unit)
        self.stock = _Stock(before, len(y)) if learner.evicts else None
        if start is not None:
            born = before.step if start.entries is None else start.entries.step
            learner.resume(self.memory, ResumeState(start.t, before, born, start.details))
        if start is not None:
            self.scores[:] = gram @ self.coef + self.b
        self.rows, self.product = list(gram), np.empty(len(y))
        self.coef_of = cast("memoryview[float]", self.coef.data)  # the same numbers, read and written twice as fast
        self.shown: list[Indices] = []
        self.epoch_start, self.score = array("i"), array("d")
        self.fresh: list[Change] = []  # not yet written down: many at once cost a third
        self.step, self.length, self.index = array("i"), array("i"), array("i")
        self.delta, self.shift, self.shrink = array("d"), array("d"), array("d")
        self.evicted = array("i")
        self.content = False  # a learner that chooses has nothing left to choose

    def apply(self, change: Change, t: int) -> None:
        """Change the state, and remember how."""
        indices, deltas, shift, shrink, evicted = change
        scores, rows, coef_of = self.scores, self.rows, self.coef_of
        factor = self.factor
        if shrink != 1.0:
            factor[()] = shrink
            _multiply(self.both, factor, self.both)
            if self.b:
                factor[()] = self.b - shrink * self.b
                _add(scores, factor, scores)
        many = len(indices) > _MANY
        if many:
            scores += np.array(deltas) @ self.gram[list(indices)]
        for i, delta in zip(indices, deltas):  # noqa: B905 - strict costs a tenth of a mistake
            coef_of[i] += delta
            if many:
                continue
            if delta == 1.0:  # spares a product per example; the sums are the same
                _add(scores, rows[i], scores)
            elif delta == -1.0:
                _subtract(scores, rows[i], scores)
            else:
                factor[()] = delta
                _add(scores, _multiply(rows[i], factor, self.product), scores)
        if self.stock is not None:
            self.stock.add(t, indices, deltas, shrink)
            if evicted is not None:
                self._evict(self.stock, evicted)
        if shift:
            self.b += shift
            factor[()] = shift
            _add(scores, factor, scores)
        self.step.append(t)
        self.fresh.append(change)

    def _evict(self, stock: _Stock, step: int) -> None:
        """Take away what is left of what presentation `step` added."""
        scores, rows, coef_of = self.scores, self.rows, self.coef_of
        for i, weight in stock.take(step):
            if weight == 1.0:
                _subtract(scores, rows[i], scores)
            elif weight == -1.0:
                _add(scores, rows[i], scores)
            else:
                self.factor[()] = weight
                _subtract(scores, _multiply(rows[i], self.factor, self.product), scores)
            coef_of[i] = coef_of[i] - weight if stock.alive[i] else 0.0
        if not stock.added:
            scores.fill(self.b)  # exactly, not the rest of a subtraction

    def summed(self, i: int, stock: _Stock) -> float:
        """Return f(x_i) as the sum of what is there: subtracting what was evicted leaves rests that break ties."""
        f = 0.0
        for indices, deltas, born in stock.added.values():
            since = stock.shrinks[born:]
            for j, delta in zip(indices, deltas, strict=True):
                f += math.prod(since, start=delta) * self.gram[i, j]  # as `take` has it
        return float(f) + self.b

    def write_down(self) -> None:
        """Add the fresh changes to the flat columns."""
        if self.fresh:
            indices, deltas, shifts, shrinks, evicted = zip(*self.fresh, strict=True)
            self.length.extend(map(len, indices))
            self.index.extend(chain.from_iterable(indices))
            self.delta.extend(chain.from_iterable(deltas))
            self.shift.extend(shifts)
            self.shrink.extend(shrinks)
            self.evicted.extend(-1 if step is None else step for step in evicted)
            self.fresh.clear()

    def record(self) -> tuple[NDArray[np.int32], FloatArray, NDArray[np.int32], Changes]:
        """Return index, score, epoch_start and changes."""
        n_steps = len(self.score)
        index = np.concatenate([*self.shown, np.zeros(0, dtype=np.intp)])[:n_steps].astype(np.int32)
        starts = np.array(self.epoch_start, dtype=np.int32)
        self.write_down()
        changes = Changes(
            step=np.array(self.step, dtype=np.int32),
            pointer=np.array([0, *accumulate(self.length)], dtype=np.int32),
            index=np.array(self.index, dtype=np.int32),
            delta=_compact(self.delta),
            shift=_compact(self.shift),
            shrink=_compact(self.shrink),
            evicted=_compact(self.evicted),
        )
        score = np.array(self.score) * self.learner.unit
        return index, score, starts[starts < n_steps], changes  # an epoch cancelled before it began is none


class _Stock:
    """What each presentation added, as much as is left of it: for learners that evict."""

    def __init__(self, before: Entries, n: int) -> None:
        self.alive = np.bincount(before.index, minlength=n).tolist()
        self.added: dict[int, tuple[tuple[int, ...], tuple[float, ...], int]] = {
            step: ((i,), (weight,), 0) for step, i, weight in before.rows()
        }
        self.shrinks = array("d")  # those that shrink, and so change a product

    def add(self, t: int, indices: tuple[int, ...], deltas: tuple[float, ...], shrink: float) -> None:
        """Remember what presentation t adds."""
        if shrink != 1.0:
            self.shrinks.append(shrink)
        if indices:
            self.added[t] = indices, deltas, len(self.shrinks)
            for i in indices:
                self.alive[i] += 1

    def take(self, step: int) -> Iterable[tuple[int, float]]:
        """Take away what presentation `step` added; return it as it is now, shrunk since."""
        indices, deltas, born = self.added.pop(step, ((), (), 0))
        for i in indices:
            self.alive[i] -= 1
        if born == len(self.shrinks):
            return zip(indices, deltas, strict=True)
        since = self.shrinks[born:]
        return [(i, math.prod(since, start=delta)) for i, delta in zip(indices, deltas, strict=True)]


def _compact(column: array[Any]) -> NDArray[Any]:
    """Return the column as an array, which takes no memory when all values are equal."""
    values = np.array(column, dtype=column.typecode)
    if column and column.count(column[0]) == len(column):
        return np.broadcast_to(values[0], values.shape)
    return values
