"""Which formulas are kernels, by the rules that make kernels of kernels.

A rule is a function of the prover and a formula that returns a derivation, or None where it does not apply. What no
rule proves may be a kernel all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from kpviz.engine.kernels.formula import derivation as rules
from kpviz.engine.kernels.formula.algebra import added, distance, is_difference, is_pair, mirrored, powered, separates
from kpviz.engine.kernels.formula.derivation import Derivation
from kpviz.engine.kernels.formula.named import kernel_of
from kpviz.engine.kernels.formula.nodes import ONE, Binary, Call, Negative, Node, number, scaled
from kpviz.engine.kernels.formula.polynomials import is_unsure, polynomial
from kpviz.engine.kernels.formula.structure import Term, factors, key, product, swapped, terms
from kpviz.engine.kernels.formula.words import NAMED

_U, _V, _BOTH = frozenset("u"), frozenset("v"), frozenset("uv")


def derive(node: Node) -> Derivation | None:
    """Return why a formula is a kernel, or None where no rule says so.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> print(derive(parse("exp(-norm(u - v)**2) + 0.1*dot(u, v)")).rule)
    sum
    >>> derive(parse("tanh(dot(u, v))")) is None
    True
    """
    return Prover().prove(node)


def why_not(node: Node) -> str:
    """Return the sentence that names the first part that no rule makes a kernel, "" where all is proven.

    >>> from kpviz.engine.kernels.formula.parser import parse
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
            self._known[node] = None  # what would need itself is not proven
            self._known[node] = next((found for rule in RULES if (found := rule(self, node))), None)
        return self._known[node]

    def all(self, nodes: list[Node]) -> list[Derivation] | None:
        """Return the derivations of all, or None if one has none."""
        found = [self.prove(node) for node in nodes]
        return None if None in found else [one for one in found if one]

    def culprit(self, node: Node) -> Node:
        """Return the first part of an unproven formula that is to blame: a whole whose parts are all proven, too."""
        for part in _needed(node):
            if not self.prove(part):
                return self.culprit(part)
        return node


def _needed(node: Node) -> list[Node]:
    """Return the parts that would have to be kernels."""
    found = terms(node)
    if len(found) > 1:
        return [*(term.whole for term in found if term.node is not ONE), number(_constant(found))]
    if isinstance(node, Call) and node.name in ("exp", "normalized"):
        return list(node.arguments)
    if isinstance(node, Binary) and node.sign == "**":
        return [node.left] if _whole(node.right.constant) else []
    factor, parts = factors(node)
    if factor < 0 or parts == [(node, 1)]:
        return []
    return [part for part, exponent in parts if part.sides == _BOTH and exponent > 0]


# ---- rules for formulas that are not made of kernels ----


def _by_constant(_: Prover, node: Node) -> Derivation | None:
    return rules.CONSTANT.of(node) if node.exact is not None and node.exact >= 0 else None


def _by_name(_: Prover, node: Node) -> Derivation | None:
    if not (isinstance(node, Call) and node.name in NAMED) or kernel_of(node).psd != "yes":
        return None
    return rules.Rule(*NAMED[node.name].proof).of(node)


def _by_inner_product(_: Prover, node: Node) -> Derivation | None:
    if not isinstance(node, Call) or node.name not in ("dot", "sum", "equal"):
        return None
    if node.name == "sum":
        return rules.INNER_OF_FEATURES.of(node) if is_pair(node.arguments[0]) else None
    first, second = node.arguments
    if {first.sides, second.sides} != {_U, _V}:
        return None
    (of_u, core_u), (of_v, core_v) = key(swapped(first)), key(second)
    if node.name == "equal":
        return rules.EQUAL.of(node) if (of_u, core_u) == (of_v, core_v) else None
    if core_u != core_v or of_u * of_v < 0:
        return None
    plain = str(node) in ("dot(u, v)", "dot(v, u)")
    return (rules.INNER if plain else rules.INNER_OF_FEATURES).of(node)


def _by_one_feature(_: Prover, node: Node) -> Derivation | None:
    return rules.ONE_FEATURE.of(node) if is_pair(node) else None


def _by_cosine(_: Prover, node: Node) -> Derivation | None:
    if isinstance(node, Call) and node.name == "cos" and is_difference(node.arguments[0]):
        return rules.COSINE.of(node)
    return None


def _by_mixture(_: Prover, node: Node) -> Derivation | None:
    """(c + D)^(-p), or 1 / (c + D)^p."""
    if isinstance(node, Binary) and node.sign == "/" and (node.left.exact or 0) > 0:
        base, exponent = powered(node.right)
    else:
        base, exponent = powered(node)
        exponent = -exponent
    return rules.MIXTURE.of(node) if exponent > 0 and _is_raised_distance(base) else None


def _is_raised_distance(node: Node) -> bool:
    """Return whether it is c + D with c > 0 and D a sum of distances."""
    found = terms(node)
    rest = [term for term in found if term.node is not ONE]
    return _constant(found) > 0 and bool(rest) and all(term.factor >= 0 and distance(term.node) for term in rest)


# ---- rules that make kernels of kernels ----


def _by_sum(prover: Prover, node: Node) -> Derivation | None:
    found = terms(node)
    if len(found) < 2 or _constant(found) < 0:
        return None
    parts = prover.all(_collected(found))
    if not parts:
        return None
    return (rules.SUM if len(parts) > 1 else rules.COLLECTED).of(node, *parts)


def _collected(found: list[Term]) -> list[Node]:
    """Return the summands, those that are multiples of one another as one, without what cancels."""
    same: dict[object, list[Term]] = {}
    for term in found:
        if term.node is not ONE and key(term.node)[0]:
            same.setdefault(key(term.node)[1], []).append(term)
    parts: list[Node] = []
    for same_kernel in same.values():
        first = same_kernel[0]
        shares = [term.factor * key(term.node)[0] / key(first.node)[0] for term in same_kernel]
        factor = sum(shares, start=Fraction(0))
        if is_unsure(factor, float(sum(map(abs, shares)))):
            parts += [term.whole for term in same_kernel]
        elif factor:
            parts.append(first.whole if len(same_kernel) == 1 else scaled(factor, first.node))
    constant = _constant(found)
    return [*parts, number(constant)] if constant or not parts else parts


def _by_product(prover: Prover, node: Node) -> Derivation | None:
    factor, found = factors(node)
    if factor < 0 or found in ([], [(node, 1)]):
        return None
    sided = [pair for pair in found if pair[0].sides != _BOTH]
    both = [pair for pair in found if pair[0].sides == _BOTH]
    if not mirrored(Fraction(1), sided):
        return None
    kernels = prover.all([part if exponent > 0 else Binary("/", ONE, part) for part, exponent in both])
    if kernels is None:
        return None
    if sided:
        kernels.append(rules.ONE_FEATURE.of(product(sided)))
    if len(kernels) > 1:
        rescaled = len(kernels) == 2 and any(part.rule == rules.ONE_FEATURE.name for part in kernels)
        made = (rules.RESCALED if rescaled else rules.PRODUCT).of(node if factor == 1 else product(found), *kernels)
    else:
        made = kernels[0]
    return made if factor == 1 else rules.MULTIPLE.of(node, made)


def _by_power(prover: Prover, node: Node) -> Derivation | None:
    if not (isinstance(node, Binary) and node.sign == "**" and _whole(node.right.constant)):
        return None
    if node.right.constant == 0.0:
        return rules.CONSTANT.of(node)
    base = prover.prove(node.left)
    return rules.POWER.of(node, base) if base else None


def _by_exponential(prover: Prover, node: Node) -> Derivation | None:
    if not (isinstance(node, Call) and node.name == "exp"):
        return None
    if inner := prover.prove(node.arguments[0]):
        return rules.EXPONENTIAL.of(node, inner)
    found = [term for term in terms(node.arguments[0]) if term.node.sides or term.factor]
    mixed = [term for term in found if term.node.sides == _BOTH]
    sided = [term for term in found if term.node.sides != _BOTH]
    if not mixed or not separates(sided):
        return None
    parts: list[Derivation] = []
    for term in mixed:
        part = Call("exp", (term.whole,)) if len(found) > 1 else node
        kernel = prover.prove(term.whole)
        rule = distance(term.node) if term.factor < 0 else None
        if not kernel and not rule:
            return None
        parts.append(rules.EXPONENTIAL.of(part, kernel) if kernel else rule.of(part))  # type: ignore[union-attr]
    if sided:
        rest = Call("exp", (added([term.whole for term in sided]),))
        parts.append((rules.ONE_FEATURE if rest.sides else rules.CONSTANT).of(rest))
    return parts[0] if len(parts) == 1 else rules.PRODUCT.of(node, *parts)


def _by_normalizing(prover: Prover, node: Node) -> Derivation | None:
    if not (isinstance(node, Call) and node.name == "normalized"):
        return None
    inner = prover.prove(node.arguments[0])
    return rules.NORMALIZED.of(node, inner) if inner else None


def _by_polynomial(prover: Prover, node: Node) -> Derivation | None:
    """Multiply out, and look at the coefficients."""
    if not isinstance(node, Binary | Negative):
        return None
    found = polynomial(node)
    if found is None or not found.atoms or any(coefficient < 0 for coefficient in found.coefficients):
        return None
    if node in found.atoms:
        return None
    parts = prover.all(found.atoms)
    return rules.POLYNOMIAL.of(node, *parts) if parts else None


def _constant(found: list[Term]) -> Fraction:
    return sum((term.factor for term in found if term.node is ONE), start=Fraction(0))


def _whole(exponent: float | None) -> bool:
    return exponent is not None and exponent >= 0 and exponent.is_integer()


RULES: tuple[Callable[[Prover, Node], Derivation | None], ...] = (
    _by_constant,
    _by_name,
    _by_inner_product,
    _by_one_feature,
    _by_cosine,
    _by_sum,
    _by_mixture,
    _by_product,
    _by_power,
    _by_exponential,
    _by_normalizing,
    _by_polynomial,
)
