"""The state of a learner while it is trained: coefficients, f on all examples, entries that are
alive; and its record.

Everything is in the learner's unit (counts for the perceptron), so that ties stay exact.

Tests: tests/engine/test_run.py, tests/engine/test_learners.py.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import ArrayLike

from kpviz.engine.checks import FloatArray, IntArray
from kpviz.engine.learners.protocol import Change, Entries, Learner, ResumeState, label_list
from kpviz.engine.rounding import DOUBTFUL, settled, weighted_sums
from kpviz.engine.run.fold import entries_before, in_units
from kpviz.engine.run.gram import Examples, KernelMatrix, largest_value
from kpviz.engine.run.run import Changes, State

# So many changes are split into columns together: one by one takes three times as long.
_AT_ONCE = 1024


class Presentations:
    """Which example was shown, what its score was, and where the epochs begin."""

    def __init__(self) -> None:
        self.index = array("i")
        self.score = array("d")
        self.epoch_start = array("i")

    def begin_epoch(self) -> int:
        """Note that an epoch begins, and return the number of presentations so far."""
        t = len(self.score)
        self.epoch_start.append(t)
        return t

    def extend(self, index: ArrayLike, score: ArrayLike) -> None:
        """Note that several examples were shown."""
        self.index.frombytes(np.asarray(index, dtype=self.index.typecode).tobytes())
        self.score.frombytes(np.asarray(score, dtype=self.score.typecode).tobytes())

    def arrays(self) -> tuple[IntArray, FloatArray, IntArray]:
        """Return index, score and epoch_start, as far as examples were shown."""
        n_steps = len(self.score)
        starts = np.array(self.epoch_start, dtype=np.int32)
        return (
            np.array(self.index[:n_steps], dtype=np.int32),
            np.array(self.score),
            starts[starts < n_steps],
        )


class ChangeLog:
    """The changes in the order in which they were made."""

    def __init__(self) -> None:
        self.step = array("i")
        self.length = array("i")
        self.index = array("i")
        self.delta = array("d")
        self.shift = array("d")
        self.shrink = array("d")
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
        for column, values in zip(
            columns, (step, ones, index, delta, shift, ones, -ones), strict=True
        ):
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
        return Changes.of(
            self.step, pointer, self.index, self.delta, self.shift, self.shrink, self.evicted
        )


class RemainingAdditions:
    """What remains of the addition by each presentation."""

    def __init__(self, before: Entries, n: int) -> None:
        self.count = np.bincount(before.index, minlength=n).tolist()
        self.added: dict[int, tuple[tuple[int, ...], tuple[float, ...], int]] = {
            step: ((i,), (weight,), 0) for step, i, weight in before.rows()
        }
        self.shrinks = array("d")  # Factors of 1 are left out.

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
        return [
            (i, math.prod(since, start=delta)) for i, delta in zip(indices, deltas, strict=True)
        ]

    def score(self, row: Sequence[float] | Mapping[int, float]) -> float:
        """Return f(x_i) without the intercept as a sum over the entries; `row` has k of x_i with
        each example.
        """
        f = 0.0
        for indices, deltas, born in self.added.values():
            since = self.shrinks[born:]
            for j, delta in zip(indices, deltas, strict=True):
                # The order is that of `take`, so that the roundings agree.
                f += math.prod(since, start=delta) * row[j]
        return float(f)


_MANY = 4  # From so many changed coefficients on, one product is faster than a sum of rows.


class Training:
    """The state while it is being trained, and its record as it grows.

    `pause` is called now and then where nothing is shown.
    """

    in_blocks: ClassVar[bool] = False

    def __init__(
        self,
        learner: Learner,
        gram: FloatArray | KernelMatrix,
        y: FloatArray,
        seed: int,
        start: State | None,
    ) -> None:
        self.learner = learner
        self.labels = label_list(y)
        self.gram: Any = gram
        self.y = y
        self.rows: Any = list(gram) if isinstance(gram, np.ndarray) else gram
        self.product = np.empty(len(y))
        self.memory = learner.start(cast(FloatArray, gram), y, np.random.default_rng([seed, 1]))
        coef, self.b = (np.zeros(len(y)), 0.0) if start is None else in_units(start, learner.unit)
        self.both = np.zeros((2, len(y)))  # They shrink together.
        self.coef, self.scores = self.both
        self.coef[:] = coef
        self.pause: Callable[[], None] = lambda: None
        self._largest = largest_value(gram) if isinstance(gram, np.ndarray) else None
        # It grows with each change.
        self.doubtful_below = DOUBTFUL * (float(np.abs(coef).sum()) * self.largest + abs(self.b))
        # It reads and writes the same numbers twice as fast.
        self.coef_of = cast("memoryview[float]", self.coef.data)
        self.scores_of = cast("memoryview[float]", self.scores.data)
        self.factor = np.zeros(())  # An array multiplies faster than a float.
        before = entries_before(start, learner.unit)
        self.active = RemainingAdditions(before, len(y)) if learner.evicts else None
        # The fixed f₀ on all examples, where something is added to every score.
        self.fixed: FloatArray | None = None
        self.fixed_sizes = np.zeros(0)
        if start is not None:
            self._start_scores()
            born = before.step if start.entries is None else start.entries.step
            learner.resume(self.memory, ResumeState(start.t, before, born, start.details))
        self.presentations = Presentations()
        self.changes = ChangeLog()

    @property
    def largest(self) -> float:
        """The largest |k(u, v)| of those that were computed, or a bound of all."""
        return self.gram.largest if self._largest is None else self._largest

    def blocks(self, epoch: Iterable[int]) -> Iterable[Iterable[int]]:
        """Return the examples of an epoch in parts, between which more may have to be done than to
        show them.
        """
        return (epoch,)

    def read(self, examples: Sequence[int]) -> None:
        """Make the scores of some other examples right, which they are where the Gram matrix is
        whole.
        """

    def _start_scores(self) -> None:
        """Compute the scores of a resumed training."""
        if isinstance(self.gram, np.ndarray):
            self.scores[:] = weighted_sums(self.coef, self.gram, self.b)
        else:
            support = np.flatnonzero(self.coef)
            for part, sums in self.gram.sums(slice(0, len(self.y)), support, self.coef[support]):
                self.scores[part] = sums + self.b

    def add_fixed(self, scores: FloatArray, sizes: FloatArray) -> None:
        """Add f₀, in units, to the scores; `sizes` is what its terms amount to without
        their signs.
        """
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
        """Return f(x_i), which may be a rounding error beside 0 or `near`, or what was forgotten
        has left.
        """
        support, k = self._terms(i)
        size = float(np.abs(self.coef[support]) @ np.abs(k)) + abs(self.b)
        if self.fixed is not None:
            size += self.fixed_sizes.item(i)
        if abs(f) < DOUBTFUL * (size + self.largest) and (
            self.active is not None or self.learner.projects
        ):
            f = self._summed_again(i, support, k)
        return settled(f, size, near)

    def _terms(self, i: int) -> tuple[Examples, FloatArray]:
        """Return the examples that f(x_i) is a sum over, and k of x_i with each."""
        return slice(None), self.rows[i]

    def _summed_again(self, i: int, support: Examples, k: FloatArray) -> float:
        """Return f(x_i) as a sum over what is remembered, without what subtracting has left."""
        examples = range(len(self.y))[support] if isinstance(support, slice) else support.tolist()
        row = (
            k.tolist()
            if isinstance(support, slice)
            else dict(zip(examples, k.tolist(), strict=True))
        )
        if self.active is not None:
            f = self.active.score(row) + self.b
        else:
            f = sum(self.coef_of[j] * row[j] for j in examples if self.coef_of[j])
        return f if self.fixed is None else f + self.fixed.item(i)

    def current_scores(self) -> FloatArray:
        """Return f on all examples, each as `score_of` has it."""
        for i in np.flatnonzero(
            (self.scores != 0.0) & (np.abs(self.scores) < self.doubtful_below)
        ).tolist():
            self.score_of(i)
        return self.scores

    def apply(self, change: Change, t: int) -> None:
        """Change the state, and record the change."""
        self.changes.add(t, change)
        indices, deltas, shift, shrink, evicted = change
        if shrink != 1.0:
            self._shrink(shrink)
        if len(indices) > _MANY:
            self._add_rows(indices, deltas)
            for i, delta in zip(indices, deltas, strict=True):
                self.coef_of[i] += delta
        else:
            for i, delta in zip(indices, deltas):  # noqa: B905 - strict costs a tenth of a mistake
                self.coef_of[i] += delta
                self._add_row(i, delta)
        # Now `largest` knows what was added.
        self.doubtful_below += DOUBTFUL * (sum(map(abs, deltas)) * self.largest + abs(shift))
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

    def _add_rows(self, indices: Sequence[int], deltas: Sequence[float]) -> None:
        """Add the sum of delta · k(x_i, ·) to all scores."""
        self.scores += np.array(deltas) @ self.gram[list(indices)]

    def _add_row(self, i: int, delta: float) -> None:
        """Add delta · k(x_i, ·) to all scores."""
        if delta == 1.0:  # It spares a product per example; the sums are the same.
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

    def _evict(self, active: RemainingAdditions, step: int) -> None:
        """Remove what remains of the entry of presentation `step`."""
        for i, weight in active.take(step):
            self._add_row(i, -weight)
            self.coef_of[i] = self.coef_of[i] - weight if active.count[i] else 0.0
        if not active.added:
            self.scores.fill(self.b)  # This is exact, without what subtracting left.
            if self.fixed is not None:
                self.scores += self.fixed
