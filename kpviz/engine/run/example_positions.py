"""Where the examples of a run are shown: in their plane, on the corners of a cube, or by kernel
PCA.

Kernel principal components (Schölkopf, Smola, Müller 1998) are coordinates for examples that have
none. The points φ(x_i) - mean are turned so that the first axes hold as much of their spread as
axes can. Distances between components are at most those between the φ(x_i), and equal to them if
all axes are kept and the kernel is one. Places are these with their heaps widened: half of each
coordinate is its rank, so that the order along each axis stays.

Legend: n examples; K their Gram matrix; J = I - 1/n, which subtracts means, so JKJ is the Gram
matrix of the φ(x_i) - mean; λ its eigenvalues.

Tests: tests/engine/test_example_positions.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.data import boolean
from kpviz.engine.kernels import generative
from kpviz.engine.run import grid
from kpviz.engine.run.grid import Extent
from kpviz.engine.run.run import Run

PLANE = "plane"
CUBE = "cube"
EMBEDDING = "embedding"
# Eigenvalues that differ by less than this share of the largest |λ| are one, and its eigenvectors
# may be turned.
_SAME = 1e-9
# These shares of the span are free on each side, and moved up below.
_ROOM = 0.15
_BELOW = 0.04
_BELOW_CUBE = -0.02  # Its corners have their names above them.


@dataclass(frozen=True, eq=False)
class ExamplePositions:
    """Where examples are shown, and what their places mean.

    Attributes
    ----------
    places : (n + n_test, 2), training examples first.
    visible : the part of the plane that is shown.
    kind : "plane": the features themselves, f has a value at every place; "cube": bits, neighbours
        differ in one; "embedding": kernel PCA of all these examples, f has values at the examples
        only.
    edges : (n_edges, 2) pairs of examples that are joined.
    outlines : (n_outlines, n_points, 2) closed lines: one and two standard deviations of a mixture
        that was fitted.
    share : of the spread in the feature space that the axes hold; 1 where there is no embedding.
    """

    places: FloatArray
    visible: Extent
    kind: str = PLANE
    axes: tuple[str, str] = ("x₁", "x₂")
    edges: NDArray[np.intp] = field(default_factory=lambda: np.zeros((0, 2), dtype=np.intp))
    outlines: FloatArray = field(default_factory=lambda: np.zeros((0, 0, 2)))
    share: float = 1.0

    @property
    def is_plane(self) -> bool:
        """Whether f has a value at every place."""
        return self.kind == PLANE

    @property
    def caption(self) -> str:
        """What the places mean, in a few words; "" for those of a plane."""
        if self.kind == CUBE:
            return "joined corners differ in one bit"
        return (
            f"near means similar (kernel PCA, {self.share:.0%} of the spread; heaps widened)"
            if self.kind == EMBEDDING
            else ""
        )


def written(x: Any) -> str:
    """Return an example that is not a point of the plane as text: itself, or a row of bits; "" for
    other rows.
    """
    if isinstance(x, str):
        return x
    bits = set(np.unique(x).tolist()) <= {0.0, 1.0}
    return "".join(f"{bit:.0f}" for bit in x) if bits else ""


def of(
    run: Run,
    X_test: NDArray[Any] | None = None,
    *,
    visible: Extent | None = None,
    bits: bool = False,
) -> ExamplePositions:
    """Return where the examples of a run and those held out are shown.

    `visible` is the part of the plane, for examples that have one (None: what they need); `bits`:
    the rows are the bits of a number. Held-out rows of a precomputed Gram matrix have no place.
    """
    held = run.X[:0] if X_test is None or run.kernel is None else X_test
    everything = np.concatenate([run.X, held])
    if run.kernel is not None and run.kernel.compares == "vectors":
        if bits:
            return of_bits(everything)
        if everything.shape[1] == 2:
            part = grid.extent(everything) if visible is None else visible
            return ExamplePositions(everything, part, outlines=generative.outlines(run.kernel))
    return of_kernel(run, held)


def of_bits(X: FloatArray) -> ExamplePositions:
    """Return the positions of rows of n bits, X of shape (m, n): each row on its corner of the
    cube.
    """
    n = X.shape[1]
    number = (X @ (2.0 ** np.arange(n - 1, -1, -1))).astype(np.intp)
    row = np.full(2**n, -1)
    row[number] = np.arange(len(X))
    ends = row[boolean.edges(n)]
    places = boolean.corners(n)[number]
    visible = _around(places, _BELOW_CUBE)
    return ExamplePositions(places, visible, CUBE, ("", ""), ends[(ends >= 0).all(axis=1)])


def of_kernel(run: Run, X_test: NDArray[Any]) -> ExamplePositions:
    """Return the positions of any examples, by kernel PCA of all of them.

    k(u, v) and k(v, u) may differ by rounding: their mean is used.
    """
    gram = full_gram(run, X_test)
    components, share = kernel_pca((gram + gram.T) / 2.0)
    places = _widened(components)
    return ExamplePositions(
        places, _around(places), EMBEDDING, ("1st component", "2nd component"), share=share
    )


def _widened(components: FloatArray) -> FloatArray:
    """Return places whose coordinates are half the components and half their ranks, which fill a
    square: where many are near each other, they lie farther apart.

    >>> _widened(np.array([[0.0, 0.0], [0.1, 0.0], [1.0, 0.0]])).tolist()
    [[0.0, 0.0], [0.3, 0.0], [1.0, 0.0]]
    """
    side = float(np.ptp(components, axis=0).max(initial=0.0))
    places = components.copy()
    for column in places.T:
        order = np.argsort(column, kind="stable")
        is_farther = np.diff(column[order]) > _SAME * side
        rank = np.concatenate([[0], np.cumsum(is_farther)])
        if rank[-1]:
            middle = (column[order[0]] + column[order[-1]]) / 2.0
            ranked = middle + side * (rank / rank[-1] - 0.5)
            column[order] = (column[order] + ranked) / 2.0
    return places


def full_gram(run: Run, X_test: NDArray[Any] | None) -> FloatArray:
    """Return k of all examples, training and held out, with each other: (n + n_test, n
    + n_test).
    """
    if X_test is None or not len(X_test) or run.kernel is None:
        return run.gram
    everything = np.concatenate([run.X, X_test])
    checks.whole_gram(len(everything))
    return run.kernel.evaluate(everything, everything)


def _around(places: FloatArray, below: float = _BELOW) -> Extent:
    """Return a square about the places, with room at its edges, more `below` where the current
    example is written, or above, where the names of corners are.
    """
    low = places.min(axis=0)
    high = places.max(axis=0)
    span = float((high - low).max()) or 1.0
    half = (0.5 + _ROOM) * span
    (x, y) = (low + high) / 2.0 - np.array([0.0, below * span])
    return Extent(float(x - half), float(x + half), float(y - half), float(y + half))


def kernel_pca(gram: FloatArray, dims: int = 2) -> tuple[FloatArray, float]:
    """Return the first kernel principal components of the examples of a symmetric Gram matrix,
    shape (n, n).

    First their places, (n, dims), 0 along axes that the data do not have. Of each axis the entry
    farthest from 0 is positive (the first such entry), and eigenvectors of equal eigenvalues, which
    are not unique, are fixed by a rule, so that the same matrix has the same picture everywhere.
    Then the share of the sum of the positive eigenvalues that these axes hold, 0 to 1 (1 where
    there is no spread at all).

    >>> places, share = kernel_pca(np.array([[4.0, 0.0, -4.0], [0.0, 0.0, 0.0], [-4.0, 0.0, 4.0]]))
    >>> places[:, 0].round(6).tolist(), round(share, 6)
    ([2.0, 0.0, -2.0], 1.0)
    """
    n = len(gram)
    centred = gram - gram.mean(axis=0) - gram.mean(axis=1)[:, None] + gram.mean()
    values, vectors = np.linalg.eigh((centred + centred.T) / 2)
    values = values[::-1]
    vectors = vectors[:, ::-1]
    # K's own, not that of JKJ alone
    rounding = n * n * float(np.finfo(np.float64).eps) * float(np.abs(gram).max())
    values = np.where(np.abs(values) <= rounding, 0.0, values)
    n_positive = int((values[:dims] > 0).sum())
    places = np.zeros((n, dims))
    places[:, :n_positive] = _axes(values, vectors, n_positive) * np.sqrt(values[:n_positive])
    places += 0.0  # This leaves no minus zero.
    positive = float(values[values > 0].sum())
    return places, float(values[:n_positive].sum()) / positive if positive else 1.0


def _axes(values: FloatArray, vectors: FloatArray, count: int) -> FloatArray:
    """Return the first `count` eigenvectors, those of equal eigenvalues turned by rule, with their
    signs fixed.
    """
    axes: list[FloatArray] = []
    start = 0
    while len(axes) < count:
        stop = start + 1
        while stop < len(values) and values[start] - values[stop] <= _SAME * values[0]:
            stop += 1
        axes += _turned(vectors[:, start:stop], count - len(axes))
        start = stop
    signs = [np.sign(axis[_farthest(axis)]) for axis in axes]
    return np.array([axis * sign for axis, sign in zip(axes, signs, strict=True)]).T.reshape(
        len(vectors), count
    )


def _turned(space: FloatArray, count: int) -> list[FloatArray]:
    """Return an orthonormal basis of the columns' span that depends on the span alone, or its first
    `count` vectors.

    Each further axis points to the example with the largest residual, the first of equals.
    """
    if space.shape[1] == 1:
        return [space[:, 0]]
    axes: list[FloatArray] = []
    left = space
    for _ in range(min(count, space.shape[1])):
        row = left[_farthest((left**2).sum(axis=1))]
        direction = row / np.linalg.norm(row)
        axes.append(space @ direction)
        left = left - np.outer(left @ direction, direction)
    return axes


def _farthest(axis: FloatArray) -> int:
    """Return the index of the entry farthest from 0: the first of those equal up to rounding."""
    size = np.abs(axis)
    return int(np.flatnonzero(size >= (1.0 - _SAME) * size.max())[0])
