"""Which formulas are kernels, by the rules that make kernels of kernels, and the algebra that the
rules ask about.

A rule is a function of the prover and a formula that returns a derivation, or None where it does
not apply; `RULES` is the table of them. What no rule proves may be a kernel all the same.

Legend: a formula multiplied out is a sum, coefficients of monomials; a monomial holds atoms with
their exponents. An atom is what is itself no sum, product or whole power. Coefficients are exact:
what a float would round to 0 may still decide whether a formula is a kernel.

Tests: tests/engine/test_formula_proof.py.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from weakref import WeakValueDictionary

import numpy as np

from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.expression.nodes import (
    EVEN,
    NORMALIZED,
    ONE,
    SYMMETRIC,
    VECTORS,
    KernelNode,
    Node,
    Term,
    factors,
    number,
    product,
    raised,
    scaled,
    swapped,
    terms,
)
from kpviz.engine.kernels.expression.rounding_errors import bounded
from kpviz.engine.kernels.vectors import Gaussian, Laplacian, Linear, Monomial

_MOST_MONOMIALS = 200
_MOST_PRODUCTS = 2500  # So many pairs of monomials may be multiplied for one product or power.
# Coefficients of powers of powers of decimals can have some hundred thousand bits.
_MOST_BITS = 4000
# Homogeneous functions: a factor of an argument is one of the value, as norm(2*u) is 2*norm(u).
_HOMOGENEOUS = {"dot", "sum", "norm", "norm1", "abs"}
_POINT = np.zeros((1, 1))  # A constant is computed at this example: it is the same at all.
_U = frozenset("u")
_V = frozenset("v")
_BOTH = frozenset("uv")


# ---- algebra ----


@dataclass(frozen=True, eq=False)
class Atom:
    """What is not taken apart; `node` is one way of writing it, `key` is the same for all.

    There is one atom of a key, made by `_atom_of`: keys hold atoms, which hold keys, and to compare
    two that are nested thirty deep would take for ever.
    """

    key: Hashable
    node: Node


_atoms: WeakValueDictionary[Hashable, Atom] = WeakValueDictionary()
_lock = threading.Lock()


def _atom_of(key: Hashable, node: Node) -> Atom:
    with _lock:
        return _atoms.setdefault(key, Atom(key, node))


Product = frozenset[tuple[Atom, Fraction]]
Expansion = Mapping[Product, Fraction]
_UNIT: Product = frozenset()


@lru_cache(maxsize=4096)
def expanded(node: Node) -> Expansion:
    """Return the coefficients, none of them 0, of a formula multiplied out as far as it stays
    short.

    Formulas with the same expansion are the same function, wherever both have values.
    """
    if node.exact is not None:
        return {_UNIT: node.exact} if node.exact else {}
    expansion: Expansion | None = None
    match node:
        case Node("-", (part,)):
            return {monomial: -factor for monomial, factor in expanded(part).items()}
        case Node("+" | "-" as sign, (left, right)):
            expansion = _added(expanded(left), expanded(right), 1 if sign == "+" else -1)
        case Node("*", (left, right)):
            expansion = _multiplied(expanded(left), expanded(right))
        case Node("/", (left, right)):
            expansion = _multiplied(expanded(left), _power(right, Fraction(-1)))
        case Node("**", (base, exponent)) if exponent.exact is not None:
            expansion = _power(base, exponent.exact)
        case Node("sqrt", (base,)):
            expansion = _power(base, Fraction(1, 2))
    if expansion is not None and len(expansion) <= _MOST_MONOMIALS:
        return expansion
    return _without_factors(node) or _atom(_own_key(node), node)


def _own_key(node: Node) -> Hashable:
    """Return the key of an atom, the same for formulas that differ only in how it is written."""
    if node.name in EVEN:  # The opposite of its argument has the other signs.
        monomials = expanded(node.parts[0]).items()
        positive = frozenset((monomial, factor) for monomial, factor in monomials if factor > 0)
        negative = frozenset((monomial, -factor) for monomial, factor in monomials if factor < 0)
        return node.name, frozenset([positive, negative])
    keys = [_key(part) for part in node.parts]
    has_order = node.name not in SYMMETRIC and node.name not in ("+", "*")
    return node.name, node.value, tuple(keys) if has_order else frozenset(keys)


def _without_factors(node: Node) -> Expansion | None:
    """Return a homogeneous function of multiples, as norm(2*u), as a multiple of one without
    factors; None where it is another formula.
    """
    expansions = [dict(expanded(part)) for part in node.parts]
    if node.name not in _HOMOGENEOUS or any(len(expansion) != 1 for expansion in expansions):
        return None
    factor = math.prod(
        (factor for expansion in expansions for factor in expansion.values()), start=Fraction(1)
    )
    part = Node(node.name, tuple(_written(only) for expansion in expansions for only in expansion))
    if factor == 1 or [argument.kind for argument in part.parts] != [
        argument.kind for argument in node.parts
    ]:
        return None
    size = abs(factor) if node.name in EVEN else factor
    return dict.fromkeys(_atom(_own_key(part), part), size)


def _written(monomial: Product) -> Node:
    """Return a product as a formula."""
    powers = [
        atom.node if exponent == 1 else Node("**", (atom.node, number(exponent)))
        for atom, exponent in monomial
    ]
    return product([(power, 1) for power in sorted(powers, key=str)])


def _key(node: Node) -> Hashable:
    """Return what all formulas have in common that are the same once multiplied out."""
    return frozenset(expanded(node).items())


def _atom(key: Hashable, node: Node, exponent: Fraction = Fraction(1)) -> Expansion:
    return {frozenset([(_atom_of(key, node), exponent)]): Fraction(1)}


def _added(first: Expansion, second: Expansion, sign: int) -> Expansion:
    total = dict(first)
    for monomial, factor in second.items():
        total[monomial] = total.get(monomial, Fraction(0)) + sign * factor
    return {monomial: factor for monomial, factor in total.items() if factor}


def _multiplied(first: Expansion, second: Expansion) -> Expansion | None:
    """Return a product multiplied out, None where that is long, or a coefficient is."""
    if len(first) * len(second) > _MOST_PRODUCTS:
        return None
    total: dict[Product, Fraction] = {}
    for one, factor in first.items():
        for other, more in second.items():
            exponents = dict(one)
            for atom, exponent in other:
                exponents[atom] = exponents.get(atom, Fraction(0)) + exponent
            monomial = frozenset(
                (atom, exponent) for atom, exponent in exponents.items() if exponent
            )
            coefficient = total.get(monomial, Fraction(0)) + factor * more
            if (
                coefficient.numerator.bit_length() + coefficient.denominator.bit_length()
                > _MOST_BITS
            ):
                return None
            total[monomial] = coefficient
    return {monomial: factor for monomial, factor in total.items() if factor}


def _power(base: Node, exponent: Fraction) -> Expansion:
    of_base = expanded(base)
    whole = exponent.denominator == 1
    if exponent == 0:
        return {_UNIT: Fraction(1)}
    if len(of_base) == 1 and whole:
        ((monomial, factor),) = of_base.items()
        coefficient = raised(factor, exponent)
        if coefficient is not None:
            return {frozenset((atom, power * exponent) for atom, power in monomial): coefficient}
    if whole and exponent > 0:
        expansion: Expansion | None = {_UNIT: Fraction(1)}
        products = 0
        for _ in range(int(exponent)):
            products += 0 if expansion is None else len(expansion) * len(of_base)
            expansion = (
                None
                if expansion is None or products > _MOST_PRODUCTS
                else _multiplied(expansion, of_base)
            )
        if expansion is not None and len(expansion) <= _MOST_MONOMIALS:
            return expansion
    if whole:
        return _atom(("**", _key(base), Fraction(1)), base, exponent)
    return _atom(("**", _key(base), exponent), Node("**", (base, number(exponent))))


def is_symmetric(node: Node) -> bool:
    """Return whether algebra alone says k(u, v) = k(v, u); False means unknown.

    >>> from kpviz.engine.kernels.formula import parse
    >>> is_symmetric(parse("norm(2*u - 2*v)")), is_symmetric(parse("norm(2*u - v)"))
    (True, False)
    """
    return expanded(node) == expanded(swapped(node))


def _is_mixed(node: Node) -> bool:
    """Return whether some product of its sum is made of both u and v."""
    return any(
        len(frozenset().union(*(atom.node.sides for atom, _ in monomial))) > 1
        for monomial in expanded(node)
    )


def _separates(node: Node) -> bool:
    """Return whether it is a(u) + a(v)."""
    return is_symmetric(node) and not _is_mixed(node)


def _is_difference(node: Node) -> bool:
    """Return whether it is f(u) - f(v), number or vector."""
    opposite = {monomial: -factor for monomial, factor in expanded(swapped(node)).items()}
    return expanded(node) == opposite and not _is_mixed(node)


def _ratio(node: Node, other: Node) -> Fraction | None:
    """Return the number that makes one formula of the other, None where there is none or both are
    0.
    """
    first = expanded(node)
    second = expanded(other)
    ratios = (
        {first[monomial] / second[monomial] for monomial in first}
        if first.keys() == second.keys()
        else set()
    )
    return ratios.pop() if len(ratios) == 1 else None


def _is_pair(node: Node) -> bool:
    """Return whether algebra shows that it is f(u)·f(v), or a vector of such."""
    if node.name in ("sqrt", "abs", "**"):
        return _is_pair(node.parts[0])
    if node.name == "exp":
        return _separates(node.parts[0])
    factor, parts = factors(node)
    if any(part.sides == _BOTH and (part is node or not _is_pair(part)) for part, _ in parts):
        return False
    constants = all(_is_positive_constant(part) for part, _ in parts if not part.sides)
    return factor >= 0 and constants and _are_mirrored(parts)


def _are_mirrored(parts: list[tuple[Node, int]]) -> bool:
    """Return whether those of the factors that are of one side each are f(u)·f(v)."""
    of_u, of_v = (product([pair for pair in parts if pair[0].sides == side]) for side in (_U, _V))
    return (_ratio(swapped(of_u), of_v) or 0) > 0


def _is_positive_constant(node: Node) -> bool:
    """Return whether its sign is beyond rounding."""
    if node.sides or node.exact is not None:
        return not node.sides and (node.exact or 0) > 0
    constant = bounded(node, _POINT, _POINT)
    return bool((constant.value > constant.error).all())


def _powered(node: Node) -> tuple[Node, Fraction]:
    """Return base and exponent, roots being exponents of 1/2."""
    if node.name not in ("sqrt", "**"):
        return node, Fraction(1)
    outer = Fraction(1, 2) if node.name == "sqrt" else node.parts[1].exact
    if outer is None:
        return node, Fraction(1)
    base, exponent = _powered(node.parts[0])
    never_negative = base.name in ("norm", "norm1", "abs", "exp")
    return (base, exponent * outer) if never_negative else (node.parts[0], outer)


def _rule_of_distance(node: Node) -> str:
    """Return the rule by which exp(-a * node) is a kernel for every a ≥ 0, "" where
    none is known.
    """
    _, parts = factors(node)
    if not all(part.sides or _is_positive_constant(part) for part, _ in parts):
        return ""
    base, exponent = _powered(product([pair for pair in parts if pair[0].sides]))
    schoenberg = "exponential of a negative distance"
    if base.name == "sum":
        # A sum over the components of |a|^inner, where without the bars only a² is a distance.
        base, inner = _powered(base.parts[0])
        base, least = (base.parts[0], Fraction(0)) if base.name == "abs" else (base, Fraction(2))
        if not (least <= inner <= 2 and inner > 0 and 0 < exponent <= 1 and _is_difference(base)):
            return ""
        if exponent == 1 and inner in (1, 2):
            return "Laplacian" if inner == 1 else "Gaussian"
        return schoenberg
    if base.name in ("norm", "norm1", "abs"):
        most = 1 if base.name == "norm1" else 2
        if not (0 < exponent <= most and _is_difference(base.parts[0])):
            return ""
        return (
            "Laplacian"
            if base.name == "norm1" and exponent == 1
            else "Gaussian"
            if exponent == 2
            else schoenberg
        )
    return "Gaussian" if exponent == 2 and _is_difference(base) else ""


# ---- derivations ----

PROOFS: dict[str, str] = {
    **dict([Linear.proof, Monomial.proof, Gaussian.proof, Laplacian.proof]),
    "inner product of features": "k(u, v) = Σᵢ fᵢ(u)·fᵢ(v): the fᵢ(x) are the features.",
    "equal components": "one feature for each component and value: 1 if x has that value there, "
    "else 0.",
    "constant of at least 0": "one feature, which is √c for every x.",
    "one feature": "k(u, v) = g(u)·g(v): one feature, g(x).",
    "sum": "the feature vectors are joined: cᵀ(K + L)c = cᵀKc + cᵀLc ≥ 0.",
    "collected": "the same function, with terms that are multiples of one another made one.",
    "multiple by a positive number": "features times √a: cᵀ(aK)c = a·cᵀKc ≥ 0.",
    "product": "all products of a feature of each: the entry-wise product of two such Grams is "
    "again one (Schur).",
    "rescaled": "k(u, v)·g(u)·g(v): every feature vector is multiplied by the number g(x).",
    "polynomial": "written out, sums and products of kernels with coefficients of at least 0.",
    "exponential": "exp(k) = 1 + k + k²/2 + k³/6 + …: sums and products, and limits of kernels "
    "are kernels.",
    "exponential of a negative distance": (
        "exp(−aD) is a kernel for all a ≥ 0 if cᵀDc ≤ 0 wherever Σcᵢ = 0 (Schoenberg); powers D^p "
        "with 0 < p ≤ 1 of "
        "such D are such, too."
    ),
    "mixture of exponentials": "(c + D)^(−p) is a positive mixture, an integral over t, of the "
    "kernels exp(−tD).",
    "cosine of a difference": "cos(a − b) = cos a·cos b + sin a·sin b: two features.",
    "normalized": "every feature vector is divided by its length.",
}


@dataclass(frozen=True)
class Derivation:
    """That `formula` is a kernel by `rule`, because of `proof`, given that its `parts`
    are kernels.
    """

    formula: str
    rule: str
    proof: str
    parts: tuple[Derivation, ...] = ()

    def lines(self, depth: int = 0) -> Iterator[tuple[int, Derivation]]:
        """Yield this derivation and those of its parts, each with its depth, parts
        after the whole.
        """
        yield depth, self
        for part in self.parts:
            yield from part.lines(depth + 1)

    def __str__(self) -> str:
        return "\n".join(
            f"{'  ' * depth}{line.formula}: {line.rule}; {line.proof}"
            for depth, line in self.lines()
        )


def derive(node: Node) -> Derivation | None:
    """Return why a formula is a kernel, or None where no rule says so.

    >>> from kpviz.engine.kernels.formula import parse
    >>> print(derive(parse("exp(-norm(u - v)**2) + 0.1*dot(u, v)")).rule)
    sum
    >>> derive(parse("tanh(dot(u, v))")) is None
    True
    """
    return Prover().prove(node)


def why_not(node: Node) -> str:
    """Return the sentence that names the first part that no rule makes a kernel, "" where all is
    proven.

    >>> from kpviz.engine.kernels.formula import parse
    >>> why_not(parse("dot(u, v) - norm(u - v)**2"))
    'No rule says that -norm(u - v)**2 is a kernel: nothing is proven.'
    """
    prover = Prover()
    if prover.prove(node):
        return ""
    return f"No rule says that {prover.culprit(node)} is a kernel: nothing is proven."


class Prover:
    """Proves formulas, each part once."""

    def __init__(self) -> None:
        self._known: dict[Node, Derivation | None] = {}

    def prove(self, node: Node) -> Derivation | None:
        """Return the derivation by the first rule that applies."""
        if node not in self._known:
            self._known[node] = None  # A proof that would need itself is none.
            self._known[node] = next(filter(None, (rule(self, node) for rule in RULES)), None)
        return self._known[node]

    def all(self, nodes: list[Node]) -> list[Derivation] | None:
        """Return the derivations of all, or None if one has none."""
        derivations = [self.prove(node) for node in nodes]
        return None if None in derivations else [one for one in derivations if one]

    def culprit(self, node: Node) -> Node:
        """Return the first part of an unproven formula that is to blame: a whole whose parts are
        all proven, too.
        """
        summands = terms(node)
        factor, parts = factors(node)
        needed: list[Node] = []  # These would have to be kernels.
        if len(summands) > 1:
            needed = [
                *(term.whole for term in summands if term.node is not ONE),
                number(_constant(summands)),
            ]
        elif node.name in ("exp", NORMALIZED) or (node.name == "**" and _is_whole(node.parts[1])):
            needed = [node.parts[0]]
        elif factor >= 0 and parts != [(node, 1)]:
            needed = [part for part, exponent in parts if part.sides == _BOTH and exponent > 0]
        return next((self.culprit(part) for part in needed if not self.prove(part)), node)


def _by(rule: str, node: Node, *parts: Derivation) -> Derivation:
    return Derivation(str(node), rule, PROOFS[rule], parts)


def _by_constant(_: Prover, node: Node) -> Derivation | None:
    zero = not node.sides and not expanded(node)
    return _by("constant of at least 0", node) if zero or _is_positive_constant(node) else None


def _by_name(_: Prover, node: Node) -> Derivation | None:
    if (
        not isinstance(node, KernelNode)
        or not isinstance(node.kernel, Kernel)
        or node.kernel.psd != "yes"
    ):
        return None
    return Derivation(str(node), *node.kernel.proof)


def _by_features(_: Prover, node: Node) -> Derivation | None:
    """One feature, or a sum of a feature for each component."""
    if node.name == "sum" and _is_pair(node.parts[0]):
        return _by("inner product of features", node)
    if node.name in ("dot", "equal") and {part.sides for part in node.parts} == {_U, _V}:
        ratio = _ratio(swapped(node.parts[0]), node.parts[1])
        if node.name == "equal":
            return _by("equal components", node) if ratio == 1 else None
        plain = all(part.name in VECTORS for part in node.parts)
        return (
            _by("inner product" if plain else "inner product of features", node)
            if (ratio or 0) > 0
            else None
        )
    if node.name == "cos" and _is_difference(node.parts[0]):
        return _by("cosine of a difference", node)
    return (
        _by("one feature", node)
        if node.sides and node.kind == "number" and _is_pair(node)
        else None
    )


def _by_sum(prover: Prover, node: Node) -> Derivation | None:
    """Sums, of which those terms that are multiples of one another are made one, and what cancels
    is left out.
    """
    sum_terms = terms(node)
    constant = _constant(sum_terms)
    if len(sum_terms) < 2 or constant < 0:
        return None
    same: dict[Hashable, list[Term]] = {}
    for term in sum_terms:
        if term.node is not ONE and expanded(term.node):
            same.setdefault(_key(term.node), []).append(term)
    summands = []
    for like_terms in same.values():
        factor = sum((term.factor for term in like_terms), start=Fraction(0))
        if factor:
            first = like_terms[0]
            summands.append(first.whole if len(like_terms) == 1 else scaled(factor, first.node))
    parts = prover.all([*summands, *([number(constant)] if constant or not summands else [])])
    return _by("sum" if len(parts) > 1 else "collected", node, *parts) if parts else None


def _constant(summands: list[Term]) -> Fraction:
    return sum((term.factor for term in summands if term.node is ONE), start=Fraction(0))


def _by_mixture(_: Prover, node: Node) -> Derivation | None:
    """(c + D)^(-p) or 1 / (c + D)^p with c > 0 and D a sum of distances."""
    inverse = node.name == "/" and (node.parts[0].exact or 0) > 0
    base, exponent = _powered(node.parts[1] if inverse else node)
    summands = terms(base)
    constant = _constant(summands)
    roots = [term.whole for term in summands if not term.node.sides and term.node is not ONE]
    others = [term for term in summands if term.node.sides]
    distances = all(term.factor >= 0 and _rule_of_distance(term.node) for term in others)
    positive = (
        constant >= 0 and (constant > 0 or bool(roots)) and all(map(_is_positive_constant, roots))
    )
    if not ((exponent > 0 if inverse else exponent < 0) and positive and others and distances):
        return None
    return _by("mixture of exponentials", node)


def _by_product(prover: Prover, node: Node) -> Derivation | None:
    factor, powers = factors(node)
    constants = [part for part, _ in powers if not part.sides]
    if factor < 0 or powers in ([], [(node, 1)]) or not all(map(_is_positive_constant, constants)):
        return None
    powers = [pair for pair in powers if pair[0].sides]
    sided = [pair for pair in powers if pair[0].sides != _BOTH]
    both = [pair for pair in powers if pair[0].sides == _BOTH]
    kernels = prover.all(
        [part if exponent > 0 else Node("/", (ONE, part)) for part, exponent in both]
    )
    if not powers or kernels is None or not _are_mirrored(sided):
        return None
    if sided:
        kernels.append(_by("one feature", product(sided)))
    made = kernels[0]
    plain = factor == 1 and not constants
    if len(kernels) > 1:
        rescaled = len(kernels) == 2 and any(kernel.rule == "one feature" for kernel in kernels)
        made = _by(
            "rescaled" if rescaled else "product", node if plain else product(powers), *kernels
        )
    return made if plain else _by("multiple by a positive number", node, made)


def _is_whole(exponent: Node) -> bool:
    return exponent.exact is not None and exponent.exact >= 0 and exponent.exact.denominator == 1


def _by_power(prover: Prover, node: Node) -> Derivation | None:
    if node.name != "**" or not _is_whole(node.parts[1]):
        return None
    if node.parts[1].exact == 0:
        return _by("constant of at least 0", node)
    base = prover.prove(node.parts[0])
    return _by(Monomial.proof[0], node, base) if base else None


def _by_exponential(prover: Prover, node: Node) -> Derivation | None:
    """The exponential of a kernel, of a negative distance, of a(u) + a(v), and of sums of such."""
    if node.name != "exp":
        return None
    inner = prover.prove(node.parts[0])
    if inner:
        return _by("exponential", node, inner)
    summands = [term for term in terms(node.parts[0]) if term.factor]
    mixed = [term for term in summands if term.node.sides == _BOTH]
    sided = [term.whole for term in summands if term.node.sides != _BOTH]
    remainder = number(0)
    for summand in sided:
        remainder = summand if summand is sided[0] else Node("+", (remainder, summand))
    if not mixed or not _separates(remainder):
        return None
    parts: list[Derivation] = []
    for term in mixed:
        part = Node("exp", (term.whole,)) if len(summands) > 1 else node
        kernel = prover.prove(term.whole)
        rule = _rule_of_distance(term.node) if term.factor < 0 else ""
        if not kernel and not rule:
            return None
        parts.append(_by("exponential", part, kernel) if kernel else _by(rule, part))
    if sided:
        rule = "one feature" if remainder.sides else "constant of at least 0"
        parts.append(_by(rule, Node("exp", (remainder,))))
    return parts[0] if len(parts) == 1 else _by("product", node, *parts)


def _by_normalizing(prover: Prover, node: Node) -> Derivation | None:
    inner = prover.prove(node.parts[0]) if node.name == NORMALIZED else None
    return _by("normalized", node, inner) if inner else None


def _by_polynomial(prover: Prover, node: Node) -> Derivation | None:
    """Multiply out, and look at the coefficients."""
    if node.name not in ("+", "-", "*", "/", "**"):
        return None
    expansion = expanded(node)
    atoms = {atom: exponent for monomial in expansion for atom, exponent in monomial}
    whole = all(
        exponent > 0 and exponent.denominator == 1
        for monomial in expansion
        for _, exponent in monomial
    )
    if not atoms or not whole or any(factor < 0 for factor in expansion.values()):
        return None
    if any(atom.node == node for atom in atoms):
        return None
    parts = prover.all([atom.node for atom in atoms])
    return _by("polynomial", node, *parts) if parts else None


RULES: tuple[Callable[[Prover, Node], Derivation | None], ...] = (
    _by_constant,
    _by_name,
    _by_features,
    _by_sum,
    _by_mixture,
    _by_product,
    _by_power,
    _by_exponential,
    _by_normalizing,
    _by_polynomial,
)
