"""Built-in kernels inside formulas: their names and numbers to the kernel that computes them."""

from __future__ import annotations

from functools import lru_cache

from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.formula.nodes import Call, Node, number, within
from kpviz.engine.kernels.formula.words import MAX_EXPONENT, NAMED

_ATOM = 5  # how tightly a number in parentheses holds together


def written_out(call: Call) -> Node:
    """Return a built-in kernel as a formula without its name, the call itself where there is none.

    >>> from kpviz.engine.kernels.formula.nodes import Number
    >>> str(written_out(Call("gaussian", (Number(0.5),))))
    'exp(-norm(u - v)**2/(2*0.5**2))'
    """
    from kpviz.engine.kernels.formula.parser import parse  # here: it asks for the kernels of calls, too

    kind = NAMED[call.name]
    if not kind.written:
        return call
    values = [within(number(argument.constant or 0.0), _ATOM) for argument in call.arguments]
    return parse(kind.written.format_map(dict(zip(kind.ranges, values, strict=True))))


@lru_cache(maxsize=256)
def kernel_of(call: Call) -> Kernel:
    """Return the built-in kernel that a call such as gaussian(0.5) names.

    Raises
    ------
    ValueError
        If the kernel does not allow such a number.

    >>> from kpviz.engine.kernels.formula.nodes import Number
    >>> kernel_of(Call("gaussian", (Number(0.5),)))
    Gaussian(sigma=0.5)
    """
    kind = NAMED[call.name]
    values = {name: argument.constant or 0.0 for name, argument in zip(kind.ranges, call.arguments, strict=True)}
    if values.get("sigma", 1.0) <= 0.0:
        raise ValueError(f"σ = {values['sigma']:g} is out of range: σ must be above 0.".replace("-", "−"))
    for name in (name for name, limits in kind.ranges.items() if limits.integer):
        if values[name] > MAX_EXPONENT:
            raise ValueError(f"{name}={values[name]:g} is out of range: {name} must be between 1 and {MAX_EXPONENT:g}.")
        values[name] = int(values[name]) if values[name].is_integer() else values[name]
    return kind(**values)
