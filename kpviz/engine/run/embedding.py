"""Kernel principal components (Schölkopf, Smola, Müller 1998): coordinates for examples that have none.

The points φ(x_i) - mean are turned so that the first axes hold as much of their spread as axes can. Distances between
places are at most those between the φ(x_i), and equal to them if all axes are kept and the kernel is one.

Legend: n examples; K their Gram matrix; J = I - 1/n, which subtracts means, so JKJ is the Gram matrix of the
φ(x_i) - mean; λ its eigenvalues.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.features import number

_SAME = 1e-9  # of the largest |λ|: eigenvalues so near to each other are one, and its eigenvectors may be turned


@dataclass(frozen=True, eq=False)
class Embedding:
    """Examples as points of few dimensions.

    Attributes
    ----------
    places : (n, dims) coordinates; 0 along axes that the data do not have. Of each axis the entry farthest from 0 is
        positive (the first such entry), which fixes the sign that the eigenvector leaves open.
    eigenvalues : (n,) λ of JKJ in descending order; each positive one is the squared spread along its axis.
    share : of the sum of the positive eigenvalues that the dims axes hold, 0 to 1 (1 where there is no spread at all).
    lost : share of the negative eigenvalues in the sum of all |λ|, 0 for a kernel: what no picture can show.
    """

    places: FloatArray
    eigenvalues: FloatArray
    share: float
    lost: float

    @property
    def sentence(self) -> str:
        """How much of the spread is shown, in words."""
        dims = self.places.shape[1]
        description = (
            f"The first {dims} of {len(self.eigenvalues):,} axes hold {number(100 * self.share)}% of the spread."
        )
        if self.lost:
            description += (
                f" Negative eigenvalues, {number(100 * self.lost)}% of all, are left out: no space has such distances."
            )
        return description


def kernel_pca(gram: ArrayLike, dims: int = 2) -> Embedding:
    """Return the first `dims` kernel principal components of the examples of a Gram matrix, shape (n, n).

    Eigenvectors of equal eigenvalues, which are not unique, are fixed by a rule, so that the same matrix has the same
    picture everywhere.

    Raises
    ------
    ValueError
        If gram is not a square, symmetric matrix of finite numbers, or dims is below 1.

    Examples
    --------
    >>> found = kernel_pca([[4.0, 0.0, -4.0], [0.0, 0.0, 0.0], [-4.0, 0.0, 4.0]])
    >>> found.places[:, 0].round(6).tolist(), round(found.share, 6)
    ([2.0, 0.0, -2.0], 1.0)
    """
    K = checks.matrix("gram", gram)
    dims = checks.integer("dims", dims, low=1)
    n = len(K)
    if K.shape != (n, n):
        raise ValueError(f"gram has shape {K.shape}: a Gram matrix must be square.")
    if not np.allclose(K, K.T, rtol=1e-8, atol=1e-10 * float(np.abs(K).max())):
        raise ValueError("gram is not symmetric: k(u, v) must equal k(v, u).")
    centred = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    values, vectors = np.linalg.eigh((centred + centred.T) / 2)
    values, vectors = values[::-1], vectors[:, ::-1]
    rest = n * float(np.finfo(np.float64).eps) * float(np.abs(K).max()) * n  # K's own rounding, not that of JKJ alone
    values = np.where(np.abs(values) <= rest, 0.0, values)
    positive, size = float(values[values > 0].sum()), float(np.abs(values).sum())
    kept = int((values[:dims] > 0).sum())
    places = np.zeros((n, dims))
    places[:, :kept] = _axes(values, vectors, kept) * np.sqrt(values[:kept])
    places += 0.0  # no minus zero
    share = float(values[:kept].sum()) / positive if positive else 1.0
    return Embedding(places, values, share, float(-values[values < 0].sum()) / size if size else 0.0)


def _axes(values: FloatArray, vectors: FloatArray, count: int) -> FloatArray:
    """Return the first `count` eigenvectors, those of equal eigenvalues turned by rule, with their signs fixed."""
    found: list[FloatArray] = []
    start = 0
    while len(found) < count:
        stop = start + 1
        while stop < len(values) and values[start] - values[stop] <= _SAME * values[0]:
            stop += 1
        found += _turned(vectors[:, start:stop], count - len(found))
        start = stop
    signs = [np.sign(axis[_farthest(axis)]) for axis in found]
    return np.array([axis * sign for axis, sign in zip(found, signs, strict=True)]).T.reshape(len(vectors), count)


def _turned(space: FloatArray, count: int) -> list[FloatArray]:
    """Return an orthonormal basis of the columns' span that depends on the span alone, or its first `count` vectors.

    Each further axis points to the example with the largest residual, the first of equals.
    """
    if space.shape[1] == 1:
        return [space[:, 0]]
    found: list[FloatArray] = []
    left = space
    for _ in range(min(count, space.shape[1])):
        row = left[_farthest((left**2).sum(axis=1))]
        direction = row / np.linalg.norm(row)
        found.append(space @ direction)
        left = left - np.outer(left @ direction, direction)
    return found


def _farthest(axis: FloatArray) -> int:
    """Return the index of the entry farthest from 0: the first of those equal up to rounding."""
    size = np.abs(axis)
    return int(np.flatnonzero(size >= (1.0 - _SAME) * size.max())[0])
