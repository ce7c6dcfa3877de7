"""How far rounding may move the values of a formula: a number below 0 may be a 0 that was rounded.

Each value is worked out together with a bound of its error, by the rules of a running error
analysis: an operation passes on what the errors of its operands can do to the result, and adds that
its own result is rounded.

Source: N. J. Higham, "Accuracy and stability of numerical algorithms", 2nd edition, SIAM (2002),
section 3.3.

Tests: tests/engine/test_formula.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.expression.evaluate import Interpreter
from kpviz.engine.kernels.expression.nodes import ELEMENTWISE, PAIRWISE, KernelNode, Node

_UNIT = 4 * 2.0**-52  # An elementary function is right to fewer than 4 units of the last place.
_UNDERFLOW = 1e-300  # Underflow may lose so much.
_NEARLY_UNDERFLOW = 1e-290  # Below this size nothing but underflow is left.


class Bounded(NamedTuple):
    """Numbers as they are computed, and how far rounding may have moved each: |value - true value|
    <= error.
    """

    value: Any
    error: Any


_ONE = Bounded(1.0, 0.0)


def bounded(node: Node, X: FloatArray, Z: FloatArray) -> Bounded:
    """Return the (n, m) values k(u, v) for the rows u of X and v of Z, and a bound (n, m) of the
    error of each.

    Where a bound is not finite, nothing is known of the value. It shares no operation with
    `evaluate.matrix`; kernels within the formula are written out.

    >>> from kpviz.engine.kernels.formula import parse
    >>> point = np.array([[0.25]])
    >>> k = bounded(parse("(exp(1e-7*dot(u, v)) - 1)*1e7"), point, point)
    >>> bool(abs(k.value[0, 0] - 0.0625) < k.error[0, 0] < 1e-7)
    True
    """
    shape = (len(X), len(Z))
    with np.errstate(all="ignore"):
        k = _BoundedValues(X.T[:, :, None], Z.T[:, None, :]).value(node)
        values = np.broadcast_to(k.value, shape).astype(np.float64)
        errors = np.broadcast_to(k.error, shape).astype(np.float64)
        known = np.isfinite(values) & np.isfinite(errors)
        return Bounded(np.where(known, values, 0.0), np.where(known, errors, np.inf))


def errors_of_gram(node: Node, X: FloatArray, gram: FloatArray) -> FloatArray:
    """Return (n, n) bounds of how far the entries of a Gram matrix of X are from the true ones, inf
    where unknown.

    >>> from kpviz.engine.kernels.formula import parse
    >>> X = np.array([[1.0], [2.0]])
    >>> bool(errors_of_gram(parse("dot(u, v) + 1e6 - 1e6"), X, X @ X.T).max() < 1e-8)
    True
    """
    k = bounded(node, X, X)
    return np.asarray(np.where(np.isfinite(k.error), np.abs(gram - k.value) + k.error, np.inf))


class _BoundedValues(Interpreter[Bounded]):
    """Pairs of examples, as columns (d, n, 1) and (d, 1, m) that broadcast to all pairs, or each
    with itself.
    """

    def __init__(self, u: FloatArray, v: FloatArray) -> None:
        self._columns = {"u": u, "v": v}
        self._paired = u is v

    def constant(self, node: Node) -> Bounded | None:
        if node.name != "number":
            return None
        return Bounded(node.value, 0.0 if node.value.is_integer() else node.value * _UNIT)

    def component(self, side: str, column: int | None) -> Bounded:
        return Bounded(self._columns[side][column or 0], 0.0)

    def leaf(self, node: KernelNode) -> Bounded:
        if node.is_call and node.kernel.written:
            return self.value(node.kernel.tree)
        if node.is_call:
            return self._product_over_components()
        X, Z = (columns.reshape(len(columns), -1).T for columns in self._columns.values())
        if self._paired:
            return _rounded(node.kernel.diag(X).reshape(self._columns["u"].shape[1:]), 0.0)
        return _rounded(node.kernel.evaluate(X, Z), 0.0)

    def _product_over_components(self) -> Bounded:
        """Return the product of 1 + uᵢ·vᵢ: subsets() is the one name that no formula
        can write out.
        """
        result = _ONE
        for u, v in zip(*self._columns.values(), strict=True):
            factor = _add(_ONE, _multiply(Bounded(u, 0.0), Bounded(v, 0.0)))
            result = _multiply(result, factor)
        return result

    def apply(self, name: str, *operands: Bounded) -> Bounded:
        if name == "-" and len(operands) == 1:
            return Bounded(-operands[0].value, operands[0].error)
        return _OPERATIONS[name](*operands)

    def power(self, base: Bounded, exponent: float) -> Bounded:
        if exponent < 0.0:
            return _divide(_ONE, self.power(base, -exponent))
        if exponent == 0.0:
            return Bounded(np.ones_like(base.value, dtype=np.float64), 0.0)
        if exponent == 1.0:
            return base
        if exponent.is_integer():
            size = _increasing(_absolute(base), lambda x: np.power(x, exponent), least=0.0)
            return Bounded(np.power(base.value, exponent), size.error)
        result = _increasing(base, lambda x: np.power(x, exponent), least=0.0)
        # A fractional exponent is itself rounded, which moves the power by log(base) times as much.
        slope = np.where(base.value > 0.0, np.abs(np.log(base.value) * result.value), 0.0)
        return Bounded(result.value, result.error + _UNIT * exponent * slope)

    def sum(self, term: Callable[[int | None], Bounded]) -> Bounded:
        total = term(0)
        for j in range(1, len(self._columns["u"])):
            total = _add(total, term(j))
        return total

    def normalized(self, node: Node) -> Bounded:
        if self._paired:  # It is worked out once, as such calls may stand in one another.
            squared_length = self.value(node)
            is_zero = _vanishes(squared_length)
            is_certain = is_zero | _is_positive(squared_length)
            return Bounded(np.where(is_zero, 0.0, 1.0), np.where(is_certain, 0.0, np.inf))
        of_u, of_v = (
            _BoundedValues(columns, columns).value(node) for columns in self._columns.values()
        )
        lengths = _increasing(_multiply(of_u, of_v), np.sqrt, least=0.0)
        ratio = _divide(self.value(node), lengths)
        is_zero = _vanishes(of_u) | _vanishes(of_v)
        errors = np.where(_is_positive(of_u) & _is_positive(of_v), ratio.error, np.inf)
        return Bounded(np.where(is_zero, 0.0, ratio.value), np.where(is_zero, 0.0, errors))


def _vanishes(a: Bounded) -> Any:
    """Whether a number is 0, up to what underflow loses."""
    return np.abs(a.value) + a.error < _NEARLY_UNDERFLOW


def _is_positive(a: Bounded) -> Any:
    """Whether the true number is above 0 for certain."""
    return a.value > a.error


# ---- operations ----


def _rounded(value: Any, error: Any) -> Bounded:
    """Return the result of an operation: its last digit is rounded, besides the error that its
    operands make.
    """
    return Bounded(value, error + _UNIT * np.abs(value) + _UNDERFLOW)


def _add(a: Bounded, b: Bounded) -> Bounded:
    return _rounded(a.value + b.value, a.error + b.error)


def _subtract(a: Bounded, b: Bounded) -> Bounded:
    return _rounded(a.value - b.value, a.error + b.error)


def _multiply(a: Bounded, b: Bounded) -> Bounded:
    error = np.abs(a.value) * b.error + np.abs(b.value) * a.error + a.error * b.error
    return _rounded(a.value * b.value, error)


def _divide(a: Bounded, b: Bounded) -> Bounded:
    value = a.value / b.value
    least_divisor = np.abs(b.value) - b.error
    safe_divisor = np.where(least_divisor > 0.0, least_divisor, 1.0)
    error = (a.error + np.abs(value) * b.error) / safe_divisor
    return _rounded(value, np.where(least_divisor > 0.0, error, np.inf))


def _equal(a: Bounded, b: Bounded) -> Bounded:
    """Return 1 where two numbers are equal, else 0; uncertain where rounding decides on it."""
    gap = np.abs(a.value - b.value)
    doubt = a.error + b.error
    is_uncertain = (gap <= doubt) & (doubt > 0.0)
    return Bounded((gap == 0.0).astype(np.float64), np.where(is_uncertain, 1.0, 0.0))


def _absolute(a: Bounded) -> Bounded:
    return Bounded(np.abs(a.value), a.error)


def _logarithm(a: Bounded) -> Bounded:
    return Bounded(np.log(a.value), np.where(_is_positive(a), _increasing(a, np.log).error, np.inf))


def _increasing(a: Bounded, function: Callable[[Any], Any], least: float = -np.inf) -> Bounded:
    """Apply an increasing function of numbers of at least `least`.

    The true result lies between its values at both ends of where the true operand is.
    """
    value = function(a.value)
    low = function(np.maximum(a.value - a.error, least))
    high = function(a.value + a.error)
    moved = np.maximum(high - value, value - low) + _UNIT * np.abs(high)
    operand_is_exact = np.asarray(a.error) == 0.0
    return _rounded(value, np.where(operand_is_exact, 0.0, moved))


def _with_slope_at_most_1(name: str) -> Callable[[Bounded], Bounded]:
    function = ELEMENTWISE[name]
    return lambda a: _rounded(function(a.value), a.error)


def _extreme(name: str) -> Callable[[Bounded, Bounded], Bounded]:
    function = PAIRWISE[name]
    return lambda a, b: Bounded(function(a.value, b.value), np.maximum(a.error, b.error))


_OPERATIONS: dict[str, Callable[..., Bounded]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
    "==": _equal,
    "abs": _absolute,
    "exp": lambda a: _increasing(a, np.exp),
    "log": _logarithm,
    "sqrt": lambda a: _increasing(a, np.sqrt, least=0.0),
    "tanh": _with_slope_at_most_1("tanh"),
    "sin": _with_slope_at_most_1("sin"),
    "cos": _with_slope_at_most_1("cos"),
    "min": _extreme("min"),
    "max": _extreme("max"),
}
