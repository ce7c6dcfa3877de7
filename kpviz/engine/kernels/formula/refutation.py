"""Samples that refute: examples and numbers c with cᵀKc < 0. No sample proves that a function is a kernel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.formula.scanner import example
from kpviz.engine.kernels.validity import FIVE, HALVED, CounterExample, examine, smaller


class RefutedExample(NamedTuple):
    """A function that is often taken for a kernel, and is not one: its name in links, in words and as it is written.

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


def refute(kernel: Kernel, samples: list[FloatArray]) -> CounterExample | None:
    """Return what refutes that k is a kernel, by the first sample that does; None if none does.

    Samples without finite values show nothing, nor do those that refute by no more than rounding.
    """
    for X in samples:
        try:
            found = smaller(examine(kernel, X))
        except ValueError:
            continue
        if found is not None and found.symmetric:
            return found
    return None


def describe(found: CounterExample) -> str:
    """Return what refutes in one sentence."""
    shown = ", ".join(example(point.tolist()) for point in found.points)
    c = ", ".join(f"{x:.3g}" for x in found.c)
    plural = "s" if len(found.c) > 1 else ""
    sentence = f"Refuted: for the point{plural} {shown} and c = ({c}), cᵀKc = {found.value:.4g} is negative."
    return sentence.replace("-", "−")


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
