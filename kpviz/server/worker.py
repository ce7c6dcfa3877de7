"""What a process of the pool does: job after job, from standard input; how they end goes to standard output.

It ends with its standard input: when the pool closes it, and also when the server is killed.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

_OFTEN = 0.05  # seconds between two reports of progress


class JobCancelledError(Exception):
    """Raised in a job when nobody waits for it any more."""


def main() -> None:
    """Work until the end of standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    memory, niceness, *imports = sys.argv[1:]
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a job prints must not come between messages
    for name in imports:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    if hasattr(os, "nice"):
        os.nice(int(niceness))
    jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
    told = doing = cancelled = 0  # numbers of jobs
    reported = 0.0

    def listen() -> None:
        nonlocal told, cancelled
        with contextlib.suppress(EOFError, OSError):
            while True:
                job = pickle.load(sys.stdin.buffer)
                if job is None:
                    cancelled = told
                else:
                    told += 1
                    jobs.put(job)
        os._exit(0)  # whatever it is doing

    def say(kind: str, content: object) -> None:
        pickle.dump((kind, content), out, protocol=5)
        out.flush()

    def progress(done: int, limit: int) -> None:
        nonlocal reported
        if cancelled >= doing:
            raise JobCancelledError
        if (now := time.monotonic()) - reported > _OFTEN:
            reported = now
            say("progress", (done, limit))

    threading.Thread(target=listen, daemon=True).start()
    with contextlib.suppress(OSError):  # the server is gone
        say("ready", None)
        while True:
            function, args = jobs.get()
            doing += 1
            _grow_at_most(int(memory))
            say(*_ended(function, (*args, progress)))
    os._exit(0)  # the thread that listens holds standard input, for which a usual end would wait


def _ended(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[str, Any]:
    """Do a job; return how it ended, and its result or the words."""
    try:
        return "done", function(*args)
    except JobCancelledError:
        return "cancelled", None
    except ValueError as error:
        return "refused", str(error)
    except MemoryError:
        return "too large", None
    except Exception:
        return "failed", traceback.format_exc()


def _grow_at_most(memory: int) -> None:
    """Let this process grow by so many bytes from now on; Linux alone refuses what is beyond."""
    if sys.platform == "linux":
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            limit = int(file.read().split()[0]) * resource.getpagesize() + memory
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


if __name__ == "__main__":
    main()
