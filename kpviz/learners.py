"""Learners for `kpviz.train`; your own is a `Learner` whose `change` returns a `Change` or None."""

# Tests: tests/test_api.py.

from kpviz.engine.learners import *  # noqa: F403
from kpviz.engine.learners import __all__ as __all__
