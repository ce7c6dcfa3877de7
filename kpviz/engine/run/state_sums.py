"""Sums of the states of a run whose changes shrink and evict: what the averaged predictor reads.

Legend: change j multiplies by s_j, adds its entries, and is followed by g_j presentations that leave f as it is. From
change j to the end of a stretch an entry of weight 1 sums up to G_j = g_j + s_(j+1) G_(j+1); one that change d takes
away to G_j - s_(j+1) … s_d G_d.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.run import fold
from kpviz.engine.run.record import Changes

if TYPE_CHECKING:
    from kpviz.engine.run.run import Run


def sums(run: Run, times: Sequence[int]) -> Iterator[tuple[int, FloatArray, float]]:
    """Yield (t, sum of coef, sum of b), in units, over the states after 1, …, t presentations, at ascending times."""
    changes, active = run.changes, fold.ActiveEntries.of(run)
    total, n = np.zeros(len(run.X)), len(run.X)
    b, total_b = fold.start_in_units(run)[1], 0.0
    done = counted = 0
    for time in times:
        upto = changes.before(time)
        stretch = _Stretch.of(changes, done, upto, counted, time)
        before, dies = active.alive, active.dies
        active.advance(done, upto)
        if not changes.evicts:
            active.merge(n)
        index, delta, owner = stretch.entries(changes)
        total = total + np.bincount(before.index, before.weight * stretch.worth(np.zeros(len(dies), np.intp), dies), n)
        total += np.bincount(index, delta * stretch.worth(owner + 1, changes.dies[done:upto][owner]), n)
        shift = changes.shift[done:upto]
        total_b += b * (time - counted) + float(shift @ (time - changes.step[done:upto]))
        b += float(shift.sum())
        done, counted = upto, time
        yield time, total, total_b


@dataclass(frozen=True)
class _Stretch:
    """The changes from `done` to `upto`. Place 0 of the arrays is what was there before, place j + 1 its change j."""

    done: int
    upto: int
    worth_to_end: FloatArray  # G at each place
    logs: FloatArray  # of the products of s up to each place; a factor of 0 counts among the `zeros` in its stead
    zeros: NDArray[np.intp]

    @classmethod
    def of(cls, changes: Changes, done: int, upto: int, counted: int, time: int) -> _Stretch:
        shrink = changes.shrink[done:upto]
        gaps = np.diff(np.concatenate([[counted], changes.step[done:upto], [time]])).tolist()
        worth = float(gaps[-1])
        found = [worth]
        for factor, gap in zip(shrink[::-1].tolist(), gaps[-2::-1], strict=True):
            worth = gap + factor * worth
            found.append(worth)
        logs = np.log(np.where(shrink == 0.0, 1.0, shrink))
        return cls(
            done,
            upto,
            np.array(found[::-1]),
            np.concatenate([[0.0], np.cumsum(logs)]),
            np.concatenate([[0], np.cumsum(shrink == 0.0)]),
        )

    def entries(self, changes: Changes) -> tuple[NDArray[Any], FloatArray, NDArray[Any]]:
        """Return index and delta of what the changes add, and the change of each, counted from `done`."""
        pointer = changes.pointer[self.done : self.upto + 1]
        part = slice(pointer[0], pointer[-1])
        return changes.index[part], changes.delta[part], np.repeat(np.arange(self.upto - self.done), np.diff(pointer))

    def worth(self, place: NDArray[Any], dies: NDArray[Any]) -> FloatArray:
        """Return what entries of weight 1 at these places sum up to, until the change that takes each away."""
        whole = self.worth_to_end[place]
        gone = dies < self.upto
        end = np.where(gone, dies - self.done + 1, place)
        product = np.exp(self.logs[end] - self.logs[place]) * (self.zeros[end] == self.zeros[place])
        return np.asarray(np.where(gone, whole - product * self.worth_to_end[end], whole))
