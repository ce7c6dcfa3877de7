"""Kernels of vectors: small frozen objects that are called with two sets of examples.

A new one is one class, one line in `NAMED_KERNELS`, and its name in the `__init__.py` beside this
file. `Kernel` in base.py says what `isotropic`, `hill`, `at_most_1` and `strict` claim of it.

Notation: u is a row of X, v a row of Z, u·v their inner product, n_X and n_Z the numbers of rows.

Tests: tests/engine/test_kernels.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.kernels.base import Kernel, finite_values
from kpviz.engine.kernels.distances import squared_distances
from kpviz.engine.kernels.feature_maps import MOST_DEGREE, FeatureMap, Powers, Subsets
from kpviz.engine.kernels.form import Form
from kpviz.engine.rounding import inner_products

# The squares and the inverses of widths between these are neither 0 nor infinite.
_NARROWEST = 1e-100
_WIDEST = 1e100
# In widths: from this distance on k is 0 in double precision, and further away its formula is
# infinity times 0.
_ZERO_FROM = 750.0


@dataclass(frozen=True)
class Linear(Kernel):
    """u·v: the plane itself is the feature space.

    >>> Linear()(np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]]))
    array([[1.]])
    """

    name: ClassVar[str] = "Linear"
    written: ClassVar[str] = "dot(u, v)"
    proof: ClassVar[tuple[str, str]] = (
        "inner product",
        "k(u, v) = u·v: the features are the components of x themselves.",
    )

    @property
    def feature_map(self) -> FeatureMap:
        return Powers(1)


@dataclass(frozen=True)
class Polynomial(Kernel):
    """(u·v + coef0)^degree: all monomials up to the degree; a larger coef0 puts less weight on the
    high ones.

    degree is a whole number, 1 to 10,000, coef0 at least 0 (a negative one is not positive
    semidefinite).

    Parameters
    ----------
    degree : a whole number, 1 to 10,000.
    coef0 : at least 0.

    Examples
    --------
    >>> Polynomial(degree=2, coef0=1.0)(np.array([[1.0, 1.0]]), np.array([[1.0, -1.0]]))
    array([[1.]])
    """

    degree: int = 2
    coef0: float = 1.0
    name: ClassVar[str] = "Polynomial"
    written: ClassVar[str] = "(dot(u, v) + {coef0})**{degree}"
    proof: ClassVar[tuple[str, str]] = (
        "polynomial",
        "(u·v + c)^q with c ≥ 0: sums and products of u·v and a constant.",
    )
    ranges: ClassVar[dict[str, Range]] = {
        "degree": Range(1, 8, 2, "q", "degree", integer=True),
        "coef0": Range(0.0, 5.0, 1.0, "c", "constant added to the inner product", step=0.1),
    }

    def __post_init__(self) -> None:
        checks.integer("degree", self.degree, low=1, high=MOST_DEGREE)
        checks.number("coef0", self.coef0, low=0.0)

    @property
    def feature_map(self) -> FeatureMap:
        return Powers(self.degree, self.coef0)


@dataclass(frozen=True)
class Monomial(Kernel):
    """(u·v)^degree: all monomials of exactly this degree, which is a whole number, 1 to 10,000.

    Parameters
    ----------
    degree : a whole number, 1 to 10,000.

    Examples
    --------
    >>> Monomial(degree=3)(np.array([[1.0, 1.0]]), np.array([[1.0, 1.0]]))
    array([[8.]])
    """

    degree: int = 2
    name: ClassVar[str] = "Monomial"
    written: ClassVar[str] = "dot(u, v)**{degree}"
    proof: ClassVar[tuple[str, str]] = (
        "power by a whole number",
        "a product of the kernel with itself.",
    )
    ranges: ClassVar[dict[str, Range]] = {"degree": Polynomial.ranges["degree"]}

    def __post_init__(self) -> None:
        checks.integer("degree", self.degree, low=1, high=MOST_DEGREE)

    @property
    def feature_map(self) -> FeatureMap:
        return Powers(self.degree)


@dataclass(frozen=True)
class _Hill(Kernel):
    """What fades with the distance; sigma, above 0, is in data units."""

    sigma: float = 0.5
    isotropic: ClassVar[bool] = True
    hill: ClassVar[bool] = True
    at_most_1: ClassVar[bool] = True
    strict: ClassVar[bool] = True
    ranges: ClassVar[dict[str, Range]] = {
        "sigma": Range(0.02, 10.0, 0.5, "σ", "width: how far the hill reaches", log=True)
    }

    def __post_init__(self) -> None:
        checks.number("sigma", self.sigma, low=_NARROWEST, high=_WIDEST)

    def diag(self, X: FloatArray) -> FloatArray:
        return np.ones(len(self.examples("X", X)))

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        """Return the same as by its formula, where a distance may be infinite: then k is 0."""
        with np.errstate(over="ignore"):
            return super().evaluate(X, Z)


@dataclass(frozen=True)
class Gaussian(_Hill):
    """exp(-‖u - v‖² / (2 sigma²)): similarity that fades with distance; sigma, above 0, is in data
    units.

    Parameters
    ----------
    sigma : its width, above 0, in the units of the data.

    Examples
    --------
    >>> Gaussian(sigma=1.0)(np.zeros((1, 2)), np.array([[1.0, 1.0]])).round(4)
    array([[0.3679]])
    """

    name: ClassVar[str] = "Gaussian"
    written: ClassVar[str] = "exp(-norm(u - v)**2/(2*{sigma}**2))"
    proof: ClassVar[tuple[str, str]] = (
        "Gaussian",
        "exp(−a‖u − v‖²) = exp(2a u·v)·g(u)·g(v) with g(x) = exp(−a‖x‖²): exponential, rescaled.",
    )

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        """Return the same as by its formula, in little more than half the time."""
        with np.errstate(over="ignore"):
            squared = squared_distances(X, Z)
            squared /= -2.0 * self.sigma**2
            return np.asarray(np.exp(squared, out=squared))


@dataclass(frozen=True)
class Laplacian(_Hill):
    """exp(-‖u - v‖₁ / sigma): like the Gaussian, but with a kink at each example; sigma is above 0.

    Parameters
    ----------
    sigma : its width, above 0, in the units of the data.

    Examples
    --------
    >>> Laplacian(sigma=1.0)(np.zeros((1, 2)), np.array([[1.0, -1.0]])).round(4)
    array([[0.1353]])
    """

    name: ClassVar[str] = "Laplacian"
    isotropic: ClassVar[bool] = False
    written: ClassVar[str] = "exp(-norm1(u - v)/{sigma})"
    proof: ClassVar[tuple[str, str]] = (
        "Laplacian",
        "a product over the components of exp(−a|uᵢ − vᵢ|), each of which is a kernel on the line.",
    )


@dataclass(frozen=True)
class _Matern(_Hill):
    """Between the Laplacian's kink and the Gaussian's endless smoothness."""

    proof: ClassVar[tuple[str, str]] = (
        "Matérn",
        "its Fourier transform is a density of Student’s t, which is positive: a mixture of "
        "cosines of differences.",
    )

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        """Return the same as by its formula, which very far away is infinity times 0."""
        with np.errstate(over="ignore"):
            squared = np.minimum(squared_distances(X, Z), (_ZERO_FROM * self.sigma) ** 2)
        return self.of_distance(np.sqrt(squared), squared)

    def of_distance(self, distance: FloatArray, squared: FloatArray) -> FloatArray:
        """Return k at distances, whose squares are given, too."""
        raise checks.lacks(self, "of_distance(distance, squared)", "returns k at distances")


@dataclass(frozen=True)
class Matern32(_Matern):
    """(1 + √3 d) exp(-√3 d) with d = ‖u - v‖/sigma: once differentiable, so with sharper peaks than
    the Gaussian.

    Source: M. L. Stein, "Interpolation of spatial data: some theory for kriging", Springer (1999).

    Parameters
    ----------
    sigma : its width, above 0, in the units of the data.

    Examples
    --------
    >>> Matern32(sigma=1.0)(np.zeros((1, 2)), np.array([[0.6, 0.8]])).round(4)
    array([[0.4834]])
    """

    name: ClassVar[str] = "Matérn 3/2"
    written: ClassVar[str] = "(1 + sqrt(3)*norm(u - v)/{sigma})*exp(-(sqrt(3)*norm(u - v)/{sigma}))"

    def of_distance(self, distance: FloatArray, squared: FloatArray) -> FloatArray:
        s = math.sqrt(3.0) * distance / self.sigma
        return np.asarray((1.0 + s) * np.exp(-s))


@dataclass(frozen=True)
class Matern52(_Matern):
    """(1 + √5 d + 5 d²/3) exp(-√5 d) with d = ‖u - v‖/sigma: twice differentiable.

    Source: M. L. Stein, "Interpolation of spatial data: some theory for kriging", Springer (1999).

    Parameters
    ----------
    sigma : its width, above 0, in the units of the data.

    Examples
    --------
    >>> Matern52(sigma=1.0)(np.zeros((1, 2)), np.array([[0.6, 0.8]])).round(4)
    array([[0.524]])
    """

    name: ClassVar[str] = "Matérn 5/2"
    written: ClassVar[str] = (
        "(1 + sqrt(5)*norm(u - v)/{sigma} + 5*norm(u - v)**2/(3*{sigma}**2))*exp(-(sqrt(5)*norm(u "
        "- v)/{sigma}))"
    )

    def of_distance(self, distance: FloatArray, squared: FloatArray) -> FloatArray:
        s = math.sqrt(5.0) * distance / self.sigma
        return np.asarray((1.0 + s + 5.0 * squared / (3.0 * self.sigma**2)) * np.exp(-s))


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """tanh(gamma u·v + coef0): borrowed from neural networks, and not positive semidefinite.

    On such a Gram matrix the perceptron may cycle, and "‖f‖²" may turn negative. gamma is above 0.

    Parameters
    ----------
    gamma : factor of u·v, above 0.
    coef0 : what is added to it.

    Examples
    --------
    >>> Sigmoid(gamma=1.0, coef0=0.0)(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]))
    array([[0.]])
    """

    gamma: float = 1.0
    coef0: float = 0.0
    name: ClassVar[str] = "Sigmoid"
    at_most_1: ClassVar[bool] = True
    written: ClassVar[str] = "tanh({gamma}*dot(u, v) + {coef0})"
    ranges: ClassVar[dict[str, Range]] = {
        "gamma": Range(0.1, 10.0, 1.0, "γ", "slope", log=True),
        "coef0": Range(-5.0, 5.0, 0.0, "c", "constant added to the inner product", step=0.1),
    }
    psd: str = field(default="no", init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        checks.number("gamma", self.gamma, above=0.0)
        checks.number("coef0", self.coef0)


@dataclass(frozen=True)
class AllSubsets(Kernel):
    """Product over features of (1 + u_i v_i): one feature for each subset of the inputs, 2^n of
    them.

    With `negated`, the product of (1 + u_i v_i)(1 + (1 - u_i)(1 - v_i)): one feature for each
    conjunction of inputs and of negated inputs 1 - u_i, 4^n of them; on bits it is 2 to the number
    of bits that agree.

    Source: R. Khardon, D. Roth, R. Servedio, "Efficiency versus convergence of Boolean kernels for
    on-line learning algorithms", NIPS 14 (2001).

    Parameters
    ----------
    negated : whether each feature stands for itself and for its negation.

    Examples
    --------
    >>> AllSubsets()(np.array([[1.0, 1.0]]), np.array([[1.0, -1.0]]))
    array([[0.]])
    >>> AllSubsets(negated=True)(np.array([[0.0, 1.0, 1.0]]), np.array([[0.0, 1.0, 0.0]]))
    array([[4.]])
    """

    negated: bool = False
    name: ClassVar[str] = "All subsets"
    formula: ClassVar[str] = r"\prod_i (1 + u_i v_i)"
    proof: ClassVar[tuple[str, str]] = (
        "all subsets",
        "a product over the components of 1 + uᵢ·vᵢ: one feature for each subset of them.",
    )

    def __post_init__(self) -> None:
        checks.flag("negated", self.negated)

    @property
    def feature_map(self) -> FeatureMap | None:
        return None if self.negated else Subsets()

    def form(self) -> Form:
        if not self.negated:
            return Form(
                "Π (1 + u_i v_i)",
                "np.prod(1 + U[:, None] * V, axis=2)",
                "np.prod(1 + U**2, axis=1)",
            )
        return Form(
            "Π (1 + u_i v_i)(1 + (1 - u_i)(1 - v_i))",
            "np.prod((1 + U[:, None] * V) * (1 + (1 - U[:, None]) * (1 - V)), axis=2)",
            "np.prod(1 + U**2, axis=1) * np.prod(1 + (1 - U) ** 2, axis=1)",
        )

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        result = np.ones((len(X), len(Z)))
        for u, v in zip(X.T, Z.T, strict=True):
            result *= self._factor(u, v)
        return result

    def diag(self, X: FloatArray) -> FloatArray:
        X = self.examples("X", X)
        with np.errstate(over="ignore"):
            values = np.asarray(np.prod(1.0 + X**2, axis=1))
            if self.negated:
                values = values * np.prod(1.0 + (1.0 - X) ** 2, axis=1)
        return finite_values(values)

    @property
    def latex(self) -> str:
        return r"\prod_i (1 + u_i v_i)\, (1 + (1 - u_i)(1 - v_i))" if self.negated else self.formula

    @property
    def factors_by_component(self) -> tuple[str, ...]:  # type: ignore[override]
        plain_factor = "1 + {u} · {v}"
        negated_factor = "1 + (1 − {u}) · (1 − {v})"
        return (plain_factor, negated_factor) if self.negated else (plain_factor,)

    def _factor(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return what one input contributes, (n_X, n_Z), for its values in X and in Z."""
        plain_factor = inner_products(u[:, None], v[:, None], 1.0)
        if not self.negated:
            return plain_factor
        return plain_factor * inner_products(1.0 - u[:, None], 1.0 - v[:, None], 1.0)


NAMED_KERNELS: dict[str, type[Kernel]] = {
    "linear": Linear,
    "polynomial": Polynomial,
    "monomial": Monomial,
    "gaussian": Gaussian,
    "laplacian": Laplacian,
    "matern32": Matern32,
    "matern52": Matern52,
    "sigmoid": Sigmoid,
    "subsets": AllSubsets,
}
