"""Separability, margins, norms, radius, mistake bounds, and the optimum of logistic regression."""

# Tests: tests/test_api.py.

from kpviz.engine.theory import *  # noqa: F403
from kpviz.engine.theory import __all__ as __all__
