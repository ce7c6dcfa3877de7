"""The values of a formula on arrays.

`Interpreter` says how a formula is worked out, whatever its values are: arrays (`_Arrays`), arrays
with bounds of their errors (in `rounding_errors.py`), or the text of a program (`_PythonWriter`
in `printing.py`).

Legend: X is (n, d), Z (m, d). Nothing of size n m d is made; long matrices are made in blocks of
rows.

Tests: tests/engine/test_formula.py.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.distances import are_by_products, squared_distances
from kpviz.engine.kernels.expression.nodes import (
    ELEMENTWISE,
    EVEN,
    NORMALIZED,
    PAIRWISE,
    REDUCTIONS,
    SYMMETRIC,
    VECTORS,
    KernelNode,
    Node,
    Operation,
    power,
    swapped,
)
from kpviz.engine.rounding import ROUNDING, inner_products, without_rounding
from kpviz.engine.syntax import shortened

_BLOCK = 1 << 18  # In entries of a block: some MB for the few arrays that a formula needs at once.
_MOST_COMPONENTS = 6  # A sentence has so many components of an example.
_PRINTED_DIGITS = 4

T = TypeVar("T")


def example(components: Sequence[float]) -> str:
    """Return an example as sentences show it: its first components, with four digits.

    >>> example([0.5, -1.0]), example(range(9))
    ('(0.5, -1)', '(0, 1, 2, 3, 4, 5, …)')
    """
    numbers = [f"{value:.{_PRINTED_DIGITS}g}" for value in components[:_MOST_COMPONENTS]]
    return f"({', '.join(numbers + ['…'] * (len(components) > _MOST_COMPONENTS))})"


def as_printed(points: FloatArray) -> FloatArray:
    """Return points with the coordinates that `example` prints of them."""
    rounded = [float(f"{value:.{_PRINTED_DIGITS}g}") for value in points.ravel().tolist()]
    return np.array(rounded).reshape(points.shape)


class Interpreter(ABC, Generic[T]):
    """Works out a formula from its parts."""

    def value(self, node: Node, column: int | None = None) -> T:
        """Return a number, or one column of a vector."""
        constant = self.constant(node)
        if constant is not None:
            return constant
        name = node.name
        parts = node.parts
        if name in VECTORS:
            return self.component(name, int(node.value) - 1 if node.value else column)
        if isinstance(node, KernelNode):
            return self.leaf(node)
        if name == NORMALIZED:
            return self.normalized(parts[0])
        if name == "**":
            base = parts[0]
            exponent = parts[1].constant or 0.0
            if base.name == "norm" and exponent > 0 and (exponent / 2).is_integer():
                return self.power(self.squares(base), exponent / 2)  # No root is squared again.
            return self.power(self.value(base, column), exponent)
        if name not in REDUCTIONS:
            return self.apply(name, *(self.value(part, column) for part in parts))
        product = parts[0] if name == "sum" else node
        if product.name in ("dot", "*"):
            values = self.inner(*product.parts)
            if values is not None:
                return values
        if name in ("dot", "equal"):
            return self.sum(
                lambda j: self.apply(
                    "*" if name == "dot" else "==", *(self.value(p, j) for p in parts)
                )
            )
        if name == "norm":
            return self.apply("sqrt", self.squares(node))
        return self.sum(
            lambda j: (
                self.value(parts[0], j)
                if name == "sum"
                else self.apply("abs", self.value(parts[0], j))
            )
        )

    def squares(self, norm: Node) -> T:
        """Return ‖·‖² of a norm."""
        return self.sum(lambda j: self.power(self.value(norm.parts[0], j), 2.0))

    @abstractmethod
    def constant(self, node: Node) -> T | None:
        """Return a part without u and v; None where its parts are to be worked out."""

    @abstractmethod
    def component(self, side: str, column: int | None) -> T:
        """Return a column of u or v."""

    @abstractmethod
    def leaf(self, node: KernelNode) -> T:
        """Return a kernel within the formula."""

    @abstractmethod
    def normalized(self, node: Node) -> T:
        """Return k(u, v) / √(k(u, u) k(v, v)), 0 where k(u, u) is not above 0."""

    @abstractmethod
    def power(self, base: T, exponent: float) -> T:
        """Return a power."""

    @abstractmethod
    def apply(self, name: str, *operands: T) -> T:
        """Return an operation or a function of numbers."""

    @abstractmethod
    def sum(self, term: Callable[[int | None], T]) -> T:
        """Return the sum of a term over the columns."""

    def inner(self, a: Node, b: Node) -> T | None:
        """Return a·b, where there is a faster way than its terms."""
        return None


# ---- values ----


def matrix(node: Node, X: FloatArray, Z: FloatArray) -> FloatArray:
    """Return the (n, m) values k(u, v) for the rows u of X and v of Z; exactly symmetric if X is Z.

    Raises
    ------
    ValueError
        If a value is not finite, or the examples have too few components.

    >>> from kpviz.engine.kernels.formula import parse
    >>> matrix(parse("norm(u - v)**2 + 1"), np.array([[0.0, 0.0], [3.0, 4.0]]), np.zeros((1, 2)))
    array([[ 1.],
           [26.]])
    """
    _check_components(node, X.shape[1])
    rows = _BLOCK // max(1, min(len(Z), _BLOCK))
    if len(X) <= rows:
        values = _finite(node, X, Z, paired=False)
    else:
        values = np.empty((len(X), len(Z)))
        for start in range(0, len(X), rows):
            values[start : start + rows] = _finite(node, X[start : start + rows], Z, paired=False)
    if X is Z and (len(X) > rows or not rounds_alike(node)):
        values = (values + values.T) / 2
    return values


def diagonal(node: Node, X: FloatArray) -> FloatArray:
    """Return the (n,) values k(u, u).

    >>> from kpviz.engine.kernels.formula import parse
    >>> diagonal(parse("dot(u, v) + 1"), np.array([[0.0, 0.0], [3.0, 4.0]]))
    array([ 1., 26.])
    """
    _check_components(node, X.shape[1])
    return _finite(node, X, X, paired=True)


def pairs(node: Node, X: FloatArray, Z: FloatArray, *, paired: bool = False) -> FloatArray:
    """Return the same at once and unchecked, of a kernel's formula: as numpy has it, with infinity
    and NaN.

    `paired`: the values k(u, u).
    """
    values = _full(
        _Arrays(X, Z, paired=paired).value(node), (len(X),) if paired else (len(X), len(Z))
    )
    return (values + values.T) / 2 if X is Z and not paired and not rounds_alike(node) else values


def components(node: Node) -> int:
    """Return the number of components that an example must have: the largest index, 1 where none is
    named.
    """
    return max(
        (int(part.value) for part in node.walk() if part.name in VECTORS and part.value), default=1
    )


def _check_components(node: Node, columns: int) -> None:
    needed = components(node)
    if needed > columns:
        count = "one component" if columns == 1 else f"{columns} components"
        raise ValueError(f"The formula asks for component {needed}, but each example has {count}.")


def _finite(node: Node, X: FloatArray, Z: FloatArray, *, paired: bool) -> FloatArray:
    """Return the values; after a floating-point error they are computed again step by step, to
    locate it.
    """
    shape = (len(X),) if paired else (len(X), len(Z))
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise", under="ignore"):
            values = _full(_Arrays(X, Z, paired=paired).value(node), shape)
        with np.errstate(all="ignore"):
            if math.isfinite(values.sum()):
                return values
    except FloatingPointError:
        pass
    with np.errstate(all="ignore"):
        return _full(_Arrays(X, Z, paired=paired, careful=True).value(node), shape)


def _full(values: Any, shape: tuple[int, ...]) -> FloatArray:
    whole = np.shape(values) == shape and values.flags.writeable
    return np.asarray(values if whole else np.broadcast_to(values, shape).copy())


_OPERATIONS: dict[str, Operation] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "==": lambda a, b, out=None: np.equal(a, b).astype(np.float64),
    **ELEMENTWISE,
    **PAIRWISE,
}


class _Arrays(Interpreter[Any]):
    """The pairs of examples that a formula is evaluated on: every u with every v, or each with
    itself (`paired`).

    An array that may be overwritten is one that is writeable: columns of examples are not, nor is a
    number inside a vector, which serves all columns. `careful`: a value that is not finite raises a
    sentence that says where.
    """

    def __init__(
        self, X: FloatArray, Z: FloatArray, *, paired: bool, careful: bool = False
    ) -> None:
        self._examples = {"u": X, "v": Z}
        columns = (
            {"u": X.T.view(), "v": Z.T.view()}
            if paired
            else {"u": X.T[:, :, None], "v": Z.T[:, None, :]}
        )
        for array in columns.values():
            array.setflags(write=False)
        self._columns = columns
        self._paired = paired
        self._careful = careful
        self._same_for_all_columns: dict[Node, Any] = {}

    def value(self, node: Node, column: int | None = None) -> Any:
        if column is not None and node.kind == "number" and node.constant is None:
            if node not in self._same_for_all_columns:
                number = self.value(node)
                number.setflags(write=False)
                self._same_for_all_columns[node] = number
            return self._same_for_all_columns[node]
        values = super().value(node, column)
        if _is_shifted_inner_product(node):
            values = self._without_rounding(node, values)
        if self._careful and not np.isfinite(values).all():
            raise ValueError(self._why_not_finite(node, values))
        return values

    def constant(self, node: Node) -> Any:
        return node.constant

    def component(self, side: str, column: int | None) -> Any:
        return self._columns[side][column]

    def leaf(self, node: KernelNode) -> Any:
        X, Z = self._examples.values()
        return node.kernel.diag(X) if self._paired else node.kernel.evaluate(X, Z)

    def apply(self, name: str, *operands: Any) -> Any:
        shape = np.broadcast_shapes(*(np.shape(operand) for operand in operands))
        target = next((operand for operand in operands if _may_overwrite(operand, shape)), None)
        operation: Operation = (
            np.negative if name == "-" and len(operands) == 1 else _OPERATIONS[name]
        )
        return operation(*operands) if target is None else operation(*operands, out=target)

    def power(self, base: Any, exponent: float) -> Any:
        if exponent == 1.0:
            return base
        return power(base, exponent, base if _may_overwrite(base, np.shape(base)) else None)

    def sum(self, term: Callable[[int | None], Any]) -> Any:
        total = term(0)
        for j in range(1, len(self._columns["u"])):
            total = self.apply("+", total, term(j))
        return total

    def squares(self, norm: Node) -> Any:
        X, Z = self._examples.values()
        if self._paired or not are_by_products(X.shape[1]) or not _is_distance(norm):
            return super().squares(norm)
        return squared_distances(X, Z)

    def inner(self, a: Node, b: Node) -> Any:
        """Return a·b of all pairs at once where each is made of one side."""
        if self._paired or {a.sides, b.sides} != {frozenset("u"), frozenset("v")}:
            return None
        u, v = (a, b) if a.sides == {"u"} else (b, a)
        return inner_products(self._rows(u, "u"), self._rows(v, "v"))

    def _without_rounding(self, node: Node, values: Any) -> Any:
        """Return an inner product to which a number was added: 0 where it is the
        opposite number.
        """
        constant = abs(next(part.constant for part in node.parts if part.constant is not None))
        if not (np.abs(values) < ROUNDING * constant).any():
            return values
        return without_rounding(values, np.full(np.shape(values), 2.0 * constant))

    def normalized(self, node: Node) -> Any:
        if self._paired:
            return np.where(self.value(node) > 0.0, 1.0, 0.0)
        of_u, of_v = (inverse_root(diagonal(node, self._examples[side])) for side in VECTORS)
        values = _full(self.value(node), (len(of_u), len(of_v)))
        values *= np.multiply.outer(of_u, of_v)
        return values

    def _rows(self, node: Node, side: str) -> FloatArray:
        """Return a vector of one side as a matrix, a row for each example."""
        X = self._examples[side]
        if node.name in VECTORS:
            return X
        columns = (
            np.broadcast_to(np.ravel(self.value(node, j)), len(X)) for j in range(X.shape[1])
        )
        return np.stack(list(columns), axis=1)

    def _why_not_finite(self, node: Node, values: Any) -> str:
        """Return the sentence on a value that is not finite."""
        row, *columns = np.argwhere(~np.isfinite(values))[0]
        rows = {"u": row, "v": columns[0] if columns else row}
        examples = [
            f"{side} = {example(self._examples[side][rows[side]].tolist())}"
            for side in sorted(node.sides)
        ]
        reasons = {
            "log": "log takes numbers above 0",
            "sqrt": "sqrt takes numbers of at least 0",
            "/": "what it divides by is 0, or too small",
        }
        reason = reasons.get(node.name, "it is too large")
        exponent = (node.parts[1].constant or 0.0) if node.name == "**" else 1.0
        if exponent < 0.0:
            reason = "a negative power takes numbers other than 0"
        elif not exponent.is_integer():
            reason = "a fractional power takes numbers of at least 0"
        return (
            f"{shortened(str(node), 60)} is not a finite number for {' and '.join(examples)}: "
            f"{reason}."
        )


def _is_distance(norm: Node) -> bool:
    """Whether a norm is ‖u − v‖."""
    (difference,) = norm.parts
    names = [part.name for part in difference.parts if part.name in VECTORS and not part.value]
    return difference.name == "-" and len(difference.parts) == 2 and sorted(names) == ["u", "v"]


def _is_shifted_inner_product(node: Node) -> bool:
    """Whether a formula is an inner product, or a multiple of one, plus or minus a number other
    than 0.
    """
    if node.name not in ("+", "-") or len(node.parts) != 2 or node.sides != frozenset(VECTORS):
        return False
    numbers = [part.constant for part in node.parts if part.constant is not None]
    others = [part for part in node.parts if part.constant is None]
    if len(numbers) != 1 or not numbers[0]:
        return False
    product = others[0]
    if product.name == "*" and any(part.constant is not None for part in product.parts):
        product = next(part for part in product.parts if part.constant is None)
    return product.name == "dot"


def inverse_root(squared: FloatArray) -> FloatArray:
    """Return 1/√ of numbers above 0, and 0 of others."""
    return np.where(squared > 0.0, 1.0 / np.sqrt(np.where(squared > 0.0, squared, 1.0)), 0.0)


def _may_overwrite(values: Any, shape: tuple[int, ...]) -> bool:
    return isinstance(values, np.ndarray) and values.shape == shape and values.flags.writeable


@lru_cache(maxsize=256)
def rounds_alike(node: Node) -> bool:
    """Return whether k(u, v) and k(v, u) are the same operations on the same numbers,
    bit by bit.
    """
    return _in_order(node) == _in_order(swapped(node))


def _in_order(node: Node, *, unsigned: bool = False) -> str:
    """Write a formula with the operands of each + and * sorted, and of differences whose sign is
    lost.
    """
    if isinstance(node, KernelNode):
        return str(node)
    even = node.name in EVEN or (
        node.name == "**" and ((node.parts[1].constant or 0.0) / 2).is_integer()
    )
    parts = [_in_order(part, unsigned=even) for part in node.parts]
    # BLAS rounds as it likes.
    by_blas = node.name == "dot" and any(part.parts for part in node.parts)
    either = node.name in {"+", "*", *SYMMETRIC} or (node.name == "-" and unsigned)
    return (
        f"{node.name}{node.value}({','.join(sorted(parts) if either and not by_blas else parts)})"
    )
