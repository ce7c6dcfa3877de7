"""Parts of formulas that proofs ask about: f(u)·f(v), differences f(u) - f(v), and distances made of them."""

from __future__ import annotations

from fractions import Fraction

from kpviz.engine.kernels.formula.derivation import GAUSSIAN, LAPLACIAN, SCHOENBERG, Rule
from kpviz.engine.kernels.formula.nodes import Binary, Call, Negative, Node, Number
from kpviz.engine.kernels.formula.structure import Term, factors, key, product, sum_key, swapped, terms

_U, _V, _BOTH = frozenset("u"), frozenset("v"), frozenset("uv")


def is_pair(node: Node) -> bool:
    """Return whether algebra shows that it is f(u)·f(v), or a vector of such.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> is_pair(parse("2*u[1]*v[1]/sqrt(norm(u)*norm(v))")), is_pair(parse("-u[1]*v[1]"))
    (True, False)
    """
    if isinstance(node, Call) and node.name in ("sqrt", "abs"):
        return is_pair(node.arguments[0])
    if isinstance(node, Binary) and node.sign == "**":
        return is_pair(node.left)
    if isinstance(node, Call) and node.name == "exp":
        return separates(terms(node.arguments[0]))
    factor, parts = factors(node)
    if parts == [(node, 1)] and node.sides == _BOTH:
        return False
    if any(part.sides == _BOTH and not is_pair(part) for part, _ in parts):
        return False
    return mirrored(factor, [pair for pair in parts if pair[0].sides != _BOTH])


def mirrored(factor: Fraction, parts: list[tuple[Node, int]]) -> bool:
    """Return whether factor times parts of one side each is f(u)·f(v) with a positive multiple."""
    of_u, core_u = key(swapped(product([pair for pair in parts if pair[0].sides == _U])))
    of_v, core_v = key(product([pair for pair in parts if pair[0].sides == _V]))
    return factor * of_u * of_v >= 0 and core_u == core_v


def separates(found: list[Term]) -> bool:
    """Return whether a sum is a(u) + a(v) and constants.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> separates(terms(parse("norm(u)**2 + norm(v)**2 - 3")))
    True
    """
    of_u = [term._replace(node=swapped(term.node)) for term in found if term.node.sides == _U]
    of_v = [term for term in found if term.node.sides == _V]
    rest = [term for term in found if term.node.sides == _BOTH]
    return not rest and sum_key(of_u) == sum_key(of_v)


def added(nodes: list[Node]) -> Node:
    """Return the sum of nodes; 0 if there are none."""
    total: Node = nodes[0] if nodes else Number(0.0)
    for node in nodes[1:]:
        total = Binary("-", total, node.of) if isinstance(node, Negative) else Binary("+", total, node)
    return total


def is_difference(node: Node) -> bool:
    """Return whether it is f(u) - f(v), number or vector.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> is_difference(parse("2*u[1] - v[1]*2")), is_difference(parse("u[1] - 2*v[1]"))
    (True, False)
    """
    factor, core = key(node)
    other, swapped_core = key(swapped(node))
    return core == swapped_core and factor == -other and not any(term.node.sides == _BOTH for term in terms(node))


def distance(node: Node) -> Rule | None:
    """Return the rule by which exp(-a * node) is a kernel for every a ≥ 0, None where none is known.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> distance(parse("norm(u - v)**2")).name, distance(parse("norm(u - v)**3"))
    ('Gaussian', None)
    """
    base, exponent = powered(node)
    if isinstance(base, Call) and base.name == "sum":
        return _sum_of_distances(base, exponent)
    if isinstance(base, Call) and base.name in ("norm", "norm1", "abs"):
        if not is_difference(base.arguments[0]):
            return None
        most = 1 if base.name == "norm1" else 2
        if not 0.0 < exponent <= most:
            return None
        if base.name == "norm1" and exponent == 1.0:
            return LAPLACIAN
        return GAUSSIAN if exponent == 2.0 else _schoenberg(exponent / most)
    if exponent == 2.0 and is_difference(base):
        return GAUSSIAN
    return None


def _sum_of_distances(node: Call, exponent: Fraction) -> Rule | None:
    base, inner = powered(node.arguments[0])
    if isinstance(base, Call) and base.name == "abs":
        base, limit = base.arguments[0], 0.0 < inner <= 2.0
    else:
        limit = inner == 2.0
    if not limit or not is_difference(base) or not 0.0 < exponent <= 1.0:
        return None
    if exponent == 1.0 and inner in (1.0, 2.0):
        return GAUSSIAN if inner == 2.0 else LAPLACIAN
    return _schoenberg(exponent * inner / 2)


def _schoenberg(share: Fraction) -> Rule:
    """The rule for D^share of a squared distance or a distance by components D."""
    if share < 1.0:
        return SCHOENBERG.with_proof(f"{SCHOENBERG.proof[:-1]}; powers D^p with 0 < p ≤ 1 of such D are such, too.")
    return SCHOENBERG


def powered(node: Node) -> tuple[Node, Fraction]:
    """Return base and exponent, roots being exponents of 1/2.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> base, exponent = powered(parse("sqrt(norm(u)**3)"))
    >>> str(base), float(exponent)
    ('norm(u)', 1.5)
    """
    if isinstance(node, Call) and node.name == "sqrt":
        base, exponent = powered(node.arguments[0])
        return (base, exponent / 2) if _is_positive(base) else (node.arguments[0], Fraction(1, 2))
    if isinstance(node, Binary) and node.sign == "**":
        base, exponent = powered(node.left)
        outer = node.right.exact or Fraction(0)
        return (base, exponent * outer) if _is_positive(base) else (node.left, outer)
    return node, Fraction(1)


def _is_positive(node: Node) -> bool:
    """Return whether it is never negative, so that its powers multiply their exponents."""
    return isinstance(node, Call) and node.name in ("norm", "norm1", "abs", "exp")
