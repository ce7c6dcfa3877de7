"""The kernel that is a formula, and the formulas of built-in kernels."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.combined import Normalized, Product, Sum
from kpviz.engine.kernels.form import Form
from kpviz.engine.kernels.formula import evaluate, printing
from kpviz.engine.kernels.formula.nodes import NAMED, NORMALIZED, Given, Node, number
from kpviz.engine.kernels.formula.parser import FormulaError, kernel_of, parse, written_out
from kpviz.engine.kernels.formula.proof import Derivation
from kpviz.engine.kernels.formula.report import Report, tested
from kpviz.engine.syntax import shortened

EXAMPLE = "exp(-norm(u - v)**2/2) + 0.1*dot(u, v)"
_LABEL = 30  # characters


@dataclass(frozen=True)
class Formula(Kernel):
    """A typed formula, such as exp(-norm(u - v)**2/2) + 0.1*dot(u, v): parsed by Python's grammar, never executed.

    `psd` is "yes" where rules of closure prove it, "no" where a sample refutes it, else "unknown".

    Parameters
    ----------
    text : of u and v, in Python's notation.

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
        return printing.form(self.tree, suffix=suffix)

    @property
    def latex(self) -> str:
        return printing.latex(self.tree)

    @property
    def label(self) -> str:
        return shortened(f"k = {self.tree}", _LABEL)


def formula_of(kernel: Kernel, *, named: bool = False) -> str:
    """Return the formula of a built-in kernel, of sums and products of such, and of their normalized forms.

    With `named` built-in kernels stay names, as in gaussian(0.5); else they are written out.

    Raises
    ------
    ValueError
        If the kernel is not a formula, as one that learns from data or compares texts.

    >>> from kpviz.engine.kernels import Gaussian, Linear
    >>> formula_of(Gaussian(0.5) + Linear()), formula_of(Gaussian(0.5), named=True)
    ('exp(-norm(u - v)**2/(2*0.5**2)) + dot(u, v)', 'gaussian(0.5)')
    """
    tree = tree_of(kernel, named=named)
    for part in tree.walk():
        if isinstance(part, Given):
            what = kernel if part.kernel is None else part.kernel
            raise ValueError(f"{what.label} has no formula: only built-in kernels of vectors can be written as one.")
    try:
        return str(parse(str(tree)))
    except FormulaError as error:
        raise FormulaError(f"The result is not a formula any more: {str(error)[0].lower()}{str(error)[1:]}") from None


def tree_of(kernel: Kernel, *, named: bool) -> Node:
    """Return a kernel as a formula, `named` as of `formula_of`; what cannot be written is a `Given` part."""
    match kernel:
        case Formula():
            return kernel.tree
        case Sum() | Product():
            parts = (tree_of(part, named=named) for part in (kernel.first, kernel.second))
            return Node("+" if isinstance(kernel, Sum) else "*", tuple(parts))
        case Normalized():
            return Node(NORMALIZED, (tree_of(kernel.kernel, named=named),))
    name = next((name for name, kind in NAMED.items() if kind is type(kernel)), None)
    with suppress(ValueError):  # a parameter that is not a number, or one that formulas do not reach
        call = Node(name or "", tuple(number(float(value)) for value in kernel.parameters.values()))
        if name and kernel_of(call) == kernel:
            return call if named else written_out(call)
    return kernel.tree if kernel.written else Given(kernel=kernel)
