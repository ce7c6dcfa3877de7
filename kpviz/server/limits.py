"""How much memory a process may take from now on."""

from __future__ import annotations

import sys
from collections.abc import Callable

_KILOBYTE = 1 if sys.platform == "darwin" else 1024  # in which the system counts the peak


def grow_at_most(most: int) -> Callable[[], None]:
    """Let this process grow by so many bytes; return a check to be called now and then, which raises MemoryError.

    Linux itself refuses what is beyond. macOS does not, so there the check looks at the peak. Windows has neither.
    """
    try:
        import resource
    except ImportError:  # Windows
        return lambda: None
    size = _size()
    if size is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = size + most if hard == resource.RLIM_INFINITY else min(size + most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
        return lambda: None

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KILOBYTE

    before = peak()

    def check() -> None:
        if peak() - before > most:
            raise MemoryError

    return check


def _size() -> int | None:
    """Return the bytes of this process's address space, where the system says so."""
    import resource

    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return None
