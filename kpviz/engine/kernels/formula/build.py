"""Formulas made of formulas, and the formulas of built-in kernels: where a student starts from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kpviz.engine import checks
from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.combined import Normalized, Product, Sum
from kpviz.engine.kernels.formula.errors import FormulaError
from kpviz.engine.kernels.formula.formula import Formula
from kpviz.engine.kernels.formula.named import written_out
from kpviz.engine.kernels.formula.nodes import Binary, Call, Node, Number, number
from kpviz.engine.kernels.formula.parser import parse
from kpviz.engine.kernels.formula.words import MAX_EXPONENT, MAX_NUMBER, NAMED


def sum_of(text: str, other: str) -> str:
    """Return the sum of two formulas.

    >>> sum_of("dot(u,v)", "1")
    'dot(u, v) + 1'
    """
    return _checked(Binary("+", parse(text), parse(other)))


def product_of(text: str, other: str) -> str:
    """Return the product of two formulas.

    >>> product_of("dot(u,v) + 1", "gaussian(2)")
    '(dot(u, v) + 1)*gaussian(2)'
    """
    return _checked(Binary("*", parse(text), parse(other)))


def scaled(text: str, factor: float) -> str:
    """Return a multiple of a formula; a factor of at least 0 keeps a kernel one.

    >>> scaled("dot(u,v) + 1", 0.5)
    '0.5*(dot(u, v) + 1)'
    """
    factor = checks.number("factor", factor, low=0.0, high=MAX_NUMBER)
    return _checked(Binary("*", Number(factor), parse(text)))


def powered(text: str, degree: int) -> str:
    """Return a power of a formula; degree is a whole number from 1 to 64.

    >>> powered("dot(u,v) + 1", 3)
    '(dot(u, v) + 1)**3'
    """
    degree = checks.integer("degree", degree, low=1, high=int(MAX_EXPONENT))
    return _checked(Binary("**", parse(text), Number(float(degree))))


def polynomial_of(text: str, coefficients: Sequence[float]) -> str:
    """Return a polynomial of a formula; coefficients of 1, k, k², … of at least 0 keep a kernel one.

    >>> polynomial_of("dot(u,v)", [1, 0, 2, 1])
    '1 + 2*dot(u, v)**2 + dot(u, v)**3'
    """
    inner = parse(text)
    total: Node | None = None
    for degree, coefficient in enumerate(coefficients):
        factor = checks.number("coefficient", coefficient, low=0.0, high=MAX_NUMBER)
        if factor == 0.0:
            continue
        power = inner if degree == 1 else Binary("**", inner, Number(float(degree)))
        term = Number(factor) if degree == 0 else power if factor == 1.0 else Binary("*", Number(factor), power)
        total = term if total is None else Binary("+", total, term)
    return _checked(total or Number(0.0))


def exp_of(text: str) -> str:
    """Return the exponential of a formula.

    >>> exp_of("dot(u,v)/2")
    'exp(dot(u, v)/2)'
    """
    return _checked(Call("exp", (parse(text),)))


def normalized_of(text: str) -> str:
    """Return k(u, v) / √(k(u, u) k(v, v)) of a formula k.

    >>> normalized_of("dot(u,v)")
    'normalized(dot(u, v))'
    """
    return _checked(Call("normalized", (parse(text),)))


BUILDERS: dict[str, Callable[..., str]] = {
    "sum": sum_of,
    "product": product_of,
    "scale": scaled,
    "power": powered,
    "polynomial": polynomial_of,
    "exp": exp_of,
    "normalize": normalized_of,
}


def wrap(text: str, how: str, *given: object) -> str:
    """Return a new formula by the name of a builder: what it needs besides the text is `given`.

    Raises
    ------
    FormulaError
        If a text is not a formula, or the result is longer than a formula may be.
    ValueError
        If there is no such builder, or its number is out of range.

    >>> wrap("dot(u,v)", "power", 2), wrap("dot(u,v)", "exp")
    ('dot(u, v)**2', 'exp(dot(u, v))')
    """
    return BUILDERS[checks.choice("how", how, BUILDERS)](text, *given)


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
    return _checked(_tree_of(kernel, named=named))


def _tree_of(kernel: Kernel, *, named: bool) -> Node:
    if isinstance(kernel, Formula):
        return kernel.tree
    if isinstance(kernel, Sum | Product):
        sign = "+" if isinstance(kernel, Sum) else "*"
        return Binary(sign, _tree_of(kernel.first, named=named), _tree_of(kernel.second, named=named))
    if isinstance(kernel, Normalized):
        return Call("normalized", (_tree_of(kernel.kernel, named=named),))
    name = next((name for name, kind in NAMED.items() if kind is type(kernel)), None)
    if name is None or kernel != NAMED[name](**kernel.parameters):  # a parameter that is not a number
        raise ValueError(f"{kernel.label} has no formula: only built-in kernels of vectors can be written as one.")
    values = [number(float(value)) for value in kernel.parameters.values()]
    call = Call(name, tuple(values))
    return call if named else written_out(call)


def _checked(node: Node) -> str:
    """Return a formula as text, unless it has become too long, too deep or not finite."""
    text = str(node)
    try:
        return str(parse(text))
    except FormulaError as error:
        raise FormulaError(f"The result is not a formula any more: {str(error)[0].lower()}{str(error)[1:]}") from None
