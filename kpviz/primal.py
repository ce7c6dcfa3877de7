"""The primal perceptron beside the dual: features, the weight vector, and what each form costs."""

# Tests: tests/test_api.py.

from kpviz.engine.theory.primal import *  # noqa: F403
from kpviz.engine.theory.primal import __all__ as __all__
