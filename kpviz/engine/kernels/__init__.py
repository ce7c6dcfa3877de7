"""All kernels.

A file imports only from the floors below its own, which `pyproject.toml` lists: on top what is
known of formulas (`formula/`, `validity.py`), then the kernels that have a name, the base class,
and the language (`expression/`).

Tests: tests/engine/test_kernels.py.
"""

from __future__ import annotations

from kpviz.engine.kernels.base import Kernel, Normalized, Power, Product, Scaled, Shifted, Sum
from kpviz.engine.kernels.formula import Formula
from kpviz.engine.kernels.function import Function, as_kernel
from kpviz.engine.kernels.generative import Density, Mixture
from kpviz.engine.kernels.objects.graphs import WeisfeilerLehman
from kpviz.engine.kernels.objects.texts import Spectrum, WordSets
from kpviz.engine.kernels.objects.trees import Subtrees
from kpviz.engine.kernels.vectors import (
    NAMED_KERNELS,
    AllSubsets,
    Gaussian,
    Laplacian,
    Linear,
    Matern32,
    Matern52,
    Monomial,
    Polynomial,
    Sigmoid,
)

__all__ = [
    "KERNELS",
    "AllSubsets",
    "Density",
    "Formula",
    "Function",
    "Gaussian",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern32",
    "Matern52",
    "Mixture",
    "Monomial",
    "Normalized",
    "Polynomial",
    "Power",
    "Product",
    "Scaled",
    "Shifted",
    "Sigmoid",
    "Spectrum",
    "Subtrees",
    "Sum",
    "WeisfeilerLehman",
    "WordSets",
    "as_kernel",
]

KERNELS: dict[str, type[Kernel]] = {
    **NAMED_KERNELS,
    "formula": Formula,
    "density": Density,
    "mixture": Mixture,
    "words": WordSets,
    "spectrum": Spectrum,
    "subtrees": Subtrees,
    "graph": WeisfeilerLehman,
}
