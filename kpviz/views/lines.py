"""Level lines of a field, without what matplotlib's contour plots do besides."""

from __future__ import annotations

from typing import Any

import numpy as np
from contourpy import contour_generator
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.lib.stride_tricks import sliding_window_view

from kpviz.engine.checks import FloatArray


class LevelLines(LineCollection):
    """Where a field on the nodes (x1, x2) has the value `level`."""

    def __init__(self, x1: FloatArray, x2: FloatArray, field: FloatArray, level: float = 0.0, **pen: Any) -> None:
        z = without_plateaus(field) if level == 0 else field
        found: Any = contour_generator(x1, x2, z).lines(level)
        super().__init__(found, zorder=2, **pen)
        self.level = level


def draw(ax: Axes, x1: FloatArray, x2: FloatArray, field: FloatArray, level: float = 0.0, **pen: Any) -> bool:
    """Draw the lines, if there are any; return whether there are."""
    if not field.min() < level < field.max():
        return False
    ax.add_collection(LevelLines(x1, x2, field, level, **pen), autolim=False)
    return True


def without_plateaus(field: FloatArray) -> np.ma.MaskedArray[tuple[int, int], np.dtype[np.float64]] | FloatArray:
    """Mask where f is exactly 0 over an area (a narrow bump that ran out of digits): its rim is no boundary."""
    zero = field == 0
    if not zero.any():
        return field
    inside = sliding_window_view(np.pad(zero, 1, constant_values=True), (3, 3)).all(axis=(2, 3))
    beside = sliding_window_view(np.pad(inside, 1), (3, 3)).any(axis=(2, 3))
    return np.ma.masked_array(field, zero & beside)
