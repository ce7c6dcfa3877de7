"""What each support example adds to the field, small enough to send.

The browser knows no kernel. It holds *blocks*, one for each summand of the kernel, and adds up for coefficients c

    field(x1, x2) = sum over blocks and support examples i of c_i k_i(x1, x2)

A block is written in one of three ways (legend: s support examples, m terms, g nodes, r basis vectors of an axis):

split      k_i = sum over m of (a weight along the first axis) × (one along the second); most kernels split so.
ridge      k_i = the same with one term, times a table looked up at a position that is linear along both axes: inner
           products are linear in the plane, so tanh(γ u·v + c) and high powers are one table and three numbers each.
radial     a table looked up at the distance from the example.
shared     the same few patterns for all, each with its own weight: the features of a kernel that has but a few, or a
           truncated factorisation of any other function.

A normalized kernel k(u, v) s(u) s(v) is written as k, with s(u) in the weights of the examples and s(v) along both
axes, as far as it splits; each node is multiplied by the `rest`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.formula import Formula
from kpviz.engine.kernels import Kernel, Normalized, Product, Sum

TOLERANCE = 1e-7  # of the largest singular value; float32 itself has 6e-8
_SMALL = 100_000  # bytes
_MOST_TERMS = 20  # that are worth the time of making them fewer
_LOOSE = 1e-5  # the most that a split may lose to become small
_LOOSEST = 2e-3  # of a truncated factorisation, as long as smaller ones do not fit
_MOST = 400_000  # bytes of a function that neither splits nor is a ridge
_LONGEST_TABLE = 32_768
_TABLE_ERROR = 2e-7  # of the largest value
_STEEPEST = 50.0  # ratio of what nodes are multiplied by: so much larger is what was lost


@dataclass(frozen=True, eq=False)
class Block:
    """One summand of the kernel, as arrays.

    split: `along_1` (m, s, r_1) and `along_2` (m, s, r_2), each in a basis (r, g), or on the nodes without one.
    ridge: `table` (n,) and `places` (s, 3): the position of the first node, and the steps from node to node along
    each axis; values between two entries are interpolated. It may have `along_1` and `along_2`, m = 1, on the nodes.
    radial: `table` (n,), `centres` (s, 2), the examples in steps of the grid from its first node, and `scales` (2,):
    the table's position is the length of the way from the centre to the node, times these along each axis.
    shared: `weights` (s, q) and `cores` (q, r_1, r_2) in both bases, or on the nodes without them.
    Any: `rest` (nodes along x₂, nodes along x₁), by which the sum is multiplied.
    """

    basis_1: FloatArray | None = None
    basis_2: FloatArray | None = None
    along_1: FloatArray | None = None
    along_2: FloatArray | None = None
    table: FloatArray | None = None
    places: FloatArray | None = None
    weights: FloatArray | None = None
    cores: FloatArray | None = None
    centres: FloatArray | None = None
    scales: FloatArray | None = None
    rest: FloatArray | None = None

    def arrays(self) -> dict[str, FloatArray]:
        """The arrays that are there, by name."""
        return {name: value for name, value in vars(self).items() if value is not None}

    @property
    def size(self) -> int:
        """Bytes as float32."""
        return sum(4 * array.size for array in self.arrays().values())

    def field(self, coef: FloatArray, nodes: int) -> FloatArray:
        """Return sum of coef_i k_i, (nodes along x₂, nodes along x₁): what the browser computes."""
        values = self._sum(coef, nodes)
        return values if self.rest is None else values * self.rest

    def _sum(self, coef: FloatArray, nodes: int) -> FloatArray:
        if self.table is not None and self.centres is not None and self.scales is not None:
            away = (np.arange(nodes) - self.centres[:, :, None]) * self.scales[:, None]
            at = np.hypot(away[:, 0, None, :], away[:, 1, :, None])
            return np.asarray(np.tensordot(coef, np.interp(at, np.arange(len(self.table)), self.table), axes=1))
        if self.table is not None and self.places is not None:
            steps = np.arange(nodes)
            start, step_1, step_2 = self.places.T[:, :, None, None]
            at = start + step_1 * steps + step_2 * steps[:, None]
            values = np.interp(at, np.arange(len(self.table)), self.table)
            if self.along_1 is not None and self.along_2 is not None:
                values *= self.along_2[0][:, :, None] * self.along_1[0][:, None, :]
            return np.asarray(np.tensordot(coef, values, axes=1))
        if self.weights is not None and self.cores is not None:
            core = np.tensordot(coef @ self.weights, self.cores, axes=1)
        else:
            assert self.along_1 is not None
            assert self.along_2 is not None
            core = np.einsum("i,mia,mib->ab", coef, self.along_1, self.along_2, optimize=True)
        left = core.T if self.basis_2 is None else self.basis_2.T @ core.T
        return np.asarray(left if self.basis_1 is None else left @ self.basis_1)


def blocks(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, most: int | None = None) -> list[Block]:
    """Return the blocks of a kernel for the support examples X (s, 2) on the grid x1 × x2.

    `most`: bytes that may be spent before a smaller way is looked for; None: what one term takes as it is.
    """
    of_features = _of_features(kernel, X, x1, x2)
    if of_features is not None:
        return [of_features]
    if _is_radial(kernel, X):
        return [_radial(kernel, X, x1, x2)]
    small = max(_SMALL, 8 * len(X) * len(x1)) if most is None else most
    if not isinstance(kernel, Normalized):
        return _sum(kernel, X, x1, x2, small, None)
    scale = _scale(kernel, X, x1, x2)
    found = [] if scale is None else _sum(kernel.kernel, X, x1, x2, small, scale)
    size = sum(block.size for block in found)
    if found and size <= _MOST:
        return found
    shared = replace(_shared(kernel, X, x1, x2), rest=_where_positive(kernel.kernel, x1, x2))
    return found if found and size <= shared.size else [shared]


def _where_positive(kernel: Kernel, x1: FloatArray, x2: FloatArray) -> FloatArray | None:
    """Return 1 at nodes where k(x, x) is above 0, and 0 elsewhere, where the normalized kernel is exactly 0."""
    nodes = np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])
    positive = kernel.diag(nodes).reshape(len(x2), len(x1)) > 0.0
    return None if positive.all() else positive.astype(np.float64)


def _of_features(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Block | None:
    """Return a kernel of a few features by these: where they are tiny they keep their digits."""
    weights = kernel.factors(X)
    there = kernel.factors(np.column_stack([np.repeat(x1, len(x2)), np.tile(x2, len(x1))]))
    if weights is None or there is None:
        return None
    return Block(weights=weights, cores=there.T.reshape(-1, len(x1), len(x2)))


def _sum(
    kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, small: int, scale: _Scale | None
) -> list[Block]:
    summands = _summands(kernel)
    if len(summands) == 1 and scale is None and (weighted := _weighted(kernel, X, x1, x2, small)):
        return weighted
    if scale is None and any(_few(each, X) is not None for each in summands):
        return [block for each in summands for block in _sum(each, X, x1, x2, small // len(summands), None)]
    found = [_block(summand, X, x1, x2, small, scale) for summand in summands]
    if len(found) == 1 or sum(block.size for block in found) <= small:
        return found
    return [_block(summand, X, x1, x2, small // len(summands), scale) for summand in summands]


def _few(kernel: Kernel, X: FloatArray) -> tuple[Kernel, Kernel] | None:
    """Return both factors of a product, first the one of a few features, if the other can be written with weights."""
    if isinstance(kernel, Product):
        for one, other in ((kernel.first, kernel.second), (kernel.second, kernel.first)):
            writable = other.of_inner_product or other.on_axes(X[:1], X[:1, 0], X[:1, 0]) is not None
            if writable and one.factors(X[:1]) is not None:
                return one, other
    return None


def _weighted(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, small: int) -> list[Block]:
    """Return Σ_m g_m(u) g_m(v) · k(u, v) as a block for each m; none where the kernel is no such product."""
    pair = _few(kernel, X)
    if pair is None:
        return []
    here, there = (pair[0].factors(at) for at in (X, np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])))
    assert here is not None
    assert there is not None
    ones = np.ones(len(x1)), np.ones(len(x2))
    scales = [_Scale(g, *ones, rest.reshape(len(x2), len(x1))) for g, rest in zip(here.T, there.T, strict=True)]
    return [_block(pair[1], X, x1, x2, small // len(scales), scale) for scale in scales]


def _summands(kernel: Kernel) -> list[Kernel]:
    if isinstance(kernel, Sum):
        return _summands(kernel.first) + _summands(kernel.second)
    return list(kernel.terms) if isinstance(kernel, Formula) else [kernel]


def _block(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, small: int, scale: _Scale | None) -> Block:
    """Return the kernel as it is if that takes at most `small` bytes, else the smallest way to write it."""
    if scale is None and _is_radial(kernel, X):
        return _radial(kernel, X, x1, x2)
    axes = kernel.on_axes(X, x1, x2)
    rest = None if scale is None else scale.rest
    found = []
    if axes is not None:
        axes = axes if scale is None else scale.of(*axes)
        found.append(Block(along_1=axes[0], along_2=axes[1], rest=rest))
        if found[0].size <= small:
            return found[0]  # far from all examples tiny values keep their digits
        splits = _splits(*axes, small) if len(axes[0]) <= _MOST_TERMS else []
        found += [replace(block, rest=rest) for block in splits]
    if not found or found[-1].size > small:
        found += [block for block in [_ridge(kernel, X, x1, x2, scale)] if block is not None]
    return min(found, key=lambda block: block.size) if found else _shared(kernel, X, x1, x2)


# ---- normalized -------------------------------------------------------------------------------------


class _Scale(NamedTuple):
    """1/√k(x, x) at the examples (s,), and at the nodes, as along_2 × along_1 × rest."""

    examples: FloatArray
    along_1: FloatArray
    along_2: FloatArray
    rest: FloatArray

    def of(self, U: FloatArray, V: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return a split with all but the rest multiplied in."""
        return U * self.examples[:, None] * self.along_1, V * self.along_2


def _scale(kernel: Normalized, X: FloatArray, x1: FloatArray, x2: FloatArray) -> _Scale | None:
    """Return what normalizes, or None where it is too steep or a part does not split."""
    nodes = np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])
    own, there = kernel.kernel.diag(X), kernel.kernel.diag(nodes).reshape(len(x2), len(x1))
    parts = _summands(kernel.kernel)
    if min(own.min(), there.min()) <= 0.0 or any(part.on_axes(X[:1], x1, x2) is None for part in parts):
        return None
    logs = -np.log(there) / 2
    along_1, along_2 = logs.mean(axis=0) - logs.mean() / 2, logs.mean(axis=1) - logs.mean() / 2
    rest = np.exp(logs - along_1 - along_2[:, None])
    if rest.max() > _STEEPEST * rest.min():
        return None
    return _Scale(1.0 / np.sqrt(own), np.exp(along_1), np.exp(along_2), rest)


# ---- split ------------------------------------------------------------------------------------------


def _splits(U: FloatArray, V: FloatArray, small: int) -> list[Block]:
    """Return the split in fewer terms and basis vectors, ever looser until it is small."""
    found: list[Block] = []
    tolerance = TOLERANCE
    while not found or (found[-1].size > small and tolerance <= _LOOSE):
        found.append(_split(U, V, tolerance, small))
        tolerance *= 10.0
    return found


def _split(U: FloatArray, V: FloatArray, tolerance: float, small: int) -> Block:
    """Write m terms in bases along the axes, and in no more terms than the example that needs most."""
    peaks = np.abs(U).max(axis=2), np.abs(V).max(axis=2)  # (m, s)
    share = np.sqrt(np.divide(*peaks[::-1], out=np.ones_like(peaks[0]), where=peaks[0] > 0))[:, :, None]
    share[share == 0] = 1.0
    U, V = U * share, V / share  # each pair alike in size, or the basis of one would lose what the other enlarges
    basis_1, basis_2 = _basis(U.reshape(-1, U.shape[2]), tolerance), _basis(V.reshape(-1, V.shape[2]), tolerance)
    along_1, along_2 = U @ basis_1.T, V @ basis_2.T
    whole = Block(basis_1, basis_2, along_1, along_2)
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
    return Block(basis_1, basis_2, along_1, along_2)


def _basis(rows: FloatArray, tolerance: float) -> FloatArray:
    """Orthonormal rows (r, g) that span the given rows up to `tolerance` of the largest singular value."""
    squares, vectors = np.linalg.eigh(rows.T @ rows)
    kept = squares > max(float(squares[-1]), 0.0) * tolerance**2
    kept[-1] = True  # of nothing but zeros, too
    return np.asarray(vectors[:, kept].T)


# ---- ridge ------------------------------------------------------------------------------------------


def _ridge(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, scale: _Scale | None) -> Block | None:
    """Write a product of functions of u·v, and of kernels that split in one term; None for others."""
    factors = _factors(kernel)
    profiles = [factor for factor in factors if factor.of_inner_product]
    axes = [factor.on_axes(X, x1, x2) for factor in factors if not factor.of_inner_product]
    if not profiles or any(pair is None or len(pair[0]) > 1 for pair in axes):
        return None
    pairs = [pair for pair in axes if pair is not None]
    if scale is not None:
        pairs.append(scale.of(np.ones((1, len(X), len(x1))), np.ones((1, len(X), len(x2)))))
    along = [np.prod([pair[axis] for pair in pairs], axis=0) if pairs else None for axis in (0, 1)]

    first = X @ np.array([x1[0], x2[0]])
    steps = X * np.array([x1[1] - x1[0], x2[1] - x2[0]])
    corners = first + np.outer([0, len(x1) - 1], steps[:, 0])[:, None] + np.outer([0, len(x2) - 1], steps[:, 1])
    low, high = float(corners.min()), float(corners.max())
    table = _table(lambda at: _profile(profiles, at), low, high)
    density = (len(table) - 1) / (high - low) if high > low else 0.0
    places = np.column_stack([(first - low) * density, steps * density])
    rest = None if scale is None else scale.rest
    return Block(along_1=along[0], along_2=along[1], table=table, places=places, rest=rest)


def _table(profile: Callable[[FloatArray], FloatArray], low: float, high: float) -> FloatArray:
    """Return values of a function at equal steps, so many that a line between two of them is near enough."""
    length = 1024
    while True:
        table = profile(np.linspace(low, high, length))
        between = profile(np.linspace(low, high, 2 * length - 1))[1::2]
        error = float(np.abs((table[1:] + table[:-1]) / 2 - between).max())
        if error <= _TABLE_ERROR * float(np.abs(table).max()) or length == _LONGEST_TABLE:
            return table
        length *= 2


def _is_radial(kernel: Kernel, X: FloatArray) -> bool:
    """Whether it depends on ‖u - v‖ alone, and does not split by axis, which keeps the digits of tiny values."""
    return kernel.of_distance and kernel.on_axes(X[:1], X[:1, 0], X[:1, 1]) is None


def _radial(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Block:
    """Write a function of ‖u - v‖."""
    first, steps = np.array([x1[0], x2[0]]), np.array([x1[1] - x1[0], x2[1] - x2[0]])
    corners = np.array([[a, b] for a in x1[[0, -1]] for b in x2[[0, -1]]])
    farthest = float(np.linalg.norm(X[:, None] - corners, axis=2).max())
    origin = np.zeros((1, X.shape[1]))

    def profile(distances: FloatArray) -> FloatArray:
        return np.asarray(kernel.evaluate(origin, distances[:, None] * np.eye(1, X.shape[1]))[0])

    table = _table(profile, 0.0, farthest)
    return Block(table=table, centres=(X - first) / steps, scales=steps * ((len(table) - 1) / farthest))


def _factors(kernel: Kernel) -> list[Kernel]:
    return _factors(kernel.first) + _factors(kernel.second) if isinstance(kernel, Product) else [kernel]


def _profile(kernels: list[Kernel], products: FloatArray) -> FloatArray:
    """The product of the kernels as a function of u·v: their values for u = 1 and v = u·v on a line."""
    one = np.ones((1, 1))
    return np.asarray(np.prod([kernel.evaluate(one, products[:, None])[0] for kernel in kernels], axis=0))


# ---- shared -----------------------------------------------------------------------------------------


def _shared(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Block:
    """A truncated factorisation by both axes and by examples, as exact as its size allows."""
    nodes = np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])
    values = kernel.evaluate(X, nodes).reshape(len(X), len(x2), len(x1)).transpose(0, 2, 1)
    modes = [_mode(values, axis) for axis in range(3)]
    ranks = _ranks([squares for squares, _ in modes])
    weights, basis_1, basis_2 = (vectors[:, :rank] for (_, vectors), rank in zip(modes, ranks, strict=True))
    cores = basis_1.T @ np.tensordot(weights.T, values, axes=1) @ basis_2
    return Block(basis_1.T.copy(), basis_2.T.copy(), weights=weights, cores=cores)


def _mode(values: FloatArray, axis: int) -> tuple[FloatArray, FloatArray]:
    """Return the squares of the singular values along an axis, descending, and their vectors, (size, size)."""
    flat = np.moveaxis(values, axis, 0).reshape(values.shape[axis], -1)
    squares, vectors = np.linalg.eigh(flat @ flat.T)
    return np.maximum(squares[::-1], 0.0), vectors[:, ::-1]


def _ranks(squares: list[FloatArray]) -> tuple[int, int, int]:
    """Return how many vectors to keep of the examples and of both axes.

    By the smallest tolerance with which they fit into `_MOST` bytes, up to `_LOOSEST`; if none does, of all numbers
    that fit those that lose least: the sum of the squares that each leaves out.
    """
    s, g1, g2 = map(len, squares)
    tolerance = TOLERANCE
    while tolerance <= _LOOSEST:
        enough = [max(1, int((each > each[0] * tolerance**2).sum())) for each in squares]
        q, r1, r2 = enough
        if 4 * (s * q + q * r1 * r2 + g1 * r1 + g2 * r2) <= _MOST:
            return q, r1, r2
        tolerance *= 10.0
    lost = [np.append(np.cumsum(each[::-1])[::-1][1:], 0.0) for each in squares]
    some, first = np.ogrid[1 : s + 1, 1 : g1 + 1]
    room = (_MOST / 4 - s * some - g1 * first) // (some * first + g2)
    second = np.clip(room, 1, g2).astype(int)
    left = np.where(room >= 1, lost[0][some - 1] + lost[1][first - 1] + lost[2][second - 1], np.inf)
    best = np.unravel_index(int(left.argmin()), left.shape)
    return int(best[0]) + 1, int(best[1]) + 1, int(second[best])
