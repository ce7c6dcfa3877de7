"""What each support example adds to the field, small enough to send.

The browser knows no kernel. It holds, for each part of the kernel, a *block*: two sets of basis vectors, one along
each axis of the grid, and for each example the weights of their products. With coefficients c of the support,

    core = sum over examples i of c_i core_i          (r_1, r_2)
    field = basis_2ᵀ coreᵀ basis_1                    (nodes, nodes), rows along x₂

Most kernels split by axis, so core_i is a sum of few products of a weight along each axis; the others are factorised
numerically. Legend: s support examples, m terms, g nodes, r_1 and r_2 basis vectors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Kernel, Sum

TOLERANCE = 1e-7  # of the largest singular value; float32 itself has 6e-8
_LOOSEST = 1e-3
_PLAIN_BYTES = 100_000
_MOST_BYTES = 400_000  # for a kernel that does not split


@dataclass(frozen=True, eq=False)
class Block:
    """One part of the kernel.

    Either `along_1` (m, s, r_1) and `along_2` (m, s, r_2) with core_i = sum over m of their outer products, or
    `weights` (s, q) and `cores` (q, r_1, r_2) with core_i = sum over q of weights[i, q] cores[q]. A basis is
    (r, g); None stands for the grid's own nodes (r = g).
    """

    basis_1: FloatArray | None
    basis_2: FloatArray | None
    along_1: FloatArray | None = None
    along_2: FloatArray | None = None
    weights: FloatArray | None = None
    cores: FloatArray | None = None

    def arrays(self) -> dict[str, FloatArray]:
        """The arrays that are there, by name."""
        named = vars(self).items()
        return {name: value for name, value in named if value is not None}

    def field(self, coef: FloatArray) -> FloatArray:
        """Return sum of coef_i k(x_i, grid), (nodes along x₂, nodes along x₁): what the browser computes."""
        if self.along_1 is not None and self.along_2 is not None:
            core = np.einsum("i,mia,mib->ab", coef, self.along_1, self.along_2, optimize=True)
        else:
            assert self.weights is not None
            assert self.cores is not None
            core = np.tensordot(coef @ self.weights, self.cores, axes=1)
        left = core.T if self.basis_2 is None else self.basis_2.T @ core.T
        return np.asarray(left if self.basis_1 is None else left @ self.basis_1)


def blocks(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray) -> list[Block]:
    """Return the blocks of a kernel for the support examples X (s, 2) on the grid x1 × x2."""
    if isinstance(kernel, Sum):
        return blocks(kernel.first, X, x1, x2) + blocks(kernel.second, X, x1, x2)
    axes = kernel.on_axes(X, x1, x2)
    return [_split(*axes) if axes is not None else _factorised(kernel, X, x1, x2)]


def _split(U: FloatArray, V: FloatArray) -> Block:
    if len(U) == 1 or 4 * (U.size + V.size) <= _PLAIN_BYTES:
        return Block(None, None, U, V)  # as they are: far from all examples the tiny values keep their digits
    basis_1, along_1 = _reduce(U, TOLERANCE)
    basis_2, along_2 = _reduce(V, TOLERANCE)
    return Block(basis_1, basis_2, along_1, along_2)


def _reduce(values: FloatArray, tolerance: float) -> tuple[FloatArray | None, FloatArray]:
    """Write (m, s, g) values in fewer basis vectors where that is smaller."""
    terms, s, g = values.shape
    rows = values.reshape(-1, g)
    basis = _basis(rows, tolerance)
    r = len(basis)
    if r * (terms * s + g) >= terms * s * g:
        return None, values
    return basis, (rows @ basis.T).reshape(terms, s, r)


def _basis(rows: FloatArray, tolerance: float) -> FloatArray:
    """Orthonormal rows (r, g) that span the given rows up to `tolerance` of the largest singular value."""
    squares, vectors = np.linalg.eigh(rows.T @ rows)
    kept = squares > max(float(squares[-1]), 0.0) * tolerance**2
    return np.asarray(vectors[:, kept].T)


def _factorised(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Block:
    """A truncated factorisation by both axes and by examples, as exact as its size allows."""
    nodes = np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])
    values = kernel.evaluate(X, nodes).reshape(len(X), len(x2), len(x1)).transpose(0, 2, 1)
    tolerance = TOLERANCE
    while True:
        block = _tucker(values, tolerance)
        size = 4 * sum(array.size for array in block.arrays().values())
        if size <= _MOST_BYTES or tolerance >= _LOOSEST:
            return block
        tolerance *= 10.0


def _tucker(values: FloatArray, tolerance: float) -> Block:
    s, g1, g2 = values.shape
    basis_1 = _basis(values.transpose(0, 2, 1).reshape(-1, g1), tolerance)
    basis_2 = _basis(values.reshape(-1, g2), tolerance)
    reduced = basis_1 @ values @ basis_2.T  # (s, r_1, r_2)
    flat = reduced.reshape(s, -1)
    over = _basis(np.ascontiguousarray(flat.T), tolerance) if s < flat.shape[1] else None
    if over is None:
        cores = _basis(flat, tolerance)
        return Block(basis_1, basis_2, weights=flat @ cores.T, cores=cores.reshape(-1, *reduced.shape[1:]))
    return Block(basis_1, basis_2, weights=over.T, cores=(over @ flat).reshape(-1, *reduced.shape[1:]))
