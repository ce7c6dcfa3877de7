"""What the app calls a kernel: its name, with the values of its parameters.

Tests: tests/engine/test_kernels.py.
"""

from __future__ import annotations

from kpviz.engine.kernels.base import Kernel, Normalized, Power, Product, Scaled, Shifted, Sum
from kpviz.engine.kernels.expression.printing import in_characters
from kpviz.engine.kernels.formula import Formula
from kpviz.engine.kernels.generative import Density, Mixture
from kpviz.engine.kernels.vectors import AllSubsets
from kpviz.engine.powers import raised
from kpviz.engine.syntax import shortened

_LONGEST_FORMULA = 50  # In characters.


def kernel_label(kernel: Kernel) -> str:
    """Return name and values of a kernel.

    >>> from kpviz.engine.kernels import Gaussian, Linear
    >>> kernel_label(Gaussian(0.5)), kernel_label((Gaussian(0.5) * Linear()).normalized())
    ('Gaussian, σ = 0.5', '(Gaussian, σ = 0.5) × (Linear), normalized')
    """
    match kernel:
        case Sum():
            return f"{kernel_label(kernel.first)} + {kernel_label(kernel.second)}"
        case Product():
            return f"({kernel_label(kernel.first)}) × ({kernel_label(kernel.second)})"
        case Scaled():
            return f"{kernel.factor:g}·({kernel_label(kernel.kernel)})"
        case Shifted():
            return f"{kernel_label(kernel.kernel)} + {kernel.summand:g}"
        case Power():
            return f"({kernel_label(kernel.kernel)}){raised(kernel.power)}"
        case Normalized():
            return f"{kernel_label(kernel.kernel)}, normalized"
        case Formula():
            return shortened(f"k = {in_characters(kernel.written)}", _LONGEST_FORMULA)
        case AllSubsets(negated=True):
            return f"{kernel.name}, negated literals"
    values = [
        f"{kernel.ranges[name].symbol} = {value:g}" for name, value in kernel.parameters.items()
    ]
    described = ", ".join([kernel.name, *(value.replace("-", "−") for value in values)])
    if isinstance(kernel, Density | Mixture) and len(kernel.weights) not in (0, kernel.components):
        return f"{described} ({len(kernel.weights)} fitted)"  # The examples allow no more.
    return described
