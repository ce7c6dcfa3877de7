"""Perceptrons on a budget that forget whole examples: the oldest, or one at random."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.learners.protocol import About, BudgetLearner, Change, DetailLog, Part, ResumeState
from kpviz.engine.learners.rule import ADD, COUNTS, REST, Rule, summed_anew


@dataclass
class _Memory:
    y: list[float]
    kept: deque[tuple[int, int]] = field(default_factory=deque)  # presentation and example, oldest first
    log: DetailLog = field(default_factory=lambda: DetailLog({}, {"victim": -1}))


@dataclass(frozen=True)
class RemoveOldest(BudgetLearner):
    """On a mistake, add the example with weight 1; above the budget, forget the oldest one.

    Parameters
    ----------
    budget : most presentations remembered, at least 1; the same example may be remembered twice.

    Notes
    -----
    A zero score is a mistake. No mistake bound is known without further conditions: what is forgotten may have been
    all that was learnt. `details`: "victim", the example forgotten in each presentation, -1 for none.
    Source: the simplest of the budgets compared in O. Dekel, S. Shalev-Shwartz, Y. Singer, "The Forgetron", SIAM
    Journal on Computing 37 (2008).
    """

    about: ClassVar[About] = About(
        title="Remove the oldest",
        idea="The perceptron remembers every example it erred on; this one only the last few.",
        bound="No mistake bound is known: what is forgotten may be all that was learnt.",
        code=(
            "repeat: show each example (xᵢ, yᵢ)",
            "  f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ)",
            "  if f has the sign of yᵢ: nothing",
            "  else: remember xᵢ with weight 1;",
            "    if more than B: forget the oldest",
            "until a pass makes no mistake",
        ),
        lines={"start": 0, "correct": 2, "mistake": 3, "evicts": 4, "end": 5},
        words={"mistake_evicts": "f({x}) = {f}, y = {y}: a mistake. We remember {x}, and forget {victim}, the oldest."},
        described={"mistake_evicts": "{verdict}. It is remembered, and {victim}, the oldest, is forgotten: {scores}."},
        panel="Memory of B examples",
        parts=(Part("ages", "weight of each remembered presentation, oldest first"),),
    )

    def start(self, gram: FloatArray, y: FloatArray, rng: np.random.Generator) -> _Memory:
        """Return an empty memory."""
        return _Memory(y.tolist())

    def resume(self, memory: _Memory, before: ResumeState) -> None:
        """Resume from the end of an earlier training."""
        memory.kept.extend((step, i) for step, i, _ in before.entries.rows())

    def change(self, memory: _Memory, t: int, i: int, scores: FloatArray, coef: FloatArray) -> Change:
        """Add example i; forget the oldest if there are too many."""
        memory.kept.append((t, i))
        evicted = None
        if len(memory.kept) > self.budget:
            evicted, victim = memory.kept.popleft()
            memory.log.add(t, victim)
        return Change((i,), (memory.y[i],), 0.0, 1.0, evicted)

    def rule(self) -> Rule:
        return Rule(
            formulas=ADD + r"; \quad \text{above the budget, the oldest of those remembered is forgotten.}",
            start=f"{COUNTS} that are remembered\nmemory = []  # examples, oldest first\n{REST}",
            shown=summed_anew("y[j]", "j")
            + """
if y[i] * f[i] <= 0:
    mistakes.append((step, i))
    memory.append(i)
    alpha[i] += 1
    f += y[i] * K[i]
    if len(memory) > budget:
        r = memory.pop(0)
        alpha[r] -= 1
        f -= y[r] * K[r]""",
            parameters={"budget": self.budget},
            forgets=True,
        )
