"""Built-in kernels inside formulas: their names and numbers to the kernel that computes them."""

from __future__ import annotations

from functools import lru_cache

from kpviz.engine.formula.nodes import Call
from kpviz.engine.formula.words import MAX_EXPONENT
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
    if call.name in ("polynomial", "monomial"):
        if values[0] > MAX_EXPONENT:
            raise ValueError(f"degree={values[0]:g} is out of range: degree must be between 1 and {MAX_EXPONENT:g}.")
        values[0] = int(values[0]) if values[0].is_integer() else values[0]
    return KINDS[call.name](*values)
