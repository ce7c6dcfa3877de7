"""What a run consists of: the state at an instant, and the changes that lead from one state to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine.checks import FloatArray, IntArray
from kpviz.engine.learners.protocol import Entries


@dataclass(frozen=True, eq=False)
class State:
    """The expansion f(x) = sum of coef_i k(x_i, x) + intercept after t presentations.

    `entries`, with presentations counted from the first training on, and `details` are what a learner with a memory
    needs to resume from here.

    Parameters
    ----------
    t : presentations made.
    coef : signed coefficients y * alpha, (n,).
    alpha : weights, (n,).
    intercept : b.
    entries : what is left of each presentation, of learners that forget; None of others.
    details : the learner's own quantities, by name.
    """

    t: int
    coef: FloatArray
    alpha: FloatArray
    intercept: float
    entries: Entries | None = None
    details: Mapping[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        held = f"{len(self.support)} of {len(self.coef)} examples in the support"
        return f"<State after {self.t:,} presentations: {held}, intercept {self.intercept:g}>"

    @property
    def support(self) -> NDArray[np.intp]:
        """Indices of the examples with a coefficient other than 0."""
        return np.flatnonzero(self.coef)

    def in_units(self, unit: float) -> tuple[FloatArray, float]:
        """Return coef and intercept divided by `unit`, as whole numbers where they were: ties stay exact.

        Parameters
        ----------
        unit : what coefficients and b are divided by.
        """
        values = np.append(self.coef, self.intercept)
        parts = values / unit
        whole = np.rint(parts)
        parts = np.where(whole * unit == values, whole, parts)
        return parts[:-1], float(parts[-1])


@dataclass(frozen=True, eq=False)
class Changes:
    """All changes of a run as flat arrays, in the learner's unit.

    Change j belongs to presentation `step[j]`, multiplies coef by `shrink[j]`, adds `delta[p]` to coef[`index[p]`]
    for p from `pointer[j]` up to `pointer[j + 1]`, removes what remains of the entry of presentation `evicted[j]` (-1:
    none; below: an entry that a resumed training began with), and adds `shift[j]` to the intercept.
    """

    step: IntArray
    pointer: IntArray
    index: IntArray
    delta: FloatArray
    shift: FloatArray
    shrink: FloatArray
    evicted: IntArray

    @classmethod
    def of(
        cls,
        step: ArrayLike,
        pointer: ArrayLike,
        index: ArrayLike,
        delta: ArrayLike,
        shift: ArrayLike,
        shrink: ArrayLike,
        evicted: ArrayLike,
    ) -> Changes:
        """Return the columns as arrays, with 32-bit integers."""
        step, pointer, index, evicted = (np.array(column, dtype=np.int32) for column in (step, pointer, index, evicted))
        delta, shift, shrink = (
            _compact(np.array(column, dtype=np.float64) + 0.0)
            for column in (delta, shift, shrink)  # no -0.0
        )
        return cls(step, pointer, index, delta, shift, shrink, _compact(evicted))

    def __len__(self) -> int:
        return len(self.step)

    def before(self, t: int) -> int:
        """Return how many changes the first t presentations made."""
        return int(self.step.searchsorted(np.int32(t)))  # a number of another type would have all of them converted

    @cached_property
    def shrinks(self) -> bool:
        """Whether any change shrinks."""
        return bool((self.shrink != 1.0).any())

    @cached_property
    def evicts(self) -> bool:
        """Whether any change evicts."""
        return bool((self.evicted != -1).any())

    @cached_property
    def dies(self) -> NDArray[np.intp]:
        """For each change the one that evicts its entries, len(self) for never."""
        result = np.full(len(self), len(self))
        by = np.flatnonzero(self.evicted >= 0)
        result[np.searchsorted(self.step, self.evicted[by])] = by
        return result


def _compact(values: NDArray[Any]) -> NDArray[Any]:
    """Return the same values, as a view of a single one where all are equal."""
    if len(values) and (values == values[0]).all():
        return np.broadcast_to(values[0], values.shape)
    return values
