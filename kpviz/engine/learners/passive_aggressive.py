"""The passive-aggressive learners of Crammer, Dekel, Keshet, Shalev-Shwartz and Singer.

Tests: tests/engine/test_learners.py, tests/engine/test_bounds.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.learners.protocol import About, DetailLog, Gains, Learner, PanelPart, label_list

VARIANTS = ("PA", "PA-I", "PA-II")
_BOUNDS = {
    "PA": "M ≤ R²‖u‖², if u has no hinge loss on any example.",
    "PA-I": "M ≤ max(R², 1/C)·(‖u‖² + 2C·Σ hinge(u)) for every u.",
    "PA-II": "M ≤ (R² + 1/(2C))·(‖u‖² + 2C·Σ hinge(u)²) for every u.",
}


@dataclass
class _PassiveAggressiveMemory:
    y: list[float]
    squares: list[float]  # k(x, x)
    log: DetailLog


@dataclass(frozen=True)
class PassiveAggressive(Learner):
    """Where the margin is below 1, change f by as little as makes it 1, or by less; else leave f
    alone.

    Parameters
    ----------
    variant : how large the step τ is where the hinge loss l = max(0, 1 - y f(x)) is above 0.
        ``"PA"``: l / k(x, x), the least that makes the margin 1. ``"PA-I"``: at most C.
        ``"PA-II"``: l / (k(x, x) + 1/(2C)).
    C : above 0, how aggressive a step may be; not used by ``"PA"``.

    Notes
    -----
    alpha_i += τ, without an intercept. A mistake is y f(x) <= 0, but a margin below 1 is an update,
    too; a zero score has the loss 1. An example with k(x, x) <= 0, such as the origin under the
    linear kernel, changes nothing: no step makes its margin 1. A margin that is only a rounding
    error below 1 counts as 1: with ``"PA-II"`` a margin approaches 1 and never is 1 by hand, and a
    run ends "clean" once no loss is more than a rounding error. Bounds on the mistakes M, with R² =
    max k(x, x): ``"PA"`` R²‖u‖², if u has no hinge loss on any example; ``"PA-I"`` max(R²,
    1/C)·(‖u‖² + 2C Σ hinge(u)) and ``"PA-II"`` (R² + 1/(2C))·(‖u‖² + 2C Σ hinge(u)²), for every u.
    `details`: "loss" before each presentation, and "tau", what alpha_i gained in it. Source: K.
    Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz, Y. Singer, "Online passive-aggressive
    algorithms", Journal of Machine Learning Research 7 (2006).
    """

    variant: str = "PA"
    C: float = 1.0

    ranges: ClassVar[dict[str, Range]] = {
        "C": Range(0.01, 1000.0, 1.0, "C", "how aggressive a step may be", log=True)
    }
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"variant": VARIANTS}
    unused: ClassVar[dict[str, Callable[[Mapping[str, Any]], str]]] = {
        "C": lambda values: "PA always makes the margin 1" if values["variant"] == "PA" else ""
    }
    default_epochs: ClassVar[int] = 10
    update_margin: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        checks.choice("variant", self.variant, VARIANTS)
        checks.number("C", self.C, above=0.0)

    @property
    def about(self) -> About:
        """What the player shows of it."""
        limit = self.C if self.variant == "PA-I" else 0.0
        return About(
            title="Passive-aggressive",
            idea="The perceptron adds each example in full; this one adds as much of it as its "
            "margin lacks.",
            bound=_BOUNDS[self.variant],
            panel="Loss and step τ",
            parts=(
                PanelPart("line", "hinge loss before each step", "loss", 0.0),
                PanelPart(
                    "line", "step τ (dashed: at most C)" if limit else "step τ", "tau", limit
                ),
            ),
            grain="update",
        )

    def start(
        self, gram: FloatArray, y: FloatArray, rng: np.random.Generator
    ) -> _PassiveAggressiveMemory:
        """Return labels and squared lengths."""
        return _PassiveAggressiveMemory(
            label_list(y), gram.diagonal().tolist(), DetailLog({}, {"loss": 0.0, "tau": 0.0})
        )

    def gains(self, memory: _PassiveAggressiveMemory) -> Gains:
        """Add as much of example i as its margin lacks."""
        return Gains(partial(self._step, memory))

    def _step(self, memory: _PassiveAggressiveMemory, t: int, i: int, margin: float) -> float:
        """Return τ, and write it down with the loss."""
        loss = 1.0 - margin
        square = memory.squares[i]
        if loss <= 0.0:  # A margin next to 1 has been made 1, so not even a rounding error is left.
            return 0.0
        if square <= 0.0:
            step = 0.0
        elif self.variant == "PA-II":
            step = loss / (square + 0.5 / self.C)
        else:
            step = min(self.C, loss / square) if self.variant == "PA-I" else loss / square
        memory.log.add(t, loss, step)
        return step
