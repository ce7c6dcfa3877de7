"""Folds of changes that shrink or evict, for which plain sums do not suffice.

Legend: change j multiplies all coefficients by s_j, then adds its entries; an entry of change j has
the weight delta * s_(j+1) * s_(j+2) * … until it is evicted; `dies[j]` is the change that evicts
what change j added (never: the number of changes). Of the changes that are looked at `done` is the
first, and `upto` comes after the last.

Tests: tests/engine/test_run.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.learners.protocol import Entries
from kpviz.engine.rounding import settled

if TYPE_CHECKING:
    from kpviz.engine.run.run import Changes, Run, State


def start_in_units(run: Run) -> tuple[FloatArray, float]:
    """Return a copy of the coefficients, and the intercept, that the run started from."""
    if run.start is None:
        return np.zeros(len(run.X)), 0.0
    return in_units(run.start, run.unit)


def in_units(state: State, unit: float) -> tuple[FloatArray, float]:
    """Return coef and intercept of a state divided by `unit`, as whole numbers where they were:
    ties stay exact.
    """
    values = np.append(state.coef, state.intercept)
    parts = values / unit
    whole = np.rint(parts)
    parts = np.where(whole * unit == values, whole, parts)
    return parts[:-1], float(parts[-1])


def ever_in_support(run: Run) -> NDArray[np.intp]:
    """Return the examples that ever have a coefficient, ascending: those that a resumed run began
    with among them.
    """
    before: Sequence[int] | NDArray[np.intp] = ()
    if run.start is not None:
        before = run.start.support if run.start.entries is None else run.start.entries.index
    return np.union1d(run.changes.index, before).astype(np.intp)


def entries_before(start: State | None, unit: float) -> Entries:
    """Return the entries that a resumed training begins with, in units; the newest has step -2,
    since -1 means none.
    """
    if start is None:
        return Entries(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
    index = start.support if start.entries is None else start.entries.index
    weight = start.coef[index] if start.entries is None else start.entries.weight
    return Entries(np.arange(-len(index) - 1, -1), index, weight / unit)


def states(run: Run, times: Sequence[int]) -> Iterator[tuple[int, FloatArray, float]]:
    """Yield (time, coef, b) in units at each of the ascending times, a stretch of
    changes at once.
    """
    coef, b = start_in_units(run)
    if not run.changes.evicts:
        yield from _states_without_evictions(run.changes, times, coef, b)
        return
    active = ActiveEntries.of(run)
    for time, alive in zip(times, active.walk(times), strict=True):
        shift = run.changes.shift[: run.changes.before(time)]
        total = np.bincount(alive.index, alive.weight, len(coef)).astype(np.float64)
        yield time, total, b + math.fsum(shift)


def entries(run: Run, t: int) -> Entries:
    """Return the entries that are not evicted after t presentations, in data units; one that was
    shrunk to 0 is among them.
    """
    alive = next(iter(ActiveEntries.of(run).walk([t])))
    return Entries(alive.step, alive.index, alive.weight * run.unit)


def _states_without_evictions(
    changes: Changes, times: Sequence[int], coef: FloatArray, b: float
) -> Iterator[tuple[int, FloatArray, float]]:
    """Yield `states` from these coefficients and this b on."""
    done = 0
    size = abs(b)  # What was added up to b, without signs.
    for time in times:
        upto = changes.before(time)
        if upto > done:
            factor, later_factors = products(changes.shrink[done:upto])
            part = slice(changes.pointer[done], changes.pointer[upto])
            factor_of_delta = np.repeat(later_factors, np.diff(changes.pointer[done : upto + 1]))
            coef = coef * factor + np.bincount(
                changes.index[part], changes.delta[part] * factor_of_delta, len(coef)
            )
            shifts = changes.shift[done:upto]
            b += float(shifts.sum())
            size += float(np.abs(shifts).sum())
        yield time, coef, settled(b, size)
        done = upto


def products(shrink: FloatArray) -> tuple[float, FloatArray]:
    """Return the product of all factors, and for each the product of those after it."""
    after = np.append(np.cumprod(shrink[::-1])[::-1], 1.0)
    return float(after[0]), after[1:]


@dataclass
class ActiveEntries:
    """The entries alive as changes go by, and for each the change that evicts it."""

    changes: Changes
    alive: Entries
    dies: NDArray[np.intp]

    @classmethod
    def of(cls, run: Run) -> ActiveEntries:
        before = entries_before(run.start, run.unit)
        changes = run.changes
        # The change that evicts each entry of before the run, by the entry's step.
        evicting = {step: j for j, step in enumerate(changes.evicted.tolist()) if step < -1}
        dies = np.array(
            [evicting.get(int(step), len(changes)) for step in before.step], dtype=np.intp
        )
        return cls(changes, before, dies)

    def walk(self, times: Sequence[int]) -> Iterator[Entries]:
        """Yield what is alive at each of the ascending times."""
        done = 0
        for time in times:
            upto = self.changes.before(time)
            if upto > done:
                self.advance(done, upto)
            yield self.alive
            done = upto

    def advance(self, done: int, upto: int) -> None:
        """Let the changes from `done` to `upto` go by."""
        changes = self.changes
        alive = self.alive
        factor, later_factors = products(changes.shrink[done:upto])
        part = slice(changes.pointer[done], changes.pointer[upto])
        counts = np.diff(changes.pointer[done : upto + 1])
        dies = np.concatenate([self.dies, np.repeat(changes.dies[done:upto], counts)])
        is_alive = dies >= upto
        self.dies = dies[is_alive]
        new_steps = np.repeat(changes.step[done:upto], counts)
        new_weights = changes.delta[part] * np.repeat(later_factors, counts)
        self.alive = Entries(
            np.concatenate([alive.step, new_steps])[is_alive],
            np.concatenate([alive.index, changes.index[part]])[is_alive],
            np.concatenate([alive.weight * factor, new_weights])[is_alive],
        )

    def merge(self, n: int) -> None:
        """Make one entry of those of the same example, where nothing is ever evicted."""
        index = np.flatnonzero(np.bincount(self.alive.index, minlength=n))
        weight = np.bincount(self.alive.index, self.alive.weight, n)[index].astype(np.float64)
        self.alive = Entries(np.full(len(index), -2), index, weight)
        self.dies = np.full(len(index), len(self.changes))


class Walk:
    """The coefficients and b in units, one change at a time, for callers that need every state in
    between.
    """

    def __init__(self, run: Run) -> None:
        self.changes = run.changes
        self.before = entries_before(run.start, run.unit)
        self.coef, self.b = start_in_units(run)
        # How many entries of each example are alive.
        self.n_alive = np.bincount(self.before.index, minlength=len(self.coef))

    def advance(self, j: int) -> tuple[NDArray[Any], FloatArray]:
        """Apply change j; return the indices and weights that it adds, and those that it evicts
        with their signs turned.
        """
        changes = self.changes
        part = slice(changes.pointer[j], changes.pointer[j + 1])
        index = changes.index[part]
        weight = changes.delta[part]
        if changes.shrink[j] != 1.0:
            self.coef = self.coef * changes.shrink[j]
        self.b += float(changes.shift[j])
        np.add.at(self.coef, index, weight)
        if not changes.evicts:
            return index, weight
        np.add.at(self.n_alive, index, 1)
        evicted, evicted_weight = self._evicted(j)
        np.subtract.at(self.coef, evicted, evicted_weight)
        np.subtract.at(self.n_alive, evicted, 1)
        # This is exact, unlike what a subtraction leaves.
        self.coef[evicted[self.n_alive[evicted] == 0]] = 0.0
        return np.concatenate([index, evicted]), np.concatenate([weight, -evicted_weight])

    def _evicted(self, j: int) -> tuple[NDArray[Any], FloatArray]:
        """Return the indices of the entries that change j evicts, and their weights by then."""
        changes = self.changes
        step = int(self.changes.evicted[j])
        if step < -1:
            is_evicted = self.before.step == step
            weight = self.before.weight[is_evicted] * changes.shrink[: j + 1].prod()
            return self.before.index[is_evicted], weight
        if step == -1:
            return np.zeros(0, dtype=np.intp), np.zeros(0)
        born = changes.before(step)
        part = slice(changes.pointer[born], changes.pointer[born + 1])
        return changes.index[part], changes.delta[part] * changes.shrink[born + 1 : j + 1].prod()


def alpha_after(run: Run) -> FloatArray:
    """Return the alpha of each presentation's example just after it, shape (n_steps,).

    It is ``run.state_at(t).alpha[run.index[t - 1]]`` for each t, in one walk; where coefficients
    shrink or are evicted, up to rounding.
    """
    walk = Walk(run)
    coef = np.empty(run.n_steps)
    ends = [*run.changes.step.tolist(), run.n_steps]
    coef[: ends[0]] = walk.coef[run.index[: ends[0]]]
    for j, begin in enumerate(ends[:-1]):
        walk.advance(j)
        until = ends[j + 1]
        coef[begin:until] = walk.coef[run.index[begin:until]]
    return np.asarray(run.y[run.index] * coef * run.unit + 0.0)  # + 0.0 makes 0.0 of -0.0.


def sums(run: Run, times: Sequence[int]) -> Iterator[tuple[int, FloatArray, float]]:
    """Yield (t, sum of coef, sum of b), in units, over the states after 1, …, t presentations, at
    ascending times.
    """
    changes = run.changes
    active = ActiveEntries.of(run)
    total = np.zeros(len(run.X))
    n = len(run.X)
    b = start_in_units(run)[1]
    total_b = 0.0
    size = abs(b)
    total_size = 0.0
    done = 0
    counted = 0  # The states after so many presentations are in the sums.
    for time in times:
        upto = changes.before(time)
        stretch = _Stretch.of(changes, done, upto, counted, time)
        before = active.alive
        dies = active.dies
        active.advance(done, upto)
        if not changes.evicts:
            active.merge(n)
        index, delta, owner = stretch.entries(changes)
        # What was there before is at place 0, what change j of the stretch adds at place j + 1.
        worth_before = stretch.worth(np.zeros(len(dies), np.intp), dies)
        total = total + np.bincount(before.index, before.weight * worth_before, n)
        worth_added = stretch.worth(owner + 1, changes.dies[done:upto][owner])
        total += np.bincount(index, delta * worth_added, n)
        shift = changes.shift[done:upto]
        n_states = time - changes.step[done:upto]  # Each shift is in the b of so many.
        total_b += b * (time - counted) + float(shift @ n_states)
        total_size += size * (time - counted) + float(np.abs(shift) @ n_states)
        b += float(shift.sum())
        size += float(np.abs(shift).sum())
        done = upto
        counted = time
        yield time, total, settled(total_b, total_size)


@dataclass(frozen=True)
class _Stretch:
    """The changes from `done` to `upto`, and what entries add to a sum over the states of the
    stretch.

    Place 0 is the state before these changes, place j + 1 the state after change j of them. An
    entry of weight 1 is worth as many as there are presentations until the next change, and then,
    shrunk by that, as many as there are until the one after, and so on.

    Attributes
    ----------
    worth_to_end : what an entry at each place is worth if it lives to the end of the stretch.
    logs : logarithms of the products of s up to each place, without factors of 0.
    zeros : how many factors of 0 there are up to each place.
    """

    done: int
    upto: int
    worth_to_end: FloatArray
    logs: FloatArray
    zeros: NDArray[np.intp]

    @classmethod
    def of(cls, changes: Changes, done: int, upto: int, counted: int, time: int) -> _Stretch:
        """Return the stretch for the states after `counted` + 1, …, `time` presentations."""
        shrink = changes.shrink[done:upto]
        gaps = np.diff(np.concatenate([[counted], changes.step[done:upto], [time]])).tolist()
        worth = float(gaps[-1])
        worths = [worth]
        for factor, gap in zip(shrink[::-1].tolist(), gaps[-2::-1], strict=True):
            worth = gap + factor * worth
            worths.append(worth)
        logs = np.log(np.where(shrink == 0.0, 1.0, shrink))
        return cls(
            done,
            upto,
            np.array(worths[::-1]),
            np.concatenate([[0.0], np.cumsum(logs)]),
            np.concatenate([[0], np.cumsum(shrink == 0.0)]),
        )

    def entries(self, changes: Changes) -> tuple[NDArray[Any], FloatArray, NDArray[Any]]:
        """Return index and delta of what the changes add, and the change of each, counted from
        `done`.
        """
        pointer = changes.pointer[self.done : self.upto + 1]
        part = slice(pointer[0], pointer[-1])
        return (
            changes.index[part],
            changes.delta[part],
            np.repeat(np.arange(self.upto - self.done), np.diff(pointer)),
        )

    def worth(self, place: NDArray[Any], dies: NDArray[Any]) -> FloatArray:
        """Return what entries of weight 1 at these places are worth, until the change that evicts
        each.
        """
        to_end = self.worth_to_end[place]
        is_evicted = dies < self.upto
        # At the place where an entry dies it would have shrunk by this product, and from there on
        # it is worth nothing.
        end = np.where(is_evicted, dies - self.done + 1, place)
        product = np.exp(self.logs[end] - self.logs[place]) * (self.zeros[end] == self.zeros[place])
        return np.asarray(np.where(is_evicted, to_end - product * self.worth_to_end[end], to_end))
