"""What is zero: a sum whose terms cancel leaves a rounding error, which must not decide a verdict.

By hand 0.3·0.7 − 0.7·0.3 is 0. Processors that add to a product before it is rounded get 10⁻¹⁷; and
0.1·0.9 − 0.3·0.3 is no zero in double precision on any. So a sum is 0.0 where it is not above
`ROUNDING` of what its terms amount to without their signs: inner products, scores, and votes. The
browser's side is kpviz/player/web/run/rounding.js.

Tests: tests/engine/test_exact_zeros.py.
"""

from __future__ import annotations

import numpy as np

from kpviz.engine.checks import FloatArray

ROUNDING = 1e-13  # So much of what was added up may be left of 0: some 450 times the last digit.
DOUBTFUL = 1e-12  # A score below this share of what was added and taken away is added up again.
# The products of so many vectors are added up one by one, the same on all processors.
MOST_COLUMNS = 16


def without_rounding(total: FloatArray, size: FloatArray) -> FloatArray:
    """Return sums, with 0.0 where they are but rounding; `size` is what the terms add up to without
    their signs.

    >>> without_rounding(np.array([0.1 + 0.2 - 0.3, -1e-20]), np.array([0.6, 1e-20])).tolist()
    [0.0, -1e-20]
    """
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(total) < ROUNDING * size, 0.0, total)


def inner_products(U: FloatArray, V: FloatArray, constant: float = 0.0) -> FloatArray:
    """Return u·v + constant of all rows u of U and v of V, (n_U, n_V).

    >>> inner_products(np.array([[0.1, 0.3]]), np.array([[0.9, -0.3], [1.0, 0.0]]))
    array([[0. , 0.1]])
    """
    total = _products_added(U, V)
    if constant:
        total += constant
    largest = np.abs(U).max(axis=0, initial=0.0) @ np.abs(V).max(axis=0, initial=0.0) + abs(
        constant
    )
    if total.size and np.abs(total).min() < ROUNDING * largest:  # Else none of the sizes is needed.
        return without_rounding(total, _products_added(np.abs(U), np.abs(V)) + abs(constant))
    return total


def _products_added(U: FloatArray, V: FloatArray) -> FloatArray:
    """Return u·v; of few columns without the library of linear algebra, which fuses products and
    sums.
    """
    if U.shape[1] > MOST_COLUMNS:
        return np.asarray(U @ V.T)
    total = np.multiply.outer(U[:, 0], V[:, 0])
    product = np.empty_like(total)
    for u, v in zip(U.T[1:], V.T[1:], strict=True):
        np.multiply.outer(u, v, out=product)
        total += product
    return total


def weighted_sums(
    weights: FloatArray, columns: FloatArray, constants: FloatArray | float = 0.0
) -> FloatArray:
    """Return the sum of weights_i columns_i + constant at each place, (..., places).

    Parameters
    ----------
    weights : (..., n).
    columns : (n, places).
    constants : (...,).

    Examples
    --------
    >>> weighted_sums(np.array([3.0, -1.0]), np.array([[0.1, 0.1], [0.3, 0.2]])).round(3)
    array([0. , 0.1])
    """
    constants = np.asarray(constants)[..., None]
    total = weights @ columns + constants
    shares = ROUNDING * np.abs(weights)
    largest = shares.sum(axis=-1, keepdims=True) * np.abs(columns).max(
        initial=0.0
    ) + ROUNDING * np.abs(constants)
    if (np.abs(total) < largest).any():  # Else none of the sizes is needed.
        size = np.abs(weights) @ np.abs(columns) + np.abs(constants)
        return without_rounding(total, size)
    return np.asarray(total)


def settled(f: float, size: float, near: float = 0.0) -> float:
    """Return a score, or 0.0, or `near`, where it differs from that by rounding only.

    >>> settled(0.1 + 0.2 - 0.3, 0.6), settled(-0.1 - 0.2, 0.3, near=-0.3)
    (0.0, -0.3)
    >>> settled(0.1, 0.1, near=0.3)
    0.1
    """
    if abs(f) < ROUNDING * size:
        return 0.0
    return near if near and abs(f - near) < ROUNDING * (size + abs(near)) else f
