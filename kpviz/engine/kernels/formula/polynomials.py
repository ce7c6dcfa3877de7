"""A formula multiplied out: sums of products of parts that are not themselves sums, products or powers."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from kpviz.engine.kernels.formula.nodes import Binary, Negative, Node
from kpviz.engine.kernels.formula.structure import Core, key

_MOST_MONOMIALS = 200
_MOST_DEGREE = 64
_UNSURE = 1e-12  # of what was added up: so little may be left of a 0, if it was of roots and the like

Monomial = tuple[tuple[int, int], ...]  # the numbers of the atoms and their exponents, in order
Coefficient = tuple[Fraction, float]  # its value, and how much was added up to make it
Terms = Mapping[Monomial, Coefficient]
_NOTHING: Coefficient = (Fraction(0), 0.0)
Atoms = dict[Core, tuple[int, Node]]


class Polynomial(NamedTuple):
    """The coefficients, none of them 0, of a polynomial in the `atoms` that occur in it."""

    coefficients: list[Fraction]
    atoms: list[Node]


def polynomial(node: Node) -> Polynomial | None:
    """Return a formula multiplied out exactly, or None where it would be long.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> found = polynomial(parse("(dot(u, v) - 1)**2 + 2*dot(u, v)"))
    >>> [str(coefficient) for coefficient in found.coefficients], [str(atom) for atom in found.atoms]
    (['1', '1'], ['dot(u, v)'])
    """
    atoms: Atoms = {}
    try:
        found = _expanded(node, atoms)
    except (_TooLongError, OverflowError, ValueError):  # nor where a coefficient is not a number
        return None
    left = {atom for monomial in found for atom, _ in monomial}
    if any(is_unsure(*coefficient) for coefficient in found.values()):
        return None
    return Polynomial([value for value, _ in found.values()], [node for atom, node in atoms.values() if atom in left])


def is_unsure(value: Fraction, size: float) -> bool:
    """Return whether a sum of terms of this size is so near 0 that its sign may be rounding of what it was made of.

    >>> is_unsure(Fraction(0.1) + Fraction(0.2) - Fraction(0.3), 0.6), is_unsure(Fraction(0), 0.6)
    (True, False)
    """
    return value != 0 and abs(value) <= _UNSURE * size


class _TooLongError(Exception):
    """Multiplied out it has too many monomials, or too high ones."""


def _expanded(node: Node, atoms: Atoms) -> Terms:
    if node.exact is not None:
        return {(): _sized(node.exact)} if node.exact else {}
    if isinstance(node, Negative):
        return {monomial: (-value, size) for monomial, (value, size) in _expanded(node.of, atoms).items()}
    if isinstance(node, Binary) and node.sign in "+-":
        return _plus(_expanded(node.left, atoms), _expanded(node.right, atoms), 1 if node.sign == "+" else -1)
    if isinstance(node, Binary) and node.sign == "*":
        return _times(_expanded(node.left, atoms), _expanded(node.right, atoms))
    if isinstance(node, Binary) and node.sign == "/" and node.right.exact:
        return _times(_expanded(node.left, atoms), {(): _sized(1 / node.right.exact)})
    if isinstance(node, Binary) and node.sign == "**" and _is_whole(node.right.constant):
        base = _expanded(node.left, atoms)
        result: Terms = {(): _sized(Fraction(1))}
        for _ in range(int(node.right.constant or 0)):
            result = _times(result, base)
        return result
    factor, core = key(node)
    if factor == 0:
        return {}
    atom, chosen = atoms.setdefault(core, (len(atoms), node if factor > 0 else Negative(node)))
    return {((atom, 1),): _sized(factor / key(chosen)[0])}


def _sized(value: Fraction) -> Coefficient:
    return value, abs(float(value))


def _is_whole(exponent: float | None) -> bool:
    return exponent is not None and 0 <= exponent <= _MOST_DEGREE and exponent.is_integer()


def _plus(first: Terms, second: Terms, sign: int) -> Terms:
    result = dict(first)
    for monomial, (value, size) in second.items():
        before = result.get(monomial, _NOTHING)
        result[monomial] = before[0] + sign * value, before[1] + size
    return _checked(result)


def _times(first: Terms, second: Terms) -> Terms:
    result: dict[Monomial, Coefficient] = {}
    for one, (coefficient, size) in first.items():
        for other, (factor, more) in second.items():
            exponents = dict(one)
            for atom, exponent in other:
                exponents[atom] = exponents.get(atom, 0) + exponent
            monomial = tuple(sorted(exponents.items()))
            before = result.get(monomial, _NOTHING)
            result[monomial] = before[0] + coefficient * factor, before[1] + size * more
    return _checked(result)


def _checked(found: Terms) -> Terms:
    found = {monomial: coefficient for monomial, coefficient in found.items() if coefficient[0]}
    degree = max((sum(exponent for _, exponent in monomial) for monomial in found), default=0)
    if len(found) > _MOST_MONOMIALS or degree > _MOST_DEGREE:
        raise _TooLongError
    return found
