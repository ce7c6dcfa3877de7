"""What a formula is as algebra: its terms and factors, and whether two formulas are the same one.

Legend: a formula is written as coefficient * core; cores are nested tuples, alike for all ways of writing one formula
that differ by order, signs, brackets and constant factors. Coefficients are exact: what a float would round to 0 may
still decide whether a formula is a kernel.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Collection
from fractions import Fraction
from typing import Any, NamedTuple

from kpviz.engine.kernels.formula.nodes import (
    ONE,
    Binary,
    Call,
    Component,
    Negative,
    Node,
    Vector,
    raised,
    rebuilt,
    scaled,
)
from kpviz.engine.kernels.formula.words import NAMED, NORMALIZED, PAIRWISE

Core = tuple[Any, ...]

_SYMMETRIC = {"dot", "equal", *PAIRWISE}  # functions of two whose order does not matter
_HOMOGENEOUS = {"dot", "sum", "norm", "norm1", "abs"}  # a factor of an argument is one of the value
_EVEN = {"norm", "norm1", "abs", "cos"}
_UNIT: Core = ("1",)
_OTHER = {"u": "v", "v": "u"}


class Term(NamedTuple):
    """A summand: a factor, what it multiplies, and both as one formula."""

    factor: Fraction
    node: Node
    whole: Node


def swapped(node: Node) -> Node:
    """Return the formula with u and v exchanged.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> str(swapped(parse("u[1] - norm(v)")))
    'v[1] - norm(u)'
    """
    return rebuilt(node, _on_the_other_side)


def _on_the_other_side(node: Node) -> Node | None:
    if isinstance(node, Component):
        return Component(_OTHER[node.name], node.index)
    return Vector(_OTHER[node.name]) if isinstance(node, Vector) else None


def is_symmetric(node: Node) -> bool:
    """Return whether algebra alone says k(u, v) = k(v, u); False means unknown.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> is_symmetric(parse("norm(2*u - 2*v)")), is_symmetric(parse("norm(2*u - v)"))
    (True, False)
    """
    return key(node) == key(swapped(node))


def key(node: Node) -> tuple[Fraction, Core]:
    """Return coefficient and core."""
    if node.exact is not None:
        return node.exact, _UNIT
    if isinstance(node, Negative):
        factor, core = key(node.of)
        return -factor, core
    if isinstance(node, Binary):
        if node.sign == "**":
            return _power_key(node)
        return sum_key(terms(node)) if node.sign in "+-" else _product_key(node)
    return _call_key(node) if isinstance(node, Call) else (Fraction(1), (str(node),))


def sum_key(summands: list[Term]) -> tuple[Fraction, Core]:
    """Return coefficient and core of a sum, 0 if there are no summands."""
    found: dict[Core, Fraction] = {}
    for factor, part, _ in summands:
        own, core = key(part)
        found[core] = found.get(core, Fraction(0)) + factor * own
    rows = sorted(((core, factor) for core, factor in found.items() if factor), key=repr)
    if not rows:
        return Fraction(0), _UNIT
    if len(rows) == 1:
        return rows[0][1], rows[0][0]
    sign = Fraction(1 if rows[0][1] > 0 else -1)
    return sign, ("+", tuple((core, sign * factor) for core, factor in rows))


def _product_key(node: Binary) -> tuple[Fraction, Core]:
    coefficient, parts = factors(node)
    found: dict[Core, Fraction] = {}
    for part, exponent in parts:
        own, core = key(part)
        if own == 0:
            return (own, _UNIT) if exponent > 0 else (Fraction(1), ("/", str(node)))  # which is nowhere a number
        coefficient = coefficient * own if exponent > 0 else coefficient / own
        inner = core[1] if core[0] == "*" else ((core, Fraction(1)),)
        for base, power in inner:
            found[base] = found.get(base, Fraction(0)) + power * exponent
    rows = tuple(sorted(((core, power) for core, power in found.items() if power), key=repr))
    if rows in ((), ((_UNIT, Fraction(1)),)):
        return coefficient, _UNIT
    return coefficient, rows[0][0] if len(rows) == 1 and rows[0][1] == 1 else ("*", rows)


def _power_key(node: Binary) -> tuple[Fraction, Core]:
    (factor, core), exponent = key(node.left), node.right.exact or Fraction(0)
    opaque = Fraction(1), ("**", factor, core, exponent)
    whole = exponent.denominator == 1
    if factor == 0 or (factor < 0 and not whole):
        return opaque
    if exponent == 0:
        return Fraction(1), _UNIT
    coefficient = raised(factor, exponent) if whole else _root(factor, exponent)
    if coefficient is None:
        return opaque
    if core[0] == "*" and whole:
        return coefficient, ("*", tuple((base, power * exponent) for base, power in core[1]))
    return coefficient, core if exponent == 1 else ("*", ((core, exponent),))


def _root(factor: Fraction, exponent: Fraction) -> Fraction | None:
    """Return a fractional power as a float, 1 exactly; None where a float does not hold all its digits."""
    if factor == 1:
        return factor
    try:
        found = float(factor) ** float(exponent)
    except (OverflowError, ZeroDivisionError):
        return None
    return Fraction(found) if sys.float_info.min <= found < math.inf else None


def _call_key(node: Call) -> tuple[Fraction, Core]:
    if node.name in NAMED:
        return Fraction(1), (node.name, *(argument.constant for argument in node.arguments))
    keys = [key(argument) for argument in node.arguments]
    if node.name in _EVEN:
        keys = [(abs(factor), core) for factor, core in keys]
    factor = Fraction(1)
    if node.name in _HOMOGENEOUS:
        factor = math.prod((factor for factor, _ in keys), start=factor)
        keys = [(Fraction(1), core) for _, core in keys]
    if factor == 0:
        return factor, _UNIT
    return factor, (node.name, *(sorted(keys, key=repr) if node.name in _SYMMETRIC else keys))


# ---- terms and factors ----


def terms(node: Node, times: Fraction = Fraction(1)) -> list[Term]:
    """Return the summands of times * node; constants are factors of 1.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> [str(term.whole) for term in terms(parse("3 - 2*(norm(u) - dot(u, v)/4)"))]
    ['3', '-(2*norm(u))', '0.5*dot(u, v)']
    """
    if isinstance(node, Binary) and node.sign in "+-":
        return terms(node.left, times) + terms(node.right, times if node.sign == "+" else -times)
    if isinstance(node, Negative):
        return terms(node.of, -times)
    if node.exact is not None:
        return [Term(times * node.exact, ONE, scaled(times * node.exact, ONE))]
    factor, rest = split(node)
    if rest is not node and isinstance(rest, Binary) and rest.sign in "+-":
        return terms(rest, times * factor)
    whole = scaled(times, node) if abs(times) == 1 else scaled(times * factor, rest)
    return [Term(times * factor, rest, whole)]


def split(node: Node) -> tuple[Fraction, Node]:
    """Return a constant factor and what it multiplies; the node itself where that factor is 1.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> factor, rest = split(parse("-norm(u)*norm(v)/2"))
    >>> float(factor), str(rest)
    (-0.5, 'norm(u)*norm(v)')
    """
    factor, parts = factors(node)
    if factor == 1 and not isinstance(node, Negative):
        return factor, node
    return factor, product(parts)


def factors(node: Node, exponent: int = 1) -> tuple[Fraction, list[tuple[Node, int]]]:
    """Return a constant and the factors with their exponents, 1 or -1 for what is divided by.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> factor, parts = factors(parse("3*dot(u, v)/(2*norm(u)*norm(v))"))
    >>> float(factor), [(str(part), exponent) for part, exponent in parts]
    (1.5, [('dot(u, v)', 1), ('norm(u)', -1), ('norm(v)', -1)])
    """
    if node.exact is not None and (exponent > 0 or node.exact):
        return node.exact if exponent > 0 else 1 / node.exact, []
    if isinstance(node, Negative):
        factor, parts = factors(node.of, exponent)
        return -factor, parts
    if isinstance(node, Binary) and node.sign in "*/":
        factor, parts = factors(node.left, exponent)
        other, more = factors(node.right, exponent if node.sign == "*" else -exponent)
        return factor * other, parts + more
    return Fraction(1), [(node, exponent)]


def product(parts: list[tuple[Node, int]]) -> Node:
    """Return the product of factors with exponents 1 and -1 as a formula."""
    found: Node | None = None
    for part, exponent in sorted(parts, key=lambda pair: -pair[1]):
        if exponent > 0:
            found = part if found is None else Binary("*", found, part)
        else:
            found = Binary("/", found or ONE, part)
    return found or ONE


# ---- what a formula depends on ----


def occurs_only_in(node: Node, parts: Collection[str]) -> bool:
    """Return whether u and v occur only in the given parts of a formula without names of kernels.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> occurs_only_in(parse("tanh(dot(u, v) - 1)"), ["dot(u, v)"]), occurs_only_in(parse("norm(u)"), ["dot(u, v)"])
    (True, False)
    """
    if node.sides and not node.parts:
        return False
    alike = not isinstance(node, Call) or node.name != NORMALIZED or "norm(u - v)" in parts  # there k(u, u) is constant
    return str(node) in parts or (alike and all(occurs_only_in(part, parts) for part in node.parts))


def components(node: Node) -> int:
    """Return the number of components that an example must have: the largest index, 1 where none is named."""
    return max((part.index for part in node.walk() if isinstance(part, Component)), default=1)


def is_partial(node: Node) -> bool:
    """Return whether it may have no value for some examples: it has logarithms, roots, divisions or such powers.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> is_partial(parse("sqrt(u[1]*v[1])")), is_partial(parse("dot(u, v)**2/sqrt(2)"))
    (True, False)
    """
    for part in node.walk():
        if isinstance(part, Call) and part.name in ("log", "sqrt") and part.sides:
            return True
        if isinstance(part, Binary) and part.sign == "/" and part.right.sides:
            return True
        if isinstance(part, Binary) and part.sign == "**" and part.left.sides:
            exponent = part.right.constant or 0.0
            if exponent < 0 or not exponent.is_integer():
                return True
    return False


def rounds_alike(node: Node) -> bool:
    """Return whether k(u, v) and k(v, u) are the same operations on the same numbers, bit by bit."""
    return _written(node) == _written(swapped(node))


def _written(node: Node) -> str:
    """Write a formula with the operands of each + and * sorted, and differences sorted where the sign is lost."""
    if isinstance(node, Negative):
        return f"-({_written(node.of)})"
    if isinstance(node, Binary):
        if node.sign == "**":
            even = ((node.right.constant or 0.0) / 2).is_integer()
            return f"({_unsigned(node.left) if even else _written(node.left)})**{node.right}"
        pair = [_written(node.left), _written(node.right)]
        return f"({node.sign.join(sorted(pair) if node.sign in '+*' else pair)})"
    if isinstance(node, Call) and node.name not in NAMED:
        write = _unsigned if node.name in _EVEN else _written
        found = [write(part) for part in node.arguments]
        plain = all(isinstance(part, Vector) for part in node.arguments)  # other inner products are BLAS's to round
        interchangeable = node.name in _SYMMETRIC and (plain or node.name != "dot")
        return f"{node.name}({','.join(sorted(found) if interchangeable else found)})"
    return str(node)


def _unsigned(node: Node) -> str:
    if isinstance(node, Binary) and node.sign == "-":
        return "|".join(sorted([_written(node.left), _written(node.right)]))
    return _written(node)
