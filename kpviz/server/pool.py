"""A pool of warm processes that train and pack runs, so that the server's event loop stays free; before, threads do.

A process is started by a command of its own, since multiprocessing would import Streamlit's main module in each. A
thread waits for what it answers, and hears of its end whatever is still in the pipe.
"""

from __future__ import annotations

import asyncio
import bisect
import contextlib
import logging
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import kpviz
from kpviz.server import worker
from kpviz.server.worker import JobCancelledError

_LOG = logging.getLogger(__name__)

SHORT = 0.2  # seconds that a job may take for the process that is kept free for such jobs
GRACE = 2.0  # seconds in which a process must see that its job was cancelled
_YIELD = 10.0  # a job lets pass what comes within so many times its own seconds, and is not starved by more
_MOST = 8  # processes, each of some 100 MB
_NICENESS = 5  # of processes that do long jobs: those who wait for a short one, and the server, come first
_THREADS = ("OPENBLAS", "OMP", "MKL", "NUMEXPR")  # a process for each core, not a team of threads for each
_LESS = "choose fewer points or epochs."
_TOO_LONG = f"This takes longer than the {{:.0f}} s that the server gives to one request: {_LESS}"
_TOO_LARGE = f"This takes more memory than the server gives to one request: {_LESS}"
_GONE = "The process that computed this was ended: try again, with fewer points or epochs."


class JobError(RuntimeError):
    """A job failed in a way that nobody foresaw; its text is the traceback."""


@dataclass(frozen=True)
class Job:
    """Work for a process: `function(*args, progress)`, where progress(done, limit) raises once it is cancelled.

    Attributes
    ----------
    function : a function of a module; ValueError says in one sentence why it cannot be done.
    seconds : an estimate of its duration, from above.
    key : jobs of the same key that are asked for at the same time are done once; None is done for itself.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...]
    seconds: float
    key: Hashable | None = None


@dataclass(frozen=True)
class Progress:
    """How far a job is: its place among those that wait, from 1, None once it runs; seconds left, None if unknown."""

    done: int = 0
    limit: int = 0
    place: int | None = None
    left: float | None = None


Watch = Callable[[Progress], None]


@dataclass(eq=False)
class _Asked:
    """A job, and those who wait for it."""

    job: Job
    result: asyncio.Future[Any]
    urgency: float
    watches: list[Watch] = field(default_factory=list)
    progress: Progress = Progress()
    since: float = 0.0  # when this part of the work began

    def tell(self, progress: Progress) -> None:
        if progress != self.progress:
            self.progress = progress
            for watch in self.watches:
                watch(progress)

    def report(self, done: int, limit: int) -> None:
        """Tell how far it is; a limit that changes begins another part of the work."""
        now = time.monotonic()
        if limit != self.progress.limit or done < self.progress.done:
            self.since = now
        share = done / limit if limit and now > self.since else 0.0
        self.tell(Progress(done, limit, left=(now - self.since) * (1 - share) / share if share else None))

    def settle(self, outcome: Any) -> None:
        """Give the result, or what came in place of it, to those who wait."""
        if not self.result.done():
            (self.result.set_exception if isinstance(outcome, BaseException) else self.result.set_result)(outcome)


class _Process:
    """A process that does one job at a time. Its methods may block."""

    def __init__(self, imports: Sequence[str], memory: int, *, quick: bool) -> None:
        paths = [str(Path(kpviz.__file__).parents[1]), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        own = {f"{name}_NUM_THREADS": "1" for name in _THREADS} | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        self.quick, self.is_free = quick, True
        self._arguments = imports, memory
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", worker.__name__, str(memory), str(0 if quick else _NICENESS), *imports],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **own},
            start_new_session=True,  # Ctrl+C in the terminal is for the server
        )
        self.pid = self._process.pid
        if self._answer()[0] != "ready":
            raise OSError("it ended at once")

    def perform(self, job: Job, report: Callable[[int, int], Any]) -> tuple[str, Any]:
        """Do a job; return how it ended, and its result or the words."""
        self.say((job.function, job.args))
        while (answer := self._answer())[0] == "progress":
            report(*answer[1])
        return answer

    def say(self, message: object) -> None:
        """Send a job, or None: it is cancelled, and ends at its next call of progress."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            pickle.dump(message, self._process.stdin, protocol=5)
            self._process.stdin.flush()

    def _answer(self) -> tuple[str, Any]:
        assert self._process.stdout is not None
        try:
            kind, content = pickle.load(self._process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            return "gone", None
        return kind, content

    @property
    def is_gone(self) -> bool:
        return self._process.poll() is not None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def another(self) -> _Process:
        """Start another one in its place."""
        self.kill()
        return _Process(*self._arguments, quick=self.quick)


class Pool:
    """Does jobs in threads until `warm` is called, then in as many processes as there are processors, at least 2.

    One of the processes is for short jobs alone, so that nobody who turns a knob waits for another's long run.

    Parameters
    ----------
    imports : names of modules that a process imports before its first job.
    workers : how many processes; None: as many as processors.
    seconds, memory : what one job may take, in processes; memory in bytes, on Linux only.
    """

    def __init__(
        self, imports: Sequence[str] = (), *, workers: int | None = None, seconds: float = 180, memory: int = 1 << 30
    ) -> None:
        self._imports, self._seconds, self._memory = imports, seconds, memory
        self._size = max(2, min(_processors(), _MOST) if workers is None else workers)
        self._threads = ThreadPoolExecutor(4 * self._size)
        self._processes: list[_Process] = []
        self._waiting: list[_Asked] = []
        self._asked: list[_Asked] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._warming = self._closed = False

    async def run(self, job: Job, watch: Watch = lambda _: None) -> Any:
        """Return the result of a job; cancel the task that waits for it to cancel the job.

        Raises
        ------
        ValueError
            Of one sentence: the job refused, took too long or too much memory, or its process was ended.
        JobError
            The job raised anything else.
        """
        alike = (asked for asked in self._asked if asked.job.key == job.key is not None)
        asked = next(alike, None) or self._ask(job)
        asked.watches.append(watch)
        watch(asked.progress)
        try:
            return await asyncio.shield(asked.result)
        finally:
            asked.watches.remove(watch)
            if not asked.watches:
                self._drop(asked)

    def warm(self) -> None:
        """Start the processes, one after the other."""
        if not self._warming:
            self._warming = True
            self._begin(self._warm())

    async def close(self) -> None:
        """End all processes, and whatever they were doing; none will be started again."""
        self._warming = self._closed = True
        for asked in self._asked:
            asked.result.cancel()
        for process in self._processes:
            process.kill()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    # ---- who waits ----------------------------------------------------------------------------------

    def _ask(self, job: Job) -> _Asked:
        asked = _Asked(job, asyncio.get_running_loop().create_future(), time.monotonic() + _YIELD * job.seconds)
        self._asked.append(asked)
        if self._processes:
            self._queue(asked)
        else:
            self._begin(self._in_thread(asked))
        return asked

    def _queue(self, asked: _Asked) -> None:
        bisect.insort(self._waiting, asked, key=lambda waiting: waiting.urgency)
        self._assign()

    def _drop(self, asked: _Asked) -> None:
        self._asked.remove(asked)
        asked.result.cancel()
        if asked in self._waiting:
            self._waiting.remove(asked)
            self._assign()

    def _assign(self) -> None:
        """Give jobs to processes that are free, the one for short jobs first; the others are told their place."""
        for process in self._processes:
            for asked in self._waiting:
                if process.is_free and not self._closed and (asked.job.seconds < SHORT or not process.quick):
                    self._waiting.remove(asked)
                    process.is_free = False
                    self._begin(self._in_process(asked, process))
                    break
        for place, asked in enumerate(self._waiting, start=1):
            asked.tell(replace(asked.progress, place=place))

    # ---- who works ----------------------------------------------------------------------------------

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _call(self, function: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        return asyncio.get_running_loop().run_in_executor(self._threads, function, *args)

    async def _warm(self) -> None:
        for number in range(self._size):
            await self._start(lambda quick=number == 0: _Process(self._imports, self._memory, quick=quick))  # type: ignore[misc]

    async def _start(self, start: Callable[[], _Process]) -> None:
        try:
            process = await self._call(start)
        except OSError as error:
            _LOG.warning("No process can be started beside the server (%s): it computes in threads.", error)
            while self._waiting and not self._processes:
                self._begin(self._in_thread(self._waiting.pop(0)))
            for each in self._processes:
                each.quick = False
        else:
            self._processes.append(process)
            self._processes.sort(key=lambda each: not each.quick)
            if self._closed:
                process.kill()
        self._assign()

    async def _in_thread(self, asked: _Asked) -> None:
        loop = asyncio.get_running_loop()

        def progress(done: int, limit: int) -> None:
            if asked.result.done():
                raise JobCancelledError
            loop.call_soon_threadsafe(asked.report, done, limit)

        try:
            asked.settle(await self._call(asked.job.function, *asked.job.args, progress))
        except Exception as error:
            asked.settle(error)

    async def _in_process(self, asked: _Asked, process: _Process) -> None:
        """Let a process do a job, within its time; one that is of no more use is replaced."""
        if process.is_gone:  # it was ended while it had nothing to do
            self._queue(asked)
            await self._replace(process)
            return
        loop = asyncio.get_running_loop()
        asked.tell(Progress())
        work = self._call(process.perform, asked.job, lambda *at: loop.call_soon_threadsafe(asked.report, *at))
        await asyncio.wait({work, asked.result}, timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
        in_time = work.done()
        if not in_time:
            process.say(None)
            await asyncio.wait({work}, timeout=GRACE)
        kind, content = work.result() if work.done() else ("gone", None)
        if kind == "done":
            asked.settle(content)
        elif kind == "failed":
            asked.settle(JobError(content))
        elif kind == "refused":
            asked.settle(ValueError(content))
        else:
            why = {"too large": _TOO_LARGE, "gone": _GONE}[kind] if in_time else _TOO_LONG.format(self._seconds)
            asked.settle(ValueError(why))
        if kind in ("gone", "too large"):
            await self._replace(process)
        else:
            process.is_free = True
            self._assign()

    async def _replace(self, process: _Process) -> None:
        self._processes.remove(process)
        await self._start(process.another)


def _processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
