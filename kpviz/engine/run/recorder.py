"""The record of a training as it grows, in columns of numbers.

Everything is in the learner's unit until it is read (counts for the perceptron), so that ties stay exact.
"""

from __future__ import annotations

from array import array
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kpviz.engine.checks import FloatArray, IntArray
from kpviz.engine.learners.protocol import Change
from kpviz.engine.run.record import Changes

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
