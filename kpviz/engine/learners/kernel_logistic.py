"""Kernel logistic regression, online.

Tests: tests/engine/test_learners.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.learners.protocol import (
    About,
    Change,
    DetailLog,
    Learner,
    PanelPart,
    checked_rates,
    label_list,
)


@dataclass
class _LogisticMemory:
    y: list[float]
    log: DetailLog


@dataclass(frozen=True)
class KernelLogistic(Learner):
    """At each presentation shrink all weights, then add the example in proportion to how improbable
    its label was.

    Parameters
    ----------
    learning_rate : η, above 0.
    regularization : λ, at least 0, with ηλ < 1.

    Notes
    -----
    alpha *= 1 - ηλ, then alpha_i += η σ(-y f(x_i)), with σ(z) = 1/(1 + exp(-z)): the perceptron is
    the step function in place of σ. Every presentation is a change, and there is no intercept.
    σ(f(x)) is the probability of class +1. A mistake is y f(x) <= 0; there is no mistake bound. The
    batch optimum is `kpviz.theory.logistic_optimum`.
    `details`: "probability", σ(f(x_i)) before each presentation, and "added", what was added to
    alpha_i in it. Source: stochastic gradient descent on the log loss, as in J. Kivinen, A. J.
    Smola, R. C. Williamson, "Online learning with kernels", IEEE Transactions on Signal Processing
    52 (2004).
    """

    learning_rate: float = 0.5
    regularization: float = 0.01

    effort: ClassVar[float] = 1.5
    ranges: ClassVar[dict[str, Range]] = {
        "learning_rate": Range(0.01, 10.0, 0.5, "η", "size of a step", log=True),
        "regularization": Range(
            0.0, 0.09, 0.01, "λ", "each presentation multiplies all weights by 1 − ηλ", step=0.005
        ),
    }
    always_changes: ClassVar[bool] = True
    reads_own_score: ClassVar[bool] = True
    takes_mistake_orders: ClassVar[bool] = False
    takes_initial: ClassVar[bool] = False
    default_epochs: ClassVar[int] = 10

    def __post_init__(self) -> None:
        checked_rates(self.learning_rate, self.regularization)

    @property
    def about(self) -> About:
        """What the player shows of it."""
        return About(
            title="Logistic regression",
            idea="The perceptron says which side; this one says how sure: σ(f) is a probability.",
            bound="No mistake bound: each step follows the gradient of the log loss.",
            panel="How much is added, by margin",
            parts=(
                PanelPart(
                    "curve",
                    "α grows by η·σ(−y f) (dashed: the perceptron’s step)",
                    "added",
                    self.learning_rate,
                ),
            ),
            grain="update",
            probability=True,
        )

    def start(self, gram: FloatArray, y: FloatArray, rng: np.random.Generator) -> _LogisticMemory:
        """Return the labels."""
        return _LogisticMemory(label_list(y), DetailLog({}, {"probability": 0.5, "added": 0.0}))

    def change(
        self, memory: _LogisticMemory, t: int, i: int, scores: FloatArray, coef: FloatArray
    ) -> Change:
        """Shrink, and add example i in proportion to how improbable its label was."""
        f = scores.item(i)
        label = memory.y[i]
        added = self.added(label * f)
        memory.log.add(t, sigmoid(f), added)
        return Change((i,), (label * added,), shrink=1.0 - self.learning_rate * self.regularization)

    def added(self, margin: float) -> float:
        """Return what alpha gains at this margin, η σ(-margin)."""
        return self.learning_rate * sigmoid(-margin)


def sigmoid(z: float) -> float:
    """Return 1 / (1 + exp(-z)) without overflow."""
    if z >= 0.0:
        return 1.0 / (1.0 + math.exp(-z))
    e = math.exp(z)
    return e / (1.0 + e)
