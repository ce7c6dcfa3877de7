"""How much of the workers' time each visitor took lately: whoever took least comes first.

Tests: tests/server/test_pool.py.
"""

from __future__ import annotations

import time
from collections.abc import Hashable

_HALVES_IN = 30.0  # In seconds: after this time what was taken counts half as much.
_FORGOTTEN = 0.01  # In seconds: nobody need remember so little.
_MANY = 1000  # With more entries, those that are nearly 0 are forgotten.


class Shares:
    """Seconds of work, each of which counts half as much 30 s later.

    A visitor is known by several names: the address, and the connection. Whoever opens many
    connections shares one address among them, and a class behind one address is told apart by its
    connections.
    """

    def __init__(self) -> None:
        # A name has the seconds as they counted when some were added last, and when that was.
        self._taken: dict[Hashable, tuple[float, float]] = {}

    def taken(self, visitor: tuple[Hashable, ...]) -> float:
        """Return what was taken lately by all names of a visitor together."""
        now = time.monotonic()
        return sum(self._now(name, now) for name in visitor)

    def add(self, visitor: tuple[Hashable, ...], seconds: float) -> None:
        """Count what a visitor has taken."""
        now = time.monotonic()
        for name in visitor:
            self._taken[name] = (self._now(name, now) + seconds, now)
        if len(self._taken) > _MANY:
            left = {name: self._now(name, now) for name in self._taken}
            self._taken = {
                name: (seconds, now) for name, seconds in left.items() if seconds > _FORGOTTEN
            }

    def _now(self, name: Hashable, now: float) -> float:
        seconds, then = self._taken.get(name, (0.0, now))
        return float(seconds * 0.5 ** ((now - then) / _HALVES_IN))
