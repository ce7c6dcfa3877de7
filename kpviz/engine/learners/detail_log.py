"""The details of a run that a learner records while it is trained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Details = dict[str, NDArray[Any]]
_COMPACT: dict[type, type] = {int: np.int32, bool: np.bool_}


class DetailLog:
    """Details by presentation: one row for each presentation with new values.

    Between rows an event (such as a victim) falls back to its default; everything else keeps its last value.
    """

    def __init__(self, first: Mapping[str, float], events: Mapping[str, float] | None = None) -> None:
        self.first, self.events = dict(first), dict(events or {})
        self.steps: list[int] = []
        self.rows: list[tuple[float, ...]] = []

    def add(self, t: int, *row: float) -> None:
        """Record the values after presentation t: first the lasting ones, then the events."""
        self.steps.append(t)
        self.rows.append(row)

    def arrays(self, n_steps: int) -> Details:
        """Return one array of length n_steps for each detail."""
        names = [*self.first, *self.events]
        rows = np.array(self.rows, dtype=float).reshape(-1, len(names))
        steps = np.array(self.steps, dtype=np.intp)
        kept = steps < n_steps
        rows, steps = rows[kept], steps[kept]
        latest = np.searchsorted(steps, np.arange(n_steps), side="right")
        result: Details = {}
        for column, (name, first) in enumerate(self.first.items()):
            result[name] = np.concatenate([[first], rows[:, column]])[latest]
        for column, (name, default) in enumerate(self.events.items(), start=len(self.first)):
            result[name] = np.full(n_steps, default, dtype=_COMPACT.get(type(default), np.float64))
            result[name][steps] = rows[:, column]
        return result


@runtime_checkable
class Logged(Protocol):
    """A memory that has a log."""

    log: DetailLog
