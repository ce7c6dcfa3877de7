"""What the loop in `kpviz.engine.train` asks of a learner."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray, Range


class Change(NamedTuple):
    """What one presentation changes, in the learner's unit.

    In this order: ``coef *= shrink``, then ``coef[indices] += deltas``, and ``b += shift``.
    """

    indices: tuple[int, ...]
    deltas: tuple[float, ...]
    shift: float = 0.0
    shrink: float = 1.0


class Learner(Protocol):
    """Frozen settings with a rule; everything that moves is in the memory that `start` returns."""

    ranges: ClassVar[dict[str, Range]]

    @property
    def unit(self) -> float:
        """Factor of coefficients, scores and b: multiplied in only when they are read, so ties stay exact."""
        ...

    @property
    def quiet_above(self) -> float | None:
        """The loop asks only when y f(x) is at most this (in units); None: always."""
        ...

    def start(self, gram: FloatArray, y: FloatArray, rng: np.random.Generator) -> Any:
        """Return the memory of a fresh training."""
        ...

    def change(self, memory: Any, t: int, i: int, scores: FloatArray, coef: FloatArray) -> Change | None:
        """Return what showing example i as presentation t changes.

        `scores` (f on all examples) and `coef` are in units and must not be written to.
        """
        ...

    def mistakes(self, y: FloatArray, score: FloatArray) -> NDArray[np.bool_]:
        """Return which scores count as mistakes."""
        ...
