"""Values of a formula with bounds of their rounding errors, so that a refuting sample can be trusted.

Legend: what is computed is a pair (x, e): x with |x - true value| <= e. Every operation passes the errors of its
operands on, and adds `_UNIT` |x| for its own. It shares no operation with `evaluate`: built-in kernels are written out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.formula.named import written_out
from kpviz.engine.kernels.formula.nodes import Binary, Call, Component, Negative, Node, Number, Vector
from kpviz.engine.kernels.formula.words import NAMED

_UNIT = 4 * 2.0**-52  # an elementary function is right to fewer than 4 units of the last place
_TINY = 1e-300  # what underflow may lose
_NOTHING = 1e-290  # below it, that is all there is


class Bounded(NamedTuple):
    """Numbers, and how far rounding may have moved each."""

    x: Any
    e: Any


def bounded(node: Node, X: FloatArray, Z: FloatArray) -> Bounded:
    """Return the (n, m) values k(u, v) for the rows u of X and v of Z, and a bound (n, m) of the error of each.

    Where a bound is not finite, nothing is known of the value.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> point = np.array([[0.25]])
    >>> found = bounded(parse("(exp(1e-7*dot(u, v)) - 1)*1e7"), point, point)
    >>> bool(abs(found.x[0, 0] - 0.0625) < found.e[0, 0] < 1e-7)
    True
    """
    with np.errstate(all="ignore"):
        found = _Pairs(X.T[:, :, None], Z.T[:, None, :]).value(node)
        values, errors = (np.broadcast_to(part, (len(X), len(Z))).astype(np.float64) for part in found)
        known = np.isfinite(values) & np.isfinite(errors)
        return Bounded(np.where(known, values, 0.0), np.where(known, errors, np.inf))


def rounding(node: Node, X: FloatArray, gram: FloatArray) -> FloatArray:
    """Return (n, n) bounds of how far the entries of a Gram matrix of X are from the true ones, inf where unknown.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> X = np.array([[1.0], [2.0]])
    >>> bool(rounding(parse("dot(u, v) + 1e6 - 1e6"), X, X @ X.T).max() < 1e-8)
    True
    """
    found = bounded(node, X, X)
    return np.asarray(np.where(np.isfinite(found.e), np.abs(gram - found.x) + found.e, np.inf))


class _Pairs:
    """Pairs of examples, as columns (d, n, 1) and (d, 1, m) that broadcast to all pairs, or each with itself."""

    def __init__(self, u: FloatArray, v: FloatArray) -> None:
        self._columns = {"u": u, "v": v}
        self._paired = u is v

    def value(self, node: Node, column: int | None = None) -> Bounded:
        """Return a number's values, or those of one column of a vector."""
        if isinstance(node, Number):
            return Bounded(node.value, 0.0 if node.value.is_integer() else node.value * _UNIT)
        if isinstance(node, Vector):
            return Bounded(self._columns[node.name][0 if column is None else column], 0.0)
        if isinstance(node, Component):
            return Bounded(self._columns[node.name][node.index - 1], 0.0)
        if isinstance(node, Negative):
            inner = self.value(node.of, column)
            return Bounded(-inner.x, inner.e)
        if isinstance(node, Binary) and node.sign == "**":
            return _power(self.value(node.left, column), node.right.constant or 0.0)
        if isinstance(node, Binary):
            return _OPERATIONS[node.sign](self.value(node.left, column), self.value(node.right, column))
        assert isinstance(node, Call)
        if node.name in _FUNCTIONS:
            return _FUNCTIONS[node.name](*(self.value(part, column) for part in node.arguments))
        return self._named(node) if node.name in NAMED else self._reduction(node)

    def _named(self, node: Call) -> Bounded:
        if node.name == "subsets":
            found = Bounded(1.0, 0.0)
            for u, v in zip(self._columns["u"], self._columns["v"], strict=True):
                found = _times(found, _plus(Bounded(1.0, 0.0), _times(Bounded(u, 0.0), Bounded(v, 0.0))))
            return found
        return self.value(written_out(node))

    def _reduction(self, node: Call) -> Bounded:
        first, last = node.arguments[0], node.arguments[-1]
        if node.name == "normalized":
            return self._normalized(first)
        if node.name == "dot":
            return self._sum(lambda j: _times(self.value(first, j), self.value(last, j)))
        if node.name == "equal":
            return self._sum(lambda j: _equal(self.value(first, j), self.value(last, j)))
        if node.name == "sum":
            return self._sum(lambda j: self.value(first, j))
        if node.name == "norm1":
            return self._sum(lambda j: _absolute(self.value(first, j)))
        return _root(self._sum(lambda j: _power(self.value(first, j), 2.0)))

    def _sum(self, term: Callable[[int], Bounded]) -> Bounded:
        total = term(0)
        for j in range(1, len(self._columns["u"])):
            total = _plus(total, term(j))
        return total

    def _normalized(self, node: Node) -> Bounded:
        if self._paired:  # once: such calls may stand in one another
            own = self.value(node)
            nothing = np.abs(own.x) + own.e < _NOTHING
            return Bounded(np.where(nothing, 0.0, 1.0), np.where(nothing | (own.x > own.e), 0.0, np.inf))
        of_u, of_v = (_Pairs(self._columns[side], self._columns[side]).value(node) for side in "uv")
        scale = _root(_times(of_u, of_v))
        zero = (np.abs(of_u.x) + of_u.e < _NOTHING) | (np.abs(of_v.x) + of_v.e < _NOTHING)
        found = _over(self.value(node), scale)
        positive = (of_u.x > of_u.e) & (of_v.x > of_v.e)
        return Bounded(np.where(zero, 0.0, found.x), np.where(zero, 0.0, np.where(positive, found.e, np.inf)))


def _rounded(x: Any, e: Any) -> Bounded:
    return Bounded(x, e + _UNIT * np.abs(x) + _TINY)


def _plus(a: Bounded, b: Bounded) -> Bounded:
    return _rounded(a.x + b.x, a.e + b.e)


def _minus(a: Bounded, b: Bounded) -> Bounded:
    return _rounded(a.x - b.x, a.e + b.e)


def _times(a: Bounded, b: Bounded) -> Bounded:
    return _rounded(a.x * b.x, np.abs(a.x) * b.e + np.abs(b.x) * a.e + a.e * b.e)


def _over(a: Bounded, b: Bounded) -> Bounded:
    left = np.abs(b.x) - b.e
    x = a.x / b.x
    return _rounded(x, np.where(left > 0.0, (a.e + np.abs(x) * b.e) / np.where(left > 0.0, left, 1.0), np.inf))


def _equal(a: Bounded, b: Bounded) -> Bounded:
    gap, unsure = np.abs(a.x - b.x), a.e + b.e
    return Bounded((gap == 0.0).astype(np.float64), np.where((gap <= unsure) & (unsure > 0.0), 1.0, 0.0))


def _absolute(a: Bounded) -> Bounded:
    return Bounded(np.abs(a.x), a.e)


def _between(a: Bounded, function: Callable[[Any], Any], least: float = -np.inf) -> Bounded:
    """Apply an increasing function, by its values at both ends of where the true operand is."""
    x, low, high = function(a.x), function(np.maximum(a.x - a.e, least)), function(a.x + a.e)
    found = _rounded(x, np.maximum(high - x, x - low) + _UNIT * np.abs(high))
    exact = np.asarray(a.e) == 0.0
    return Bounded(x, np.where(exact, _UNIT * np.abs(x) + _TINY, found.e))


def _logarithm(a: Bounded) -> Bounded:
    return Bounded(np.log(a.x), np.where(a.x > a.e, _between(a, np.log).e, np.inf))


def _root(a: Bounded) -> Bounded:
    return _between(a, np.sqrt, 0.0)


def _lipschitz(function: Callable[[Any], Any]) -> Callable[[Bounded], Bounded]:
    """Return a function whose slope is at most 1, with its error."""
    return lambda a: _rounded(function(a.x), a.e)


def _extreme(choose: Callable[[Any, Any], Any]) -> Callable[[Bounded, Bounded], Bounded]:
    return lambda a, b: Bounded(choose(a.x, b.x), np.maximum(a.e, b.e))


def _power(a: Bounded, exponent: float) -> Bounded:
    if exponent < 0.0:
        return _over(Bounded(1.0, 0.0), _power(a, -exponent))
    if exponent == 0.0:
        return Bounded(np.ones_like(a.x, dtype=np.float64), 0.0)
    if exponent == 1.0:
        return a
    if not exponent.is_integer():  # which may itself be rounded
        found = _between(a, lambda x: np.power(x, exponent), 0.0)
        return Bounded(found.x, found.e + _UNIT * exponent * np.where(a.x > 0.0, np.abs(np.log(a.x) * found.x), 0.0))
    found = _between(_absolute(a), lambda x: np.power(x, exponent), 0.0)
    return Bounded(np.power(a.x, exponent), found.e)


_OPERATIONS: dict[str, Callable[[Bounded, Bounded], Bounded]] = {"+": _plus, "-": _minus, "*": _times, "/": _over}
_FUNCTIONS: dict[str, Callable[..., Bounded]] = {
    "abs": _absolute,
    "exp": lambda a: _between(a, np.exp),
    "log": _logarithm,
    "sqrt": _root,
    "tanh": _lipschitz(np.tanh),
    "sin": _lipschitz(np.sin),
    "cos": _lipschitz(np.cos),
    "min": _extreme(np.minimum),
    "max": _extreme(np.maximum),
}
