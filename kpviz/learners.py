"""Learners for `kpviz.train`.

One of your own is a subclass of `Learner` whose `change` returns a `Change` or None.
"""

from kpviz.engine.learners import *  # noqa: F403
from kpviz.engine.learners import __all__ as __all__
