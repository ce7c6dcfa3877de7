"""The kernel that is a formula."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.form import Form
from kpviz.engine.kernels.formula import evaluate, python, rounding
from kpviz.engine.kernels.formula.derivation import Derivation
from kpviz.engine.kernels.formula.errors import FormulaError
from kpviz.engine.kernels.formula.latex import latex
from kpviz.engine.kernels.formula.nodes import Node
from kpviz.engine.kernels.formula.report import Report, tested
from kpviz.engine.kernels.formula.scanner import shortened

EXAMPLE = "exp(-norm(u - v)**2/2) + 0.1*dot(u, v)"
_LABEL = 30  # characters


@dataclass(frozen=True)
class Formula(Kernel):
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
    formula: ClassVar[str] = "k(u, v)"

    def __post_init__(self) -> None:
        if self.report.unfit:
            raise FormulaError(self.report.unfit)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return evaluate.matrix(self.tree, X, Z)

    def diag(self, X: FloatArray) -> FloatArray:
        return evaluate.diagonal(self.tree, checks.matrix("X", X))

    def rounding(self, X: FloatArray, gram: FloatArray) -> FloatArray | None:
        return rounding.rounding(self.tree, X, gram)

    @cached_property
    def report(self) -> Report:
        """What is known of it."""
        return tested(self.text)

    @property
    def tree(self) -> Node:
        """The formula as a tree."""
        return self.report.tree

    @property
    def psd(self) -> str:  # type: ignore[override]
        return self.report.psd

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
