"""A formula as a tree of small frozen nodes; `str` writes it as one types it.

Legend: a node is a number or a vector (`kind`); its `sides` say which of u and v it is made of.

Tests: tests/engine/test_formula.py.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.form import Form

MAX_LENGTH = 300  # In characters: of a formula as typed, and as written by kpviz.
MAX_NESTING = 30
MAX_EXPONENT = 64.0
MAX_COMPONENT = 100  # Components are u[1], u[2], …

Operation = Callable[..., Any]

# They take a number, or each component of a vector.
ELEMENTWISE: dict[str, Operation] = {
    "abs": np.abs,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "sin": np.sin,
    "cos": np.cos,
}
# They take two numbers, or two vectors component by component.
PAIRWISE: dict[str, Operation] = {"min": np.minimum, "max": np.maximum}
# They make a number of so many vectors.
REDUCTIONS: dict[str, int] = {"dot": 2, "norm": 1, "norm1": 1, "sum": 1, "equal": 2}
NORMALIZED = "normalized"
FUNCTIONS: tuple[str, ...] = (*REDUCTIONS, *ELEMENTWISE, *PAIRWISE, NORMALIZED)
VECTORS = ("u", "v")
EVEN = {"norm", "norm1", "abs", "cos"}
SYMMETRIC = {"dot", "equal", *PAIRWISE}  # The order of the two arguments of these does not matter.

_OPERATIONS: dict[str, Operation] = {
    "+": np.add,
    "*": np.multiply,
    "/": np.divide,
    **ELEMENTWISE,
    **PAIRWISE,
}
_EXACT: dict[str, Operation] = {
    "+": operator.add,
    "*": operator.mul,
    "abs": abs,
    "min": min,
    "max": max,
}
# So tightly a node holds together, the loosest first.
_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(1, 6)
_STRENGTH = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "**": _POWER}
_MOST_BITS = 20_000  # An exact number that needs more bits is beyond all floats.


class Leaf(Protocol):
    """What a formula knows of a kernel within it: its values, and how it is written.

    `written` is "" where it has no formula of its own, else `tree` is that; `formula` is LaTeX.
    """

    @property
    def written(self) -> str: ...

    @property
    def formula(self) -> str: ...

    @property
    def tree(self) -> Node:
        """The kernel as a formula without names of kernels."""
        ...

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        """Return the (n, m) values k(u, v)."""
        ...

    def diag(self, X: FloatArray) -> FloatArray:
        """Return the (n,) values k(u, u)."""
        ...

    def form(self) -> Form:
        """Return the kernel as Python."""
        ...


@dataclass(frozen=True)
class Node:
    """A number, the example u or v, one component of it, or an operation or function of its parts.

    `name` is "number", "u", "v", an operator, with one part the sign "-", or a function; `value`
    the number, which is at least 0, or the index of the component, which counts from 1 as in u₁.
    The exponent of "**" is a constant. `parameter` is the name of one of a kernel's parameters and
    its symbol in LaTeX, where the number is its value.

    >>> a, b, two = Node("u", value=1), Node("v", value=1), Node("number", value=2.0)
    >>> str(Node("**", (Node("-", (a, b)), two))), str(Node("-", (a, Node("-", (b, two)))))
    ('(u[1] - v[1])**2', 'u[1] - (v[1] - 2)')
    """

    name: str
    parts: tuple[Node, ...] = ()
    value: float = 0.0
    parameter: tuple[str, str] = field(default=("", ""), compare=False)

    @cached_property
    def kind(self) -> Literal["number", "vector"]:
        """Whether it is a number or a vector."""
        if self.name in VECTORS:
            return "number" if self.value else "vector"
        keeps = self.name in _STRENGTH or self.name in ELEMENTWISE or self.name in PAIRWISE
        return "vector" if keeps and any(part.kind == "vector" for part in self.parts) else "number"

    @cached_property
    def sides(self) -> frozenset[str]:
        """Which of "u" and "v" occur."""
        if self.name in VECTORS:
            return frozenset(self.name)
        sides: frozenset[str] = frozenset().union(*(part.sides for part in self.parts))
        # It has k(u, u) and k(v, v).
        return frozenset(VECTORS) if self.name == NORMALIZED and sides else sides

    @cached_property
    def constant(self) -> float | None:
        """Its value if neither u nor v occurs (not always finite), else None."""
        if self.sides or self.name == "number":
            return None if self.sides else self.value
        values: list[Any] = [part.constant for part in self.parts]
        with np.errstate(all="ignore"):
            if self.name == NORMALIZED:
                return 1.0 if values[0] > 0.0 else 0.0
            if self.name == "-":
                return float(-values[0] if len(values) == 1 else values[0] - values[1])
            return float(power(*values) if self.name == "**" else _OPERATIONS[self.name](*values))

    @cached_property
    def exact(self) -> Fraction | None:
        """The same without rounding, of decimals as they are typed; None where it is no fraction,
        as pi and roots.
        """
        if self.name == "number":
            return None if self.value == math.pi else Fraction(repr(self.value))
        values = [] if self.sides else [part.exact for part in self.parts]
        if self.sides or None in values:
            return None
        first = values[0] or Fraction(0)
        last = values[-1] or Fraction(0)
        if self.name == "-":
            return -first if len(values) == 1 else first - last
        if self.name == "**":
            return raised(first, last)
        if self.name == "/":
            return first / last if last else None
        if self.name == NORMALIZED:
            return Fraction(first > 0)
        return Fraction(_EXACT[self.name](*values)) if self.name in _EXACT else None

    def walk(self) -> Iterator[Node]:
        """Yield the node and all below it."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def rebuilt(self, change: Callable[[Node], Node | None]) -> Node:
        """Return a formula in which `change` replaced what it returned a node for, from the whole
        down to its parts.
        """
        changed = change(self)
        if changed is not None:
            return changed
        return (
            Node(self.name, tuple(part.rebuilt(change) for part in self.parts), self.value)
            if self.parts
            else self
        )

    @property
    def strength(self) -> int:
        """How tightly it holds together in writing."""
        return (
            _SIGN if self.name == "-" and len(self.parts) == 1 else _STRENGTH.get(self.name, _ATOM)
        )

    def __str__(self) -> str:
        name = self.name
        parts = self.parts
        if name == "number":
            whole = self.value.is_integer() and self.value < 1e15
            return (
                "pi"
                if self.value == math.pi
                else str(int(self.value))
                if whole
                else repr(self.value)
            )
        if name in VECTORS:
            return f"{name}[{int(self.value)}]" if self.value else name
        if name not in _STRENGTH:
            return f"{name}({', '.join(map(str, parts))})"
        if len(parts) == 1:
            return f"-{within(parts[0], _POWER)}"
        left, right = parts
        if name == "**":
            return f"{within(left, _ATOM)}**{within(right, _POWER)}"
        after = _POWER if right.strength == _SIGN else self.strength + 1
        sign = f" {name} " if self.strength == _SUM else name
        return f"{within(left, self.strength)}{sign}{within(right, after)}"


NAMELESS = "kernel"  # No text can call a leaf by this name.


@dataclass(frozen=True, kw_only=True, eq=False)
class KernelNode(Node):
    """A kernel as a leaf of a formula: one that is called by its name, as gaussian(0.5), or a
    nameless one.

    The parts of a call are its arguments; they and the name decide on the kernel.
    """

    name: str = NAMELESS
    kernel: Leaf

    @property
    def is_call(self) -> bool:
        """Whether a text can call it."""
        return self.name != NAMELESS

    @cached_property
    def sides(self) -> frozenset[str]:
        return frozenset(VECTORS)

    def rebuilt(self, change: Callable[[Node], Node | None]) -> Node:
        return change(self) or self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, KernelNode) or (self.name, self.parts) != (
            other.name,
            other.parts,
        ):
            return False
        return self.is_call or self.kernel is other.kernel

    def __hash__(self) -> int:
        return hash((self.name, self.parts))


def within(node: Node, least: int = _ATOM) -> str:
    """Return how it is written where only nodes of at least this strength need no parentheses."""
    return str(node) if node.strength >= least else f"({node})"


ONE = Node("number", value=1.0)


def power(base: Any, exponent: float, out: Any = None) -> Any:
    """Return base**exponent as `**` of numpy does it: squares, roots and inverses by their own
    functions.
    """
    exact: dict[float, Operation] = {2.0: np.square, 0.5: np.sqrt, -1.0: np.reciprocal}
    if exponent in exact:
        return exact[exponent](base, out=out)
    return np.power(base, exponent, out=out)


def raised(base: Fraction, exponent: Fraction) -> Fraction | None:
    """Return a whole power exactly, None for other powers and for what has no end.

    >>> raised(Fraction("0.1"), Fraction(3)), raised(Fraction(2), Fraction(1, 2))
    (Fraction(1, 1000), None)
    """
    bits = base.numerator.bit_length() + base.denominator.bit_length()
    if (
        exponent.denominator != 1
        or bits * abs(exponent) > _MOST_BITS
        or (base == 0 and exponent < 0)
    ):
        return None
    return Fraction(base ** int(exponent))


def number(value: float | Fraction) -> Node:
    """Return a number of either sign as a node: the nearest float that is finite, and 0 only for 0.

    >>> str(number(-0.5))
    '-0.5'
    """
    smallest = Fraction(sys.float_info.min)
    most = Fraction(sys.float_info.max)
    node = Node(
        "number", value=float(min(max(abs(Fraction(value)), smallest), most)) if value else 0.0
    )
    return node if value >= 0 else Node("-", (node,))


def scaled(factor: float | Fraction, node: Node) -> Node:
    """Return factor * node, without a factor of 1.

    >>> str(scaled(-2.0, Node("u", value=1)))
    '-(2*u[1])'
    """
    if factor == 1:
        return node
    if node == ONE:
        return number(factor)
    return Node("-", (scaled(-factor, node),)) if factor < 0 else Node("*", (number(factor), node))


# ---- terms and factors ----


class Term(NamedTuple):
    """A summand: a factor, what it multiplies, and both as one formula."""

    factor: Fraction
    node: Node
    whole: Node


def terms(node: Node, times: Fraction = Fraction(1), *, rough: bool = False) -> list[Term]:
    """Return the summands of times * node; constants are factors of 1.

    Factors are exact. With `rough`, roots and the like are factors, too, as the floats that they
    are computed as.

    >>> from kpviz.engine.kernels.formula import parse
    >>> [str(term.whole) for term in terms(parse("3 - 2*(norm(u) - dot(u, v)/4)"))]
    ['3', '-(2*norm(u))', '0.5*dot(u, v)']
    """
    match node:
        case Node("+" | "-" as sign, (left, right)):
            return terms(left, times, rough=rough) + terms(
                right, times if sign == "+" else -times, rough=rough
            )
        case Node("-", (part,)):
            return terms(part, -times, rough=rough)
    constant = _constant(node, rough)
    if constant is not None:
        return [Term(times * constant, ONE, scaled(times * constant, ONE))]
    factor, parts = factors(node, rough=rough)
    remaining = node if factor == 1 else product(parts)
    if factor != 1 and remaining.name in ("+", "-"):
        return terms(remaining, times * factor, rough=rough)
    whole = scaled(times, node) if abs(times) == 1 else scaled(times * factor, remaining)
    return [Term(times * factor, remaining, whole)]


def factors(
    node: Node, exponent: int = 1, *, rough: bool = False
) -> tuple[Fraction, list[tuple[Node, int]]]:
    """Return a constant and the factors with their exponents, 1 or -1 for what is divided by;
    `rough` as of `terms`.

    >>> from kpviz.engine.kernels.formula import parse
    >>> factor, parts = factors(parse("3*dot(u, v)/(2*norm(u)*norm(v))"))
    >>> float(factor), [(str(part), exponent) for part, exponent in parts]
    (1.5, [('dot(u, v)', 1), ('norm(u)', -1), ('norm(v)', -1)])
    """
    constant = _constant(node, rough)
    if constant is not None and (exponent > 0 or constant):
        return constant if exponent > 0 else 1 / constant, []
    match node:
        case Node("-", (part,)):
            factor, parts = factors(part, exponent, rough=rough)
            return -factor, parts
        case Node("*" | "/" as sign, (left, right)):
            factor, parts = factors(left, exponent, rough=rough)
            other, more = factors(right, exponent if sign == "*" else -exponent, rough=rough)
            return factor * other, parts + more
    return Fraction(1), [(node, exponent)]


def _constant(node: Node, rough: bool) -> Fraction | None:
    if (
        node.exact is not None
        or not rough
        or node.constant is None
        or not math.isfinite(node.constant)
    ):
        return node.exact
    return Fraction(node.constant)


def product(parts: list[tuple[Node, int]]) -> Node:
    """Return the product of factors with exponents 1 and -1 as a formula."""
    result: Node | None = None
    for part, exponent in sorted(parts, key=lambda pair: -pair[1]):
        if exponent > 0:
            result = part if result is None else Node("*", (result, part))
        else:
            result = Node("/", (result or ONE, part))
    return result or ONE


def occurs_only_in(node: Node, parts: Collection[str]) -> bool:
    """Return whether u and v occur only in the given parts of a formula without names of kernels.

    >>> from kpviz.engine.kernels.formula import parse
    >>> occurs_only_in(parse("tanh(dot(u, v) - 1)"), ["dot(u, v)"])
    True
    >>> occurs_only_in(parse("norm(u)"), ["dot(u, v)"])
    False
    """
    if node.sides and not node.parts:
        return False
    alike = node.name != NORMALIZED or "norm(u - v)" in parts  # There k(u, u) is constant.
    return str(node) in parts or (alike and all(occurs_only_in(part, parts) for part in node.parts))


def swapped(node: Node) -> Node:
    """Return the formula with u and v exchanged.

    >>> from kpviz.engine.kernels.formula import parse
    >>> str(swapped(parse("u[1] - norm(v)")))
    'v[1] - norm(u)'
    """
    other = {"u": "v", "v": "u"}
    return node.rebuilt(
        lambda part: Node(other[part.name], (), part.value) if part.name in VECTORS else None
    )
