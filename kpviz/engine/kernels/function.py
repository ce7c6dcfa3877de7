"""A kernel that is any function k(X, Z).

Tests: tests/engine/test_kernels.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel


@dataclass(frozen=True)
class Function(Kernel):
    """Any function k(X, Z) that returns an (n_X, n_Z) matrix of finite numbers.

    Parameters
    ----------
    function : takes X (n_X, d) and Z (n_Z, d), and returns (n_X, n_Z) numbers.
    """

    function: Callable[[FloatArray, FloatArray], FloatArray]
    name: ClassVar[str] = "Function"
    formula: ClassVar[str] = "k(u, v)"
    psd: str = field(default="unknown", init=False, repr=False, compare=False)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        result = self.function(X, Z)
        if np.ma.is_masked(result):
            raise ValueError("kernel returned masked values: every k(u, v) must be a number.")
        values = checks.numbers("what kernel returned", result)
        if values.shape != (len(X), len(Z)):
            raise ValueError(
                f"kernel returned shape {values.shape}: it must return {(len(X), len(Z))}."
            )
        if not np.isfinite(values).all():
            raise ValueError(
                "kernel returned NaN or infinite values on X or Z: every k(u, v) must be a finite "
                "number."
            )
        return values


def as_kernel(kernel: Kernel | Callable[[FloatArray, FloatArray], FloatArray]) -> Kernel:
    """Return a kernel object for a kernel object or a function k(X, Z).

    Parameters
    ----------
    kernel : a kernel object, or a function k(X, Z).
    """
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel) and not isinstance(kernel, type):
        return Function(kernel)
    raise ValueError(
        f"kernel={checks.text_of(kernel)} is not a kernel: it must be a kernel object such as "
        f"Gaussian(sigma=0.5), "
        'a function k(X, Z), or "precomputed".'
    )
