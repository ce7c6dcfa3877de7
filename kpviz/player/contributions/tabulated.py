"""Contributions that are looked up in a table: functions of u·v or of ‖u − v‖, times what splits by axis."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Axes, Kernel, product_on_axes
from kpviz.player.contributions.field_term import FieldTerm
from kpviz.player.contributions.low_rank import TOLERANCE, basis

_LONGEST = 32_768
_ERROR = 2e-7  # of the largest value
_MOST_TERMS = 8  # of what the table is multiplied by


def tabulated(
    parts: tuple[Kernel, ...], X: FloatArray, x1: FloatArray, x2: FloatArray, scale: Axes | None = None
) -> list[FieldTerm]:
    """Return a block for each term of what a table is multiplied by; none where the parts are no such product.

    `scale`: (1, s, nodes) along each axis, by which the kernel is multiplied.
    """
    products, distances = _of_products(parts), _of_distances(parts)
    for profiles, write in ((products, _ridge), (distances, _radial), ([*products, *distances], _both)):
        rest = [part for part in parts if part not in profiles]
        if not profiles or any(not _splits(part, X) for part in rest):
            continue
        pairs = [*([] if scale is None else [scale]), *(part.on_axes(X, x1, x2) for part in rest)]
        weights = joined([pair for pair in pairs if pair is not None])
        if weights is None or len(weights[0]) <= _MOST_TERMS:
            block = write(profiles, X, x1, x2)
            return [replace(block, **each) for each in along(weights)]
    return []


def is_radial(kernel: Kernel, X: FloatArray) -> bool:
    """Whether it depends on ‖u - v‖ alone, and does not split by axis, which keeps the digits of tiny values."""
    return kernel.of_distance and not _splits(kernel, X)


def _of_products(parts: tuple[Kernel, ...]) -> list[Kernel]:
    return [part for part in parts if part.of_inner_product]


def _of_distances(parts: tuple[Kernel, ...]) -> list[Kernel]:
    return [part for part in parts if part.of_distance]


def _splits(kernel: Kernel, X: FloatArray) -> bool:
    return kernel.on_axes(X[:1], X[:1, 0], X[:1, 1]) is not None


def joined(pairs: list[Axes]) -> Axes | None:
    """Return the split of a product; None for no factors."""
    found: Axes | None = None
    for pair in pairs:
        found = pair if found is None else product_on_axes(found, pair)
    return found


def along(weights: Axes | None) -> list[dict[str, FloatArray]]:
    """Return the arrays of a block for each term of the weights, with bases where these make them smaller."""
    if weights is None:
        return [{}]
    found = []
    for U, V in zip(*weights, strict=True):
        arrays: dict[str, FloatArray] = {}
        for axis, along in (("1", U), ("2", V)):
            vectors = basis(along, TOLERANCE)
            if len(vectors) * (len(along) + along.shape[1]) < along.size:
                arrays |= {f"along_{axis}": (along @ vectors.T)[None], f"basis_{axis}": vectors}
            else:
                arrays[f"along_{axis}"] = along[None]
        found.append(arrays)
    return found


def _ridge(profiles: list[Kernel], X: FloatArray, x1: FloatArray, x2: FloatArray) -> FieldTerm:
    """Write a function of u·v."""
    first = X @ np.array([x1[0], x2[0]])
    steps = X * np.array([x1[1] - x1[0], x2[1] - x2[0]])
    corners = first + np.outer([0, len(x1) - 1], steps[:, 0])[:, None] + np.outer([0, len(x2) - 1], steps[:, 1])
    one = np.ones((1, 1))
    table, low, step = _table(
        lambda at: _product(profiles, one, at[:, None]), float(corners.min()), float(corners.max())
    )
    return FieldTerm(table=table, places=np.column_stack([first - low, steps]) / step)


def _both(profiles: list[Kernel], X: FloatArray, x1: FloatArray, x2: FloatArray) -> FieldTerm:
    """Write a function of u·v times one of ‖u - v‖."""
    ridge = _ridge(_of_products(tuple(profiles)), X, x1, x2)
    return replace(_radial(_of_distances(tuple(profiles)), X, x1, x2), ridge=ridge.table, places=ridge.places)


def _radial(profiles: list[Kernel], X: FloatArray, x1: FloatArray, x2: FloatArray) -> FieldTerm:
    """Write a function of ‖u - v‖."""
    first, steps = np.array([x1[0], x2[0]]), np.array([x1[1] - x1[0], x2[1] - x2[0]])
    corners = np.array([[a, b] for a in x1[[0, -1]] for b in x2[[0, -1]]])
    farthest = float(np.linalg.norm(X[:, None] - corners, axis=2).max())
    origin, along_x1 = np.zeros((1, X.shape[1])), np.eye(1, X.shape[1])
    table, _, step = _table(lambda away: _product(profiles, origin, away[:, None] * along_x1), 0.0, farthest)
    return FieldTerm(table=table, centres=(X - first) / steps, scales=steps / step)


def _product(kernels: list[Kernel], X: FloatArray, Z: FloatArray) -> FloatArray:
    """Return the product of the kernels, of one example with each of the others."""
    return np.asarray(np.prod([kernel.evaluate(X, Z)[0] for kernel in kernels], axis=0))


def _table(profile: Callable[[FloatArray], FloatArray], low: float, high: float) -> tuple[FloatArray, float, float]:
    """Return values of a function from its first place on at equal steps, that place, and the step.

    There are so many that a line between two of them is near enough; where that takes too many there is a kink, and as
    most of these are at 0, one of the places is 0.
    """
    length = 1024
    while length <= _LONGEST:
        places = np.linspace(low, high, length)
        table, between = profile(places), profile(places[:-1] + np.diff(places) / 2)
        error = float(np.abs((table[1:] + table[:-1]) / 2 - between).max())
        if error <= _ERROR * float(np.abs(table).max()):
            return table, low, float(places[1] - places[0]) or 1.0
        length *= 2
    start, step = _through_zero(low, high, _LONGEST)
    return profile(np.clip(start + step * np.arange(_LONGEST), low, high)), start, step


def _through_zero(low: float, high: float, length: int) -> tuple[float, float]:
    """Return where to begin and how long steps are, so that so many places cover an interval, and 0 if it is within."""
    if not low < 0.0 < high:
        return low, (high - low) / (length - 1) or 1.0
    below = min(max(math.ceil(-low / (high - low) * (length - 1)), 1), length - 2)
    step = max(-low / below, high / (length - 1 - below))
    return -below * step, step
