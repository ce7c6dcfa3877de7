"""Kernels made of kernels: sums, products, and the normalized form of one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernel import Axes, Kernel


@dataclass(frozen=True)
class _Pair(Kernel):
    """Two kernels made one: again a kernel, but with a part that is none, nothing is proven."""

    first: Kernel
    second: Kernel

    @property
    def psd(self) -> str:  # type: ignore[override]
        return "yes" if self.first.psd == self.second.psd == "yes" else "unknown"

    @property
    def compares(self) -> str:  # type: ignore[override]
        return self.first.compares

    def __post_init__(self) -> None:
        if self.first.compares != self.second.compares:
            raise ValueError(
                f"{self.first.name} compares {self.first.compares} and {self.second.name} {self.second.compares}: "
                "both kernels must compare the same."
            )

    def examples(self, name: str, value: ArrayLike, like: NDArray[Any] | None = None) -> NDArray[Any]:
        return self.first.examples(name, value, like)

    def fitted(self, X: NDArray[Any]) -> Kernel:
        return replace(self, first=self.first.fitted(X), second=self.second.fitted(X))

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
class Normalized(Kernel):
    """k(u, v) / √(k(u, u) k(v, v)): the cosine of the angle in the feature space, so k(u, u) = 1.

    0 where k(u, u) is not above 0, as that of the linear kernel at the origin.

    >>> from kpviz.engine.kernels import Linear
    >>> Linear().normalized()(np.array([[3.0, 4.0]]), np.array([[1.0, 0.0]]))
    array([[0.6]])
    """

    kernel: Kernel
    name: ClassVar[str] = "Normalized"

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
        squared = self.kernel.diag(X)
        return np.where(squared > 0.0, 1.0 / np.sqrt(np.where(squared > 0.0, squared, 1.0)), 0.0)

    @property
    def latex(self) -> str:
        return rf"\frac{{k_0(u, v)}}{{\sqrt{{k_0(u, u)\, k_0(v, v)}}}}, \quad k_0(u, v) = {self.kernel.latex}"

    @property
    def label(self) -> str:
        return f"{self.kernel.label}, normalized"
