"""The Randomized Budget Perceptron of Cavallanti, Cesa-Bianchi and Gentile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.learners.about import About
from kpviz.engine.learners.protocol import Change, Details, Diary, Past, not_above_zero
from kpviz.engine.learners.remove_oldest import BUDGET, RemoveOldest


@dataclass
class _Memory:
    y: list[float]
    rng: np.random.Generator
    kept: list[tuple[int, int]] = field(default_factory=list)  # presentation and example
    diary: Diary = field(default_factory=lambda: Diary({}, {"victim": -1}))


@dataclass(frozen=True)
class RandomizedBudget:
    """On a mistake, add the example with weight 1; if the budget is full, first forget one at random.

    Parameters
    ----------
    budget : most presentations remembered, at least 1; the same example may be remembered twice.

    Notes
    -----
    Each remembered presentation is as likely as any other to be forgotten, drawn from a generator of the learner's
    own, so that the order of the examples stays that of `seed`. A zero score is a mistake. The expected number of
    mistakes is bounded in the paper. `details`: "victim", the example forgotten in each presentation, -1 for none.
    Source: G. Cavallanti, N. Cesa-Bianchi, C. Gentile, "Tracking the best hyperplane with a simple budget Perceptron",
    Machine Learning 69 (2007).
    """

    budget: int = 10

    ranges: ClassVar[dict[str, Range]] = {"budget": BUDGET}
    unit: ClassVar[float] = 1.0
    quiet_above: ClassVar[float] = 0.0
    evicts: ClassVar[bool] = True
    about: ClassVar[About] = About(
        title="Randomized budget",
        idea="Which example to forget? Chance decides, and no rule can be tricked less.",
        bound="Only the expected number of mistakes is bounded, over the learner's own draws.",
        code=(
            *RemoveOldest.about.code[:3],
            "  else: if B are remembered: forget",
            "    one at random; remember xᵢ",
            "until a pass makes no mistake",
        ),
        lines={"start": 0, "correct": 2, "mistake": 4, "evicts": 3, "end": 5},
        words={"mistake_evicts": "f({x}) = {f}, y = {y}: a mistake. Chance says: forget {victim}. We remember {x}."},
        panel="Memory of B examples",
        parts=RemoveOldest.about.parts,
    )

    def __post_init__(self) -> None:
        checks.integer("budget", self.budget, low=1)

    def start(self, gram: FloatArray, y: FloatArray, rng: np.random.Generator) -> _Memory:
        """Return an empty memory."""
        return _Memory(y.tolist(), rng)

    def resume(self, memory: _Memory, past: Past) -> None:
        """Remember what a former training ended with."""
        memory.kept.extend((step, i) for step, i, _ in past.entries.rows())

    def change(self, memory: _Memory, t: int, i: int, scores: FloatArray, coef: FloatArray) -> Change:
        """Forget one at random if there is no room; add example i."""
        evicted = None
        if len(memory.kept) >= self.budget:
            evicted, victim = memory.kept.pop(int(memory.rng.integers(len(memory.kept))))
            memory.diary.add(t, victim)
        memory.kept.append((t, i))
        return Change((i,), (memory.y[i],), 0.0, 1.0, evicted)

    def details(self, memory: _Memory, n_steps: int) -> Details:
        """Return "victim"."""
        return memory.diary.arrays(n_steps)

    def mistakes(self, y: FloatArray, score: FloatArray) -> NDArray[np.bool_]:
        """Return where y f(x) <= 0."""
        return not_above_zero(y, score)
