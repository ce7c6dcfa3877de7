"""The pool for threads that have no event loop, as those of Streamlit's scripts.

Tests: tests/server/test_pool.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from kpviz.server.pool import Job, Pool

# Held while the engine is imported: two threads that begin at different ends would wait for each
# other, and Python then hands one of them a module that is not complete.
LOCK = threading.RLock()

at_end: list[Callable[[], None]] = []  # They are called in a thread when the server ends.

_open: list[tuple[Pool, asyncio.AbstractEventLoop]] = []  # The newest counts.


@contextlib.contextmanager
def lent(pool: Pool) -> Iterator[None]:
    """Let threads use a pool of the running event loop."""
    entry = (pool, asyncio.get_running_loop())
    _open.append(entry)
    try:
        yield
    finally:
        _open.remove(entry)


def compute(job: Job) -> Any:
    """Return the result of a job, as `Pool.run` does.

    Where no pool was lent, the thread does it itself.
    """
    if not _open:
        return job.function(*job.args, lambda done, limit: None)
    pool, loop = _open[-1]
    return asyncio.run_coroutine_threadsafe(pool.run(job), loop).result()


def wait_for_rest(seconds: float) -> None:
    """Return once the pool has done nothing for so many seconds.

    What is loaded then takes no turn from who drags a point meanwhile.
    """
    pools = [pool for pool, _ in _open]
    is_busy = True
    while is_busy:
        done_before = [pool.done for pool in pools]
        time.sleep(seconds)
        is_busy = any(pool.pending for pool in pools)
        is_busy = is_busy or [pool.done for pool in pools] != done_before
