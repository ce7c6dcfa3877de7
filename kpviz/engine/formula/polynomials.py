"""A formula multiplied out: sums of products of parts that are no sums, products or powers themselves."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from kpviz.engine.formula.nodes import Binary, Negative, Node
from kpviz.engine.formula.structure import Core, key

_MOST_MONOMIALS = 200
_MOST_DEGREE = 64

Monomial = tuple[tuple[int, int], ...]  # the numbers of the atoms and their exponents, in order
Terms = Mapping[Monomial, Fraction]
Atoms = dict[Core, tuple[int, Node]]


class Polynomial(NamedTuple):
    """The coefficients, none of them 0, of a polynomial in the `atoms` that occur in it."""

    coefficients: list[Fraction]
    atoms: list[Node]


def polynomial(node: Node) -> Polynomial | None:
    """Return a formula multiplied out exactly, or None where it would be long.

    >>> from kpviz.engine.formula.parser import parse
    >>> found = polynomial(parse("(dot(u, v) - 1)**2 + 2*dot(u, v)"))
    >>> [str(coefficient) for coefficient in found.coefficients], [str(atom) for atom in found.atoms]
    (['1', '1'], ['dot(u, v)'])
    """
    atoms: Atoms = {}
    try:
        found = _expanded(node, atoms)
    except (_TooLongError, OverflowError, ValueError):  # nor where a coefficient is no number
        return None
    left = {atom for monomial in found for atom, _ in monomial}
    return Polynomial(list(found.values()), [node for atom, node in atoms.values() if atom in left])


class _TooLongError(Exception):
    """Multiplied out it has too many monomials, or too high ones."""


def _expanded(node: Node, atoms: Atoms) -> Terms:
    if node.constant is not None:
        return {(): Fraction(node.constant)} if node.constant else {}
    if isinstance(node, Negative):
        return {monomial: -coefficient for monomial, coefficient in _expanded(node.of, atoms).items()}
    if isinstance(node, Binary) and node.sign in "+-":
        return _plus(_expanded(node.left, atoms), _expanded(node.right, atoms), 1 if node.sign == "+" else -1)
    if isinstance(node, Binary) and node.sign == "*":
        return _times(_expanded(node.left, atoms), _expanded(node.right, atoms))
    if isinstance(node, Binary) and node.sign == "/" and node.right.constant:
        return _times(_expanded(node.left, atoms), {(): 1 / Fraction(node.right.constant)})
    if isinstance(node, Binary) and node.sign == "**" and _is_whole(node.right.constant):
        base = _expanded(node.left, atoms)
        result: Terms = {(): Fraction(1)}
        for _ in range(int(node.right.constant or 0)):
            result = _times(result, base)
        return result
    factor, core = key(node)
    if factor == 0.0:
        return {}
    atom, chosen = atoms.setdefault(core, (len(atoms), node if factor > 0 else Negative(node)))
    return {((atom, 1),): Fraction(factor) / Fraction(key(chosen)[0])}


def _is_whole(exponent: float | None) -> bool:
    return exponent is not None and 0 <= exponent <= _MOST_DEGREE and exponent.is_integer()


def _plus(first: Terms, second: Terms, sign: int) -> Terms:
    result = dict(first)
    for monomial, coefficient in second.items():
        result[monomial] = result.get(monomial, Fraction(0)) + sign * coefficient
    return _checked({monomial: coefficient for monomial, coefficient in result.items() if coefficient})


def _times(first: Terms, second: Terms) -> Terms:
    result: dict[Monomial, Fraction] = {}
    for one, coefficient in first.items():
        for other, factor in second.items():
            exponents = dict(one)
            for atom, exponent in other:
                exponents[atom] = exponents.get(atom, 0) + exponent
            monomial = tuple(sorted(exponents.items()))
            result[monomial] = result.get(monomial, Fraction(0)) + coefficient * factor
    return _checked({monomial: coefficient for monomial, coefficient in result.items() if coefficient})


def _checked(found: Terms) -> Terms:
    degree = max((sum(exponent for _, exponent in monomial) for monomial in found), default=0)
    if len(found) > _MOST_MONOMIALS or degree > _MOST_DEGREE:
        raise _TooLongError
    return found
