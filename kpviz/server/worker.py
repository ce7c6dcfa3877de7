"""What a process of the pool does: job after job, from standard input; how they end goes to standard output.

It ends with its standard input: when the pool closes it, and also when the server is killed.
"""

from __future__ import annotations

import contextlib
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


class JobError(RuntimeError):
    """A job failed in a way that nobody foresaw; its text is the traceback."""


class JobCancelledError(Exception):
    """Raised in a job when nobody waits for it any more."""


def main() -> None:
    """Work until the end of standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in the terminal is for the server
    memory, *imports = sys.argv[1:]
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a job prints must not come between messages
    for name in imports:
        importlib.import_module(name)
    if hasattr(os, "nice"):
        os.nice(5)  # the server comes first
    jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
    doing = cancelled = 0  # numbers of jobs
    reported = 0.0

    def listen() -> None:
        nonlocal cancelled
        try:
            while True:
                message = pickle.load(sys.stdin.buffer)
                if isinstance(message, int):
                    cancelled = message
                else:
                    jobs.put(message)
        finally:
            os._exit(0)  # whatever it is doing: nothing more comes, or nothing that can be read

    def say(reached: tuple[int, int] | None, ended: Any = None) -> None:
        with contextlib.suppress(OSError):  # the server is gone, and `listen` ends this
            pickle.dump((reached, ended), out, protocol=5)
            out.flush()

    def progress(done: int, limit: int) -> None:
        nonlocal reported
        if cancelled == doing:
            raise JobCancelledError
        if (now := time.monotonic()) - reported > _OFTEN:
            reported = now
            say((done, limit))

    threading.Thread(target=listen, daemon=True).start()
    say(None)  # it is ready
    while True:
        doing, function, args = jobs.get()
        _grow_at_most(int(memory))
        say(None, outcome(function, *args, progress))


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """Do a job; return its result, or the error that came in place of it."""
    try:
        return function(*args)
    except (JobCancelledError, MemoryError) as error:
        return type(error)()
    except ValueError as error:
        return ValueError(str(error))
    except Exception:
        return JobError(traceback.format_exc())


def _grow_at_most(memory: int) -> None:
    """Let this process grow by so many bytes from now on; Linux alone refuses what is beyond."""
    if sys.platform == "linux":
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            limit = int(file.read().split()[0]) * resource.getpagesize() + memory
        with contextlib.suppress(ValueError):  # the system itself gives less
            resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))
