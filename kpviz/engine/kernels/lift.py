"""The plane lifted into space: φ(x) = (x₁², √2·x₁x₂, x₂²), whose products are (u·v)².

φ(u)·φ(v) = u₁²v₁² + 2·u₁u₂v₁v₂ + u₂²v₂² = (u₁v₁ + u₂v₂)². A circle about the origin is a plane there, and so is every
ellipse, hyperbola or pair of lines with its centre at the origin.

Legend: n examples; f(x) = sum of coef_i k(x_i, x) + b = w·φ(x) + b with w = sum of coef_i φ(x_i).
"""

from __future__ import annotations

from typing import NamedTuple

from numpy.typing import ArrayLike

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Kernel, Monomial
from kpviz.engine.kernels.features import feature_names, features

KERNEL = Monomial(degree=2)
AXES = feature_names(KERNEL, 2)
"""Names of the three axes."""
NOTE = "φ(x) is a vector of three numbers; some notes write their sum, which is one number."


class Plane(NamedTuple):
    """The points z of space with w·z + b = 0; w is (3,), and (0, 0, 0) before the first mistake: then no plane."""

    w: FloatArray
    b: float


def missing(kernel: Kernel | None) -> str:
    """Return why there is no such picture for a kernel, in a sentence; "" for the one that has it."""
    if kernel == KERNEL:
        return ""
    name = "precomputed" if kernel is None else kernel.label
    return f"The lift is that of the monomial kernel (u·v)², of degree 2: it is not there for {name}."


def phi(X: ArrayLike) -> FloatArray:
    """Return φ of each row of X, shape (n, 2), as rows of shape (n, 3); ValueError for other shapes.

    >>> phi([[1.0, 3.0]]).round(4).tolist()
    [[1.0, 4.2426, 9.0]]
    """
    return features(KERNEL, checks.matrix("X", X, columns=2))


def plane(lifted: FloatArray, coef: FloatArray, intercept: float = 0.0) -> Plane:
    """Return the separating plane of the coefficients (n,) of examples whose φ, (n, 3), are `lifted`.

    >>> import numpy as np
    >>> found = plane(phi([[1.0, 0.0], [0.0, 2.0]]), np.array([1.0, -1.0]), 0.5)
    >>> found.w.tolist(), found.b
    ([1.0, 0.0, -4.0], 0.5)
    """
    return Plane(coef @ lifted, float(intercept))
