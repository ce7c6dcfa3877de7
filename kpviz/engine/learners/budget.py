"""The base of perceptrons on a budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kpviz.engine import checks
from kpviz.engine.checks import Range
from kpviz.engine.learners.protocol import Learner


@dataclass(frozen=True)
class BudgetLearner(Learner):
    """At most `budget` presentations are remembered, at least 1; a mistake above it evicts one."""

    budget: int = 10

    ranges: ClassVar[dict[str, Range]] = {
        "budget": Range(1, 200, 10, "B", "most examples remembered", integer=True, log=True)
    }
    update_margin: ClassVar[float] = 0.0
    evicts: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checks.integer("budget", self.budget, low=1)

    @property
    def capacity(self) -> int:
        """The budget."""
        return self.budget
