"""A bar on standard error, for trainings that take longer than a moment.

Tests: tests/engine/test_run.py, tests/test_sweep.py.
"""

from __future__ import annotations

import sys

_WIDTH = 30


class Bar:
    """What `progress=True` is: a line that is written over each time it is called, as `progress`
    is.
    """

    def __init__(self) -> None:
        self._is_shown = False

    def __call__(self, done: int, limit: int) -> None:
        """Write how far the training is."""
        filled = "█" * (_WIDTH * done // limit)
        line = f"{filled:░<{_WIDTH}} {done:,} of at most {limit:,} examples shown"
        print(f"\r{line}", end="", file=sys.stderr, flush=True)
        self._is_shown = True

    def close(self) -> None:
        """End the line, if there is one."""
        if self._is_shown:
            print(file=sys.stderr)
