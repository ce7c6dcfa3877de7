"""Kernels: small frozen objects that are called with two sets of examples.

Notation: u is a row of X, v a row of Z, u·v their inner product, n_X and n_Z the numbers of rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range

Axes = tuple[FloatArray, FloatArray]
_NARROWEST, _WIDEST = 1e-100, 1e100  # widths whose squares and inverses are floats


class Kernel:
    """What every kernel can do; `evaluate` is the one thing that each must bring.

    `psd` says whether it is positive semidefinite for all data: "yes", "no" (some data refute it) or "unknown";
    `of_inner_product` whether it is a function of u·v alone.
    """

    name: ClassVar[str]
    formula: ClassVar[str]
    ranges: ClassVar[dict[str, Range]] = {}
    of_inner_product: ClassVar[bool] = False
    psd: str = "yes"

    def __call__(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        """Return the (n_X, n_Z) matrix of k(u, v); ValueError unless X and Z have the same columns."""
        X = checks.matrix("X", X)
        return self.evaluate(X, checks.matrix("Z", Z, columns=X.shape[1]))

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        """Return the same for matrices that are known to be good."""
        raise NotImplementedError

    def diag(self, X: FloatArray) -> FloatArray:
        """Return the (n_X,) values k(u, u)."""
        return np.array([self.evaluate(row[None], row[None])[0, 0] for row in checks.matrix("X", X)])

    def on_axes(self, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Axes | None:
        """Split k by the two axes of the plane, or return None where it does not split.

        For X of shape (n, 2): arrays U (terms, n, len(x1)) and V (terms, n, len(x2)) with
        k(x_i, (x1[a], x2[b])) = sum over terms m of U[m, i, a] * V[m, i, b].
        """
        return None

    @property
    def latex(self) -> str:
        """The formula for a formula renderer."""
        return self.formula

    @property
    def parameters(self) -> dict[str, float]:
        """The values of the parameters by name."""
        return {name: getattr(self, name) for name in self.ranges}

    @property
    def label(self) -> str:
        """Name and values, as in "Gaussian, σ = 0.5"."""
        values = [f"{self.ranges[name].symbol} = {value:g}" for name, value in self.parameters.items()]
        return ", ".join([self.name, *values])

    def __add__(self, other: Kernel) -> Sum:
        """The sum of two kernels is a kernel: their feature vectors are joined."""
        return Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other: Kernel) -> Product:
        """The product of two kernels is a kernel: all products of a feature of each."""
        return Product(self, other) if isinstance(other, Kernel) else NotImplemented


@dataclass(frozen=True)
class Linear(Kernel):
    """u·v: the plane itself is the feature space.

    >>> Linear()(np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]]))
    array([[1.]])
    """

    name: ClassVar[str] = "Linear"
    of_inner_product: ClassVar[bool] = True
    formula: ClassVar[str] = r"u \cdot v"

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return np.asarray(X @ Z.T)

    def diag(self, X: FloatArray) -> FloatArray:
        return np.asarray(np.einsum("ij,ij->i", X, X))

    def on_axes(self, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Axes | None:
        return _power_on_axes(X, x1, x2, degree=1, coef0=0.0)


@dataclass(frozen=True)
class Polynomial(Kernel):
    """(u·v + coef0)^degree: all monomials up to the degree; a larger coef0 puts less weight on the high ones.

    degree is a whole number of at least 1, coef0 at least 0 (a negative one is not positive semidefinite).

    >>> Polynomial(degree=2, coef0=1.0)(np.array([[1.0, 1.0]]), np.array([[1.0, -1.0]]))
    array([[1.]])
    """

    degree: int = 2
    coef0: float = 1.0
    name: ClassVar[str] = "Polynomial"
    of_inner_product: ClassVar[bool] = True
    formula: ClassVar[str] = r"(u \cdot v + c)^q"
    ranges: ClassVar[dict[str, Range]] = {
        "degree": Range(1, 8, 2, "q", "degree", integer=True),
        "coef0": Range(0.0, 5.0, 1.0, "c", "constant added to the inner product", step=0.1),
    }

    def __post_init__(self) -> None:
        checks.integer("degree", self.degree, low=1)
        checks.number("coef0", self.coef0, low=0.0)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return np.asarray((X @ Z.T + self.coef0) ** self.degree)

    def diag(self, X: FloatArray) -> FloatArray:
        return np.asarray((np.einsum("ij,ij->i", X, X) + self.coef0) ** self.degree)

    def on_axes(self, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Axes | None:
        return _power_on_axes(X, x1, x2, degree=self.degree, coef0=self.coef0)


@dataclass(frozen=True)
class Monomial(Kernel):
    """(u·v)^degree: all monomials of exactly this degree, which is a whole number of at least 1.

    >>> Monomial(degree=3)(np.array([[1.0, 1.0]]), np.array([[1.0, 1.0]]))
    array([[8.]])
    """

    degree: int = 2
    name: ClassVar[str] = "Monomial"
    of_inner_product: ClassVar[bool] = True
    formula: ClassVar[str] = r"(u \cdot v)^q"
    ranges: ClassVar[dict[str, Range]] = {"degree": Polynomial.ranges["degree"]}

    def __post_init__(self) -> None:
        checks.integer("degree", self.degree, low=1)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return np.asarray((X @ Z.T) ** self.degree)

    def diag(self, X: FloatArray) -> FloatArray:
        return np.asarray(np.einsum("ij,ij->i", X, X) ** self.degree)

    def on_axes(self, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Axes | None:
        return _power_on_axes(X, x1, x2, degree=self.degree, coef0=0.0)


@dataclass(frozen=True)
class Gaussian(Kernel):
    """exp(-‖u - v‖² / (2 sigma²)): similarity that fades with distance; sigma, above 0, is in data units.

    >>> Gaussian(sigma=1.0)(np.zeros((1, 2)), np.array([[1.0, 1.0]])).round(4)
    array([[0.3679]])
    """

    sigma: float = 0.5
    name: ClassVar[str] = "Gaussian"
    formula: ClassVar[str] = r"\exp\left(-\frac{\|u - v\|^2}{2\sigma^2}\right)"
    ranges: ClassVar[dict[str, Range]] = {"sigma": Range(0.02, 10.0, 0.5, "σ", "width, in data units", log=True)}

    def __post_init__(self) -> None:
        checks.number("sigma", self.sigma, low=_NARROWEST, high=_WIDEST)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        squared, difference = np.zeros((len(X), len(Z))), np.empty((len(X), len(Z)))
        for u, v in zip(X.T, Z.T, strict=True):  # differences, not norms: exactly 1 on the diagonal
            np.subtract.outer(u, v, out=difference)
            difference *= difference
            squared += difference
        squared *= -0.5 / self.sigma**2
        return np.asarray(np.exp(squared, out=squared))

    def diag(self, X: FloatArray) -> FloatArray:
        return np.ones(len(X))

    def on_axes(self, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Axes | None:
        scale = -0.5 / self.sigma**2
        return (
            np.exp(scale * np.subtract.outer(X[:, 0], x1) ** 2)[None],
            np.exp(scale * np.subtract.outer(X[:, 1], x2) ** 2)[None],
        )


@dataclass(frozen=True)
class Laplacian(Kernel):
    """exp(-‖u - v‖₁ / sigma): like the Gaussian, but with a kink at each example; sigma is above 0.

    >>> Laplacian(sigma=1.0)(np.zeros((1, 2)), np.array([[1.0, -1.0]])).round(4)
    array([[0.1353]])
    """

    sigma: float = 0.5
    name: ClassVar[str] = "Laplacian"
    formula: ClassVar[str] = r"\exp\left(-\frac{\|u - v\|_1}{\sigma}\right)"
    ranges: ClassVar[dict[str, Range]] = Gaussian.ranges

    def __post_init__(self) -> None:
        checks.number("sigma", self.sigma, low=_NARROWEST, high=_WIDEST)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        distance = np.zeros((len(X), len(Z)))
        for u, v in zip(X.T, Z.T, strict=True):
            distance += np.abs(np.subtract.outer(u, v))
        distance /= -self.sigma
        return np.asarray(np.exp(distance, out=distance))

    def diag(self, X: FloatArray) -> FloatArray:
        return np.ones(len(X))

    def on_axes(self, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Axes | None:
        return (
            np.exp(-np.abs(np.subtract.outer(X[:, 0], x1)) / self.sigma)[None],
            np.exp(-np.abs(np.subtract.outer(X[:, 1], x2)) / self.sigma)[None],
        )


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """tanh(gamma u·v + coef0): borrowed from neural networks, and not positive semidefinite.

    On such a Gram matrix the perceptron may cycle, and "‖f‖²" may turn negative. gamma is above 0.

    >>> Sigmoid(gamma=1.0, coef0=0.0)(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]))
    array([[0.]])
    """

    gamma: float = 1.0
    coef0: float = 0.0
    name: ClassVar[str] = "Sigmoid"
    of_inner_product: ClassVar[bool] = True
    formula: ClassVar[str] = r"\tanh(\gamma\, u \cdot v + c)"
    ranges: ClassVar[dict[str, Range]] = {
        "gamma": Range(0.1, 10.0, 1.0, "γ", "slope", log=True),
        "coef0": Range(-5.0, 5.0, 0.0, "c", "constant added to the inner product", step=0.1),
    }
    psd: str = field(default="no", init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        checks.number("gamma", self.gamma, above=0.0)
        checks.number("coef0", self.coef0)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return np.asarray(np.tanh(self.gamma * (X @ Z.T) + self.coef0))

    def diag(self, X: FloatArray) -> FloatArray:
        return np.asarray(np.tanh(self.gamma * np.einsum("ij,ij->i", X, X) + self.coef0))


@dataclass(frozen=True)
class AllSubsets(Kernel):
    """Product over features of (1 + u_i v_i): one feature for each subset of the inputs, 2^n of them.

    >>> AllSubsets()(np.array([[1.0, 1.0]]), np.array([[1.0, -1.0]]))
    array([[0.]])
    """

    name: ClassVar[str] = "All subsets"
    formula: ClassVar[str] = r"\prod_i (1 + u_i v_i)"

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        result = np.ones((len(X), len(Z)))
        for u, v in zip(X.T, Z.T, strict=True):
            result *= 1.0 + np.multiply.outer(u, v)
        return result

    def diag(self, X: FloatArray) -> FloatArray:
        return np.asarray(np.prod(1.0 + np.asarray(X) ** 2, axis=1))

    def on_axes(self, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Axes | None:
        return 1.0 + np.multiply.outer(X[:, 0], x1)[None], 1.0 + np.multiply.outer(X[:, 1], x2)[None]


@dataclass(frozen=True)
class _Pair(Kernel):
    """Two kernels made one: again a kernel, but with a part that is none, nothing is proven."""

    first: Kernel
    second: Kernel

    @property
    def psd(self) -> str:  # type: ignore[override]
        return "yes" if self.first.psd == self.second.psd == "yes" else "unknown"

    def on_axes(self, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Axes | None:
        first, second = self.first.on_axes(X, x1, x2), self.second.on_axes(X, x1, x2)
        return None if first is None or second is None else self.joined(first, second)

    def joined(self, first: Axes, second: Axes) -> Axes:
        """Return the split of the pair, made from the splits of both."""
        raise NotImplementedError


@dataclass(frozen=True)
class Sum(_Pair):
    """first + second."""

    name: ClassVar[str] = "Sum"

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return self.first.evaluate(X, Z) + self.second.evaluate(X, Z)

    def diag(self, X: FloatArray) -> FloatArray:
        return self.first.diag(X) + self.second.diag(X)

    def joined(self, first: Axes, second: Axes) -> Axes:
        return np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])

    @property
    def latex(self) -> str:
        return f"{self.first.latex} + {self.second.latex}"

    @property
    def label(self) -> str:
        return f"{self.first.label} + {self.second.label}"


@dataclass(frozen=True)
class Product(_Pair):
    """first * second."""

    name: ClassVar[str] = "Product"

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return self.first.evaluate(X, Z) * self.second.evaluate(X, Z)

    def diag(self, X: FloatArray) -> FloatArray:
        return self.first.diag(X) * self.second.diag(X)

    def joined(self, first: Axes, second: Axes) -> Axes:
        U, V = (
            np.einsum("pia,qia->pqia", a, b).reshape(len(a) * len(b), *a.shape[1:])
            for a, b in zip(first, second, strict=True)
        )
        return U, V

    @property
    def latex(self) -> str:
        return rf"\left({self.first.latex}\right) \left({self.second.latex}\right)"

    @property
    def label(self) -> str:
        return f"({self.first.label}) × ({self.second.label})"


@dataclass(frozen=True)
class Function(Kernel):
    """Any function k(X, Z) that returns an (n_X, n_Z) matrix of finite numbers."""

    function: Callable[[FloatArray, FloatArray], FloatArray]
    name: ClassVar[str] = "Function"
    formula: ClassVar[str] = "k(u, v)"
    psd: str = field(default="unknown", init=False, repr=False, compare=False)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        values = np.asarray(self.function(X, Z), dtype=np.float64)
        if values.shape != (len(X), len(Z)):
            raise ValueError(f"kernel returned shape {values.shape}: it must return {(len(X), len(Z))}.")
        if not np.isfinite(values).all():
            raise ValueError("kernel returned NaN or infinite values: every k(u, v) must be a finite number.")
        return values


def as_kernel(kernel: Kernel | Callable[[FloatArray, FloatArray], FloatArray]) -> Kernel:
    """Return a kernel object for a kernel object or a function k(X, Z)."""
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel) and not isinstance(kernel, type):
        return Function(kernel)
    raise ValueError(
        f"kernel={kernel!r} is not a kernel: it must be a kernel object such as Gaussian(sigma=0.5), "
        'a function k(X, Z), or "precomputed".'
    )


KERNELS: dict[str, type[Kernel]] = {
    "linear": Linear,
    "polynomial": Polynomial,
    "monomial": Monomial,
    "gaussian": Gaussian,
    "laplacian": Laplacian,
    "sigmoid": Sigmoid,
    "subsets": AllSubsets,
}


def _power_on_axes(X: FloatArray, x1: FloatArray, x2: FloatArray, *, degree: int, coef0: float) -> Axes:
    """(u₁x₁ + (u₂x₂ + c))^q by the binomial theorem: q + 1 terms."""
    first, second = np.multiply.outer(X[:, 0], x1), np.multiply.outer(X[:, 1], x2) + coef0
    powers = range(degree + 1)
    return (
        np.array([math.comb(degree, j) * first**j for j in powers]),
        np.array([second ** (degree - j) for j in powers]),
    )
