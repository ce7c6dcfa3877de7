"""A box in space, seen without perspective, as the panel of the lift draws it (`panels/lift.js`).

The first axis goes across, the second away from whoever looks, the third up; then the box is turned
about the third, and tilted so that one looks down on it.

Tests: tests/engine/test_box.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray

_PADDING = 0.06  # As a share of the largest side: so much room is around all points.
_TINY = 1e-100  # A smaller box is that of the origin alone.
# Corners are numbered with a bit for each axis; two that differ in one bit share an edge.
EDGES = tuple((a, a | bit) for a in range(8) for bit in (1, 2, 4) if not a & bit)


@dataclass(frozen=True, eq=False)
class Box:
    """All points with low <= point <= high, each (3,)."""

    low: FloatArray
    high: FloatArray

    @classmethod
    def around(cls, points: FloatArray) -> Box:
        """Return the box that holds the points, shape (n, 3), and the origin, on its edge or in it.

        >>> Box.around(np.array([[1.0, -1.0, 0.0]])).high.round(2)
        array([1.06, 0.06, 0.06])
        """
        every = np.concatenate([points, np.zeros((1, 3))])
        low = every.min(axis=0)
        high = every.max(axis=0)
        largest = float((high - low).max())
        room = _PADDING * (largest if largest > _TINY else 1.0)
        return cls(np.where(low < 0.0, low - room, 0.0), high + room)

    @property
    def corners(self) -> FloatArray:
        """The (8, 3) corners; corner k is at the high end of axis j where bit j of k is set."""
        bits = np.array([bits[::-1] for bits in product((0, 1), repeat=3)])
        return np.where(bits == 1, self.high, self.low)

    def seen(self, points: FloatArray, turn: float, tilt: float) -> FloatArray:
        """Return the points, shape (n, 3), as they are seen: across, up, and towards whoever looks.

        Angles are in degrees. The middle of the box is at 0, and its corners are at most 1 from
        there.

        >>> box = Box(np.zeros(3), np.array([2.0, 0.0, 0.0]))
        >>> box.seen(np.array([[2.0, 0.0, 0.0]]), 90.0, 0.0).round(6) + 0.0
        array([[0., 0., 1.]])
        """
        a = np.radians(turn)
        p = np.radians(tilt)
        first, second, third = (
            np.asarray(points, dtype=np.float64) - (self.low + self.high) / 2.0
        ).T
        away = second * np.cos(a) - first * np.sin(a)
        across = first * np.cos(a) + second * np.sin(a)
        up = third * np.cos(p) + away * np.sin(p)
        towards = third * np.sin(p) - away * np.cos(p)
        return np.column_stack([across, up, towards]) / (
            float(np.linalg.norm(self.high - self.low)) / 2.0
        )

    def cut(self, w: FloatArray, b: float) -> FloatArray:
        """Return where the plane w·point + b = 0 cuts the box, as a polygon (k, 3).

        (0, 3) where it does not.

        >>> Box(-np.ones(3), np.ones(3)).cut(np.array([0.0, 0.0, 1.0]), 0.0).tolist()
        [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]]
        """
        corners = self.corners
        side = corners @ w + b
        cuts = [
            corners[i] + (side[i] / (side[i] - side[j])) * (corners[j] - corners[i])
            for i, j in EDGES
            if (side[i] < 0) != (side[j] < 0)
        ]
        return self._sorted_by_angle(np.array(cuts).reshape(-1, 3), w)

    @staticmethod
    def _sorted_by_angle(points: FloatArray, w: FloatArray) -> FloatArray:
        """Return the points of a polygon in the plane across w in their order round its middle."""
        if len(points) < 3:
            return points[:0]
        off = points - points.mean(axis=0)
        first, second = _across(w)
        return points[np.argsort(np.arctan2(off @ second, off @ first), kind="stable")]


def _across(w: FloatArray) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two directions at right angles to w and to each other: the first two axes where w lies along
    the third.
    """
    least = np.zeros(3)
    least[int(np.argmin(np.abs(w)))] = 1.0
    unit = w / np.abs(w).max()  # The squares of tiny numbers are 0.
    second = np.cross(unit, least)
    return np.cross(second, unit), second
