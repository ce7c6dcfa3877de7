"""The Matérn kernels of smoothness 3/2 and 5/2: between the Laplacian's kink and the Gaussian's endless smoothness."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.form import ONES, SQUARED_DISTANCE, Form
from kpviz.engine.kernels.vectors import NARROWEST, WIDEST, Gaussian

_ZERO_FROM = 750.0  # widths: k is 0 in double precision there, and further away its terms would be infinite
_MATERN32 = '''\
def matern32(distance):
    """The Matérn kernel of smoothness 3/2 at distances in widths."""
    s = math.sqrt(3) * distance
    return (1 + s) * np.exp(-s)'''
_MATERN52 = '''\
def matern52(distance):
    """The Matérn kernel of smoothness 5/2 at distances in widths."""
    s = math.sqrt(5) * distance
    return (1 + s + s * s / 3) * np.exp(-s)'''


@dataclass(frozen=True)
class _Matern(Kernel):
    """A function of the distance in widths; sigma, above 0, is in data units."""

    sigma: float = 0.5

    at_most_1: ClassVar[bool] = True
    isotropic: ClassVar[bool] = True
    hill: ClassVar[bool] = True
    infinite: ClassVar[bool] = True
    strict: ClassVar[bool] = True
    ranges: ClassVar[dict[str, Range]] = Gaussian.ranges
    proof: ClassVar[tuple[str, str]] = (
        "Matérn",
        "its Fourier transform is a density of Student’s t, which is positive: a mixture of cosines of differences.",
    )

    def __post_init__(self) -> None:
        checks.number("sigma", self.sigma, low=NARROWEST, high=WIDEST)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        squared = np.zeros((len(X), len(Z)))
        with np.errstate(over="ignore"):
            for u, v in zip(X.T, Z.T, strict=True):  # differences, not norms: exactly 1 on the diagonal
                squared += np.subtract.outer(u, v) ** 2
            return self.profile(np.minimum(np.sqrt(squared) / self.sigma, _ZERO_FROM))

    def profile(self, distance: FloatArray) -> FloatArray:
        """Return k at distances in widths."""
        raise NotImplementedError

    def diag(self, X: FloatArray) -> FloatArray:
        return np.ones(len(X))


@dataclass(frozen=True)
class Matern32(_Matern):
    """(1 + √3 d) exp(-√3 d) with d = ‖u - v‖/sigma: once differentiable, so with sharper peaks than the Gaussian.

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
    formula: ClassVar[str] = r"\left(1 + \frac{\sqrt{3}\,\|u - v\|}{\sigma}\right) e^{-\sqrt{3}\,\|u - v\|/\sigma}"
    written: ClassVar[str] = "(1 + sqrt(3)*norm(u - v)/{sigma})*exp(-sqrt(3)*norm(u - v)/{sigma})"

    def profile(self, distance: FloatArray) -> FloatArray:
        s = math.sqrt(3.0) * distance
        return np.asarray((1.0 + s) * np.exp(-s))

    def multiplications(self, d: int) -> int:
        return d + 4

    def form(self, suffix: str = "") -> Form:
        matrix = f"matern32(np.sqrt({SQUARED_DISTANCE}) / {{sigma}})"
        formula = "(1 + √3 d) exp(-√3 d) with d = |u - v| / {sigma}"
        return Form(formula, matrix, ONES, imports=("import math",), helpers=(_MATERN32,))


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
    formula: ClassVar[str] = (
        r"\left(1 + \frac{\sqrt{5}\,\|u - v\|}{\sigma} + \frac{5\,\|u - v\|^2}{3\sigma^2}\right) "
        r"e^{-\sqrt{5}\,\|u - v\|/\sigma}"
    )
    written: ClassVar[str] = (
        "(1 + sqrt(5)*norm(u - v)/{sigma} + 5*norm(u - v)**2/(3*{sigma}**2))*exp(-sqrt(5)*norm(u - v)/{sigma})"
    )

    def profile(self, distance: FloatArray) -> FloatArray:
        s = math.sqrt(5.0) * distance
        return np.asarray((1.0 + s + s * s / 3.0) * np.exp(-s))

    def multiplications(self, d: int) -> int:
        return d + 6

    def form(self, suffix: str = "") -> Form:
        matrix = f"matern52(np.sqrt({SQUARED_DISTANCE}) / {{sigma}})"
        formula = "(1 + √5 d + 5 d²/3) exp(-√5 d) with d = |u - v| / {sigma}"
        return Form(formula, matrix, ONES, imports=("import math",), helpers=(_MATERN52,))
