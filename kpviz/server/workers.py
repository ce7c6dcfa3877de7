"""The two kinds of worker, as the pool sees them: a process, and a thread where there is no process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import kpviz
from kpviz.server import worker
from kpviz.server.jobs import HEAD, JobCancelledError, Kind, Outcome, Report, attempt, message, watched

_THREADS = ("OPENBLAS", "OMP", "MKL", "NUMEXPR")  # a worker for each core, not a team of threads for each
_BUFFER = 1 << 22  # bytes
_NICENESS = 5  # of workers that do long jobs: those who wait for a short one, and the server, come first


class JobError(RuntimeError):
    """A job failed in a way that nobody foresaw; its text is the traceback."""


class TooLargeError(ValueError):
    """A job took too much memory."""

    def __init__(self) -> None:
        super().__init__("This takes more memory than the server gives to one request: choose fewer points or epochs.")


class GoneError(ValueError):
    """The worker has ended before its job had."""

    def __init__(self) -> None:
        super().__init__("The process that computed this was ended: try again, with fewer points or epochs.")


class Worker(Protocol):
    """Does one job at a time."""

    @property
    def is_gone(self) -> bool:
        """Whether it has ended."""

    async def perform(self, function: Callable[..., Any], args: tuple[Any, ...], report: Report) -> Any:
        """Return the result of `function(*args, progress)`, or raise as `unfold` does, or GoneError."""

    def cancel(self) -> None:
        """Let the job end at its next call of progress."""

    def kill(self) -> None:
        """End it now; a thread can only be left alone."""


def unfold(outcome: Outcome) -> Any:
    """Return the result of a job, or raise what became of it: ValueError where one sentence says it."""
    kind, content = outcome
    if kind == Kind.DONE:
        return content
    if kind == Kind.CANCELLED:
        raise JobCancelledError
    if kind == Kind.REFUSED:
        raise ValueError(content)
    if kind == Kind.TOO_LARGE:
        raise TooLargeError
    raise JobError(content)


class ProcessWorker:
    """A process that was started for this and knows nothing of the server."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._in, self._out = process, process.stdin, process.stdout
        self._number = 0

    @classmethod
    async def start(cls, imports: Sequence[str], memory: int, *, quick: bool) -> ProcessWorker:
        """Start one, and wait until it has imported what it needs; OSError or GoneError where that fails."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", worker.__name__, str(memory), str(0 if quick else _NICENESS), *imports),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=_environment(),
            limit=_BUFFER,
            start_new_session=True,  # Ctrl+C in the terminal is for the server
        )
        self = cls(process)
        try:
            kind, _ = await self._read()
        except BaseException:
            self.kill()
            await self.wait()
            raise
        assert kind == Kind.READY
        return self

    @property
    def is_gone(self) -> bool:
        return self._process.returncode is not None

    async def perform(self, function: Callable[..., Any], args: tuple[Any, ...], report: Report) -> Any:
        self._number += 1
        self._in.write(message((self._number, pickle.dumps((function, args), protocol=5))))
        while True:
            kind, content = await self._read()
            if kind != Kind.PROGRESS:
                return unfold((kind, content))
            report(*content)

    def cancel(self) -> None:
        self._in.write(message((self._number, None)))

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def wait(self) -> None:
        """Wait until it has ended."""
        self._in.close()
        await self._process.wait()

    async def _read(self) -> Outcome:
        try:
            length, beside = HEAD.unpack(await self._out.readexactly(HEAD.size))
            kind, content = pickle.loads(await self._out.readexactly(length))
            return kind, await self._out.readexactly(beside) if beside else content
        except (EOFError, OSError):
            raise GoneError from None


def _environment() -> dict[str, str]:
    """Return the environment of a worker: it finds kpviz where the server did."""
    paths = [str(Path(kpviz.__file__).parents[1]), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    threads = {f"{name}_NUM_THREADS": "1" for name in _THREADS} | {"VECLIB_MAXIMUM_THREADS": "1"}
    return {**os.environ, **threads, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


class ThreadWorker:
    """A thread of the server for each job: before there are processes, and where none can be started."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()

    @property
    def is_gone(self) -> bool:
        return False

    async def perform(self, function: Callable[..., Any], args: tuple[Any, ...], report: Report) -> Any:
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[Outcome] = loop.create_future()
        self._cancelled = cancelled = threading.Event()

        def tell(call: Callable[..., Any], *content: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(call, *content)

        def end(outcome: Outcome) -> None:
            if not ended.done():
                ended.set_result(outcome)

        def work() -> None:
            progress = watched(lambda done, limit: tell(report, done, limit), cancelled.is_set)
            tell(end, attempt(function, args, progress))

        threading.Thread(target=work, daemon=True).start()
        return unfold(await ended)

    def cancel(self) -> None:
        self._cancelled.set()

    def kill(self) -> None:
        self._cancelled.set()
