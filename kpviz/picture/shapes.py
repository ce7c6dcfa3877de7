"""The outlines of marks as matplotlib paths, in CSS pixels with y downwards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.path import Path
from numpy.typing import NDArray

from kpviz.picture.board import Mark

FloatArray = NDArray[np.float64]

_SIDE = 0.886  # half the side of a square whose area is that of the circle
_ARC = 0.5523  # of the radius: where the handles of a quarter of a circle are
_SQUARE = Path([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)], closed=True)

# What each kind is scaled from.
UNITS = {"circle": Path.unit_circle(), "ellipse": Path.unit_circle(), "square": _SQUARE, "rect": _SQUARE}


def places(marks: Sequence[Mark]) -> FloatArray:
    """Return how the unit shape of each mark becomes the mark, (n, 3, 3)."""
    found = np.zeros((len(marks), 3, 3))
    for to, mark in zip(found, marks, strict=True):
        wide, high, x, y = _extent(mark)
        to[0, 0], to[1, 1], to[0, 2], to[1, 2], to[2, 2] = wide, high, x, y, 1.0
    return found


def _extent(mark: Mark) -> tuple[float, float, float, float]:
    """Return half the width, half the height, and the middle."""
    kind = mark["kind"]
    if kind == "rect":
        wide, high = mark["w"] / 2, mark["h"] / 2
        return wide, high, mark["x"] + wide, mark["y"] + high
    if kind == "ellipse":
        return mark["rx"], mark["ry"], mark["x"], mark["y"]
    r = mark["r"] * (_SIDE if kind == "square" else 1.0)
    return r, r, mark["x"], mark["y"]


def rounded(x: float, y: float, w: float, h: float, r: float) -> Path:
    """Return a rectangle with rounded corners."""
    r = max(min(r, w / 2, h / 2), 0.0)
    k = r * (1.0 - _ARC)
    right, low = x + w, y + h
    sides = [
        [(x + r, y), (right - r, y), (right - k, y), (right, y + k), (right, y + r)],
        [(right, low - r), (right, low - k), (right - k, low), (right - r, low)],
        [(x + r, low), (x + k, low), (x, low - k), (x, low - r)],
        [(x, y + r), (x, y + k), (x + k, y), (x + r, y), (x + r, y)],
    ]
    curve = [Path.LINETO, *[Path.CURVE4] * 3]
    codes = [Path.MOVETO, *curve, *curve, *curve, *curve, Path.CLOSEPOLY]
    return Path([point for side in sides for point in side], codes)


def rectangles(points: FloatArray, w: float, h: float) -> Path:
    """Return rectangles of one size from their upper left corners."""
    corners = np.asarray(points, dtype=float)[:, None] + np.array([(0, 0), (w, 0), (w, h), (0, h), (0, 0)])
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    return Path(corners.reshape(-1, 2), np.tile(codes, len(points)))


def polylines(parts: Sequence[FloatArray]) -> Path:
    """Return open lines, each (n, 2)."""
    codes = [np.r_[Path.MOVETO, np.full(len(part) - 1, Path.LINETO)] for part in parts]
    return Path(np.concatenate(parts), np.concatenate(codes))


def polygon(points: FloatArray) -> Path:
    """Return a closed line, (n, 2)."""
    return Path(np.concatenate([points, points[:1]]), closed=True)
