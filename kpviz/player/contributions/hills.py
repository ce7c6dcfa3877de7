"""Contributions that fall on all sides of each example: a few numbers each, however fine the grid is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Axes, Kernel
from kpviz.player.contributions.field_term import FieldTerm
from kpviz.player.contributions.tabulated import along, joined, tabulated

_MOST_TERMS = 9  # of what a hill is multiplied by
_LOG_OF_0 = -746.0  # below, the exponential is 0


def hills(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, scale: Axes | None = None) -> list[FieldTerm]:
    """Return a block for each term of what a hill is multiplied by; none where the kernel is not such a product.

    `scale`: (1, s, nodes) along each axis, by which the kernel is multiplied.
    """
    falls = [part.falls for part in kernel.parts if part.falls is not None]
    rest = tuple(part for part in kernel.parts if part.falls is None)
    if not falls:
        return []
    blocks = _multiplied(rest, X, x1, x2, scale)
    first, steps = np.array([x1[0], x2[0]]), np.array([x1[1] - x1[0], x2[1] - x2[0]])
    tops = (X - first) / steps
    farthest = int(np.abs(tops - (len(x1) - 1) / 2).max(initial=0.0) + len(x1) / 2)
    away = np.arange(farthest + 3) * steps[:, None]  # three entries for each place
    a, b = np.sum(falls, axis=0)
    logs = -away * (a + b * away)
    seen = np.flatnonzero((logs > _LOG_OF_0).any(axis=0))
    return [replace(block, tops=tops, falls=logs[:, : seen[-1] + 4]) for block in blocks]


def _multiplied(
    parts: tuple[Kernel, ...], X: FloatArray, x1: FloatArray, x2: FloatArray, scale: Axes | None
) -> list[FieldTerm]:
    """Return the blocks of what hills are multiplied by; none where that cannot be written so."""
    pairs = [part.on_axes(X, x1, x2) for part in parts]
    if None not in pairs:
        weights = joined([pair for pair in (scale, *pairs) if pair is not None])
        if weights is None or len(weights[0]) <= (_MOST_TERMS if scale is not None else 1):
            return [FieldTerm(**each) for each in along(weights)]
    return tabulated(parts, X, x1, x2, scale)
