"""Built-in kernels inside formulas: their names and numbers to the kernel that computes them."""

from __future__ import annotations

from functools import lru_cache

from kpviz.engine.formula.nodes import Call, Node, number, within
from kpviz.engine.formula.words import MAX_EXPONENT, NAMED
from kpviz.engine.kernel import Kernel
from kpviz.engine.vector_kernels import AllSubsets, Gaussian, Laplacian, Linear, Monomial, Polynomial, Sigmoid

KINDS: dict[str, type[Kernel]] = {
    "linear": Linear,
    "polynomial": Polynomial,
    "monomial": Monomial,
    "gaussian": Gaussian,
    "laplacian": Laplacian,
    "sigmoid": Sigmoid,
    "subsets": AllSubsets,
}

WRITTEN_OUT: dict[str, str] = {
    "linear": "dot(u, v)",
    "polynomial": "(dot(u, v) + {1})**{0}",
    "monomial": "dot(u, v)**{0}",
    "gaussian": "exp(-norm(u - v)**2/(2*{0}**2))",
    "laplacian": "exp(-norm1(u - v)/{0})",
    "sigmoid": "tanh({0}*dot(u, v) + {1})",
}
"""Their formulas, where they have one; {0} and {1} are their numbers, in the order of `words.NAMED`."""

_ATOM = 5  # how tightly a number in parentheses holds together


def written_out(call: Call) -> Node:
    """Return a built-in kernel as a formula without its name, the call itself where there is none.

    >>> from kpviz.engine.formula.nodes import Number
    >>> str(written_out(Call("gaussian", (Number(0.5),))))
    'exp(-norm(u - v)**2/(2*0.5**2))'
    """
    from kpviz.engine.formula.parser import parse  # here: it asks for the kernels of calls, too

    if call.name not in WRITTEN_OUT:
        return call
    values = [number(argument.constant or 0.0) for argument in call.arguments]
    return parse(WRITTEN_OUT[call.name].format(*(within(value, _ATOM) for value in values)))


@lru_cache(maxsize=256)
def kernel_of(call: Call) -> Kernel:
    """Return the built-in kernel that a call such as gaussian(0.5) names.

    Raises
    ------
    ValueError
        If the kernel does not allow such a number.

    >>> from kpviz.engine.formula.nodes import Number
    >>> kernel_of(Call("gaussian", (Number(0.5),)))
    Gaussian(sigma=0.5)
    """
    values: list[float] = [argument.constant or 0.0 for argument in call.arguments]
    if "sigma" in NAMED[call.name] and values[0] <= 0.0:
        raise ValueError(f"σ = {values[0]:g} is out of range: σ must be above 0.".replace("-", "−"))
    if call.name in ("polynomial", "monomial"):
        if values[0] > MAX_EXPONENT:
            raise ValueError(f"degree={values[0]:g} is out of range: degree must be between 1 and {MAX_EXPONENT:g}.")
        values[0] = int(values[0]) if values[0].is_integer() else values[0]
    return KINDS[call.name](*values)
