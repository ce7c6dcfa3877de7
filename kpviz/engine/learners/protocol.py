"""What the loop in `kpviz.engine.train` asks of a learner, and what a learner says of itself to the player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray, Range

Details = dict[str, NDArray[Any]]
_COMPACT: dict[type, type] = {int: np.int32, bool: np.bool_}


class Change(NamedTuple):
    """What one presentation changes, in the learner's unit.

    In this order: ``coef *= shrink``, then ``coef[indices] += deltas``, then what presentation `evicted` once added
    (and was shrunk since) is taken away, and ``b += shift``. An example from which everything was taken
    away has a coefficient of exactly 0.
    """

    indices: tuple[int, ...] = ()
    deltas: tuple[float, ...] = ()
    shift: float = 0.0
    shrink: float = 1.0
    evicted: int | None = None


class FixedUpdates(NamedTuple):
    """What an update on each example adds, where it depends on nothing else: three arrays (n,), in the learner's unit.

    Example i adds `deltas[i]` to coef_i and `shifts[i]` to b whenever its margin is below the learner's `quiet_above`,
    and where `at_threshold[i]` is true, when it is equal to it, too.
    """

    deltas: FloatArray
    shifts: FloatArray
    at_threshold: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Entries:
    """What earlier presentations added to coefficients, as much as is left of it; oldest first, three arrays alike.

    `step` is the presentation (below 0: before a training that went on), `index` the example, `weight` signed.
    """

    step: NDArray[np.int64]
    index: NDArray[np.int64]
    weight: FloatArray

    def rows(self) -> list[tuple[int, int, float]]:
        """Return (step, index, weight) of each."""
        return list(zip(self.step.tolist(), self.index.tolist(), self.weight.tolist(), strict=True))


@dataclass(frozen=True)
class Past:
    """What a training that goes on knows of the one before: for `resume`, which a learner with a memory has.

    `t` presentations were made; `entries` are left of them (if the learner evicts), with steps below -1, and `born`
    says at which of the `t` presentations each was added; `details` are the last particulars.
    """

    t: int
    entries: Entries
    born: NDArray[np.int64]
    details: Mapping[str, float]


class Learner(Protocol):
    """Frozen settings with a rule; everything that moves is in the memory that `start` returns.

    What a learner may have besides: `evicts`, whether its changes ever evict; `choose(memory, scores)`, which
    example is shown next in place of an order (None: the end, within tolerance); `resume(memory, past)`, to go on
    from a State; `details(memory, n_steps)`, its particulars; `fixed_updates(memory)`, beside the `change` that
    does the same: what updates add, if that is always the same (None: it is not), and the loop is faster; and
    `about`, what the player says of it. For the settings: `choices` of parameters that are no numbers,
    `usual_epochs`, `needs_unit_diagonal` (k(x, x) <= 1), and `replaced`, by parameter: which other one replaces it
    while that is not off, and the reason in words.
    """

    ranges: ClassVar[dict[str, Range]]

    @property
    def unit(self) -> float:
        """Factor of coefficients, scores and b: multiplied in only when they are read, so ties stay exact."""
        ...

    @property
    def quiet_above(self) -> float | None:
        """The loop asks only when y f(x) is at most this (in units); None: always."""
        ...

    def start(self, gram: FloatArray, y: FloatArray, rng: np.random.Generator) -> Any:
        """Return the memory of a fresh training."""
        ...

    def change(self, memory: Any, t: int, i: int, scores: FloatArray, coef: FloatArray) -> Change | None:
        """Return what showing example i as presentation t changes.

        `scores` (f on all examples) and `coef` are in units and must not be written to.
        """
        ...

    def mistakes(self, y: FloatArray, score: FloatArray) -> NDArray[np.bool_]:
        """Return which scores count as mistakes."""
        ...


def not_above_zero(y: FloatArray, score: FloatArray) -> NDArray[np.bool_]:
    """Return where y f(x) <= 0: what most learners count as a mistake."""
    return np.asarray(y * score <= 0)


class Diary:
    """Particulars of a learner, written down while it is trained: one row for each presentation that has news.

    Between rows an event (such as a victim) falls back to its default; everything else keeps its last value.
    """

    def __init__(self, first: Mapping[str, float], events: Mapping[str, float] | None = None) -> None:
        self.first, self.events = dict(first), dict(events or {})
        self.steps: list[int] = []
        self.rows: list[tuple[float, ...]] = []

    def add(self, t: int, *row: float) -> None:
        """Write down the values after presentation t: first the lasting ones, then the events."""
        self.steps.append(t)
        self.rows.append(row)

    def arrays(self, n_steps: int) -> Details:
        """Return one array of length n_steps for each particular."""
        names = [*self.first, *self.events]
        rows = np.array(self.rows, dtype=float).reshape(-1, len(names))
        steps = np.array(self.steps, dtype=np.intp)
        kept = steps < n_steps
        rows, steps = rows[kept], steps[kept]
        latest = np.searchsorted(steps, np.arange(n_steps), side="right")
        result: Details = {}
        for column, (name, first) in enumerate(self.first.items()):
            result[name] = np.concatenate([[first], rows[:, column]])[latest]
        for column, (name, usual) in enumerate(self.events.items(), start=len(self.first)):
            result[name] = np.full(n_steps, usual, dtype=_COMPACT.get(type(usual), np.float64))
            result[name][steps] = rows[:, column]
        return result
