"""Contributions as sums of products: of a kernel that splits by axis, and of any other function."""

from __future__ import annotations

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel
from kpviz.player.contributions.field_term import FieldTerm

TOLERANCE = 1e-7  # of the largest singular value; float32 itself has 6e-8
_NEAR = 2e-4  # of itself, by which what a node is multiplied by may differ: it keeps its sign
_MANY = 200  # rows
_ONE = 1e-12  # by which what is 1 may differ from it
MOST = 400_000  # bytes of a function that neither splits nor is looked up
_LOOSE = 1e-5  # the most that a split may lose to become small
_LOOSEST = 2e-3  # of a truncated factorisation, as long as smaller ones do not fit


def splits(U: FloatArray, V: FloatArray, small: int) -> list[FieldTerm]:
    """Return the split in fewer terms and basis vectors, ever looser until it is small."""
    found: list[FieldTerm] = []
    tolerance = TOLERANCE
    while not found or (found[-1].size > small and tolerance <= _LOOSE):
        found.append(_split(U, V, tolerance, small))
        tolerance *= 10.0
    return found


def _split(U: FloatArray, V: FloatArray, tolerance: float, small: int) -> FieldTerm:
    """Write m terms in bases along the axes, and in no more terms than the example that needs most."""
    peaks = np.abs(U).max(axis=2), np.abs(V).max(axis=2)  # (m, s)
    share = np.sqrt(np.divide(*peaks[::-1], out=np.ones_like(peaks[0]), where=peaks[0] > 0))[:, :, None]
    share[share == 0] = 1.0
    U, V = U * share, V / share  # each pair alike in size, or the basis of one would lose what the other enlarges
    basis_1, basis_2 = basis(U.reshape(-1, U.shape[2]), tolerance), basis(V.reshape(-1, V.shape[2]), tolerance)
    along_1, along_2 = U @ basis_1.T, V @ basis_2.T
    whole = FieldTerm(basis_1, basis_2, along_1, along_2)
    if len(U) == 1 or 2 * whole.size > small * len(U):
        return whole  # even two terms would be too many
    cores = along_1.transpose(1, 2, 0) @ along_2.transpose(1, 0, 2)  # (s, r_1, r_2)
    left, values, right = np.linalg.svd(cores, full_matrices=False)
    terms = int((values > tolerance * values.max()).sum(axis=1).max())
    if terms >= len(U):
        return whole
    root = np.sqrt(values[:, :terms])
    along_1 = (left[:, :, :terms] * root[:, None, :]).transpose(2, 0, 1)
    along_2 = (right[:, :terms] * root[:, :, None]).transpose(1, 0, 2)
    return FieldTerm(basis_1, basis_2, along_1, along_2)


def rest(values: FloatArray) -> dict[str, FloatArray]:
    """Return what nodes (g_2, g_1) are multiplied by, as arrays of a block; nothing where all are 1.

    As exponentials of a sum of products by axis where that is smaller, and exact enough.
    """
    if np.abs(values - 1.0).max() <= _ONE:
        return {}
    if values.min() > 0.0:
        logs = np.log(values)
        along_1 = basis(logs[:: 2 if len(logs) > _MANY else 1], TOLERANCE / 10)  # what lies between is checked
        along_2 = along_1 @ logs.T
        small = along_1.size + along_2.size < values.size
        if small and np.abs(along_2.T @ along_1 - logs).max() <= _NEAR:
            return {"rest_1": along_1, "rest_2": along_2}
    return {"rest": values}


def basis(rows: FloatArray, tolerance: float) -> FloatArray:
    """Orthonormal rows (r, g) that span the given rows up to `tolerance` of the largest singular value."""
    if 2 * len(rows) <= rows.shape[1]:  # of few rows that is faster
        _, values, along = np.linalg.svd(rows, full_matrices=False)
        return np.asarray(along[: max(1, int((values > tolerance * values[0]).sum()))])
    squares, vectors = np.linalg.eigh(rows.T @ rows)
    kept = squares > max(float(squares[-1]), 0.0) * tolerance**2
    kept[-1] = True  # of nothing but zeros, too
    return np.asarray(vectors[:, kept].T)


def shared(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray) -> FieldTerm:
    """A truncated factorisation by both axes and by examples, as exact as its size allows."""
    nodes = np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])
    values = kernel.evaluate(X, nodes).reshape(len(X), len(x2), len(x1)).transpose(0, 2, 1)
    modes = [_mode(values, axis) for axis in range(3)]
    ranks = _ranks([squares for squares, _ in modes])
    weights, basis_1, basis_2 = (vectors[:, :rank] for (_, vectors), rank in zip(modes, ranks, strict=True))
    cores = basis_1.T @ np.tensordot(weights.T, values, axes=1) @ basis_2
    return FieldTerm(basis_1.T.copy(), basis_2.T.copy(), weights=weights, cores=cores)


def _mode(values: FloatArray, axis: int) -> tuple[FloatArray, FloatArray]:
    """Return the squares of the singular values along an axis, descending, and their vectors, (size, size)."""
    flat = np.moveaxis(values, axis, 0).reshape(values.shape[axis], -1)
    squares, vectors = np.linalg.eigh(flat @ flat.T)
    return np.maximum(squares[::-1], 0.0), vectors[:, ::-1]


def _ranks(squares: list[FloatArray]) -> tuple[int, int, int]:
    """Return how many vectors to keep of the examples and of both axes.

    By the smallest tolerance with which they fit into `MOST` bytes, up to `_LOOSEST`; if none does, of all numbers
    that fit those that lose least: the sum of the squares that each leaves out.
    """
    s, g1, g2 = map(len, squares)
    tolerance = TOLERANCE
    while tolerance <= _LOOSEST:
        enough = [max(1, int((each > each[0] * tolerance**2).sum())) for each in squares]
        q, r1, r2 = enough
        if 4 * (s * q + q * r1 * r2 + g1 * r1 + g2 * r2) <= MOST:
            return q, r1, r2
        tolerance *= 10.0
    lost = [np.append(np.cumsum(each[::-1])[::-1][1:], 0.0) for each in squares]
    some, first = np.ogrid[1 : s + 1, 1 : g1 + 1]
    room = (MOST / 4 - s * some - g1 * first) // (some * first + g2)
    second = np.clip(room, 1, g2).astype(int)
    left = np.where(room >= 1, lost[0][some - 1] + lost[1][first - 1] + lost[2][second - 1], np.inf)
    best = np.unravel_index(int(left.argmin()), left.shape)
    return int(best[0]) + 1, int(best[1]) + 1, int(second[best])
