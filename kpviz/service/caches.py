"""Caches of a limited size, safe for threads: all that a server keeps between two questions.

Tests: tests/service/test_caches.py.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")
_caches: weakref.WeakSet[LruCache[Any]] = weakref.WeakSet()


def forget() -> None:
    """Forget everything, as a server does that is started again."""
    for cache in _caches:
        cache.clear()


def limit(size: int) -> None:
    """Let no cache keep more than this in all from now on."""
    for cache in _caches:
        cache.limit(size)


class LruCache(Generic[T]):
    """The values used last, up to a number and a total size."""

    def __init__(self, most: int, size: int, size_of: Callable[[T], int]) -> None:
        self._most = most
        self._size = size
        self._size_of = size_of
        # Each value has its size, which may change later.
        self._values: OrderedDict[str, tuple[T, int]] = OrderedDict()
        self._total = 0
        self._lock = threading.Lock()
        _caches.add(self)

    def get(self, key: str) -> T | None:
        """Return a value, and keep it longer."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: str, value: T) -> None:
        """Keep a value; the ones longest unused make room."""
        with self._lock:
            self._drop(key)
            size = self._size_of(value)
            self._values[key] = (value, size)
            self._total += size
            while len(self._values) > 1 and (
                len(self._values) > self._most or self._total > self._size
            ):
                self._drop(next(iter(self._values)))

    def limit(self, size: int) -> None:
        """Keep no more than this in all from now on."""
        with self._lock:
            self._size = min(self._size, size)

    def clear(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._values.clear()
            self._total = 0

    def _drop(self, key: str) -> None:
        if key in self._values:
            self._total -= self._values.pop(key)[1]
