"""NORMA of Kivinen, Smola and Williamson: stochastic gradient descent on the regularized risk, in
the feature space.

Tests: tests/engine/test_learners.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

import numpy as np

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.learners.protocol import (
    About,
    Change,
    DetailLog,
    Details,
    Gains,
    Learner,
    PanelPart,
    ResumeState,
    checked_rates,
    label_list,
)

SCHEDULES = ("constant", "inverse-sqrt")
# A resumed ρ that differs from the one its counts give by less than this for each presentation is
# taken to be that one, since only rounding tells them apart.
_ROUNDING = 1e-12


@dataclass
class _NormaMemory:
    y: list[float]
    log: DetailLog
    rho: float
    errors: int = 0  # Margin errors, with those before this training.
    t: int = 0  # The presentations before this training.
    offset: float = 0.0  # The counts do not give this part of a resumed rho.
    # The entries that are remembered. A key is the presentation that added the entry, counted from
    # the first training on; its value is the same presentation counted in this training, as
    # `Change.evicted` counts it, and the example.
    entries: dict[int, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Norma(Learner):
    """Shrink all weights a little at each presentation; add the example where its margin is at most
    rho.

    Parameters
    ----------
    learning_rate : η, above 0.
    regularization : λ, at least 0, with ηλ < 1: each presentation shrinks by 1 - η_t λ.
    margin : ρ of the hinge loss max(0, ρ - y f(x)), at least 0.
    nu : in (0, 1): ρ is learnt instead, starting at 0, so that this share of margins is at most ρ;
        `margin` is then ignored. None: ρ stays.
    schedule : ``"constant"``: η_t = η; ``"inverse-sqrt"``: η_t = η/√(t + 1) for t from 0.
    truncation : the number of last presentations that are remembered, at least 1; None: all.
    fit_intercept : whether b += η_t y on a margin error; b never shrinks.

    Notes
    -----
    A mistake is y f(x) <= 0; a margin error, y f(x) <= ρ, is what changes f. λ = 0, ρ = 0, η = 1 is
    the kernel perceptron with the unit intercept. With ν, ρ after T presentations is η(νT - margin
    errors) if η is constant. The bounds of the paper are on the regret, not on mistakes. `details`:
    "rho" after each presentation and "compared", the ρ that decided it; "rate" (η_t); "victim" (the
    example that truncation forgot, -1: none). Source: J. Kivinen, A. J. Smola, R. C. Williamson,
    "Online learning with kernels", IEEE Transactions on Signal Processing 52 (2004).
    """

    learning_rate: float = 0.5
    regularization: float = 0.02
    margin: float = 1.0
    nu: float | None = None
    schedule: str = "constant"
    truncation: int | None = None
    fit_intercept: bool = True

    ranges: ClassVar[dict[str, Range]] = {
        "learning_rate": Range(0.01, 10.0, 0.5, "η", "size of a step", log=True),
        "regularization": Range(
            0.0, 0.09, 0.02, "λ", "each presentation multiplies all weights by 1 − ηλ", step=0.005
        ),
        "margin": Range(0.0, 2.0, 1.0, "ρ", "margins up to it are errors", step=0.1),
        "nu": Range(
            0.0, 0.9, 0.0, "ν", "share of margin errors aimed at; 0: ρ stays", step=0.05, off=0.0
        ),
        "truncation": Range(
            0, 500, 0, "τ", "presentations remembered; 0: all", integer=True, off=0
        ),
    }
    choices: ClassVar[dict[str, tuple[Any, ...]]] = {
        "schedule": SCHEDULES,
        "fit_intercept": (True, False),
    }
    reads_own_score: ClassVar[bool] = True
    ages_matter: ClassVar[bool] = True
    takes_mistake_orders: ClassVar[bool] = False
    default_epochs: ClassVar[int] = 10
    unused: ClassVar[dict[str, Callable[[Mapping[str, Any]], str]]] = {
        "margin": lambda values: "ρ is learnt while ν is on" if values["nu"] else ""
    }

    def __post_init__(self) -> None:
        checked_rates(self.learning_rate, self.regularization)
        checks.number("margin", self.margin, low=0.0)
        if self.nu is not None and not 0.0 < checks.number("nu", self.nu) < 1.0:
            raise ValueError(
                f"nu={self.nu!r} is out of range: nu must be a number above 0 and below 1, or None."
            )
        checks.choice("schedule", self.schedule, SCHEDULES)
        if self.truncation is not None:
            checks.integer("truncation", self.truncation, low=1, high=checks.LARGEST_COUNT)
        checks.flag("fit_intercept", self.fit_intercept)

    @property
    def update_margin(self) -> float | None:
        """The margin, if nothing else moves."""
        return None if self.always_changes or self.evicts else self.margin

    @property
    def evicts(self) -> bool:
        """Whether there is a truncation."""
        return self.truncation is not None

    @property
    def capacity(self) -> int | None:
        """The truncation."""
        return self.truncation

    @property
    def always_changes(self) -> bool:
        """Whether weights shrink, or rho moves."""
        return self.regularization > 0.0 or self.nu is not None

    @property
    def about(self) -> About:
        """What the player shows of it."""
        parts = [PanelPart("ages", "|coefficient|, oldest first")]
        if self.nu is not None:
            parts.append(PanelPart("line", "ρ, which is learnt", "rho", 0.0))
        if self.schedule != "constant":
            parts.append(PanelPart("line", "step size ηₜ", "rate", 0.0))
        return About(
            title="NORMA",
            idea="The perceptron never forgets; NORMA lets old examples fade, and so follows a "
            "target that moves.",
            bound="No mistake bound: the paper bounds the regret.",
            panel="How weights fade with age",
            parts=tuple(parts),
            grain="update",
        )

    def start(self, gram: FloatArray, y: FloatArray, rng: np.random.Generator) -> _NormaMemory:
        """Return the labels and the first rho."""
        rho = float(self.margin) if self.nu is None else 0.0
        return _NormaMemory(label_list(y), DetailLog({"rho": rho}, {"victim": -1}), rho)

    def resume(self, memory: _NormaMemory, before: ResumeState) -> None:
        """Go on counting presentations."""
        memory.t = before.t
        if self.nu is not None:
            memory.rho = before.details.get("rho", memory.rho)
            memory.errors = self._errors_before(memory.t, memory.rho)
            memory.offset = memory.rho - self._counted_rho(memory.t, memory.errors)
            if abs(memory.offset) <= _ROUNDING * max(memory.t, 1):
                memory.offset = 0.0
        rows = zip(before.born.tolist(), before.entries.rows(), strict=True)
        memory.entries = {born: (step, i) for born, (step, i, _) in rows}
        memory.log.first.update(rho=memory.rho)

    def change(
        self, memory: _NormaMemory, t: int, i: int, scores: FloatArray, coef: FloatArray
    ) -> Change | None:
        """Shrink; add example i if its margin is at most rho; forget what is too old."""
        t_of_all = memory.t + t
        rate = self._rate(t_of_all)
        label = memory.y[i]
        evicted, victim = self._expired(memory, t_of_all)
        is_margin_error = label * scores.item(i) <= memory.rho
        if self.nu is not None:
            memory.errors += is_margin_error
            if self.schedule == "constant":  # Counts are exact.
                memory.rho = memory.offset + self._counted_rho(t_of_all + 1, memory.errors)
            else:
                memory.rho += rate * (self.nu - 1.0 if is_margin_error else self.nu)
        if self.nu is not None or evicted is not None:
            memory.log.add(t, memory.rho, victim)
        shrink = 1.0 - rate * self.regularization
        if is_margin_error:
            if self.truncation is not None:
                memory.entries[t_of_all] = (t, i)
            step = rate * label
            return Change((i,), (step,), step if self.fit_intercept else 0.0, shrink, evicted)
        if shrink == 1.0 and evicted is None and self.nu is None:
            return None
        return Change(shrink=shrink, evicted=evicted)

    def turning_margin(self, memory: _NormaMemory) -> float:
        """Return ρ, which may move."""
        return memory.rho

    def gains(self, memory: _NormaMemory) -> Gains:
        """Return the rate, which is what a margin error adds if nothing else moves."""
        lift = float(self.fit_intercept)
        if self.schedule == "constant":
            return Gains(lambda t, i, margin: 1.0, lift, self.learning_rate)
        return Gains(lambda t, i, margin: self._rate(memory.t + t), lift)

    def _counted_rho(self, t: int, errors: int) -> float:
        """Return ρ after t presentations with so many margin errors, of a constant rate."""
        return self.learning_rate * (cast(float, self.nu) * t - errors)

    def _errors_before(self, t: int, rho: float) -> int:
        """Return after how many margin errors in t presentations ρ has this value, of a constant
        rate.
        """
        errors = cast(float, self.nu) * t - rho / self.learning_rate
        return round(errors) if 0.0 <= errors <= t else 0

    def _rate(self, t: int) -> float:
        return (
            self.learning_rate
            if self.schedule == "constant"
            else self.learning_rate / math.sqrt(t + 1)
        )

    def _expired(self, memory: _NormaMemory, t_of_all: int) -> tuple[int | None, int]:
        """Return the entry that is too old, by its presentation, and its example; None and -1 where
        there is none.
        """
        if self.truncation is None:
            return None, -1
        return memory.entries.pop(t_of_all - self.truncation, (None, -1))

    def details(self, memory: _NormaMemory, n_steps: int) -> Details:
        """Return "rho", "rate", "victim" and "compared"."""
        recorded = memory.log.arrays(n_steps)
        if self.nu is None:  # One number for all takes no memory.
            rho = np.broadcast_to(np.array([memory.rho]), n_steps + 1)
        else:
            rho = np.append(memory.log.first["rho"], recorded["rho"])
        rate = np.broadcast_to(np.array(self.learning_rate, dtype=float), n_steps)
        if self.schedule != "constant":
            rate = rate / np.sqrt(np.arange(memory.t, memory.t + n_steps) + 1)
        return {**recorded, "rho": rho[1:], "compared": rho[:-1], "rate": rate}
