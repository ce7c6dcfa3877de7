"""How values of a kernel are shown: examples by class, and one scale of colours for a run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.run.run import Run

_ROUNDING = 1e-12  # of the largest value: a kernel that is no more below 0 has no negative values
_TINY = 1e-290  # below it there are no three digits
_LOOK = 8  # every so many nodes are looked at for the sign of k(x, ·)


@dataclass(frozen=True)
class Scale:
    """The end of a scale of colours, above 0, and whether it goes to -limit as well or begins at 0."""

    limit: float
    signed: bool

    @classmethod
    def of(cls, values: FloatArray) -> Scale:
        """Return the scale that holds all values, its end to three digits; 1.0 where they are all 0, or there are none.

        >>> Scale.of(np.array([[2.0008, -0.5], [-0.5, 1.0]]))
        Scale(limit=2.01, signed=True)
        """
        limit = _rounded_up(float(np.abs(values).max(initial=0.0))) or 1.0
        return cls(limit, bool(values.min(initial=0.0) < -_ROUNDING * limit))


def by_class(y: FloatArray) -> NDArray[np.intp]:
    """Return the examples ordered by class, +1 first, and within a class by index, shape (n,).

    >>> by_class(np.array([-1.0, 1.0, -1.0, 1.0])).tolist()
    [1, 3, 0, 2]
    """
    return np.argsort(-y, kind="stable")


def scale_of_map(run: Run, X: NDArray[Any], x1: FloatArray, x2: FloatArray) -> Scale:
    """Return the scale of k(x_i, ·) over the nodes x1 × x2 for all examples X: that of k between examples.

    One scale for all of them, so that two can be compared; where k falls below 0 between examples, the scale shows it.
    """
    found = Scale.of(run.columns(X, np.arange(len(run.y))))
    if found.signed or run.kernel is None:
        return found
    first, second = x1[::_LOOK], x2[::_LOOK]
    nodes = np.column_stack([np.tile(first, len(second)), np.repeat(second, len(first))])
    return Scale(found.limit, Scale.of(run.kernel.evaluate(X, nodes)).signed)


def _rounded_up(value: float) -> float:
    """Return the number of three digits that is not below a value, up to rounding; 0.0 for what is too small."""
    if value < _TINY:
        return 0.0
    digit = math.floor(math.log10(value)) - 2
    return float(f"{math.ceil(value / 10.0**digit * (1.0 - _ROUNDING))}e{digit}")
