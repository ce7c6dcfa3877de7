"""Processes that do one job after the other, and end with the one that started them.

Each is started by a command of its own, because multiprocessing would import the main module in it,
Streamlit's or that of a script. It does job after job from its standard input, and ends with that,
also when the process that started it is killed. Whoever reads what it answers hears of its end,
whatever is still in the pipe.

Tests: tests/server/test_pool.py.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

_OFTEN = 0.05  # In seconds: the time between two reports of progress.
_ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "NUMEXPR")}
# Not -m, or its classes would be of another module.
_MAIN = f"import {__name__} as processes; processes.main()"
_PAGES_OF_DATA = 5  # The place of that number in /proc/self/statm.
_PR_SET_PDEATHSIG = 1  # It is for prctl of Linux.
_MOST_EXPENDABLE = 1000  # It is for oom_score_adj of Linux.
_MORE_EXPENDABLE = 500
_ENDED = (
    "A process that computed this was ended: try again, with fewer processes, points or epochs."
)


class JobCancelledError(Exception):
    """Raised in a job when nobody waits for it any more."""


# ---- for those who start processes ---------------------------------------------------------------


def start(imports: Sequence[str], *, memory: int = 0, niceness: int = 0) -> subprocess.Popen[bytes]:
    """Start a process that imports some modules, and answers when it has.

    OSError: none can be started.

    A job may take so many bytes of `memory`, on Linux, where it is not 0. On Linux the process ends
    with the *thread* that calls this, even if it is stopped: call it in one that lives as long as
    the process is needed.
    """
    arguments = [str(number) for number in (os.getpid(), memory, niceness)]
    search_path = os.pathsep.join(filter(None, sys.path))
    with _without_interruption():
        return subprocess.Popen(
            [sys.executable, "-P", "-c", _MAIN, *arguments, *imports],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **_ONE_THREAD, "PYTHONPATH": search_path},
        )


@contextlib.contextmanager
def _without_interruption() -> Iterator[None]:
    """Let a process that is started meanwhile never see Ctrl+C in the terminal.

    It is for the one that starts it.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def perform(
    process: subprocess.Popen[bytes],
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    report: Callable[[int, int], object],
    more_memory: int = 0,
) -> Any:
    """Let a process do a job, as `outcome` does.

    EOFError comes in place of a result if the process has ended.

    `report` is called with how far the job is; where it raises JobCancelledError, the process is
    told. Where memory is limited, the job may take so many bytes of `more_memory`.
    """
    send(process, (function, arguments, more_memory))
    while True:
        reached, result = answer(process)
        if not reached:
            return result
        try:
            report(*reached)
        except JobCancelledError:
            send(process, None)  # It is sent once more: the first may have come before the job.


def send(process: subprocess.Popen[bytes], message: object) -> None:
    """Send a process a job; with None, the job that it does ends at its next call of progress."""
    assert process.stdin is not None
    with contextlib.suppress(OSError):  # The process is gone, as its answer will say.
        # It is written at once, as two threads may send.
        process.stdin.write(pickle.dumps(message, protocol=5))
        process.stdin.flush()


def answer(process: subprocess.Popen[bytes]) -> Any:
    """Return how far a process is, or None and the result."""
    assert process.stdout is not None
    try:
        return pickle.load(process.stdout)
    except Exception:  # It has ended, maybe in the middle of an answer.
        return None, EOFError()


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    """Do a job; return its result, or the error that came in place of it."""
    try:
        return function(*arguments)
    except (JobCancelledError, MemoryError) as error:
        return type(error)()
    except ValueError as error:
        return ValueError(str(error))
    except Exception:
        return RuntimeError(traceback.format_exc())


def mapped(function: Callable[..., Any], items: Sequence[Any], count: int) -> Iterator[Any]:
    """Return function(item, progress) of each item, in their order, done by so many processes.

    Whatever ends the iteration, and whatever ends this process, ends them. An error of an item is
    raised as `outcome` returns it.
    """
    started: list[subprocess.Popen[bytes]] = []
    # A signal may break into an executor while it holds a lock, and its threads would be waited for
    # without end.
    todo: queue.SimpleQueue[int] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
    for index in range(len(items)):
        todo.put(index)

    def work(process: subprocess.Popen[bytes]) -> None:
        answer(process)  # It is ready.
        with contextlib.suppress(queue.Empty):
            while True:
                index = todo.get_nowait()
                done.put(
                    (index, perform(process, function, (items[index],), lambda done, limit: None))
                )

    try:
        for _ in range(min(count, len(items))):
            started.append(start([function.__module__]))
            threading.Thread(target=work, args=(started[-1],), daemon=True).start()
        results: dict[int, Any] = {}
        for index in range(len(items)):
            while index not in results:
                finished, result = done.get()
                if isinstance(result, EOFError):
                    raise ValueError(_ENDED)
                if isinstance(result, Exception):
                    raise result
                results[finished] = result
            yield results.pop(index)
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()


def make_expendable(pid: int | str) -> None:
    """Let Linux end a process, "self" or a number, before its parent when memory is short."""
    with contextlib.suppress(OSError):  # There is no such file, or not for us.
        file = Path(f"/proc/{pid}/oom_score_adj")
        score = int(file.read_text(encoding="ascii")) + _MORE_EXPENDABLE
        file.write_text(str(min(score, _MOST_EXPENDABLE)), encoding="ascii")


# ---- in the process ------------------------------------------------------------------------------


def main() -> None:
    """Do jobs until standard input ends.

    Arguments are those of `start`, behind the number of who called it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent, memory, niceness = (int(argument) for argument in sys.argv[1:4])
    _end_with(parent)
    make_expendable("self")
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # What a job prints must not come between messages.
    for name in sys.argv[4:]:
        importlib.import_module(name)
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    is_cancelled = False
    reported = 0.0  # The time when its progress was reported last.

    def reply(reached: tuple[int, int] | None, result: Any = None) -> None:
        with contextlib.suppress(OSError):  # Nobody reads it any more, and soon this ends.
            pickle.dump((reached, result), out, protocol=5)
            out.flush()

    def progress(done: int, limit: int) -> None:
        nonlocal reported
        if is_cancelled:
            raise JobCancelledError
        now = time.monotonic()
        if now - reported > _OFTEN:
            reported = now
            reply((done, limit))

    def do(function: Callable[..., Any], arguments: tuple[Any, ...], more_memory: int) -> None:
        if memory:
            _limit_memory(memory + more_memory)
        reply(None, outcome(function, *arguments, progress))

    # Nobody waits for an answer that cannot be written.
    threading.excepthook = lambda _: os._exit(1)
    reply(None)  # It is ready.
    with contextlib.suppress(Exception):  # Nothing more comes, or nothing that can be read.
        while True:
            message = pickle.load(sys.stdin.buffer)
            is_cancelled = message is None
            if message is not None:
                threading.Thread(target=do, args=message, daemon=True).start()
    os._exit(0)  # It ends, whatever it is doing.


def _end_with(parent: int) -> None:
    """End with the thread that started this process, on Linux even if stopped.

    Elsewhere, when standard input ends.
    """
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # It ended before this was said.
            os._exit(0)


def _limit_memory(limit: int) -> None:
    """Let a job take so many bytes more than the process has now, where Linux sets the limit."""
    if sys.platform == "linux":
        import resource

        # What can be written to, and not all addresses: an engine for JavaScript reserves a
        # terabyte of these.
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[_PAGES_OF_DATA])
        most = pages * resource.getpagesize() + limit
        with contextlib.suppress(ValueError):  # The system itself gives less.
            resource.setrlimit(
                resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1])
            )
