"""How a formula splits by the two axes of the plane: the field of such a formula is exact, and small to send.

Legend: for examples X (s, 2), a split is a pair of arrays U (terms, s, len(x1)) and V (terms, s, len(x2)) as
`Kernel.on_axes` returns it. A formula is *additive* if it is a sum of one number for each axis.
"""

from __future__ import annotations

import math

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Axes, product_on_axes
from kpviz.engine.kernels.formula import evaluate
from kpviz.engine.kernels.formula.named import kernel_of
from kpviz.engine.kernels.formula.nodes import ONE, Binary, Call, Component, Node, Vector
from kpviz.engine.kernels.formula.structure import factors, terms
from kpviz.engine.kernels.formula.words import NAMED

_MOST_TERMS = 40


def on_axes(node: Node, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Axes | None:
    """Return the split of a formula, or None where it has none of a few terms.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> axis = np.array([0.0, 1.0])
    >>> U, V = on_axes(parse("(dot(u, v) + 1)**2"), np.array([[2.0, 3.0]]), axis, axis)
    >>> (U * V).sum(axis=0)
    array([[ 1., 36.]])
    """
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise", under="ignore"):
            if _Plane(X[:1], x1[:1], x2[:1]).split(node) is None:
                return None  # one pair shows how many terms there are: too many would take gigabytes
            return _Plane(X, x1, x2).split(node)
    except (ArithmeticError, ValueError):  # a part is too large where the whole need not be
        return None


class _Plane:
    """Examples, and the nodes along both axes."""

    def __init__(self, X: FloatArray, x1: FloatArray, x2: FloatArray) -> None:
        self._X = X
        self._axes = (x1, x2)
        self._ones = (np.ones((len(X), len(x1))), np.ones((len(X), len(x2))))

    def split(self, node: Node) -> Axes | None:
        """Return the split, or None."""
        if node.constant is not None:
            return self._one(node.constant * self._ones[0], self._ones[1])
        if node.sides == {"u"}:  # a number for each example
            values = evaluate.matrix(node, self._X, self._X[:1])[:, :1]
            return self._one(values * self._ones[0], self._ones[1])
        for axis in (0, 1):
            if _only_component(node, axis + 1):
                return self._along(node, axis)
        if (both := self._summands(node)) is not None:
            return np.stack([both[0], self._ones[0]]), np.stack([self._ones[1], both[1]])
        if isinstance(node, Call):
            return self._call(node)
        if isinstance(node, Binary) and node.sign == "**":
            return self._power(node.left, node.right.constant or 0.0)
        found = terms(node)
        return self._sum(node) if len(found) > 1 else self._product(node)

    def _one(self, first: FloatArray, second: FloatArray) -> Axes:
        return first[None], second[None]

    def _along(self, node: Node, axis: int) -> Axes:
        """Split a formula of the components of one axis."""
        nodes = np.zeros((len(self._axes[axis]), 2))
        nodes[:, axis] = self._axes[axis]
        values, ones = evaluate.matrix(node, self._X, nodes), self._ones[1 - axis]
        return self._one(values, ones) if axis == 0 else self._one(ones, values)

    def _summands(self, node: Node) -> tuple[FloatArray, FloatArray] | None:
        """Return the two numbers, (s, nodes) for each axis, whose sum an additive formula is; None for others."""
        found = terms(node)
        rest = [term for term in found if term.node is not ONE]
        if not all(_is_additive(term.node) for term in rest):
            return None
        first, second = np.zeros_like(self._ones[0]), np.zeros_like(self._ones[1])
        for term in rest:
            for axis, total in enumerate((first, second)):
                own = evaluate.matrix(term.node, self._X[:, [axis]], self._axes[axis][:, None])
                total += float(term.factor) * own
        second += float(sum(term.factor for term in found if term.node is ONE))
        return first, second

    def _call(self, node: Call) -> Axes | None:
        if node.name in NAMED:
            return _few(kernel_of(node).on_axes(self._X, *self._axes))
        if node.name == "exp" and (both := self._summands(node.arguments[0])) is not None:
            return self._one(np.exp(both[0]), np.exp(both[1]))
        return None

    def _power(self, base: Node, exponent: float) -> Axes | None:
        if exponent < 0 or not exponent.is_integer() or exponent >= _MOST_TERMS:
            return None
        degree = int(exponent)
        if (both := self._summands(base)) is not None:  # by the binomial theorem
            first = [math.comb(degree, j) * both[0] ** j for j in range(degree + 1)]
            return np.array(first), np.array([both[1] ** (degree - j) for j in range(degree + 1)])
        result: Axes | None = self._one(*self._ones)
        split = self.split(base)
        for _ in range(degree):
            result = _times(result, split)
        return result

    def _sum(self, node: Node) -> Axes | None:
        parts: list[Axes] = []
        for term in terms(node):
            part = self.split(term.node)
            if part is None:
                return None
            parts.append((float(term.factor) * part[0], part[1]))
        first, second = zip(*parts, strict=True)
        return _few((np.concatenate(first), np.concatenate(second)))

    def _product(self, node: Node) -> Axes | None:
        factor, parts = factors(node)
        result: Axes | None = self._one(float(factor) * self._ones[0], self._ones[1])
        for part, exponent in parts:
            split = self.split(part)
            if exponent < 0:  # a single term can be divided by
                split = None if split is None or len(split[0]) > 1 else (1.0 / split[0], 1.0 / split[1])
            result = _times(result, split)
        return result


def _few(axes: Axes | None) -> Axes | None:
    return None if axes is None or len(axes[0]) > _MOST_TERMS else axes


def _times(first: Axes | None, second: Axes | None) -> Axes | None:
    if first is None or second is None or len(first[0]) * len(second[0]) > _MOST_TERMS:
        return None
    return product_on_axes(first, second)


def _only_component(node: Node, index: int) -> bool:
    """Return whether it is made of this component of u and v alone."""
    return all(
        part.index == index
        if isinstance(part, Component)
        else not isinstance(part, Vector) and not (isinstance(part, Call) and part.name in NAMED)
        for part in node.walk()
    )


def _is_additive(node: Node) -> bool:
    """Return whether it is a sum over the components of something of each."""
    if isinstance(node, Binary):
        squared = node.sign == "**" and node.right.constant == 2.0
        return squared and isinstance(node.left, Call) and node.left.name == "norm" and _is_plain(node.left)
    return isinstance(node, Call) and node.name in ("dot", "sum", "norm1", "equal") and _is_plain(node)


def _is_plain(node: Call) -> bool:
    """Return whether its vectors hold no numbers that are made of u and v themselves."""
    return all(
        part.kind == "vector" or part.constant is not None for vector in node.arguments for part in vector.walk()
    )
