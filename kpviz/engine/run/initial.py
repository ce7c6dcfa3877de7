"""A fixed f₀(x) = w₀·x + b₀ that is added to every score: the starting weights, or the threshold,
of a textbook.

Nothing learns it, and nothing shrinks it: f(x) = f₀(x) + sum of coef_i k(x_i, x) + b.

Tests: tests/engine/test_conventions.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Kernel
from kpviz.engine.learners.protocol import Learner
from kpviz.engine.read_only import read_only
from kpviz.engine.rounding import without_rounding


class Initial(NamedTuple):
    """The weights w₀, (n_features,), None for none, and b₀."""

    w0: FloatArray | None
    b0: float

    def terms(self, Z: FloatArray) -> FloatArray:
        """Return what is added up to f₀ of each of the examples Z: w₀ times each feature, and b₀,
        (terms, n_Z).
        """
        constant = np.full((1, len(Z)), self.b0)
        return constant if self.w0 is None else np.vstack([self.w0[:, None] * Z.T, constant])

    def scores(self, Z: FloatArray) -> FloatArray:
        """Return f₀ of each row of Z, (n_Z,); 0.0 where it is but a rounding error.

        >>> Initial(np.array([0.1, 0.2]), -0.3).scores(np.array([[1.0, 1.0], [1.0, 2.0]])).round(3)
        array([0. , 0.2])
        """
        return without_rounding(self.terms(Z).sum(axis=0), self.sizes(Z))

    def sizes(self, Z: FloatArray) -> FloatArray:
        """Return what the terms of f₀ amount to without their signs, (n_Z,)."""
        return np.asarray(np.abs(self.terms(Z)).sum(axis=0))


def checked_initial(
    value: Any, X: NDArray[Any], kernel: Kernel | None, learner: Learner
) -> Initial | None:
    """Return `initial` of `train`, None where it adds nothing; ValueError, of one sentence, where
    it has no meaning.
    """
    if value is None:
        return None
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise ValueError(
            f"initial={checks.text_of(value)} is not a pair: it must be (w0, b0), weights and a "
            f"number, or None."
        )
    w0, b0 = value
    if not learner.takes_initial:
        raise ValueError(
            f"initial is not for {learner.name}: it learns all of f itself, from zero."
        )
    b0 = checks.number("b0 of initial", b0) + 0.0  # + 0.0 makes 0.0 of -0.0.
    weights = None
    if w0 is not None:
        if X.ndim != 2 or kernel is None:
            what = "a precomputed Gram matrix has" if kernel is None else f"{kernel.compares} have"
            raise ValueError(
                f"initial has weights for features, which {what} not: give (None, b0)."
            )
        weights = _weights(w0, X.shape[1])
        weights = read_only(weights) if weights.any() else None
    return None if weights is None and not b0 else Initial(weights, b0)


def _weights(w0: Any, features: int) -> FloatArray:
    weights = checks.numbers("w0 of initial", w0)
    if weights.shape != (features,):
        raise ValueError(
            f"w0 of initial is {checks.text_of(w0)}: it must have one number for each of "
            f"{features} features."
        )
    if not np.isfinite(weights).all():
        raise ValueError(
            "w0 of initial holds NaN or infinity: every weight must be a finite number."
        )
    return weights + 0.0  # + 0.0 makes 0.0 of -0.0.
