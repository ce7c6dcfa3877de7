"""What each support example adds to the field, small enough to send, and as exact as the kernel.

The browser knows no kernel. It holds *blocks*, and adds up for coefficients c

    field(x1, x2) = sum over blocks of rest(x1, x2) · sum over support examples i of c_i k_i(x1, x2)

A kernel is taken as the formula that it is `written` as, multiplied out as far as that shows what
its factors depend on. A block is written in one of two ways (legend: s support examples, g nodes
along an axis, n entries of a table):

features   `weights` (s, q) of products of a row of `basis_1` (r_1, g) and one of `basis_2`
           (r_2, g), which `cells` (q,) counts: powers, for polynomials; of whatever is written in
           no other way, a truncated factorisation.
products   of factors, any of which may be missing, features among them. `along_1` and `along_2` (s,
           g): along an axis. `falls_1` and `falls_2` (n,): the logarithm of a hill at 0, 1, … steps
           of the grid from its top along an axis, `tops` (s, 2). `table` (n,): looked up at the
           distance from there, by `scales` (2,), entries for each step. `ridge` (n,): looked up at
           a position that moves evenly, as inner products do, by `places` (s, 3), the entry of the
           first node and the entries for each step along both axes.

The `rest` are factors of the node alone: (g_2, g_1), or their logarithms as a product, `rest_1` and
`rest_2` (r, g).

Tests: tests/player/test_contributions.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain, islice, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Kernel
from kpviz.engine.kernels.expression import evaluate
from kpviz.engine.kernels.expression.nodes import (
    NORMALIZED,
    VECTORS,
    KernelNode,
    Node,
    factors,
    number,
    occurs_only_in,
    terms,
)
from kpviz.engine.kernels.expression.parser import FormulaError
from kpviz.engine.kernels.trees import parse, tree_of
from kpviz.player.changes import single

Block = dict[str, NDArray[Any]]

TOO_LARGE = (
    "These numbers are too large to be drawn: let the features be scaled, or use another kernel."
)
# In bytes: a truncated factorisation is not larger, nor a polynomial where a table would do.
_MOST = 400_000
_MOST_TERMS = 16  # A formula that is multiplied out has so many at most.
# A polynomial has so high a power at most, and so high a one where a table would do.
_MOST_POWER = 16
_FEW_POWERS = 10
# In entries: the length of a table.
_SHORTEST = 512
_LONGEST = 16_384
# As a share of the value, and of the largest one: a table is so near between its entries.
_NEAR = 1e-6
_NOTHING = 1e-9
_KINKS = 8  # Between so many entries it need not be as near.
_ROUNDING = 1e-13  # As a share of the largest value of a polynomial.
_ALIKE = 1e-7  # The logarithm of what nodes are multiplied by may be off by so much.
# As a share of the largest singular value: a truncated factorisation leaves out what is smaller,
# and more where that takes too much.
_TOLERANCE = 1e-7
_DISTANCE = ("norm(u - v)", "norm(v - u)")
_INNER = ("dot(u, v)", "dot(v, u)")
# A distance multiplies a where this is 0, and b where it is 1.
_FALLS = {"norm1(u - v)": 0, "norm1(v - u)": 0, "norm(u - v)**2": 1, "norm(v - u)**2": 1}


@dataclass(frozen=True, eq=False)
class _Side(Node):
    """A function of u alone, or of v."""

    name: str = ""
    values: Callable[[FloatArray], Any] = np.ones_like

    @property
    def sides(self) -> frozenset[str]:
        return frozenset(self.name)


def blocks(kernel: Kernel, X: FloatArray, x1: FloatArray, x2: FloatArray) -> list[Block]:
    """Return the blocks of a kernel for the support examples X (s, 2) on the grid x1 × x2."""
    plane = _ExamplesAndNodes(X, x1, x2)
    summands = _summands(kernel)
    others = [parts for parts in summands if not _is_known(parts)]
    known_blocks = [plane.block(parts) for parts in summands if parts not in others]
    return [*known_blocks, plane.truncated(others)] if others else known_blocks


def is_exact(kernel: Kernel) -> bool:
    """Whether a kernel of the plane is drawn without a truncated factorisation.

    Fine grids have no room for one.
    """
    return all(map(_is_known, _summands(kernel)))


# ---- a kernel as a sum of products ---


def _summands(kernel: Kernel) -> list[list[Node]]:
    return _products(tree_of(kernel, named=True).rebuilt(_in_full))


def _in_full(node: Node) -> Node | None:
    """Return a kernel within a formula as its own formula; a nameless leaf where it has none."""
    if not isinstance(node, KernelNode) or not isinstance(node.kernel, Kernel):
        return None
    kernel = node.kernel
    by_component = (f"({part})" for part in kernel.factors_by_component)
    factors = [part.format(u=f"u[{j}]", v=f"v[{j}]") for part in by_component for j in (1, 2)]
    try:
        return _parsed(str(kernel.tree) if kernel.written else "*".join(factors))
    except FormulaError:  # It has no formula, or a number beyond those of formulas.
        return KernelNode(kernel=kernel)


_parsed = lru_cache(maxsize=256)(parse)


def _products(node: Node, *, within: bool = False) -> list[list[Node]]:
    """Return the factors of each summand of a formula.

    It is multiplied out where it is a product, or of no kind.

    Polynomials are so only `within` a product.
    """
    whole = _kind(node) and node.name not in ("*", "/")
    if whole or (not within and _degree(node) <= _MOST_POWER):
        return [[node]]
    summands = _multiplied_out(node, within=within)
    return summands if len(summands) <= _MOST_TERMS else [[node]]


def _multiplied_out(node: Node, *, within: bool) -> list[list[Node]]:
    match node:
        case KernelNode(kernel=Kernel() as kernel) if (
            few := kernel.factors(np.zeros((1, 2)))
        ) is not None:
            features = _remembered(kernel.factors)
            of = [lambda X, m=m: features(X)[:, m] for m in range(few.shape[1])]
            return [[_Side("u", values=values), _Side("v", values=values)] for values in of]
        case Node("normalized", (inner,)):
            lengths = _remembered(lambda X: evaluate.inverse_root(evaluate.diagonal(inner, X)))
            sides = [_Side(name, values=lengths) for name in VECTORS]
            return [[*summand, *sides] for summand in _products(inner, within=within)]
        case Node("exp", (inner,)) if len(parts := _added(inner)) > 1:
            of_each = (Node("exp", (Node("*", (number(factor), part)),)) for factor, part in parts)
            return _crossed(_products(part, within=True) for part in of_each)
        case Node("**", (base, exponent)) if exponent.constant in range(2, _MOST_TERMS):
            return _crossed([_products(base, within=True)] * int(exponent.constant or 0))
    constant, divided = factors(node, rough=True)
    if constant != 1 or len(divided) > 1:
        sums: list[list[list[Node]]] = [[[number(constant)]]]
        for part, sign in divided:
            whole = within or len(divided) > 1
            sums.append(
                _products(part, within=whole) if sign > 0 else [[Node("/", (number(1), part))]]
            )
        return _crossed(sums)
    parts = _added(node)
    if len(parts) == 1:
        return [[node]]
    return [
        [number(factor), *summand]
        for factor, part in parts
        for summand in _products(part, within=within)
    ]


def _remembered(values: Callable[[FloatArray], Any]) -> Callable[[FloatArray], Any]:
    """Return the function, which several summands ask about the same places."""
    known: dict[int, tuple[FloatArray, Any]] = {}
    return lambda X: (known.get(id(X)) or known.setdefault(id(X), (X, values(X))))[1]


def _crossed(sums: Iterable[list[list[Node]]]) -> list[list[Node]]:
    """Return the summands of a product of sums, at most one more than are used."""
    return [list(chain(*chosen)) for chosen in islice(product(*sums), _MOST_TERMS + 1)]


def _added(node: Node) -> list[tuple[Fraction, Node]]:
    """Return the summands with their constant factors, those of a sum over the components apart."""
    return [
        (factor, component)
        for factor, part, _ in terms(node, rough=True)
        for component in _by_component(part)
    ]


def _by_component(node: Node) -> list[Node]:
    match node:
        case Node("sum", (of,)):
            pass
        case Node("dot", (a, b)):
            of = Node("*", (a, b))
        case Node("norm1", (a,)):
            of = Node("abs", (a,))
        case Node("**", (Node("norm", (a,)), exponent)) if exponent.constant == 2:
            of = Node("**", (a, exponent))
        case _:
            return [node]
    return [of.rebuilt(partial(_component, j)) for j in (1, 2)]


def _component(j: int, node: Node) -> Node | None:
    if node.name in VECTORS and not node.value:
        return Node(node.name, value=j)
    return node if node.kind == "number" else None


# ---- what a factor depends on ---


def _kind(node: Node) -> str:
    """Return what a factor depends on, by the name of what is sent for it; "" where that is too
    much.
    """
    return _kind_of_both(node) if len(node.sides) > 1 else "v" if node.sides == {"v"} else "u"


@lru_cache(maxsize=256)
def _kind_of_both(node: Node) -> str:
    if _hill(node):
        return "hill"
    if occurs_only_in(node, _DISTANCE) or occurs_only_in(node, _INNER):
        return "table" if occurs_only_in(node, _DISTANCE) else "ridge"
    of = {
        int(part.value) if part.name in VECTORS else 0
        for part in node.walk()
        if part.sides and not part.parts
    }
    return f"along_{max(of)}" if of in ({1}, {2}) else ""


def _hill(node: Node) -> list[float]:
    """Return a and b of exp(-(a‖u - v‖₁ + b‖u - v‖²)), nothing for any other factor."""
    falls = [0.0, 0.0]
    if node.name not in ("exp", NORMALIZED):
        return []
    if node.name == NORMALIZED:
        return _hill(node.parts[0])
    for factor, part, _ in terms(node.parts[0], rough=True):
        text = str(part)
        if text not in _FALLS:
            return []
        falls[_FALLS[text]] -= float(factor)
    return falls if min(falls) >= 0.0 else []


def _degree(node: Node) -> float:
    """Return the degree of a polynomial in v; infinite for all else."""
    match node:
        case _ if "v" not in node.sides:
            return 0
        case Node("v", _, component) if component:
            return 1
        case Node("+" | "-", parts):
            return max(map(_degree, parts))
        case Node("*", parts):
            return sum(map(_degree, parts))
        case Node("/", (a, b)) if "v" not in b.sides:
            return _degree(a)
        case _ if len(by_component := _by_component(node)) > 1:
            return _degree(by_component[0])
        case Node("**", (a, b)) if b.constant in range(1, _MOST_POWER + 1):
            return _degree(a) * (b.constant or 0)
    return math.inf


def _is_known(parts: list[Node]) -> bool:
    return (
        all(map(_kind, parts))
        or sum(_degree(part) for part in parts if _kind(part) != "v") <= _MOST_POWER
    )


# ---- its numbers ---


class _ExamplesAndNodes:
    """Examples, and the nodes of a grid."""

    def __init__(self, X: FloatArray, x1: FloatArray, x2: FloatArray) -> None:
        self._X = X
        self._axes = (x1, x2)
        self._nodes = np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])
        self._corners = np.array(list(product(x1[[0, -1]], x2[[0, -1]])))
        self._first = self._corners[0]
        self._steps = np.array([x1[1] - x1[0], x2[1] - x2[0]])
        around = (self._corners[0] < 0.0) & (self._corners[-1] > 0.0)
        # What is 0 at the origin stays exactly so.
        self._middle = np.where(around, 0.0, self._corners.mean(axis=0))
        self._half = np.abs(self._corners - self._middle).max(axis=0)

    def block(self, parts: list[Node]) -> Block:
        """Return the block of a product whose factors are known."""
        node_factors = [part for part in parts if _kind(part) == "v"]
        parts = [part for part in parts if _kind(part) != "v"]
        powers = [part for part in parts if _degree(part) < math.inf]
        if len(powers) < len(parts):
            powers = [part for part in powers if not _kind(part).startswith("along")]
        power = int(sum(map(_degree, powers)))
        if all(map(_kind, parts)) and (
            power > _FEW_POWERS or 4 * (power + 1) * (power + 2) * len(self._X) > _MOST
        ):
            powers = [part for part in parts if _kind(part) == "u"]
            power = 0
        block = self._looked_up([part for part in parts if part not in powers])
        if power or not block or (_values(powers, self._X, self._X[:1]) != 1.0).any():
            block |= self._polynomial(powers, power)
        if node_factors:
            block |= _node_factors(
                _values(node_factors, self._X[:1], self._nodes).reshape(
                    [len(axis) for axis in self._axes[::-1]]
                )
            )
        return block

    def truncated(self, summands: list[list[Node]]) -> Block:
        """Return a truncated factorisation by both axes, as exact as its size allows."""
        total = np.zeros((len(self._X), len(self._nodes)))
        for parts in summands:
            total += _values(parts, self._X, self._nodes)
        values = total.reshape(len(total), *map(len, self._axes[::-1]))  # (s, g_2, g_1)
        scaled_down = values / (np.abs(values).max() or 1.0)
        flat = [
            np.moveaxis(scaled_down, axis, 0).reshape(values.shape[axis], -1) for axis in (2, 1)
        ]
        # These are the squares of the singular values, ascending.
        modes = [np.linalg.eigh(unfolded @ unfolded.T) for unfolded in flat]
        tolerance = _TOLERANCE
        size = math.inf
        while size > _MOST and tolerance < 1.0:
            ranks = [
                max(int((squares > squares[-1] * tolerance**2).sum()), 1) for squares, _ in modes
            ]
            size = 4 * (len(total) * math.prod(ranks) + sum(map(len, self._axes)) * max(ranks))
            tolerance *= 2.0
        basis_1, basis_2 = (
            vectors[:, -rank:] for (_, vectors), rank in zip(modes, ranks, strict=True)
        )
        weights = (basis_2.T @ values @ basis_1).transpose(0, 2, 1).reshape(len(total), -1)
        arrays = {"weights": weights, "basis_1": basis_1.T, "basis_2": basis_2.T}
        cells = np.arange(weights.shape[1], dtype=np.uint16)
        return {
            "cells": cells,
            **{name: array.astype(np.float32) for name, array in arrays.items()},
        }

    def _polynomial(self, parts: list[Node], power: int) -> Block:
        """Write the polynomial through as many places along each axis.

        They are Chebyshev's, where few digits are lost.
        """
        t = np.cos((np.arange(power + 1) + 0.5) * math.pi / (power + 1))
        powers = np.arange(power + 1)
        places = [middle + half * t for middle, half in zip(self._middle, self._half, strict=True)]
        values = _values(parts, self._X, np.array(list(product(*places)))).reshape(
            -1, len(t), len(t)
        )
        solved = np.linalg.inv(t[:, None] ** powers)
        weights = solved @ values @ solved.T
        none = np.abs(weights) <= _ROUNDING * np.abs(values).max(axis=(1, 2), keepdims=True)
        weights[none | (np.add.outer(powers, powers) > power)] = 0.0
        weights = weights.reshape(len(values), -1)
        cells = np.flatnonzero(weights.any(axis=0) | ~weights.any())
        block: Block = {"weights": weights[:, cells], "cells": cells.astype(np.uint16)}
        for j, along in enumerate(self._axes):
            block[f"basis_{j + 1}"] = ((along - self._middle[j]) / self._half[j]) ** powers[:, None]
        return block

    def _looked_up(self, parts: list[Node]) -> Block:
        """Write a product of tables, hills about each example, and factors of one component."""
        of: dict[str, list[Node]] = {
            kind: [] for kind in ("hill", "table", "ridge", "along_1", "along_2")
        }
        for part in parts:
            of[_kind(part)].append(part)
        if of["table"]:
            of["table"] += [hill for hill in of["hill"] if occurs_only_in(hill, _DISTANCE)]
            of["hill"] = [hill for hill in of["hill"] if hill not in of["table"]]
        block: Block = {}
        for j, along in enumerate(self._axes):
            here = of[f"along_{j + 1}"]
            if here:
                block[f"along_{j + 1}"] = single(
                    _values(here, self._X, np.outer(along, np.eye(2)[j]))
                )
        if of["hill"] or of["table"]:
            block["tops"] = (self._X - self._first) / self._steps
        if of["hill"]:
            a, b = np.sum([_hill(hill) for hill in of["hill"]], axis=0)
            last = (self._corners[-1] - self._first) / self._steps
            # Rounding may have made these distances less.
            most = math.ceil(np.maximum(block["tops"], last - block["tops"]).max())
            for j in (0, 1):
                away = self._steps[j] * np.arange(most + 3)
                block[f"falls_{j + 1}"] = -(a * away + b * away**2)
        if of["table"]:
            farthest = float(np.linalg.norm(self._X[:, None] - self._corners, axis=2).max())
            table, _, step = _table(of["table"], np.zeros((1, 2)), 0.0, farthest)
            block |= {"table": table, "scales": self._steps / step}
        if of["ridge"]:
            reached = self._X @ self._corners.T
            table, start, step = _table(
                of["ridge"], np.eye(1, 2), float(reached.min()), float(reached.max())
            )
            first = self._X @ self._first - start
            block |= {
                "ridge": table,
                "places": np.column_stack([first, self._X * self._steps]) / step,
            }
        return block


def _values(parts: list[Node], X: FloatArray, points: FloatArray) -> FloatArray:
    """Return a product for all examples and some points, (s, points)."""
    values = np.ones((len(X), len(points)))
    for part in parts:
        if not isinstance(part, _Side):
            values *= evaluate.matrix(part, X, points)
        else:
            values *= part.values(points) if part.name == "v" else part.values(X)[:, None]
    return values


def _table(
    parts: list[Node], u: FloatArray, low: float, high: float
) -> tuple[FloatArray, float, float]:
    """Return a product for u and points (t, 0), at equal steps from below `low` to above `high`,
    and the first t and the step. There are so many that what the browser makes of them between two
    entries is near enough, but for a few such as kinks, most of which are at 0: one of the t is.
    """

    def values(t: NDArray[Any]) -> FloatArray:
        points = np.outer(t, np.eye(1, 2))
        try:
            return np.asarray(_values(parts, u, points)[0])
        except ValueError:  # Beyond the range that is reached there may be no value.
            return np.asarray(_values(parts, u, points.clip(low, high))[0])

    length = _SHORTEST
    while True:
        step = (high - low) / (length - 2) or 1.0
        start = math.floor(low / step) * step
        places = start + step * np.arange(length + 2)
        table = values(places)
        exact = values(places[:-2] + step / 2)
        bends = np.diff(table, 2)
        neighbours = np.abs(np.pad(bends, 1, mode="edge"))
        bends[np.abs(bends) > 4.0 * np.minimum(neighbours[:-2], neighbours[2:])] = 0.0
        off = np.abs((table[:-2] + table[1:-1]) / 2.0 - bends / 8.0 - exact)
        largest = np.abs(table).max() or 1.0
        times = np.sort(off / (_NEAR * np.abs(exact) + _NOTHING * largest))[-1 - _KINKS]
        times = max(times, off.max() / (_NEAR * largest))
        if times <= 1.0 or length == _LONGEST:
            return table, start, step
        # Twice as many entries are 8 times as near.
        length = min(length * 2 ** math.ceil(math.log2(times) / 3.0), _LONGEST)


def _node_factors(values: FloatArray) -> Block:
    """Return what nodes (g_2, g_1) are multiplied by; nothing where all are 1.

    The logarithm is taken apart by crosses: a row and a column, of which each pair leaves 0 where
    it meets.
    """
    if values.min() <= 0.0:
        return {"rest": single(values)}
    left = np.log(values)
    rows: list[FloatArray] = []
    columns: list[FloatArray] = []
    most = np.abs(left)
    while most.max() > _ALIKE and 4 * len(rows) * sum(values.shape) < values.size:
        i, j = np.unravel_index(most.argmax(), left.shape)
        rows.append(left[i])
        columns.append(left[:, j] / left[i, j])
        left = left - np.outer(columns[-1], rows[-1])
        most = np.abs(left)
    if most.max() > _ALIKE:
        return {"rest": single(values)}
    return {"rest_1": np.array(rows), "rest_2": np.array(columns)} if rows else {}
