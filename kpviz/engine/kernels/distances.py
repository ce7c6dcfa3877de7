"""Squared distances of examples: sums of squared differences, or, of very many pairs, matrix
products.

Tests: tests/engine/test_kernels.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.rounding import MOST_COLUMNS

# Differences are added up column by column: with more columns than these that takes many times as
# long as a product of matrices, which is less exact. Within `by_matrix_products` the limit is
# `MOST_COLUMNS` (16), above which inner products are such a product, too.
_MOST_BY_DIFFERENCES = 100
_BY_PRODUCTS = ContextVar("_BY_PRODUCTS", default=False)


@contextmanager
def by_matrix_products() -> Iterator[None]:
    """Let squared distances of more than `MOST_COLUMNS` columns be ‖u‖² − 2 u·v + ‖v‖² in here:
    faster, less exact.
    """
    token = _BY_PRODUCTS.set(True)
    try:
        yield
    finally:
        _BY_PRODUCTS.reset(token)


def are_by_products(columns: int) -> bool:
    """Say whether squared distances of so many columns are matrix products here."""
    return columns > (MOST_COLUMNS if _BY_PRODUCTS.get() else _MOST_BY_DIFFERENCES)


def squared_distances(U: FloatArray, V: FloatArray) -> FloatArray:
    """Return ‖u − v‖² of all rows u of U and v of V, (n_U, n_V).

    Of few columns it is exactly 0 where u is v.

    >>> squared_distances(np.array([[3.0, 4.0]]), np.array([[0.0, 0.0], [3.0, 4.0]]))
    array([[25.,  0.]])
    """
    if are_by_products(U.shape[1]):
        squared = _by_products(U, V)
        if U is V:  # The result has to be symmetric, as differences are.
            squared += squared.T.copy()
            squared /= 2.0
            np.fill_diagonal(squared, 0.0)
        return squared
    squared = np.subtract.outer(U[:, 0], V[:, 0])
    squared *= squared
    difference = np.empty_like(squared)
    for u, v in zip(U.T[1:], V.T[1:], strict=True):
        np.subtract.outer(u, v, out=difference)
        difference *= difference
        squared += difference
    return squared


def _by_products(U: FloatArray, V: FloatArray) -> FloatArray:
    """Return the same, at least 0, by products; examples that lie far from 0 are moved there, so
    that less cancels.
    """
    center = V.mean(axis=0)
    if center @ center > np.square(V - center).sum(axis=1).mean():
        U = U - center
        V = V - center
    squared = U @ V.T
    squared *= -2.0
    squared += np.einsum("ij,ij->i", U, U)[:, None]
    squared += np.einsum("ij,ij->i", V, V)
    return np.asarray(np.maximum(squared, 0.0, out=squared))
