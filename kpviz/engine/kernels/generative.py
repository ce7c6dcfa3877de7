"""Kernels from a generative model of the examples: a mixture of Gaussians, fitted without their
labels.

Density: k(u, v) = p(u) p(v). The one feature of x is p(x), so every Gram matrix has rank 1. Since p
> 0, f(x) is p(x) times one number: without intercept every prediction has one sign.

Mixture: k(u, v) = Σ_m p(u|m) p(v|m) p(m), the probability density of both from one component
(Watkins 2000). The features are √p(m)·p(x|m): rank at most the number of components.

Legend: N components, m one of them; p(m) its weight; μ its mean; S its covariance matrix; d
features of x.

Tests: tests/engine/test_generative.py.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from kpviz import packages
from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.kernels.base import Kernel, simple_kernels
from kpviz.engine.kernels.form import Form, array

Numbers = tuple[float, ...]
Parts = tuple[Numbers, tuple[Numbers, ...], tuple[tuple[Numbers, ...], ...]]

# This share of the features' mean variance is added to each variance, so that no component shrinks
# to a point.
_RIDGE = 1e-3
_LARGEST = 1e100  # Larger numbers, whose squares are added up, are refused.
_SMALLEST = 1e-6  # Examples that are all alike have this ridge.


_MATH = ("import math",)
_FITTED = (
    "# The mixture, given or fitted to X by scikit-learn's GaussianMixture; y had no part in it."
)
_DENSITIES = '''\
def densities(X, means, covariances):
    """p(x|m) of each row x of X and each component m."""
    return np.array([normal(X, *each) for each in zip(means, covariances)]).T'''

_MIXTURE = '''\
def mixture(U, V, weights, means, covariances):
    """The sum of p(u|m) p(v|m) p(m) over the components m, of all rows u and v."""
    F = densities(U, means, covariances) * np.sqrt(weights)
    G = F if V is U else densities(V, means, covariances) * np.sqrt(weights)
    return F @ G.T'''

_NORMAL = '''\
def normal(X, mean, covariance):
    """The density of a Gaussian at each row of X."""
    factor = np.linalg.cholesky(covariance)
    apart = np.linalg.solve(factor, (X - mean).T)
    scale = X.shape[1] / 2 * math.log(2 * math.pi) + np.log(np.diagonal(factor)).sum()
    return np.exp(-0.5 * (apart**2).sum(axis=0) - scale)'''


@dataclass(frozen=True)
class _Generative(Kernel):
    """A kernel that learns p from the training examples, without their labels, unless it is given.

    components : 1 to 8, at most as many as there are different examples: with fewer, as many as
        those are.
    weights, means, covariances : (N,), (N, d) and (N, d, d) as tuples: p, if it is known; empty
    until `fitted`.
    """

    components: int = 3
    weights: Numbers = ()
    means: tuple[Numbers, ...] = ()
    covariances: tuple[tuple[Numbers, ...], ...] = ()

    ranges: ClassVar[dict[str, Range]] = {
        "components": Range(1, 8, 3, "N", "components of the mixture", integer=True)
    }

    def __post_init__(self) -> None:
        limits = self.ranges["components"]
        checks.integer("components", self.components, low=int(limits.low), high=int(limits.high))
        weights = checks.numbers("weights", self.weights)
        if not weights.size:
            object.__setattr__(self, "weights", ())
            return
        means = checks.matrix("means", self.means)
        covariances = checks.numbers("covariances", self.covariances)
        d = means.shape[1]
        if (
            weights.shape != (len(means),)
            or not (weights >= 0.0).all()
            or not np.isclose(weights.sum(), 1.0)
        ):
            raise ValueError(
                f"weights must be {len(means)} numbers of at least 0 that sum to 1, one for each "
                f"of means."
            )
        if covariances.shape != (len(means), d, d) or not all(map(_is_covariance, covariances)):
            raise ValueError(
                f"covariances must be {len(means)} symmetric, positive definite matrices of shape "
                f"{(d, d)}, one for "
                "each of means."
            )
        for name, value in zip(
            ("weights", "means", "covariances"),
            _as_tuples(weights, means, covariances),
            strict=True,
        ):
            object.__setattr__(self, name, value)

    def fitted(self, X: ArrayLike) -> Self:
        """Return the kernel with the mixture that best explains X, shape (n, d), n at least 1.

        Expectation maximization as scikit-learn has it, from a fixed random start: the same
        examples give the same mixture. A thousandth of the mean variance is added to each variance.
        A mixture that was given, or fitted before, stays as it is.
        """
        if self.weights:
            return self
        X = checks.matrix("X", X)
        if float(np.abs(X).max()) > _LARGEST:
            raise ValueError(
                f"X holds numbers beyond {_LARGEST:g}: a mixture needs their squares, so scale X "
                f"down."
            )
        weights, means, covariances = _mixture(X, min(self.components, len(np.unique(X, axis=0))))
        try:
            return replace(self, weights=weights, means=means, covariances=covariances)
        except ValueError as error:  # Rounding has made them singular.
            raise ValueError(f"X has no mixture in double precision, so scale X: {error}") from None

    def factors(self, X: FloatArray) -> FloatArray:
        """Return the features of each row."""
        raise checks.lacks(self, "factors(X)", "returns the features of each row")

    def densities(self, X: FloatArray) -> FloatArray:
        """Return p(x|m) of each row of X and each component, shape (n, N); ValueError unless
        fitted.
        """
        if not self.weights:
            raise ValueError(
                f"{self.name} is not fitted: call kernel.fitted(X) with the training examples, or "
                f"let kpviz.train "
                "do it."
            )
        if X.shape[1] != len(self.means[0]):
            raise ValueError(
                f"X has {X.shape[1]} columns: the mixture was fitted to {len(self.means[0])}."
            )
        return np.array(
            [_normal(X, *component) for component in zip(self.means, self.covariances, strict=True)]
        ).T

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        factors = self.factors(X)
        # The product of a matrix with its own transpose is exactly symmetric.
        return np.asarray(factors @ (factors if Z is X else self.factors(Z)).T)

    def diag(self, X: FloatArray) -> FloatArray:
        return np.asarray((self.factors(self.examples("X", X)) ** 2).sum(axis=1))

    def outlines(self, sigmas: tuple[float, ...] = (1.0, 2.0), points: int = 49) -> FloatArray:
        """Return the ellipses of components in the plane as closed lines, (n_ellipses, points, 2).

        Where a component's density is exp(-s²/2) of that at its centre, for each s of `sigmas`;
        each begins at the end of its long axis.
        """
        if not self.weights or len(self.means[0]) != 2:
            raise ValueError(
                f"{self.name} has no ellipses: it must be fitted to examples of two features."
            )
        turn = np.linspace(0.0, 2.0 * np.pi, points)
        circle = np.column_stack([np.cos(turn), np.sin(turn)])
        ellipses = []
        for mean, covariance in zip(self.means, self.covariances, strict=True):
            squares, vectors = np.linalg.eigh(np.array(covariance))
            x, y = vectors[:, 1] * (-1.0 if tuple(vectors[:, 1]) < (0.0, 0.0) else 1.0)
            axes = np.sqrt(squares[::-1, None]) * np.array([(x, y), (-y, x)])
            ellipses += [np.array(mean) + s * circle @ axes for s in sigmas]
        return np.array(ellipses)

    def _helpers(self) -> tuple[str, ...]:
        """Return the numbers of the mixture, and what reads them."""
        lines = [
            array(name, np.array(getattr(self, name)))
            for name in ("weights", "means", "covariances")
        ]
        return "\n".join([_FITTED, *lines]), _NORMAL, _DENSITIES


@dataclass(frozen=True)
class Density(_Generative):
    """Two examples are alike if both lie where examples are dense; their labels do not matter.

    p(u) p(v), p a mixture of Gaussians fitted without the labels. Of rank 1.

    Without intercept f(x) = p(x)·Σ coef_i p(x_i): every prediction has the sign of that sum (or is
    0 so far from all examples that p(x) is too small for a float).

    Parameters
    ----------
    components : Gaussians of the mixture, 1 to 8; fewer where there are fewer different examples.
    weights : of each, (components,); empty until it is fitted, unless p is known.
    means : of each, (components, n_features).
    covariances : of each, (components, n_features, n_features).

    Examples
    --------
    >>> import numpy as np
    >>> kernel = Density(components=1).fitted([[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    >>> kernel(np.zeros((1, 2)), np.zeros((1, 2))).round(4)
    array([[0.1011]])
    """

    name: ClassVar[str] = "Density"
    formula: ClassVar[str] = r"p(u)\, p(v)"
    proof: ClassVar[tuple[str, str]] = ("one feature", "k(u, v) = p(u)·p(v): one feature, p(x).")

    def form(self) -> Form:
        of_u, of_v = (f"densities({side}, means, covariances) @ weights" for side in "UV")
        helpers = self._helpers()
        return Form(
            "p(u) p(v)",
            f"np.outer({of_u}, {of_v})",
            f"({of_u}) ** 2",
            imports=_MATH,
            helpers=helpers,
        )

    def factors(self, X: FloatArray) -> FloatArray:
        return np.asarray(self.densities(X) @ np.array(self.weights))[:, None]


@dataclass(frozen=True)
class Mixture(_Generative):
    """Two examples are alike if the same component made both: a few Gaussians, fitted to the
    examples without labels.

    Σ_m p(u|m) p(v|m) p(m), the Gaussians fitted without the labels.

    Its rank is at most N, so N numbers determine f.

    Parameters
    ----------
    components : Gaussians of the mixture, 1 to 8; fewer where there are fewer different examples.
    weights : of each, (components,); empty until it is fitted, unless p is known.
    means : of each, (components, n_features).
    covariances : of each, (components, n_features, n_features).

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[-1.0, 0.0], [-1.0, 0.2], [1.0, 0.0], [1.0, 0.2]])
    >>> gram = Mixture(components=2).fitted(X)(X, X)
    >>> int(np.linalg.matrix_rank(gram)), bool(gram[0, 1] > 1e6 * gram[0, 2])
    (2, True)
    """

    name: ClassVar[str] = "Mixture"
    formula: ClassVar[str] = r"\sum_m p(u \mid m)\, p(v \mid m)\, p(m)"
    proof: ClassVar[tuple[str, str]] = (
        "inner product of features",
        "a feature for each component m: p(x|m)·√p(m).",
    )

    def form(self) -> Form:
        return Form(
            "Σ_m p(u|m) p(v|m) p(m)",
            "mixture(U, V, weights, means, covariances)",
            "((densities(U, means, covariances) * np.sqrt(weights)) ** 2).sum(axis=1)",
            imports=_MATH,
            helpers=(*self._helpers(), _MIXTURE),
        )

    def factors(self, X: FloatArray) -> FloatArray:
        return np.asarray(self.densities(X) * np.sqrt(self.weights))


def _is_covariance(matrix: FloatArray) -> bool:
    if not np.isfinite(matrix).all() or not np.allclose(matrix, matrix.T):
        return False
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


def _mixture(X: FloatArray, components: int) -> Parts:
    """Return weights, means and covariances of the mixture of so many components, none above the
    different examples.
    """
    ridge = _RIDGE * float(X.var(axis=0).mean()) or _SMALLEST
    if components == 1:
        covariance = np.atleast_2d(np.cov(X.T, bias=True)) + ridge * np.eye(X.shape[1])
        return _as_tuples(np.ones(1), X.mean(axis=0)[None], covariance[None])
    with packages.needs("A mixture", "sklearn"):  # Importing kpviz loads no scikit-learn.
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.mixture import GaussianMixture

    model = GaussianMixture(components, covariance_type="full", reg_covar=ridge, random_state=0)
    with warnings.catch_warnings():
        # A mixture that is not quite the best is a mixture.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X)
    return _as_tuples(model.weights_, model.means_, model.covariances_)


def _as_tuples(weights: FloatArray, means: FloatArray, covariances: FloatArray) -> Parts:
    return (
        tuple(weights.tolist()),
        tuple(map(tuple, means.tolist())),
        tuple(tuple(map(tuple, covariance)) for covariance in covariances.tolist()),
    )


def _normal(X: FloatArray, mean: Numbers, covariance: tuple[Numbers, ...]) -> FloatArray:
    """Return the density of a Gaussian at each row of X, shape (n,)."""
    factor = np.linalg.cholesky(np.array(covariance))
    scale = X.shape[1] / 2 * math.log(2 * math.pi) + float(np.log(np.diagonal(factor)).sum())
    with np.errstate(over="ignore"):  # Infinitely far away the density is 0.
        apart = np.linalg.solve(factor, (X - np.array(mean)).T)
        return np.asarray(np.exp(-0.5 * (apart**2).sum(axis=0) - scale))


def outlines(kernel: Kernel | None) -> FloatArray:
    """Return the outlines of the first mixture within a kernel, (n, points, 2); none without one in
    the plane.
    """
    if kernel is not None:
        for part in simple_kernels(kernel):
            if isinstance(part, _Generative) and part.means and len(part.means[0]) == 2:
                return part.outlines()
    return np.zeros((0, 0, 2))
