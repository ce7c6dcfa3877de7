"""The kernels of vectors by name: a new one is one class and one line here."""

from __future__ import annotations

from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.matern import Matern32, Matern52
from kpviz.engine.kernels.vectors import AllSubsets, Gaussian, Laplacian, Linear, Monomial, Polynomial, Sigmoid

NAMED_KERNELS: dict[str, type[Kernel]] = {
    "linear": Linear,
    "polynomial": Polynomial,
    "monomial": Monomial,
    "gaussian": Gaussian,
    "laplacian": Laplacian,
    "matern32": Matern32,
    "matern52": Matern52,
    "sigmoid": Sigmoid,
    "subsets": AllSubsets,
}
