"""Samples that refute: examples and numbers c with cᵀKc < 0. No sample proves that a function is a kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.validity import FIVE, HALVED, examine, smaller

_SHAKES = np.logspace(-13, -8, 11)  # shares by which points are moved: a sample must refute all the same
_ROUNDINGS = 64  # that the way to a value may have
_Largest = Callable[[FloatArray], float]
_Function = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Refutation:
    """That k is no kernel: cᵀKc = `value` < 0 for these `points` (n, d) and `c` (n,).

    `smallest` is the smallest eigenvalue of the Gram matrix of all points tried with them, `tolerance` what counts as
    0: n · ε · the largest |eigenvalue|, ε being the rounding of a float.
    """

    points: FloatArray
    c: FloatArray
    value: float
    smallest: float
    tolerance: float

    def __str__(self) -> str:
        shown = ", ".join(f"({', '.join(f'{x:.4g}' for x in point)})" for point in self.points)
        c = ", ".join(f"{x:.3g}" for x in self.c)
        plural = "s" if len(self.c) > 1 else ""
        return f"Refuted: for the point{plural} {shown} and c = ({c}), cᵀKc = {self.value:.4g} is negative."


class RefutedExample(NamedTuple):
    """A function that is often taken for a kernel, and is none: its name in links, in words and as it is written.

    `text` is its formula as it is typed.
    """

    name: str
    title: str
    written: str
    text: str


REFUTED: tuple[RefutedExample, ...] = (
    RefutedExample("sigmoid", "Sigmoid", "tanh(u·v − 1)", "tanh(dot(u, v) - 1)"),
    RefutedExample("distance", "Negative distance", "−‖u − v‖²", "-norm(u - v)**2"),
    RefutedExample("square", "Square of u·v − 1", "(u·v − 1)²", "(dot(u, v) - 1)**2"),
    RefutedExample("fourth", "Fourth power of the distance", "exp(−‖u − v‖⁴)", "exp(-norm(u - v)**4)"),
)


def refute(function: _Function, largest: _Largest, samples: list[FloatArray]) -> Refutation | None:
    """Return what refutes that `function` is a kernel, by the first sample that does; None if none does.

    `largest(X)` is the largest |number| that occurs while function(X, X) is computed. Samples on which there are no
    finite values say nothing, nor do those that refute by no more than rounding.
    """
    for X in samples:
        try:
            verdict = examine(function, X)
            found = smaller(verdict)
            if found is None or not found.symmetric:
                continue
            if _is_rounding(function, largest(found.points), found.points, found.c, found.value):
                continue
        except ValueError:
            continue
        return Refutation(found.points, found.c, found.value, float(verdict.eigenvalues[-1]), verdict.tolerance)
    return None


def samples(columns: int) -> list[FloatArray]:
    """Return the samples that are tried: five points of the plane, points on curves, and fixed random ones.

    >>> [len(X) for X in samples(2)][:3]
    [5, 5, 8]
    """
    found = []
    for five in (FIVE, HALVED):
        found.append(np.zeros((len(five), max(2, columns))))
        found[-1][:, :2] = five
    steps = np.arange(1.0, 9.0)[:, None] / 4  # positive: for logarithms and roots
    found.append(steps * np.linspace(1.0, 2.0, columns) ** np.arange(8)[:, None])
    rng = np.random.default_rng(6)
    for size in (0.1, 0.5, 1.0, 2.0, 5.0):
        found += [size * rng.standard_normal((n, columns)) for n in (4, 12, 30)]
        found.append(size * np.abs(rng.standard_normal((12, columns))))
    return found


def _is_rounding(function: _Function, largest: float, X: FloatArray, c: FloatArray, value: float) -> bool:
    """Return whether cᵀKc may be negative by rounding only: then it is not so for points that round otherwise."""
    if -value <= _ROUNDINGS * np.finfo(np.float64).eps * largest * float(np.abs(c).sum()) ** 2:
        return True
    shaken = (X * (1.0 + shake) for shake in _SHAKES)
    return any(float(c @ function(points, points) @ c) > 0.5 * value for points in shaken)
