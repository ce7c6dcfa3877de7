"""The file of a lesson, and what is wrong with one: each fault with its line.

Tests: tests/lessons/test_format.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MOST = 100  # So many faults are named.


@dataclass(frozen=True, order=True)
class Fault:
    """What is wrong in a line, from 1, and what to do about it: `what` is one sentence.

    >>> str(Fault(12, "Give the scene a link."))
    'Line 12: Give the scene a link.'
    """

    line: int
    what: str

    def __str__(self) -> str:
        return f"Line {self.line:,}: {self.what}"


class LessonError(ValueError):
    """All that is wrong with a file, in the order of its lines; of very many faults the first."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        ordered = sorted(set(faults))
        if len(ordered) > MOST:
            ordered[MOST:] = [
                Fault(
                    ordered[MOST].line,
                    f"From here on {len(ordered) - MOST:,} more lines are wrong.",
                )
            ]
        self.faults = tuple(ordered)
        super().__init__(" ".join(map(str, self.faults)))
