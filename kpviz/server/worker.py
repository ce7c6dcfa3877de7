"""A process that does one job after the other: it is told them on standard input, and reports on standard output.

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
from collections.abc import Callable
from typing import Any, BinaryIO

from kpviz.server.jobs import HEAD, Kind, Report, attempt, message, watched
from kpviz.server.limits import grow_at_most


class _Inbox:
    """What the pool says: jobs by their numbers, which rise, and the number of the last one that was cancelled."""

    def __init__(self, stream: BinaryIO) -> None:
        self.jobs: queue.SimpleQueue[tuple[int, bytes]] = queue.SimpleQueue()
        self.cancelled = 0
        self._stream = stream

    def listen(self) -> None:
        """Read until the end, then end the process, whatever it is doing."""
        while head := self._stream.read(HEAD.size):
            number, job = pickle.loads(self._stream.read(HEAD.unpack(head)[0]))
            if job is None:
                self.cancelled = number
            else:
                self.jobs.put((number, job))
        os._exit(0)


def main() -> None:
    """Work until the end of standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    memory, niceness, *imports = sys.argv[1:]
    inbox, out = _Inbox(sys.stdin.buffer), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a job prints must not come between messages
    for name in imports:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    if hasattr(os, "nice"):
        os.nice(int(niceness))
    threading.Thread(target=inbox.listen, daemon=True).start()

    def tell(kind: Kind, content: object) -> None:
        beside = content if isinstance(content, bytes) else b""
        out.write(message((kind, None if beside else content), beside))
        out.write(beside)
        out.flush()

    tell(Kind.READY, None)
    with contextlib.suppress(OSError):  # the server is gone
        while _work(inbox, tell, int(memory)):
            pass
    os._exit(0)  # the thread that listens holds standard input, for which a usual end would wait


def _work(inbox: _Inbox, tell: Callable[..., None], memory: int) -> bool:
    """Do the next job; return whether the process may do another."""
    number, job = inbox.jobs.get()
    check = grow_at_most(memory)

    def report(done: int, limit: int) -> None:
        check()
        tell(Kind.PROGRESS, (done, limit))

    kind, content = attempt(_called, (job,), watched(report, lambda: inbox.cancelled >= number))
    tell(kind, content)
    return kind != Kind.TOO_LARGE


def _called(job: bytes, progress: Report) -> Any:
    function, args = pickle.loads(job)
    return function(*args, progress)


if __name__ == "__main__":
    main()
