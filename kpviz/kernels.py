"""Kernels: `Gaussian(sigma=0.5)(X, Z)` is the matrix of k(u, v); `+` and `*` combine them."""

# Tests: tests/test_api.py.

from kpviz.engine.kernels import *  # noqa: F403
from kpviz.engine.kernels import __all__ as __all__
