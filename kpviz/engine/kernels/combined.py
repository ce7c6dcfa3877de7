"""Kernels built from kernels: sums, products, and the normalized form of one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from numbers import Number
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel, finite_values
from kpviz.engine.kernels.features import Crossed, FeatureMap, Joined


@dataclass(frozen=True)
class _Pair(Kernel):
    """Two kernels combined: again a kernel; where a part is not one, nothing is proven."""

    first: Kernel
    second: Kernel
    operation: ClassVar[np.ufunc]
    joint: ClassVar[type[Joined | Crossed]]

    @property
    def psd(self) -> str:  # type: ignore[override]
        return "yes" if self.first.psd == self.second.psd == "yes" else "unknown"

    @property
    def compares(self) -> str:  # type: ignore[override]
        return self.first.compares

    def __post_init__(self) -> None:
        checks.instance("first", self.first, Kernel, "a kernel object such as Gaussian(sigma=0.5)")
        checks.instance("second", self.second, Kernel, "a kernel object such as Gaussian(sigma=0.5)")
        if self.first.compares != self.second.compares:
            raise ValueError(
                f"{self.first.name} compares {self.first.compares} and {self.second.name} {self.second.compares}: "
                "both kernels must compare the same."
            )

    def examples(self, name: str, value: ArrayLike, like: NDArray[Any] | None = None) -> NDArray[Any]:
        return self.first.examples(name, value, like)

    def fitted(self, X: NDArray[Any]) -> Kernel:
        return replace(self, first=self.first.fitted(X), second=self.second.fitted(X))

    @property
    def no_feature_map(self) -> str:
        return (self.second if self.first.feature_map else self.first).no_feature_map

    @property
    def feature_map(self) -> FeatureMap | None:
        first, second = self.first.feature_map, self.second.feature_map
        return self.joint(first, second) if first and second else None

    def multiplications(self, d: int) -> int | None:
        first, second = self.first.multiplications(d), self.second.multiplications(d)
        return None if first is None or second is None else first + second + (self.operation is np.multiply)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return np.asarray(self.operation(self.first.evaluate(X, Z), self.second.evaluate(X, Z)))

    def diag(self, X: FloatArray) -> FloatArray:
        with np.errstate(over="ignore", invalid="ignore"):
            return finite_values(np.asarray(self.operation(self.first.diag(X), self.second.diag(X))))


@dataclass(frozen=True)
class Sum(_Pair):
    """first + second.

    Parameters
    ----------
    first : a kernel.
    second : a kernel of examples of the same kind.
    """

    name: ClassVar[str] = "Sum"
    operation: ClassVar[np.ufunc] = np.add
    joint: ClassVar[type[Joined | Crossed]] = Joined
    proof: ClassVar[tuple[str, str]] = ("sum", "the feature vectors are joined.")

    @property
    def latex(self) -> str:
        return f"{self.first.latex} + {self.second.latex}"

    @property
    def label(self) -> str:
        return f"{self.first.label} + {self.second.label}"


@dataclass(frozen=True)
class Product(_Pair):
    """first * second.

    Parameters
    ----------
    first : a kernel.
    second : a kernel of examples of the same kind.
    """

    name: ClassVar[str] = "Product"
    operation: ClassVar[np.ufunc] = np.multiply
    joint: ClassVar[type[Joined | Crossed]] = Crossed
    proof: ClassVar[tuple[str, str]] = ("product", "all products of a feature of each.")

    @property
    def latex(self) -> str:
        return rf"\left({self.first.latex}\right) \left({self.second.latex}\right)"

    @property
    def label(self) -> str:
        return f"({self.first.label}) × ({self.second.label})"


@dataclass(frozen=True)
class Constant(Kernel):
    """The same number for all pairs, whatever they are."""

    value: float
    compares: str = "vectors"  # type: ignore[misc]
    formula: ClassVar[str] = "c"

    def __post_init__(self) -> None:
        checks.number("value", self.value, low=0.0)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return np.full((len(X), len(Z)), float(self.value))

    @property
    def latex(self) -> str:
        return f"{self.value:g}"

    @property
    def label(self) -> str:
        return f"{self.value:g}"


def with_number(kernel: Kernel, sign: str, value: Any) -> Kernel:
    """Return kernel + value, kernel * value or kernel ** value: a formula where the kernel can be written as one.

    >>> from kpviz.engine.kernels import Gaussian, WordSets
    >>> 2 * Gaussian(0.5), WordSets() ** 2
    (Scaled(kernel=Gaussian(sigma=0.5), factor=2), Product(first=WordSets(), second=WordSets()))
    """
    if isinstance(value, bool) or not isinstance(value, Number):
        raise TypeError(f"other={checks.shown(value)} is not possible: a kernel and {sign} take a kernel or a number.")
    from kpviz.engine.kernels.formula import with_number as written

    kind = {"+": written.Shifted, "*": written.Scaled, "**": written.Power}[sign]
    value = kind.checked(value)
    try:
        return kind(kernel, value)
    except ValueError:  # texts, what learns from the data, a kernel of one's own; a formula that becomes too long
        if sign == "**":
            return reduce(Product, [kernel] * int(value))
        return (Sum if sign == "+" else Product)(kernel, Constant(float(value), kernel.compares))


@dataclass(frozen=True)
class Normalized(Kernel):
    """k(u, v) / √(k(u, u) k(v, v)): the cosine of the angle in the feature space, so k(u, u) = 1.

    0 where k(u, u) is not above 0, as that of the linear kernel at the origin.

    Parameters
    ----------
    kernel : the one that is normalized.

    Examples
    --------
    >>> from kpviz.engine.kernels import Linear
    >>> Linear().normalized()(np.array([[3.0, 4.0]]), np.array([[1.0, 0.0]]))
    array([[0.6]])
    """

    kernel: Kernel

    def __post_init__(self) -> None:
        checks.instance("kernel", self.kernel, Kernel, "a kernel object such as Gaussian(sigma=0.5)")

    name: ClassVar[str] = "Normalized"
    proof: ClassVar[tuple[str, str]] = ("normalized", "every feature vector is divided by its length.")

    @property
    def psd(self) -> str:  # type: ignore[override]
        return "yes" if self.kernel.psd == "yes" else "unknown"  # where k(u, u) < 0 it is 0, which refutes nothing

    @property
    def compares(self) -> str:  # type: ignore[override]
        return self.kernel.compares

    def examples(self, name: str, value: ArrayLike, like: NDArray[Any] | None = None) -> NDArray[Any]:
        return self.kernel.examples(name, value, like)

    def fitted(self, X: NDArray[Any]) -> Kernel:
        return replace(self, kernel=self.kernel.fitted(X))

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return self.kernel.evaluate(X, Z) * np.multiply.outer(self._inverse(X), self._inverse(Z))

    def diag(self, X: FloatArray) -> FloatArray:
        return np.where(self._inverse(X) > 0.0, 1.0, 0.0)

    def normalized(self) -> Normalized:
        return self

    def factors(self, X: FloatArray) -> FloatArray | None:
        found = self.kernel.factors(X)
        return None if found is None else found * self._inverse(X)[:, None]

    def _inverse(self, X: FloatArray) -> FloatArray:
        from kpviz.engine.kernels.formula.evaluate import inverse_root

        return inverse_root(self.kernel.diag(X))

    @property
    def latex(self) -> str:
        return rf"\frac{{k_0(u, v)}}{{\sqrt{{k_0(u, u)\, k_0(v, v)}}}}, \quad k_0(u, v) = {self.kernel.latex}"

    @property
    def label(self) -> str:
        return f"{self.kernel.label}, normalized"
