"""The kernel that is a formula."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import ClassVar

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Axes, Kernel
from kpviz.engine.kernels.form import Form
from kpviz.engine.kernels.formula import evaluate, python, rounding, structure
from kpviz.engine.kernels.formula.derivation import Derivation
from kpviz.engine.kernels.formula.errors import FormulaError
from kpviz.engine.kernels.formula.latex import latex
from kpviz.engine.kernels.formula.nodes import Binary, Node, scaled
from kpviz.engine.kernels.formula.report import Report, tested
from kpviz.engine.kernels.formula.scanner import shortened
from kpviz.engine.kernels.formula.split import on_axes

EXAMPLE = "exp(-norm(u - v)**2/2) + 0.1*dot(u, v)"
_LABEL = 30  # characters
_MOST_TERMS = 6  # of a formula that is multiplied out


class _Written(Kernel):
    """A function of u and v that is written as a tree."""

    tree: Node
    formula: ClassVar[str] = "k(u, v)"

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return evaluate.matrix(self.tree, X, Z)

    def on_axes(self, X: FloatArray, x1: FloatArray, x2: FloatArray) -> Axes | None:
        return on_axes(self.tree, X, x1, x2)

    @property
    def of_inner_product(self) -> bool:  # type: ignore[override]
        return structure.of_inner_product(self.tree)

    @property
    def of_distance(self) -> bool:  # type: ignore[override]
        return structure.of_distance(self.tree)

    @property
    def parts(self) -> tuple[Kernel, ...]:
        return (self,) if self.of_inner_product or self.of_distance else _parts(self.tree) or (self,)


@dataclass(frozen=True)
class Formula(_Written):
    """A typed formula, such as exp(-norm(u - v)**2/2) + 0.1*dot(u, v): parsed by a small grammar, never executed.

    `psd` is "yes" where rules of closure prove it, "no" where a sample refutes it, else "unknown".

    Raises
    ------
    FormulaError
        If the text is not a formula, uses only one of u and v, or is not symmetric.

    >>> import numpy as np
    >>> Formula("dot(u, v)**2 + 1")(np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]]))
    array([[2.]])
    >>> Formula("dot(u, v)**2 + 1").psd, Formula("dot(u, v)**2 - 1").psd
    ('yes', 'no')
    """

    text: str = EXAMPLE
    name: ClassVar[str] = "Formula"

    def __post_init__(self) -> None:
        if self.report.unfit:
            raise FormulaError(self.report.unfit)

    def diag(self, X: FloatArray) -> FloatArray:
        return evaluate.diagonal(self.tree, checks.matrix("X", X))

    def rounding(self, X: FloatArray, gram: FloatArray) -> FloatArray | None:
        return rounding.rounding(self.tree, X, gram)

    @cached_property
    def report(self) -> Report:
        """What is known of it."""
        return tested(self.text)

    @property
    def tree(self) -> Node:  # type: ignore[override]
        """The formula as a tree."""
        return self.report.tree

    @property
    def psd(self) -> str:  # type: ignore[override]
        return self.report.psd

    @property
    def summands(self) -> tuple[Kernel, ...]:
        """The formula as a sum of simpler functions; itself alone where it is none, or is simple enough."""
        simple = self.of_inner_product or self.of_distance or not isinstance(self.tree, Binary) or self.tree.sign != "+"
        return (self,) if simple else tuple(Term(part) for part in _added(self.tree))

    @property
    def multiplied_out(self) -> tuple[Kernel, ...]:
        if len(self.summands) == 1 and (self.of_inner_product or self.of_distance):
            return self.summands
        found = list(islice(_multiplied_out(self.tree), _MOST_TERMS + 1))  # there may be millions
        return self.summands if len(found) > _MOST_TERMS else tuple(map(Term, found))

    @property
    def derivation(self) -> Derivation | None:
        """Why it is a kernel, None where nothing is proven."""
        return self.report.derivation

    def form(self, suffix: str = "") -> Form:
        return python.form(self.tree)

    @property
    def latex(self) -> str:
        return latex(self.tree)

    @property
    def label(self) -> str:
        return shortened(f"k = {self.tree}", _LABEL)


@dataclass(frozen=True)
class Term(_Written):
    """A summand of a formula: a function of u and v, perhaps not symmetric, of which nothing is known."""

    tree: Node
    name: ClassVar[str] = "Term"
    psd: ClassVar[str] = "unknown"  # type: ignore[misc]


def _parts(tree: Node) -> tuple[Kernel, ...]:
    """Return the factors by what they depend on: u·v, ‖u − v‖, and the rest; () where there is but one kind."""
    factor, found = structure.factors(tree)
    kinds = (structure.of_inner_product, structure.of_distance)
    groups: list[list[tuple[Node, int]]] = [[], [], []]
    for part, exponent in found:
        groups[next((k for k, is_of in enumerate(kinds) if is_of(part)), 2)].append((part, exponent))
    filled = [structure.product(group) for group in groups if group]
    if len(filled) < 2:
        return ()
    return tuple(Term(part) for part in [scaled(factor, filled[0]), *filled[1:]])


def _multiplied_out(tree: Node) -> Iterator[Node]:
    """Yield the terms of a product of sums; any other part is one term."""
    for part in _added(tree):
        if isinstance(part, Binary) and part.sign == "*":
            yield from (Binary("*", a, b) for a in _multiplied_out(part.left) for b in _multiplied_out(part.right))
        else:
            yield part


def _added(tree: Node) -> Iterator[Node]:
    if isinstance(tree, Binary) and tree.sign == "+":
        yield from _added(tree.left)
        yield from _added(tree.right)
    else:
        yield tree
