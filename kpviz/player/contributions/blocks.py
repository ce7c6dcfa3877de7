"""What each support example adds to the field, small enough to send.

The browser knows no kernel. It holds *blocks*, one for each summand of the kernel, and adds up for coefficients c

    field(x1, x2) = sum over blocks and support examples i of c_i k_i(x1, x2)

A block is written in one of these ways (legend: s support examples, m terms, g nodes, r basis vectors of an axis):

hill       a table of logarithms looked up at the distance from the example along each axis: one table for all and two
           numbers for each example, however fine the grid. It may be multiplied by one term of a split, or by a table.
split      k_i = sum over m of (a weight along the first axis) × (one along the second); most kernels split so.
ridge      k_i = a table looked up at a position that is linear along both axes: inner products are linear in the
           plane, so tanh(γ u·v + c) and high powers are one table and three numbers each.
radial     a table looked up at the distance from the example. Both tables may be multiplied by each other and by one
           term of a split.
shared     the same few patterns for all, each with its own weight: the features of a kernel that has but a few, or a
           truncated factorisation of any other function.

A normalized kernel k(u, v) s(u) s(v) is written as k, with s(u) in the weights of the examples and s(v) along both
axes, as far as it splits; each node is multiplied by the `rest`. Factors that are 1 at u = v stay as they are.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from functools import reduce
from typing import NamedTuple

import numpy as np

from kpviz import tokens
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Kernel, Normalized, Product
from kpviz.engine.kernels.base import Axes
from kpviz.player.contributions import low_rank
from kpviz.player.contributions.field_term import FieldTerm
from kpviz.player.contributions.hills import hills
from kpviz.player.contributions.low_rank import MOST, shared, splits
from kpviz.player.contributions.tabulated import is_radial, tabulated

TOO_LARGE = "These numbers are too large to be drawn: let the features be scaled, or use another kernel."
_SMALL = 100_000  # bytes
_MOST_MULTIPLIED_OUT = 6  # terms: more are seldom small together
_MOST_TERMS = 20  # that are worth the time of making them fewer
_STEEPEST = 50.0  # ratio of what nodes are multiplied by: so much larger is what was lost


def blocks(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, most: int | None = None) -> list[FieldTerm]:
    """Return the blocks of a kernel for the support examples X (s, 2) on the grid x1 × x2.

    `most`: bytes that may be spent before a smaller way is looked for; None: what one term takes as it is. ValueError
    where the numbers are too large.
    """
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return _written(kernel, X, x1, x2, most)
    except np.linalg.LinAlgError:  # of squares beyond all floats
        raise ValueError(TOO_LARGE) from None


def is_exact(kernel: Kernel, X: FloatArray) -> bool:
    """Whether a kernel of the plane is drawn without a truncated factorisation, which fine grids have no room for."""
    if not len(X):
        return True
    few = np.linspace(-1.0, 1.0, 5)
    summands = (kernel.kernel if isinstance(kernel, Normalized) else kernel).summands
    return all(each.factors(X[:1]) is not None or _is_exact(blocks(each, X[:2], few, few)) for each in summands)


def _written(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, most: int | None) -> list[FieldTerm]:
    of_features = _of_features(kernel, X, x1, x2)
    if of_features is not None:
        return [of_features]
    if is_radial(kernel, X):
        return tabulated(kernel.parts, X, x1, x2)
    small = max(_SMALL, 8 * len(X) * len(x1)) if most is None else most
    if isinstance(kernel, Normalized):
        return _normalized(kernel.kernel, X, x1, x2, small)
    return _sum(kernel, X, x1, x2, small, None)


def _where_positive(kernel: Kernel, x1: FloatArray, x2: FloatArray) -> FloatArray | None:
    """Return 1 at nodes where k(x, x) is above 0, and 0 elsewhere, where the normalized kernel is exactly 0."""
    nodes = np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])
    positive = kernel.diag(nodes).reshape(len(x2), len(x1)) > 0.0
    return None if positive.all() else positive.astype(np.float64)


def _of_features(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray) -> FieldTerm | None:
    """Return a kernel of a few features by these: where they are tiny they keep their digits."""
    weights = kernel.factors(X)
    there = kernel.factors(np.column_stack([np.repeat(x1, len(x2)), np.tile(x2, len(x1))]))
    if weights is None or there is None:
        return None
    return FieldTerm(weights=weights, cores=there.T.reshape(-1, len(x1), len(x2)))


def _sum(
    kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, small: int, scale: _Scale | None
) -> list[FieldTerm]:
    summands = kernel.summands
    if len(summands) == 1 and scale is None and (weighted := _weighted(kernel, X, x1, x2, small)):
        return weighted
    if scale is None and any(_few(each, X) is not None for each in summands):
        return [block for each in summands for block in _sum(each, X, x1, x2, small // len(summands), None)]
    found = _each(summands, X, x1, x2, small, scale)
    if _size(found) <= small:
        return found
    if len(summands) > 1:
        found = _each(summands, X, x1, x2, small // len(summands), scale)
    terms = kernel.multiplied_out
    if not len(summands) < len(terms) <= _MOST_MULTIPLIED_OUT:
        return found
    exact = _each(terms, X, x1, x2, small, scale)
    return exact if exact and _is_exact(exact) and _size(exact) < _size(found) else found


def _is_exact(found: list[FieldTerm]) -> bool:
    return all(block.weights is None for block in found)


def _each(
    summands: tuple[Kernel, ...], X: FloatArray, x1: FloatArray, x2: FloatArray, small: int, scale: _Scale | None
) -> list[FieldTerm]:
    """Return the blocks of all summands; none if one of them cannot be written with the scale."""
    found = [_blocks(summand, X, x1, x2, small, scale) for summand in summands]
    return [block for each in found for block in each] if all(found) else []


def _few(kernel: Kernel, X: FloatArray) -> tuple[Kernel, Kernel] | None:
    """Return both factors of a product, first the one of a few features, if the other can be written with weights."""
    if isinstance(kernel, Product):
        for one, other in ((kernel.first, kernel.second), (kernel.second, kernel.first)):
            writable = (
                other.of_inner_product or other.of_distance or other.on_axes(X[:1], X[:1, 0], X[:1, 0]) is not None
            )
            if writable and one.factors(X[:1]) is not None:
                return one, other
    return None


def _weighted(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, small: int) -> list[FieldTerm]:
    """Return Σ_m g_m(u) g_m(v) · k(u, v) as a block for each m; none where the kernel is not such a product."""
    pair = _few(kernel, X)
    if pair is None:
        return []
    here, there = (pair[0].factors(at) for at in (X, np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])))
    assert here is not None
    assert there is not None
    ones = np.ones(len(x1)), np.ones(len(x2))
    scales = [_Scale(g, *ones, rest.reshape(len(x2), len(x1))) for g, rest in zip(here.T, there.T, strict=True)]
    return [block for scale in scales for block in _blocks(pair[1], X, x1, x2, small // len(scales), scale)]


def _blocks(
    kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, small: int, scale: _Scale | None
) -> list[FieldTerm]:
    """Return the kernel as it is if that takes at most `small` bytes, else the smallest way to write it.

    With a scale [] where only a truncated factorisation would do.
    """
    rest = {} if scale is None else low_rank.rest(scale.rest)
    if len(x1) > tokens.GRID and (featured := _in_bases(kernel, X, x1, x2, scale)):
        return [replace(featured, **rest)]
    if fallen := hills(kernel, X, x1, x2, None if scale is None else scale.axes):
        return [replace(block, **rest) for block in fallen]
    axes = kernel.on_axes(X, x1, x2)
    found: list[list[FieldTerm]] = []
    if axes is not None:
        axes = axes if scale is None else scale.of(*axes)
        found.append([FieldTerm(along_1=axes[0], along_2=axes[1], **rest)])
        if _size(found[0]) <= small:
            return found[0]  # far from all examples tiny values keep their digits
        fewer = splits(*axes, small) if len(axes[0]) <= _MOST_TERMS else []
        found += [[replace(block, **rest)] for block in fewer]
    if not found or _size(found[-1]) > small:
        tables = tabulated(kernel.parts, X, x1, x2, None if scale is None else scale.axes)
        found += [[replace(block, **rest) for block in tables]] if tables else []
    if found:
        return min(found, key=_size)
    return [shared(kernel, X, x1, x2)] if scale is None else []


def _in_bases(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, scale: _Scale | None) -> FieldTerm | None:
    """Return a kernel of a few features by these, on a fine grid; None of others."""
    found = _of_features(kernel, X, x1, x2) if kernel.factors(X[:1]) is not None else None
    if found is None or found.weights is None or found.cores is None:
        return None
    weights, cores = found.weights, found.cores
    if scale is not None:
        weights, cores = weights * scale.examples[:, None], cores * scale.along_1[:, None] * scale.along_2
    basis_1 = low_rank.basis(cores.transpose(0, 2, 1).reshape(-1, len(x1)), low_rank.TOLERANCE)
    basis_2 = low_rank.basis(cores.reshape(-1, len(x2)), low_rank.TOLERANCE)
    return FieldTerm(basis_1, basis_2, weights=weights, cores=basis_1 @ cores @ basis_2.T)


def _size(blocks: list[FieldTerm]) -> int:
    return sum(block.size for block in blocks)


# ---- normalized -------------------------------------------------------------------------------------


def _normalized(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, small: int) -> list[FieldTerm]:
    """Return the blocks of the normalized form of a kernel."""
    even = [part for part in kernel.parts if _is_hill(part) and bool((part.diag(X) == 1.0).all())]
    rest = [part for part in kernel.parts if part not in even]
    if not rest or (even and _product(rest).factors(X[:1]) is not None):
        return _sum(_product([*even, *([_product(rest).normalized()] if rest else [])]), X, x1, x2, small, None)
    hilly = any(_is_hill(part) for summand in kernel.summands for part in summand.parts)
    scale = _scale(kernel, X, x1, x2, np.inf if hilly else _STEEPEST)
    found = [] if scale is None else _sum(kernel, X, x1, x2, small, scale)
    size = _size(found)
    if found and (size <= MOST or hilly):
        return found
    rough = replace(shared(kernel.normalized(), X, x1, x2), rest=_where_positive(kernel, x1, x2))
    return found if found and size <= rough.size else [rough]


def _is_hill(kernel: Kernel) -> bool:
    return kernel.falls is not None or kernel.of_distance


def _product(kernels: list[Kernel]) -> Kernel:
    return reduce(operator.mul, kernels)


class _Scale(NamedTuple):
    """1/√k(x, x) at the examples (s,), and at the nodes, as along_2 × along_1 × rest."""

    examples: FloatArray
    along_1: FloatArray
    along_2: FloatArray
    rest: FloatArray

    def of(self, U: FloatArray, V: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return a split with all but the rest multiplied in."""
        return U * self.examples[:, None] * self.along_1, V * self.along_2

    @property
    def axes(self) -> Axes:
        """What is multiplied in, as a split."""
        ones = np.ones((1, len(self.examples), 1))
        return self.of(ones, ones)


def _scale(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray, steepest: float) -> _Scale | None:
    """Return what normalizes, or None where it is too steep."""
    nodes = np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])
    own, there = kernel.diag(X), kernel.diag(nodes).reshape(len(x2), len(x1))
    if min(own.min(), there.min()) <= 0.0 and steepest < np.inf:
        return None
    with np.errstate(divide="ignore"):
        examples, at_nodes = (np.where(values > 0.0, 1.0 / np.sqrt(np.abs(values)), 0.0) for values in (own, there))
    logs = np.log(np.where(at_nodes > 0.0, at_nodes, 1.0))
    along_1, along_2 = logs.mean(axis=0) - logs.mean() / 2, logs.mean(axis=1) - logs.mean() / 2
    rest = np.where(at_nodes > 0.0, np.exp(logs - along_1 - along_2[:, None]), 0.0)
    if rest.max() > steepest * rest.min():
        return None
    return _Scale(examples, np.exp(along_1), np.exp(along_2), rest)
