"""The Projectron of Orabona, Keshet and Caputo: project what the support nearly spans.

Tests: tests/engine/test_learners.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.learners.protocol import (
    About,
    Change,
    DetailLog,
    Details,
    Learner,
    PanelPart,
    ResumeState,
    label_list,
)
from kpviz.engine.rounding import ROUNDING

_SPANNED = 1e-10  # A squared distance below this share of k(x, x) is rounding.


@dataclass
class _ProjectronMemory:
    y: list[float]
    gram: Any
    log: DetailLog
    # Coordinates of all examples along an orthonormal basis of the span of the support.
    basis: FloatArray
    support: list[int] = field(default_factory=list)
    # Examples are projected onto this support.
    projections: dict[int, tuple[float, ...]] = field(default_factory=dict)

    def squared_distance(self, i: int) -> float:
        """Return the squared distance of φ(x_i) to the span of the support."""
        along = self.basis[:, i]
        return float(self.gram[i, i] - along @ along)

    def projection(self, i: int) -> FloatArray:
        """Return d = K_SS⁻¹ k_i, by the triangular factor of Gram–Schmidt: an inverse would lose
        digits.
        """
        triangle = np.triu(self.basis[:, self.support])
        d = np.asarray(np.linalg.solve(triangle, self.basis[:, i]), dtype=np.float64)
        return _without_small(d, np.sqrt(self.gram[self.support, self.support]))

    def added(self, i: int) -> tuple[float, ...]:
        """Return what a mistake on example i adds to the support, if its projection does."""
        if i not in self.projections:
            self.projections[i] = tuple((self.y[i] * self.projection(i)).tolist())
        return self.projections[i]

    def add(self, i: int, squared: float) -> None:
        """Take example i into the support: what no direction holds yet is a new one."""
        row = (self.gram[i] - self.basis[:, i] @ self.basis) / math.sqrt(squared)
        self.basis = np.vstack([self.basis, row])
        self.support.append(i)
        self.projections.clear()


@dataclass
class _OfSupport(_ProjectronMemory):
    """The same where the examples are too many for the coordinates of all: those of the support
    only are kept.

    `inverse` is that of the triangle of these coordinates, transposed, so that the coordinates of
    any example are a product with its k.
    """

    inverse: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    # The example that was asked for last, and its coordinates.
    latest: tuple[int, FloatArray] = (
        -1,
        np.zeros(0),
    )

    def coordinates(self, i: int) -> FloatArray:
        """Return the coordinates of example i along the basis."""
        if self.latest[0] != i:
            k = self.gram.values(self.support, [i])[:, 0] if self.support else np.zeros(0)
            self.latest = (i, self.inverse @ k)
        return self.latest[1]

    def squared_distance(self, i: int) -> float:
        along = self.coordinates(i)
        return float(self.gram[i, i] - along @ along)

    def projection(self, i: int) -> FloatArray:
        lengths = np.sqrt(self.gram.diagonal()[self.support])
        return _without_small(self.coordinates(i) @ self.inverse, lengths)

    def add(self, i: int, squared: float) -> None:
        along = self.coordinates(i)
        length = math.sqrt(squared)
        size = len(self.support)
        inverse = np.zeros((size + 1, size + 1))
        inverse[:size, :size] = self.inverse
        inverse[size, :size] = -(along @ self.inverse) / length
        inverse[size, size] = 1.0 / length
        self.inverse = inverse
        self.support.append(i)
        self.projections.clear()
        self.latest = (-1, np.zeros(0))


def _without_small(d: FloatArray, lengths: FloatArray) -> FloatArray:
    """Return a projection with 0.0 where a part of it is but rounding; `lengths` are those of the
    support.
    """
    sizes = np.abs(d) * lengths
    return np.where(sizes < ROUNDING * sizes.max(initial=0.0), 0.0, d)


def _cancelled(deltas: tuple[float, ...], coef: list[float]) -> tuple[float, ...]:
    """Return what is added to each coefficient: what makes it 0 where only a rounding error would
    be left of it.
    """
    return tuple(
        -value if abs(value + delta) < ROUNDING * (abs(value) + abs(delta)) else delta
        for delta, value in zip(deltas, coef, strict=True)
    )


@dataclass(frozen=True)
class Projectron(Learner):
    """On a mistake, add the example; but if the support nearly spans it already, add its projection
    instead.

    Parameters
    ----------
    threshold : at least 0, the largest distance in the feature space at which an example is
        projected. At 0 only what the support spans exactly is projected, which changes no score:
        the perceptron, with fewer examples.

    Notes
    -----
    d = K_SS⁻¹ k_t and δ² = k(x_t, x_t) - k_t·d; if δ <= threshold, coef_S += y_t d, else x_t joins
    S. The support is finite for any stream, if the examples are from a compact set, but no number
    is set beforehand. A zero score is a mistake. `details`: "distance" δ (0 where there was no
    mistake) and "projected". Source: F. Orabona, J. Keshet, B. Caputo, "Bounded kernel-based online
    learning", Journal of Machine Learning Research 10 (2009).
    """

    threshold: float = 0.1

    effort: ClassVar[float] = 0.3
    projects: ClassVar[bool] = True
    reads_own_score: ClassVar[bool] = True
    ranges: ClassVar[dict[str, Range]] = {
        "threshold": Range(
            0.0, 0.95, 0.1, "δ₀", "largest distance at which an example is projected", step=0.01
        )
    }
    update_margin: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        checks.number("threshold", self.threshold, low=0.0)

    @property
    def about(self) -> About:
        """What the player shows of it."""
        return About(
            title="Projectron",
            idea="Most new examples are nearly sums of old ones: those need no room of their own.",
            bound="A bound holds for a threshold that is small beside 1/‖g‖, where g is the "
            "function compared with: "
            "see the paper.",
            panel="Distance to the span",
            parts=(
                PanelPart(
                    "line",
                    "distance δ at each mistake (dashed: threshold δ₀)",
                    "distance",
                    self.threshold,
                    at="mistakes",
                ),
            ),
        )

    def start(self, gram: FloatArray, y: FloatArray, rng: np.random.Generator) -> _ProjectronMemory:
        """Return an empty memory."""
        log = DetailLog({}, {"distance": 0.0, "projected": False})
        memory = _ProjectronMemory if isinstance(gram, np.ndarray) else _OfSupport
        return memory(
            label_list(y), gram, log, np.zeros((0, len(y) if memory is _ProjectronMemory else 0))
        )

    def change(
        self, memory: _ProjectronMemory, t: int, i: int, scores: FloatArray, coef: FloatArray
    ) -> Change:
        """Add example i, or its projection onto the support."""
        label = memory.y[i]
        if i in memory.support:
            memory.log.add(t, 0.0, True)
            return Change((i,), _cancelled((label,), [coef.item(i)]))
        squared = memory.squared_distance(i)
        distance = math.sqrt(max(squared, 0.0))
        if distance <= self.threshold or squared <= _SPANNED * abs(memory.gram[i, i]):
            memory.log.add(t, distance, True)
            return Change(
                tuple(memory.support), _cancelled(memory.added(i), coef[memory.support].tolist())
            )
        memory.add(i, squared)
        memory.log.add(t, distance, False)
        return Change((i,), (label,))

    def resume(self, memory: _ProjectronMemory, before: ResumeState) -> None:
        """Begin with the support of an earlier training, in its order, without examples that the
        others span.
        """
        for i in before.entries.index.tolist():
            squared = memory.squared_distance(i)
            if squared > _SPANNED * abs(memory.gram[i, i]):
                memory.add(i, squared)

    def joined(self, details: Details) -> NDArray[np.bool_]:
        """Return where a mistake was far from the span; of a run of nothing, which has no details,
        no step.
        """
        if not details:
            return np.zeros(0, dtype=bool)
        return np.asarray((details["distance"] > 0.0) & (details["projected"] == 0))
