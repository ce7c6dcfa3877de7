"""The entries that are alive while a learner that evicts is trained."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.learners.protocol import Change, Entries


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
