"""What `import kpviz` offers of runs. Training is loaded at once, all else when it is asked for.

Tests: tests/test_api.py.
"""

from kpviz.api.run import Run, train

__all__ = ["Run", "train"]
