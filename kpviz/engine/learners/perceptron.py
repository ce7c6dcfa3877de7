"""The perceptron of Rosenblatt in the dual form of Aizerman, Braverman and Rozonoer.

Tests: tests/engine/test_learners.py, tests/engine/test_bounds.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.learners.protocol import About, Gains, Learner, label_list

INTERCEPTS = ("none", "unit", "radius")
TIES = ("mistake", "correct", "positive", "negative")


class _PerceptronMemory(NamedTuple):
    y: list[float]
    shift: float
    zero: list[bool]  # For each example it says if a score of 0 is a mistake.


@dataclass(frozen=True)
class Perceptron(Learner):
    """On a mistake, add the example: alpha_i += learning_rate.

    Parameters
    ----------
    learning_rate : above 0. From a zero start it scales f and never changes a mistake.
    intercept : what a mistake adds to b: ``"none"`` nothing, ``"unit"`` learning_rate * y,
        ``"radius"`` learning_rate * y * R² with R² = max k(x, x) over the training set. Each is the
        same as a constant feature: the kernel k + 1, or k + R².
    tie : who wins at f(x) = 0. ``"mistake"``: a zero score is a mistake (margin <= 0).
        ``"correct"``: it is not (margin < 0; from a zero start nothing is ever learnt).
        ``"positive"``: sign(0) = +1; ``"negative"``: sign(0) = -1.

    Notes
    -----
    The bound is Novikoff's (1962): at most R²/margin² mistakes without intercept, see
    `kpviz.theory`. Source: M. A. Aizerman, E. M. Braverman, L. I. Rozonoer, "Theoretical
    foundations of the potential function method in pattern recognition learning", Automation and
    Remote Control 25 (1964).
    """

    learning_rate: float = 1.0
    intercept: str = "none"
    tie: str = "mistake"

    ranges: ClassVar[dict[str, Range]] = {
        "learning_rate": Range(
            0.01, 10.0, 1.0, "η", "learning rate: changes the size of f, not the verdicts", log=True
        )
    }
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"intercept": INTERCEPTS, "tie": TIES}
    update_margin: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        checks.number("learning_rate", self.learning_rate, above=0.0)
        checks.choice("intercept", self.intercept, INTERCEPTS)
        checks.choice("tie", self.tie, TIES)

    @property
    def about(self) -> About:
        """What the player shows of it."""
        bounds = {
            "none": "R²/γ² mistakes, if the classes can be separated with a margin γ",
            "unit": "(R² + 1)/γ² mistakes, if the classes can be separated with a margin γ, the "
            "feature 1 included",
            "radius": "(2R/γ)² mistakes, if the classes can be separated with a margin γ and some "
            "b",
        }
        return About(
            title="Perceptron",
            idea="On a mistake, add the example: nothing else.",
            bound=f"At most {bounds[self.intercept]}. R is the largest ‖φ(x)‖.",
            counts=True,
        )

    @property
    def unit(self) -> float:
        """The learning rate: coefficients are counts until they are read."""
        return float(self.learning_rate)

    def start(self, gram: FloatArray, y: FloatArray, rng: np.random.Generator) -> _PerceptronMemory:
        """Return the labels, what a mistake adds to b, and who loses a tie."""
        match self.intercept:
            case "radius":
                shift = float(gram.diagonal().max())
            case "unit":
                shift = 1.0
            case _:
                shift = 0.0
        return _PerceptronMemory(label_list(y), shift, self.mistakes(y, np.zeros_like(y)).tolist())

    def gains(self, memory: _PerceptronMemory) -> Gains:
        """Add example i, unless its score is zero and `tie` calls that correct."""
        zero = memory.zero
        return Gains(lambda t, i, margin: 1.0 if margin or zero[i] else 0.0, memory.shift)

    def mistakes(self, y: FloatArray, score: FloatArray) -> NDArray[np.bool_]:
        """Return where y f(x) < 0, or f(x) = 0 and `tie` says so."""
        is_zero = score == 0
        match self.tie:
            case "correct":
                is_zero = np.zeros_like(is_zero)
            case "positive":
                is_zero = is_zero & (y < 0)
            case "negative":
                is_zero = is_zero & (y > 0)
        return np.asarray((y * score < 0) | is_zero)
