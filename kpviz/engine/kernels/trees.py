"""Kernels as formulas: the formula of a kernel, and what a text means that may call kernels by
their names.

Tests: tests/engine/test_formula.py.
"""

from __future__ import annotations

from contextlib import suppress

from kpviz.engine.kernels.base import Kernel, Normalized, Power, Product, Scaled, Shifted, Sum
from kpviz.engine.kernels.expression import parser
from kpviz.engine.kernels.expression.nodes import FUNCTIONS, NORMALIZED, KernelNode, Node, number
from kpviz.engine.kernels.expression.parser import FormulaError, written_out
from kpviz.engine.kernels.vectors import NAMED_KERNELS

NAMES = (*FUNCTIONS, *NAMED_KERNELS)  # A formula may call these.


def parse(text: str) -> Node:
    """Return the tree of a formula, which may call the kernels of `NAMED_KERNELS`; FormulaError if
    it is none.

    >>> str(parse("2*gaussian(.5)+u·v"))
    '2*gaussian(0.5) + dot(u, v)'
    """
    return parser.parse(text, NAMED_KERNELS)


def formula_of(kernel: Kernel, *, named: bool = False) -> str:
    """Return the formula of a built-in kernel, of sums, products and powers of such, and of their
    normalized forms.

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
        if isinstance(part, KernelNode) and not part.is_call:
            what = part.kernel if isinstance(part.kernel, Kernel) else kernel
            raise ValueError(
                f"{what.name} has no formula: only built-in kernels of vectors can be written as "
                f"one."
            )
    try:
        return str(parse(str(tree)))
    except FormulaError as error:
        raise FormulaError(
            f"The result is not a formula any more: {str(error)[0].lower()}{str(error)[1:]}"
        ) from None


def tree_of(kernel: Kernel, *, named: bool) -> Node:
    """Return a kernel as a formula, `named` as of `formula_of`; what cannot be written is a
    nameless leaf.
    """
    match kernel:
        case Sum() | Product():
            parts = (tree_of(part, named=named) for part in kernel.parts)
            return Node("+" if isinstance(kernel, Sum) else "*", tuple(parts))
        case Scaled():
            return Node("*", (number(kernel.factor), tree_of(kernel.kernel, named=named)))
        case Shifted():
            return Node("+", (tree_of(kernel.kernel, named=named), number(kernel.summand)))
        case Power():
            return Node("**", (tree_of(kernel.kernel, named=named), number(kernel.power)))
        case Normalized():
            return Node(NORMALIZED, (tree_of(kernel.kernel, named=named),))
    call = _call_of(kernel)
    if call is not None:
        return call if named else written_out(call)
    return kernel.tree if kernel.written else KernelNode(kernel=kernel)


def _call_of(kernel: Kernel) -> KernelNode | None:
    """Return the call of a built-in kernel by its name, None where a text cannot call it with these
    parameters.
    """
    for name, kind in NAMED_KERNELS.items():
        if kind is type(kernel):
            # A parameter may be no number, or one that formulas do not reach.
            with suppress(ValueError):
                arguments = tuple(number(float(value)) for value in kernel.parameters.values())
                call = parser.call(name, arguments, NAMED_KERNELS)
                return call if call.kernel == kernel else None
    return None
