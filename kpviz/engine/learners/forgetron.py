"""The Forgetron of Dekel, Shalev-Shwartz and Singer: shrink first, then forget.

Tests: tests/engine/test_learners.py, tests/engine/test_bounds.py.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from kpviz.engine import checks
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

VARIANTS = ("self-tuned", "basic")
_SHARE = 15.0 / 32.0  # The damage Q may amount to this share of the mistakes.
_ROUNDING = 1e-9
_SMALLEST = 1e-200  # A smaller product of phi is multiplied into the entries.


@dataclass
class _ForgetronMemory:
    y: list[float]
    gram: FloatArray
    diagonal: list[float]
    log: DetailLog
    largest: float  # The largest norm, of the basic variant.
    most: float  # The largest phi, of the basic variant.
    # An entry is its step, its example, and the number by which σ = shrunk / number.
    entries: deque[tuple[int, int, float]] = field(default_factory=deque)
    shrunk: float = 1.0  # The product of all phi.
    damage: float = 0.0
    mistakes: float = 0.0

    def shrink(self, phi: float) -> None:
        """Multiply all σ by phi."""
        self.shrunk *= phi
        if self.shrunk < _SMALLEST:
            self.entries = deque((step, i, unit / self.shrunk) for step, i, unit in self.entries)
            self.shrunk = 1.0


@dataclass(frozen=True)
class Forgetron(BudgetLearner):
    """On a mistake, add the example with weight 1, shrink all weights by phi; above the budget,
    forget the oldest.

    Parameters
    ----------
    budget : most presentations remembered, at least 1.
    variant : ``"self-tuned"``: phi is the largest number in (0, 1] that keeps the damage done by
        forgetting, Q, at most 15/32 of the mistakes M. ``"basic"``: phi = min((B + 1)^(-1/(2(B +
        1))), U / ‖f'‖) on every mistake, with U = ¼ √((B + 1) / log(B + 1)).

    Raises
    ------
    ValueError
        From training, if k(x, x) is above 1 for an example: use `kernel.normalized()`.

    Notes
    -----
    A zero score is a mistake. Bound: M <= 2‖g‖² + 4 Σ hinge(g) for every g with ‖g‖ <= U, if B >=
    83: vacuous at budgets small enough for a classroom, see `kpviz.theory`. It need not beat
    removing the oldest.
    `details`: "Q" and its limit "Q_limit" after each presentation, "phi" (1 where nothing shrank),
    "victim" (-1: none). Source: O. Dekel, S. Shalev-Shwartz, Y. Singer, "The Forgetron: a
    kernel-based Perceptron on a budget", SIAM Journal on Computing 37 (2008).
    """

    variant: str = "self-tuned"

    choices: ClassVar[dict[str, tuple[str, ...]]] = {"variant": VARIANTS}
    reads_learnt_scores: ClassVar[bool] = True
    reads_own_score: ClassVar[bool] = True
    needs_unit_diagonal: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.choice("variant", self.variant, VARIANTS)

    @property
    def about(self) -> About:
        """What the player shows of it."""
        is_tuned = self.variant == "self-tuned"
        ages = PanelPart("ages", "weights α, oldest first")
        damage = PanelPart(
            "line",
            "damage of forgetting, Q (dashed: at most)",
            "Q",
            "Q_limit",
        )
        shrinking = PanelPart(
            "line", "φ at each mistake (dashed: 1, nothing shrinks)", "phi", 1.0, at="mistakes"
        )
        return About(
            title="Forgetron",
            idea="Forgetting an example does less damage when its weight was shrunk before.",
            bound="M ≤ 2‖g‖² + 4·Σ hinge(g) for ‖g‖ ≤ U = ¼√((B + 1)/log(B + 1)), if B ≥ 83.",
            panel="Memory, and the damage of forgetting" if is_tuned else "Memory, and φ",
            parts=(ages, damage if is_tuned else shrinking),
        )

    def start(self, gram: FloatArray, y: FloatArray, rng: np.random.Generator) -> _ForgetronMemory:
        """Return an empty memory."""
        diagonal = gram.diagonal()
        if diagonal.max() > 1.0 + _ROUNDING:
            raise ValueError(
                f"kernel has k(x, x) up to {diagonal.max():.3g}: the Forgetron needs at most 1, "
                "so use kernel.normalized()."
            )
        log = DetailLog({"Q": 0.0, "Q_limit": 0.0}, {"phi": 1.0, "victim": -1})
        size = self.budget + 1
        limits = 0.25 * math.sqrt(size / math.log(size)), size ** (-0.5 / size)
        return _ForgetronMemory(label_list(y), gram, diagonal.tolist(), log, *limits)

    def resume(self, memory: _ForgetronMemory, before: ResumeState) -> None:
        """Resume from the end of an earlier training."""
        entries = before.entries.rows()
        memory.entries.extend(
            (step, i, memory.y[i] / weight) for step, i, weight in entries if weight
        )
        memory.damage = before.details.get("Q", 0.0)
        memory.mistakes = before.details.get("Q_limit", 0.0) / _SHARE
        memory.log.first.update(Q=memory.damage, Q_limit=before.details.get("Q_limit", 0.0))

    def others(self, memory: _ForgetronMemory) -> list[int]:
        """Return the oldest example, which may be forgotten; for the norm of f all that are
        remembered.
        """
        if self.variant == "basic":
            return [i for _, i, _ in memory.entries]
        return [memory.entries[0][1]] if len(memory.entries) >= self.budget else []

    def change(
        self, memory: _ForgetronMemory, t: int, i: int, scores: FloatArray, coef: FloatArray
    ) -> Change:
        """Add example i, shrink, and forget the oldest if there are too many."""
        label = memory.y[i]
        memory.mistakes += 1.0
        memory.entries.append((t, i, memory.shrunk))
        step, victim, unit = (
            memory.entries.popleft() if len(memory.entries) > self.budget else (None, -1, 1.0)
        )
        if self.variant == "basic":
            phi = self._basic(memory, i, scores, coef)
        else:
            phi = (
                1.0
                if step is None
                else self._tuned(memory, victim, memory.shrunk / unit, i, scores)
            )
        if phi != 1.0:
            memory.shrink(phi)
        memory.log.add(t, memory.damage, _SHARE * memory.mistakes, phi, victim)
        return Change((i,), (phi * label,), 0.0, phi, step)

    def _tuned(
        self, memory: _ForgetronMemory, r: int, sigma: float, i: int, scores: FloatArray
    ) -> float:
        """The largest phi with a phi² + b phi + c <= 0, for the oldest r; adds the damage to Q."""
        mu = memory.y[r] * (scores.item(r) + memory.y[i] * memory.gram.item(i, r))
        limit = _SHARE * memory.mistakes
        a = sigma * (sigma - 2.0 * mu)
        b = 2.0 * sigma
        c = memory.damage - limit
        d = b * b - 4.0 * a * c
        # Nowhere in (root, 1] is it too much.
        never = a < 0.0 and (d <= 0.0 or (-b - math.sqrt(d)) / (2.0 * a) <= 1.0)
        # This is the smaller root, whatever the sign of a.
        phi = 1.0 if never else min(1.0, -2.0 * c / (b + math.sqrt(d)))
        memory.damage = min(memory.damage + phi * (a * phi + b), limit)
        return phi

    def _basic(
        self, memory: _ForgetronMemory, i: int, scores: FloatArray, coef: FloatArray
    ) -> float:
        squared = float(coef @ scores) + 2.0 * memory.y[i] * scores.item(i) + memory.diagonal[i]
        return (
            min(memory.most, memory.largest / math.sqrt(squared)) if squared > 0.0 else memory.most
        )
