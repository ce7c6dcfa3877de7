"""The values of a formula on arrays: what depends on u alone is computed once a row, on v alone once a column.

Legend: X is (n, d), Z (m, d). Nothing of size n m d is made; long matrices are made in blocks of rows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.formula.named import kernel_of
from kpviz.engine.kernels.formula.nodes import Binary, Call, Component, Given, Negative, Node, Vector
from kpviz.engine.kernels.formula.scanner import example, shortened
from kpviz.engine.kernels.formula.structure import components, rounds_alike
from kpviz.engine.kernels.formula.words import ELEMENTWISE, NAMED, OPERATIONS, PAIRWISE, power

_BLOCK = 1 << 18  # entries of a block: some MB for the few arrays that a formula needs at once


def matrix(node: Node, X: FloatArray, Z: FloatArray) -> FloatArray:
    """Return the (n, m) values k(u, v) for the rows u of X and v of Z; exactly symmetric if X is Z.

    Raises
    ------
    ValueError
        If a value is not finite, or the examples have too few components.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> matrix(parse("norm(u - v)**2 + 1"), np.array([[0.0, 0.0], [3.0, 4.0]]), np.zeros((1, 2)))
    array([[ 1.],
           [26.]])
    """
    _check_components(node, X.shape[1])
    rows = _BLOCK // max(1, min(len(Z), _BLOCK))
    if len(X) <= rows:
        values = _block(node, X, Z)
    else:
        values = np.empty((len(X), len(Z)))
        for start in range(0, len(X), rows):
            values[start : start + rows] = _block(node, X[start : start + rows], Z)
    if X is Z and (len(X) > rows or not rounds_alike(node)):
        values = (values + values.T) / 2
    return values


def diagonal(node: Node, X: FloatArray) -> FloatArray:
    """Return the (n,) values k(u, u).

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> diagonal(parse("dot(u, v) + 1"), np.array([[0.0, 0.0], [3.0, 4.0]]))
    array([ 1., 26.])
    """
    _check_components(node, X.shape[1])
    return _finite(node, X, X, paired=True)


def _block(node: Node, X: FloatArray, Z: FloatArray) -> FloatArray:
    return _finite(node, X, Z, paired=False)


def _finite(node: Node, X: FloatArray, Z: FloatArray, *, paired: bool) -> FloatArray:
    """Return the values; after a floating-point error they are computed again step by step, to locate it."""
    shape = (len(X),) if paired else (len(X), len(Z))
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise", under="ignore"):
            values = _full(_Pairs(X, Z, paired=paired).value(node), shape)
        with np.errstate(all="ignore"):
            if math.isfinite(values.sum()):
                return values
    except FloatingPointError:
        pass
    with np.errstate(all="ignore"):
        return _full(_Pairs(X, Z, paired=paired, careful=True).value(node), shape)


def _full(values: Any, shape: tuple[int, ...]) -> FloatArray:
    whole = np.shape(values) == shape and values.flags.writeable
    return np.asarray(values if whole else np.broadcast_to(values, shape).copy())


def _check_components(node: Node, columns: int) -> None:
    if (wanted := components(node)) > columns:
        count = "one component" if columns == 1 else f"{columns} components"
        raise ValueError(f"The formula asks for component {wanted}, but each example has {count}.")


class _Pairs:
    """The pairs of examples that a formula is evaluated on: every u with every v, or each with itself (`paired`).

    An array that may be overwritten is one that is writeable: columns of examples, and what is kept, are not.
    """

    def __init__(self, X: FloatArray, Z: FloatArray, *, paired: bool, careful: bool = False) -> None:
        self._examples = {"u": X, "v": Z}
        columns = {"u": X.T.view(), "v": Z.T.view()} if paired else {"u": X.T[:, :, None], "v": Z.T[:, None, :]}
        for array in columns.values():
            array.setflags(write=False)
        self._columns = columns
        self._paired = paired
        self._careful = careful
        self._kept: dict[Node, Any] = {}

    def value(self, node: Node, column: int | None = None) -> Any:
        """Return a number's values, or those of one column of a vector, broadcastable to all pairs."""
        if node.constant is not None:
            return node.constant
        if column is not None and node.kind == "number":
            return self._keep(node)
        values = self._compute(node, column)
        if self._careful and not np.isfinite(values).all():
            raise ValueError(self._words(node, values))
        return values

    def _keep(self, node: Node) -> Any:
        """Return a number inside a vector, computed once for all columns."""
        if node not in self._kept:
            values = self.value(node)
            values.setflags(write=False)
            self._kept[node] = values
        return self._kept[node]

    def _compute(self, node: Node, column: int | None) -> Any:
        if isinstance(node, Vector):
            return self._columns[node.name][column]
        if isinstance(node, Component):
            return self._columns[node.name][node.index - 1]
        if isinstance(node, Negative):
            return _over(np.negative, self.value(node.of, column))
        if isinstance(node, Binary):
            if node.sign == "**":
                return self._power(node, column)
            return _over(OPERATIONS[node.sign], self.value(node.left, column), self.value(node.right, column))
        if isinstance(node, Given):
            return self._of_kernel(node.kernel)
        assert isinstance(node, Call)
        if operation := ELEMENTWISE.get(node.name) or PAIRWISE.get(node.name):
            return _over(operation, *(self.value(part, column) for part in node.arguments))
        return self._of_kernel(kernel_of(node)) if node.name in NAMED else self._reduction(node)

    def _power(self, node: Binary, column: int | None) -> Any:
        base, exponent = node.left, node.right.constant or 0.0
        if isinstance(base, Call) and base.name == "norm" and exponent > 0 and (exponent / 2).is_integer():
            base, exponent = Call("norm²", base.arguments), exponent / 2  # no root that is squared again
        values = self.value(base, column)
        if exponent == 1.0:
            return values
        return power(values, exponent, values if _may_overwrite(values, values.shape) else None)

    def _of_kernel(self, kernel: Kernel) -> Any:
        X, Z = self._examples["u"], self._examples["v"]
        return kernel.diag(X) if self._paired else kernel.evaluate(X, Z)

    def _reduction(self, node: Call) -> Any:
        if node.name == "normalized":
            return self._normalized(node.arguments[0])
        first, last = node.arguments[0], node.arguments[-1]
        if node.name == "dot":
            found = self._inner_products(first, last)
            return found if found is not None else self._sum(lambda j: _over(np.multiply, *self._both(node, j)))
        if node.name == "equal":
            return self._sum(lambda j: np.equal(*self._both(node, j)).astype(np.float64))
        if node.name == "sum":
            return self._sum(lambda j: self.value(first, j))
        if node.name == "norm1":
            return self._sum(lambda j: _over(np.abs, self.value(first, j)))
        squared = self._sum(lambda j: _over(np.square, self.value(first, j)))
        return squared if node.name == "norm²" else _over(np.sqrt, squared)

    def _both(self, node: Call, column: int) -> list[Any]:
        return [self.value(part, column) for part in node.arguments]

    def _sum(self, term: Any) -> Any:
        """Return the sum of term(j) over the columns j."""
        total = term(0)
        for j in range(1, len(self._columns["u"])):
            total = _over(np.add, total, term(j))
        return total

    def _inner_products(self, a: Node, b: Node) -> Any:
        """Return a·b by one product of matrices where each is made of one side, else None."""
        if self._paired or {a.sides, b.sides} != {frozenset("u"), frozenset("v")}:
            return None
        u, v = (a, b) if a.sides == {"u"} else (b, a)
        return self._rows(u, "u") @ self._rows(v, "v").T

    def _rows(self, node: Node, side: str) -> FloatArray:
        """Return a vector of one side as a matrix, a row for each example."""
        if isinstance(node, Vector):
            return self._examples[side]
        shape = (len(self._examples[side]),)
        columns = range(len(self._columns[side]))
        return np.stack([np.broadcast_to(np.ravel(self.value(node, j)), shape) for j in columns], axis=1)

    def _normalized(self, node: Node) -> Any:
        """Return k(u, v) / √(k(u, u) k(v, v)), 0 where k(u, u) is not above 0."""
        if self._paired:
            return np.where(self.value(node) > 0.0, 1.0, 0.0)
        of_u, of_v = (inverse_root(diagonal(node, self._examples[side])) for side in "uv")
        values = _full(self.value(node), (len(of_u), len(of_v)))
        values *= np.multiply.outer(of_u, of_v)
        return values

    # ---- what is said of values that are not finite ----

    def _words(self, node: Node, values: Any) -> str:
        row, *others = np.argwhere(~np.isfinite(values))[0]
        places = {"u": row, "v": others[0] if others else row}
        shown = [f"{side} = {example(self._examples[side][places[side]].tolist())}" for side in sorted(node.sides)]
        return f"{shortened(str(node), 60)} is not a finite number for {' and '.join(shown)}: {_reason(node)}."


def _reason(node: Node) -> str:
    if isinstance(node, Call) and node.name in ("log", "sqrt"):
        return "log takes numbers above 0" if node.name == "log" else "sqrt takes numbers of at least 0"
    if isinstance(node, Binary) and node.sign == "/":
        return "what it divides by is 0, or too small"
    if isinstance(node, Binary) and node.sign == "**" and (node.right.constant or 0.0) < 0.0:
        return "a negative power takes numbers other than 0"
    if isinstance(node, Binary) and node.sign == "**" and not (node.right.constant or 0.0).is_integer():
        return "a fractional power takes numbers of at least 0"
    return "it is too large"


def inverse_root(squared: FloatArray) -> FloatArray:
    """Return 1/√ of numbers above 0, and 0 of others."""
    return np.where(squared > 0.0, 1.0 / np.sqrt(np.where(squared > 0.0, squared, 1.0)), 0.0)


def _may_overwrite(values: Any, shape: tuple[int, ...]) -> bool:
    return isinstance(values, np.ndarray) and values.shape == shape and values.flags.writeable


def _over(operation: Any, *operands: Any) -> Any:
    """Apply an operation, writing over an operand that has room for the result."""
    shape = np.broadcast_shapes(*(np.shape(operand) for operand in operands))
    room = next((operand for operand in operands if _may_overwrite(operand, shape)), None)
    return operation(*operands) if room is None else operation(*operands, out=room)
