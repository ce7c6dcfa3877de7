"""A formula as a tree of small frozen objects; `str` writes it as one types it.

Legend: a node is a number or a vector (`kind`); its `sides` say which of u and v it is made of.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from kpviz.engine.kernels.formula.words import ELEMENTWISE, NAMED, NORMALIZED, OPERATIONS, PAIRWISE, PI, VECTORS, power

if TYPE_CHECKING:
    from kpviz.engine.kernels.base import Kernel

Kind = Literal["number", "vector"]

_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(1, 6)  # how tightly a node holds together, loosest first
_MOST_BITS = 20_000  # of an exact number: what needs more is beyond all floats
_EXACTLY = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
_STRENGTH = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "**": _POWER}


class Node:
    """A part of a formula."""

    @property
    def parts(self) -> tuple[Node, ...]:
        """The nodes that it is made of."""
        return ()

    @cached_property
    def kind(self) -> Kind:
        """Whether it is a number or a vector."""
        return "vector" if any(part.kind == "vector" for part in self.parts) else "number"

    @cached_property
    def sides(self) -> frozenset[str]:
        """Which of "u" and "v" occur."""
        return frozenset().union(*(part.sides for part in self.parts))

    @cached_property
    def constant(self) -> float | None:
        """Its value if neither u nor v occurs (not always finite), else None."""
        if self.sides:
            return None
        with np.errstate(all="ignore"):
            return float(self._value([part.constant for part in self.parts]))  # type: ignore[misc]

    def _value(self, parts: list[float]) -> float:
        raise NotImplementedError

    @cached_property
    def exact(self) -> Fraction | None:
        """The same without rounding: numbers as they are typed, sums, products and whole powers of them.

        What is made in other ways, as a root, is the float that it is computed as.
        """
        if self.constant is None or not math.isfinite(self.constant):
            return None
        found = self._exactly([part.exact for part in self.parts])
        return Fraction(self.constant) if found is None else found

    def _exactly(self, parts: list[Fraction | None]) -> Fraction | None:
        return None

    def walk(self) -> Iterator[Node]:
        """Yield the node and all below it."""
        yield self
        for part in self.parts:
            yield from part.walk()

    @property
    def strength(self) -> int:
        """How tightly it holds together in writing."""
        return _ATOM


@dataclass(frozen=True)
class Number(Node):
    """A number of at least 0.

    >>> str(Number(2.0)), str(Number(0.1)), str(Number(math.pi))
    ('2', '0.1', 'pi')
    """

    value: float

    def _value(self, parts: list[float]) -> float:
        return self.value

    def _exactly(self, parts: list[Fraction | None]) -> Fraction | None:
        return None if self.value == math.pi else Fraction(repr(self.value))

    def __str__(self) -> str:
        if self.value == math.pi:
            return PI
        whole = self.value.is_integer() and self.value < 1e15
        return str(int(self.value)) if whole else repr(self.value)


@dataclass(frozen=True)
class Vector(Node):
    """The example u or v."""

    name: str

    @cached_property
    def kind(self) -> Kind:
        return "vector"

    @cached_property
    def sides(self) -> frozenset[str]:
        return frozenset({self.name})

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Component(Node):
    """One number of u or v; `index` counts from 1, as in x₁."""

    name: str
    index: int

    @cached_property
    def sides(self) -> frozenset[str]:
        return frozenset({self.name})

    def __str__(self) -> str:
        return f"{self.name}[{self.index}]"


@dataclass(frozen=True)
class Negative(Node):
    """-of."""

    of: Node

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.of,)

    def _value(self, parts: list[float]) -> float:
        return -parts[0]

    def _exactly(self, parts: list[Fraction | None]) -> Fraction | None:
        return None if parts[0] is None else -parts[0]

    @property
    def strength(self) -> int:
        return _SIGN

    def __str__(self) -> str:
        return f"-{within(self.of, _POWER)}"


@dataclass(frozen=True)
class Binary(Node):
    """left sign right, the sign being one of + - * / **; the right of ** is a constant.

    >>> a, b, c = Component("u", 1), Component("v", 1), Number(2.0)
    >>> str(Binary("**", Binary("-", a, b), c)), str(Binary("-", a, Binary("-", b, c)))
    ('(u[1] - v[1])**2', 'u[1] - (v[1] - 2)')
    """

    sign: str
    left: Node
    right: Node

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    def _value(self, parts: list[float]) -> float:
        return float(power(*parts) if self.sign == "**" else OPERATIONS[self.sign](*parts))

    def _exactly(self, parts: list[Fraction | None]) -> Fraction | None:
        left, right = parts
        if left is None or right is None or (self.sign == "/" and right == 0):
            return None
        if self.sign == "**":
            return raised(left, right)
        return Fraction(_EXACTLY[self.sign](left, right))

    @property
    def strength(self) -> int:
        return _STRENGTH[self.sign]

    def __str__(self) -> str:
        if self.sign == "**":
            return f"{within(self.left, _ATOM)}**{within(self.right, _POWER)}"
        left = within(self.left, self.strength)
        right = within(self.right, _POWER if isinstance(self.right, Negative) else self.strength + 1)
        return f"{left} {self.sign} {right}" if self.strength == _SUM else f"{left}{self.sign}{right}"


@dataclass(frozen=True)
class Call(Node):
    """A function of its arguments: of vectors, of numbers, or a built-in kernel of u and v with its parameters."""

    name: str
    arguments: tuple[Node, ...] = ()

    @property
    def parts(self) -> tuple[Node, ...]:
        return self.arguments

    @cached_property
    def kind(self) -> Kind:
        same = self.name in ELEMENTWISE or self.name in PAIRWISE
        return "vector" if same and self.arguments[0].kind == "vector" else "number"

    @cached_property
    def sides(self) -> frozenset[str]:
        found = super().sides
        both = self.name in NAMED or (self.name == NORMALIZED and found)  # k(u, u) and k(v, v), whatever k is made of
        return frozenset(VECTORS) if both else found

    def _value(self, parts: list[float]) -> float:
        operation = ELEMENTWISE.get(self.name) or PAIRWISE.get(self.name)
        if operation is None:  # normalized: of a constant
            return 1.0 if parts[0] > 0.0 else 0.0
        return float(operation(*parts))

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True, eq=False)
class Given(Node):
    """A kernel that is no formula, as part of one."""

    kernel: Kernel

    @cached_property
    def sides(self) -> frozenset[str]:
        return frozenset(VECTORS)


def rebuilt(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """Return a formula in which `change` replaced what it returned a node for, from the whole down to its parts."""
    if (found := change(node)) is not None:
        return found
    match node:
        case Negative(of):
            return Negative(rebuilt(of, change))
        case Binary(sign, left, right):
            return Binary(sign, rebuilt(left, change), rebuilt(right, change))
        case Call(name, arguments):
            return Call(name, tuple(rebuilt(part, change) for part in arguments))
    return node


def within(node: Node, least: int) -> str:
    """Return how it is written where only nodes of at least this strength need no parentheses."""
    return str(node) if node.strength >= least else f"({node})"


def raised(base: Fraction, exponent: Fraction) -> Fraction | None:
    """Return a whole power exactly, None for other powers and for what has no end.

    >>> raised(Fraction("0.1"), Fraction(3)), raised(Fraction(2), Fraction(1, 2))
    (Fraction(1, 1000), None)
    """
    bits = base.numerator.bit_length() + base.denominator.bit_length()
    if exponent.denominator != 1 or bits * abs(exponent) > _MOST_BITS or (base == 0 and exponent < 0):
        return None
    return Fraction(base ** int(exponent))


def nearest(value: float | Fraction) -> float:
    """Return the nearest float that has the sign of `value`, is finite, and is 0 only for 0.

    >>> nearest(Fraction(1, 10) ** 400) > 0, nearest(-Fraction(10) ** 400) > -math.inf
    (True, True)
    """
    smallest, most = sys.float_info.min, sys.float_info.max
    size = float(min(max(abs(Fraction(value)), Fraction(smallest)), Fraction(most))) if value else 0.0
    return -size if value < 0 else size


def number(value: float | Fraction) -> Node:
    """Return a number of either sign as a node.

    >>> str(number(-0.5))
    '-0.5'
    """
    value = nearest(value)
    return Number(value) if value >= 0 else Negative(Number(-value))


def scaled(factor: float | Fraction, node: Node) -> Node:
    """Return factor * node, without a factor of 1.

    >>> str(scaled(-2.0, Component("u", 1)))
    '-(2*u[1])'
    """
    if factor == 1.0:
        return node
    if isinstance(node, Number) and node.value == 1.0:
        return number(factor)
    return Negative(scaled(-factor, node)) if factor < 0 else Binary("*", number(factor), node)


U, V = Vector("u"), Vector("v")
ONE = Number(1.0)
