"""Perceptrons on a budget that forget whole examples: the oldest, or one at random.

Tests: tests/engine/test_learners.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.learners.protocol import (
    About,
    BudgetLearner,
    Change,
    DetailLog,
    PanelPart,
    ResumeState,
    label_list,
)


@dataclass
class _BudgetMemory:
    y: list[float]
    rng: np.random.Generator
    # Presentation and example of each, the oldest first.
    entries: list[tuple[int, int]] = field(default_factory=list)
    log: DetailLog = field(default_factory=lambda: DetailLog({}, {"victim": -1}))


class _Forgetful(BudgetLearner):
    """On a mistake, add the example with weight 1; if the budget is full, first forget another."""

    reads_own_score: ClassVar[bool] = True

    def _place(self, rng: np.random.Generator) -> int:
        """Return which of the remembered ones is forgotten, counted from the oldest."""
        return 0

    def start(self, gram: FloatArray, y: FloatArray, rng: np.random.Generator) -> _BudgetMemory:
        """Return an empty memory."""
        return _BudgetMemory(label_list(y), rng)

    def resume(self, memory: _BudgetMemory, before: ResumeState) -> None:
        """Resume from the end of an earlier training."""
        memory.entries.extend((step, i) for step, i, _ in before.entries.rows())

    def change(
        self, memory: _BudgetMemory, t: int, i: int, scores: FloatArray, coef: FloatArray
    ) -> Change:
        """Forget one if there is no room; add example i."""
        evicted = None
        if len(memory.entries) >= self.budget:
            evicted, victim = memory.entries.pop(self._place(memory.rng))
            memory.log.add(t, victim)
        memory.entries.append((t, i))
        return Change((i,), (memory.y[i],), 0.0, 1.0, evicted)


@dataclass(frozen=True)
class RemoveOldest(_Forgetful):
    """On a mistake, add the example with weight 1; above the budget, forget the oldest one.

    Parameters
    ----------
    budget : most presentations remembered, at least 1; the same example may be remembered twice.

    Notes
    -----
    A zero score is a mistake. With B ≥ R²/γ² nothing is ever forgotten, and Novikoff's bound R²/γ²
    holds; otherwise no mistake bound is known: what is forgotten may have been all that was learnt.
    `details`: "victim", the example forgotten in each presentation, -1 for none. Source: the
    simplest of the budgets compared in O. Dekel, S. Shalev-Shwartz, Y. Singer, "The Forgetron",
    SIAM Journal on Computing 37 (2008).
    """

    about: ClassVar[About] = About(
        title="Remove the oldest",
        idea="The perceptron remembers every example it erred on; this one only the last few.",
        bound="With B ≥ R²/γ² nothing is ever forgotten, and Novikoff’s bound holds; else none is "
        "known.",
        panel="Memory of B examples",
        parts=(PanelPart("ages", "weights, oldest first"),),
    )


@dataclass(frozen=True)
class RandomizedBudget(_Forgetful):
    """On a mistake, add the example with weight 1; if the budget is full, first forget one at
    random.

    Parameters
    ----------
    budget : most presentations remembered, at least 1; the same example may be remembered twice.

    Notes
    -----
    Each remembered presentation is as likely as any other to be forgotten, drawn from the learner's
    own generator, so that the order of the examples stays that of `seed`. A zero score is a
    mistake. The expected number of mistakes is bounded in the paper. `details`: "victim", the
    example forgotten in each presentation, -1 for none. Source: G. Cavallanti, N. Cesa-Bianchi, C.
    Gentile, "Tracking the best hyperplane with a simple budget Perceptron", Machine Learning 69
    (2007).
    """

    about: ClassVar[About] = About(
        title="Randomized budget",
        idea="Which example to forget? Chance decides, so no order of examples can be made to "
        "trick it.",
        bound="Only the expected number of mistakes is bounded, over the learner’s own draws.",
        panel="Memory of B examples",
        parts=RemoveOldest.about.parts,
    )

    def _place(self, rng: np.random.Generator) -> int:
        return int(rng.integers(self.budget))
