"""The words of the formula language, and its limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.named import NAMED_KERNELS

MAX_LENGTH = 300  # characters of a formula, as typed and as written by kpviz
MAX_NESTING = 30
MAX_EXPONENT = 64.0
MAX_NUMBER = 1e12
MAX_COMPONENT = 100  # of u[1], u[2], …

Operation = Callable[..., Any]

OPERATIONS: dict[str, Operation] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": np.power,
}

# Of a number, or of each component of a vector.
ELEMENTWISE: dict[str, Operation] = {
    "abs": np.abs,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "sin": np.sin,
    "cos": np.cos,
}

# Of two numbers, or of two vectors component by component.
PAIRWISE: dict[str, Operation] = {"min": np.minimum, "max": np.maximum}

# A number of vectors, by how many vectors there are.
REDUCTIONS: dict[str, int] = {"dot": 2, "norm": 1, "norm1": 1, "sum": 1, "equal": 2}

NORMALIZED = "normalized"

NAMED: dict[str, type[Kernel]] = NAMED_KERNELS  # built-in kernels of u and v: their parameters are their arguments

FUNCTIONS: tuple[str, ...] = (*REDUCTIONS, *ELEMENTWISE, *PAIRWISE, NORMALIZED, *NAMED)
VECTORS = ("u", "v")
PI = "pi"


def arity(name: str) -> int:
    """Return how many arguments a function takes.

    >>> arity("dot"), arity("exp"), arity("gaussian")
    (2, 1, 1)
    """
    if name in NAMED:
        return len(NAMED[name].ranges)
    return REDUCTIONS.get(name, 2 if name in PAIRWISE else 1)


def power(base: Any, exponent: float, out: Any = None) -> Any:
    """Return base**exponent as `**` of numpy does it: squares, roots and inverses by their own functions."""
    exact: dict[float, Operation] = {2.0: np.square, 0.5: np.sqrt, -1.0: np.reciprocal}
    if exponent in exact:
        return exact[exponent](base, out=out)
    return np.power(base, exponent, out=out)
